/* Steps that are split at the impacts of stops and contacts; contract in impacts.h. */
#include "impacts.h"
#include "bounded/contact_rows.h"
#include "bounded_halves.h"
#include "rebounds.h"
#include "symplectic_parts.h"

#define MOST_IMPACTS 8 /* in one step */

/* ---- when ---- */

/* Returns the time (s) at which a row reaches its stop that begins at gap with velocity v and moves by moved
 * in the time h, on the parabola through these; HUGE_VAL if not within h.  acceleration: that of the
 * parabola. */
static double time_of_impact (double gap, double v, double moved, double h, double *acceleration)
{
    const double level = fmin (gap, 0), height = gap - level, a = 2 * (moved - v * h) / (h * h),
                 square = v * v - 2 * a * height;
    *acceleration = a;
    if (height + moved >= 0 || square < 0) return HUGE_VAL;
    if (height == 0) return v < 0 ? 0 : -2 * v / a;
    return v < 0 ? 2 * height / (sqrt (square) - v) : (-v - sqrt (square)) / a;
}

/* The same for row r of joint j, in the sub-step of h (s) that has been tried; v: its velocity now. */
static double reached_at (const rls_symplectic *w, const rls_island *s, int j, int r, double h, double v,
                          double *acceleration)
{
    const rls_bounded *b = &s->begin.bounded;
    const double gap = b->row[r].gap,
                 moved = rls_bounded_side (b, r) * h * rls_bounded_mean_velocity (w, s, j, r, h),
                 at = time_of_impact (gap, v, moved, h, acceleration);
    return w->late && rls_bounded_is_late (b, j) ? rls_time_of_late_impact (gap, v, *acceleration, h) : at;
}

int rls_reaches_impact (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded;
    double *const time = s->end.bounded.target, a;
    int stays = 0;
    w->impact_at = HUGE_VAL;
    if (rls_stays_dated (w, s, h)) return 1;

    /* the first time at which a row that waits is reached */
    if (w->bounded_rows == RLS_BOUNDED_STALE && !s->provider.bounded (s, s->next.pose)) return 0;
    w->bounded_rows = RLS_BOUNDED_EVALUATED;
    rls_contact_rows_follow (s, w->pose, s->next.pose, 0);
    rls_bounded_find_motion (w, s, h);
    RLS_FOR_ROWS (b, j, r)
    {
        if (b->located[r] != RLS_WAITS) continue;
        time[r] = reached_at (w, s, j, r, h, rls_bounded_side (b, r) * b->before[r], &a);
        if (time[r] <= (1 - RLS_SHORTEST_PART) * h) w->impact_at = fmin (w->impact_at, time[r]);
    }

    /* Of the rows that are reached then, one that would be back at its stop within the step does not rebound;
     * one that is, holds.  But contacts that leave faster than forces bring them back are struck once more:
     * what brings them back are turning bodies, which turn otherwise after the impact.  How the others go on
     * depends on the impact. */
    const double first = w->impact_at + RLS_SHORTEST_PART * h,
                 slow = fmax (RLS_SEEN, rls_bounded_kick (s, h));
    RLS_FOR_ROWS (b, j, r)
    {
        if (b->located[r] != RLS_WAITS || !(w->impact_at < h) || time[r] > first) continue;
        const double v = rls_bounded_side (b, r) * b->before[r], at = reached_at (w, s, j, r, h, v, &a),
                     left = h - at, speed = -b->row[r].bounce * (v + a * at);
        const int fast = rls_bounded_is_contact (b, j) && speed > slow && at != 0,
                  back = v > 0 && b->row[r].gap <= RLS_SEEN && !fast,
                  leaves = fast || (!back && 0.5 * a * left > -speed);
        if (!leaves) b->row[r].bounce = 0;
        if (b->row[r].bounce == 0 && (back || at <= RLS_SHORTEST_PART * h) && !w->late)
            b->located[r] = RLS_AT_ONCE, b->row[r].gap = fmin (b->row[r].gap, 0), stays = 1;
    }

    /* they are struck, or the step is taken again with those that hold */
    for (int r = 0; r < b->rows && !stays && w->impact_at < h; ++r)
        if (b->located[r] == RLS_WAITS && time[r] <= first) b->located[r] = RLS_HITS;
    if (stays) w->impact_at = HUGE_VAL;
    return stays || w->impact_at < h;
}

