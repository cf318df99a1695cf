/* Semi-implicit Euler: velocities first, then positions with the new velocities. */
#include "euler.h"
#include "bounded/bounded.h"
#include "corrections/correct.h"
#include "integrators/project.h"
#include "island/rotation.h"
#include "integrators/stiffness.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

/* Impulses of the bilateral rows alone: v += M^-1 H' p with H v + sigma^2 p = target. */
static void solve_bilateral (rls_island *s, double (*v)[6])
{
    rls_rows_velocity (&s->rows, (const double (*)[6])v, s->p);
    for (int r = 0; r < s->rows.rows; ++r) s->p[r] = s->rows.target[r] - s->p[r];
    rls_factor_solve (&s->factor, &s->rows, s->p);
    rls_rows_apply (&s->rows, s->p, v);
}

static int enforce_rows (rls_workspace *workspace, double (*v)[6])
{
    rls_island *s = &workspace->island;
    s->bounded_iterations = 0;
    s->bounded_residual = 0;
    if (s->bounded.rows == 0)
    {
        const double start = rls_clock ();
        solve_bilateral (s, v);
        workspace->seconds[dRLSStageSolve] += rls_clock () - start;
        return 1;
    }
    const double start = rls_clock ();
    const rls_bounded_settings settings = {.iterations = workspace->settings->bounded_iterations,
                                           .tolerance = RLS_ROUGHLY_SOLVED / s->length_scale,
                                           .scale = 1,
                                           .kick = rls_bounded_kick (s, workspace->h)};
    const int done = rls_bounded_solve (s, &settings, v);
    workspace->seconds[dRLSStageBounded] += rls_clock () - start;
    return done;
}

/* ODE caps the speed of turning before it moves the body. */
static void cap_turning (const rls_island *s, double (*v)[6])
{
    for (int b = 0; b < s->bodies; ++b)
    {
        double *w = v[b] + 3;
        const double speed = sqrt (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        for (int k = 0; k < 3 && speed > s->max_turn[b]; ++k) w[k] *= s->max_turn[b] / speed;
    }
}

static double start_residual (const rls_island *s)
{
    double worst = 0;
    for (int r = 0; r < s->rows.rows; ++r)
        if (s->factor.decision[r] != RLS_REDUNDANT) worst = fmax (worst, fabs (s->rows.residual[r]));
    return worst;
}

/*
 * The displacement that closes the joints is the work of reactions, so its rate belongs to the velocity:
 * the step is then v' = (q' - q) / h with the position constraints holding at q' (SHAKE), and loses far
 * less energy.  Not when it closes what was open before the step, nor when it is not small against the motion
 * (near a singular configuration): that would be a kick.
 */
static void add_closing_velocity (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    double speed = 0;
    for (int b = 0; b < s->bodies; ++b)
        for (int k = 0; k < 6; ++k) speed = rls_larger (speed, fabs (s->new_v[b][k]));
    if (start_residual (s) > RLS_LEFT_OPEN_BY_A_STEP || s->projection_residual > RLS_LEFT_OPEN_BY_A_STEP ||
        s->closing_size > RLS_WELL_RESOLVED * workspace->h * speed)
        return;
    for (int b = 0; b < s->bodies; ++b)
    {
        double d[6];
        rls_pose_difference (&s->new_pose[b], &s->predicted[b], d);
        for (int k = 0; k < 6; ++k) s->new_v[b][k] += d[k] / workspace->h;
    }
}

/* What other forces than gravity have done: they are constant, and the bodies moved with the new velocities.
 */
static double work_done (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    double work = workspace->h * rls_power (s, (const double (*)[6])s->new_v);
    for (int r = 0; r < s->rows.rows; ++r) work += s->p[r] * s->rows.target[r];
    return work;
}

static int project (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const double start = rls_clock ();
    const rls_projection settings = {workspace->settings->position_tolerance / s->length_scale,
                                     s->rank_tolerance};
    memcpy (s->predicted, s->new_pose, sizeof (*s->new_pose) * (size_t)s->bodies);
    s->time = workspace->time + workspace->h; /* driven axes are wanted where they shall be then */
    rls_outcome done = rls_correct_waits (workspace) ? rls_correct_after (workspace, work_done (workspace))
                                                     : rls_project_positions (s, &settings);
    if (done == RLS_DONE && !rls_correct_waits (workspace))
    {
        if (s->projection_residual > RLS_LEFT_OPEN_BY_A_STEP) s->stiff = RLS_STIFF_STEPS;
        add_closing_velocity (workspace);
        done = rls_project_velocities (s, &settings, s->new_v);
    }
    workspace->seconds[dRLSStageCorrect] += rls_clock () - start;
    return rls_workspace_done (workspace, done);
}

int rls_euler_step (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    s->bounded_in_halves = s->joint_impulses = 0;
    s->acting = &s->rows;
    s->acting_factor = &s->factor;
    s->reaction = NULL;
    memcpy (s->new_pose, s->pose, sizeof (*s->pose) * (size_t)s->bodies);
    memcpy (s->new_v, s->v, sizeof (*s->v) * (size_t)s->bodies);
    if (!rls_workspace_done (workspace, rls_correct_targets (workspace))) return 0;
    rls_island_kick (s, workspace->h, s->new_v);
    if (!enforce_rows (workspace, s->new_v))
    {
        workspace->status = dRLSStatusNoMemory;
        return 0;
    }
    cap_turning (s, s->new_v);
    for (int b = 0; b < s->bodies; ++b)
        rls_pose_advance (&s->new_pose[b], s->new_v[b], workspace->h, s->turn[b], s->axis[b]);
    if (rls_correct_projects (workspace->settings) && s->rows.rows > 0) return project (workspace);
    return 1;
}
