/*
 * The elimination of one block column: its scalar rows one by one, with a decision on each.
 *
 * A row that is not kept has an inverse pivot of 0: it leaves a zero column and changes nothing.  The columns
 * of a supernode are subtracted from those to their right, T := T - L_below D L_target', as a product of
 * dense matrices. Then their panels are brought into the form that solves use (factor.h).  m, the number of
 * rows of the column, is a constant in every call.
 */
#ifndef RLS_FACTOR_ELIMINATE_H
#define RLS_FACTOR_ELIMINATE_H

#include "factor_parts.h"

/* The decision on a row by its relative pivot; soft rows, with sigma^2 > 0, are kept unless the pivot is
 * rounding. */
static int decide (const rls_decision_rule *rule, int row, double relative, int soft)
{
    const int out = rule->partial ? RLS_BORDER : RLS_REDUNDANT;
    if (soft) return relative > RLS_ROUNDING ? RLS_KEPT : out;
    if (rule->decided)
    {
        if (rule->decided[row] == RLS_KEPT) return relative > RLS_ROUNDING ? RLS_KEPT : out;
        if (rule->decided[row] == RLS_BORDER) return RLS_BORDER;
        /* rows that imply it may come later: its final pivot is found in the border */
        return relative < rule->tolerance ? RLS_REDUNDANT : RLS_BORDER;
    }
    if (relative < rls_rank_limit (rule, row)) return out;
    return relative >= rule->safe && !rls_is_late (rule, row) ? RLS_KEPT : RLS_BORDER;
}

/* Decides on a row.  Returns 1 if it is kept. */
RLS_INLINE int keeps (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule, int row,
                      double pivot)
{
    const double relative = f->diagonal[row] > 0 ? pivot / f->diagonal[row] : 0;
    const int soft = rows->sigma2[row] > 0;
    f->relative[row] = relative;
    if (relative >= rule->clear && !soft)
        f->decision[row] = RLS_KEPT;
    else if (!(f->diagonal[row] > 0)) /* a row of zeros need not wait */
        f->decision[row] = RLS_REDUNDANT;
    else
        f->decision[row] = (unsigned char)decide (rule, row, relative, soft);
    return f->decision[row] == RLS_KEPT;
}

/* Eliminates the m rows of column k within its diagonal block, of which nothing above the diagonal is used.
 * Returns 0 if a pivot is not finite. */
RLS_INLINE int eliminate_block (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule,
                                double *pivots, int k, const int m, size_t height)
{
    const rls_column *column = f->order->column + k;
    const int *shared = m <= RLS_LANES && column->joint == RLS_SHARED ? f->order->row + column->scalar : NULL;
    const int r0 = column->joint >= 0 ? rows->row0[column->joint] : -1, vectors = rls_padded (m) / RLS_LANES;
    double *block = f->value + column->block, *inverse_pivot = f->inverse_pivot + column->scalar;
    rls_four x[RLS_MAX_ROWS][2], L[2];

    /* the block is held in registers */
    for (int a = 0; a < m; ++a)
        for (int q = 0; q < vectors; ++q) x[a][q] = RLS_FOUR (block + (size_t)a * height + RLS_LANES * q);

    /* row by row: decide on it, then subtract it from those after it */
    for (int a = 0; a < m; ++a)
    {
        const double pivot = x[a][a / RLS_LANES][a % RLS_LANES];
        if (!isfinite (pivot)) return 0;
        const int row = shared ? shared[a] : r0 + a;
        const int kept = column->joint == RLS_NO_JOINT || keeps (f, rows, rule, row, pivot);
        const double inverse = kept ? 1 / pivot : 0;
        inverse_pivot[a] = inverse;
        pivots[a] = kept ? 1 / inverse : 0; /* the same number, to the last bit, as solves use */
        for (int q = 0; q < vectors; ++q)
            RLS_FOUR (block + (size_t)a * height + RLS_LANES * q) = L[q] = inverse * x[a][q];
        for (int b = a + 1; b < m; ++b)
            for (int q = b / RLS_LANES; q < vectors; ++q)
                x[b][q] -= L[b / RLS_LANES][b % RLS_LANES] * x[a][q];
    }
    for (int a = m; a < rls_padded (m); ++a) inverse_pivot[a] = 0;
    return 1;
}

