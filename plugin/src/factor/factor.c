/*
 * Numeric factorisation  H M^-1 H' + diag (sigma^2) = L D L'  in block columns, supernode by supernode.
 *
 * For each supernode in elimination order, the products of its earlier columns are subtracted from each of
 * its columns, whose scalar rows are then eliminated one by one, with a decision on each; then the
 * supernode's outer product is subtracted from the columns to its right.  Both are products of dense
 * matrices, by one kernel.  Rows that are not kept leave a zero column and change nothing.
 *
 * All of that is in factor_columns.c.  This file has what is around it: passes with different limits, light
 * bodies, the rank.
 */
#include "factor_parts.h"
#include "factor_tree.h"
#include "mass_scaling.h"

#define FEW_DOUBTFUL 8 /* doubtful rows that are pivoted in the time of one solve */

void rls_factor_dense_root (const rls_rows *rows, int b, double root[10])
{
    const double *W = rows->W[b];
    double *C = root + 1;
    root[0] = sqrt (1 / rows->mass[b]);
    memset (C, 0, 9 * sizeof (double));
    C[0] = sqrt (W[0]);
    C[3] = W[3] / C[0], C[6] = W[6] / C[0];
    C[4] = sqrt (W[4] - C[3] * C[3]);
    C[7] = (W[7] - C[6] * C[3]) / C[4];
    C[8] = sqrt (W[8] - C[6] * C[6] - C[7] * C[7]);
}

/* Factors all columns.  safe is the relative pivot from which rows are kept in this pass.  Returns 0 if a
 * pivot is not finite. */
static int factor_columns (rls_factor *f, const rls_rows *rows, rls_decision_rule *rule, double safe)
{
    const int asked = rule->decided || rule->precedence;
    rule->safe = safe;
    rule->clear = asked ? HUGE_VAL : fmax (safe, RLS_HYSTERESIS * rule->tolerance);
    if (rows->parts.count == 0) return rls_factor_columns (f, rows, rule);

    /* sparse columns cannot hold rows over more than two bodies: then all rows are border rows */
    memset (f->value, 0, sizeof (double) * f->order->values);
    memset (f->inverse_pivot, 0, sizeof (double) * (size_t)f->order->scalars);
    memset (f->decision, RLS_BORDER, (size_t)rows->rows);
    rls_rows_diagonal (rows, f->diagonal);
    for (int r = 0; r < rows->rows; ++r) f->diagonal[r] += rows->sigma2[r];
    return 1;
}

static void lay_out_factor (rls_factor *f, rls_arena_cursor *c)
{
    const rls_order *o = f->order;
    const size_t n = (size_t)o->scalars; /* at least the rows */
    RLS_TAKE (c, o->values, f->value);
    RLS_TAKE (c, n, f->inverse_pivot, f->diagonal, f->relative, f->of_rows, f->decision, f->before,
              f->border_row);
    RLS_TAKE (c, 3 * n + RLS_LANES, f->work);
    RLS_TAKE (c, (size_t)o->dense_bodies, f->dense_root);
    RLS_TAKE (c, (size_t)f->bodies, f->of_bodies);
    rls_factor_lay_out_tree (f, c);
}

/* Finds the rank, which is the number of hard rows that are kept, and the least of their relative pivots. */
static void count_rank (rls_factor *f, const rls_rows *rows)
{
    int rank = 0;
    double gap = 1;
    for (int r = 0; r < rows->rows; ++r)
    {
        const int counts = f->decision[r] != RLS_REDUNDANT && !(rows->sigma2[r] > 0);
        const double relative = f->relative[r];
        rank += counts;
        gap = counts && relative < gap ? relative : gap;
    }
    f->rank = rank;
    f->gap = gap;
}

/* The number of rows that are not decided on yet. */
static int doubtful_rows (const rls_factor *f, const rls_rows *rows)
{
    int count = 0;
    if (!rls_decided_on (f->decision, rows->rows, RLS_BORDER)) return 0;
    for (int r = 0; r < rows->rows; ++r) count += f->decision[r] == RLS_BORDER;
    return count;
}

/* Decides on the doubtful rows, then finds the rank. */
static rls_outcome take_border (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    const int doubtful = doubtful_rows (f, rows),
              many = doubtful > FEW_DOUBTFUL && rows->parts.count == 0 && !rule->decided && !rows->raised;
    const rls_outcome done = doubtful == 0 ? RLS_DONE
                             : many        ? rls_factor_sort_out (f, rows, rule)
                                           : rls_factor_border (f, rows, rule);
    if (done == RLS_DONE) count_rank (f, rows);
    f->mass_gap = f->gap;
    return done;
}

/*
 * In a mesh most rows are redundant, and pivoting all of them among themselves costs the square of their
 * number.  So the rows that were kept in the last step are factored alone.  If they are far from dependent
 * and imply all others, the decisions stand; otherwise the result is RLS_ANOTHER_WAY.
 */
static rls_outcome factor_as_before (rls_factor *f, const rls_rows *rows, const unsigned char *previous)
{
    rls_decision_rule rule = {
        .tolerance = HUGE_VAL, .decided = previous, .partial = f->order->dense_bodies > 0};
    if (!factor_columns (f, rows, &rule, RLS_SMALL_PIVOT)) return RLS_FAILED;
    RLS_TRY (take_border (f, rows, &rule));
    if (f->gap < RLS_UNSURE_PIVOT || !rls_factor_implies (f, rows)) return RLS_ANOTHER_WAY;
    for (int r = 0; r < rows->rows; ++r)
        if ((f->decision[r] == RLS_REDUNDANT) != (previous[r] == RLS_REDUNDANT)) return RLS_ANOTHER_WAY;
    return RLS_DONE;
}

