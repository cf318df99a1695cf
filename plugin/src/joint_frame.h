/*
 * Rows of the commonest joints at trial poses, from anchors and axes that are fixed in the bodies.
 *
 * ODE is asked for the rows of every joint at the beginning of a step.  Those of ball joints and hinges tell
 * levers and axes, so that the rows at any other pose follow from the poses alone, without moving ODE's
 * bodies.  They are the rows that ODE would give there, to rounding.
 *
 * Anchors have to be exact: a linkage whose bars differ by 1e-16 m is off by the square root of that where it
 * passes a singular configuration.  So they are read once, with the bodies at the origin, where ODE's levers
 * are the anchors that it keeps, and the levers of each step are only compared with them.
 */
#ifndef RLS_JOINT_FRAME_H
#define RLS_JOINT_FRAME_H

#include "island.h"

/* Reads the anchors from rows J with both bodies at the origin; a joint without a second body has the anchor
 * in the world that is given. */
void rls_joint_frame_anchor (rls_joint_frame *frame, const double (*J)[12], const double *world_anchor);

/* 1 if the levers of the rows J are those of the frame's anchors.  Places: NULL for the world. */
int rls_joint_frame_holds (const rls_joint_frame *frame, const double (*J)[12], const rls_placed *body1,
                           const rls_placed *body2);

/* Reads the axes of a hinge from its rows and residuals.  Known ones that are the same to rounding stay: read
 * anew in each step they would bring its rounding into every pose.  0 if it is too far open to tell. */
int rls_joint_frame_axes (rls_joint_frame *frame, int known, const double (*J)[12], const double *residual,
                          const rls_placed *body1, const rls_placed *body2);

/* The joint's rows and residuals with its bodies placed as given; targets and compliances are zero. */
void rls_joint_frame_rows (const rls_joint_frame *frame, const rls_placed *body1, const rls_placed *body2,
                           double (*J)[12], double *residual);

#endif
