/*
 * Elimination order and block rows of a sparse factor, for the factor of joints (order.h) and that of bodies
 * (bounded/body_space.h).
 *
 * The block rows of a column are its own neighbours that come later, and the block rows of its children in
 * the elimination tree; the first of them is its parent (Davis, Direct Methods for Sparse Linear Systems,
 * chapter 4).
 */
#ifndef RLS_COLUMNS_H
#define RLS_COLUMNS_H

/* The elimination tree as it grows: lists of the children of each column, and marks. */
typedef struct
{
    int *mark, *first_child, *sibling; /* columns */
} rls_column_tree;

/* Computes an order that keeps the factor sparse, by AMD (Amestoy, Davis & Duff, approximate minimum degree).
 * perm (n): the nodes in that order.  The graph is given in compressed columns (start: n + 1), each edge in
 * both columns; neighbours may be unsorted and occur twice.  Returns 1, or 0 without memory. */
int rls_order_sparsely (int n, const int *start, const int *neighbour, int *perm);

/* Returns an empty tree for so many columns; work: 3 x columns. */
rls_column_tree rls_column_tree_begin (int columns, int *work);

/*
 * Computes the block rows of column k, after those of all columns before it: rows (as many as columns come
 * after k), ascending.  neighbour: the nodes that its node is coupled with; position: the columns of nodes;
 * block rows of an earlier column c are index[start[c]] .. index[end[c] - 1].  Returns their number.
 */
int rls_column_rows (rls_column_tree *tree, int k, const int *neighbour, int neighbours, const int *position,
                     const int *start, const int *end, const int *index, int *rows);

#endif
