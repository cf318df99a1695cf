/*
 * Mechanisms by an idea of their own: constraint functions written from the geometry of the joints, Jacobians
 * by finite differences, rank and multipliers by singular values, motion by Runge-Kutta with short steps.
 * Nothing here asks ODE or the library but for building the same world.
 */
#ifndef ORACLE_MOTION_H
#define ORACLE_MOTION_H

#include "oracle.h"
#include "oracle_geometry.h"
#include "oracle_scene.h"

#define MOTION_BODIES 12
#define MOTION_JOINTS 14

typedef struct
{
    int bodies, joints;
    double mass[MOTION_BODIES], inertia[MOTION_BODIES][3]; /* principal, body axes */
    double gravity[3];
    motion_body body[MOTION_BODIES];
    motion_joint joint[MOTION_JOINTS];
} motion;

/* Of all types of joints, with loops that mostly cannot move; hinges about y and sliders across it, and
 * joints of points, with loops that can. */
typedef enum
{
    MOTION_OF_ALL,
    MOTION_PLANAR,
    MOTION_OF_POINTS
} motion_kind;

/* A random mechanism that moves, in both forms; fixed: hung up, otherwise it floats without gravity. */
motion motion_make (oracle_random *random, int bodies, int loops, motion_kind kind, int fixed, scene *s);

/* Three bodies with rows that know no position. */
typedef enum
{
    MOTION_BY_PLANE,
    MOTION_BY_GEARS,
    MOTION_BY_LINEAR_MOTOR,
    MOTION_DRIVES
} motion_drive;

motion motion_make_driven (oracle_random *random, motion_drive drive, scene *s);

/* Velocities := the nearest that the rows allow. */
void motion_fit (motion *m);

/* Rank of all rows: singular values of J M^-1/2 above 1e-6 of the largest. */
int motion_rank (const motion *m);

/* Moves it on by h (s). */
void motion_step (motion *m, double h);

/* Largest difference of positions (m) and of rotation matrices from the scene's. */
double motion_difference (const motion *m, const scene *s);

#endif
