/*
 * Packed columns of hinges (order.h): their elimination, and products with other columns.
 *
 * They are assembled as a panel and copied to the layout of factor_hinge.h.  Before the elimination, the
 * diagonal block has no meaning above its diagonal, and the corners of all blocks are behind its last row.
 */
#ifndef RLS_FACTOR_PACKED_H
#define RLS_FACTOR_PACKED_H

#include "factor_eliminate.h"
#include "factor_hinge.h"
#include "kernels/lanes.h"

/* Which of the blocks below packed column k belongs to position i. */
RLS_INLINE int block_of (const rls_order *o, int k, int i)
{
    int z = 0;
    while (o->index[o->start[k] + z] != i) ++z;
    return z;
}

/* ---- before the elimination: as a panel, and what others do to it ---- */

/* p := the packed form of a panel with so many blocks below, before the elimination. */
RLS_INLINE void pack_column (const double *panel, const int below, double *p)
{
    const int height = HINGE_PADDED * (1 + below);
    for (int i = 0; i <= below; ++i)
        for (int c = 0; c < HINGE; ++c)
        {
            const double *from = panel + c * height + HINGE_PADDED * i;
            double *to = p + HINGE_BLOCK * i + 4 * c,
                   *last = p + HINGE_BLOCK * i + (i > 0 ? HINGE_BELOW_LAST : HINGE_LAST);
            if (i > 0 || c < RLS_LANES) RLS_FOUR (to) = RLS_CONST_FOUR (from);
            *(c < RLS_LANES ? last + c : p + HINGE_CORNERS + i) = from[4];
        }
}

/* Subtracts the products of a supernode from a packed column, the one at index[x], and from the blocks below
 * it: in a panel to which the column is copied for that. */
RLS_INLINE void update_packed (rls_factor *f, const finished_columns *done, int x, int end)
{
    const rls_order *o = f->order;
    const int target = o->index[x], below = o->column[target].packed, height = HINGE_PADDED * (1 + below);
    double *p = f->value + o->column[target].block, panel[HINGE * HINGE_MOST_HEIGHT] = {0};
    double weight[RLS_SUPERNODE_COLUMNS][RLS_WEIGHTS];
    weigh (done, o->below[x], HINGE, weight);
    unpack_column (p, below, 0, panel);
    for (int y = x; y < end; ++y)
    {
        const int place = y > x ? 1 + block_of (o, target, o->index[y]) : 0;
        subtract_finished (panel + HINGE_PADDED * place, (size_t)height, done, o->below[y], weight, HINGE,
                           HINGE_PADDED);
    }
    pack_column (panel, below, p);
}

/* ---- elimination ---- */

/* What the elimination of a diagonal block leaves: L in the columns of rows 0 .. 3 and in row 4, the pivots,
 * 0 for rows that are not kept, and their inverses; those of row 4 in the corners. */
typedef struct
{
    rls_four low[RLS_LANES], last, inverse, pivot;
    double inverse_corner, pivot_corner;
} hinge_block;

/* Eliminates the diagonal block at p.  Returns 0 if a pivot is not finite. */
RLS_INLINE int eliminate_hinge_block (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule,
                                      int r0, const double *p, hinge_block *b)
{
    rls_four last = RLS_CONST_FOUR (p + HINGE_LAST);
    double corner = p[HINGE_CORNERS];
    for (int a = 0; a < RLS_LANES; ++a) b->low[a] = RLS_CONST_FOUR (p + 4 * a);

    /* row by row: decide whether it is kept, then subtract it from those after it; each pivot is the inverse
     * of the stored inverse, which is the number that solves use, to the last bit */
    for (int a = 0; a < HINGE; ++a)
    {
        const double own = a < RLS_LANES ? b->low[a % RLS_LANES][a % RLS_LANES] : corner;
        if (!isfinite (own)) return 0;
        const double inverse = keeps (f, rows, rule, r0 + a, own) ? 1 / own : 0;
        const double pivot = inverse != 0 ? 1 / inverse : 0;
        if (a == RLS_LANES)
        {
            b->inverse_corner = inverse, b->pivot_corner = pivot;
            continue;
        }
        rls_four L = inverse * b->low[a];
        b->inverse[a] = inverse, b->pivot[a] = pivot;
        for (int c = a + 1; c < RLS_LANES; ++c) b->low[c] -= L[c] * b->low[a];
        keep_lanes_after (&L, a);
        b->low[a] = L;
        b->last[a] = inverse * last[a];
        corner -= b->last[a] * last[a];
        last -= last[a] * L;
    }
    return 1;
}

