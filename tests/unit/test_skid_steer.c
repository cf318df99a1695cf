/*
 * A robot on four wheels that turns by driving those of one side faster.  Eight points share its weight, more
 * than rigid bodies tell apart, and all of them slide.
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
 * ever.  By whole steps alone 77 of 138 steps look at more than 40 poses. */
static void first_halves_converge (void **state)
{
    int long_steps;
    (void)state;
    turns (1 / 60.0, &long_steps);
    print_message ("%d long steps\n", long_steps);
    assert_true (long_steps < 40);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (it_turns_alike_at_all_steps),
                                       cmocka_unit_test (first_halves_converge)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
