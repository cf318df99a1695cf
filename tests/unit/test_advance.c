/*
 * dRLSStepperAdvance: steps as long as a tolerance allows, beside runs in very short steps of the highest
 * order; that it ends where it shall, averages reactions, and undoes what fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_linkages.h"

#define DURATION 1.5

/* Two hinged rods that swing fast, from level. */
static scene double_pendulum (void)
{
    static const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {2, 0, 0}, axis[3] = {0, 1, 0};
    scene s = scene_open ((dReal)-9.81);
    scene_rod (&s, a, b);
    scene_rod (&s, b, c);
    scene_hinge (&s, 0, NO_BODY, a, axis);
    scene_hinge (&s, 1, 0, b, axis);
    scene_stepper (&s);
    return s;
}

static void advance (scene *s, double duration, double tolerance, dRLSAdvance *report)
{
    if (!dRLSStepperAdvance (s->stepper, (dReal)duration, (dReal)tolerance, report))
        fail_msg ("%s", dRLSStepperGetMessage (s->stepper));
}

/* The error stays near the tolerance, and steps are few: a tighter one takes steps in proportion to its root
 * of the order. */
static void tolerance_is_kept (void **state)
{
    static const struct
    {
        int integrator, order;
    } tried[] = {{dRLSIntegratorSymplectic, 2},
                 {dRLSIntegratorSymplectic4, 4},
                 {dRLSIntegratorSymplectic6, 6},
                 {dRLSIntegratorSymplectic8, 8},
                 {dRLSIntegratorRK4, 4}};
    (void)state;
    scene exact = double_pendulum ();
    dRLSStepperSetIntegrator (exact.stepper, dRLSIntegratorSymplectic8);
    scene_step (&exact, (dReal)(DURATION / 1000), 1000);
    for (int i = 0; i < 5; ++i)
        for (int digits = 4; digits <= 10; digits += 2)
        {
            if (tried[i].order == 2 && digits > 6) continue;
            scene s = double_pendulum ();
            dRLSAdvance report = {.struct_size = sizeof (report)};
            dRLSStepperSetIntegrator (s.stepper, tried[i].integrator);
            advance (&s, DURATION, pow (10, -digits), &report);
            const double off =
                fmax (scene_pose_difference (&s, &exact), scene_velocity_difference (&s, &exact));
            print_message ("integrator %d, tolerance 1e-%02d: off by %.1e, estimated %.1e; %d steps (%.1e to "
                           "%.1e s), %d taken back\n",
                           tried[i].integrator, digits, off, (double)report.error, report.steps,
                           (double)report.shortest, (double)report.longest, report.rejected);
            /* the motion magnifies what steps add: by about 20 over this duration */
            if (!(off < 20 * pow (10, -digits) + 1e-11)) fail_msg ("off by %g", off);
            assert_true ((double)report.error <= pow (10, -digits) && report.missed == 0);
            assert_true (report.rejected < report.steps / 2 + 5);
            assert_true ((double)dRLSStepperGetTime (s.stepper) == DURATION);
            scene_close (&s);
        }
    scene_close (&exact);
}

/* Means of reactions over the duration balance what the bodies have gained, and forces act through all of it.
 */
static void reactions_and_forces (void **state)
{
    (void)state;
    scene s = double_pendulum ();
    dJointFeedback pull[2];
    dRLSAdvance report = {.struct_size = sizeof (report)};
    for (int j = 0; j < 2; ++j) dJointSetFeedback (s.joint[j], &pull[j]);
    dRLSStepperSetIntegrator (s.stepper, dRLSIntegratorSymplectic6);
    dBodyAddForce (s.body[1], 3, 0, 2);
    advance (&s, 0.5, 1e-8, &report);
    assert_true (report.steps > 3);
    const dReal *v = dBodyGetLinearVel (s.body[1]);
    const double gained[3] = {2 * (double)v[0], 2 * (double)v[1], 2 * (double)v[2]};
    const double given[3] = {3, 0, 2 - 9.81};
    for (int k = 0; k < 3; ++k)
    {
        const double reaction = (double)pull[1].f1[k];
        if (!(fabs (gained[k] - given[k] - reaction) < 1e-10))
            fail_msg ("%d: %g, %g", k, gained[k], given[k] + reaction);
    }
    assert_true (dBodyGetForce (s.body[1])[0] == 0);
    scene_close (&s);
}

/* Ten frames are one duration, and the same call makes the same bits. */
static void frames_and_bits (void **state)
{
    (void)state;
    scene a = double_pendulum (), b = double_pendulum (), whole = double_pendulum ();
    dRLSAdvance frame[2] = {{.struct_size = sizeof (dRLSAdvance)}, {.struct_size = sizeof (dRLSAdvance)}};
    scene *both[2] = {&a, &b};
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 10; ++i)
        {
            dRLSStepperSetIntegrator (both[k]->stepper, dRLSIntegratorSymplectic4);
            advance (both[k], 0.1, 1e-8, &frame[k]);
            assert_true ((double)frame[k].longest <= 0.1 && frame[k].next > 0);
        }
    dRLSStepperSetIntegrator (whole.stepper, dRLSIntegratorSymplectic4);
    advance (&whole, 1, 1e-7, NULL);
    assert_true (scene_pose_difference (&a, &b) == 0 && scene_velocity_difference (&a, &b) == 0);
    assert_true (scene_pose_difference (&a, &whole) < 1e-6);
    scene_close (&a), scene_close (&b), scene_close (&whole);
}

