/*
 * Complementary pivoting for bounded rows with friction.
 *
 * Rows on their sides are an answer to a problem with other velocities, w + shift.  The path shrinks the
 * shift: impulses of free rows follow so that their velocities stay 0, friction at a bound follows its
 * normal, and where a free row comes to a bound, or the velocity of one at a bound comes to 0, it changes
 * sides and the path goes on in the only direction that its new side allows, with more shift again if need
 * be.  Where nothing is left of the shift is the answer.  This is Lemke's method (1965) without its
 * artificial variables; from impulses of 0 and a shift that opens all contacts it finds an answer where there
 * is one (Anitescu & Potra 1997: Coulomb's friction is copositive), however high the friction.
 *
 * What is free is factored anew at each pivot: a few microseconds for ten rows, and nothing adds up.
 */
#include "bounded_path.h"
#include "kernels/eight.h"
#include <math.h>
#include <string.h>

#define MOST_PRODUCTS 5e6 /* of numbers, in factorisations: some milliseconds */
#define FAR_ENOUGH 1e4    /* coefficient that stands for friction without limit */

enum
{
    LOW = 0,
    HIGH
};

static void carve (rls_path *q, rls_carver *c)
{
    const size_t n = (size_t)q->rows, padded = (n + RLS_PADDED - 1) / RLS_PADDED * RLS_PADDED;
    double **of_rows[] = {&q->p, &q->w, &q->shift, &q->dp, &q->dw, &q->x};
    q->A = rls_carve (c, n * n, sizeof (double));
    q->LU = rls_carve (c, n * padded, sizeof (double));
    for (size_t i = 0; i < sizeof (of_rows) / sizeof (*of_rows); ++i)
        *of_rows[i] = rls_carve (c, padded, sizeof (double));
    q->side = rls_carve (c, n, 1);
    q->free_row = rls_carve (c, n, sizeof (int));
    q->place = rls_carve (c, n, sizeof (int));
}

int rls_path_lay_out (rls_path *q, int rows)
{
    int done;
    q->rows = rows;
    q->products = 0;
    RLS_LAY_OUT (q, &q->block, carve, done);
    return done;
}

/* ---- bounds ---- */

static double friction (const rls_bounded *b, int r) { return fmin (b->hi[r], FAR_ENOUGH); }

/* How far the impulse p of row r is from its bound; and how that changes with changes of p, the limits being
 * constant. */
static double slack (const rls_bounded *b, const double *p, int r, int high)
{
    if (b->follow[r] >= 0) return friction (b, r) * p[b->follow[r]] + (high ? -p[r] : p[r]);
    return high ? b->hi[r] - p[r] : p[r] - b->lo[r];
}

static double slack_rate (const rls_bounded *b, const double *dp, int r, int high)
{
    const double room = b->follow[r] >= 0 ? friction (b, r) * dp[b->follow[r]] : 0;
    return room + (high ? -dp[r] : dp[r]);
}

/* What a row of friction at its bound is of its normal, 0 for others. */
static double sliding (const rls_path *q, const rls_bounded *b, int r)
{
    if (b->follow[r] < 0 || q->side[r] == RLS_SIDE_FREE || q->side[r] == RLS_SIDE_NONE) return 0;
    return q->side[r] == RLS_SIDE_LOW ? -friction (b, r) : friction (b, r);
}

static unsigned char side_of (const rls_path *q, const rls_bounded *b, int r)
{
    const int n = b->follow[r];
    if (!(q->diagonal[r] > 0)) return RLS_SIDE_NONE;
    if (n >= 0 ? q->side[n] != RLS_SIDE_FREE || !(b->hi[r] > 0) : !(b->lo[r] < b->hi[r]))
        return RLS_SIDE_NONE;
    return slack (b, q->p, r, LOW) <= 0    ? RLS_SIDE_LOW
           : slack (b, q->p, r, HIGH) <= 0 ? RLS_SIDE_HIGH
                                           : RLS_SIDE_FREE;
}

/* A number between 1 and 2 that is another one for each row: paths that meet a corner of the bounds may not
 * know how to go on, and symmetric problems are full of them. */
static double uneven (int r)
{
    const uint64_t x = ((uint64_t)r + 1) * 0x9E3779B97F4A7C15ull;
    return 1 + (double)(x >> 40) / (double)(1 << 24);
}

