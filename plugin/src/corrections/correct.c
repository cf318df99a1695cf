/* Which correction method does what, and their steps; contract and table in correct.h. */
#include "correct.h"
#include "integrators/project.h"
#include "integrators/reactions.h"

#define MOST_PASSES 10 /* of the corrections after a step */

/* Properties of a correction: the integrators that it combines with, and where it acts. */
enum
{
    WITH_EULER = 1, /* Euler's method; dRLSIntegratorAuto means it */
    WITH_RK4 = 2,
    WITH_ALL = 4,
    ITS_OWN = 8,      /* an integration rule of its own, with dRLSIntegratorAuto only */
    AUTO_IS_RK4 = 16, /* dRLSIntegratorAuto means rk4 */
    AFTERWARDS = 32,  /* corrects the result of a step */
    CLOSES = 64       /* steps of Euler's method close positions by projection */
};

static const int traits[dRLSCorrectionCount] = {
    [dRLSCorrectionProjection] = WITH_ALL | AFTERWARDS | CLOSES,
    [dRLSCorrectionNone] = WITH_EULER | WITH_RK4,
    [dRLSCorrectionERP] = WITH_EULER | WITH_RK4,
    [dRLSCorrectionEmbedded] = WITH_RK4 | AUTO_IS_RK4 | CLOSES,
    [dRLSCorrectionSimultaneous] = WITH_EULER | WITH_RK4 | AUTO_IS_RK4 | AFTERWARDS | CLOSES,
    [dRLSCorrectionEnergy] = WITH_EULER | WITH_RK4 | AUTO_IS_RK4 | AFTERWARDS | CLOSES,
    [dRLSCorrectionAugmented] = ITS_OWN | CLOSES,
    [dRLSCorrectionConserving] = ITS_OWN | CLOSES,
    [dRLSCorrectionCompliant] = WITH_EULER,
};

static int is (const rls_settings *set, int trait) { return (traits[set->correction] & trait) != 0; }

static int only_once (const rls_settings *set) { return (set->correction_flags & dRLSCorrectOnce) != 0; }

/* Returns 1 if the integrator is rk4.  Projection with a single pass is one of the papers' methods for
 * explicit integrators, so dRLSIntegratorAuto means rk4 then, too. */
static int is_rk4 (const rls_settings *set)
{
    if (set->integrator != dRLSIntegratorAuto) return set->integrator == dRLSIntegratorRK4;
    return is (set, AUTO_IS_RK4) || (set->correction == dRLSCorrectionProjection && only_once (set));
}

int rls_correct_supports (const rls_settings *set)
{
    if (is_rk4 (set)) return is (set, WITH_ALL | WITH_RK4);
    if (set->integrator == dRLSIntegratorAuto) return is (set, WITH_ALL | WITH_EULER | ITS_OWN);
    return is (set, set->integrator == dRLSIntegratorEuler ? WITH_ALL | WITH_EULER : WITH_ALL);
}

int rls_correct_steps (const rls_settings *set) { return is (set, ITS_OWN) || is_rk4 (set); }

static int has_coefficients (const rls_settings *set)
{
    return set->correction == dRLSCorrectionERP && (set->baumgarte[0] > 0 || set->baumgarte[1] > 0);
}

int rls_correct_takes_erp (const rls_settings *set)
{
    return set->correction == dRLSCorrectionERP && set->integrator != dRLSIntegratorRK4 &&
           !has_coefficients (set);
}

rls_outcome rls_correct_targets (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_rk4 *w = &workspace->methods.rk4;
    const rls_rows *rows = &s->begin.rows;
    const double h = workspace->h, alpha = workspace->settings->baumgarte[0],
                 beta = workspace->settings->baumgarte[1];
    if (!has_coefficients (workspace->settings)) return RLS_DONE;
    if (!rls_rk4_prepare (w, s)) return RLS_NO_MEMORY;
    if (!rls_curvature_find (s, rows, s->state.pose, s->state.v, w->wanted)) return RLS_FAILED;
    rls_rows_velocity (rows, s->state.v, w->x);
    for (int r = 0; r < rows->rows; ++r)
        if (rows->sigma2[r] == 0)
            rows->target[r] = w->x[r] + h * (w->wanted[r] + 2 * alpha * (rows->target[r] - w->x[r]) +
                                             beta * beta * rows->residual[r]);
    return RLS_DONE;
}

int rls_correct_projects (const rls_settings *set) { return is (set, CLOSES); }

/* ---- augmented Lagrangian ---- */