static void spoil (void *context, dWorldID world, dReal time)
{
    (void)world;
    if (time > (dReal)0.3) dBodyAddForce (context, (dReal)NAN, 0, 0);
}

static void what_fails_is_undone (void **state)
{
    (void)state;
    scene s = double_pendulum ();
    scene_body_state before[SCENE_MOST];
    dRLSAdvance report = {.struct_size = sizeof (report)};
    scene_step (&s, (dReal)0.01, 20);
    dBodyAddForce (s.body[0], 1, 2, 3);
    scene_look (&s, before);
    dRLSStepperSetForceCallback (s.stepper, spoil, s.body[1]);
    assert_int_equal (dRLSStepperAdvance (s.stepper, 1, (dReal)1e-6, &report), 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
    assert_true (scene_same (&s, before) && report.steps == 0);
    assert_true (fabs ((double)dRLSStepperGetTime (s.stepper) - 0.2) < 1e-12);
    const dReal bad[] = {0, -1, (dReal)NAN, (dReal)INFINITY};
    for (int i = 0; i < 4; ++i)
    {
        assert_int_equal (dRLSStepperAdvance (s.stepper, bad[i], (dReal)1e-6, NULL), 0);
        assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusBadStep);
        assert_int_equal (dRLSStepperAdvance (s.stepper, 1, bad[i], NULL), 0);
        assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusBadArgument);
    }
    report.struct_size = 1;
    assert_int_equal (dRLSStepperAdvance (s.stepper, 1, (dReal)1e-6, &report), 0);
    assert_int_equal (dRLSStepperAdvance (NULL, 1, (dReal)1e-6, NULL), 0);
    assert_true (scene_same (&s, before));
    scene_close (&s);
}

/* A tolerance below rounding, a body at rest, no body: all end. */
static void it_always_ends (void **state)
{
    (void)state;
    scene s = double_pendulum (), still = scene_open (0), empty = scene_open (0);
    dRLSAdvance report = {.struct_size = sizeof (report)};
    dRLSStepperSetIntegrator (s.stepper, dRLSIntegratorSymplectic8);
    advance (&s, 0.05, 1e-30, &report);
    print_message ("tolerance 1e-30: %d steps, %d taken back, %d missed\n", report.steps, report.rejected,
                   report.missed);
    assert_true (report.steps < 1000);
    scene_box (&still, 0, 0, 0, 1, 1, 1, 1);
    scene_stepper (&still), scene_stepper (&empty);
    report.next = 0;
    advance (&still, 100, 1e-9, &report);
    assert_true (report.steps < 20);
    report.next = 0;
    advance (&empty, 1, 1e-9, &report);
    scene_close (&s), scene_close (&still), scene_close (&empty);
}

/* Forces that are different whenever they are asked for: no step is short enough for the tolerance.  Steps
 * then have the shortest length, and are counted. */
static void shake (void *context, dWorldID world, dReal time)
{
    static int asked;
    (void)world, (void)time;
    dBodyAddForce (context, asked++ % 3 ? 100 : -200, 0, 0);
}

static void errors_that_stay_are_counted (void **state)
{
    (void)state;
    scene s = scene_open (0);
    dRLSAdvance report = {.struct_size = sizeof (report)};
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    scene_stepper (&s);
    advance (&s, 1, 1e-9, &report);
    const double shortest = 2e-3 * (double)report.longest;
    assert_int_equal (report.missed, 0);
    dRLSStepperSetForceCallback (s.stepper, shake, s.body[0]);
    advance (&s, 0.1, 1e-9, &report);
    print_message ("shaken: %d steps (%.1e to %.1e s), %d taken back, %d missed\n", report.steps,
                   (double)report.shortest, (double)report.longest, report.rejected, report.missed);
    assert_true (report.missed > 0 && report.steps < 1000);
    assert_true ((double)report.shortest > 0.5 * shortest);
    assert_true (fabs ((double)dRLSStepperGetTime (s.stepper) - 1.1) < 1e-12);
    scene_close (&s);
}

/* A box that falls on a stop of its slider: the step of the impact is short. */
static void events_are_stepped_over (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    dRLSAdvance report = {.struct_size = sizeof (report)};
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    const dJointID slider = scene_joint (&s, dJointCreateSlider, 0, NO_BODY);
    dJointSetSliderAxis (slider, 0, 0, 1);
    dJointSetSliderParam (slider, dParamLoStop, (dReal)-0.5);
    scene_stepper (&s);
    advance (&s, 0.5, 1e-4, &report);
    print_message ("stop: at %.6f, %d steps (%.1e to %.1e s), %d taken back, %d missed\n",
                   (double)dBodyGetPosition (s.body[0])[2], report.steps, (double)report.shortest,
                   (double)report.longest, report.rejected, report.missed);
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[2] + 0.5) < 1e-4);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (tolerance_is_kept),
        cmocka_unit_test (reactions_and_forces),
        cmocka_unit_test (frames_and_bits),
        cmocka_unit_test (what_fails_is_undone),
        cmocka_unit_test (it_always_ends),
        cmocka_unit_test (events_are_stepped_over),
        cmocka_unit_test (errors_that_stay_are_counted),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
