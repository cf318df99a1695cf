/*
 * Worlds at random whose bodies may fall asleep, stepped by the library and by dWorldStep: what sleeps under
 * ODE by half of the time sleeps here in the end, and stays where it is.  Without what swings freely: that
 * ODE's step brakes.
 */
#include <ode/ode.h>
#include "oracle_scene.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include "oracle.h"

#define WORLDS 24
#define MOST_BODIES 8
#define SECONDS 8
#define SIDE 0.3

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID body[MOST_BODIES];
    int bodies;
    double friction;
} rig;

static void meet (void *data, dGeomID a, dGeomID b)
{
    const rig *r = data;
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)r->friction};
    scene_touch (r->world, r->contacts, a, b, 8, &surface, NULL);
}

static dBodyID add_box (rig *r, double x, double y, double z, double height)
{
    dMass m;
    const dBodyID body = r->body[r->bodies++] = dBodyCreate (r->world);
    dMassSetBox (&m, 100, (dReal)SIDE, (dReal)SIDE, (dReal)height);
    dBodySetMass (body, &m);
    dBodySetPosition (body, (dReal)x, (dReal)y, (dReal)z);
    dGeomSetBody (dCreateBox (r->space, (dReal)SIDE, (dReal)SIDE, (dReal)height), body);
    return body;
}

/* Boxes that fall beside and on each other. */
static void scatter (rig *r, oracle_random *random)
{
    for (int i = 0; i < MOST_BODIES; ++i)
        add_box (r, oracle_uniform (random, -1, 1), oracle_uniform (random, -1, 1),
                 oracle_uniform (random, 0.2, 1.5), 0.2);
}

/* Arms that fall onto a stop, and that a motor brakes. */
static void hang_up (rig *r, oracle_random *random)
{
    for (int i = 0; i < 2; ++i)
    {
        const dBodyID arm = add_box (r, i, 0, 2, 0.3);
        const dJointID hinge = dJointCreateHinge (r->world, NULL);
        dJointAttach (hinge, arm, NULL);
        dJointSetHingeAnchor (hinge, (dReal)(i - 0.25), 0, 2);
        dJointSetHingeAxis (hinge, 0, 1, 0);
        if (i == 0)
        {
            dJointSetHingeParam (hinge, dParamLoStop, (dReal)-0.5);
            dJointSetHingeParam (hinge, dParamHiStop, (dReal)0.5);
        }
        else
            dJointSetHingeParam (hinge, dParamFMax, (dReal)oracle_uniform (random, 20, 200));
    }
}

/* When each body last fell asleep (s), HUGE_VAL: it is awake. */
static int run (uint64_t seed, int by_ode, double asleep[MOST_BODIES])
{
    static void (*const build[]) (rig *, oracle_random *) = {scatter, hang_up};
    oracle_random random = {seed};
    rig r = {.world = dWorldCreate (), .space = dHashSpaceCreate (NULL), .contacts = dJointGroupCreate (0)};
    const double h = seed % 4 < 2 ? 0.01 : 1.0 / 60, threshold = pow (10, oracle_uniform (&random, -3, -1));
    dWorldSetGravity (r.world, 0, 0, (dReal)-9.81);
    dWorldSetAutoDisableFlag (r.world, 1);
    dWorldSetAutoDisableSteps (r.world, 3 + (int)oracle_uniform (&random, 0, 20));
    dWorldSetAutoDisableTime (r.world, (dReal)oracle_uniform (&random, 0, 0.5));
    dWorldSetAutoDisableAverageSamplesCount (r.world, 1 + (unsigned)oracle_uniform (&random, 0, 8));
    dWorldSetAutoDisableLinearThreshold (r.world, (dReal)threshold);
    dWorldSetAutoDisableAngularThreshold (r.world, (dReal)threshold);
    r.friction = oracle_uniform (&random, 0.3, 1.2);
    dCreatePlane (r.space, 0, 0, 1, 0);
    build[seed % 2](&r, &random);
    const dRLSStepperID stepper = dRLSStepperCreate (r.world, NULL);
    for (int i = 0; i < MOST_BODIES; ++i) asleep[i] = HUGE_VAL;
    for (int step = 0; step * h < SECONDS; ++step)
    {
        dSpaceCollide (r.space, &r, meet);
        assert_true (by_ode ? dWorldStep (r.world, (dReal)h) : dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (r.contacts);
        for (int i = 0; i < r.bodies; ++i)
            asleep[i] = dBodyIsEnabled (r.body[i]) ? HUGE_VAL : fmin (asleep[i], step * h);
    }
    for (int i = 0; i < r.bodies; ++i)
    {
        const dReal *v = dBodyGetLinearVel (r.body[i]);
        assert_true (asleep[i] == HUGE_VAL || (v[0] == 0 && v[1] == 0 && v[2] == 0));
    }
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (r.contacts);
    dSpaceDestroy (r.space);
    dWorldDestroy (r.world);
    return r.bodies;
}

static void sleep_as_under_ode (void **state)
{
    int bodies = 0, there = 0, late = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= WORLDS; ++seed)
    {
        double ode[MOST_BODIES], own[MOST_BODIES];
        const int count = run (seed, 1, ode);
        run (seed, 0, own);
        bodies += count;
        for (int i = 0; i < count; ++i)
        {
            there += ode[i] < HUGE_VAL;
            late += ode[i] < SECONDS / 2 && own[i] == HUGE_VAL;
        }
    }
    print_message ("%d bodies: %d asleep under ODE, %d of them awake here after twice the time\n", bodies,
                   there, late);
    assert_true (there > bodies / 2);
    assert_int_equal (late, 0);
}

