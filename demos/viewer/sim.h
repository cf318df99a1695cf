/*
 * One side of the viewer: a scene, the stepper that drives it, and what was measured.
 *
 * A worker thread steps it.  The window's thread reads only what sim_publish has handed over, so that the
 * picture goes on during a slow step.  Functions marked "idle" must not be called while a job runs on the
 * worker.
 */
#ifndef VIEWER_SIM_H
#define VIEWER_SIM_H

#include "model.h"
#include "ring.h"
#include "row_log.h"

typedef enum
{
    SOLVER_ODE,
    SOLVER_QUICK,
    SOLVER_RLS,
    SOLVER_COUNT
} solver_kind;

extern const char *const solver_names[];     /* as shown */
extern const char *const solver_words[];     /* as written on the command line */
extern const char *const integrator_names[]; /* in the order of dRLSIntegrator, and so on */
extern const char *const correction_names[];
extern const char *const order_names[];

/* How a side is stepped. */
typedef struct
{
    int solver, integrator, correction, order;
} sim_method;

/* What both sides have in common.  Where gravity, erp or cfm is negative, the scene's own value is used. */
typedef struct
{
    double step, gravity, erp, cfm, tolerance;
    int quick_iterations;
    int sleep; /* ODE puts bodies that rest to sleep */
} sim_common;

/* How the user pulls a body: by a damped spring from a point of the body to a point of the world. */
typedef struct
{
    int body;
    double local[3], target[3];
} sim_pull;

/* A motor that the user puts on the coordinate of a hinge or a slider. */
typedef enum
{
    MOTOR_OWN,  /* none of the user's: the joint has the scene's motor, if any */
    MOTOR_RATE, /* goes at a rate, rad/s or m/s */
    MOTOR_PLACE /* goes to a position, rad or m, and stays there */
} motor_mode;
typedef struct
{
    int mode;
    double target, limit; /* limit: N m or N */
} sim_motor;

/* A ball that the user throws. */
#define SIM_BALLS 12 /* the thirteenth throw takes the first ball again */
typedef struct
{
    double radius, mass, position[3], velocity[3];
} sim_ball;

typedef struct
{
    double position[3], quaternion[4], velocity[3], spin[3];
    int asleep;
} body_state;

typedef struct
{
    dRLSViolation violation;
    double opening;             /* m: the gap, or the angle times the arm, whichever is larger */
    double force[3], torque[3]; /* reaction on its first body */
    int redundant, conflicting; /* how many of its rows are */
    double place;               /* position of a hinge (rad) or slider (m) */
    sim_motor motor;            /* the user's */
    int cut;                    /* 1 if the user has cut it */
    int unique;                 /* whether its reaction is unique: 1, 0, or -1 for unknown */
} joint_state;

/* A contact of the step just made. */
typedef struct
{
    int body[2];                             /* MODEL_WORLD for the world */
    double position[3], normal[3], force[3]; /* as in scene_contact */
    double depth, slip;                      /* m, m/s along the contact plane */
} contact_state;

typedef struct
{
    sample now;
    body_state *body;
    joint_state *joint;
    row_state *row;
    int rows, row_room;
    double (*spring)[2][3]; /* both ends, in the world */
    int springs;
    double
        stage[dRLSStageCount]; /* s a step in each stage of ode-rls, smoothed; all 0 under other steppers */
    contact_state *contact;
    int contacts, contact_room;
    double ball[SIM_BALLS]
               [4]; /* position and radius of the balls that were thrown; none while looking back */
    int balls;
    int failed;        /* a sim_health */
    double failed_at;  /* s, when it failed; the snapshot shows the last good state before */
    char message[200]; /* why it failed, or the last warning */
    long warnings;     /* of the stepper and of ODE since the start */
} snapshot;

typedef struct sim sim;

/* Reads the scene.  Returns NULL with one line in error. */
sim *sim_open (const char *path, char *error, size_t size);
void sim_close (sim *s);
const model *sim_model (const sim *s);
int sim_solver (const sim *s);
int sim_collides (const sim *s); /* 1 if bodies of the scene have collision geometry */

/* Idle: changes the stepper.  A combination that the stepper refuses is reported in the snapshot. */
void sim_configure (sim *s, const sim_method *method, const sim_common *common);

/* Idle: sets the user's pull for the next steps; NULL for none. */
void sim_set_pull (sim *s, const sim_pull *pull);

/* Idle: cuts a joint, or mends one that is cut; adds a joint once more, at the same place.  This stays until
 * the scene is set back.  The second returns 1, or 0 if the type of the joint cannot be doubled. */
void sim_cut_joint (sim *s, int joint);
int sim_double_joint (sim *s, int joint);

/* Idle: puts a motor on a hinge or a slider, whichever stepper runs; does nothing for other joints. */
void sim_set_motor (sim *s, int joint, const sim_motor *motor);

/* Idle: throws a ball.  Balls and motors are removed when the scene is set back. */
void sim_throw (sim *s, const sim_ball *ball);

/* How a side is doing. */
typedef enum
{
    SIM_RUNS,
    SIM_REFUSED, /* the stepper refuses this choice; the world is unchanged */
    SIM_STOPPED, /* its state is no longer finite, or the stepper failed */
    SIM_LOST     /* ODE failed inside a step: the world must not be touched any more */
} sim_health;

sim_health sim_health_of (const sim *s);

/* Idle: returns 1, with the reason, if the stepper refused the last step.  The side then counts as running
 * again, to be given another choice. */
int sim_refused (sim *s, char *why, size_t size);

/* Makes one step, on the worker's thread.  Returns 0 if the side has failed. */
int sim_advance (sim *s);

/* On the worker's thread, after the last step of a job: analyses the world and prepares a snapshot. */
void sim_measure (sim *s);

/* Idle: takes over what the job recorded, so that sim_shown and sim_past have it. */
void sim_publish (sim *s);

const snapshot *sim_shown (const sim *s);
const ring *sim_past (const sim *s);

/* Idle: sets the world back to the i-th oldest entry of the past, and forgets what came after it. */
void sim_restore (sim *s, int i);

/* Idle: sets the world to a state that was kept (STATE_DOUBLES numbers a body, and its sample), also one of
 * another run.  The motion goes on from the poses and velocities; nothing else that a stepper carries is
 * restored. */
void sim_place (sim *s, const double *state, const sample *at);

/* Fills a snapshot with the i-th oldest entry, for looking only. */
void sim_recall (const sim *s, int i, snapshot *out);
int snapshot_init (snapshot *shot, const model *m);
void snapshot_free (snapshot *shot);

/* How many warnings the scene reader had, and their texts; NULL beyond those that are kept. */
#define SIM_WARNINGS 12
int sim_warnings (const sim *s);
const char *sim_warning (const sim *s, int i);

/* With hide the times of steps are not recorded, for pictures that must be the same in every run. */
void sim_hide_times (sim *s, int hide);

#endif
