/*
 * All columns of the factor, supernode by supernode.
 *
 * A supernode is assembled just before something is done to it, while it and its rows are at hand.
 */
#include "factor_supernode.h"
#include "factor_packed.h"

RLS_INLINE void assemble_supernode (rls_factor *f, const rls_rows *rows, int g)
{
    const rls_order *o = f->order;
    const int k = o->supernode[g];
    if (o->column[k].packed >= 0)
        assemble_packed (f, rows, k, o->column[k].packed);
    else
        rls_assemble_columns (f, rows, k, o->supernode[g + 1]);
}

RLS_VECTOR_CLONES int rls_factor_columns (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    const rls_order *o = f->order;
    int finite = 1, assembled = 0;
    for (int g = 0; g < o->supernodes && finite; ++g)
    {
        /* assembled as far as this supernode reaches */
        const int last = o->supernode[g + 1] - 1, start = o->start[last], end = o->end[last];
        const int reaches = end > start ? o->column[o->index[end - 1]].supernode : g;
        for (; assembled <= reaches; ++assembled) assemble_supernode (f, rows, assembled);

        /* packed columns of hinges have a shorter way */
        if (o->column[last].packed >= 0)
        {
            finite = factor_packed (f, rows, rule, last, o->column[last].packed);
            continue;
        }

        /* eliminated, and taken from the columns to its right */
        finished_columns done;
        begin_supernode (f, g, &done);
        finite = rls_eliminate_supernode (f, rows, rule, &done, g);
        if (!finite) break;
        rls_update_targets (f, &done, g);
        rls_finish_supernode (f, g);
    }
    return finite;
}
