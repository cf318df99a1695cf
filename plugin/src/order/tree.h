/*
 * Joints that close no loop, as trees of bodies (section 3 of method.md, "Trees").
 *
 *        world ---o--- body ---o--- body          nodes: the bodies that can be pushed, each with the joint
 *                       \                         that leads to it from its parent; the world and bodies that
 *                        o--- body                cannot be pushed are one and the same, and no node
 *
 * In a tree no row depends on the others, and factor_tree.c eliminates bodies and joints together.
 */
#ifndef RLS_TREE_H
#define RLS_TREE_H

#include "kernels/rows.h"

typedef struct
{
    int body;
    int joint; /* to the parent; -1: the root of a component that floats */
    int side;  /* the side of that joint on which the body is: 0 for body 1, 1 for body 2 */
    int up;    /* node of the parent; -1: the world, or none */
    int first; /* 1 if it is the first of its parent's children that is eliminated */
    int leaf;  /* 1 if it has no children */
} rls_tree_node;

typedef struct
{
    int nodes;         /* 0: there is no tree, because joints close a loop or connect nothing that moves */
    rls_tree_node *of; /* parents come before their children */
    int *place;        /* nodes + 1: where its numbers begin in a factor */
    int *node;         /* bodies: their nodes, or -1 */
    rls_arena block;
} rls_tree;

/* Returns how many numbers a factor holds for a body on a joint of so many rows; 0 rows: a floating root. */
static inline int rls_tree_numbers (int rows)
{
    const int free = 6 - rows; /* rotations that the joint leaves free */
    return rows == 0 ? 36 : 7 + 9 * free + free * free + free * rows + 3 * (rows - 3) + 6 * rows + 1;
}

/* Finds the tree, or several, that the joints of rows form; otherwise nodes becomes 0.  Returns 1, or 0
 * without memory. */
int rls_tree_find (rls_tree *tree, const rls_rows *rows);

#endif
