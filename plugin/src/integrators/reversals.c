/*
 * Dry friction that reverses within a step (section 9 of method.md, "Friction and motors that reverse within
 * a step").
 *
 * If a row slides, stops, and slides the other way within one step, friction has both signs in it, and how
 * much of each determines the velocity at the end to first order.  Let w0 be the velocity of the row before,
 * and w_s the velocity that it would have at the end if friction kept its sign.  Then it reverses at the time
 *
 *     tau = h w0 / (w0 - w_s),
 *
 * and a friction of F has the impulse sign (w0) F (h - 2 tau) over the step.  The same holds for a motor
 * whose wanted velocity is passed.  If the row sticks instead of reversing, its impulse is what holds it, as
 * in the problem without this rule.
 */
#include "bounded_halves.h"

#define PASSES 16 /* at most, until friction and normal impulses agree */

/* A row that may have reversed. */
typedef struct
{
    int joint, row, normal; /* normal: the row whose impulse bounds its friction, -1: none */
    double lo, hi;          /* its bounds in the original problem */
    double w0;              /* velocity before, relative to the wanted one */
    double turned;          /* part of the step before it reverses; 1: it does not */
    double due;             /* the impulse that the last pass asked for, */
    double off;             /* and the difference from the impulse that had been fixed */
} reversal;

/* Returns the velocity along the row, relative to the wanted one. */
static double row_velocity (const rls_bounded *end, const reversal *now, const double (*v)[6])
{
    return rls_bounded_velocity (end, now->joint, now->row, v) - end->target[now->row];
}

/*
 * Returns 1 if the row is a motor, or friction in a joint, that sticks.  Let F be its largest impulse over
 * the step, p the one that holds it in the original problem and q the one that takes up w0.  It stops at tau
 * = h q / (F + q + p), and is held if that takes no more than F for the rest of the step: p <= F (1 - 2 tau /
 * h).  q follows from its mobility with the joints closed (closed; NULL: not known), which is right while all
 * others slide, too: a servo asks for other rates in each step, so that each of its motors begins as if it
 * slid.
 */
static int sticks (const rls_island *s, const reversal *now, const double *closed)
{
    const rls_bounded *b = &s->begin.bounded;
    const int r = now->row;
    if (!closed || now->normal >= 0 || !(closed[r] > 0)) return 0;
    const double F = fmin (b->hi[r], -b->lo[r]), q = fabs (now->w0) / closed[r],
                 p = now->w0 > 0 ? s->end.bounded.p[r] : -s->end.bounded.p[r];
    return F + q + p > 0 && p <= F * (1 - 2 * q / (F + q + p));
}

/* Returns 1 if the row, which slid before, is at rest or slides the other way at the end. */
static int may_reverse (const rls_island *s, const reversal *now, const double (*v)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    const int r = now->row, both = b->lo[r] < 0 && b->hi[r] > 0 && b->hi[r] - b->lo[r] < HUGE_VAL;
    if (rls_bounded_is_soft (b, r) || (now->normal < 0 && !both)) return 0;
    if (now->normal >= 0 && !(b->hi[r] < HUGE_VAL && s->end.bounded.p[now->normal] > 0)) return 0;
    const double w1 = row_velocity (&s->end.bounded, now, v);
    return fabs (w1) <= RLS_SEEN || now->w0 * w1 < 0;
}

/* Returns the impulse of a row that reverses after a part of the step: with one bound before, with the other
 * after. */
static double impulse (const rls_island *s, const reversal *now, double turned)
{
    const rls_bounded *b = &s->begin.bounded;
    const double most = now->normal < 0 ? b->hi[now->row] : b->hi[now->row] * s->end.bounded.p[now->normal],
                 least = now->normal < 0 ? b->lo[now->row] : -most;
    return now->w0 > 0 ? turned * least + (1 - turned) * most : turned * most + (1 - turned) * least;
}

