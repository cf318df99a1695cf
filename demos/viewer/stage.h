/*
 * The stage: two sides with the same scene, each with its own thread and its own simulated time, and a common
 * past that can be scrolled through.  It belongs to the window's thread, which never waits for a step.
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

/* If threaded, scenes are read and steps are made in other threads.  Otherwise they are made inside the
 * calls, the same in every run. */
stage *stage_create (int threaded);
void stage_free (stage *s); /* does not wait for steps that are being computed */

/* Begins to open a scene.  The present one stays until the new one has been read.  If another scene was being
 * opened, that is given up. */
void stage_open (stage *s, const char *path);

/* The scene that is being opened, or NULL. */
const char *stage_opening (const stage *s);
void stage_wait (stage *s); /* waits until it has been read */

typedef enum
{
    STAGE_NOTHING,
    STAGE_OPENED,
    STAGE_FAILED
} stage_result;

/* What has become of stage_open.  STAGE_OPENED and STAGE_FAILED are returned once for each scene.  In the
 * second case error has one line, and the present scene stays. */
stage_result stage_opened (stage *s, char *error, size_t size);

const model *stage_model (const stage *s); /* NULL without a scene */
const char *stage_path (const stage *s);
int stage_warnings (const stage *s); /* see sim_warnings */
const char *stage_warning (const stage *s, int i);
int stage_collides (const stage *s); /* see sim_collides */
const ring *stage_past (const stage *s, int side);

/* The state to show: the newest one, or the one that the user looks back at. */
const snapshot *stage_shown (stage *s, int side);

/* Takes over what finished jobs have recorded; then has each idle side do what the user asked for, and gives
 * it the choice of methods. */
void stage_poll (stage *s, const stage_choice *choice);
double stage_time (const stage *s, int side); /* simulated time of the newest state, s */
double stage_busy (const stage *s,
                   int side); /* s that the step being computed has taken so far; otherwise 0 */
int stage_solver (const stage *s, int side); /* the stepper chosen */

/* Sets the user's pull if the side is idle; otherwise does nothing, so it is to be called in every frame. */
void stage_pull (stage *s, int side, const sim_pull *pull);

/* What the user changes on both sides, on each as soon as it is idle.  See the functions of sim.h for each
 * kind. */
typedef enum
{
    EDIT_CUT,    /* joint: cut, or mended */
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

/* States that the user keeps to come back to.  They stay until another scene is opened, also when the scene
 * is set back.  stage_keep keeps the state shown; it returns its number, or -1 without memory.  The tenth
 * replaces the first. */
#define STAGE_KEPT 9
int stage_keep (stage *s);
int stage_kept (const stage *s);
double stage_kept_time (const stage *s, int i);
void stage_come_back (stage *s, int i); /* both sides, each as soon as it is idle */

/* Starts so many steps of an idle side, fewer if they take longer than so many seconds of real time.  If the
 * user looks back, both sides first go back to the state shown. */
void stage_run (stage *s, int side, int steps, double seconds);

/* Returns 1, with the reason, while a side refuses the choice that it was given last. */
int stage_refused (const stage *s, int side, char *why, size_t size);

/* How far the user looks back: 0 is the newest state of the side that is ahead, 1 the step before it, and so
 * on. */
int stage_scroll (const stage *s);
void stage_scroll_to (stage *s, int steps_back);

#endif
