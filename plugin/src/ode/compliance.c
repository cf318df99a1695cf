/* Joints and rows with a stiffness and a damping; equations in gather.h. */
#include "gather.h"

const rls_row_compliance *rls_compliance_of (const rls_workspace *workspace, dJointID joint, int row)
{
    const rls_compliance *wish = RLS_WISH_OF (workspace->wishes->compliances, joint);
    const rls_row_compliance *found = wish ? &wish->row[wish->row[row].given ? row : RLS_MAX_ROWS] : NULL;
    return found && found->stiffness + found->damping > 0 ? found : NULL;
}

int rls_has_compliance (const rls_workspace *workspace, dJointID joint)
{
    return RLS_WISH_OF (workspace->wishes->compliances, joint) != NULL;
}

void rls_soften (const rls_workspace *workspace, dJointID joint, rls_rows *rows, int r0, int count)
{
    for (int r = r0; r < r0 + count && workspace->wishes->compliances.count > 0; ++r)
    {
        if (rows->sigma2[r] > 0) continue; /* a compliance that the joint has in ODE stays */
        const rls_row_compliance *found =
            rls_compliance_of (workspace, joint, workspace->island.mechanism.ode_row[r]);
        if (!found) continue;
        const double resistance = workspace->h * found->stiffness + found->damping; /* N s/m */
        rows->sigma2[r] = 1 / (workspace->h * resistance);
        rows->target[r] += found->stiffness * rows->residual[r] / resistance;
        rows->residual[r] = 0;
    }
}

static int acceptable (dReal x) { return x >= 0 && isfinite (x); }

int dRLSStepperSetJointCompliance (dRLSStepperID stepper, dJointID joint, dReal stiffness, dReal damping)
{
    if (!stepper || stepper->busy || !joint || !acceptable (stiffness) || !acceptable (damping)) return 0;
    rls_compliance *wish = RLS_WISH_OF (stepper->wishes.compliances, joint);
    if (wish) RLS_DROP (stepper->wishes.compliances, wish);
    if (stiffness + damping == 0) return 1;
    wish = RLS_WISH_FOR (stepper->wishes.compliances, joint);
    if (wish) wish->row[RLS_MAX_ROWS] = (rls_row_compliance){1, stiffness, damping};
    return wish != NULL;
}

int dRLSStepperSetRowCompliance (dRLSStepperID stepper, dJointID joint, int row, dReal stiffness,
                                 dReal damping)
{
    if (!stepper || stepper->busy || !joint || row < 0 || row >= RLS_MAX_ROWS || !acceptable (stiffness) ||
        !acceptable (damping))
        return 0;
    rls_compliance *wish = RLS_WISH_FOR (stepper->wishes.compliances, joint);
    if (wish) wish->row[row] = (rls_row_compliance){1, stiffness, damping};
    return wish != NULL;
}
