/*
 * The rotation of rigid bodies over a sub-step of the symplectic step (section 7 of method.md), by the Cayley
 * map or, for bodies with model.by_exponential, by the exponential (rotation_map.h).
 *
 * The discrete angular velocity w, in body axes, turns a body from R0 to R1 = R0 cay (h w):
 *
 *     I w + (h/2) w x I w + (h^2/4) (w' I w) w = I l0        l0: angular velocity that the step starts with
 *     I w - (h/2) w x I w + (h^2/4) (w' I w) w = I l1        l1: the one that it ends with
 *
 * A free body keeps its angular momentum exactly (R0 I l0 = R1 I l1), and the map is symmetric: h -> -h
 * exchanges beginning and end.  (Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups, 2009.)
 *
 * With the exponential, I w gets the factor x cot x and the last term the factor (1 - x cot x) / x^2, where
 * x = h |w| / 2.  About a principal axis w then equals l0: a wheel turns by its rate times h, however fast.
 *
 * A body without gyroscopic terms (ODE's gyroscopic mode off) turns with l0 = w = l1.  A body that cannot be
 * pushed turns by exactly its angular velocity; of the functions below only rls_spins_drift moves it.
 *
 * A motion begins with rls_spins_begin.  rls_spins_drift may follow several times with other velocities, as
 * in Newton's method on the multipliers; the other functions refer to the last of these.
 */
#ifndef RLS_CAYLEY_H
#define RLS_CAYLEY_H

#include "island/island.h"
#include "kernels/lanes.h"

/* q1 := q0 cay (h w), normalised. */
void rls_cayley_turn (const double q0[4], double h, const double w[3], double q1[4]);

/* The rotations of four bodies (lanes.h). */
typedef struct
{
    rls_four R0[9], R1[9];
    rls_four inertia[9]; /* body axes; 1 for bodies without gyroscopic terms */
    rls_four gyroscopic; /* 1; 0 for bodies without gyroscopic terms */
    rls_mask finite;     /* which bodies turn by the exponential */
    int any_finite;      /* 1 if one of the four does */
    rls_four w[3];       /* the discrete angular velocity */
    rls_four l[3];       /* the l0 that w belongs to */
    rls_four slope[9];   /* d w / d l0 */
    rls_four T[9];       /* derivative of the rotation at the end with respect to the angular velocity at the
                            beginning, world axes, divided by h; 0 for bodies that cannot be pushed */
} rls_spins;

/* Begins a motion at the given poses: sets R0. */
void rls_spins_begin (rls_spins *spins, const rls_island *island, const rls_pose *pose);

/*
 * to := pose advanced by h (s) with velocities u (world axes).  w is found by Newton's method, which starts
 * at l0 if first, otherwise at the prediction from the last w.  still (bodies; NULL: none): 1 for bodies
 * whose u has not changed since the last drift, and which keep its w.  Returns 0 if Newton's method does not
 * converge for some body: it turns by more than a step can resolve.
 */
int rls_spins_drift (rls_spins *spins, const rls_island *island, const rls_pose *pose, const double (*u)[6],
                     double h, int first, const unsigned char *still, rls_pose *to);

/* The first function computes T of the last drift; with it the second computes the change of the motion,
 * divided by h, by a change du of the velocities, to first order. */
void rls_spins_tangents (rls_spins *spins, const rls_island *island, double h);
void rls_spins_linear_motion (rls_spins *spins, const rls_island *island, const double (*du)[6],
                              double (*moved)[6]);

/* Replaces the angular velocities of u by those at the end of the last drift (R1 l1, world axes). */
void rls_spins_end (rls_spins *spins, const rls_island *island, double h, double (*u)[6]);

/* Transforms linear and angular vectors from body axes to world axes at the beginning; to_body: the
 * reverse. */
void rls_spins_change_axes (const rls_spins *spins, const rls_island *island, int to_body,
                            const double (*x)[6], double (*out)[6]);

/* Turns the angular parts of d back with the bodies, from their orientation at the end to that at the
 * beginning: R0 R1' d. */
void rls_spins_turn_back (rls_spins *spins, const rls_island *island, double (*d)[6]);

/* out := the discrete angular velocity of one body, in world axes at the beginning. */
void rls_spins_velocity (const rls_spins *spins, int body, double out[3]);

/* out := the mean of one body's angular velocities at both ends of the last drift, in world axes at the
 * beginning.  Rolling bodies roll by this mean and thereby keep their energy; the discrete angular velocity
 * is smaller, by a part of the order (h |w|)^2, since Cayley's map turns by less than h |w|. */
void rls_spins_mean_velocity (const rls_spins *spins, const rls_island *island, int body, double h,
                              double out[3]);

/* ---- polhode.c ---- */

/* After a step without rows from state to next: turns next.pose and next.v of the bodies that have gyroscopic
 * terms and on which no torque acts. */
void rls_polhode_return (rls_island *island);

#endif
