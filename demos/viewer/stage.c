/*
 * The stage with its two sides: what it shows, the jobs of their workers, and looking back.  See stage.h.
 */
#define _GNU_SOURCE
#include "stage_parts.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now_seconds (void)
{
    struct timespec t;
    clock_gettime (CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- what is there ------------------------------------------------------------------------------------- */

const model *stage_model (const stage *s) { return s->side[0] ? sim_model (s->side[0]->sim) : NULL; }
const char *stage_path (const stage *s) { return s->path; }
int stage_warnings (const stage *s) { return sim_warnings (s->side[0]->sim); }
const char *stage_warning (const stage *s, int i) { return sim_warning (s->side[0]->sim, i); }
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
