/*
 * What the files of a certificate share: bodies and joints as they were before a step.
 *
 *     certify.c        bodies, momentum and energy, the public functions
 *     certify_rows.c   the reactions of a joint, taken apart by its rows
 *
 * Nothing here knows a stepper: all is read from ODE.
 */
#ifndef RLS_CERTIFY_H
#define RLS_CERTIFY_H

#include "measure.h"

/* A body before the step, what acted on it, and by how much it moved. */
typedef struct
{
    dBodyID body;
    double x[3], q[4], v[6],
        applied[6];     /* the program's force and torque, a motor's push into its stop, gravity */
    double momentum[6]; /* linear, angular about the centre of mass */
    double reaction[6]; /* the sum of its joints' */
    double moved[6];    /* translation and rotation vector, world axes */
} rls_certified_body;

typedef struct
{
    dJointID joint;
    dBodyID bodies[2];  /* as in the rows: the first one is never NULL */
    int at[2];          /* their places among the certified bodies, -1 for the world and for others */
    int rows, rates;    /* rows that could be had; 1 if their right-hand sides could */
    rls_ode_rows still; /* without error reduction: right-hand sides are velocities */
    dReal closing[RLS_ODE_MAX_ROWS]; /* what error reduction adds to them, for a step of 1 s */
    double push[2][6];            /* what a motor that is powered into its stop adds to its bodies' forces */
    double own[RLS_ODE_MAX_ROWS]; /* Delassus entry of the row alone: J M^-1 J' */
    dJointFeedback reaction, *kept; /* of this step; what the program had asked for */
} rls_certified_joint;

/* How a joint's rows were met in the step. */
typedef struct
{
    double outside; /* N, N m: by how much a reaction leaves its bounds */
    double missed;  /* m/s, rad/s: velocity by which a bounded or driven row is missed */
    double passive; /* J: work of hard rows, which should do none */
    double active;  /* J: that of motors, limits, contacts and springs */
} rls_certified_rows;

/* Reads the rows of a joint before the step; its bodies' forces stay as they are. */
void rls_certify_read (rls_certified_joint *joint);

/* Judges them after it. */
void rls_certify_rows (rls_certified_joint *joint, const rls_certified_body *bodies, double h,
                       rls_certified_rows *result);

#endif
