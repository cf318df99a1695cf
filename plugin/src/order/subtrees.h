/*
 * What of a factorisation can be done at the same time: the elimination tree, cut.
 *
 *              o  o            separators: the supernodes above, in which everything meets
 *            /  |   \
 *           /\  /\  /\         subtrees: subtrees below them; several small ones make one subtree
 *          /  \/  \/  \
 *
 * Columns of a subtree reach columns of the same subtree and of separators only, so subtrees know nothing of each other.
 * They are numbered one subtree after the other, and separators come last.
 *
 * What subtrees do to separators is kept back until all are done, and then done by targets, ranges of columns of
 * separators: each takes from the supernodes that reach it, in their order.  The cut hangs on the tree alone, never on
 * the number of threads, and so does every sum.
 */
#ifndef RLS_SUBTREES_H
#define RLS_SUBTREES_H

#include "kernels/arena.h"

struct rls_order;

/* The columns at index[from] .. index[past - 1] of a supernode's list. */
typedef struct
{
    int supernode, from, past;
} rls_reach;

typedef struct
{
    int supernodes;
    int subtrees;   /* at least one; where the order is too small to be cut it is all of it */
    int *subtree0;  /* subtrees + 1: first supernode; that of separators at the end */
    int *split;     /* supernodes: where the columns in separators begin in their lists */
    int *reaching0; /* subtrees + 1: first place in reaching */
    int *reaching;  /* supernodes of subtrees that reach separators, ascending */
    int targets;
    int *target0;     /* targets + 1: first column */
    int *reach0;      /* targets + 1: first place in reach */
    rls_reach *reach; /* what of a target supernodes of subtrees reach, by supernode, ascending */
    int reaches;
    rls_arena block, reach_block;
} rls_subtrees;

/* Cuts the tree of an order whose panels are placed.  sequence (supernodes): the order in which supernodes
 * are to be numbered.  1 done, 0 no memory. */
int rls_subtrees_cut (rls_subtrees *subtrees, const struct rls_order *order, int *sequence);

/* Lists what lies where, once the supernodes are so numbered and the panels placed again.  Returns as above.
 */
int rls_subtrees_list (rls_subtrees *subtrees, const struct rls_order *order);

int rls_subtrees_copy (rls_subtrees *to, const rls_subtrees *from);
void rls_subtrees_free (rls_subtrees *subtrees);

#endif
