/*
 * Semi-implicit Euler: velocities first, then poses with the new velocities, whole or in pieces.  For soft
 * rows, for dRLSIntegratorEuler, and as a fallback.  Contract in integrate.h.
 */
#include "integrate.h"
#include "bounded/bounded.h"
#include "corrections/correct.h"
#include "integrators/project.h"
#include "integrators/step_energy.h"
#include "integrators/stiffness.h"

/* Changes v by impulses along the rows of the beginning such that v satisfies them: without bounded rows by a
 * solve with the factor, otherwise by rls_bounded_solve.  Returns 1, or 0 without memory. */
static int enforce_rows (rls_workspace *workspace, double (*v)[6])
{
    rls_island *s = &workspace->island;
    s->account.bounded_iterations = 0;
    s->account.bounded_residual = 0;
    const double start = rls_clock (workspace->settings);
    const int bounded = s->begin.bounded.rows > 0;
    const rls_bounded_settings settings = {.iterations = workspace->settings->bounded_iterations,
                                           .tolerance = RLS_ROUGHLY_SOLVED,
                                           .scale = 1,
                                           .kick = bounded ? rls_bounded_kick (s, workspace->h) : 0};

    /* v += M^-1 H' p with H v + sigma^2 p = target */
    if (!bounded)
    {
        rls_rows_missing (&s->begin.rows, s->begin.rows.target, v, s->reactions.p);
        rls_factor_push (&s->begin.factor, &s->begin.rows, s->reactions.p, v);
    }
    const int done = !bounded || rls_bounded_solve (s, &settings, v);
    workspace->findings.seconds[bounded ? dRLSStageBounded : dRLSStageSolve] +=
        rls_clock (workspace->settings) - start;
    return done;
}

/* Returns the largest residual (m or rad) of the hard rows that are not redundant. */
static double most_open (const rls_island *s, const rls_rows *rows)
{
    double worst = 0;
    for (int r = 0; r < s->begin.rows.rows; ++r)
        if (s->begin.factor.decision[r] != RLS_REDUNDANT && rows->sigma2[r] == 0)
            worst = fmax (worst, fabs (rows->residual[r]));
    return worst;
}

/*
 * Adds to next.v the displacement by which the projection has closed the joints, divided by h.  The step is
 * then v' = (q' - q) / h with the position constraints satisfied at q' (the SHAKE method), and loses far less
 * energy.  This is not done if the joints were open before the step or could not be closed: the displacement
 * then is no motion, and would become a jump of the velocities.
 */
static void add_closing_velocity (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    if (most_open (s, &s->begin.rows) > RLS_LEFT_OPEN_BY_A_STEP ||
        s->account.projection_residual > RLS_LEFT_OPEN_BY_A_STEP)
        return;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double d[6];
        rls_pose_difference (&s->next.pose[b], &s->scratch.predicted[b], d);
        for (int k = 0; k < 6; ++k) s->next.v[b][k] += d[k] / workspace->h;
    }
}

/* Notes by how much velocities change while the joints are closed, for their reactions: sign -1 before that,
 * 1 after it. */
static void note_closing (rls_island *s, int sign)
{
    const size_t bodies = (size_t)s->model.bodies;
    if (!s->reactions.wanted) return;
    if (s->reactions.closing++ == 0)
        memset (s->reactions.noted_v, 0, sizeof (*s->reactions.noted_v) * bodies);
    for (size_t b = 0; b < bodies; ++b)
        for (int k = 0; k < 6 && s->model.movable[b]; ++k)
            s->reactions.noted_v[b][k] += sign * s->next.v[b][k];
}

/* Corrects next.pose and next.v at the end of the step, by projection or by the correction that was
 * chosen. */
static rls_outcome project (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const double start = rls_clock (workspace->settings);
    memcpy (s->scratch.predicted, s->next.pose, sizeof (*s->next.pose) * (size_t)s->model.bodies);
    s->provider.time = workspace->time + workspace->h; /* drives are evaluated for the end of the step */
    const int waits = rls_correct_waits (workspace);
    rls_outcome done;

    /* corrections that act after a step need the work of the forces, which are constant, and of the drives */
    if (waits)
    {
        double work = workspace->h * rls_power (s, s->next.v);
        for (int r = 0; r < s->begin.rows.rows; ++r) work += s->reactions.p[r] * s->begin.rows.target[r];
        done = rls_correct_after (workspace, work);
    }
    else
        done = rls_project_positions (s, s->position_tolerance, 0, INT_MAX);

    /* the velocities; if the joints could not be closed, a light body under tension may be the cause */
    if (done == RLS_DONE && !waits)
    {
        if (s->account.projection_residual > RLS_LEFT_OPEN_BY_A_STEP) s->geometric.wanted = RLS_STIFF_STEPS;
        note_closing (s, -1);
        add_closing_velocity (workspace);
        done = rls_project_velocities (s, s->next.v);
        note_closing (s, 1);
    }
    workspace->findings.seconds[dRLSStageCorrect] += rls_clock (workspace->settings) - start;
    return done;
}

