/*
 * Geometric stiffness of light bodies under tension, and the inertia that is added against it (section 8 of
 * method.md, "Geometric stiffness").
 *
 * A force f that acts on a body at r, with f fixed in space and r in the body, resists small rotations with
 * the stiffness
 *
 *     K = (f . r) 1 - (f r' + r f') / 2,        summed over the body's joints.
 *
 * A light link that is taut between heavy bodies therefore swings with omega^2 = K / I.  Steps that take the
 * direction of reactions from poses they already know are unstable if h omega > 2 (Andrews, Teichmann & Kry,
 * Geometric stiffness for real-time constrained multibody dynamics, 2017).  As in that paper the body is
 * given more inertia, but only about the axes that need it: max (0, h^2 K - I).  Motion that the step cannot
 * resolve becomes slow enough to be followed; motion that it can resolve is not changed.
 *
 * In a mechanism any body may move with any other, and near a singular configuration reactions are large for
 * a moment; inertia that is added then would stop the whole mechanism.  So it is only added if that takes
 * next to none of the island's kinetic energy.
 */
#ifndef RLS_STIFFNESS_H
#define RLS_STIFFNESS_H

#include "island/island.h"

#define RLS_STIFF_STEPS 200 /* for so many steps after a failed one stiffness is computed */

/* Sets inertia and inverse_inertia of the movable bodies for a step of h (s): their own, or more where the
 * stiffness that the last step has found asks for it.  geometric.raised: how many bodies have more. */
void rls_stiffness_raise (rls_island *island, double h);

/* After the factorisation with raised bodies: changes state.v as if the added inertia had been at rest, which
 * adds no energy.  Returns 1; or 0 if that takes too much energy: then velocities are as before, and all
 * bodies have their own inertia again. */
int rls_stiffness_attach (rls_island *island);

/* After a step of h (s): computes the stiffness from its reactions, for the next step. */
void rls_stiffness_find (rls_island *island, double h);

#endif
