/* Semi-implicit Euler: velocities first, then positions with the new velocities. */
#include "integrate.h"
#include "bounded/bounded.h"
#include "corrections/correct.h"
#include "integrators/project.h"
#include "integrators/step_energy.h"
#include "integrators/stiffness.h"

static int enforce_rows (rls_workspace *workspace, double (*v)[6])
{
    rls_island *s = &workspace->island;
    s->account.bounded_iterations = 0;
    s->account.bounded_residual = 0;
    const double start = rls_clock ();
    const int bounded = s->begin.bounded.rows > 0;
    const rls_bounded_settings settings = {.iterations = workspace->settings->bounded_iterations,
                                           .tolerance = RLS_ROUGHLY_SOLVED / s->model.length_scale,
                                           .scale = 1,
                                           .kick = bounded ? rls_bounded_kick (s, workspace->h) : 0};
    if (!bounded) /* v += M^-1 H' p with H v + sigma^2 p = target */
    {
        double *p = s->reactions.p;
        rls_rows_velocity (&s->begin.rows, v, p);
        for (int r = 0; r < s->begin.rows.rows; ++r) p[r] = s->begin.rows.target[r] - p[r];
        rls_factor_solve (&s->begin.factor, &s->begin.rows, p);
        rls_rows_apply (&s->begin.rows, p, v);
    }
    const int done = !bounded || rls_bounded_solve (s, &settings, v);
    workspace->findings.seconds[bounded ? dRLSStageBounded : dRLSStageSolve] += rls_clock () - start;
    return done;
}

/* ODE caps the speed of turning before it moves the body. */
static void cap_turning (const rls_island *s, double (*v)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double *w = v[b] + 3;
        const double speed = sqrt (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        for (int k = 0; k < 3 && speed > s->model.max_turn[b]; ++k) w[k] *= s->model.max_turn[b] / speed;
    }
}

/* The largest residual of the hard rows that are kept. */
static double most_open (const rls_island *s, const rls_rows *rows)
{
    double worst = 0;
    for (int r = 0; r < s->begin.rows.rows; ++r)
        if (s->begin.factor.decision[r] != RLS_REDUNDANT && rows->sigma2[r] == 0)
            worst = fmax (worst, fabs (rows->residual[r]));
    return worst;
}

/*
 * The displacement that closes the joints is the work of reactions, so its rate belongs to the velocity:
 * the step is then v' = (q' - q) / h with the position constraints holding at q' (SHAKE), and loses far
 * less energy.  Not when it closes what was open before the step, or could not close it: that would be a
 * kick.
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

static int project (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const double start = rls_clock ();
    memcpy (s->scratch.predicted, s->next.pose, sizeof (*s->next.pose) * (size_t)s->model.bodies);
    s->provider.time = workspace->time + workspace->h; /* driven axes are wanted where they shall be then */
    const int waits = rls_correct_waits (workspace);
    rls_outcome done;
    if (waits) /* the corrections ask for the work of forces, which are constant over the step, and of drives
                */
    {
        double work = workspace->h * rls_power (s, s->next.v);
        for (int r = 0; r < s->begin.rows.rows; ++r) work += s->reactions.p[r] * s->begin.rows.target[r];
        done = rls_correct_after (workspace, work);
    }
    else
        done = rls_project_positions (s, s->position_tolerance, 0);
    if (done == RLS_DONE && !waits)
    {
        if (s->account.projection_residual > RLS_LEFT_OPEN_BY_A_STEP) s->geometric.wanted = RLS_STIFF_STEPS;
        add_closing_velocity (workspace);
        done = rls_project_velocities (s, s->next.v);
    }
    workspace->findings.seconds[dRLSStageCorrect] += rls_clock () - start;
    return rls_workspace_done (workspace, done);
}

int rls_euler_step (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    s->reactions.bounded_in_halves = s->reactions.counted = 0;
    s->bounded_wrench = NULL;
    s->reactions.rows = &s->begin.rows;
    s->reactions.factor = &s->begin.factor;
    s->reactions.change = NULL;
    rls_motion_copy (s->model.bodies, &s->state, &s->next);
    if (!rls_workspace_done (workspace, rls_correct_targets (workspace))) return 0;
    rls_island_kick (s, workspace->h, s->next.v);
    const double kicked = rls_energy_of_kicks (s);
    if (!enforce_rows (workspace, s->next.v)) return rls_workspace_done (workspace, RLS_NO_MEMORY);
    if (workspace->findings.reason == dRLSReasonFailed || workspace->findings.reason == dRLSReasonPause)
        rls_take_gain (s, kicked);
    cap_turning (s, s->next.v);
    for (int b = 0; b < s->model.bodies; ++b)
        rls_pose_advance (&s->next.pose[b], s->next.v[b], workspace->h, s->model.turn[b], s->model.axis[b]);
    if (rls_correct_projects (workspace->settings) && s->begin.rows.rows > 0) return project (workspace);
    return 1;
}

