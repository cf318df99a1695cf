/*
 * A box on a conveyor belt begins exactly where it touches.  Collision detection finds only what overlaps, so
 * a box that is off the belt by rounding has lost contacts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle.h"
#include "oracle_scene.h"

#define SPEED 1.5 /* of the belt (m/s) */
#define FRICTION 0.3
#define GRAVITY 9.81
#define SECONDS 2.0

/* Where the box is after a time: it slides until it is as fast as the belt. */
static double way (double t)
{
    const double slides = SPEED / (FRICTION * GRAVITY);
    return t < slides ? FRICTION * GRAVITY * t * t / 2 : SPEED * (t - slides / 2);
}

/* How far the box sinks or rises (m), and is off the way (m) and leans (rad). */
typedef struct
{
    double height, off, lean;
} ride;

static ride carry (dReal h)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const dReal height = (dReal)0.1;
    const int box = scene_box (&s, 0, 0, height, 3, (dReal)0.4, (dReal)0.3, 2 * height);
    const dGeomID shape = dCreateBox (NULL, (dReal)0.4, (dReal)0.3, 2 * height);
    const dGeomID belt = dCreateBox (NULL, 20, 1, (dReal)0.2);
    const dJointGroupID contacts = dJointGroupCreate (0);
    ride r = {0, 0, 0};
    dGeomSetBody (shape, s.body[box]);
    dGeomSetPosition (belt, 0, 0, (dReal)-0.1);
    for (int i = 0; i < SECONDS / (double)h; ++i)
    {
        dContact contact[8];
        const int count = dCollide (shape, belt, 8, &contact[0].geom, sizeof (contact[0]));
        for (int k = 0; k < count; ++k)
        {
            contact[k].surface =
                (dSurfaceParameters){.mode = dContactApprox1 | dContactMotion1 | dContactFDir1,
                                     .mu = (dReal)FRICTION,
                                     .motion1 = (dReal)SPEED};
            contact[k].fdir1[0] = 1, contact[k].fdir1[1] = contact[k].fdir1[2] = 0;
            dJointAttach (dJointCreateContact (s.world, contacts, &contact[k]), s.body[box], NULL);
        }
        scene_step (&s, h, 1);
        dJointGroupEmpty (contacts);
        const dReal *x = dBodyGetPosition (s.body[box]), *R = dBodyGetRotation (s.body[box]);
        r.height = fmax (r.height, fabs ((double)(x[2] - height)));
        r.off = fmax (r.off, fabs ((double)x[0] - way ((i + 1) * (double)h)));
        r.lean = fmax (r.lean, fabs ((double)R[2]));
    }
    scene_close (&s);
    dGeomDestroy (shape);
    dGeomDestroy (belt);
    dJointGroupDestroy (contacts);
    return r;
}

/* dWorldStep: 1e-10 m, and 25, 12, 7.5 mm off the way.  Without the overlap the box tips over the contacts
 * that it has left: at 1/30 s it sinks by 9 mm, is 3 mm off and leans by 25 mrad. */
static void a_box_stays_level (void **state)
{
    (void)state;
    const double steps[] = {1 / 30.0, 1 / 60.0, 0.01};
    for (int i = 0; i < 3; ++i)
    {
        const ride r = carry ((dReal)steps[i]);
        print_message ("at %.4f s: sinks by %.2g m, off by %.2g m, leans by %.2g rad\n", steps[i], r.height,
                       r.off, r.lean);
        assert_true (r.height < 1e-8 && r.off < 5e-4 && r.lean < 1e-7);
    }
}

/* Returns the velocity (m/s) at which a box arrives that is pushed by 6 N and slips with 0.2 m/s per N at
 * each of its corners that bears. */
static double pushed (dReal h)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const int box = scene_box (&s, 0, 0, (dReal)0.1, 2, (dReal)0.4, (dReal)0.3, (dReal)0.2);
    const dGeomID shape = dCreateBox (NULL, (dReal)0.4, (dReal)0.3, (dReal)0.2),
                  ground = dCreatePlane (NULL, 0, 0, 1, 0);
    const dJointGroupID contacts = dJointGroupCreate (0);
    dGeomSetBody (shape, s.body[box]);
    for (int i = 0; i < SECONDS / (double)h; ++i)
    {
        dContact contact[8];
        const int count = dCollide (shape, ground, 8, &contact[0].geom, sizeof (contact[0]));
        for (int k = 0; k < count; ++k)
        {
            contact[k].surface = (dSurfaceParameters){.mode = dContactApprox1 | dContactSlip1 | dContactSlip2,
                                                      .mu = 5,
                                                      .slip1 = (dReal)0.2,
                                                      .slip2 = (dReal)0.2};
            dJointAttach (dJointCreateContact (s.world, contacts, &contact[k]), s.body[box], NULL);
        }
        dBodyAddForce (s.body[box], 6, 2, 0);
        scene_step (&s, h, 1);
        dJointGroupEmpty (contacts);
    }
    const double speed = (double)dBodyGetLinearVel (s.body[box])[0];
    scene_close (&s), dGeomDestroy (shape), dGeomDestroy (ground), dJointGroupDestroy (contacts);
    return speed;
}

/* How four corners share the load rigid bodies do not determine.  In the first step, in which the box only
 * just touches, collision detection may find three of them; if these go on to bear all of it, the fourth
 * causes no friction, and the box arrives at 0.4 m/s. */
static void all_corners_bear (void **state)
{
    (void)state;
    for (int i = 20; i <= 120; i += 10)
    {
        const double off = fabs (pushed ((dReal)(1.0 / i)) - 0.3);
        if (!(off < 1e-3)) fail_msg ("1/%d s: off by %g m/s", i, off);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (a_box_stays_level),
                                       cmocka_unit_test (all_corners_bear)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
