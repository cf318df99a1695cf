/*
 * What the viewer writes: pictures, films, tables.  A name that it chooses is never that of an existing file.
 * A film is written under another name, and gets its own once it is complete.
 */
#define _GNU_SOURCE
#include "app_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHARE_SECONDS 6
#define RATE 60 /* frames of a film a second */

void app_unused_name (const app *a, const char *ending, char *out, size_t size)
{
    char stem[64];
    const model *m = stage_model (a->stage);
    snprintf (stem, sizeof stem, "%.60s", m ? m->name : "ode-rls");
    for (char *c = stem; *c; c++)
        if (!isalnum ((unsigned char)*c) && *c != '_' && *c != '-') *c = '-';
    for (int i = 1; i < 1000000; i++)
    {
        snprintf (out, size, "%s-%03d.%s", stem, i, ending);
        if (access (out, F_OK) != 0) return;
    }
}

/* "scene=bricard a.solver=quick ...", which pictures and films carry in them. */
static void describe_run (const app *a, char *out, size_t size)
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

/* ---- films --------------------------------------------------------------------------------------------- */

static void end_film (app *a)
{
    char error[512];
    int frames = capture_film_frames (a->film), good = capture_film_close (a->film, error, sizeof error);
    a->film = NULL;
    if (good && rename (a->film_path, a->film_final) != 0)
    {
        snprintf (error, sizeof error, "%s: cannot be written", a->film_final);
        good = 0;
    }
    if (good)
        app_say (a, 0, "Saved %s, %d frames", a->film_final, frames);
    else
    {
        unlink (a->film_path);
        app_say (a, 1, "%s", error);
    }
}

static void begin_film (app *a, const char *path, int width, int height)
{
    char error[512], parameters[1024];
    if (path)
        snprintf (a->film_final, sizeof a->film_final, "%s", path);
    else
        app_unused_name (a, "mp4", a->film_final, sizeof a->film_final);
    struct stat status;
    if (stat (a->film_final, &status) == 0 && !S_ISREG (status.st_mode))
    {
        app_say (a, 1, "%s: is no file, and films need one", a->film_final);
        return;
    }
    /* The unfinished film has the same ending, by which the encoder knows the kind of file. */
    const char *dot = strrchr (a->film_final, '.'), *slash = strrchr (a->film_final, '/');
    if (!dot || (slash && dot < slash)) dot = ".mp4";
    if (snprintf (a->film_path, sizeof a->film_path, "%s.part%s", a->film_final, dot) >=
        (int)sizeof a->film_path)
    {
        app_say (a, 1, "the name of the film is too long");
        return;
    }
    describe_run (a, parameters, sizeof parameters);
    a->film = capture_film_open (a->film_path, width, height, RATE, parameters, error, sizeof error);
    a->film_due = 0;
    if (!a->film) app_say (a, 1, "%s", error);
}

void app_toggle_film (app *a, const char *path, int width, int height)
{
    if (a->film)
        end_film (a);
    else
        begin_film (a, path, width, height);
}

void app_share (app *a)
{
    if (a->film || !stage_model (a->stage)) return;
    a->share_back = a->set;
    a->set.panel = a->set.plots = a->set.help = a->set.paused = 0;
    a->set.heat_mode = HEAT_FITTED;
    a->set.story = 1;
    a->want_share = 1;
}

/* Begins the film at the end of the frame in which the panels have gone. */
static void begin_share (app *a, int width, int height)
{
    a->want_share = 0;
    begin_film (a, NULL, width, height);
    a->share = a->film ? SHARE_SECONDS * RATE : 0;
    if (!a->film) a->set = a->share_back;
}

/* Restores the settings, and has the film made into an animated picture as well. */
static void end_share (app *a)
{
    char error[512], picture[300];
    a->share = 0;
    const int paused = a->set.paused;
    a->set = a->share_back;
    a->set.paused = paused;
    if (!a->film) return;
    end_film (a);
    snprintf (picture, sizeof picture, "%.*s.webp", (int)strcspn (a->film_final, "."), a->film_final);
    if (a->notice_is_error || access (picture, F_OK) == 0) return;
    if (capture_animate (a->film_final, picture, !a->options.reproducible, error, sizeof error))
        app_say (a, 0, "Saved %s and %s", a->film_final, picture);
    else
        app_say (a, 1, "%s", error);
}

/* ---- tables -------------------------------------------------------------------------------------------- */

void app_toggle_csv (app *a, const char *path)
{
    char error[512], name[256];
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
    app_unused_name (a, "csv", name, sizeof name);
    a->csv = record_open (path ? path : name, a->stage, a->options.reproducible, error, sizeof error);
    if (a->csv)
        app_say (a, 0, "Recording %s", path ? path : name);
    else
        app_say (a, 1, "%s", error);
}

/* ---- a frame ------------------------------------------------------------------------------------------- */

static void save_picture (app *a, const unsigned char *pixels, int width, int height)
{
    char parameters[1024], error[512];
    describe_run (a, parameters, sizeof parameters);
    if (capture_png (a->picture_path, pixels, width, height, parameters, error, sizeof error))
        app_say (a, 0, "Saved %s", a->picture_path);
    else
        app_say (a, 1, "%s", error);
    a->want_picture = 0;
}

void app_capture (app *a, int width, int height, double seconds)
{
    if (a->want_film) app_toggle_film (a, NULL, width, height);
    if (a->want_share) begin_share (a, width, height);
    a->want_film = 0;
    if (!a->want_picture && !a->film) return;
    unsigned char *pixels = capture_pixels (width, height);
    if (!pixels) return;
    if (a->want_picture) save_picture (a, pixels, width, height);
    /* A film has 60 frames in a second of real time.  A frame that was on the screen for longer is added
       several times (at most eight), and one that was too short is left out. */
    a->film_due += a->film ? RATE * seconds : 0;
    for (int most = 8; a->film && a->film_due >= 1 - 1e-6 && most; most--, a->film_due -= 1)
        if (!capture_film_fits (a->film, width, height) || !capture_film_add (a->film, pixels)) end_film (a);
    if (a->film_due >= 1) a->film_due = 0;
    free (pixels);
    if (a->share && (--a->share == 0 || !a->film)) end_share (a);
}

void app_close_files (app *a)
{
    char error[512];
    if (a->share) a->set = a->share_back;
    if (a->film) end_film (a);
    if (a->csv) record_close (a->csv, error, sizeof error);
    a->csv = NULL;
}
