/*
 * A world without error reduction: ERP is ODE's remedy for joints that come open, and joints here are closed
 * whatever it is, those that keep an ERP of their own as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle_random.h"

#define STEPS 100

static const struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
} types[] = {
    {"ball", dJointCreateBall},   {"fixed", dJointCreateFixed},         {"double ball", dJointCreateDBall},
    {"hinge", dJointCreateHinge}, {"double hinge", dJointCreateDHinge}, {"hinge-2", dJointCreateHinge2},
};

/* Three bodies in a chain that hangs on a ball, with two joints of the type. */
static scene chain (size_t type)
{
    random_source r = {type};
    scene s = scene_open ((dReal)-9.81);
    const double above[3] = {0, 0, 0.5};
    dWorldSetERP (s.world, 0); /* joints of some types keep what it is when they are made */
    for (int b = 0; b < 3; ++b)
    {
        const dReal at[3] = {(dReal)0.5 * (dReal)b - (dReal)0.25, 0, 0};
        scene_box (&s, (dReal)0.5 * (dReal)b, 0, 0, 1, (dReal)0.4, (dReal)0.2, (dReal)0.1);
        dBodySetAngularVel (s.body[b], 0, 0, (dReal)0.5 * (dReal)b);
        if (b == 0)
            scene_ball (&s, 0, NO_BODY, above);
        else
            random_place (&r, scene_joint (&s, types[type].create, b, b - 1), at);
    }
    return s;
}

static void joints_are_closed (void **state)
{
    (void)state;
    for (size_t type = 0; type < sizeof (types) / sizeof (*types); ++type)
        for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
        {
            scene s = chain (type);
            assert_int_equal (dRLSStepperSetIntegrator (scene_stepper (&s), integrator), 1);
            scene_step (&s, (dReal)0.01, STEPS);
            const double open = scene_violation (&s);
            if (!(open < 1e-9))
                fail_msg ("%s, integrator %d: open by %g", types[type].name, integrator, open);
            scene_close (&s);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (joints_are_closed)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
