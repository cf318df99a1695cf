/*
 * Columns of six doubles, padded to eight, as two vectors of four.  (Of one vector of eight GCC 12 makes
 * code for AVX2 that passes through memory in pieces and takes ten times as long.)
 */
#ifndef RLS_EIGHT_H
#define RLS_EIGHT_H

#include "kernels.h"

#define RLS_PADDED 8

typedef struct
{
    rls_four low, high;
} rls_eight;

RLS_INLINE void rls_eight_load (rls_eight *x, const double *p)
{
    x->low = RLS_CONST_FOUR (p), x->high = RLS_CONST_FOUR (p + RLS_LANES);
}

RLS_INLINE void rls_eight_store (double *p, const rls_eight *x)
{
    RLS_FOUR (p) = x->low, RLS_FOUR (p + RLS_LANES) = x->high;
}

/* x := f x, x += f y and x -= f y */
RLS_INLINE void rls_eight_scale (rls_eight *x, double f) { x->low *= f, x->high *= f; }
RLS_INLINE void rls_eight_add (rls_eight *x, const rls_eight *y, double f)
{
    x->low += y->low * f, x->high += y->high * f;
}
RLS_INLINE void rls_eight_subtract (rls_eight *x, const rls_eight *y, double f)
{
    x->low -= y->low * f, x->high -= y->high * f;
}

/* to -= f y, for columns in memory */
RLS_INLINE void rls_column_subtract (double *to, const double *y, double f)
{
    rls_eight x, z;
    rls_eight_load (&x, to);
    rls_eight_load (&z, y);
    rls_eight_subtract (&x, &z, f);
    rls_eight_store (to, &x);
}

/* to += f y, of which y is not in memory */
RLS_INLINE void rls_column_add (double *to, const rls_eight *y, double f)
{
    rls_eight x;
    rls_eight_load (&x, to);
    rls_eight_add (&x, y, f);
    rls_eight_store (to, &x);
}

#endif