/* ---- what happens ---- */

/* Returns the distance (m or rad) up to which rows count as touching at an impact: what the rows that are
 * reached move in the shortest part of the step. */
static double touching (const rls_bounded *b, const double (*v)[6], double h)
{
    double most = 0;
    RLS_FOR_ROWS (b, j, r)
        if (b->located[r] == RLS_HITS) most = fmax (most, fabs (rls_bounded_velocity (b, j, r, v)));
    return RLS_CLOSED + RLS_SHORTEST_PART * h * most;
}

/* Returns 1 for soft rows without bounds: of compliant joints, and springs. */
static int is_spring (const rls_bounded *b, int j, int r)
{
    return !rls_bounded_is_contact (b, j) && rls_bounded_is_soft (b, r) && isinf (b->lo[r]) &&
           isinf (b->hi[r]);
}

/* Returns 1 for rows that stop an approach at once: hard ones, and soft ones of which an impact in a step of
 * h (s) leaves little of the velocity. */
static int stops_at_once (const rls_bounded *b, int j, int r, double h)
{
    return !rls_bounded_is_soft (b, r) ||
           rls_rebound_softness (b, r, h) <= RLS_SMALL_PART * rls_bounded_mobility (b, j, r);
}

/* Returns 1 if row r of joint j takes part in an impact in a step of h (s): it is reached, it touches (its
 * gap is at most near), or it holds as a joint does.  Of rows that do not stop an approach at once, and
 * compliant stops that are reached, only those that rebound do; the others begin to push. */
static int takes_part (const rls_bounded *b, int j, int r, double near, double h)
{
    const int one_sided = rls_bounded_is_one_sided (b, r), hits = b->located[r] == RLS_HITS,
              begins = hits && rls_bounded_is_soft (b, r) && !rls_bounded_is_contact (b, j);
    if (begins || !stops_at_once (b, j, r, h)) return hits && b->row[r].bounce > 0;
    return is_spring (b, j, r) || hits ||
           (one_sided && b->located[r] == RLS_AT_ONCE && b->row[r].gap <= near);
}

/* Returns the sum over the rows that are reached, with velocities v, of the root of twice the energy that
 * stops or turns round the motion of their bodies alone (J^1/2). */
static double struck (const rls_bounded *b, const double (*v)[6])
{
    double sum = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        const double D = rls_bounded_mobility (b, j, r);
        if (b->located[r] == RLS_HITS && D > 0)
            sum += (1 + b->row[r].bounce) * fabs (rls_bounded_velocity (b, j, r, v)) / sqrt (D);
    }
    return sum;
}

/* Returns 1 for the row of a motor that has its rate and goes on to hold it in an impact: what that takes, to
 * which the rows that are struck lead, is little beside most, its impulse in a step of h (s).  Others have no
 * impulse in an instant, nor have springs and dampers. */
static int holds_its_rate (const rls_bounded *b, int j, int r, double most, double hit, double h,
                           const double (*v)[6])
{
    const double D = rls_bounded_mobility (b, j, r), off = rls_bounded_velocity (b, j, r, v) - b->row[r].rest;
    return rls_bounded_is_drive (b, j, r) && stops_at_once (b, j, r, h) && D > 0 &&
           hit <= RLS_LITTLE * most * sqrt (D) && fabs (off) <= RLS_LITTLE * hit * sqrt (D);
}

/* Sets the bounds of row r, of joint j, at an impact in which it takes part or not, in a step of h (s).
 * Friction of constant strength has no impulse in an instant, nor has that with slip, which is a damper,
 * unless it stops what slides at once.  Unlimited friction holds all that is struck, whether its normal has
 * an impulse or not: where contacts share an impact these are not unique, and a box would leave a wall
 * turning. */
static void bound_at_impact (const rls_bounded *b, rls_bounded *end, int j, int r, int part, double h)
{
    const int later = rls_bounded_is_friction (b, j, r) && (b->follow[r] < 0 || !stops_at_once (b, j, r, h)),
              acts = part && !later;
    end->lo[r] = acts ? b->lo[r] : 0;
    end->hi[r] = acts ? b->hi[r] : 0;
    if (acts && b->follow[r] >= 0 && isinf (b->hi[r])) end->follow[r] = -1;
}

