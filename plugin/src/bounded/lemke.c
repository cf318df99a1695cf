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
 * The inverse of the free rows' matrix is kept up to date, from path to path where sides and A are the same;
 * what it gets wrong shows in their velocities, and if that is much it is formed anew.
 */
#include "lemke.h"
#include "kernels/eight.h"

enum
{
    LOW = 0,
    HIGH
};

static void lay_out (rls_lemke *q, rls_arena_cursor *c)
{
    const size_t n = (size_t)q->rows;
    rls_inverse_lay_out (&q->inverse, c, q->rows);
    q->length = q->inverse.length;
    RLS_TAKE (c, n * (size_t)q->length, q->A);
    RLS_TAKE (c, (size_t)q->length, q->corner, q->p, q->w, q->shift, q->dp, q->dw, q->origin, q->origin_w,
              q->last, q->factor, q->share, q->column, q->row);
    RLS_TAKE (c, n, q->zeros, q->side, q->free_row, q->place, q->pushing);
}

int rls_lemke_lay_out (rls_lemke *q, int rows)
{
    q->follows = 0;
    if (q->block.memory && q->rows == rows) return 1;
    q->rows = rows;
    const int done = RLS_LAY_OUT (q, &q->block, lay_out);
    if (!done)
    {
        q->rows = -1;
        return 0;
    }
    memset (q->side, RLS_SIDE_NONE, (size_t)rows); /* the first path compares its beginning with this */
    memset (q->share, 0, sizeof (double) * (size_t)rows);
    return 1;
}

/* ---- bounds ---- */

/* How far the impulse p of row r is from its bound; and how that changes with changes of p, the limits being
 * constant. */
static double slack (const rls_bounded *b, const double *p, int r, int high)
{
    if (b->follow[r] >= 0) return b->hi[r] * p[b->follow[r]] + (high ? -p[r] : p[r]);
    return high ? b->hi[r] - p[r] : p[r] - b->lo[r];
}

static double slack_rate (const rls_bounded *b, const double *dp, int r, int high)
{
    const double room = b->follow[r] >= 0 ? b->hi[r] * dp[b->follow[r]] : 0;
    return room + (high ? -dp[r] : dp[r]);
}

/* Puts row r on a side; friction at a bound is a share of its normal there. */
static void put_on (rls_lemke *q, const rls_bounded *b, int r, unsigned char side)
{
    const int sign = b->follow[r] < 0 ? 0 : (side == RLS_SIDE_HIGH) - (side == RLS_SIDE_LOW);
    q->side[r] = side;
    q->share[r] = sign == 0 ? 0 : sign * b->hi[r];
}

static unsigned char side_of (const rls_lemke *q, const rls_bounded *b, int r)
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

void rls_lemke_begin (rls_lemke *q, const rls_bounded *b, double room)
{
    for (int r = 0; r < q->rows; ++r)
    {
        const double least = room * uneven (r), w = q->w[r], share = q->share[r];
        const unsigned char side = q->side[r];
        put_on (q, b, r, side_of (q, b, r)); /* normals come before the friction that follows them */
        q->follows &= q->side[r] == side && q->share[r] == share;
        q->shift[r] = q->side[r] == RLS_SIDE_FREE   ? -w
                      : q->side[r] == RLS_SIDE_LOW  ? fmax (0, least - w)
                      : q->side[r] == RLS_SIDE_HIGH ? fmin (0, -least - w)
                                                    : 0;
    }
}

/* ---- the free rows ---- */

static const double *column_of (const rls_lemke *q, int r) { return q->A + (size_t)r * (size_t)q->length; }

/* to = the free rows' part of a column of A, times f; added to what is there. */
static void add_column (const rls_lemke *q, int r, double f, double *to)
{
    const double *from = column_of (q, r);
    for (int i = 0; i < q->inverse.size; ++i) to[i] += f * from[q->free_row[i]];
}

/* The next row of friction after f that follows row n, or -1. */
static int next_friction (const rls_bounded *b, int n, int f)
{
    for (++f; f < b->rows; ++f)
        if (b->follow[f] == n) return f;
    return -1;
}

