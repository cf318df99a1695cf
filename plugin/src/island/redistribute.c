/*
 * Multipliers of least norm, by conjugate gradients in the null space of H'.
 *
 * Let K be the kept hard rows and R the redundant ones.  Each redundant row is a combination of kept rows,
 * h_R = C' h_K with C = A_KK^-1 A_KR and A = H M^-1 H'.  So the self-stresses are p = [-C y; y] for any y,
 * and the norm |p0 + [-C y; y]| is least where (I + C'C) y = C' p0_K - p0_R.  The eigenvalues of this system
 * are at least 1, and a product with its matrix costs two solves with the factor that exists already.
 */
#include "redistribute.h"
#include "flat.h"

#define MOST_ITERATIONS 500

static int is_redundant (const rls_self_stress *s, int r)
{
    return s->factor->decision[r] == RLS_REDUNDANT && s->rows->sigma2[r] == 0;
}

static int is_kept_hard (const rls_self_stress *s, int r)
{
    return s->factor->decision[r] != RLS_REDUNDANT && s->rows->sigma2[r] == 0;
}

/* out := C x on the kept hard rows, where x has a value for each redundant row; transposed: C' x on the
 * redundant rows, where x has one for each kept hard row.  0 elsewhere. */
static void combine (const rls_self_stress *s, int transposed, const double *x, double *out)
{
    const int n = s->rows->rows;
    for (int r = 0; r < n; ++r) out[r] = (transposed ? is_kept_hard (s, r) : is_redundant (s, r)) ? x[r] : 0;
    if (transposed) rls_factor_solve (s->factor, s->rows, out);
    rls_rows_delassus (s->rows, out, s->body, out);
    if (!transposed) rls_factor_solve (s->factor, s->rows, out);
    for (int r = 0; r < n; ++r)
        if (!(transposed ? is_redundant (s, r) : is_kept_hard (s, r))) out[r] = 0;
}

static int count_redundant (const rls_self_stress *s)
{
    int count = 0;
    for (int r = 0; r < s->rows->rows; ++r) count += is_redundant (s, r);
    return count;
}

int rls_redistribute (const rls_self_stress *s, double *p)
{
    if (count_redundant (s) == 0) return 0;
    const int n = s->rows->rows;
    double *y = s->row, *residual = y + n, *direction = residual + n, *product = direction + n,
           *cx = product + n;

    /* conjugate gradients for y, which has a number for each redundant row */
    combine (s, 1, p, residual);
    for (int r = 0; r < n; ++r)
    {
        y[r] = 0;
        residual[r] = is_redundant (s, r) ? residual[r] - p[r] : 0;
        direction[r] = residual[r];
    }
    const double start = rls_flat_dot (n, residual, residual);
    double now = start;
    int iteration = 0;
    while (iteration < MOST_ITERATIONS && now > RLS_ROUNDING * RLS_ROUNDING * start && now > 0)
    {
        ++iteration;
        combine (s, 0, direction, cx);
        combine (s, 1, cx, product);
        for (int r = 0; r < n; ++r) product[r] += direction[r];
        const double curvature = rls_flat_dot (n, direction, product);
        if (!(curvature > 0)) break;
        const double step = now / curvature;
        for (int r = 0; r < n; ++r)
        {
            y[r] += step * direction[r];
            residual[r] -= step * product[r];
        }
        const double next = rls_flat_dot (n, residual, residual);
        for (int r = 0; r < n; ++r) direction[r] = residual[r] + next / now * direction[r];
        now = next;
    }

    /* the self-stress on top of the multipliers */
    combine (s, 0, y, cx);
    for (int r = 0; r < n; ++r) p[r] += is_redundant (s, r) ? y[r] : -cx[r];
    return iteration;
}

void rls_unique_reactions (const rls_self_stress *s, unsigned char *unique)
{
    const rls_rows *rows = s->rows;
    double *y = s->row, *x = y + rows->rows, largest = 0;

    /* One self-stress that contains all redundant rows; every row that it acts in is not determined.  Their
     * weights, in [0.5, 1.5), have no pattern, so that the sum does not vanish in a row by accident. */
    for (int j = 0; j < rows->joints; ++j) unique[j] = 1;
    if (count_redundant (s) == 0) return;
    for (int r = 0; r < rows->rows; ++r)
    {
        const double turns = 0.5 * (sqrt (5) - 1) * (r + 1);
        y[r] = is_redundant (s, r) ? 0.5 + (turns - floor (turns)) : 0;
    }
    combine (s, 0, y, x);
    for (int r = 0; r < rows->rows; ++r) largest = fmax (largest, fmax (fabs (x[r]), y[r]));
    RLS_FOR_ROWS (rows, j, r)
        if (y[r] > 0 || fabs (x[r]) > RLS_DEPENDS * largest) unique[j] = 0;
}
