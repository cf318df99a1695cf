/*
 * Everything a key can do, in one table: the window, scripts and the help overlay read it.
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
    ACTION_A_ODE,
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
void action_do (app *a, int kind);
int action_find (const char *name); /* -1 if there is none */

#define ACTION_SHIFT 1
#define ACTION_CONTROL 2

/* What a key does, a GLFW key code with modifiers; returns 0 if it does nothing. */
int action_key (app *a, int key, int modifiers);

/* The same for what GLFW reports of a key. */
void action_glfw_key (app *a, int key, int event, int modifiers);

void action_step_size (app *a, int larger);
void action_look (app *a, int preset);

#endif
