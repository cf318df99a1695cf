/*
 * A group of columns (order.h): it is assembled, eliminated column after column, takes from the columns to
 * its right what it has to do with them, and is finished.
 *
 * Every step is written out for each number of rows that a joint can have.
 */
#ifndef RLS_FACTOR_GROUP_H
#define RLS_FACTOR_GROUP_H

#include "factor_assemble.h"
#include "factor_eliminate.h"
#include "factor_packed.h"
#include "factor_update.h"

/* The original matrix in columns first .. past - 1. */
RLS_INLINE void assemble_columns (rls_factor *f, const rls_rows *rows, int first, int past)
{
    const rls_order *o = f->order;
    for (int k = first; k < past; ++k)
    {
#define ASSEMBLE(m) assemble_column (f, rows, k, m)
        RLS_FOR_EACH_SIZE (o->size[k], ASSEMBLE)
    }
}

RLS_INLINE void begin_group (const rls_factor *f, int g, finished_columns *done)
{
    const int first = f->order->group[g];
    done->L = f->value + f->order->panel[first];
    done->height = (size_t)f->order->height[first];
    done->columns = 0;
}

/* Eliminates the columns of group g in their panel rows before end.  Returns 0 if a pivot is not finite. */
RLS_INLINE int eliminate_group (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule,
                                finished_columns *done, int g, int end)
{
    const rls_order *o = f->order;
    int finite = 1;
    for (int k = o->group[g]; k < o->group[g + 1] && finite; ++k)
    {
#define INSIDE(m) update_inside (f, done, done->columns, k, m, o->top[k], end)
#define ELIMINATE(m)                                                                                         \
    finite = eliminate_block (f, rows, rule, done->pivot + done->columns, k, m, (size_t)o->height[k]);       \
    if (finite)                                                                                              \
        eliminate_below (f, k, m, (size_t)o->height[k], panel + o->top[k] + rls_padded (m), panel + end);    \
    done->columns += m
        double *panel = f->value + o->panel[k];
        if (k > o->group[g]) RLS_FOR_EACH_SIZE (o->size[k], INSIDE)
        RLS_FOR_EACH_SIZE (o->size[k], ELIMINATE)
    }
    return finite;
}

/* What a finished group does to the columns at index[x], from x up to past. */
RLS_INLINE void update_targets (rls_factor *f, const finished_columns *done, int g, int x, int past)
{
    const rls_order *o = f->order;
    const int end = o->end[o->group[g + 1] - 1];
    for (; x < past; ++x)
    {
#define RIGHT(m)                                                                                             \
    if (m == HINGE && o->column[o->index[x]].packed >= 0)                                                    \
        update_packed (f, done, x, end);                                                                     \
    else if (x + 1 == end)                                                                                   \
        update_last (f, done, x, m);                                                                         \
    else                                                                                                     \
        update_right (f, done, x, end, m)
        RLS_FOR_EACH_SIZE (o->size[o->index[x]], RIGHT)
    }
}

/* The pivots of a group as they were when it was eliminated. */
RLS_INLINE void recall_group (const rls_factor *f, int g, finished_columns *done)
{
    const rls_order *o = f->order;
    begin_group (f, g, done);
    for (int k = o->group[g]; k < o->group[g + 1]; ++k)
        for (int a = 0; a < o->size[k]; ++a)
        {
            const double inverse = f->inverse_pivot[o->scalar0[k] + a];
            done->pivot[done->columns++] = inverse != 0 ? 1 / inverse : 0;
        }
}

/* Brings the group's panels into the form that solves go through. */
RLS_INLINE void finish_group (rls_factor *f, int g)
{
    const rls_order *o = f->order;
    for (int k = o->group[g]; k < o->group[g + 1]; ++k)
    {
#define FINISH(m)                                                                                            \
    finish_panel (f->value + o->panel[k] + o->top[k], m, (size_t)o->height[k], o->height[k] - o->top[k])
        RLS_FOR_EACH_SIZE (o->size[k], FINISH)
    }
}

#endif
