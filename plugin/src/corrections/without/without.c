/*
 * The corrections of the literature left out of the build (-DODE_RLS_CORRECTIONS=OFF): the interface of
 * correct.h with nothing behind it.  Projection and compliant rows stay, which are the step's own; everything
 * else, rk4 among it, is refused as unsupported.
 */
#include "corrections/correct.h"

int rls_correct_supports (const rls_settings *set)
{
    const int own = set->correction == dRLSCorrectionProjection || set->correction == dRLSCorrectionCompliant;
    return own && set->integrator != dRLSIntegratorRK4 && !(set->correction_flags & dRLSCorrectOnce);
}

int rls_correct_steps (const rls_settings *set)
{
    (void)set;
    return 0;
}

int rls_correct_takes_erp (const rls_settings *set)
{
    (void)set;
    return 0;
}

rls_outcome rls_correct_targets (rls_workspace *workspace)
{
    (void)workspace;
    return RLS_DONE;
}

int rls_correct_projects (const rls_settings *set) { return set->correction == dRLSCorrectionProjection; }

int rls_correct_waits (const rls_workspace *workspace)
{
    (void)workspace;
    return 0;
}

/* Nothing waits and nothing steps, so these are not called. */
rls_outcome rls_correct_after (rls_workspace *workspace, double work)
{
    (void)workspace, (void)work;
    return RLS_FAILED;
}

rls_outcome rls_correct_step (rls_workspace *workspace)
{
    (void)workspace;
    return RLS_FAILED;
}
