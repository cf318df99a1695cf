/*
 * Bodies that turn freely keep their energy.
 *
 * The step of cayley.h keeps a free body's angular momentum to rounding, and its energy to second order. Seen
 * from the body the momentum m moves on a sphere, on whose curve of constant energy, the polhode, it would
 * stay; the step leaves that by its third power.  The shortest way back is along  (m x w) x m,  and so the
 * body is turned about  m x w,  by
 *
 *     -(m'w - m0'w0) / (2 |m x w|)        w = I^-1 m, 0: as the step begins
 *
 * which is repeated, for the energy is quadratic.  Momentum and energy are all that a free rotation keeps, so
 * its error is one of the phase alone, of the order that the step has.
 */
#ifndef RLS_POLHODE_H
#define RLS_POLHODE_H

#include "island/island.h"

/* Turns next.pose and next.v of bodies without torque and with gyroscopic terms, which a step without rows
 * has led there from state.pose and state.v. */
void rls_polhode_return (rls_island *island);

#endif
