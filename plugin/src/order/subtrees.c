/* The elimination tree, cut into subtrees of similar cost. */
#include "order.h"
#include <stdlib.h>

#define LEAST_SCALARS 1000  /* of an order that is worth cutting */
#define SMALL (1.0 / 16)    /* part of the cost that a subtree may have without being cut further */
#define TINY (1.0 / 32)     /* parts of the cost that are put together */
#define PAYING 0.8          /* what a cut moves up, over what it frees: more is not worth it */
#define SHRUNK 0.75         /* of a subtree's cost: a branch that much smaller is a reason for a cut */
#define COST_OF_SOLVES 40.0 /* multiplications that an entry of the factor costs in the solves of a step */
#define MOST_TARGETS 16
#define MOST_IN_SEPARATORS                                                                                   \
    0.5 /* part of all scalars: each subtree keeps what it does to separators, and solves add it up */

/* The tree of supernodes while it is cut. */
typedef struct
{
    int *parent, *child, *sibling; /* supernodes; -1: none */
    int *root;                     /* supernodes: the subtree's uppermost supernode, -1 in separators */
    int *bundle;                   /* supernodes that are roots: their subtree */
    double *own, *sum;             /* cost of a supernode, and of it with all that is below */
    double total;
} supernode_tree;

static double supernode_cost (const rls_order *o, int g)
{
    double cost = 0;
    for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
    {
        const double height = o->height[k] - o->top[k];
        cost += o->size[k] * height * (height + COST_OF_SOLVES);
    }
    return cost;
}

static int list_start (const rls_order *o, int g) { return o->start[o->supernode[g + 1] - 1]; }
static int list_end (const rls_order *o, int g) { return o->end[o->supernode[g + 1] - 1]; }

static void build_tree (supernode_tree *t, const rls_order *o, const int *supernode_of)
{
    t->total = 0;
    for (int g = 0; g < o->supernodes; ++g)
    {
        t->own[g] = t->sum[g] = supernode_cost (o, g);
        t->total += t->own[g];
        t->child[g] = -1;
    }
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int up = list_start (o, g) < list_end (o, g) ? supernode_of[o->index[list_start (o, g)]] : -1;
        t->parent[g] = up;
        if (up < 0) continue;
        t->sum[up] += t->sum[g];
        t->sibling[g] = t->child[up];
        t->child[up] = g;
    }
}

/* Goes down from g by the heaviest branches to where a subtree comes apart.  Returns the last supernode that
 * has to move up for that, or -1 if it does not pay. */
