/*
 * The narrator.  Everything it says follows from measured numbers; see story.h.
 */
#include "story.h"

#include "adapter.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CLOSED 1e-6 /* m: joints open by more are called open */

/*
 * Whether energy errors can be told apart from honest work.  Contacts, motors and limits do work, and so
 * do the springs, dampers and efforts of a scene: there both sides change their energy alike.
 */
static int energy_excused (stage *s)
{
    double error[SIDES], scale = 0;
    for (int i = 0; i < SIDES; i++)
    {
        const sample *now = &stage_shown (s, i)->now;
        if (now->bounded > 0) return 1;
        error[i] = fabs (now->kinetic + now->potential - stage_initial_energy (s));
        scale = fmax (scale, error[i]);
    }
    return !(fmin (error[0], error[1]) < 0.3 * scale);
}

/* The worse of both ways in which a joint comes apart: "5.2 cm apart", "bent by 20 degrees". */
static void describe_opening (const story_side *t, char *out, size_t size)
{
    char amount[32];
    if (t->worst > 2 * t->gap)
    {
        format_angle (t->angle, amount, sizeof amount);
        snprintf (out, size, "bent by %s", amount);
    }
    else
    {
        format_length (t->gap, amount, sizeof amount);
        snprintf (out, size, "torn open by %s", amount);
    }
}

/* What a side's past says of it, up to the time that is shown. */
static void look_back (story_side *t, const model *m, const ring *past, const snapshot *shot)
{
    double now = shot->now.time;
    memset (t, 0, sizeof *t);
    for (int k = 0; k < past->count; k++)
    {
        const sample *p = ring_sample (past, k);
        if (p->time > now) break;
        t->worst = fmax (t->worst, p->violation);
        t->gap = fmax (t->gap, p->position_m);
        t->angle = fmax (t->angle, p->angle_rad);
        t->largest_motion = fmax (t->largest_motion, p->kinetic);
        if (p->time > now - 1) t->recent_motion = fmax (t->recent_motion, p->kinetic);
    }
    t->exploded = shot->failed > SIM_REFUSED;
    t->torn = m->joints && t->worst > 0.01 * m->size;
    t->resting = now > 2 && t->recent_motion < fmax (2e-3 * t->largest_motion, 1e-12 * m->weight * m->size);
}

/* The few words beside the side's name, for what is wrong with it. */
static void write_badge (story_side *t)
{
    char opened[64];
    describe_opening (t, opened, sizeof opened);
    t->alarming = t->exploded || t->torn;
    if (t->exploded)
        snprintf (t->badge, sizeof t->badge, "stopped");
    else if (t->torn)
        snprintf (t->badge, sizeof t->badge, "joints %s", opened);
    else if (t->energy_lost > 0.1)
        snprintf (t->badge, sizeof t->badge, "%.0f %% of its energy lost", 100 * t->energy_lost);
    else if (t->energy_lost < -0.1)
        snprintf (t->badge, sizeof t->badge, "%.0f %% energy gained", -100 * t->energy_lost);
}

void story_update (story_side side[SIDES], stage *s)
{
    const model *m = stage_model (s);
    int excused = energy_excused (s), conflicting = INT_MAX;
    double swing = 1e-300;
    for (int i = 0; i < SIDES; i++)
    {
        const snapshot *shot = stage_shown (s, i);
        look_back (&side[i], m, stage_past (s, i), shot);
        swing = fmax (swing, side[i].largest_motion);
        conflicting = shot->now.conflicting < conflicting ? shot->now.conflicting : conflicting;
    }
    for (int i = 0; i < SIDES; i++)
    {
        story_side *t = &side[i];
        const sample *now = &stage_shown (s, i)->now;
        double lost = stage_initial_energy (s) - now->kinetic - now->potential;
        t->conflicting = conflicting;
        if (!excused && isfinite (lost) && fabs (lost) > 1e-3 * m->weight * m->size)
        {
            t->energy_error = -lost;
            t->energy_lost = fmin (lost / swing, 1);
        }
        write_badge (t);
    }
}

static void tell_side (const story_side *t, const char *name, char *line, size_t size)
{
    char length[32], opened[64];
    format_length (t->worst, length, sizeof length);
    describe_opening (t, opened, sizeof opened);
    if (t->exploded)
        snprintf (line, size, "%s had to stop; Backspace starts again.", name);
    else if (t->torn && fabs (t->energy_lost) > 0.1)
    {
        const double joules = fabs (t->energy_error);
        snprintf (line, size,
                  joules >= 10 && joules < 1e5 ? "%s: joints are %s, and %.0f J are %s."
                                               : "%s: joints are %s, and %.2g J are %s.",
                  name, opened, joules, t->energy_error < 0 ? "lost" : "gained");
    }
    else if (t->torn)
        snprintf (line, size, "%s: joints are %s.", name, opened);
    else if (t->energy_lost > 0.1 && t->resting)
        snprintf (line, size,
                  "%s keeps the joints within %s, but the motion has died: %.0f %% of the energy is gone.",
                  name, length, 100 * t->energy_lost);
    else if (t->energy_lost > 0.1)
        snprintf (line, size, "%s keeps the joints within %s, but %.0f %% of the energy is gone.", name,
                  length, 100 * t->energy_lost);
    else if (t->conflicting)
        snprintf (line, size, "%s: joints contradict each other by up to %s.", name, length);
    else
        snprintf (line, size, "%s %s, joints %s %s.", name, t->resting ? "is at rest" : "keeps moving",
                  t->worst < CLOSED ? "closed to" : "open by up to", length);
}

void story_tell (const story_side side[SIDES], stage *s, const char *const names[SIDES], story_text *text)
{
    memset (text, 0, sizeof *text);
    for (int i = 0; i < SIDES; i++)
    {
        char depth[32];
        if (!stage_model (s)->bodies)
            snprintf (text->line[i], sizeof text->line[i],
                      "Nothing to move here: drop a scene on the window.");
        else if (stage_model (s)->joints || side[i].exploded)
            tell_side (&side[i], names[i], text->line[i], sizeof text->line[i]);
        else if (side[i].worst > 0)
        {
            format_length (side[i].worst, depth, sizeof depth);
            snprintf (text->line[i], sizeof text->line[i], "%s: deepest penetration so far %s.", names[i],
                      depth);
        }
    }
}
