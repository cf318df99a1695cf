/* Dry friction that reverses within a step; contract in reversals.h. */
#include "reversals.h"
#include "bounded/bounded.h"
#include "bounded_halves.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define PASSES 16

/* A row that may have reversed, and its bounds in the problem as it was. */
typedef struct
{
    int joint, row, normal; /* normal: the row that friction follows, or -1 */
    double lo, hi;
    double w0;       /* before, relative to what the row wants */
    double turned;   /* the part of the step before it turns */
    double due, off; /* in the last pass: the impulse that it asked for, by how much the fixed one was off */
} reversal;

static double row_velocity (const rls_bounded *end, const reversal *now, const double (*v)[6])
{
    return rls_bounded_velocity (end, now->joint, now->row, v) - end->target[now->row];
}

/* 1 if the row slid before and ends at rest or the other way. */
static int may_reverse (const rls_island *s, double slow, const reversal *now, const double (*v)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    const int r = now->row, both = b->lo[r] < 0 && b->hi[r] > 0 && b->hi[r] - b->lo[r] < HUGE_VAL;
    if (rls_bounded_is_soft (b, r) || (now->normal < 0 && !both)) return 0;
    if (now->normal >= 0 && !(b->hi[r] < HUGE_VAL && s->end.bounded.p[now->normal] > 0)) return 0;
    const double w1 = row_velocity (&s->end.bounded, now, v);
    return fabs (now->w0) > slow && (fabs (w1) <= RLS_SEEN || now->w0 * w1 < 0);
}

/* The impulse of a row that turns after a part of the step. */
static double impulse (const rls_island *s, const reversal *now, double turned)
{
    const rls_bounded *b = &s->begin.bounded;
    const double most = now->normal < 0 ? b->hi[now->row] : b->hi[now->row] * s->end.bounded.p[now->normal],
                 least = now->normal < 0 ? b->lo[now->row] : -most;
    return now->w0 > 0 ? turned * least + (1 - turned) * most : turned * most + (1 - turned) * least;
}

static void fix (rls_island *s, const reversal *now, double p)
{
    rls_bounded *end = &s->end.bounded;
    end->follow[now->row] = -1;
    end->lo[now->row] = end->hi[now->row] = end->p[now->row] = p;
}

static void restore (rls_bounded *end, const reversal *now)
{
    end->follow[now->row] = now->normal;
    end->lo[now->row] = now->lo, end->hi[now->row] = now->hi;
}

static int solve_again (rls_island *s, double h, const double (*before)[6], double (*v)[6])
{
    memcpy (v, before, sizeof (*v) * (size_t)s->model.bodies);
    return rls_bounded_solve_second (s, h, 1, v);
}

static int find (const rls_island *s, double h, const double (*v)[6], reversal *found)
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const double slow = fmax (RLS_SEEN, RLS_LITTLE * rls_bounded_kick (s, h));
    int count = 0;
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1] && count < RLS_MOST_REVERSING; ++r)
        {
            found[count] = (reversal){
                j, r, b->follow[r], end->lo[r], end->hi[r], b->before[r] - b->row[r].rest, 1, 0, 0};
            count += may_reverse (s, slow, &found[count], v);
        }
    return count;
}

static int is_dated (const reversal *now) { return now->turned > 0 && now->turned < 1; }

static int any_is_dated (const reversal *found, int count)
{
    for (int i = 0; i < count; ++i)
        if (is_dated (&found[i])) return 1;
    return 0;
}

/* The answer of the problem as it was. */
typedef struct
{
    double p[RLS_MOST_REVERSING];
    double (*v)[6];
    rls_account account;
} answer;

static void keep_answer (const rls_island *s, const double (*v)[6], answer *first)
{
    memcpy (first->p, s->end.bounded.p, sizeof (double) * (size_t)s->end.bounded.rows);
    memcpy (first->v, v, sizeof (*v) * (size_t)s->model.bodies);
    first->account = s->account;
}