static int find_cut (const supernode_tree *t, int g)
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
static void cut_tree (supernode_tree *t, int supernodes)
{
    for (int g = 0; g < supernodes; ++g) t->root[g] = g;
    for (int g = supernodes - 1; g >= 0; --g)
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

/* A path has no branches to speak of: what is cut from it is all separators. */
static int is_path (const supernode_tree *t, const rls_order *o)
{
    int separators = 0;
    for (int g = 0; g < o->supernodes; ++g)
        if (t->root[g] < 0) separators += o->scalar0[o->supernode[g + 1]] - o->scalar0[o->supernode[g]];
    return separators > MOST_IN_SEPARATORS * o->scalars;
}

/* Gives every subtree a subtree, and small ones together.  Returns the number of subtrees. */
static int bundle_subtrees (supernode_tree *t, int supernodes, double *cost)
{
    int subtrees = 0;
    for (int g = 0; g < supernodes; ++g)
    {
        if (t->root[g] != g) continue;
        const int joins = subtrees > 0 && cost[subtrees - 1] + t->sum[g] <= TINY * t->total;
        if (!joins) cost[subtrees++] = 0;
        cost[subtrees - 1] += t->sum[g];
        t->bundle[g] = subtrees - 1;
    }
    return subtrees;
}

static void lay_out (rls_subtrees *s, rls_arena_cursor *c)
{
    const size_t supernodes = (size_t)s->supernodes, subtrees = (size_t)s->subtrees;
    s->subtree0 = rls_arena_take (c, subtrees + 1, sizeof (int));
    s->split = rls_arena_take (c, supernodes, sizeof (int));
    s->reaching0 = rls_arena_take (c, subtrees + 1, sizeof (int));
    s->reaching = rls_arena_take (c, supernodes, sizeof (int));
    s->target0 = rls_arena_take (c, MOST_TARGETS + 1, sizeof (int));
    s->reach0 = rls_arena_take (c, MOST_TARGETS + 1, sizeof (int));
}

static void lay_out_reaches (rls_subtrees *s, rls_arena_cursor *c)
{
    s->reach = rls_arena_take (c, (size_t)s->reaches, sizeof (rls_reach));
}

/* One subtree after the other, then separators. */
static void number_supernodes (rls_subtrees *s, const supernode_tree *t, int *sequence)
{
    for (int p = 0; p <= s->subtrees; ++p) s->subtree0[p] = 0;
    for (int g = 0; g < s->supernodes; ++g)
        if (t->root[g] >= 0) ++s->subtree0[t->bundle[t->root[g]] + 1];
    for (int p = 0; p < s->subtrees; ++p) s->subtree0[p + 1] += s->subtree0[p];
    int top = s->subtree0[s->subtrees];
    for (int g = 0; g < s->supernodes; ++g)
        sequence[t->root[g] < 0 ? top++ : s->subtree0[t->bundle[t->root[g]]]++] = g;
    for (int p = s->subtrees; p > 0; --p) s->subtree0[p] = s->subtree0[p - 1];
    s->subtree0[0] = 0;
}

static int leave_whole (rls_subtrees *s, int *sequence)
{
    int done;
    s->subtrees = 1;
    RLS_LAY_OUT (s, &s->block, lay_out, done);
    if (!done) return 0;
    for (int g = 0; g < s->supernodes; ++g) sequence[g] = g;
    s->subtree0[0] = 0, s->subtree0[1] = s->supernodes;
    return 1;
}

int rls_subtrees_cut (rls_subtrees *s, const rls_order *o, int *sequence)
{
    int done = 0;
    const size_t n = (size_t)o->supernodes;
    s->supernodes = o->supernodes;
    if (o->scalars < LEAST_SCALARS) return leave_whole (s, sequence);
    int *work = malloc (sizeof (int) * (5 * n + (size_t)o->n));
    double *costs = malloc (sizeof (double) * 3 * n);
    if (!work || !costs) goto end;
    supernode_tree tree = {work, work + n, work + 2 * n, work + 3 * n, work + 4 * n, costs, costs + n, 0};
    int *supernode_of = work + 5 * n;
    double *subtree_cost = costs + 2 * n;
    for (int g = 0; g < o->supernodes; ++g)
        for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k) supernode_of[k] = g;
    build_tree (&tree, o, supernode_of);
    cut_tree (&tree, o->supernodes);
    if (is_path (&tree, o))
    {
        done = leave_whole (s, sequence);
        goto end;
    }
    s->subtrees = bundle_subtrees (&tree, o->supernodes, subtree_cost);
    RLS_LAY_OUT (s, &s->block, lay_out, done);
    if (done) number_supernodes (s, &tree, sequence);
end:
    free (work), free (costs);
    return done;
}

/* Ranges of columns of separators, of similar area. */
static void divide_targets (rls_subtrees *s, const rls_order *o)
{
    const int first = rls_first_separator (o);
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
    const int first = rls_first_separator (o);
    int count = 0;
    for (int p = 0; p < s->subtrees; ++p)
    {
        s->reaching0[p] = count;
        for (int g = s->subtree0[p]; g < s->subtree0[p + 1]; ++g)
        {
            s->split[g] = list_start (o, g);
            while (s->split[g] < list_end (o, g) && o->index[s->split[g]] < first) ++s->split[g];
            if (s->split[g] < list_end (o, g)) s->reaching[count++] = g;
        }
    }
    s->reaching0[s->subtrees] = count;
}

/* What of every target is reached, or only how much that is. */
static void list_reaches (rls_subtrees *s, const rls_order *o, int only_count)
{
    s->reaches = 0;
    for (int t = 0; t < s->targets; ++t)
    {
        s->reach0[t] = s->reaches;
        for (int i = 0; i < s->reaching0[s->subtrees]; ++i)
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
    RLS_LAY_OUT (s, &s->reach_block, lay_out_reaches, done);
    if (done) list_reaches (s, o, 0);
    return done;
}

int rls_subtrees_copy (rls_subtrees *to, const rls_subtrees *from)
{
    const rls_subtrees own = *to;
    int done;
    *to = *from;
    to->block = own.block, to->reach_block = own.reach_block;
    RLS_LAY_OUT_COPY (to, &to->block, &from->block, lay_out, done);
    if (done) RLS_LAY_OUT_COPY (to, &to->reach_block, &from->reach_block, lay_out_reaches, done);
    return done;
}

void rls_subtrees_free (rls_subtrees *s)
{
    rls_arena_free (&s->block);
    rls_arena_free (&s->reach_block);
    *s = (rls_subtrees){0};
}
