/* Projection of positions and velocities onto the constraints (section 6 of method.md), and the damped step
 * (section 8). */
#ifndef RLS_PROJECT_H
#define RLS_PROJECT_H

#include "island/island.h"
#include <limits.h>

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
 * (rls_rows_align).  most: factorisations that it may make.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED
 * if rows cannot be evaluated or more factorisations are needed (then next.pose is unusable).
 */
rls_outcome rls_project_positions (rls_island *island, double tolerance, int within_step, int most);

/* After rls_project_positions: changes v such that it satisfies end.rows to rounding, v += M^-1 H' p with
 * H M^-1 H' p = target - H v (Orsino & Oliveira eq. 21; Gonzalez & Kovecses eq. 3).  end.factor is then that
 * of end.rows, with which the next step begins.  Returns as above. */
rls_outcome rls_project_velocities (rls_island *island, double (*v)[6]);

/* ---- damped.c ---- */

/*
 * The damped step: the last fallback, where other methods leave joints open (section 8 of method.md).
 *
 * Meshes that move may stay at configurations where rows depend on each other to first order but not to
 * second. For example, a bar between two corners that circle about the same line has its least length there:
 * its row is a double root at the closed pose, and its gradient vanishes together with the residual. Newton's
 * method then gains only a factor of four an iteration, and no rank decision is right both before and after.
 * Here no decisions are made; each row is made a little compliant,
 *
 *     v   = v0 + h M^-1 f,  then the rows at q0                 velocities
 *     q1  = q0 advanced by v
 *     d   = M^-1 H' (H M^-1 H' + D)^-1 residual,  v += d / h    at most MOST_CLOSINGS times, rows at q1
 *     v1  = v, then the rows at q1                              velocities
 *
 * with D a small part of the diagonal of H M^-1 H' (Levenberg 1944, Marquardt 1963).  Rows that are far from
 * dependence are closed to rounding, and one whose gradient vanishes moves nothing.  The part is the rank
 * tolerance, below which a row would be called dependent.  If rows are open by e, the part is at least (5
 * e)^2; this bounds the displacement by a tenth of the unit of length, however small the pivots, and by e /
 * 10 if e is more than a unit. Limits, motors and contacts act at q0 together with the rows.
 *
 * The step is of first order.  It costs at most MOST_CLOSINGS + 2 factorisations, one less after
 * another damped step, whose last factor is the first one of this step.
 *
 * Takes a step of h (s) from state at the given time (s).  Writes next, the reactions and
 * account.projection_residual.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite.
 */
rls_outcome rls_damped_step (rls_island *island, double time, double h);

#endif
