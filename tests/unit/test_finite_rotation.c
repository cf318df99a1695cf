/*
 * How bodies turn, in ODE's finite rotation mode and in its other one.  A wheel turns by its rate times the
 * step, however fast; a body that tumbles keeps energy and angular momentum; a wheel that a motor drives has
 * the angular momentum of its rate, by which it precesses; a link that a joint holds far from its centre
 * turns by Cayley's map in either mode.
 */
#include "integrators/rotation_map.h"
#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define H 0.02

static dBodyID add_body (dWorldID world, int finite, double x, double y, double z)
{
    dMass mass;
    const dBodyID body = dBodyCreate (world);
    dMassSetBoxTotal (&mass, 1, (dReal)x, (dReal)y, (dReal)z);
    dBodySetMass (body, &mass);
    dBodySetFiniteRotationMode (body, finite);
    return body;
}

/* How far the angle about z is from rate times time after 2 s (rad), followed through whole turns. */
static double angle_error (int finite, int hinged, int motor, double rate)
{
    dWorldID world = dWorldCreate ();
    const dBodyID wheel = add_body (world, finite, 0.6, 0.6, 0.1);
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dBodySetAngularVel (wheel, 0, 0, (dReal)rate);
    if (hinged)
    {
        const dJointID hinge = dJointCreateHinge (world, NULL);
        dJointAttach (hinge, wheel, NULL);
        dJointSetHingeAxis (hinge, 0, 0, 1);
        dJointSetHingeParam (hinge, dParamVel, (dReal)rate);
        dJointSetHingeParam (hinge, dParamFMax, motor ? dInfinity : 0);
    }
    double error = 0, last = 0;
    for (int i = 0; i < 100; ++i)
    {
        assert_true (dRLSStepperStep (stepper, (dReal)H));
        const dReal *q = dBodyGetQuaternion (wheel);
        const double angle = 2 * atan2 ((double)q[3], (double)q[0]);
        error += remainder (angle - last - rate * H, 2 * acos (-1));
        last = angle;
        assert_true (fabs ((double)dBodyGetAngularVel (wheel)[2] - rate) < 1e-11 * rate);
    }
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
    return fabs (error);
}

static void wheels_turn_by_their_rate (void **state)
{
    (void)state;
    for (int i = 0; i < 6; ++i)
        for (double rate = 30; rate < 1000; rate *= 2)
        {
            const int finite = i % 2, hinged = i >= 2, motor = i >= 4;
            const double error = angle_error (finite, hinged, motor, rate);
            print_message ("%s%s%s, %g rad/s: %.1e rad after 2 s\n", finite ? "finite, " : "",
                           hinged ? "hinged" : "free", motor ? ", motor" : "", rate, error);
            assert_true (error < 1e-12 * rate * 2);
        }
}

/* A body of three different moments, and its end after a second: errors of orientation and energy. */
static void tumble (int finite, double h, double q[4], double *energy, double momentum[3])
{
    dWorldID world = dWorldCreate ();
    const dBodyID body = add_body (world, finite, 0.3, 0.7, 1.1);
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dBodySetAngularVel (body, 3, 7, 5);
    for (long i = lround (1 / h); i > 0; --i) assert_true (dRLSStepperStep (stepper, (dReal)h));
    dReal kinetic, potential;
    dMass mass;
    assert_true (dRLSMeasureBody (body, &kinetic, &potential));
    *energy = (double)kinetic;
    dBodyGetMass (body, &mass);
    dVector3 turning, own, world_momentum;
    dBodyVectorFromWorld (body, dBodyGetAngularVel (body)[0], dBodyGetAngularVel (body)[1],
                          dBodyGetAngularVel (body)[2], turning);
    for (int k = 0; k < 3; ++k) own[k] = mass.I[5 * k] * turning[k];
    dBodyVectorToWorld (body, own[0], own[1], own[2], world_momentum);
    for (int k = 0; k < 3; ++k) momentum[k] = (double)world_momentum[k];
    for (int k = 0; k < 4; ++k) q[k] = (double)dBodyGetQuaternion (body)[k];
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
}

static double tumbling_error (int finite, double h)
{
    double exact[4], q[4], energy, momentum[2][3], error = 0;
    tumble (1, 1.0 / 16384, exact, &energy, momentum[0]);
    tumble (finite, h, q, &energy, momentum[1]);
    for (int k = 0; k < 4; ++k) error = fmax (error, fabs (q[k] - exact[k]));
    for (int k = 0; k < 3; ++k) assert_true (fabs (momentum[1][k] - momentum[0][k]) < 1e-11);
    return error;
}

static void tumbling_is_second_order (void **state)
{
    (void)state;
    const double coarse = tumbling_error (1, 1.0 / 64), fine = tumbling_error (1, 1.0 / 256);
    const double other = tumbling_error (0, 1.0 / 64); /* by Cayley's map 1.4e-2 */
    print_message ("h = 1/64: %.1e, in the other mode %.1e; slope %.2f\n", coarse, other,
                   log (coarse / fine) / log (4));
    assert_true (log (coarse / fine) / log (4) > 1.9);
    assert_true (coarse < 3e-3 && other == coarse);
}

