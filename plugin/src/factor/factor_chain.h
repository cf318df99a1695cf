/*
 * Links of chains of balls, the short way: columns alone in their supernodes that are coupled with one later
 * joint of as many rows (link of rls_column).  The panel is the diagonal block and one block below it; all
 * sizes are known.
 */
#ifndef RLS_FACTOR_CHAIN_H
#define RLS_FACTOR_CHAIN_H

#include "factor_assemble.h"
#include "factor_eliminate.h"

/* The original matrix in link k of m rows. */
RLS_INLINE void assemble_link (rls_factor *f, const rls_rows *rows, int k, const int m)
{
    const rls_order *o = f->order;
    const int joint = o->column[k].joint, r0 = rows->row0[joint];
    const int x = o->couple_start[k], sides = o->couple_sides[x];
    const size_t height = 2 * (size_t)rls_padded (m);
    double *block = f->value + o->column[k].block;
    rls_row Y[RLS_MAX_ROWS];
    assemble_joint (rows, joint, m, Y, height, block);
    for (int a = 0; a < m; ++a) f->diagonal[r0 + a] = block[(size_t)a * height + (size_t)a];
    couple_joint (rows, o->couple_joint[x], sides % 2, Y[0] + 6 * (sides / 2), m, height,
                  block + rls_padded (m), 1);
}

/* Eliminates link k, and what it does to the next column.  Returns 0 if a pivot is not finite. */
RLS_INLINE int factor_chain (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule, int k,
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

#endif
