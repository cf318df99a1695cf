/* Projection of positions and velocities onto the constraint manifold. */
#ifndef RLS_PROJECT_H
#define RLS_PROJECT_H

#include "island/island.h"

/* The position residual (m or rad) that so many roundings of the bodies' coordinates leave. */
double rls_closing_rounding (const rls_pose *pose, int bodies, double roundings);

/*
 * Moves next.pose until the rows that begin.factor kept hold there (Orsino & Oliveira eq. 20, iterated;
 * Gonzalez & Kovecses eq. 2): q += M^-1 H' p with H M^-1 H' p = residual.  First with the factor at hand,
 * then, where that converges slowly, with one of the rows at the iterate.  Afterwards end.rows holds the rows
 * at next.pose with their W, and projection_residual what was left.
 *
 * tolerance: position residual (m or rad) to stop at; 0: rounding level.  within_step: 1 at the end of the
 * symplectic step, bases are as its own look at the rows has them.  Returns RLS_DONE, RLS_NO_MEMORY, or
 * RLS_FAILED when the rows cannot be evaluated (next.pose unusable).
 */
rls_outcome rls_project_positions (rls_island *island, double tolerance, int within_step);

/* Makes v satisfy the rows of end.rows to rounding: v += M^-1 H' p with H M^-1 H' p = target - H v
 * (Orsino & Oliveira eq. 21; Gonzalez & Kovecses eq. 3).  After rls_project_positions.  Ends with
 * end.factor made of these very rows, with which the next step begins.  Returns as above. */
rls_outcome rls_project_velocities (rls_island *island, double (*v)[6]);

#endif
