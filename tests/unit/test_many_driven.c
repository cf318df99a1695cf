/*
 * Large islands that the program moves: a truck on many wheels, carts and robots side by side on one
 * platform, loads that a table carries.  What contacts lack there is the same in each step, so that it adds
 * up, and how they share the weight does not follow for rigid bodies: wheels that have no load turn on the
 * spot.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define GRAVITY 9.81
#define WHEEL 0.2      /* m */
#define WHEEL_MASS 0.5 /* kg */

/* ---- wheels ---- */

typedef struct
{
    scene s;
    dSpaceID space;
    dJointGroupID contacts;
    dReal mu;
} contact_scene;

static void meet (void *context, dGeomID a, dGeomID b)
{
    const contact_scene *c = context;
    const dReal *own = dGeomGetData (a) ? dGeomGetData (a) : dGeomGetData (b);
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = own ? *own : c->mu};
    const int balls = (dGeomGetClass (a) == dSphereClass) + (dGeomGetClass (b) == dSphereClass);
    if (balls < 2) scene_touch (c->s.world, c->contacts, a, b, 4, &surface, NULL);
}

/* An empty scene; all contacts in it will have this friction. */
static contact_scene open_contact_scene (double mu)
{
    return (contact_scene){scene_open ((dReal)-GRAVITY), dSimpleSpaceCreate (NULL), dJointGroupCreate (0),
                           (dReal)mu};
}

/* Finds the contacts and takes a step. */
static void step_contact_scene (contact_scene *c, double h)
{
    dSpaceCollide (c->space, c, meet);
    assert_true (dRLSStepperStep (scene_stepper (&c->s), (dReal)h));
    dJointGroupEmpty (c->contacts);
}

static void close_contact_scene (contact_scene *c)
{
    dJointGroupDestroy (c->contacts);
    dSpaceDestroy (c->space);
    scene_close (&c->s);
}

/* A chassis of 10 kg with its centre at (x, y), on wheels that a motor of so many N m wants to turn at 200
 * rad/s; or, rolling at v (m/s), wants to stop.  Returns its body. */
static int add_car (scene *s, dSpaceID space, double x, double y, int wheels, double torque, double v)
{
    const int chassis =
        scene_box (s, (dReal)x, (dReal)y, (dReal)WHEEL, 10, (dReal)(wheels * 0.25), 1, (dReal)0.2);
    for (int i = 0; i < wheels; ++i)
    {
        const double along = x + 0.5 * (i / 2) - 0.125 * (wheels - 2), across = y + (i % 2 ? 0.6 : -0.6);
        const int wheel = scene_box (s, (dReal)along, (dReal)across, (dReal)WHEEL, 1, 1, 1, 1);
        dMass m;
        dMassSetSphereTotal (&m, (dReal)WHEEL_MASS, (dReal)WHEEL);
        dBodySetMass (s->body[wheel], &m);
        dGeomSetBody (dCreateSphere (space, (dReal)WHEEL), s->body[wheel]);
        const dJointID axle = scene_joint (s, dJointCreateHinge, chassis, wheel);
        dJointSetHingeAnchor (axle, (dReal)along, (dReal)across, (dReal)WHEEL);
        dJointSetHingeAxis (axle, 0, 1, 0);
        dJointSetHingeParam (axle, dParamFMax, (dReal)torque);
        dJointSetHingeParam (axle, dParamVel, v > 0 ? 0 : -200);
        dBodySetLinearVel (s->body[wheel], (dReal)v, 0, 0);
        dBodySetAngularVel (s->body[wheel], 0, (dReal)(v / WHEEL), 0);
    }
    dBodySetLinearVel (s->body[chassis], (dReal)v, 0, 0);
    return chassis;
}

/* The acceleration of such a car whose wheels roll: that of its mass and the wheels' inertia. */
static double acceleration (int wheels, double torque)
{
    return wheels * torque / WHEEL / (10 + wheels * WHEEL_MASS * 1.4);
}

/* Some cars drive for a second on the ground, or on a platform of 1 t that lies on it; or brake there from
 * the velocities v.  v: their velocities then (m/s). */
