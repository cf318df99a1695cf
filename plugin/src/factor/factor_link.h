/*
 * Links of chains, the short way: columns alone in their groups that are coupled with one later joint of as
 * many rows (link of rls_column).  All sizes are known.  The panel of a link of balls is the diagonal block
 * and one block below it; that of hinges is packed, as factor_hinge.h says.
 */
#ifndef RLS_FACTOR_LINK_H
#define RLS_FACTOR_LINK_H

#include "factor_assemble.h"
#include "factor_eliminate.h"
#include "factor_hinge.h"
#include "kernels/lanes.h"

/* ---- balls ---- */

/* The original matrix in link k of m rows, into a panel of such height. */
RLS_INLINE void assemble_link (rls_factor *f, const rls_rows *rows, int k, const int m, double *block)
{
    const rls_order *o = f->order;
    const int r0 = rows->row0[o->column[k].joint], x = o->couple_start[k], sides = o->couple_sides[x];
    const int q0 = rows->row0[o->couple_joint[x]];
    const size_t height = 2 * (size_t)rls_padded (m);
    assemble_diagonal (rows, r0, m, height, block);
    for (int a = 0; a < m; ++a) f->diagonal[r0 + a] = block[(size_t)a * height + (size_t)a];
    assemble_coupling (rows->J[q0] + 6 * (sides % 2), m, rows->Y[r0] + 6 * (sides / 2), m, height,
                       block + rls_padded (m), 1);
}

/* Eliminates link k, and what it does to the next column.  Returns 0 if a pivot is not finite. */
RLS_INLINE int factor_link (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule, int k,
                            const int m)
{
    const rls_order *o = f->order;
    const rls_column *target = o->column + o->index[o->start[k]];
    const size_t height = 2 * (size_t)rls_padded (m);
    double *block = f->value + o->column[k].block, *below = block + rls_padded (m);
    double pivots[RLS_MAX_ROWS], weight[RLS_MAX_ROWS][RLS_WEIGHTS];
    if (!eliminate_block (f, rows, rule, pivots, k, m, height)) return 0;
    eliminate_below (f, k, m, height, below, below + rls_padded (m));
    for (int c = 0; c < m; ++c)
        for (int b = 0; b < m; b += RLS_LANES)
            RLS_FOUR (weight[c] + b) = pivots[c] * RLS_CONST_FOUR (below + (size_t)c * height + b);
    rls_subtract_product (f->value + target->block, (size_t)target->height, below, height,
                          (const double (*)[RLS_WEIGHTS])weight, m, m, rls_padded (m));
    finish_panel (block, m, height, 2 * rls_padded (m));
    return 1;
}

/* ---- hinges ---- */

RLS_INLINE void assemble_hinge (rls_factor *f, const rls_rows *rows, int k)
{
    double block[HINGE * 16], *p = f->value + f->order->column[k].block;
    assemble_link (f, rows, k, HINGE, block);
    pack_block (block, 16, p, p + HINGE_LAST, p + HINGE_RAW_CORNER);
    pack_block (block + 8, 16, p + HINGE_BELOW, p + HINGE_BELOW_LAST, p + HINGE_RAW_BELOW_CORNER);
    RLS_FOUR (p + HINGE_BELOW + 16) = RLS_CONST_FOUR (block + 16 * 4 + 8);
}

/* What the elimination of a diagonal block leaves: L in the columns of rows 0 .. 3 and in row 4, the pivots,
 * 0 for rows that are not kept, and their inverses; those of row 4 in the corners. */
typedef struct
{
    rls_four low[RLS_LANES], last, inverse, pivot;
    double inverse_corner, pivot_corner;
} hinge_block;

/*
 * Eliminates the diagonal block at p, with decisions or, where rows are clearly to be kept, without.  Returns
 * 1; 0 if a pivot is not finite; -1 if it has to be done again, with decisions.
 */
