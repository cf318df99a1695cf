/* The elimination of a supernode, column after column; contract in factor_supernode.h. */
#include "factor_eliminate.h"
#include "factor_update.h"

RLS_VECTOR_CLONES int rls_eliminate_supernode (rls_factor *f, const rls_rows *rows,
                                               const rls_decision_rule *rule, finished_columns *done, int g)
{
    const rls_order *o = f->order;
    int finite = 1;
    for (int k = o->supernode[g]; k < o->supernode[g + 1] && finite; ++k)
    {
#define INSIDE(m) update_inside (f, done, k, m)
#define ELIMINATE(m)                                                                                         \
    finite = eliminate_block (f, rows, rule, done->pivot + done->columns, k, m, (size_t)o->height[k]);       \
    if (finite)                                                                                              \
        eliminate_below (f, k, m, (size_t)o->height[k], panel + o->top[k] + rls_padded (m),                  \
                         panel + o->height[k]);                                                              \
    done->columns += m
        double *panel = f->value + o->panel[k];
        if (k > o->supernode[g]) RLS_FOR_EACH_SIZE (o->size[k], INSIDE)
        RLS_FOR_EACH_SIZE (o->size[k], ELIMINATE)
    }
    return finite;
}

RLS_VECTOR_CLONES void rls_finish_supernode (rls_factor *f, int g)
{
    const rls_order *o = f->order;
    for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
    {
#define FINISH(m)                                                                                            \
    finish_panel (f->value + o->panel[k] + o->top[k], m, (size_t)o->height[k], o->height[k] - o->top[k])
        RLS_FOR_EACH_SIZE (o->size[k], FINISH)
    }
}
