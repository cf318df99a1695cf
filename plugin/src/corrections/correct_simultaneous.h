/*
 * Corrections after a step (Zhang et al. 2023; section 10 of method.md): of positions and velocities
 * together, with the energy or without (sections 4 and 5 of the paper), and one after the other (section 3,
 * direct correction).
 *
 * Let e be minus the position violation, u = y - H v minus the velocity violation, and G = dH/dt.  A pass of
 * the simultaneous correction makes the least change of state, |dq|^2 + h^2 |dv|^2 in the metric of the
 * masses, with
 *
 *     H dq = e
 *     G dq + H dv = u
 *     (dE/dq) dq + (dE/dv) dv = E* - E          energy only
 *
 * so that what the displacement does to velocities and energy is corrected in the same pass.  E* is the
 * energy at the beginning of the step plus the work of all forces but gravity.  The system of the multipliers
 * is solved by conjugate gradients, preconditioned with the factor of H M^-1 H' for both blocks; the energy
 * is a border of it.  Passes are repeated until everything holds to rounding, or only one is made.
 *
 * The direct correction displaces the bodies by H+ e, evaluates the rows again and adds H+ u to the
 * velocities, with the inertia-weighted pseudo-inverse H+.  This is also the single pass of Orsino &
 * Oliveira's eqs. 20, 21.
 */
#ifndef RLS_CORRECT_SIMULTANEOUS_H
#define RLS_CORRECT_SIMULTANEOUS_H

#include "integrators/accelerate.h"

typedef struct
{
    int passes;           /* how many are made at most; 1 as in the papers */
    int energy;           /* 1: the energy is corrected as well */
    double target_energy; /* J: E* */

    int bodies, rows;
    rls_rows rate;                 /* G */
    double *residual, *multiplier; /* 2 x rows: of positions, then of velocities */
    double *r, *z, *d, *Sd;        /* 2 x rows: vectors of the conjugate gradients */
    double *column,
        *response; /* 2 x rows: border of the energy, and the solution with it as right-hand side */
    double (*dq)[6], (*dv)[6];       /* bodies: change of state */
    double (*sum_q)[6], (*sum_v)[6]; /* bodies: scratch */
    rls_arena block;
} rls_simultaneous;

/* Makes room for the island.  Returns 1, or 0 without memory. */
int rls_simultaneous_prepare (rls_simultaneous *work, const rls_island *island);

/* The simultaneous correction of next.pose and next.v after a step of h (s).  Returns RLS_DONE,
 * RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_simultaneous_correct (rls_simultaneous *work, rls_island *island, double h);

/* The direct correction of next.pose and next.v: one pass for each.  Returns as above. */
rls_outcome rls_direct_correct (rls_simultaneous *work, rls_island *island);

#endif
