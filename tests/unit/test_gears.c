/*
 * Gears with backlash: within it the wheels turn by themselves, on either flank one drives the other, and no
 * step is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define H ((dReal)0.005)
#define BACKLASH 0.05 /* m, of the arc */

/* Two wheels on the world, the second twice as large, meshing. */
static scene wheels (void)
{
    scene s = scene_open (0);
    const double at[2][3] = {{0, 0, 0}, {1.5, 0, 0}}, axis[3] = {0, 0, 1};
    for (int i = 0; i < 2; ++i)
    {
        scene_box (&s, (dReal)at[i][0], 0, 0, 1, (dReal)(i + 1), (dReal)(i + 1), (dReal)0.1);
        scene_hinge (&s, i, NO_BODY, at[i], axis);
    }
    const dJointID gears = scene_joint (&s, dJointCreateTransmission, 0, 1);
    dJointSetTransmissionMode (gears, dTransmissionParallelAxes);
    dJointSetTransmissionRatio (gears, (dReal)0.5);
    dJointSetTransmissionAnchor1 (gears, 0, 0, 0);
    dJointSetTransmissionAnchor2 (gears, (dReal)1.5, 0, 0);
    dJointSetTransmissionAxis (gears, 0, 0, 1);
    dJointSetTransmissionBacklash (gears, (dReal)BACKLASH);
    return s;
}

/* Arc by which the wheels have turned apart. */
static double play (const scene *s)
{
    return 0.5 * (double)dJointGetHingeAngle (s->joint[0]) + 1.0 * (double)dJointGetHingeAngle (s->joint[1]);
}

static void both_flanks_drive (void **state)
{
    (void)state;
    for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
    {
        scene s = wheels ();
        double least = 0, most = 0, follows[2] = {0};
        assert_true (dRLSStepperSetIntegrator (scene_stepper (&s), integrator));
        for (int i = 0; i < 800; ++i)
        {
            const int backwards = i >= 400;
            dBodyAddTorque (s.body[0], 0, 0, (dReal)(backwards ? -0.4 : 0.2));
            dBodyAddTorque (s.body[1], 0, 0, (dReal)(-0.05 * (double)dBodyGetAngularVel (s.body[1])[2]));
            scene_step (&s, H, 1);
            least = fmin (least, play (&s)), most = fmax (most, play (&s));
            follows[backwards] = (double)dBodyGetAngularVel (s.body[1])[2];
        }
        /* each wheel turns the other round with it, either way; an impact may pass the flank by a step's way
         */
        if (!(most > 0.9 * BACKLASH && most < 2 * BACKLASH && least < -0.9 * BACKLASH &&
              least > -2 * BACKLASH))
            fail_msg ("integrator %d: play from %g to %g", integrator, least, most);
        if (!(follows[0] < -0.05 && follows[1] > 0.05))
            fail_msg ("integrator %d: the second wheel turns by %g, then %g", integrator, follows[0],
                      follows[1]);
        scene_close (&s);
    }
}

/* ODE's gears count their turns when they are asked, by the way that a step is expected to go.  They are
 * asked at many poses; that counts nothing, however far they turn in a step. */
static void turns_are_counted_once_a_step (void **state)
{
    (void)state;
    static const double turns[] = {0.5, 2.5, 3.5, 6}; /* rad of the first wheel in a step */
    for (int i = 0; i < (int)(sizeof turns / sizeof *turns); ++i)
    {
        scene s = wheels ();
        const double speed = turns[i] / (double)H;
        dJointSetTransmissionBacklash (s.joint[2], 0);
        dBodySetAngularVel (s.body[0], 0, 0, (dReal)speed);
        dBodySetAngularVel (s.body[1], 0, 0, (dReal)(-speed / 2));
        dRLSStepperSetIntegrator (scene_stepper (&s), dRLSIntegratorRK4);
        scene_step (&s, H, 20);
        assert_true (fabs ((double)dBodyGetAngularVel (s.body[0])[2] / speed - 1) < 1e-9);
        assert_int_equal (dRLSStepperGetWarningCount (s.stepper, dRLSWarningProjection), 0);
        assert_int_equal (dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback), 0);
        scene_close (&s);
    }
}

/* Bevel gears roll on each other whichever way their axes point.  ODE adds the ways of both, and so pulls
 * those apart of which an axis points towards the contact of the other. */
