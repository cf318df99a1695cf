/*
 * Bounded problems that are written down row by row, for the bounded solver without ODE around it.
 */
#ifndef ORACLE_BOUNDED_H
#define ORACLE_BOUNDED_H

#include "bounded/bounded.h"
#include "oracle.h"

/* An island with room for bodies and bounded joints; unit masses, all at rest at the origin. */
rls_island *oracle_bounded_create (int bodies, int most_joints, int most_rows);
void oracle_bounded_free (rls_island *island);

/* A body that is a homogeneous ball. */
void oracle_bounded_ball (rls_island *island, int body, double mass, double radius, const double x[3]);

/* Appends a joint without rows, and rows to the last joint; each returns its number. */
int oracle_bounded_joint (rls_island *island, const int body[2], uint64_t key);
int oracle_bounded_row (rls_island *island, const double J[12], double softness, double target, double lo,
                        double hi, int follow);

/* Appends a contact at a point: a normal row and two of friction.  normal points towards body 1. */
int oracle_bounded_contact (rls_island *island, const int body[2], const double point[3],
                            const double normal[3], double mu, double softness, double target);

/* Solves from the start velocities v of the island with the impulse of a force of gravity g over h. */
void oracle_bounded_solve (rls_island *island, double h, double g, double tolerance, int iterations);

#endif