/* Takes a step by one of the augmented Lagrangian methods. */
static rls_outcome lagrangian_step (rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    rls_island *s = &workspace->island;
    rls_penalty *w = &workspace->methods.penalty;
    w->penalty = set->penalty;
    w->project = !(set->correction_flags & dRLSCorrectUnprojected);
    if (!rls_penalty_prepare (w, s)) return RLS_NO_MEMORY;
    if (set->correction != dRLSCorrectionConserving) return rls_augmented_step (w, s, workspace->h);

    /* if a conserving step does not converge, which happens near singular configurations, a projected
     * augmented one is taken */
    const rls_outcome done = rls_conserving_step (w, s, workspace->h);
    if (done != RLS_ANOTHER_WAY) return done;
    ++s->account.fallbacks;
    s->provider.time = workspace->time;
    if (!rls_island_push (s, s->state.pose, s->state.v)) return RLS_FAILED;
    w->history = 0, w->project = 1;
    return rls_augmented_step (w, s, workspace->h);
}

/* ---- rk4 ---- */

int rls_correct_waits (const rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    if (workspace->island.begin.bounded.rows > 0 || workspace->objects.soft_rows > 0) return 0;
    return is (set, AFTERWARDS) && (set->correction != dRLSCorrectionProjection || only_once (set));
}

/* rls_correct_after without the reactions. */
static rls_outcome correct_after (rls_workspace *workspace, double work)
{
    const rls_settings *set = workspace->settings;
    rls_island *s = &workspace->island;
    rls_simultaneous *w = &workspace->methods.after;
    const int once = only_once (set);

    /* projection: positions, then velocities at the corrected positions, both to rounding */
    if (set->correction == dRLSCorrectionProjection && !once)
    {
        RLS_TRY (rls_project_positions (s, s->position_tolerance, 0, INT_MAX));
        return rls_project_velocities (s, s->next.v);
    }

    /* the methods of Zhang et al., and the single pass of Orsino & Oliveira */
    w->passes = once ? 1 : MOST_PASSES;
    w->energy = set->correction == dRLSCorrectionEnergy;
    w->target_energy = rls_energy (s, s->state.pose, s->state.v) + work;
    if (!rls_simultaneous_prepare (w, s)) return RLS_NO_MEMORY;
    return set->correction == dRLSCorrectionProjection ? rls_direct_correct (w, s)
                                                       : rls_simultaneous_correct (w, s, workspace->h);
}

rls_outcome rls_correct_after (rls_workspace *workspace, double work)
{
    rls_island *s = &workspace->island;
    memcpy (s->reactions.noted_v, s->next.v, sizeof (*s->next.v) * (size_t)s->model.bodies);
    RLS_TRY (correct_after (workspace, work));
    if (s->valid.end_factored) rls_reactions_add (s, &s->end, s->reactions.noted_v, s->next.v);
    return RLS_DONE;
}

/* Takes a step by rk4 with the terms of the correction, then corrects its result if the correction does
 * so. */
static rls_outcome rk4_step (rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    rls_island *s = &workspace->island;
    rls_rk4 *w = &workspace->methods.rk4;
    const int baumgarte = set->correction == dRLSCorrectionERP, free = has_coefficients (set);
    const double by_world = set->world_erp / workspace->h;

    /* Baumgarte's coefficients: the program's, or those of the world's ERP */
    w->alpha = w->beta = 0;
    if (baumgarte) w->alpha = free ? set->baumgarte[0] : by_world;
    if (baumgarte) w->beta = free ? set->baumgarte[1] : by_world;
    w->embedded = set->correction == dRLSCorrectionEmbedded;

    /* none and erp go through singular configurations: a step by symplectic4 instead would close the joints,
     * which they leave open */
    w->through = !rls_correct_projects (set) || (set->correction_flags & dRLSCorrectThrough);
    w->each_stage = (set->correction_flags & dRLSCorrectEachStage) != 0;
    w->consistent = is (set, AFTERWARDS) && !only_once (set);
    if (!rls_rk4_prepare (w, s)) return RLS_NO_MEMORY;
    const rls_outcome done = rls_rk4_step (w, s, workspace->h);
    if (done != RLS_DONE || s->begin.rows.rows == 0 || !is (set, AFTERWARDS)) return done;
    return rls_correct_after (workspace, w->work);
}

rls_outcome rls_correct_step (rls_workspace *workspace)
{
    return is (workspace->settings, ITS_OWN) ? lagrangian_step (workspace) : rk4_step (workspace);
}