/*
 * Forms the problem of an impact in end.bounded.  Rows that were separating may approach as fast as they
 * separated: impulses q change the energy by half the sum of q (w + w'), with velocities w of the rows before
 * and w' after, so that no row adds energy.
 */
static void form_impact (const rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const double near = touching (b, w->v, h), hit = struck (b, w->v);
    rls_bounded_share (end, b);
    RLS_FOR_ROWS (b, j, r)
    {
        const int friction = rls_bounded_is_friction (b, j, r),
                  part = takes_part (b, j, rls_bounded_normal (b, j, r), near, h);
        const double v = rls_bounded_velocity (b, j, r, w->v);
        const double opening = rls_bounded_side (b, r) * v, again = opening < 0 ? b->row[r].bounce : 1;
        end->softness[r] = part && rls_bounded_is_soft (b, r) ? rls_rebound_softness (b, r, h) : 0;
        end->p[r] = 0;
        bound_at_impact (b, end, j, r, part, h);
        end->target[r] = !friction && part ? -again * v : b->row[r].rest;
        if (is_spring (b, j, r)) end->target[r] = v; /* it goes on as it did */
        if (holds_its_rate (b, j, r, w->impacts.first.hi[r], hit, h, w->v))
            end->lo[r] = w->impacts.first.lo[r], end->hi[r] = w->impacts.first.hi[r], end->target[r] = v;
    }

    /* after all rows, because friction takes part with its normal */
    RLS_FOR_ROWS (b, j, r)
    {
        const double opening = rls_bounded_side (b, r) * rls_bounded_velocity (b, j, r, w->v);
        if (takes_part (b, j, rls_bounded_normal (b, j, r), near, h) && rls_is_let_pass (b, j, r, opening))
            b->located[r] = RLS_PARTED;
    }

    /* a row that has been reached waits for its next impact if it rebounds, else it holds from now on */
    for (int r = 0; r < b->rows; ++r)
        if (b->located[r] == RLS_HITS)
        {
            const int rebounds = b->row[r].bounce > 0;
            b->located[r] = rebounds ? RLS_WAITS : RLS_AT_ONCE;
            if (!rebounds) b->row[r].gap = fmin (b->row[r].gap, 0);
        }
}

/* Adds impulses p along rows to the sums over the step, as impulses and angular impulses on the bodies. */
static void add_impulses (rls_island *s, const double *p, const rls_bounded *at)
{
    for (int r = 0; r < at->rows; ++r)
        for (int k = 0; k < 12; ++k) s->bounded_wrench[r][k] += p[r] * at->J[r][k];
    for (int i = 0; i < at->parts.count; ++i)
        for (int k = 0; k < 12; ++k)
            s->bounded_part_wrench[i][k] += p[at->parts.of[i].row] * at->parts.J[i][k];
}

/* Solves the impact at the beginning of a sub-step, work.pose: changes work.v.  Returns RLS_DONE or
 * RLS_NO_MEMORY. */
static rls_outcome rebound (rls_symplectic *w, rls_island *s, double h)
{
    /* velocities after the impact */
    form_impact (w, s, h);
    memcpy (w->kicked, w->v, sizeof (*w->v) * (size_t)s->model.bodies);
    if (!rls_solve_impact (w, s, w->v)) return RLS_NO_MEMORY;
    rls_singular_remove (&w->singular, w->v);

    /* impulses of the bounded rows, and of the joints by the rest of the change */
    rls_note_bounded_work (w, &s->begin.bounded, s->end.bounded.p, NULL, w->kicked, w->v);
    rls_bounded_push (&s->begin.bounded, 1, s->end.bounded.p, w->kicked);
    add_impulses (s, s->end.bounded.p, &s->begin.bounded);
    rls_reactions_add (s, &s->begin, w->kicked, w->v);
    rls_note_rows_work (w, s, w->pose, w->v);
    w->history = 0;
    return RLS_DONE;
}

/* ---- the rows of the beginning, which the sub-steps change ---- */

