/*
 * What the files of the stage share: stage.c (what it shows, jobs, looking back), stage_open.c (opening and
 * closing scenes) and stage_kept.c (states that the user keeps).
 */
#ifndef VIEWER_STAGE_PARTS_H
#define VIEWER_STAGE_PARTS_H

#include "stage.h"

#include "worker.h"

#include <stdatomic.h>

#define EDITS 32

/* A side, and everything that a job of its worker uses.  If a scene is closed while the job runs, the job
 * frees it. */
typedef struct
{
    sim *sim;
    worker *worker; /* NULL if steps are made inside stage_run */
    int running;    /* 1 from the start of a job until it is taken over */
    int steps;
    int timed; /* 1: a job ends after its seconds; 0: it makes all its steps, however long they take */
    double seconds;
    _Atomic double started; /* when the step being computed began; 0 between steps */
    int refused;            /* 1 if the stepper refused a step of the present job */
    char refusal[200];      /* the reason why the choice given last was refused; empty if it was not */
    stage_choice choice;
    int configured;
    stage_edit edit[EDITS]; /* what is to be done once the side is idle */
    int edits;
    struct kept *come_back; /* the state to come back to then; NULL for none */
    double rewind;          /* the time to go back to once the job is done; NAN for none */
    unsigned long random_seed;
    snapshot recall;
    double recalled; /* the time of the state in recall; NAN for none */
} stage_side;

/* A state that the user keeps: both sides at one time. */
typedef struct kept
{
    double time, *state[SIDES]; /* STATE_DOUBLES numbers a body */
    sample at[SIDES];
} kept;

/* A scene that is being read, in another thread if there is one. */
typedef struct
{
    char *path;
    stage_side *side[SIDES];
    int threaded, timed; /* threaded becomes 0 if a thread cannot be started; timed stays */
    char error[512];
} opening;

struct stage
{
    stage_side *side[SIDES];
    char *path;
    int threaded;
    worker *reader; /* NULL while nothing is read */
    opening *opening;
    double scroll; /* the time that the user looks back at; NAN for the newest state */
    kept *kept[STAGE_KEPT];
    int kept_count;
};

/* Forgets so many of the kept states, from number first on. */
void stage_drop_kept (stage *s, int first, int count);

#endif
