/*
 * Rotation of one rigid body over a variational (Lie-group) step with the Cayley map.
 *
 * With w the discrete angular velocity in body axes, which turns R0 into R1 = R0 cay (h w):
 *
 *     I w + (h/2) w x I w + (h^2/4) (w' I w) w = I l0        l0: angular velocity that the step starts with
 *     I w - (h/2) w x I w + (h^2/4) (w' I w) w = I l1        l1: the one that it ends with
 *
 * Momentum of a free body is conserved exactly (R0 I l0 = R1 I l1) and the map is symmetric: h -> -h
 * exchanges beginning and end.  See Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups, 2009.
 *
 * A body without gyroscopic terms (ODE's gyroscopic mode off) turns with l0 = w = l1.
 */
#ifndef RLS_CAYLEY_H
#define RLS_CAYLEY_H

#include "island.h"

typedef struct
{
    double R0[9], R1[9]; /* body axes to world at the beginning and at the end */
    double w[3];         /* discrete angular velocity, body axes */
    double l[3];         /* the l0 that it belongs to */
    double slope[9];     /* d w / d l0 */
} rls_spin;

/* The motion without gyroscopic terms: w = l0.  A first guess of the other. */
static inline void rls_cayley_begin (rls_spin *spin, const double l0[3])
{
    for (int k = 0; k < 3; ++k) spin->w[k] = spin->l[k] = l0[k];
    for (int k = 0; k < 9; ++k) spin->slope[k] = k % 4 == 0;
}

/*
 * Finds w from l0 by Newton's method, beginning where spin's w, l and slope let it expect, and slope. Returns
 * 0 if it does not converge: the body turns by more than the step can follow.
 */
int rls_cayley_solve (const double inertia[9], const double l0[3], double h, rls_spin *spin);

/* q1 := q0 cay (h w), normalised, and spin->R1. */
void rls_cayley_turn (const double q0[4], double h, rls_spin *spin, double q1[4]);

/* T := derivative of the rotation at the end (world axes) by the angular velocity at the beginning
 * (world axes), divided by h. */
void rls_cayley_tangent (const rls_spin *spin, double h, double T[9]);

/* l1, body axes, from w. */
void rls_cayley_end (const double inertia[9], const double inverse_inertia[9], const rls_spin *spin, double h,
                     double l1[3]);

#endif
