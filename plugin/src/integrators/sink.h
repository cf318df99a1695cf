/*
 * Takes energy that a step has gained from the potential energy (section 9 of method.md, "What a heap
 * gains").
 *
 * Reducing depths lifts bodies, and contact rows that are constant within a step change the energy a little
 * while bodies tip or roll.  This energy cannot be taken from velocities, since no reaction does such work.
 * Instead the island as a whole is moved along the sum of its forces until their work equals the gain.  Its
 * joints and inner contacts do not change by this; contacts with bodies that do not move become deeper, until
 * a step that loses energy lifts them.
 */
#ifndef RLS_SINK_H
#define RLS_SINK_H

#include "symplectic.h"

/*
 * After a step of h (s) with bounded rows: displaces next.pose such that no energy is gained.  Contacts with
 * bodies that do not move become no deeper by this than g h^2, by which collision detection sees a falling
 * body late.  Deeper ones are lifted where nothing moves; where something moves, by steps that lose energy,
 * and by other steps to a quarter.  Islands with joints to bodies that do not move are left alone.  The
 * caller leaves out islands with rows of the program, whose values may depend on the position.
 */
void rls_sink_by_gain (rls_symplectic *work, rls_island *island, double h);

#endif
