/*
 * What of a factorisation can be done at the same time: the elimination tree, cut.
 *
 *              o  o            tops: the groups above, in which everything meets
 *            /  |   \
 *           /\  /\  /\         pieces: subtrees below them; several small ones make one piece
 *          /  \/  \/  \
 *
 * Columns of a piece reach columns of the same piece and of tops only, so pieces know nothing of each other.
 * They are numbered one piece after the other, and tops come last.
 *
 * What pieces do to tops is kept back until all are done, and then done by targets, ranges of columns of
 * tops: each takes from the groups that reach it, in their order.  The cut hangs on the tree alone, never on
 * the number of threads, and so does every sum.
 */
#ifndef RLS_SUBTREES_H
#define RLS_SUBTREES_H

#include "kernels/memory.h"

struct rls_order;

/* The columns at index[from] .. index[past - 1] of a group's list. */
typedef struct
{
    int group, from, past;
} rls_reach;

typedef struct
{
    int groups;
    int pieces;     /* at least one; where the order is too small to be cut it is all of it */
    int *piece0;    /* pieces + 1: first group; that of tops at the end */
    int *split;     /* groups: where the columns in tops begin in their lists */
    int *reaching0; /* pieces + 1: first place in reaching */
    int *reaching;  /* groups of pieces that reach tops, ascending */
    int targets;
    int *target0;     /* targets + 1: first column */
    int *reach0;      /* targets + 1: first place in reach */
    rls_reach *reach; /* what of a target groups of pieces reach, by group, ascending */
    int reaches;
    rls_block block, reach_block;
} rls_subtrees;

/* Cuts the tree of an order whose panels are placed.  sequence (groups): the order in which groups are to be
 * numbered.  1 done, 0 no memory. */
int rls_subtrees_cut (rls_subtrees *subtrees, const struct rls_order *order, int *sequence);

/* Lists what lies where, once the groups are so numbered and the panels placed again.  Returns as above. */
int rls_subtrees_list (rls_subtrees *subtrees, const struct rls_order *order);

int rls_subtrees_copy (rls_subtrees *to, const rls_subtrees *from);
void rls_subtrees_free (rls_subtrees *subtrees);

#endif
