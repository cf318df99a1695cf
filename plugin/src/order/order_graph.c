/* The graph of coupled joints and their order; contract in order_graph.h. */
#include "order_graph.h"
#include "columns.h"
#include <ode_rls/ode_rls.h>
#include <stdlib.h>

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

/* Returns 1 if body b is a dense body (order.h).  Rows without masses (W) have none. */
static int is_dense (const rls_order *order, const rls_rows *rows, int b)
{
    const int sides = rows->movable[b] ? rows->attach0[b + 1] - rows->attach0[b] : 0;
    if (!rows->W || sides <= (order->chassis ? RLS_CHASSIS_JOINTS : RLS_DENSE_BODY_JOINTS)) return 0;
    for (int x = rows->attach0[b]; x < rows->attach0[b + 1] && sides <= RLS_DENSE_BODY_JOINTS; ++x)
    {
        const int side = rows->attach[x] % 2, other = rows->body[rows->attach[x] / 2][1 - side];
        if (other >= 0 && rows->movable[other] && 2 * rows->mass[other] > rows->mass[b]) return 0;
    }
    return 1;
}

int rls_order_dense_bodies_stay (const rls_order *order, const rls_rows *rows)
{
    int found = 0;
    for (int b = 0; b < rows->bodies; ++b)
    {
        if (!is_dense (order, rows, b)) continue;
        if (found == order->dense_bodies || order->dense_body[found] != b) return 0;
        ++found;
    }
    return found == order->dense_bodies;
}

/* Numbers the dense bodies, and counts the entries of the graph. */
static void count_entries (const rls_order *order, const rls_rows *rows, rls_joint_graph *graph)
{
    for (int b = 0; b < rows->bodies; ++b)
    {
        const int sides = rows->movable[b] ? rows->attach0[b + 1] - rows->attach0[b] : 0;
        const int dense = is_dense (order, rows, b);
        graph->dense_of[b] = dense ? graph->dense_bodies++ : -1;
        graph->entries += dense ? sides : sides * (sides - 1);
    }
}

/* Lists the neighbours of joint j by one of its sides: the other joints of that body, or the dense body. */
static void list_neighbours (const rls_rows *rows, int j, int side, rls_joint_graph *graph)
{
    const int b = rows->body[j][side];
    if (b < 0 || !rows->movable[b]) return;
    if (graph->dense_of[b] >= 0)
    {
        graph->neighbour[graph->entries] = rows->joints + graph->dense_of[b];
        graph->sides[graph->entries++] = 2 * side;
        return;
    }
    for (int x = rows->attach0[b]; x < rows->attach0[b + 1]; ++x)
    {
        if (rows->attach[x] / 2 == j) continue;
        graph->neighbour[graph->entries] = rows->attach[x] / 2;
        graph->sides[graph->entries++] = 2 * side + rows->attach[x] % 2;
    }
}

int rls_joint_graph_build (rls_joint_graph *graph, const rls_order *order, const rls_rows *rows)
{
    const int joints = rows->joints;
    *graph = (rls_joint_graph){0};
    graph->dense_of = malloc (sizeof (int) * (size_t)(rows->bodies + 1));
    if (!graph->dense_of) return 0;
    count_entries (order, rows, graph);
    const int nodes = joints + graph->dense_bodies;
    graph->start = malloc (sizeof (int) * (size_t)(nodes + 1));
    graph->neighbour = malloc (sizeof (int) * (size_t)(graph->entries + 1));
    graph->sides = malloc (sizeof (int) * (size_t)(graph->entries + 1));
    if (!graph->start || !graph->neighbour || !graph->sides) return 0;

    /* the entries of each joint; dense bodies have none */
    graph->entries = 0;
    for (int j = 0; j < joints; ++j)
    {
        graph->start[j] = graph->entries;
        for (int side = 0; side < 2; ++side) list_neighbours (rows, j, side, graph);
    }
    for (int k = joints; k <= nodes; ++k) graph->start[k] = graph->entries;
    return 1;
}

void rls_joint_graph_free (rls_joint_graph *graph)
{
    free (graph->start), free (graph->neighbour), free (graph->sides), free (graph->dense_of);
    *graph = (rls_joint_graph){0};
}

int rls_order_choose (rls_order *o, const rls_joint_graph *graph, int kind, const double *key)
{
    const int n = o->joints, nodes = o->nodes;
    int *perm = o->perm;
    for (int k = 0; k < nodes; ++k) perm[k] = k;

    /* fill-reducing, but for the dense bodies, which come last */
    if (kind == dRLSOrderMinDegree)
    {
        const int done = rls_order_sparsely (nodes, graph->start, graph->neighbour, perm);
        int count = 0;
        for (int k = 0; k < nodes; ++k)
            if (perm[k] < n) perm[count++] = perm[k];
        for (; count < nodes; ++count) perm[count] = count;
        return done;
    }

    /* by key; without one the natural order stays */
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
            const int b = rows->body[j][side];
            o->side_dense[2 * j + side] =
                b >= 0 && dense_of[b] >= 0 ? o->position[o->joints + dense_of[b]] : -1;
        }
}
