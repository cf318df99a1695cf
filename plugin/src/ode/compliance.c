/* Joints and rows with a stiffness and a damping; equations in compliance.h. */
#include "compliance.h"
#include "stepper/stepper.h"
#include <math.h>

/* Where a row's own compliance, or that of all rows, is in the list; count if nowhere. */
static int find (const rls_compliance *list, int count, dJointID joint, int row)
{
    int i = 0;
    while (i < count && (list[i].joint != joint || list[i].row != row)) ++i;
    return i;
}

/* What counts for a row: its own compliance before that of all rows.  NULL if it is hard. */
static const rls_compliance *compliance_of (const rls_workspace *workspace, dJointID joint, int row)
{
    const rls_compliance *list = workspace->wishes->compliances.of;
    const int count = workspace->wishes->compliances.count;
    int i = find (list, count, joint, row);
    if (i == count) i = find (list, count, joint, RLS_ALL_ROWS);
    return i < count && list[i].stiffness + list[i].damping > 0 ? &list[i] : NULL;
}

int rls_has_compliance (const rls_workspace *workspace, dJointID joint)
{
    for (int i = 0; i < workspace->wishes->compliances.count; ++i)
        if (workspace->wishes->compliances.of[i].joint == joint) return 1;
    return 0;
}

int rls_compliance_of_row (const rls_workspace *workspace, dJointID joint, int row, double *stiffness,
                           double *damping)
{
    const rls_compliance *found = compliance_of (workspace, joint, row);
    if (!found) return 0;
    *stiffness = found->stiffness, *damping = found->damping;
    return 1;
}

void rls_soften (const rls_workspace *workspace, dJointID joint, rls_rows *rows, int r0, int count)
{
    for (int r = r0; r < r0 + count && workspace->wishes->compliances.count > 0; ++r)
    {
        if (rows->sigma2[r] > 0) continue; /* a compliance that the joint has in ODE stays */
        const rls_compliance *found =
            compliance_of (workspace, joint, workspace->island.mechanism.ode_row[r]);
        if (!found) continue;
        const double resistance = workspace->h * found->stiffness + found->damping; /* N s/m */
        rows->sigma2[r] = 1 / (workspace->h * resistance);
        rows->target[r] += found->stiffness * rows->residual[r] / resistance;
        rows->residual[r] = 0;
    }
}

static int acceptable (dReal x) { return x >= 0 && isfinite (x); }

static void forget (dRLSStepperID stepper, int i)
{
    if (i < stepper->wishes.compliances.count)
        stepper->wishes.compliances.of[i] =
            stepper->wishes.compliances.of[--stepper->wishes.compliances.count];
}

static int set (dRLSStepperID stepper, rls_compliance wanted)
{
    const int i =
        find (stepper->wishes.compliances.of, stepper->wishes.compliances.count, wanted.joint, wanted.row);
    if (!rls_array_reserve (&stepper->wishes.compliances.of, &stepper->wishes.compliances.capacity, i + 1,
                            sizeof (rls_compliance)))
        return 0;
    stepper->wishes.compliances.of[i] = wanted;
    if (i == stepper->wishes.compliances.count) ++stepper->wishes.compliances.count;
    return 1;
}

int dRLSStepperSetJointCompliance (dRLSStepperID stepper, dJointID joint, dReal stiffness, dReal damping)
{
    if (!stepper || stepper->busy || !joint || !acceptable (stiffness) || !acceptable (damping)) return 0;
    if (stiffness + damping > 0 && !set (stepper, (rls_compliance){joint, RLS_ALL_ROWS, stiffness, damping}))
        return 0;
    for (int i = stepper->wishes.compliances.count - 1; i >= 0; --i)
    {
        const rls_compliance *c = &stepper->wishes.compliances.of[i];
        if (c->joint == joint && (c->row != RLS_ALL_ROWS || stiffness + damping == 0)) forget (stepper, i);
    }
    return 1;
}

int dRLSStepperSetRowCompliance (dRLSStepperID stepper, dJointID joint, int row, dReal stiffness,
                                 dReal damping)
{
    if (!stepper || stepper->busy || !joint || row < 0 || row >= RLS_MAX_ROWS || !acceptable (stiffness) ||
        !acceptable (damping))
        return 0;
    return set (stepper, (rls_compliance){joint, row, stiffness, damping});
}
