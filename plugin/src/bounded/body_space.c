/*
 * Body space: which bodies are coupled, the elimination order, and the structure of the factor.  Everything
 * here is bookkeeping by index; body_matrix.c and body_factor.c have the numbers.
 */
#include "body_space.h"
#include "order/columns.h"
#include <stdlib.h>

/* The joints of a step, bilateral ones first, as links between bodies. */
typedef struct
{
    rls_body_space *space;
    const rls_island *island;
    int count, bilateral;
    int (*body)[2];        /* links: */
    int *attach0, *attach; /* their sides by body; see rls_rows_attach */
    int *mark;             /* bodies: the last smaller body that it was found to be paired with */
    int *position;         /* bodies: the pair that both make */
} link_list;

static void lay_out_links (link_list *l, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)l->island->model.bodies, links = (size_t)l->count;
    RLS_TAKE (c, l->space->bilateral_block, links);
    RLS_TAKE (c, l->body, links);
    RLS_TAKE (c, l->attach0, bodies + 1);
    RLS_TAKE (c, l->attach, 2 * links);
    RLS_TAKE_ALL (c, bodies, int, &l->mark, &l->position);
}

static void list_links (link_list *l)
{
    const rls_island *s = l->island;
    const size_t bilateral = (size_t)l->bilateral, bounded = (size_t)(l->count - l->bilateral);
    if (bilateral > 0) memcpy (l->body, s->begin.rows.body, sizeof (*l->body) * bilateral);
    if (bounded > 0) memcpy (l->body + bilateral, s->begin.bounded.body, sizeof (*l->body) * bounded);
    l->space->bounded_block = l->space->bilateral_block + bilateral;
    rls_rows_attach (&(rls_rows){.joints = l->count, .body = l->body}, s->model.bodies, l->attach0,
                     l->attach);
    for (int b = 0; b < s->model.bodies; ++b) l->mark[b] = -1;
}

/* The body that the link at place x of those of body b couples with it, if both can move and it is the larger
 * one by its index; otherwise -1. */
static int larger_body (const link_list *l, int b, int x)
{
    const int other = l->body[l->attach[x] / 2][1 - l->attach[x] % 2];
    const unsigned char *movable = l->island->model.movable;
    return other > b && movable[b] && movable[other] ? other : -1;
}

/* Finds the block of each link.  Returns 0 if one is not among the analysed pairs, or if fewer than about two
 * thirds of these are still there. */
static int find_blocks (link_list *l)
{
    const rls_body_space *s = l->space;
    int present = 0;
    for (int i = 0; i < l->count; ++i) s->bilateral_block[i] = -1;
    for (int b = 0; b < s->bodies; ++b)
    {
        for (int q = s->pair_start[b]; q < s->pair_start[b + 1]; ++q)
            l->mark[s->pair_body[q]] = b, l->position[s->pair_body[q]] = q;
        for (int x = l->attach0[b]; x < l->attach0[b + 1]; ++x)
        {
            const int large = larger_body (l, b, x);
            if (large < 0) continue;
            if (l->mark[large] != b) return 0;
            int *q = l->position + large; /* ~q once the pair has been counted */
            if (*q >= 0) *q = ~*q, ++present;
            s->bilateral_block[l->attach[x] / 2] = s->pair_block[~*q];
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
static int list_pairs (link_list *l)
{
    rls_body_space *s = l->space;
    const rls_island *island = l->island;
    s->bodies = island->model.bodies;
    s->pairs = l->count; /* at most */
    if (!RLS_LAY_OUT (s, &s->shape, lay_out_shape)) return 0;
    memcpy (s->movable, island->model.movable, (size_t)s->bodies);
    for (int b = 0; b < s->bodies; ++b) l->mark[b] = -1;
    s->pairs = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        s->pair_start[b] = s->pairs;
        for (int x = l->attach0[b]; x < l->attach0[b + 1]; ++x)
        {
            const int large = larger_body (l, b, x);
            if (large < 0 || l->mark[large] == b) continue;
            l->mark[large] = b;
            s->pair_body[s->pairs++] = large;
        }
    }
    s->pair_start[s->bodies] = s->pairs;
    return 1;
}

/* The graph of the movable bodies in compressed columns with both triangles, as AMD takes it. */
typedef struct
{
    int n;
    int (*pair)[2], *attach0, *attach; /* pairs: their bodies, and their sides by body */
    int *start, *neighbour, *number, *order, *position, *work;
    rls_arena block;
    size_t pairs, bodies;
} body_graph;

static void lay_out_graph (body_graph *g, rls_arena_cursor *c)
{
    RLS_TAKE (c, g->pair, g->pairs);
    RLS_TAKE_ALL (c, g->bodies + 1, int, &g->attach0, &g->start);
    RLS_TAKE_ALL (c, 2 * g->pairs, int, &g->attach, &g->neighbour);
    RLS_TAKE_ALL (c, g->bodies, int, &g->number, &g->order, &g->position);
    RLS_TAKE (c, g->work, 3 * g->bodies);
}

/* Numbers the movable bodies and fills their adjacency lists. */
static void build_graph (const rls_body_space *s, body_graph *g)
{
    for (int b = 0; b < s->bodies; ++b)
        for (int q = s->pair_start[b]; q < s->pair_start[b + 1]; ++q)
            g->pair[q][0] = b, g->pair[q][1] = s->pair_body[q];
    rls_rows_attach (&(rls_rows){.joints = s->pairs, .body = g->pair}, s->bodies, g->attach0, g->attach);
    g->n = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        g->number[b] = s->movable[b] ? g->n : -1;
        if (s->movable[b]) g->start[g->n++] = g->attach0[b];
    }
    g->start[g->n] = 2 * s->pairs;
    for (int x = 0; x < 2 * s->pairs; ++x)
        g->neighbour[x] = g->number[g->pair[g->attach[x] / 2][1 - g->attach[x] % 2]];
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
    link_list l = {.space = s,
                   .island = island,
                   .count = island->begin.rows.joints + island->begin.bounded.joints,
                   .bilateral = island->begin.rows.joints};
    if (!RLS_LAY_OUT (&l, &s->links, lay_out_links)) return 0;
    list_links (&l);

    /* the structure of the last step, if all pairs are in it; otherwise a new one */
    if (s->bodies == island->model.bodies && !memcmp (s->movable, island->model.movable, (size_t)s->bodies) &&
        find_blocks (&l))
        return 1;
    ++s->versions;
    if (!list_pairs (&l) || !analyse_pairs (s))
    {
        s->bodies = -1; /* nothing to be reused */
        return 0;
    }
    for (int b = 0; b < s->bodies; ++b) l.mark[b] = -1;
    find_blocks (&l);
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