/* ---- in pieces ---- */

#define MOST_PIECES 8

/* The state at the beginning of the step, and sums over its pieces. */
typedef struct
{
    const rls_island *island;
    rls_motion start;
    double *p, *bounded; /* rows, bounded rows: impulses */
} begun;

static void lay_out (begun *at, rls_arena_cursor *c)
{
    const size_t n = (size_t)at->island->model.bodies;
    RLS_TAKE (c, at->start.pose, n);
    RLS_TAKE (c, at->start.v, n);
    RLS_TAKE (c, at->p, (size_t)at->island->begin.rows.rows);
    RLS_TAKE (c, at->bounded, (size_t)at->island->begin.bounded.rows);
}

int rls_stays_open (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    /* where Newton's method stagnates it may end with four times what was asked for */
    return most_open (s, &s->end.rows) > fmax (RLS_CLOSED, 4 * s->position_tolerance);
}

/* Softness is CFM over the step, and bounds are forces times it; exact, since pieces are a power of two. */
static void share_out (rls_bounded *b, double pieces)
{
    for (int r = 0; r < b->rows; ++r)
    {
        b->softness[r] *= pieces;
        if (b->follow[r] >= 0) continue; /* coefficients of friction */
        b->lo[r] /= pieces;
        b->hi[r] /= pieces;
    }
}

/* One piece from where the last one ended.  Returns as rls_euler_step. */
static int take_piece (rls_workspace *workspace, begun *sums, int first)
{
    rls_island *s = &workspace->island;
    if (!first) rls_motion_copy (s->model.bodies, &s->next, &s->state);
    if (!rls_workspace_done (workspace, rls_begin_again (workspace))) return 0;
    rls_gather_masses (workspace);
    if (!rls_euler_step (workspace)) return 0;
    rls_flat_add (s->begin.rows.rows, 1, s->reactions.p, sums->p);
    rls_flat_add (s->begin.bounded.rows, 1, s->begin.bounded.p, sums->bounded);
    return 1;
}

static int take_pieces (rls_workspace *workspace, begun *sums, int pieces)
{
    rls_island *s = &workspace->island;
    const double h = workspace->h, time = workspace->time;
    const int rows = s->begin.rows.rows, bounded = s->begin.bounded.rows;
    int done = 1, iterations = 0, inexact = 0;
    double residual = 0;

    /* sums over the pieces */
    for (int r = 0; r < rows; ++r) sums->p[r] = 0;
    for (int r = 0; r < bounded; ++r) sums->bounded[r] = 0;

    /* the pieces */
    workspace->h = h / pieces;
    share_out (&s->begin.bounded, pieces);
    for (int i = 0; i < pieces && done; ++i)
    {
        workspace->time = time + i * workspace->h;
        done = take_piece (workspace, sums, i == 0);
        iterations += s->account.bounded_iterations;
        inexact |= s->account.bounded_inexact;
        residual = fmax (residual, s->account.bounded_residual);
    }

    /* what was changed for them as it was, and the sums as the step's */
    share_out (&s->begin.bounded, 1.0 / pieces);
    workspace->h = h, workspace->time = time;
    rls_motion_copy (s->model.bodies, &sums->start, &s->state);
    if (!done) return 0;
    if (rows > 0) memcpy (s->reactions.p, sums->p, sizeof (double) * (size_t)rows);
    if (bounded > 0) memcpy (s->begin.bounded.p, sums->bounded, sizeof (double) * (size_t)bounded);
    s->account.bounded_iterations = iterations, s->account.bounded_inexact = inexact,
    s->account.bounded_residual = residual;
    return 1;
}

int rls_euler_in_pieces (rls_workspace *workspace, int fewest)
{
    rls_island *s = &workspace->island;
    begun at = {.island = s};
    rls_arena block = {0};
    int done;
    RLS_LAY_OUT (&at, &block, lay_out, done);
    if (!done) return rls_workspace_done (workspace, RLS_NO_MEMORY);
    rls_motion_copy (s->model.bodies, &s->state, &at.start);

    /* twice as many for as long as joints stay open */
    for (int pieces = fewest, open = 1; done && open && pieces <= MOST_PIECES; pieces *= 2)
    {
        done = take_pieces (workspace, &at, pieces);
        open = done && rls_stays_open (workspace);
    }
    rls_arena_free (&block);
    return done;
}
