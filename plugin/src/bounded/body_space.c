/*
 * Body space: which bodies are coupled, the elimination order, and the structure of the factor.  Everything
 * here is bookkeeping by index; body_matrix.c and body_factor.c have the numbers.
 */
#include "body_space.h"
#include "order/columns.h"
#include <stdlib.h>

/* The joints of the island as one list of links between bodies, bilateral ones first. */
typedef struct
{
    int count, bilateral;
    const rls_island *island;
} link_list;

/* The bodies of link i, the one with the smaller index first.  Returns 0 if it does not couple two movable
 * bodies. */
static int link_bodies (const link_list *l, int i, int *small, int *large)
{
    const rls_island *s = l->island;
    const int *body = i < l->bilateral ? s->begin.rows.body[i] : s->begin.bounded.body[i - l->bilateral];
    const int a = body[0], b = body[1];
    if (a < 0 || b < 0 || a == b || !s->model.movable[a] || !s->model.movable[b]) return 0;
    *small = a < b ? a : b;
    *large = a < b ? b : a;
    return 1;
}

/* Where the block of link i is stored. */
static int *link_block (rls_body_space *s, const link_list *l, int i)
{
    return i < l->bilateral ? s->bilateral_block + i : s->bounded_block + i - l->bilateral;
}

/* The links of a step, sorted by their smaller body. */
typedef struct
{
    rls_body_space *space;
    const link_list *links;
    int *bucket;   /* bodies + 1: where in sorted the links of a body begin */
    int *sorted;   /* links */
    int *mark;     /* bodies: the last smaller body that it was found to be paired with */
    int *position; /* bodies: the pair that both make */
} link_sort;

static void lay_out_links (link_sort *t, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)t->links->island->model.bodies, links = (size_t)t->links->count;
    RLS_TAKE (c, t->space->bilateral_block, (size_t)t->links->bilateral);
    RLS_TAKE (c, t->space->bounded_block, links - (size_t)t->links->bilateral);
    RLS_TAKE (c, t->bucket, bodies + 1);
    RLS_TAKE (c, t->sorted, links);
    RLS_TAKE_ALL (c, bodies, int, &t->mark, &t->position);
}

/* Fills bucket and sorted by counting. */
static void sort_links (link_sort *t)
{
    const int bodies = t->links->island->model.bodies;
    int small, large;
    memset (t->bucket, 0, sizeof (int) * (size_t)(bodies + 1));
    for (int i = 0; i < t->links->count; ++i)
        if (link_bodies (t->links, i, &small, &large)) ++t->bucket[small + 1];
    for (int b = 0; b < bodies; ++b) t->bucket[b + 1] += t->bucket[b], t->mark[b] = -1;
    for (int i = 0; i < t->links->count; ++i)
        if (link_bodies (t->links, i, &small, &large)) t->sorted[t->bucket[small]++] = i;
    for (int b = bodies; b > 0; --b) t->bucket[b] = t->bucket[b - 1];
    t->bucket[0] = 0;
}

/* Finds the block of each link.  Returns 0 if one is not among the analysed pairs, or if fewer than about two
 * thirds of these are still there. */
static int find_blocks (link_sort *t)
{
    rls_body_space *s = t->space;
    int present = 0;
    for (int i = 0; i < t->links->count; ++i) *link_block (s, t->links, i) = -1;
    for (int b = 0; b < s->bodies; ++b)
    {
        if (t->bucket[b] == t->bucket[b + 1]) continue;
        for (int q = s->pair_start[b]; q < s->pair_start[b + 1]; ++q)
            t->mark[s->pair_body[q]] = b, t->position[s->pair_body[q]] = q;
        for (int x = t->bucket[b]; x < t->bucket[b + 1]; ++x)
        {
            int small = b, large = b;
            link_bodies (t->links, t->sorted[x], &small, &large);
            if (t->mark[large] != b) return 0;
            int *q = t->position + large; /* ~q once the pair has been counted */
            if (*q >= 0) *q = ~*q, ++present;
            *link_block (s, t->links, t->sorted[x]) = s->pair_block[~*q];
        }
    }
    return 2 * s->pairs <= 3 * present + 16;
}

static void lay_out_shape (rls_body_space *s, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)s->bodies;
    RLS_TAKE (c, s->movable, bodies);
    RLS_TAKE_ALL (c, (size_t)s->pairs, int, &s->pair_body, &s->pair_block);
    RLS_TAKE_ALL (c, bodies, int, &s->column, &s->body);
    RLS_TAKE_ALL (c, bodies + 1, int, &s->pair_start, &s->start);
}

