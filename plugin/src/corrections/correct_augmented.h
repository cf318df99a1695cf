/*
 * The index-3 augmented Lagrangian formulation with mass-orthogonal projections (Dopico et al., section 3).
 *
 * Trapezoidal rule with the pose at the end of the step as the unknown:
 *
 *     M a1 = Q (q1, v1) + H1' (lambda + alpha e1),      lambda <- lambda + alpha e1   until e1 = 0
 *     v1 = v0 + (h/2) (a0 + a1),                        q1 = q0 advanced by (h/2) (v0 + v1)
 *     then, each the M-nearest to what the rule gave:   H1 v1 = y1,   H1 a1 = dy1/dt - dH1/dt v1
 *
 * The projected accelerations are those that the forces and joints of the state make: they are computed where
 * the next step begins, with the velocities that the projection has left.
 *
 * Angular velocities and accelerations follow the rule in body axes, and a body turns by the Cayley map of
 * their mean.  Without the projections the rule leaves velocities and accelerations free to
 * oscillate about the constraints, and with large steps they grow.
 *
 * Differences from the paper: each projection is iterated until the rows hold to rounding, where the
 * paper solves once with the penalty; and the metric is M, without the tangents of the forces by positions
 * and velocities, which a force callback does not give.
 */
#ifndef RLS_CORRECT_AUGMENTED_H
#define RLS_CORRECT_AUGMENTED_H

#include "correct_penalty.h"

/* One step of h from state.pose and state.v.  begin.rows and factor are those of the beginning.  Fills
 * next.pose, next.v, p and what the reactions act along.  Returns RLS_DONE, RLS_NO_MEMORY,
 * RLS_FAILED when a value is not finite, or RLS_ANOTHER_WAY if the iterations do not converge: then nothing
 * is done. */
rls_outcome rls_augmented_step (rls_penalty *work, rls_island *island, double h);

#endif
