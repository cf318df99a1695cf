/*
 * Joints of which ODE holds the same as when they were last read: they need not be asked for their rows.
 *
 * What the rows of a joint depend on, besides the poses of its bodies, is in the joint's own memory (anchors,
 * axes, limits), so comparing that with a copy is exact, whoever changed it and by whichever call.  It is
 * done for joints that have a frame (joint_frame.h) and whose rows are hard.
 */
#ifndef RLS_STANDING_H
#define RLS_STANDING_H

#include "stepper/cell.h"

/* Begins a step with the joints of the last one, or with new ones, of which nothing is known yet.  1 done, 0
 * no memory. */
int rls_standing_begin (rls_cell *cell);

/* The number of rows of joint j if it stands, 0 if it has to be asked. */
int rls_standing_rows (const rls_cell *cell, int j);

/* 1 if joint j has been found standing as joint i of those with rows. */
int rls_standing_as (const rls_cell *cell, int j, int i);

/* Joint j does not stand in this step, so its frame may be another's in the next. */
void rls_standing_forget (rls_cell *cell, int j);

/* Notes joint j, which has just been read as joint i of those with rows and has a frame.  Without memory it
 * will be asked again. */
void rls_standing_note (rls_cell *cell, int j, int i);

/* 1 done, 0 no memory. */
int rls_standing_copy (rls_cell *to, const rls_cell *from);
void rls_standing_free (rls_cell *cell);

#endif