/* A block below the diagonal block, or its product with the pivots: rows 0 .. 3 of each column as a vector,
 * then row 4 of the columns 0 .. 3, and its corner, which is row 4 of column 4. */
typedef struct
{
    rls_four x[HINGE], last;
    double corner;
} hinge_below;

/* Eliminates a block below the diagonal block b: it becomes L_below. */
RLS_INLINE void eliminate_hinge_below (const hinge_block *b, hinge_below *below)
{
    rls_four *x = below->x, last = below->last;
    double corner = below->corner;
    for (int a = 0; a < RLS_LANES; ++a)
    {
        for (int c = a + 1; c < RLS_LANES; ++c) x[c] -= b->low[a][c] * x[a];
        x[4] -= b->last[a] * x[a];
        corner -= b->last[a] * last[a];
        last -= last[a] * b->low[a];
        x[a] *= b->inverse[a];
    }
    x[4] *= b->inverse_corner;
    below->last = last * b->inverse;
    below->corner = corner * b->inverse_corner;
}

/* weight := L_below D, with the pivots D of the diagonal block b. */
RLS_INLINE void weigh_hinge (const hinge_block *b, const hinge_below *below, hinge_below *weight)
{
    for (int c = 0; c < RLS_LANES; ++c) weight->x[c] = b->pivot[c] * below->x[c];
    weight->x[4] = b->pivot_corner * below->x[4];
    weight->last = b->pivot * below->last;
    weight->corner = b->pivot_corner * below->corner;
}

/* Subtracts from the block at to the product of a block below with the weights of another one.  diagonal:
 * that is the same block, and to is a diagonal block, of which the last column but its corner is not used. */
RLS_INLINE void subtract_hinge_product (double *to, double *to_last, double *to_corner,
                                        const hinge_below *below, const hinge_below *weight,
                                        const int diagonal)
{
    rls_four last = RLS_FOUR (to_last), column;
    double corner = *to_corner;
    for (int a = 0; a < RLS_LANES; ++a)
    {
        column = RLS_FOUR (to + 4 * a);
        for (int c = 0; c < HINGE; ++c) column -= weight->x[c][a] * below->x[c];
        RLS_FOUR (to + 4 * a) = column;
        last -= below->last[a] * weight->x[a];
        corner -= weight->last[a] * below->last[a];
    }
    RLS_FOUR (to_last) = last - below->corner * weight->x[4];
    *to_corner = corner - weight->corner * below->corner;
    if (diagonal) return;
    column = RLS_FOUR (to + 16);
    for (int c = 0; c < RLS_LANES; ++c) column -= weight->last[c] * below->x[c];
    RLS_FOUR (to + 16) = column - weight->corner * below->x[4];
}

/* The same for a block of an ordinary panel, height numbers from column to column. */
RLS_INLINE void subtract_from_panel (double *to, size_t height, const hinge_below *below,
                                     const hinge_below *weight)
{
    double p[HINGE_BLOCK + 1], *column = to;
    for (int c = 0; c < HINGE; ++c, column += height)
    {
        RLS_FOUR (p + 4 * c) = RLS_CONST_FOUR (column);
        p[HINGE_BELOW_LAST + c] = column[4];
    }
    subtract_hinge_product (p, p + HINGE_BELOW_LAST, p + HINGE_BLOCK, below, weight, 0);
    column = to;
    for (int c = 0; c < HINGE; ++c, column += height)
    {
        RLS_FOUR (column) = RLS_CONST_FOUR (p + 4 * c);
        column[4] = p[HINGE_BELOW_LAST + c];
    }
}

