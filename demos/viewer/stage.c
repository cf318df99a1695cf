/*
 * The stage with its two sides.  See stage.h.
 */
#define _GNU_SOURCE
#include "stage.h"

#include "worker.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EDITS 32

/* A side, and everything that a job of its worker uses.  If a scene is closed while the job runs, the job
 * frees it. */
typedef struct
{
    sim *sim;
    worker *worker; /* NULL if steps are made inside stage_run */
    int running;    /* 1 from the start of a job until it is taken over */
    int steps;
    int timed; /* 1: a job ends after its seconds; 0: it makes all its steps, however long they take */
    double seconds;
    _Atomic double started; /* when the step being computed began; 0 between steps */
    int refused;            /* 1 if the stepper refused a step of the present job */
    char refusal[200];      /* the reason why the choice given last was refused; empty if it was not */
    stage_choice choice;
    int configured;
    stage_edit edit[EDITS]; /* what is to be done once the side is idle */
    int edits;
    struct kept *come_back; /* the state to come back to then; NULL for none */
    double rewind;          /* the time to go back to once the job is done; NAN for none */
    unsigned long random_seed;
    snapshot recall;
    double recalled; /* the time of the state in recall; NAN for none */
} stage_side;

/* A state that the user keeps: both sides at one time. */
typedef struct kept
{
    double time, *state[SIDES]; /* STATE_DOUBLES numbers a body */
    sample at[SIDES];
} kept;

/* A scene that is being read, in another thread if there is one. */
typedef struct
{
    char *path;
    stage_side *side[SIDES];
    int threaded, timed; /* threaded becomes 0 if a thread cannot be started; timed stays */
    char error[512];
} opening;

struct stage
{
    stage_side *side[SIDES];
    char *path;
    int threaded;
    worker *reader; /* NULL while nothing is read */
    opening *opening;
    double scroll; /* the time that the user looks back at; NAN for the newest state */
    kept *kept[STAGE_KEPT];
    int kept_count;
};

