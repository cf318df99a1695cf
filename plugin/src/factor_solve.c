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
#include <string.h>

/* Forward from one block of group g to those below: x_below -= B x_k.  m is a constant where it is called. */
RLS_INLINE void forward_runs (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const rls_order *o = f->order;
    const rls_block_run *run = o->run + o->run0[k->group], *past = o->run + o->run0[k->group + 1];
    const double *own = f->value + k->block + rls_padded (m), *v = x + k->scalar;
    const int rows_own = k->scalar + rls_padded (m) - run->scalar;
    rls_subtract_columns (x + k->scalar + rls_padded (m), own, (size_t)k->height, v, m,
                          run->count - rows_own);
    own -= rows_own;
    while (++run < past)
        rls_subtract_columns (x + run->scalar, own + run->row, (size_t)k->height, v, m, run->count);
}

RLS_INLINE void forward_block (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *below = f->value + k->block + rls_padded (m);
    const size_t height = (size_t)k->height;
    switch (k->count)
    {
    case -1:
        forward_runs (f, k, m, x);
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
RLS_INLINE void add_runs (const rls_factor *f, const rls_column *k, const int m, const double *x,
                          rls_four *sum)
{
    const rls_order *o = f->order;
    const rls_block_run *run = o->run + o->run0[k->group], *past = o->run + o->run0[k->group + 1];
    const double *own = f->value + k->block + rls_padded (m);
    const int rows_own = k->scalar + rls_padded (m) - run->scalar;
    rls_add_column_products (sum, own, (size_t)k->height, x + k->scalar + rls_padded (m), m,
                             run->count - rows_own);
    own -= rows_own;
    while (++run < past)
        rls_add_column_products (sum, own + run->row, (size_t)k->height, x + run->scalar, m, run->count);
}

/* v -= the sums over the lanes of m vectors, in whole vectors, as they are soon read again. */
RLS_INLINE void subtract_sums (const rls_four *sum, const int m, double *v)
{
    rls_four low, high = {0};
    rls_lane_sums (sum, (double *)&low);
    RLS_FOUR (v) -= low;
    for (int c = RLS_LANES; c < m; ++c) high[c - RLS_LANES] = RLS_LANE_SUM (sum[c]);
    if (m > RLS_LANES) RLS_FOUR (v + RLS_LANES) -= high;
}

/* Backward: x_k -= B' x_below. */
RLS_INLINE void backward_block (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *below = f->value + k->block + rls_padded (m);
    const size_t height = (size_t)k->height;
    rls_four sum[2 * RLS_LANES] = {{0}};
    switch (k->count)
    {
    case -1:
        add_runs (f, k, m, x, sum);
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
    subtract_sums (sum, m, x + k->scalar);
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

/* Forward from a block of a piece that reaches tops: what it does to them goes into above. */
RLS_INLINE void forward_apart (const rls_factor *f, const rls_column *k, const int m, double *x,
                               double *above)
{
    const rls_order *o = f->order;
    const rls_block_run *run = o->run + o->run0[k->group], *past = o->run + o->run0[k->group + 1];
    const int top = o->scalars - rls_top_scalars (o), rows_own = k->scalar + rls_padded (m) - run->scalar;
    const double *panel = f->value + k->block + rls_padded (m) - rows_own;
    rls_subtract_columns (x + k->scalar + rls_padded (m), panel + rows_own, (size_t)k->height, x + k->scalar,
                          m, run->count - rows_own);
    while (++run < past)
        rls_subtract_columns (run->scalar < top ? x + run->scalar : above + (run->scalar - top),
                              panel + run->row, (size_t)k->height, x + k->scalar, m, run->count);
}

/* Forward, without what is inside, for a row that reaches only what is on its path to the root. */
RLS_INLINE void forward_if_reached (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *v = x + k->scalar;
    int reached = 0;
    for (int c = 0; c < m; ++c) reached |= v[c] != 0;
    if (reached) forward_block (f, k, m, x);
}

/* Row values of a joint into elimination order, and back; hubs have none. */
RLS_INLINE void take_rows (const rls_rows *rows, const rls_column *k, const int m, const double *x, double *w)
{
    rls_four low = {0}, high = {0};
    if (k->joint >= 0)
    {
        x += rows->row0[k->joint];
        if (m >= RLS_LANES) low = RLS_CONST_FOUR (x);
        for (int c = 0; c < m && m < RLS_LANES; ++c) low[c] = x[c];
        for (int c = RLS_LANES; c < m; ++c) high[c - RLS_LANES] = x[c];
    }
    RLS_FOUR (w + k->scalar) = low;
    if (m > RLS_LANES) RLS_FOUR (w + k->scalar + RLS_LANES) = high;
}
RLS_INLINE void give_rows (const rls_rows *rows, const rls_column *k, const int m, const double *w, double *x)
{
    if (k->joint < 0) return;
    x += rows->row0[k->joint], w += k->scalar;
    if (m >= RLS_LANES) RLS_FOUR (x) = RLS_CONST_FOUR (w);
    for (int c = m < RLS_LANES ? 0 : RLS_LANES; c < m; ++c) x[c] = w[c];
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
#define FORWARD(m) forward_if_reached (f, k, m, x)
    for (int g = 0; g < o->groups; ++g) FOR_EACH_COLUMN (o, g, k) FOR_EACH_SIZE (FORWARD)
}

RLS_VECTOR_CLONES static void backward_blocks (const rls_factor *f, double *x)
{
    const rls_order *o = f->order;
#define BACKWARD(m) backward_block (f, k, m, x)
    for (int g = o->groups - 1; g >= 0; --g) FOR_EACH_COLUMN_BACK (o, g, k) FOR_EACH_SIZE (BACKWARD)
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

/* ---- the solve; what of it is done at the same time: subtrees.h ---- */

#define SCALARS_A_PIECE 2048
#define ROWS_A_PIECE 256 /* of a panel */
#define LEAST_WORK 20000 /* entries of a panel that are worth sharing out */

typedef struct
{
    const rls_factor *factor;
    const rls_rows *rows;
    double *x, *w, *z; /* right-hand side and answer; scalars in elimination order; border rows */
    int group;         /* of tops, at work */
} shared_solve;

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

/* Both ways through even columns where there are no border rows; m is a constant where they are called. */
RLS_INLINE void pass_even (const rls_factor *f, const rls_column *k, const int m, double *x)
{
    const double *below = f->value + k->block + rls_padded (m);
    rls_subtract_columns (x + k->below, below, (size_t)k->height, x + k->scalar, m, rls_padded (m));
    solve_inside (f, k, m, x);
}

RLS_INLINE void return_even (const rls_factor *f, const rls_rows *rows, const rls_column *k, const int m,
                             double *w, double *x)
{
    rls_four sum[2 * RLS_LANES] = {{0}};
    rls_add_column_products (sum, f->value + k->block + rls_padded (m), (size_t)k->height, w + k->below, m,
                             rls_padded (m));
    subtract_sums (sum, m, w + k->scalar);
    give_rows (rows, k, m, w, x);
}

#define TAKE(m) take_rows (w->rows, k, m, w->x, x)
#define PASS(m) forward_block (f, k, m, x), pass_inside (f, k, m, x)
#define PASS_APART(m) forward_apart (f, k, m, x, above), pass_inside (f, k, m, x)
#define RETURN(m) return_to (f, k, m, x), give_rows (w->rows, k, m, x, w->x)

RLS_VECTOR_CLONES static void forward_piece (void *context, int piece)
{
    const shared_solve *w = context;
    const rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    const int first = s->piece0[piece], past = s->piece0[piece + 1];
    const size_t tops = (size_t)rls_top_scalars (o);
    double *x = w->w, *above = f->above + (size_t)piece * tops;
    if (tops > 0) memset (above, 0, sizeof (double) * tops);
    for (const rls_column *k = o->column + o->group[first]; k < o->column + o->group[past]; ++k)
        FOR_EACH_SIZE (TAKE)
    const rls_column *k = o->column + o->group[first];
    const int alone = f->borders == 0;
    for (int i = s->reaching0[piece]; i <= s->reaching0[piece + 1]; ++i)
    {
        const int g = i < s->reaching0[piece + 1] ? s->reaching[i] : past;
        const rls_column *end = o->column + o->group[g];
        while (k < end)
        {
            for (; k < end && k->even == 5 && alone; ++k) pass_even (f, k, 5, x);
            for (; k < end && k->even == 3 && alone; ++k) pass_even (f, k, 3, x);
            for (; k < end && !(k->even && alone); ++k) FOR_EACH_SIZE (PASS)
        }
        for (; g < past && k < o->column + o->group[g + 1]; ++k) FOR_EACH_SIZE (PASS_APART)
    }
}

/* The right-hand side of tops, with what pieces do to it. */
RLS_VECTOR_CLONES static void begin_tops (const shared_solve *w)
{
    const rls_order *o = w->factor->order;
    const int tops = rls_top_scalars (o);
    double *x = w->w, *to = x + o->scalars - tops;
    for (const rls_column *k = o->column + rls_first_top (o); k < o->column + o->n; ++k) FOR_EACH_SIZE (TAKE)
    for (int p = 0; p < o->subtrees.pieces; ++p)
    {
        const double *above = w->factor->above + (size_t)p * (size_t)tops;
        for (int i = 0; i < tops; i += RLS_LANES) RLS_FOUR (to + i) += RLS_CONST_FOUR (above + i);
    }
}

/* Panel rows from .. to - 1 below the columns of a group of tops. */
RLS_VECTOR_CLONES static void forward_below (void *context, int from, int to)
{
    const shared_solve *w = context;
    const rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const int g = w->group, last = o->group[g + 1] - 1, square = o->top[last] + rls_padded (o->size[last]);
    double *x = w->w;
    from += square, to += square;
    for (const rls_block_run *run = o->run + o->run0[g]; run < o->run + o->run0[g + 1]; ++run)
    {
        const int first = from > run->row ? from : run->row;
        const int end = to < run->row + run->count ? to : run->row + run->count;
        if (first >= end) continue;
#define BELOW(m)                                                                                             \
    rls_subtract_columns (x + run->scalar + (first - run->row),                                              \
                          f->value + k->block + first - o->top[k - o->column], (size_t)k->height,            \
                          x + k->scalar, m, end - first)
        FOR_EACH_COLUMN (o, g, k) FOR_EACH_SIZE (BELOW)
    }
}

/* The same columns by themselves, before what is below is shared out. */
RLS_VECTOR_CLONES static void forward_square (const shared_solve *w)
{
    const rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const int g = w->group, end = o->scalar0[o->group[g + 1]];
    double *x = w->w;
#define SQUARE(m)                                                                                            \
    rls_subtract_columns (x + k->scalar + rls_padded (m), f->value + k->block + rls_padded (m),              \
                          (size_t)k->height, x + k->scalar, m, end - k->scalar - rls_padded (m))
    FOR_EACH_COLUMN (o, g, k) FOR_EACH_SIZE (SQUARE)
}

RLS_VECTOR_CLONES static void forward_alone (const shared_solve *w)
{
    const rls_factor *f = w->factor;
    const int g = w->group;
    double *x = w->w;
    FOR_EACH_COLUMN (f->order, g, k) FOR_EACH_SIZE (PASS)
}

RLS_VECTOR_CLONES static void end_group (const shared_solve *w)
{
    const rls_factor *f = w->factor;
    double *x = w->w;
#define PASS_INSIDE(m) pass_inside (f, k, m, x)
    FOR_EACH_COLUMN (f->order, w->group, k) FOR_EACH_SIZE (PASS_INSIDE)
}

static void forward_top (shared_solve *w, rls_team *team, int g)
{
    const rls_order *o = w->factor->order;
    const int first = o->group[g], past = o->group[g + 1], square = o->scalar0[past] - o->scalar0[first],
              below = o->height[first] - square;
    w->group = g;
    if (!team || square * below < LEAST_WORK)
        forward_alone (w);
    else
    {
        forward_square (w);
        rls_team_ranges (team, below, ROWS_A_PIECE, forward_below, w);
        end_group (w);
    }
}

RLS_VECTOR_CLONES static void backward_groups (const shared_solve *w, int first, int past)
{
    const rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const rls_column *begin = o->column + o->group[first], *k = o->column + o->group[past];
    const int alone = f->borders == 0;
    double *x = w->w;
    while (k > begin)
    {
        while (k > begin && k[-1].even == 5 && alone) return_even (f, w->rows, --k, 5, x, w->x);
        while (k > begin && k[-1].even == 3 && alone) return_even (f, w->rows, --k, 3, x, w->x);
        while (k > begin && !(k[-1].even && alone))
        {
            --k;
            FOR_EACH_SIZE (RETURN)
        }
    }
}

static void backward_piece (void *context, int piece)
{
    const shared_solve *w = context;
    const int *piece0 = w->factor->order->subtrees.piece0;
    backward_groups (w, piece0[piece], piece0[piece + 1]);
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

RLS_VECTOR_CLONES static void scale_range (void *context, int from, int to)
{
    const shared_solve *w = context;
    for (int i = from; i < to; ++i) w->w[i] *= w->factor->inverse_pivot[i];
}

RLS_VECTOR_CLONES static void border_side (void *context, int a)
{
    const shared_solve *w = context;
    const rls_factor *f = w->factor;
    const int n = f->order->scalars;
    w->z[a] = w->x[f->border_row[a]] - rls_dot_fours (f->border_y + (size_t)a * (size_t)n, w->w, n);
}

RLS_VECTOR_CLONES static void subtract_border (void *context, int from, int to)
{
    const shared_solve *w = context;
    const rls_factor *f = w->factor;
    for (int a = 0; a < f->borders; ++a)
    {
        const double *y = f->border_y + (size_t)a * (size_t)f->order->scalars;
        for (int i = from; i < to; ++i) w->w[i] -= y[i] * f->inverse_pivot[i] * w->z[a];
    }
}

/* Between the ways forward and backward: the multipliers of the border rows. */
static void solve_border (shared_solve *w, rls_team *team)
{
    const int n = w->factor->order->scalars;
    rls_team_ranges (team, n, SCALARS_A_PIECE, scale_range, w);
    rls_team_run (team, w->factor->borders, border_side, w);
    solve_dense (w->factor, w->z);
    rls_team_ranges (team, n, SCALARS_A_PIECE, subtract_border, w);
}

void rls_factor_solve (const rls_factor *f, const rls_rows *rows, double *x)
{
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    const int top = s->piece0[s->pieces];
    shared_solve work = {f, rows, x, f->work, f->work + o->scalars, 0};
    rls_team_run (rows->team, s->pieces, forward_piece, &work);
    if (top < s->groups) begin_tops (&work);
    for (int g = top; g < s->groups; ++g) forward_top (&work, rows->team, g);
    if (f->borders > 0) solve_border (&work, rows->team);
    if (top < s->groups) backward_groups (&work, top, s->groups);
    rls_team_run (rows->team, s->pieces, backward_piece, &work);
    for (int a = 0; a < f->borders; ++a) x[f->border_row[a]] = work.z[a];
}