/* Eliminates the panel rows below the block, from at to end in its first column. */
RLS_INLINE void eliminate_below (rls_factor *f, int k, const int m, size_t height, double *at,
                                 const double *end)
{
    const rls_column *column = f->order->column + k;
    const double *inverse_pivot = f->inverse_pivot + column->scalar, *block = f->value + column->block;
    for (; at < end; at += RLS_LANES)
    {
        rls_four x[RLS_MAX_ROWS];
        for (int a = 0; a < m; ++a) x[a] = RLS_FOUR (at + (size_t)a * height);
        for (int a = 0; a < m; ++a)
        {
            for (int b = a + 1; b < m; ++b) x[b] -= block[(size_t)a * height + (size_t)b] * x[a];
            RLS_FOUR (at + (size_t)a * height) = inverse_pivot[a] * x[a];
        }
    }
}

/* L_below := B = L_below L_kk^-1 below the diagonal block.  Solves then go from block to block by plain
 * products, which do not wait for the triangular solves in the diagonal blocks. */
RLS_INLINE void fold_diagonal (double *block, const int m, size_t height, int count)
{
    for (int r = rls_padded (m); r < count; r += RLS_LANES)
    {
        rls_four x[RLS_MAX_ROWS];
        for (int c = 0; c < m; ++c) x[c] = RLS_FOUR (block + (size_t)c * height + r);
        for (int c = m - 2; c >= 0; --c)
        {
            for (int d = c + 1; d < m; ++d) x[c] -= block[(size_t)c * height + (size_t)d] * x[d];
            RLS_FOUR (block + (size_t)c * height + r) = x[c];
        }
    }
}

/* ---- columns that are eliminated, and those to their right ---- */

/* The columns of L of a supernode that are subtracted from others, with their D.  Columns of rows that are
 * not kept are 0 and left out. */
typedef struct
{
    const double *L[RLS_SUPERNODE_COLUMNS + 1]; /* the columns from the first panel row on */
    double pivot[RLS_SUPERNODE_COLUMNS + 1];
    int columns;
} finished_columns;

/* Adds those of the m columns of a panel whose pivots are not 0. */
RLS_INLINE void add_finished (finished_columns *done, const double *pivots, const int m, const double *panel,
                              size_t height)
{
    for (int a = 0; a < m; ++a, panel += height)
    {
        done->L[done->columns] = panel;
        done->pivot[done->columns] = pivots[a];
        done->columns += pivots[a] != 0;
    }
}

/* weight[c][b] := D times L of finished column c at row b of the mt rows that begin at panel row from. */
RLS_INLINE void weigh (const finished_columns *done, int from, const int mt, double (*weight)[RLS_WEIGHTS])
{
    for (int c = 0; c < done->columns; ++c)
        for (int b = 0; b < mt; b += RLS_LANES)
            RLS_FOUR (weight[c] + b) = done->pivot[c] * RLS_CONST_FOUR (done->L[c] + from + b);
}

/* Subtracts their products from mt columns, from panel row from on. */
RLS_INLINE void subtract_finished (double *to, size_t height, const finished_columns *done, int from,
                                   const double (*weight)[RLS_WEIGHTS], const int mt, int count)
{
    rls_subtract_columns_of (to, height, done->L, NULL, 0, (size_t)from, weight, done->columns, mt, count);
}

/* Subtracts the products of the supernode's earlier columns from column k. */
RLS_INLINE void update_inside (rls_factor *f, const finished_columns *done, int k, const int m)
{
    const rls_column *column = f->order->column + k;
    double weight[RLS_SUPERNODE_COLUMNS][RLS_WEIGHTS];
    weigh (done, column->top, m, weight);
    subtract_finished (f->value + column->block, (size_t)column->height, done, column->top, weight, m,
                       column->height - column->top);
}

/* Subtracts a finished supernode's outer product from the column at index[x], its diagonal block and the
 * blocks below. */
RLS_INLINE void update_right (rls_factor *f, const finished_columns *done, int x, int end, const int mt)
{
    const rls_order *o = f->order;
    const int target = o->index[x];
    const size_t target_height = (size_t)o->column[target].height;
    double *target_panel = f->value + o->column[target].block - o->column[target].top;
    double weight[RLS_SUPERNODE_COLUMNS][RLS_WEIGHTS];
    weigh (done, o->below[x], mt, weight);

    /* the blocks below, in runs that are contiguous in both panels */
    int from = o->below[x], to = o->column[target].top, length = rls_padded (mt);
    int z = o->start[target];
    for (int y = x + 1; y <= end; ++y)
    {
        int place = -1, rows_here = 0;
        if (y < end)
        {
            const int i = o->index[y];
            while (o->index[z] != i) ++z;
            place = o->below[z];
            rows_here = rls_padded (o->column[i].size);
            if (place == to + length)
            {
                length += rows_here;
                continue;
            }
        }
        subtract_finished (target_panel + to, target_height, done, from, weight, mt, length);
        if (place < 0) break;
        from = o->below[y];
        to = place;
        length = rows_here;
    }
}

#endif
