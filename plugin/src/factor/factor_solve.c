/*
 * Solving with the factor: forward, diagonal, border, backward.
 *
 * With border rows B the system is
 *
 *     [ A   C ] [x]   [a]        A = L D L',  Y = L^-1 C,  S = C_BB - Y' D^-1 Y  (factored densely)
 *     [ C'  . ] [z] = [b]        S z = b - Y' D^-1 L^-1 a,  x = L^-T D^-1 (L^-1 a - Y z)
 */
#include "factor_tree.h"
#include "factor_blocks.h"

/* What is inside a block once the way forward has passed it.  With border rows their part comes between. */
RLS_INLINE void pass_inside (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    if (f->borders > 0)
        forward_inside (f, k, m, x);
    else
        solve_inside (f, k, m, x);
}

RLS_INLINE void return_to (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    if (f->borders > 0) backward_inside (f, k, m, x);
    backward_block (f, k, m, x);
}

/*
 * Both ways through a run of packed columns (order.h), of which k is the first, where there are no border
 * rows. All but the ends of it stays where the rows' own values are, x, and is nowhere in elimination order,
 * w.
 */
RLS_INLINE void pass_hinges (const rls_factor *f, const rls_rows *rows, const rls_column *k, double *w,
                             double *x)
{
    const double *p = f->value + k->block, *past = p + (size_t)k->run * RLS_PACKED_VALUES (1);
    double *below = w + k[k->run - 1].target[0];
    rls_four a = RLS_FOUR (w + k->scalar), y;
    double a4 = w[k->scalar + RLS_LANES], y4;
    for (x += rows->row0[k->joint]; p < past; p += RLS_PACKED_VALUES (1), x += k->stride)
    {
        const double *next = p + RLS_PACKED_VALUES (1) < past ? x + k->stride : below;
        y = RLS_CONST_FOUR (next);
        y4 = next[RLS_LANES];
        hinge_forward (p, 0, &a, a4, &y, &y4);
        hinge_solve (p, &a, &a4);
        RLS_FOUR (x) = a;
        x[RLS_LANES] = a4;
        a = y, a4 = y4;
    }
    RLS_FOUR (below) = a;
    below[RLS_LANES] = a4;
}

RLS_INLINE void return_hinges (const rls_factor *f, const rls_rows *rows, const rls_column *k, double *w,
                               double *x)
{
    const double *begin = f->value + k->block, *p = begin + (size_t)k->run * RLS_PACKED_VALUES (1);
    const double *below = w + k[k->run - 1].target[0];
    rls_four y = RLS_CONST_FOUR (below), a;
    double y4 = below[RLS_LANES], a4;
    x += rows->row0[k->joint] + k->stride * k->run;
    while (p > begin)
    {
        p -= RLS_PACKED_VALUES (1), x -= k->stride;
        a = RLS_CONST_FOUR (x);
        a4 = x[RLS_LANES];
        hinge_backward (p, 0, &y, y4, &a, &a4);
        RLS_FOUR (x) = a;
        x[RLS_LANES] = a4;
        y = a, y4 = a4;
    }
    RLS_FOUR (w + k->scalar) = y;
    w[k->scalar + RLS_LANES] = y4;
}

RLS_INLINE void pass_packed (const rls_factor *f, const rls_column *k, const int below, double *x)
{
    packed_forward (f->value + k->block, k, below, x);
    packed_solve (f->value + k->block, x + k->scalar);
}

RLS_INLINE void return_packed (const rls_factor *f, const rls_rows *rows, const rls_column *k,
                               const int below, double *w, double *x)
{
    packed_backward (f->value + k->block, k, below, w);
    give_rows (rows, k, HINGE, w, x);
}

#define PASS_PACKED(below) pass_packed (f, k, below, w)
#define RETURN_PACKED(below) return_packed (f, rows, k, below, w, x)
#define TAKE(m) take_rows (rows, k, m, x, w)
#define PASS(m) forward_block (f, k, m, w), pass_inside (f, k, m, w)
#define RETURN(m) return_to (f, k, m, w), give_rows (rows, k, m, w, x)

/* From the rows' own values x to w (scalars in elimination order). */
RLS_VECTOR_CLONES static void forward (const rls_factor *f, const rls_rows *rows, double *x, double *w)
{
    const rls_order *o = f->order;
    const rls_column *k = o->column, *const end = k + o->n;
    const int alone = f->borders == 0;
    for (; k < end; k += alone && k->run > 0 ? k->run : 1) RLS_FOR_EACH_SIZE (k->size, TAKE)
    k = o->column;
    while (k < end)
    {
        for (; k < end && k->packed >= 0 && alone; k += k->run > 0 ? k->run : 1)
            if (k->run > 0)
                pass_hinges (f, rows, k, w, x);
            else
                RLS_FOR_EACH_PACKED (k->packed, PASS_PACKED)
        for (; k < end && !(k->packed >= 0 && alone); ++k) RLS_FOR_EACH_SIZE (k->size, PASS)
    }
}

/* And back. */
RLS_VECTOR_CLONES static void backward (const rls_factor *f, const rls_rows *rows, double *w, double *x)
{
    const rls_order *o = f->order;
    const rls_column *begin = o->column, *k = begin + o->n;
    const int alone = f->borders == 0;
    while (k > begin)
    {
        while (k > begin && k[-1].packed >= 0 && alone)
        {
            const int back = k[-1].back;
            k -= back > 0 ? back : 1;
            if (back > 0)
                return_hinges (f, rows, k, w, x);
            else
                RLS_FOR_EACH_PACKED (k->packed, RETURN_PACKED)
        }
        while (k > begin && !(k[-1].packed >= 0 && alone))
        {
            --k;
            RLS_FOR_EACH_SIZE (k->size, RETURN)
        }
    }
}

/* Right-hand side of the border rows in, their multipliers out: S z = b by the dense L D L'. */
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

RLS_VECTOR_CLONES static void scale (const rls_factor *f, double *w)
{
    for (int i = 0; i < f->order->scalars; ++i) w[i] *= f->inverse_pivot[i];
}

/* Between the ways forward and backward: the multipliers z of the border rows.  Those left out share the
 * number after them. */
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
