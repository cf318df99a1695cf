/*
 * What has happened on the two sides, from their past.  The sentences are in story_words.c.
 */
#include "story.h"

#include "format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first entry whose openings are attributed to the present method.  *closing becomes 1 if the method is
   still closing joints that the one before left open. */
static int first_own (const ring *past, int last, double changed_at, int *closing)
{
    int first = ring_find (past, changed_at);
    *closing = 0;
    if (first < 0 || changed_at <= 0) return 0;
    /* The entry at the change is of the earlier method.  While the violation shrinks from there on, it is
       still what that method left. */
    for (int k = first + 1; k <= last; k++)
    {
        double before = ring_sample (past, k - 1)->violation, now = ring_sample (past, k)->violation;
        if (!(before > STORY_CLOSED && now < 0.999 * before)) return k;
    }
    *closing = last > first && ring_sample (past, last)->violation > STORY_CLOSED;
    return last;
}

/* The kinetic energy that the motion gains and gives back.  It is known once the motion has become slower
   again, or after two seconds; before that 0. */
static double exchange_of (const ring *past, int first, int last)
{
    double most = 0, least = INFINITY;
    int turned = 0;
    for (int k = first; k <= last; k++)
    {
        double kinetic = ring_sample (past, k)->kinetic;
        most = fmax (most, kinetic);
        least = fmin (least, kinetic);
        turned |= kinetic < 0.75 * most;
    }
    int had_time = ring_sample (past, last)->time - ring_sample (past, first)->time > 2;
    return turned ? most - least : had_time ? most : 0;
}

/* The largest kinetic energy of the last seconds. */
static double recent_motion (const ring *past, int first, int last, double seconds)
{
    double most = 0, from = ring_sample (past, last)->time - seconds;
    for (int k = last; k >= first && ring_sample (past, k)->time > from; k--)
        most = fmax (most, ring_sample (past, k)->kinetic);
    return most;
}

void story_look_back (story_side *t, const ring *past, double time, const model *m)
{
    memset (t, 0, sizeof *t);
    t->bodies = m->bodies;
    t->joints = m->joints;
    t->time = time;
    int last = ring_find (past, time + 1e-9);
    if (last < 0) return;
    const sample *now = ring_sample (past, last);
    t->solver = now->solver;
    t->started = now->step > 0;
    t->pulled = now->pulled;
    t->rows = now->rows;
    t->redundant = now->redundant;
    t->conflicting = now->conflicting;

    /* openings since the last change of method */
    int first = first_own (past, last, now->changed_at, &t->inherited);
    for (int k = first; k <= last; k++)
    {
        const sample *p = ring_sample (past, k);
        t->worst = fmax (t->worst, p->violation);
        t->gap = fmax (t->gap, p->position_m);
        t->angle = fmax (t->angle, p->angle_rad);
    }
    t->torn = m->joints && !t->inherited && t->worst > 0.01 * m->size;
    t->healed = t->torn && now->violation < 0.01 * t->worst;

    /* energy since the user or a setting changed it last, or since the change of method if that was later */
    int free = ring_find (past, now->free_since);
    double base = now->free_energy, largest = 0;
    if (free < first)
    {
        const sample *p = ring_sample (past, first);
        free = first;
        if (first > 0) base = p->kinetic + p->potential;
    }
    t->change = now->kinetic + now->potential - base;
    t->exchange = t->inherited ? 0 : exchange_of (past, free, last);
    for (int k = free; k <= last; k++) largest = fmax (largest, ring_sample (past, k)->kinetic);
    t->resting = now->time - ring_sample (past, free)->time > 2 && !t->pulled &&
                 recent_motion (past, free, last, 1) < fmax (2e-3 * largest, 1e-12 * m->weight * m->size);
}

/* Writes what is wrong with a side in a few words. */
static void write_badge (story_side *t)
{
    char amount[32];
    t->alarming = t->health > SIM_REFUSED || (t->torn && !t->healed);
    if (t->health > SIM_REFUSED)
        snprintf (t->badge, sizeof t->badge, "stopped at %.2f s", t->time);
    else if (t->health == SIM_REFUSED)
        snprintf (t->badge, sizeof t->badge, "refused");
    else if (t->torn)
    {
        if (t->worst > 2 * t->gap)
            format_angle (t->angle, amount, sizeof amount);
        else
            format_length (t->gap, amount, sizeof amount);
        snprintf (t->badge, sizeof t->badge, "joints %s%s by %s", t->healed ? "were " : "",
                  t->worst > 2 * t->gap ? "bent" : "torn open", amount);
    }
    else if (t->energy_lost > 0.1)
        snprintf (t->badge, sizeof t->badge, "%.0f %% of its energy lost", 100 * t->energy_lost);
    else if (t->energy_lost < -0.1)
        snprintf (t->badge, sizeof t->badge, "%.0f %% energy gained", -100 * t->energy_lost);
}

void story_compare (story_side side[SIDES], int bounded, const model *m)
{
    const double whole = m->weight * m->size, smaller = fmin (fabs (side[0].change), fabs (side[1].change)),
                 larger = fmax (fabs (side[0].change), fabs (side[1].change));
    const story_side *reference = &side[fabs (side[1].change) <= fabs (side[0].change)];
    /* Work of the scene's dampers and forces changes the energy of both sides alike. */
    int alike = !(smaller < 0.3 * larger);
    /* Rows that contradict the others under both steppers: the mechanism itself cannot be closed. */
    int conflicting = side[0].conflicting < side[1].conflicting ? side[0].conflicting : side[1].conflicting;
    for (int i = 0; i < SIDES; i++)
    {
        story_side *t = &side[i];
        t->energy_error = t->energy_lost = 0;
        t->conflicting = conflicting;
        if (!bounded && !alike && !t->pulled && !t->inherited && reference->exchange > 1e-3 * whole &&
            fabs (t->change) > 1e-3 * whole)
        {
            t->energy_error = t->change;
            t->energy_lost = fmin (-t->change / reference->exchange, 1);
        }
        write_badge (t);
    }
}

/* 1 if contacts, motors or limits act on a side; they do work of their own. */
static int work_is_done (stage *s)
{
    int bounded = 0;
    for (int i = 0; i < SIDES; i++) bounded |= stage_shown (s, i)->now.bounded > 0;
    return bounded;
}

void story_update (story_side side[SIDES], stage *s, story_text *text)
{
    const model *m = stage_model (s);
    for (int i = 0; i < SIDES; i++)
    {
        const snapshot *shot = stage_shown (s, i);
        story_side *t = &side[i];
        story_look_back (t, stage_past (s, i), shot->now.time, m);
        t->health = (sim_health)shot->failed;
        if (t->health) snprintf (t->reason, sizeof t->reason, "%s", shot->message);
        if (shot->failed > SIM_REFUSED) t->time = shot->failed_at;
        if (stage_refused (s, i, t->reason, sizeof t->reason)) t->health = SIM_REFUSED;
        if (!t->started) t->solver = stage_solver (s, i);
        t->busy = stage_scroll (s) ? 0 : stage_busy (s, i);
        if (shot->rows)
            snprintf (t->extra_row, sizeof t->extra_row, "row %d of %.100s", shot->row[0].row,
                      m->joint[shot->row[0].joint].name);
    }
    story_compare (side, work_is_done (s), m);
    story_tell (side, text);
}
