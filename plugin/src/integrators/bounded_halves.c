/* Both halves of a symplectic step with bounded rows; contract and equations in bounded_halves.h.  The calls
 * of the solver are in bounded_problems.c, the motion over a step is in bounded_motion.c. */
#include "bounded_halves.h"
#include "bounded/contact_rows.h"
#include "rebounds.h"
#include "impacts.h"
#include "symplectic_parts.h"

#define MOST_ITERATIONS 30 /* of the first half */

/* Returns the velocity along row r at w->du if one of its bodies had kept that of the beginning, being
 * supported from elsewhere: the one of both with which the row approaches more. */
static double velocity_if_borne (const rls_symplectic *w, const rls_bounded *b, int j, int r)
{
    const double side = rls_bounded_side (b, r);
    const int *body = b->body[j];
    double least = side * rls_bounded_velocity (b, j, r, w->du);
    for (int k = 0; k < 2 && body[0] >= 0 && body[1] >= 0; ++k)
    {
        double change[6];
        for (int i = 0; i < 6; ++i) change[i] = w->du[body[k]][i] - w->v[body[k]][i];
        least = fmin (least, side * (b->before[r] + rls_dot6 (b->J[r] + 6 * k, change)));
    }
    return side * least;
}

int rls_bounded_iterates (const rls_symplectic *w, const rls_bounded *b)
{
    return !w->yielding && b->rows <= RLS_SMALL_ISLAND;
}

/* Sets softness and target of the rows for the first half, in end, and leave, their velocities at the end.
 * closed: their mobilities with closed joints, NULL: not known. */
static void prepare_beginning (rls_symplectic *w, rls_island *s, const double *closed, double h)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;

    /* targets, and the softness of soft rows */
    RLS_FOR_ROWS (b, j, r) b->before[r] = rls_bounded_velocity (b, j, r, w->v);
    RLS_FOR_ROWS (b, j, r)
    {
        end->softness[r] = 0, b->leave[r] = b->row[r].rest;
        end->target[r] = b->leave[r];
        if (w->yielding) end->softness[r] = RLS_YIELDING * rls_bounded_mobility (b, j, r);
        b->mobility[r] = 0;
        if (!rls_bounded_is_soft (b, r)) continue;
        b->mobility[r] = rls_soft_mobility (w, s, closed, j, r);
        const rls_soft_row soft = rls_soft_row_of (b, j, r, h, b->mobility[r]);
        end->softness[r] = 2 / (h * soft.first);
        end->target[r] -= b->row[r].stiffness * b->row[r].open / soft.first;
    }
    rls_overlap_contacts (s, h, (const double (*)[6])w->v, NULL);

    /* stops that are not reached yet, and rebounds, which are dated */
    memcpy (w->du, w->u, sizeof (*w->du) * (size_t)s->model.bodies);
    RLS_FOR_ROWS (b, j, r)
    {
        const int hard = !rls_bounded_is_soft (b, r);
        if (((b->row[r].gap > 0 && hard) || b->row[r].bounce > 0) && !b->located[r])
            rls_date_rebound (b, end, r, h, b->before[r], rls_bounded_velocity (b, j, r, w->du),
                              velocity_if_borne (w, b, j, r));
    }
    rls_wait_for_late (w, s, h);
}

/* How a row answers to what it is asked for in the first half. */
typedef struct
{
    double missed; /* by how much its mean velocity over the step has missed what it shall be, */
    double at;     /* at this velocity along it; NAN: not known */
    double answer; /* the share of a change of that by which it moves on */
} answer;

/* Returns by how much more a row is to be asked for that has missed what it shall be at the velocity at.  A
 * thin body that turns fast answers little: its momentum changes by a multiple of what its velocity over the
 * step does. */
static double ask_more (answer *a, double missed, double at)
{
    const double less = a->missed - missed, more = at - a->at;
    if (less * more > 0 && fabs (more) > RLS_SEEN) a->answer = fmin (1, less / more);
    a->missed = missed, a->at = at;
    return missed / a->answer;
}

