/*
 * The variational step of second order, dense: free bodies in ball joints, multipliers by Newton's method
 * with differences for derivatives and singular values for the solution.  It shares no code with the library,
 * and shows what is the method's own and what an implementation adds.
 *
 *     u = v0 + M^-1 H0' lambda,   q1 = q0 advanced by u,   gaps at q1 are 0
 *     v1 = u carried to q1 + M^-1 H1' mu,                  H1 v1 = 0
 *
 * A body turns by R1 = R0 cay (h w); with + at the beginning and - at the end (Bou-Rabee & Marsden 2009)
 *
 *     I w +- (h/2) w x I w + (h^2/4) (w' I w) w = I l
 */
#ifndef ORACLE_VARIATIONAL_H
#define ORACLE_VARIATIONAL_H

#include "oracle_motion.h"

/* Moves it on by h (s), without gravity; all its joints are balls. */
void variational_step (motion *m, double h);

/* Kinetic energy (J). */
double variational_energy (const motion *m);

/* A motion of the scene as it stands, whose joints are balls between bodies. */
motion variational_of (const scene *s);

#endif