RLS_INLINE int eliminate_hinge_block (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule,
                                      int r0, const double *p, const int deciding, hinge_block *b)
{
    const double *diagonal = f->diagonal + r0;
    rls_four last = RLS_CONST_FOUR (p + HINGE_LAST), pivot = {0};
    double corner = p[HINGE_RAW_CORNER];
    for (int a = 0; a < RLS_LANES; ++a) b->low[a] = RLS_CONST_FOUR (p + 4 * a);
    for (int a = 0; a < HINGE; ++a)
    {
        const double own = a < RLS_LANES ? b->low[a % RLS_LANES][a % RLS_LANES] : corner;
        if (deciding && !isfinite (own)) return 0;
        if (!deciding && !(own > rule->clear * diagonal[a] && own < HUGE_VAL)) return -1;
        const int kept = !deciding || keeps (f, rows, rule, r0 + a, own);
        const double inverse = kept ? 1 / own : 0;
        if (a == RLS_LANES)
        {
            b->inverse_corner = inverse;
            continue;
        }
        rls_four L = inverse * b->low[a];
        pivot[a] = own;
        b->inverse[a] = inverse;
        for (int c = a + 1; c < RLS_LANES; ++c) b->low[c] -= L[c] * b->low[a];
        keep_lanes_after (&L, a);
        b->low[a] = L;
        b->last[a] = inverse * last[a];
        corner -= b->last[a] * last[a];
        last -= last[a] * L;
    }
    /* the pivots are what solves take them for, to the last bit */
    if (deciding)
    {
        for (int a = 0; a < RLS_LANES; ++a) b->pivot[a] = b->inverse[a] != 0 ? 1 / b->inverse[a] : 0;
        b->pivot_corner = b->inverse_corner != 0 ? 1 / b->inverse_corner : 0;
        return 1;
    }
    b->pivot = 1 / b->inverse;
    b->pivot_corner = 1 / b->inverse_corner;
    RLS_FOUR (f->relative + r0) = pivot / RLS_CONST_FOUR (diagonal);
    f->relative[r0 + 4] = corner / diagonal[4];
    memset (f->decision + r0, RLS_KEPT, HINGE);
    return 1;
}

/* The coupling: x := L_below, a vector for the rows 0 .. 3 of each column, the last row and its corner. */
RLS_INLINE void eliminate_hinge_below (const hinge_block *b, rls_four x[HINGE], rls_four *last,
                                       double *corner)
{
    for (int a = 0; a < RLS_LANES; ++a)
    {
        for (int c = a + 1; c < RLS_LANES; ++c) x[c] -= b->low[a][c] * x[a];
        x[4] -= b->last[a] * x[a];
        *corner -= b->last[a] * (*last)[a];
        *last -= (*last)[a] * b->low[a];
        x[a] *= b->inverse[a];
    }
    x[4] *= b->inverse_corner;
    *last *= b->inverse;
    *corner *= b->inverse_corner;
}

/* What a link with such L_below does to the diagonal block of the next one. */
RLS_INLINE void update_hinge (double *to, const hinge_block *b, const rls_four x[HINGE], const rls_four *last,
                              double corner)
{
    const rls_four last_weight = b->pivot * *last;
    const double corner_weight = b->pivot_corner * corner;
    rls_four weight[HINGE], to_last = RLS_FOUR (to + HINGE_LAST), low[RLS_LANES];
    for (int c = 0; c < RLS_LANES; ++c) weight[c] = b->pivot[c] * x[c];
    weight[4] = b->pivot_corner * x[4];
    for (int a = 0; a < RLS_LANES; ++a)
    {
        low[a] = RLS_FOUR (to + 4 * a);
        for (int c = 0; c < HINGE; ++c) low[a] -= weight[c][a] * x[c];
        RLS_FOUR (to + 4 * a) = low[a];
    }
    for (int c = 0; c < RLS_LANES; ++c) to_last -= (*last)[c] * weight[c];
    RLS_FOUR (to + HINGE_LAST) = to_last - corner * weight[4];
    for (int c = 0; c < RLS_LANES; ++c) to[HINGE_RAW_CORNER] -= last_weight[c] * (*last)[c];
    to[HINGE_RAW_CORNER] -= corner_weight * corner;
}

