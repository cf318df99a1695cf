/*
 * Two bodies that turn and collide in free space, without friction and with a restitution of 1, keep their
 * energy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_random.h"
#include "oracle_scene.h"

#define PAIRS 200
#define MOST 4 /* points that two geometries touch at */

enum
{
    BALL,
    CAPSULE,
    BOX,
    SHAPES
};

static const char *const name[SHAPES] = {"ball", "capsule", "box"};

typedef struct
{
    scene s;
    dSpaceID space;
    dJointGroupID contacts;
} pair;

static void meet (void *context, dGeomID a, dGeomID b)
{
    const pair *p = context;
    const dSurfaceParameters surface = {.mode = dContactApprox1 | dContactBounce, .mu = 0, .bounce = 1};
    scene_touch (p->s.world, p->contacts, a, b, MOST, &surface, NULL);
}

/* A body that comes from a side, -1 or 1, and turns about each axis with up to spin (rad/s). */
static void add_body (pair *p, random_source *r, int shape, int side, double spin)
{
    const double size = random_between (r, 0.08, 0.2), mass = random_between (r, 0.3, 3);
    const double y = random_between (r, -0.08, 0.08), z = random_between (r, -0.08, 0.08);
    const int body = scene_box (&p->s, (dReal)(0.3 * side), (dReal)y, (dReal)z, 1, 1, 1, 1);
    dMass m;
    dGeomID geom;
    dQuaternion q;
    dReal w[3];
    if (shape == BALL)
    {
        dMassSetSphereTotal (&m, (dReal)mass, (dReal)size / 2);
        geom = dCreateSphere (p->space, (dReal)size / 2);
    }
    else if (shape == CAPSULE)
    {
        dMassSetCapsuleTotal (&m, (dReal)mass, 3, (dReal)size / 2, (dReal)size);
        geom = dCreateCapsule (p->space, (dReal)size / 2, (dReal)size);
    }
    else
    {
        dMassSetBoxTotal (&m, (dReal)mass, (dReal)(2 * size), (dReal)(1.5 * size), (dReal)size);
        geom = dCreateBox (p->space, (dReal)(2 * size), (dReal)(1.5 * size), (dReal)size);
    }
    dBodySetMass (p->s.body[body], &m);
    dGeomSetBody (geom, p->s.body[body]);
    for (int k = 0; k < 4; ++k) q[k] = (dReal)random_between (r, -1, 1);
    dNormalize4 (q);
    dBodySetQuaternion (p->s.body[body], q);
    for (int k = 0; k < 3; ++k) w[k] = (dReal)random_between (r, -spin, spin);
    dBodySetLinearVel (p->s.body[body], (dReal)-side, 0, 0);
    dBodySetAngularVel (p->s.body[body], w[0], w[1], w[2]);
}

/* Returns the largest change of the energy, over the energy. */
static double change_of (const int shape[2], double spin, double h, uint64_t seed)
{
    random_source r = {seed + 1};
    pair p = {.s = scene_open (0), .space = dSimpleSpaceCreate (NULL), .contacts = dJointGroupCreate (0)};
    for (int i = 0; i < 2; ++i) add_body (&p, &r, shape[i], i ? 1 : -1, spin);
    const double begin = scene_energy (&p.s);
    double change = 0;
    for (int i = 0; i * h < 0.5; ++i)
    {
        scene_step_on_contacts (&p.s, p.space, p.contacts, meet, &p, (dReal)h);
        change = fmax (change, fabs (scene_energy (&p.s) / begin - 1));
    }
    dJointGroupDestroy (p.contacts);
    dSpaceDestroy (p.space);
    scene_close (&p.s);
    return change;
}

/* Returns the largest change of all pairs; more: how many change by more than 1e-3. */
static double largest_change (int one, int other, double spin, int *more)
{
    double largest = 0;
    *more = 0;
    for (uint64_t seed = 0; seed < PAIRS; ++seed)
    {
        const double change =
            change_of ((const int[]){one, other}, spin, seed % 2 ? 1 / 240.0 : 1 / 60.0, seed);
        largest = fmax (largest, change), *more += change > 1e-3;
    }
    print_message ("%s and %s, %g rad/s: energy changes by up to %.1e, by more than 1e-3 in %d of %d\n",
                   name[one], name[other], spin, largest, *more, PAIRS);
    return largest;
}

/* A collision whose bodies seemed to meet again within the step, by how they turned before it, had no
 * restitution: up to 11 % were lost, 14 of the pairs without boxes lost more than 1e-3.  Of boxes some still
 * do. */
static void collisions_keep_the_energy (void **state)
{
    int more;
    (void)state;
    for (double spin = 5; spin <= 20; spin *= 2)
    {
        assert_true (largest_change (BALL, BALL, spin, &more) < 1e-12);
        assert_true (largest_change (BALL, CAPSULE, spin, &more) < 1e-3);
        assert_true (largest_change (CAPSULE, CAPSULE, spin, &more) < 1e-3);
    }
    for (int other = BALL; other < SHAPES; ++other)
    {
        largest_change (other, BOX, 5, &more);
        assert_true (more <= 1);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (collisions_keep_the_energy)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
