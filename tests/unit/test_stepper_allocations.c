/*
 * Once a world of bodies and trees of joints has been seen its steps allocate nothing: from the tenth step on
 * no call of the allocator.
 */
#include <ode/ode.h>
#include "oracle_scene.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <malloc.h>
#include <stdlib.h>

void *__real_malloc (size_t size);
void *__real_calloc (size_t count, size_t size);
void *__real_realloc (void *old, size_t size);
void *__real_aligned_alloc (size_t alignment, size_t size);
void *__wrap_malloc (size_t size);
void *__wrap_calloc (size_t count, size_t size);
void *__wrap_realloc (void *old, size_t size);
void *__wrap_aligned_alloc (size_t alignment, size_t size);

#define SETTLED 10 /* steps, after which no more contacts come than there have been */

#define BYTES_A_ROW 4096.0 /* at most, of a contact */

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

/* A net of bars on balls with loops, held at two corners and thrown. */
static void mesh (dWorldID world)
{
    dBodyID point[36];
    for (int i = 0; i < 36; ++i)
    {
        dMass mass;
        point[i] = add_body (world, i % 6, i / 6, 0);
        dMassSetSphereTotal (&mass, 1, (dReal)0.1);
        dBodySetMass (point[i], &mass);
        for (int way = 0; way < 2; ++way)
        {
            if (way == 0 ? i % 6 == 0 : i < 6) continue;
            dBodyID other = point[i - (way == 0 ? 1 : 6)];
            const dReal *a = dBodyGetPosition (other), *b = dBodyGetPosition (point[i]);
            dJointID rod = dJointCreateDBall (world, NULL);
            dJointAttach (rod, other, point[i]);
            dJointSetDBallAnchor1 (rod, a[0], a[1], a[2]);
            dJointSetDBallAnchor2 (rod, b[0], b[1], b[2]);
        }
    }
}

/* ---- contacts: a wall that settles ---- */

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    int rows; /* of the contacts that there are */
} floor_of;

static void touch (void *context, dGeomID a, dGeomID b)
{
    floor_of *f = context;
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.6};
    f->rows += 3 * scene_touch (f->world, f->contacts, a, b, 8, &surface, NULL);
}

/* Layers of so many bricks each. */
static floor_of build_wall (int layers, int bricks)
{
    floor_of f = {dWorldCreate (), dHashSpaceCreate (NULL), dJointGroupCreate (0), 0};
    dWorldSetGravity (f.world, 0, 0, (dReal)-9.81);
    dCreatePlane (f.space, 0, 0, 1, 0);
    for (int i = 0; i < layers * bricks; ++i)
    {
        const int layer = i / bricks;
        dBodyID body = add_body (f.world, (i % bricks) + 0.25 * (layer % 2), 0, 0.0501 + 0.1 * layer);
        dBodySetLinearVel (body, 0, 0, 0);
        dGeomSetBody (dCreateBox (f.space, (dReal)0.95, (dReal)0.1, (dReal)0.1), body);
    }
    return f;
}

/* Contacts are made anew. */
static void step_wall (floor_of *f, dRLSStepperID stepper)
{
    f->rows = 0;
    dSpaceCollide (f->space, f, touch);
    assert_true (dRLSStepperStep (stepper, (dReal)0.01));
    dJointGroupEmpty (f->contacts);
}

static void drop_wall (floor_of *f)
{
    dJointGroupDestroy (f->contacts);
    dSpaceDestroy (f->space);
    dWorldDestroy (f->world);
}

static void nothing_is_allocated_for_contacts (void **state)
{
    (void)state;
    floor_of f = build_wall (4, 3);
    dRLSStepperID stepper = dRLSStepperCreate (f.world, NULL);
    for (int i = 0; i < 150; ++i)
    {
        if (i == SETTLED) calls = 0;
        step_wall (&f, stepper);
    }
    assert_int_equal (calls, 0);
    dRLSStepperDestroy (stepper);
    drop_wall (&f);
}

/* Bytes of the program. */
static double heap (void)
{
    const struct mallinfo2 now = mallinfo2 ();
    return (double)now.uordblks + (double)now.hblkhd;
}