static void drive (int cars, int wheels, double torque, int on_platform, double h, double v[])
{
    contact_scene c = open_contact_scene (0.8);
    int chassis[16];
    dCreatePlane (c.space, 0, 0, 1, (dReal)(on_platform ? -0.2 : 0));
    if (on_platform)
    {
        const int platform = scene_box (&c.s, 0, 0, (dReal)-0.1, 1000, 20, 20, (dReal)0.2);
        dGeomSetBody (dCreateBox (c.space, 20, 20, (dReal)0.2), c.s.body[platform]);
    }
    for (int i = 0; i < cars; ++i)
        chassis[i] = add_car (&c.s, c.space, 0, 2 * (i - cars / 2), wheels, torque, v[i]);
    for (int i = 0; i < (int)(1 / h + 0.5); ++i) step_contact_scene (&c, h);
    for (int i = 0; i < cars; ++i) v[i] = (double)dBodyGetLinearVel (c.s.body[chassis[i]])[0];
    close_contact_scene (&c);
}

/* Before, trucks gained up to 5 % less velocity, and lost up to 14 % less when they braked, as wheels without
 * load turned on the spot. */
static void no_wheel_turns_on_the_spot (void **state)
{
    (void)state;
    for (int k = 0; k < 24; ++k)
    {
        const double h = (const double[]){0.02, 0.01, 0.004}[k % 3], torque = k / 3 % 2 ? 0.5 : 0.2,
                     from = k / 12 ? 5 : 0;
        const int wheels = k / 6 % 2 ? 40 : 26;
        double v = from;
        drive (1, wheels, torque, 0, h, &v);
        const double off = fabs (v - from) / acceleration (wheels, torque) - 1;
        if (!(fabs (off) < 1e-9))
            fail_msg ("%d wheels, %g N m, from %g m/s, %g s: %g too much", wheels, torque, from, h, off);
    }
}

/* Before, carts that each drive right alone were up to 10 % apart on one platform. */
static void carts_do_not_slow_each_other (void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        const double h = k % 2 ? 0.0025 : 0.01, torque = k / 2 ? 0.3 : 1;
        double v[9] = {0}, alone = 0;
        drive (1, 4, torque, 1, h, &alone);
        drive (9, 4, torque, 1, h, v);
        for (int i = 0; i < 9; ++i)
            if (!(fabs (v[i] / alone - 1) < 2e-4))
                fail_msg ("%g N m, %g s, cart %d: %g m/s, alone %g", torque, h, i, v[i], alone);
    }
}

/* ---- robots on casters ---- */

#define TRACK 0.5 /* m, between the driven wheels */

/* A robot as in test_car.c, on two driven wheels, and two casters without friction. */
static int add_robot (scene *s, dSpaceID space, double y, dReal *mu)
{
    const int chassis = scene_box (s, 0, (dReal)y, (dReal)0.15, 10, (dReal)0.6, (dReal)0.4, (dReal)0.1);
    for (int i = 0; i < 2; ++i)
    {
        const double across = y + (i ? TRACK / 2 : -TRACK / 2);
        const int wheel = scene_box (s, 0, (dReal)across, (dReal)0.1, 1, 1, 1, 1);
        const dGeomID tyre = dCreateSphere (space, (dReal)0.1), caster = dCreateSphere (space, (dReal)0.05);
        dMass disc;
        dMassSetCylinderTotal (&disc, 1, 2, (dReal)0.1, (dReal)0.06);
        dBodySetMass (s->body[wheel], &disc);
        dGeomSetBody (tyre, s->body[wheel]), dGeomSetBody (caster, s->body[chassis]);
        dGeomSetOffsetPosition (caster, (dReal)(i ? -0.25 : 0.25), 0, (dReal)-0.1);
        dGeomSetData (caster, mu); /* its own friction */
        const dJointID axle = scene_joint (s, dJointCreateHinge, wheel, chassis);
        dJointSetHingeAnchor (axle, 0, (dReal)across, (dReal)0.1);
        dJointSetHingeAxis (axle, 0, 1, 0);
        dJointSetHingeParam (axle, dParamFMax, (dReal)0.8);
        dJointSetHingeParam (axle, dParamVel, i ? 8 : 5);
    }
    return chassis;
}

