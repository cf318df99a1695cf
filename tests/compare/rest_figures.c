/*
 * How what rests or is held stays where it is in the accurate step: figures asked, reached, and what
 * dWorldStep reaches, in one table: build/bin/rest_figures [--quick].  Fails if ode-rls misses a figure that
 * is asked of it.
 *
 * Drift is how far the body that moves farthest goes in the second half of a run of 20 s; energy is
 * kinetic and that of gravity, and what a step may gain of it is that of a push that takes depths back.
 */
#include "step_rig.h"
#include "scene_data.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 5
#define RAGDOLL_CFM 1e-5 /* of the contacts of ragdolls:N, both sides together */

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

/* Of the same wall in 20 s: how far the body that moves farthest goes in the second half. */
static double drift_of_a_tall_wall (double h)
{
    char error[400];
    scene *s = scene_read ("wall:100", NULL, NULL, error, sizeof (error));
    if (!s) return NAN;
    dReal at[100][3];
    double farthest = 0;
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    const long steps = lround (20 / h);
    scene_set_time_step (s, h);
    scene_prepare_stepper (s, stepper);
    for (long i = 0; i < steps; ++i)
    {
        for (int b = 0; b < 100 && i == steps / 2; ++b)
            memcpy (at[b], dBodyGetPosition (scene_body_at (s, b)->body), sizeof (at[b]));
        scene_before_step (s, (double)i * h, 0);
        dRLSStepperStep (stepper, (dReal)h);
        scene_after_step (s);
    }
    for (int b = 0; b < 100; ++b)
        for (int k = 0; k < 3; ++k)
            farthest =
                fmax (farthest, fabs ((double)(dBodyGetPosition (scene_body_at (s, b)->body)[k] - at[b][k])));
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return farthest;
}

/* ---- what is held ---- */

/* How far the highest body of n boxes on each other moves in the second half of 20 s. */
static double stack_drift (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double seconds = 20;
    dCreatePlane (r.space, 0, 0, 1, 0);
    for (int i = 0; i < 10; ++i) add_box (&r, 1, cube, 0, 0, 0.5 + i, 1);
    run (&r, h, seconds / 2);
    dReal at[3];
    memcpy (at, dBodyGetPosition (r.body[9]), sizeof (at));
    run (&r, h, seconds / 2);
    const dReal *x = dBodyGetPosition (r.body[9]);
    const double drift =
        hypot (hypot ((double)(x[0] - at[0]), (double)(x[1] - at[1])), (double)(x[2] - at[2]));
    close_rig (&r);
    return drift;
}

static double incline_drift (int with_rls, double h)
{
    rig r = open_rig (with_rls, G * sin (0.35), -G * cos (0.35));
    dCreatePlane (r.space, 0, 0, 1, 0);
    add_box (&r, 1, cube, 0, 0, 0.5, 1);
    run (&r, h, 2);
    const double at = (double)dBodyGetPosition (r.body[0])[0];
    run (&r, h, quick ? 4 : 60);
    const double drift = fabs ((double)dBodyGetPosition (r.body[0])[0] - at);
    close_rig (&r);
    return drift;
}

/* A box between two pads that press it: how far it slips in a minute, after two seconds to come to rest. */
static double grip_slip (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double box_size[3] = {0.2, 0.2, 0.2}, pad_size[3] = {0.1, 0.2, 0.2}, seconds = quick ? 6 : 60;
    const dBodyID box = add_box (&r, 1, box_size, 0, 0, 0, 1);
    for (int i = 0; i < 2; ++i)
    {
        const dBodyID pad = add_box (&r, 1, pad_size, i ? 0.15 : -0.15, 0, 0, 1);
        const dJointID slider = dJointCreateSlider (r.world, NULL);
        dJointAttach (slider, pad, NULL);
        dJointSetSliderAxis (slider, i ? -1 : 1, 0, 0);
        dJointSetSliderParam (slider, dParamVel, (dReal)0.1);
        dJointSetSliderParam (slider, dParamFMax, 30);
    }
    run (&r, h, 2);
    const double at = (double)dBodyGetPosition (box)[2], beside = (double)dBodyGetPosition (box)[1];
    run (&r, h, seconds);
    const dReal *x = dBodyGetPosition (box);
    const double slip = hypot ((double)x[2] - at, (double)x[1] - beside) * 60 / seconds;
    close_rig (&r);
    return slip;
}

