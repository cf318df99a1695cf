/*
 * Life of the viewer and the order of things in a frame.  See app.h.
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

static render_quality quality_of (const app *a)
{
    static const render_quality low = {0, 0, 2}, high = {4, 2048, 5};
    int kind = a->set.quality == QUALITY_AUTO
                   ? gpu_is_software () && !a->options.reproducible ? QUALITY_LOW : QUALITY_HIGH
                   : a->set.quality;
    render_quality q = kind == QUALITY_LOW ? low : high;
    /* Round edges are not seen on a thousand small bodies, but their triangles are paid for. */
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
    for (int i = 0; i < SECTION_APPEARANCE; i++) a->open[i] = 1;
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
    char error[256];
    if (a->film) capture_film_close (a->film, error, sizeof error);
    if (a->csv) record_close (a->csv, error, sizeof error);
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

void app_say (app *a, int is_error, const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (a->notice, sizeof a->notice, format, arguments);
    va_end (arguments);
    a->notice_is_error = is_error;
    a->notice_until = a->clock + (is_error ? 8 : 3);
}

static void forget_run (app *a)
{
    free_motion_free (a->motion);
    a->motion = NULL;
    a->debt = a->real_ratio = a->ratio_time = a->ratio_done = 0;
    a->single_steps = 0;
    a->drag = 0;
    a->pull.body = -1;
    a->hovered_joint = a->hovered_body = -1;
}

int app_open (app *a, const char *path)
{
    char error[512];
    if (!stage_open (a->stage, path, error, sizeof error))
    {
        app_say (a, 1, "%s", error);
        return 0;
    }
    forget_run (a);
    a->selected_joint = -1;
    const model *m = stage_model (a->stage);
    free (a->loop);
    a->loop = calloc ((size_t)m->bodies + 1, 1);
    a->scenes.current = scene_list_add (&a->scenes, stage_path (a->stage));
    a->scroll_list = 1;
    vec_copy (a->low, m->low);
    vec_copy (a->high, m->high);
    camera_init (&a->eye, m->up);
    a->floor_height = NAN;
    render_quality q = quality_of (a);
    if (memcmp (&q, &a->quality, sizeof q) != 0 && renderer_set_quality (a->gl, &q)) a->quality = q;
    stage_configure (a->stage, &a->set.choice);
    app_frame_camera (a, 0, 1);
    const char *warning;
    int warnings = stage_warnings (a->stage, &warning);
    if (warnings > 1)
        app_say (a, 0, "%s  (and %d more)", warning, warnings - 1);
    else if (warnings)
        app_say (a, 0, "%s", warning);
    return 1;
}

void app_reset (app *a)
{
    char error[512];
    if (!stage_model (a->stage)) return;
    if (!stage_reset (a->stage, error, sizeof error))
    {
        app_say (a, 1, "%s", error);
        return;
    }
    forget_run (a);
    const model *m = stage_model (a->stage);
    unsigned char *loop = realloc (a->loop, (size_t)m->bodies + 1); /* the file may have changed */
    if (loop) a->loop = loop;
    a->has_loop = 0;
    if (a->selected_joint >= m->joints) a->selected_joint = -1;
}

/* How well the simulation keeps up, once every half second. */
static void measure_pace (app *a, int done, double seconds)
{
    a->ratio_time += seconds;
    a->ratio_done += done * a->set.choice.common.step;
    if (a->ratio_time < 0.5) return;
    double ratio = a->ratio_done / a->ratio_time;
    a->real_ratio = !a->options.reproducible && ratio < 0.93 * a->set.speed ? ratio : 0;
    a->ratio_time = a->ratio_done = 0;
}

static void advance (app *a, double seconds)
{
    stage *s = a->stage;
    double h = a->set.choice.common.step;
    if (!stage_poll (s)) return;
    int done = stage_steps_done (s);
    char why[256];
    if (stage_refusal (s, why, sizeof why))
    {
        a->set.paused = 1;
        app_say (a, 1, "%s", why);
    }
    a->debt -= done * h;
    stage_configure (s, &a->set.choice);
    for (int i = 0; i < SIDES; i++) stage_pull (s, i, a->drag == 3 ? &a->pull : NULL);
    if (a->set.paused)
    {
        a->debt = a->ratio_time = a->ratio_done = a->real_ratio = 0;
        if (a->single_steps > 0) stage_run (s, a->single_steps, 1);
        a->single_steps = 0;
        return;
    }
    measure_pace (a, done, seconds);
    a->debt += seconds * a->set.speed;
    /* What cannot be caught up within a tenth of a second is given up, or a slow scene would freeze. */
    if (!a->options.reproducible) a->debt = fmin (a->debt, fmax (0.1 * a->set.speed, h));
    int steps = (int)floor (a->debt / h + 1e-6);
    if (steps > 0) stage_run (s, steps, 0.013);
}

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

