/*
 * What energy a step gains is taken from the potential energy.
 *
 * The push that takes depths back lifts bodies, and contact rows that are constant within the step miss the
 * energy of what tips or rolls a little.  Velocities cannot give that energy back: no reaction does such
 * work. So the island as a whole, whose joints and inner contacts do not change by it, moves along the sum of
 * its forces until their work is the gain.  Contacts with what does not move are deeper by that, until a step
 * that loses energy lifts them.
 */
#ifndef RLS_SINK_H
#define RLS_SINK_H

#include "symplectic.h"

/*
 * After a step of h (s) with bounded rows: moves next.pose so that no energy is gained.  Contacts with what
 * does not move get no deeper by that than collision detection sees a falling body late, `g h^2`.  Deeper
 * ones are lifted where nothing moves; where something moves, by steps that lose energy, and by others to a
 * quarter.  Islands with joints to what does not move stay where they are; those with rows of the program,
 * whose values may depend on the place, are not given.
 */
void rls_sink_by_gain (rls_symplectic *work, rls_island *island, double h);

#endif
