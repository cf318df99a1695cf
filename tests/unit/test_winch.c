/*
 * A winch: a pendulum whose rope is shortened by 0.4 m/s.  In polar coordinates
 *     r a'' = -g sin a - 2 r' a'.
 * Rows of the program that have a rate follow it to second order.  A double ball whose distance the program
 * sets before every step is closed without a velocity along the rope, and so is off, as limits.md says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define G 9.81
#define ROPE 2.0     /* m */
#define WINDS (-0.4) /* m/s */
#define END 2.0      /* s */

static void rope_at_the_end (double *x, double *z)
{
    double a = atan2 (1.2, 1.6), turn = 0;
    const double d = 1e-5;
    const int steps = (int)lround (END / d);
    for (int i = 0; i < steps; ++i)
    {
        const double r = ROPE + WINDS * i * d, half = r + WINDS * d / 2;
        const double first = (-G * sin (a) - 2 * WINDS * turn) / r;
        const double middle = a + d / 2 * turn, rate = turn + d / 2 * first;
        a += d * rate;
        turn += d * (-G * sin (middle) - 2 * WINDS * rate) / half;
    }
    *x = (ROPE + WINDS * END) * sin (a), *z = -(ROPE + WINDS * END) * cos (a);
}

static double length (double time) { return ROPE + WINDS * time; }

static int rope (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const dReal *x = dBodyGetPosition (dJointGetBody (joint, 0));
    const double now = sqrt ((double)(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    (void)context;
    for (int k = 0; k < 3; ++k) row[0].first[k] = (dReal)((double)x[k] / now);
    row[0].value = (dReal)(now - length ((double)time)), row[0].rate = (dReal)WINDS;
    return 1;
}

/* Distance (m) from the exact end point. */
static double error_of (dReal h, int by_rows)
{
    scene s = scene_open (-G);
    scene_box (&s, (dReal)1.2, 0, (dReal)-1.6, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
    dBodySetLinearVel (s.body[0], (dReal)(WINDS * 0.6), 0, (dReal)(-WINDS * 0.8));
    const dJointID joint = scene_joint (&s, by_rows ? dJointCreateLMotor : dJointCreateDBall, 0, NO_BODY);
    if (by_rows)
        assert_int_equal (dRLSStepperSetJointRows (scene_stepper (&s), joint, 1, rope, NULL), 1);
    else
    {
        dJointSetDBallAnchor1 (joint, (dReal)1.2, 0, (dReal)-1.6);
        dJointSetDBallAnchor2 (joint, 0, 0, 0);
    }
    const int steps = (int)lround (END / (double)h);
    for (int i = 1; i <= steps; ++i)
    {
        if (!by_rows) dJointSetDBallDistance (joint, (dReal)length (i * (double)h));
        assert_int_equal (dRLSStepperStep (scene_stepper (&s), h), 1);
    }
    double x, z;
    rope_at_the_end (&x, &z);
    const dReal *at = dBodyGetPosition (s.body[0]);
    const double error = hypot ((double)at[0] - x, (double)at[2] - z);
    scene_close (&s);
    return error;
}

static void rows_with_a_rate_are_second_order (void **state)
{
    (void)state;
    const double long_steps = error_of ((dReal)0.01, 1), short_steps = error_of ((dReal)0.005, 1);
    assert_true (long_steps < 5e-4);
    assert_true (short_steps < long_steps / 3.8);
}

static void a_distance_set_anew_gives_no_velocity (void **state)
{
    (void)state;
    const double long_steps = error_of ((dReal)0.01, 0), short_steps = error_of ((dReal)0.0025, 0);
    assert_true (long_steps > 0.03 && long_steps < 0.05);
    assert_true (short_steps > 0.03 && short_steps < 0.05);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (rows_with_a_rate_are_second_order),
        cmocka_unit_test (a_distance_set_anew_gives_no_velocity),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
