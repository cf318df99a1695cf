/*
 * The viewer itself: one struct that the window, the headless runner, the panels and the keys share.
 * app_frame makes one frame, for the window and the headless runner alike.
 */
#ifndef VIEWER_APP_H
#define VIEWER_APP_H

#include "adapter.h"
#include "camera.h"
#include "capture.h"
#include "format.h"
#include "free_motion.h"
#include "heat_fit.h"
#include "record.h"
#include "renderer.h"
#include "scene_list.h"
#include "settings.h"
#include "undo.h"
#include "stage.h"
#include "story.h"
#include "ui.h"

/* Areas of the screen, in pixels from the upper left corner. */
typedef struct
{
    float x, y, w, h;
} area;

typedef struct
{
    area top, left, right, bottom, centre;
    area view[SIDES]; /* empty if the side is not shown */
} app_layout;

typedef struct
{
    const char *scenes_folder, *shader_folder, *state_path;
    int windowless;   /* there is no window: opening a scene waits until it has been read */
    int reproducible; /* the same in every run: frames of equal length, no measured times on the screen */
} app_options;

/* What the mouse button that is held down does. */
typedef enum
{
    DRAG_NONE,
    DRAG_ORBIT, /* turns the camera */
    DRAG_PAN,   /* moves the camera */
    DRAG_PULL   /* pulls a body */
} drag_kind;

typedef struct
{
    settings set;
    app_options options;
    stage *stage;
    renderer *gl;
    render_quality quality;
    scene_list scenes;
    camera eye;
    story_side story[SIDES];
    story_text narration;
    heatmap_scale heat;    /* the scale of joints in use: that of the settings, or the fitted one */
    heatmap_scale contact; /* the scale of contacts */
    heat_fit fit;
    undo_list undo;
    struct
    {
        steady_number gap, angle, depth, step_time;
        steady_count rank, dof, redundant, rows;
    } shown[SIDES]; /* the numbers over the views, which change only so often that they can be read */
    app_layout layout;
    draw_list draw[SIDES];
    label_list labels[SIDES];
    mat4 view_projection[SIDES];
    double low[3], high[3]; /* the box that the camera should keep in view, m */
    double floor_height;

    /* time */
    double goal;       /* simulated time that both sides should have reached */
    double real_ratio; /* simulated seconds in a second, if it is slower than asked; otherwise 0 */
    double ratio_time, ratio_done; /* when this was measured last, and the simulated time then */
    int single_steps;              /* asked for while paused */
    double frame_seconds, clock;
    long frame;

    /* the mouse in the views */
    int hovered_view, hovered_joint, hovered_body, selected_joint;
    unsigned char *loop; /* bodies in the hovered joint's loop, and whether there is one */
    int has_loop;
    drag_kind drag;
    int drag_view;
    float drag_mouse[2];
    sim_pull pull;
    double pull_depth; /* distance of the pulled point from the eye, m */

    free_motion *motion; /* NULL until free motions are shown */
    record_csv *csv;
    capture_film *film;
    char film_path[256];
    double film_due;      /* frames that the film still lacks, after the time that has passed */
    char film_final[256]; /* the name that it gets once it is complete */
    int want_film;        /* start or end the film at the end of this frame */
    int want_share;       /* begin a film to share at the end of this frame */
    int share;            /* frames of it that are still to come */
    settings share_back;  /* the settings before it, which are restored afterwards */
    int want_picture;     /* take a screenshot at the end of this frame */
    char picture_path[256];
    long long file_stamp; /* when the scene's file was last saved */
    int reopening;        /* the scene being read is the present one again: the camera stays */
    double opening_since;
    int open_failed;  /* the scene asked for could not be read */
    int want_shaders; /* reload at the end of this frame */
    long long shader_stamp;
    char shader_error[1024];
    char notice[256]; /* a message that fades */
    int notice_is_error;
    double notice_until;
    int keyboard;          /* arrow keys move among the controls of the panel */
    int quit, full_screen; /* requests to the window */
    int scroll_list;       /* bring the selected scene into view */
} app;

/* Needs a current OpenGL context and ui_create done.  Returns 1, or 0 with one line in error. */
int app_init (app *a, const settings *set, const app_options *options, char *error, size_t size);
void app_free (app *a);

/* Begins to open a scene file; on failure says so on the screen and keeps the present one.  Returns 0 if it
 * has failed already. */
int app_open (app *a, const char *path);

/* Begins the present scene again from its file. */
void app_reset (app *a);

/* One frame into a framebuffer of this size, seconds after the last one.  Without draw everything happens but
 * the picture, unless one is being captured. */
void app_frame (app *a, int width, int height, unsigned framebuffer, double seconds, int draw);

/* 1 if the next frame would show the same, unless the user does something. */
int app_is_still (const app *a);

/* A message on the screen, for a few seconds. */
void app_say (app *a, int is_error, const char *format, ...) __attribute__ ((format (printf, 3, 4)));

/* Starts or ends a film or a CSV recording.  With path NULL it gets a name that no file has yet. */
void app_toggle_film (app *a, const char *path, int width, int height);
void app_toggle_csv (app *a, const char *path);

/* Hinges and sliders can be driven by a motor of the user's. */
int app_has_motor (const model *m, int joint);

/* Sets the motor of a joint on both sides: a motor_mode and its target. */
void app_set_motor (app *a, int joint, int mode, double target);

/* Throws a ball from the camera towards the mouse, or towards the middle of the view if the mouse is
 * elsewhere. */
void app_throw (app *a);

/* Takes both sides back to a state that was kept. */
void app_come_back (app *a, int state);

/* Begins a film of six seconds to show to others: without panels, with fitted colours, and also as an
 * animated picture. */
void app_share (app *a);

/* Finds a name that no file has yet, such as "bricard-001.png". */
void app_unused_name (const app *a, const char *ending, char *out, size_t size);

#endif
