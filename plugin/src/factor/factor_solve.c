/*
 * Solves with the factor: forward, diagonal, border, backward.
 *
 * With border rows the system is
 *
 *     [ A   C ] [x]   [a]        A = L D L',  Y = L^-1 C,  S = C_BB - Y' D^-1 Y  (factored densely)
 *     [ C'  . ] [z] = [b]        S z = b - Y' D^-1 L^-1 a,  x = L^-T D^-1 (L^-1 a - Y z)
 */
#include "factor_tree.h"
#include "factor_blocks.h"

/* The diagonal block on the way forward: all of it, or only L^-1 if the border rows come in between. */
RLS_INLINE void pass_inside (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    if (f->borders > 0)
        forward_inside (f, k, m, x);
    else
        solve_inside (f, k, m, x);
}

/* A block on the way back. */
RLS_INLINE void return_to (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    if (f->borders > 0) backward_inside (f, k, m, x);
    backward_block (f, k, m, x);
}

#define TAKE(m) take_rows (f, rows, k, m, x, w)
#define PASS(m) forward_block (f, k, m, w), pass_inside (f, k, m, w)
#define RETURN(m) return_to (f, k, m, w), give_rows (f, rows, k, m, w, x)

/* The way forward, from x (rows) to w (scalars in elimination order). */
RLS_VECTOR_CLONES static void forward (const rls_factor *f, const rls_rows *rows, double *x, double *w)
{
    const rls_column *k, *const end = f->order->column + f->order->n;
    for (k = f->order->column; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, TAKE)
    for (k = f->order->column; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, PASS)
}

/* The way back, from w to x. */
RLS_VECTOR_CLONES static void backward (const rls_factor *f, const rls_rows *rows, double *w, double *x)
{
    for (const rls_column *k = f->order->column + f->order->n; k-- > f->order->column;)
        RLS_FOR_EACH_SIZE (k->size, RETURN)
}

#define BACKWARD_INSIDE(m) backward_inside (f, k, m, x)
#define BACKWARD(m) backward_block (f, k, m, x)

RLS_VECTOR_CLONES void rls_factor_upper (const rls_factor *f, double *x)
{
    const rls_column *k, *const first = f->order->column, *const end = first + f->order->n;
    for (k = first; k < end; ++k) RLS_FOR_EACH_SIZE (k->size, BACKWARD_INSIDE)
    for (k = end; k-- > first;) RLS_FOR_EACH_SIZE (k->size, BACKWARD)
}

/* Solves S z = b of the border rows by their dense L D L'; z replaces b. */
static void solve_dense (const rls_factor *f, double *z)
{
    const int k = f->borders;
    const double *S = f->border_ld;
    for (int a = 0; a < k; ++a)
        for (int b = a + 1; b < k; ++b) z[b] -= S[a * k + b] * z[a];
    for (int a = 0; a < k; ++a) z[a] /= S[a * k + a];
    for (int a = k - 1; a >= 0; --a)
        for (int b = a + 1; b < k; ++b) z[a] -= S[a * k + b] * z[b];
}

/* w := D^-1 w. */
RLS_VECTOR_CLONES static void scale (const rls_factor *f, double *w)
{
    for (int i = 0; i < f->order->scalars; ++i) w[i] *= f->inverse_pivot[i];
}

/* Between forward and backward: finds the multipliers z of the border rows and subtracts their part from w.
 * Rows that were left out of the border share the number behind z, which is 0. */
static void solve_border (const rls_factor *f, const double *x, double *w, double *z)
{
    scale (f, w);
    for (int a = 0; a < f->borders; ++a) z[a] = x[f->border_row[a]];
    z[f->borders] = 0;
    rls_reach_subtract_rows (f, w, z);
    solve_dense (f, z);
    z[f->borders] = 0;
    rls_reach_subtract (f, z, w);
}

void rls_factor_solve (const rls_factor *f, const rls_rows *rows, double *x)
{
    if (f->tree.rows > 0)
    {
        rls_factor_tree_solve (f, rows, x);
        return;
    }
    double *w = f->work, *z = w + f->order->scalars;
    forward (f, rows, x, w);
    if (f->borders > 0) solve_border (f, x, w, z);
    backward (f, rows, w, x);
    for (int a = 0; a < f->borders; ++a) x[f->border_row[a]] = z[a];
}