void rls_path_begin (rls_path *q, const rls_bounded *b, double room)
{
    for (int r = 0; r < q->rows; ++r)
    {
        const double least = room * uneven (r), w = q->w[r];
        q->side[r] = side_of (q, b, r); /* normals come before the friction that follows them */
        q->shift[r] = q->side[r] == RLS_SIDE_FREE   ? -w
                      : q->side[r] == RLS_SIDE_LOW  ? fmax (0, least - w)
                      : q->side[r] == RLS_SIDE_HIGH ? fmin (0, -least - w)
                                                    : 0;
    }
}

/* ---- where the path leads ---- */

static void exchange (double *a, double *b)
{
    const double x = *a;
    *a = *b, *b = x;
}

/* The row of column c to be eliminated with, among those from c on.  Rows are compared in their own measure.
 */
static int find_largest (const double *column, const double *measure, int c, int m)
{
    double largest = 0;
    int best = -1;
    for (int r = c; r < m; ++r)
    {
        const double size = column[r] * column[r] * measure[r];
        if (size > largest) largest = size, best = r;
    }
    return best;
}

/* x = M^-1 x, M m by m by columns of so many blocks of eight, and lost, as are the rows' measures.  l has
 * room for a column.  Returns 0 if M is singular. */
RLS_WIDE static int solve_dense (double *M, int m, int blocks, double *measure, double *x, double *l)
{
    const size_t length = (size_t)blocks * RLS_PADDED;
    for (int c = 0; c < m; ++c)
    {
        double *column = M + (size_t)c * length;
        const int best = find_largest (column, measure, c, m), first = c / RLS_PADDED;
        if (best < 0) return 0;
        for (int k = c; k < m && best != c; ++k)
            exchange (M + (size_t)k * length + c, M + (size_t)k * length + best);
        exchange (x + c, x + best);
        exchange (measure + c, measure + best);
        for (int r = first * RLS_PADDED; r <= c; ++r) l[r] = 0;
        for (int r = c + 1; r < m; ++r) l[r] = column[r] / column[c];
        for (int r = m; r < blocks * RLS_PADDED; ++r) l[r] = 0;
        for (int k = c + 1; k < m; ++k)
        {
            double *to = M + (size_t)k * length;
            const double f = to[c];
            for (int a = first; a < blocks; ++a)
                RLS_EIGHT (to + RLS_PADDED * a) -= RLS_CONST_EIGHT (l + RLS_PADDED * a) * f;
        }
        const double f = x[c];
        for (int r = c + 1; r < m; ++r) x[r] -= l[r] * f;
    }
    for (int c = m - 1; c >= 0; --c)
    {
        const double *column = M + (size_t)c * length, f = x[c] /= column[c];
        for (int r = 0; r < c; ++r) x[r] -= column[r] * f;
    }
    return 1;
}

/* Eights that a column of m numbers takes. */
static int blocks_of (int m) { return (m + RLS_PADDED - 1) / RLS_PADDED; }

/* The matrix of the free rows, friction that slides counted to its normal. */
static int gather_free (rls_path *q, const rls_bounded *b)
{
    int m = 0;
    for (int r = 0; r < q->rows; ++r)
    {
        q->place[r] = m; /* if it is free */
        if (q->side[r] == RLS_SIDE_FREE) q->free_row[m++] = r;
    }
    const size_t length = (size_t)blocks_of (m) * RLS_PADDED;
    for (int c = 0; c < m; ++c)
    {
        const double *from = q->A + (size_t)q->free_row[c] * (size_t)q->rows;
        double *to = q->LU + (size_t)c * length;
        for (int i = 0; i < m; ++i) to[i] = from[q->free_row[i]];
        for (size_t i = (size_t)m; i < length; ++i) to[i] = 0;
    }
    for (int r = 0; r < q->rows; ++r)
    {
        const double share = sliding (q, b, r), *from = q->A + (size_t)r * (size_t)q->rows;
        if (share == 0) continue;
        double *to = q->LU + (size_t)q->place[b->follow[r]] * length;
        for (int i = 0; i < m; ++i) to[i] += share * from[q->free_row[i]];
    }
    return m;
}

/* y += f x */
RLS_WIDE static void add (int n, double f, const double *x, double *y)
{
    for (int i = 0; i < n; ++i) y[i] += f * x[i];
}

