/*
 * Joints that share a body that can move are coupled; a body with very many of them is a dense body and
 * stands between them instead (order.h).
 */
#include "order_graph.h"
#include "columns.h"
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
    double key;
    int joint;
} keyed_joint;

static int by_key (const void *a, const void *b)
{
    const keyed_joint *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->joint - y->joint; /* equal keys keep the natural order */
}

static const int *bodies_of_side (const rls_rows *rows, int side) { return side ? rows->body2 : rows->body1; }

/* Numbers the dense bodies: dense_of (bodies) is their number or -1.  Returns how many there are; none
 * without masses. */
static int find_dense (const rls_rows *rows, int *dense_of)
{
    int dense_bodies = 0;
    for (int b = 0; b < rows->bodies; ++b)
    {
        const int sides = rows->movable[b] ? rows->attach0[b + 1] - rows->attach0[b] : 0;
        dense_of[b] = rows->W && sides > RLS_DENSE_BODY_JOINTS ? dense_bodies++ : -1;
    }
    return dense_bodies;
}

/* Couplings of the original matrix, one entry a shared body, or the dense body in place of its joints.
 * Returns their number; as long as the arrays are NULL it only counts.  Only joints list their neighbours. */
static int list_neighbours (const rls_rows *rows, rls_joint_graph *graph)
{
    int count = 0;
    for (int j = 0; j < rows->joints; ++j)
    {
        if (graph->start) graph->start[j] = count;
        for (int side = 0; side < 2; ++side)
        {
            const int b = bodies_of_side (rows, side)[j];
            if (b < 0 || !rows->movable[b]) continue;

            /* a dense body is a neighbour itself */
            if (graph->dense_of[b] >= 0)
            {
                if (graph->neighbour)
                {
                    graph->neighbour[count] = rows->joints + graph->dense_of[b];
                    graph->sides[count] = 2 * side;
                }
                ++count;
                continue;
            }

            /* otherwise all other joints of the body are */
            for (int x = rows->attach0[b]; x < rows->attach0[b + 1]; ++x)
            {
                if (rows->attach[x] / 2 == j) continue;
                if (graph->neighbour)
                {
                    graph->neighbour[count] = rows->attach[x] / 2;
                    graph->sides[count] = 2 * side + rows->attach[x] % 2;
                }
                ++count;
            }
        }
    }
    if (graph->start) graph->start[rows->joints] = count;
    return count;
}

int rls_joint_graph_build (rls_joint_graph *graph, const rls_rows *rows)
{
    const int joints = rows->joints;
    *graph = (rls_joint_graph){0};
    graph->dense_of = malloc (sizeof (int) * (size_t)(rows->bodies + 1));
    if (!graph->dense_of) return 0;
    graph->dense_bodies = find_dense (rows, graph->dense_of);
    graph->entries = list_neighbours (rows, graph);
    const int nodes = joints + graph->dense_bodies;
    graph->start = malloc (sizeof (int) * (size_t)(nodes + 1));
    graph->neighbour = malloc (sizeof (int) * (size_t)(graph->entries + 1));
    graph->sides = malloc (sizeof (int) * (size_t)(graph->entries + 1));
    if (!graph->start || !graph->neighbour || !graph->sides) return 0;
    list_neighbours (rows, graph);
    for (int k = joints; k <= nodes; ++k) graph->start[k] = graph->entries;
    return 1;
}

void rls_joint_graph_free (rls_joint_graph *graph)
{
    free (graph->start), free (graph->neighbour), free (graph->sides), free (graph->dense_of);
    *graph = (rls_joint_graph){0};
}

/* Moves the dense bodies behind the joints. */
static void put_dense_last (int *perm, int joints, int n)
{
    int count = 0;
    for (int k = 0; k < n; ++k)
        if (perm[k] < joints) perm[count++] = perm[k];
    for (; count < n; ++count) perm[count] = count;
}

int rls_order_choose (rls_order *o, const rls_joint_graph *graph, int kind, const double *key)
{
    const int n = o->joints, nodes = o->n;
    int *perm = o->perm;
    for (int k = 0; k < nodes; ++k) perm[k] = k;
    if (kind == dRLSOrderMinDegree)
    {
        const int done = rls_order_sparsely (nodes, graph->start, graph->neighbour, perm);
        put_dense_last (perm, n, nodes);
        return done;
    }
    if (key)
    {
        keyed_joint *list = malloc (sizeof (*list) * (size_t)n);
        if (!list) return 0;
        for (int j = 0; j < n; ++j) list[j] = (keyed_joint){key[j], j};
        qsort (list, (size_t)n, sizeof (*list), by_key);
        for (int k = 0; k < n; ++k) perm[k] = list[k].joint;
        free (list);
    }
    return 1;
}

void rls_order_list_dense (rls_order *o, const rls_rows *rows, const rls_joint_graph *graph)
{
    const int *dense_of = graph->dense_of;
    for (int b = 0; b < rows->bodies; ++b)
        if (dense_of[b] >= 0) o->dense_body[dense_of[b]] = b;
    for (int j = 0; j < o->joints; ++j)
        for (int side = 0; side < 2; ++side)
        {
            const int b = bodies_of_side (rows, side)[j];
            o->side_dense[2 * j + side] =
                b >= 0 && dense_of[b] >= 0 ? o->position[o->joints + dense_of[b]] : -1;
        }
}