static void bevel_gears_may_have_any_axes (void **state)
{
    static const double at[2][3] = {{0, 0, 0}, {0.2, 0, 0.1}}; /* radii of 0.2 m and 0.1 m */
    (void)state;
    for (int n = 0; n < 8; ++n)
    {
        const double up[3] = {0, 0, n & 1 ? 1 : -1}, along[3] = {n & 2 ? 1 : -1, 0, 0};
        scene s = scene_open (0);
        for (int i = 0; i < 2; ++i)
        {
            scene_box (&s, (dReal)at[i][0], 0, (dReal)at[i][2], 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
            scene_hinge (&s, i, NO_BODY, at[i], i ? along : up);
        }
        const int first = n / 4;
        const dJointID gears = scene_joint (&s, dJointCreateTransmission, first, 1 - first);
        dJointSetTransmissionMode (gears, dTransmissionIntersectingAxes);
        dJointSetTransmissionAnchor1 (gears, (dReal)at[first][0], 0, (dReal)at[first][2]);
        dJointSetTransmissionAnchor2 (gears, (dReal)at[1 - first][0], 0, (dReal)at[1 - first][2]);
        const double *axis[2] = {first ? along : up, first ? up : along};
        dJointSetTransmissionAxis1 (gears, (dReal)axis[0][0], 0, (dReal)axis[0][2]);
        dJointSetTransmissionAxis2 (gears, (dReal)axis[1][0], 0, (dReal)axis[1][2]);
        dJointSetHingeParam (s.joint[0], dParamVel, 3), dJointSetHingeParam (s.joint[0], dParamFMax, 1);
        scene_step (&s, H, 200);

        /* at the contact, (0.2, 0, 0), both go by as fast */
        const double speed[2] = {0.2 * (double)dBodyGetAngularVel (s.body[0])[2],
                                 0.1 * (double)dBodyGetAngularVel (s.body[1])[0]};
        assert_true (fabs (speed[0]) > 0.5 && fabs (speed[0] - speed[1]) < 1e-9);
        assert_true (scene_violation (&s) < 1e-9);
        for (int k = 0; k < dRLSWarningCount; ++k)
            assert_int_equal (dRLSStepperGetWarningCount (s.stepper, k), 0);
        scene_close (&s);
    }
}

/* Axes that ODE takes for one though they are not parallel, and a chain along its axis: refused, not fatal.
 */
static void what_ode_asserts_is_refused (void **state)
{
    (void)state;
    for (int chain = 0; chain < 2; ++chain)
    {
        scene s = scene_open (0);
        scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
        scene_box (&s, 0, 0, 1, 1, 1, 1, 1);
        const dJointID gears = scene_joint (&s, dJointCreateTransmission, 0, 1);
        dJointSetTransmissionMode (gears, chain ? dTransmissionChainDrive : dTransmissionIntersectingAxes);
        dJointSetTransmissionAnchor1 (gears, 0, 0, 0);
        dJointSetTransmissionAnchor2 (gears, 0, 0, 1);
        if (chain)
        {
            dJointSetTransmissionAxis (gears, 0, 0, 1);
            dJointSetTransmissionRadius1 (gears, 1);
            dJointSetTransmissionRadius2 (gears, 1);
        }
        else
        {
            dJointSetTransmissionAxis1 (gears, 0, 0, 1);
            dJointSetTransmissionAxis2 (gears, (dReal)1e-9, 0, 1);
        }
        assert_int_equal (dRLSStepperStep (scene_stepper (&s), H), 0);
        assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
        scene_close (&s);
    }
}

/* A wheel that the program turns by half a turn, to the last bit, and the other one with it. */
static void half_a_turn_is_no_end (void **state)
{
    (void)state;
    scene s = wheels ();
    dJointSetTransmissionBacklash (s.joint[2], 0);
    scene_step (&s, H, 1);
    const dQuaternion half = {0, 0, 0, 1},
                      back = {(dReal)0.70710678118654752, 0, 0, (dReal)-0.70710678118654752};
    dBodySetQuaternion (s.body[0], half);
    dBodySetQuaternion (s.body[1], back);
    scene_step (&s, H, 10);
    for (int i = 0; i < 2; ++i) assert_true (fabs ((double)dBodyGetAngularVel (s.body[i])[2]) < 1e-9);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (both_flanks_drive),
        cmocka_unit_test (turns_are_counted_once_a_step),
        cmocka_unit_test (bevel_gears_may_have_any_axes),
        cmocka_unit_test (what_ode_asserts_is_refused),
        cmocka_unit_test (half_a_turn_is_no_end),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
