/*
 * One side of the viewer: a scene, the stepper that drives it, and what was measured.
 *
 * A worker thread steps it; the window's thread reads only what sim_publish has handed over, so that a
 * slow step never stops the picture.  Functions marked "idle" must not be called while a job runs.
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

/* What both sides have in common.  Negative gravity, erp, cfm: as the scene says. */
typedef struct
{
    double step, gravity, erp, cfm, tolerance;
    int quick_iterations;
    int sleep; /* ODE puts bodies that rest to sleep */
} sim_common;

/* The user's hand: a damped spring from a point of a body to a point of the world. */
typedef struct
{
    int body;
    double local[3], target[3];
} sim_pull;

/* A motor that the user puts on the coordinate of a hinge or a slider. */
typedef enum
{
    MOTOR_OWN,  /* what the scene has */
    MOTOR_RATE, /* to a rate, rad/s or m/s */
    MOTOR_PLACE /* to a coordinate, rad or m */
} motor_mode;
typedef struct
{
    int mode;
    double target, limit; /* limit: N m or N */
} sim_motor;

/* A ball that the user throws. */
#define SIM_BALLS 12 /* the next one is the first once more */
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
    double opening;             /* m: the larger of the gap and arm x angle */
    double force[3], torque[3]; /* reaction on its first body */
    int redundant, conflicting; /* rows */
    double place;               /* rad or m: the coordinate of a hinge or a slider */
    sim_motor motor;            /* the user's */
    int cut;                    /* taken out by the user */
    int unique;                 /* reaction: 1, 0, or -1 for unknown */
} joint_state;

/* A contact, as long as it is being seen. */
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
    double ball[SIM_BALLS][4]; /* place and radius of balls that were thrown; going back takes them away */
    int balls;
    int failed;        /* a sim_health */
    double failed_at;  /* s, when it failed; what is shown is the last sound state before */
    char message[200]; /* why, or the last warning */
    long warnings;     /* of the stepper and of ODE since the start */
} snapshot;

typedef struct sim sim;

/* Reads the scene.  Returns NULL with one line in error. */
sim *sim_open (const char *path, char *error, size_t size);
void sim_close (sim *s);
const model *sim_model (const sim *s);
int sim_solver (const sim *s);
int sim_collides (const sim *s); /* bodies of the file have geoms */

/* Idle: changes the stepper.  A combination that the stepper refuses is reported in the snapshot. */
void sim_configure (sim *s, const sim_method *method, const sim_common *common);

/* Idle: the pull of the next steps; NULL for none. */
void sim_set_pull (sim *s, const sim_pull *pull);

/* Idle: takes a joint out, or puts it back; says one more time what a joint says.  Both go on with the run
 * and are forgotten with the scene.  Returns 1, or 0 where the joint's type cannot be doubled. */
void sim_cut_joint (sim *s, int joint);
int sim_double_joint (sim *s, int joint);

/* Idle: puts a motor on a hinge or slider of ode-rls's and ODE's steppers alike; others are left alone. */
void sim_set_motor (sim *s, int joint, const sim_motor *motor);

/* Idle: throws a ball.  Balls and motors are forgotten with the scene. */
void sim_throw (sim *s, const sim_ball *ball);

/* How a side is doing. */
typedef enum
{
    SIM_RUNS,
    SIM_REFUSED, /* the stepper will not have this choice; the world is as it was */
    SIM_STOPPED, /* its state is no longer finite, or the stepper failed */
    SIM_LOST     /* ODE gave up inside a step: the world must not be touched */
} sim_health;

/* Idle: 1 if the stepper refused the last step, with its reason; the side can go on with another choice. */
sim_health sim_health_of (const sim *s);
int sim_refused (sim *s, char *why, size_t size);

/* One step, on the worker's thread.  Returns 0 if the side has failed. */
int sim_advance (sim *s);

/* On the worker's thread, after the last step of a job: analyses the world and prepares a snapshot. */
void sim_measure (sim *s);

/* Idle: takes over what the job recorded. */
void sim_publish (sim *s);

const snapshot *sim_shown (const sim *s);
const ring *sim_past (const sim *s);

/* Idle: the world back to the i-th oldest entry of the ring, which becomes the newest. */
void sim_restore (sim *s, int i);

/* Idle: the world to a state of the past that was kept (STATE_DOUBLES a body, and its sample), whatever has
 * been since; the motion goes on from poses and velocities alone. */
void sim_place (sim *s, const double *state, const sample *at);

/* Fills a snapshot with the i-th oldest entry, for looking only. */
void sim_recall (const sim *s, int i, snapshot *out);
int snapshot_init (snapshot *shot, const model *m);
void snapshot_free (snapshot *shot);

/* What the scene reader warned of: how often, and the first in words. */
int sim_warnings (const sim *s, const char **first);

/* Timings are left out of the record when pictures must be reproducible. */
void sim_hide_times (sim *s, int hide);

/* Energy at the start, J. */
double sim_initial_energy (const sim *s);

#endif
