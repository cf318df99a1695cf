/*
 * Makes bodies that turn freely keep their energy.
 *
 * The step of cayley.h keeps the angular momentum of a free body to rounding, but its energy only to second
 * order.  In body axes the momentum m moves on a sphere, and exactly along the polhode, the curve of constant
 * energy on it.  A step leaves the polhode by a distance of third order.  The shortest way back is along (m x
 * w) x m, so the body is turned about m x w, by the angle
 *
 *     -(m'w - m0'w0) / (2 |m x w|)        w = I^-1 m; m0, w0: at the beginning of the step
 *
 * twice, since the energy is quadratic in the angle.  Momentum and energy are the only invariants of a free
 * rotation, so the remaining error is one of the phase, of the order of the step.
 */
#ifndef RLS_POLHODE_H
#define RLS_POLHODE_H

#include "island/island.h"

/* After a step without rows from state to next: turns next.pose and next.v of the bodies that have gyroscopic
 * terms and on which no torque acts. */
void rls_polhode_return (rls_island *island);

#endif
