/*
 * What every sparse factor here begins with, of joints (order.h) and of bodies (bounded/body_space.h): an
 * order of elimination that keeps it sparse, and the block rows of its columns.
 *
 * Those are the column's own neighbours that come later and the rows of its children in the elimination tree;
 * the first of them is its parent.
 */
#ifndef RLS_COLUMNS_H
#define RLS_COLUMNS_H

typedef struct
{
    int *mark, *first_child, *sibling; /* columns */
} rls_column_tree;

/* perm (n): the nodes of a graph in compressed columns, both triangles, in the order of AMD (Amestoy, Davis &
 * Duff).  Neighbours may be unsorted and named twice.  Returns 0 when memory is short. */
int rls_order_sparsely (int n, const int *start, const int *neighbour, int *perm);

/* A tree of so many columns; work: 3 x columns. */
rls_column_tree rls_column_tree_begin (int columns, int *work);

/*
 * Column k after those before it: rows := its block rows, ascending, at most as many as columns come after
 * it. neighbour: its own, as nodes; position: columns of nodes.  Block rows of earlier columns are
 * index[start]
 * .. index[end - 1].  Returns how many.
 */
int rls_column_rows (rls_column_tree *tree, int k, const int *neighbour, int neighbours, const int *position,
                     const int *start, const int *end, const int *index, int *rows);

/* Compares positions, for sorts and searches. */
static inline int rls_ascending (const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

#endif
