/*
 * Elimination order of the joints and symbolic factorisation.
 *
 * Input: which joints touch which bodies.  Output: the order, the block structure of L and where every
 * coupling of H M^-1 H' lands in it.  The stages have files of their own (order_parts.h); here they follow
 * each other.
 */
#include "order_parts.h"
#include "kernels/kernels.h"
#include <stdlib.h>
#include <string.h>

/* What the structure needs before its size is known. */
static void lay_out_columns (rls_order *o, rls_arena_cursor *c)
{
    const size_t n = (size_t)o->n;
    o->perm = rls_arena_take (c, n, sizeof (int));
    o->position = rls_arena_take (c, n, sizeof (int));
    o->dense_body = rls_arena_take (c, (size_t)o->dense_bodies, sizeof (int));
    o->side_dense = rls_arena_take (c, 2 * (size_t)o->joints, sizeof (int));
    o->size = rls_arena_take (c, n, sizeof (int));
    o->scalar0 = rls_arena_take (c, n + 1, sizeof (int));
    o->supernode = rls_arena_take (c, n + 1, sizeof (int));
    o->run0 = rls_arena_take (c, n + 1, sizeof (int));
    o->start = rls_arena_take (c, n, sizeof (int));
    o->end = rls_arena_take (c, n, sizeof (int));
    o->top = rls_arena_take (c, n, sizeof (int));
    o->height = rls_arena_take (c, n, sizeof (int));
    o->panel = rls_arena_take (c, n + 1, sizeof (size_t));
    o->column = rls_arena_take (c, n, sizeof (*o->column));
    o->couple_start = rls_arena_take (c, n + 1, sizeof (int));
    o->coupling = rls_arena_take (c, (size_t)o->couplings, sizeof (*o->coupling));
}

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

static int scratch_used (const rls_order *o)
{
    const int run = sizeof (rls_block_run) / sizeof (int);
    return 2 * o->blocks + (o->supernodes > 0 ? run * o->run0[o->supernodes] : 0);
}

static void place_scratch (rls_order *o)
{
    o->index = o->scratch;
    o->below = o->scratch + o->blocks;
    o->run = (rls_block_run *)(void *)(o->scratch + 2 * (size_t)o->blocks);
}

int rls_order_analyse (rls_order *o, const rls_rows *rows, const unsigned char *movable, int bodies, int kind,
                       const double *key)
{
    int done = 0, *work = NULL;
    rls_joint_graph graph;
    if (!rls_joint_graph_build (&graph, rows, movable, bodies)) goto end;
    o->joints = rows->joints;
    o->dense_bodies = graph.dense_bodies;
    o->n = o->joints + o->dense_bodies;
    o->couplings = o->dense_bodies > 0 ? graph.entries : graph.entries / 2;
    work = malloc (sizeof (int) * (size_t)(3 * o->n + 1));
    if (!work) goto end;
    RLS_LAY_OUT (o, &o->block, lay_out_columns, done);
    if (!done) goto end;
    done = 0;
    if (!rls_order_choose (o, &graph, kind, key)) goto end;
    place_columns (o, rows);
    if (!rls_order_find_structure (o, &graph, work)) goto end;

    /* the structure stays in scratch, the rows of its blocks and its runs behind it */
    rls_order_find_runs (o, NULL);
    if (!rls_array_reserve (&o->scratch, &o->scratch_capacity, scratch_used (o) + 1, sizeof (int))) goto end;
    place_scratch (o);
    rls_order_find_runs (o, o->run);
    rls_order_place_panels (o);
    rls_order_list_columns (o);
    rls_order_list_dense (o, rows, &graph, bodies);
    rls_order_place_couplings (o, &graph);
    rls_order_pack_columns (o);
    done = rls_tree_find (&o->tree, rows, movable, bodies);
end:
    rls_joint_graph_free (&graph);
    free (work);
    return done;
}

int rls_order_copy (rls_order *to, const rls_order *from)
{
    const rls_order own = *to;
    int done;
    *to = *from;
    to->block = own.block, to->scratch = own.scratch, to->scratch_capacity = own.scratch_capacity;
    to->tree = own.tree;
    RLS_LAY_OUT_COPY (to, &to->block, &from->block, lay_out_columns, done);
    const int used = scratch_used (from);
    if (!done || !rls_array_reserve (&to->scratch, &to->scratch_capacity, used + 1, sizeof (int))) return 0;
    place_scratch (to);
    if (used > 0) memcpy (to->scratch, from->scratch, (size_t)used * sizeof (int));
    return rls_tree_copy (&to->tree, &from->tree);
}

void rls_order_free (rls_order *o)
{
    rls_arena_free (&o->block);
    rls_tree_free (&o->tree);
    free (o->scratch);
    *o = (rls_order){0};
}
