/* Loops over whole arrays; contract in flat.h. */
#include "flat.h"
#include "factor/factor.h"
#include "kernels/kernels.h"
#include <limits.h>
#include <math.h>
#include <string.h>

typedef long long four_masks __attribute__ ((vector_size (32), aligned (8), may_alias));

/* largest := |x| where that is larger or no number, which as a bit pattern is larger than all numbers. */
RLS_INLINE void enlarge (rls_four *largest, const rls_four *x)
{
    const four_masks digits = {LLONG_MAX, LLONG_MAX, LLONG_MAX, LLONG_MAX}; /* all but the sign */
    const four_masks size = (four_masks)*x & digits, before = (four_masks)*largest;
    *largest = (rls_four)(before ^ ((before ^ size) & (four_masks)(size > before)));
}

/* x := x of the rows that are kept, 0 of the others. */
RLS_INLINE void keep (rls_four *x, const unsigned char *decision)
{
    static const unsigned char all_kept[RLS_LANES] = {RLS_KEPT, RLS_KEPT, RLS_KEPT, RLS_KEPT};
    if (memcmp (decision, all_kept, RLS_LANES) == 0) return;
    for (int k = 0; k < RLS_LANES; ++k)
        if (decision[k] == RLS_REDUNDANT) (*x)[k] = 0;
}

static double larger (double a, double x)
{
    x = fabs (x);
    return x > a || x != x ? x : a;
}

RLS_INLINE double largest_of (const rls_four *largest)
{
    double one = 0;
    for (int k = 0; k < RLS_LANES; ++k) one = larger (one, (*largest)[k]);
    return one;
}

RLS_VECTOR_CLONES void rls_flat_add (size_t n, double a, const double *x, double *y)
{
    size_t i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES) RLS_FOUR (y + i) += a * RLS_CONST_FOUR (x + i);
    for (; i < n; ++i) y[i] += a * x[i];
}

RLS_VECTOR_CLONES void rls_flat_scale (size_t n, double a, const double *x, double *out)
{
    size_t i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES) RLS_FOUR (out + i) = a * RLS_CONST_FOUR (x + i);
    for (; i < n; ++i) out[i] = a * x[i];
}

RLS_VECTOR_CLONES void rls_flat_blend (size_t n, double a, const double *x, double b, const double *y,
                                       double *out)
{
    size_t i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES)
        RLS_FOUR (out + i) = a * RLS_CONST_FOUR (x + i) + b * RLS_CONST_FOUR (y + i);
    for (; i < n; ++i) out[i] = a * x[i] + b * y[i];
}

RLS_VECTOR_CLONES double rls_flat_largest (size_t n, const double *x)
{
    rls_four largest = {0};
    size_t i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES)
    {
        const rls_four size = RLS_CONST_FOUR (x + i);
        enlarge (&largest, &size);
    }
    double one = largest_of (&largest);
    for (; i < n; ++i) one = larger (one, x[i]);
    return one;
}

RLS_VECTOR_CLONES double rls_flat_left (size_t n, double a, const double *y, const unsigned char *decision,
                                        double *x)
{
    rls_four largest = {0};
    size_t i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES)
    {
        rls_four left = a * RLS_CONST_FOUR (y + i) - RLS_FOUR (x + i);
        RLS_FOUR (x + i) = left;
        keep (&left, decision + i);
        enlarge (&largest, &left);
    }
    double one = largest_of (&largest);
    for (; i < n; ++i)
    {
        x[i] = a * y[i] - x[i];
        if (decision[i] != RLS_REDUNDANT) one = larger (one, x[i]);
    }
    return one;
}

RLS_VECTOR_CLONES double rls_flat_largest_kept (size_t n, const double *x, const unsigned char *decision)
{
    rls_four largest = {0};
    size_t i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES)
    {
        rls_four size = RLS_CONST_FOUR (x + i);
        keep (&size, decision + i);
        enlarge (&largest, &size);
    }
    double one = largest_of (&largest);
    for (; i < n; ++i)
        if (decision[i] != RLS_REDUNDANT) one = larger (one, x[i]);
    return one;
}
