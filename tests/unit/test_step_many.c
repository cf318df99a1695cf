/* Batches of worlds: the same bits as one by one for any number of threads, and nothing done where it cannot
 * be. */
#include <ode/ode.h>
#include "oracle_scene.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#define WORLDS 13
#define BODIES 9
#define STEPS 60
#define H ((dReal)0.01)

typedef struct
{
    dWorldID world;
    dRLSStepperID stepper;
    dBodyID body[BODIES];
    dJointID motor;
    dSpaceID space;
    dJointGroupID contacts;
} robot;

static robot robots[WORLDS];

/* A tail of hinges with a motor, a box that falls on the floor, a pendulum of its own. */
static void build (robot *r, int seed)
{
    dMass mass;
    r->world = dWorldCreate ();
    r->space = dSimpleSpaceCreate (NULL);
    r->contacts = dJointGroupCreate (0);
    dWorldSetGravity (r->world, 0, 0, (dReal)-9.81);
    dCreatePlane (r->space, 0, 0, 1, -2);
    dMassSetBox (&mass, 1, 1, (dReal)0.2, (dReal)0.2);
    for (int i = 0; i < BODIES; ++i)
    {
        r->body[i] = dBodyCreate (r->world);
        dBodySetMass (r->body[i], &mass);
        dBodySetPosition (r->body[i], (dReal)(i + 0.01 * seed), i > BODIES - 3 ? 5 : 0,
                          i == BODIES - 1 ? (dReal)-1.8 : 0);
        if (i == BODIES - 1)
        {
            dGeomSetBody (dCreateBox (r->space, 1, (dReal)0.2, (dReal)0.2), r->body[i]);
            continue;
        }
        dJointID hinge = dJointCreateHinge (r->world, NULL);
        dJointAttach (hinge, r->body[i], i == 0 || i == BODIES - 2 ? NULL : r->body[i - 1]);
        dJointSetHingeAnchor (hinge, (dReal)(i - 0.5 + 0.01 * seed), i > BODIES - 3 ? 5 : 0, 0);
        dJointSetHingeAxis (hinge, 0, 1, 0);
        if (i == 0) r->motor = hinge;
    }
    dJointSetHingeParam (r->motor, dParamFMax, 20);
    r->stepper = dRLSStepperCreate (r->world, NULL);
}

static void destroy (robot *r)
{
    dRLSStepperDestroy (r->stepper);
    dJointGroupDestroy (r->contacts);
    dSpaceDestroy (r->space);
    dWorldDestroy (r->world);
}

static void touch (void *context, dGeomID a, dGeomID b)
{
    robot *r = context;
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.5};
    scene_touch (r->world, r->contacts, a, b, 4, &surface, NULL);
}

static void act (void *context, int index, int step)
{
    robot *r = (robot *)context + index;
    dAllocateODEDataForThread (dAllocateMaskAll);
    dJointGroupEmpty (r->contacts);
    dSpaceCollide (r->space, r, touch);
    dJointSetHingeParam (r->motor, dParamVel, (dReal)sin (0.1 * step + index));
}

static void place_all (dReal x[WORLDS][BODIES][7])
{
    for (int w = 0; w < WORLDS; ++w)
        for (int b = 0; b < BODIES; ++b)
        {
            memcpy (x[w][b], dBodyGetPosition (robots[w].body[b]), 3 * sizeof (dReal));
            memcpy (x[w][b] + 3, dBodyGetQuaternion (robots[w].body[b]), 4 * sizeof (dReal));
        }
}

static void same_bits_for_any_number_of_threads (void **state)
{
    (void)state;
    static dReal first[WORLDS][BODIES][7], now[WORLDS][BODIES][7];
    for (int threads = 0; threads <= 8; threads += 1 + threads / 3)
    {
        dRLSStepperID steppers[WORLDS];
        for (int w = 0; w < WORLDS; ++w) build (&robots[w], w), steppers[w] = robots[w].stepper;
        if (threads > 0)
            assert_int_equal (dRLSStepperStepMany (steppers, WORLDS, H, STEPS, threads, act, robots), WORLDS);
        for (int w = 0; w < WORLDS && threads == 0; ++w)
            for (int step = 0; step < STEPS; ++step)
            {
                act (robots, w, step);
                assert_true (dRLSStepperStep (steppers[w], H));
            }
        place_all (threads == 0 ? first : now);
        if (threads > 0) assert_memory_equal (first, now, sizeof (first));
        for (int w = 0; w < WORLDS; ++w) destroy (&robots[w]);
    }
}

static void what_cannot_be_is_not_begun (void **state)
{
    (void)state;
    build (&robots[0], 0), build (&robots[1], 1);
    dRLSStepperID two[2] = {robots[0].stepper, robots[1].stepper}, twice[2] = {two[0], two[0]},
                  none[2] = {two[0], NULL};
    assert_int_equal (dRLSStepperStepMany (twice, 2, H, 1, 2, NULL, NULL), -1);
    assert_int_equal (dRLSStepperStepMany (none, 2, H, 1, 2, NULL, NULL), -1);
    assert_int_equal (dRLSStepperStepMany (NULL, 2, H, 1, 2, NULL, NULL), -1);
    assert_int_equal (dRLSStepperStepMany (two, -1, H, 1, 2, NULL, NULL), -1);
    assert_int_equal (dRLSStepperStepMany (two, 2, 0, 1, 2, NULL, NULL), -1);
    assert_int_equal (dRLSStepperStepMany (two, 2, (dReal)NAN, 1, 2, NULL, NULL), -1);
    assert_int_equal (dRLSStepperStepMany (two, 2, H, -1, 2, NULL, NULL), -1);
    assert_int_equal (dRLSStepperStepMany (two, 2, H, 1, 0, NULL, NULL), -1);
    assert_true (dRLSStepperGetTime (two[0]) == 0);
    assert_int_equal (dRLSStepperStepMany (NULL, 0, H, 1, 1, NULL, NULL), 0);
    assert_int_equal (dRLSStepperStepMany (two, 2, H, 0, 1, NULL, NULL), 2);
    dBodySetLinearVel (robots[1].body[0], (dReal)NAN, 0, 0);
    assert_int_equal (dRLSStepperStepMany (two, 2, H, 3, 2, NULL, NULL), 1);
    assert_true (fabs ((double)dRLSStepperGetTime (two[0]) - 0.03) < 1e-6);
    assert_int_equal (dRLSStepperGetStatus (two[1]), dRLSStatusNotFinite);
    destroy (&robots[0]), destroy (&robots[1]);
}

int main (void)
{
    dInitODE2 (0);
    const struct CMUnitTest tests[] = {cmocka_unit_test (same_bits_for_any_number_of_threads),
                                       cmocka_unit_test (what_cannot_be_is_not_begun)};
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