/* Eight robots on one platform drive in circles.  Before, they turned by up to 1 % less at 10 ms, since
 * wheels lost the ground where a joint was closed. */
static void robots_on_casters_drive (void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k)
    {
        const double h = (const double[]){1. / 30, 0.01, 0.002}[k], allowed = k == 0 ? 1e-3 : 2e-4;
        contact_scene c = open_contact_scene (0.9);
        dReal none = 0;
        int chassis[8];
        dCreatePlane (c.space, 0, 0, 1, (dReal)-0.2);
        const int platform = scene_box (&c.s, 0, 0, (dReal)-0.1, 1000, 20, 20, (dReal)0.2);
        dGeomSetBody (dCreateBox (c.space, 20, 20, (dReal)0.2), c.s.body[platform]);
        for (int i = 0; i < 8; ++i) chassis[i] = add_robot (&c.s, c.space, 1.2 * (i - 3.5), &none);
        for (int i = 0; i < (int)(1.5 / h); ++i) step_contact_scene (&c, h);
        for (int i = 0; i < 8; ++i)
        {
            const dReal *v = dBodyGetLinearVel (c.s.body[chassis[i]]),
                        *w = dBodyGetAngularVel (c.s.body[chassis[i]]);
            const double off = hypot ((double)v[0], (double)v[1]) - 0.65, turns = (double)w[2] + 0.6;
            if (!(fabs (off) < allowed && fabs (turns) < allowed))
                fail_msg ("robot %d, %g s: off by %g m/s, %g rad/s", i, h, off, turns);
        }
        close_contact_scene (&c);
    }
}

/* ---- loads ---- */

/* How far boxes in layers of twenty slip on a table that a motor, or the program itself, accelerates with 0.6
 * of what friction can give. */
static double carry (int boxes, int motor, double h)
{
    contact_scene c = open_contact_scene (0.5);
    const int table = scene_box (&c.s, 0, 0, 0, 20, 6, 2, (dReal)0.2);
    dGeomSetBody (dCreateBox (c.space, 6, 2, (dReal)0.2), c.s.body[table]);
    dJointID slider = NULL;
    if (motor)
    {
        slider = scene_joint (&c.s, dJointCreateSlider, table, NO_BODY);
        dJointSetSliderAxis (slider, 1, 0, 0);
        dJointSetSliderParam (slider, dParamFMax, 1000000);
    }
    else
        dBodySetKinematic (c.s.body[table]);
    for (int i = 0; i < boxes; ++i)
    {
        const int box = scene_box (&c.s, (dReal)(-2.5 + 0.5 * (i % 10)), (dReal)(i / 10 % 2 ? 0.5 : -0.5),
                                   (dReal)(0.25 + 0.3001 * (i / 20)), (dReal)(1 + 0.3 * (i % 4)), (dReal)0.4,
                                   (dReal)0.4, (dReal)0.3);
        dGeomSetBody (dCreateBox (c.space, (dReal)0.4, (dReal)0.4, (dReal)0.3), c.s.body[box]);
    }

    /* half a second at rest, then two */
    double from[64], slip = 0, v = 0;
    for (int i = 0, rest = (int)(0.5 / h); i < rest + (int)(2 / h); ++i)
    {
        for (int k = 1; k <= boxes && i == rest; ++k) from[k] = (double)dBodyGetPosition (c.s.body[k])[0];
        if (i >= rest) v += 3 * h;
        if (motor)
            dJointSetSliderParam (slider, dParamVel, (dReal)v);
        else
            dBodySetLinearVel (c.s.body[table], (dReal)v, 0, 0);
        step_contact_scene (&c, h);
    }
    const double way = (double)dBodyGetPosition (c.s.body[table])[0];
    for (int k = 1; k <= boxes; ++k)
        slip = fmax (slip, fabs ((double)dBodyGetPosition (c.s.body[k])[0] - from[k] - way));
    close_contact_scene (&c);
    return slip;
}

/* In the first step of the motion they slip by 0.55 m/s^2 times h^2 (limits.md).  Before, twelve and thirty
 * slipped by 11 and 14 mm at 10 ms (dWorldStep: 3e-10 m; QuickStep: 2 and 10 mm). */
