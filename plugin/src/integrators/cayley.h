/*
 * Rotation of rigid bodies over a variational (Lie-group) step, by the Cayley map or, where
 * model.by_exponential says so, by the exponential (rotation_map.h).
 *
 * With w the discrete angular velocity in body axes, which turns R0 into R1 = R0 cay (h w):
 *
 *     I w + (h/2) w x I w + (h^2/4) (w' I w) w = I l0        l0: angular velocity that the step starts with
 *     I w - (h/2) w x I w + (h^2/4) (w' I w) w = I l1        l1: the one that it ends with
 *
 * Momentum of a free body is conserved exactly (R0 I l0 = R1 I l1) and the map is symmetric: h -> -h
 * exchanges beginning and end.  See Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups, 2009.
 *
 * With the exponential I w has the factor x cot x and the last term (1 - x cot x) / x^2, x = h |w| / 2; about
 * a principal axis w is then l0: a wheel turns by its rate times h, however fast.
 *
 * A body without gyroscopic terms (ODE's gyroscopic mode off) turns with l0 = w = l1.  One that cannot be
 * pushed turns by exactly its angular velocity and is left as it is by everything but rls_spins_drift.
 */
#ifndef RLS_CAYLEY_H
#define RLS_CAYLEY_H

#include "island/island.h"
#include "kernels/lanes.h"

/* Of one body: body axes to world at the beginning and at the end; w. */
typedef struct
{
    double R0[9], R1[9], w[3];
} rls_spin;

/* q1 := q0 cay (h w), normalised, and spin->R1. */
void rls_cayley_turn (const double q0[4], double h, rls_spin *spin, double q1[4]);

/* Of four bodies (lanes.h). */
typedef struct
{
    rls_four R0[9], R1[9];
    rls_four inertia[9];                         /* body axes */
    rls_four gyroscopic;                         /* 1, or 0 where w = l0 */
    unsigned char finite[RLS_LANES], any_finite; /* turn by the exponential: a body, one of the four */
    rls_four w[3];
    rls_four l[3];     /* the l0 that it belongs to */
    rls_four slope[9]; /* d w / d l0 */
    rls_four T[9]; /* derivative of the rotation at the end by the angular velocity at the beginning, both in
                       world axes, divided by h; 0 for bodies that cannot be pushed */
} rls_spins;

/* Begins a motion at the given poses: R0. */
void rls_spins_begin (rls_spins *spins, const rls_island *island, const rls_pose *pose);

/*
 * to := pose advanced by h with velocities u (world axes).  w is found by Newton's method, beginning at l0 if
 * first, otherwise where the last w lets expect it.  still (bodies; NULL: none): 1 for those whose u is that
 * of the last drift, which therefore keep its w.  Returns 0 if that does not converge: a body turns by more
 * than the step can follow.
 */
int rls_spins_drift (rls_spins *spins, const rls_island *island, const rls_pose *pose, const double (*u)[6],
                     double h, int first, const unsigned char *still, rls_pose *to);

/* T of the last drift, and what a change du of its velocities changes in the motion, divided by h. */
void rls_spins_tangents (rls_spins *spins, const rls_island *island, double h);
void rls_spins_linear_motion (rls_spins *spins, const rls_island *island, const double (*du)[6],
                              double (*moved)[6]);

/* u := the angular velocities at the end of the last drift (l1); linear ones stay. */
void rls_spins_end (rls_spins *spins, const rls_island *island, double h, double (*u)[6]);

/* Linear and angular vectors from body axes to world axes at the beginning; to_body: the other way. */
void rls_spins_change_axes (const rls_spins *spins, const rls_island *island, int to_body,
                            const double (*x)[6], double (*out)[6]);

/* Angular vectors from world axes at the end to world axes at the beginning, through the body's axes. */
void rls_spins_turn_back (rls_spins *spins, const rls_island *island, double (*d)[6]);

/* The discrete angular velocity of one body, world axes. */
void rls_spins_velocity (const rls_spins *spins, int body, double out[3]);

/* The mean of one body's angular velocities at both ends of the last drift, world axes at its beginning: what
 * rolls by it does so with its energy.  The discrete one is less by its square, for Cayley's map turns less.
 */
void rls_spins_mean_velocity (const rls_spins *spins, const rls_island *island, int body, double h,
                              double out[3]);

#endif
