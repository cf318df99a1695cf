/*
 * Elimination order of the joints and symbolic factorisation.
 *
 * Input: which joints touch which bodies.  Output: the order, the block structure of L and where every
 * coupling of H M^-1 H' lands in it.  The fill-reducing order is AMD (Amestoy, Davis & Duff) from
 * SuiteSparse; the structure comes from the elimination tree: the rows of a column are those of its
 * children and its own couplings.  Cost: proportional to the structure.
 */
#include "order.h"
#include "kernels.h"
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

/* The graph of joints that share a movable body, in compressed columns. */
typedef struct
{
    int *start; /* n + 1 */
    int *neighbour;
    int *sides; /* 2 * side of the column's joint + side of the neighbour */
} joint_graph;

typedef struct
{
    double key;
    int joint;
} keyed_joint;

/* A group of columns as it grows. */
typedef struct
{
    size_t columns, rows_below; /* scalars; below its last column */
    size_t area, zeros;         /* values on and below its diagonal blocks that columns reach, and do not */
} growing_group;

#define MOST_ZEROS 8 /* a group may be zeros to one part in so many */

static int by_key (const void *a, const void *b)
{
    const keyed_joint *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->joint - y->joint; /* equal keys keep the natural order */
}

static int ascending (const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static const int *bodies_of_side (const rls_rows *rows, int side) { return side ? rows->body2 : rows->body1; }

/* Lists joint and side of every attachment by body: attach_start (bodies + 1), attach (2 * joints). */
static void list_attachments (const rls_rows *rows, const unsigned char *movable, int bodies,
                              int *attach_start, int *attach)
{
    memset (attach_start, 0, sizeof (int) * (size_t)(bodies + 1));
    for (int side = 0; side < 2; ++side)
        for (int j = 0; j < rows->joints; ++j)
        {
            const int b = bodies_of_side (rows, side)[j];
            if (b >= 0 && movable[b]) ++attach_start[b + 1];
        }
    for (int b = 0; b < bodies; ++b) attach_start[b + 1] += attach_start[b];
    for (int j = 0; j < rows->joints; ++j)
        for (int side = 0; side < 2; ++side)
        {
            const int b = bodies_of_side (rows, side)[j];
            if (b >= 0 && movable[b]) attach[attach_start[b]++] = 2 * j + side;
        }
    for (int b = bodies; b > 0; --b) attach_start[b] = attach_start[b - 1];
    attach_start[0] = 0;
}

/* Numbers the hubs: hub_of (bodies) is their number or -1.  Returns how many there are. */
static int find_hubs (const rls_rows *rows, int bodies, const int *attach_start, int *hub_of)
{
    int hubs = 0;
    for (int b = 0; b < bodies; ++b)
        hub_of[b] = rows->W && attach_start[b + 1] - attach_start[b] > RLS_HUB_JOINTS ? hubs++ : -1;
    return hubs;
}

/* Couplings of the original matrix, one entry a shared body, or the hub in place of its joints.  Returns
 * their number; with a graph of NULL arrays it only counts.  Only joints list their neighbours. */
static int build_graph (const rls_rows *rows, const unsigned char *movable, const int *attach_start,
                        const int *attach, const int *hub_of, joint_graph *graph)
{
    int count = 0;
    for (int j = 0; j < rows->joints; ++j)
    {
        if (graph->start) graph->start[j] = count;
        for (int side = 0; side < 2; ++side)
        {
            const int b = bodies_of_side (rows, side)[j];
            if (b < 0 || !movable[b]) continue;
            if (hub_of[b] >= 0)
            {
                if (graph->neighbour)
                {
                    graph->neighbour[count] = rows->joints + hub_of[b];
                    graph->sides[count] = 2 * side;
                }
                ++count;
                continue;
            }
            for (int x = attach_start[b]; x < attach_start[b + 1]; ++x)
            {
                if (attach[x] / 2 == j) continue;
                if (graph->neighbour)
                {
                    graph->neighbour[count] = attach[x] / 2;
                    graph->sides[count] = 2 * side + attach[x] % 2;
                }
                ++count;
            }
        }
    }
    if (graph->start) graph->start[rows->joints] = count;
    return count;
}

/* Moves the hubs behind the joints. */
static void put_hubs_last (int *perm, int joints, int n)
{
    int count = 0;
    for (int k = 0; k < n; ++k)
        if (perm[k] < joints) perm[count++] = perm[k];
    for (; count < n; ++count) perm[count] = count;
}

/* Fills perm.  Returns 0 when memory is short. */
static int choose_order (const joint_graph *graph, int joints, int nodes, int kind, const double *key,
                         int *perm)
{
    const int n = joints;
    for (int k = 0; k < nodes; ++k) perm[k] = k;
    if (kind == dRLSOrderMinDegree)
    {
        /* AMD accepts repeated entries (two joints that share both bodies) with status AMD_OK_BUT_JUMBLED */
        const int status = amd_order (nodes, graph->start, graph->neighbour, perm, NULL, NULL);
        put_hubs_last (perm, joints, nodes);
        return status == AMD_OK || status == AMD_OK_BUT_JUMBLED;
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

/* What the structure needs before its size is known. */
static void carve_columns (rls_order *o, rls_carver *c)
{
    const size_t n = (size_t)o->n;
    o->perm = rls_carve (c, n, sizeof (int));
    o->position = rls_carve (c, n, sizeof (int));
    o->hub_body = rls_carve (c, (size_t)o->hubs, sizeof (int));
    o->side_hub = rls_carve (c, 2 * (size_t)o->joints, sizeof (int));
    o->size = rls_carve (c, n, sizeof (int));
    o->scalar0 = rls_carve (c, n + 1, sizeof (int));
    o->group = rls_carve (c, n + 1, sizeof (int));
    o->run0 = rls_carve (c, n + 1, sizeof (int));
    o->start = rls_carve (c, n, sizeof (int));
    o->end = rls_carve (c, n, sizeof (int));
    o->top = rls_carve (c, n, sizeof (int));
    o->height = rls_carve (c, n, sizeof (int));
    o->panel = rls_carve (c, n + 1, sizeof (size_t));
    o->column = rls_carve (c, n, sizeof (*o->column));
    o->couple_start = rls_carve (c, n + 1, sizeof (int));
    o->couple_joint = rls_carve (c, (size_t)o->couplings, sizeof (int));
    o->couple_row = rls_carve (c, (size_t)o->couplings, sizeof (int));
    o->couple_sides = rls_carve (c, (size_t)o->couplings, sizeof (int));
}

/* Scalars of the positions in a list. */
static size_t list_rows (const rls_order *o, const int *list, int length)
{
    size_t rows = 0;
    for (int x = 0; x < length; ++x) rows += (size_t)rls_padded (o->size[list[x]]);
    return rows;
}

/*
 * Whether column k, with so many rows below its own, goes on with the group that ends before it: all of the
 * group's columns then have its rows, too, as zeros where they do not reach them.  Keeps account of the group.
 */
static int joins_group (const rls_order *o, int k, size_t rows_below, growing_group *group)
{
    const size_t own = (size_t)o->size[k], rows = (size_t)rls_padded (o->size[k]) + rows_below;
    if (k > 0 && o->start[k - 1] < o->end[k - 1] && o->scratch[o->start[k - 1]] == k)
    {
        const size_t columns = group->columns + own, area = group->area + own * rows,
                     zeros = group->zeros + group->columns * (rows - group->rows_below);
        if (columns <= RLS_GROUP_COLUMNS && zeros * MOST_ZEROS <= area + zeros)
        {
            *group = (growing_group){columns, rows_below, area, zeros};
            return 1;
        }
    }
    *group = (growing_group){own, rows_below, own * rows, 0};
    return 0;
}

/*
 * The block rows of every column, into scratch (growing): those of its children in the elimination tree
 * and of its own couplings, without itself.  first_child and sibling list the tree as it grows.
 * Returns 0 when memory is short.
 */
static int find_structure (rls_order *o, const joint_graph *graph, int *mark, int *first_child, int *sibling)
{
    int used = 0;
    growing_group group = {0};
    o->groups = 0;
    for (int k = 0; k < o->n; ++k) mark[k] = first_child[k] = -1;
    for (int k = 0; k < o->n; ++k)
    {
        if (!rls_array_reserve (&o->scratch, &o->scratch_capacity, used + o->n - k, sizeof (int))) return 0;
        int *column = o->scratch + used, length = 0;
        mark[k] = k;
        const int j = o->perm[k];
        for (int x = graph->start[j]; x < graph->start[j + 1]; ++x)
        {
            const int i = o->position[graph->neighbour[x]];
            if (i > k && mark[i] != k) mark[i] = k, column[length++] = i;
        }
        for (int child = first_child[k]; child >= 0; child = sibling[child])
            for (int x = o->start[child]; x < o->end[child]; ++x)
            {
                const int i = o->scratch[x];
                if (mark[i] != k) mark[i] = k, column[length++] = i;
            }
        qsort (column, (size_t)length, sizeof (int), ascending);
        o->start[k] = used;
        if (length > 0)
        {
            sibling[k] = first_child[column[0]];
            first_child[column[0]] = k;
        }
        if (joins_group (o, k, list_rows (o, column, length), &group))
        { /* the list of the column before has k first; what follows is replaced */
            o->start[k] = o->start[k - 1] + 1;
            memmove (o->scratch + o->start[k], column, (size_t)length * sizeof (int));
        }
        else
            o->group[o->groups++] = k;
        used = o->end[k] = o->start[k] + length;
    }
    o->group[o->groups] = o->n;
    o->blocks = used;
    return 1;
}

/* Finds the runs of every group; with run NULL it only counts them.  None goes from a piece into tops. */
static void find_runs (rls_order *o, rls_block_run *run)
{
    const int top = rls_first_top (o);
    int count = 0;
    for (int g = 0; g < o->groups; ++g)
    {
        const int first = o->group[g], end = o->end[o->group[g + 1] - 1];
        int last = first, row = 0;
        o->run0[g] = count;
        for (int x = o->start[first] - 1; x < end; ++x)
        {
            const int i = x < o->start[first] ? first : o->scratch[x], rows = rls_padded (o->size[i]);
            if (i == first || i != last + 1 || i == top)
            {
                if (run) run[count] = (rls_block_run){o->scalar0[i], row, 0};
                ++count;
            }
            if (run) run[count - 1].count += rows;
            row += rows;
            last = i;
        }
    }
    o->run0[o->groups] = count;
}

/* Panel rows of the blocks, sizes of the panels. */
static void place_panels (rls_order *o, int *below)
{
    size_t value = 0;
    for (int g = 0; g < o->groups; ++g)
    {
        const int first = o->group[g], past = o->group[g + 1], end = o->end[past - 1];
        int height = rls_padded (o->size[first]);
        for (int x = o->start[first]; x < end; ++x)
        {
            below[x] = height;
            height += rls_padded (o->size[o->index[x]]);
        }
        for (int k = first; k < past; ++k)
        {
            o->end[k] = end;
            o->top[k] = o->scalar0[k] - o->scalar0[first];
            o->height[k] = height;
            o->panel[k] = value;
            value += (size_t)height * (size_t)o->size[k];
        }
    }
    o->panel[o->n] = value;
}

/* Sums up what solves need to know of every column. */
static void list_columns (rls_order *o)
{
    for (int g = 0; g < o->groups; ++g)
        for (int k = o->group[g]; k < o->group[g + 1]; ++k)
        {
            const int own = o->top[k] + rls_padded (o->size[k]), joint = o->perm[k];
            const rls_block_run *run = o->run + o->run0[g];
            rls_column *column = o->column + k;
            column->block = o->panel[k] + (size_t)o->top[k];
            column->height = o->height[k];
            column->size = (short)o->size[k];
            column->group = g;
            column->joint = joint < o->joints ? joint : -1;
            column->scalar = o->scalar0[k];
            if (run->count == own && o->run0[g + 1] - o->run0[g] == 2) ++run;
            column->below = run->scalar + (run->row == 0 ? own : 0);
            column->count = run->row + run->count == o->height[k] ? o->height[k] - own : -1;
            column->even = 0;
            if ((column->size == 3 || column->size == 5) && column->count == rls_padded (column->size))
                column->even = column->size;
        }
}

/* Finds the columns that are links of chains of balls and of hinges: alone in their groups, without hubs. */
static void find_links (rls_order *o)
{
    for (int k = 0; k < o->n; ++k)
    {
        rls_column *column = o->column + k;
        const int g = column->group, j = column->joint, x = o->couple_start[k];
        column->link = 0;
        if (column->even && j >= 0 && o->group[g + 1] - o->group[g] == 1 && o->end[k] - o->start[k] == 1 &&
            o->size[o->index[o->start[k]]] == column->size && o->couple_start[k + 1] - x == 1 &&
            o->side_hub[2 * j] < 0 && o->side_hub[2 * j + 1] < 0)
            column->link = column->size;
    }
}

/* Where the couplings of the original matrix land: only those with joints that come later. */
static void place_couplings (rls_order *o, const joint_graph *graph)
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
                                        sizeof (int), ascending);
            o->couple_joint[count] = graph->neighbour[x];
            o->couple_row[count] = o->below[found - o->index];
            o->couple_sides[count++] = graph->sides[x];
        }
    }
    o->couple_start[o->n] = count;
}

