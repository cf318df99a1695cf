/*
 * Two sides in lockstep.  See stage.h.
 */
#define _GNU_SOURCE
#include "stage.h"

#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct stage
{
    char *path;
    model *model;
    sim *side[SIDES];
    stage_choice choice;
    int configured;
    worker *worker;
    int running; /* a job was posted and not yet taken over */
    int job_steps, job_done;
    double job_seconds;
    int refused;       /* in the job in hand */
    char refusal[224]; /* waits to be told */
    int done;          /* steps since stage_steps_done */
    int scroll;        /* steps back from the newest entry */
    int recalled;      /* the scroll position that recall holds; -1 for none */
    snapshot recall[SIDES];
    unsigned long random_seed[SIDES];
};

static double now_seconds (void)
{
    struct timespec t;
    clock_gettime (CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void prepare_thread (void) { dAllocateODEDataForThread (dAllocateMaskAll); }

stage *stage_create (int threaded)
{
    stage *s = calloc (1, sizeof *s);
    if (!s) return NULL;
    s->recalled = -1;
    dInitODE2 (0);
    prepare_thread ();
    if (threaded) s->worker = worker_start (prepare_thread);
    return s;
}

static void close_scene (stage *s)
{
    if (s->worker) worker_wait (s->worker, -1);
    s->running = 0;
    for (int i = 0; i < SIDES; i++)
    {
        sim_close (s->side[i]);
        s->side[i] = NULL;
        snapshot_free (&s->recall[i]);
    }
    model_free (s->model);
    free (s->path);
    s->model = NULL;
    s->path = NULL;
    s->scroll = 0;
    s->recalled = -1;
}

void stage_free (stage *s)
{
    if (!s) return;
    close_scene (s);
    worker_stop (s->worker);
    free (s);
}

int stage_open (stage *s, const char *path, char *error, size_t size)
{
    sim *side[SIDES] = {NULL};
    snapshot recall[SIDES];
    model *m = NULL;
    memset (recall, 0, sizeof recall);
    char *copy = strdup (path); /* path may be the present scene's own */
    int ok = copy != NULL;
    for (int i = 0; i < SIDES && ok; i++)
    {
        side[i] = sim_open (copy, m, error, size);
        if (side[i] && !m) m = sim_take_model (side[i]);
        ok = side[i] && snapshot_init (&recall[i], m);
    }
    if (!ok)
    {
        for (int i = 0; i < SIDES; i++)
        {
            sim_close (side[i]);
            snapshot_free (&recall[i]);
        }
        model_free (m);
        free (copy);
        return 0;
    }
    close_scene (s);
    s->path = copy;
    s->model = m;
    for (int i = 0; i < SIDES; i++)
    {
        s->side[i] = side[i];
        s->recall[i] = recall[i];
        s->random_seed[i] = 0;
        sim_hide_times (side[i], !s->worker);
        if (s->configured) sim_configure (side[i], &s->choice.method[i], &s->choice.common);
    }
    return 1;
}

int stage_reset (stage *s, char *error, size_t size)
{
    return s->path && stage_open (s, s->path, error, size);
}

const model *stage_model (const stage *s) { return s->model; }
const char *stage_path (const stage *s) { return s->path; }
int stage_warnings (const stage *s, const char **first) { return sim_warnings (s->side[0], first); }
const ring *stage_past (const stage *s, int side) { return sim_past (s->side[side]); }
double stage_initial_energy (const stage *s) { return sim_initial_energy (s->side[0]); }

const snapshot *stage_shown (stage *s, int side)
{
    if (!s->scroll) return sim_shown (s->side[side]);
    if (s->recalled != s->scroll)
    {
        for (int i = 0; i < SIDES; i++)
        {
            int entry = sim_past (s->side[i])->count - 1 - s->scroll;
            sim_recall (s->side[i], entry > 0 ? entry : 0, &s->recall[i]);
        }
        s->recalled = s->scroll;
    }
    return &s->recall[side];
}

static long last_step (const stage *s, int side)
{
    const ring *past = sim_past (s->side[side]);
    return past->count ? ring_sample (past, past->count - 1)->step : 0;
}

/* One side would not step: the other, which may have, comes back to the same time. */
static void settle_refusal (stage *s)
{
    char why[200];
    s->refused = 0;
    for (int i = 0; i < SIDES; i++)
    {
        if (!sim_refused (s->side[i], why, sizeof why)) continue;
        snprintf (s->refusal, sizeof s->refusal, "Side %c: %s", 'A' + i, why);
        const ring *other = sim_past (s->side[!i]);
        if (last_step (s, !i) > last_step (s, i) && other->count > 1)
            sim_restore (s->side[!i], other->count - 2);
    }
}

int stage_poll (stage *s)
{
    if (!s->running) return 1;
    if (s->worker && worker_busy (s->worker)) return 0;
    s->running = 0;
    s->done += s->job_done;
    for (int i = 0; i < SIDES; i++) sim_publish (s->side[i]);
    if (s->refused) settle_refusal (s);
    return 1;
}

int stage_refusal (stage *s, char *why, size_t size)
{
    if (!*s->refusal) return 0;
    snprintf (why, size, "%s", s->refusal);
    *s->refusal = 0;
    return 1;
}

void stage_configure (stage *s, const stage_choice *choice)
{
    if (s->running || !s->model) return;
    /* Compared member by member where it matters: the structures hold no padding but after the ints. */
    if (s->configured && memcmp (&s->choice.method, &choice->method, sizeof choice->method) == 0 &&
        s->choice.common.step == choice->common.step && s->choice.common.gravity == choice->common.gravity &&
        s->choice.common.erp == choice->common.erp && s->choice.common.cfm == choice->common.cfm &&
        s->choice.common.tolerance == choice->common.tolerance &&
        s->choice.common.quick_iterations == choice->common.quick_iterations)
        return;
    s->choice = *choice;
    s->configured = 1;
    for (int i = 0; i < SIDES; i++) sim_configure (s->side[i], &choice->method[i], &choice->common);
}

void stage_pull (stage *s, int side, const sim_pull *pull)
{
    if (!s->running && s->model) sim_set_pull (s->side[side], pull);
}

static void job (void *context)
{
    stage *s = context;
    double until = now_seconds () + s->job_seconds;
    s->job_done = 0;
    while (s->job_done < s->job_steps)
    {
        for (int i = 0; i < SIDES; i++)
        {
            /* dWorldQuickStep shuffles its rows with a random number of the process: each side keeps its own.
             */
            dRandSetSeed (s->random_seed[i]);
            if (!sim_advance (s->side[i])) s->refused |= sim_health_of (s->side[i]) == SIM_REFUSED;
            s->random_seed[i] = dRandGetSeed ();
        }
        if (s->refused) break;
        s->job_done++;
        if (s->worker && now_seconds () > until) break;
    }
    for (int i = 0; i < SIDES; i++) sim_measure (s->side[i]);
}

void stage_run (stage *s, int steps, double seconds)
{
    if (s->running || !s->model || steps < 1) return;
    if (s->scroll)
    {
        for (int i = 0; i < SIDES; i++)
            sim_restore (s->side[i], sim_past (s->side[i])->count - 1 - s->scroll);
        s->scroll = 0;
        s->recalled = -1;
    }
    s->running = 1;
    s->job_steps = steps;
    s->job_seconds = seconds;
    if (s->worker)
        worker_post (s->worker, job, s);
    else
    {
        job (s);
        stage_poll (s);
    }
}

int stage_steps_done (stage *s)
{
    int done = s->done;
    s->done = 0;
    return done;
}

int stage_scroll (const stage *s) { return s->scroll; }

void stage_scroll_to (stage *s, int steps_back)
{
    if (s->running || !s->model) return;
    int most = sim_past (s->side[0])->count - 1;
    s->scroll = steps_back < 0 ? 0 : steps_back > most ? most : steps_back;
    s->recalled = -1;
}
