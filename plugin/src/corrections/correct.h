/*
 * The methods of the literature that correct constraint violations (section 10 of method.md): which
 * integrators they combine with, and the steps of those that act within an integrator, after it, or have an
 * integration rule of their own.  dRLSStepperSetCorrection chooses one.
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

/* Returns 1 if the combination of integrator and correction is one of the table. */
int rls_correct_supports (const rls_settings *settings);

/* Returns 1 if rls_correct_step takes the steps of islands of hard rows: under augmented, conserving, and all
 * corrections with rk4. */
int rls_correct_steps (const rls_settings *settings);

/* Returns 1 if rows keep ODE's own right-hand side, ERP Phi / h: erp with Euler's method, unless the program
 * has given coefficients (dRLSStepperSetBaumgarte). */
int rls_correct_takes_erp (const rls_settings *settings);

/* Under erp with coefficients of the program: changes the velocity targets of Euler's method to those of
 * Baumgarte, (H v' - H v) / h = dy/dt - dH/dt v + 2 alpha (y - H v) + beta^2 e.  Otherwise does nothing.
 * Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_correct_targets (rls_workspace *workspace);

/* Returns 1 if Euler's method closes positions by projection at the end of its steps: under projection, and
 * under the corrections that leave some islands to Euler's method. */
int rls_correct_projects (const rls_settings *settings);

/* Returns 1 if the island is corrected by rls_correct_after, after an explicit step, and in no other way. */
int rls_correct_waits (const rls_workspace *workspace);

/* Corrects next.pose and next.v after an explicit step, by projection (with dRLSCorrectOnce one pass),
 * simultaneous or energy.  work (J): that of all forces but gravity during the step.  Returns RLS_DONE,
 * RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_correct_after (rls_workspace *workspace, double work);

/* Takes a step of the island by rk4 or a rule of the correction's own.  Returns RLS_DONE, RLS_NO_MEMORY, or
 * RLS_FAILED when a value is not finite; RLS_ANOTHER_WAY if another integrator should take the step (then
 * nothing has been changed). */
rls_outcome rls_correct_step (rls_workspace *workspace);

#endif