/* The same where that is not packed: a block of columns of such height. */
RLS_INLINE void update_from_hinge (double *block, size_t height, const hinge_block *b,
                                   const rls_four x[HINGE], const rls_four *last, double corner)
{
    double to[HINGE_BELOW];
    pack_block (block, height, to, to + HINGE_LAST, to + HINGE_RAW_CORNER);
    update_hinge (to, b, x, last, corner);
    unpack_block (to, to + HINGE_LAST, to[HINGE_RAW_CORNER], block, height);
}

/* B := L_below L_kk^-1, and L' above L. */
RLS_INLINE void finish_hinge (hinge_block *b, rls_four x[HINGE], rls_four *last, double corner)
{
    rls_four above[RLS_LANES];
    for (int c = 0; c < RLS_LANES; ++c) above[c] = b->low[c];
    rls_transpose (above);
    for (int c = RLS_LANES - 1; c >= 0; --c)
    {
        for (int d = c + 1; d < RLS_LANES; ++d) x[c] -= b->low[c][d] * x[d];
        x[c] -= b->last[c] * x[4];
    }
    *last -= corner * b->last;
    for (int d = RLS_LANES - 1; d > 0; --d) *last -= (*last)[d] * above[d];
    for (int c = 0; c < RLS_LANES; ++c) b->low[c] += above[c];
}

/* Eliminates link k, and what it does to the next column.  Returns 0 if a pivot is not finite. */
RLS_INLINE int factor_hinge (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule, int k)
{
    const rls_order *o = f->order;
    const rls_column *column = o->column + k, *target = o->column + o->index[o->start[k]];
    const int r0 = rows->row0[column->joint];
    double *p = f->value + column->block, *inverse_pivot = f->inverse_pivot + column->scalar;
    hinge_block b;
    int done = rule->clear < HUGE_VAL ? eliminate_hinge_block (f, rows, rule, r0, p, 0, &b) : -1;
    if (done < 0) done = eliminate_hinge_block (f, rows, rule, r0, p, 1, &b);
    if (!done) return 0;
    rls_four x[HINGE], last = RLS_CONST_FOUR (p + HINGE_BELOW_LAST);
    double corner = p[HINGE_RAW_BELOW_CORNER];
    for (int c = 0; c < HINGE; ++c) x[c] = RLS_CONST_FOUR (p + HINGE_BELOW + 4 * c);
    eliminate_hinge_below (&b, x, &last, &corner);
    if (target->link == HINGE)
        update_hinge (f->value + target->block, &b, x, &last, corner);
    else
        update_from_hinge (f->value + target->block, (size_t)target->height, &b, x, &last, corner);
    finish_hinge (&b, x, &last, corner);
    for (int c = 0; c < RLS_LANES; ++c) RLS_FOUR (p + 4 * c) = b.low[c];
    RLS_FOUR (p + HINGE_LAST) = b.last;
    RLS_FOUR (p + HINGE_INVERSE) = b.inverse;
    for (int c = 0; c < HINGE; ++c) RLS_FOUR (p + HINGE_BELOW + 4 * c) = x[c];
    RLS_FOUR (p + HINGE_BELOW_LAST) = last;
    p[HINGE_INVERSE_CORNER] = b.inverse_corner;
    p[HINGE_BELOW_CORNER] = corner;
    RLS_FOUR (inverse_pivot) = b.inverse;
    RLS_FOUR (inverse_pivot + RLS_LANES) = (rls_four){b.inverse_corner};
    return 1;
}

#endif
