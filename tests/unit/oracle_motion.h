/*
 * Mechanisms by an idea of their own: constraint functions written from the geometry of the joints, Jacobians
 * by finite differences, rank and multipliers by singular values, motion by Runge-Kutta with short steps.
 * Nothing here asks ODE or the library but for building the same world.
 */
#ifndef ORACLE_MOTION_H
#define ORACLE_MOTION_H

#include "oracle.h"
#include "oracle_scene.h"

#define MOTION_BODIES 6
#define MOTION_JOINTS 10

typedef enum
{
    MOTION_BALL,
    MOTION_HINGE,
    MOTION_SLIDER,
    MOTION_UNIVERSAL,
    MOTION_FIXED,
    MOTION_PISTON,
    MOTION_ROD, /* ODE's double ball */
    MOTION_TYPES
} motion_type;

typedef struct
{
    motion_type type;
    int a, b; /* bodies; b may be NO_BODY */
    double point[2][3], axis[2][3],
        turn[9];        /* in the frames of a and b; turn: a's in b's, where it is held */
    double other[2][3]; /* universal: the second axis; rod: the far end; in the frames of a and b */
    double length;
} motion_joint;

typedef struct
{
    double x[3], R[9], v[6]; /* v: linear, angular, world axes */
} motion_body;

typedef struct
{
    int bodies, joints;
    double mass[MOTION_BODIES], inertia[MOTION_BODIES][3]; /* principal, body axes */
    double gravity[3];
    motion_body body[MOTION_BODIES];
    motion_joint joint[MOTION_JOINTS];
} motion;

/* A random mechanism in both forms.  planar: hinges about y and sliders across it, loops that can move;
 * otherwise all types, and loops that mostly cannot. */
motion motion_make (oracle_random *random, int bodies, int loops, int planar, int fixed, scene *s);

/* Rank of all rows: singular values of J M^-1/2 above 1e-6 of the largest. */
int motion_rank (const motion *m);

/* Moves it on by h (s). */
void motion_step (motion *m, double h);

/* Largest difference of positions (m) and of rotation matrices from the scene's. */
double motion_difference (const motion *m, const scene *s);

#endif
