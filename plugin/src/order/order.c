/*
 * Symbolic factorisation; contract in order.h.
 *
 * From the joints and the bodies that they connect it finds: an elimination order (order_graph.c), the block
 * rows of every column of L (columns.h), supernodes, and where the couplings of H M^-1 H' are in them.
 */
#include "columns.h"
#include "order_graph.h"
#include <stdlib.h>

#define MOST_ZEROS 8  /* at most 1 / MOST_ZEROS of a supernode's values may be zeros that it adds */
#define MOST_SHARED 2 /* rows of a joint that may share its column, at most */

/* ---- memory ---- */

/* The arrays whose sizes are known before the structure is. */
static void lay_out_columns (rls_order *o, rls_arena_cursor *c)
{
    const size_t n = (size_t)o->nodes; /* at least the columns */
    RLS_TAKE (c, n, o->perm, o->position, o->scalar, o->start, o->end);
    RLS_TAKE (c, n + 1, o->supernode, o->run0, o->couple_start, o->column);
    RLS_TAKE (c, (size_t)o->dense_bodies, o->dense_body);
    RLS_TAKE (c, 2 * (size_t)o->joints, o->side_dense);
    RLS_TAKE (c, (size_t)o->couplings, o->coupling);
}

void rls_order_place_scratch (rls_order *o)
{
    o->index = o->scratch;
    o->below = o->scratch + o->blocks;
    o->row = o->scratch + 2 * (size_t)o->blocks;
    o->run = (rls_block_run *)(void *)(o->row + o->scalars);
}

/* ---- structure: the block rows of every column, and supernodes ---- */

/* Computes size and first scalar of every column from the nodes in it. */
static void place_columns (rls_order *o, const rls_rows *rows)
{
    o->scalars = 0;
    for (int k = 0; k < o->n; ++k)
    {
        rls_column *column = o->column + k;
        column->scalar = o->scalars, column->size = 0;
        for (int i = column->member0; i < column[1].member0; ++i)
        {
            const int j = o->perm[i];
            o->position[j] = k;
            o->scalar[j] = column->scalar + column->size;
            column->size += rls_order_rows (o, rows, j);
        }
        o->scalars += rls_padded (column->size);
    }
    o->column[o->n].scalar = o->scalars;
}

/* A supernode while columns are added to it. */
typedef struct
{
    size_t columns;    /* scalar columns */
    size_t rows_below; /* rows below its last column */
    size_t area;       /* values on and below its diagonal blocks that belong to the factor, */
    size_t zeros;      /* and those that are only there because columns share their rows */
    int packable;      /* 1: it is a single column that may be packed */
} growing_supernode;

/* Returns 1 if column k, with this list of block rows, may be packed, by the sizes of its blocks
 * (order.h). */
static int is_packable (const rls_order *o, int k, const int *list, int length)
{
    if (o->column[k].size != RLS_HINGE_ROWS || length > RLS_MOST_PACKED) return 0;
    for (int x = 0; x < length; ++x)
        if (o->column[list[x]].size != RLS_HINGE_ROWS) return 0;
    return 1;
}

/*
 * Returns 1 if column k, with this list of block rows, joins the supernode of the column before it, and
 * updates the supernode (a new one if not).  All columns of a supernode have the rows of its last one, as
 * zeros if they are not in the factor.  Columns that may be packed stay alone.
 */