/* Makes p the impulse of the row in the problem, and undoes that. */
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

/* Solves the problem of the second half again.  Returns 0 without memory. */
static int solve_again (rls_island *s, double h, const double (*before)[6], double (*v)[6])
{
    memcpy (v, before, sizeof (*v) * (size_t)s->model.bodies);
    return rls_bounded_solve_second (s, h, 1, v);
}

/* Lists the rows that slid fast enough before and may have reversed.  Returns their number. */
static int find_candidates (const rls_island *s, double h, const double (*v)[6], reversal *found)
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const double slow = fmax (RLS_SEEN, RLS_LITTLE * rls_bounded_kick (s, h)),
                 *closed = rls_bounded_closed_mobility (s);
    int count = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        const double w0 = b->before[r] - b->row[r].rest;
        if (!(fabs (w0) > slow)) continue;
        found[count] = (reversal){j, r, b->follow[r], end->lo[r], end->hi[r], w0, 1, 0, 0};
        count += may_reverse (s, &found[count], v) && !sticks (s, &found[count], closed);
    }
    return count;
}

/* Returns 1 if a time within the step has been found for the reversal. */
static int is_dated (const reversal *now) { return now->turned > 0 && now->turned < 1; }

static int any_is_dated (const reversal *found, int count)
{
    for (int i = 0; i < count; ++i)
        if (is_dated (&found[i])) return 1;
    return 0;
}

/* Returns which share of the last pass's change is to be taken back (Anderson's mixing of one step).
 * Friction depends on normal impulses and these on friction; plain iteration between both reduces the error
 * by a third a pass only. */
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

/* Returns the largest difference between a fixed impulse and the one that follows from the present normal
 * impulses, relative to the largest impulse. */
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

/* Fixes the impulses of rows that reverse, and gives the others their original bounds.  mix: 1 if the last
 * pass had the same rows. */
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
    reversal found[RLS_SMALL_ISLAND];
    const int count = find_candidates (s, h, now, found);
    if (count == 0) return 1;

    /* the solution of the original problem */
    const size_t rows = sizeof (double) * (size_t)end->rows, bodies = sizeof (*v) * (size_t)s->model.bodies;
    const rls_account account = s->account;
    double p[RLS_SMALL_ISLAND];
    memcpy (p, end->p, rows);
    memcpy (scratch, v, bodies);

    /* w_s: the problem with friction that keeps its sign; from it the times of the reversals */
    for (int i = 0; i < count; ++i) fix (s, &found[i], impulse (s, &found[i], 1));
    if (!solve_again (s, h, before, v)) return 0;
    for (int i = 0; i < count; ++i)
        found[i].turned = found[i].w0 / (found[i].w0 - row_velocity (end, &found[i], now));

    /* Passes with fixed impulses, until these agree with the normal impulses, as far as the solver determines
     * them.  A row that does not slide the other way at the end has stuck, and is not fixed any more. */
    double off = 1;
    for (int pass = 0, same = 0; pass < PASSES && any_is_dated (found, count); ++pass)
    {
        const double was = off;
        off = same ? find_off (s, found, count) : 1;
        if (off <= RLS_NEGLIGIBLE || (off <= RLS_DEPENDS && off >= was)) return 1;
        fix_all (s, found, count, same);
        if (!solve_again (s, h, before, v)) return 0;
        same = 1;
        for (int i = 0; i < count; ++i)
            if (found[i].turned < 1 && row_velocity (end, &found[i], now) * found[i].w0 > 0)
                found[i].turned = 1, same = 0;
    }

    /* no reversals, or no agreement: the original solution stands, also as the solver's warm start */
    for (int i = 0; i < count; ++i) restore (end, &found[i]);
    memcpy (end->p, p, rows);
    memcpy (v, scratch, bodies);
    s->account = account;
    rls_bounded_exchange (s);
    rls_bounded_keep (s);
    rls_bounded_exchange (s);
    return 1;
}
