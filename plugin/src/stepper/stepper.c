/*
 * The stepper: one call for the whole world.
 *
 *     ODE finds the islands  ->  every island computes its step, moving nothing for good
 *     ->  if all went well every island is written back, otherwise all is put back
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
    for (int i = 0; i < stepper->workspace_count; ++i) rls_workspace_free (stepper->workspaces[i]);
    rls_small_trees_free (&stepper->trees);
    const rls_wishes *wishes = &stepper->wishes;
    void *const lists[] = {stepper->workspaces, stepper->free.of,      stepper->batches.of,
                           stepper->tasks.of,   stepper->sizes.of,     stepper->claims,
                           stepper->given.of,   stepper->loaded.of,    wishes->drives.of,
                           wishes->programs.of, wishes->priorities.of, wishes->compliances.of,
                           wishes->springs.of};
    for (size_t i = 0; i < sizeof (lists) / sizeof (*lists); ++i) free (lists[i]);
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

static void add_island (dRLSReport *report, const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    ++report->islands;
    report->bodies += workspace->objects.bodies;
    report->joints += workspace->objects.joints;
    report->rows += s->begin.rows.rows + workspace->objects.spring_rows;
    report->soft_rows += workspace->objects.soft_rows + workspace->objects.spring_rows;
    report->bounded_rows +=
        s->begin.bounded.rows - workspace->objects.spring_rows; /* springs are solved among them */
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

/* Counts what an island's step has to warn of, and keeps the worst of its notes. */
static void take_warnings (const rls_workspace *workspace, unsigned long times[dRLSWarningCount],
                           dRLSWarningNote worst[dRLSWarningCount])
{
    const rls_island *s = &workspace->island;
    const rls_findings *found = &workspace->findings;
    for (int w = 0; w < dRLSWarningCount; ++w)
    {
        times[w] += found->notes[w].amount > 0;
        if (found->notes[w].amount > worst[w].amount) worst[w] = found->notes[w];
    }

    /* rows that contradict each other may have no residual; the others are counted alone */
    times[dRLSWarningConflict] +=
        found->conflicting_count > 0 && !(found->notes[dRLSWarningConflict].amount > 0);
    times[dRLSWarningBounded] += s->account.bounded_inexact != 0;
    times[dRLSWarningFallback] += (unsigned long)s->account.fallbacks;
    times[dRLSWarningSingular] += (unsigned long)s->account.singular_events;
    times[dRLSWarningStiff] += s->geometric.raised > 0;
}

/* flags: dRLSReport... */
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
        rls_workspace *workspace = stepper->workspaces[i];
        done &= rls_workspace_report (workspace, flags, report);
        add_island (report, workspace);
        take_warnings (workspace, times, worst);
    }
    if (stepper->trees_stepped)
        times[dRLSWarningEnergy] +=
            rls_small_trees_report (&stepper->trees, flags, report, &worst[dRLSWarningEnergy]);
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
    for (int i = 0; i < stepper->workspace_count; ++i) rls_workspace_clear (stepper->workspaces[i]);
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

    /* a refused step leaves the world as it was, and nothing that the next one would take over */
    if (status != dRLSStatusOk)
    {
        rls_workspaces_put_back (stepper, status);
        for (int i = 0; i < stepper->workspace_count; ++i)
            rls_history_end (stepper->workspaces[i], RLS_ISLAND_CHANGED);
        rls_small_trees_forget (&stepper->trees);
        rls_forces_undo (stepper);
        rls_forget_report (stepper);
        return rls_finish (stepper, status);
    }
    const double start = rls_clock ();
    for (int i = 0; i < stepper->used_workspaces; ++i) rls_write_back (stepper->workspaces[i]);
    rls_free_bodies_write_back (&stepper->free);
    rls_small_trees_write_back (&stepper->trees);
    const double seconds = rls_clock () - start;
    stepper->time += h;
    (void)make_report (stepper,
                       stepper->settings.report); /* lack of memory cuts it short, and undoes nothing */
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
