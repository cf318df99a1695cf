/*
 * Opens and closes scenes.  A scene is read in another thread, if there is one, while the present one is
 * shown.
 */
#define _GNU_SOURCE
#include "stage_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void prepare_thread (void) { dAllocateODEDataForThread (dAllocateMaskAll); }

stage *stage_create (int threaded)
{
    stage *s = calloc (1, sizeof *s);
    if (!s) return NULL;
    s->threaded = threaded;
    s->scroll = NAN;
    dInitODE2 (0);
    prepare_thread ();
    return s;
}

/* Frees a side.  A worker that was left behind calls it when its job ends. */
static void free_side (void *context)
{
    stage_side *d = context;
    if (!d) return;
    sim_close (d->sim);
    snapshot_free (&d->recall);
    free (d);
}

/* Closes a side.  If its worker is busy, the worker closes it when the job ends. */
static void leave_side (stage_side *d)
{
    if (!d) return;
    worker *w = d->worker;
    if (w && worker_busy (w))
    {
        worker_abandon (w, free_side, d);
        return;
    }
    worker_stop (w);
    free_side (d);
}

static void free_opening (void *context)
{
    opening *o = context;
    for (int i = 0; i < SIDES; i++) leave_side (o->side[i]);
    free (o->path);
    free (o);
}

/* Gives up the scene that is being opened. */
static void drop_opening (stage *s)
{
    if (!s->opening) return;
    if (s->reader && worker_busy (s->reader))
        worker_abandon (s->reader, free_opening, s->opening);
    else
    {
        worker_stop (s->reader);
        free_opening (s->opening);
    }
    s->reader = NULL;
    s->opening = NULL;
}

static void close_scene (stage *s)
{
    for (int i = 0; i < SIDES; i++)
    {
        leave_side (s->side[i]);
        s->side[i] = NULL;
    }
    free (s->path);
    s->path = NULL;
    s->scroll = NAN;
}

void stage_free (stage *s)
{
    if (!s) return;
    drop_opening (s);
    close_scene (s);
    stage_drop_kept (s, 0, s->kept_count);
    free (s);
}

/* Reads the scene for both sides; the job of the reader. */
static void read_scene (void *context)
{
    opening *o = context;
    int ok = 1;
    for (int i = 0; i < SIDES && ok; i++)
    {
        stage_side *d = o->side[i] = calloc (1, sizeof *d);
        snprintf (o->error, sizeof o->error, "%s: out of memory", o->path);
        ok = d && (d->sim = sim_open (o->path, o->error, sizeof o->error)) &&
             snapshot_init (&d->recall, sim_model (d->sim));
        if (!ok) break;
        d->rewind = d->recalled = NAN;
        sim_hide_times (d->sim, !o->timed);
        d->timed = o->timed;
        if (o->threaded && !(d->worker = worker_start (prepare_thread))) o->threaded = 0;
    }
    if (ok) *o->error = 0;
}

void stage_open (stage *s, const char *path)
{
    opening *o = calloc (1, sizeof *o);
    char *copy = strdup (path); /* path may be the present scene's own */
    drop_opening (s);
    if (!o || !copy)
    {
        free (o);
        free (copy);
        return;
    }
    o->path = copy;
    o->threaded = o->timed = s->threaded;
    s->opening = o;
    if (s->threaded) s->reader = worker_start (prepare_thread);
    if (s->reader)
        worker_post (s->reader, read_scene, o);
    else
        read_scene (o);
}

const char *stage_opening (const stage *s) { return s->opening ? s->opening->path : NULL; }

void stage_wait (stage *s)
{
    if (s->reader) worker_wait (s->reader, -1);
}

stage_result stage_opened (stage *s, char *error, size_t size)
{
    opening *o = s->opening;
    if (!o || (s->reader && worker_busy (s->reader))) return STAGE_NOTHING;
    const int failed = *o->error != 0;
    if (failed)
        snprintf (error, size, "%s", o->error);
    else
    {
        /* Kept states stay only if it is the same scene with as many bodies: its file may have changed. */
        if (!s->path || strcmp (s->path, o->path) != 0 ||
            sim_model (s->side[0]->sim)->bodies != sim_model (o->side[0]->sim)->bodies)
            stage_drop_kept (s, 0, s->kept_count);
        close_scene (s);
        s->path = o->path;
        o->path = NULL;
        for (int i = 0; i < SIDES; i++)
        {
            s->side[i] = o->side[i];
            o->side[i] = NULL;
        }
    }
    drop_opening (s);
    return failed ? STAGE_FAILED : STAGE_OPENED;
}
