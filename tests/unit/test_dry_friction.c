/*
 * A body on a spring (dRLSStepperSetJointSpring) with dry friction in the same axis (a motor of speed 0), as
 * a door with a closer.  Every half swing is shorter than the last by twice the friction over the stiffness,
 * and the body stays where the spring no longer overcomes the friction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define STIFFNESS 100.0 /* N/m, N m/rad: a body of 1 kg and 1 kg m^2 swings at 10 rad/s */
#define FRICTION 2.0    /* N, N m */
#define START 0.2       /* m, rad */
#define SECONDS 0.9     /* three half swings, nearly */

typedef void set_parameter (dJointID joint, int parameter, dReal value);

/* An axis of a joint between the body and the world. */
typedef struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
    set_parameter *set;
    int axis, slides, stops; /* stops: far ones */
} device;

static const device devices[] = {
    {"hinge", dJointCreateHinge, dJointSetHingeParam, 0, 0, 0},
    {"hinge with stops", dJointCreateHinge, dJointSetHingeParam, 0, 0, 1},
    {"slider", dJointCreateSlider, dJointSetSliderParam, 0, 1, 0},
    {"slider with stops", dJointCreateSlider, dJointSetSliderParam, 0, 1, 1},
    {"universal, first", dJointCreateUniversal, dJointSetUniversalParam, 0, 0, 0},
    {"universal with stops", dJointCreateUniversal, dJointSetUniversalParam, 0, 0, 1},
    {"piston, along", dJointCreatePiston, dJointSetPistonParam, 0, 1, 0},
    {"piston, about", dJointCreatePiston, dJointSetPistonParam, 1, 0, 0},
};

/* Places the axis along y, of a slider or piston along its way or about it. */
static void place (dJointID joint)
{
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        dJointSetHingeAxis (joint, 0, 1, 0);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis (joint, 0, 1, 0);
        break;
    case dJointTypePiston:
        dJointSetPistonAxis (joint, 0, 1, 0);
        break;
    default:
        dJointSetUniversalAxis1 (joint, 0, 1, 0), dJointSetUniversalAxis2 (joint, 0, 0, 1);
    }
}

/* Where the body truly is after the time. */
static double truth (double time)
{
    const double rest = FRICTION / STIFFNESS, frequency = sqrt (STIFFNESS);
    double from = START, side = 1;
    while (time > M_PI / frequency && from > 2 * rest)
        time -= M_PI / frequency, from -= 2 * rest, side = -side;
    if (from <= rest) return side * from;
    return side * (rest + (from - rest) * cos (frequency * fmin (time, M_PI / frequency)));
}

/* Steps, and returns the largest difference from the truth. */
static double swing (const device *d, dReal h)
{
    scene s = scene_open (0);
    const int body = scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    dMass mass;
    dMassSetParameters (&mass, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0);
    dBodySetMass (s.body[body], &mass);
    const dJointID joint = scene_joint (&s, d->create, body, NO_BODY);
    place (joint);
    d->set (joint, dParamGroup * d->axis + dParamFMax, (dReal)FRICTION);
    if (d->stops)
    {
        d->set (joint, dParamGroup * d->axis + dParamLoStop, -1);
        d->set (joint, dParamGroup * d->axis + dParamHiStop, 1);
    }
    assert_int_equal (dRLSStepperSetJointSpring (scene_stepper (&s), joint, d->axis, (dReal)STIFFNESS, 0, 0),
                      1);

    dQuaternion turned;
    dQFromAxisAndAngle (turned, 0, 1, 0, (dReal)START);
    if (d->slides)
        dBodySetPosition (s.body[body], 0, (dReal)START, 0);
    else
        dBodySetQuaternion (s.body[body], turned);
    double worst = 0;
    for (int i = 1; i <= SECONDS / (double)h; ++i)
    {
        scene_step (&s, h, 1);
        const double now = d->slides ? (double)dBodyGetPosition (s.body[body])[1]
                                     : 2 * asin ((double)dBodyGetQuaternion (s.body[body])[2]);
        worst = fmax (worst, fabs (now - truth ((double)h * i)));
    }
    scene_close (&s);
    return worst;
}

/* Second order.  Where ODE's test of the stops was left as the spring's own question had made it, a hinge
 * went to its position of rest by a fifth of the way in each step. */
static void swings_become_shorter (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof (devices) / sizeof (*devices); ++i)
        for (int n = 1; n <= 4; n *= 2)
        {
            const double h = 0.01 / n, off = swing (&devices[i], (dReal)h);
            if (!(off <= 10 * h * h)) fail_msg ("%s, %g s: off by %g", devices[i].name, h, off);
        }
}

/* A motor presses an axis against a stop, which the program then takes away: the motor goes on.  ODE keeps
 * what its last test of the stops of an angle has found, and makes no other if there are none. */
static void stops_that_are_gone_stop_nothing (void **state)
{
    static const int integrators[] = {dRLSIntegratorAuto, dRLSIntegratorEuler, dRLSIntegratorRK4};
    (void)state;
    for (size_t i = 0; i < sizeof (devices) / sizeof (*devices); ++i)
        for (int n = 0; n < 3; ++n)
        {
            const device *d = &devices[i];
            scene s = scene_open (0);
            const int body = scene_box (&s, 0, 0, 0, 1, 1, 1, 1), group = dParamGroup * d->axis;
            const dJointID joint = scene_joint (&s, d->create, body, NO_BODY);
            place (joint);
            assert_int_equal (dRLSStepperSetIntegrator (scene_stepper (&s), integrators[n]), 1);
            d->set (joint, group + dParamFMax, 50), d->set (joint, group + dParamVel, 1);
            for (int to = 0; to < 2; ++to)
            {
                const dReal stop = to ? dInfinity : (dReal)0.1;
                d->set (joint, group + dParamLoStop, -stop), d->set (joint, group + dParamHiStop, stop);
                scene_step (&s, (dReal)0.01, 50);
            }
            const dReal *v = dBodyGetLinearVel (s.body[body]), *w = dBodyGetAngularVel (s.body[body]);
            const double rate = fabs ((double)(d->slides ? v[1] : w[1]));
            if (!(fabs (rate - 1) < 1e-9))
                fail_msg ("%s, integrator %d: %g m/s or rad/s", d->name, integrators[n], rate);
            scene_close (&s);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (swings_become_shorter),
                                       cmocka_unit_test (stops_that_are_gone_stop_nothing)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
