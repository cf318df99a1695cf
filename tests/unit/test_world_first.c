/*
 * Joints to the world may name it first or second.  ODE exchanges the sides of those that name it first, and
 * changes signs: of a slider that of its position and of the direction in which its motor, stops and springs
 * act, of a hinge that of its angle alone.  The motion must be the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define STEPS 100
#define AGREES 1e-9 /* m, m/s and the same of angles: the same rows in another order */

/* What acts along the axis of the joint; stops from -reach to 2 reach, none if it is 0. */
typedef struct
{
    const char *name;
    double velocity, force, reach, bounce, stiffness, damping, drive;
} device;

static const device devices[] = {
    {.name = "motor within its force", .velocity = 0.4, .force = 300},
    {.name = "motor at its force", .velocity = 1, .force = 8},
    {.name = "motor that is overcome", .velocity = -0.8, .force = 8},
    {.name = "friction", .force = 2},
    {.name = "stops", .reach = 0.05},
    {.name = "stops that rebound", .reach = 0.05, .bounce = 0.5},
    {.name = "motor and stops", .velocity = 1, .force = 30, .reach = 0.05},
    {.name = "spring", .stiffness = 200, .damping = 3},
    {.name = "drive", .drive = 0.3},
};

/* The function of a drive: a swing of the amplitude in the context. */
static dReal swing (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    const double amplitude = *(const double *)context, t = 5 * (double)time;
    *rate = (dReal)(5 * amplitude * sin (t));
    *acceleration = (dReal)(25 * amplitude * cos (t));
    return (dReal)(amplitude * (1 - cos (t)));
}

/* Gives the joint a device, mirrored where sign is -1. */
static void equip (scene *s, dJointID joint, const device *d, int sign, double *amplitude)
{
    const int slider = dJointGetType (joint) == dJointTypeSlider;
    void (*const set) (dJointID, int, dReal) = slider ? dJointSetSliderParam : dJointSetHingeParam;
    if (d->reach > 0)
    {
        set (joint, dParamLoStop, (dReal)(sign > 0 ? -d->reach : -2 * d->reach));
        set (joint, dParamHiStop, (dReal)(sign > 0 ? 2 * d->reach : d->reach));
        set (joint, dParamBounce, (dReal)d->bounce);
    }
    set (joint, dParamVel, (dReal)(sign * d->velocity));
    set (joint, dParamFMax, (dReal)d->force);
    if (d->stiffness > 0)
        assert_int_equal (dRLSStepperSetJointSpring (scene_stepper (s), joint, 0, (dReal)d->stiffness,
                                                     (dReal)d->damping, (dReal)(sign * 0.1)),
                          1);
    *amplitude = sign * d->drive;
    if (d->drive > 0)
        assert_int_equal (dRLSStepperSetJointDrive (scene_stepper (s), joint, swing, amplitude), 1);
}

/* A box on a slider or hinge to the world, and another box that hangs on it by a ball and turns. */
static scene machine (int slider, int world_first, const device *d, double *amplitude)
{
    scene s = scene_open ((dReal)-9.81);
    scene_box (&s, 0, 0, 0, 2, (dReal)0.4, (dReal)0.2, (dReal)0.1);
    scene_box (&s, (dReal)0.3, 0, (dReal)-0.2, 1, (dReal)0.3, (dReal)0.2, (dReal)0.1);
    scene_ball (&s, 1, 0, (const double[3]){0.2, 0, -0.1});
    dBodySetAngularVel (s.body[1], 1, 2, 3);
    const int first = world_first ? NO_BODY : 0, second = world_first ? 0 : NO_BODY;
    const dJointID joint = scene_joint (&s, slider ? dJointCreateSlider : dJointCreateHinge, first, second);
    if (slider)
        dJointSetSliderAxis (joint, (dReal)0.8, 0, (dReal)0.6);
    else
    {
        dJointSetHingeAnchor (joint, (dReal)-0.2, 0, 0);
        dJointSetHingeAxis (joint, 0, (dReal)0.8, (dReal)0.6);
    }

    /* a drive follows the angle that ODE returns, all else the direction in which ODE lets it act */
    equip (&s, joint, d, world_first && (slider || d->drive > 0) ? -1 : 1, amplitude);
    return s;
}

