/* Bounded rows in both halves of a symplectic step; equations in bounded_halves.h. */
#include "bounded_halves.h"
#include "bounded/bounded.h"
#include "bounded/contact_rows.h"
#include "project.h"
#include "rebounds.h"
#include "reversals.h"
#include "soft_rows.h"
#include "step_back.h"
#include "step_energy.h"
#include "symplectic_parts.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define MOST_ITERATIONS 30
#define SOLVER_ITERATIONS 50
#define APART_ITERATIONS 20

/* 1 for rows that push one way only, and for friction that follows them. */
static int holds_totals (const rls_bounded *b, int r)
{
    return b->follow[r] >= 0 || rls_bounded_is_one_sided (b, r);
}

void rls_bounded_find_motion (rls_symplectic *w, const rls_island *s, double h)
{
    memcpy (w->du, w->u, sizeof (*w->du) * (size_t)s->model.bodies);
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b]) rls_spins_mean_velocity (w->spins, s, b, h, w->du[b] + 3);
}

double rls_bounded_mean_velocity (const rls_symplectic *w, const rls_bounded *b, const rls_bounded *end,
                                  int j, int r, double h)
{
    if (!isnan (end->way[r])) return end->way[r] / h;
    return 0.5 * (rls_bounded_velocity (b, j, r, (const double (*)[6])w->du) +
                  rls_bounded_velocity (end, j, r, (const double (*)[6])w->du));
}

/* The velocity along row r at w->du if one of its bodies has kept that of the beginning, whichever makes the
 * row approach more. */
static double velocity_if_borne (const rls_symplectic *w, const rls_bounded *b, int j, int r)
{
    const double side = rls_bounded_side (b, r);
    const int body[2] = {b->body1[j], b->body2[j]};
    double least = side * rls_bounded_velocity (b, j, r, (const double (*)[6])w->du);
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

/* 1 where nothing holds contact j along its surface, or it moves along that. */
static int moves_along (const rls_symplectic *w, const rls_bounded *b, int j)
{
    int held = 0, moves = 0;
    for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        if (b->follow[r] >= 0)
            held = 1, moves |= fabs (rls_bounded_velocity (b, j, r, (const double (*)[6])w->v)) > RLS_SEEN;
    return moves || !held;
}

/* Collision detection finds only what overlaps.  What moves along another body and touches it to rounding
 * would lose a contact now and then, and tip: so contacts are to overlap by more. */
static double approach_to_overlap (const rls_symplectic *w, const rls_bounded *b, int j, int r, double h,
                                   double rounding)
{
    const int rigid =
        b->follow[r] < 0 && !(b->row[r].bounce > 0) && !rls_bounded_is_soft (b, r) && b->row[r].share > 0;
    if (!rigid || !rls_bounded_is_contact (b, j) || !moves_along (w, b, j)) return 0;
    return rls_bounded_side (b, r) * fmin (rls_bounded_depth (b, r) - rounding, 0) / h;
}

/* Softness and velocity wanted of the rows in the first half. */
static void prepare_beginning (rls_symplectic *w, rls_island *s, const double *closed, double h)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const double rounding = fmax (RLS_SAME, rls_closing_rounding (s->state.pose, s->model.bodies, 4));

    /* what rows want, and how springs give way */
    if (w->rows > 0) memset (w->x, 0, sizeof (double) * (size_t)w->rows);
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            end->softness[r] = 0, b->leave[r] = b->row[r].bounce > 0 ? 0 : b->row[r].rest;
            end->target[r] = b->leave[r] + approach_to_overlap (w, b, j, r, h, rounding);
            if (w->yielding) end->softness[r] = RLS_YIELDING * rls_bounded_mobility (b, j, r);
            if (!rls_bounded_is_soft (b, r)) continue;
            b->mobility[r] = rls_soft_mobility (w, s, closed, j, r);
            const rls_soft_row soft = rls_soft_row_of (b, j, r, h, b->mobility[r]);
            end->softness[r] = 2 / (h * soft.first);
            end->target[r] -= b->row[r].stiffness * b->row[r].open / soft.first;
        }

    /* when rows that are open yet are reached, or rebound */
    memcpy (w->du, w->u, sizeof (*w->du) * (size_t)s->model.bodies);
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            b->before[r] = rls_bounded_velocity (b, j, r, (const double (*)[6])w->v);
            if ((b->row[r].gap > 0 || b->row[r].bounce > 0) && !rls_bounded_is_soft (b, r) && !b->located[r])
                rls_date_rebound (b, end, r, h, b->before[r],
                                  rls_bounded_velocity (b, j, r, (const double (*)[6])w->du),
                                  velocity_if_borne (w, b, j, r));
        }
    rls_wait_for_late (w, s, h);
    rls_allow_approach (b, end);
}

