/* Which integrator an island is stepped with, and what happens when it fails. */
#ifndef RLS_INTEGRATE_H
#define RLS_INTEGRATE_H

#include "workspace.h"

/* 1 if the combination of integrator and correction has a meaning. */
int rls_integrate_supports (const rls_settings *settings);

static inline int rls_is_symplectic (int integrator)
{
    return integrator >= dRLSIntegratorSymplectic && integrator <= dRLSIntegratorSymplectic8;
}

/* The order of a symplectic integrator, and of the one that Auto takes for hard joints. */
static inline int rls_order_of (int integrator)
{
    return integrator == dRLSIntegratorAuto ? 2 : 2 * (integrator - dRLSIntegratorSymplectic + 1);
}

/* 1 if forces are wanted at stages within the step, not at its beginning alone. */
int rls_integrate_wants_stages (const rls_settings *settings);

/*
 * Computes the island's step, after rows, order and factor: next.pose, next.v, p.
 *
 * The symplectic integrators and RK4 move hard bilateral rows.  An island that has others (limits, motors,
 * contacts, compliances, rows that only know a velocity) is stepped by Euler's method instead; so is, for
 * this step, an island whose positions could not be closed even in shorter sub-steps.  Both are counted as
 * fallbacks, except for rows under dRLSIntegratorAuto, which chooses by them.
 * Sets workspace->status; returns 1 if it is Ok.
 */
int rls_integrate (rls_workspace *workspace);

/* Rows, forces and factor at pose and v again, after an attempt that failed.  Returns as rls_factor_rows. */
rls_outcome rls_begin_again (rls_workspace *workspace);

#endif
