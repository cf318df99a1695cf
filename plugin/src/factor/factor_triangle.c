/*
 * Solves with L or L' alone, on one thread: border rows are vectors L^-1 a (factor_border.c), most of them 0.
 */
#include "factor_blocks.h"

/* Forward, without what is inside, for a row that reaches only what is on its path to the root. */
RLS_INLINE void forward_if_reached (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *v = x + k->scalar;
    int reached = 0;
    for (int c = 0; c < m; ++c) reached |= v[c] != 0;
    if (reached) forward_block (f, k, m, x);
}

RLS_VECTOR_CLONES static void forward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define FORWARD(m) forward_if_reached (f, k, m, x)
    for (int g = 0; g < o->groups; ++g) FOR_EACH_COLUMN (o, g, k) RLS_FOR_EACH_SIZE (k->size, FORWARD)
}

RLS_VECTOR_CLONES static void backward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD(m) backward_block (f, k, m, x)
    for (int g = o->groups - 1; g >= 0; --g)
        FOR_EACH_COLUMN_BACK (o, g, k) RLS_FOR_EACH_SIZE (k->size, BACKWARD)
}

void rls_factor_lower (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
    forward_blocks (f, x);
#define FORWARD_INSIDE(m) forward_inside (f, k, m, x)
    for (const rls_column *k = o->column; k < o->column + o->n; ++k)
        RLS_FOR_EACH_SIZE (k->size, FORWARD_INSIDE)
}

void rls_factor_upper (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD_INSIDE(m) backward_inside (f, k, m, x)
    for (const rls_column *k = o->column; k < o->column + o->n; ++k)
        RLS_FOR_EACH_SIZE (k->size, BACKWARD_INSIDE)
    backward_blocks (f, x);
}
