/* Products with block-sparse constraint rows, and the change of basis between two poses. */
#include "rows.h"
#include "kernels.h"
#include <math.h>
#include <string.h>

void rls_rows_carve (rls_rows *rows, rls_carver *carver)
{
    const size_t n = (size_t)rows->rows;
    rows->J = rls_carve (carver, n, sizeof (*rows->J));
    rows->Y = rls_carve (carver, n, sizeof (*rows->Y));
    rows->sigma2 = rls_carve (carver, n, sizeof (double));
    rows->target = rls_carve (carver, n, sizeof (double));
    rows->residual = rls_carve (carver, n, sizeof (double));
}

void rls_rows_copy (const rls_rows *from, rls_rows *to)
{
    const size_t n = (size_t)from->rows;
    if (n == 0) return;
    memcpy (to->J, from->J, n * sizeof (*to->J));
    memcpy (to->sigma2, from->sigma2, n * sizeof (double));
    memcpy (to->target, from->target, n * sizeof (double));
    memcpy (to->residual, from->residual, n * sizeof (double));
}

RLS_VECTOR_CLONES void rls_rows_velocity (const rls_rows *rows, const double (*v)[6], double *out)
{
    for (int j = 0; j < rows->joints; ++j)
    {
        const int a = rows->body1[j], b = rows->body2[j];
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
        {
            out[r] = a >= 0 ? rls_dot6 (rows->J[r], v[a]) : 0;
            if (b >= 0) out[r] += rls_dot6 (rows->J[r] + 6, v[b]);
        }
    }
}

/* Adds the columns of J or Y, scaled by p, to the bodies' vectors. */
RLS_VECTOR_CLONES static void scatter (const rls_rows *rows, const double (*columns)[12], const double *p,
                                       double (*x)[6])
{
    for (int j = 0; j < rows->joints; ++j)
    {
        const int a = rows->body1[j], b = rows->body2[j];
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
        {
            if (p[r] == 0) continue;
            if (a >= 0)
                for (int k = 0; k < 6; ++k) x[a][k] += columns[r][k] * p[r];
            if (b >= 0)
                for (int k = 0; k < 6; ++k) x[b][k] += columns[r][6 + k] * p[r];
        }
    }
}

void rls_rows_apply (const rls_rows *rows, const double *p, double (*v)[6])
{
    scatter (rows, (const double (*)[12])rows->Y, p, v);
}

void rls_rows_force (const rls_rows *rows, const double *p, double (*f)[6])
{
    scatter (rows, (const double (*)[12])rows->J, p, f);
}

static double dot12 (const double *a, const double *b) { return rls_dot6 (a, b) + rls_dot6 (a + 6, b + 6); }

void rls_rows_diagonal (const rls_rows *rows, double *diagonal)
{
    for (int r = 0; r < rows->rows; ++r) diagonal[r] = dot12 (rows->J[r], rows->Y[r]) + rows->sigma2[r];
}

/* Solves the m x m system A x = B for its n right-hand sides in place, by elimination with row pivoting.
 * Returns 0 if A is singular to working precision. */
static int eliminate (int m, int n, double A[RLS_MAX_ROWS][RLS_MAX_ROWS], double B[RLS_MAX_ROWS][14])
{
    for (int i = 0; i < m; ++i)
    {
        int p = i;
        for (int k = i + 1; k < m; ++k)
            if (fabs (A[k][i]) > fabs (A[p][i])) p = k;
        if (!(fabs (A[p][i]) > 1e-14)) return 0;
        if (p != i)
        {
            for (int c = i; c < m; ++c)
            {
                const double t = A[i][c];
                A[i][c] = A[p][c], A[p][c] = t;
            }
            for (int c = 0; c < n; ++c)
            {
                const double t = B[i][c];
                B[i][c] = B[p][c], B[p][c] = t;
            }
        }
        for (int k = 0; k < m; ++k)
        {
            if (k == i) continue;
            const double f = A[k][i] / A[i][i];
            for (int c = i; c < m; ++c) A[k][c] -= f * A[i][c];
            for (int c = 0; c < n; ++c) B[k][c] -= f * B[i][c];
        }
    }
    for (int i = 0; i < m; ++i)
        for (int c = 0; c < n; ++c) B[i][c] /= A[i][i];
    return 1;
}

/* ODE's choice of basis either stays near or jumps far: body 1's part against the reference's own length
 * tells the two apart. */
static int bases_agree (const double (*J)[12], const double (*K)[12], int m)
{
    for (int r = 0; r < m; ++r)
        if (!(rls_dot6 (J[r], K[r]) > 0.7 * rls_dot6 (K[r], K[r]))) return 0;
    return 1;
}

void rls_rows_align (rls_rows *rows, const rls_rows *reference)
{
    for (int j = 0; j < rows->joints; ++j)
    {
        const int r0 = rows->row0[j], m = rows->row0[j + 1] - r0;
        double (*J)[12] = rows->J + r0;
        const double (*K)[12] = (const double (*)[12])reference->J + r0;
        int soft = m == 0 || m > RLS_MAX_ROWS;
        for (int r = 0; r < m; ++r) soft |= rows->sigma2[r0 + r] > 0;
        if (soft || bases_agree ((const double (*)[12])J, K, m)) continue;

        /* the reference rows' least-squares combination of the present ones: (K J') (J J')^-1 [J | residual |
         * target]
         */
        double A[RLS_MAX_ROWS][RLS_MAX_ROWS], B[RLS_MAX_ROWS][14], scale = 0;
        for (int a = 0; a < m; ++a) scale = fmax (scale, dot12 (J[a], J[a]));
        if (!(scale > 0)) continue;
        for (int a = 0; a < m; ++a)
        {
            for (int b = 0; b < m; ++b) A[a][b] = dot12 (J[a], J[b]) / scale;
            for (int c = 0; c < 12; ++c) B[a][c] = J[a][c] / scale;
            B[a][12] = rows->residual[r0 + a] / scale;
            B[a][13] = rows->target[r0 + a] / scale;
        }
        double T[RLS_MAX_ROWS][RLS_MAX_ROWS];
        for (int a = 0; a < m; ++a)
            for (int b = 0; b < m; ++b) T[a][b] = dot12 (K[a], J[b]);
        if (!eliminate (m, 14, A, B)) continue;
        for (int a = 0; a < m; ++a)
        {
            double sum[14] = {0};
            for (int b = 0; b < m; ++b)
                for (int c = 0; c < 14; ++c) sum[c] += T[a][b] * B[b][c];
            memcpy (J[a], sum, sizeof (J[a]));
            rows->residual[r0 + a] = sum[12];
            rows->target[r0 + a] = sum[13];
        }
    }
}
