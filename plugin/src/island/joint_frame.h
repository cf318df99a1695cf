/*
 * Rows of the commonest joints at trial poses, from anchors and axes that are fixed in the bodies.
 *
 * The rows of ball joints, hinges, universal joints and sliders at any pose follow from their anchors and
 * axes, for which ODE is asked once.  Then ODE's bodies need not be moved to the trial pose; the rows are
 * those that ODE would give there, to rounding.
 *
 * Anchors have to be exact.  A linkage whose bars differ by 1e-16 m is off by the square root of that where
 * it passes a singular configuration.  So anchors are read with the bodies at the origin, where ODE's getters
 * return the numbers that it stores, and residuals of sliders contain them without rounding; levers found
 * from rows are only compared with them.
 */
#ifndef RLS_JOINT_FRAME_H
#define RLS_JOINT_FRAME_H

#include "island.h"

/* True if the rows J and residuals of joint i at state.pose agree with its anchors and axes, to rounding. */
int rls_joint_frame_holds (const rls_island *island, int i, const double (*J)[12], const double *residual);

/* Finds the axes of hinge i from its rows and residuals at state.pose.  Known ones stay if they are the same
 * to rounding: found anew in each step, they would bring rounding errors into every pose.  Returns 0 if the
 * hinge is open too far to tell. */
int rls_joint_frame_axes (rls_island *island, int i, int known, const double (*J)[12],
                          const double *residual);

/* Evaluates rows and residuals of all joints that have a frame; rls_island_turn must have been called for the
 * poses.  Returns 0 if the rows of a joint are not defined there. */
int rls_joint_frames_rows (const rls_island *island, const rls_pose *pose, rls_rows *to);

/* rates := dJ/dt of the rows J of joint i while its bodies move with v (six numbers each).  Left out is what
 * only combines the rows with each other: rows across an axis are taken to turn with the first body. */
void rls_joint_frame_rates (const rls_island *island, int i, const double (*J)[12], const double v[12],
                            double (*rates)[12]);

#endif
