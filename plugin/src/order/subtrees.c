/* The elimination tree, cut into pieces of similar cost. */
#include "order.h"
#include <stdlib.h>

#define LEAST_SCALARS 1000  /* of an order that is worth cutting */
#define SMALL (1.0 / 16)    /* part of the cost that a piece may have without being cut further */
#define TINY (1.0 / 32)     /* parts of the cost that are put together */
#define PAYING 0.8          /* what a cut moves up, over what it frees: more is not worth it */
#define SHRUNK 0.75         /* of a subtree's cost: a branch that much smaller is a reason for a cut */
#define COST_OF_SOLVES 40.0 /* multiplications that an entry of the factor costs in the solves of a step */
#define MOST_TARGETS 16
#define MOST_TOPS 0.5 /* part of all scalars: each piece keeps what it does to tops, and solves add it up */

/* The tree of groups while it is cut. */
typedef struct
{
    int *parent, *child, *sibling; /* groups; -1: none */
    int *root;                     /* groups: the subtree's uppermost group, -1 in tops */
    int *bundle;                   /* groups that are roots: their piece */
    double *own, *sum;             /* cost of a group, and of it with all that is below */
    double total;
} group_tree;

static double group_cost (const rls_order *o, int g)
{
    double cost = 0;
    for (int k = o->group[g]; k < o->group[g + 1]; ++k)
    {
        const double height = o->height[k] - o->top[k];
        cost += o->size[k] * height * (height + COST_OF_SOLVES);
    }
    return cost;
}

static int list_start (const rls_order *o, int g) { return o->start[o->group[g + 1] - 1]; }
static int list_end (const rls_order *o, int g) { return o->end[o->group[g + 1] - 1]; }

static void build_tree (group_tree *t, const rls_order *o, const int *group_of)
{
    t->total = 0;
    for (int g = 0; g < o->groups; ++g)
    {
        t->own[g] = t->sum[g] = group_cost (o, g);
        t->total += t->own[g];
        t->child[g] = -1;
    }
    for (int g = 0; g < o->groups; ++g)
    {
        const int up = list_start (o, g) < list_end (o, g) ? group_of[o->index[list_start (o, g)]] : -1;
        t->parent[g] = up;
        if (up < 0) continue;
        t->sum[up] += t->sum[g];
        t->sibling[g] = t->child[up];
        t->child[up] = g;
    }
}

/* Goes down from g by the heaviest branches to where a subtree comes apart.  Returns the last group that has
 * to move up for that, or -1 if it does not pay. */
static int find_cut (const group_tree *t, int g)
{
    double moved = 0;
    for (int down = g;;)
    {
        int heaviest = -1;
        for (int c = t->child[down]; c >= 0; c = t->sibling[c])
            if (heaviest < 0 || t->sum[c] > t->sum[heaviest]) heaviest = c;
        moved += t->own[down];
        const double left = heaviest < 0 ? 0 : t->sum[heaviest];
        if (left <= SHRUNK * t->sum[g]) return moved <= PAYING * (t->sum[g] - left) ? down : -1;
        down = heaviest;
    }
}

/* Fills root. */
static void cut_tree (group_tree *t, int groups)
{
    for (int g = 0; g < groups; ++g) t->root[g] = g;
    for (int g = groups - 1; g >= 0; --g)
    {
        const int up = t->parent[g];
        if (t->root[g] < 0) continue;
        if (up >= 0 && t->root[up] >= 0)
        {
            t->root[g] = t->root[up];
            continue;
        }
        const int last = t->sum[g] > SMALL * t->total ? find_cut (t, g) : -1;
        for (int down = last; down >= 0; down = down == g ? -1 : t->parent[down]) t->root[down] = -1;
    }
}

/* A path has no branches to speak of: what is cut from it is all tops. */
static int is_path (const group_tree *t, const rls_order *o)
{
    int tops = 0;
    for (int g = 0; g < o->groups; ++g)
        if (t->root[g] < 0) tops += o->scalar0[o->group[g + 1]] - o->scalar0[o->group[g]];
    return tops > MOST_TOPS * o->scalars;
}

/* Gives every subtree a piece, and small ones together.  Returns the number of pieces. */
static int bundle_subtrees (group_tree *t, int groups, double *cost)
{
    int pieces = 0;
    for (int g = 0; g < groups; ++g)
    {
        if (t->root[g] != g) continue;
        const int joins = pieces > 0 && cost[pieces - 1] + t->sum[g] <= TINY * t->total;
        if (!joins) cost[pieces++] = 0;
        cost[pieces - 1] += t->sum[g];
        t->bundle[g] = pieces - 1;
    }
    return pieces;
}

static void carve (rls_subtrees *s, rls_carver *c)
{
    const size_t groups = (size_t)s->groups, pieces = (size_t)s->pieces;
    s->piece0 = rls_carve (c, pieces + 1, sizeof (int));
    s->split = rls_carve (c, groups, sizeof (int));
    s->reaching0 = rls_carve (c, pieces + 1, sizeof (int));
    s->reaching = rls_carve (c, groups, sizeof (int));
    s->target0 = rls_carve (c, MOST_TARGETS + 1, sizeof (int));
    s->reach0 = rls_carve (c, MOST_TARGETS + 1, sizeof (int));
}

static void carve_reaches (rls_subtrees *s, rls_carver *c)
{
    s->reach = rls_carve (c, (size_t)s->reaches, sizeof (rls_reach));
}