/*
 * What the rows' velocities at u must be for their motion over the step to be as it shall be, to first order:
 * by how much that is off now is added to what they are.  Returns the largest change of a motion (m or rad).
 */
static double aim (rls_symplectic *w, rls_island *s, double h, double *bilateral, double *bounded)
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    double change = 0;
    for (int r = 0; r < s->begin.rows.rows; ++r)
    {
        if (s->begin.factor.decision[r] == RLS_REDUNDANT) continue;
        bilateral[r] += w->trial.residual[r] / h;
        change = fmax (change, fabs (w->trial.residual[r]));
    }
    rls_bounded_find_motion (w, s, h);
    rls_contact_rows_move (s, h, w->pose, (const double (*)[6])w->du);
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const double at_u = rls_bounded_velocity (b, j, r, (const double (*)[6])w->u);
            const double next = end->target[r] + at_u - rls_bounded_mean_velocity (w, b, end, j, r, h);
            change = fmax (change, fabs (h * (next - bounded[r])));
            bounded[r] = next;
        }
    return change;
}

/* The impulses that a complementarity problem at the beginning asks for, from w->kicked; into w->u.  first:
 * beginning with half of those of the last step, otherwise with the last ones; again: its matrix is there. */
static int solve (rls_symplectic *w, rls_island *s, double h, double *bilateral, double *bounded, int first,
                  int again)
{
    const rls_bounded_settings settings = {.iterations = SOLVER_ITERATIONS,
                                           .tolerance = RLS_SOLVED,
                                           .scale = first ? 0.5 : 1,
                                           .start = first ? NULL : s->end.bounded.p,
                                           .again = again,
                                           .closed = 1,
                                           .kick = rls_bounded_kick (s, 0.5 * h)};
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    double *const rows_target = s->begin.rows.target, *const target = b->target,
                  *const softness = b->softness, *const lo = b->lo, *const hi = b->hi;
    if (!first) memcpy (end->p, b->p, sizeof (double) * (size_t)b->rows);
    memcpy (w->u, w->kicked, sizeof (*w->u) * (size_t)s->model.bodies);
    s->begin.rows.target = bilateral, b->target = bounded;
    b->softness = end->softness, b->lo = end->lo, b->hi = end->hi;
    const int done = rls_bounded_solve (s, &settings, w->u);
    s->begin.rows.target = rows_target, b->target = target;
    b->softness = softness, b->lo = lo, b->hi = hi;
    return done;
}

/* The step is as exact as the worst of its problems. */
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

/* What a row may push in the first half: half of what it may over the step, but friction a part of what the
 * normal does; nothing before its impact. */
static void bound_beginning (const rls_bounded *b, rls_bounded *end)
{
    for (int r = 0; r < b->rows; ++r)
    {
        const double part = b->located[r] ? 0 : b->follow[r] < 0 ? 0.5 : 1;
        end->lo[r] = part > 0 ? part * b->lo[r] : 0;
        end->hi[r] = part > 0 ? part * b->hi[r] : 0;
    }
}

rls_outcome rls_bounded_first_half (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded;
    double *bilateral = w->x, *bounded = s->reactions.bounded_total;
    const int iterates = rls_bounded_iterates (w, b);
    rls_bounded_share (&s->end.bounded, b);
    if (!rls_contact_rows_at_end (s, h, !w->yielding)) return RLS_NO_MEMORY;
    if (w->ahead > 0) return rls_first_half_back (w, s, h);
    const double *closed = NULL; /* mobilities, which matrices of few rows have anyway */
    if (rls_any_spring (b) && !rls_bounded_form (s, &closed)) return RLS_NO_MEMORY;
    prepare_beginning (w, s, closed, h);
    if (w->rows > 0) memcpy (bilateral, s->begin.rows.target, sizeof (double) * (size_t)w->rows);
    memcpy (bounded, s->end.bounded.target, sizeof (double) * (size_t)b->rows);
    bound_beginning (b, &s->end.bounded);
    rls_outcome done = RLS_DONE;
    double change = HUGE_VAL;
    for (int i = 0, stays = 0; i < MOST_ITERATIONS && stays < 2 && done == RLS_DONE; ++i)
    {
        const double last = change;
        if (!solve (w, s, h, bilateral, bounded, i == 0, i > 0 || closed))
            done = RLS_NO_MEMORY;
        else if (!iterates)
            break;
        else if (!rls_symplectic_drift (w, s, h, i == 0) || !rls_symplectic_look (w, s, h, i == 0) ||
                 !s->provider.bounded (s, s->next.pose))
            done = RLS_FAILED;
        else if ((change = aim (w, s, h, bilateral, bounded)) <= RLS_SEEN)
            break;
        /* rows that contradict each other a little keep it from ending */
        stays = change > RLS_EXHAUSTED * last && change <= RLS_LEFT_OPEN_BY_A_STEP ? stays + 1 : 0;
    }
    w->looked = w->bounded_looked = iterates && done == RLS_DONE && change <= RLS_SEEN;
    w->diverged = iterates && done == RLS_DONE && change > RLS_LEFT_OPEN_BY_A_STEP;
    rls_bounded_note_quality (w, &s->account);
    if (done == RLS_DONE && !w->yielding && rls_is_jammed (s, h, b->p)) return RLS_FAILED;
    if (done == RLS_DONE) rls_bounded_push (b, 1, b->p, w->kicked);
    return done;
}