/* Factors the rows once; the arguments are those of rls_factor_rows, safe as in factor_columns. */
static rls_outcome factor_once (rls_factor *f, const rls_order *order, const rls_rows *rows, double tolerance,
                                double safe, const unsigned char *decided, const unsigned char *previous)
{
    f->order = order;
    f->bodies = rows->bodies;
    if (!RLS_LAY_OUT (f, &f->block, lay_out_factor)) return RLS_NO_MEMORY;
    f->tree.rows = f->borders = f->waited = 0;

    /* rows of trees are independent: no decisions, and less work */
    if (tolerance <= RLS_NEGLIGIBLE && rls_factor_is_tree (order, rows, decided) && rls_factor_tree (f, rows))
    {
        f->tree.rows = rows->rows;
        return RLS_DONE;
    }

    /* the rule of decisions, and roots of dense bodies */
    rls_decision_rule rule = {.tolerance = tolerance,
                              .decided = decided,
                              .previous = previous,
                              .precedence = rls_any_yield (rows->precedence) ? rows->precedence : NULL,
                              .partial = order->dense_bodies > 0};
    const int known = rows->rows > 0 && f->mesh == order->scalars;
    for (int h = 0; h < order->dense_bodies; ++h)
        rls_factor_dense_root (rows, order->dense_body[h], f->dense_root[h]);

    /* a mesh with the decisions of the last step */
    if (known && previous && !decided && !rows->raised && !rule.precedence && rows->parts.count == 0)
    {
        const rls_outcome before = factor_as_before (f, rows, previous);
        if (before != RLS_ANOTHER_WAY) return before;
        f->borders = f->waited = 0;
    }

    /* all columns */
    if (!factor_columns (f, rows, &rule, known ? RLS_SMALL_PIVOT : safe)) return RLS_FAILED;

    /* once more with a lower safe pivot if very many rows are doubtful */
    if (rows->parts.count == 0 && !decided && !known && doubtful_rows (f, rows) > RLS_MOST_BORDERS)
    {
        f->mesh = order->scalars; /* recognised in the next step */
        if (!factor_columns (f, rows, &rule, RLS_SMALL_PIVOT)) return RLS_FAILED;
    }

    return take_border (f, rows, &rule);
}

/* Factors, and factors again as long as rows on which others depend are found to be late. */
static rls_outcome factor_rows (rls_factor *f, const rls_order *order, const rls_rows *rows, double tolerance,
                                double safe, const unsigned char *decided, const unsigned char *previous)
{
    rls_outcome done;
    do done = factor_once (f, order, rows, tolerance, safe, decided, previous);
    while (done == RLS_DONE && !decided && rls_any_yield (rows->precedence) &&
           rls_precedence_find (rows->precedence, f, rows));
    return done;
}

/* If there are light bodies, ranks are decided with their masses raised (mass_scaling.h), and the kept rows
 * are then factored with the true masses. */
rls_outcome rls_factor_rows (rls_factor *f, const rls_order *order, const rls_rows *rows, double tolerance,
                             const unsigned char *decided, const unsigned char *previous)
{
    rls_mass_scaling *mass_scaling = rows->mass_scaling;
    if (rows->rows == 0)
    {
        f->order = order, f->bodies = rows->bodies;
        f->tree.rows = f->borders = f->waited = f->rank = 0;
        f->gap = f->mass_gap = 1;
        return RLS_DONE;
    }
    if (!mass_scaling || mass_scaling->count == 0 || rows->parts.count > 0)
        return factor_rows (f, order, rows, tolerance, RLS_SAFE_PIVOT, decided, previous);
    const size_t n = (size_t)rows->rows;
    rls_rows raised = *rows;
    rls_mass_scaling_apply (mass_scaling, rows);
    raised.raised = mass_scaling->is;
    raised.scaled_inverse = mass_scaling->P;
    rls_outcome done = factor_rows (f, order, &raised, tolerance, RLS_DOUBTFUL_PIVOT, decided, previous);
    if (done != RLS_DONE) return done;
    const double gap = f->gap;
    memcpy (f->before, f->decision, n);
    memcpy (f->of_rows, f->relative, n * sizeof (double));
    done = factor_rows (f, order, rows, 1, RLS_DOUBTFUL_PIVOT, f->before, NULL);
    memcpy (f->relative, f->of_rows, n * sizeof (double));
    f->gap = gap;
    return done;
}

void rls_factor_push (const rls_factor *f, const rls_rows *rows, double *x, double (*v)[6])
{
    rls_factor_solve (f, rows, x);
    rls_rows_apply (rows, x, v);
}

void rls_factor_enforce (const rls_factor *f, const rls_rows *rows, double *x, double (*v)[6])
{
    if (f->tree.rows > 0)
        rls_factor_tree_enforce (f, rows, x, v);
    else
        rls_factor_push (f, rows, x, v);
}

void rls_enforce (const rls_factor *f, const rls_rows *rows, const double *target, double *x, double (*v)[6])
{
    if (rows->rows == 0) return;
    rls_rows_missing (rows, target, v, x);
    rls_factor_enforce (f, rows, x, v);
}

void rls_factor_diagonal (const rls_factor *f, const rls_rows *rows, double *out)
{
    if (f->tree.rows > 0)
        rls_rows_diagonal (rows, out);
    else if (rows->rows > 0)
        memcpy (out, f->diagonal, sizeof (double) * (size_t)rows->rows);
}

void rls_factor_free (rls_factor *f)
{
    rls_arena_free (&f->block);
    rls_arena_free (&f->border_block);
    rls_arena_free (&f->reach_block);
    *f = (rls_factor){0};
}
