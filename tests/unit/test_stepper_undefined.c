/*
 * Joints whose rows are undefined as they stand: ODE ends the program when dWorldStep meets them.  A step and
 * an analysis are refused, nothing changes, and the stepper goes on once the joint is mended, disabled or
 * gone.
 */
#include "oracle_scene.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>

#define H ((dReal)0.01)

static scene two_boxes (void)
{
    scene s = scene_open (0);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    scene_box (&s, 1, 0, 0, 1, 1, 1, 1);
    return s;
}

/* Turns the second body so that its y axis falls upon the x axis: exactly. */
static void lay_y_on_x (scene *s)
{
    const dMatrix3 R = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0};
    dBodySetRotation (s->body[1], R);
}

static void universal (scene *s)
{
    const dJointID j = scene_joint (s, dJointCreateUniversal, 0, 1);
    dJointSetUniversalAxis1 (j, 1, 0, 0);
    dJointSetUniversalAxis2 (j, 0, 1, 0);
    lay_y_on_x (s);
}

static void prismatic_universal (scene *s)
{
    const dJointID j = scene_joint (s, dJointCreatePU, 0, 1);
    dJointSetPUAxis1 (j, 1, 0, 0);
    dJointSetPUAxis2 (j, 0, 1, 0);
    lay_y_on_x (s);
}

static void hinge2 (scene *s)
{
    const dReal x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    dJointSetHinge2Axes (scene_joint (s, dJointCreateHinge2, 0, 1), x, y);
    lay_y_on_x (s);
}

static void gears_in_one_place (scene *s)
{
    scene_joint (s, dJointCreateTransmission, 0, 1);
    dBodySetPosition (s->body[1], 0, 0, 0);
}

static void bevel_gears_side_by_side (scene *s)
{
    dJointSetTransmissionMode (scene_joint (s, dJointCreateTransmission, 0, 1),
                               dTransmissionIntersectingAxes);
}

static void chain_without_wheels (scene *s)
{
    dJointSetTransmissionMode (scene_joint (s, dJointCreateTransmission, 0, 1), dTransmissionChainDrive);
}

static void gears_too_fast (scene *s)
{
    scene_joint (s, dJointCreateTransmission, 0, 1);
    dBodySetAngularVel (s->body[0], (dReal)1e30, 0, 0);
}

static void (*const undefined[]) (scene *) = {
    universal,          prismatic_universal,      hinge2,
    gears_in_one_place, bevel_gears_side_by_side, chain_without_wheels,
    gears_too_fast,
};
#define CASES (sizeof undefined / sizeof *undefined)

static void steps_are_refused (void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; ++i)
        for (int analyse = 0; analyse < 2; ++analyse)
        {
            scene s = two_boxes ();
            undefined[i](&s);
            const dRLSStepperID stepper = scene_stepper (&s);
            scene_body_state before[2];
            scene_look (&s, before);
            if (analyse ? dRLSStepperAnalyse (stepper) : dRLSStepperStep (stepper, H))
                fail_msg ("case %zu was accepted", i);
            assert_int_equal (dRLSStepperGetStatus (stepper), dRLSStatusNotFinite);
            assert_true (scene_same (&s, before));
            scene_close (&s);
        }
}

static void and_not_measured (void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; ++i)
    {
        scene s = two_boxes ();
        dRLSViolation violation;
        undefined[i](&s);
        assert_int_equal (dRLSMeasureJoint (s.joint[0], &violation), 0);
        scene_close (&s);
    }
}

static void the_stepper_goes_on (void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; ++i)
    {
        scene s = two_boxes ();
        undefined[i](&s);
        const dRLSStepperID stepper = scene_stepper (&s);
        assert_int_equal (dRLSStepperStep (stepper, H), 0);
        dBodySetAngularVel (s.body[0], 0, 0, 0);
        dJointDisable (s.joint[0]);
        dBodySetLinearVel (s.body[1], 1, 0, 0);
        const double before = (double)dBodyGetPosition (s.body[1])[0];
        assert_int_equal (dRLSStepperStep (stepper, H), 1);
        assert_true (fabs ((double)dBodyGetPosition (s.body[1])[0] - before - 0.01) < 1e-12);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (steps_are_refused),
        cmocka_unit_test (and_not_measured),
        cmocka_unit_test (the_stepper_goes_on),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
