/*
 * What finished columns of a supernode do to columns to their right: T := T - L_below D L_target', a product
 * of dense matrices.  mt, the rows of the target's joint, is a constant wherever these are called.
 */
#ifndef RLS_FACTOR_UPDATE_H
#define RLS_FACTOR_UPDATE_H

#include "factor_parts.h"
#include "kernels/kernels.h"

/* The columns of a supernode that are subtracted from others: L, and D beside it. */
typedef struct
{
    const double *L;
    size_t height;
    int columns;
    double pivot[RLS_SUPERNODE_COLUMNS]; /* 0 for rows that are not kept */
} finished_columns;

/* weight[c][b]: what row b of the mt rows at panel row from takes of finished column c, of so many. */
RLS_INLINE void weigh (const finished_columns *done, int columns, int from, const int mt,
                       double (*weight)[RLS_WEIGHTS])
{
    for (int c = 0; c < columns; ++c)
        for (int b = 0; b < mt; b += RLS_LANES)
            RLS_FOUR (weight[c] + b) =
                done->pivot[c] * RLS_CONST_FOUR (done->L + (size_t)c * done->height + from + b);
}

/* Subtracts what the supernode's earlier columns have to do with column k. */
RLS_INLINE void update_inside (rls_factor *f, const finished_columns *done, int k, const int m)
{
    const int top = f->order->top[k];
    double weight[RLS_SUPERNODE_COLUMNS][RLS_WEIGHTS];
    weigh (done, done->columns, top, m, weight);
    rls_subtract_product (f->value + f->order->panel[k] + top, done->height, done->L + top, done->height,
                          (const double (*)[RLS_WEIGHTS])weight, done->columns, m, f->order->height[k] - top);
}

/* Subtracts a finished supernode's outer product from the column at index[x], the first at which it has more
 * to do, and from the blocks below it. */
RLS_INLINE void update_right (rls_factor *f, const finished_columns *done, int x, int end, const int mt)
{
    const rls_order *o = f->order;
    const int target = o->index[x];
    const size_t target_height = (size_t)o->height[target];
    double *target_panel = f->value + o->panel[target];
    double weight[RLS_SUPERNODE_COLUMNS][RLS_WEIGHTS];
    weigh (done, done->columns, o->below[x], mt, weight);

    /* walk the blocks below in runs that are contiguous in both panels */
    int from = o->below[x], to = o->top[target], length = rls_padded (mt);
    int z = o->start[target];
    for (int y = x + 1; y <= end; ++y)
    {
        int place = -1, rows_here = 0;
        if (y < end)
        {
            const int i = o->index[y];
            while (o->index[z] != i) ++z;
            place = o->below[z];
            rows_here = rls_padded (o->size[i]);
            if (place == to + length)
            {
                length += rows_here;
                continue;
            }
        }
        rls_subtract_product (target_panel + to, target_height, done->L + from, done->height,
                              (const double (*)[RLS_WEIGHTS])weight, done->columns, mt, length);
        if (place < 0) break;
        from = o->below[y];
        to = place;
        length = rows_here;
    }
}

#endif