/* What is kept hangs on the rows that there are; what nobody has wanted for a hundred steps is given back. */
static void contacts_keep_little_memory (void **state)
{
    (void)state;
    floor_of f = build_wall (8, 8);
    dRLSStepperID stepper = dRLSStepperCreate (f.world, NULL);
    double before = 0, most = 0;
    int rows = 0;
    for (int i = 0; i < 150; ++i)
    {
        step_wall (&f, stepper);
        if (f.rows > rows) rows = f.rows;
    }
    most = heap ();
    dWorldSetGravity (f.world, 0, 0, 0);
    for (dGeomID geom; dSpaceGetNumGeoms (f.space) > 0 && (geom = dSpaceGetGeom (f.space, 0));)
        dGeomDestroy (geom); /* nothing touches any more */
    for (int i = 0; i < 110; ++i) step_wall (&f, stepper);
    const double left = heap ();
    dRLSStepperDestroy (stepper);
    before = heap ();
    print_message ("%d contact rows: %.0f bytes each, %.0f once they are gone\n", rows,
                   (most - before) / rows, (left - before) / rows);
    assert_true (most - before <= BYTES_A_ROW * rows);
    assert_true (left - before <= 0.25 * (most - before));
    drop_wall (&f);
}

/* The i-th of the bodies that lie beside the wall, and above it. */
static void put_aside (dBodyID body, int i) { dBodySetPosition (body, 0, (dReal)(2 + 2 * i), (dReal)0.05); }

#define VISITORS 12

/* Islands that meet and part again do not each keep the size of the largest: the wall takes its memory along,
 * whichever body it is found by. */
static void visitors_leave_no_memory (void **state)
{
    (void)state;
    floor_of f = build_wall (4, 8);
    dBodyID visitor[VISITORS];
    int rows = 0;
    for (int i = 0; i < VISITORS; ++i)
    {
        visitor[i] = add_body (f.world, 0, 0, 0);
        dGeomSetBody (dCreateBox (f.space, (dReal)0.95, (dReal)0.1, (dReal)0.1), visitor[i]);
        put_aside (visitor[i], i);
    }
    dRLSStepperID stepper = dRLSStepperCreate (f.world, NULL);
    for (int i = 0; i < VISITORS; ++i)
    {
        dBodySetPosition (visitor[i], 3, 0, (dReal)0.4501);
        dBodySetLinearVel (visitor[i], 0, 0, 0);
        for (int step = 0; step < 3; ++step)
        {
            step_wall (&f, stepper);
            if (f.rows > rows) rows = f.rows;
        }
        put_aside (visitor[i], i);
        dBodySetLinearVel (visitor[i], 0, 0, 0);
    }
    const double most = heap ();
    dRLSStepperDestroy (stepper);
    print_message ("%d contact rows: %.0f bytes each\n", rows, (most - heap ()) / rows);
    assert_true (most - heap () <= BYTES_A_ROW * rows);
    drop_wall (&f);
}

/* Bytes that a stepper keeps after some steps of the wall. */
static double kept (floor_of *f, dRLSStepperID stepper, int steps)
{
    for (int i = 0; i < steps; ++i) step_wall (f, stepper);
    const double with = heap ();
    dRLSStepperDestroy (stepper);
    return with - heap ();
}

/* A wall that has fallen apart needs no more than its bricks would have from the beginning. */
static void what_falls_apart_gives_memory_back (void **state)
{
    (void)state;
    floor_of f = build_wall (4, 8);
    dRLSStepperID stepper = dRLSStepperCreate (f.world, NULL);
    for (int i = 0; i < 20; ++i) step_wall (&f, stepper);
    for (int i = 0; i < dSpaceGetNumGeoms (f.space); ++i)
    {
        const dBodyID body = dGeomGetBody (dSpaceGetGeom (f.space, i));
        if (body) put_aside (body, i), dBodySetLinearVel (body, 0, 0, 0);
    }
    const double old = kept (&f, stepper, 120), fresh = kept (&f, dRLSStepperCreate (f.world, NULL), 20);
    print_message ("fallen apart: %.0f bytes, from the beginning %.0f\n", old, fresh);
    assert_true (old <= 1.1 * fresh);
    drop_wall (&f);
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
        if (integrators[i] != dRLSIntegratorRK4) take_steps (mesh, integrators[i]);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (nothing_is_allocated),
        cmocka_unit_test (nothing_is_allocated_for_contacts),
        cmocka_unit_test (contacts_keep_little_memory),
        cmocka_unit_test (visitors_leave_no_memory),
        cmocka_unit_test (what_falls_apart_gives_memory_back),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
