/* Joints with a stiffness and a damping; equations in compliance.h. */
#include "compliance.h"
#include "stepper.h"
#include <math.h>

void rls_soften (const rls_cell *cell, dJointID joint, rls_rows *rows, int r0, int count)
{
    const rls_compliance *found = NULL;
    for (int i = 0; i < cell->compliance_count && !found; ++i)
        if (cell->compliances[i].joint == joint) found = &cell->compliances[i];
    if (!found) return;
    const double resistance = cell->h * found->stiffness + found->damping; /* N s/m */
    for (int r = r0; r < r0 + count; ++r)
    {
        if (rows->sigma2[r] > 0) continue; /* a compliance that the joint has in ODE stays */
        rows->sigma2[r] = 1 / (cell->h * resistance);
        rows->target[r] += found->stiffness * rows->residual[r] / resistance;
        rows->residual[r] = 0;
    }
}

int dRLSStepperSetJointCompliance (dRLSStepperID stepper, dJointID joint, dReal stiffness, dReal damping)
{
    if (!stepper || stepper->busy || !joint || !(stiffness >= 0) || !(damping >= 0) || !isfinite (stiffness) ||
        !isfinite (damping))
        return 0;
    int i = 0;
    while (i < stepper->compliance_count && stepper->compliances[i].joint != joint) ++i;
    if (stiffness == 0 && damping == 0)
    {
        if (i < stepper->compliance_count)
            stepper->compliances[i] = stepper->compliances[--stepper->compliance_count];
        return 1;
    }
    if (!rls_array_reserve (&stepper->compliances, &stepper->compliance_capacity, i + 1,
                            sizeof (rls_compliance)))
        return 0;
    stepper->compliances[i] = (rls_compliance){joint, stiffness, damping};
    if (i == stepper->compliance_count) ++stepper->compliance_count;
    return 1;
}
