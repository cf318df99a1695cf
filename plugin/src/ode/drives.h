/* Rheonomic (driven) axes: rows that make a hinge or a slider follow a function of time. */
#ifndef RLS_DRIVES_H
#define RLS_DRIVES_H

#include "stepper/workspace.h"

/* The drive of a joint, or NULL. */
const rls_drive *rls_drive_of (const rls_workspace *workspace, dJointID joint);

/*
 * The drive's row at the bodies' present poses and the island's present time, as row r of rows: J along the
 * axis, residual = wanted - present position (m or rad), target = wanted rate.  Returns 0 if the function
 * gives a number that is not finite.
 */
int rls_drive_row (const rls_workspace *workspace, const rls_drive *drive, rls_rows *rows, int r);

#endif
