/*
 * The inverse of a small dense matrix, kept up to date as rows and columns come and go.
 *
 * Each change costs the square of the size.  Vectors passed have room for the whole length, and whatever is
 * behind the size is not looked at.
 */
#ifndef RLS_DENSE_INVERSE_H
#define RLS_DENSE_INVERSE_H

#include "kernels/arena.h"

typedef struct
{
    int size, most;  /* at present, at most */
    int length;      /* of a column: most, rounded up for vector units */
    double *V;       /* most columns; zeros below the size */
    double *y, *z;   /* scratch: columns */
    int *exchanged;  /* columns */
    int *natural;    /* columns: 0, 1, 2, ... */
    double products; /* of numbers, that everything has cost so far */
} rls_inverse;

void rls_inverse_lay_out (rls_inverse *v, rls_arena_cursor *c, int most);

/* Inverts the matrix of so many columns that V holds; measure (rows) makes rows comparable when pivots are
 * chosen. 1 done, 0 it is singular. */
int rls_inverse_form (rls_inverse *v, int size, const double *measure);

/* A column and a row are appended, the last column replaces that at a place with its row, a column gets
 * something added.  1 done, 0 the matrix would be singular, and the inverse has to be formed anew. */
int rls_inverse_append (rls_inverse *v, const double *column, const double *row, double corner);
int rls_inverse_remove (rls_inverse *v, int place);
int rls_inverse_change (rls_inverse *v, int place, const double *column);

/* y (rows, in whole eights, as A is) := x[0] times column which[0] of A, and so on for count of them. */
void rls_combine_columns (const double *A, int length, int rows, int count, const int *which, const double *x,
                          double *y);

/* y = V x */
void rls_inverse_multiply (rls_inverse *v, const double *x, double *y);

#endif
