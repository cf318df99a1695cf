/*
 * Axes that are not square to each other, as those of a wheel with camber or of Euler angles: springs give
 * back what they took, and stops bring no energy, however the joint turns about its other axes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_random.h"

#define H ((dReal)0.0025)
#define WORLDS 12

/* Two boxes that tumble, and what they are joined by. */
static scene tumble (random_source *r, double spin)
{
    scene s = scene_open (0);
    for (int b = 0; b < 2; ++b)
    {
        scene_box (&s, (dReal)(0.8 * b), (dReal)random_between (r, -0.2, 0.2), 1,
                   (dReal)random_between (r, 0.4, 3), (dReal)random_between (r, 0.2, 1),
                   (dReal)random_between (r, 0.2, 1), (dReal)random_between (r, 0.2, 1));
        dBodySetAngularVel (s.body[b], (dReal)random_between (r, -spin, spin),
                            (dReal)random_between (r, -spin, spin), (dReal)random_between (r, -spin, spin));
    }
    return s;
}

static dJointID join_by_hinge2 (scene *s, double oblique)
{
    const dJointID joint = scene_joint (s, dJointCreateHinge2, 0, 1);
    dJointSetHinge2Anchor (joint, (dReal)0.4, (dReal)0.1, (dReal)1.2);
    dJointSetHinge2Axes (joint, (dReal[]){1, 0, (dReal)0.1}, (dReal[]){(dReal)oblique, (dReal)0.9, 0});
    return joint;
}

