/*
 * A robot on four wheels that turns by driving those of one side faster, and a car that is steered.  Eight
 * points share their weights, more than rigid bodies tell apart, and all of the robot's slide.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define WHEELS 4
#define RADIUS 0.1
#define WIDTH 0.05

typedef struct
{
    scene s;
    dGeomID wheel[WHEELS], ground;
    int long_steps; /* that have looked at more than 40 poses */
} robot;

static robot build (void)
{
    robot r = {.s = scene_open ((dReal)-9.81), .ground = dCreatePlane (NULL, 0, 0, 1, 0)};
    dMass mass;
    dMatrix3 across;
    dMassSetCylinderTotal (&mass, (dReal)0.5, 3, (dReal)RADIUS, (dReal)WIDTH);
    dRFromAxisAndAngle (across, 1, 0, 0, (dReal)(M_PI / 2));
    for (int w = 0; w < WHEELS; ++w)
    {
        scene_box (&r.s, (dReal)(w < 2 ? 0.2 : -0.2), (dReal)(w & 1 ? 0.22 : -0.22), (dReal)RADIUS, 1, 1, 1,
                   1);
        dBodySetMass (r.s.body[w], &mass);
        dBodySetRotation (r.s.body[w], across);
        r.wheel[w] = dCreateCylinder (NULL, (dReal)RADIUS, (dReal)WIDTH);
        dGeomSetBody (r.wheel[w], r.s.body[w]);
    }
    const int chassis = scene_box (&r.s, 0, 0, (dReal)0.15, 8, (dReal)0.5, (dReal)0.3, (dReal)0.1);
    for (int w = 0; w < WHEELS; ++w)
    {
        const dReal *x = dBodyGetPosition (r.s.body[w]);
        const dJointID axle =
            scene_hinge (&r.s, w, chassis, (const double[]){(double)x[0], (double)x[1], (double)x[2]},
                         (const double[]){0, 1, 0});
        dJointSetHingeParam (axle, dParamFMax, 5);
    }
    return r;
}

static void drive (robot *r, double right, double left, int steps, double h)
{
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.8};
    const dJointGroupID contacts = dJointGroupCreate (0);
    for (int w = 0; w < WHEELS; ++w)
        dJointSetHingeParam (r->s.joint[w], dParamVel, (dReal)(w & 1 ? left : right));
    for (int i = 0; i < steps; ++i)
    {
        for (int w = 0; w < WHEELS; ++w)
            scene_touch (r->s.world, contacts, r->wheel[w], r->ground, 8, &surface, NULL);
        scene_step (&r->s, (dReal)h, 1);
        dJointGroupEmpty (contacts);
        dRLSReport report = {.struct_size = sizeof report};
        dRLSStepperGetReport (scene_stepper (&r->s), &report);
        r->long_steps += report.row_evaluations > 40;
    }
    dJointGroupDestroy (contacts);
}

/* The angle (rad) by which it has turned in two seconds. */
static double turns (double h, int *long_steps)
{
    robot r = build ();
    drive (&r, 0, 0, (int)(0.3 / h + 0.5), h);
    drive (&r, 4, 12, (int)(2 / h + 0.5), h);
    const dReal *R = dBodyGetRotation (r.s.body[WHEELS]);
    const double angle = atan2 ((double)R[4], (double)R[0]);
    for (int w = 0; w < WHEELS; ++w) dGeomDestroy (r.wheel[w]);
    dGeomDestroy (r.ground);
    scene_close (&r.s);
    *long_steps = r.long_steps;
    return angle;
}

/* Where contacts were to overlap each by itself, some had no load, lost the ground by rounding and stayed
 * above it: at 0.5 ms it turned by 1.47 rad.  (dWorldStep: 0.02, and up to 2.3 where the world is turned.) */
static void it_turns_alike_at_all_steps (void **state)
{
    static const double h[] = {0.01, 0.002, 0.001, 0.0005};
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        int long_steps;
        const double angle = turns (h[i], &long_steps);
        print_message ("h = %g s: turns by %.4f rad\n", h[i], angle);
        assert_true (fabs (angle + 1.92) < 0.02);
    }
}

