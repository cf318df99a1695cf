/*
 * A free tree of twelve bodies in a whirl, at steps in which they turn by up to a radian: how its energy
 * behaves, beside a dense implementation of the same method (oracle_variational.h) and the true motion.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_variational.h"

#define H 0.05
#define FOLLOWED 0.025 /* most steps are taken whole */

static scene beginning (void)
{
    scene s = scene_whirl ();
    scene_step (&s, (dReal)1e-4, 1); /* velocities that fit the joints */
    return s;
}

static double velocity_difference (const motion *m, const scene *s)
{
    double worst = 0;
    for (int b = 0; b < m->bodies; ++b)
        for (int k = 0; k < 3; ++k)
        {
            worst = fmax (worst, fabs (m->body[b].v[k] - (double)dBodyGetLinearVel (s->body[b])[k]));
            worst = fmax (worst, fabs (m->body[b].v[3 + k] - (double)dBodyGetAngularVel (s->body[b])[k]));
        }
    return worst;
}

/* From the same state the dense step comes to the same end. */
static void whole_steps_are_those_of_the_method (void **state)
{
    (void)state;
    scene s = beginning ();
    int whole = 0;
    for (int i = 0; i < 35; ++i)
    {
        motion m = variational_of (&s);
        const unsigned long pieces = dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback);
        scene_step (&s, (dReal)FOLLOWED, 1);
        if (dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback) != pieces) continue;
        ++whole;
        variational_step (&m, FOLLOWED);
        const double poses = motion_difference (&m, &s), velocities = velocity_difference (&m, &s);
        if (!(poses < 1e-9 && velocities < 1e-7)) fail_msg ("step %d: %g, %g", i, poses, velocities);
    }
    assert_true (whole > 25);
    scene_close (&s);
}

/* The gain of energy is the method's: the dense steps, none of which is taken in pieces, gain more. */
static void the_gain_is_of_the_method (void **state)
{
    (void)state;
    scene s = beginning ();
    motion m = variational_of (&s);
    const double before = variational_energy (&m);
    double dense = 0, here = 0;
    for (int i = 0; i < 100; ++i)
    {
        variational_step (&m, H);
        scene_step (&s, (dReal)H, 1);
        dense = fmax (dense, variational_energy (&m) / before - 1);
        here = fmax (here, scene_energy (&s) / before - 1);
    }
    print_message ("largest gain of 100 steps: dense %.3f, in pieces where it leaps %.3f\n", dense, here);
    assert_true (dense > 0.15);
    assert_true (here < 0.02);
    scene_close (&s);
}

/* The true motion keeps its energy, and the method follows it to second order where steps resolve it. */
static void the_truth_keeps_its_energy (void **state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; ++i)
    {
        scene s = beginning ();
        motion m = variational_of (&s);
        const double before = variational_energy (&m);
        for (int k = 0; k < 20; ++k) motion_step (&m, 5e-4);
        assert_true (fabs (variational_energy (&m) / before - 1) < 1e-6);
        scene_step (&s, (dReal)(i ? 1e-3 : 2e-3), i ? 10 : 5);
        error[i] = motion_difference (&m, &s);
        scene_close (&s);
    }
    if (!(error[0] / error[1] > 3.5 && error[1] < 1e-4)) fail_msg ("%g and %g", error[0], error[1]);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (whole_steps_are_those_of_the_method),
        cmocka_unit_test (the_gain_is_of_the_method),
        cmocka_unit_test (the_truth_keeps_its_energy),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
