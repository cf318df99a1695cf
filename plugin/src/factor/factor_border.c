/*
 * The doubtful rows of the rank decision: a dense border of the sparse factor.
 *
 * Each of them reaches every row on its path to the root of the elimination tree, so it is kept as a
 * dense vector y = L^-1 a, and their Schur complement S = A - Y' D^-1 Y is pivoted completely: the largest
 * relative pivot first, until the largest that is left falls below the tolerance.  There are few of
 * them except near singular configurations.
 *
 * S holds small pivots as differences of large numbers, wrong by rounding divided by the pivots before them:
 * a redundant row may so be left with 1e-9.  Small pivots are therefore formed once more without a
 * difference.
 */
#include "factor_parts.h"
#include "kernels/kernels.h"
#include <math.h>
#include <string.h>

#define UNSURE 1e-5 /* relative pivot that may be nothing but rounding */

/* The joint that holds a row, by bisection. */
static int joint_of_row (const rls_rows *rows, int row)
{
    int low = 0, high = rows->joints - 1;
    while (low < high)
    {
        const int middle = (low + high) / 2;
        if (rows->row0[middle + 1] <= row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* x (scalars, elimination order) = couplings of row r of joint j with all rows of the island. */
static void row_couplings (const rls_factor *f, const rls_rows *rows, int row, double *x)
{
    const rls_order *o = f->order;
    const int j = joint_of_row (rows, row);
    memset (x, 0, sizeof (double) * (size_t)o->scalars);
    const int bodies[2] = {rows->body1[j], rows->body2[j]};
    for (int side = 0; side < 2; ++side)
    {
        const int hub = o->side_hub[2 * j + side];
        double entries[RLS_HUB_SIZE];
        if (hub < 0) continue;
        rls_factor_hub_entries (f->hub_root[o->perm[hub] - o->joints], rows->J[row] + 6 * side, entries);
        for (int c = 0; c < RLS_HUB_SIZE; ++c) x[o->scalar0[hub] + c] += entries[c];
    }
    for (int other = 0; other < rows->joints; ++other)
        for (int side = 0; side < 2; ++side)
            for (int other_side = 0; other_side < 2; ++other_side)
            {
                const int b = other_side ? rows->body2[other] : rows->body1[other];
                if (b < 0 || b != bodies[side] || o->side_hub[2 * j + side] >= 0) continue;
                double *at = x + o->scalar0[o->position[other]];
                for (int a = rows->row0[other]; a < rows->row0[other + 1]; ++a)
                    at[a - rows->row0[other]] +=
                        rls_dot6 (rows->J[a] + 6 * other_side, rows->Y[row] + 6 * side);
            }
}

void rls_factor_carve_border (rls_factor *f, rls_carver *c)
{
    const size_t k = (size_t)f->borders, n = (size_t)f->order->scalars;
    f->border_y = rls_carve (c, k * n, sizeof (double));
    f->border_ld = rls_carve (c, k * k, sizeof (double));
    f->border_left = rls_carve (c, (size_t)f->bodies, sizeof (*f->border_left));
}

/* Scalar place of a row in elimination order. */
static int scalar_of (const rls_factor *f, const rls_rows *rows, int row)
{
    const int j = joint_of_row (rows, row);
    return f->order->scalar0[f->order->position[j]] + row - rows->row0[j];
}

static void swap_border (rls_factor *f, double *S, int a, int b)
{
    const int k = f->borders, n = f->order->scalars;
    if (a == b) return;
    const int row = f->border_row[a];
    f->border_row[a] = f->border_row[b], f->border_row[b] = row;
    double *y = f->border_y + (size_t)a * (size_t)n, *z = f->border_y + (size_t)b * (size_t)n;
    for (int i = 0; i < n; ++i)
    {
        const double t = y[i];
        y[i] = z[i], z[i] = t;
    }
    for (int i = 0; i < k; ++i)
    {
        const double t = S[a * k + i];
        S[a * k + i] = S[b * k + i], S[b * k + i] = t;
    }
    for (int i = 0; i < k; ++i)
    {
        const double t = S[i * k + a];
        S[i * k + a] = S[i * k + b], S[i * k + b] = t;
    }
}

/* ---- what is done at the same time: border rows, and products of them ---- */

#define PRODUCTS_A_PIECE 4
#define LEAST_WORK 100000.0 /* multiplications that are worth sharing out */

typedef struct
{
    rls_factor *f;
    const rls_rows *rows;
    double *S;
    int a, first; /* the row whose products are formed, and where it begins */
} border_work;

/* y = L^-1 a of border row a, and its couplings with those before it. */
static void begin_border (void *context, int a)
{
    const border_work *w = context;
    rls_factor *f = w->f;
    const int k = f->borders;
    double *y = f->border_y + (size_t)a * (size_t)f->order->scalars, *S = w->S;
    row_couplings (f, w->rows, f->border_row[a], y);
    for (int b = 0; b <= a; ++b) S[a * k + b] = S[b * k + a] = y[scalar_of (f, w->rows, f->border_row[b])];
    S[a * k + a] += w->rows->sigma2[f->border_row[a]];
    rls_factor_lower (f, y);
}

RLS_VECTOR_CLONES static void subtract_range (void *context, int from, int to)
{
    const border_work *w = context;
    const int k = w->f->borders, n = w->f->order->scalars, first = w->first, a = w->a;
    double *S = w->S;
    for (int b = from; b < to; ++b)
    {
        const double *z = w->f->border_y + (size_t)b * (size_t)n;
        S[a * k + b] -= rls_dot_fours (w->f->work + first, z + first, n - first);
        S[b * k + a] = S[a * k + b];
    }
}

/* S := S - Y' D^-1 Y.  A row reaches nothing before its own place in the elimination. */
static void subtract_products (border_work *w)
{
    const rls_factor *f = w->f;
    const int n = f->order->scalars;
    for (int a = 0; a < f->borders; ++a)
    {
        const double *y = f->border_y + (size_t)a * (size_t)n;
        int first = 0;
        while (first < n && y[first] == 0) ++first;
        w->a = a, w->first = first & ~(RLS_LANES - 1);
        for (int i = w->first; i < n; ++i) f->work[i] = y[i] * f->inverse_pivot[i];
        rls_team_ranges ((double)a * (n - first) > LEAST_WORK ? w->rows->team : NULL, a + 1, PRODUCTS_A_PIECE,
                         subtract_range, w);
    }
}

/* left += factor times a row: forces and the velocities that they make, body by body. */
static void add_row (const rls_rows *rows, int joint, int row, double factor, double (*left)[12])
{
    const int bodies[2] = {rows->body1[joint], rows->body2[joint]};
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < 6 && bodies[side] >= 0; ++i)
        {
            left[bodies[side]][i] += factor * rows->J[row][6 * side + i];
            left[bodies[side]][6 + i] += factor * rows->Y[row][6 * side + i];
        }
}

/*
 * The pivot of border row a after the first border rows: the square, in the metric of the masses, of what is
 * left of it when the kept rows are taken out, h - H' p.  Errors of p count squared.
 */
static double sharp_pivot (rls_factor *f, const rls_rows *rows, int kept, int a)
{
    const rls_order *o = f->order;
    const int k = f->borders, n = o->scalars, row = f->border_row[a];
    const double *S = f->border_ld;
    double *p = f->work, *q = f->work + n; /* multipliers of the sparse rows and of the border rows */
    memcpy (p, f->border_y + (size_t)a * (size_t)n, sizeof (double) * (size_t)n);
    for (int b = kept - 1; b >= 0; --b)
    {
        const double *y = f->border_y + (size_t)b * (size_t)n;
        q[b] = S[a * k + b];
        for (int c = b + 1; c < kept; ++c) q[b] -= S[c * k + b] * q[c];
        for (int i = 0; i < n; ++i) p[i] -= q[b] * y[i];
    }
    for (int i = 0; i < n; ++i) p[i] *= f->inverse_pivot[i];
    rls_factor_upper (f, p);

    double pivot = rows->sigma2[row];
    memset (f->border_left, 0, sizeof (*f->border_left) * (size_t)f->bodies);
    add_row (rows, joint_of_row (rows, row), row, 1, f->border_left);
    for (int b = 0; b < kept; ++b)
    {
        const int r = f->border_row[b];
        add_row (rows, joint_of_row (rows, r), r, -q[b], f->border_left);
        pivot += q[b] * q[b] * rows->sigma2[r];
    }
    for (int j = 0; j < rows->joints; ++j)
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
        {
            const double x = p[o->scalar0[o->position[j]] + r - rows->row0[j]];
            add_row (rows, j, r, -x, f->border_left);
            pivot += x * x * rows->sigma2[r];
        }
    for (int b = 0; b < f->bodies; ++b) pivot += rls_dot6 (f->border_left[b], f->border_left[b] + 6);
    return pivot;
}

/* The relative pivot below which a border row is not kept. */
static double border_limit (const rls_decision_rule *rule, int row)
{
    return rule->decided ? RLS_VANISHED : rls_rank_limit (rule, row);
}

/*
 * The next border row to be kept, from place kept on: the one with the largest relative pivot; then the late
 * ones, those first that give way to the others last.  -1 if what is left is below the limit.
 */
static int next_border (const rls_factor *f, const rls_decision_rule *rule, int kept)
{
    int best = -1;
    for (int a = kept; a < f->borders; ++a)
    {
        const int row = f->border_row[a];
        if (rule->decided && rule->decided[row] == RLS_REDUNDANT) continue; /* only watched */
        if (rls_is_late (rule, row)) continue;
        if (best < 0 || f->relative[row] > f->relative[f->border_row[best]]) best = a;
    }
    if (best >= 0 && f->relative[f->border_row[best]] >= border_limit (rule, f->border_row[best]))
        return best;
    best = -1;
    for (int a = kept; a < f->borders && rule->yield; ++a)
    {
        const int row = f->border_row[a];
        if (!rule->yield->late[row] || (rule->decided && rule->decided[row] == RLS_REDUNDANT)) continue;
        if (f->relative[row] < border_limit (rule, row)) continue;
        if (best < 0 || rls_yields (rule->yield, f->border_row[best], row)) best = a;
    }
    return best;
}

/* Complete pivoting among the border rows; those that stay become the first f->borders of the list. */
static int pivot_border (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    const int k = f->borders;
    double *S = f->border_ld;
    border_work work = {f, rows, S, 0, 0};
    rls_team_run (rows->team, k, begin_border, &work);
    subtract_products (&work);

    int kept = 0;
    while (kept < k)
    {
        for (int a = kept; a < k; ++a)
        {
            const int row = f->border_row[a];
            f->relative[row] = S[a * k + a] / f->diagonal[row];
            if (!isfinite (f->relative[row])) return 0;
        }
        const int best = next_border (f, rule, kept);
        if (best < 0) break;
        const int row = f->border_row[best];
        if (f->relative[row] < UNSURE && !rule->decided)
        {
            S[best * k + best] = sharp_pivot (f, rows, kept, best);
            f->relative[row] = S[best * k + best] / f->diagonal[row];
            if (f->relative[row] < border_limit (rule, row)) continue;
        }
        swap_border (f, S, kept, best);
        const double inverse = 1 / S[kept * k + kept];
        for (int a = kept + 1; a < k; ++a)
        {
            const double l = S[a * k + kept] * inverse;
            for (int b = kept + 1; b <= a; ++b) S[a * k + b] -= l * S[kept * k + b];
            S[a * k + kept] = l;
        }
        /* L is stored below the diagonal; what is left of S is made symmetric for the next pivot */
        for (int a = kept + 1; a < k; ++a)
            for (int b = kept + 1; b < a; ++b) S[b * k + a] = S[a * k + b];
        ++kept;
    }
    for (int a = kept; a < k; ++a) f->decision[f->border_row[a]] = RLS_REDUNDANT;
    /* close the rows of the dense factor up */
    for (int a = 0; a < kept; ++a) memmove (S + a * kept, S + a * k, sizeof (double) * (size_t)kept);
    f->borders = kept;
    return 1;
}

int rls_factor_border (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    f->borders = f->bodies = 0;
    for (int r = 0; r < rows->rows; ++r)
        if (f->decision[r] == RLS_BORDER) f->border_row[f->borders++] = r;
    if (f->borders == 0) return 1;
    for (int j = 0; j < rows->joints; ++j)
    {
        if (rows->body1[j] >= f->bodies) f->bodies = rows->body1[j] + 1;
        if (rows->body2[j] >= f->bodies) f->bodies = rows->body2[j] + 1;
    }
    int done;
    RLS_LAY_OUT (f, &f->border_block, rls_factor_carve_border, done);
    if (!done) return 0;
    return pivot_border (f, rows, rule) ? 1 : -1;
}
