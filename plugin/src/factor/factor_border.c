/*
 * The doubtful rows of the rank decision, as a dense border of the sparse factor.
 *
 * factor_reach.c forms their vectors Y = L^-1 C.  Their Schur complement S = C_BB - Y' D^-1 Y is pivoted
 * completely: the row with the largest relative pivot comes next, until that pivot is below the tolerance.
 * There are few such rows except near singular configurations.
 *
 * Small pivots of S are differences of large numbers, with a rounding error divided by the earlier pivots:
 * 1e-9 may be left of a redundant row.  Small pivots are therefore computed again from the rows themselves.
 */
#include "factor_parts.h"
#include "kernels/mobility.h"
#include "kernels/parts.h"

static void lay_out_border (rls_factor *f, rls_arena_cursor *c)
{
    const size_t k = (size_t)f->borders;
    RLS_TAKE (c, k * k, f->border_ld);
    RLS_TAKE (c, k, f->border_was, f->border_number, f->border_part);
    rls_reach_lay_out (f, c);
}

#define SWAP(a, b)                                                                                           \
    do {                                                                                                     \
        const __typeof__ (a) was_ = (a);                                                                     \
        (a) = (b), (b) = was_;                                                                               \
    } while (0)

/* Exchanges border rows a < b in the list and in S (k x k), which is stored on and above the diagonal. */
static void swap_border (rls_factor *f, int k, int a, int b)
{
    double *S = f->border_ld;
    if (a == b) return;
    SWAP (f->border_row[a], f->border_row[b]);
    SWAP (f->border_was[a], f->border_was[b]);
    SWAP (S[a * k + a], S[b * k + b]);
    for (int i = 0; i < a; ++i) SWAP (S[i * k + a], S[i * k + b]);
    for (int i = a + 1; i < b; ++i) SWAP (S[a * k + i], S[i * k + b]);
    for (int i = b + 1; i < k; ++i) SWAP (S[a * k + i], S[b * k + i]);
}

/* left += factor times a row, body by body. */
static void add_border_row (const rls_rows *rows, int row, double factor, double (*left)[6])
{
    rls_row room[RLS_MAX_ROWS];
    const int j = rls_joint_of_row (rows, row), *body = rows->body[j];
    const double *J = rls_joint_rows (rows, j, room)[row - rows->row0[j]];
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < 6 && body[side] >= 0; ++i) left[body[side]][i] += factor * J[6 * side + i];
    rls_parts_add (&rows->parts, rows->parts.J, row, factor, left);
}

/*
 * The pivot of border row a after the first kept border rows, computed from the rows: the square, in the
 * metric of the masses, of the row less its nearest combination of kept rows, h - H' p.  An error of p enters
 * as its square.
 */
static double sharp_pivot (rls_factor *f, const rls_rows *rows, int kept, int a)
{
    const rls_order *o = f->order;
    const int k = f->borders, row = f->border_row[a];
    const double *S = f->border_ld;
    double *p = f->work, *x = f->of_rows,               /* coefficients of the sparse rows */
                             *q = f->work + o->scalars; /* and of the border rows */

    /* the coefficients of the nearest combination */
    memset (f->border_part, 0, sizeof (double) * (size_t)k);
    for (int b = kept - 1; b >= 0; --b)
    {
        q[b] = S[b * k + a];
        for (int c = b + 1; c < kept; ++c) q[b] -= S[b * k + c] * q[c];
        f->border_part[f->border_was[b]] = q[b];
    }
    f->border_part[f->border_was[a]] = -1;
    memset (p, 0, sizeof (double) * (size_t)o->scalars);
    rls_reach_subtract (f, f->border_part, p);
    rls_factor_upper (f, p);

    /* the row less that combination, body by body */
    double pivot = rows->sigma2[row];
    memset (f->of_bodies, 0, sizeof (*f->of_bodies) * (size_t)f->bodies);
    add_border_row (rows, row, 1, f->of_bodies);
    for (int b = 0; b < kept; ++b)
    {
        const int r = f->border_row[b];
        add_border_row (rows, r, -q[b], f->of_bodies);
        pivot += q[b] * q[b] * rows->sigma2[r];
    }
    RLS_FOR_ROWS (rows, j, r)
    {
        x[r] = -p[o->scalar[j] + r - rows->row0[j]];
        pivot += x[r] * x[r] * rows->sigma2[r];
    }
    rls_rows_force (rows, x, f->of_bodies);

    /* its square */
    for (int b = 0; b < f->bodies; ++b)
    {
        double Y[6];
        rls_side_columns (rows, b, 1, f->of_bodies[b], Y);
        pivot += rls_dot6 (f->of_bodies[b], Y);
    }
    return pivot;
}

/* The relative pivot below which a border row is not kept. */
static double border_limit (const rls_decision_rule *rule, int row)
{
    return rule->decided ? RLS_ROUNDING : rls_rank_limit (rule, row);
}

