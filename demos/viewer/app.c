/*
 * Creates and frees the viewer, opens scenes, and does what is to be done in a frame, in its order.  See
 * app.h.
 */
#include "app_parts.h"

#include "gpu.h"
#include "ode_guard.h"
#include "shader_source.h"
#include "vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static render_quality quality_of (const app *a)
{
    static const render_quality low = {0, 0, 2}, high = {4, 2048, 5};
    int kind = a->set.quality == QUALITY_AUTO
                   ? gpu_is_software () && !a->options.reproducible ? QUALITY_LOW : QUALITY_HIGH
                   : a->set.quality;
    render_quality q = kind == QUALITY_LOW ? low : high;
    /* A scene of many bodies shows them so small that round edges cannot be seen, but their triangles cost
     * time. */
    const model *m = stage_model (a->stage);
    if (m && m->shapes + m->joints > 300) q.detail = 2;
    if (m && m->shapes + m->joints > 600) q.detail = 1;
    return q;
}

int app_init (app *a, const settings *set, const app_options *options, char *error, size_t size)
{
    memset (a, 0, sizeof *a);
    a->set = *set;
    a->options = *options;
    a->hovered_view = a->hovered_joint = a->hovered_body = a->selected_joint = -1;
    a->pull.body = -1;
    a->scenes.current = -1;
    ode_guard_install ();
    a->stage = stage_create (!options->reproducible);
    if (!a->stage)
    {
        snprintf (error, size, "out of memory");
        return 0;
    }
    a->quality = quality_of (a);
    a->gl = renderer_create (&a->quality, options->shader_folder, error, size);
    if (!a->gl) return 0;
    if (options->shader_folder) a->shader_stamp = shader_source_stamp (options->shader_folder);
    if (options->scenes_folder)
        scene_list_add_folder (&a->scenes, options->scenes_folder);
    else
        scene_list_add_own (&a->scenes);
    scene_list_add_generated (&a->scenes);
    const double up[3] = {0, 0, 1};
    camera_init (&a->eye, up);
    return 1;
}

void app_free (app *a)
{
    app_close_files (a);
    free_motion_free (a->motion);
    stage_free (a->stage);
    renderer_free (a->gl);
    scene_list_free (&a->scenes);
    for (int i = 0; i < SIDES; i++)
    {
        draw_free (&a->draw[i]);
        label_free (&a->labels[i]);
    }
    free (a->loop);
    memset (a, 0, sizeof *a);
}

static long long file_stamp (const char *path)
{
    struct stat info;
    if (stat (path, &info) != 0) return 0; /* a generated scene */
    return (long long)info.st_mtim.tv_sec * 1000000000LL + info.st_mtim.tv_nsec;
}

void app_say (app *a, int is_error, const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (a->notice, sizeof a->notice, format, arguments);
    va_end (arguments);
    a->notice_is_error = is_error;
    a->notice_until = a->clock + (is_error ? 8 : 3);
}

/* Forgets what belongs to the run so far, before the scene begins anew or another one takes its place. */
static void forget_run (app *a)
{
    free_motion_free (a->motion);
    a->motion = NULL;
    a->goal = a->real_ratio = a->ratio_time = a->ratio_done = 0;
    a->single_steps = 0;
    memset (a->shown, 0, sizeof a->shown);
    heat_fit_reset (&a->fit);
    a->drag = DRAG_NONE;
    a->pull.body = -1;
    a->hovered_joint = a->hovered_body = -1;
}

/* What the reader warned of: all of it on the terminal, the first of it on the screen, as long as an error.
 */
static void tell_warnings (app *a)
{
    const int count = stage_warnings (a->stage);
    const char *line;
    int told = 0;
    for (; (line = stage_warning (a->stage, told)); told++) fprintf (stderr, "ode-rls: warning: %s\n", line);
    if (told < count)
        fprintf (stderr, "ode-rls: warning: %s: %d more lines like these\n", stage_path (a->stage),
                 count - told);
    if (!count) return;
    line = stage_warning (a->stage, 0);
    if (count > 1)
        app_say (a, 0, "%s  (and %d more)", line, count - 1);
    else
        app_say (a, 0, "%s", line);
    a->notice_until = a->clock + 8;
}

/* Takes up the scene that has just been opened.  If it is the same scene again, the camera, the selected
   joint and the list stay as they are. */
static void begin_scene (app *a)
{
    const int again = a->reopening;
    a->reopening = 0;
    forget_run (a);
    const model *m = stage_model (a->stage);
    unsigned char *loop = realloc (a->loop, (size_t)m->bodies + 1);
    if (loop) a->loop = loop;
    a->has_loop = 0;
    stage_poll (a->stage, &a->set.choice);
    a->file_stamp = file_stamp (stage_path (a->stage));
    if (again)
    {
        if (a->selected_joint >= m->joints) a->selected_joint = -1; /* the file may have changed */
        return;
    }
    a->selected_joint = -1;
    a->scenes.current = scene_list_add (&a->scenes, stage_path (a->stage));
    a->scroll_list = 1;
    vec_copy (a->low, m->low);
    vec_copy (a->high, m->high);
    camera_init (&a->eye, m->up);
    a->floor_height = NAN;
    render_quality q = quality_of (a);
    if (memcmp (&q, &a->quality, sizeof q) != 0 && renderer_set_quality (a->gl, &q)) a->quality = q;
    app_frame_camera (a, 0, 1);
    tell_warnings (a);
}

