/* Dispatch of the correction methods; see correct.h. */
#include "correct.h"
#include "correct_augmented.h"
#include "correct_conserving.h"
#include "integrators/project.h"
#include "integrators/reactions.h"

#define MOST_PASSES 10 /* of the corrections after a step */

static int has_rule (int correction)
{
    return correction == dRLSCorrectionAugmented || correction == dRLSCorrectionConserving;
}

static int acts_afterwards (int correction)
{
    return correction == dRLSCorrectionProjection || correction == dRLSCorrectionSimultaneous ||
           correction == dRLSCorrectionEnergy;
}

/* What dRLSIntegratorAuto stands for under a correction, where it does not depend on the rows. */
static int integrator_of (const rls_settings *set)
{
    if (set->integrator != dRLSIntegratorAuto) return set->integrator;
    switch (set->correction)
    {
    case dRLSCorrectionProjection: /* one pass is for an explicit step */
        return set->correction_flags & dRLSCorrectOnce ? dRLSIntegratorRK4 : dRLSIntegratorAuto;
    case dRLSCorrectionEmbedded:
    case dRLSCorrectionSimultaneous:
    case dRLSCorrectionEnergy:
        return dRLSIntegratorRK4;
    default:
        return dRLSIntegratorAuto;
    }
}

int rls_correct_supports (const rls_settings *set)
{
    const int integrator = integrator_of (set);
    const int euler = integrator == dRLSIntegratorAuto || integrator == dRLSIntegratorEuler;
    switch (set->correction)
    {
    case dRLSCorrectionProjection:
        return 1;
    case dRLSCorrectionNone:
    case dRLSCorrectionERP:
    case dRLSCorrectionSimultaneous:
    case dRLSCorrectionEnergy:
        return euler || integrator == dRLSIntegratorRK4;
    case dRLSCorrectionEmbedded:
        return integrator == dRLSIntegratorRK4;
    case dRLSCorrectionAugmented:
    case dRLSCorrectionConserving:
        return integrator == dRLSIntegratorAuto;
    case dRLSCorrectionCompliant:
        return euler;
    default:
        return 0;
    }
}

int rls_correct_steps (const rls_settings *set)
{
    return has_rule (set->correction) || integrator_of (set) == dRLSIntegratorRK4;
}

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
    if (!rls_curvature_find (&w->curvature, s, rows, s->state.pose, (const double (*)[6])s->state.v,
                             w->wanted))
        return RLS_FAILED;
    rls_rows_velocity (rows, (const double (*)[6])s->state.v, w->x);
    for (int r = 0; r < rows->rows; ++r)
        if (rows->sigma2[r] == 0)
            rows->target[r] = w->x[r] + h * (w->wanted[r] + 2 * alpha * (rows->target[r] - w->x[r]) +
                                             beta * beta * rows->residual[r]);
    return RLS_DONE;
}

int rls_correct_projects (const rls_settings *set)
{
    return set->correction != dRLSCorrectionNone && set->correction != dRLSCorrectionERP &&
           set->correction != dRLSCorrectionCompliant;
}

/* ---- augmented Lagrangian ---- */

/* Where the conserving step does not converge, beside a singular configuration, a projected augmented one
 * carries the motion over. */
static rls_outcome conserving_step (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const rls_outcome done = rls_conserving_step (&workspace->methods.penalty, s, workspace->h);
    if (done != RLS_ANOTHER_WAY) return done;
    ++s->account.fallbacks;
    s->provider.time = workspace->time;
    if (s->provider.forces && !s->provider.forces (s, s->state.pose, (const double (*)[6])s->state.v))
        return RLS_FAILED;
    workspace->methods.penalty.history = 0;
    workspace->methods.penalty.project = 1;
    return rls_augmented_step (&workspace->methods.penalty, s, workspace->h);
}

static rls_outcome lagrangian_step (rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    rls_penalty *w = &workspace->methods.penalty;
    w->penalty = set->penalty;
    w->tolerance = set->position_tolerance / workspace->island.model.length_scale;
    w->project = !(set->correction_flags & dRLSCorrectUnprojected);
    if (!rls_penalty_prepare (w, &workspace->island)) return RLS_NO_MEMORY;
    if (set->correction == dRLSCorrectionConserving) return conserving_step (workspace);
    return rls_augmented_step (w, &workspace->island, workspace->h);
}

