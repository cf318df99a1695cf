/*
 * The classical Runge-Kutta method of fourth order on accelerations, with the corrections that act within a
 * step (sections 7 and 10 of method.md):
 *
 *     dq/dt = v + d,   dv/dt = a + b,   a the M-nearest to the free acceleration with
 *     H a = dy/dt - dH/dt v + c,        c = 2 alpha (y - H v) + beta^2 e
 *
 * where e is minus the position violation (-Phi) and y - H v minus the velocity violation (-dPhi/dt).
 *
 *     none        d = b = c = 0
 *     erp         c as above (Baumgarte)
 *     embedded    d = H+ e / h, b = H+ (y - H v) / h, with the inertia-weighted pseudo-inverse H+ (Braun &
 *                 Goldfarb eqs. 20, 21): violations at the beginning of the step are taken back within it.  d
 * and b are constant over the stages, as in the paper, or evaluated at each stage (each_stage)
 *
 * Orientations are integrated as quaternions and normalised at the end.  Angular velocities are integrated in
 * body axes, where they change least: errors of spatial motions are at most half of those in world axes
 * (Bricard's mechanism: 1.8e-8 m instead of 4.0e-8).  Of the other rules with four stages the 3/8 rule and
 * Ralston's are better on some problems, and worse by up to a factor of two on others.  Each stage has a
 * factor of its own, with its own rank decisions; the first one uses that of the beginning.
 */
#ifndef RLS_CORRECT_RK4_H
#define RLS_CORRECT_RK4_H

#include "integrators/accelerate.h"

typedef struct
{
    double alpha, beta; /* Baumgarte's coefficients (1/s) */
    int embedded;       /* 1: with the terms d and b, */
    int each_stage;     /* evaluated at each stage instead of once */
    int through;        /* 1: singular configurations are passed like any other */
    int consistent;     /* 1: velocities at the beginning are first projected onto the rows */
    int regular;        /* the rank away from singular configurations, as far as known; 0: unknown */

    double taken; /* J: energy that this projection has taken from the bodies */
    double work;  /* J: work of driven rows and of all forces but gravity over the step */

    int bodies, rows;
    rls_pose *pose;          /* bodies: of a stage; q not normalised */
    double (*v)[6];          /* bodies: of a stage */
    double (*R)[9];          /* bodies: body axes to world, of a stage */
    double (*begin_v)[6];    /* bodies: velocities at the beginning, after the projection */
    double (*begin_spin)[3]; /* bodies: their angular velocities in body axes */
    double (*rate)[13]; /* bodies: dx/dt, dq/dt, dv/dt of a stage, the angular part of dv/dt in body axes */
    double (*sum)[13];  /* bodies: weighted sum of the rates */
    double (*a)[6];     /* bodies: accelerations of a stage */
    double (*d)[6], (*b)[6];      /* bodies: embedded terms */
    double (*acted)[6];           /* bodies: M^-1 H' lambda of a stage */
    double (*reaction)[6];        /* bodies: weighted mean of these */
    double *x, *wanted, *missing; /* scratch: rows */
    rls_arena block;
} rls_rk4;

/* Makes room for the island.  Returns 1, or 0 without memory. */
int rls_rk4_prepare (rls_rk4 *work, const rls_island *island);

/*
 * Takes a step of h (s) from state, with begin.rows and begin.factor, to next; reactions are the means over
 * the step.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite; RLS_ANOTHER_WAY if
 * the step would come close to a singular configuration, where accelerations are quotients of small numbers:
 * then there is no result, and another integrator should take the step.
 */
rls_outcome rls_rk4_step (rls_rk4 *work, rls_island *island, double h);

#endif
