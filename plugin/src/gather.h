/* What gather.c, gather_joints.c and gather_frames.c share. */
#ifndef RLS_GATHER_H
#define RLS_GATHER_H

#include "cell.h"

/* Reads the rows of all joints into island.rows and island.bounded.  Returns a dRLSStatus. */
int rls_gather_joints (rls_cell *cell);

/* island.evaluate: the bilateral rows at other poses. */
int rls_evaluate_joints (rls_island *island, const rls_pose *pose);

/* gather_frames.c: the frame of joint i, foreign if it has more than plain base rows.  Returns 0 if its
 * anchors are not known yet. */
int rls_find_frame (rls_cell *cell, int i, int plain, int known);

/* Lists the joints of each kind of frame. */
void rls_list_frames (rls_island *island);

/* Reads all anchors, with the bodies at the origin for the while. */
void rls_find_anchors (rls_cell *cell);

int rls_all_finite (const dReal *x, int n);
void rls_copy (double *to, const dReal *from, int n);

#endif
