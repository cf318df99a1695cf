/*
 * Impacts that are seen after they were: a step goes back to them (integrators/step_back.c).  What they are
 * in steps of 0.01 s is compared with steps of 0.1 ms.  The order is in tests/compare/order_figures.c.
 */
#include <ode/ode.h>
#include "oracle_scene.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define USUAL_CFM 1e-10 /* of a new world */
#define RADIUS 0.1      /* of balls (m) */

/* A rod without a geometry falls on its ends, which the program collides with the ground: its velocities
 * after 0.3 s.  The ends have coefficients of restitution of their own. */
static void drop_rod (double h, double tilt, const double restitution[2], double v[6])
{
    const dWorldID world = dWorldCreate ();
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dMass mass;
    dMatrix3 turned;
    const dBodyID rod = dBodyCreate (world);
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    dMassSetBoxTotal (&mass, 1, 1, (dReal)0.1, (dReal)0.1);
    dBodySetMass (rod, &mass);
    dBodySetPosition (rod, 0, 0, (dReal)0.303);
    dRFromAxisAndAngle (turned, 0, 1, 0, (dReal)tilt);
    dBodySetRotation (rod, turned);
    dBodySetAngularVel (rod, 0, (dReal)(-10 * tilt), 0);
    for (int i = 0; i < lround (0.3 / h); ++i)
    {
        for (int end = 0; end < 2; ++end)
        {
            dContact contact = {
                .surface = {.mode = dContactBounce | dContactApprox1, .bounce = (dReal)restitution[end]}};
            dVector3 at;
            contact.surface.mu = (dReal)0.3, contact.geom.normal[2] = 1;
            dBodyGetRelPointPos (rod, (dReal)(end - 0.5), 0, 0, at);
            memcpy (contact.geom.pos, at, sizeof (at));
            contact.geom.depth = -at[2];
            if (at[2] <= 0) dJointAttach (dJointCreateContact (world, contacts, &contact), rod, NULL);
        }
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (contacts);
    }
    for (int k = 0; k < 3; ++k)
        v[k] = (double)dBodyGetLinearVel (rod)[k], v[3 + k] = (double)dBodyGetAngularVel (rod)[k];
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (contacts);
    dWorldDestroy (world);
}

/* ---- beside a contact that bears ---- */

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    double restitution;
} hall;

static void touch (void *data, dGeomID a, dGeomID b)
{
    const hall *h = data;
    const dSurfaceParameters surface = {
        .mode = dContactBounce | dContactApprox1, .mu = (dReal)0.2, .bounce = (dReal)h->restitution};
    double deepest = 0;
    scene_touch (h->world, h->contacts, a, b, 8, &surface, &deepest);
}

/* A ball of 1 kg that rolls, and lies as deep in the ground as contacts do in steps of h (s). */
static dBodyID add_ball (const hall *room, double h, double x, double y, double speed)
{
    const dBodyID ball = dBodyCreate (room->world);
    dMass mass;
    dMassSetSphereTotal (&mass, 1, (dReal)0.1);
    dBodySetMass (ball, &mass);
    dBodySetPosition (ball, (dReal)x, (dReal)y, (dReal)(0.1 - 0.05 * GRAVITY * h * h));
    dBodySetLinearVel (ball, (dReal)speed, 0, 0), dBodySetAngularVel (ball, 0, (dReal)(10 * speed), 0);
    dGeomSetBody (dCreateSphere (room->space, (dReal)0.1), ball);
    return ball;
}

/* Steps the room of a stepper for a time (s), reads the velocities v of a ball at its end (m/s, rad/s), and
 * destroys all of it. */
static void finish (hall *room, dRLSStepperID stepper, double h, double time, dBodyID ball, double v[6])
{
    for (int i = 0; i < lround (time / h); ++i)
    {
        dSpaceCollide (room->space, room, touch);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (room->contacts);
    }
    for (int k = 0; k < 3; ++k)
        v[k] = (double)dBodyGetLinearVel (ball)[k], v[3 + k] = (double)dBodyGetAngularVel (ball)[k];
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (room->contacts);
    dSpaceDestroy (room->space);
    dWorldDestroy (room->world);
}

/* A ball rolls on the ground at 2 m/s and strikes a wall, or another ball beside its centre: its velocities
 * after half a second. */