rls_outcome rls_euler_step (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;

    /* all reactions act along the rows of the beginning */
    s->reactions.bounded_in_halves = s->reactions.counted = 0;
    s->bounded_wrench = NULL;
    s->reactions.at = &s->begin;
    s->reactions.change = NULL;

    /* velocities; after an accurate step has failed, energy that the impulses have made is removed */
    rls_motion_copy (s->model.bodies, &s->state, &s->next);
    RLS_TRY (rls_correct_targets (workspace));
    rls_island_kick (s, workspace->h, s->next.v);
    const double kicked = rls_energy_of_kicks (s);
    if (!enforce_rows (workspace, s->next.v)) return RLS_NO_MEMORY;
    if (workspace->findings.reason == dRLSReasonFailed || workspace->findings.reason == dRLSReasonPause)
        rls_take_gain (s, workspace->h, kicked);

    /* poses; as ODE does before it moves a body, angular speeds are reduced to dBodySetMaxAngularSpeed */
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double *w = s->next.v[b] + 3;
        const double speed = rls_length3 (w);
        for (int k = 0; k < 3 && speed > s->model.max_turn[b]; ++k) w[k] *= s->model.max_turn[b] / speed;
        rls_pose_advance (&s->next.pose[b], s->next.v[b], workspace->h, s->model.turn[b], s->model.axis[b]);
    }
    if (rls_correct_projects (workspace->settings) && s->begin.rows.rows > 0) return project (workspace);
    return RLS_DONE;
}

/* ---- in pieces ---- */

#define MOST_PIECES 8

/* The state at the beginning of the step, and the sums of the impulses of its pieces. */
typedef struct
{
    const rls_island *island;
    rls_motion start;
    double *p, *bounded; /* rows, bounded rows: impulses */
} step_sums;

static void lay_out (step_sums *at, rls_arena_cursor *c)
{
    const size_t n = (size_t)at->island->model.bodies;
    RLS_TAKE (c, n, at->start.pose, at->start.v);
    RLS_TAKE (c, (size_t)at->island->begin.rows.rows, at->p);
    RLS_TAKE (c, (size_t)at->island->begin.bounded.rows, at->bounded);
}

int rls_stays_open (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;

    /* Newton's method may end with up to four times the tolerance where it stagnates */
    return most_open (s, &s->end.rows) > fmax (RLS_CLOSED, 4 * s->position_tolerance);
}

/* Changes the bounded rows from those of a whole step to those of one of its pieces: softness is CFM / h,
 * and bounds are forces times h.  With 1 / pieces it changes them back, exactly, since pieces are a power
 * of two. */
static void divide_bounds (rls_bounded *b, double pieces)
{
    for (int r = 0; r < b->rows; ++r)
    {
        b->softness[r] *= pieces;
        if (b->follow[r] >= 0) continue; /* coefficients of friction */
        b->lo[r] /= pieces;
        b->hi[r] /= pieces;
    }
}

/* Takes the step in so many pieces, with impulses and counts as of one step. */
static rls_outcome take_pieces (rls_workspace *workspace, step_sums *sums, int pieces)
{
    rls_island *s = &workspace->island;
    const double h = workspace->h, time = workspace->time;
    const int rows = s->begin.rows.rows, bounded = s->begin.bounded.rows;
    int iterations = 0, inexact = 0;
    double residual = 0;
    rls_outcome done = RLS_DONE;

    /* sums over the pieces */
    for (int r = 0; r < rows; ++r) sums->p[r] = 0;
    for (int r = 0; r < bounded; ++r) sums->bounded[r] = 0;

    /* the pieces, each from where the last one ended */
    s->reactions.closing = 0;
    workspace->h = h / pieces;
    divide_bounds (&s->begin.bounded, pieces);
    for (int i = 0; i < pieces; ++i)
    {
        workspace->time = time + i * workspace->h;
        if (i > 0) rls_motion_copy (s->model.bodies, &s->next, &s->state);
        done = rls_begin_again (workspace);
        if (done == RLS_DONE) rls_gather_masses (workspace);
        if (done == RLS_DONE) done = rls_euler_step (workspace);
        if (done != RLS_DONE) break;
        rls_flat_add (rows, 1, s->reactions.p, sums->p);
        rls_flat_add (bounded, 1, s->begin.bounded.p, sums->bounded);
        iterations += s->account.bounded_iterations;
        inexact |= s->account.bounded_inexact;
        residual = fmax (residual, s->account.bounded_residual);
    }

    /* bounds, length and beginning of the whole step again, and the sums as its impulses */
    divide_bounds (&s->begin.bounded, 1.0 / pieces);
    workspace->h = h, workspace->time = time;
    rls_motion_copy (s->model.bodies, &sums->start, &s->state);
    if (done != RLS_DONE) return done;
    if (rows > 0) memcpy (s->reactions.p, sums->p, sizeof (double) * (size_t)rows);
    if (bounded > 0) memcpy (s->begin.bounded.p, sums->bounded, sizeof (double) * (size_t)bounded);
    s->account.bounded_iterations = iterations, s->account.bounded_inexact = inexact,
    s->account.bounded_residual = residual;
    return RLS_DONE;
}

rls_outcome rls_euler_in_pieces (rls_workspace *workspace, int fewest)
{
    rls_island *s = &workspace->island;
    step_sums at = {.island = s};
    rls_arena block = {0};
    if (!RLS_LAY_OUT (&at, &block, lay_out)) return RLS_NO_MEMORY;
    rls_motion_copy (s->model.bodies, &s->state, &at.start);

    /* twice as many pieces as long as joints stay open */
    rls_outcome done = RLS_DONE;
    for (int pieces = fewest, open = 1; open && pieces <= MOST_PIECES; pieces *= 2)
    {
        done = take_pieces (workspace, &at, pieces);
        open = done == RLS_DONE && rls_stays_open (workspace);
    }
    rls_arena_free (&block);
    return done;
}
