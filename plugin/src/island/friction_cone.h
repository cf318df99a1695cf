/*
 * Friction bounded by a cone instead of a pyramid: |T| <= mu N, the same in all directions.
 *
 * The two rows of friction of a contact are turned so that the first one points in the direction of sliding.
 * If the bodies slide faster than friction can stop in the step, all friction acts along this row, as
 * Coulomb's law has it, and the second row gets no bound to push within.  Rows at the end of the step, which
 * are extrapolated, turn with the direction.  If the bodies may stick, the first row points to where forces
 * pull them and both rows act; their sum may exceed mu N by as much as the force turns away from that
 * direction.
 */
#ifndef RLS_FRICTION_CONE_H
#define RLS_FRICTION_CONE_H

#include "island.h"

/* Turns the rows of friction in island->begin.bounded for a step of h (s); forces must be known.  Contacts
 * whose two coefficients or slips (softness) differ keep their directions. */
void rls_friction_cone (rls_island *island, double h);

#endif
