/*
 * The energy-conserving augmented Lagrangian formulation (Dopico et al., section 4), alone or with the
 * projection of velocities.
 *
 *     v1 = v0 + h M^-1 Q + M^-1 D' p,         q1 = q0 advanced by (h/2) (v0 + v1) = q0 + d,     e (q1) = 0
 *
 * D is a discrete derivative of the constraints (Gonzalez 1996): the rows half way, with so much added along
 * the motion of each joint's bodies that D d is exactly the change of what they measure.  Reactions then do
 * no work over the step and the kinetic energy changes by exactly Q' d, whatever the size of the step.  A
 * body turns by the Cayley map of the mean of its angular velocities, with its angular momentum balanced in
 * world axes (Simo & Wong 1991). The multipliers come from a penalty, added up until the positions hold; q1
 * does not depend on it.
 *
 * Forces by a callback are taken half way; their work is then exact to the order of the rule only.
 * Nonholonomic rows hold the displacement d along what they are half way.
 * The velocities satisfy the rows on the average of a step, not at its ends, unless they are projected;
 * the projection takes a little energy out of every step.
 */
#ifndef RLS_CORRECT_CONSERVING_H
#define RLS_CORRECT_CONSERVING_H

#include "correct_penalty.h"

/* One step of h; as rls_augmented_step. */
rls_outcome rls_conserving_step (rls_penalty *work, rls_island *island, double h);

#endif
