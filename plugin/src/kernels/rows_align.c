/*
 * Changes of basis between the rows of two poses, joint by joint; contract in rows.h.
 *
 * The combination of the present rows J that is nearest to the reference rows K is (K J') (J J')^-1 J.  It is
 * computed as J + X J with X = ((K - J) J') (J J')^-1, which is as small as the difference of both, and so is
 * its rounding error.  J J' is factored as L D L' without pivoting, whose accuracy does not depend on the
 * lengths of the rows; whether it is singular is judged by each row's own length.
 */
#include "parts.h"
#include "six.h"
#include "precedence.h"

#define WIDTH (2 * RLS_LANES) /* row length of a small matrix: RLS_MAX_ROWS padded to whole vectors */

typedef double small_matrix[RLS_MAX_ROWS][WIDTH];

/* P[b][a] := the inner product of rows A[a] and B[b], for a, b < m. */
RLS_INLINE void products (const int m, const double (*A)[12], const double (*B)[12], small_matrix P)
{
    for (int b = 0; b < m; ++b)
    {
        int a = 0;
        for (; a + RLS_LANES <= m; a += RLS_LANES)
        {
            rls_four s[RLS_LANES];
            for (int k = 0; k < RLS_LANES; ++k) s[k] = RLS_PRODUCTS12 (A[a + k], B[b]);
            rls_lane_sums (s, P[b] + a);
        }
        for (; a < m; ++a) P[b][a] = rls_dot12 (A[a], B[b]);
        for (; a < WIDTH; ++a) P[b][a] = 0;
    }
}

/* X := G^-1 X for a symmetric G, which is overwritten.  Returns 0 if G is singular. */
RLS_INLINE int solve (const int m, small_matrix G, small_matrix X)
{
    double inverse[RLS_MAX_ROWS], length2[RLS_MAX_ROWS];
    for (int i = 0; i < m; ++i) length2[i] = G[i][i];

    /* elimination, of the right-hand sides as well */
    for (int i = 0; i < m; ++i)
    {
        if (!(G[i][i] > RLS_ROUNDING * length2[i])) return 0;
        inverse[i] = 1 / G[i][i];
        for (int k = i + 1; k < m; ++k)
        {
            const double l = G[i][k] * inverse[i];
            for (int c = 0; c < WIDTH; c += RLS_LANES)
            {
                RLS_FOUR (G[k] + c) -= l * RLS_CONST_FOUR (G[i] + c);
                RLS_FOUR (X[k] + c) -= l * RLS_CONST_FOUR (X[i] + c);
            }
        }
    }

    /* back substitution */
    for (int i = m - 1; i >= 0; --i)
        for (int c = 0; c < WIDTH; c += RLS_LANES)
        {
            rls_four x = RLS_CONST_FOUR (X[i] + c);
            for (int k = i + 1; k < m; ++k) x -= G[i][k] * RLS_CONST_FOUR (X[k] + c);
            RLS_FOUR (X[i] + c) = inverse[i] * x;
        }
    return 1;
}

/* x := x + X' x */
RLS_INLINE void combine (const int m, small_matrix X, double *x)
{
    double sum[WIDTH] = {0};
    for (int b = 0; b < m; ++b)
        for (int c = 0; c < WIDTH; c += RLS_LANES) RLS_FOUR (sum + c) += x[b] * RLS_CONST_FOUR (X[b] + c);
    for (int a = 0; a < m; ++a) x[a] += sum[a];
}

/* Expresses m rows, from r0 on, in the bases of K.  Rows that depend on each other are left as they are. */
RLS_INLINE void align_rows (const int m, rls_rows *rows, const rls_row *K, int r0)
{
    rls_row *J = rows->J + r0;
    small_matrix G, X;
    double now[RLS_MAX_ROWS][12], change[RLS_MAX_ROWS][12];
    for (int a = 0; a < m; ++a)
        for (int c = 0; c < 12; c += RLS_LANES)
        {
            RLS_FOUR (now[a] + c) = RLS_CONST_FOUR (J[a] + c);
            RLS_FOUR (change[a] + c) = RLS_CONST_FOUR (K[a] + c) - RLS_CONST_FOUR (J[a] + c);
        }

    /* X */
    products (m, now, now, G);
    products (m, change, now, X);
    if (!solve (m, G, X)) return;

    /* J + X J; residuals and targets likewise */
    for (int a = 0; a < m; ++a)
        for (int c = 0; c < 12; c += RLS_LANES)
        {
            rls_four sum = X[0][a] * RLS_CONST_FOUR (now[0] + c);
            for (int b = 1; b < m; ++b) sum += X[b][a] * RLS_CONST_FOUR (now[b] + c);
            RLS_FOUR (J[a] + c) += sum;
        }
    combine (m, X, rows->residual + r0);
    combine (m, X, rows->target + r0);
}