static double now_seconds (void)
{
    struct timespec t;
    clock_gettime (CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void prepare_thread (void) { dAllocateODEDataForThread (dAllocateMaskAll); }

/* ---- opening and closing ------------------------------------------------------------------------------- */

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

static void free_kept (kept *k)
{
    for (int i = 0; k && i < SIDES; i++) free (k->state[i]);
    free (k);
}

/* Forgets some of the kept states. */
static void drop_kept (stage *s, int first, int count)
{
    for (int i = 0; i < count; i++) free_kept (s->kept[first + i]);
    s->kept_count -= count;
    memmove (s->kept + first, s->kept + first + count, sizeof *s->kept * (size_t)(s->kept_count - first));
}

void stage_free (stage *s)
{
    if (!s) return;
    drop_opening (s);
    close_scene (s);
    drop_kept (s, 0, s->kept_count);
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
            drop_kept (s, 0, s->kept_count);
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

/* ---- what is there ------------------------------------------------------------------------------------- */

const model *stage_model (const stage *s) { return s->side[0] ? sim_model (s->side[0]->sim) : NULL; }
const char *stage_path (const stage *s) { return s->path; }
int stage_warnings (const stage *s, const char **first) { return sim_warnings (s->side[0]->sim, first); }
int stage_collides (const stage *s) { return sim_collides (s->side[0]->sim); }
const ring *stage_past (const stage *s, int side) { return sim_past (s->side[side]->sim); }
static int is_idle (const stage *s, int side) { return s->side[side] && !s->side[side]->running; }
int stage_solver (const stage *s, int side) { return s->side[side]->choice.method[side].solver; }

static double newest (const ring *past)
{
    return past->count ? ring_sample (past, past->count - 1)->time : 0;
}

double stage_time (const stage *s, int side) { return newest (stage_past (s, side)); }

double stage_busy (const stage *s, int side)
{
    double since = s->side[side]->running ? atomic_load (&s->side[side]->started) : 0;
    return since > 0 ? now_seconds () - since : 0;
}

const snapshot *stage_shown (stage *s, int side)
{
    stage_side *d = s->side[side];
    if (isnan (s->scroll)) return sim_shown (d->sim);
    if (d->recalled != s->scroll)
    {
        int entry = ring_find (sim_past (d->sim), s->scroll + 1e-9);
        sim_recall (d->sim, entry > 0 ? entry : 0, &d->recall);
        d->recalled = s->scroll;
    }
    return &d->recall;
}

int stage_refused (const stage *s, int side, char *why, size_t size)
{
    if (!*s->side[side]->refusal) return 0;
    snprintf (why, size, "%s", s->side[side]->refusal);
    return 1;
}

/* ---- between jobs -------------------------------------------------------------------------------------- */

/* Sets an idle side back to a time. */
static void go_back (stage_side *d, double time)
{
    const ring *past = sim_past (d->sim);
    int entry = ring_find (past, time + 1e-9);
    /* Nothing is to be done if the side is at that time already or has not reached it, unless it has failed:
       then going back lets it run again. */
    if (entry >= 0 && (entry < past->count - 1 || sim_health_of (d->sim))) sim_restore (d->sim, entry);
    d->recalled = NAN;
}

/* Takes over a finished job. */
static void take_over (stage_side *d)
{
    d->running = 0;
    sim_publish (d->sim);
    if (d->refused) sim_refused (d->sim, d->refusal, sizeof d->refusal);
    d->refused = 0;
    if (!isnan (d->rewind)) go_back (d, d->rewind);
    d->rewind = NAN;
}

static int same_choice (const stage_choice *a, const stage_choice *b, int side)
{
    /* A method consists of ints and can be compared as memory; the common part has padding. */
    const sim_common *x = &a->common, *y = &b->common;
    return memcmp (&a->method[side], &b->method[side], sizeof *a->method) == 0 && x->step == y->step &&
           x->gravity == y->gravity && x->erp == y->erp && x->cfm == y->cfm && x->tolerance == y->tolerance &&
           x->quick_iterations == y->quick_iterations && x->sleep == y->sleep;
}

static void do_edits (stage_side *d)
{
    for (int k = 0; k < d->edits; k++)
    {
        const stage_edit *e = &d->edit[k];
        switch (e->kind)
        {
        case EDIT_CUT:
            sim_cut_joint (d->sim, e->joint);
            break;
        case EDIT_DOUBLE:
            sim_double_joint (d->sim, e->joint);
            break;
        case EDIT_MOTOR:
            sim_set_motor (d->sim, e->joint, &e->motor);
            break;
        case EDIT_THROW:
            sim_throw (d->sim, &e->ball);
            break;
        }
    }
    d->edits = 0;
}

void stage_poll (stage *s, const stage_choice *choice)
{
    for (int i = 0; i < SIDES && s->side[i]; i++)
    {
        stage_side *d = s->side[i];
        if (d->running && !(d->worker && worker_busy (d->worker))) take_over (d);
        if (d->running) continue;
        do_edits (d);
        if (d->come_back) sim_place (d->sim, d->come_back->state[i], &d->come_back->at[i]);
        d->come_back = NULL;
        if (d->configured && same_choice (&d->choice, choice, i)) continue;
        d->choice = *choice;
        d->configured = 1;
        *d->refusal = 0;
        sim_configure (d->sim, &choice->method[i], &choice->common);
    }
}

void stage_pull (stage *s, int side, const sim_pull *pull)
{
    if (is_idle (s, side)) sim_set_pull (s->side[side]->sim, pull);
}

void stage_do (stage *s, const stage_edit *edit)
{
    for (int i = 0; i < SIDES && s->side[i]; i++)
    {
        stage_side *d = s->side[i];
        /* A motor's slider that is dragged during a long step gives many values, of which only the last
         * counts. */
        stage_edit *last = d->edits ? &d->edit[d->edits - 1] : NULL;
        if (last && last->kind == EDIT_MOTOR && edit->kind == EDIT_MOTOR && last->joint == edit->joint)
            *last = *edit;
        else if (d->edits < EDITS)
            d->edit[d->edits++] = *edit;
    }
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* Makes a step.  dWorldQuickStep shuffles its rows by the random numbers of the process.  So that each side
   has its own sequence, it sets and keeps the seed, and only one side at a time makes such a step. */
static void advance (stage_side *d, int quick)
{
    static pthread_mutex_t shuffling = PTHREAD_MUTEX_INITIALIZER;
    if (quick)
    {
        pthread_mutex_lock (&shuffling);
        dRandSetSeed (d->random_seed);
    }
    atomic_store (&d->started, now_seconds ());
    if (!sim_advance (d->sim)) d->refused |= sim_health_of (d->sim) == SIM_REFUSED;
    atomic_store (&d->started, 0);
    if (quick)
    {
        d->random_seed = dRandGetSeed ();
        pthread_mutex_unlock (&shuffling);
    }
}

/* The job of a side's worker: so many steps, and then the measurements. */
static void job (void *context)
{
    stage_side *d = context;
    const int quick = sim_solver (d->sim) == SOLVER_QUICK;
    double until = now_seconds () + d->seconds;
    for (int i = 0; i < d->steps; i++)
    {
        advance (d, quick);
        if (d->refused || sim_health_of (d->sim) || (d->timed && now_seconds () > until)) break;
    }
    sim_measure (d->sim);
}

void stage_run (stage *s, int side, int steps, double seconds)
{
    if (!is_idle (s, side) || steps < 1) return;
    if (!isnan (s->scroll))
    {
        for (int i = 0; i < SIDES; i++)
            if (s->side[i]->running)
                s->side[i]->rewind = s->scroll;
            else
                go_back (s->side[i], s->scroll);
        s->scroll = NAN;
    }
    stage_side *d = s->side[side];
    d->running = 1;
    d->steps = steps;
    d->seconds = seconds;
    if (d->worker)
        worker_post (d->worker, job, d);
    else
    {
        job (d);
        take_over (d);
    }
}

/* ---- looking back -------------------------------------------------------------------------------------- */

/* The past of the side that is ahead. */
static const ring *ahead (const stage *s)
{
    return stage_past (s, stage_time (s, 1) > stage_time (s, 0) ? 1 : 0);
}

int stage_scroll (const stage *s)
{
    if (isnan (s->scroll)) return 0;
    return ahead (s)->count - 1 - ring_find (ahead (s), s->scroll + 1e-9);
}

void stage_scroll_to (stage *s, int steps_back)
{
    if (!s->side[0]) return;
    const ring *past = ahead (s);
    int most = past->count - 1, back = steps_back < 0 ? 0 : steps_back > most ? most : steps_back;
    s->scroll = back ? ring_sample (past, most - back)->time : NAN;
    for (int i = 0; i < SIDES; i++) s->side[i]->recalled = NAN;
}

/* ---- states that are kept ------------------------------------------------------------------------------ */

/* Copies the state of a side at the kept time, or the nearest before it.  Returns 0 without memory. */
static int read_kept (kept *k, int side, const sim *from)
{
    const ring *past = sim_past (from);
    const int entry = ring_find (past, k->time + 1e-9);
    const size_t bytes = sizeof (double) * STATE_DOUBLES * (size_t)sim_model (from)->bodies;
    k->state[side] = entry < 0 ? NULL : malloc (bytes + 1);
    if (!k->state[side]) return 0;
    memcpy (k->state[side], ring_state (past, entry), bytes);
    k->at[side] = *ring_sample (past, entry);
    return 1;
}

int stage_keep (stage *s)
{
    if (!s->side[0]) return -1;
    kept *k = calloc (1, sizeof *k);
    if (!k) return -1;
    k->time = isnan (s->scroll) ? fmin (stage_time (s, 0), stage_time (s, 1)) : s->scroll;
    for (int i = 0; i < SIDES; i++)
        if (!read_kept (k, i, s->side[i]->sim))
        {
            free_kept (k);
            return -1;
        }
    if (s->kept_count == STAGE_KEPT)
    {
        for (int i = 0; i < SIDES; i++)
            if (s->side[i]->come_back == s->kept[0]) s->side[i]->come_back = NULL;
        drop_kept (s, 0, 1);
    }
    s->kept[s->kept_count] = k;
    return s->kept_count++;
}

int stage_kept (const stage *s) { return s->kept_count; }
double stage_kept_time (const stage *s, int i) { return s->kept[i]->time; }

void stage_come_back (stage *s, int i)
{
    if (i < 0 || i >= s->kept_count) return;
    s->scroll = NAN;
    for (int side = 0; side < SIDES && s->side[side]; side++)
    {
        s->side[side]->come_back = s->kept[i];
        s->side[side]->rewind = s->side[side]->recalled = NAN;
    }
}
