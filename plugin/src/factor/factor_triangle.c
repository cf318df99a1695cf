/* Solves with L' alone, on one thread. */
#include "factor_blocks.h"

RLS_VECTOR_CLONES static void backward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD(m) backward_block (f, k, m, x)
    for (int g = o->supernodes - 1; g >= 0; --g)
        FOR_EACH_COLUMN_BACK (o, g, k) RLS_FOR_EACH_SIZE (k->size, BACKWARD)
}

void rls_factor_upper (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD_INSIDE(m) backward_inside (f, k, m, x)
    for (const rls_column *k = o->column; k < o->column + o->n; ++k)
        RLS_FOR_EACH_SIZE (k->size, BACKWARD_INSIDE)
    backward_blocks (f, x);
}
