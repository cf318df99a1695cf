/*
 * Friction of a cone instead of a pyramid: |T| <= mu N in all directions alike.
 *
 * The two rows of friction of a contact are turned, the first into the direction in which the bodies slide.
 * Where that is faster than friction stops in a step, all of it acts there, as Coulomb's law has it, and the
 * second row is none; the rows at the end of the step, which are extrapolated, turn with the direction. Where
 * bodies may stick the first row points to where forces draw them and both rows hold; together they may hold
 * more than mu N by as much as the force turns away from that direction.
 */
#ifndef RLS_FRICTION_CONE_H
#define RLS_FRICTION_CONE_H

#include "island.h"

/* Turns the rows of friction in island->bounded for a step of h (s); forces must be known.  Contacts whose
 * two coefficients or slips differ keep their directions. */
void rls_friction_cone (rls_island *island, double h);

#endif
