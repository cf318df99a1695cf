/* Projection of positions and velocities onto the constraints (section 6 of method.md). */
#ifndef RLS_PROJECT_H
#define RLS_PROJECT_H

#include "island/island.h"

/* Returns the position residual (m or rad) that so many rounding errors of the bodies' coordinates cause. */
double rls_closing_rounding (const rls_pose *pose, int bodies, double roundings);

/*
 * Displaces next.pose until the rows that begin.factor keeps are closed there: q += M^-1 H' p with
 * H M^-1 H' p = residual, repeated (Orsino & Oliveira eq. 20; Gonzalez & Kovecses eq. 2).  At first with
 * begin.factor, then, if that converges slowly, with a factor of the rows at the iterate.  Afterwards
 * end.rows are those of next.pose, with their W, and account.projection_residual is the largest residual of
 * the kept ones.
 *
 * tolerance: residual (m or rad) at which it ends; 0: rounding.  within_step: 1 at the end of a symplectic
 * step, whose own evaluation of the rows changes their bases only where they have turned far
 * (rls_rows_align).  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED if rows cannot be evaluated (then
 * next.pose is unusable).
 */
rls_outcome rls_project_positions (rls_island *island, double tolerance, int within_step);

/* After rls_project_positions: changes v such that it satisfies end.rows to rounding, v += M^-1 H' p with
 * H M^-1 H' p = target - H v (Orsino & Oliveira eq. 21; Gonzalez & Kovecses eq. 3).  end.factor is then that
 * of end.rows, with which the next step begins.  Returns as above. */
rls_outcome rls_project_velocities (rls_island *island, double (*v)[6]);

#endif
