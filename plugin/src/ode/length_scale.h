/*
 * The unit of length that an island is computed in.
 *
 * Tolerances of the stages are in "m or rad": they fit mechanisms of about a metre.  So that a watch and a
 * bridge are computed as well, an island's lengths are counted in a unit near its size, a power of 1024 m.
 * Between 3 cm and 32 m that is the metre.  Powers of two round nothing: a mechanism 1024 times as large,
 * with gravity and all, moves the same, bit for bit.
 *
 * Mass and time keep their units, so a force is counted in kg unit/s^2, a torque and an inertia in unit^2.
 * ODE, what is read from it and what is given to it, is in metres.
 */
#ifndef RLS_LENGTH_SCALE_H
#define RLS_LENGTH_SCALE_H

#include "stepper/workspace.h"

/* The unit (m) for the island's size, its bodies' radii of gyration and the levers of its joints' bilateral
 * rows. It stays as it is while it is not far off. */
double rls_length_scale_of (const rls_workspace *workspace);

/* Rows r0 .. r0 + count - 1 from metres to the unit, with their parts: bilateral rows that are not compact,
 * and bounded ones with their bounds. */
void rls_length_scale_rows (double length_scale, rls_rows *rows, int r0, int count);
void rls_length_scale_bounded (double length_scale, rls_bounded *rows, int r0, int count);

/* The same for J of row r alone and its parts.  Returns the unit of its coordinate: 1 if it tells an angle,
 * otherwise length_scale. */
double rls_unit_row (double length_scale, const rls_parts *parts, int r, double J[12]);

/* 1 for a row that tells an angle, 0 for one that tells a length. */
int rls_is_angular (const double J[12]);

/* The same for row r of joint j: one over several bodies is angular if it is so for all of them. */
int rls_row_is_angular (const rls_rows *rows, int j, int r);

#endif
