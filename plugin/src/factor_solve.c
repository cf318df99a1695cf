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
RLS_INLINE void forward_runs (const rls_factor *f, int g, const rls_column *k, const int m, double *x)
{
    const rls_order *o = f->order;
    const rls_block_run *run = o->run + o->run0[g], *past = o->run + o->run0[g + 1];
    const double *own = f->value + k->block + rls_padded (m), *v = x + k->scalar;
    const int rows_own = k->scalar + rls_padded (m) - run->scalar;
    rls_subtract_columns (x + k->scalar + rls_padded (m), own, (size_t)k->height, v, m,
                          run->count - rows_own);
    own -= rows_own;
    while (++run < past)
        rls_subtract_columns (x + run->scalar, own + run->row, (size_t)k->height, v, m, run->count);
}

RLS_INLINE void forward_block (const rls_factor *f, int g, const rls_column *k, const int m, double *x)
{
    const double *below = f->value + k->block + rls_padded (m);
    const size_t height = (size_t)k->height;
    switch (k->count)
    {
    case -1:
        forward_runs (f, g, k, m, x);
        break;
    case RLS_LANES:
        rls_subtract_columns (x + k->below, below, height, x + k->scalar, m, RLS_LANES);
        break;
    case 2 * RLS_LANES:
        rls_subtract_columns (x + k->below, below, height, x + k->scalar, m, 2 * RLS_LANES);
        break;
    default:
        rls_subtract_columns (x + k->below, below, height, x + k->scalar, m, k->count);
    }
}

/* Sums over the rows below, lane by lane: B' x_below. */
RLS_INLINE void add_runs (const rls_factor *f, int g, const rls_column *k, const int m, const double *x,
                          rls_four *sum)
{
    const rls_order *o = f->order;
    const rls_block_run *run = o->run + o->run0[g], *past = o->run + o->run0[g + 1];
    const double *own = f->value + k->block + rls_padded (m);
    const int rows_own = k->scalar + rls_padded (m) - run->scalar;
    rls_add_column_products (sum, own, (size_t)k->height, x + k->scalar + rls_padded (m), m,
                             run->count - rows_own);
    own -= rows_own;
    while (++run < past)
        rls_add_column_products (sum, own + run->row, (size_t)k->height, x + run->scalar, m, run->count);
}

/* Backward: x_k -= B' x_below. */
RLS_INLINE void backward_block (const rls_factor *f, int g, const rls_column *k, const int m, double *x)
{
    const double *below = f->value + k->block + rls_padded (m);
    const size_t height = (size_t)k->height;
    double *v = x + k->scalar;
    rls_four sum[2 * RLS_LANES] = {{0}}, total;
    switch (k->count)
    {
    case -1:
        add_runs (f, g, k, m, x, sum);
        break;
    case 0:
        return;
    case RLS_LANES:
        rls_add_column_products (sum, below, height, x + k->below, m, RLS_LANES);
        break;
    case 2 * RLS_LANES:
        rls_add_column_products (sum, below, height, x + k->below, m, 2 * RLS_LANES);
        break;
    default:
        rls_add_column_products (sum, below, height, x + k->below, m, k->count);
    }
    if (m < RLS_LANES)
    {
        for (int c = 0; c < m; ++c) v[c] -= RLS_LANE_SUM (sum[c]);
        return;
    }
    rls_lane_sums (sum, (double *)&total);
    RLS_FOUR (v) -= total;
    for (int c = RLS_LANES; c < m; ++c) v[c] -= RLS_LANE_SUM (sum[c]);
}

/* Inside a block: x_k := L_kk^-1 x_k, with rows that are not kept set to 0. */
RLS_INLINE void forward_inside (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *block = f->value + k->block, *inverse = f->inverse_pivot + k->scalar;
    const size_t height = (size_t)k->height;
    double *v = x + k->scalar;
    for (int c = 0; c < m; ++c)
    {
        if (inverse[c] == 0) v[c] = 0;
        for (int r = c + 1; r < m; ++r) v[r] -= block[(size_t)c * height + (size_t)r] * v[c];
    }
}

/* x_k := L_kk^-T x_k. */
RLS_INLINE void backward_inside (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *block = f->value + k->block;
    const size_t height = (size_t)k->height;
    double *v = x + k->scalar;
    for (int c = m - 2; c >= 0; --c)
        for (int r = c + 1; r < m; ++r) v[c] -= block[(size_t)c * height + (size_t)r] * v[r];
}

/* Leaves of a vector what is after one of its lanes, or before it, and 0 in the others.  The vector has 0 in
 * the lane itself. */
RLS_INLINE void keep_after (rls_four *x, const int lane)
{
    const rls_four none = {0};
    if (lane == 1) *x = RLS_SHUFFLE (none, *x, 0, 1, 6, 7);
    if (lane == 2) *x = RLS_SHUFFLE (none, *x, 0, 1, 2, 7);
}
RLS_INLINE void keep_before (rls_four *x, const int lane)
{
    const rls_four none = {0};
    if (lane == 1) *x = RLS_SHUFFLE (*x, none, 0, 5, 6, 7);
    if (lane == 2) *x = RLS_SHUFFLE (*x, none, 0, 1, 6, 7);
}

/*
 * x_k := L_kk^-T D_k^-1 L_kk^-1 x_k; rows that are not kept come out as 0, for their columns are.  The block
 * is held in two vectors, of which the second is nothing but padding where m is not over four; its diagonal
 * is 0 and L' stands above it.
 */