/* Changes the targets of the problem, velocities at u along the rows of the beginning, such that the motion
 * over the step becomes what it shall be, to first order: the error of the motion is added to the present
 * velocities.  answers: of the rows, where that converges slowly; else NULL.
 * first: 1 after the first solution.  Returns the largest change of a motion (m or rad) by all of it. */
static double aim (rls_symplectic *w, rls_island *s, double h, double *const targets[2], answer *answers,
                   int first)
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    double *bilateral = targets[0], *bounded = targets[1], change = 0;
    if (first && rls_overlap_contacts (s, h, (const double (*)[6])w->u, (const double (*)[6])w->v))
        change = 2 * RLS_SEEN; /* to be solved again */
    for (int r = 0; r < s->begin.rows.rows; ++r)
    {
        if (s->begin.factor.decision[r] == RLS_REDUNDANT) continue;
        bilateral[r] += w->trial.residual[r] / h;
        change = fmax (change, fabs (w->trial.residual[r]));
    }
    rls_bounded_find_motion (w, s, h);
    rls_contact_rows_move (s, h, w->pose, w->du);
    RLS_FOR_ROWS (b, j, r)
    {
        const double at_u = rls_bounded_velocity (b, j, r, w->u);
        const double next = end->target[r] + at_u - rls_bounded_mean_velocity (w, s, j, r, h);
        change = fmax (change, fabs (h * (next - bounded[r])));

        /* drives that have got what they were asked for; others have come to a bound */
        const int asks = answers && rls_bounded_is_drive (b, j, r),
                  held = fabs (at_u - bounded[r]) <= RLS_SEEN * (1 + fabs (at_u));
        const double more = asks ? ask_more (&answers[r], next - at_u, at_u) : 0;
        bounded[r] = asks && held ? at_u + more : next;
    }
    return change;
}

/* Solves the problem of the first half with these targets (bilateral and bounded), from w->kicked to w->u.
 * first: 1 to start with half of the impulses of the last step, 0 with those of the last call; again: 1 if
 * its matrix is known already; near: 1 to stay near these.  Returns 1, or 0 without memory. */
static int solve (rls_symplectic *w, rls_island *s, double h, double *const targets[2], int first, int again,
                  int near)
{
    const rls_bounded_settings settings =
        rls_bounded_of_half (s, 0.5 * h, first ? 0.5 : 1, first ? NULL : s->end.bounded.p, again);
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const rls_bounded own = *b;
    double *const rows_target = s->begin.rows.target;
    if (!first) memcpy (end->p, b->p, sizeof (double) * (size_t)b->rows);
    if (near) rls_bounded_stay_near (b, end, targets[1], 1);
    memcpy (w->u, w->kicked, sizeof (*w->u) * (size_t)s->model.bodies);
    rls_bounded_push_given (b, w->u, NULL);
    s->begin.rows.target = targets[0], b->target = targets[1];
    b->softness = end->softness, b->lo = end->lo, b->hi = end->hi;
    const int done = rls_bounded_solve (s, &settings, w->u);
    s->begin.rows.target = rows_target, *b = own;
    if (near) rls_bounded_stay_near (b, end, targets[1], -1);
    return done;
}

/* Returns 1 for a large island with joints that the program moves, whose first half is solved twice: the axle
 * of a wheel turns with its car, and if the joint were only closed afterwards, by h^2 times both rates,
 * wheels would lose the ground. */
static int is_solved_twice (const rls_symplectic *w, const rls_island *s)
{
    return !rls_bounded_iterates (w, &s->begin.bounded) && !w->yielding && s->begin.rows.rows > 0 &&
           rls_is_moved (s);
}

/* Solves the problem of the first half, and again with targets (of bilateral and bounded rows) by the motion
 * that the solution leads to.  from: 0 to start with the impulses of the last step; formed: 1 if its matrix
 * is known.  *change: the last change of the motion.  Returns RLS_DONE, RLS_NO_MEMORY or RLS_FAILED. */
