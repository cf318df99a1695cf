/*
 * Time: how far each side should be, and how well it keeps up.  A side that is slower than the clock runs as
 * fast as it can and does not hold the other one back.
 */
#include "app_parts.h"

#include <math.h>

#define SLICE 0.013 /* s of real time that a side may step before it shows what it has */

/* The simulated time of the side that is ahead. */
static double ahead (const app *a) { return fmax (stage_time (a->stage, 0), stage_time (a->stage, 1)); }

/* Measures every half second how fast simulated time runs, for the message that it is slower than asked. */
static void measure_pace (app *a, double seconds)
{
    const double time = ahead (a);
    a->ratio_time += seconds;
    if (a->ratio_time < 0.5) return;
    const double ratio = (time - a->ratio_done) / a->ratio_time;
    a->real_ratio = !a->options.reproducible && ratio < 0.93 * a->set.speed && ratio >= 0 ? ratio : 0;
    a->ratio_time = 0;
    a->ratio_done = time;
}

/* A frame of a pause: makes the single steps that were asked for, and sets the time from which the motion
   will go on. */
static void stand_still (app *a)
{
    /* If one side is behind, only that side makes the steps, so that both meet. */
    const double newest = ahead (a);
    for (int i = 0; i < SIDES && a->single_steps > 0; i++)
    {
        const int behind = stage_time (a->stage, i) < newest - 1e-9;
        if (behind || stage_time (a->stage, !i) > newest - 1e-9) stage_run (a->stage, i, a->single_steps, 1);
    }
    a->single_steps = 0;

    /* If the past is being looked at, the motion goes on from there. */
    a->goal = stage_scroll (a->stage) ? stage_shown (a->stage, 0)->now.time : newest;
    a->ratio_time = a->real_ratio = 0;
    a->ratio_done = a->goal;
}

void app_come_back (app *a, int state)
{
    stage_come_back (a->stage, state);
    a->goal = stage_kept_time (a->stage, state);
    a->ratio_time = a->real_ratio = 0;
    a->ratio_done = a->goal;
    heat_fit_reset (&a->fit);
}

void app_advance (app *a, double seconds)
{
    stage *s = a->stage;
    const double h = a->set.choice.common.step;
    char why[200];
    stage_poll (s, &a->set.choice);
    for (int i = 0; i < SIDES; i++)
    {
        stage_pull (s, i, a->drag == DRAG_PULL ? &a->pull : NULL);
        if (stage_refused (s, i, why, sizeof why) && !a->set.paused)
        {
            a->set.paused = 1;
            app_say (a, 1, "Side %c: %s", 'A' + i, why);
        }
    }
    if (a->set.paused)
    {
        stand_still (a);
        return;
    }
    measure_pace (a, seconds);
    a->goal += seconds * a->set.speed;

    /* If even the faster side is late by more than a tenth of a second, the rest is given up: otherwise the
       simulation would run too fast later to make up for it. */
    if (!a->options.reproducible && !stage_scroll (s))
        a->goal = fmin (a->goal, ahead (a) + fmax (0.1 * a->set.speed, h));
    for (int i = 0; i < SIDES; i++)
    {
        double behind = a->goal - (stage_scroll (s) ? stage_shown (s, i)->now.time : stage_time (s, i));
        int steps = a->set.race && !a->options.reproducible ? 100000 : (int)floor (behind / h + 1e-6);
        if (stage_shown (s, i)->failed > SIM_REFUSED) continue; /* stays as it ended until it is set back */
        if (steps > 0) stage_run (s, i, steps, SLICE);
    }
    if (a->set.race) a->goal = ahead (a);
}