static void loads_stay (void **state)
{
    (void)state;
    for (int k = 0; k < 12; ++k)
    {
        const double h = (const double[]){1. / 30, 0.01, 0.002}[k % 3];
        const int boxes = k / 6 ? 30 : 12, motor = k / 3 % 2;
        const double slip = carry (boxes, motor, h);
        print_message ("%d boxes, %s, %g s: slip %.1e m\n", boxes, motor ? "motor" : "program", h, slip);
        if (!(slip < 2 * h * h)) fail_msg ("%d boxes, motor %d, %g s: slip %g m", boxes, motor, h, slip);
    }
}

/* Four stacks of six crates on a lift that goes up and down with up to 0.64 of gravity.  Before, they slipped
 * and left each other by up to 10 and 5 mm (QuickStep: 14 and 7 mm).  By their sides some steps are not
 * solved, which ones depends on last digits: beside the first four cases half of those whose stacks are moved
 * by some 1e-9 m slipped by up to 0.7 mm at 2 ms. */
static void crates_stay_on_a_lift (void **state)
{
    (void)state;
    static const double moved[] = {0, 0, 0, 0, 2e-9, 3e-9, 5e-9, 6e-9, 8e-9}; /* m */
    for (int k = 0; k < 9; ++k)
    {
        const double h = k % 2 || k > 3 ? 0.002 : 0.01, fastest = k / 2 == 1 ? 2 : 1;
        double slip = 0, gap = 0, from[24][2];
        contact_scene c = open_contact_scene (0.6);
        const int lift = scene_box (&c.s, 0, 0, (dReal)-0.1, 50, 8, 8, (dReal)0.2);
        dGeomSetBody (dCreateBox (c.space, 8, 8, (dReal)0.2), c.s.body[lift]);
        const dJointID slider = scene_joint (&c.s, dJointCreateSlider, lift, NO_BODY);
        dJointSetSliderAxis (slider, 0, 0, 1);
        dJointSetSliderParam (slider, dParamFMax, 1000000);
        for (int i = 0; i < 24; ++i)
        {
            const int box = scene_box (&c.s, (dReal)(0.6 * (i % 4) + moved[k]), 0,
                                       (dReal)(0.15 + (0.3 - 1e-6) * (i / 4) - 1e-6), (dReal)(1 + i % 3),
                                       (dReal)0.4, (dReal)0.4, (dReal)0.3);
            dGeomSetBody (dCreateBox (c.space, (dReal)0.4, (dReal)0.4, (dReal)0.3), c.s.body[box]);
            from[i][0] = 0.6 * (i % 4) + moved[k], from[i][1] = 0.25 + 0.3 * (i / 4);
        }
        for (int i = 0; i < (int)(2 / h); ++i)
        {
            dJointSetSliderParam (slider, dParamVel,
                                  (dReal)(fastest * sin (3.14159265358979 * (i + 0.5) * h)));
            step_contact_scene (&c, h);
            const double up = (double)dBodyGetPosition (c.s.body[lift])[2];
            for (int n = 0; n < 24; ++n)
            {
                const dReal *x = dBodyGetPosition (c.s.body[1 + n]);
                slip = fmax (slip, hypot ((double)x[0] - from[n][0], (double)x[1]));
                gap = fmax (gap, fabs ((double)x[2] - up - from[n][1]));
            }
        }
        print_message ("lift at %g m/s, %g s: slip %.1e m, gap %.1e m\n", fastest, h, slip, gap);
        if (!(slip < 1e-5 && gap < 1e-5)) fail_msg ("%g m/s, %g s: slip %g, gap %g m", fastest, h, slip, gap);
        close_contact_scene (&c);
    }
}

/* ---- rows of boxes ---- */

/* What is left of a motion: how far the blade is behind (m), and the boxes' velocities are off (m/s), in the
 * last quarter of the time. */
typedef struct
{
    double behind, off;
} push;

/* A blade on a slider pushes boxes of 1 kg, that stand in a row with gaps, along the ground: at 0.5 m/s,
 * by a motor that has three times the strength that their friction asks for, or by a force of so many times
 * that. */