void rls_bounded_exchange (rls_island *s)
{
    const rls_bounded bounded = s->begin.bounded;
    s->begin.bounded = s->end.bounded, s->end.bounded = bounded;
    rls_symplectic_advance (s);
}

/* The velocity wanted of a soft row at the end, and its softness, for the total of both impulses. */
static void prepare_soft (const rls_symplectic *w, const rls_bounded *b, rls_bounded *end, int j, int r,
                          double h)
{
    const rls_soft_row soft = rls_soft_row_of (b, j, r, h, b->mobility[r]);
    const double open =
        b->row[r].open + h * (rls_bounded_mean_velocity (w, b, end, j, r, h) - b->row[r].rest);
    end->softness[r] = 2 / (h * soft.eps * soft.second);
    end->target[r] += (2 - soft.eps) * end->softness[r] * b->p[r] - b->row[r].stiffness * open / soft.second;
}

/* 1 for a row that pushes one way and has not done so, and is open at the end. */
static int is_apart (const rls_symplectic *w, const rls_bounded *b, const rls_bounded *end, int j, int r,
                     double h)
{
    const int one_sided = rls_bounded_is_one_sided (b, r);
    if (!one_sided || b->p[r] != 0) return 0;
    const double wanted = b->row[r].bounce > 0 ? 0 : b->row[r].rest;
    const double moved = h * (rls_bounded_mean_velocity (w, b, end, j, r, h) - wanted);
    return fmax (b->row[r].gap, 0) + rls_bounded_side (b, r) * moved > RLS_SEEN;
}

/*
 * What contact r shall have of ODE's velocity that takes back depth.  It approaches from deeper than it has
 * come in a step: another point of these bodies was found a step ago, and this one sank beside it.  Pushed by
 * its position alone it would turn the bodies back and forth between both points, and they would sink for
 * ever.  It leaves more slowly than it came, so no energy is gained.  What drives press together approaches
 * without that.
 */
static double velocity_left_by_depth (const rls_island *s, int j, int r, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const int soft = rls_bounded_is_soft (b, r);
    if (!rls_bounded_is_contact (b, j) || b->follow[r] >= 0 || b->row[r].bounce > 0 || soft) return 0;
    if (s->elimination.precedence.count > 0 || rls_has_targets (s)) return 0;
    const double side = rls_bounded_side (b, r), way = -side * h * b->before[r],
                 depth = rls_bounded_depth (b, r);
    return way > 0 && depth > way ? side * fmin (fabs (b->row[r].push), (1 - way / depth) * way) / h : 0;
}

/* Bounds and targets of the second half, and the totals to begin with. */
static void prepare_end (rls_symplectic *w, const rls_island *s, rls_bounded *end, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const int totals = holds_totals (b, r), normal = b->follow[r] >= 0 ? b->follow[r] : r;
            end->target[r] = b->leave[r] + velocity_left_by_depth (s, j, r, h);
            end->softness[r] = w->yielding ? RLS_YIELDING * rls_bounded_mobility (b, j, r) : 0;
            end->lo[r] = totals ? b->lo[r] : b->p[r] + 0.5 * b->lo[r];
            end->hi[r] = totals ? b->hi[r] : b->p[r] + 0.5 * b->hi[r];
            if (b->located[r] || is_apart (w, b, end, j, normal, h)) end->lo[r] = end->hi[r] = 0;
            end->p[r] = 2 * b->p[r];
        }
}

/* The problem of the second half: rows at the end, bounds, targets and softness. */
static rls_outcome form_second (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    rls_bounded_share (end, b);
    if (!w->bounded_looked && !s->provider.bounded (s, s->next.pose)) return RLS_FAILED;
    rls_bounded_find_motion (w, s, h);
    rls_contact_rows_move (s, h, w->pose, (const double (*)[6])w->du);
    rls_bounded_exchange (s);
    rls_island_form_bounded_columns (s);
    rls_bounded_exchange (s);
    prepare_end (w, s, end, h);
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
            if (rls_bounded_is_soft (b, r)) prepare_soft (w, b, end, j, r, h);
    return RLS_DONE;
}

