/* The graph of joints that are coupled, and the order in which they are eliminated: the first part of
 * rls_order_analyse (order.h). */
#ifndef RLS_ORDER_GRAPH_H
#define RLS_ORDER_GRAPH_H

#include "order.h"

/* The graph in compressed columns.  Its nodes are the joints, then the dense bodies; two joints that share a
 * movable body are neighbours, or each of them and the body if it is a dense one.  Only joints list their
 * neighbours. */
typedef struct
{
    int dense_bodies, entries;
    int *start;     /* nodes + 1 */
    int *neighbour; /* entries: a node; twice if two joints share two bodies */
    int *sides;     /* entries: 2 * side of the column's joint + side of the neighbour */
    int *dense_of;  /* bodies: which dense body it is, or -1 */
} rls_joint_graph;

/* Builds the graph of the rows' joints; of order only chassis is read.  Returns 1, or 0 without memory; the
 * graph has to be freed in either case. */
int rls_joint_graph_build (rls_joint_graph *graph, const rls_order *order, const rls_rows *rows);
void rls_joint_graph_free (rls_joint_graph *graph);

/* Computes order->perm; kind and key as for rls_order_analyse.  Returns 1, or 0 without memory. */
int rls_order_choose (rls_order *order, const rls_joint_graph *graph, int kind, const double *key);

/* Fills order->dense_body and side_dense, once the columns are known. */
void rls_order_list_dense (rls_order *order, const rls_rows *rows, const rls_joint_graph *graph);

#endif
