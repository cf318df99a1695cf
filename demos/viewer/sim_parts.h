/* Shared by sim.c (life, configuration, stepping), sim_measure.c (what is read off a world) and sim_past.c
 * (going back). */
#ifndef VIEWER_SIM_PARTS_H
#define VIEWER_SIM_PARTS_H

#include "sim.h"

typedef struct
{
    dBodyID id;
    int index;
} body_key;

/* A step's record while the job runs, before the window's thread takes it over. */
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

/* A motor of the user's, and what it took the place of. */
typedef struct
{
    sim_motor now;
    double own_rate, own_limit;
} user_motor;

/* The world and its stepper after a step, such that the motion goes on bit for bit as it did then. */
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
    double time, initial_energy;
    double kinetic_limit; /* J: beyond it the motion has blown up */
    long step;
    int failed, hide_times, configured, collides;
    int marks;                        /* of what was done since the last step */
    unsigned char *cut;               /* a joint each */
    user_motor *motor;                /* likewise */
    int motors;                       /* how many are not the scene's own */
    int ball[SIM_BALLS];              /* bodies of the scene, balls_made of them */
    int balls_made, balls, next_ball; /* those in use, and who is thrown next */
    row_log rows;
    double stage[dRLSStageCount];
    contact_state *contact; /* of the step just made */
    int contacts, contact_room;
    body_key *body_key; /* bodies sorted by handle */
    char message[200];
    long ode_messages;
    int reader_warnings;
    char reader_warning[200]; /* the first */
    dJointFeedback *feedback;
    joint_key *key; /* joints sorted by handle, doubled ones with their original's index */
    int keys;
    dRLSRow *row; /* scratch for redundant rows */
    int row_room;
    sample latest;                 /* of the step just made */
    double analysis_s, stepping_s; /* CPU spent so far on either; see sim_measure */
    step_queue queue;
    ring past;
    kept_state *kept; /* of the last steps: that of a step is at step % kept_room */
    int kept_room;
    dBodyID *body;    /* all of the scene */
    snapshot shot[2]; /* shown and being made */
    int shown;
    int fresh; /* shot[!shown] waits for publishing */
};

/* Reads energy, violations, probe of the present world into s->latest and opening (may be NULL). */
void sim_sample (sim *s, float *opening);

/* Copies poses and velocities of all bodies, STATE_DOUBLES each. */
void sim_save_state (const sim *s, double *state);

/* From here on another method answers for the openings, and energy counts anew; marks of sample_mark. */
void sim_begin_anew (sim *s, int marks);

/* Energy counts from here on: somebody else had a hand in it. */
void sim_rebase_energy (sim *s);

/* What the user's motors do in the next step. */
void sim_run_motors (sim *s);

/* Takes the balls out of the way. */
void sim_drop_balls (sim *s);

/* Reads the contacts of the step just made into s->contact. */
void sim_read_contacts (sim *s);

/* Writes the world as it stands behind the past. */
void sim_record (sim *s);

/* Room for the states of the latest steps.  0: no memory. */
int sim_make_kept (sim *s);
void sim_free_kept (sim *s);

/* Keeps the state after the step just made; without memory for it the step is remembered by its poses alone.
 */
void sim_keep_state (sim *s);

/* Rank, degrees of freedom and rows of the stepper's last step or analysis into s->latest. */
void sim_read_report (sim *s);

/* Fills shot from the world as it stands. */
void sim_fill (sim *s, snapshot *shot);

/* Puts the keys of joints in order after one was added. */
void sim_sort_keys (sim *s);

/* Index of a joint of the scene by handle; -1 if unknown. */
int sim_joint_index (const sim *s, dJointID id);

/* CPU time of this thread, s. */
double sim_cpu_seconds (void);

#endif