int rls_bounded_solve_second (rls_island *s, double h, int again, double (*v)[6])
{
    memcpy (s->reactions.bounded_total, s->end.bounded.p, sizeof (double) * (size_t)s->begin.bounded.rows);
    rls_bounded_exchange (s);
    const rls_bounded_settings settings = {.iterations = SOLVER_ITERATIONS,
                                           .tolerance = RLS_SOLVED,
                                           .scale = 1,
                                           .start = s->reactions.bounded_total,
                                           .again = again,
                                           .rough = 1,
                                           .closed = 1,
                                           .kick = rls_bounded_kick (s, h)};
    const int done = rls_bounded_solve (s, &settings, v);
    rls_bounded_exchange (s);
    return done;
}

rls_bounded rls_bounded_at_beginning (const rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded problem = s->end.bounded;
    problem.J = b->J, problem.Y = b->Y;
    problem.part_J = b->part_J, problem.part_Y = b->part_Y;
    return problem;
}

int rls_bounded_solve_apart (rls_island *s, const rls_bounded *problem, const double *start, int again,
                             double *bilateral, double tolerance, double (*v)[6])
{
    const rls_bounded bounded = s->begin.bounded;
    double *const target = s->begin.rows.target;
    const double residual = s->account.bounded_residual,
                 rest = s->account.bounded_rest; /* these tell of velocities, */
    const int inexact = s->account.bounded_inexact,
              iterations = s->account.bounded_iterations; /* not of this problem */
    const rls_bounded_settings settings = {.iterations = APART_ITERATIONS,
                                           .tolerance = tolerance,
                                           .start = start,
                                           .apart = 1,
                                           .again = again,
                                           .closed = 1};
    s->begin.bounded = *problem;
    s->begin.rows.target = bilateral;
    const int solved = rls_bounded_solve (s, &settings, v);
    s->begin.bounded = bounded;
    s->begin.rows.target = target;
    s->account.bounded_residual = residual, s->account.bounded_inexact = inexact,
    s->account.bounded_rest = rest;
    s->account.bounded_iterations += iterations;
    return solved;
}

/* 1 where the second half is the first one once more: nothing moves, so forces, gaps and springs are the
 * same, and nothing has moved before, so that no part of the first half's impulses has stopped it. */
static int stays_the_same (const rls_symplectic *w, const rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    if (!w->stays || s->provider.forces || b->rows <= RLS_SMALL_ISLAND) return 0;
    for (int r = 0; r < b->rows; ++r)
        if (b->row[r].rest != 0 || fabs (b->before[r]) > RLS_AT_REST * s->account.bounded_rest) return 0;
    return 1;
}

rls_outcome rls_bounded_second_half (rls_symplectic *w, rls_island *s, double h, int again, double (*v)[6])
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    if (w->ahead > 0) return rls_second_half_back (w, s, v);
    if (!again && form_second (w, s, h) != RLS_DONE) return RLS_FAILED;
    rls_bounded_push (end, -1, b->p, v);
    if (stays_the_same (w, s))
    {
        rls_bounded_push (end, 1, end->p, v);
        rls_bounded_push (end, 1, b->p, w->kicked);
        memcpy (s->reactions.bounded_total, end->p, sizeof (double) * (size_t)b->rows);
        rls_bounded_keep_twice (s->bounded_work);
        return s->reactions.bounded_in_halves = 1;
    }

    /* solved, then what reverses or rebounds within the step */
    memcpy (w->best, v, sizeof (*v) * (size_t)s->model.bodies);
    rls_outcome done = rls_bounded_solve_second (s, h, again, v);
    if (done == RLS_DONE && !again && b->rows <= RLS_SMALL_ISLAND)
        done = rls_date_reversals (s, h, (const double (*)[6])w->best, v, w->du);
    memcpy (s->reactions.bounded_total, end->p, sizeof (double) * (size_t)b->rows);
    if (done == RLS_DONE && !again && b->rows <= RLS_SMALL_ISLAND)
        done = rls_take_gain_from_rebounds (w, s, h, (const double (*)[6])w->best, v);
    for (int r = 0; r < b->rows; ++r) end->p[r] = s->reactions.bounded_total[r] - b->p[r];
    rls_bounded_push (end, 1, end->p, w->kicked);
    memcpy (end->p, s->reactions.bounded_total, sizeof (double) * (size_t)b->rows);
    s->reactions.bounded_in_halves = done == RLS_DONE;
    account_for_all (w, &s->account);
    if (done == RLS_DONE && !w->yielding && rls_is_jammed (s, h, s->reactions.bounded_total))
        return RLS_FAILED;
    return done;
}

int rls_bounded_rests (const rls_island *s, const double (*v)[6])
{
    return s->account.bounded_rest >= 0 &&
           rls_bounded_fastest (s, v) <= RLS_AT_REST * s->account.bounded_rest;
}
