/*
 * The sentence about each side.  The functions try the most important first: trouble, then open joints, then
 * lost energy, then the motion.
 */
#include "story.h"

#include "format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STALLED 1.0 /* s: a step that takes longer is mentioned */

/* Describes the worse of gap and angle: "torn open by 5.2 cm" or "bent by 20 degrees". */
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

static void describe_joules (double joules, char *out, size_t size)
{
    double a = fabs (joules);
    snprintf (out, size, !(a < 1e6) ? "%.1e J" : a >= 10 ? "%.0f J" : "%.2g J", a);
}

/* "One row too many", "72 rows too many". */
static void describe_extra (const story_side *t, char *out, size_t size)
{
    if (t->redundant == 1)
        snprintf (out, size, "One row too many");
    else
        snprintf (out, size, "%d rows too many", t->redundant);
}

/* A side that has stopped, refuses its choice, or takes long for a step.  Returns 0 if there is no such
 * trouble. */
static int tell_trouble (const story_side *t, const char *name, char *line, size_t size)
{
    if (t->health > SIM_REFUSED)
        snprintf (line, size,
                  "%s stopped at %.2f s: %.120s.  Grey is the last sound picture; Backspace starts again.",
                  name, t->time, t->reason);
    else if (t->health == SIM_REFUSED)
        snprintf (line, size, "%s refuses this choice: %.160s", name, t->reason);
    else if (t->busy > STALLED)
        snprintf (line, size,
                  "%s has been computing one step for %.0f s.  The other side goes on without it.", name,
                  t->busy);
    else
        return 0;
    return 1;
}

/* The joints are closed, or nearly, but energy is lost. */
static void tell_loss (const story_side *t, const char *name, char *line, size_t size)
{
    char length[32], extra[48], what[64];
    format_length (t->worst, length, sizeof length);
    snprintf (what, sizeof what,
              t->resting ? "the motion has died, %.0f %% of the energy is gone"
                         : "%.0f %% of the energy is gone",
              100 * t->energy_lost);
    describe_extra (t, extra, sizeof extra);
    if (t->redundant && t->solver == SOLVER_ODE)
        snprintf (line, size, "%s: %s softens all rows to bear it, and that brakes: %s.", extra, name, what);
    else
        snprintf (line, size, "%s keeps the joints within %s, but %s.", name, length, what);
}

/* Nothing is wrong: how the side moves. */
static void tell_motion (const story_side *t, const char *name, char *line, size_t size)
{
    char length[32], extra[48], joints[64];
    format_length (t->worst, length, sizeof length);
    snprintf (joints, sizeof joints, "joints %s %s", t->worst < STORY_CLOSED ? "closed to" : "open by up to",
              length);
    describe_extra (t, extra, sizeof extra);
    if (!t->started) snprintf (joints, sizeof joints, "ready");
    if (t->redundant && t->solver == SOLVER_ODE)
        snprintf (line, size, "%s: %s softens all rows to bear %s; %s.", extra, name,
                  t->redundant == 1 ? "it" : "them", joints);
    else if (t->redundant && t->solver == SOLVER_RLS && *t->extra_row)
        snprintf (line, size,
                  t->redundant == 1 ? "%s: %s dropped %s and %s; %s."
                                    : "%s: %s dropped them (%s, ...) and %s; %s.",
                  extra, name, t->extra_row, t->resting ? "rests" : "moves freely", joints);
    else
        snprintf (line, size, "%s %s; %s.", name,
                  !t->started  ? "has not begun"
                  : t->resting ? "is at rest"
                               : "keeps moving",
                  joints);
}

static const char *const hands[] = {
    [HAND_PULL] = "You are pulling", [HAND_MOTOR] = "Your motor works", [HAND_BALL] = "Your ball is about"};

/* A side with joints that has no trouble. */
static void tell_joints (const story_side *t, const char *name, char *line, size_t size)
{
    char length[32], opened[64], joules[32];
    format_length (t->worst, length, sizeof length);
    describe_opening (t, opened, sizeof opened);
    describe_joules (t->energy_error, joules, sizeof joules);
    if (t->inherited)
        snprintf (line, size, "%s is closing joints that were left open.", name);
    else if (t->torn && fabs (t->energy_lost) > 0.1)
        snprintf (line, size, "%s: joints %s %s, and %s are %s.", name, t->healed ? "were" : "are", opened,
                  joules, t->energy_error < 0 ? "lost" : "gained");
    else if (t->torn)
        snprintf (line, size,
                  t->healed ? "%s: joints were %s; they have closed again." : "%s: joints are %s.", name,
                  opened);
    else if (t->pulled)
        snprintf (line, size, "%s: %s keeps the joints within %s.", hands[t->pulled], name, length);
    else if (t->energy_lost > 0.1)
        tell_loss (t, name, line, size);
    else if (t->energy_lost < -0.1)
        snprintf (line, size, "%s keeps the joints within %s, but %s came from nowhere.", name, length,
                  joules);
    else if (t->conflicting)
        snprintf (line, size, "%s: joints contradict each other by up to %s.", name, length);
    else
        tell_motion (t, name, line, size);
}

void story_tell (const story_side side[SIDES], story_text *text)
{
    memset (text, 0, sizeof *text);
    for (int i = 0; i < SIDES; i++)
    {
        const story_side *t = &side[i];
        const char *name = solver_names[t->solver];
        char *line = text->line[i], depth[32];
        const size_t size = sizeof text->line[i];
        if (!t->bodies)
            snprintf (line, size, "Nothing to move here: drop a scene on the window.");
        else if (tell_trouble (t, name, line, size))
            continue;
        else if (t->joints)
            tell_joints (t, name, line, size);
        else if (t->worst > 0)
        {
            format_length (t->worst, depth, sizeof depth);
            snprintf (line, size, "%s: deepest contact so far %s.", name, depth);
        }
    }
}
