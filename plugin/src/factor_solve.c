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

/* Forward from one block of group g to those below: x_below -= B x_k.  m is a constant where it is called. */
RLS_INLINE void forward_block (const rls_factor *f, int g, int k, const int m, double *x)
{
    const rls_order *o = f->order;
    const double *panel = f->value + o->panel[k], *v = x + o->scalar0[k];
    const size_t height = (size_t)o->height[k];
    const rls_block_run *run = o->run + o->run0[g], *past = o->run + o->run0[g + 1];
    const int own = o->top[k] + rls_padded (m);
    double w[RLS_MAX_ROWS];
    for (int c = 0; c < m; ++c) w[c] = v[c];
    rls_subtract_columns (x + run->scalar + own, panel + own, height, w, m, run->count - own);
    while (++run < past)
        rls_subtract_columns (x + run->scalar, panel + run->row, height, w, m, run->count);
}

/* Backward: x_k -= B' x_below. */
RLS_INLINE void backward_block (const rls_factor *f, int g, int k, const int m, double *x)
{
    const rls_order *o = f->order;
    const double *panel = f->value + o->panel[k];
    const size_t height = (size_t)o->height[k];
    const rls_block_run *run = o->run + o->run0[g], *past = o->run + o->run0[g + 1];
    const int own = o->top[k] + rls_padded (m);
    if (own == o->height[k]) return;
    rls_four sum[2 * RLS_LANES] = {{0}};
    rls_add_column_products (sum, panel + own, height, x + run->scalar + own, m, run->count - own);
    while (++run < past)
        rls_add_column_products (sum, panel + run->row, height, x + run->scalar, m, run->count);
    double total[2 * RLS_LANES], *v = x + o->scalar0[k];
    rls_lane_sums (sum, total);
    if (m > RLS_LANES) rls_lane_sums (sum + RLS_LANES, total + RLS_LANES);
    for (int c = 0; c < m; ++c) v[c] -= total[c];
}

/* Inside a block: x_k := L_kk^-1 x_k, with rows that are not kept set to 0. */
RLS_INLINE void forward_inside (const rls_factor *f, int k, const int m, double *x)
{
    const rls_order *o = f->order;
    const double *panel = f->value + o->panel[k] + o->top[k];
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
    const double *panel = f->value + o->panel[k] + o->top[k];
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
    static const double after[RLS_LANES][RLS_LANES] = {{0, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}},
                        before[RLS_LANES][RLS_LANES] = {{0}, {1}, {1, 1}, {1, 1, 1}};
    const rls_order *o = f->order;
    const double *inverse = f->inverse_pivot + o->scalar0[k], *block = f->value + o->panel[k] + o->top[k];
    const size_t height = (size_t)o->height[k];
    const int wide = m > RLS_LANES;
    double *v = x + o->scalar0[k];
    rls_four a = RLS_FOUR (v), b = {0};
    if (wide) b = RLS_FOUR (v + RLS_LANES);
    for (int c = 0; c < m - 1; ++c)
    {
        const double *column = block + (size_t)c * height;
        if (c < RLS_LANES)
        {
            const double t = a[c];
            if (c < RLS_LANES - 1) a -= t * (RLS_CONST_FOUR (after[c]) * RLS_CONST_FOUR (column));
            if (wide) b -= t * RLS_CONST_FOUR (column + RLS_LANES);
        }
        else
            b -= b[c - RLS_LANES] *
                 (RLS_CONST_FOUR (after[c - RLS_LANES]) * RLS_CONST_FOUR (column + RLS_LANES));
    }
    a *= RLS_CONST_FOUR (inverse);
    if (wide) b *= RLS_CONST_FOUR (inverse + RLS_LANES);
    for (int c = m - 1; c > 0; --c)
    {
        const double *column = block + (size_t)c * height;
        if (c < RLS_LANES)
            a -= a[c] * (RLS_CONST_FOUR (before[c]) * RLS_CONST_FOUR (column));
        else
        {
            const double t = b[c - RLS_LANES];
            a -= t * RLS_CONST_FOUR (column);
            if (c > RLS_LANES)
                b -= t * (RLS_CONST_FOUR (before[c - RLS_LANES]) * RLS_CONST_FOUR (column + RLS_LANES));
        }
    }
    RLS_FOUR (v) = a;
    if (wide) RLS_FOUR (v + RLS_LANES) = b;
}

