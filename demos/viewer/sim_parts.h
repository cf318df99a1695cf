/*
 * What the files of a side share: sim.c (opening, configuration), sim_step.c (steps), sim_edit.c (what the
 * user changes), sim_measure.c (what is measured) and sim_past.c (going back).
 */
#ifndef VIEWER_SIM_PARTS_H
#define VIEWER_SIM_PARTS_H

#include "sim.h"

typedef struct
{
    dBodyID id;
    int index;
} body_key;

/* The records of the steps of a job, until the window's thread takes them over. */
typedef struct
{
    sample *sample;
    float *opening;
    double *state;
    int count, room;
} step_queue;

typedef struct
{
    dJointID id;
    int index;
} joint_key;

/* A motor of the user's, and the scene's own one that it replaces. */
typedef struct
{
    sim_motor now;
    double own_rate, own_limit;
} user_motor;

/* The state of the world and its stepper after a step, from which the motion goes on bit for bit as it did
 * then. */
typedef struct
{
    long step; /* -1: none */
    dRLSStateID state;
} kept_state;

struct sim
{
    char *path;
    scene *scene;
    model *model;
    dThreadingImplementationID threading; /* ODE's default one is not safe between worlds */
    dRLSStepperID stepper;
    sim_method method;
    sim_common common;
    sim_pull pull;
    double scene_gravity[3];
    double time;
    double kinetic_limit; /* J: a kinetic energy that only a motion that has blown up exceeds */
    long step;
    int failed, hide_times, configured, collides;
    int marks;                        /* of what the user did since the last step: sample_mark */
    unsigned char *cut;               /* for each joint whether it is cut */
    user_motor *motor;                /* for each joint */
    int motors;                       /* how many of them are in use */
    int ball[SIM_BALLS];              /* bodies of the scene, of which balls_made exist */
    int balls_made, balls, next_ball; /* balls: how many are in use; next_ball: which is thrown next */
    row_log rows;
    double stage[dRLSStageCount];
    contact_state *contact; /* of the step just made */
    int contacts, contact_room;
    body_key *body_key; /* bodies sorted by handle */
    char message[200];
    long ode_messages;
    int reader_warnings;
    char reader_warning[SIM_WARNINGS][400]; /* the first of them */
    dJointFeedback *feedback;
    joint_key *key; /* joints sorted by handle, doubled ones with their original's index */
    int keys;
    dRLSRow *row; /* scratch for redundant rows */
    int row_room;
    sample latest;                 /* of the step just made */
    double analysis_s, stepping_s; /* processor time spent so far on each; see sim_measure */
    step_queue queue;
    ring past;
    kept_state *kept; /* states of the latest steps; that of a step is at step % kept_room */
    int kept_room;
    dBodyID *body;    /* all of the scene */
    snapshot shot[2]; /* one is shown while the other is being filled */
    int shown;
    int fresh; /* 1 if shot[!shown] is ready to be shown */
};

/* Measures energy, violations and the probe's position in the present world, into s->latest.  opening, which
 * may be NULL, receives for each joint the log10 of its opening. */
void sim_sample (sim *s, float *opening);

/* Copies poses and velocities of all bodies, STATE_DOUBLES each. */
void sim_save_state (const sim *s, double *state);

/* From now on openings and energy are attributed to the present method; marks (sample_mark) say what the user
 * did. */
void sim_begin_anew (sim *s, int marks);

/* Changes of energy count from now on, because something else than the stepper may have changed it until now.
 */
void sim_rebase_energy (sim *s);

/* Sets the rates of the user's motors for the next step. */
void sim_run_motors (sim *s);

/* Switches all balls off. */
void sim_drop_balls (sim *s);

/* Reads the contacts of the step just made into s->contact. */
void sim_read_contacts (sim *s);

/* Appends the present world to the queue of recorded steps. */
void sim_record (sim *s);

/* Makes room for the states of the latest steps.  Returns 0 without memory. */
int sim_make_kept (sim *s);
void sim_free_kept (sim *s);

/* Keeps the state after the step just made.  If there is no memory for it, going back to this step restores
 * only poses and velocities. */
void sim_keep_state (sim *s);

/* Rank, degrees of freedom and rows of the stepper's last step or analysis into s->latest. */
void sim_read_report (sim *s);

/* Fills a snapshot from the present world. */
void sim_fill (sim *s, snapshot *shot);

/* Puts the keys of joints in order after one was added. */
void sim_sort_keys (sim *s);

/* The processor time of this thread so far, s. */
double sim_cpu_seconds (void);

#endif
