/* What an eliminated supernode does to columns to its right; contract in factor_supernode.h. */
#include "factor_packed.h"
#include "factor_update.h"

RLS_VECTOR_CLONES void rls_update_targets (rls_factor *f, const finished_columns *done, int g)
{
    const rls_order *o = f->order;
    const int last = o->supernode[g + 1] - 1, end = o->end[last];
    for (int x = o->start[last]; x < end; ++x)
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
