/*
 * Solves with one block column of the factor, x in elimination order: with the blocks below it, forward and
 * backward; with its diagonal block; and its values from and to the numbering of the rows.
 *
 * m, the number of rows of the column, is a constant in every call, so that all loops over them are unrolled.
 */
#ifndef RLS_FACTOR_BLOCKS_H
#define RLS_FACTOR_BLOCKS_H

#include "factor_hinge.h"

/* Forward: x_below -= B x_k. */
RLS_INLINE void forward_block (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    if (m == HINGE && k->packed >= 0)
    {
        packed_forward (f->value + k->block, k, k->packed, x);
        return;
    }
    const rls_order *o = f->order;
    const rls_block_run *run = o->run + o->run0[k->supernode], *past = o->run + o->run0[k->supernode + 1];
    const int above = k->scalar - run->scalar, own = above + rls_padded (m); /* rows of its panel */
    const double *column = f->value + k->block - above, *v = x + k->scalar;
    rls_subtract_columns (x + run->scalar + own, column + own, (size_t)k->height, v, m, run->count - own);
    while (++run < past)
        rls_subtract_columns (x + run->scalar, column + run->row, (size_t)k->height, v, m, run->count);
}

/* v -= the sums over the lanes of m vectors; stored as whole vectors, because they are read as such soon
 * after. */
RLS_INLINE void subtract_sums (const rls_four *sum, const int m, double *v)
{
    rls_four low, high = {0};
    rls_lane_sums (sum, (double *)&low);
    RLS_FOUR (v) -= low;
    for (int c = RLS_LANES; c < m; ++c) high[c - RLS_LANES] = RLS_LANE_SUM (sum[c]);
    if (m > RLS_LANES) RLS_FOUR (v + RLS_LANES) -= high;
}

/* Backward: x_k -= B' x_below. */
RLS_INLINE void backward_block (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    if (m == HINGE && k->packed >= 0)
    {
        packed_backward (f->value + k->block, k, k->packed, x);
        return;
    }
    rls_four sum[2 * RLS_LANES] = {{0}};
    const rls_order *o = f->order;
    const rls_block_run *run = o->run + o->run0[k->supernode], *past = o->run + o->run0[k->supernode + 1];
    const int above = k->scalar - run->scalar, own = above + rls_padded (m);
    const double *column = f->value + k->block - above;
    rls_add_column_products (sum, column + own, (size_t)k->height, x + run->scalar + own, m,
                             run->count - own);
    while (++run < past)
        rls_add_column_products (sum, column + run->row, (size_t)k->height, x + run->scalar, m, run->count);
    subtract_sums (sum, m, x + k->scalar);
}

/* Forward in the diagonal block: x_k := L_kk^-1 x_k.  Rows that are not kept have columns of 0. */
RLS_INLINE void forward_inside (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *block = f->value + k->block;
    const size_t height = (size_t)k->height;
    double *v = x + k->scalar;
    if (m == HINGE && k->packed >= 0)
    {
        hinge_lower (block, &RLS_FOUR (v), v + RLS_LANES);
        return;
    }
    for (int c = 0; c < m; ++c)
        for (int r = c + 1; r < m; ++r) v[r] -= block[(size_t)c * height + (size_t)r] * v[c];
}

/* Backward in the diagonal block: x_k := L_kk^-T x_k. */
RLS_INLINE void backward_inside (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *block = f->value + k->block;
    const size_t height = (size_t)k->height;
    double *v = x + k->scalar;
    if (m == HINGE && k->packed >= 0)
    {
        hinge_upper (block, &RLS_FOUR (v), v[RLS_LANES]);
        return;
    }
    for (int c = m - 2; c >= 0; --c)
        for (int r = c + 1; r < m; ++r) v[c] -= block[(size_t)c * height + (size_t)r] * v[r];
}

/* All of the diagonal block: x_k := L_kk^-T D_k^-1 L_kk^-1 x_k, with 0 for rows that are not kept. */
RLS_INLINE void solve_inside (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *inverse = f->inverse_pivot + k->scalar;
    forward_inside (f, k, m, x);
    for (int q = 0; q < rls_padded (m); q += RLS_LANES)
        RLS_FOUR (x + k->scalar + q) *= RLS_CONST_FOUR (inverse + q);
    backward_inside (f, k, m, x);
}

/* The values of a column's rows from x (rows) to w (elimination order), and back.  Dense bodies have none. */
RLS_INLINE void take_rows (const rls_factor *f, const rls_rows *rows, const rls_column *k, const int m,
                           const double *x, double *w)
{
    rls_four low = {0}, high = {0};
    if (m <= RLS_LANES && k->joint == RLS_SHARED)
    {
        const int *row = f->order->row + k->scalar;
        for (int c = 0; c < m; ++c) low[c] = x[row[c]];
    }
    else if (k->joint >= 0)
    {
        x += rows->row0[k->joint];
        if (m >= RLS_LANES) low = RLS_CONST_FOUR (x);
        for (int c = 0; c < m && m < RLS_LANES; ++c) low[c] = x[c];
        for (int c = RLS_LANES; c < m; ++c) high[c - RLS_LANES] = x[c];
    }
    RLS_FOUR (w + k->scalar) = low;
    if (m > RLS_LANES) RLS_FOUR (w + k->scalar + RLS_LANES) = high;
}
RLS_INLINE void give_rows (const rls_factor *f, const rls_rows *rows, const rls_column *k, const int m,
                           const double *w, double *x)
{
    w += k->scalar;
    if (m <= RLS_LANES && k->joint == RLS_SHARED)
    {
        const int *row = f->order->row + k->scalar;
        for (int c = 0; c < m; ++c) x[row[c]] = w[c];
        return;
    }
    if (k->joint < 0) return;
    x += rows->row0[k->joint];
    if (m >= RLS_LANES) RLS_FOUR (x) = RLS_CONST_FOUR (w);
    for (int c = m < RLS_LANES ? 0 : RLS_LANES; c < m; ++c) x[c] = w[c];
}

#endif
