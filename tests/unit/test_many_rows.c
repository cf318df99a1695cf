/*
 * Stops and motors in islands of many bounded rows, which are solved by iterations, and whose impacts do not
 * split the step.  Arms hang from one heavy hub.  Those that fall to their stops, each to another one, must
 * rebound as if they were alone, up to e^2 of the fall; and motors in range must have their rates, whatever
 * weaker ones beside them do.
 */
#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define RESTITUTION 0.7
#define ARM 1.0 /* m */
#define MOST_ARMS 150
#define DURATION 0.95 /* s: all arms have rebounded, and none has struck its stop again */

typedef struct
{
    dWorldID world;
    int arms;
    dBodyID arm[MOST_ARMS];
    dJointID hinge[MOST_ARMS];
} carousel;

/* The angle (rad) of a stop below the horizontal. */
static double stop_of (const carousel *c, int i) { return 0.5 + 0.2 * (i * 7 % c->arms) / c->arms; }

/* Half of the motors are too weak to hold their arm. */
static int is_weak (int i) { return i % 2; }

/* A small box at the end of an arm without mass, on a hinge at the rim of the hub.  driven: with a motor
 * instead of stops. */
static void add_arm (carousel *c, dBodyID hub, int i, int driven)
{
    const double turn = 2 * M_PI * i / c->arms, x = cos (turn), y = sin (turn), rim = 2;
    dMass mass;
    c->arm[i] = dBodyCreate (c->world);
    dMassSetBoxTotal (&mass, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
    dBodySetMass (c->arm[i], &mass);
    dBodySetPosition (c->arm[i], (dReal)((rim + ARM) * x), (dReal)((rim + ARM) * y), 0);
    c->hinge[i] = dJointCreateHinge (c->world, NULL);
    dJointAttach (c->hinge[i], c->arm[i], hub);
    dJointSetHingeAnchor (c->hinge[i], (dReal)(rim * x), (dReal)(rim * y), 0);
    dJointSetHingeAxis (c->hinge[i], (dReal)-y, (dReal)x, 0);
    if (driven) dJointSetHingeParam (c->hinge[i], dParamFMax, is_weak (i) ? 1 + (dReal)(i % 9) : 1000);
    if (driven) return;
    dJointSetHingeParam (c->hinge[i], dParamLoStop, (dReal)-stop_of (c, i));
    dJointSetHingeParam (c->hinge[i], dParamHiStop, (dReal)stop_of (c, i));
    dJointSetHingeParam (c->hinge[i], dParamBounce, (dReal)RESTITUTION);
}

static void make (carousel *c, int arms, int driven)
{
    dMass mass;
    c->world = dWorldCreate (), c->arms = arms;
    dWorldSetGravity (c->world, 0, 0, (dReal)-GRAVITY);
    const dBodyID hub = dBodyCreate (c->world);
    dMassSetSphereTotal (&mass, (dReal)1e5, 1);
    dBodySetMass (hub, &mass);
    const dJointID pivot = dJointCreateHinge (c->world, NULL);
    dJointAttach (pivot, hub, NULL);
    dJointSetHingeAnchor (pivot, 0, 0, 0);
    dJointSetHingeAxis (pivot, 0, 0, 1);
    for (int i = 0; i < arms; ++i) add_arm (c, hub, i, driven);
}

/* Returns by how much (m) the worst of the arms misses the height of its rebound, in steps of h (s). */
static double largest_error (int arms, double h)
{
    carousel c;
    double highest[MOST_ARMS], worst = 0;
    make (&c, arms, 0);
    for (int i = 0; i < arms; ++i) highest[i] = -ARM;
    const dRLSStepperID stepper = dRLSStepperCreate (c.world, NULL);
    for (int k = 0; k * h < DURATION; ++k)
    {
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        for (int i = 0; i < arms; ++i)
            if (dBodyGetLinearVel (c.arm[i])[2] > 0)
                highest[i] = fmax (highest[i], (double)dBodyGetPosition (c.arm[i])[2]);
    }
    for (int i = 0; i < arms; ++i)
    {
        const double fall = ARM * sin (stop_of (&c, i));
        worst = fmax (worst, fabs (highest[i] + fall - RESTITUTION * RESTITUTION * fall));
    }
    dRLSStepperDestroy (stepper);
    dWorldDestroy (c.world);
    return worst;
}

static void each_arm_rebounds_as_if_alone (void **state)
{
    static const int arms[] = {5, 65, MOST_ARMS};
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        const double fine = largest_error (arms[i], 0.003), coarse = largest_error (arms[i], 0.01);
        print_message ("%3d arms: %.2g m in steps of 3 ms, %.2g m of 10 ms\n", arms[i], fine, coarse);
        assert_true (fine < 1e-3);
        assert_true (coarse < 2e-3); /* dWorldStep: 1.3e-2 */
    }
}

/* Returns by how much (rad/s) the rates of the strong motors miss what is asked of them, which changes from
 * step to step; ode: 1 for dWorldStep. */
static double largest_error_of_rates (int arms, int ode)
{
    carousel c;
    double worst = 0;
    make (&c, arms, 1);
    const dRLSStepperID stepper = dRLSStepperCreate (c.world, NULL);
    for (int k = 0; k < 50; ++k)
    {
        double rate[MOST_ARMS];
        for (int i = 0; i < arms; ++i)
        {
            rate[i] = 2 * sin (0.03 * k + i);
            dJointSetHingeParam (c.hinge[i], dParamVel, (dReal)rate[i]);
        }
        assert_true (ode ? dWorldStep (c.world, (dReal)0.01) : dRLSStepperStep (stepper, (dReal)0.01));
        for (int i = 0; i < arms; ++i)
            if (!is_weak (i)) worst = fmax (worst, fabs (dJointGetHingeAngleRate (c.hinge[i]) - rate[i]));
    }
    assert_int_equal (dRLSStepperGetWarningCount (stepper, dRLSWarningBounded), 0);
    dRLSStepperDestroy (stepper);
    dWorldDestroy (c.world);
    return worst;
}

static void motors_in_range_have_their_rates (void **state)
{
    static const int arms[] = {20, 70, MOST_ARMS};
    (void)state;
    const double ode = largest_error_of_rates (20, 1);
    for (int i = 0; i < 3; ++i)
    {
        const double ours = largest_error_of_rates (arms[i], 0);
        print_message ("%3d motors: %.2g rad/s; dWorldStep, 20 motors: %.2g\n", arms[i], ours, ode);
        assert_true (ours < 1e-8);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (each_arm_rebounds_as_if_alone),
                                       cmocka_unit_test (motors_in_range_have_their_rates)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
