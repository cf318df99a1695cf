/*
 * Joints that form a tree.
 *
 *        world ---o--- body ---o--- body          nodes: the bodies that can be pushed, each with the joint
 *                       \                         that leads to it from its parent; the world and bodies that
 *                        o--- body                cannot be pushed are one and the same, and no node
 *
 * In a tree no row depends on other rows, and factor_tree.c eliminates bodies and joints together.
 */
#ifndef RLS_TREE_H
#define RLS_TREE_H

#include "kernels/rows.h"

typedef struct
{
    int nodes;  /* 0: the joints close a loop, or hold what cannot move */
    int *body;  /* nodes: parents before their children */
    int *joint; /* from its parent; -1: the root of a component that nothing holds */
    int *side;  /* on which of the joint the body is: 0 for body 1, 1 for body 2 */
    int *up;    /* node of the parent; -1: none */
    int *first; /* 1: of its parent's children, the first on the way up */
    int *leaf;  /* 1: nobody's parent */
    int *place; /* nodes + 1: where its numbers begin in a factor */
    int *end;   /* of a component's first node: the one after its last */
    int *node;  /* bodies: their nodes, or -1 */
    rls_arena block;
} rls_tree;

/* How many numbers a factor has for a body on a joint of so many rows; 0 rows: for a root that nothing holds.
 */
static inline int rls_tree_numbers (int rows)
{
    const int free = 6 - rows; /* rotations that the joint leaves */
    return rows == 0 ? 36 : 7 + 9 * free + free * free + free * rows + 3 * (rows - 3) + 6 * rows + 1;
}

/* Finds the tree, if the joints of rows are one or several.  1 done, 0 no memory. */
int rls_tree_find (rls_tree *tree, const rls_rows *rows);

#endif