/* Which hub is where, once the positions are known. */
static void list_hubs (rls_order *o, const rls_rows *rows, const int *hub_of, int bodies)
{
    for (int b = 0; b < bodies; ++b)
        if (hub_of[b] >= 0) o->hub_body[hub_of[b]] = b;
    for (int j = 0; j < o->joints; ++j)
        for (int side = 0; side < 2; ++side)
        {
            const int b = bodies_of_side (rows, side)[j];
            o->side_hub[2 * j + side] = b >= 0 && hub_of[b] >= 0 ? o->position[o->joints + hub_of[b]] : -1;
        }
}

static void place_columns (rls_order *o, const rls_rows *rows)
{
    o->scalar0[0] = 0;
    for (int k = 0; k < o->n; ++k)
    {
        const int j = o->perm[k];
        o->position[j] = k;
        o->size[k] = j < o->joints ? rows->row0[j + 1] - rows->row0[j] : RLS_HUB_SIZE;
        o->scalar0[k + 1] = o->scalar0[k] + rls_padded (o->size[k]);
    }
    o->scalars = o->scalar0[o->n];
}

static int scratch_used (const rls_order *o)
{
    const int run = sizeof (rls_block_run) / sizeof (int);
    return 2 * o->blocks + (o->groups > 0 ? run * o->run0[o->groups] : 0);
}

