/*
 * The free motions of a mechanism: the null space of its rows, found by giving the bodies of a third
 * copy of the scene random velocities and letting ode-rls project them.
 */
#ifndef VIEWER_FREE_MOTION_H
#define VIEWER_FREE_MOTION_H

#include "sim.h"

#define FREE_MOTIONS 6 /* most that are shown */

typedef struct free_motion free_motion;

/* Returns NULL if the scene cannot be read once more. */
free_motion *free_motion_create (const char *path, const model *m);
void free_motion_free (free_motion *f);

/* Finds the motions at the pose of a snapshot; dof is how many there should be.  Returns how many were
 * found, orthogonal in kinetic energy. */
int free_motion_update (free_motion *f, const snapshot *shot, int dof);

/* Motion i as displacements to draw: 6 a body, scaled so that the fastest point moves by reach. */
const double *free_motion_get (const free_motion *f, int i);

#endif
