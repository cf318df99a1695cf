/*
 * The step that an island of hard rows ends with where others leave it open.
 *
 * Meshes that move may stay where rows depend on each other to first order and not to second: a bar between
 * two corners that circle about one line has its least length there, and so its row is a double root of the
 * closed pose.  Its gradient vanishes with the residual, Newton's method gains a factor of four an iteration,
 * and no decision on the rank is right before and after.  Here no decisions are made: each row yields a
 * little,
 *
 *     v   = v0 + h M^-1 f,  then the rows at q0                 velocities
 *     q1  = q0 advanced by v
 *     d   = M^-1 H' (H M^-1 H' + D)^-1 residual,  v += d / h    at most RLS_DAMPED_CLOSINGS times, rows at q1
 *     v1  = v, then the rows at q1                              velocities
 *
 * with D a small part of the diagonal of H M^-1 H' (Levenberg 1944, Marquardt 1963): rows that are far from
 * dependence are closed to rounding, and one whose gradient vanishes moves nothing.  The part is the rank
 * tolerance, below which decisions would call a row dependent.  Where a row is open by e, the part is at
 * least (5 e)^2, which bounds the displacement by a tenth of the unit of length, however small the pivots,
 * and by e / 10 beyond one unit.  Limits, motors and contacts act at q0 with the rows.  First order.  Costs
 * at most RLS_DAMPED_CLOSINGS + 2 factorisations, one less after another such step, whose last factor is the
 * first of this one.
 */
#ifndef RLS_DAMPED_H
#define RLS_DAMPED_H

#include "island/island.h"

#define RLS_DAMPED_CLOSINGS 6

/*
 * Takes the step of h from the beginning of the step, time: next.pose, next.v, reactions,
 * projection_residual. Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite.
 */
rls_outcome rls_damped_step (rls_island *island, double time, double h);

#endif