static void place_scratch (rls_order *o)
{
    o->index = o->scratch;
    o->below = o->scratch + o->blocks;
    o->run = (rls_block_run *)(void *)(o->scratch + 2 * (size_t)o->blocks);
}

/*
 * Numbers the groups so that what can be done at the same time stays together; see subtrees.h.  Every group still
 * comes before those that it reaches, in their old order, so that their lists stay ascending.  work: 3 x n.
 */
static int renumber_groups (rls_order *o, const rls_rows *rows, int *work)
{
    int *sequence = work, *old = work + o->n, *copy = work + 2 * o->n; /* what is at k now was at old[k] */
    if (!rls_subtrees_cut (&o->subtrees, o, sequence)) return 0;
    int k = 0;
    for (int i = 0; i < o->groups; ++i)
        for (int from = o->group[sequence[i]]; from < o->group[sequence[i] + 1]; ++from) old[k++] = from;
    for (int i = 0; i < o->groups; ++i) sequence[i] = o->group[sequence[i] + 1] - o->group[sequence[i]];
    for (int i = 0; i < o->groups; ++i) o->group[i + 1] = o->group[i] + sequence[i];
    int *const moved[] = {o->perm, o->start, o->end};
    for (int a = 0; a < 3; ++a)
    {
        memcpy (copy, moved[a], sizeof (int) * (size_t)o->n);
        for (k = 0; k < o->n; ++k) moved[a][k] = copy[old[k]];
    }
    for (k = 0; k < o->n; ++k) copy[old[k]] = k;
    for (int x = 0; x < o->blocks; ++x) o->index[x] = copy[o->index[x]];
    place_columns (o, rows);
    find_runs (o, NULL);
    if (!rls_array_reserve (&o->scratch, &o->scratch_capacity, scratch_used (o) + 1, sizeof (int))) return 0;
    place_scratch (o);
    find_runs (o, o->run);
    place_panels (o, o->below);
    return 1;
}

