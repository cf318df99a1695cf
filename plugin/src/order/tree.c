/* Finds trees by a breadth-first search through the joints, from the world and then from a body of each
 * floating component; contract in tree.h. */
#include "tree.h"

typedef struct
{
    rls_tree *tree;
    const rls_rows *rows;
} walk;

static void lay_out (rls_tree *t, rls_arena_cursor *c)
{
    const size_t n = (size_t)t->nodes;
    RLS_TAKE (c, n, t->of, t->node);
    RLS_TAKE (c, n + 1, t->place);
}

/* Returns the body on a side of a joint, -1 if it is the world or cannot be pushed. */
static int body_of (const walk *w, int joint, int side)
{
    const int b = w->rows->body[joint][side];
    return b >= 0 && w->rows->movable[b] ? b : -1;
}

/* Appends a node.  Returns 0 if the body is one already: then the joints close a loop. */
static int add (walk *w, int body, int joint, int side, int up)
{
    rls_tree *t = w->tree;
    if (t->node[body] >= 0) return 0;
    t->node[body] = t->nodes;
    t->of[t->nodes++] = (rls_tree_node){body, joint, side, up, .first = 1, .leaf = 1};
    return 1;
}

/* Adds all descendants of the nodes from first on.  Returns 0 if the joints close a loop. */
static int descend (walk *w, int first)
{
    const rls_tree *t = w->tree;
    for (int k = first; k < t->nodes; ++k)
        for (int i = w->rows->attach0[t->of[k].body]; i < w->rows->attach0[t->of[k].body + 1]; ++i)
        {
            const int joint = w->rows->attach[i] / 2, there = 1 - w->rows->attach[i] % 2;
            if (joint == t->of[k].joint) continue;
            const int other = body_of (w, joint, there);
            if (other < 0 || !add (w, other, joint, there, k)) return 0;
        }
    return 1;
}

/* Adds all bodies that have joints.  Returns 0 if these form no trees. */
static int find_nodes (walk *w)
{
    const rls_tree *t = w->tree;

    /* what joints to the world hold */
    for (int j = 0; j < w->rows->joints; ++j)
    {
        const int one = body_of (w, j, 0), two = body_of (w, j, 1), first = t->nodes;
        if (one >= 0 && two >= 0) continue;
        if (one < 0 && two < 0) return 0;
        if (!add (w, one >= 0 ? one : two, j, one < 0, -1) || !descend (w, first)) return 0;
    }

    /* floating components */
    for (int b = 0; b < w->rows->bodies; ++b)
    {
        const int first = t->nodes;
        if (!w->rows->movable[b] || t->node[b] >= 0 || w->rows->attach0[b] == w->rows->attach0[b + 1])
            continue;
        if (!add (w, b, -1, 0, -1) || !descend (w, first)) return 0;
    }
    return 1;
}

/* Fills place.  Returns 0 if a joint does not hold a point (it has fewer than 3 rows), or has more than 6. */
static int find_places (rls_tree *t, const rls_rows *rows)
{
    t->place[0] = 0;
    for (int k = 0; k < t->nodes; ++k)
    {
        const int j = t->of[k].joint, m = j < 0 ? 0 : rows->row0[j + 1] - rows->row0[j];
        if (j >= 0 && (m < 3 || m > 6)) return 0;
        t->place[k + 1] = t->place[k] + rls_tree_numbers (m);
    }
    return 1;
}

int rls_tree_find (rls_tree *t, const rls_rows *rows)
{
    t->nodes = rows->bodies; /* at most */
    const int done = RLS_LAY_OUT (t, &t->block, lay_out);
    t->nodes = 0;
    if (!done) return 0;
    walk w = {t, rows};
    for (int b = 0; b < rows->bodies; ++b) t->node[b] = -1;
    if (!find_nodes (&w) || !find_places (t, rows)) t->nodes = 0;

    /* first and leaf, from the last node, which is eliminated first, to the root */
    for (int k = t->nodes - 1; k >= 0; --k)
    {
        const int up = t->of[k].up;
        if (up < 0) continue;
        t->of[k].first = t->of[up].leaf;
        t->of[up].leaf = 0;
    }
    return 1;
}