static void roll_ball (double h, int at_wall, double v[6])
{
    const dWorldID world = dWorldCreate ();
    hall room = {world, dSimpleSpaceCreate (0), dJointGroupCreate (0), 0.7};
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    const dBodyID ball = add_ball (&room, h, 0, 0, 2);
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    dCreatePlane (room.space, 0, 0, 1, 0);
    if (at_wall)
        dCreatePlane (room.space, -1, 0, 0, (dReal)-0.6);
    else
        add_ball (&room, h, 0.6, 0.05, 0);
    finish (&room, stepper, h, 0.5, ball, v);
}

/* The step goes back although the ground bears the ball, and takes back what the ground has given since. */
static void a_rolling_ball_strikes (void **state)
{
    (void)state;
    for (int at_wall = 0; at_wall < 2; ++at_wall)
    {
        static const double step[] = {1.0 / 100, 1.0 / 480, 1.0 / 960};
        double exact[6], v[6], off[3] = {0};
        roll_ball (1e-4, at_wall, exact);
        for (int i = 0; i < 3; ++i)
        {
            roll_ball (step[i], at_wall, v);
            for (int k = 0; k < 6; ++k) off[i] = fmax (off[i], fabs (v[k] - exact[k]));
        }
        print_message ("ball at a %s: off by %.1e, %.1e and %.1e m/s or rad/s\n", at_wall ? "wall" : "ball",
                       off[0], off[1], off[2]);
        assert_true (off[0] < 0.02 && off[1] < 1e-3 && off[2] < 2.5e-4);
    }
}

#define ON_CONVEX 2 /* instead of 1: the ground is a face of a convex geometry */

/* Creates a block of 8 by 8 by 1 m, whose upper face is at no height. */
static void create_block (dSpaceID space)
{
    static const dReal planes[] = {0, 0, 1, 0, 0, 0, -1, 1, 1, 0, 0, 4, -1, 0, 0, 4, 0, 1, 0, 4, 0, -1, 0, 4};
    static const dReal points[] = {-4, -4, 0,  4, -4, 0,  4, 4, 0,  -4, 4, 0,
                                   -4, -4, -1, 4, -4, -1, 4, 4, -1, -4, 4, -1};
    static const unsigned polygons[] = {4, 0, 1, 2, 3, 4, 7, 6, 5, 4, 4, 1, 5, 6, 2,
                                        4, 0, 3, 7, 4, 4, 2, 6, 7, 3, 4, 0, 4, 5, 1};
    dCreateConvex (space, planes, 6, points, 8, polygons);
}

/* A ball is thrown on the ground: where it is after 0.4 s.  limited: the world limits how fast depths are
 * taken back, and has a surface layer, as most of ODE's demos do. */
static void throw_ball (int limited, double cfm, double restitution, double h, double x[3])
{
    const dWorldID world = dWorldCreate ();
    hall room = {world, dSimpleSpaceCreate (0), dJointGroupCreate (0), restitution};
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    const dBodyID ball = add_ball (&room, 0, 0, 0, 0);
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    dWorldSetCFM (world, (dReal)cfm);
    if (limited == 1)
        dWorldSetContactMaxCorrectingVel (world, (dReal)0.1),
            dWorldSetContactSurfaceLayer (world, (dReal)1e-3);
    if (limited == ON_CONVEX)
        create_block (room.space);
    else
        dCreatePlane (room.space, 0, 0, 1, 0);
    dBodySetPosition (ball, 0, 0, (dReal)0.5);
    dBodySetLinearVel (ball, 1, (dReal)0.5, -3);
    for (int i = 0; i < lround (0.4 / h); ++i)
    {
        dSpaceCollide (room.space, &room, touch);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (room.contacts);
    }
    for (int k = 0; k < 3; ++k) x[k] = (double)dBodyGetPosition (ball)[k];
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (room.contacts);
    dSpaceDestroy (room.space);
    dWorldDestroy (world);
}

/* How fast depths are taken back does not matter for impacts.  When the depth was not known then, the ball
 * was off by 9 mm at 1/240 s (dWorldStep: 4 mm). */
static void limits_of_correction_change_no_impact (void **state)
{
    static const double step[] = {1 / 60.0, 0.01, 1 / 240.0};
    (void)state;
    for (int i = 0; i < 6; ++i)
    {
        const double e = i < 3 ? 0.7 : 0, h = step[i % 3];
        double free[3], x[3], exact[3], off = 0, apart = 0;
        throw_ball (1, USUAL_CFM, e, 1e-4, exact);
        throw_ball (0, USUAL_CFM, e, h, free);
        throw_ball (1, USUAL_CFM, e, h, x);
        for (int k = 0; k < 3; ++k)
            off = fmax (off, fabs (x[k] - exact[k])), apart = fmax (apart, fabs (x[k] - free[k]));
        print_message ("thrown ball, restitution %g, %.4f s: off by %.1e m\n", e, h, off);
        assert_true (apart < 1e-9 && off < (e > 0 ? 1e-9 : 1.5 * h * h));
    }
}