static push push_row (int boxes, double gap, double h, double seconds, double force)
{
    static dReal smooth = 0;
    const double speed = 0.5, friction = 0.5 * GRAVITY * boxes;
    push p = {0, 0};
    contact_scene c = open_contact_scene (0.5);
    dCreatePlane (c.space, 0, 0, 1, 0);
    const int blade = scene_box (&c.s, 0, 0, (dReal)0.11, 1, (dReal)0.1, 1, (dReal)0.2);
    const dGeomID shape = dCreateBox (c.space, (dReal)0.1, 1, (dReal)0.2);
    dGeomSetBody (shape, c.s.body[blade]);
    dGeomSetData (shape, &smooth);
    const dJointID slider = scene_joint (&c.s, dJointCreateSlider, blade, NO_BODY);
    dJointSetSliderAxis (slider, 1, 0, 0);
    dJointSetSliderParam (slider, dParamVel, (dReal)speed);
    dJointSetSliderParam (slider, dParamFMax, (dReal)(force > 0 ? 0 : 3 * friction));
    for (int i = 0; i < boxes; ++i)
    {
        const int box = scene_box (&c.s, (dReal)(0.15 + gap + (0.2 + gap) * i), 0, (dReal)0.1, 1, (dReal)0.2,
                                   (dReal)0.3, (dReal)0.2);
        dGeomSetBody (dCreateBox (c.space, (dReal)0.2, (dReal)0.3, (dReal)0.2), c.s.body[box]);
    }
    for (int i = 0; i < (int)(seconds / h); ++i)
    {
        dBodyAddForce (c.s.body[blade], (dReal)(force * friction), 0, 0);
        step_contact_scene (&c, h);
        for (int n = 0; n < boxes && (i + 1) * h > 0.75 * seconds; ++n)
            p.off = fmax (p.off, fabs ((double)dBodyGetLinearVel (c.s.body[1 + n])[0] - speed));
    }
    const double way =
        force > 0 ? 0.5 * (force - 1) * friction / (1 + boxes) * seconds * seconds : speed * seconds;
    p.behind = way - (double)dJointGetSliderPosition (slider);
    close_contact_scene (&c);
    return p;
}

/* Boxes that are pushed stay together.  Where each step left a tenth of the velocities that contacts miss
 * without impulses, they swung to and fro, at up to 0.8 m/s, and the blade of 20 came to be behind by 42
 * to 55 mm at 1/60 s, that of 30 by 97 to 152 mm, and by 86 mm at 10 ms. */
static void rows_are_pushed (void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        const int boxes = k % 2 ? 30 : 20;
        const double h = k / 2 ? 0.01 : 1. / 60;
        const push p = push_row (boxes, 0.01, h, 2, 0);
        print_message ("%d boxes, %g s: behind by %.2g m, velocities off by %.2g m/s\n", boxes, h, p.behind,
                       p.off);
        if (!(p.behind < 0.015 && p.off < 0.01))
            fail_msg ("%d boxes, %g s: behind by %g m, off by %g m/s", boxes, h, p.behind, p.off);
    }
}

/* What the program pushes does not stop.  A strong force on a light body counted as what sets a pile in
 * motion from rest, and an answer that was rough beside it as rounding.  All velocities were taken for that
 * and set to 0, from 0.8 m/s in single steps: the blades came half as far.  That they come too far by a tenth
 * is since boxes that touch exactly are found only when they overlap. */
static void pushed_rows_do_not_stop (void **state)
{
    (void)state;
    for (int boxes = 20; boxes <= 30; boxes += 10)
    {
        const push p = push_row (boxes, 0, 0.005, 1, 1.5);
        print_message ("%d boxes: behind by %.2g m\n", boxes, p.behind);
        if (!(fabs (p.behind) < 0.2)) fail_msg ("%d boxes: behind by %g m", boxes, p.behind);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (no_wheel_turns_on_the_spot), cmocka_unit_test (carts_do_not_slow_each_other),
        cmocka_unit_test (robots_on_casters_drive),    cmocka_unit_test (loads_stay),
        cmocka_unit_test (crates_stay_on_a_lift),      cmocka_unit_test (rows_are_pushed),
        cmocka_unit_test (pushed_rows_do_not_stop)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
