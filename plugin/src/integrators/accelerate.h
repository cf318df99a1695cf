/* Accelerations at a state of the island: what explicit integrators and the acceleration-level methods need.
 */
#ifndef RLS_ACCELERATE_H
#define RLS_ACCELERATE_H

#include "island/curvature.h"
#include "island/rotation.h"
#include <math.h>

/* R: body axes to world at the pose; w and L: angular velocity and momentum in body axes. */
static inline void rls_body_momentum (const double inertia[9], const rls_pose *pose, const double v[6],
                                      double R[9], double w[3], double L[3])
{
    rls_quaternion_matrix (pose->q, R);
    rls_multiply_transposed (R, v + 3, w);
    rls_multiply (inertia, w, L);
}

/* a := M^-1 f with gyroscopic torques, without constraints.  rows: any at the pose, with W; force must be
 * as wanted there. */
void rls_free_accelerations (const rls_island *island, const rls_rows *rows, const rls_pose *pose,
                             const double (*v)[6], double (*a)[6]);

/* out := M v, momenta in world axes, 0 of what does not move; out may be v. */
void rls_mass_times (const rls_island *island, const double (*inertia)[9], const rls_pose *pose,
                     const double (*v)[6], double (*out)[6]);

/* The sum of f v over the bodies, gravity left out: the power of what is not counted as potential. */
double rls_power (const rls_island *island, const double (*v)[6]);

/* Kinetic energy with any inertia (body axes). */
double rls_kinetic_energy (const rls_island *island, const double (*inertia)[9], const rls_pose *pose,
                           const double (*v)[6]);

/* (to - from)' M v at the pose: the work of impulses that change velocities from one to the other where
 * bodies move with v. */
double rls_work_of_change (const rls_island *island, const rls_pose *pose, const double (*from)[6],
                           const double (*to)[6], const double (*v)[6]);

/* Kinetic energy, and potential energy of gravity (zero at the origin). */
double rls_energy (const rls_island *island, const rls_pose *pose, const double (*v)[6]);

/* What the bodies lost (J), for forces that stay the same, when the beginning was moved to the pose and v. */
double rls_energy_taken (const rls_island *island, const rls_pose *pose, const double (*v)[6]);

/* What the rounding of a body's energy is a part of (J), where a force f acts on its mass m at the place x:
 * the potential energy, and in the plane of the origin what the force gives in a step of h (s), most of which
 * reactions take.  Velocities at rest are rounding of that. */
static inline double rls_energy_scale (double f, double x, double m, double h)
{
    return fabs (f * x) + h * h * f * f / m;
}

/*
 * Whether the step from pose and v to next.pose and next.v made or lost energy that its forces did not give
 * or take, more than most of its kinetic energy; taken (J): when the beginning was made to fit the joints.
 * Symplectic steps keep their energy as long as they follow the motion.  Where torques, callbacks, drives or
 * kinematic bodies work as well, or bodies turn without gyroscopic terms, it is not known; neither is it for
 * Euler's method, whose energy swings.
 */
int rls_energy_jumps (const rls_island *island, double h, double taken, double most);

#endif
