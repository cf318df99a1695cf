/* Loops over whole arrays.  The contract is in flat.h. */
#include "flat.h"
#include "factor/factor.h"
#include <limits.h>

typedef long long four_masks __attribute__ ((vector_size (32), aligned (8), may_alias));

/* largest := |x| in lanes where that is larger or NaN.  As a bit pattern, NaN is larger than all numbers. */
RLS_INLINE void enlarge (rls_four *largest, const rls_four *x)
{
    const four_masks digits = {LLONG_MAX, LLONG_MAX, LLONG_MAX, LLONG_MAX}; /* all but the sign */
    const four_masks size = (four_masks)*x & digits, before = (four_masks)*largest;
    *largest = (rls_four)(before ^ ((before ^ size) & (four_masks)(size > before)));
}

/* Sets x to 0 in lanes of redundant rows. */
RLS_INLINE void keep (rls_four *x, const unsigned char *decision)
{
    static const unsigned char all_kept[RLS_LANES] = {RLS_KEPT, RLS_KEPT, RLS_KEPT, RLS_KEPT};
    if (memcmp (decision, all_kept, RLS_LANES) == 0) return;
    for (int k = 0; k < RLS_LANES; ++k)
        if (decision[k] == RLS_REDUNDANT) (*x)[k] = 0;
}

/* The larger of a and |x|; NaN if x is NaN. */
static double larger (double a, double x)
{
    x = fabs (x);
    return x > a || x != x ? x : a;
}

RLS_VECTOR_CLONES void rls_flat_add (int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

RLS_VECTOR_CLONES void rls_flat_scale (int n, double a, const double *x, double *out)
{
    for (int i = 0; i < n; ++i) out[i] = a * x[i];
}

RLS_VECTOR_CLONES void rls_flat_blend (int n, double a, const double *x, double b, const double *y,
                                       double *out)
{
    for (int i = 0; i < n; ++i) out[i] = a * x[i] + b * y[i];
}

RLS_VECTOR_CLONES double rls_flat_largest_kept (int n, const double *x, const unsigned char *decision)
{
    rls_four largest = {0};
    double one = 0;
    int i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES)
    {
        rls_four size = RLS_CONST_FOUR (x + i);
        if (decision) keep (&size, decision + i);
        enlarge (&largest, &size);
    }
    for (int k = 0; k < RLS_LANES; ++k) one = larger (one, largest[k]);
    for (; i < n; ++i)
        if (!decision || decision[i] != RLS_REDUNDANT) one = larger (one, x[i]);
    return one;
}
