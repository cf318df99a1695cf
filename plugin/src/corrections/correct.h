/*
 * The correction methods of the literature: which integrators they combine with, and the steps of those
 * that act within an integrator, after it, or bring a rule of their own.
 *
 *     method        integrators            where
 *     none          euler (auto), rk4      euler.c, correct_rk4.c: rows on velocities, accelerations
 *     erp           euler (auto), rk4      the same with Baumgarte's terms
 *     embedded      rk4 (auto)             correct_rk4.c: violations taken back within the step
 *     projection    all                    symplectic.c, project.c: positions, then velocities
 *     simultaneous  euler, rk4 (auto)      correct_simultaneous.c: positions with velocities
 *     energy        euler, rk4 (auto)      the same and the energy
 *     augmented     its own (auto)         correct_augmented.c: trapezoidal rule
 *     conserving    its own (auto)         correct_conserving.c: midpoint rule with exact energy
 *     compliant     euler (auto)           gather_rows.c: every row as soft as ODE has it
 */
#ifndef RLS_CORRECT_H
#define RLS_CORRECT_H

#include "stepper/workspace.h"

/* 1 if the combination of integrator and correction has a meaning. */
int rls_correct_supports (const rls_settings *settings);

/* 1 if islands of hard rows are stepped by rls_correct_step: augmented, conserving, and all under rk4. */
int rls_correct_steps (const rls_settings *settings);

/* 1 if rows keep ODE's own right-hand side ERP Phi / h: erp under Euler's method without free coefficients.
 */
int rls_correct_takes_erp (const rls_settings *settings);

/* Under erp with free coefficients: makes Euler's velocity targets those of Baumgarte's method,
 * (H v' - H v) / h = dy/dt - dH/dt v + 2 alpha (y - H v) + beta^2 e.  Returns
 * RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_correct_targets (rls_workspace *workspace);

/* 1 if positions are closed by projection at the end of a step of Euler's method: under projection, and for
 * islands that another correction leaves to it. */
int rls_correct_projects (const rls_settings *settings);

/* 1 if an island is corrected by rls_correct_after once an explicit step is done, and by nothing else. */
int rls_correct_waits (const rls_workspace *workspace);

/* Corrects next.pose and next.v after an explicit step: projection (with dRLSCorrectOnce one pass),
 * simultaneous, energy. work (J) is what other forces than gravity have done since the beginning.  Returns
 * RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_correct_after (rls_workspace *workspace, double work);

/* A step of the island.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite;
 * RLS_ANOTHER_WAY if another integrator should take the step, nothing being done. */
rls_outcome rls_correct_step (rls_workspace *workspace);

#endif
