/*
 * Energy of a step with bounded rows: what the bodies have gained that forces, motors and springs have not
 * given.
 */
#ifndef RLS_STEP_ENERGY_H
#define RLS_STEP_ENERGY_H

#include "symplectic.h"

/* Adds to work->rows_work what the equations' impulses of a half did, from work->kicked to v at the pose, where
 * work->v is what the equations ask of velocities there. */
void rls_note_rows_work (rls_symplectic *work, const rls_island *island, const rls_pose *pose,
                         const double (*v)[6]);

/* 1 if drives, unbounded motors or kinematic bodies move the island. */
int rls_is_driven (const rls_island *island);

/*
 * 1 where drives wedge something between what cannot give way: there is no answer then, and the impulses p (rows)
 * of contacts and stops that come nearest to one are beyond all measure.  What stops an approach takes about as
 * much energy as the heavier of both bodies has at that speed; here it is 1 / RLS_LITTLE times that and more.
 */
int rls_is_jammed (const rls_island *island, double h, const double *p);

/* The gain (J) of a step of h (s) that ends at next.pose with the velocities v, less what can have been given.
 * *rounding: what of it is none.  Less than nothing is returned where nobody can tell: forces are the
 * program's.  What the push of depths lifts is not counted. */
double rls_step_gain (const rls_symplectic *work, const rls_island *island, double h, const double (*v)[6],
                      double *rounding);

/*
 * 1 if the step gave the bodies more energy than forces, motors, springs and rebounds can have given.  Where
 * a deep or contradictory problem was answered wrongly, the step is taken once more with w->yielding set:
 * contacts and stops give way in both halves, and the first one then is one problem at the beginning alone; what
 * that leaves open is taken back afterwards.
 */
int rls_step_gains_energy (const rls_symplectic *work, const rls_island *island, double h);

/* 1 if that is more, too, than what bodies have that the forces move from rest for a step. */
int rls_step_gains_much (const rls_symplectic *work, const rls_island *island, double h);

#endif