static dJointID join_by_euler_angles (scene *s)
{
    const dJointID motor = scene_joint (s, dJointCreateAMotor, 0, 1);
    scene_ball (s, 0, 1, (double[3]){0.4, 0.1, 1.2});
    dJointSetAMotorMode (motor, dAMotorEuler);
    dJointSetAMotorAxis (motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis (motor, 2, 2, 0, 0, 1);
    return motor;
}

static double angle (dJointID joint, int axis)
{
    return (double)(dJointGetType (joint) == dJointTypeHinge2 ? dJointGetHinge2Angle1 (joint)
                                                              : dJointGetAMotorAngle (joint, axis));
}

/* The largest share of the energy that is gained or lost in a second. */
static double energy_lost (int axis, int by_hinge2, uint64_t seed)
{
    random_source r = {seed};
    scene s = tumble (&r, 2);
    const dJointID joint = by_hinge2 ? join_by_hinge2 (&s, 0.5) : join_by_euler_angles (&s);
    const double k = exp (random_between (&r, 0, 4)), rest = random_between (&r, -0.5, 0.5);
    double first = 0, worst = 0;
    assert_int_equal (dRLSStepperSetJointSpring (scene_stepper (&s), joint, axis, (dReal)k, 0, (dReal)rest),
                      1);
    scene_step (&s, H, 1); /* velocities that fit the joints */
    for (int i = 0; i < 400; ++i)
    {
        const double x = remainder (angle (joint, axis) - rest, 2 * M_PI);
        const double energy = scene_energy (&s) + 0.5 * k * x * x;
        if (i == 0) first = energy;
        worst = fmax (worst, fabs (energy / first - 1));
        scene_step (&s, H, 1);
    }
    scene_close (&s);
    return worst;
}

static void springs_give_back (void **state)
{
    (void)state;
    for (int axis = 0; axis < 4; ++axis)
    {
        double worst = 0;
        for (uint64_t seed = 0; seed < WORLDS; ++seed)
            worst = fmax (worst, energy_lost (axis % 3, axis == 3, seed));
        print_message ("%s %d: %.1e of the energy\n", axis == 3 ? "hinge-2 axis" : "Euler angle", axis % 3,
                       worst);
        assert_true (worst < 2e-3);
    }
}

/* between: where the stops are (rad).  The most that there is of the first energy in one and a half seconds.
 */
static double energy_between_stops (int integrator, double between, double *farthest)
{
    double most = 0;
    *farthest = 0;
    for (uint64_t seed = 0; seed < 2 * WORLDS; ++seed)
    {
        random_source r = {seed};
        scene s = tumble (&r, 6);
        const dJointID joint = join_by_hinge2 (&s, random_between (&r, -0.6, 0.6));
        dJointSetHinge2Param (joint, dParamLoStop, (dReal)-between);
        dJointSetHinge2Param (joint, dParamHiStop, (dReal)between);
        dRLSStepperSetIntegrator (scene_stepper (&s), integrator);
        scene_step (&s, H, 1);
        const double first = scene_energy (&s);
        for (int i = 0; i < 600; ++i)
        {
            scene_step (&s, H, 1);
            most = fmax (most, scene_energy (&s) / first);
            *farthest = fmax (*farthest, fabs (angle (joint, 0)));
        }
        scene_close (&s);
    }
    return most;
}

static void stops_bring_no_energy (void **state)
{
    (void)state;
    for (int locked = 0; locked < 2; ++locked)
        for (int integrator = dRLSIntegratorAuto; integrator <= dRLSIntegratorEuler; ++integrator)
        {
            double farthest;
            const double between = locked ? 0 : 0.1;
            const double most = energy_between_stops (integrator, between, &farthest);
            print_message ("%s%s: at most %.6f of the energy, %.6f rad\n", locked ? "locked" : "stops",
                           integrator == dRLSIntegratorEuler ? ", Euler" : "", most, farthest);
            assert_true (most < 1.001);
            if (integrator == dRLSIntegratorAuto) assert_true (farthest < between + 1e-6);
        }
}

/* The energy of a scene, with that of springs of a stiffness (N m/rad) on the motor's three angles. */
static double energy_with (const scene *s, dJointID motor, double stiffness)
{
    double energy = scene_energy (s);
    for (int axis = 0; axis < 3; ++axis)
        energy += 0.5 * stiffness * angle (motor, axis) * angle (motor, axis);
    return energy;
}

/* A box that turns about a point of the world, and a joint that measures its Euler angles. */
static dJointID box_with_euler_angles (scene *s, int world_first)
{
    scene_box (s, (dReal)0.4, (dReal)0.1, (dReal)0.1, 1, (dReal)0.4, (dReal)0.3, (dReal)0.2);
    scene_ball (s, 0, NO_BODY, (const double[3]){0, 0, 0});
    const dJointID motor =
        scene_joint (s, dJointCreateAMotor, world_first ? NO_BODY : 0, world_first ? 0 : NO_BODY);
    dJointSetAMotorMode (motor, dAMotorEuler);
    dJointSetAMotorAxis (motor, 0, 1, 1, 0, 0), dJointSetAMotorAxis (motor, 2, 2, 0, 0, 1);
    return motor;
}

/* Euler angles of a body against the world, which comes first or second: ODE measures them the other way
 * round where it comes first, but pushes as before, so that its stops push the body on, here to half a turn.
 */
static void the_world_may_come_first (void **state)
{
    (void)state;
    for (int n = 0; n < 4; ++n)
    {
        const int world_first = n % 2, spring = n / 2;
        const double stiffness = spring ? 10 : 0;
        scene s = scene_open (0);
        const dJointID motor = box_with_euler_angles (&s, world_first);
        for (int axis = 0; axis < 3; ++axis)
            if (spring)
                dRLSStepperSetJointSpring (scene_stepper (&s), motor, axis, (dReal)stiffness, 0, 0);
            else
            {
                dJointSetAMotorParam (motor, dParamGroup * axis + dParamLoStop, (dReal)-0.2);
                dJointSetAMotorParam (motor, dParamGroup * axis + dParamHiStop, (dReal)0.3);
                dJointSetAMotorParam (motor, dParamGroup * axis + dParamBounce, 1);
            }
        dBodySetAngularVel (s.body[0], 1, 2, 3);
        scene_step (&s, H, 1); /* velocities that fit the joints */
        const double first = energy_with (&s, motor, stiffness);
        double most = 0, farthest = 0;
        for (int i = 0; i < 800; ++i)
        {
            scene_step (&s, H, 1);
            most = fmax (most, energy_with (&s, motor, stiffness) / first);
            for (int axis = 0; axis < 3; ++axis) farthest = fmax (farthest, fabs (angle (motor, axis)));
        }
        print_message ("%s, world %s: at most %.6f of the energy, %.6f rad\n", spring ? "springs" : "stops",
                       world_first ? "first" : "second", most, farthest);
        assert_true (most < 1.001 && farthest < (spring ? 1.2 : 0.3 + 1e-6));
        scene_close (&s);
    }
}

/* Under Euler's method ODE gives the rows of stops that are reached. */
static void they_hold_under_euler (void **state)
{
    (void)state;
    for (int world_first = 0; world_first < 2; ++world_first)
    {
        scene s = scene_open (0);
        const dJointID motor = box_with_euler_angles (&s, world_first);
        for (int group = 0; group < 3 * dParamGroup; group += dParamGroup)
        {
            dJointSetAMotorParam (motor, group + dParamLoStop, (dReal)-0.2);
            dJointSetAMotorParam (motor, group + dParamHiStop, (dReal)0.3);
        }
        dJointSetAMotorParam (motor, dParamVel2, (dReal)(world_first ? -1 : 1));
        dJointSetAMotorParam (motor, dParamFMax2, (dReal)0.01);
        dBodySetAngularVel (s.body[0], 1, 2, 3);
        dRLSStepperSetIntegrator (scene_stepper (&s), dRLSIntegratorEuler);
        double farthest = 0;
        for (int i = 0; i < 800; ++i)
        {
            scene_step (&s, (dReal)1e-3, 1);
            for (int axis = 0; axis < 3; ++axis) farthest = fmax (farthest, fabs (angle (motor, axis)));
        }
        print_message ("euler, world %s: at most %.6f rad\n", world_first ? "first" : "second", farthest);
        assert_true (farthest < 0.31);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (springs_give_back),
        cmocka_unit_test (stops_bring_no_energy),
        cmocka_unit_test (the_world_may_come_first),
        cmocka_unit_test (they_hold_under_euler),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