static rls_outcome find_first (rls_symplectic *w, rls_island *s, double h, double *const targets[2], int from,
                               int formed, double *change)
{
    const int iterates = rls_bounded_iterates (w, &s->begin.bounded),
              last_one = iterates ? MOST_ITERATIONS - 1 : from + is_solved_twice (w, s);
    double *p = s->begin.bounded.p, first[RLS_SMALL_ISLAND];
    answer answers[RLS_SMALL_ISLAND];
    const size_t size = iterates ? sizeof (*p) * (size_t)s->begin.bounded.rows : 0;
    for (int r = 0; iterates && r < s->begin.bounded.rows; ++r) answers[r] = (answer){0, NAN, 1};
    *change = HUGE_VAL;
    for (int i = from, stays = 0, slow = 0; i <= last_one && stays < 2; ++i)
    {
        const double last = *change;
        if (!solve (w, s, h, targets, i == 0, i > 0 || formed, slow != 0)) return RLS_NO_MEMORY;
        if (i == from) memcpy (first, p, size);
        if (!iterates && i == last_one) return RLS_DONE;
        if (!rls_symplectic_drift (w, s, h, i == from) || !rls_symplectic_look (w, s, h, i == from) ||
            !s->provider.bounded (s, s->next.pose))
            return RLS_FAILED;
        *change = aim (w, s, h, targets, slow > 0 ? answers : NULL, i == from);
        if (*change <= RLS_SEEN) return RLS_DONE;
        if (slow == 0 && iterates && *change > RLS_EXHAUSTED * last)
            slow = 1, memcpy (p, first, size); /* contacts may bear by turns */
        else if (slow != 0 && *change > last)
            slow = -1; /* their answers depend on those of others */

        /* it also ends where it no longer converges, because rows contradict each other a little */
        stays = *change > RLS_EXHAUSTED * last && *change <= RLS_LEFT_OPEN_BY_A_STEP ? stays + 1 : 0;
    }
    return RLS_DONE;
}

/* The account of a step has the largest residual of its problems. */
static void account_for_all (const rls_symplectic *w, rls_account *account)
{
    account->bounded_inexact |= w->inexact;
    account->bounded_residual = fmax (account->bounded_residual, w->residual);
}

void rls_bounded_note_quality (rls_symplectic *w, rls_account *account)
{
    account_for_all (w, account);
    w->inexact = account->bounded_inexact;
    w->residual = account->bounded_residual;
}

rls_outcome rls_bounded_first_half (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded;
    double *bilateral = w->x, *bounded = s->reactions.bounded_total;
    const int iterates = rls_bounded_iterates (w, b);

    /* rows of contacts at the end; a step that goes back solves no problem */
    rls_bounded_share (&s->end.bounded, b);
    if (!rls_contact_rows_at_end (s, h, !w->yielding)) return RLS_NO_MEMORY;
    if (w->ahead > 0) return rls_first_half_back (w, s, h);

    /* targets, softness and bounds; mobilities of springs are in the matrix of small islands */
    const double *closed = NULL;
    int springs = 0;
    RLS_FOR_ROWS (b, j, r) springs |= rls_bounded_is_soft (b, r) && !rls_bounded_is_contact (b, j);
    if (springs && !rls_bounded_form (s, &closed)) return RLS_NO_MEMORY;
    prepare_beginning (w, s, closed, h);
    if (w->rows > 0) memcpy (bilateral, s->begin.rows.target, sizeof (double) * (size_t)w->rows);
    memcpy (bounded, s->end.bounded.target, sizeof (double) * (size_t)b->rows);
    if (!w->yielding) rls_bounded_begin_later (s);

    /* half of the bounds of the step; for friction, whose bounds are coefficients, all; 0 for rows that wait
     * for their impact */
    RLS_FOR_ROWS (b, j, r)
    {
        const int follows = b->follow[r] >= 0,
                  waits = !follows && b->located[rls_bounded_normal (b, j, r)] != RLS_AT_ONCE;
        const double part = waits ? 0 : follows ? 1 : 0.5;
        s->end.bounded.lo[r] = part > 0 ? part * b->lo[r] : 0;
        s->end.bounded.hi[r] = part > 0 ? part * b->hi[r] : 0;
    }

    /* solved, and again where the first half may use impulses of the second one, or may not after all */
    double change = 0;
    rls_outcome done = find_first (w, s, h, (double *[2]){bilateral, bounded}, 0, closed != NULL, &change);
    for (int given = 0; given < 2 && done == RLS_DONE; ++given)
        if (rls_bounded_give_later (s, h, bounded, given, (const double (*)[6])w->u))
            done = find_first (w, s, h, (double *[2]){bilateral, bounded}, 1, 1, &change);
    rls_bounded_push_given (b, NULL, b->p);
    w->looked = iterates && done == RLS_DONE && change <= RLS_SEEN;
    w->bounded_rows = w->looked ? RLS_BOUNDED_MOVED : RLS_BOUNDED_STALE;
    w->diverged = iterates && done == RLS_DONE && change > RLS_LEFT_OPEN_BY_A_STEP ? change : 0;

    /* accepted, unless something is jammed */
    rls_bounded_note_quality (w, &s->account);
    if (done == RLS_DONE && !w->yielding && rls_is_jammed (s, h, b->p)) return RLS_FAILED;
    if (done == RLS_DONE) rls_bounded_push (b, 1, b->p, w->kicked);
    return done;
}

