/*
 * Contacts with unlimited friction (mu of dInfinity), with dContactApprox1 and without.
 */
#include <ode/ode.h>
#include "oracle_scene.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define MOST_BODIES 16

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dRLSStepperID stepper;
    dSurfaceParameters surface;
    dBodyID body[MOST_BODIES];
    int bodies;
    double deepest;
} room;

/* A world with a ground, and what it is made of. */
static room open_room (int mode, double restitution)
{
    const dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    room r = {.world = world,
              .space = dSimpleSpaceCreate (0),
              .contacts = dJointGroupCreate (0),
              .stepper = dRLSStepperCreate (world, NULL),
              .surface = {.mode = mode | (restitution > 0 ? dContactBounce : 0),
                          .mu = dInfinity,
                          .bounce = (dReal)restitution}};
    dCreatePlane (r.space, 0, 0, 1, 0);
    return r;
}

static void close_room (room *r)
{
    dRLSStepperDestroy (r->stepper);
    dJointGroupDestroy (r->contacts);
    dSpaceDestroy (r->space);
    dWorldDestroy (r->world);
}

static dBodyID add (room *r, dGeomID shape, const dMass *mass, double x, double y, double z)
{
    const dBodyID body = r->body[r->bodies++] = dBodyCreate (r->world);
    dBodySetMass (body, mass);
    dBodySetPosition (body, (dReal)x, (dReal)y, (dReal)z);
    dGeomSetBody (shape, body);
    return body;
}

static void meet (void *data, dGeomID a, dGeomID b)
{
    room *r = data;
    if (dGeomGetBody (a) || dGeomGetBody (b))
        scene_touch (r->world, r->contacts, a, b, 8, &r->surface, &r->deepest);
}

static void step (room *r, double h, double seconds)
{
    for (long i = 0, steps = lround (seconds / h); i < steps; ++i)
    {
        r->deepest = 0;
        dSpaceCollide (r->space, r, meet);
        assert_true (dRLSStepperStep (r->stepper, (dReal)h));
        dJointGroupEmpty (r->contacts);
    }
}

/* ---- heaps ---- */

/* A number between 0 and 1 that the next call changes. */
static double random_part (unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

/* Balls of different sizes fall into a pit that is 1 m wide. */
static void drop_balls (room *r, int count, unsigned seed)
{
    for (int side = 0; side < 4; ++side)
        dCreatePlane (r->space, (dReal)((side == 0) - (side == 1)), (dReal)((side == 2) - (side == 3)), 0,
                      (dReal)-0.5);
    for (int i = 0; i < count; ++i)
    {
        const double size = 0.1 + 0.1 * random_part (&seed), x = 0.3 * random_part (&seed) - 0.15,
                     y = 0.3 * random_part (&seed) - 0.15;
        dMass mass;
        dMassSetSphere (&mass, 100, (dReal)size);
        add (r, dCreateSphere (r->space, (dReal)size), &mass, x, y, 0.5 + 0.45 * i);
    }
}

/* In heaps of more than 64 rows friction may hold bodies while depths are taken back.  Its rows were looked
 * for in the wrong place, and memory was overwritten. */
static void balls_in_a_pit (void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 4; ++seed)
    {
        room r = open_room (dContactApprox1, 0);
        drop_balls (&r, 12, seed);
        step (&r, 0.01, 4);
        print_message ("heap %u: contacts up to %.1e m deep\n", seed, r.deepest);
        assert_true (r.deepest < 2e-3);
        close_room (&r);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (balls_in_a_pit)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