/* A car on four hinge-2 suspensions, pushed once: its kinetic energy (J) half a minute later. */
static double car_energy (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double body_size[3] = {3, 1.5, 0.5}, k = 40000, c = 3000;
    dCreatePlane (r.space, 0, 0, 1, 0);
    const dBodyID car = add_box (&r, 1000, body_size, 0, 0, 0.8, 0);
    for (int i = 0; i < 4; ++i)
    {
        const double x = i & 1 ? 1.2 : -1.2, y = i & 2 ? 0.8 : -0.8;
        const dVector3 up = {0, 0, 1}, axle = {0, 1, 0};
        dMass m;
        const dBodyID wheel = r.body[r.bodies++] = dBodyCreate (r.world);
        dMassSetSphereTotal (&m, 20, (dReal)0.35);
        dBodySetMass (wheel, &m);
        dBodySetPosition (wheel, (dReal)x, (dReal)y, (dReal)0.35);
        dGeomSetBody (dCreateSphere (r.space, (dReal)0.35), wheel);
        const dJointID joint = dJointCreateHinge2 (r.world, NULL);
        dJointAttach (joint, car, wheel);
        dJointSetHinge2Anchor (joint, (dReal)x, (dReal)y, (dReal)0.35);
        dJointSetHinge2Axes (joint, up, axle);
        dJointSetHinge2Param (joint, dParamLoStop, 0);
        dJointSetHinge2Param (joint, dParamHiStop, 0);
        dJointSetHinge2Param (joint, dParamSuspensionERP, (dReal)(h * k / (h * k + c)));
        dJointSetHinge2Param (joint, dParamSuspensionCFM, (dReal)(1 / (h * k + c)));
        dJointSetHinge2Param (joint, dParamFMax2, 500);
    }
    run (&r, h, 1);
    dBodyAddForce (car, 30000, 20000, 0);
    run (&r, h, quick ? 15 : 30);
    double energy = 0;
    for (int i = 0; i < r.bodies; ++i) energy += 0.5 * (i ? 20 : 1000) * pow (speed_of (r.body[i]), 2);
    close_rig (&r);
    return energy;
}

/* Two links held out by motors that want no motion, or one by dry friction: how far they sink in a minute
 * (rad), after two seconds. */
static double held_links (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double seconds = quick ? 6 : 60;
    const dBodyID a = add_box (&r, 1, link_size, 0.5, 0, 0, 0), b = add_box (&r, 1, link_size, 1.5, 0, 0, 0);
    const dJointID upper = add_hinge (&r, a, NULL, 0, 0, 0, along_y),
                   lower = add_hinge (&r, a, b, 1, 0, 0, along_y);
    set_motor (upper, 0, 100), set_motor (lower, 0, 6);
    run (&r, h, 2);
    const double at[2] = {(double)dJointGetHingeAngle (upper), (double)dJointGetHingeAngle (lower)};
    run (&r, h, seconds);
    const double sunk = fabs ((double)dJointGetHingeAngle (upper) - at[0]) +
                        fabs ((double)dJointGetHingeAngle (lower) - at[1]);
    close_rig (&r);
    return sunk * 60 / seconds;
}

/* The worst of a figure at steps from 1/30 to 1/2000 s. */
static void at_every_step (const char *what, figure *of, double asked)
{
    static const double steps[] = {30, 60, 125, 500, 2000};
    double worst[2] = {0, 0};
    for (int i = 0; i < 5; ++i)
        for (int with_rls = 0; with_rls < 2; ++with_rls)
            worst[with_rls] = fmax (worst[with_rls], of (with_rls, 1 / steps[i]));
    line (what, worst[0], worst[1], asked, 0);
}

/* ---- energy ---- */