/* Returns 1 for a one-sided row that had no impulse in the first half and is open at the end of the step. */
static int is_apart (const rls_symplectic *w, const rls_island *s, int j, int r, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const int one_sided = rls_bounded_is_one_sided (b, r);
    if (!one_sided || b->p[r] != 0) return 0;
    const double moved = h * (rls_bounded_mean_velocity (w, s, j, r, h) - b->row[r].rest);
    return fmax (b->row[r].gap, 0) + rls_bounded_side (b, r) * moved > RLS_SEEN;
}

/*
 * Returns the velocity with which contact r shall separate because of its depth, as ODE's contacts do; 0 for
 * most.  It is for contacts that jump (method.md, "Contacts that jump"): a contact that approaches from
 * deeper than it can have come in a step while another point of its bodies was found in the last step, and
 * this one sank.  If depths were only reduced by displacements the bodies would turn back and forth between
 * both points, and sink for ever.  The contact separates more slowly than it approached, so that no energy is
 * gained.  Not in islands with drives, which may press bodies together.
 */
static double velocity_left_by_depth (const rls_island *s, int j, int r, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const int soft = rls_bounded_is_soft (b, r);
    if (!rls_bounded_is_contact (b, j) || b->follow[r] >= 0 || b->row[r].bounce > 0 || soft) return 0;
    if (s->elimination.precedence.count > 0 || rls_has_targets (s)) return 0;
    const double side = rls_bounded_side (b, r), way = -side * h * b->before[r],
                 depth = rls_bounded_depth (b, r);
    if (!(way > RLS_CLOSED && depth > way && rls_bounded_has_jumped (s, j, depth - way))) return 0;
    return side * fmin (fmin (fabs (b->row[r].push), b->row[r].most), (1 - way / depth) * way) / h;
}

/* Sets bounds and targets of the second half, for totals, and twice the impulses of the first half as totals
 * to start with. */
static void prepare_end (rls_symplectic *w, const rls_island *s, rls_bounded *end, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    RLS_FOR_ROWS (b, j, r)
    {
        /* bounds are on totals of rows that push one way only, of friction, and of what was given in advance
         */
        const int follows = b->follow[r] >= 0, normal = follows ? b->follow[r] : r,
                  totals = follows || rls_bounded_is_one_sided (b, r) || b->given[j] != 0;
        end->target[r] = b->leave[r] + velocity_left_by_depth (s, j, r, h);
        end->softness[r] = w->yielding ? RLS_YIELDING * rls_bounded_mobility (b, j, r) : 0;
        end->lo[r] = totals ? b->lo[r] : b->p[r] + 0.5 * b->lo[r];
        end->hi[r] = totals ? b->hi[r] : b->p[r] + 0.5 * b->hi[r];
        if (b->located[rls_bounded_normal (b, j, r)] || is_apart (w, s, j, normal, h))
            end->lo[r] = end->hi[r] = 0;
        end->p[r] = 2 * b->p[r];
    }
}

