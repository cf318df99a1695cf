/*
 * Which integrator takes an island's step, and what follows where it fails (integrate.c, attempts.c); Euler's
 * method (euler.c); drives that cannot be followed (held_drive.c).
 */
#ifndef RLS_INTEGRATE_H
#define RLS_INTEGRATE_H

#include "workspace.h"

static inline int rls_is_symplectic (int integrator)
{
    return integrator >= dRLSIntegratorSymplectic && integrator <= dRLSIntegratorSymplectic8;
}

/* Returns the order of a symplectic integrator; Auto is of second order where all rows are hard equations. */
static inline int rls_order_of (int integrator)
{
    return integrator == dRLSIntegratorAuto ? 2 : 2 * (integrator - dRLSIntegratorSymplectic + 1);
}

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

/* Returns 1 if the integrator evaluates forces at several stages of a step, 0 if only at its beginning. */
int rls_integrate_wants_stages (const rls_settings *settings);

/*
 * Computes the step of an island whose rows, elimination order and factor are known: next.pose, next.v and
 * the impulses.
 *
 * Hard bilateral rows are moved by the chosen integrator, islands with limits, motors or contacts by the
 * symplectic step of second order, and islands with soft rows by Euler's method.  A step whose joints could
 * not be closed, or that has not followed the motion, is taken in another way (fallback.c).  That, and
 * another integrator than the chosen one, counts as a fallback; under dRLSIntegratorAuto the rows may decide
 * on the integrator without being counted.
 */
rls_outcome rls_integrate (rls_workspace *workspace);

/*
 * attempts.c: computes the step of an island of hard rows, with or without bounded ones, by a symplectic
 * integrator, or by Euler's method with closed joints (dRLSIntegratorEuler).  Attempts that fail are repeated
 * in other ways, at last by rls_fall_back (fallback.c).  Returns RLS_DONE, RLS_NO_MEMORY or RLS_FAILED.
 */
rls_outcome rls_take_symplectic_step (rls_workspace *workspace, int integrator);

/* After an attempt that failed: evaluates and factors the rows, and evaluates the forces, at the beginning of
 * the step again.  Returns as rls_factor_rows. */
rls_outcome rls_begin_again (rls_workspace *workspace);

/*
 * euler.c: ODE's semi-implicit Euler step, with the rank-revealing factorisation in place of ODE's LCP
 * solver.  First v' = v + h M^-1 f, with impulses that make v' satisfy the rows; then the poses are advanced
 * by v'; then, under the correction projection, poses and velocities are projected onto the constraints.
 * First order; where dWorldStep is right the answer is the same.  Writes next.pose, next.v, and the impulses
 * reactions.p and begin.bounded.p.
 */
rls_outcome rls_euler_step (rls_workspace *workspace);

/*
 * euler.c: Euler's step in pieces, for steps that leave joints open or close them into contacts.
 *
 * A light chain with a heavy ball that swings like a whip turns its links so far in a step that Newton's
 * method does not find the pose where the joints are closed; half a step is then tried, and half of that.
 * Contacts are another reason.  Euler's step lets them decide on velocities, and closes the joints
 * afterwards: a plank of a rope bridge that a ball pushes down by `h v` is moved back up into the ball, by a
 * length that is of second order in the step.  Shorter pieces make this length small.
 *
 * In all pieces limits, motors and contacts keep the rows and velocities that ODE gave them for the step.
 * Their bounds on impulses are divided evenly.
 */
/* Returns 1 if a hard row that is not redundant has a residual at the end of the step that is worth another
 * attempt: more than rounding, and more than the tolerance that was asked for. */
int rls_stays_open (const rls_workspace *workspace);

/* Takes the step by Euler's method in the given number of pieces (2, 4 or 8); while joints stay open, again
 * in twice as many, up to 8.  The last result stands, open or not. */
rls_outcome rls_euler_in_pieces (rls_workspace *workspace, int fewest);

/*
 * held_drive.c: drives, and motors of unlimited strength, that cannot be followed.
 *
 * The row of such a drive is a hard constraint.  It may ask for a position that the mechanism cannot reach,
 * or that lies beyond another joint's stop.  This does not show in the rank, but Newton's method finds no
 * pose where all joints are closed, or a stop is violated although the joints leave it nothing to move.  The
 * driven axis is then held where it stood at the beginning of the step, and the step is taken again.  A drive
 * is released when its function returns to that position; a motor tries again in the next step.
 */
/* Returns the record of a held drive: of row r of the joint, as ODE numbers its rows, or of any of its rows
 * if r is -1.  NULL if it is not held. */
const rls_held_drive *rls_held_drive_of (const rls_workspace *workspace, dJointID joint, int r);

/* After an attempt at a step: returns the row of a drive that has to be held before the next attempt, or -1
 * if there is none. */
int rls_held_drive_find (const rls_workspace *workspace);

/* Holds the drive of a row where its axis is.  begin.rows must be those at the beginning of the step. */
rls_outcome rls_held_drive_begin (rls_workspace *workspace, int row);

/* At the end of a step: releases held drives whose function has returned, and all motors. */
rls_outcome rls_held_drive_release (rls_workspace *workspace);

/*
 * fallback.c: steps that the accurate integrators have failed to take, by Euler's method, whole or in pieces,
 * and by the damped step (project.h), which always succeeds.
 *
 *     Euler's step            is tried first, unless the last step was a damped one that left joints open
 *     Euler's step in pieces  follows where that leaves joints open and some rows have precedence over others
 *                             (which the damped step knows nothing of), or the program has torn joints apart
 *     the damped step         follows where joints are still open; not where rows have precedence
 *
 * Islands with soft rows stay with Euler's whole step: their coefficients are those of a whole step.
 */
/* Returns 1 for an island that has contacts and that no drive, motor or kinematic body moves.  (In an island
 * that is driven something may jam; its contacts have to give way then.) */
int rls_has_undriven_contacts (const rls_island *island);

/* Returns 1 if a step that makes no accurate attempt is the damped one from its beginning: of a mesh, or
 * after a damped step that left joints open.  rk4 and the corrections make their attempt in any case, but of
 * meshes. */
int rls_is_damped_at_once (const rls_workspace *workspace);

/* Takes Euler's step, and what the table above says. */
rls_outcome rls_step_by_euler (rls_workspace *workspace);

/* The same once all accurate attempts have failed, for a dRLSReason; but meshes get the damped step at once,
 * since its cost is bounded.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_fall_back (rls_workspace *workspace, int reason);

#endif
