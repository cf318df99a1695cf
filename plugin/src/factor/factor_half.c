/*
 * Half solves, for the mobility that the kept rows leave along other directions.
 *
 * With H M^-1 H' = L D L' and x = H M^-1 g', an impulse along g gives the rows the velocities x.  Closing the
 * rows again takes
 *
 *     x' (H M^-1 H')^-1 y = (L^-1 x)' D^-1 (L^-1 y)
 *
 * from the velocity along another direction whose rows' velocities are y.  A direction that acts on two
 * bodies moves the rows of a few joints only, and L^-1 x differs from 0 on the paths from these to the root
 * of the elimination tree. Border rows come last: the half of their part is L_S^-1 (b - Y' D^-1 L^-1 a), with
 * S = L_S D_S L_S' (factor_solve.c).
 */
#include "factor_blocks.h"
#include "kernels/compact.h"

size_t rls_factor_half_length (const rls_factor *f)
{
    return (size_t)f->order->scalars + (size_t)rls_padded (f->borders + 1);
}

/* x += the velocities along the m rows of a joint whose body on that side has the velocity Y. */
RLS_INLINE void add_compact_velocities (const rls_compact *compact, int side, const int m, const double *Y,
                                        double *x)
{
    rls_four low, high;
    rls_compact_look_side (compact, side, m, Y, &low, &high);
    for (int r = 0; r < m; ++r) x[r] += r < RLS_LANES ? low[r] : high[r - RLS_LANES];
}

/* x (rows, all 0 before) := the velocities along the rows if two bodies have the velocities Y.  Returns the
 * first position in elimination order with rows that move. */
RLS_VECTOR_CLONES static int add_velocities (const rls_factor *f, const rls_rows *rows, const int body[2],
                                             const double Y[12], double *x)
{
    int first = f->order->n;
    for (int side = 0; side < 2; ++side)
    {
        if (!rls_is_pushed (rows, body[side])) continue;
        for (int i = rows->attach0[body[side]]; i < rows->attach0[body[side] + 1]; ++i)
        {
            const int j = rows->attach[i] / 2, its = rows->attach[i] % 2, at = f->order->position[j],
                      r0 = rows->row0[j];
#define ADD(m) add_compact_velocities (rows->compact + j, its, m, Y + 6 * side, x + r0)
            switch (rls_is_compact (rows, j))
            {
                RLS_CASE (5, ADD)
                RLS_CASE (3, ADD)
                RLS_CASE (4, ADD)
            default:
                for (int r = r0; r < rows->row0[j + 1]; ++r)
                    x[r] += rls_dot6 (rows->J[r] + 6 * its, Y + 6 * side);
            }
            first = at < first ? at : first;
        }
    }
    return first;
}

/* Sets x (rows) to 0 again where add_velocities has set it, and moves it to half in elimination order. */
static void take_velocities (const rls_factor *f, const rls_rows *rows, const int body[2], double *x,
                             double *half)
{
    for (int side = 0; side < 2; ++side)
    {
        if (!rls_is_pushed (rows, body[side])) continue;
        for (int i = rows->attach0[body[side]]; i < rows->attach0[body[side] + 1]; ++i)
        {
            const int j = rows->attach[i] / 2, r0 = rows->row0[j];
            for (int r = r0; r < rows->row0[j + 1]; ++r)
            {
                if (x[r] == 0) continue; /* or done for the other side */
                half[f->order->scalar[j] + r - r0] = x[r];
                x[r] = 0;
            }
        }
    }
}

RLS_INLINE int is_zero (const double *x, const int m)
{
    for (int c = 0; c < m; ++c)
        if (x[c] != 0) return 0;
    return 1;
}

#define PASS(m)                                                                                              \
    if (!is_zero (half + k->scalar, m)) forward_block (f, k, m, half), forward_inside (f, k, m, half)