/* The matrix of the free rows and its inverse. */
static int form_inverse (rls_lemke *q, const rls_bounded *b)
{
    rls_inverse *v = &q->inverse;
    v->size = 0;
    for (int r = 0; r < q->rows; ++r)
        if (q->side[r] == RLS_SIDE_FREE) q->place[r] = v->size, q->free_row[v->size++] = r;
    for (int c = 0; c < v->size; ++c)
    {
        double *to = v->V + (size_t)c * (size_t)v->length;
        memset (to, 0, sizeof (double) * (size_t)v->length);
        add_column (q, q->free_row[c], 1, to);
        q->row[c] = 1 / q->diagonal[q->free_row[c]];
    }
    for (int f = 0; f < q->rows; ++f)
    {
        const double share = q->share[f];
        if (share != 0) add_column (q, f, share, v->V + (size_t)q->place[b->follow[f]] * (size_t)v->length);
    }
    return rls_inverse_form (v, v->size, q->row);
}

/* Row r becomes free, with what slides beside it if it is a normal. */
static int add_free (rls_lemke *q, const rls_bounded *b, int r)
{
    rls_inverse *v = &q->inverse;
    const int m = v->size;
    double corner = column_of (q, r)[r];
    memset (q->column, 0, sizeof (double) * (size_t)m);
    add_column (q, r, 1, q->column);
    for (int f = next_friction (b, r, r); f >= 0; f = next_friction (b, r, f))
    {
        const double share = q->share[f];
        if (share == 0) continue;
        add_column (q, f, share, q->column);
        corner += share * column_of (q, f)[r];
    }
    for (int i = 0; i < m; ++i) q->row[i] = column_of (q, q->free_row[i])[r];
    for (int f = 0; f < q->rows; ++f)
    {
        const double share = b->follow[f] == r ? 0 : q->share[f];
        if (share != 0) q->row[q->place[b->follow[f]]] += share * column_of (q, f)[r];
    }
    q->place[r] = m;
    q->free_row[m] = r;
    return rls_inverse_append (v, q->column, q->row, corner);
}

static int remove_free (rls_lemke *q, int r)
{
    const int at = q->place[r], last = q->free_row[q->inverse.size - 1];
    if (!rls_inverse_remove (&q->inverse, at)) return 0;
    q->free_row[at] = last;
    q->place[last] = at;
    return 1;
}

/* Friction f begins to follow its normal, or ends (sign -1). */
static int slide (rls_lemke *q, const rls_bounded *b, int f, double share)
{
    memset (q->column, 0, sizeof (double) * (size_t)q->inverse.size);
    add_column (q, f, share, q->column);
    return rls_inverse_change (&q->inverse, q->place[b->follow[f]], q->column);
}

/* dp += what free rows need for velocities x, with the friction that follows; dw is theirs. */
static void direct (rls_lemke *q, const rls_bounded *b, const double *x)
{
    const int n = q->rows;
    int count = 0;
    rls_inverse_multiply (&q->inverse, x, q->column);
    for (int i = 0; i < q->inverse.size; ++i) q->dp[q->free_row[i]] += q->column[i];
    for (int r = 0; r < n; ++r)
    {
        const double share = q->share[r];
        if (share != 0) q->dp[r] = share * q->dp[b->follow[r]];
        q->pushing[count] = r, q->factor[count] = q->dp[r];
        count += q->dp[r] != 0;
    }
    rls_combine_columns (q->A, q->length, n, count, q->pushing, q->factor, q->dw);
    q->inverse.products += (double)n * q->inverse.size;
}

/* What the free rows' velocities are still off by, and the largest of it over the largest of the shift. */
static double find_error (const rls_lemke *q, double *off)
{
    double worst = 0, largest = 0;
    for (int i = 0; i < q->inverse.size; ++i)
    {
        const int r = q->free_row[i];
        off[i] = q->shift[r] - q->dw[r];
        worst = rls_larger (worst, fabs (off[i]));
        largest = rls_larger (largest, fabs (q->shift[r]));
    }
    return worst > 0 ? worst / largest : 0;
}