/* The mean rate (rad/s) at which a wheel of 0.01 kg m^2 precesses in gimbals in a second that a motor turns
 * at 100 rad/s, under a torque of 0.1 N m. */
static double precession (double h)
{
    dWorldID world = dWorldCreate ();
    dBodyID part[3];
    dJointID hinge[3];
    dMass mass;
    for (int i = 0; i < 3; ++i)
    {
        static const double axis[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, inertia[] = {0.01, 0.004, 0.005};
        part[i] = dBodyCreate (world);
        dMassSetParameters (&mass, 1, 0, 0, 0, (dReal)(i < 2 ? inertia[i] : 0.01), (dReal)inertia[i],
                            (dReal)inertia[i], 0, 0, 0);
        dBodySetMass (part[i], &mass);
        hinge[i] = dJointCreateHinge (world, NULL);
        dJointAttach (hinge[i], part[i], i > 0 ? part[i - 1] : NULL);
        dJointSetHingeAnchor (hinge[i], 0, 0, 0);
        dJointSetHingeAxis (hinge[i], (dReal)axis[i][0], (dReal)axis[i][1], (dReal)axis[i][2]);
    }
    dJointSetHingeParam (hinge[2], dParamVel, 100);
    dJointSetHingeParam (hinge[2], dParamFMax, dInfinity);
    dBodySetAngularVel (part[2], 100, 0, 0);
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    for (long i = lround (1 / h); i > 0; --i)
    {
        dBodyAddRelTorque (part[1], 0, (dReal)0.1, 0);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
    }
    const double angle = (double)dJointGetHingeAngle (hinge[0]);
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
    return angle;
}

/* Nutation is at most 3e-3 rad.  By Cayley's map the motor, which turns the wheel by its rate times the step,
 * gave it more momentum within the step: it precessed with 0.080, 0.059, 0.026 rad/s (dWorldStep with 0.10,
 * 0.19 rad/s, and 0.1 rad of nutation). */
static void a_driven_wheel_precesses_by_its_momentum (void **state)
{
    (void)state;
    const double rate[] = {precession (0.001), precession (0.01), precession (1 / 60.0),
                           precession (1 / 30.0)};
    print_message ("precession with %.4f, %.4f, %.4f, %.4f rad/s\n", rate[0], rate[1], rate[2], rate[3]);
    for (int i = 0; i < 4; ++i) assert_true (fabs (fabs (rate[i]) - 0.1) < 0.004);
}

/* The cosine of the angle at which a heavy top leans after 2 s, on a ball joint 0.1 m below its centre, that
 * spins with 80 rad/s about its axis and is let go at 0.6 rad. */
static double top_leans (double h)
{
    const double lean = 0.6, spin = 80;
    dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 0, 0, (dReal)-9.81);
    const dBodyID top = dBodyCreate (world);
    const dJointID ball = dJointCreateBall (world, NULL);
    dMass mass;
    dMatrix3 R;
    dMassSetParameters (&mass, 1, 0, 0, 0, (dReal)0.002, (dReal)0.002, (dReal)0.004, 0, 0, 0);
    dBodySetMass (top, &mass);
    dRFromAxisAndAngle (R, 0, 1, 0, (dReal)lean);
    dBodySetRotation (top, R);
    dBodySetPosition (top, (dReal)(0.1 * sin (lean)), 0, (dReal)(0.1 * cos (lean)));
    dBodySetAngularVel (top, (dReal)(spin * sin (lean)), 0, (dReal)(spin * cos (lean)));
    dJointAttach (ball, top, NULL);
    dJointSetBallAnchor (ball, 0, 0, 0);
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    for (long i = lround (2 / h); i > 0; --i) assert_true (dRLSStepperStep (stepper, (dReal)h));
    const double cosine = (double)dBodyGetPosition (top)[2] / 0.1;
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
    return cosine;
}

/* The same by the equation of its lean, with both its other angular momenta kept; the midpoint rule. */
static double top_should_lean (void)
{
    const double across = 0.012, along = 0.004 * 80, weight = 0.981, k = 1e-5;
    double lean = 0.6, rate = 0;
    for (int i = 0; i < 200000; ++i)
    {
        double now = lean, change = 0;
        for (int half = 0; half < 2; ++half)
        {
            const double turn = along * (cos (0.6) - cos (now)) / (across * sin (now) * sin (now));
            change = sin (now) * ((across * turn * cos (now) - along) * turn + weight) / across;
            now = lean + k / 2 * rate;
        }
        lean += k * (rate + k / 2 * change), rate += k * change;
    }
    return cos (lean);
}