RLS_VECTOR_CLONES static void forward (const rls_factor *f, int first, double *half)
{
    const rls_column *k, *const end = f->order->column + f->order->n;
    for (k = f->order->column + first; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, PASS)
}

RLS_VECTOR_CLONES void rls_factor_weigh_half (const rls_factor *f, size_t zeros, const double *half,
                                              double *weighed)
{
    const int scalars = f->order->scalars, k = f->borders;
    for (int i = (int)zeros; i < scalars; ++i) weighed[i] = f->inverse_pivot[i] * half[i];
    for (int a = 0; a < rls_padded (k + 1); ++a)
        weighed[scalars + a] = a < k ? half[scalars + a] / f->border_ld[a * k + a] : 0;
}

/* The half of the border rows, from their velocities in z. */
RLS_VECTOR_CLONES static void forward_border (const rls_factor *f, const double *half, double *z)
{
    const int k = f->borders;
    for (int i = 0; i < f->order->scalars; i += RLS_LANES)
        RLS_FOUR (f->work + i) = RLS_CONST_FOUR (f->inverse_pivot + i) * RLS_CONST_FOUR (half + i);
    rls_reach_subtract_rows (f, f->work, z);
    for (int a = 0; a < k; ++a)
        for (int b = a + 1; b < k; ++b) z[b] -= f->border_ld[a * k + b] * z[a];
    z[k] = 0; /* shared by rows that were left out */
}

size_t rls_factor_half (const rls_factor *f, const rls_rows *rows, const int body[2], const double Y[12],
                        double *x, double *half)
{
    const rls_order *o = f->order;
    double *z = half + o->scalars;
    memset (half, 0, sizeof (*half) * rls_factor_half_length (f));
    const int first = add_velocities (f, rows, body, Y, x);
    for (int a = 0; a < f->borders; ++a) z[a] = x[f->border_row[a]];
    take_velocities (f, rows, body, x, half);
    forward (f, first, half);
    if (f->borders > 0) forward_border (f, half, z);
    const size_t zeros = (size_t)(first < o->n ? o->column[first].scalar : o->scalars);
    return zeros / RLS_HALF_STRIDE * RLS_HALF_STRIDE;
}

#define TAKE(m) take_rows (f, rows, k, m, x, half)

RLS_VECTOR_CLONES void rls_factor_half_of_rows (const rls_factor *f, const rls_rows *rows, const double *x,
                                                double *half)
{
    double *z = half + f->order->scalars;
    const rls_column *k, *const end = f->order->column + f->order->n;
    for (k = f->order->column; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, TAKE)
    memset (z, 0, sizeof (*z) * (size_t)rls_padded (f->borders + 1));
    for (int a = 0; a < f->borders; ++a) z[a] = x[f->border_row[a]];
    forward (f, 0, half);
    if (f->borders > 0) forward_border (f, half, z);
}

#define GIVE(m) give_rows (f, rows, k, m, weighed, x)

RLS_VECTOR_CLONES void rls_factor_other_half (const rls_factor *f, const rls_rows *rows, double *weighed,
                                              double *x)
{
    const int borders = f->borders;
    double *z = weighed + f->order->scalars;
    const rls_column *k, *const end = f->order->column + f->order->n;
    for (int a = borders - 1; a >= 0; --a)
        for (int b = a + 1; b < borders; ++b) z[a] -= f->border_ld[a * borders + b] * z[b];
    if (borders > 0) rls_reach_subtract (f, z, weighed);
    rls_factor_upper (f, weighed);
    for (k = f->order->column; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, GIVE)
    for (int a = 0; a < borders; ++a) x[f->border_row[a]] = z[a];
}

RLS_VECTOR_CLONES double rls_factor_half_product (const rls_factor *f, size_t zeros, const double *weighed,
                                                  const double *half)
{
    return rls_dot_fours (weighed + zeros, half + zeros, (int)(rls_factor_half_length (f) - zeros));
}
