/*
 * What a world may hold: scales and masses far apart, slight inertia, degenerate axes, joints that are
 * attached to nothing, doubled, disabled, destroyed or emptied between steps.  Either the step is done and
 * finite, or it is refused and the world as it was; and a sound world goes on in the same stepper.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include "oracle_linkages.h"

#define H ((dReal)0.01)

static void expect_finite (const scene *s, const char *what)
{
    for (int b = 0; b < s->bodies; ++b)
        for (int k = 0; k < 3; ++k)
            if (!isfinite (dBodyGetPosition (s->body[b])[k]) ||
                !isfinite (dBodyGetLinearVel (s->body[b])[k]) ||
                !isfinite (dBodyGetAngularVel (s->body[b])[k]))
                fail_msg ("%s: body %d is not finite", what, b);
}

/* Some steps, each done or refused by the book.  Returns how many were done. */
static int try_steps (scene *s, dReal h, const char *what)
{
    int done = 0;
    for (int i = 0; i < 5; ++i)
    {
        scene_body_state before[SCENE_MOST];
        scene_look (s, before);
        if (dRLSStepperStep (scene_stepper (s), h))
        {
            ++done;
            expect_finite (s, what);
            continue;
        }
        assert_int_not_equal (dRLSStepperGetStatus (s->stepper), dRLSStatusOk);
        if (!scene_same (s, before)) fail_msg ("%s: refused, but the world has changed", what);
    }
    dRLSStepperAnalyse (s->stepper);
    return done;
}

static void pair_of_boxes (scene *s, double size, double mass1, double mass2)
{
    const dReal d = (dReal)size;
    scene_box (s, 0, 0, 0, (dReal)mass1, d, d, d);
    scene_box (s, d, 0, 0, (dReal)mass2, d, d, d);
    scene_hinge (s, 0, 1, (const double[3]){0.5 * size, 0, 0}, (const double[3]){0, 0, 1});
    scene_hinge (s, 0, 1, (const double[3]){0.5 * size, 0, 0.3 * size}, (const double[3]){0, 0, 1});
    scene_ball (s, 0, NO_BODY, (const double[3]){0, 0.5 * size, 0});
}

static void scales_of_length (void **state)
{
    (void)state;
    for (int decade = -12; decade <= 12; ++decade)
        for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
        {
            scene s = scene_open ((dReal)-9.81);
            pair_of_boxes (&s, pow (10, decade), 1, 1);
            dRLSStepperSetIntegrator (scene_stepper (&s), integrator);
            const int done = try_steps (&s, H, "scale of length");
            /* what can be built is stepped */
            if (abs (decade) <= 3 && done != 5)
                fail_msg ("size 1e%d, integrator %d: %d steps", decade, integrator, done);
            scene_close (&s);
        }
}

static void ratios_of_masses (void **state)
{
    (void)state;
    for (int decade = -6; decade <= 6; ++decade)
    {
        scene s = scene_open ((dReal)-9.81);
        pair_of_boxes (&s, 1, 1, pow (10, decade));
        if (try_steps (&s, H, "ratio of masses") != 5)
            fail_msg ("1 to 1e%d: %s", decade, dRLSStepperGetMessage (s.stepper));
        assert_true (scene_violation (&s) < 1e-10);
        scene_close (&s);
    }
}

/* Step sizes at either end of the numbers. */
static void sizes_of_steps (void **state)
{
    (void)state;
    const dReal sizes[] = {(dReal)1e-300, (dReal)1e-30, (dReal)1e-12, (dReal)1e3, (dReal)1e30, (dReal)1e300};
    for (int i = 0; i < 6; ++i)
        for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
        {
            scene s = scene_open ((dReal)-9.81);
            pair_of_boxes (&s, 1, 1, 2);
            dRLSStepperSetIntegrator (scene_stepper (&s), integrator);
            try_steps (&s, sizes[i], "size of step");
            scene_close (&s);
        }
}

/* Needles nearly without inertia about their axis, points.  What is singular ODE itself ends the program over
 * (dBodySetMass). */
static void slight_inertia (void **state)
{
    (void)state;
    static const double inertia[][3] = {
        {1, 1, 1e-12}, {1, 1, 1e-30}, {1, 1e-30, 1e-30}, {1e-30, 1e-30, 1e-30}};
    for (size_t i = 0; i < sizeof inertia / sizeof *inertia; ++i)
    {
        scene s = scene_open ((dReal)-9.81);
        dMass mass;
        pair_of_boxes (&s, 1, 1, 1);
        dBodyGetMass (s.body[1], &mass);
        for (int k = 0; k < 3; ++k) mass.I[5 * k] = (dReal)inertia[i][k];
        dBodySetMass (s.body[1], &mass);
        try_steps (&s, H, "inertia");
        dMassSetBoxTotal (&mass, 1, 1, 1, 1);
        dBodySetMass (s.body[1], &mass);
        scene_step (&s, H, 3);
        scene_close (&s);
    }
}

