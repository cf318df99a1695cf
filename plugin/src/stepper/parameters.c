/* Setters and getters of a stepper's choices. */
#include "stepper.h"
#include "ode/ode_prepare.h"
#include <math.h>
#include <string.h>

#define CHOICE(Name, field, type, valid, none)                                                               \
    int dRLSStepperSet##Name (dRLSStepperID stepper, type value)                                             \
    {                                                                                                        \
        if (!stepper || stepper->busy || !(valid)) return 0;                                                 \
        stepper->settings.field = value;                                                                     \
        return 1;                                                                                            \
    }                                                                                                        \
    type dRLSStepperGet##Name (dRLSStepperID stepper)                                                        \
    {                                                                                                        \
        return stepper ? (type)stepper->settings.field : (none);                                             \
    }

CHOICE (Integrator, integrator, int, value >= 0 && value < dRLSIntegratorCount, -1)
CHOICE (Correction, correction, int, value >= 0 && value < dRLSCorrectionCount, -1)
CHOICE (Order, order, int, value >= 0 && value < dRLSOrderCount, -1)
CHOICE (OrderSeed, order_seed, unsigned long, 1, 0)
CHOICE (RankTolerance, rank_tolerance, dReal, value > 0 && value < 1, 0)
CHOICE (PositionTolerance, position_tolerance, dReal, value >= 0 && isfinite (value), 0)
CHOICE (Penalty, penalty, dReal, value >= 0 && isfinite (value), -1)
CHOICE (Feedback, feedback, int, value >= 0 && value < dRLSFeedbackCount, -1)
CHOICE (Friction, friction, int, value >= 0 && value < dRLSFrictionCount, -1)
CHOICE (BoundedIterations, bounded_iterations, int, value >= 1, 0)

int dRLSStepperSetCorrectionFlags (dRLSStepperID stepper, int flags)
{
    const int all = dRLSCorrectOnce | dRLSCorrectEachStage | dRLSCorrectUnprojected | dRLSCorrectThrough;
    if (!stepper || stepper->busy || flags & ~all) return 0;
    stepper->settings.correction_flags = flags;
    return 1;
}

int dRLSStepperGetCorrectionFlags (dRLSStepperID stepper)
{
    return stepper ? stepper->settings.correction_flags : -1;
}

int dRLSStepperSetBaumgarte (dRLSStepperID stepper, dReal alpha, dReal beta)
{
    if (!stepper || stepper->busy || !(alpha >= 0) || !(beta >= 0) || !isfinite (alpha) || !isfinite (beta))
        return 0;
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

int dRLSStepperSetReport (dRLSStepperID stepper, int flags)
{
    const int all = dRLSReportViolations | dRLSReportEnergy | dRLSReportTimes | dRLSReportReactions;
    if (!stepper || stepper->busy || flags & ~all) return 0;
    stepper->settings.report = flags;
    return 1;
}

int dRLSStepperGetReportFlags (dRLSStepperID stepper) { return stepper ? stepper->settings.report : 0; }

int dRLSStepperSetJointPriority (dRLSStepperID stepper, dJointID joint, int priority)
{
    if (!stepper || stepper->busy || !joint) return 0;
    ++stepper->settings.priority_changes;
    for (int i = 0; i < stepper->wishes.priorities.count; ++i)
        if (stepper->wishes.priorities.of[i].joint == joint)
        {
            stepper->wishes.priorities.of[i].priority = priority;
            return 1;
        }
    if (!rls_array_reserve (&stepper->wishes.priorities.of, &stepper->wishes.priorities.capacity,
                            stepper->wishes.priorities.count + 1, sizeof (rls_priority)))
        return 0;
    stepper->wishes.priorities.of[stepper->wishes.priorities.count++] = (rls_priority){joint, priority};
    return 1;
}

void dRLSStepperSetForceCallback (dRLSStepperID stepper, dRLSForceFunction *callback, void *context)
{
    if (!stepper || stepper->busy) return;
    stepper->force = callback;
    stepper->force_context = context;
}

int dRLSStepperSetJointDrive (dRLSStepperID stepper, dJointID joint, dRLSDriveFunction *drive, void *context)
{
    if (!stepper || stepper->busy || !joint) return 0;
    const dJointType type = dJointGetType (joint);
    if (type != dJointTypeHinge && type != dJointTypeSlider) return 0;
    int i = 0;
    while (i < stepper->wishes.drives.count && stepper->wishes.drives.of[i].joint != joint) ++i;
    if (!drive)
    {
        if (i < stepper->wishes.drives.count)
            stepper->wishes.drives.of[i] = stepper->wishes.drives.of[--stepper->wishes.drives.count];
        return 1;
    }
    if (!rls_array_reserve (&stepper->wishes.drives.of, &stepper->wishes.drives.capacity, i + 1,
                            sizeof (rls_drive)))
        return 0;
    stepper->wishes.drives.of[i] = (rls_drive){joint, drive, context};
    if (i == stepper->wishes.drives.count) ++stepper->wishes.drives.count;
    return 1;
}

int dRLSStepperSetTime (dRLSStepperID stepper, dReal time)
{
    if (!stepper || stepper->busy || !isfinite (time)) return 0;
    stepper->time = time;
    return 1;
}

dReal dRLSStepperGetTime (dRLSStepperID stepper) { return stepper ? (dReal)stepper->time : 0; }

int dRLSStepperGetReport (dRLSStepperID stepper, dRLSReport *report)
{
    if (!stepper || !report || report->struct_size < sizeof (size_t)) return 0;
    const size_t asked = report->struct_size;
    const size_t size = asked < sizeof (dRLSReport) ? asked : sizeof (dRLSReport);
    memcpy (report, &stepper->report, size); /* an older caller's smaller struct gets its part */
    report->struct_size = asked;
    return 1;
}

int dRLSStepperGetRedundantRows (dRLSStepperID stepper, dRLSRow *rows, int capacity)
{
    int count = 0;
    for (int i = 0; stepper && i < stepper->used_workspaces; ++i)
    {
        const rls_workspace *workspace = stepper->workspaces[i];
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
        const rls_workspace *workspace = stepper->workspaces[i];
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
        const rls_workspace *workspace = stepper->workspaces[i];
        for (int j = 0; j < workspace->objects.joints; ++j)
            if (workspace->objects.joint[j] == joint)
                return workspace->findings.unique ? workspace->findings.unique[j] : -1;
    }
    const int asked = stepper && stepper->trees_stepped && stepper->settings.report & dRLSReportReactions;
    return asked && rls_small_trees_have (&stepper->trees, joint) ? 1
                                                                  : -1; /* no row depends on others there */
}

const char *dRLSVersion (void) { return ODE_RLS_VERSION; }

int dRLSPrecision (void) { return (int)(8 * sizeof (dReal)); }

int dRLSCheckODE (void) { return rls_ode_prepare (NULL); }

const char *dRLSDescribeODE (void) { return rls_ode_description (); }
