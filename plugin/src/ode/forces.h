/*
 * The force callback: forces evaluated inside the step, at every stage of an accurate integrator.
 *
 * What the user put into ODE's force accumulators before the step stays constant over it; the callback adds
 * to that at each stage, from the poses, velocities and time of the stage.
 */
#ifndef RLS_FORCES_H
#define RLS_FORCES_H

#include "stepper/stepper.h"

/* Remembers the accumulators of the islands' bodies, then lets the callback add to them.  1 done, 0 no
 * memory, or the world has changed. */
int rls_forces_begin (dRLSStepperID stepper, const rls_ode_islands *islands);

/* Puts back what rls_forces_begin remembered: after a step that failed. */
void rls_forces_undo (dRLSStepperID stepper);

/* provider.forces for islands of a stepper with a callback; see island.h. */
int rls_forces_load (rls_island *island, const rls_pose *pose, const double (*v)[6]);

#endif