/* Axes that should cross and are parallel, or nearly.  An axis of no length ODE itself ends the program over.
 */
static void degenerate_axes (void **state)
{
    (void)state;
    static const double tilts[] = {0, 1e-15, 1e-9, 1e-6, 1e-3};
    for (size_t i = 0; i < sizeof tilts / sizeof *tilts; ++i)
    {
        scene s = scene_open ((dReal)-9.81);
        pair_of_boxes (&s, 1, 1, 1);
        const dJointID universal = scene_joint (&s, dJointCreateUniversal, 0, 1);
        dJointSetUniversalAnchor (universal, (dReal)0.5, 0, 0);
        dJointSetUniversalAxis1 (universal, 0, 0, 1);
        dJointSetUniversalAxis2 (universal, 1, 0, 0);
        const double half = acos (-1) / 4 - tilts[i] / 2;
        const dQuaternion q = {(dReal)cos (half), 0, (dReal)-sin (half), 0};
        dBodySetQuaternion (s.body[1], q);
        try_steps (&s, H, "axes");
        scene_close (&s);
    }
}

/* Not attached, attached to one body, twice the same, disabled, and with a body that cannot move. */
static void loose_and_doubled_joints (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    pair_of_boxes (&s, 1, 1, 1);
    dJointCreateHinge (s.world, NULL);
    dJointCreateAMotor (s.world, NULL);
    dJointCreateFixed (s.world, NULL);
    const dJointID off = scene_hinge (&s, 0, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
    dJointDisable (off);
    const int still = scene_box (&s, 0, 3, 0, 1, 1, 1, 1);
    dBodySetKinematic (s.body[still]);
    scene_ball (&s, 0, still, (const double[3]){0, 0.5, 0}); /* as the ball to the world */
    assert_int_equal (try_steps (&s, H, "loose joints"), 5);
    assert_true (scene_violation (&s) < 1e-12);
    scene_close (&s);
}

/* Bodies and joints go and groups are emptied between steps; those that stay move as if the others had never
 * been. */
static void destroyed_between_steps (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81), plain = scene_open ((dReal)-9.81);
    pair_of_boxes (&s, 1, 1, 1), pair_of_boxes (&plain, 1, 1, 1);
    const dJointGroupID group = dJointGroupCreate (0);
    for (int round = 0; round < 4; ++round)
    {
        const dBodyID visitor = dBodyCreate (s.world);
        dBodySetPosition (visitor, 5, 0, 0);
        for (int i = 0; i < 3; ++i)
        {
            const dJointID joint =
                i ? dJointCreateBall (s.world, group) : dJointCreateSlider (s.world, group);
            dJointAttach (joint, visitor, NULL);
        }
        scene_step (&s, H, 2);
        if (round % 2)
        {
            dJointGroupEmpty (group);
            scene_step (&s, H, 1);
            dBodyDestroy (visitor);
        }
        else
        {
            dBodyDestroy (visitor);
            scene_step (&s, H, 1);
            dJointGroupEmpty (group);
        }
        scene_step (&plain, H, 3);
    }
    dJointDestroy (s.joint[1]), dJointDestroy (plain.joint[1]);
    s.joint[1] = s.joint[--s.joints], plain.joint[1] = plain.joint[--plain.joints];
    scene_step (&s, H, 3), scene_step (&plain, H, 3);
    assert_true (scene_pose_difference (&s, &plain) < 1e-13);
    dJointGroupDestroy (group);
    scene_close (&s), scene_close (&plain);
}

/* Three links that cannot meet: conflicting, named, bounded. */
static void impossible_constraints (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    pair_of_boxes (&s, 1, 1, 1);
    for (int i = 1; i <= 3; ++i)
    {
        const dJointID rod = scene_joint (&s, dJointCreateDBall, 1, NO_BODY);
        dJointSetDBallAnchor1 (rod, 1, 0, 0);
        dJointSetDBallAnchor2 (rod, (dReal)i, 2, (dReal)i);
        dJointSetDBallDistance (rod, (dReal)0.1 * i);
    }
    scene_step (&s, H, 200);
    expect_finite (&s, "impossible");
    assert_true (fabs (scene_energy (&s)) < 1e4);
    assert_true (scene_analyse (&s).conflicting > 0);
    assert_true (dRLSStepperGetWarningCount (s.stepper, dRLSWarningConflict) > 0);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (scales_of_length),        cmocka_unit_test (ratios_of_masses),
        cmocka_unit_test (sizes_of_steps),          cmocka_unit_test (slight_inertia),
        cmocka_unit_test (degenerate_axes),         cmocka_unit_test (loose_and_doubled_joints),
        cmocka_unit_test (destroyed_between_steps), cmocka_unit_test (impossible_constraints),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
