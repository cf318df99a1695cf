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

void rls_order_place_scratch (rls_order *o)
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
    rls_order_place_scratch (o);
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
