/*
 * Solves with the factor: forward, diagonal, backward; with border rows by both half solves (factor_half.c),
 * of the system
 *
 *     [ A   C ] [x]   [a]        A = L D L',  Y = L^-1 C,  S = C_BB - Y' D^-1 Y  (factored densely)
 *     [ C'  . ] [z] = [b]        S z = b - Y' D^-1 L^-1 a,  x = L^-T D^-1 (L^-1 a - Y z)
 */
#include "factor_tree.h"
#include "factor_blocks.h"

#define TAKE(m) take_rows (f, rows, k, m, x, w)
#define PASS(m) forward_block (f, k, m, w), solve_inside (f, k, m, w)
#define RETURN(m) backward_block (f, k, m, w), give_rows (f, rows, k, m, w, x)

/* Solves without border rows; w (scalars in elimination order) is scratch. */
RLS_VECTOR_CLONES static void solve_sparse (const rls_factor *f, const rls_rows *rows, double *x, double *w)
{
    const rls_column *k, *const first = f->order->column, *const end = first + f->order->n;
    for (k = first; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, TAKE)
    for (k = first; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, PASS)
    for (k = end; k-- > first;) RLS_FOR_EACH_SIZE (k->size, RETURN)
}

#define BACKWARD_INSIDE(m) backward_inside (f, k, m, x)
#define BACKWARD(m) backward_block (f, k, m, x)

RLS_VECTOR_CLONES void rls_factor_upper (const rls_factor *f, double *x)
{
    const rls_column *k, *const first = f->order->column, *const end = first + f->order->n;
    for (k = first; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, BACKWARD_INSIDE)
    for (k = end; k-- > first;) RLS_FOR_EACH_SIZE (k->size, BACKWARD)
}

void rls_factor_solve (const rls_factor *f, const rls_rows *rows, double *x)
{
    if (f->tree.rows > 0)
        rls_factor_tree_solve (f, rows, x);
    else if (f->borders == 0)
        solve_sparse (f, rows, x, f->work);
    else
    {
        double *half = f->work + f->order->scalars; /* what is before it is scratch of half solves */
        rls_factor_half_of_rows (f, rows, x, half);
        rls_factor_weigh_half (f, 0, half, half);
        rls_factor_other_half (f, rows, half, x);
    }
}
