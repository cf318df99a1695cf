/*
 * What the files of the symbolic analysis share.
 *
 *     order.c             the public functions: one stage after the other
 *     order_graph.c       which joints are coupled, dense bodies, the order of elimination
 *     columns.h           what factors of joints and of bodies have in common
 *     order_structure.c   the block rows of every column of the factor, and the supernodes
 *     order_panels.c      where all that is in panels and vectors
 */
#ifndef RLS_ORDER_PARTS_H
#define RLS_ORDER_PARTS_H

#include "order.h"

/* The graph of joints that share a movable body, in compressed columns.  Its nodes are the joints and behind
 * them the dense bodies; only joints list their neighbours. */
typedef struct
{
    int dense_bodies, entries;
    int *start;     /* joints + dense bodies + 1 */
    int *neighbour; /* entries: one a shared body, or the dense body in place of its joints */
    int *sides;     /* entries: 2 * side of the column's joint + side of the neighbour */
    int *dense_of;  /* bodies: number of the dense body that it is, or -1 */
} rls_joint_graph;

/* order_graph.c: the graph of the rows' joints.  Returns 0 when memory is short; it is to be freed all the
 * same. */
int rls_joint_graph_build (rls_joint_graph *graph, const rls_rows *rows, const unsigned char *movable,
                           int bodies);
void rls_joint_graph_free (rls_joint_graph *graph);

/* Fills order->perm; kind and key as for rls_order_analyse.  Returns 0 when memory is short. */
int rls_order_choose (rls_order *order, const rls_joint_graph *graph, int kind, const double *key);

/* Fills dense_body and side_dense, once the positions are known. */
void rls_order_list_dense (rls_order *order, const rls_rows *rows, const rls_joint_graph *graph, int bodies);

/*
 * order_structure.c: the block rows of every column, into scratch (growing): those of its children in the
 * elimination tree and of its own couplings, without itself.  Fills start, end and supernode, too; positions
 * and sizes are known.  work: 3 x n.  Returns 0 when memory is short.
 */
int rls_order_find_structure (rls_order *order, const rls_joint_graph *graph, int *work);

/* order_panels.c: finds the runs of every supernode; with run NULL it only counts them. */
void rls_order_find_runs (rls_order *order, rls_block_run *run);

/* Panel rows of the blocks, sizes of the panels. */
void rls_order_place_panels (rls_order *order);

/* Sums up what solves need to know of every column. */
void rls_order_list_columns (rls_order *order);

/* Where the couplings of the original matrix land: only those with joints that come later. */
void rls_order_place_couplings (rls_order *order, const rls_joint_graph *graph);

/* Packs columns of hinges that can be packed: alone in their supernodes and not beside dense bodies. */
void rls_order_pack_columns (rls_order *order);

/* Compares positions, for sorts and searches. */
static inline int rls_ascending (const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

#endif
