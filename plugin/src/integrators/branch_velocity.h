/*
 * Velocities that belong to a motion, at a singular configuration (section 8 of method.md).
 *
 * Where rows depend on each other, velocities that satisfy them need not belong to a motion.  A row that the
 * others imply at this pose, but not at neighbouring ones, requires
 *
 *     q (v) = c - h' a = 0,      a: accelerations with H a = c for the other rows,     c = dy/dt - dH/dt v
 *
 * which is quadratic in v.  With velocities that violate this, the joints open with the square of the time.
 * The nearest velocities that satisfy it, in the metric of the masses, are found by Newton's method among
 * those that satisfy the rows.
 */
#ifndef RLS_BRANCH_VELOCITY_H
#define RLS_BRANCH_VELOCITY_H

#include "island/island.h"

/*
 * Changes v to velocities that belong to a motion.  v: velocities that satisfy begin.rows, with begin.factor,
 * at state.pose, where joints are closed; from_rest: accelerations instead, for which the same equation holds
 * along a motion.  v is left as it is if it belongs to a motion already, if no motion is near (it would
 * change the energy by a factor of two), and in islands with too many degrees of freedom; from rest also if
 * drives change the rows with time. Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED if rows cannot be
 * evaluated near the pose; from rest RLS_ANOTHER_WAY if it is not known whether v belongs to a motion.
 */
rls_outcome rls_branch_velocity_fit (rls_island *island, double (*v)[6], int from_rest);

#endif