/* Nor do they matter where a step does not go back to the impact, as of compliant contacts: these are pushed
 * out at once all the same, but for the surface layer.  When the depth was not known they came out by a
 * quarter of the limit: this ball was 5 mm deep at 1/60 s, one that falls from 0.5 m 33 mm after half a
 * second (dWorldStep: 3 mm). */
static void limits_of_correction_leave_no_depth (void **state)
{
    static const double step[] = {1 / 60.0, 0.01, 1 / 240.0};
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        double free[3], x[3];
        throw_ball (0, 1e-5, 0, step[i], free);
        throw_ball (1, 1e-5, 0, step[i], x);
        print_message ("compliant ball, %.4f s: %.1e m deep, without limits %.1e m\n", step[i], RADIUS - x[2],
                       RADIUS - free[2]);
        assert_true (RADIUS - x[2] < 2e-3 && RADIUS - free[2] < 1e-3);
    }
}

/* On a convex geometry collision detection finds the point by iterations, and a little beside the centre of a
 * ball.  When it was not known to touch, friction had the lever of the depth at which it was found, and the
 * step did not go back: off by 23 mm after 0.4 s at 1/60 s with a restitution of 0.7. */
static void a_ball_strikes_a_convex_face (void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        const double e = i < 2 ? 0.7 : 0, h = i % 2 ? 0.01 : 1 / 60.0;
        double plane[3], x[3], apart = 0;
        throw_ball (0, USUAL_CFM, e, h, plane);
        throw_ball (ON_CONVEX, USUAL_CFM, e, h, x);
        for (int k = 0; k < 3; ++k) apart = fmax (apart, fabs (x[k] - plane[k]));
        print_message ("ball on a convex face, restitution %g, %.4f s: %.1e m from where it is on a plane\n",
                       e, h, apart);
        assert_true (apart < 3e-4);
    }
}

/* A ball that begins 3 cm deep in the ground, in the same world: it comes out, but no faster than the world
 * allows. */
static void what_begins_deep_comes_out_slowly (void **state)
{
    const double h = 0.01;
    (void)state;
    for (int compliant = 0; compliant < 2; ++compliant)
    {
        const dWorldID world = dWorldCreate ();
        hall room = {world, dSimpleSpaceCreate (0), dJointGroupCreate (0), 0};
        const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
        const dBodyID ball = add_ball (&room, 0, 0, 0, 1);
        double last = RADIUS - 0.03;
        dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
        dWorldSetCFM (world, (dReal)(compliant ? 1e-5 : USUAL_CFM));
        dWorldSetContactMaxCorrectingVel (world, (dReal)0.1);
        dCreatePlane (room.space, 0, 0, 1, 0);
        dBodySetPosition (ball, 0, 0, (dReal)last);
        for (int i = 0; i < 50; ++i)
        {
            dSpaceCollide (room.space, &room, touch);
            assert_true (dRLSStepperStep (stepper, (dReal)h));
            dJointGroupEmpty (room.contacts);
            const double z = (double)dBodyGetPosition (ball)[2];
            assert_true (z > last - 1e-6 && z - last < 0.1 * h + 1e-6);
            last = z;
        }
        print_message ("begins 30 mm deep: %.1f mm after 0.5 s\n", 1e3 * (RADIUS - last));
        assert_true (RADIUS - last < 0.02);
        dRLSStepperDestroy (stepper);
        dJointGroupDestroy (room.contacts);
        dSpaceDestroy (room.space);
        dWorldDestroy (world);
    }
}

/* ---- compliant contacts ---- */

