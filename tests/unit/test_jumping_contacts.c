/*
 * Contacts that jump: of a round body that lies along another, and of a coin on its edge, collision detection
 * finds one end in one step and the other end in the next.  Such bodies must not sink.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle.h"
#include "oracle_scene.h"

#define SECONDS 3.0

typedef struct
{
    scene s;
    dSpaceID space;
    dJointGroupID contacts;
} place;

static void meet (void *context, dGeomID a, dGeomID b)
{
    const place *p = context;
    if (!dGeomGetBody (a) && !dGeomGetBody (b)) return;
    dContact contact[8];
    const int count = dCollide (a, b, 8, &contact[0].geom, sizeof (contact[0]));
    for (int i = 0; i < count; ++i)
    {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)0.5};
        dJointAttach (dJointCreateContact (p->s.world, p->contacts, &contact[i]), dGeomGetBody (a),
                      dGeomGetBody (b));
    }
}

static place begin (void)
{
    place p = {.s = scene_open ((dReal)-9.81),
               .space = dSimpleSpaceCreate (NULL),
               .contacts = dJointGroupCreate (0)};
    scene_stepper (&p.s);
    return p;
}

static int add_cylinder (place *p, dReal z, dReal mass, dReal radius, dReal length)
{
    const int body = scene_box (&p->s, 0, 0, z, mass, radius, radius, length);
    dMass shape;
    dMassSetCylinderTotal (&shape, mass, 3, radius, length);
    dBodySetMass (p->s.body[body], &shape);
    dGeomSetBody (dCreateCylinder (p->space, radius, length), p->s.body[body]);
    return body;
}

/* Steps, and returns how far the first body is below its place when it comes to lie (m). */
static double sinks (place *p, dReal h, dReal z)
{
    for (int i = 0; i < SECONDS / (double)h; ++i)
    {
        dSpaceCollide (p->space, p, meet);
        scene_step (&p->s, h, 1);
        dJointGroupEmpty (p->contacts);
    }
    const double depth = (double)(z - dBodyGetPosition (p->s.body[0])[2]);
    scene_close (&p->s);
    dJointGroupDestroy (p->contacts);
    dSpaceDestroy (p->space);
    return depth;
}

/* A log lies along two others that are fixed; a load may hang from its middle. */
static double log_sinks (dReal load, dReal h)
{
    place p = begin ();
    dMatrix3 along_y;
    dRFromAxisAndAngle (along_y, 1, 0, 0, (dReal)(-M_PI / 2));
    for (int side = -1; side <= 1; side += 2)
    {
        const dGeomID support = dCreateCylinder (p.space, (dReal)0.1, 1);
        dGeomSetRotation (support, along_y);
        dGeomSetPosition (support, (dReal)(0.12 * side), 0, 0);
    }
    const int rod = add_cylinder (&p, (dReal)0.16, 1, (dReal)0.1, (dReal)0.8);
    dBodySetRotation (p.s.body[rod], along_y);
    if (load > 0)
    {
        const double middle[3] = {0, 0, 0.16};
        scene_ball (&p.s, rod, scene_box (&p.s, 0, 0, (dReal)-0.84, load, 1, 1, 1), middle);
    }
    return sinks (&p, h, (dReal)0.16);
}

/* A coin spins, falls over and comes to lie. */
static double coin_sinks (dReal h)
{
    const double lean = 1;
    place p = begin ();
    dMatrix3 leaning;
    dCreatePlane (p.space, 0, 0, 1, 0);
    const int coin = add_cylinder (&p, (dReal)(0.1 * sin (lean) + 0.005 * cos (lean)), (dReal)0.05,
                                   (dReal)0.1, (dReal)0.01);
    dRFromAxisAndAngle (leaning, 1, 0, 0, (dReal)lean);
    dBodySetRotation (p.s.body[coin], leaning);
    dBodySetAngularVel (p.s.body[coin], 0, 0, 6);
    return sinks (&p, h, (dReal)0.005);
}

/* dWorldStep: 14, 0.90, 0.057 mm, loaded by 16, 1.2 mm; a coin by 4.6 mm at 1/60 s.  By positions alone:
 * 26, 2.5, 0.16 mm, loaded through the supports and by 35 mm; a coin by 85 mm. */
static void round_bodies_do_not_sink (void **state)
{
    (void)state;
    const double alone[] = {log_sinks (0, (dReal)(1 / 60.0)), log_sinks (0, (dReal)0.004),
                            log_sinks (0, (dReal)0.001)},
                 loaded[] = {log_sinks (20, (dReal)0.004), log_sinks (20, (dReal)0.001)},
                 coin[] = {coin_sinks ((dReal)(1 / 60.0)), coin_sinks ((dReal)0.01),
                           coin_sinks ((dReal)0.004)};
    print_message (
        "a log sinks by %.2g, %.2g, %.2g mm, loaded by %.2g, %.2g mm; a coin by %.2g, %.2g, %.2g mm\n",
        1e3 * alone[0], 1e3 * alone[1], 1e3 * alone[2], 1e3 * loaded[0], 1e3 * loaded[1], 1e3 * coin[0],
        1e3 * coin[1], 1e3 * coin[2]);
    assert_true (alone[0] < 15e-3 && alone[1] < 1e-3 && alone[2] < 1e-4);
    assert_true (loaded[0] < 30e-3 && loaded[1] < 3e-3);
    assert_true (coin[0] < 5e-3 && coin[1] < 5e-3 && coin[2] < 5e-3);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (round_bodies_do_not_sink)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