/* In the first half of a long step friction sticks and slides by turns, and one answer leads to the other for
 * ever, unless contacts keep their loads: 77 of 138 steps looked at more than 40 poses. */
static void first_halves_converge (void **state)
{
    int long_steps;
    (void)state;
    turns (1 / 60.0, &long_steps);
    print_message ("%d long steps\n", long_steps);
    assert_true (long_steps < 5);
}

/* Where a car of 60 kg is after three seconds that stands on four cylinders: the hind ones are driven by 30 N
 * m each, the others steered to and fro. */
static void weave (double h, double at[2])
{
    static const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = 1};
    static const double across[3] = {0, 1, 0}, up[3] = {0, 0, 1};
    scene s = scene_open ((dReal)-9.81);
    const dJointGroupID group = dJointGroupCreate (0);
    const dGeomID ground = dCreatePlane (NULL, 0, 0, 1, 0);
    dGeomID wheel[WHEELS];
    dMass mass;
    dMatrix3 R;
    dRFromAxisAndAngle (R, 1, 0, 0, (dReal)(-M_PI / 2));
    dMassSetCylinderTotal (&mass, 6, 3, (dReal)0.3, (dReal)0.15);
    const int chassis = scene_box (&s, 0, 0, (dReal)0.5, 60, 2, (dReal)0.9, (dReal)0.2);
    for (int w = 0; w < WHEELS; ++w)
    {
        const double x[3] = {w < 2 ? -0.7 : 0.7, w & 1 ? 0.7 : -0.7, 0.3};
        const int knuckle =
            w < 2 ? chassis : scene_box (&s, (dReal)x[0], (dReal)x[1], (dReal)x[2], 3, 0.1, 0.1, 0.1);
        if (w >= 2) scene_hinge (&s, chassis, knuckle, x, up);
        const int body = scene_box (&s, (dReal)x[0], (dReal)x[1], (dReal)x[2], 1, 1, 1, 1);
        dBodySetMass (s.body[body], &mass), dBodySetRotation (s.body[body], R);
        wheel[w] = dCreateCylinder (NULL, (dReal)0.3, (dReal)0.15), dGeomSetBody (wheel[w], s.body[body]);
        const dJointID joint = scene_hinge (&s, knuckle, body, x, across);
        dJointSetHingeParam (joint, dParamVel, -12);
        dJointSetHingeParam (joint, dParamFMax, w < 2 ? 30 : 0);
    }
    for (int i = 0; i < 3 / h - 0.5; ++i)
    {
        for (int w = 2; w < WHEELS; ++w)
        {
            const dJointID joint = s.joint[2 * w - 2];
            const double wanted = -0.5 * sin (1.2 * i * h);
            dJointSetHingeParam (joint, dParamVel, 8 * ((dReal)wanted - dJointGetHingeAngle (joint)));
            dJointSetHingeParam (joint, dParamFMax, 200);
        }
        for (int w = 0; w < WHEELS; ++w) scene_touch (s.world, group, wheel[w], ground, 4, &surface, NULL);
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (group);
    }
    for (int k = 0; k < 2; ++k) at[k] = (double)dBodyGetPosition (s.body[chassis])[k];
    for (int w = 0; w < WHEELS; ++w) dGeomDestroy (wheel[w]);
    dGeomDestroy (ground), dJointGroupDestroy (group);
    scene_close (&s);
}

/* In iterations of the first half three wheels bore the car, by turns, until one turned on the spot: off by
 * 0.32 and 1.24 m at 1/60 s and 10 ms. */
static void a_steered_car_keeps_its_way (void **state)
{
    static const double h[] = {1 / 240.0, 0.01, 1 / 60.0};
    double at[3][2];
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        weave (h[i], at[i]);
        print_message ("h = %.4f s: at %.3f, %.3f m\n", h[i], at[i][0], at[i][1]);
        assert_true (hypot (at[i][0] - at[0][0], at[i][1] - at[0][1]) < 0.02);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (it_turns_alike_at_all_steps),
                                       cmocka_unit_test (first_halves_converge),
                                       cmocka_unit_test (a_steered_car_keeps_its_way)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