/* Boxes made inside each other part without speed, and fall asleep when they have parted. */
static void what_parts_is_awake (void **state)
{
    rig r = {.world = dWorldCreate (),
             .space = dHashSpaceCreate (NULL),
             .contacts = dJointGroupCreate (0),
             .friction = 0.8};
    double deepest = 0;
    int awake = 0;
    (void)state;
    dWorldSetGravity (r.world, 0, 0, (dReal)-9.81);
    dWorldSetAutoDisableFlag (r.world, 1);
    dCreatePlane (r.space, 0, 0, 1, 0);
    for (int i = 0; i < MOST_BODIES; ++i) add_box (&r, 0, 0, 0.05 + 0.2 * i, 0.3);
    const dRLSStepperID stepper = dRLSStepperCreate (r.world, NULL);
    for (int step = 0; step < 600; ++step)
    {
        dSpaceCollide (r.space, &r, meet);
        assert_true (dRLSStepperStep (stepper, (dReal)0.01));
        dJointGroupEmpty (r.contacts);
    }
    for (int i = 0; i < MOST_BODIES; ++i)
    {
        const double below = i > 0 ? (double)dBodyGetPosition (r.body[i - 1])[2] : -0.15;
        deepest = fmax (deepest, below + 0.3 - (double)dBodyGetPosition (r.body[i])[2]);
        awake += dBodyIsEnabled (r.body[i]);
    }
    print_message ("made 0.1 m inside each other, asleep %.2g m deep, %d awake\n", deepest, awake);
    assert_true (deepest < 1.01 * 9.81 * 0.01 * 0.01); /* what rests may be left so deep */
    assert_int_equal (awake, 0);
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (r.contacts);
    dSpaceDestroy (r.space);
    dWorldDestroy (r.world);
}

/* Bodies of a stack of many contacts that are nudged now and then, slower than gravity makes them within half
 * a step, are at rest again soon: what has moved before the step is not what stands. */
static void what_is_nudged_rests (void **state)
{
    rig r = {.world = dWorldCreate (),
             .space = dHashSpaceCreate (NULL),
             .contacts = dJointGroupCreate (0),
             .friction = 0.8};
    oracle_random random = {7};
    double worst = 0;
    (void)state;
    dWorldSetGravity (r.world, 0, 0, (dReal)-9.81);
    dCreatePlane (r.space, 0, 0, 1, 0);
    for (int i = 0; i < MOST_BODIES; ++i) add_box (&r, 0, 0, 0.1 + 0.2 * i, 0.2);
    const dRLSStepperID stepper = dRLSStepperCreate (r.world, NULL);
    for (int step = 0; step < 1200; ++step)
    {
        for (int i = 0; i < MOST_BODIES && step % 60 == 0; ++i)
        {
            const double up = oracle_uniform (&random, -0.08, 0), turn = oracle_uniform (&random, -0.3, 0.3);
            dBodySetLinearVel (r.body[i], 0, 0, (dReal)up);
            dBodySetAngularVel (r.body[i], (dReal)turn, 0, 0);
        }
        dSpaceCollide (r.space, &r, meet);
        assert_true (dRLSStepperStep (stepper, (dReal)(1 / 30.0)));
        dJointGroupEmpty (r.contacts);
        for (int i = 0; i < MOST_BODIES && step % 60 == 59; ++i)
        {
            const dReal *v = dBodyGetLinearVel (r.body[i]), *w = dBodyGetAngularVel (r.body[i]);
            for (int k = 0; k < 3; ++k) worst = fmax (worst, fmax (fabs ((double)v[k]), fabs ((double)w[k])));
        }
    }
    print_message ("nudged: %.2g m/s or rad/s two seconds later\n", worst);
    assert_true (worst < 1e-9);
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (r.contacts);
    dSpaceDestroy (r.space);
    dWorldDestroy (r.world);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (sleep_as_under_ode),
                                       cmocka_unit_test (what_parts_is_awake),
                                       cmocka_unit_test (what_is_nudged_rests)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
