/*
 * Body space: which bodies are coupled, the elimination order, and the structure of the factor.  Everything
 * here is bookkeeping by index; body_matrix.c and body_factor.c have the numbers.
 */
#include "body_space.h"
#include "order/columns.h"
#include <stdlib.h>

static void lay_out_links (rls_body_space *s, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)s->linked, links = (size_t)s->links;
    RLS_TAKE (c, links, s->bilateral_block, s->link);
    RLS_TAKE (c, bodies + 1, s->attach0);
    RLS_TAKE (c, 2 * links, s->attach);
    RLS_TAKE (c, bodies, s->mark, s->position);
}

/* Lists the links of the step.  Returns 1, or 0 without memory. */
static int list_links (rls_body_space *s, const rls_island *island)
{
    const rls_rows *rows = &island->begin.rows;
    const rls_bounded *b = &island->begin.bounded;
    s->linked = island->model.bodies, s->links = rows->joints + b->joints;
    if (!RLS_LAY_OUT (s, &s->link_block, lay_out_links)) return 0;
    if (rows->joints > 0) memcpy (s->link, rows->body, sizeof (*s->link) * (size_t)rows->joints);
    if (b->joints > 0) memcpy (s->link + rows->joints, b->body, sizeof (*s->link) * (size_t)b->joints);
    s->bounded_block = s->bilateral_block + rows->joints;
    rls_rows_attach (&(rls_rows){.joints = s->links, .body = s->link}, s->linked, s->attach0, s->attach);
    for (int i = 0; i < s->linked; ++i) s->mark[i] = -1;
    return 1;
}

/* The body that the link at place x of those of body b couples with it, if both can move and it is the larger
 * one by its index; otherwise -1. */
static int larger_body (const rls_body_space *s, const unsigned char *movable, int b, int x)
{
    const int other = s->link[s->attach[x] / 2][1 - s->attach[x] % 2];
    return other > b && movable[b] && movable[other] ? other : -1;
}

/* Finds the block of each link.  Returns 0 if one is not among the analysed pairs, or if fewer than about two
 * thirds of these are still there. */
static int find_blocks (rls_body_space *s)
{
    int present = 0;
    for (int i = 0; i < s->links; ++i) s->bilateral_block[i] = -1;
    for (int b = 0; b < s->bodies; ++b)
    {
        for (int q = s->pair_start[b]; q < s->pair_start[b + 1]; ++q)
            s->mark[s->pair_body[q]] = b, s->position[s->pair_body[q]] = q;
        for (int x = s->attach0[b]; x < s->attach0[b + 1]; ++x)
        {
            const int large = larger_body (s, s->movable, b, x);
            if (large < 0) continue;
            if (s->mark[large] != b) return 0;
            int *q = s->position + large; /* ~q once the pair has been counted */
            if (*q >= 0) *q = ~*q, ++present;
            s->bilateral_block[s->attach[x] / 2] = s->pair_block[~*q];
        }
    }
    return 2 * s->pairs <= 3 * present + 16;
}

static void lay_out_shape (rls_body_space *s, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)s->bodies;
    RLS_TAKE (c, bodies, s->movable, s->column, s->body);
    RLS_TAKE (c, (size_t)s->pairs, s->pair_body, s->pair_block);
    RLS_TAKE (c, bodies + 1, s->pair_start, s->start);
}

/* Lists the pairs of bodies of this step's links, each once.  Returns 1, or 0 without memory. */
static int list_pairs (rls_body_space *s, const rls_island *island)
{
    s->bodies = island->model.bodies;
    s->pairs = s->links; /* at most */
    if (!RLS_LAY_OUT (s, &s->shape, lay_out_shape)) return 0;
    memcpy (s->movable, island->model.movable, (size_t)s->bodies);
    for (int b = 0; b < s->bodies; ++b) s->mark[b] = -1;
    s->pairs = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        s->pair_start[b] = s->pairs;
        for (int x = s->attach0[b]; x < s->attach0[b + 1]; ++x)
        {
            const int large = larger_body (s, s->movable, b, x);
            if (large < 0 || s->mark[large] == b) continue;
            s->mark[large] = b;
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
    RLS_TAKE (c, g->pairs, g->pair);
    RLS_TAKE (c, g->bodies + 1, g->attach0, g->start);
    RLS_TAKE (c, 2 * g->pairs, g->attach, g->neighbour);
    RLS_TAKE (c, g->bodies, g->number, g->order, g->position);
    RLS_TAKE (c, 3 * g->bodies, g->work);
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
    RLS_TAKE (c, (size_t)s->start[s->columns], s->index);
    RLS_TAKE (c, s->targets, s->target);
}

static void lay_out_values (rls_body_space *s, rls_arena_cursor *c)
{
    const size_t columns = (size_t)s->columns, blocks = (size_t)s->start[s->columns];
    RLS_TAKE (c, columns, s->mass, s->inertia, s->diagonal, s->kept_diagonal, s->inverse_lower,
              s->inverse_upper, s->reciprocal, s->solution);
    RLS_TAKE (c, blocks, s->below, s->right, s->kept_below);
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
    if (!list_links (s, island)) return 0;

    /* the structure of the last step, if all pairs are in it; otherwise a new one */
    if (s->bodies == s->linked && !memcmp (s->movable, island->model.movable, (size_t)s->bodies) &&
        find_blocks (s))
        return 1;
    ++s->versions;
    if (!list_pairs (s, island) || !analyse_pairs (s))
    {
        s->bodies = -1; /* nothing to be reused */
        return 0;
    }
    for (int b = 0; b < s->bodies; ++b) s->mark[b] = -1;
    find_blocks (s);
    return 1;
}
