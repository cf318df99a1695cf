/*
 * What springs, dampers and soft joints come to in the accurate step: figures asked and reached, in one
 * table: build/bin/soft_figures.  Fails if ode-rls misses a figure that is asked of it.
 *
 * The stiff spring has a closed form, the governor is compared with its own motion at 1/40000 s.
 */
#include "step_rig.h"
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STIFF 8e5 /* N/m */
#define OIL 4e4   /* N s/m */
#define MASS 5    /* kg */

/* A figure of ode-rls alone. */
static void alone (const char *what, double reached, double asked) { line (what, NAN, reached, asked, 0); }

/* ---- scenes ---- */

typedef struct
{
    scene *s;
    dRLSStepperID stepper;
    double h;
    long steps;
} running;

static running open_scene (const char *path, double h)
{
    char error[400];
    running r = {.s = scene_read (path, NULL, NULL, error, sizeof (error)), .h = h};
    if (!r.s) fprintf (stderr, "%s\n", error), exit (1);
    scene_set_time_step (r.s, h);
    r.stepper = dRLSStepperCreate (scene_world (r.s), NULL);
    if (scene_has_forces (r.s)) dRLSStepperSetForceCallback (r.stepper, scene_forces, r.s);
    scene_prepare_stepper (r.s, r.stepper);
    return r;
}

static void close_scene (running *r)
{
    dRLSStepperDestroy (r->stepper);
    scene_free (r->s);
}

static void step_scene (running *r)
{
    scene_before_step (r->s, (double)r->steps++ * r->h, 1);
    if (!dRLSStepperStep (r->stepper, (dReal)r->h)) fprintf (stderr, "a step failed\n");
    scene_after_step (r->s);
}

static double energy_of (const running *r)
{
    double kinetic, potential;
    scene_energy (r->s, &kinetic, &potential);
    return kinetic + potential;
}

/* ---- one body on a stiff spring ---- */

enum
{
    AS_FORCE,
    ALONG_A_JOINT,
    BETWEEN_POINTS
};

static void pull_back (void *body, dWorldID world, dReal time)
{
    (void)world, (void)time;
    dBodyAddForce (
        body, -(dReal)STIFF * dBodyGetPosition (body)[0] - (dReal)OIL * dBodyGetLinearVel (body)[0], 0, 0);
}

/* The largest error of its position in 0.1 s, of the centimetre that it is let go at. */
static double stiff_spring (int kind, double h)
{
    const double start = 0.01, half = OIL / (2 * MASS), root = sqrt (half * half - STIFF / MASS),
                 slow = STIFF / MASS / (half + root), fast = half + root;
    rig r = open_rig (1, 0, 0);
    double worst = 0;
    const dBodyID body = add_box (&r, MASS, cube, start, 0, 0, 0);
    if (kind == AS_FORCE) dRLSStepperSetForceCallback (r.stepper, pull_back, body);
    if (kind == ALONG_A_JOINT)
    {
        dBodySetPosition (body, 0, 0, 0);
        const dJointID slider = dJointCreateSlider (r.world, NULL);
        dJointAttach (slider, body, NULL);
        dJointSetSliderAxis (slider, 1, 0, 0);
        dBodySetPosition (body, (dReal)start, 0, 0);
        dRLSStepperSetJointSpring (r.stepper, slider, 0, (dReal)STIFF, (dReal)OIL, 0);
    }
    if (kind == BETWEEN_POINTS)
    {
        dBodySetPosition (body, 0, 0, 0);
        const dJointID ball = dJointCreateBall (r.world, NULL);
        dJointAttach (ball, body, NULL);
        dJointSetBallAnchor (ball, 0, 0, 0);
        dBodySetPosition (body, (dReal)start, 0, 0);
        dRLSStepperSetJointCompliance (r.stepper, ball, (dReal)STIFF, (dReal)OIL);
    }
    for (int i = 1; i * h < 0.1 && worst < 1e6; ++i)
    {
        step (&r, h);
        const double t = i * h,
                     exact = start * (fast * exp (-slow * t) - slow * exp (-fast * t)) / (fast - slow);
        const double off = fabs ((double)dBodyGetPosition (body)[0] - exact) / start;
        if (!(off <= worst)) worst = off; /* NaN as well */
    }
    close_rig (&r);
    return worst;
}

/* A body on a point that gives way with any stiffness, at 1/60: the most that its energy has risen, of what
 * it began with. */
static double stiff_growth (void)
{
    double worst = 0;
    for (double k = 1; k <= 1e12; k *= 10)
        for (double c = 0; c <= 1e6; c = c > 0 ? 1e3 * c : 1)
        {
            rig r = open_rig (1, 0, 0);
            const dBodyID body = add_box (&r, MASS, cube, 0, 0, 0, 0);
            const dJointID ball = dJointCreateBall (r.world, NULL);
            dJointAttach (ball, body, NULL);
            dJointSetBallAnchor (ball, 0, 0, 0);
            dBodySetLinearVel (body, 1, 0, 0);
            dRLSStepperSetJointCompliance (r.stepper, ball, (dReal)k, (dReal)c);
            for (int i = 0; i < 300; ++i)
            {
                step (&r, 1.0 / 60);
                const double x = (double)dBodyGetPosition (body)[0], v = (double)dBodyGetLinearVel (body)[0];
                worst = fmax (worst, (0.5 * MASS * v * v + 0.5 * k * x * x) / (0.5 * MASS) - 1);
            }
            close_rig (&r);
        }
    return worst;
}

