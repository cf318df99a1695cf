/*
 * Rebounds in islands of many stops, which are solved by iterations and whose impacts do not split the step.
 * Arms hang from one heavy hub and fall to their stops, each to another one; every arm must rebound as if it
 * were alone, up to e^2 of its fall.
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

/* A small box at the end of an arm without mass, on a hinge at the rim of the hub. */
static void add_arm (carousel *c, dBodyID hub, int i)
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
    dJointSetHingeParam (c->hinge[i], dParamLoStop, (dReal)-stop_of (c, i));
    dJointSetHingeParam (c->hinge[i], dParamHiStop, (dReal)stop_of (c, i));
    dJointSetHingeParam (c->hinge[i], dParamBounce, (dReal)RESTITUTION);
}

static void make (carousel *c, int arms)
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
    for (int i = 0; i < arms; ++i) add_arm (c, hub, i);
}

/* Returns by how much (m) the worst of the arms misses the height of its rebound, in steps of h (s). */
static double largest_error (int arms, double h)
{
    carousel c;
    double highest[MOST_ARMS], worst = 0;
    make (&c, arms);
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
        assert_true (coarse < 1e-2); /* dWorldStep: 1.3e-2 */
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (each_arm_rebounds_as_if_alone)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
