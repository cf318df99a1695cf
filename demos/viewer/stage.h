/*
 * The stage: one scene on two sides from the same state, each with its own thread and clock, and a past that
 * can be scrolled through.  The window's thread owns it and never waits for a step.
 */
#ifndef VIEWER_STAGE_H
#define VIEWER_STAGE_H

#include "sim.h"

#define SIDES 2

typedef struct
{
    sim_method method[SIDES];
    sim_common common;
} stage_choice;

typedef struct stage stage;

/* threaded: scenes are read and steps run beside the window; otherwise inside the calls, reproducibly. */
stage *stage_create (int threaded);
void stage_free (stage *s); /* leaves steps in hand behind */

/* Begins to open a scene; the present one stays until that is done.  What was being opened before is dropped.
 */
void stage_open (stage *s, const char *path);

/* The scene that is being opened, or NULL. */
const char *stage_opening (const stage *s);
void stage_wait (stage *s); /* until it has been read */

typedef enum
{
    STAGE_NOTHING,
    STAGE_OPENED,
    STAGE_FAILED
} stage_result;

/* What has become of stage_open: told once; one line in error if it failed, and the present scene stays. */
stage_result stage_opened (stage *s, char *error, size_t size);

const model *stage_model (const stage *s); /* NULL without a scene */
const char *stage_path (const stage *s);
int stage_warnings (const stage *s, const char **first); /* of the scene reader */
int stage_collides (const stage *s);                     /* something in the scene can be hit */
const ring *stage_past (const stage *s, int side);

/* What to show: the newest state, or a past one while scrolled back. */
const snapshot *stage_shown (stage *s, int side);

/* Takes over finished jobs, and hands the choice to sides that are idle. */
void stage_poll (stage *s, const stage_choice *choice);
int stage_idle (const stage *s, int side);
double stage_time (const stage *s, int side); /* s: of the newest state */
double stage_busy (const stage *s, int side); /* s that the step in hand has taken; 0 if there is none */
int stage_solver (const stage *s, int side);  /* the stepper chosen */
void stage_pull (stage *s, int side,
                 const sim_pull *pull); /* only while idle; callers offer it every frame */

/* Something that the user does to both sides, each as soon as it is idle; what it tells is in sim.h. */
typedef enum
{
    EDIT_CUT,    /* joint: taken out, or put back */
    EDIT_DOUBLE, /* joint */
    EDIT_MOTOR,  /* joint, motor */
    EDIT_THROW   /* ball */
} edit_kind;
typedef struct
{
    edit_kind kind;
    int joint;
    sim_motor motor;
    sim_ball ball;
} stage_edit;
void stage_do (stage *s, const stage_edit *edit);

/* States that are kept for coming back to, as long as the scene is looked at; setting it back keeps them. */
#define STAGE_KEPT 9
int stage_keep (
    stage *s); /* the state shown; its number, or -1 without memory.  The tenth drops the first. */
int stage_kept (const stage *s);
double stage_kept_time (const stage *s, int i);
void stage_come_back (stage *s, int i); /* both sides, each as soon as it is idle */

/* Starts up to steps steps of an idle side, ending early after seconds of real time.  A scrolled stage first
 * takes up the past state it shows. */
void stage_run (stage *s, int side, int steps, double seconds);

/* 1 with the reason while a side refuses the choice that it was given last. */
int stage_refused (const stage *s, int side, char *why, size_t size);

/* Scrolling: 0 is the newest state, 1 the step before, ... of the side that is ahead. */
int stage_scroll (const stage *s);
void stage_scroll_to (stage *s, int steps_back);

#endif
