/*
 * Symbolic factorisation: the block rows of every column of L, and columns put together in supernodes.
 *
 * Where a column's rows come from is told in columns.h.  A column goes on with the supernode before it where
 * that costs few zeros.  Cost: proportional to the structure.
 */
#include "columns.h"
#include "order_parts.h"
#include "kernels/kernels.h"
#include <string.h>

/* A supernode of columns as it grows. */
typedef struct
{
    size_t columns, rows_below; /* scalars; below its last column */
    size_t area, zeros;         /* values on and below its diagonal blocks that columns reach, and do not */
    int packable;               /* it is a column that may be packed */
} growing_supernode;

#define MOST_ZEROS 8 /* a supernode may be zeros to one part in so many */

/* 1 if column k with such a list may be packed, as far as its own rows and those below go (order.h). */
static int is_packable (const rls_order *o, int k, const int *list, int length)
{
    if (o->size[k] != RLS_HINGE_ROWS || o->perm[k] >= o->joints || length > RLS_MOST_PACKED) return 0;
    for (int x = 0; x < length; ++x)
        if (o->size[list[x]] != RLS_HINGE_ROWS) return 0;
    return 1;
}

/* Scalars of the positions in a list. */
static size_t list_rows (const rls_order *o, const int *list, int length)
{
    size_t rows = 0;
    for (int x = 0; x < length; ++x) rows += (size_t)rls_padded (o->size[list[x]]);
    return rows;
}

/*
 * Whether column k, with so many rows below its own, goes on with the supernode that ends before it: all of
 * the supernode's columns then have its rows, too, as zeros where they do not reach them.  Columns that may
 * be packed stay alone.  Keeps account of the supernode.
 */
static int joins_supernode (const rls_order *o, int k, size_t rows_below, int packable,
                            growing_supernode *supernode)
{
    const size_t own = (size_t)o->size[k], rows = (size_t)rls_padded (o->size[k]) + rows_below;
    if (k > 0 && o->start[k - 1] < o->end[k - 1] && o->scratch[o->start[k - 1]] == k &&
        !(packable && supernode->packable))
    {
        const size_t columns = supernode->columns + own, area = supernode->area + own * rows,
                     zeros = supernode->zeros + supernode->columns * (rows - supernode->rows_below);
        if (columns <= RLS_SUPERNODE_COLUMNS && zeros * MOST_ZEROS <= area + zeros)
        {
            *supernode = (growing_supernode){columns, rows_below, area, zeros, 0};
            return 1;
        }
    }
    *supernode = (growing_supernode){own, rows_below, own * rows, 0, packable};
    return 0;
}

int rls_order_find_structure (rls_order *o, const rls_joint_graph *graph, int *work)
{
    rls_column_tree tree = rls_column_tree_begin (o->n, work);
    growing_supernode supernode = {0};
    int used = 0;
    o->supernodes = 0;
    for (int k = 0; k < o->n; ++k)
    {
        const int j = o->perm[k], first = graph->start[j];
        if (!rls_array_reserve (&o->scratch, &o->scratch_capacity, used + o->n - k, sizeof (int))) return 0;
        int *column = o->scratch + used;
        const int length = rls_column_rows (&tree, k, graph->neighbour + first, graph->start[j + 1] - first,
                                            o->position, o->start, o->end, o->scratch, column);
        o->start[k] = used;

        /* columns of the same structure share one list and one panel */
        const int packable = is_packable (o, k, column, length);
        if (joins_supernode (o, k, list_rows (o, column, length), packable, &supernode))
        { /* the list of the column before has k first; what follows is replaced */
            o->start[k] = o->start[k - 1] + 1;
            memmove (o->scratch + o->start[k], column, (size_t)length * sizeof (int));
        }
        else
            o->supernode[o->supernodes++] = k;
        used = o->end[k] = o->start[k] + length;
    }
    o->supernode[o->supernodes] = o->n;
    o->blocks = used;
    return 1;
}
