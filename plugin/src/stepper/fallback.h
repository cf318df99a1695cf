/*
 * Steps that the accurate integrators have failed to take: by Euler's method, whole or in pieces, and by the
 * damped step (damped.h), which always succeeds.
 *
 *     Euler's step            is tried first, unless the last step was a damped one that left joints open
 *     Euler's step in pieces  follows where that leaves joints open and some rows have precedence over others
 *                             (which the damped step knows nothing of), or the program has torn joints apart
 *     the damped step         follows where joints are still open; not where rows have precedence
 *
 * Islands with soft rows stay with Euler's whole step: their coefficients are those of a whole step.
 */
#ifndef RLS_FALLBACK_H
#define RLS_FALLBACK_H

#include "integrate.h"

/* Records for the report which integrator takes the step (dRLSIntegrator), and why (dRLSReason). */
static inline void rls_record_integrator (rls_workspace *workspace, int integrator, int reason)
{
    workspace->findings.integrator = integrator;
    workspace->findings.reason = reason;
}

/* Returns 1 if all rows are hard equations, whose positions an accurate integrator closes: there are no
 * limits, motors, contacts or compliances. */
static inline int rls_only_hard_positions (const rls_workspace *workspace)
{
    return workspace->island.begin.bounded.rows == 0 && workspace->objects.soft_rows == 0;
}

/* Returns 1 for an island that has contacts and that no drive, motor or kinematic body moves.  (In an island
 * that is driven something may jam; its contacts have to give way then.) */
int rls_has_undriven_contacts (const rls_island *island);

/* Returns 1 if a step that makes no accurate attempt is the damped one from its beginning: of a mesh, or
 * after a damped step that left joints open.  rk4 and the corrections make their attempt in any case, but of
 * meshes. */
int rls_is_damped_at_once (const rls_workspace *workspace);

/* Takes Euler's step, and what the table above says.  Returns 1, or 0 with workspace->status set. */
int rls_step_by_euler (rls_workspace *workspace);

/* The same once all accurate attempts have failed, for a dRLSReason; but meshes get the damped step at once,
 * since its cost is bounded.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_fall_back (rls_workspace *workspace, int reason);

#endif
