/*
 * Joints as geometry tells: functions that are zero where a joint is closed, and velocities that it wants.
 * Nothing here asks ODE or the library.
 */
#ifndef ORACLE_GEOMETRY_H
#define ORACLE_GEOMETRY_H

#define MOTION_MOST_ROWS 6 /* of a joint */

typedef enum
{
    MOTION_BALL,
    MOTION_HINGE,
    MOTION_SLIDER,
    MOTION_UNIVERSAL,
    MOTION_FIXED,
    MOTION_PISTON,
    MOTION_ROD, /* ODE's double ball */
    MOTION_PR,
    MOTION_PU,
    MOTION_DOUBLE_HINGE,
    MOTION_HINGE2,
    MOTION_ANGULAR_MOTOR,               /* one axis, fixed to the first body; without bound */
    MOTION_TYPES,                       /* those that join any two bodies; others are asked for */
    MOTION_LINEAR_MOTOR = MOTION_TYPES, /* one axis of the world; without bound */
    MOTION_PLANE,                       /* ODE's plane 2D: z = 0 */
    MOTION_GEARS                        /* of two wheels that turn about parallel axes of the world */
} motion_type;

typedef struct
{
    motion_type type;
    int a, b; /* bodies; b may be NO_BODY */
    double point[2][3], axis[2][3],
        turn[9]; /* in the frames of a and b; turn: a's in b's, where it is held */
    double other[2]
                [3]; /* the second axis, or the far end of a rod or double hinge; in the frames of a and b */
    double slide[2][3]; /* PR and PU: the axis to slide along; the same */
    double length;      /* m: of rods and double hinges */
    double wanted;      /* motors: velocity (m/s, rad/s); gears: ratio; hinge 2: cosine between its axes */
} motion_joint;

typedef struct
{
    double x[3], R[9], v[6]; /* v: linear, angular, world axes */
} motion_body;

extern const motion_body motion_world;

/* ---- vectors; matrices row by row ---- */

void motion_multiply (const double A[9], const double x[3], double out[3]);
void motion_multiply_transposed (const double A[9], const double x[3], double out[3]);
double motion_dot (const double a[3], const double b[3]);
void motion_cross (const double a[3], const double b[3], double out[3]);
void motion_across (const double axis[3], double u[3], double w[3]); /* two directions across an axis */
void motion_turn (double R[9], const double turn[3]);                /* R := exp (turn) R */
void motion_displace (motion_body *b, const double d[6]);

/* ---- joints ---- */

/* The joint's functions, zero where it is closed; its velocities less those that are wanted, of rows that
 * know no position.  Return how many. */
int motion_residual (const motion_joint *j, const motion_body *a, const motion_body *b, double phi[6]);
int motion_rates (const motion_joint *j, const motion_body *a, const motion_body *b, double psi[6]);

#endif
