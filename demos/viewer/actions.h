/*
 * Everything that a key can do, in one table, which the window, scripts and the help overlay read.
 */
#ifndef VIEWER_ACTIONS_H
#define VIEWER_ACTIONS_H

#include "app.h"

typedef enum
{
    ACTION_PAUSE,
    ACTION_FORWARD,
    ACTION_BACK,
    ACTION_FORWARD_FAR,
    ACTION_BACK_FAR,
    ACTION_RESET,
    ACTION_SLOWER,
    ACTION_FASTER,
    ACTION_A_ODE, /* the steppers of a side, in the order of solver_kind */
    ACTION_A_QUICK,
    ACTION_A_RLS,
    ACTION_B_ODE,
    ACTION_B_QUICK,
    ACTION_B_RLS,
    ACTION_INTEGRATOR_B,
    ACTION_INTEGRATOR_A,
    ACTION_STEP_SIZE,
    ACTION_NEXT_SCENE,
    ACTION_LAST_SCENE,
    ACTION_LAYOUT,
    ACTION_GHOST,
    ACTION_MAP,
    ACTION_LABELS,
    ACTION_REACTIONS,
    ACTION_AXES,
    ACTION_GAPS,
    ACTION_MOTION,
    ACTION_GLASS,
    ACTION_WIRE,
    ACTION_TRAILS,
    ACTION_SHADOWS,
    ACTION_FIT,
    ACTION_LOOK,
    ACTION_NEXT_JOINT,
    ACTION_CUT,
    ACTION_DOUBLE,
    ACTION_THROW,
    ACTION_KEEP_STATE,
    ACTION_COME_BACK,
    ACTION_CONTACTS,
    ACTION_RACE,
    ACTION_UNDO,
    ACTION_SHARE,
    ACTION_PLOTS,
    ACTION_DETAIL,
    ACTION_PANEL,
    ACTION_PICTURE,
    ACTION_FILM,
    ACTION_CSV,
    ACTION_KEEP,
    ACTION_FORGET,
    ACTION_SHADERS,
    ACTION_HELP,
    ACTION_KEYBOARD,
    ACTION_FULL_SCREEN,
    ACTION_QUIT,
    ACTION_ESCAPE,
    ACTION_COUNT
} action_kind;

typedef struct
{
    const char *name; /* in scripts */
    const char *keys; /* as the help shows them */
    const char *help;
    int minor; /* left out of the help overlay */
} action;

const action *action_at (int kind);

/* Does an action_kind. */
void action_do (app *a, int kind);

/* The action of a name, -1 if there is none. */
int action_find (const char *name);

/* Does what a key stands for; the arguments are those of GLFW's key callback. */
void action_glfw_key (app *a, int key, int event, int modifiers);

/* The speeds that keys and the list at the top offer: simulated seconds in a second. */
#define ACTION_SPEEDS 7
extern const double action_speeds[ACTION_SPEEDS];

/* The number of the value in a list that is nearest to a value, by their ratio. */
int action_nearest (const double *list, int count, double value);

/* Changes the time step to the next larger or smaller one of a list. */
void action_step_size (app *a, int larger);

/* Turns the camera to a camera_preset. */
void action_look (app *a, int preset);

#endif
