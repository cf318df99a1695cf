/*
 * Drives that cannot be followed stall.
 *
 * A drive is a hard constraint, and may ask for what is out of its mechanism's reach or for the far side of
 * another joint's stop.  Neither shows in the rank: Newton's method finds no pose where all joints are
 * closed, or the stop has nothing left to move.  The joint is then held where it stood when the step began,
 * and the step is taken again; the drive takes hold where its function comes back to that position.
 */
#ifndef RLS_HELD_DRIVE_H
#define RLS_HELD_DRIVE_H

#include "workspace.h"

/* The stall of a joint's drive, or NULL. */
const rls_held_drive *rls_held_drive_of (const rls_workspace *workspace, dJointID joint);

/* After an attempt at a step: the row of a drive that is to stall before the next one, or -1. */
int rls_held_drive_find (const rls_workspace *workspace);

/* Holds the drive of that row where it is; rows are those of the step's beginning.  Returns a dRLSStatus. */
int rls_held_drive_begin (rls_workspace *workspace, int row);

/* At the end of a step: drives whose function has come back are released.  Returns a dRLSStatus. */
int rls_held_drive_release (rls_workspace *workspace);

#endif