/* Takes over a scene that has been read, if there is one.  Returns 0 if it could not be read. */
static int opened (app *a)
{
    char error[512];
    if (a->options.windowless) stage_wait (a->stage);
    const stage_result result = stage_opened (a->stage, error, sizeof error);
    if (result == STAGE_OPENED) begin_scene (a);
    if (result != STAGE_FAILED) return 1;
    a->reopening = 0;
    app_say (a, 1, "%s", error);
    return 0;
}

int app_open (app *a, const char *path)
{
    stage_open (a->stage, path);
    a->opening_since = a->clock;
    a->reopening = 0;
    return opened (a);
}

void app_reset (app *a)
{
    if (!stage_model (a->stage)) return;
    stage_open (a->stage, stage_path (a->stage));
    a->opening_since = a->clock;
    a->reopening = 1;
    opened (a);
}

/* Reads the shaders again if a file of theirs has changed, or if the user asks for it. */
static void watch_shaders (app *a)
{
    if (a->options.shader_folder && a->frame % 30 == 0)
    {
        long long stamp = shader_source_stamp (a->options.shader_folder);
        if (stamp != a->shader_stamp) a->want_shaders = 1;
        a->shader_stamp = stamp;
    }
    if (!a->want_shaders) return;
    a->want_shaders = 0;
    *a->shader_error = 0;
    if (renderer_reload (a->gl, a->shader_error, sizeof a->shader_error))
        app_say (a, 0, "Shaders reloaded");
    else
        fprintf (stderr, "ode-rls: %s\n", a->shader_error);
}

/* Opens the scene again if its file has been saved since it was read; looks every half second. */
static void watch_file (app *a)
{
    if (a->options.reproducible || a->frame % 30 || !stage_model (a->stage) || stage_opening (a->stage))
        return;
    const long long stamp = file_stamp (stage_path (a->stage));
    if (stamp == a->file_stamp || !stamp) return;
    a->file_stamp = stamp;
    app_reset (a);
    app_say (a, 0, "Read again: the file was saved");
}

/* Follows changes of the quality setting and of the number of bodies. */
static void watch_quality (app *a)
{
    render_quality q = quality_of (a);
    if (memcmp (&q, &a->quality, sizeof q) == 0) return;
    if (renderer_set_quality (a->gl, &q)) a->quality = q;
}

int app_is_still (const app *a)
{
    const camera *c = &a->eye;
    double turning = fabs (c->goal_yaw - c->yaw) + fabs (c->goal_pitch - c->pitch) +
                     fabs (c->goal_distance / c->distance - 1);
    return !a->drag && !a->film && !a->single_steps && turning < 1e-4 && a->clock > a->notice_until &&
           a->frame > 10;
}

/* The scale of text and controls: what the user asked for, or less in a small window, since the layout needs
   1024 x 600 pixels times the scale. */
static float fitting_scale (const app *a, int width, int height)
{
    double room = floor (8 * fmin (width / 1024.0, height / 600.0)) / 8;
    return (float)(room < a->set.scale ? fmax (room, fmin (0.75, a->set.scale)) : a->set.scale);
}

void app_frame (app *a, int width, int height, unsigned framebuffer, double seconds, int draw)
{
    if (a->share)
        seconds = 1.0 / 60; /* a film to share advances by its own frames, however long each takes to draw */
    a->frame_seconds += 0.1 * (seconds - a->frame_seconds);
    a->clock += seconds;
    watch_shaders (a);
    watch_quality (a);
    watch_file (a);
    if (!opened (a)) a->open_failed = 1;
    undo_watch (&a->undo, &a->set, ui_held (0));
    ui_set_scale (fitting_scale (a, width, height));
    ui_begin (width, height, seconds);
    app_make_layout (a, width, height);
    if (stage_model (a->stage))
    {
        app_advance (a, seconds);
        if (a->csv) record_update (a->csv, a->stage);
        app_interact (a);
        story_update (a->story, a->stage, &a->narration);
        app_fit_heat (a, seconds);
        app_frame_camera (a, seconds, 0);
        app_fill_views (a);
        panel_views (a);
        if (a->layout.right.w > 0) panel_legend (a);
        if (a->layout.bottom.h > 0) panel_plots (a);
    }
    panel_top (a);
    if (a->layout.left.w > 0) panel_left (a);
    panel_notice (a, width, height);
    if (a->set.help) panel_help (a, width, height);
    draw = draw || a->film || a->want_film || a->want_picture || a->want_share;
    if (draw) app_draw_views (a, width, height, framebuffer);
    ui_end (draw);
    app_capture (a, width, height, seconds);
    a->frame++;
}
