/*
 * The free motions of a mechanism, that is the null space of its constraint rows.  They are found by giving
 * the bodies of a third copy of the scene random velocities, which a step of ode-rls projects onto those that
 * the joints allow.
 */
#ifndef VIEWER_FREE_MOTION_H
#define VIEWER_FREE_MOTION_H

#include "sim.h"

#define FREE_MOTIONS 6 /* how many are found at most */

typedef struct free_motion free_motion;

/* Reads the scene once more.  Returns NULL if that fails. */
free_motion *free_motion_create (const char *path, const model *m);
void free_motion_free (free_motion *f);

/* Finds the motions at the pose of a snapshot; dof is how many there should be.  Returns how many were found,
 * orthogonal in kinetic energy. */
int free_motion_update (free_motion *f, const snapshot *shot, int dof);

/* Motion i, for each body the velocities of its centre and of its rotation, 6 numbers.  They are scaled so
 * that the centre of the fastest body moves by 0.22 of the scene's size in a second.  NULL if there is no
 * such motion. */
const double *free_motion_get (const free_motion *f, int i);

#endif
