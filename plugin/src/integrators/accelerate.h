/*
 * Accelerations, momenta, power and energy of the bodies at a state of the island.  For explicit integrators,
 * for the corrections of the literature, and for judging a step by its energy.  Inertia is about the centre
 * of mass; bodies that cannot be pushed count as nothing.
 */
#ifndef RLS_ACCELERATE_H
#define RLS_ACCELERATE_H

#include "island/island.h"
#include "kernels/lanes.h"

/* Computes, for one body: R, body axes to world; w and L, angular velocity and momentum in body axes. */
static inline void rls_body_momentum (const double inertia[9], const rls_pose *pose, const double v[6],
                                      double R[9], double w[3], double L[3])
{
    rls_quaternion_matrix (pose->q, R);
    rls_multiply_transposed (R, v + 3, w);
    rls_multiply (inertia, w, L);
}

/* The same for four bodies, with their quaternions q and velocities u. */
RLS_INLINE void rls_lanes_momentum (const rls_four inertia[9], const rls_pose *pose, const double (*v)[6],
                                    const rls_group *g, rls_four q[4], rls_four u[6], rls_four R[9],
                                    rls_four w[3], rls_four L[3])
{
    rls_lanes_load (pose[0].q, RLS_POSE_STRIDE, g, 4, q);
    rls_lanes_load (v[0], 6, g, 6, u);
    rls_lanes_matrix (q, R);
    rls_lanes_multiply_transposed (R, u + 3, w);
    rls_lanes_multiply (inertia, w, L);
}

/* a := M^-1 f with gyroscopic torques, without constraints.  rows: any whose W is that of the pose;
 * applied.force must be that of the state. */
void rls_free_accelerations (const rls_island *island, const rls_rows *rows, const rls_pose *pose,
                             const double (*v)[6], double (*a)[6]);

/* out := M v, momenta in world axes, for any inertia (body axes); 0 for bodies that cannot be pushed.  out
 * may be v. */
void rls_mass_times (const rls_island *island, const double (*inertia)[9], const rls_pose *pose,
                     const double (*v)[6], double (*out)[6]);

/* Returns the power (W) of all forces but gravity, which counts as potential energy. */
double rls_power (const rls_island *island, const double (*v)[6]);

/* Returns the kinetic energy (J) for any inertia (body axes). */
double rls_kinetic_energy (const rls_island *island, const double (*inertia)[9], const rls_pose *pose,
                           const double (*v)[6]);

/* Returns (to - from)' M v (J): the work of the impulses that change velocities from one to the other, on
 * bodies that move with v. */
double rls_work_of_change (const rls_island *island, const rls_pose *pose, const double (*from)[6],
                           const double (*to)[6], const double (*v)[6]);

/* Returns the kinetic energy (J) plus the potential energy of gravity, which is 0 at the origin. */
double rls_energy (const rls_island *island, const rls_pose *pose, const double (*v)[6]);

/* Returns the energy (J) that bodies have lost by being moved from the beginning of the step (state) to this
 * pose and these velocities, when joints that were open were closed.  Forces count as constant. */
double rls_energy_taken (const rls_island *island, const rls_pose *pose, const double (*v)[6]);

/* Returns the energy (J) of whose size the rounding error of a body's energy is a small part, RLS_SEEN, for a
 * component f of the force on a mass m at the coordinate x: the potential energy; plus the energy that the
 * force alone would give in a step of h (s), most of which reactions take away again; plus, for what is at
 * rest without forces, that of a motion by RLS_CLOSED in a step, of which the velocities that rounding leaves
 * where joints are closed have less than that part. */
static inline double rls_energy_scale (double f, double x, double m, double h)
{
    const double closed = RLS_CLOSED * (1 + fabs (x)) / h;
    return fabs (f * x) + h * h * f * f / m + m * closed * closed;
}

/*
 * Returns 1 if the step from state to next has gained or lost energy that its forces have not given or taken,
 * by more than the part most of its kinetic energy: then it has not followed the motion.  taken (J): as of
 * rls_energy_taken, less the work of bounded rows; moved (J): the energy that these have moved either way.
 * Returns 0 where the energy is not known, because callbacks, torques, drives or kinematic
 * bodies do work, or bodies turn without gyroscopic terms.
 */
int rls_energy_jumps (const rls_island *island, double h, double taken, double moved, double most);

#endif
