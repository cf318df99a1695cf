/* Rows that the program gives; contract in program_rows.h. */
#include "program_rows.h"
#include "gather.h"
#include "stepper/world_changed.h"
#include "stepper/stepper.h"
#include <math.h>
#include <string.h>

const rls_program_rows *rls_program_rows_of (const rls_workspace *workspace, dJointID joint)
{
    for (int i = 0; i < workspace->program_count; ++i)
        if (workspace->programs[i].joint == joint) return &workspace->programs[i];
    return NULL;
}

/* ODE's own right-hand side is kept by these corrections: the error at its rate besides the velocity. */
static double rate_of_error (const rls_workspace *workspace)
{
    const int correction = workspace->settings->correction;
    const int keeps = correction == dRLSCorrectionERP || correction == dRLSCorrectionCompliant;
    return keeps ? workspace->settings->world_erp / workspace->h : 0;
}

int rls_read_program_rows (const rls_workspace *workspace, const rls_program_rows *program, rls_rows *rows,
                           int r0)
{
    dRLSProgramRow given[RLS_MAX_ROWS];
    memset (given, 0, sizeof (given));
    if (!program->function (program->context, program->joint, (dReal)workspace->island.time, given) ||
        rls_world_changed (workspace->stepper))
        return 0;
    for (int i = 0; i < program->count; ++i)
    {
        const dRLSProgramRow *from = &given[i];
        double *J = rows->J[r0 + i];
        if (!rls_all_finite (from->first, 6) || !rls_all_finite (from->second, 6) ||
            !isfinite (from->value) || !isfinite (from->rate))
            return 0;
        rls_copy (J, from->first, 6);
        rls_copy (J + 6, from->second, 6);
        if (!dJointGetBody (program->joint, 0) || !dJointGetBody (program->joint, 1))
            memset (J + 6, 0, 6 * sizeof (double)); /* the world does not move */
        rows->residual[r0 + i] = -(double)from->value;
        rows->sigma2[r0 + i] = 0;
        rows->target[r0 + i] = (double)from->rate + rate_of_error (workspace) * rows->residual[r0 + i];
    }
    return 1;
}

int dRLSStepperSetJointRows (dRLSStepperID stepper, dJointID joint, int count, dRLSRowsFunction *function,
                             void *context)
{
    if (!stepper || stepper->busy || !joint || dJointGetType (joint) != dJointTypeLMotor) return 0;
    if (function && (count < 1 || count > RLS_MAX_ROWS)) return 0;
    int i = 0;
    while (i < stepper->program_count && stepper->programs[i].joint != joint) ++i;
    if (!function)
    {
        if (i < stepper->program_count) stepper->programs[i] = stepper->programs[--stepper->program_count];
        return 1;
    }
    if (!rls_array_reserve (&stepper->programs, &stepper->program_capacity, i + 1, sizeof (rls_program_rows)))
        return 0;
    stepper->programs[i] = (rls_program_rows){joint, count, function, context};
    if (i == stepper->program_count) ++stepper->program_count;
    return 1;
}