/* dp and dw.  Returns 0 where the path has no direction. */
static int find_direction (rls_lemke *q, const rls_bounded *b)
{
    double error = HUGE_VAL;
    for (int attempt = 0; attempt < 2 && !(error <= RLS_UNSURE_PIVOT); ++attempt)
    {
        if (attempt > 0 && !(q->follows = form_inverse (q, b))) return 0;
        memset (q->dp, 0, sizeof (double) * (size_t)q->rows);
        for (int i = 0; i < q->inverse.size; ++i) q->row[i] = q->shift[q->free_row[i]];
        direct (q, b, q->row);
        error = find_error (q, q->row);
        if (!(error > RLS_CLOSED)) continue;
        direct (q, b, q->row);
        error = find_error (q, q->row);
    }
    for (int r = 0; r < q->rows; ++r) q->dw[r] -= q->shift[r];
    return error < HUGE_VAL;
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
static int find_way (const rls_lemke *q, const rls_bounded *b, const pivot *last)
{
    const int r = last->row, high = is_high (last);
    if (r < 0) return 1;
    double rate = slack_rate (b, q->dp, r, high);
    if (last->to != RLS_SIDE_FREE) rate = (high ? -1 : 1) * q->dw[r];
    return rate > 0 ? 1 : rate < 0 ? -1 : 0;
}

/* How much of the shift is gone when something happens, at most so much, and what happens. */
static double find_pivot (const rls_lemke *q, const rls_bounded *b, double left, int way, double most,
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

            /* how far the row is from its bound, or from leaving it, and how fast that shrinks */
            double distance, rate;
            if (side == RLS_SIDE_FREE)
                distance = slack (b, q->p, r, high), rate = way * slack_rate (b, q->dp, r, high);
            else if (high == (side == RLS_SIDE_HIGH))
            {
                const int sign = high ? -1 : 1;
                distance = sign * (q->w[r] + left * q->shift[r]);
                rate = sign * way * q->dw[r];
            }
            else
                continue;

            /* the nearest is next; without a branch on the rate, which no processor foresees */
            const double near = distance > 0 ? distance : 0, speed = -rate > 0 ? -rate : 0;
            if (!(near / speed < most)) continue;
            most = near / speed;
            *next = (pivot){r, side,
                            side != RLS_SIDE_FREE ? RLS_SIDE_FREE
                            : high                ? RLS_SIDE_HIGH
                                                  : RLS_SIDE_LOW};
        }
    }
    return most;
}

/* Friction begins to slide as its normal begins to push, and ends with it.  Returns 0 if the inverse could
 * not follow. */
static int change_sides (rls_lemke *q, const rls_bounded *b, double left, const pivot *next)
{
    const int r = next->row, frees = next->to == RLS_SIDE_FREE;
    int done = 1;
    if (b->follow[r] >= 0)
    {
        const double before = q->share[r];
        put_on (q, b, r, next->to);
        return frees ? slide (q, b, r, -before) && add_free (q, b, r)
                     : remove_free (q, r) && slide (q, b, r, q->share[r]);
    }
    if (!frees) done = remove_free (q, r);
    for (int f = next_friction (b, r, r); f >= 0; f = next_friction (b, r, f))
    {
        const int lively = frees && b->hi[f] > 0 && q->diagonal[f] > 0;
        if (q->side[f] == RLS_SIDE_FREE) done &= remove_free (q, f);
        q->p[f] = 0;
        put_on (q, b, f,
                !lively                            ? RLS_SIDE_NONE
                : q->w[f] + left * q->shift[f] > 0 ? RLS_SIDE_LOW
                                                   : RLS_SIDE_HIGH);
    }
    put_on (q, b, r, next->to);
    return frees ? add_free (q, b, r) : done;
}

/* Friction that slides is at its bound to the last bit, so that the next path finds it there. */
static void place_at_bound (rls_lemke *q, const rls_bounded *b)
{
    for (int r = 0; r < q->rows; ++r)
        if (q->share[r] != 0) q->p[r] = q->share[r] * q->p[b->follow[r]];
}

int rls_lemke_follow (rls_lemke *q, const rls_bounded *b, int most, double farthest)
{
    pivot last = {-1, RLS_SIDE_NONE, RLS_SIDE_NONE};
    double left = 1; /* of the shift */
    for (int i = 0; i < most && left <= farthest && q->inverse.products < RLS_MOST_PRODUCTS; ++i)
    {
        pivot next;
        if (!q->follows && !(q->follows = form_inverse (q, b))) return 0;
        const int way = find_direction (q, b) ? find_way (q, b, &last) : 0;
        if (way == 0) return 0;
        const double step = way * find_pivot (q, b, left, way, way > 0 ? left : farthest, &last, &next);
        rls_flat_add (q->rows, step, q->dp, q->p);
        rls_flat_add (q->rows, step, q->dw, q->w);
        rls_flat_add (q->rows, step, q->shift, q->w);
        left -= step;
        if (next.row < 0)
        {
            place_at_bound (q, b);
            return way > 0;
        }
        q->follows = change_sides (q, b, left, &next);
        last = next;
    }
    return 0;
}