/* Lists the pairs of bodies of this step's links, each once.  Returns 1, or 0 without memory. */
static int list_pairs (link_sort *t)
{
    rls_body_space *s = t->space;
    const rls_island *island = t->links->island;
    s->bodies = island->model.bodies;
    s->pairs = t->bucket[s->bodies]; /* at most */
    if (!RLS_LAY_OUT (s, &s->shape, lay_out_shape)) return 0;
    memcpy (s->movable, island->model.movable, (size_t)s->bodies);
    for (int b = 0; b < s->bodies; ++b) t->mark[b] = -1;
    int pairs = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        s->pair_start[b] = pairs;
        for (int x = t->bucket[b]; x < t->bucket[b + 1]; ++x)
        {
            int small = b, large = b;
            link_bodies (t->links, t->sorted[x], &small, &large);
            if (t->mark[large] == b) continue;
            t->mark[large] = b;
            s->pair_body[pairs++] = large;
        }
    }
    s->pairs = s->pair_start[s->bodies] = pairs;
    return 1;
}

/* The graph of the movable bodies in compressed columns with both triangles, as AMD takes it. */
typedef struct
{
    int n;
    int *start, *neighbour, *number, *order, *position, *work;
    rls_arena block;
    size_t pairs, bodies;
} body_graph;

static void lay_out_graph (body_graph *g, rls_arena_cursor *c)
{
    RLS_TAKE (c, g->start, g->bodies + 1);
    RLS_TAKE (c, g->neighbour, 2 * g->pairs);
    RLS_TAKE_ALL (c, g->bodies, int, &g->number, &g->order, &g->position);
    RLS_TAKE (c, g->work, 3 * g->bodies);
}

/* Numbers the movable bodies and fills their adjacency lists. */
static void build_graph (const rls_body_space *s, body_graph *g)
{
    g->n = 0;
    for (int b = 0; b < s->bodies; ++b) g->number[b] = s->movable[b] ? g->n++ : -1;
    memset (g->start, 0, sizeof (int) * (g->bodies + 1));
    for (int b = 0; b < s->bodies; ++b)
        for (int q = s->pair_start[b]; q < s->pair_start[b + 1]; ++q)
            ++g->start[g->number[b] + 1], ++g->start[g->number[s->pair_body[q]] + 1];
    for (int i = 0; i < g->n; ++i) g->start[i + 1] += g->start[i];
    for (int b = 0; b < s->bodies; ++b)
        for (int q = s->pair_start[b]; q < s->pair_start[b + 1]; ++q)
        {
            const int i = g->number[b], k = g->number[s->pair_body[q]];
            g->neighbour[g->start[i]++] = k;
            g->neighbour[g->start[k]++] = i;
        }
    for (int i = g->n; i > 0; --i) g->start[i] = g->start[i - 1];
    g->start[0] = 0;
}

/* Finds the block rows of each column of L (scratch), and how many products there are.  Returns 1, or 0
 * without memory. */
static int find_structure (rls_body_space *s, const body_graph *g)
{
    rls_column_tree tree = rls_column_tree_begin (g->n, g->work);
    int used = 0;
    for (int k = 0; k < s->columns; ++k)
    {
        const int i = g->order[k], first = g->start[i];
        s->start[k] = used;
        if (!RLS_GROW (&s->scratch_block, s->scratch, used + s->columns - k)) return 0;
        used += rls_column_rows (&tree, k, g->neighbour + first, g->start[i + 1] - first, g->position,
                                 s->start, s->start + 1, s->scratch, s->scratch + used);
    }

    /* the number of products of two blocks of a column */
    s->start[s->columns] = used;
    s->targets = 0;
    for (int k = 0; k < s->columns; ++k)
    {
        const size_t length = (size_t)(s->start[k + 1] - s->start[k]);
        s->targets += length * (length + 1) / 2;
    }
    return 1;
}

static void lay_out_structure (rls_body_space *s, rls_arena_cursor *c)
{
    RLS_TAKE (c, s->index, (size_t)s->start[s->columns]);
    RLS_TAKE (c, s->target, s->targets);
}

static void lay_out_values (rls_body_space *s, rls_arena_cursor *c)
{
    const size_t columns = (size_t)s->columns, blocks = (size_t)s->start[s->columns];
    RLS_TAKE (c, s->mass, columns);
    RLS_TAKE (c, s->inertia, columns);
    RLS_TAKE_ALL (c, columns, rls_block6, &s->diagonal, &s->kept_diagonal, &s->inverse_lower,
                  &s->inverse_upper);
    RLS_TAKE_ALL (c, blocks, rls_block6, &s->below, &s->right, &s->kept_below);
    RLS_TAKE_ALL (c, columns, double[8], &s->reciprocal, &s->solution);
}