static void the_motion_is_the_same (void **state)
{
    (void)state;
    for (int slider = 0; slider < 2; ++slider)
        for (size_t i = 0; i < sizeof (devices) / sizeof (*devices); ++i)
        {
            double amplitude[2];
            scene a = machine (slider, 0, &devices[i], &amplitude[0]),
                  b = machine (slider, 1, &devices[i], &amplitude[1]);
            scene_step (&a, (dReal)0.01, STEPS), scene_step (&b, (dReal)0.01, STEPS);
            const double off = fmax (scene_pose_difference (&a, &b), scene_velocity_difference (&a, &b));
            if (!(off <= AGREES))
                fail_msg ("%s, %s: off by %g", slider ? "slider" : "hinge", devices[i].name, off);
            scene_close (&a), scene_close (&b);
        }
}

/* PR and piston joints: there ODE has the lever of the body the wrong way round, whatever is done about open
 * joints. */
static void levers_are_the_same (void **state)
{
    static const int corrections[] = {dRLSCorrectionProjection, dRLSCorrectionNone, dRLSCorrectionERP,
                                      dRLSCorrectionCompliant};
    (void)state;
    for (int i = 0; i < 8; ++i)
    {
        scene of[2];
        for (int world_first = 0; world_first < 2; ++world_first)
        {
            scene *s = &of[world_first];
            *s = scene_open ((dReal)-9.81);
            scene_box (s, 0, 0, 0, 2, (dReal)0.4, (dReal)0.2, (dReal)0.1);
            scene_box (s, (dReal)0.3, 0, (dReal)-0.2, 1, (dReal)0.3, (dReal)0.2, (dReal)0.1);
            scene_ball (s, 1, 0, (const double[3]){0.2, 0, -0.1});
            dBodySetAngularVel (s->body[1], 1, 2, 3);
            const int first = world_first ? NO_BODY : 0, second = world_first ? 0 : NO_BODY;
            const dJointID joint =
                scene_joint (s, i & 1 ? dJointCreatePR : dJointCreatePiston, first, second);
            (i & 1 ? dJointSetPRAnchor : dJointSetPistonAnchor) (joint, (dReal)-0.2, (dReal)0.1, 0);
            (i & 1 ? dJointSetPRAxis1 : dJointSetPistonAxis) (joint, (dReal)0.8, 0, (dReal)0.6);
            if (i & 1) dJointSetPRAxis2 (joint, (dReal)0.6, 0, (dReal)-0.8);
            assert_int_equal (dRLSStepperSetCorrection (scene_stepper (s), corrections[i / 2]), 1);
            scene_step (s, (dReal)0.01, STEPS);
        }
        const double off =
            fmax (scene_pose_difference (&of[0], &of[1]), scene_velocity_difference (&of[0], &of[1]));
        if (!(off <= AGREES))
            fail_msg ("%s, correction %d: off by %g", i & 1 ? "PR" : "piston", corrections[i / 2], off);
        scene_close (&of[0]), scene_close (&of[1]);
    }
}

/* A PU joint's slide is measured along an axis of the body, and its stops and motors act along it. */
static void a_slide_ends_at_its_stops (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    scene_box (&s, 0, 0, 0, 1, (dReal)0.5, (dReal)0.4, (dReal)0.3);
    dBodySetAngularVel (s.body[0], 1, 0, (dReal)0.5);
    dQuaternion turned;
    dQFromAxisAndAngle (turned, 1, 1, (dReal)0.5, (dReal)0.7);
    dBodySetQuaternion (s.body[0], turned);
    const dJointID joint = scene_joint (&s, dJointCreatePU, NO_BODY, 0);
    dJointSetPUAnchor (joint, (dReal)0.1, (dReal)0.2, (dReal)0.1);
    dJointSetPUAxis1 (joint, 1, 0, 0), dJointSetPUAxis2 (joint, 0, 0, 1), dJointSetPUAxis3 (joint, 0, 1, 0);
    dJointSetPUParam (joint, dParamLoStop3, (dReal)-0.1),
        dJointSetPUParam (joint, dParamHiStop3, (dReal)0.05);
    dJointSetPUParam (joint, dParamBounce3, 1);
    scene_step (&s, (dReal)1e-3, 1); /* velocities that fit the joint */
    const double first = scene_energy (&s);
    double most = 0, farthest = 0;
    for (int i = 0; i < 2000; ++i)
    {
        scene_step (&s, (dReal)1e-3, 1);
        most = fmax (most, fabs (scene_energy (&s) - first));
        farthest = fmax (farthest, (double)fabs (dJointGetPUPosition (joint) + (dReal)0.025));
    }
    print_message ("PU to the world: energy off by %.1e J, at most %.6f m from the middle\n", most, farthest);
    assert_true (most < 1e-2 && farthest < 0.075 + 1e-6);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (the_motion_is_the_same),
                                       cmocka_unit_test (levers_are_the_same),
                                       cmocka_unit_test (a_slide_ends_at_its_stops)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
