/*
 * Bodies that nothing is attached to: their motion is that of a single body, to the last bit, whatever else
 * there is, and a step of many of them neither allocates nor keeps much.
 */
#include <malloc.h>
#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#define MANY 150

static dBodyID add_body (dWorldID world, int i)
{
    dMass mass;
    dMatrix3 turned;
    dBodyID body = dBodyCreate (world);
    dMassSetBoxTotal (&mass, 1 + (dReal)(i % 7), (dReal)0.1, (dReal)0.3, 1);
    dRFromAxisAndAngle (turned, 1, (dReal)i, 2, (dReal)(0.7 * i));
    dMassRotate (&mass, turned);
    dBodySetMass (body, &mass);
    dBodySetPosition (body, (dReal)i, 0, 0);
    dBodySetRotation (body, turned);
    dBodySetLinearVel (body, 1, (dReal)(0.1 * i), -2);
    dBodySetAngularVel (body, (dReal)sin (i), (dReal)(3 * cos (i)), (dReal)(0.2 * i));
    return body;
}

static dWorldID new_world (void)
{
    dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 0, 0, (dReal)-9.81);
    return world;
}

static void take_steps (dRLSStepperID stepper, dBodyID body, int steps)
{
    for (int i = 0; i < steps; ++i)
    {
        dBodyAddTorque (body, 1, 0, (dReal)0.5);
        assert_true (dRLSStepperStep (stepper, (dReal)0.01));
    }
}

static void bodies_do_not_hear_of_each_other (void **state)
{
    (void)state;
    const int chosen[] = {0, 1, 2, 3, 63, 64, 149};
    for (int integrator = dRLSIntegratorSymplectic; integrator <= dRLSIntegratorSymplectic8; ++integrator)
        for (size_t k = 0; k < sizeof (chosen) / sizeof (*chosen); ++k)
        {
            dWorldID alone = new_world (), full = new_world ();
            dBodyID one = add_body (alone, chosen[k]), same = NULL;
            for (int i = 0; i < MANY; ++i)
            {
                dBodyID body = add_body (full, i);
                if (i == chosen[k]) same = body;
                if (i == 70) dBodySetAngularVel (body, 900, 100, 0); /* beyond what a step can follow */
            }
            dRLSStepperID a = dRLSStepperCreate (alone, NULL), b = dRLSStepperCreate (full, NULL);
            dRLSStepperSetIntegrator (a, integrator);
            dRLSStepperSetIntegrator (b, integrator);
            take_steps (a, one, 20);
            take_steps (b, same, 20);
            assert_memory_equal (dBodyGetPosition (one), dBodyGetPosition (same), 3 * sizeof (dReal));
            assert_memory_equal (dBodyGetQuaternion (one), dBodyGetQuaternion (same), 4 * sizeof (dReal));
            assert_memory_equal (dBodyGetAngularVel (one), dBodyGetAngularVel (same), 3 * sizeof (dReal));
            dRLSReport report = {.struct_size = sizeof report};
            assert_true (dRLSStepperGetReport (b, &report));
            assert_int_equal (report.islands, MANY);
            assert_int_equal (report.bodies, MANY);
            assert_int_equal (report.dof, 6 * MANY);
            dRLSStepperDestroy (a);
            dRLSStepperDestroy (b);
            dWorldDestroy (alone);
            dWorldDestroy (full);
        }
}

/* A body that spins freely keeps its energy and its angular momentum. */
static void spin_is_kept (void **state)
{
    (void)state;
    dWorldID world = dWorldCreate ();
    dBodyID body = add_body (world, 3);
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dReal before, after, potential;
    dRLSMeasureBody (body, &before, &potential);
    for (int i = 0; i < 2000; ++i) assert_true (dRLSStepperStep (stepper, (dReal)0.01));
    dRLSMeasureBody (body, &after, &potential);
    assert_true (fabs ((double)(after - before)) < 1e-11 * (double)before);
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
}

static double heap_bytes (void)
{
    struct mallinfo2 now = mallinfo2 ();
    return (double)now.uordblks + (double)now.hblkhd;
}

static void they_take_little_memory (void **state)
{
    (void)state;
    dWorldID world = new_world ();
    for (int i = 0; i < 2000; ++i) add_body (world, i);
    const double before = heap_bytes ();
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    for (int i = 0; i < 12; ++i) assert_true (dRLSStepperStep (stepper, (dReal)0.01));
    assert_true (heap_bytes () - before < 2000.0 * 2048);
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (bodies_do_not_hear_of_each_other),
        cmocka_unit_test (spin_is_kept),
        cmocka_unit_test (they_take_little_memory),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
