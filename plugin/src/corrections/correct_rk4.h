/*
 * The classical Runge-Kutta method of fourth order on accelerations, with the corrections that act inside a
 * step:
 *
 *     dq/dt = v + d,   dv/dt = a + b,   a the M-nearest to the free acceleration with
 *     H a = dy/dt - dH/dt v + c,        c = 2 alpha (y - H v) + beta^2 e
 *
 * e is what is left to close (-Phi), y - H v what is left of the velocities (-dPhi/dt).
 *
 *     none        d = b = c = 0
 *     erp         c as above (Baumgarte)
 *     embedded    d = H+ e / h, b = H+ (y - H v) / h with the inertia-weighted pseudo-inverse H+ (Braun &
 *                 Goldfarb eqs. 20, 21): the violations at the beginning of the step are taken back over its
 *                 length; held over the stages as the authors have it, or evaluated anew at each
 *
 * Orientations are integrated as quaternions and normalised at the end, angular velocities in body axes,
 * where they change least: in space errors are half of those in world axes or less (Bricard's
 * mechanism 1.8e-8 m for 4.0e-8). Of other tableaus of four stages the 3/8 rule and Ralston's are better on
 * some problems, worse on others by up to twice.  Rows are factored once a stage, with decisions on the rank
 * made at each; the first stage takes over the factor of the beginning.
 */
#ifndef RLS_CORRECT_RK4_H
#define RLS_CORRECT_RK4_H

#include "integrators/accelerate.h"

typedef struct
{
    double alpha, beta; /* Baumgarte's coefficients (1/s) */
    int embedded;       /* the terms d and b are there */
    int each_stage;     /* and evaluated at each stage */
    int through;        /* singular configurations are stepped through as anything else */
    int consistent; /* velocities that the rows do not allow are taken to the nearest that they do first */
    int regular;    /* rank away from singular configurations, as far as seen; 0: nothing seen yet */

    double taken; /* J: from the bodies, when their velocities were made to fit the rows */
    double work;  /* J: done over the step by forces other than gravity and by driven rows */

    int bodies, rows;
    rls_pose *pose;                /* of a stage; q not normalised */
    double (*v)[6];                /* of a stage */
    double (*R)[9];                /* the bodies' axes of a stage */
    double (*begin_v)[6];          /* the step begins with */
    double (*begin_spin)[3];       /* its angular velocities in body axes */
    double (*rate)[7];             /* of a stage: dx/dt, dq/dt */
    double (*sum)[7];              /* of the rates, weighted */
    double (*a)[6], (*sum_a)[6];   /* accelerations of a stage, and weighted; angular ones in body axes */
    double (*d)[6], (*b)[6];       /* embedded terms */
    double (*acted)[6];            /* M^-1 H' lambda of a stage */
    double (*reaction)[6];         /* M^-1 H' lambda, the weighted mean of the stages */
    double *x, *wanted, *residual; /* scratch: rows */
    rls_curvature curvature;
    rls_arena block;
} rls_rk4;

/* Makes room for the island.  1 done, 0 no memory. */
int rls_rk4_prepare (rls_rk4 *work, const rls_island *island);

/*
 * Steps from state.pose and v, with rows and factor of the beginning, to next.pose and next.v; p are mean
 * multipliers times h.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite;
 * RLS_ANOTHER_WAY if the step would pass close by a singular configuration, where quotients of small numbers
 * spoil the accelerations: then nothing is done, and another integrator should take the step.
 */
rls_outcome rls_rk4_step (rls_rk4 *work, rls_island *island, double h);

#endif
