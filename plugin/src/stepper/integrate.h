/* Which integrator an island is stepped with, and what happens when it fails. */
#ifndef RLS_INTEGRATE_H
#define RLS_INTEGRATE_H

#include "workspace.h"

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

/*
 * euler.c: ODE's semi-implicit Euler step with the RLS stage in place of its LCP: v' = v + h M^-1 f with the
 * rows enforced on v', q' = q advanced by v', then (correction projection) q' and v' projected.  First order;
 * the same answer as dWorldStep where that is right.  Fills next.pose, next.v, p and bounded.p.  Sets
 * workspace->status; returns 1 if it is Ok.
 */
int rls_euler_step (rls_workspace *workspace);

/*
 * euler.c: Euler's step in pieces, where the whole step leaves joints open or closes them into contacts.
 *
 * A light chain with a heavy ball, once it cracks like a whip, turns its links so far in a step that Newton's
 * method does not find the pose where the joints are closed.  Half a step is then tried, and half of that.
 * Contacts hold velocities, and joints are closed after that: a plank of a rope bridge that a ball pushes
 * down by `h v` is closed back up into the ball, by a length of second order in the step.  Pieces of a step
 * make these lengths small.
 *
 * In all pieces limits, motors and contacts keep the rows and the velocities that ODE gave them for the step,
 * as they would in the whole of it; what they may give in impulses is shared out evenly.
 */
/* 1 if a hard row that was kept at the beginning of a step has a residual at its end that is worth another
 * attempt: one above rounding, and above the closing that was asked for. */
int rls_stays_open (const rls_workspace *workspace);

/* A step of Euler's method in so many pieces, 2, 4 or 8, and in twice as many for as long as joints stay
 * open; the last answer stands.  Returns as rls_euler_step. */
int rls_euler_in_pieces (rls_workspace *workspace, int fewest);

/*
 * held_drive.c: drives, and motors of unlimited strength, that cannot be followed hold their joints.
 *
 * Such a row is a hard constraint, and may ask for what is out of its mechanism's reach or for the far side
 * of another joint's stop.  Neither shows in the rank: Newton's method finds no pose where all joints are
 * closed, or the stop has nothing left to move.  The joint is then held where it stood when the step began,
 * and the step is taken again; a drive goes on where its function comes back to that position, a motor tries
 * again in the next step.
 */
/* That of row r (as ODE numbers them; -1: any) of a joint, or NULL where it is not held. */
const rls_held_drive *rls_held_drive_of (const rls_workspace *workspace, dJointID joint, int r);

/* After an attempt at a step: the row of a drive that is to hold before the next one, or -1. */
int rls_held_drive_find (const rls_workspace *workspace);

/* Holds the drive of that row where it is; rows are those of the step's beginning.  Returns a dRLSStatus. */
int rls_held_drive_begin (rls_workspace *workspace, int row);

/* At the end of a step: drives whose function has come back are released.  Returns a dRLSStatus. */
int rls_held_drive_release (rls_workspace *workspace);

#endif
