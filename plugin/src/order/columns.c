/* Elimination order and block rows of sparse factors; contract in columns.h. */
#include "columns.h"
#include <stdlib.h>
#include <suitesparse/amd.h>

int rls_order_sparsely (int n, const int *start, const int *neighbour, int *perm)
{
    if (n == 0) return 1;
    const int status = amd_order (n, start, neighbour, perm, NULL, NULL);
    return status == AMD_OK || status == AMD_OK_BUT_JUMBLED;
}

rls_column_tree rls_column_tree_begin (int columns, int *work)
{
    const rls_column_tree tree = {work, work + columns, work + 2 * columns};
    for (int k = 0; k < columns; ++k) tree.mark[k] = tree.first_child[k] = -1;
    return tree;
}

static int ascending (const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int rls_column_rows (rls_column_tree *t, int k, const int *neighbour, int neighbours, const int *position,
                     const int *start, const int *end, const int *index, int *rows)
{
    int length = 0;
    t->mark[k] = k;

    /* its own neighbours, then the rows of its children, each once */
    for (int x = 0; x < neighbours; ++x)
    {
        const int i = position[neighbour[x]];
        if (i > k && t->mark[i] != k) t->mark[i] = k, rows[length++] = i;
    }
    for (int child = t->first_child[k]; child >= 0; child = t->sibling[child])
        for (int x = start[child]; x < end[child]; ++x)
            if (t->mark[index[x]] != k) t->mark[index[x]] = k, rows[length++] = index[x];

    /* the first row is the parent, among whose children it is listed */
    qsort (rows, (size_t)length, sizeof (int), ascending);
    if (length > 0) t->sibling[k] = t->first_child[rows[0]], t->first_child[rows[0]] = k;
    return length;
}