static void watch_quality (app *a)
{
    render_quality q = quality_of (a);
    if (memcmp (&q, &a->quality, sizeof q) == 0) return;
    if (renderer_set_quality (a->gl, &q)) a->quality = q;
}

static void capture (app *a, int width, int height, double seconds)
{
    char parameters[512], error[512];
    if (a->want_film) app_toggle_film (a, NULL, width, height);
    a->want_film = 0;
    if (!a->want_picture && !a->film) return;
    unsigned char *pixels = capture_pixels (width, height);
    if (!pixels) return;
    app_parameters (a, parameters, sizeof parameters);
    if (a->want_picture)
    {
        if (capture_png (a->picture_path, pixels, width, height, parameters, error, sizeof error))
            app_say (a, 0, "Saved %s", a->picture_path);
        else
            app_say (a, 1, "%s", error);
        a->want_picture = 0;
    }
    /* Films run at 60 frames a second of real time, however unevenly they were drawn. */
    a->film_due += a->film ? 60 * seconds : 0;
    for (int most = 8; a->film && a->film_due >= 1 - 1e-6 && most; most--, a->film_due -= 1)
        if (!capture_film_add (a->film, pixels)) app_toggle_film (a, NULL, width, height);
    if (a->film_due >= 1) a->film_due = 0;
    free (pixels);
}

int app_is_still (const app *a)
{
    const camera *c = &a->eye;
    double turning = fabs (c->goal_yaw - c->yaw) + fabs (c->goal_pitch - c->pitch) +
                     fabs (c->goal_distance / c->distance - 1);
    return !a->drag && !a->film && !a->single_steps && turning < 1e-4 && a->clock > a->notice_until &&
           a->frame > 10;
}

/* The scale asked for, or what a small window has room for: the layout needs 1024 x 600 times it. */
static float fitting_scale (const app *a, int width, int height)
{
    double room = floor (8 * fmin (width / 1024.0, height / 600.0)) / 8;
    return (float)(room < a->set.scale ? fmax (room, fmin (0.75, a->set.scale)) : a->set.scale);
}

void app_frame (app *a, int width, int height, unsigned framebuffer, double seconds, int draw)
{
    a->frame_seconds += 0.1 * (seconds - a->frame_seconds);
    a->clock += seconds;
    watch_shaders (a);
    watch_quality (a);
    ui_set_scale (fitting_scale (a, width, height));
    ui_begin (width, height, seconds);
    app_make_layout (a, width, height);
    if (stage_model (a->stage))
    {
        advance (a, seconds);
        if (a->csv) record_update (a->csv, a->stage);
        app_interact (a);
        story_update (a->story, a->stage);
        const char *names[SIDES];
        for (int i = 0; i < SIDES; i++) names[i] = solver_names[a->set.choice.method[i].solver];
        story_tell (a->story, a->stage, names, &a->narration);
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
    draw = draw || a->film || a->want_film || a->want_picture;
    if (draw) app_draw_views (a, width, height, framebuffer);
    ui_end (draw);
    capture (a, width, height, seconds);
    a->frame++;
}

void app_parameters (const app *a, char *out, size_t size)
{
    const model *m = stage_model (a->stage);
    size_t used = (size_t)snprintf (out, size, "scene=%s", m ? m->name : "none");
    for (const setting *e = settings_table (); e->name; e++)
    {
        char value[64];
        settings_get (&a->set, e, value, sizeof value);
        if (used < size) used += (size_t)snprintf (out + used, size - used, " %s=%s", e->name, value);
    }
}

void app_toggle_film (app *a, const char *path, int width, int height)
{
    char error[512], parameters[512];
    if (a->film)
    {
        int frames = capture_film_frames (a->film);
        if (capture_film_close (a->film, error, sizeof error))
            app_say (a, 0, "Saved %s, %d frames", a->film_path, frames);
        else
            app_say (a, 1, "%s", error);
        a->film = NULL;
        return;
    }
    snprintf (a->film_path, sizeof a->film_path, "%s", path ? path : "ode-rls.mp4");
    app_parameters (a, parameters, sizeof parameters);
    a->film = capture_film_open (a->film_path, width, height, 60, parameters, error, sizeof error);
    a->film_due = 0;
    if (!a->film) app_say (a, 1, "%s", error);
}

void app_toggle_csv (app *a, const char *path)
{
    char error[512];
    if (a->csv)
    {
        if (record_close (a->csv, error, sizeof error))
            app_say (a, 0, "CSV saved");
        else
            app_say (a, 1, "%s", error);
        a->csv = NULL;
        return;
    }
    if (!stage_model (a->stage)) return;
    a->csv =
        record_open (path ? path : "ode-rls.csv", a->stage, a->options.reproducible, error, sizeof error);
    if (a->csv)
        app_say (a, 0, "Recording %s", path ? path : "ode-rls.csv");
    else
        app_say (a, 1, "%s", error);
}
