/*
 * Certificates: checks of a step, of any stepper, by what ODE's bodies and joints show before and after it.
 * Public functions and their contract are in ode_rls.h.
 *
 *     certify.c        bodies: balances of momentum, energy; the public functions
 *     certify_rows.c   joints: the reaction split into the forces of its rows, and whether these are within
 *                      their bounds
 */
#ifndef RLS_CERTIFY_H
#define RLS_CERTIFY_H

#include "measure.h"

/* A body: its motion before the step, what acted on it, and by how much it moved.  World axes. */
typedef struct
{
    dBodyID body;
    rls_pose pose;      /* before the step, */
    double v[6];        /* and its velocity */
    double applied[6];  /* N, N m: accumulators before the step, and motors that push into their stops */
    double momentum[6]; /* before the step: linear, and angular about the centre of mass */
    double reaction[6]; /* N, N m: sum of the reactions of its joints */
    double moved[6];    /* translation (m) and rotation vector (rad) over the step */
} rls_certified_body;

/* A joint: its rows before the step, and its reaction over the step. */
typedef struct
{
    dJointID joint;
    dBodyID bodies[2];  /* in the order of the rows; the first one is never NULL */
    int at[2];          /* their indices among the certified bodies, -1 for the world and other bodies */
    int rows;           /* number of rows; 0 also if ODE cannot evaluate them */
    int rates;          /* 1 if the right-hand sides of the rows are known */
    rls_ode_rows still; /* the rows without error reduction: right-hand sides are velocities */
    dReal closing[RLS_ODE_MAX_ROWS]; /* rows: what error reduction adds to these, for a step of 1 s */
    double push[2][6];            /* N, N m: what a motor that is powered into its stop adds to its bodies */
    double own[RLS_ODE_MAX_ROWS]; /* rows: J M^-1 J' of the row alone */
    dJointFeedback reaction;      /* the feedback of this step */
    dJointFeedback *kept;         /* the program's own feedback, NULL: none */
} rls_certified_joint;

/* Results for the rows of one joint. */
typedef struct
{
    double outside; /* N, N m: the largest excess of a force over its bounds */
    double missed;  /* m/s, rad/s: the largest velocity by which a bounded or driven row is missed */
    double passive; /* J: work of hard rows, which should do none */
    double active;  /* J: work of motors, limits, contacts and springs */
} rls_certified_rows;

/* Before the step: reads the rows of a joint.  The force accumulators of its bodies stay as they are. */
void rls_certify_read (rls_certified_joint *joint);

/* After a step of h (s): checks them. */
void rls_certify_rows (rls_certified_joint *joint, const rls_certified_body *bodies, double h,
                       rls_certified_rows *result);

#endif
