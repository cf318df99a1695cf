/*
 * The viewer's entry point: reads the command line, then opens a window or makes a headless run.
 */
#include "viewer.h"

#include "app.h"
#include "gpu.h"
#include "headless.h"
#include "script.h"
#include "settings_file.h"
#include "startup.h"
#include "state_dump.h"
#include "view_options.h"
#include "window.h"

#include <stdio.h>
#include <string.h>

static const double frame_seconds = 1.0 / 60;

/* Makes the frames of a headless run.  Returns the exit status. */
static int run_frames (app *a, const view_options *o, script *commands, unsigned framebuffer)
{
    char error[512];
    int frames = o->frames ? o->frames : 240, more = 1;
    if (o->mp4) app_toggle_film (a, o->mp4, o->width, o->height);
    if (o->csv) app_toggle_csv (a, o->csv);
    for (int i = 0; commands ? more > 0 && !a->quit && (!o->frames || i < frames) : i < frames; i++)
    {
        if (o->stopped && o->stopped ()) break;
        if (commands)
        {
            more = script_run (commands, a, o->width, o->height, frame_seconds, error, sizeof error);
            if (more < 0)
            {
                fprintf (stderr, "ode-rls: %s\n", error);
                return 2;
            }
            script_feed (commands);
        }
        else
            ui_feed_mouse (-1, -1, 0, 0, 0, 0);
        if (o->png && !commands && i == frames - 1)
        {
            snprintf (a->picture_path, sizeof a->picture_path, "%s", o->png);
            a->want_picture = 1;
        }
        glBindFramebuffer (GL_FRAMEBUFFER, framebuffer);
        app_frame (a, o->width, o->height, framebuffer, frame_seconds, o->draw_all);
        if (a->notice_is_error && *a->notice)
        {
            fprintf (stderr, "ode-rls: %s\n", a->notice);
            if (!commands) return 1;
            *a->notice = 0;
        }
    }
    return 0;
}

/* Writes the state and ends what is being recorded.  Returns the exit status. */
static int finish (app *a, const view_options *o)
{
    char error[512];
    int status = 0;
    if (o->state && !state_dump (a, o->state, error, sizeof error))
    {
        fprintf (stderr, "ode-rls: %s\n", error);
        status = 1;
    }
    if (a->film) app_toggle_film (a, NULL, o->width, o->height);
    if (a->csv) app_toggle_csv (a, NULL);
    if (a->notice_is_error && *a->notice) status = 1;
    if (o->stopped && o->stopped ()) status = 1;
    return status;
}

static int headless_run (const view_options *o)
{
    char error[2048];
    script *commands = NULL;
    if (o->script && !(commands = script_read (o->script, error, sizeof error)))
    {
        fprintf (stderr, "ode-rls: %s\n", error);
        return 2;
    }
    headless *context = headless_create (o->gl_messages, error, sizeof error);
    gpu_target target;
    memset (&target, 0, sizeof target);
    int status = 1;
    if (!context)
        fprintf (stderr, "ode-rls: %s\n", error);
    else if (!gpu_target_resize (&target, o->width, o->height, 0) || !ui_create (NULL, (float)o->set.scale))
        fprintf (stderr, "ode-rls: no framebuffer of %d x %d pixels\n", o->width, o->height);
    else
    {
        app a;
        const app_options options = {o->scenes_folder, o->shader_folder, o->state, 1, !o->timings};
        if (o->gl_messages) gpu_print_messages ();
        status = startup (&a, o, &options);
        if (!status) status = run_frames (&a, o, commands, target.framebuffer);
        if (!status) status = finish (&a, o);
        app_free (&a);
    }
    ui_destroy ();
    if (context) gpu_target_free (&target);
    headless_free (context);
    script_free (commands);
    return status;
}

/* 1 if a window is to be opened.  Only then the settings that the user has kept are used, so that pictures of
   headless runs do not depend on them. */
static int opens_window (int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp (argv[i], "--headless") == 0) return 0;
    return 1;
}

int viewer_main (int argc, char **argv, int (*stopped) (void))
{
    view_options o;
    char error[512];
    settings begin;
    settings_default (&begin);
    if (opens_window (argc, argv) && !settings_recall (&begin, error, sizeof error))
        fprintf (stderr, "ode-rls: %s\n", error);
    if (!view_options_parse (&o, &begin, argc, argv, error, sizeof error))
    {
        fprintf (stderr, "ode-rls: %s\n", error);
        return 2;
    }
    o.stopped = stopped;
    if (o.help)
    {
        view_options_help ();
        return 0;
    }
    return o.headless ? headless_run (&o) : window_run (&o);
}
