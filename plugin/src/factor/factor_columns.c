/*
 * All columns of the factor, supernode by supernode: assembled, eliminated column by column, subtracted from
 * the columns to the right that they reach, and brought into the form that solves use.
 *
 * A supernode is assembled just before it is first changed, so that it is still in the cache then.  Every
 * function is compiled separately for each number of rows that a joint can have.
 */
#include "factor_assemble.h"
#include "factor_packed.h"

/* Forms the columns of supernode g from the original matrix. */
RLS_INLINE void assemble_supernode (rls_factor *f, const rls_rows *rows, int g)
{
    const rls_order *o = f->order;
    for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
    {
        const rls_column *column = o->column + k;
        const int packed = column->packed;
        double room[HINGE * HINGE_MOST_HEIGHT], *values = f->value + column->block;
        double *panel = packed >= 0 ? room : values - column->top;
        const size_t size = (size_t)column->height * (size_t)column->size - (size_t)column->top;
        memset (packed >= 0 ? room : values, 0, sizeof (double) * size);
        for (int place = column->member0; place < column[1].member0; ++place)
        {
#define ASSEMBLE(m) assemble_member (f, rows, place, m, panel)
            RLS_FOR_EACH_SIZE (rls_order_rows (o, rows, o->perm[place]), ASSEMBLE)
        }
        if (packed >= 0) pack_column (room, packed, values);
    }
}

/* Eliminates the columns of supernode g.  Returns 0 if a pivot is not finite. */
RLS_VECTOR_CLONES static int eliminate_supernode (rls_factor *f, const rls_rows *rows,
                                                  const rls_decision_rule *rule, finished_columns *done,
                                                  int g)
{
    const rls_order *o = f->order;
    int finite = 1;
    for (int k = o->supernode[g]; k < o->supernode[g + 1] && finite; ++k)
    {
#define ELIMINATE(m)                                                                                         \
    if (done->columns > 0) update_inside (f, done, k, m);                                                    \
    finite = eliminate_block (f, rows, rule, pivots, k, m, height);                                          \
    if (!finite) break;                                                                                      \
    eliminate_below (f, k, m, height, f->value + column->block + rls_padded (m), panel + height);            \
    add_finished (done, pivots, m, panel, height)
        const rls_column *column = o->column + k;
        const size_t height = (size_t)column->height;
        double *panel = f->value + column->block - column->top, pivots[RLS_MAX_ROWS];
        RLS_FOR_EACH_SIZE (column->size, ELIMINATE)
    }
    return finite;
}

/* Subtracts the products of an eliminated supernode, whose last column is last, from the columns that it
 * reaches. */
RLS_VECTOR_CLONES static void update_targets (rls_factor *f, const finished_columns *done, int last)
{
    const rls_order *o = f->order;
    const int end = o->end[last];
    for (int x = o->start[last]; x < end; ++x)
    {
#define RIGHT(m)                                                                                             \
    if (m == HINGE && o->column[o->index[x]].packed >= 0)                                                    \
        update_packed (f, done, x, end);                                                                     \
    else                                                                                                     \
        update_right (f, done, x, end, m)
        RLS_FOR_EACH_SIZE (o->column[o->index[x]].size, RIGHT)
    }
}

RLS_VECTOR_CLONES int rls_factor_columns (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    const rls_order *o = f->order;
    int finite = 1, assembled = 0;
    for (int g = 0; g < o->supernodes && finite; ++g)
    {
        /* assemble all columns that this supernode reaches */
        const int last = o->supernode[g + 1] - 1, start = o->start[last], end = o->end[last];
        const int reaches = end > start ? o->column[o->index[end - 1]].supernode : g;
        for (; assembled <= reaches; ++assembled) assemble_supernode (f, rows, assembled);

        /* packed columns of hinges have code of their own */
        if (o->column[last].packed >= 0)
        {
            finite = factor_packed (f, rows, rule, last, o->column[last].packed);
            continue;
        }

        /* eliminate it, subtract it from the columns to its right, and bring it into the form for solves */
        finished_columns done;
        done.columns = 0;
        finite = eliminate_supernode (f, rows, rule, &done, g);
        if (!finite) break;
        if (done.columns > 0) update_targets (f, &done, last);
        for (int k = o->supernode[g]; k <= last; ++k)
        {
#define FINISH(m) fold_diagonal (block, m, (size_t)column->height, column->height - column->top)
            const rls_column *column = o->column + k;
            double *block = f->value + column->block;
            RLS_FOR_EACH_SIZE (column->size, FINISH)
        }
    }
    return finite;
}
