/* Products with block-sparse constraint rows. */
#include "rows.h"
#include "kernels.h"
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
