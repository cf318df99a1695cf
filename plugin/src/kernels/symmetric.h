/* Small dense systems with a symmetric positive semidefinite matrix, A = L D L'. */
#ifndef RLS_SYMMETRIC_H
#define RLS_SYMMETRIC_H

/* Factors A (n x n), of which the lower triangle is read: L below the diagonal, D on it.  Where a pivot is
 * rounding beside what it was, its unknown depends on those before it, and becomes 0 in all solutions.
 * Returns how many are. */
int rls_symmetric_factor (int n, double *A);

/* x := A^-1 x, with the factor. */
void rls_symmetric_solve (int n, const double *factor, double *x);

#endif
