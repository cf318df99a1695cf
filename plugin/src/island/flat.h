/*
 * Loops over whole arrays of n numbers: the six entries of all bodies one behind the other, or one for each
 * row.
 *
 * Largest values are NaN if one of the numbers is.
 */
#ifndef RLS_FLAT_H
#define RLS_FLAT_H

#include <math.h>
#include <stddef.h>

/* y += a x */
void rls_flat_add (int n, double a, const double *x, double *y);

/* out = a x, and a x + b y */
void rls_flat_scale (int n, double a, const double *x, double *out);
void rls_flat_blend (int n, double a, const double *x, double b, const double *y, double *out);

/* The sum of a[i] b[i], added up in this order. */
static inline double rls_flat_dot (int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* The largest |x| of the rows that the decisions keep; of all where decision is NULL. */
double rls_flat_largest_kept (int n, const double *x, const unsigned char *decision);

/* The largest |x|.  A call takes longer than the numbers of an island of one or two bodies do. */
static inline double rls_flat_largest (int n, const double *x)
{
    double largest = 0;
    if (n > 16) return rls_flat_largest_kept (n, x, NULL);
    for (int i = 0; i < n; ++i)
        if (!(fabs (x[i]) <= largest) && largest == largest) largest = fabs (x[i]);
    return largest;
}

/* The largest component of the velocities of bodies, linear or angular. */
static inline double rls_fastest (int bodies, const double (*v)[6])
{
    return rls_flat_largest (6 * bodies, v[0]);
}

#endif
