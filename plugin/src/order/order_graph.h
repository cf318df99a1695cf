/* Which joints are coupled, and the order in which they are eliminated: the first half of rls_order_analyse.
 */
#ifndef RLS_ORDER_GRAPH_H
#define RLS_ORDER_GRAPH_H

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

/* The graph of the rows' joints; order says which bodies are dense.  Returns 0 when memory is short; it is to
 * be freed all the same. */
int rls_joint_graph_build (rls_joint_graph *graph, const rls_order *order, const rls_rows *rows);
void rls_joint_graph_free (rls_joint_graph *graph);

/* Fills order->perm; kind and key as for rls_order_analyse.  Returns 0 when memory is short. */
int rls_order_choose (rls_order *order, const rls_joint_graph *graph, int kind, const double *key);

/* Fills dense_body and side_dense, once the positions are known. */
void rls_order_list_dense (rls_order *order, const rls_rows *rows, const rls_joint_graph *graph);

#endif
