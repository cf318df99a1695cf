/*
 * What the files of the gathering share.
 *
 *     gather.c           the island: bodies, forces
 *     gather_joints.c    its joints, one after the other, and again at other poses
 *     gather_rows.c      the rows of a joint: bilateral ones,
 *     gather_bounded.c   and those with bounds
 *     gather_frames.c    joints whose rows need no ODE
 */
#ifndef RLS_GATHER_H
#define RLS_GATHER_H

#include "stepper/cell.h"

/* Reads the rows of all joints into island.rows and island.bounded.  Returns a dRLSStatus. */
int rls_gather_joints (rls_cell *cell);

/* island.evaluate: the bilateral rows at other poses. */
int rls_evaluate_joints (rls_island *island, const rls_pose *pose);

/* 1 for a row without bounds, an equation. */
static inline int rls_is_bilateral (const rls_ode_rows *rows, int r)
{
    return rows->lo_hi[r][0] <= -dInfinity && rows->lo_hi[r][1] >= dInfinity && rows->findex[r] < 0;
}

/* gather_rows.c: 1 for corrections that keep ODE's own right-hand sides. */
int rls_keeps_verbatim (const rls_cell *cell);

/*
 * The short way for the commonest case: a joint with nothing but its base rows, all of them hard.  ODE
 * writes J where it belongs.  Returns 0 if the joint is not of that kind; then nothing counts as read.
 */
int rls_read_base (const rls_cell *cell, dJointID joint, dJointType type, int m, rls_rows *to, int r0);

/* The same for any joint of the cell, into island.rows: reads all m rows and sorts them.  Returns how many
 * are bilateral, -1 if a number is not finite. */
int rls_read_any (rls_cell *cell, int j, int m, int r0);

/* The bilateral rows of joint i of those with rows, as its bodies are now, into island.rows_now.  Returns 0
 * if there are not as many as wanted, or a number is not finite. */
int rls_read_again (rls_cell *cell, int i, int wanted);

/* gather_bounded.c: appends the bounded rows of joint j to island.bounded.  Returns how many. */
int rls_read_bounded (rls_cell *cell, int j, int m, const rls_ode_rows *from);

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