int rls_order_analyse (rls_order *o, const rls_rows *rows, const unsigned char *movable, int bodies, int kind,
                       const double *key)
{
    int done = 0;
    const int joints = rows->joints;
    joint_graph graph = {NULL, NULL, NULL};
    int *attach_start = malloc (sizeof (int) * (size_t)(bodies + 1));
    int *hub_of = malloc (sizeof (int) * (size_t)(bodies + 1));
    int *attach = malloc (sizeof (int) * (size_t)(2 * joints + 1));
    int *work = NULL;
    if (!attach_start || !attach || !hub_of) goto end;

    list_attachments (rows, movable, bodies, attach_start, attach);
    o->joints = joints;
    o->hubs = find_hubs (rows, bodies, attach_start, hub_of);
    o->n = joints + o->hubs;
    const int n = o->n;
    const int entries = build_graph (rows, movable, attach_start, attach, hub_of, &graph);
    graph.start = malloc (sizeof (int) * (size_t)(n + 1));
    graph.neighbour = malloc (sizeof (int) * (size_t)(entries + 1));
    graph.sides = malloc (sizeof (int) * (size_t)(entries + 1));
    work = malloc (sizeof (int) * (size_t)(3 * n + 1));
    if (!graph.start || !graph.neighbour || !graph.sides || !work) goto end;
    build_graph (rows, movable, attach_start, attach, hub_of, &graph);
    for (int k = joints; k <= n; ++k) graph.start[k] = entries;

    o->couplings = o->hubs > 0 ? entries : entries / 2;
    RLS_LAY_OUT (o, &o->block, carve_columns, done);
    if (!done) goto end;
    done = 0;
    if (!choose_order (&graph, joints, n, kind, key, o->perm)) goto end;
    place_columns (o, rows);
    if (!find_structure (o, &graph, work, work + n, work + 2 * n)) goto end;

    /* the structure stays in scratch, the rows of its blocks and its runs behind it */
    if (!rls_array_reserve (&o->scratch, &o->scratch_capacity, 2 * o->blocks + 1, sizeof (int))) goto end;
    place_scratch (o);
    place_panels (o, o->below);
    if (!renumber_groups (o, rows, work)) goto end;
    list_columns (o);
    list_hubs (o, rows, hub_of, bodies);
    place_couplings (o, &graph);
    find_links (o);
    done = rls_subtrees_list (&o->subtrees, o);
end:
    free (attach_start), free (attach), free (hub_of), free (work);
    free (graph.start), free (graph.neighbour), free (graph.sides);
    return done;
}

int rls_order_copy (rls_order *to, const rls_order *from)
{
    const rls_order own = *to;
    int done;
    *to = *from;
    to->block = own.block, to->scratch = own.scratch, to->scratch_capacity = own.scratch_capacity;
    to->subtrees = own.subtrees;
    RLS_LAY_OUT_COPY (to, &to->block, &from->block, carve_columns, done);
    const int used = scratch_used (from);
    if (!done || !rls_array_reserve (&to->scratch, &to->scratch_capacity, used + 1, sizeof (int))) return 0;
    place_scratch (to);
    if (used > 0) memcpy (to->scratch, from->scratch, (size_t)used * sizeof (int));
    return rls_subtrees_copy (&to->subtrees, &from->subtrees);
}

void rls_order_free (rls_order *o)
{
    rls_block_free (&o->block);
    rls_subtrees_free (&o->subtrees);
    free (o->scratch);
    *o = (rls_order){0};
}