/* One piece after the other, then tops. */
static void number_groups (rls_subtrees *s, const group_tree *t, int *sequence)
{
    for (int p = 0; p <= s->pieces; ++p) s->piece0[p] = 0;
    for (int g = 0; g < s->groups; ++g)
        if (t->root[g] >= 0) ++s->piece0[t->bundle[t->root[g]] + 1];
    for (int p = 0; p < s->pieces; ++p) s->piece0[p + 1] += s->piece0[p];
    int top = s->piece0[s->pieces];
    for (int g = 0; g < s->groups; ++g)
        sequence[t->root[g] < 0 ? top++ : s->piece0[t->bundle[t->root[g]]]++] = g;
    for (int p = s->pieces; p > 0; --p) s->piece0[p] = s->piece0[p - 1];
    s->piece0[0] = 0;
}

static int leave_whole (rls_subtrees *s, int *sequence)
{
    int done;
    s->pieces = 1;
    RLS_LAY_OUT (s, &s->block, carve, done);
    if (!done) return 0;
    for (int g = 0; g < s->groups; ++g) sequence[g] = g;
    s->piece0[0] = 0, s->piece0[1] = s->groups;
    return 1;
}

int rls_subtrees_cut (rls_subtrees *s, const rls_order *o, int *sequence)
{
    int done = 0;
    const size_t n = (size_t)o->groups;
    s->groups = o->groups;
    if (o->scalars < LEAST_SCALARS) return leave_whole (s, sequence);
    int *work = malloc (sizeof (int) * (5 * n + (size_t)o->n));
    double *costs = malloc (sizeof (double) * 3 * n);
    if (!work || !costs) goto end;
    group_tree tree = {work, work + n, work + 2 * n, work + 3 * n, work + 4 * n, costs, costs + n, 0};
    int *group_of = work + 5 * n;
    double *piece_cost = costs + 2 * n;
    for (int g = 0; g < o->groups; ++g)
        for (int k = o->group[g]; k < o->group[g + 1]; ++k) group_of[k] = g;
    build_tree (&tree, o, group_of);
    cut_tree (&tree, o->groups);
    if (is_path (&tree, o))
    {
        done = leave_whole (s, sequence);
        goto end;
    }
    s->pieces = bundle_subtrees (&tree, o->groups, piece_cost);
    RLS_LAY_OUT (s, &s->block, carve, done);
    if (done) number_groups (s, &tree, sequence);
end:
    free (work), free (costs);
    return done;
}

/* Ranges of columns of tops, of similar area. */
static void divide_targets (rls_subtrees *s, const rls_order *o)
{
    const int first = rls_first_top (o);
    const double area = (double)(o->panel[o->n] - o->panel[first]);
    s->targets = 0;
    for (int k = first; k < o->n; ++k)
        if ((double)(o->panel[k] - o->panel[first]) * MOST_TARGETS >= area * s->targets &&
            s->targets < MOST_TARGETS)
            s->target0[s->targets++] = k;
    s->target0[s->targets] = o->n;
}

static void list_reaching (rls_subtrees *s, const rls_order *o)
{
    const int first = rls_first_top (o);
    int count = 0;
    for (int p = 0; p < s->pieces; ++p)
    {
        s->reaching0[p] = count;
        for (int g = s->piece0[p]; g < s->piece0[p + 1]; ++g)
        {
            s->split[g] = list_start (o, g);
            while (s->split[g] < list_end (o, g) && o->index[s->split[g]] < first) ++s->split[g];
            if (s->split[g] < list_end (o, g)) s->reaching[count++] = g;
        }
    }
    s->reaching0[s->pieces] = count;
}

/* What of every target is reached, or only how much that is. */
static void list_reaches (rls_subtrees *s, const rls_order *o, int only_count)
{
    s->reaches = 0;
    for (int t = 0; t < s->targets; ++t)
    {
        s->reach0[t] = s->reaches;
        for (int i = 0; i < s->reaching0[s->pieces]; ++i)
        {
            const int g = s->reaching[i];
            int from = s->split[g], past = list_end (o, g);
            while (from < past && o->index[from] < s->target0[t]) ++from;
            while (past > from && o->index[past - 1] >= s->target0[t + 1]) --past;
            if (from < past && !only_count) s->reach[s->reaches] = (rls_reach){g, from, past};
            s->reaches += from < past;
        }
    }
    s->reach0[s->targets] = s->reaches;
}

int rls_subtrees_list (rls_subtrees *s, const rls_order *o)
{
    int done;
    divide_targets (s, o);
    list_reaching (s, o);
    list_reaches (s, o, 1);
    RLS_LAY_OUT (s, &s->reach_block, carve_reaches, done);
    if (done) list_reaches (s, o, 0);
    return done;
}

int rls_subtrees_copy (rls_subtrees *to, const rls_subtrees *from)
{
    const rls_subtrees own = *to;
    int done;
    *to = *from;
    to->block = own.block, to->reach_block = own.reach_block;
    RLS_LAY_OUT_COPY (to, &to->block, &from->block, carve, done);
    if (done) RLS_LAY_OUT_COPY (to, &to->reach_block, &from->reach_block, carve_reaches, done);
    return done;
}

void rls_subtrees_free (rls_subtrees *s)
{
    rls_block_free (&s->block);
    rls_block_free (&s->reach_block);
    *s = (rls_subtrees){0};
}
