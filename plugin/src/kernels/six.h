/* Vectors of six (velocity of a body, one side of a row, column of a block) as three pairs of doubles, which
 * every 64-bit machine has; written out because compilers do not find them by themselves. */
#ifndef RLS_SIX_H
#define RLS_SIX_H

typedef double rls_pair __attribute__ ((vector_size (16), aligned (8)));
typedef struct
{
    rls_pair a, b, c;
} rls_six;

static inline rls_six rls_six_load (const double *p)
{
    return (rls_six){*(const rls_pair *)(const void *)p, *(const rls_pair *)(const void *)(p + 2),
                     *(const rls_pair *)(const void *)(p + 4)};
}

static inline void rls_six_store (double *p, rls_six x)
{
    *(rls_pair *)(void *)p = x.a;
    *(rls_pair *)(void *)(p + 2) = x.b;
    *(rls_pair *)(void *)(p + 4) = x.c;
}

/* Return x + y f and x - y f. */
static inline rls_six rls_six_add (rls_six x, rls_six y, double f)
{
    return (rls_six){x.a + y.a * f, x.b + y.b * f, x.c + y.c * f};
}
static inline rls_six rls_six_subtract (rls_six x, rls_six y, double f)
{
    return (rls_six){x.a - y.a * f, x.b - y.b * f, x.c - y.c * f};
}

static inline double rls_six_dot (rls_six x, rls_six y)
{
    const rls_pair s = x.a * y.a + x.b * y.b + x.c * y.c;
    return s[0] + s[1];
}

#endif
