/*
 * What piles come to in the accurate step: figures asked, reached, and what dWorldStep reaches, in one table:
 * build/bin/rest_figures.  Fails if ode-rls misses a figure that is asked of it.
 *
 * Drift is how far the body that moves farthest goes in the second half of a run of 20 s; energy is
 * kinetic and that of gravity, and what a step may gain of it is that of a push that takes depths back.
 */
#include "step_rig.h"
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- rest ---- */

typedef void pile (rig *r);

static void wall (rig *r, int columns, int layers)
{
    const double brick[3] = {0.4, 0.2, 0.2};
    for (int k = 0; k < layers; ++k)
        for (int i = 0; i < columns; ++i)
            add_box (r, 1, brick, 0.41 * i + (k % 2 ? 0.205 : 0), 0, 0.1 + 0.2 * k, 1);
}

static void small_wall (rig *r) { wall (r, 6, 6); }

static void lean (dBodyID body, double angle)
{
    dMatrix3 turn;
    dRFromAxisAndAngle (turn, 0, 1, 0, (dReal)angle);
    dBodySetRotation (body, turn);
}

/* Two pairs of cards that lean on each other, and one across them. */
static void card_house (rig *r)
{
    const double card[3] = {0.02, 0.6, 1}, angle = 0.35, half = 0.5 * sin (angle) + 0.01 * cos (angle);
    const double top = cos (angle) + 0.02 * sin (angle);
    for (int pair = 0; pair < 2; ++pair)
    {
        const double x = pair * 0.75;
        lean (add_box (r, 0.1, card, x - half, 0, 0.5 * top, 1), angle);
        lean (add_box (r, 0.1, card, x + half, 0, 0.5 * top, 1), -angle);
    }
    const double across[3] = {1.2, 0.6, 0.02};
    add_box (r, 0.1, across, 0.375, 0, top + 0.01, 1);
}

/* Eight stones in a row, of which the first is pushed over. */
static void dominoes (rig *r)
{
    const double stone[3] = {0.1, 0.4, 0.8};
    for (int i = 0; i < 8; ++i) add_box (r, 1, stone, 0.35 * i, 0, 0.4, 1);
    dBodySetAngularVel (r->body[0], 0, 2, 0);
    dBodySetLinearVel (r->body[0], (dReal)0.8, 0, 0);
}

static pile *piled;

static double drift (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    dReal at[MOST_BODIES][3];
    double farthest = 0;
    dCreatePlane (r.space, 0, 0, 1, 0);
    piled (&r);
    run (&r, h, 10);
    for (int i = 0; i < r.bodies; ++i) memcpy (at[i], dBodyGetPosition (r.body[i]), sizeof (at[i]));
    run (&r, h, 10);
    for (int i = 0; i < r.bodies; ++i)
    {
        const dReal *x = dBodyGetPosition (r.body[i]);
        const double way[3] = {(double)(x[0] - at[i][0]), (double)(x[1] - at[i][1]),
                               (double)(x[2] - at[i][2])};
        farthest = fmax (farthest, sqrt (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
    }
    close_rig (&r);
    return farthest;
}

/* Beside dWorldStep where its dense solver takes seconds, not minutes. */
static void rest (const char *what, pile *of, int beside)
{
    static const double steps[] = {60, 100, 400};
    piled = of;
    for (int i = 0; i < 3; ++i)
    {
        char text[80];
        snprintf (text, sizeof (text), "%s, h = 1/%g: drift (m)", what, steps[i]);
        line (text, beside ? drift (0, 1 / steps[i]) : NAN, drift (1, 1 / steps[i]), 1e-12, 0);
    }
}

/* Factorisations a step of a wall of 100 bricks that stands, between 2 and 3 s: there is nothing left to
 * find. */
static double work_of_a_standing_wall (void)
{
    char error[400];
    scene *s = scene_read ("wall:100", NULL, NULL, error, sizeof (error));
    if (!s) return NAN;
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    double sum = 0;
    scene_prepare_stepper (s, stepper);
    for (int i = 0; i < 300; ++i)
    {
        dRLSReport report = {.struct_size = sizeof (report)};
        scene_before_step (s, i * 0.01, 0);
        dRLSStepperStep (stepper, (dReal)0.01);
        scene_after_step (s);
        dRLSStepperGetReport (stepper, &report);
        if (i >= 200) sum += report.bounded_iterations / 100.0;
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return sum;
}

/* ---- energy ---- */

static double energy (const rig *r)
{
    double sum = 0;
    for (int i = 0; i < r->bodies; ++i)
    {
        dReal kinetic, potential;
        dRLSMeasureBody (r->body[i], &kinetic, &potential);
        sum += (double)(kinetic + potential);
    }
    return sum;
}

/* The largest share of a falling heap's energy that one step adds. */
static double gain (double h)
{
    rig r = open_rig (1, 0, -G);
    const double size[3] = {0.5, 0.4, 0.3};
    double worst = 0, last;
    dCreatePlane (r.space, 0, 0, 1, 0);
    for (int i = 0; i < 40; ++i)
        lean (add_box (&r, 1, size, 0.3 * (i % 3), 0.25 * (i % 5), 0.5 + 0.35 * i, 1), 0.7 * i);
    const double all = last = energy (&r);
    for (int i = 0; i < lround (20 / h); ++i)
    {
        step (&r, h);
        const double now = energy (&r);
        worst = fmax (worst, now - last);
        last = now;
    }
    close_rig (&r);
    return worst / all;
}

int main (void)
{
    begin_table ();
    rest ("wall of 6 x 6", small_wall, 0);
    rest ("card house", card_house, 1);
    rest ("dominoes, fallen", dominoes, 1);
    line ("wall of 100 bricks, standing: factorisations a step", NAN, work_of_a_standing_wall (), 1.2, 0);
    known_to_miss = 1;
    line ("heap of 40 boxes, h = 1/50: largest gain of energy in a step, share", NAN, gain (0.02), 1e-9, 0);
    line ("the same, h = 1/100", NAN, gain (0.01), 1e-9, 0);
    known_to_miss = 0;
    return end_table ();
}
