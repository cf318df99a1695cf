/*
 * Drives that cannot be followed stall.
 *
 * A drive is a hard constraint, and may ask for what is out of its mechanism's reach or for the far side of
 * another joint's stop.  Neither shows in the rank: Newton's method finds no pose where all joints are
 * closed, or the stop has nothing left to move.  The joint is then held where it stood when the step began,
 * and the step is taken again; the drive takes hold where its function comes back to that position.
 */
#ifndef RLS_STALL_H
#define RLS_STALL_H

#include "stepper/cell.h"

/* The stall of a joint's drive, or NULL. */
const rls_stall *rls_stall_of (const rls_cell *cell, dJointID joint);

/* After an attempt at a step: the row of a drive that is to stall before the next one, or -1. */
int rls_stall_find (const rls_cell *cell);

/* Holds the drive of that row where it is; rows are those of the step's beginning.  Returns a dRLSStatus. */
int rls_stall_begin (rls_cell *cell, int row);

/* At the end of a step: drives whose function has come back are released.  Returns a dRLSStatus. */
int rls_stall_release (rls_cell *cell);

#endif