/* Returns how many rows joint j has before those of drives.  These have no basis to choose, and the residual
 * of a drive that cannot be followed must not be mixed with those of the joint. */
RLS_INLINE int own_rows (const rls_rows *rows, int j)
{
    const int r0 = rows->row0[j];
    int m = rows->row0[j + 1] - r0;
    while (m > 0 && rls_is_drive (rows->precedence, r0 + m - 1)) --m;
    return m;
}

/* Expresses the rows of joint j in the bases of the reference. */
RLS_VECTOR_CLONES static void align_joint (rls_rows *rows, const rls_rows *reference, int j)
{
    const int r0 = rows->row0[j], m = own_rows (rows, j);
    rls_row room[RLS_MAX_ROWS];
    const rls_row *K = rls_joint_rows (reference, j, room);
    rls_rows_spell_joint (rows, j);
    switch (m)
    {
    case 3: /* ball joints */
        align_rows (3, rows, K, r0);
        break;
    case 5: /* hinges */
        align_rows (5, rows, K, r0);
        break;
    default:
        align_rows (m, rows, K, r0);
    }
}

/* rls_rows_shortest, for a constant m. */
RLS_INLINE int shortest (const int m, const double (*J)[12], const double *x, double z[12])
{
    small_matrix G, X = {{0}};
    double sum[12] = {0};
    products (m, J, J, G);
    for (int a = 0; a < m; ++a) X[a][0] = x[a];
    if (!solve (m, G, X)) return 0;
    for (int a = 0; a < m; ++a)
        for (int c = 0; c < 12; c += RLS_LANES) RLS_FOUR (sum + c) += X[a][0] * RLS_CONST_FOUR (J[a] + c);
    memcpy (z, sum, sizeof (sum));
    return 1;
}

RLS_VECTOR_CLONES int rls_rows_shortest (int m, const double (*J)[12], const double *x, double z[12])
{
    return m == 5 ? shortest (5, J, x, z) : m == 3 ? shortest (3, J, x, z) : shortest (m, J, x, z);
}

/* Returns 1 if rows from .. to - 1 have turned only little against the reference: their entries on body 1
 * have a projection onto those of the reference of at least RLS_TURNED_LITTLE times their length. */
static int bases_agree (const rls_row *J, const rls_row *K, int from, int to)
{
    for (int r = from; r < to; ++r)
    {
        const rls_six k = rls_six_load (K[r]),
                      d = rls_six_subtract (rls_six_load (J[r]), k, RLS_TURNED_LITTLE);
        if (!(rls_six_dot (d, k) > 0)) return 0;
    }
    return 1;
}

/* The same for compact joints, whose first three rows keep to the world's axes and the others have length
 * 1. */
RLS_INLINE int compact_rows_agree (const rls_compact *compact, const rls_compact *reference, int rows)
{
    for (int r = 0; r < rows - 3; ++r)
    {
        const double *n = compact->across[r], *k = reference->across[r];
        if (!(n[0] * k[0] + n[1] * k[1] + n[2] * k[2] > RLS_TURNED_LITTLE)) return 0;
    }
    return 1;
}

/* Returns 1 if the bases of joint j may be changed: its rows are hard, and over two bodies. */
static int can_be_aligned (const rls_rows *rows, int j)
{
    const int r0 = rows->row0[j], m = own_rows (rows, j);
    return m > 0 && m <= RLS_MAX_ROWS && rls_count_soft (rows, r0, r0 + m) == 0 && !rls_is_wide (rows, j);
}

/* Returns 1 if rls_rows_align leaves joint j as it is. */
RLS_INLINE int joint_aligned (const rls_rows *rows, const rls_rows *reference, int j)
{
    const int m = rls_is_compact (rows, j);
    if (m > 0 && rls_is_compact (reference, j))
        return compact_rows_agree (rows->compact + j, reference->compact + j, m) || !can_be_aligned (rows, j);
    const int fixed = reference->fixed ? reference->fixed[j] : 0;
    rls_row rooms[2][RLS_MAX_ROWS];
    return bases_agree (rls_joint_rows (rows, j, rooms[0]), rls_joint_rows (reference, j, rooms[1]), fixed,
                        own_rows (rows, j)) ||
           !can_be_aligned (rows, j);
}

int rls_rows_aligned (const rls_rows *rows, const rls_rows *reference)
{
    for (int j = 0; j < rows->joints; ++j)
        if (!joint_aligned (rows, reference, j)) return 0;
    return 1;
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
