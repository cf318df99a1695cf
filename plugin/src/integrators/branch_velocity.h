/*
 * Velocities that belong to a motion.
 *
 * Where rows depend on each other, velocities that satisfy them need not lead anywhere: a row that the others
 * imply at this pose, but not beside it, asks for
 *
 *     q (v) = c - h' a = 0,      a: accelerations with H a = c for the other rows,     c = dy/dt - dH/dt v
 *
 * which is quadratic in v.  Velocities that do not hold it leave every branch, and the joints open with the
 * square of the time.  The nearest ones that do, in the metric of the masses, are found by Newton's method
 * among those that the rows leave free.
 */
#ifndef RLS_BRANCH_VELOCITY_H
#define RLS_BRANCH_VELOCITY_H

#include "island/island.h"

/*
 * v: velocities at state.pose that satisfy begin.rows there, factored in begin.factor, with closed joints;
 * from_rest: accelerations there, which along a motion hold the same.  They are left as they are where they
 * lead somewhere, where no motion is near them (of velocities, it would take half of their energy), and in
 * islands of too many degrees of freedom; from rest also where drives change the rows with time.
 * Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED if rows cannot be had beside the pose; from rest
 * RLS_ANOTHER_WAY where it is not known whether they lead somewhere.
 */
rls_outcome rls_branch_velocity_fit (rls_island *island, double (*v)[6], int from_rest);

#endif