/* Subtracts the products of the count blocks below of packed column k from the columns that they reach. */
RLS_INLINE void update_by_packed (rls_factor *f, int k, const int count, const hinge_below *below,
                                  const hinge_below *weight)
{
    const rls_order *o = f->order;
    const int *reached = o->index + o->start[k];
    for (int i = 0; i < count; ++i)
    {
        const rls_column *target = o->column + reached[i];
        double *p = f->value + target->block;

        /* a column that is packed, too, and its couplings */
        if (target->packed >= 0)
        {
            subtract_hinge_product (p, p + HINGE_LAST, p + HINGE_CORNERS, below + i, weight + i, 1);
            for (int j = i + 1; j < count; ++j)
            {
                const int place = 1 + block_of (o, reached[i], reached[j]);
                double *to = p + HINGE_BLOCK * place;
                subtract_hinge_product (to, to + HINGE_BELOW_LAST, p + HINGE_CORNERS + place, below + j,
                                        weight + i, 0);
            }
            continue;
        }

        /* an ordinary one */
        subtract_from_panel (p, (size_t)target->height, below + i, weight + i);
        for (int j = i + 1, z = o->start[reached[i]]; j < count; ++j)
        {
            while (o->index[z] != reached[j]) ++z;
            subtract_from_panel (p - target->top + o->below[z], (size_t)target->height, below + j,
                                 weight + i);
        }
    }
}

/* Brings a block below into the form that solves use: B = L_below L_kk^-1.  above: the columns of L_kk'. */
RLS_INLINE void finish_hinge_below (const hinge_block *b, const rls_four *above, hinge_below *below)
{
    rls_four *x = below->x;
    for (int c = RLS_LANES - 1; c >= 0; --c)
    {
        for (int d = c + 1; d < RLS_LANES; ++d) x[c] -= b->low[c][d] * x[d];
        x[c] -= b->last[c] * x[4];
    }
    below->last -= below->corner * b->last;
    for (int d = RLS_LANES - 1; d > 0; --d) below->last -= below->last[d] * above[d];
}

/* Eliminates packed column k, which has count blocks below, subtracts it from the columns that it reaches,
 * and stores it in the form that solves use.  Returns 0 if a pivot is not finite. */
RLS_INLINE int factor_packed (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule, int k,
                              const int count)
{
    const rls_column *column = f->order->column + k;
    const int r0 = rows->row0[column->joint];
    double *p = f->value + column->block, *inverse_pivot = f->inverse_pivot + column->scalar;
    hinge_block b;
    hinge_below below[RLS_MOST_PACKED], weight[RLS_MOST_PACKED];

    if (!eliminate_hinge_block (f, rows, rule, r0, p, &b)) return 0;

    /* the blocks below, whose products are subtracted from the columns to the right */
    for (int i = 0; i < count; ++i)
    {
        const double *from = p + HINGE_BLOCK * (1 + i);
        for (int c = 0; c < HINGE; ++c) below[i].x[c] = RLS_CONST_FOUR (from + 4 * c);
        below[i].last = RLS_CONST_FOUR (from + HINGE_BELOW_LAST);
        below[i].corner = p[HINGE_CORNERS + 1 + i];
        eliminate_hinge_below (&b, below + i);
        weigh_hinge (&b, below + i, weight + i);
    }
    update_by_packed (f, k, count, below, weight);

    /* L and its transpose in one block, which solves read in whole vectors */
    rls_four above[RLS_LANES];
    for (int c = 0; c < RLS_LANES; ++c) above[c] = b.low[c];
    rls_transpose (above);
    for (int c = 0; c < RLS_LANES; ++c) RLS_FOUR (p + 4 * c) = b.low[c] + above[c];
    RLS_FOUR (p + HINGE_LAST) = b.last;
    for (int i = 0; i < count; ++i)
    {
        double *to = p + HINGE_BLOCK * (1 + i);
        finish_hinge_below (&b, above, below + i);
        for (int c = 0; c < HINGE; ++c) RLS_FOUR (to + 4 * c) = below[i].x[c];
        RLS_FOUR (to + HINGE_BELOW_LAST) = below[i].last;
        p[hinge_corner (i)] = below[i].corner;
    }

    RLS_FOUR (inverse_pivot) = b.inverse;
    RLS_FOUR (inverse_pivot + RLS_LANES) = (rls_four){b.inverse_corner};
    return 1;
}

#endif
