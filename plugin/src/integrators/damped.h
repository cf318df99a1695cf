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
 *     d   = M^-1 H' (H M^-1 H' + D)^-1 residual,  v += d / h    at most RLS_DAMPED_CLOSINGS times, rows at q1
 *     v1  = v, then the rows at q1                              velocities
 *
 * with D a small part of the diagonal of H M^-1 H' (Levenberg 1944, Marquardt 1963).  Rows that are far from
 * dependence are closed to rounding, and one whose gradient vanishes moves nothing.  The part is the rank
 * tolerance, below which a row would be called dependent.  If rows are open by e, the part is at least (5
 * e)^2; this bounds the displacement by a tenth of the unit of length, however small the pivots, and by e /
 * 10 if e is more than a unit. Limits, motors and contacts act at q0 together with the rows.
 *
 * The step is of first order.  It costs at most RLS_DAMPED_CLOSINGS + 2 factorisations, one less after
 * another damped step, whose last factor is the first one of this step.
 */
#ifndef RLS_DAMPED_H
#define RLS_DAMPED_H

#include "island/island.h"

#define RLS_DAMPED_CLOSINGS 6

/* Takes a step of h (s) from state at the given time (s).  Writes next, the reactions and
 * account.projection_residual.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_damped_step (rls_island *island, double time, double h);

#endif
