/*
 * Rows of the commonest joints at trial poses, from anchors and axes that are fixed in the bodies.
 *
 * The rows of ball joints, hinges and universal joints at any pose follow from their anchors and axes, which
 * ODE is asked for once; ODE's bodies need not be moved.  They are the rows that ODE would give there, to
 * rounding.
 *
 * Anchors have to be exact: a linkage whose bars differ by 1e-16 m is off by the square root of that where it
 * passes a singular configuration.  So they are read with the bodies at the origin, where ODE's getters
 * give what it keeps, and the levers of rows are only compared with them.
 */
#ifndef RLS_JOINT_FRAME_H
#define RLS_JOINT_FRAME_H

#include "island.h"

/* 1 if rows and residuals of joint i at state.pose are those of its frame. */
int rls_joint_frame_holds (const rls_island *island, int i, const double (*J)[12], const double *residual);

/* Reads the axes of hinge i from its rows and residuals at state.pose.  Known ones that are the same to
 * rounding stay: read anew in each step they would bring its rounding into every pose.  0 if it is too far
 * open to tell. */
int rls_joint_frame_axes (rls_island *island, int i, int known, const double (*J)[12],
                          const double *residual);

/* Rows and residuals of all joints that have a frame, at poses that rls_island_turn has been told.  Returns 0
 * if those of a joint are not defined there. */
int rls_joint_frames_rows (const rls_island *island, const rls_pose *pose, rls_rows *to);

/* How the rows J of joint i change while its bodies turn, but for what only mixes them: those across an axis
 * turn with the first body. */
void rls_joint_frame_rates (const rls_island *island, int i, const double (*J)[12], const double w1[3],
                            const double w2[3], double (*rates)[12]);

#endif
