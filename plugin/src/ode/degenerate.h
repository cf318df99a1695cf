/* Joints whose rows are undefined as they stand. */
#ifndef RLS_DEGENERATE_H
#define RLS_DEGENERATE_H

#include "ode_calls.h"

/*
 * Whether a joint cannot be asked for its rows in a step h (s): two axes that must differ are parallel, gears
 * have no radius or turn too far.  ODE ends the program when it is asked all the same.
 */
int rls_is_degenerate (dJointID joint, double h);

#endif
