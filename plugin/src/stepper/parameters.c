/* The calls that set and get a stepper's settings, and those that return results of the last step; contract
 * in ode_rls.h. */
#include "stepper.h"

#define CORRECTION_FLAGS                                                                                     \
    (dRLSCorrectOnce | dRLSCorrectEachStage | dRLSCorrectUnprojected | dRLSCorrectThrough)
#define REPORT_FLAGS (dRLSReportViolations | dRLSReportEnergy | dRLSReportTimes | dRLSReportReactions)

/* Defines setter and getter of a setting: its name, the member, its type, which values are valid, and what
 * the getter returns without a stepper. */
#define CHOICE(Name, field, type, valid, none)                                                               \
    CHOICE_OF (dRLSStepperSet##Name, dRLSStepperGet##Name, settings.field, type, valid, none)
#define CHOICE_OF(set, get, field, type, valid, none)                                                        \
    int set (dRLSStepperID stepper, type value)                                                              \
    {                                                                                                        \
        if (!stepper || stepper->busy || !(valid)) return 0;                                                 \
        stepper->field = value;                                                                              \
        return 1;                                                                                            \
    }                                                                                                        \
    type get (dRLSStepperID stepper) { return stepper ? (type)stepper->field : (none); }

CHOICE (Integrator, integrator, int, value >= 0 && value < dRLSIntegratorCount, -1)
CHOICE (Correction, correction, int, value >= 0 && value < dRLSCorrectionCount, -1)
CHOICE (Order, order, int, value >= 0 && value < dRLSOrderCount, -1)
CHOICE (OrderSeed, order_seed, unsigned long, 1, 0)
CHOICE (RankTolerance, rank_tolerance, dReal, value > 0 && value < 1, 0)
CHOICE (PositionTolerance, position_tolerance, dReal, rls_is_size (value), 0)
CHOICE (Penalty, penalty, dReal, rls_is_size (value), -1)
CHOICE (Feedback, feedback, int, value >= 0 && value < dRLSFeedbackCount, -1)
CHOICE (Friction, friction, int, value >= 0 && value < dRLSFrictionCount, -1)
CHOICE (BoundedIterations, bounded_iterations, int, value >= 1, 0)
CHOICE (CorrectionFlags, correction_flags, int, !(value & ~CORRECTION_FLAGS), -1)
CHOICE_OF (dRLSStepperSetReport, dRLSStepperGetReportFlags, settings.report, int, !(value & ~REPORT_FLAGS), 0)
CHOICE_OF (dRLSStepperSetTime, dRLSStepperGetTime, time, dReal, isfinite (value), 0)

int dRLSStepperSetBaumgarte (dRLSStepperID stepper, dReal alpha, dReal beta)
{
    if (!stepper || stepper->busy || !rls_is_size (alpha) || !rls_is_size (beta)) return 0;
    stepper->settings.baumgarte[0] = alpha;
    stepper->settings.baumgarte[1] = beta;
    return 1;
}

int dRLSStepperGetBaumgarte (dRLSStepperID stepper, dReal *alpha, dReal *beta)
{
    if (!stepper || !alpha || !beta) return 0;
    *alpha = (dReal)stepper->settings.baumgarte[0];
    *beta = (dReal)stepper->settings.baumgarte[1];
    return 1;
}

void dRLSStepperSetForceCallback (dRLSStepperID stepper, dRLSForceFunction *callback, void *context)
{
    if (!stepper || stepper->busy) return;
    stepper->force = callback;
    stepper->force_context = context;
}

/* ---- what was found ---- */

int dRLSStepperGetReport (dRLSStepperID stepper, dRLSReport *report)
{
    if (!stepper || !report || report->struct_size < sizeof (size_t)) return 0;
    rls_give (report, &stepper->report, sizeof (*report));
    return 1;
}

int dRLSStepperGetRedundantRows (dRLSStepperID stepper, dRLSRow *rows, int capacity)
{
    int count = 0;
    for (int i = 0; stepper && i < stepper->used_workspaces; ++i)
    {
        const rls_workspace *workspace = stepper->workspaces.of[i];
        for (int k = 0; k < workspace->findings.redundant_count; ++k, ++count)
            if (rows && count < capacity) rows[count] = workspace->findings.redundant[k];
    }
    return count;
}

int dRLSStepperGetIslands (dRLSStepperID stepper, dRLSIsland *islands, int capacity)
{
    if (!stepper) return 0;
    for (int i = 0; i < stepper->used_workspaces && islands && i < capacity; ++i)
    {
        const rls_workspace *workspace = stepper->workspaces.of[i];
        islands[i] = (dRLSIsland){.body = workspace->objects.bodies > 0 ? workspace->objects.body[0] : NULL,
                                  .bodies = workspace->objects.bodies,
                                  .joints = workspace->objects.joints,
                                  .rows = workspace->island.begin.rows.rows,
                                  .bounded_rows = workspace->island.begin.bounded.rows,
                                  .integrator = workspace->findings.integrator,
                                  .reason = workspace->findings.reason};
    }
    return stepper->used_workspaces;
}

int dRLSStepperIsReactionUnique (dRLSStepperID stepper, dJointID joint)
{
    for (int i = 0; stepper && joint && i < stepper->used_workspaces; ++i)
    {
        const rls_workspace *workspace = stepper->workspaces.of[i];
        for (int j = 0; j < workspace->objects.joints; ++j)
            if (workspace->objects.joint[j] == joint)
                return workspace->findings.unique_known ? workspace->findings.unique[j] : -1;
    }

    /* in small trees all reactions are unique, since no row depends on others */
    const int asked = stepper && stepper->trees_stepped && stepper->settings.report & dRLSReportReactions;
    return asked && rls_small_trees_have (&stepper->trees, joint) ? 1 : -1;
}

const char *dRLSVersion (void) { return ODE_RLS_VERSION; }

int dRLSPrecision (void) { return (int)(8 * sizeof (dReal)); }

int dRLSCheckODE (void) { return rls_ode_prepare (NULL); }

const char *dRLSDescribeODE (void) { return rls_ode_description (); }