static void lay_out (rls_impacts *i, rls_arena_cursor *c)
{
    const size_t rows = (size_t)i->first.rows, parts = (size_t)i->first.parts.count;
    RLS_TAKE (c, rows, i->first.J, i->wrench, i->first.row, i->first.lo, i->first.hi, i->total);
    RLS_TAKE (c, parts, i->first.parts.J, i->part_wrench);
}

/* Copies the parts of the bounded rows that sub-steps change. */
static void copy_state (const rls_bounded *from, const rls_bounded *to)
{
    const size_t rows = (size_t)from->rows;
    memcpy (to->lo, from->lo, sizeof (*to->lo) * rows);
    memcpy (to->hi, from->hi, sizeof (*to->hi) * rows);
    memcpy (to->row, from->row, sizeof (*to->row) * rows);
    memcpy (to->J, from->J, sizeof (*to->J) * rows);
    if (from->parts.count > 0)
        memcpy (to->parts.J, from->parts.J, sizeof (*to->parts.J) * (size_t)from->parts.count);
}

/* At the first impact of a step: keeps the rows of its beginning, and sets the sums of impulses to 0. Returns
 * 0 without memory. */
static int begin_split (rls_symplectic *w, rls_island *s)
{
    rls_impacts *i = &w->impacts;
    const rls_bounded *b = &s->begin.bounded;
    const size_t rows = (size_t)b->rows, parts = (size_t)b->parts.count;
    i->first.rows = b->rows, i->first.parts.count = b->parts.count;
    if (!RLS_LAY_OUT (i, &i->block, lay_out)) return 0;
    copy_state (b, &i->first);
    memset (i->wrench, 0, sizeof (*i->wrench) * rows);
    if (parts > 0) memset (i->part_wrench, 0, sizeof (*i->part_wrench) * parts);
    memset (i->total, 0, sizeof (double) * rows);
    s->bounded_wrench = i->wrench;
    s->bounded_part_wrench = i->part_wrench;
    return 1;
}

/* Sets the bounds of impulses for a sub-step that is a part of the step. */
static void bound_part (const rls_impacts *i, rls_bounded *b, double part)
{
    for (int r = 0; r < b->rows; ++r)
        if (b->follow[r] < 0) b->lo[r] = i->first.lo[r] * part, b->hi[r] = i->first.hi[r] * part;
}

/* Adds the impulses of a sub-step, of both halves, to the sums. */
static void add_substep (rls_symplectic *w, rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    for (int r = 0; r < b->rows; ++r)
    {
        w->impacts.total[r] += s->reactions.bounded_total[r];
        s->reactions.bounded_total[r] -= b->p[r];
    }
    add_impulses (s, b->p, b);
    add_impulses (s, s->reactions.bounded_total, &s->end.bounded);
}

/* After a sub-step of h (s): its end becomes the beginning of the next one. */
static void advance (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;

    /* gaps and elongations by the motion over the sub-step */
    add_substep (w, s);
    rls_bounded_note_quality (w, &s->account);
    rls_bounded_find_motion (w, s, h);
    RLS_FOR_ROWS (b, j, r)
    {
        const double moved = h * rls_bounded_mean_velocity (w, s, j, r, h);
        if (rls_bounded_is_one_sided (b, r)) b->row[r].gap += rls_bounded_side (b, r) * moved;
        b->row[r].open += moved - h * b->row[r].rest;
        b->row[r].start += moved;
        if (w->ahead == 0) b->row[r].push = 0;
    }

    /* the rows at its end */
    memcpy (b->J, end->J, sizeof (*b->J) * (size_t)b->rows);
    if (b->parts.count > 0) memcpy (b->parts.J, end->parts.J, sizeof (*b->parts.J) * (size_t)b->parts.count);
    rls_symplectic_advance (s);
    rls_form_bounded_columns (&s->begin.rows, &s->begin.bounded);
}

/* ---- the step ---- */

/* Chooses the rows whose impacts split the step: in small islands stops that rebound, and others that are not
 * reached yet.  Rows too soft to turn the velocity round in a step do not rebound: they are springs. */
