/*
 * What takes a step that the accurate integrators cannot: Euler's method, whole or in pieces, and the damped
 * step, which always ends.
 *
 * Euler's step comes first.  Where it leaves joints open the damped one follows, at once where the last one
 * left them so. Where rows are left open for others, Euler's step in pieces follows, for damping knows no
 * precedence; where the program has torn joints, these pieces and then the damped one.  Soft rows have ODE's
 * right-hand sides, which are those of a whole step.
 */
#ifndef RLS_FALLBACK_H
#define RLS_FALLBACK_H

#include "integrate.h"

/* Notes by which integrator the step is taken, and why. */
static inline void rls_take_by (rls_workspace *workspace, int integrator, int reason)
{
    workspace->findings.integrator = integrator;
    workspace->findings.reason = reason;
}

/* 1 if all rows are ones whose positions an accurate integrator can close. */
static inline int rls_only_hard_positions (const rls_workspace *workspace)
{
    return workspace->island.begin.bounded.rows == 0 && workspace->objects.soft_rows == 0;
}

/* 1 for an island with contacts that nothing drives: what is driven may jam, and its contacts have to give
 * way. */
int rls_leans_on_contacts (const rls_island *island);

/* Euler's step and what follows it.  Returns 1, or 0 with workspace->status set. */
int rls_step_by_euler (rls_workspace *workspace);

/* The last fallback, which always ends; for meshes at once the damped step, whose cost is bounded. */
rls_outcome rls_retreat (rls_workspace *workspace, int reason);

#endif
