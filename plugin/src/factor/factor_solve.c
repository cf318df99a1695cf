/*
 * Solving with the factor: forward, diagonal, border, backward.
 *
 * With border rows B the system is
 *
 *     [ A   C ] [x]   [a]        A = L D L',  Y = L^-1 C,  S = C_BB - Y' D^-1 Y  (factored densely)
 *     [ C'  . ] [z] = [b]        S z = b - Y' D^-1 L^-1 a,  x = L^-T D^-1 (L^-1 a - Y z)
 *
 * What of it is done at the same time: subtrees.h.
 */
#include "factor_tree.h"
#include "factor_blocks.h"
#include <string.h>

#define SCALARS_A_CHUNK 2048
#define ROWS_A_CHUNK 256 /* of a panel */
#define LEAST_WORK 20000 /* entries of a panel that are worth sharing out */

typedef struct
{
    const rls_factor *factor;
    const rls_rows *rows;
    double *x, *w, *z; /* right-hand side and answer; scalars in elimination order; border rows */
    int supernode;     /* of separators, at work */
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

#define PASS_PACKED(below) pass_packed (f, k, below, x)
#define RETURN_PACKED(below) return_packed (f, w->rows, k, below, x, w->x)
#define TAKE(m) take_rows (w->rows, k, m, w->x, x)
#define PASS(m) forward_block (f, k, m, x), pass_inside (f, k, m, x)
#define PASS_APART(m) forward_apart (f, k, m, x, above), pass_inside (f, k, m, x)
#define RETURN(m) return_to (f, k, m, x), give_rows (w->rows, k, m, x, w->x)

RLS_VECTOR_CLONES static void forward_subtree (void *context, int subtree)
{
    const shared_solve *w = context;
    const rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    const int first = s->subtree0[subtree], past = s->subtree0[subtree + 1];
    const size_t separators = (size_t)rls_separator_scalars (o);
    double *x = w->w, *above = f->above + (size_t)subtree * separators;
    if (separators > 0) memset (above, 0, sizeof (double) * separators);
    const int alone = f->borders == 0;
    const rls_column *k = o->column + o->supernode[first];
    for (; k < o->column + o->supernode[past]; k += alone && k->run > 0 ? k->run : 1)
        RLS_FOR_EACH_SIZE (k->size, TAKE)
    k = o->column + o->supernode[first];
    for (int i = s->reaching0[subtree]; i <= s->reaching0[subtree + 1]; ++i)
    {
        const int g = i < s->reaching0[subtree + 1] ? s->reaching[i] : past;
        const rls_column *end = o->column + o->supernode[g];
        while (k < end)
        {
            for (; k < end && k->packed >= 0 && alone; k += k->run > 0 ? k->run : 1)
                if (k->run > 0)
                    pass_hinges (f, w->rows, k, x, w->x);
                else
                    RLS_FOR_EACH_PACKED (k->packed, PASS_PACKED)
            for (; k < end && k->even == 3 && alone; ++k) pass_even (f, k, 3, x);
            for (; k < end && !((k->even || k->packed >= 0) && alone); ++k) RLS_FOR_EACH_SIZE (k->size, PASS)
        }
        for (; g < past && k < o->column + o->supernode[g + 1]; ++k) RLS_FOR_EACH_SIZE (k->size, PASS_APART)
    }
}

/* The right-hand side of separators, with what subtrees do to it. */
RLS_VECTOR_CLONES static void begin_tops (const shared_solve *w)
{
    const rls_order *o = w->factor->order;
    const int separators = rls_separator_scalars (o);
    double *x = w->w, *to = x + o->scalars - separators;
    for (const rls_column *k = o->column + rls_first_separator (o); k < o->column + o->n; ++k)
        RLS_FOR_EACH_SIZE (k->size, TAKE)
    for (int p = 0; p < o->subtrees.subtrees; ++p)
    {
        const double *above = w->factor->above + (size_t)p * (size_t)separators;
        for (int i = 0; i < separators; i += RLS_LANES) RLS_FOUR (to + i) += RLS_CONST_FOUR (above + i);
    }
}

/* Panel rows from .. to - 1 below the columns of a supernode of separators. */
RLS_VECTOR_CLONES static void forward_below (void *context, int from, int to)
{
    const shared_solve *w = context;
    const rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const int g = w->supernode, last = o->supernode[g + 1] - 1,
              square = o->top[last] + rls_padded (o->size[last]);
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
        FOR_EACH_COLUMN (o, g, k) RLS_FOR_EACH_SIZE (k->size, BELOW)
    }
}

