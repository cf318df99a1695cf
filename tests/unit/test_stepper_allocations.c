/*
 * Once a world of bodies and trees of joints has been seen its steps allocate nothing: from the tenth step on
 * no call of the allocator.
 */
#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

void *__real_malloc (size_t size);
void *__real_calloc (size_t count, size_t size);
void *__real_realloc (void *old, size_t size);
void *__real_aligned_alloc (size_t alignment, size_t size);
void *__wrap_malloc (size_t size);
void *__wrap_calloc (size_t count, size_t size);
void *__wrap_realloc (void *old, size_t size);
void *__wrap_aligned_alloc (size_t alignment, size_t size);

static long calls;

void *__wrap_malloc (size_t size) { return ++calls, __real_malloc (size); }
void *__wrap_calloc (size_t count, size_t size) { return ++calls, __real_calloc (count, size); }
void *__wrap_realloc (void *old, size_t size) { return ++calls, __real_realloc (old, size); }
void *__wrap_aligned_alloc (size_t alignment, size_t size)
{
    return ++calls, __real_aligned_alloc (alignment, size);
}

static dBodyID add_body (dWorldID world, double x, double y, double z)
{
    dMass mass;
    dBodyID body = dBodyCreate (world);
    dMassSetBoxTotal (&mass, 1, 1, (dReal)0.1, (dReal)0.1);
    dBodySetMass (body, &mass);
    dBodySetPosition (body, (dReal)x, (dReal)y, (dReal)z);
    dBodySetLinearVel (body, 0, 0, (dReal)0.5);
    return body;
}

static void add_hinge (dWorldID world, dBodyID a, dBodyID b, double x)
{
    dJointID joint = dJointCreateHinge (world, NULL);
    dJointAttach (joint, a, b);
    dJointSetHingeAnchor (joint, (dReal)x, 0, 0);
    dJointSetHingeAxis (joint, 0, 0, 1);
}

static void free_bodies (dWorldID world)
{
    for (int i = 0; i < 100; ++i) add_body (world, i, 0, 0);
}

static void pendulums (dWorldID world)
{
    for (int i = 0; i < 50; ++i) add_hinge (world, add_body (world, i + 0.5, 0, 0), NULL, i);
}

static void chain (dWorldID world)
{
    dBodyID last = NULL;
    for (int i = 0; i < 30; ++i)
    {
        dBodyID body = add_body (world, i + 0.5, 0, 0);
        add_hinge (world, body, last, i);
        last = body;
    }
}

static void take_steps (void (*make) (dWorldID world), int integrator)
{
    dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 0, (dReal)-9.81, 0);
    make (world);
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStepperSetIntegrator (stepper, integrator);
    for (int i = 0; i < 60; ++i)
    {
        if (i == 10) calls = 0;
        assert_true (dRLSStepperStep (stepper, (dReal)0.01));
    }
    assert_int_equal (calls, 0);
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
}

static void nothing_is_allocated (void **state)
{
    (void)state;
    const int integrators[] = {dRLSIntegratorAuto, dRLSIntegratorEuler, dRLSIntegratorRK4};
    for (int i = 0; i < 3; ++i)
    {
        take_steps (free_bodies, integrators[i]);
        take_steps (pendulums, integrators[i]);
        take_steps (chain, integrators[i]);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (nothing_is_allocated),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
