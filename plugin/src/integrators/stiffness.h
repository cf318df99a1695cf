/*
 * Geometric stiffness, and the inertia that it calls for.
 *
 * A force f that acts at r on a body, f fixed in space and r in the body, resists small rotations with
 *
 *     K = (f . r) 1 - (f r' + r f') / 2,        to be summed over the body's joints.
 *
 * A light link that is taut between heavy bodies so swings with omega^2 = K / I.  Steps that take the
 * direction of reactions from the poses that they know are unstable where h omega > 2 (Andrews, Teichmann &
 * Kry, Geometric stiffness for real-time constrained multibody dynamics, 2017); as in that paper the cure
 * is inertia, here only for the directions of a body that need it: it is given max (0, h^2 K / limit - I).
 * Motion that the step cannot resolve becomes slow enough to be followed; all that it can resolve stays
 * exactly as it is.
 *
 * In a mechanism every body may move with every other, and near a singular configuration reactions are large
 * for a moment: inertia that is added there would stop all of it.  So it is only added where it takes next to
 * nothing of the island's kinetic energy.
 */
#ifndef RLS_STIFFNESS_H
#define RLS_STIFFNESS_H

#include "island/island.h"

#define RLS_STIFF_STEPS 200 /* after a step that failed */

/* inertia and inverse_inertia of all movable bodies from own_inertia and the stiffness that the last step
 * left, if it did.  Sets geometric.raised to the number of bodies that need more than their own. */
void rls_stiffness_raise (rls_island *island, double h);

/* Once raised bodies are factored: velocities with what was added at rest.  Returns 1; or 0 if that takes too
 * much energy, with everybody's own inertia again and velocities as they were. */
int rls_stiffness_attach (rls_island *island);

/* After a step of length h: stiffness from its reactions, for the next step. */
void rls_stiffness_find (rls_island *island, double h);

#endif