static void choose_located (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded;
    const int few = b->rows <= RLS_SMALL_ISLAND;
    w->locates = 0, w->ahead = 0;
    w->late = few && !w->yielding;
    RLS_FOR_ROWS (b, j, r)
    {
        const double turns = b->row[r].bounce > 0 && rls_bounded_is_soft (b, r)
                                 ? rls_rebound_softness (b, r, h) / b->row[r].bounce
                                 : 0; /* the mobility with which it would just turn the velocity round */
        if (turns > 0 &&
            (rls_bounded_mobility (b, j, r) <= turns || rls_closed_mobility (w, s, j, r) <= turns))
            b->row[r].bounce = 0;
        const int rebounds = few && b->row[r].bounce > 0,
                  open = few && b->row[r].gap > RLS_CLOSED && b->row[r].rest == 0,
                  waits = rls_bounded_is_contact (b, j) ? rebounds && rls_bounded_is_expected (b, j)
                                                        : rebounds || open;
        b->located[r] = waits ? RLS_WAITS : RLS_AT_ONCE;
        w->locates |= waits;
    }
}

/* Takes the sub-step up to the impact at work.impact_at, which may lead back, and solves the impact.  now
 * (s): the sub-step that was tried.  left, late (s): how much is left of the step, and of the way to its
 * beginning; both are updated.  Returns as rls_symplectic_substep. */
static rls_outcome pass_impact (rls_symplectic *w, rls_island *s, double h, double now, double *left,
                                double *late)
{
    const double part = fabs (w->impact_at) > RLS_SHORTEST_PART * h ? w->impact_at : 0;
    if (!s->bounded_wrench && !begin_split (w, s)) return RLS_NO_MEMORY;

    /* contacts that go back to where they touched have no depth to reduce */
    rls_bounded *b = &s->begin.bounded;
    RLS_FOR_ROWS (b, j, r)
        if (w->late && rls_bounded_is_contact (b, j) && b->located[r]) b->row[r].push = 0;
    w->late = 0;
    if (part != 0)
    {
        if (part > 0) bound_part (&w->impacts, b, part / h);
        w->locates = 0, w->ahead = part < 0 ? now : 0;
        const rls_outcome done = rls_symplectic_substep (w, s, part);
        if (done == RLS_DONE) advance (w, s, part);
        w->locates = 1, w->ahead = 0;
        if (done != RLS_DONE) return done;
        *left -= part;
        *late = fmax (*late - part, 0);
    }
    return rebound (w, s, h);
}

rls_outcome rls_step_past_impacts (rls_symplectic *w, rls_island *s, double h, int pieces)
{
    const double most = h / pieces;
    rls_outcome done = RLS_DONE;
    double left = h, late = 0;
    s->bounded_wrench = NULL;
    choose_located (w, s, h);
    if (pieces > 1 && !begin_split (w, s)) return RLS_NO_MEMORY;
    for (int impacts = 0; left > 0 && done == RLS_DONE;)
    {
        /* after going back the first sub-step ends where the step began, so that none is longer than the
         * step */
        const double now = late > 0 ? late : left < RLS_MARGIN * most ? left : most;
        if (s->bounded_wrench) bound_part (&w->impacts, &s->begin.bounded, now / h);
        done = rls_symplectic_substep (w, s, now);
        if (done == RLS_DONE)
        {
            left -= now, late = 0;
            if (left > 0) advance (w, s, now);
            continue;
        }
        if (done != RLS_ANOTHER_WAY) break;

        /* an impact within it; or a row that holds from now on, with which it is taken again */
        done = RLS_DONE;
        if (!(w->impact_at < now)) continue;
        if (++impacts > MOST_IMPACTS)
            memset (s->begin.bounded.located, RLS_AT_ONCE, (size_t)s->begin.bounded.rows);
        else
            done = pass_impact (w, s, h, now, &left, &late);
    }

    /* after a step that was split: the rows of its beginning, and the totals of their impulses */
    if (!s->bounded_wrench) return done;
    if (done == RLS_DONE) add_substep (w, s);
    copy_state (&w->impacts.first, &s->begin.bounded);
    memcpy (s->reactions.bounded_total, w->impacts.total, sizeof (double) * (size_t)s->begin.bounded.rows);
    return done;
}
