/* Products with block-sparse constraint rows, and the change of basis between two poses. */
#include "rows.h"
#include "kernels.h"
#include "six.h"
#include "yield.h"
#include <math.h>
#include <string.h>

void rls_rows_carve (rls_rows *rows, rls_carver *carver)
{
    rls_rows_carve_no_columns (rows, carver);
    rows->Y = rls_carve (carver, (size_t)rows->rows, sizeof (*rows->Y));
}

void rls_rows_carve_no_columns (rls_rows *rows, rls_carver *carver)
{
    const size_t n = (size_t)rows->rows;
    rows->J = rls_carve (carver, n, sizeof (*rows->J));
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

static const double none[6] = {0}; /* the world's vector */

/* Lane by lane products of a row and the vectors of a joint's two bodies one behind the other. */
#define PRODUCTS(row)                                                                                        \
    (RLS_CONST_FOUR (row) * start + RLS_CONST_FOUR ((row) + 4) * middle + RLS_CONST_FOUR ((row) + 8) * end)

/* out := the velocities along the m rows of a joint; a constant m unrolls it. */
RLS_INLINE void look_along (const double (*J)[12], const int m, const double *one, const double *two,
                            double *out)
{
    const rls_four start = RLS_CONST_FOUR (one), middle = {one[4], one[5], two[0], two[1]},
                   end = RLS_CONST_FOUR (two + 2);
    int r = 0;
    for (; r + RLS_LANES <= m; r += RLS_LANES)
    {
        rls_four s[RLS_LANES];
        for (int k = 0; k < RLS_LANES; ++k) s[k] = PRODUCTS (J[r + k]);
        rls_lane_sums (s, out + r);
    }
    for (; r < m; ++r)
    {
        const rls_four s = PRODUCTS (J[r]);
        out[r] = RLS_LANE_SUM (s);
    }
}

/* Adds the m columns of a joint, scaled by p, to the vectors of its bodies. */
RLS_INLINE void push_along (const double (*columns)[12], const int m, const double *p, double *one,
                            double *two)
{
    rls_four sum[3] = {{0}};
    for (int r = 0; r < m; ++r)
        for (int k = 0; k < 3; ++k) sum[k] += p[r] * RLS_CONST_FOUR (columns[r] + 4 * k);
    RLS_FOUR (one) += sum[0];
    one[4] += sum[1][0], one[5] += sum[1][1];
    two[0] += sum[1][2], two[1] += sum[1][3];
    RLS_FOUR (two + 2) += sum[2];
}

/* Writes the call out for the most frequent joints, balls and hinges. */
#define FOR_ROWS(m, call)                                                                                    \
    switch (m)                                                                                               \
    {                                                                                                        \
    case 3:                                                                                                  \
        call (3);                                                                                            \
        break;                                                                                               \
    case 5:                                                                                                  \
        call (5);                                                                                            \
        break;                                                                                               \
    default:                                                                                                 \
        call (m);                                                                                            \
    }

RLS_VECTOR_CLONES void rls_rows_velocity (const rls_rows *rows, const double (*v)[6], double *out)
{
    for (int j = 0; j < rows->joints; ++j)
    {
        const int a = rows->body1[j], b = rows->body2[j], r = rows->row0[j], m = rows->row0[j + 1] - r;
        const double *one = a >= 0 ? v[a] : none, *two = b >= 0 ? v[b] : none;
#define LOOK(m) look_along ((const double (*)[12])rows->J + r, m, one, two, out + r)
        FOR_ROWS (m, LOOK)
    }
}

/* Adds the columns of J or Y, scaled by p, to the bodies' vectors. */
RLS_VECTOR_CLONES static void scatter (const rls_rows *rows, const double (*columns)[12], const double *p,
                                       double (*x)[6])
{
    for (int j = 0; j < rows->joints; ++j)
    {
        double world[6] = {0};
        const int a = rows->body1[j], b = rows->body2[j], r = rows->row0[j], m = rows->row0[j + 1] - r;
        double *one = a >= 0 ? x[a] : world, *two = b >= 0 ? x[b] : world;
#define PUSH(m) push_along (columns + r, m, p + r, one, two)
        FOR_ROWS (m, PUSH)
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

#define NEARLY 0.99 /* cosine of an angle above which a basis has turned little; a jump is mostly larger */

/* By body 1's part, against the reference's own length. */
static int bases_agree (const double (*J)[12], const double (*K)[12], int m)
{
    for (int r = 0; r < m; ++r)
    {
        const rls_six k = rls_six_load (K[r]), d = rls_six_subtract (rls_six_load (J[r]), k, NEARLY);
        if (!(rls_six_dot (d, k) > 0)) return 0;
    }
    return 1;
}

/* The rows of joint j that stand for each other.  Drives, behind them, have no basis to choose, and what they
 * want in vain is not to be mixed with the joint's own residuals. */
static int own_rows (const rls_rows *rows, int j)
{
    const int r0 = rows->row0[j];
    int m = rows->row0[j + 1] - r0;
    while (m > 0 && rls_is_drive (rows->yield, r0 + m - 1)) --m;
    return m;
}

static int can_be_aligned (const rls_rows *rows, int j)
{
    const int r0 = rows->row0[j], m = own_rows (rows, j);
    int soft = m == 0 || m > RLS_MAX_ROWS;
    for (int r = 0; r < m; ++r) soft |= rows->sigma2[r0 + r] > 0;
    return !soft;
}

static int joint_aligned (const rls_rows *rows, const rls_rows *reference, int j)
{
    const int r0 = rows->row0[j], m = own_rows (rows, j);
    return !can_be_aligned (rows, j) ||
           bases_agree ((const double (*)[12])rows->J + r0, (const double (*)[12])reference->J + r0, m);
}

int rls_rows_aligned (const rls_rows *rows, const rls_rows *reference)
{
    for (int j = 0; j < rows->joints; ++j)
        if (!joint_aligned (rows, reference, j)) return 0;
    return 1;
}

/*
 * Joint j's rows become the reference rows' least-squares combination of the present ones:
 * (K J') (J J')^-1 [J | residual | target], with the present ones divided by their lengths, so that their
 * scales do not spoil the normal equations.
 */
static void align_joint (rls_rows *rows, const rls_rows *reference, int j)
{
    const int r0 = rows->row0[j], m = own_rows (rows, j);
    double (*J)[12] = rows->J + r0;
    const double (*K)[12] = (const double (*)[12])reference->J + r0;
    double unit[RLS_MAX_ROWS][12], A[RLS_MAX_ROWS][RLS_MAX_ROWS], B[RLS_MAX_ROWS][14];
    for (int a = 0; a < m; ++a)
    {
        const double length = sqrt (rls_dot12 (J[a], J[a]));
        if (!(length > 0)) return;
        for (int c = 0; c < 12; ++c) unit[a][c] = B[a][c] = J[a][c] / length;
        B[a][12] = rows->residual[r0 + a] / length;
        B[a][13] = rows->target[r0 + a] / length;
    }
    double T[RLS_MAX_ROWS][RLS_MAX_ROWS];
    for (int a = 0; a < m; ++a)
        for (int b = 0; b < m; ++b)
        {
            A[a][b] = rls_dot12 (unit[a], unit[b]);
            T[a][b] = rls_dot12 (K[a], unit[b]);
        }
    if (!eliminate (m, 14, A, B)) return;
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

void rls_rows_align (rls_rows *rows, const rls_rows *reference)
{
    for (int j = 0; j < rows->joints; ++j)
        if (!joint_aligned (rows, reference, j)) align_joint (rows, reference, j);
}

void rls_rows_align_exactly (rls_rows *rows, const rls_rows *reference)
{
    for (int j = 0; j < rows->joints; ++j)
        if (can_be_aligned (rows, j)) align_joint (rows, reference, j);
}