/* All that the way forward has to do with a block once it is reached. */
RLS_INLINE void pass_block (const rls_factor *f, int g, int k, const int m, double *x)
{
    forward_block (f, g, k, m, x);
    solve_inside (f, k, m, x);
}

/* The same, without what is inside, for a row that reaches only what is on its path to the root. */
RLS_INLINE void forward_if_reached (const rls_factor *f, int g, int k, const int m, double *x)
{
    const double *v = x + f->order->scalar0[k];
    int reached = 0;
    for (int c = 0; c < m; ++c) reached |= v[c] != 0;
    if (reached) forward_block (f, g, k, m, x);
}

/* Row values of a joint into elimination order, and back; hubs have none. */
RLS_INLINE void take_rows (const rls_order *o, const rls_rows *rows, const double *x, int k, const int m,
                           double *w)
{
    const int j = o->perm[k];
    double *to = w + o->scalar0[k];
    for (int c = 0; c < rls_padded (m); ++c) to[c] = j < o->joints && c < m ? x[rows->row0[j] + c] : 0;
}
RLS_INLINE void give_rows (const rls_order *o, const rls_rows *rows, const double *w, int k, const int m,
                           double *x)
{
    const int j = o->perm[k];
    if (j >= o->joints) return;
    for (int c = 0; c < m; ++c) x[rows->row0[j] + c] = w[o->scalar0[k] + c];
}

/* Writes the call out for every number of rows a joint can have, so that the loops unroll. */
#define FOR_EACH_SIZE(call)                                                                                  \
    switch (o->size[k])                                                                                      \
    {                                                                                                        \
    case 1:                                                                                                  \
        call (1);                                                                                            \
        break;                                                                                               \
    case 2:                                                                                                  \
        call (2);                                                                                            \
        break;                                                                                               \
    case 3:                                                                                                  \
        call (3);                                                                                            \
        break;                                                                                               \
    case 4:                                                                                                  \
        call (4);                                                                                            \
        break;                                                                                               \
    case 5:                                                                                                  \
        call (5);                                                                                            \
        break;                                                                                               \
    case 6:                                                                                                  \
        call (6);                                                                                            \
        break;                                                                                               \
    default:                                                                                                 \
        break;                                                                                               \
    }

RLS_VECTOR_CLONES static void forward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define FORWARD(m) forward_if_reached (f, g, k, m, x)
    for (int g = 0; g < o->groups; ++g)
        for (int k = o->group[g]; k < o->group[g + 1]; ++k) FOR_EACH_SIZE (FORWARD)
}

RLS_VECTOR_CLONES static void backward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD(m) backward_block (f, g, k, m, x)
    for (int g = o->groups - 1; g >= 0; --g)
        for (int k = o->group[g + 1] - 1; k >= o->group[g]; --k) FOR_EACH_SIZE (BACKWARD)
}

RLS_VECTOR_CLONES static void pass_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define PASS(m) pass_block (f, g, k, m, x)
    for (int g = 0; g < o->groups; ++g)
        for (int k = o->group[g]; k < o->group[g + 1]; ++k) FOR_EACH_SIZE (PASS)
}

RLS_VECTOR_CLONES static void take_all (const rls_order *o, const rls_rows *rows, const double *x, double *w)
{
#define TAKE(m) take_rows (o, rows, x, k, m, w)
    for (int k = 0; k < o->n; ++k) FOR_EACH_SIZE (TAKE)
}

RLS_VECTOR_CLONES static void give_all (const rls_order *o, const rls_rows *rows, const double *w, double *x)
{
#define GIVE(m) give_rows (o, rows, w, k, m, x)
    for (int k = 0; k < o->n; ++k) FOR_EACH_SIZE (GIVE)
}

void rls_factor_lower (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
    forward_blocks (f, x);
#define FORWARD_INSIDE(m) forward_inside (f, k, m, x)
    for (int k = 0; k < o->n; ++k) FOR_EACH_SIZE (FORWARD_INSIDE)
}

void rls_factor_upper (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD_INSIDE(m) backward_inside (f, k, m, x)
    for (int k = 0; k < o->n; ++k) FOR_EACH_SIZE (BACKWARD_INSIDE)
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
    take_all (o, rows, x, w);
    if (f->borders == 0)
    {
        pass_blocks (f, w);
        backward_blocks (f, w);
    }
    else
        solve_with_border (f, x, w, z);
    give_all (o, rows, w, x);
    for (int a = 0; a < f->borders; ++a) x[f->border_row[a]] = z[a];
}
