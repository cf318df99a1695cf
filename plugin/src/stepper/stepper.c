/*
 * Creates and destroys steppers, takes a step of the whole world, and writes the report.
 *
 * A step is taken as a whole or not at all: ODE finds the islands, each island computes its step without
 * moving ODE's bodies for good, and if all have succeeded they are written back to ODE.  Otherwise
 * everything is set back to what it was.  Contracts in ode_rls.h.
 */
#include "stepper.h"
#include "corrections/correct.h"

/* ---- life cycle ---- */

dRLSStepperID dRLSStepperCreate (dWorldID world, int *status)
{
    int ignored;
    if (!status) status = &ignored;
    *status = world ? rls_ode_prepare (NULL) : dRLSStatusBadArgument;
    if (*status == dRLSStatusOk && !rls_ode_owns (world)) *status = dRLSStatusIncompatibleODE;
    if (*status != dRLSStatusOk) return NULL;
    dRLSStepperID stepper = calloc (1, sizeof (*stepper));
    *status = stepper ? dRLSStatusOk : dRLSStatusNoMemory;
    if (!stepper) return NULL;

    /* the settings that are not 0 by default */
    stepper->world = world;
    stepper->settings = (rls_settings){
        .integrator = dRLSIntegratorDefault,
        .correction = dRLSCorrectionDefault,
        .order = dRLSOrderDefault,
        .rank_tolerance = dRLSRankToleranceDefault,
        .position_tolerance = dRLSPositionToleranceDefault,
        .bounded_iterations = dRLSBoundedIterationsDefault,
        .report = dRLSReportDefault,
        .penalty = dRLSPenaltyDefault,
    };
    return stepper;
}

void dRLSStepperDestroy (dRLSStepperID stepper)
{
    if (!stepper || stepper->busy) return;
    for (int i = 0; i < stepper->workspaces.count; ++i) rls_workspace_free (stepper->workspaces.of[i]);
    rls_thread_memory_free (&stepper->thread_memory);
    rls_small_trees_free (&stepper->trees);
    rls_wishes *wishes = &stepper->wishes;
    rls_arena *const blocks[] = {
        &stepper->workspaces.block, &stepper->free.block,      &stepper->batches.block,
        &stepper->tasks.block,      &stepper->sizes.block,     &stepper->held_by.block,
        &stepper->given.block,      &stepper->loaded.block,    &wishes->drives.block,
        &wishes->programs.block,    &wishes->priorities.block, &wishes->compliances.block,
        &wishes->springs.block};
    for (size_t i = 0; i < sizeof (blocks) / sizeof (*blocks); ++i) rls_arena_free (blocks[i]);
    free (stepper);
}

dWorldID dRLSStepperGetWorld (dRLSStepperID stepper) { return stepper ? stepper->world : NULL; }

void rls_read_world (dRLSStepperID stepper)
{
    dVector3 gravity;
    dWorldGetGravity (stepper->world, gravity);
    for (int k = 0; k < 3; ++k) stepper->settings.gravity[k] = gravity[k];
    stepper->settings.world_erp = dWorldGetERP (stepper->world);
    stepper->settings.world_cfm = dWorldGetCFM (stepper->world);
}

/* ---- the report ---- */

/* Adds an island's counts, times and extremes to the report. */
static void add_island (dRLSReport *report, const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;

    /* sizes and rank; springs are solved among the bounded rows, but are reported with the other rows */
    ++report->islands;
    report->bodies += workspace->objects.bodies;
    report->joints += workspace->objects.joints;
    report->rows += s->begin.rows.rows + workspace->objects.spring_rows;
    report->soft_rows += workspace->objects.soft_rows + workspace->objects.spring_rows;
    report->bounded_rows += s->begin.bounded.rows - workspace->objects.spring_rows;
    report->rank += workspace->findings.rank;
    report->dof += 6 * workspace->objects.dynamic_bodies - workspace->findings.rank;
    report->redundant += workspace->findings.redundant_count;
    report->conflicting += workspace->findings.conflicting_count;

    /* work */
    report->factorisations += s->account.factorisations;
    report->row_evaluations += s->account.row_evaluations;
    report->iterations += s->account.iterations;
    report->fallbacks += s->account.fallbacks;
    report->singular_events += s->account.singular_events;
    report->bounded_iterations += s->account.bounded_iterations;
    report->bounded_residual = (dReal)fmax (report->bounded_residual, s->account.bounded_residual);

    /* how close rows are to being dependent, and time */
    report->rank_gap = (dReal)fmin (report->rank_gap, workspace->findings.rank_gap);
    for (int stage = 0; stage < dRLSStageCount; ++stage)
        report->seconds[stage] += workspace->findings.seconds[stage];
}

