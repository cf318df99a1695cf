/*
 * The viewer itself: one struct that the window, the headless runner, the panels and the keys share.
 * app_frame is one picture, whoever shows it.
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
    int windowless;   /* nobody watches: waits for scenes to be read */
    int reproducible; /* no clocks: fixed frames, no timings on the screen */
} app_options;

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
    heatmap_scale heat;    /* the scale in use: the settings' own, or the one that fits */
    heatmap_scale contact; /* that of contacts */
    heat_fit fit;
    undo_list undo;
    struct
    {
        steady_number gap, angle, depth, step_time;
        steady_count rank, dof, redundant, rows;
    } shown[SIDES]; /* what is written in numbers */
    app_layout layout;
    draw_list draw[SIDES];
    label_list labels[SIDES];
    mat4 view_projection[SIDES];
    double low[3], high[3]; /* what the camera should keep in view */
    double floor_height;

    /* time */
    double goal;       /* simulated time that both sides should have reached */
    double real_ratio; /* simulated seconds a second achieved, when slower than asked; otherwise 0 */
    double ratio_time, ratio_done;
    int single_steps; /* asked for while paused */
    double frame_seconds, clock;
    long frame;

    /* the mouse in the views */
    int hovered_view, hovered_joint, hovered_body, selected_joint;
    unsigned char *loop; /* bodies in the hovered joint's loop, and whether there is one */
    int has_loop;
    int drag; /* 0 none, 1 orbit, 2 pan, 3 pulling a body */
    int drag_view;
    float drag_mouse[2];
    sim_pull pull;
    double pull_depth;

    free_motion *motion; /* made when first asked for */
    record_csv *csv;
    capture_film *film;
    char film_path[256];
    double film_due;
    char film_final[256]; /* what it will be called once it is whole */
    int want_film;        /* start or end the film at the end of this frame */
    int want_share;       /* begin a film to share at the end of this frame */
    int share;            /* frames of it still to come */
    settings share_back;  /* the settings to come back to */
    int want_picture;     /* take a screenshot at the end of this frame */
    char picture_path[256];
    long long file_stamp; /* when the scene's file was last saved */
    int reopening;        /* the same scene again: the view stays */
    double opening_since;
    int open_failed;  /* the scene asked for could not be read */
    int want_shaders; /* reload at the end of this frame */
    long long shader_stamp;
    char shader_error[1024];
    char notice[256]; /* a message that fades */
    int notice_is_error;
    double notice_until;
    int keyboard;          /* arrows work the controls */
    int quit, full_screen; /* requests to the window */
    int scroll_list;       /* bring the selected scene into view */
} app;

/* Needs a current OpenGL context and ui_create done.  Returns 1, or 0 with one line in error. */
int app_init (app *a, const settings *set, const app_options *options, char *error, size_t size);
void app_free (app *a);

/* Begins to open a scene file; on failure says so on the screen and keeps the present one.  Returns 0 if it
 * has failed already. */
int app_open (app *a, const char *path);

/* Takes over a scene that has been read.  Returns 0 if it could not be. */
int app_opened (app *a);
void app_reset (app *a);

/* One frame into a framebuffer of this size, seconds after the last one.  Without draw everything
 * happens but the picture, unless one is being captured. */
void app_frame (app *a, int width, int height, unsigned framebuffer, double seconds, int draw);

/* 1 if the next frame would show the same, unless the user does something. */
int app_is_still (const app *a);

/* A message on the screen, for a few seconds. */
void app_say (app *a, int is_error, const char *format, ...) __attribute__ ((format (printf, 3, 4)));

/* "scene=bricard a.solver=quick ...": what pictures and films carry with them. */
void app_parameters (const app *a, char *out, size_t size);

/* Starts or ends a film or CSV recording; path may be NULL for a name that no file has yet. */
void app_toggle_film (app *a, const char *path, int width, int height);
void app_toggle_csv (app *a, const char *path);

/* Hinges and sliders can be driven by the user: a motor_mode and its target, on both sides, with a force (N
 * or N m) that suits the scene. */
int app_has_motor (const model *m, int joint);
double app_motor_limit (const model *m, int joint);
void app_set_motor (app *a, int joint, int mode, double target);

/* A ball from the camera towards the mouse, or the middle of the view. */
void app_throw (app *a);

/* Back to a state that was kept. */
void app_come_back (app *a, int state);

/* A film of six seconds to show to others: no panels, the scale fitted, also as an animated picture. */
void app_share (app *a);

/* A name that no file has yet: "bricard-001.png". */
void app_unused_name (const app *a, const char *ending, char *out, size_t size);

#endif