static int joins_supernode (const rls_order *o, int k, const int *list, int length,
                            growing_supernode *supernode)
{
    const int packable = is_packable (o, k, list, length);
    const size_t own = (size_t)o->column[k].size;
    size_t rows_below = 0;
    for (int x = 0; x < length; ++x) rows_below += (size_t)rls_padded (o->column[list[x]].size);
    const size_t rows = (size_t)rls_padded (o->column[k].size) + rows_below;

    /* the column before must be a child of k in the elimination tree, and few zeros may be added */
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

/* Computes start, end, supernode and, in scratch, the block rows of all columns.  work: 3 n.  Returns 1, or 0
 * without memory. */
static int find_structure (rls_order *o, const rls_joint_graph *graph, int *work)
{
    rls_column_tree tree = rls_column_tree_begin (o->n, work);
    growing_supernode supernode = {0};
    int used = 0;
    o->supernodes = 0;
    for (int k = 0; k < o->n; ++k)
    {
        const int j = o->perm[k], first = graph->start[j];
        if (!RLS_GROW (&o->scratch_block, o->scratch, used + o->n - k)) return 0;
        int *list = o->scratch + used;
        const int length = rls_column_rows (&tree, k, graph->neighbour + first, graph->start[j + 1] - first,
                                            o->position, o->start, o->end, o->scratch, list);
        o->start[k] = used;

        /* the list of the column before begins with k, and continues with the list of k */
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

/* ---- columns that several joints share ---- */

/* Puts joints of few rows that follow each other in a supernode into shared columns, as long as a vector of
 * four holds their rows.  Sets member0 and n; column (nodes): the new column of each. */
static void share_columns (rls_order *o, int *column)
{
    int n = 0;
    for (int g = 0; g < o->supernodes; ++g)
    {
        int room = 0; /* how many rows more the last column may have */
        for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
        {
            const int size = o->column[k].size, few = size > 0 && size <= MOST_SHARED;
            if (!few || size > room) o->column[n++].member0 = k, room = few ? RLS_LANES : 0;
            column[k] = n - 1;
            room -= few ? size : 0;
        }
    }
    o->column[n].member0 = o->nodes;
    o->n = n;
}

/* Renumbers the lists of block rows after that: from nodes to shared columns, each once. */
static void share_structure (rls_order *o, const int *column)
{
    int used = 0;
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int first = o->supernode[g], past = o->supernode[g + 1];
        const int begin = o->start[first], end = o->end[past - 1], own = used;
        int last = column[first];
        for (int x = begin; x < end; ++x)
        {
            const int k = column[o->scratch[x]];
            if (k != last) o->scratch[used++] = last = k;
        }
        for (int k = column[first]; k <= column[past - 1]; ++k)
            o->start[k] = own + k - column[first], o->end[k] = used;
        o->supernode[g] = column[first];
    }
    o->supernode[o->supernodes] = o->n;
    o->blocks = used;
}

/* ---- panels: where the blocks are, and the couplings in them ---- */

/* Lays out the panel of supernode g: rows of its blocks, and its runs.  runs counts those of all so far. */
static void place_panel (rls_order *o, int g, int *runs)
{
    const int first = o->supernode[g], past = o->supernode[g + 1], end = o->end[past - 1];
    int last = first, height = rls_padded (o->column[first].size);
    o->run0[g] = *runs;
    o->run[(*runs)++] = (rls_block_run){o->column[first].scalar, 0, height};

    /* blocks below follow each other in the panel; a run ends where the next block's column is not the next
     * one */
    for (int x = o->start[first]; x < end; ++x)
    {
        const int i = o->index[x], rows = rls_padded (o->column[i].size);
        if (i != last + 1) o->run[(*runs)++] = (rls_block_run){o->column[i].scalar, height, 0};
        o->run[*runs - 1].count += rows;
        o->below[x] = height;
        height += rows;
        last = i;
    }

    /* all columns of the supernode have the rows of its last one */
    for (int k = first; k < past; ++k)
    {
        o->end[k] = end;
        o->column[k].top = o->column[k].scalar - o->column[first].scalar;
        o->column[k].height = height;
    }
}

/* Places the values of each column, and finds whose it is. */
static void list_columns (rls_order *o)
{
    o->values = 0;
    for (int g = 0; g < o->supernodes; ++g)
        for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
        {
            rls_column *column = o->column + k;
            const int shared = column[1].member0 - column->member0 > 1, j = o->perm[column->member0],
                      below = o->end[k] - o->start[k];

            /* packed are those of hinges, alone in their supernode, and not at a dense body (order.h) */
            const int packed = o->supernode[g + 1] - o->supernode[g] == 1 &&
                                       is_packable (o, k, o->index + o->start[k], below) &&
                                       o->side_dense[2 * j] < 0 && o->side_dense[2 * j + 1] < 0
                                   ? below
                                   : -1;
            column->block = o->values + (size_t)column->top;
            column->joint = shared ? RLS_SHARED : j < o->joints ? j : RLS_NO_JOINT;
            column->supernode = g;
            column->packed = (signed char)packed;
            for (int i = 0; i < packed; ++i) column->target[i] = o->column[o->index[o->start[k] + i]].scalar;
            o->values +=
                packed >= 0 ? RLS_PACKED_VALUES (packed) : (size_t)column->height * (size_t)column->size;
        }
}

/* Lists the couplings of each node with those that come later in the order. */
static void place_couplings (rls_order *o, const rls_joint_graph *graph)
{
    int count = 0;
    for (int place = 0; place < o->nodes; ++place)
    {
        const int j = o->perm[place], k = o->position[j];
        o->couple_start[place] = count;
        for (int x = graph->start[j]; x < graph->start[j + 1]; ++x)
        {
            const int other = graph->neighbour[x], i = o->position[other];
            if (i < k || (i == k && o->scalar[other] < o->scalar[j])) continue;

            /* the panel row in column k at which its rows begin */
            const int block =
                i == k ? o->column[k].top : o->below[rls_place_in (o->index, o->start[k], o->end[k], i)];
            o->coupling[count++] =
                (rls_coupling){block + o->scalar[other] - o->column[i].scalar, other, graph->sides[x]};
        }
    }
    o->couple_start[o->nodes] = count;
}

/* ---- the whole ---- */

int rls_order_analyse (rls_order *o, const rls_rows *rows, int kind, const double *key)
{
    int done = 0, *work = NULL, runs = 0;
    rls_joint_graph graph;
    if (!rls_joint_graph_build (&graph, o, rows)) goto end;
    o->joints = rows->joints;
    o->dense_bodies = graph.dense_bodies;
    o->nodes = o->joints + o->dense_bodies;
    o->couplings = o->dense_bodies > 0 ? graph.entries : graph.entries / 2;
    work = malloc (sizeof (int) * (size_t)(3 * o->nodes + 1));
    if (!work) goto end;
    if (!RLS_LAY_OUT (o, &o->block, lay_out_columns)) goto end;

    /* the order, and the structure of the factor: first with a column for each node, then with shared ones */
    done = 0;
    if (!rls_order_choose (o, &graph, kind, key)) goto end;
    o->n = o->nodes;
    for (int k = 0; k <= o->n; ++k) o->column[k].member0 = k;
    place_columns (o, rows);
    if (!find_structure (o, &graph, work)) goto end;
    share_columns (o, work);
    share_structure (o, work);
    place_columns (o, rows);

    /* room in scratch for index, below, row and run, now that their sizes are known; and which row each
     * scalar is */
    const int most_runs = o->supernodes + o->blocks, run = sizeof (rls_block_run) / sizeof (int);
    if (!RLS_GROW (&o->scratch_block, o->scratch, 2 * o->blocks + o->scalars + run * most_runs + 1)) goto end;
    rls_order_place_scratch (o);
    for (int i = 0; i < o->scalars; ++i) o->row[i] = -1;
    RLS_FOR_ROWS (rows, j, r) o->row[o->scalar[j] + r - rows->row0[j]] = r;

    /* the layout of its values */
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
