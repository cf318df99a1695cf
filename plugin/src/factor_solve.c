/*
 * Solving with the factor: forward, diagonal, border, backward.
 *
 * With border rows B the system is
 *
 *     [ A   C ] [x]   [a]        A = L D L',  Y = L^-1 C,  S = C_BB - Y' D^-1 Y  (factored densely)
 *     [ C'  . ] [z] = [b]        S z = b - Y' D^-1 L^-1 a,  x = L^-T D^-1 (L^-1 a - Y z)
 */
#include "factor_parts.h"
#include "kernels.h"

/* The run of consecutive positions among the blocks below column k that begins at y: its scalars. */
RLS_INLINE int run_from (const rls_order *o, int y, int end, int *count)
{
    int last = y;
    while (last + 1 < end && o->index[last + 1] == o->index[last] + 1) ++last;
    *count = o->scalar0[o->index[last] + 1] - o->scalar0[o->index[y]];
    return last + 1;
}

/* Forward from one block to those below: x_below -= B x_k.  m is a constant where it is called. */
RLS_INLINE void forward_block (const rls_factor *f, int k, const int m, double *x)
{
    const rls_order *o = f->order;
    const double *panel = f->value + o->panel[k], *v = x + o->scalar0[k];
    const int end = o->start[k + 1];
    double w[RLS_MAX_ROWS];
    for (int c = 0; c < m; ++c) w[c] = v[c];
    for (int y = o->start[k], count; y < end;)
    {
        double *to = x + o->scalar0[o->index[y]];
        const double *from = panel + o->below[y];
        y = run_from (o, y, end, &count);
        rls_subtract_columns (to, from, (size_t)o->height[k], w, m, count);
    }
}

/* Backward: x_k -= B' x_below. */
RLS_INLINE void backward_block (const rls_factor *f, int k, const int m, double *x)
{
    const rls_order *o = f->order;
    const double *panel = f->value + o->panel[k];
    const int end = o->start[k + 1];
    double *v = x + o->scalar0[k];
    rls_four sum[2 * RLS_LANES] = {{0}};
    if (o->start[k] == end) return;
    for (int y = o->start[k], count; y < end;)
    {
        const double *with = x + o->scalar0[o->index[y]], *from = panel + o->below[y];
        y = run_from (o, y, end, &count);
        rls_add_column_products (sum, from, (size_t)o->height[k], with, m, count);
    }
    double total[2 * RLS_LANES];
    rls_lane_sums (sum, total);
    if (m > RLS_LANES) rls_lane_sums (sum + RLS_LANES, total + RLS_LANES);
    for (int c = 0; c < m; ++c) v[c] -= total[c];
}

/* Inside a block: x_k := L_kk^-1 x_k, with rows that are not kept set to 0. */
RLS_INLINE void forward_inside (const rls_factor *f, int k, const int m, double *x)
{
    const rls_order *o = f->order;
    const double *panel = f->value + o->panel[k];
    const size_t height = (size_t)o->height[k];
    double *v = x + o->scalar0[k];
    for (int c = 0; c < m; ++c)
    {
        if (f->inverse_pivot[o->scalar0[k] + c] == 0) v[c] = 0;
        for (int r = c + 1; r < m; ++r) v[r] -= panel[(size_t)c * height + (size_t)r] * v[c];
    }
}

/* x_k := L_kk^-T x_k. */
RLS_INLINE void backward_inside (const rls_factor *f, int k, const int m, double *x)
{
    const rls_order *o = f->order;
    const double *panel = f->value + o->panel[k];
    const size_t height = (size_t)o->height[k];
    double *v = x + o->scalar0[k];
    for (int c = m - 2; c >= 0; --c)
        for (int r = c + 1; r < m; ++r) v[c] -= panel[(size_t)c * height + (size_t)r] * v[r];
}

/*
 * x_k := L_kk^-T D_k^-1 L_kk^-1 x_k; rows that are not kept come out as 0, for their columns are.  The block
 * is held in two vectors, of which the second is nothing but padding where m is not over four.
 */
RLS_INLINE void solve_inside (const rls_factor *f, int k, const int m, double *x)
{
    const rls_order *o = f->order;
    const double *inverse = f->inverse_pivot + o->scalar0[k], *panel = f->value + o->panel[k];
    const size_t height = (size_t)o->height[k];
    const int wide = m > RLS_LANES;
    double *v = x + o->scalar0[k];
    rls_four a = RLS_FOUR (v), b = {0};
    if (wide) b = RLS_FOUR (v + RLS_LANES);
    for (int c = 0; c < m - 1; ++c)
    {
        const double *column = panel + (size_t)c * height, t = c < RLS_LANES ? a[c] : b[c - RLS_LANES];
        a -= t * RLS_CONST_FOUR (column);
        if (wide) b -= t * RLS_CONST_FOUR (column + RLS_LANES);
    }
    a *= RLS_CONST_FOUR (inverse);
    if (wide) b *= RLS_CONST_FOUR (inverse + RLS_LANES);
    for (int c = m - 2; c >= 0; --c)
    {
        const double *column = panel + (size_t)c * height;
        rls_four s = a * RLS_CONST_FOUR (column);
        if (wide) s += b * RLS_CONST_FOUR (column + RLS_LANES);
        if (c < RLS_LANES)
            a[c] -= RLS_LANE_SUM (s);
        else
            b[c - RLS_LANES] -= RLS_LANE_SUM (s);
    }
    RLS_FOUR (v) = a;
    if (wide) RLS_FOUR (v + RLS_LANES) = b;
}

