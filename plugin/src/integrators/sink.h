/*
 * What a step gains is paid by height.
 *
 * The push that takes depths back lifts bodies, and frozen contact rows miss the energy of what tips or rolls
 * by little.  Nothing may take that from the velocities: no reaction does such work.  So the island as a
 * whole, whose joints and inner contacts notice nothing, goes along its forces as far as their work is the
 * gain: contacts with what does not move are deeper by that, until a step that loses energy pays for their
 * push.
 */
#ifndef RLS_SINK_H
#define RLS_SINK_H

#include "symplectic.h"

/*
 * After a step of h (s) with bounded rows: moves next.pose so that nothing is gained.  No contact with what
 * does not move gets deeper by that than collision detection sees it late, by gravity; what is deeper is
 * lifted without pay where nothing moves, and not before.  Islands with joints to what does not move stay
 * where they are; those with rows of the program, which may hang on places, are not given.
 */
void rls_sink_by_gain (rls_symplectic *work, rls_island *island, double h);

#endif