static double energy (int count, const dBodyID body[])
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
    {
        dReal kinetic, potential;
        dRLSMeasureBody (body[i], &kinetic, &potential);
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
    const double all = last = energy (r.bodies, r.body);
    for (int i = 0; i < lround (20 / h); ++i)
    {
        step (&r, h);
        const double now = energy (r.bodies, r.body);
        worst = fmax (worst, now - last);
        last = now;
    }
    close_rig (&r);
    return worst / all;
}

/* What is stored (J) in the springs of the contacts of a step of h (s): ODE's ERP and CFM make one of
 * k = ERP / (h CFM) of each, compressed by its depth. */
static double stored_in_contacts (const scene *s, double h)
{
    const double k = (double)dWorldGetERP (scene_world (s)) / (h * RAGDOLL_CFM);
    double sum = 0;
    for (int i = 0; i < scene_watched_count (s); ++i)
    {
        scene_contact contact;
        scene_contact_at (s, i, &contact);
        sum += 0.5 * k * contact.depth * contact.depth;
    }
    return sum;
}

/* The same of ten ragdolls, whose contacts are hard, or the springs of the scene (soft_cfm): largest[0] of
 * their energy, [1] of what is more than these springs hold when the step begins. */
static void gain_of_ragdolls (double h, int hard, double largest[2])
{
    char error[400];
    scene *s = scene_read ("ragdolls:10", NULL, NULL, error, sizeof (error));
    largest[0] = largest[1] = s ? 0 : NAN;
    if (!s) return;
    dBodyID body[512];
    const int bodies = scene_body_count (s) < 512 ? scene_body_count (s) : 512;
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    double last;
    for (int b = 0; b < bodies; ++b) body[b] = scene_body_at (s, b)->body;
    for (int c = 0; c < s->collision_count && hard; ++c) s->collisions[c]->has_soft_cfm = 0;
    scene_set_time_step (s, h);
    scene_prepare_stepper (s, stepper);
    scene_watch_contacts (s);
    const double all = last = energy (bodies, body);
    for (int i = 0; i < lround (10 / h); ++i)
    {
        scene_before_step (s, i * h, 0);
        const double stored = hard ? 0 : stored_in_contacts (s, h);
        dRLSStepperStep (stepper, (dReal)h);
        scene_after_step (s);
        const double now = energy (bodies, body);
        largest[0] = fmax (largest[0], (now - last) / all);
        largest[1] = fmax (largest[1], (now - last - stored) / all);
        last = now;
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

static double gain_of_hard_ragdolls (double h)
{
    double largest[2];
    gain_of_ragdolls (h, 1, largest);
    return largest[0];
}

/* Springs give back what they hold, so the first line of these is no fault by itself. */
static void gains_of_springs (const char *what, double h)
{
    double largest[2];
    gain_of_ragdolls (h, 0, largest);
    known_to_miss = 1;
    line (what, NAN, largest[0], 1e-9, 0);
    known_to_miss = 0;
    line ("of that more than the springs of the contacts held", NAN, largest[1], 1e-9, 0);
}

static int by_size (const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether a heap gains energy is a matter of chance, of which contacts are found late: of runs with steps
 * that differ by 1e-10 the median counts, and the worst is shown. */
static void gains (const char *what, double (*largest) (double), double h)
{
    double share[DRAWS];
    for (int i = 0; i < DRAWS; ++i) share[i] = largest (h * (1 + 1e-10 * i));
    qsort (share, DRAWS, sizeof (*share), by_size);
    const int known = known_to_miss;
    line (what, NAN, share[DRAWS / 2], 1e-9, 0);
    known_to_miss = 1;
    line ("the worst of five such runs", NAN, share[DRAWS - 1], 1e-9, 0);
    known_to_miss = known;
}

/* The largest error of the energy of a disc that rolls on its edge, leaning, in a second (J, of 4.7), after
 * the slip that it begins with: that takes 7e-5 J at any step. */
static double coin (double h)
{
    const double radius = 0.5, half = 0.025, tilt = 0.2;
    rig r = open_rig (1, 0, -G);
    dMass m;
    dMatrix3 turn;
    r.mu = 1;
    dCreatePlane (r.space, 0, 0, 1, 0);
    const dBodyID body = r.body[r.bodies++] = dBodyCreate (r.world);
    dGeomSetBody (dCreateCylinder (r.space, (dReal)radius, (dReal)(2 * half)), body);
    dMassSetCylinderTotal (&m, 1, 3, (dReal)radius, (dReal)(2 * half));
    dBodySetMass (body, &m);
    dRFromAxisAndAngle (turn, 1, 0, 0, (dReal)(M_PI / 2 - tilt));
    dBodySetRotation (body, turn);
    dBodySetPosition (body, 0, 0, (dReal)(radius * cos (tilt) + half * sin (tilt) - 0.05 * G * h * h));
    dBodySetLinearVel (body, 2, 0, 0);
    dBodySetAngularVel (body, 0, 4, 0);
    double worst = 0, first = 0;
    for (int i = 0; i < lround (1 / h); ++i)
    {
        step (&r, h);
        if (i < lround (0.1 / h)) first = energy (1, &body);
        worst = fmax (worst, fabs (energy (1, &body) - first));
    }
    close_rig (&r);
    return worst;
}

int main (int argc, char **argv)
{
    quick = argc > 1 && strcmp (argv[1], "--quick") == 0;
    begin_table ();
    compare ("stack of 10, h = 1/60: drift (m)", stack_drift, 1.0 / 60, 1e-12);
    compare ("stack of 10, h = 1/100: drift (m)", stack_drift, 1.0 / 100, 1e-12);
    compare ("stack of 10, h = 1/400: drift (m)", stack_drift, 1.0 / 400, 1e-12);
    at_every_step ("box on an incline, h = 1/30 .. 1/2000: drift (m)", incline_drift, 1e-12);
    at_every_step ("gripper, h = 1/30 .. 1/2000: slip (m a minute)", grip_slip, 1e-9);
    at_every_step ("links held out, h = 1/30 .. 1/2000: sinking (rad a minute)", held_links, 1e-9);
    at_every_step ("parked car, pushed once, h = 1/30 .. 1/2000: kinetic energy (J)", car_energy, 1e-12);
    rest ("wall of 6 x 6", small_wall, 0);
    rest ("card house", card_house, 1);
    rest ("dominoes, fallen", dominoes, 1);
    line ("wall of 100 bricks, standing: factorisations a step", NAN, work_of_a_standing_wall (), 1.2, 0);
    line ("the same, 20 s, h = 1/60: drift (m)", NAN, drift_of_a_tall_wall (1.0 / 60), 1e-12, 0);
    line ("the same, h = 1/100", NAN, drift_of_a_tall_wall (0.01), 1e-12, 0);
    line ("the same, h = 1/400", NAN, drift_of_a_tall_wall (1.0 / 400), 1e-12, 0);
    line ("leaning disc that rolls, h = 1/100: error of energy (J)", NAN, coin (0.01), 0.15, 0);
    line ("the same: order of it from 1/50 to 1/400", NAN, log2 (coin (0.02) / coin (0.0025)) / 3, 1.9, 1);
    known_to_miss =
        1; /* by chance: depths beyond g h^2 are taken back also where nothing is lost (limits.md) */
    gains ("heap of 40 boxes, h = 1/50: largest gain of energy in a step, share", gain, 0.02);
    gains ("heap of 40 boxes, h = 1/100: the same", gain, 0.01);
    known_to_miss = 0;
    gains ("ten ragdolls, hard contacts, h = 1/50: the same", gain_of_hard_ragdolls, 0.02);
    gains ("ten ragdolls, hard contacts, h = 1/100: the same", gain_of_hard_ragdolls, 0.01);
    gains_of_springs ("ten ragdolls, contacts of 1 and 2 MN/m, h = 1/50: the same", 0.02);
    gains_of_springs ("ten ragdolls, contacts of 1 and 2 MN/m, h = 1/100: the same", 0.01);
    return end_table ();
}