/* Adds the warnings of an island's step to the counts, and keeps the worst note of each kind. */
static void add_warnings (const rls_workspace *workspace, unsigned long times[dRLSWarningCount],
                          dRLSWarningNote worst[dRLSWarningCount])
{
    const rls_island *s = &workspace->island;
    const rls_findings *found = &workspace->findings;

    /* warnings that have an amount */
    for (int w = 0; w < dRLSWarningCount; ++w)
    {
        times[w] += found->notes[w].amount > 0;
        if (found->notes[w].amount > worst[w].amount) worst[w] = found->notes[w];
    }

    /* conflicting rows whose residual happens to be 0 have no note; all others are known by their counts */
    times[dRLSWarningConflict] +=
        found->conflicting_count > 0 && !(found->notes[dRLSWarningConflict].amount > 0);
    times[dRLSWarningBounded] += s->account.bounded_inexact != 0;
    times[dRLSWarningFallback] += (unsigned long)s->account.fallbacks;
    times[dRLSWarningSingular] += (unsigned long)s->account.singular_events;
    times[dRLSWarningStiff] += s->geometric.raised > 0;
}

/* Fills stepper.report with what flags (dRLSReport...) ask for, counts the warnings of the step, and tells
 * the message callback of new ones.  Returns 1, or 0 if memory was too short for some of the measurements. */
static int make_report (dRLSStepperID stepper, int flags)
{
    int done = 1;
    dRLSReport *report = &stepper->report;
    memset (report, 0, sizeof (*report));
    report->struct_size = sizeof (*report);
    report->rank_gap = 1;
    unsigned long times[dRLSWarningCount] = {0};
    dRLSWarningNote worst[dRLSWarningCount] = {{.row = -1}};

    /* sums over the islands */
    for (int i = 0; i < stepper->used_workspaces; ++i)
    {
        rls_workspace *workspace = stepper->workspaces.of[i];
        done &= rls_workspace_report (workspace, flags, report);
        add_island (report, workspace);
        add_warnings (workspace, times, worst);
    }
    if (stepper->trees_stepped)
        times[dRLSWarningEnergy] +=
            rls_small_trees_report (&stepper->trees, flags, report, &worst[dRLSWarningEnergy]);

    /* one call of the message callback for each kind of warning, however many islands have it */
    for (int w = 0; w < dRLSWarningCount; ++w)
    {
        if (times[w] == 0) continue;
        stepper->notes[w] = worst[w];
        stepper->notes[w].time = (dReal)stepper->time;
        rls_warn (stepper, w, times[w]);
    }
    rls_free_bodies_report (&stepper->free, flags, report);
    return done;
}

/* ---- the calls ---- */

void rls_forget_report (dRLSStepperID stepper)
{
    memset (&stepper->report, 0, sizeof (stepper->report));
    stepper->used_workspaces = stepper->free.count = stepper->trees_stepped = 0;
}

int dRLSStepperForget (dRLSStepperID stepper)
{
    if (!rls_begin_call (stepper)) return 0;
    for (int i = 0; i < stepper->workspaces.count; ++i) rls_workspace_clear (stepper->workspaces.of[i]);
    rls_thread_memory_free (&stepper->thread_memory);
    rls_small_trees_forget (&stepper->trees);
    rls_forget_report (stepper);
    return rls_finish (stepper, dRLSStatusOk);
}

int dRLSStepperStep (dRLSStepperID stepper, dReal h)
{
    if (!rls_begin_call (stepper)) return 0;
    if (!(h > 0) || !isfinite (h)) return rls_finish (stepper, dRLSStatusBadStep);
    if (!rls_correct_supports (&stepper->settings)) return rls_finish (stepper, dRLSStatusUnsupported);
    rls_read_world (stepper);
    const int status = rls_workspaces_run (stepper, h, 0);

    /* a step that failed leaves the world as it was, and the next one starts without a warm start */
    if (status != dRLSStatusOk)
    {
        rls_workspaces_put_back (stepper, status);
        for (int i = 0; i < stepper->workspaces.count; ++i)
            rls_history_end (stepper->workspaces.of[i], RLS_ISLAND_CHANGED);
        rls_small_trees_forget (&stepper->trees);
        rls_forces_undo (stepper);
        rls_forget_report (stepper);
        return rls_finish (stepper, status);
    }

    /* all islands have succeeded: move ODE's bodies */
    const double start = rls_clock (&stepper->settings);
    for (int i = 0; i < stepper->used_workspaces; ++i) rls_write_back (stepper->workspaces.of[i]);
    rls_free_bodies_write_back (&stepper->free);
    rls_small_trees_write_back (&stepper->trees);
    const double seconds = rls_clock (&stepper->settings) - start;
    stepper->time += h;

    /* without memory the report is incomplete, but the step has been taken all the same */
    (void)make_report (stepper, stepper->settings.report);
    stepper->report.seconds[dRLSStageWriteBack] = seconds;
    rls_workspaces_give_back (stepper);
    return rls_finish (stepper, dRLSStatusOk);
}

int dRLSStepperAnalyse (dRLSStepperID stepper)
{
    if (!rls_begin_call (stepper)) return 0;
    rls_read_world (stepper);
    int status = rls_workspaces_analyse (stepper, 1);
    if (status != dRLSStatusOk)
        rls_forget_report (stepper);
    else if (!make_report (stepper, dRLSReportViolations | dRLSReportEnergy))
        status = dRLSStatusNoMemory;
    return rls_finish (stepper, status);
}
