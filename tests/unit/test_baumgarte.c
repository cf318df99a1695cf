/*
 * Baumgarte's terms on rows that ODE does not know: a drive, and a row that the program gives, are closed as
 * ODE's joints are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define OPEN 0.01 /* rad or m: where the rows want the body, which begins at 0 */
#define ERP 0.2   /* of a new world */

static dReal angle_wanted (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)context, (void)time;
    *rate = *acceleration = 0;
    return (dReal)OPEN;
}

static int place_wanted (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    (void)context, (void)time;
    row[0].first[0] = 1;
    row[0].value = dBodyGetPosition (dJointGetBody (joint, 0))[0] - (dReal)OPEN;
    return 1;
}

/* A hinge with a drive. */
static scene open_driven (void)
{
    static const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    scene s = scene_open (0);
    scene_hinge (&s, scene_box (&s, 0, 0, 0, 1, 1, 1, 1), NO_BODY, origin, up);
    dRLSStepperSetJointDrive (scene_stepper (&s), s.joint[0], angle_wanted, NULL);
    return s;
}

/* A free body with a row. */
static scene open_held (void)
{
    scene s = scene_open (0);
    scene_joint (&s, dJointCreateLMotor, scene_box (&s, 0, 0, 0, 1, 1, 1, 1), NO_BODY);
    dRLSStepperSetJointRows (scene_stepper (&s), s.joint[0], 1, place_wanted, NULL);
    return s;
}

static double driven_angle (const scene *s) { return (double)dJointGetHingeAngle (s->joint[0]); }

static double held_place (const scene *s) { return (double)dBodyGetPosition (s->body[0])[0]; }

static const struct
{
    scene (*open) (void);
    double (*reached) (const scene *s);
} rows[] = {{open_driven, driven_angle}, {open_held, held_place}};

#define KINDS (sizeof (rows) / sizeof (*rows))

/* The part of OPEN that is left after so many steps of h. */
static double left (size_t kind, int integrator, double coefficient, double h, int steps)
{
    scene s = rows[kind].open ();
    dRLSStepperSetIntegrator (s.stepper, integrator);
    dRLSStepperSetCorrection (s.stepper, dRLSCorrectionERP);
    dRLSStepperSetBaumgarte (s.stepper, (dReal)coefficient, (dReal)coefficient);
    scene_step (&s, (dReal)h, steps);
    const double part = 1 - rows[kind].reached (&s) / OPEN;
    scene_close (&s);
    return part;
}

/* With alpha = beta critically damped: (1 + beta t) exp (-beta t). */
static double critical (double beta, double t) { return (1 + beta * t) * exp (-beta * t); }

static void coefficients_decide (void **state)
{
    (void)state;
    const double beta = 20;
    for (size_t kind = 0; kind < KINDS; ++kind)
        for (int steps = 50; steps <= 250; steps += 100)
        {
            const double wanted = critical (beta, 1e-3 * steps);
            assert_true (fabs (left (kind, dRLSIntegratorRK4, beta, 1e-3, steps) - wanted) < 1e-6);
            assert_true (fabs (left (kind, dRLSIntegratorEuler, beta, 1e-4, 10 * steps) - wanted) < 2e-3);
        }
}

/* Without them rk4 has alpha = beta = ERP / h, Euler's method ODE's own term. */
static void else_the_world_does (void **state)
{
    (void)state;
    const double h = 1e-3;
    for (size_t kind = 0; kind < KINDS; ++kind)
        for (int steps = 1; steps < 20; steps += 3)
        {
            const double rk4 = left (kind, dRLSIntegratorRK4, 0, h, steps),
                         euler = left (kind, dRLSIntegratorEuler, 0, h, steps);
            assert_true (fabs (rk4 - critical (ERP / h, h * steps)) < 1e-4);
            assert_true (fabs (euler - pow (1 - ERP, steps)) < 1e-6);
        }
}

/* What is set is told; what cannot be is refused, and changes nothing. */
static void coefficients_are_told (void **state)
{
    (void)state;
    scene s = open_driven ();
    dReal alpha = -1, beta = -1;
    assert_true (dRLSStepperGetBaumgarte (s.stepper, &alpha, &beta));
    assert_true (alpha == 0 && beta == 0);
    assert_true (dRLSStepperSetBaumgarte (s.stepper, 3, 5));
    assert_false (dRLSStepperSetBaumgarte (s.stepper, -1, 5));
    assert_false (dRLSStepperSetBaumgarte (s.stepper, 3, (dReal)NAN));
    assert_false (dRLSStepperGetBaumgarte (s.stepper, NULL, &beta));
    assert_false (dRLSStepperGetBaumgarte (NULL, &alpha, &beta));
    assert_true (dRLSStepperGetBaumgarte (s.stepper, &alpha, &beta));
    assert_true (alpha == 3 && beta == 5);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (coefficients_decide),
        cmocka_unit_test (else_the_world_does),
        cmocka_unit_test (coefficients_are_told),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
