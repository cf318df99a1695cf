/*
 * Drives, and motors of unlimited strength, that cannot be followed hold their joints.
 *
 * Such a row is a hard constraint, and may ask for what is out of its mechanism's reach or for the far side of
 * another joint's stop.  Neither shows in the rank: Newton's method finds no pose where all joints are
 * closed, or the stop has nothing left to move.  The joint is then held where it stood when the step began,
 * and the step is taken again; a drive goes on where its function comes back to that position, a motor tries
 * again in the next step.
 */
#ifndef RLS_HELD_DRIVE_H
#define RLS_HELD_DRIVE_H

#include "workspace.h"

/* That of row r (as ODE numbers them; -1: any) of a joint, or NULL where it is not held. */
const rls_held_drive *rls_held_drive_of (const rls_workspace *workspace, dJointID joint, int r);

/* After an attempt at a step: the row of a drive that is to hold before the next one, or -1. */
int rls_held_drive_find (const rls_workspace *workspace);

/* Holds the drive of that row where it is; rows are those of the step's beginning.  Returns a dRLSStatus. */
int rls_held_drive_begin (rls_workspace *workspace, int row);

/* At the end of a step: drives whose function has come back are released.  Returns a dRLSStatus. */
int rls_held_drive_release (rls_workspace *workspace);

#endif