/* The block of a column with that row. */
static int block_at (const rls_body_space *s, int column, int row)
{
    return rls_place_in (s->index, s->start[column], s->start[column + 1], row);
}

/* Finds what each product of two blocks is subtracted from, and the block of each pair. */
static void find_targets (rls_body_space *s)
{
    int *t = s->target;
    for (int k = 0; k < s->columns; ++k)
        for (int x = s->start[k]; x < s->start[k + 1]; ++x)
        {
            *t++ = ~s->index[x];
            for (int y = x + 1, z = s->start[s->index[x]]; y < s->start[k + 1]; ++y)
            {
                while (s->index[z] != s->index[y]) ++z;
                *t++ = z;
            }
        }
    for (int b = 0; b < s->bodies; ++b)
        for (int q = s->pair_start[b]; q < s->pair_start[b + 1]; ++q)
        {
            const int i = s->column[b], k = s->column[s->pair_body[q]];
            s->pair_block[q] = i < k ? block_at (s, i, k) : block_at (s, k, i);
        }
}

/* The elimination order of the pairs, the structure of L and room for its values.  Returns 1, or 0 without
 * memory. */
static int analyse_pairs (rls_body_space *s)
{
    body_graph g = {.pairs = (size_t)s->pairs, .bodies = (size_t)s->bodies};
    if (!RLS_LAY_OUT (&g, &g.block, lay_out_graph)) return 0;

    /* the order */
    build_graph (s, &g);
    s->columns = g.n;
    int done = rls_order_sparsely (g.n, g.start, g.neighbour, g.order);
    if (done)
    {
        /* until the order is known, body[i] is movable body number i */
        for (int b = 0; b < s->bodies; ++b)
            if (g.number[b] >= 0) s->body[g.number[b]] = b;
        for (int b = 0; b < s->bodies; ++b) s->column[b] = -1;
        for (int k = 0; k < g.n; ++k) s->column[s->body[g.order[k]]] = g.position[g.order[k]] = k;
        done = find_structure (s, &g);
    }

    /* the structure, and room for the values */
    rls_arena_free (&g.block);
    if (!done) return 0;
    for (int b = 0; b < s->bodies; ++b)
        if (s->column[b] >= 0) s->body[s->column[b]] = b;
    if (!RLS_LAY_OUT (s, &s->structure, lay_out_structure)) return 0;
    if (s->start[s->columns] > 0) memcpy (s->index, s->scratch, sizeof (int) * (size_t)s->start[s->columns]);
    find_targets (s);
    return RLS_LAY_OUT (s, &s->values, lay_out_values);
}

int rls_body_space_analyse (rls_body_space *s, const rls_island *island)
{
    const link_list links = {island->begin.rows.joints + island->begin.bounded.joints,
                             island->begin.rows.joints, island};
    link_sort t = {.space = s, .links = &links};
    if (!RLS_LAY_OUT (&t, &s->links, lay_out_links)) return 0;
    sort_links (&t);

    /* the structure of the last step, if all pairs are in it; otherwise a new one */
    if (s->bodies == island->model.bodies && !memcmp (s->movable, island->model.movable, (size_t)s->bodies) &&
        find_blocks (&t))
        return 1;
    ++s->versions;
    if (!list_pairs (&t) || !analyse_pairs (s))
    {
        s->bodies = -1; /* nothing to be reused */
        return 0;
    }
    for (int b = 0; b < s->bodies; ++b) t.mark[b] = -1;
    find_blocks (&t);
    return 1;
}

int rls_body_space_copy (rls_body_space *to, const rls_body_space *from)
{
    const rls_body_space own = *to;
    *to = *from;
    to->shape = own.shape, to->structure = own.structure, to->links = own.links, to->values = own.values;
    to->scratch = own.scratch, to->scratch_block = own.scratch_block;
    return rls_arena_copy (&to->shape, &from->shape) && rls_arena_copy (&to->structure, &from->structure) &&
           rls_arena_copy (&to->values, &from->values);
}

void rls_body_space_free (rls_body_space *s)
{
    rls_arena_free (&s->shape);
    rls_arena_free (&s->structure);
    rls_arena_free (&s->links);
    rls_arena_free (&s->values);
    rls_arena_free (&s->scratch_block);
    *s = (rls_body_space){0};
}
