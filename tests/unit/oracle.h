/*
 * The oracle: dense, slow and obvious linear algebra that the sparse core is tested against.
 *
 * Rank, pseudo-inverse and null space all come from one singular value decomposition by one-sided Jacobi
 * rotations, which share no idea with the factorisation under test.  Memory that runs out ends the test.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stddef.h>
#include <stdint.h>

/* ---- dense matrices, row by row ---- */

typedef struct
{
    int rows, columns;
    double *at;
} oracle_matrix;

static inline double *oracle_row (const oracle_matrix *m, int row)
{
    return m->at + (size_t)row * (size_t)m->columns;
}

void *oracle_allocate (size_t count, size_t element); /* zeroed, never NULL */
oracle_matrix oracle_zeros (int rows, int columns);
oracle_matrix oracle_transposed (const oracle_matrix *a);
oracle_matrix oracle_product (const oracle_matrix *a, const oracle_matrix *b); /* A B */
void oracle_free (oracle_matrix *m);
void oracle_multiply (const oracle_matrix *a, const double *x, double *out); /* out = A x, out not x */

/* A = U diag (s) V' with s descending; V is square, so its columns span all of A's domain.  U has a zero
 * column where s is 0. */
typedef struct
{
    oracle_matrix U, V;
    double *s; /* A's columns many */
} oracle_svd;

oracle_svd oracle_decompose (const oracle_matrix *a);
void oracle_svd_free (oracle_svd *svd);

/* Singular values above tolerance times the largest. */
int oracle_rank (const oracle_svd *svd, double tolerance);

/* x = A^+ b: the least-squares solution of least norm, A taken to be of the given rank. */
void oracle_pseudo_solve (const oracle_svd *svd, int rank, const double *b, double *x);

/* Takes from x its part in the span of V's columns from first on: with first = rank, its part in A's null
 * space. */
void oracle_remove_span (const oracle_svd *svd, int first, double *x);

/* ---- reproducible random numbers ---- */

typedef struct
{
    uint64_t state;
} oracle_random;

double oracle_uniform (oracle_random *random, double low, double high);
int oracle_index (oracle_random *random, int count); /* 0 .. count - 1 */

#endif