/* ---- rk4 ---- */

static void choose_baumgarte (const rls_workspace *workspace, rls_rk4 *w)
{
    const rls_settings *set = workspace->settings;
    w->alpha = w->beta = 0;
    if (set->correction != dRLSCorrectionERP) return;
    const int free = has_coefficients (set);
    w->alpha = free ? set->baumgarte[0] : set->world_erp / workspace->h;
    w->beta = free ? set->baumgarte[1] : set->world_erp / workspace->h;
}

/* Positions, then velocities at the corrected positions, until they hold to rounding. */
static rls_outcome project (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const rls_projection settings = {workspace->settings->position_tolerance / s->model.length_scale,
                                     s->elimination.rank_tolerance};
    const rls_outcome done = rls_project_positions (s, &settings);
    return done == RLS_DONE ? rls_project_velocities (s, &settings, s->next.v) : done;
}

int rls_correct_waits (const rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    if (workspace->island.begin.bounded.rows > 0 || workspace->objects.soft_rows > 0) return 0;
    return set->correction == dRLSCorrectionProjection ? (set->correction_flags & dRLSCorrectOnce) != 0
                                                       : acts_afterwards (set->correction);
}

static rls_outcome correct_after (rls_workspace *workspace, double work)
{
    const rls_settings *set = workspace->settings;
    rls_island *s = &workspace->island;
    rls_simultaneous *w = &workspace->methods.after;
    const int once = (set->correction_flags & dRLSCorrectOnce) != 0;
    if (set->correction == dRLSCorrectionProjection && !once) return project (workspace);
    w->passes = once ? 1 : MOST_PASSES;
    w->energy = set->correction == dRLSCorrectionEnergy;
    w->target_energy = rls_energy (s, s->state.pose, (const double (*)[6])s->state.v) + work;
    w->rank_tolerance = s->elimination.rank_tolerance;
    w->tolerance = set->position_tolerance / s->model.length_scale;
    if (!rls_simultaneous_prepare (w, s)) return RLS_NO_MEMORY;
    return set->correction == dRLSCorrectionProjection ? rls_direct_correct (w, s)
                                                       : rls_simultaneous_correct (w, s, workspace->h);
}

rls_outcome rls_correct_after (rls_workspace *workspace, double work)
{
    rls_island *s = &workspace->island;
    rls_reactions_note (s, (const double (*)[6])s->next.v);
    const rls_outcome done = correct_after (workspace, work);
    if (done == RLS_DONE && s->valid.end_factored)
        rls_reactions_add_since (s, &s->end.factor, &s->end.rows, (const double (*)[6])s->next.v);
    return done;
}

static rls_outcome rk4_step (rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    rls_island *s = &workspace->island;
    rls_rk4 *w = &workspace->methods.rk4;
    choose_baumgarte (workspace, w);
    w->embedded = set->correction == dRLSCorrectionEmbedded;
    /* a step by symplectic4 would close what none and erp leave open */
    w->through = !rls_correct_projects (set) || (set->correction_flags & dRLSCorrectThrough);
    w->each_stage = (set->correction_flags & dRLSCorrectEachStage) != 0;
    w->consistent = acts_afterwards (set->correction) && !(set->correction_flags & dRLSCorrectOnce);
    w->rank_tolerance = workspace->island.elimination.rank_tolerance;
    if (!rls_rk4_prepare (w, s)) return RLS_NO_MEMORY;
    const rls_outcome done = rls_rk4_step (w, s, workspace->h);
    if (done != RLS_DONE || s->begin.rows.rows == 0 || !acts_afterwards (set->correction)) return done;
    return rls_correct_after (workspace, w->work);
}

rls_outcome rls_correct_step (rls_workspace *workspace)
{
    return has_rule (workspace->settings->correction) ? lagrangian_step (workspace) : rk4_step (workspace);
}
