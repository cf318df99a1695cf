/*
 * Corrections after a step that treat positions and velocities together, with or without the energy (Zhang
 * et al., sections 4 and 5), and one after the other (section 3, direct correction).
 *
 * With e what is left to close, u = y - H v what is left of the velocities and G = dH/dt, a pass of the
 * simultaneous correction makes the least change of state, |dq|^2 + h^2 |dv|^2 in the metric of the masses,
 * with
 *
 *     H dq = e
 *     G dq + H dv = u
 *     (dE/dq) dq + (dE/dv) dv = E* - E          energy only
 *
 * so that a displacement which closes the positions also pays for what it does to the velocities, and both
 * for the energy.  E* is the energy that the step began with plus the work of all forces but gravity.  The
 * system of multipliers is solved by conjugate gradients with the factor of H M^-1 H' in both blocks; it is
 * bordered by the energy.  Passes are repeated until all hold to rounding, or only one is made.
 *
 * The direct correction displaces by H+ e, evaluates the rows again and then takes H+ u from the velocities;
 * H+ is the inertia-weighted pseudo-inverse.  That is also the single pass of Orsino & Oliveira's eqs.
 * 20, 21.
 */
#ifndef RLS_CORRECT_SIMULTANEOUS_H
#define RLS_CORRECT_SIMULTANEOUS_H

#include "integrators/accelerate.h"

typedef struct
{
    int passes;           /* most of them; 1: one, as in the paper */
    int energy;           /* the energy is corrected as well */
    double target_energy; /* J: E* */

    int bodies, rows;
    rls_rows rate;                 /* G */
    rls_rows nearby;               /* rows a little before or after */
    double *residual, *multiplier; /* 2 x rows: of positions, then of velocities */
    double *r, *z, *d, *Sd;        /* 2 x rows: of conjugate gradients */
    double *column, *response; /* 2 x rows: the energy's couplings, and the multipliers that they ask for */
    double *x;                 /* rows: scratch */
    double (*dq)[6], (*dv)[6]; /* bodies: change of state */
    double (*sum_q)[6], (*sum_v)[6]; /* bodies: scratch */
    rls_pose *pose;
    rls_arena block;
} rls_simultaneous;

/* Makes room for the island.  1 done, 0 no memory. */
int rls_simultaneous_prepare (rls_simultaneous *work, const rls_island *island);

/* Corrects next.pose and next.v.  h: the step.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED
 * when a value is not finite. */
rls_outcome rls_simultaneous_correct (rls_simultaneous *work, rls_island *island, double h);

/* The direct correction of the same, one pass at positions and one at velocities.  Returns as above. */
rls_outcome rls_direct_correct (rls_simultaneous *work, rls_island *island);

#endif