/* It spins by 0.8 rad in a step.  By Cayley's map, which suits what swings about a joint, it leans by 0.741.
 */
static void a_top_leans_as_it_should (void **state)
{
    (void)state;
    const double cosine = top_leans (0.01), exact = top_should_lean ();
    print_message ("cosine of the lean %.4f, should be %.4f\n", cosine, exact);
    assert_true (fabs (cosine - exact) < 0.01);
}

/* A free body keeps its energy to rounding, in either mode, at any step and by any order: its rotation
 * returns to its polhode.  The step alone is off by up to 4e-3 of it. */
static void tumbling_keeps_energy (void **state)
{
    static const int integrator[] = {dRLSIntegratorAuto, dRLSIntegratorSymplectic4,
                                     dRLSIntegratorSymplectic8};
    (void)state;
    for (int i = 0; i < 12; ++i)
    {
        const double h = i % 2 ? 1.0 / 30 : 1.0 / 500;
        dWorldID world = dWorldCreate ();
        const dBodyID body = add_body (world, i / 2 % 2, 0.3, 0.7, 1.1);
        const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
        dReal first, now, potential;
        assert_true (dRLSStepperSetIntegrator (stepper, integrator[i / 4]));
        dBodySetAngularVel (body, (dReal)0.1, 7, (dReal)0.2); /* about the middle axis, which tips over */
        dRLSMeasureBody (body, &first, &potential);
        for (int step = 0; step < 500; ++step)
        {
            assert_true (dRLSStepperStep (stepper, (dReal)h));
            dRLSMeasureBody (body, &now, &potential);
            assert_true (fabs ((double)(now - first)) < 1e-11 * (double)first);
        }
        dRLSStepperDestroy (stepper);
        dWorldDestroy (world);
    }
}

/* Angular velocities with which nothing agrees: the step is done, and the body keeps its momentum. */
static void fast_tumbling_is_followed (void **state)
{
    (void)state;
    for (double rate = 50; rate < 5000; rate *= 3)
    {
        dWorldID world = dWorldCreate ();
        const dBodyID body = add_body (world, 1, 0.3, 0.7, 1.1);
        dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
        dBodySetAngularVel (body, (dReal)rate, (dReal)(0.7 * rate), (dReal)(0.4 * rate));
        for (int i = 0; i < 20; ++i)
        {
            dRLSStepperStep (stepper, (dReal)H);
            const dReal *w = dBodyGetAngularVel (body);
            assert_true (isfinite (w[0] + w[1] + w[2]));
        }
        dRLSStepperDestroy (stepper);
        dWorldDestroy (world);
    }
}

/* A rod about its end. */
static void links_are_the_same_in_either_mode (void **state)
{
    (void)state;
    dReal end[2][4];
    for (int finite = 0; finite < 2; ++finite)
    {
        dWorldID world = dWorldCreate ();
        dWorldSetGravity (world, 0, 0, (dReal)-9.81);
        const dBodyID rod = add_body (world, finite, 1, 0.1, 0.1);
        const dJointID hinge = dJointCreateHinge (world, NULL);
        dBodySetPosition (rod, (dReal)0.5, 0, 0);
        dJointAttach (hinge, rod, NULL);
        dJointSetHingeAnchor (hinge, 0, 0, 0);
        dJointSetHingeAxis (hinge, 0, 1, 0);
        dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
        for (int i = 0; i < 100; ++i) assert_true (dRLSStepperStep (stepper, (dReal)H));
        memcpy (end[finite], dBodyGetQuaternion (rod), sizeof (end[finite]));
        dRLSStepperDestroy (stepper);
        dWorldDestroy (world);
    }
    assert_memory_equal (end[0], end[1], sizeof (end[0]));
}

/* The series and the library's sines are the same where they meet. */
static void sines_are_continuous (void **state)
{
    (void)state;
    for (double x = 0.01; x < 3; x += 0.01)
    {
        const rls_four s = {x * x, 0, 0.2 * x * x, x * x};
        rls_sines sines;
        rls_lanes_sines (s, &sines);
        assert_true (fabs (sines.sine[0] - sin (x) / x) < 4e-16);
        assert_true (fabs (sines.cosine[0] - cos (x)) < 4e-16);
        assert_true (fabs (sines.m[0] * x * x - (sin (x) / x - cos (x))) < 6e-16);
        assert_true (sines.sine[1] == 1 && sines.cosine[1] == 1);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (wheels_turn_by_their_rate),
                                       cmocka_unit_test (tumbling_is_second_order),
                                       cmocka_unit_test (a_driven_wheel_precesses_by_its_momentum),
                                       cmocka_unit_test (a_top_leans_as_it_should),
                                       cmocka_unit_test (tumbling_keeps_energy),
                                       cmocka_unit_test (fast_tumbling_is_followed),
                                       cmocka_unit_test (links_are_the_same_in_either_mode),
                                       cmocka_unit_test (sines_are_continuous)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