/* A ball with restitution falls on a box that stands, beside its middle: its velocities after 0.35 s. */
static void drop_on_box (double cfm, double h, double v[6])
{
    const dWorldID world = dWorldCreate ();
    hall room = {world, dSimpleSpaceCreate (0), dJointGroupCreate (0), 0.5};
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    const dBodyID box = dBodyCreate (world), ball = add_ball (&room, 0, -0.3, 0, 0);
    dMass mass;
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    dWorldSetCFM (world, (dReal)cfm);
    dCreatePlane (room.space, 0, 0, 1, 0);
    dBodySetPosition (ball, (dReal)-0.3, 0, (dReal)0.8);
    dBodySetLinearVel (ball, 1, 0, -3);
    dMassSetBoxTotal (&mass, 1, (dReal)0.4, (dReal)0.4, (dReal)0.2);
    dBodySetMass (box, &mass);
    dBodySetPosition (box, 0, 0, (dReal)(0.1 - 0.05 * GRAVITY * h * h));
    dGeomSetBody (dCreateBox (room.space, (dReal)0.4, (dReal)0.4, (dReal)0.2), box);
    finish (&room, stepper, h, 0.35, ball, v);
}

/* In a world with dWorldSetCFM (1e-5), what bears the box has a part in the impact of the ball, as hard
 * contacts have.  Else the box took up the impact alone, and the ball was off by 9 rad/s (dWorldStep: 0.6 at
 * 10 ms). */
static void compliant_contacts_bear_in_an_impact (void **state)
{
    static const double step[] = {1 / 60.0, 0.01, 1 / 240.0};
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        double v[6], exact[6], off = 0;
        drop_on_box (0, 1e-4, exact);
        drop_on_box (1e-5, step[i], v);
        for (int k = 0; k < 6; ++k) off = fmax (off, fabs (v[k] - exact[k]));
        print_message ("ball on a box, CFM of 1e-5, %.4f s: off by %.1e m/s or rad/s\n", step[i], off);
        assert_true (off < 0.05);
    }
}

/* ---- a rod ---- */

/* By how much a step of 0.01 s is off. */
static double rod_is_off (double tilt, const double restitution[2])
{
    double v[6], exact[6], off = 0;
    drop_rod (0.01, tilt, restitution, v);
    drop_rod (1e-4, tilt, restitution, exact);
    for (int k = 0; k < 6; ++k) off = fmax (off, fabs (v[k] - exact[k]));
    print_message ("rod at %g rad, restitution %g and %g: off by %.1e m/s or rad/s\n", tilt, restitution[0],
                   restitution[1], off);
    return off;
}

/* Both ends strike at once, and one of them does not rebound: neither pushes before the other has struck. */
static void one_end_of_a_rod_rebounds (void **state)
{
    static const double one[] = {0.7, 0};
    (void)state;
    assert_true (rod_is_off (0, one) < 0.01);
}

/* What the first end's impact lets the second one strike in the same step is found a step later (limits.md).
 */
static void ends_strike_one_after_the_other (void **state)
{
    static const double same[] = {0.7, 0.7};
    (void)state;
    assert_true (rod_is_off (-0.01, same) < 0.3);
}

/* A step goes back as far as to where the last one began: what the program has put deeper leaves from where
 * it is. */
static void what_is_deep_does_not_jump (void **state)
{
    const dWorldID world = dWorldCreate ();
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    const dBodyID ball = dBodyCreate (world);
    dContact contact = {.surface = {.mode = dContactBounce, .bounce = 1}};
    (void)state;
    dWorldSetERP (world, (dReal)1e-6); /* it shall not be pushed out */
    dBodySetLinearVel (ball, 0, 0, -1);
    contact.geom.normal[2] = 1, contact.geom.depth = (dReal)0.5;
    dJointAttach (dJointCreateContact (world, contacts, &contact), ball, NULL);
    assert_true (dRLSStepperStep (stepper, (dReal)0.01));
    const double moved = (double)dBodyGetPosition (ball)[2], v = (double)dBodyGetLinearVel (ball)[2];
    print_message ("0.5 m deep: moved by %g m, %g m/s\n", moved, v);
    assert_true (fabs (v - 1) < 1e-9 && moved > 0 && moved < 0.04);
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (contacts);
    dWorldDestroy (world);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (a_rolling_ball_strikes),
                                       cmocka_unit_test (limits_of_correction_change_no_impact),
                                       cmocka_unit_test (limits_of_correction_leave_no_depth),
                                       cmocka_unit_test (what_begins_deep_comes_out_slowly),
                                       cmocka_unit_test (compliant_contacts_bear_in_an_impact),
                                       cmocka_unit_test (a_ball_strikes_a_convex_face),
                                       cmocka_unit_test (one_end_of_a_rod_rebounds),
                                       cmocka_unit_test (ends_strike_one_after_the_other),
                                       cmocka_unit_test (what_is_deep_does_not_jump)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