/* ---- mechanisms ---- */

/* Where the governor's slider is after half a second (m). */
static double slider (double h)
{
    running r = open_scene (GOVERNOR, h);
    for (long i = 0; i < lround (0.5 / h); ++i) step_scene (&r);
    double at = NAN;
    for (int b = 0; b < scene_body_count (r.s); ++b)
        if (strstr (scene_body_at (r.s, b)->name, "slider"))
            at = (double)dBodyGetPosition (scene_body_at (r.s, b)->body)[2];
    close_scene (&r);
    return at;
}

static char bricard_path[4096];

static void find_bricard (void)
{
    char folder[2048], error[400];
    for (int i = 0; scene_folder (i, folder, sizeof (folder)); ++i)
    {
        snprintf (bricard_path, sizeof (bricard_path), "%s/bricard.sdf", folder);
        scene *s = folder[0] ? scene_read (bricard_path, NULL, NULL, error, sizeof (error)) : NULL;
        if (!s) continue;
        scene_free (s);
        return;
    }
    fprintf (stderr, "no bricard.sdf\n"), exit (1);
}

/* Bricard's mechanism with the rotations of all hinges soft (1e5 N m/rad, 1e3 N m s/rad), 10 s at 0.01 s: by
 * how much less than from 1 m to -1 m it swings (m), or the most energy it gains (J). */
static double soft_bricard (int wants_gain)
{
    running r = open_scene (bricard_path, 0.01);
    for (int i = 0; i < scene_joint_count (r.s); ++i)
        for (int row = 3; row < 5; ++row)
            if (dJointGetType (scene_joint_at (r.s, i)->joint) == dJointTypeHinge)
                dRLSStepperSetRowCompliance (r.stepper, scene_joint_at (r.s, i)->joint, row, (dReal)1e5,
                                             (dReal)1e3);
    const double first = energy_of (&r);
    double least = HUGE_VAL, gain = 0, x[3];
    for (int i = 0; i < 1000; ++i)
    {
        step_scene (&r);
        scene_probe_position (r.s, 0, x);
        least = fmin (least, x[0]);
        gain = fmax (gain, energy_of (&r) - first);
    }
    close_scene (&r);
    return wants_gain ? gain : 1 + least;
}

/* Two bars that cross, one of them hinged to the world at its end and both to each other in the middle by a
 * hinge whose rotations are soft.  The most energy they gain in 10 s (J; a symplectic step's wavers with its
 * second order), or by how much the bars bend across the axis (rad). */
static double crossed_bars (int wants_gain)
{
    rig r = open_rig (1, 0, -G);
    dBodyID bar[2];
    dJointID middle;
    for (int i = 0; i < 2; ++i)
    {
        dMatrix3 turn;
        bar[i] = add_box (&r, 1, bar_size, 0, 0, 0, 0);
        dRFromAxisAndAngle (turn, 0, 1, 0, (dReal)(i ? 0.7 : -0.7));
        dBodySetRotation (bar[i], turn);
    }
    add_hinge (&r, bar[0], NULL, -cos (0.7), 0, -sin (0.7), along_y);
    middle = add_hinge (&r, bar[0], bar[1], 0, 0, 0, along_y);
    for (int row = 3; row < 5; ++row)
        dRLSStepperSetRowCompliance (r.stepper, middle, row, (dReal)1e5, (dReal)1e3);
    double gain = 0, bent = 0, first = NAN;
    for (int i = 0; i <= 1000; ++i)
    {
        dReal kinetic[2], potential[2];
        for (int b = 0; b < 2; ++b) dRLSMeasureBody (bar[b], &kinetic[b], &potential[b]);
        const double now = (double)(kinetic[0] + kinetic[1] + potential[0] + potential[1]);
        if (i == 0) first = now;
        const dReal *a = dBodyGetRotation (bar[0]), *c = dBodyGetRotation (bar[1]);
        gain = fmax (gain, now - first);
        bent = fmax (bent, acos (fmin (1, (double)(a[1] * c[1] + a[5] * c[5] + a[9] * c[9]))));
        step (&r, 0.01);
    }
    close_rig (&r);
    return wants_gain ? gain : bent;
}

int main (void)
{
    begin_table ();
    find_bricard ();
    alone ("springs, k = 1 .. 1e12, c = 0 .. 1e6, h = 1/60: growth of energy", stiff_growth (), 1e-9);
    alone ("5 kg on 8e5 N/m, 4e4 N s/m, h = 1e-3, along a joint: error, relative",
           stiff_spring (ALONG_A_JOINT, 1e-3), 2e-3);
    alone ("the same, between two points", stiff_spring (BETWEEN_POINTS, 1e-3), 2e-3);
    alone ("the same, as force callback, which rings at first", stiff_spring (AS_FORCE, 1e-3), 0.1);
    const double exact = slider (1.0 / 40000);
    alone ("stiff governor, h = 1e-3: slider after 0.5 s (m)", fabs (slider (1e-3) - exact), 1e-3);
    alone ("the same, h = 2e-4", fabs (slider (2e-4) - exact), 1e-6);
    alone ("Bricard, rotations of all hinges soft: short of its swing (m)", soft_bricard (0), 1.3e-3);
    alone ("the same: gain of energy (J)", soft_bricard (1), 1e-9);
    alone ("two crossed bars with a soft hinge: gain of energy (J)", crossed_bars (1), 1e-2);
    alone ("the same: bent across the axis (rad)", crossed_bars (0), 1e-3);
    return end_table ();
}
