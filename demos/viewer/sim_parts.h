/* Shared by sim.c (life, configuration, stepping) and sim_measure.c (what is read off a world). */
#ifndef VIEWER_SIM_PARTS_H
#define VIEWER_SIM_PARTS_H

#include "sim.h"

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

struct sim
{
    char *path;
    scene *scene;
    const model *model;
    model *own_model;
    dRLSStepperID stepper;
    sim_method method;
    sim_common common;
    sim_pull pull;
    double scene_gravity[3];
    double time, initial_energy;
    long step;
    int failed, hide_times;
    char message[200];
    long ode_messages;
    int reader_warnings;
    char reader_warning[200]; /* the first */
    dJointFeedback *feedback;
    joint_key *key; /* joints sorted by handle */
    dRLSRow *row;   /* scratch for redundant rows */
    int row_room;
    sample latest;                 /* of the step just made */
    double analysis_s, stepping_s; /* CPU spent so far on either; see sim_measure */
    step_queue queue;
    ring past;
    snapshot shot[2]; /* shown and being made */
    int shown;
    int fresh; /* shot[!shown] waits for publishing */
};

/* Reads energy, violations, probe of the present world into s->latest and opening (may be NULL). */
void sim_sample (sim *s, float *opening);

/* Copies poses and velocities of all bodies, STATE_DOUBLES each. */
void sim_save_state (const sim *s, double *state);

/* Rank, degrees of freedom and rows of the stepper's last step or analysis into s->latest. */
void sim_read_report (sim *s);

/* Fills shot from the world as it stands. */
void sim_fill (sim *s, snapshot *shot);

/* Index of a joint of the scene by handle; -1 if unknown. */
int sim_joint_index (const sim *s, dJointID id);

/* CPU time of this thread, s. */
double sim_cpu_seconds (void);

#endif
