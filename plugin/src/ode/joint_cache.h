/*
 * Joints of which ODE holds the same as when they were last read: they need not be asked for their rows.
 *
 * What the rows of a joint depend on, besides the poses of its bodies, is in the joint's own memory (anchors,
 * axes, limits), so comparing that with a copy is exact, whoever changed it and by whichever call.  It is
 * done for joints that have a frame (joint_frame.h) and whose rows are hard.
 */
#ifndef RLS_JOINT_CACHE_H
#define RLS_JOINT_CACHE_H

#include "stepper/workspace.h"

/* Begins a step with the joints of the last one, or with new ones, of which nothing is known yet.  1 done, 0
 * no memory. */
int rls_joint_cache_begin (rls_workspace *workspace);

/* The number of rows of joint j if it stands, 0 if it has to be asked. */
int rls_joint_cache_rows (const rls_workspace *workspace, int j);

/* 1 if joint j has been found standing as joint i of those with rows. */
int rls_joint_cache_as (const rls_workspace *workspace, int j, int i);

/* Joint j does not stand in this step, so its frame may be another's in the next. */
void rls_joint_cache_forget (rls_workspace *workspace, int j);

/* Notes joint j, which has just been read as joint i of those with rows and has a frame.  Without memory it
 * will be asked again. */
void rls_joint_cache_note (rls_workspace *workspace, int j, int i);

#endif