/* All that the way forward has to do with a block once it is reached. */
RLS_INLINE void pass_block (const rls_factor *f, int k, const int m, double *x)
{
    forward_block (f, k, m, x);
    solve_inside (f, k, m, x);
}

/* Writes the call out for every number of rows a joint can have, so that the loops unroll. */
#define FOR_EACH_SIZE(call)                                                                                  \
    switch (o->size[k])                                                                                      \
    {                                                                                                        \
    case 1:                                                                                                  \
        call (f, k, 1, x);                                                                                   \
        break;                                                                                               \
    case 2:                                                                                                  \
        call (f, k, 2, x);                                                                                   \
        break;                                                                                               \
    case 3:                                                                                                  \
        call (f, k, 3, x);                                                                                   \
        break;                                                                                               \
    case 4:                                                                                                  \
        call (f, k, 4, x);                                                                                   \
        break;                                                                                               \
    case 5:                                                                                                  \
        call (f, k, 5, x);                                                                                   \
        break;                                                                                               \
    case 6:                                                                                                  \
        call (f, k, 6, x);                                                                                   \
        break;                                                                                               \
    default:                                                                                                 \
        break;                                                                                               \
    }

RLS_VECTOR_CLONES static void forward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
    for (int k = 0; k < o->n; ++k) FOR_EACH_SIZE (forward_block)
}

RLS_VECTOR_CLONES static void backward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
    for (int k = o->n - 1; k >= 0; --k) FOR_EACH_SIZE (backward_block)
}

RLS_VECTOR_CLONES static void pass_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
    for (int k = 0; k < o->n; ++k) FOR_EACH_SIZE (pass_block)
}

void rls_factor_lower (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
    forward_blocks (f, x);
    for (int k = 0; k < o->n; ++k) FOR_EACH_SIZE (forward_inside)
}

void rls_factor_upper (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
    for (int k = 0; k < o->n; ++k) FOR_EACH_SIZE (backward_inside)
    backward_blocks (f, x);
}

/* Right-hand side of the border rows in, their multipliers out: S z = b by the dense L D L'. */
static void solve_dense (const rls_factor *f, double *z)
{
    const int k = f->borders;
    const double *S = f->border_ld;
    for (int a = 0; a < k; ++a)
        for (int b = 0; b < a; ++b) z[a] -= S[a * k + b] * z[b];
    for (int a = 0; a < k; ++a) z[a] /= S[a * k + a];
    for (int a = k - 1; a >= 0; --a)
        for (int b = a + 1; b < k; ++b) z[a] -= S[b * k + a] * z[b];
}

/* w: right-hand side of the sparse rows in, their multipliers out; z: multipliers of the border rows. */
RLS_VECTOR_CLONES static void solve_with_border (const rls_factor *f, const double *b, double *w, double *z)
{
    const int n = f->order->scalars;
    rls_factor_lower (f, w);
    for (int s = 0; s < n; ++s) w[s] *= f->inverse_pivot[s];
    for (int a = 0; a < f->borders; ++a)
    {
        const double *y = f->border_y + (size_t)a * (size_t)n;
        z[a] = b[f->border_row[a]] - rls_dot_fours (y, w, n);
    }
    solve_dense (f, z);
    for (int a = 0; a < f->borders; ++a)
    {
        const double *y = f->border_y + (size_t)a * (size_t)n;
        for (int s = 0; s < n; ++s) w[s] -= y[s] * f->inverse_pivot[s] * z[a];
    }
    rls_factor_upper (f, w);
}

void rls_factor_solve (const rls_factor *f, const rls_rows *rows, double *x)
{
    const rls_order *o = f->order;
    double *w = f->work, *z = f->work + o->scalars;
    for (int k = 0; k < o->n; ++k)
    {
        double *to = w + o->scalar0[k];
        if (o->perm[k] >= o->joints)
        {
            for (int c = 0; c < rls_padded (RLS_HUB_SIZE); ++c) to[c] = 0;
            continue;
        }
        const int r0 = rows->row0[o->perm[k]];
        for (int r = 0; r < o->size[k]; ++r) to[r] = x[r0 + r];
        for (int r = o->size[k]; r < rls_padded (o->size[k]); ++r) to[r] = 0;
    }
    if (f->borders == 0)
    {
        pass_blocks (f, w);
        backward_blocks (f, w);
    }
    else
        solve_with_border (f, x, w, z);
    for (int k = 0; k < o->n; ++k)
    {
        if (o->perm[k] >= o->joints) continue;
        const int r0 = rows->row0[o->perm[k]];
        for (int r = 0; r < o->size[k]; ++r) x[r0 + r] = w[o->scalar0[k] + r];
    }
    for (int a = 0; a < f->borders; ++a) x[f->border_row[a]] = z[a];
}