RLS_INLINE void solve_inside (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *inverse = f->inverse_pivot + k->scalar, *block = f->value + k->block;
    const size_t height = (size_t)k->height;
    const int wide = m > RLS_LANES;
    double *v = x + k->scalar;
    rls_four a = RLS_FOUR (v), b = {0};
    if (wide) b = RLS_FOUR (v + RLS_LANES);
    for (int c = 0; c < m - 1; ++c)
    {
        const double *column = block + (size_t)c * height;
        rls_four low = RLS_CONST_FOUR (column), high = {0};
        if (wide) high = RLS_CONST_FOUR (column + RLS_LANES);
        if (c < RLS_LANES)
        {
            const double t = a[c];
            keep_after (&low, c);
            if (c < RLS_LANES - 1) a -= t * low;
            if (wide) b -= t * high;
        }
        else
        {
            keep_after (&high, c - RLS_LANES);
            b -= b[c - RLS_LANES] * high;
        }
    }
    a *= RLS_CONST_FOUR (inverse);
    if (wide) b *= RLS_CONST_FOUR (inverse + RLS_LANES);
    for (int c = m - 1; c > 0; --c)
    {
        const double *column = block + (size_t)c * height;
        rls_four low = RLS_CONST_FOUR (column);
        if (c < RLS_LANES)
        {
            keep_before (&low, c);
            a -= a[c] * low;
        }
        else
        {
            const double t = b[c - RLS_LANES];
            a -= t * low;
            if (c > RLS_LANES)
            {
                rls_four high = RLS_CONST_FOUR (column + RLS_LANES);
                keep_before (&high, c - RLS_LANES);
                b -= t * high;
            }
        }
    }
    RLS_FOUR (v) = a;
    if (wide) RLS_FOUR (v + RLS_LANES) = b;
}

/* All that the way forward has to do with a block once it is reached. */
RLS_INLINE void pass_block (const rls_factor *f, int g, const rls_column *k, const int m, double *x)
{
    forward_block (f, g, k, m, x);
    solve_inside (f, k, m, x);
}

/* The same, without what is inside, for a row that reaches only what is on its path to the root. */
RLS_INLINE void forward_if_reached (const rls_factor *f, int g, const rls_column *k, const int m, double *x)
{
    const double *v = x + k->scalar;
    int reached = 0;
    for (int c = 0; c < m; ++c) reached |= v[c] != 0;
    if (reached) forward_block (f, g, k, m, x);
}

/* Row values of a joint into elimination order, and back; hubs have none. */
RLS_INLINE void take_rows (const rls_rows *rows, const rls_column *k, const int m, const double *x, double *w)
{
    double *to = w + k->scalar;
    for (int c = 0; c < rls_padded (m); ++c) to[c] = 0;
    if (k->joint < 0) return;
    x += rows->row0[k->joint];
    for (int c = 0; c < m; ++c) to[c] = x[c];
}
RLS_INLINE void give_rows (const rls_rows *rows, const rls_column *k, const int m, const double *w, double *x)
{
    if (k->joint < 0) return;
    x += rows->row0[k->joint];
    for (int c = 0; c < m; ++c) x[c] = w[k->scalar + c];
}

/* Writes the call out for every number of rows a joint can have, so that the loops unroll. */
#define FOR_EACH_SIZE(call)                                                                                  \
    switch (k->size)                                                                                         \
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

/* The columns of group g, forward and backward. */
#define FOR_EACH_COLUMN(o, g, k)                                                                             \
    for (const rls_column *k = (o)->column + (o)->group[g], *end_ = (o)->column + (o)->group[(g) + 1];       \
         k < end_; ++k)
#define FOR_EACH_COLUMN_BACK(o, g, k)                                                                        \
    for (const rls_column *k = (o)->column + (o)->group[(g) + 1], *begin_ = (o)->column + (o)->group[g];     \
         k-- > begin_;)

RLS_VECTOR_CLONES static void forward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define FORWARD(m) forward_if_reached (f, g, k, m, x)
    for (int g = 0; g < o->groups; ++g) FOR_EACH_COLUMN (o, g, k) FOR_EACH_SIZE (FORWARD)
}

RLS_VECTOR_CLONES static void backward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD(m) backward_block (f, g, k, m, x)
    for (int g = o->groups - 1; g >= 0; --g) FOR_EACH_COLUMN_BACK (o, g, k) FOR_EACH_SIZE (BACKWARD)
}

RLS_VECTOR_CLONES static void pass_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define PASS(m) pass_block (f, g, k, m, x)
    for (int g = 0; g < o->groups; ++g) FOR_EACH_COLUMN (o, g, k) FOR_EACH_SIZE (PASS)
}

RLS_VECTOR_CLONES static void take_all (const rls_order *o, const rls_rows *rows, const double *x, double *w)
{
#define TAKE(m) take_rows (rows, k, m, x, w)
    for (const rls_column *k = o->column; k < o->column + o->n; ++k) FOR_EACH_SIZE (TAKE)
}

RLS_VECTOR_CLONES static void give_all (const rls_order *o, const rls_rows *rows, const double *w, double *x)
{
#define GIVE(m) give_rows (rows, k, m, w, x)
    for (const rls_column *k = o->column; k < o->column + o->n; ++k) FOR_EACH_SIZE (GIVE)
}

void rls_factor_lower (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
    forward_blocks (f, x);
#define FORWARD_INSIDE(m) forward_inside (f, k, m, x)
    for (const rls_column *k = o->column; k < o->column + o->n; ++k) FOR_EACH_SIZE (FORWARD_INSIDE)
}

void rls_factor_upper (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD_INSIDE(m) backward_inside (f, k, m, x)
    for (const rls_column *k = o->column; k < o->column + o->n; ++k) FOR_EACH_SIZE (BACKWARD_INSIDE)
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
