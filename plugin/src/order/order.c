/*
 * Elimination order of the joints and symbolic factorisation.
 *
 * Input: which joints touch which bodies.  Output: the order (order_graph.c), the block rows of every column
 * of L (columns.h), columns put together in supernodes, and where every coupling of H M^-1 H' lands in them.
 */
#include "columns.h"
#include "order_graph.h"
#include "kernels/kernels.h"
#include <stdlib.h>
#include <string.h>

#define MOST_ZEROS 8 /* a supernode may be zeros to one part in so many */

/* ---- memory ---- */

/* What the structure needs before its size is known. */
static void lay_out_columns (rls_order *o, rls_arena_cursor *c)
{
    const size_t n = (size_t)o->n;
    RLS_TAKE (c, o->perm, n);
    RLS_TAKE (c, o->position, n);
    RLS_TAKE (c, o->dense_body, (size_t)o->dense_bodies);
    RLS_TAKE (c, o->side_dense, 2 * (size_t)o->joints);
    RLS_TAKE (c, o->size, n);
    RLS_TAKE (c, o->scalar0, n + 1);
    RLS_TAKE (c, o->supernode, n + 1);
    RLS_TAKE (c, o->run0, n + 1);
    RLS_TAKE (c, o->start, n);
    RLS_TAKE (c, o->end, n);
    RLS_TAKE (c, o->top, n);
    RLS_TAKE (c, o->height, n);
    RLS_TAKE (c, o->panel, n + 1);
    RLS_TAKE (c, o->column, n);
    RLS_TAKE (c, o->couple_start, n + 1);
    RLS_TAKE (c, o->coupling, (size_t)o->couplings);
}

void rls_order_place_scratch (rls_order *o)
{
    o->index = o->scratch;
    o->below = o->scratch + o->blocks;
    o->run = (rls_block_run *)(void *)(o->scratch + 2 * (size_t)o->blocks);
}

/* Room in scratch for the rows of the blocks and for the runs, behind the structure.  Returns 0 without
 * memory. */
static int reserve_panels (rls_order *o)
{
    const int most_runs = o->supernodes + o->blocks, run = sizeof (rls_block_run) / sizeof (int);
    if (!rls_array_reserve (&o->scratch, &o->scratch_capacity, 2 * o->blocks + run * most_runs + 1,
                            sizeof (int)))
        return 0;
    rls_order_place_scratch (o);
    return 1;
}

/* ---- structure: the block rows of every column, and supernodes ---- */

static void place_columns (rls_order *o, const rls_rows *rows)
{
    o->scalar0[0] = 0;
    for (int k = 0; k < o->n; ++k)
    {
        const int j = o->perm[k];
        o->position[j] = k;
        o->size[k] = j < o->joints ? rows->row0[j + 1] - rows->row0[j] : RLS_DENSE_BODY_SIZE;
        o->scalar0[k + 1] = o->scalar0[k] + rls_padded (o->size[k]);
    }
    o->scalars = o->scalar0[o->n];
}

/* A supernode of columns as it grows. */
typedef struct
{
    size_t columns, rows_below; /* scalars; below its last column */
    size_t area, zeros;         /* values on and below its diagonal blocks that columns reach, and do not */
    int packable;               /* it is a column that may be packed */
} growing_supernode;

/* 1 if column k with such a list may be packed, as far as its own rows and those below go (order.h). */
static int is_packable (const rls_order *o, int k, const int *list, int length)
{
    if (o->size[k] != RLS_HINGE_ROWS || o->perm[k] >= o->joints || length > RLS_MOST_PACKED) return 0;
    for (int x = 0; x < length; ++x)
        if (o->size[list[x]] != RLS_HINGE_ROWS) return 0;
    return 1;
}

/*
 * Whether column k, with such a list of block rows, goes on with the supernode that ends before it: all of
 * the supernode's columns then have its rows, too, as zeros where they do not reach them.  Columns that may
 * be packed stay alone.  Keeps account of the supernode.
 */