/* dp and dw.  Returns 0 where the path has no direction. */
static int find_direction (rls_path *q, const rls_bounded *b)
{
    const int n = q->rows, m = gather_free (q, b);
    for (int i = 0; i < m; ++i)
    {
        q->x[i] = q->shift[q->free_row[i]];
        q->dw[i] = 1 / q->diagonal[q->free_row[i]];
    }
    q->products += (double)m * m * m / 3;
    if (!solve_dense (q->LU, m, blocks_of (m), q->dw, q->x, q->dp)) return 0;
    for (int r = 0; r < n; ++r)
    {
        const double share = sliding (q, b, r);
        q->dp[r] = q->side[r] == RLS_SIDE_FREE ? q->x[q->place[r]]
                   : share != 0                ? share * q->dp[b->follow[r]]
                                               : 0;
        q->dw[r] = 0;
    }
    for (int r = 0; r < n; ++r)
        if (q->dp[r] != 0) add (n, q->dp[r], q->A + (size_t)r * (size_t)n, q->dw);
    return 1;
}

/* ---- pivots ---- */

/* A change of sides. */
typedef struct
{
    int row; /* -1: none */
    unsigned char from, to;
} pivot;

/* The bound that a pivot is about. */
static int is_high (const pivot *last)
{
    return (last->from == RLS_SIDE_FREE ? last->to : last->from) == RLS_SIDE_HIGH;
}

/* Which way the path goes on after a pivot: 1 with less shift, -1 with more, 0 nowhere. */
static int find_way (const rls_path *q, const rls_bounded *b, const pivot *last)
{
    const int r = last->row, high = is_high (last);
    if (r < 0) return 1;
    double rate = slack_rate (b, q->dp, r, high);
    if (last->to != RLS_SIDE_FREE) rate = (high ? -1 : 1) * (q->dw[r] - q->shift[r]);
    return rate > 0 ? 1 : rate < 0 ? -1 : 0;
}

/* How much of the shift is gone when something happens, at most so much, and what happens. */
static double find_pivot (const rls_path *q, const rls_bounded *b, double left, int way, double most,
                          const pivot *last, pivot *next)
{
    const int last_high = is_high (last);
    *next = (pivot){-1, RLS_SIDE_NONE, RLS_SIDE_NONE};
    for (int r = 0; r < q->rows; ++r)
    {
        const unsigned char side = q->side[r];
        if (side == RLS_SIDE_NONE) continue;
        for (int high = LOW; high <= HIGH; ++high)
        {
            if (r == last->row && high == last_high) continue;
            double distance, rate;
            if (side == RLS_SIDE_FREE)
                distance = slack (b, q->p, r, high), rate = way * slack_rate (b, q->dp, r, high);
            else if (high == (side == RLS_SIDE_HIGH))
            {
                const int sign = high ? -1 : 1;
                distance = sign * (q->w[r] + left * q->shift[r]);
                rate = sign * way * (q->dw[r] - q->shift[r]);
            }
            else
                continue;
            if (!(rate < 0) || !(distance < -rate * most)) continue;
            most = fmax (0, distance / -rate);
            *next = (pivot){r, side,
                            side != RLS_SIDE_FREE ? RLS_SIDE_FREE
                            : high                ? RLS_SIDE_HIGH
                                                  : RLS_SIDE_LOW};
        }
    }
    return most;
}

/* Friction begins to slide as its normal begins to push, and ends with it. */
static void change_sides (rls_path *q, const rls_bounded *b, double left, const pivot *next)
{
    q->side[next->row] = next->to;
    for (int f = 0; f < q->rows; ++f)
    {
        if (b->follow[f] != next->row) continue;
        q->p[f] = 0;
        q->side[f] = next->to != RLS_SIDE_FREE || !(b->hi[f] > 0) || !(q->diagonal[f] > 0) ? RLS_SIDE_NONE
                     : q->w[f] + left * q->shift[f] > 0                                    ? RLS_SIDE_LOW
                                                                                           : RLS_SIDE_HIGH;
    }
}

int rls_path_follow (rls_path *q, const rls_bounded *b, int most, double farthest)
{
    pivot last = {-1, RLS_SIDE_NONE, RLS_SIDE_NONE};
    double left = 1; /* of the shift */
    for (int i = 0; i < most && left <= farthest && q->products < MOST_PRODUCTS; ++i)
    {
        pivot next;
        const int way = find_direction (q, b) ? find_way (q, b, &last) : 0;
        if (way == 0) return 0;
        const double step = way * find_pivot (q, b, left, way, way > 0 ? left : farthest, &last, &next);
        add (q->rows, step, q->dp, q->p);
        add (q->rows, step, q->dw, q->w);
        left -= step;
        if (next.row < 0) return way > 0;
        change_sides (q, b, left, &next);
        last = next;
    }
    return 0;
}