/* The same columns by themselves, before what is below is shared out. */
RLS_VECTOR_CLONES static void forward_square (const shared_solve *w)
{
    const rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const int g = w->supernode, end = o->scalar0[o->supernode[g + 1]];
    double *x = w->w;
#define SQUARE(m)                                                                                            \
    rls_subtract_columns (x + k->scalar + rls_padded (m), f->value + k->block + rls_padded (m),              \
                          (size_t)k->height, x + k->scalar, m, end - k->scalar - rls_padded (m))
    FOR_EACH_COLUMN (o, g, k) RLS_FOR_EACH_SIZE (k->size, SQUARE)
}

RLS_VECTOR_CLONES static void forward_alone (const shared_solve *w)
{
    const rls_factor *f = w->factor;
    const int g = w->supernode;
    double *x = w->w;
    FOR_EACH_COLUMN (f->order, g, k) RLS_FOR_EACH_SIZE (k->size, PASS)
}

RLS_VECTOR_CLONES static void end_supernode (const shared_solve *w)
{
    const rls_factor *f = w->factor;
    double *x = w->w;
#define PASS_INSIDE(m) pass_inside (f, k, m, x)
    FOR_EACH_COLUMN (f->order, w->supernode, k) RLS_FOR_EACH_SIZE (k->size, PASS_INSIDE)
}

static void forward_top (shared_solve *w, rls_workers *workers, int g)
{
    const rls_order *o = w->factor->order;
    const int first = o->supernode[g], past = o->supernode[g + 1],
              square = o->scalar0[past] - o->scalar0[first], below = o->height[first] - square;
    w->supernode = g;
    if (!workers || square * below < LEAST_WORK)
        forward_alone (w);
    else
    {
        forward_square (w);
        rls_workers_ranges (workers, below, ROWS_A_CHUNK, forward_below, w);
        end_supernode (w);
    }
}

RLS_VECTOR_CLONES static void backward_supernodes (const shared_solve *w, int first, int past)
{
    const rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const rls_column *begin = o->column + o->supernode[first], *k = o->column + o->supernode[past];
    const int alone = f->borders == 0;
    double *x = w->w;
    while (k > begin)
    {
        while (k > begin && k[-1].packed >= 0 && alone)
        {
            const int back = k[-1].back;
            k -= back > 0 ? back : 1;
            if (back > 0)
                return_hinges (f, w->rows, k, x, w->x);
            else
                RLS_FOR_EACH_PACKED (k->packed, RETURN_PACKED)
        }
        while (k > begin && k[-1].even == 3 && alone) return_even (f, w->rows, --k, 3, x, w->x);
        while (k > begin && !((k[-1].even || k[-1].packed >= 0) && alone))
        {
            --k;
            RLS_FOR_EACH_SIZE (k->size, RETURN)
        }
    }
}

static void backward_subtree (void *context, int subtree)
{
    const shared_solve *w = context;
    const int *subtree0 = w->factor->order->subtrees.subtree0;
    backward_supernodes (w, subtree0[subtree], subtree0[subtree + 1]);
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

RLS_VECTOR_CLONES static void scale_range (void *context, int from, int to)
{
    const shared_solve *w = context;
    for (int i = from; i < to; ++i) w->w[i] *= w->factor->inverse_pivot[i];
}

/* Between the ways forward and backward: the multipliers of the border rows.  Those left out
 * share the number after them. */
static void solve_border (shared_solve *w, rls_workers *workers)
{
    const rls_factor *f = w->factor;
    rls_workers_ranges (workers, f->order->scalars, SCALARS_A_CHUNK, scale_range, w);
    for (int a = 0; a < f->borders; ++a) w->z[a] = w->x[f->border_row[a]];
    w->z[f->borders] = 0;
    rls_reach_subtract_rows (f, w->w, w->z);
    solve_dense (f, w->z);
    w->z[f->borders] = 0;
    rls_reach_subtract (f, w->z, w->w);
}

void rls_factor_solve (const rls_factor *f, const rls_rows *rows, double *x)
{
    if (f->tree.rows > 0)
    {
        rls_factor_tree_solve (f, rows, x);
        return;
    }
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    const int top = s->subtree0[s->subtrees];
    shared_solve work = {f, rows, x, f->work, f->work + o->scalars, 0};
    rls_workers_run (rows->workers, s->subtrees, forward_subtree, &work);
    if (top < s->supernodes) begin_tops (&work);
    for (int g = top; g < s->supernodes; ++g) forward_top (&work, rows->workers, g);
    if (f->borders > 0) solve_border (&work, rows->workers);
    if (top < s->supernodes) backward_supernodes (&work, top, s->supernodes);
    rls_workers_run (rows->workers, s->subtrees, backward_subtree, &work);
    for (int a = 0; a < f->borders; ++a) x[f->border_row[a]] = work.z[a];
}