static int joins_supernode (const rls_order *o, int k, const int *list, int length,
                            growing_supernode *supernode)
{
    const int packable = is_packable (o, k, list, length);
    const size_t own = (size_t)o->size[k];
    size_t rows_below = 0;
    for (int x = 0; x < length; ++x) rows_below += (size_t)rls_padded (o->size[list[x]]);
    const size_t rows = (size_t)rls_padded (o->size[k]) + rows_below;

    /* a child with nothing between: worth it if that costs few zeros */
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

/* Fills start, end, supernode and, in scratch, the block rows of the columns.  work: 3 x n.  Returns 0 when
 * memory is short. */
static int find_structure (rls_order *o, const rls_joint_graph *graph, int *work)
{
    rls_column_tree tree = rls_column_tree_begin (o->n, work);
    growing_supernode supernode = {0};
    int used = 0;
    o->supernodes = 0;
    for (int k = 0; k < o->n; ++k)
    {
        const int j = o->perm[k], first = graph->start[j];
        if (!rls_array_reserve (&o->scratch, &o->scratch_capacity, used + o->n - k, sizeof (int))) return 0;
        int *list = o->scratch + used;
        const int length = rls_column_rows (&tree, k, graph->neighbour + first, graph->start[j + 1] - first,
                                            o->position, o->start, o->end, o->scratch, list);
        o->start[k] = used;

        /* columns of a supernode share one list, in which that of the column before has k first */
        if (joins_supernode (o, k, list, length, &supernode))
        {
            o->start[k] = o->start[k - 1] + 1;
            memmove (o->scratch + o->start[k], list, (size_t)length * sizeof (int));
        }
        else
            o->supernode[o->supernodes++] = k;
        used = o->end[k] = o->start[k] + length;
    }
    o->supernode[o->supernodes] = o->n;
    o->blocks = used;
    return 1;
}

/* ---- panels: where the blocks are, and the couplings in them ---- */

/* The panel of supernode g: the rows of its blocks, and its runs. */
static void place_panel (rls_order *o, int g, int *runs)
{
    const int first = o->supernode[g], past = o->supernode[g + 1], end = o->end[past - 1];
    int last = first, height = rls_padded (o->size[first]);
    o->run0[g] = *runs;
    o->run[(*runs)++] = (rls_block_run){o->scalar0[first], 0, height};
    for (int x = o->start[first]; x < end; ++x)
    {
        const int i = o->index[x], rows = rls_padded (o->size[i]);
        if (i != last + 1) o->run[(*runs)++] = (rls_block_run){o->scalar0[i], height, 0};
        o->run[*runs - 1].count += rows;
        o->below[x] = height;
        height += rows;
        last = i;
    }
    for (int k = first; k < past; ++k)
    {
        o->end[k] = end;
        o->top[k] = o->scalar0[k] - o->scalar0[first];
        o->height[k] = height;
    }
}

/* 1 if column k, of supernode g, is alone in it, not beside a dense body, and one of hinges (order.h). */
static int is_packed (const rls_order *o, int g, int k)
{
    const int j = o->perm[k];
    return o->supernode[g + 1] - o->supernode[g] == 1 &&
           is_packable (o, k, o->index + o->start[k], o->end[k] - o->start[k]) && o->side_dense[2 * j] < 0 &&
           o->side_dense[2 * j + 1] < 0;
}

/* Sums up what elimination and solves need to know of every column, and places its values. */
static void list_columns (rls_order *o)
{
    size_t value = 0;
    for (int g = 0; g < o->supernodes; ++g)
        for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
        {
            const int joint = o->perm[k], packed = is_packed (o, g, k) ? o->end[k] - o->start[k] : -1;
            o->panel[k] = value;
            o->column[k] = (rls_column){.block = value + (size_t)o->top[k],
                                        .height = o->height[k],
                                        .joint = joint < o->joints ? joint : -1,
                                        .scalar = o->scalar0[k],
                                        .supernode = g,
                                        .size = (short)o->size[k],
                                        .packed = (signed char)packed};
            for (int i = 0; i < packed; ++i) o->column[k].target[i] = o->scalar0[o->index[o->start[k] + i]];
            value += packed >= 0 ? RLS_PACKED_VALUES (packed) : (size_t)o->height[k] * (size_t)o->size[k];
        }
    o->panel[o->n] = value;
}

/* Where the couplings of the original matrix land: only those with joints that come later. */
static void place_couplings (rls_order *o, const rls_joint_graph *graph)
{
    int count = 0;
    for (int k = 0; k < o->n; ++k)
    {
        const int j = o->perm[k];
        o->couple_start[k] = count;
        for (int x = graph->start[j]; x < graph->start[j + 1]; ++x)
        {
            const int i = o->position[graph->neighbour[x]];
            if (i < k) continue;
            const int *found = bsearch (&i, o->index + o->start[k], (size_t)(o->end[k] - o->start[k]),
                                        sizeof (int), rls_ascending);
            o->coupling[count++] =
                (rls_coupling){o->below[found - o->index], graph->neighbour[x], graph->sides[x]};
        }
    }
    o->couple_start[o->n] = count;
}

/* ---- the whole ---- */

int rls_order_analyse (rls_order *o, const rls_rows *rows, int kind, const double *key)
{
    int done = 0, *work = NULL, runs = 0;
    rls_joint_graph graph;
    if (!rls_joint_graph_build (&graph, rows)) goto end;
    o->joints = rows->joints;
    o->dense_bodies = graph.dense_bodies;
    o->n = o->joints + o->dense_bodies;
    o->couplings = o->dense_bodies > 0 ? graph.entries : graph.entries / 2;
    work = malloc (sizeof (int) * (size_t)(3 * o->n + 1));
    if (!work) goto end;
    RLS_LAY_OUT (o, &o->block, lay_out_columns, done);
    if (!done) goto end;

    /* the order, and the structure of the factor */
    done = 0;
    if (!rls_order_choose (o, &graph, kind, key)) goto end;
    place_columns (o, rows);
    if (!find_structure (o, &graph, work) || !reserve_panels (o)) goto end;

    /* where all of that lies */
    for (int g = 0; g < o->supernodes; ++g) place_panel (o, g, &runs);
    o->run0[o->supernodes] = runs;
    rls_order_list_dense (o, rows, &graph);
    list_columns (o);
    place_couplings (o, &graph);
    done = rls_tree_find (&o->tree, rows);
end:
    rls_joint_graph_free (&graph);
    free (work);
    return done;
}
