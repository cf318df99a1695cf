/*
 * Energy of a step with bounded rows: what the bodies have gained that forces, motors and springs have not
 * given.
 */
#ifndef RLS_STEP_ENERGY_H
#define RLS_STEP_ENERGY_H

#include "symplectic.h"

/* The gain (J) of a step of h (s) that ends at next.pose with the velocities v, less what can have been given.
 * *rounding: what of it is none.  Less than nothing is returned where nobody can tell: forces are the
 * program's, drives or kinematic bodies move.  What the push of depths lifts is not counted. */
double rls_step_gain (const rls_symplectic *work, const rls_island *island, double h, const double (*v)[6],
                      double *rounding);

/*
 * 1 if the step gave the bodies more energy than forces, motors, springs and rebounds can have given.  Where
 * a deep or contradictory problem was answered wrongly, the step is taken once more with w->yielding set:
 * contacts and stops give way in the first half, which then is one problem at the beginning alone, and what
 * that leaves open is taken back afterwards.
 */
int rls_step_gains_energy (const rls_symplectic *work, const rls_island *island, double h);

#endif