static void return_to (rls_island *s, const answer *first, double (*v)[6])
{
    memcpy (s->end.bounded.p, first->p, sizeof (double) * (size_t)s->end.bounded.rows);
    memcpy (v, first->v, sizeof (*v) * (size_t)s->model.bodies);
    s->account = first->account;
    rls_bounded_exchange (s);
    rls_bounded_keep (s);
    rls_bounded_exchange (s);
}

/* How much of what the last pass changed is taken back, that the changes of two passes cancel best
 * (Anderson's mixing of one step): what friction and normals pass to and fro shrinks by a third a pass. */
static double find_share (const rls_island *s, const reversal *found, int count)
{
    double along = 0, square = 0;
    for (int i = 0; i < count; ++i)
    {
        if (!is_dated (&found[i])) continue;
        const double off = impulse (s, &found[i], found[i].turned) - s->end.bounded.p[found[i].row];
        along += off * (off - found[i].off);
        square += (off - found[i].off) * (off - found[i].off);
    }
    return square > 0 ? along / square : 0;
}

/* By how much the fixed impulses are off what the normals at them make of them, of the largest. */
static double find_off (const rls_island *s, const reversal *found, int count)
{
    double off = 0, largest = 0;
    for (int i = 0; i < count; ++i)
    {
        const double p = s->end.bounded.p[found[i].row];
        largest = fmax (largest, fabs (p));
        if (is_dated (&found[i])) off = fmax (off, fabs (impulse (s, &found[i], found[i].turned) - p));
    }
    return off > 0 ? off / largest : 0;
}

/* Fixes what turned and lets go of the rest; mix: the last pass was one of the same rows. */
static void fix_all (rls_island *s, reversal *found, int count, int mix)
{
    const double share = mix ? find_share (s, found, count) : 0;
    for (int i = 0; i < count; ++i)
    {
        reversal *now = &found[i];
        const double last = now->due;
        if (!is_dated (now))
        {
            restore (&s->end.bounded, now);
            continue;
        }
        now->due = impulse (s, now, now->turned);
        now->off = now->due - s->end.bounded.p[now->row];
        fix (s, now, mix ? now->due - share * (now->due - last) : now->due);
    }
}

int rls_date_reversals (rls_island *s, double h, const double (*before)[6], double (*v)[6],
                        double (*scratch)[6])
{
    const double (*now)[6] = v;
    rls_bounded *end = &s->end.bounded;
    reversal found[RLS_MOST_REVERSING];
    answer first = {.v = scratch};
    const int count = find (s, h, now, found);
    if (count == 0) return 1;
    keep_answer (s, now, &first);

    /* had friction stayed as it was, the row would be there, and so it turned then */
    for (int i = 0; i < count; ++i) fix (s, &found[i], impulse (s, &found[i], 1));
    if (!solve_again (s, h, before, v)) return 0;
    for (int i = 0; i < count; ++i)
        found[i].turned = found[i].w0 / (found[i].w0 - row_velocity (end, &found[i], now));

    /* friction follows the normal impulses that it changes; a row that does not go on in reverse sticks */
    for (int pass = 0, same = 0; pass < PASSES && any_is_dated (found, count); ++pass)
    {
        if (same && find_off (s, found, count) <= RLS_NEGLIGIBLE) return 1;
        fix_all (s, found, count, same);
        if (!solve_again (s, h, before, v)) return 0;
        same = 1;
        for (int i = 0; i < count; ++i)
            if (found[i].turned < 1 && row_velocity (end, &found[i], now) * found[i].w0 > 0)
                found[i].turned = 1, same = 0;
    }

    /* where nothing turns, or friction and normals do not come to agree, nothing is dated */
    for (int i = 0; i < count; ++i) restore (end, &found[i]);
    return_to (s, &first, v);
    return 1;
}