/* Forms the problem of the second half in end: rows at the end, bounds, targets and softness.  Returns
 * RLS_DONE or RLS_FAILED. */
static rls_outcome form_second (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    rls_bounded_share (end, b);
    if (w->bounded_rows == RLS_BOUNDED_STALE && !s->provider.bounded (s, s->next.pose)) return RLS_FAILED;
    rls_bounded_find_motion (w, s, h);
    if (w->bounded_rows < RLS_BOUNDED_MOVED) rls_contact_rows_move (s, h, w->pose, w->du);
    rls_form_bounded_columns (&s->end.rows, &s->end.bounded);
    prepare_end (w, s, end, h);

    /* targets and softness of soft rows, in terms of the totals of both impulses */
    RLS_FOR_ROWS (b, j, r)
    {
        if (!rls_bounded_is_soft (b, r)) continue;
        const rls_soft_row soft = rls_soft_row_of (b, j, r, h, b->mobility[r]);
        const double open = b->row[r].open + h * (rls_bounded_mean_velocity (w, s, j, r, h) - b->row[r].rest);
        end->softness[r] = 2 / (h * soft.eps * soft.second);
        if (rls_row_rebounds (b, r))
            end->softness[r] = rls_rebound_softness (b, r, h);
        else
            end->target[r] +=
                (2 - soft.eps) * end->softness[r] * b->p[r] - b->row[r].stiffness * open / soft.second;
    }
    return RLS_DONE;
}

rls_outcome rls_bounded_second_half (rls_symplectic *w, rls_island *s, double h, int again, double (*v)[6])
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    if (w->ahead > 0) return rls_second_half_back (w, s, v);
    if (!again && form_second (w, s, h) != RLS_DONE) return RLS_FAILED;

    /* a motion that the first half has not found; what contacts lack of it, later steps make up for */
    if (w->diverged > RLS_DEPENDS && !rls_bounded_has_contacts (b)) w->inexact = 1;

    /* end.p are totals, so the first impulses are taken out of v */
    rls_bounded_push (end, -1, b->p, v);

    /* solved; in small islands again with reversals of friction, and with slower rebounds if they gain
     * energy */
    memcpy (w->best, v, sizeof (*v) * (size_t)s->model.bodies);
    rls_outcome done = rls_bounded_solve_second (s, h, again, v);
    if (done == RLS_DONE && !again && b->rows <= RLS_SMALL_ISLAND)
        done = rls_date_reversals (s, h, w->best, v, w->du);
    memcpy (s->reactions.bounded_total, end->p, sizeof (double) * (size_t)b->rows);

    /* b alone is added to w->kicked; end.p keeps the totals */
    for (int r = 0; r < b->rows; ++r) end->p[r] = s->reactions.bounded_total[r] - b->p[r];
    rls_bounded_push (end, 1, end->p, w->kicked);
    memcpy (end->p, s->reactions.bounded_total, sizeof (double) * (size_t)b->rows);
    s->reactions.bounded_in_halves = done == RLS_DONE;
    if (done == RLS_DONE) rls_bounded_keep_later (s, h, (const double (*)[6])v);
    account_for_all (w, &s->account);
    if (done == RLS_DONE && !w->yielding && rls_is_jammed (s, h, s->reactions.bounded_total))
        return RLS_FAILED;
    return done;
}

int rls_bounded_rests (const rls_island *s, double h, const double (*v)[6])
{
    return s->account.bounded_rest >= 0 &&
           rls_fastest (s->model.bodies, v) <=
               fmin (RLS_AT_REST * s->account.bounded_rest, rls_bounded_least_kick (s, h));
}