/* Returns 1 if a row is kept before another one: late rows come last, in the order of their precedence; equal
 * ones by their pivots. */
static int goes_before (const rls_factor *f, const rls_decision_rule *rule, int row, int other)
{
    const int late = rls_is_late (rule, row);
    if (late != rls_is_late (rule, other)) return !late;
    if (late && rls_comes_after (rule->precedence, other, row)) return 1;
    if (late && rls_comes_after (rule->precedence, row, other)) return 0;
    return f->relative[row] > f->relative[other];
}

/* The next border row to be kept, of those from place kept on.  Returns -1 if all pivots are below the
 * limit. */
static int next_border (const rls_factor *f, const rls_decision_rule *rule, int kept)
{
    int best = -1;
    for (int a = kept; a < f->borders; ++a)
    {
        const int row = f->border_row[a];
        if (rule->decided && rule->decided[row] == RLS_REDUNDANT) continue; /* only its pivot is wanted */
        if (f->relative[row] < border_limit (rule, row)) continue;
        if (best < 0 || goes_before (f, rule, row, f->border_row[best])) best = a;
    }
    return best;
}

/* Eliminates border row kept from those after it; its row of S becomes D and the row of L'. */
RLS_VECTOR_CLONES static void eliminate_border (rls_factor *f, int k, int kept)
{
    double *S = f->border_ld, *own = S + (size_t)kept * (size_t)k;
    const double inverse = 1 / own[kept];
    for (int a = kept + 1; a < k; ++a)
    {
        const double l = own[a] * inverse;
        double *row = S + (size_t)a * (size_t)k;
        for (int b = a; b < k; ++b) row[b] -= l * own[b];
    }
    for (int a = kept + 1; a < k; ++a) own[a] *= inverse;
}

/* Complete pivoting among the border rows.  Those that are kept become the first f->borders of the list, the
 * others are redundant. */
static rls_outcome pivot_border (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    const int k = f->borders;
    double *S = f->border_ld;
    for (int a = 0; a < k; ++a) f->border_was[a] = a;
    int kept = 0;
    while (kept < k)
    {
        /* the relative pivots of what is left */
        for (int a = kept; a < k; ++a)
        {
            const int row = f->border_row[a];
            f->relative[row] = S[a * k + a] / f->diagonal[row];
            if (!isfinite (f->relative[row])) return RLS_FAILED;
        }

        /* the largest is next, until what is left is below the tolerance */
        const int best = next_border (f, rule, kept);
        if (best < 0) break;
        const int row = f->border_row[best];

        /* small pivots are computed again from the rows themselves */
        if (f->relative[row] < RLS_UNSURE_PIVOT && !rule->decided)
        {
            S[best * k + best] = sharp_pivot (f, rows, kept, best);
            f->relative[row] = S[best * k + best] / f->diagonal[row];
            if (f->relative[row] < border_limit (rule, row)) continue;
        }
        swap_border (f, k, kept, best);
        eliminate_border (f, k, kept);
        ++kept;
    }

    /* the others are implied by those before them */
    for (int a = kept; a < k; ++a) f->decision[f->border_row[a]] = RLS_REDUNDANT;
    for (int a = 0; a < k; ++a) f->border_number[f->border_was[a]] = a < kept ? a : kept;
    for (int i = 0; i < f->reach0[f->order->supernodes]; ++i) f->reach[i] = f->border_number[f->reach[i]];

    /* the dense factor without their rows */
    for (int a = 0; a < kept; ++a) memmove (S + a * kept, S + a * k, sizeof (double) * (size_t)kept);
    f->borders = kept;
    return RLS_DONE;
}

/* ---- rows over more than two bodies: everything is border ---- */

/* S := H M^-1 H' + diag (sigma^2), column by column by a unit impulse along each row. */
static void form_densely (rls_factor *f, const rls_rows *rows)
{
    const size_t n = (size_t)rows->rows;
    double *impulse = f->work, *velocity = f->work + f->order->scalars;
    memset (impulse, 0, n * sizeof (double));
    for (size_t r = 0; r < n; ++r)
    {
        impulse[r] = 1;
        rls_rows_delassus (rows, impulse, f->of_bodies, velocity);
        impulse[r] = 0;
        for (size_t q = r; q < n; ++q) f->border_ld[r * n + q] = velocity[q];
        f->border_ld[r * n + r] += rows->sigma2[r];
    }
}

rls_outcome rls_factor_border (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    for (int r = 0; r < rows->rows; ++r)
        if (f->decision[r] == RLS_BORDER) f->border_row[f->borders++] = r;
    f->waited = f->borders;
    const int done = RLS_LAY_OUT (f, &f->border_block, lay_out_border);
    if (!done || !rls_reach_form (f, rows)) return RLS_NO_MEMORY;
    if (rows->parts.count > 0) form_densely (f, rows);
    return pivot_border (f, rows, rule);
}
