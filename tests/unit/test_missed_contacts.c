/*
 * Contacts that collision detection misses: of a capsule that lies along a face of a box, or touches a plane
 * to rounding, and of cylinders along each other, it finds one end of the line on which they touch.  The step
 * knows of the other, so that nothing rocks, sinks, or turns.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* GeomTransforms, which old programs have */

#define GRAVITY 9.81
#define RADIUS 0.15 /* m, of the capsules, which are 1 m long without their ends */
#define POINTS 8

typedef struct
{
    scene s;
    dSpaceID space;
    dJointGroupID contacts;
    dReal mu;
} yard;

static void meet (void *context, dGeomID a, dGeomID b)
{
    const yard *y = context;
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = y->mu};
    const dBodyID one = dGeomGetBody (a), other = dGeomGetBody (b);
    if (one != other && !(one && other && dAreConnectedExcluding (one, other, dJointTypeContact)))
        scene_touch (y->s.world, y->contacts, a, b, POINTS, &surface, NULL);
}

static yard open_yard (double mu, double gx)
{
    yard y = {scene_open ((dReal)-GRAVITY), dSimpleSpaceCreate (NULL), dJointGroupCreate (0), (dReal)mu};
    dWorldSetGravity (y.s.world, (dReal)gx, 0, (dReal)-GRAVITY);
    return y;
}

static void step (yard *y, double h)
{
    scene_step_on_contacts (&y->s, y->space, y->contacts, meet, y, (dReal)h);
}

static void close_yard (yard *y)
{
    dJointGroupDestroy (y->contacts);
    dSpaceDestroy (y->space);
    scene_close (&y->s);
}

/* A box of the world, or of a body that does not move, whose upper face is level with z = 0. */
static void add_ground (yard *y, int kinematic)
{
    const dGeomID ground = dCreateBox (y->space, 40, 10, 2);
    if (kinematic)
    {
        const int body = scene_box (&y->s, 0, 0, -1, 1, 1, 1, 1);
        dBodySetKinematic (y->s.body[body]);
        dGeomSetBody (ground, y->s.body[body]);
    }
    else
        dGeomSetPosition (ground, 0, 0, -1);
}

static int add_box (yard *y, double x, double across, double z, double mass, double lx, double ly, double lz)
{
    const int body =
        scene_box (&y->s, (dReal)x, (dReal)across, (dReal)z, (dReal)mass, (dReal)lx, (dReal)ly, (dReal)lz);
    dGeomSetBody (dCreateBox (y->space, (dReal)lx, (dReal)ly, (dReal)lz), y->s.body[body]);
    return body;
}

/* A capsule of 1 kg along y. */
static int add_capsule (yard *y, double x)
{
    const int body = scene_box (&y->s, (dReal)x, 0, (dReal)RADIUS, 1, 1, 1, 1);
    dMass mass;
    dMatrix3 R;
    dMassSetCapsuleTotal (&mass, 1, 3, (dReal)RADIUS, 1);
    dRFromAxisAndAngle (R, 1, 0, 0, (dReal)(0.5 * M_PI));
    dMassRotate (&mass, R);
    dBodySetMass (y->s.body[body], &mass);
    const dGeomID capsule = dCreateCapsule (y->space, (dReal)RADIUS, 1);
    dGeomSetBody (capsule, y->s.body[body]);
    dGeomSetOffsetRotation (capsule, R);
    return body;
}

typedef enum
{
    ALONE,
    UNDER_A_BOARD, /* two of them */
    HINGED,        /* two, end to end */
    MANY           /* in one island of more than 64 bounded rows */
} arrangement;

/* Capsules lie on a box for two seconds.  Returns how far one moves (m). */
static double lie (arrangement how, double h)
{
    yard y = open_yard (0.6, 0);
    add_ground (&y, how == MANY);
    const int first = how == MANY ? 1 : 0, count = (const int[]){1, 2, 2, 16}[how];
    double from[20][3], moved = 0;
    for (int i = 0; i < count; ++i) add_capsule (&y, 0.6 * i);
    if (how == UNDER_A_BOARD) add_box (&y, 0.3, 0, 2 * RADIUS + 0.05, 5, 1.2, 1, 0.1);
    if (how == HINGED)
    {
        dBodySetPosition (y.s.body[1], 0, (dReal)(1 + 2 * RADIUS), (dReal)RADIUS);
        scene_hinge (&y.s, 0, 1, (const double[]){0, 0.5 + RADIUS, RADIUS}, (const double[]){1, 0, 0});
    }
    for (int b = first; b < y.s.bodies; ++b)
        for (int k = 0; k < 3; ++k) from[b][k] = (double)dBodyGetPosition (y.s.body[b])[k];
    for (int i = 0; i < 2 / h; ++i) step (&y, h);
    for (int b = first; b < y.s.bodies; ++b)
        for (int k = 0; k < 3; ++k)
            moved = fmax (moved, fabs ((double)dBodyGetPosition (y.s.body[b])[k] - from[b][k]));
    close_yard (&y);
    return moved;
}

/* They rocked from end to end for ever, 7 mm deep at 1/60 s and 27 mm at 1/30 s, with a board on them 0.1 m
 * (dWorldStep: 10, 43 and 18 mm at 1/60 s). */
static void capsules_lie (void **state)
{
    (void)state;
    for (int k = 0; k < 12; ++k)
    {
        const arrangement how = (arrangement)(k / 3);
        const double h = (const double[]){1 / 30.0, 1 / 60.0, 0.01}[k % 3], moved = lie (how, h);
        print_message ("capsules (%d), %.4f s: move by %.1e m\n", (int)how, h, moved);
        if (!(moved < 1e-7)) fail_msg ("capsules (%d), %g s: move by %g m", (int)how, h, moved);
    }
}

typedef enum
{
    ON_THE_GROUND,
    OF_THE_WORLD,
    IN_TRANSFORMS /* of the world: in ODE's GeomTransforms */
} rollers;

static void add_roller (yard *y, rollers are, double x)
{
    dMatrix3 R;
    if (are == ON_THE_GROUND)
    {
        add_capsule (y, x);
        return;
    }
    dGeomID roller = dCreateCapsule (are == IN_TRANSFORMS ? NULL : y->space, (dReal)RADIUS, 1);
    if (are == IN_TRANSFORMS)
    {
        const dGeomID inside = roller;
        dGeomSetPosition (inside, (dReal)0.02, (dReal)0.03, 0);
        roller = dCreateGeomTransform (y->space);
        dGeomTransformSetGeom (roller, inside), dGeomTransformSetCleanup (roller, 1);
    }
    dRFromAxisAndAngle (R, 1, 0, 0, (dReal)(0.5 * M_PI));
    dGeomSetPosition (roller, (dReal)x, 0, (dReal)RADIUS), dGeomSetRotation (roller, R);
}

/* Lets a board down on two rollers that are longer than it is wide.  It has a wheel on a hinge if hinged.
 * Returns how fast it still moves after 4 s (m/s), and how far it has sunk (m). */
static double board_on_rollers (rollers are, int hinged, double cfm, double yaw, double h, double *sunk)
{
    yard y = open_yard (0.5, 0);
    dWorldSetCFM (y.s.world, (dReal)cfm);
    dMatrix3 R;
    dCreatePlane (y.space, 0, 0, 1, 0);
    for (int i = 0; i < 2; ++i) add_roller (&y, are, 0.6 * i - 0.3);
    const double height = 2 * RADIUS + 0.1;
    const int board = add_box (&y, 0.01, 0, height + 0.02, 10, 1, 0.5, 0.2);
    dRFromAxisAndAngle (R, 0, 0, 1, (dReal)yaw);
    dBodySetRotation (y.s.body[board], R);
    if (hinged)
        scene_hinge (&y.s, board, scene_box (&y.s, (dReal)0.01, 0, 1, 1, 1, 1, 1),
                     (const double[]){0.01, 0, 1}, (const double[]){0, 0, 1});
    for (int i = 0; i < 4 / h; ++i) step (&y, h);
    const dReal *v = dBodyGetLinearVel (y.s.body[board]), *w = dBodyGetAngularVel (y.s.body[board]);
    const double left = sqrt ((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])) +
                        sqrt ((double)(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    *sunk = height - (double)dBodyGetPosition (y.s.body[board])[2];
    close_yard (&y);
    return left;
}

/* Where a capsule leaves the face of the board, no end of it touches.  The board rocked for ever by 0.7
 * rad/s, and sank by 12 mm at 1/60 s and 6 mm at 10 ms (dWorldStep: 1.4 rad/s, 24 and 8 mm). */
static void boards_lie_on_rollers (void **state)
{
    (void)state;
    for (int k = 0; k < 16; ++k)
    {
        const double h = k & 1 ? 0.01 : 1 / 60.0, yaw = k & 2 ? 0.3 : 0;
        double sunk;
        const double left = board_on_rollers (k & 4 ? OF_THE_WORLD : ON_THE_GROUND, k >> 3, 0, yaw, h, &sunk);
        print_message ("board on rollers (%d): sinks by %.2g mm, %.1g m/s left\n", k, 1e3 * sunk, left);
        if (!(left < 1e-8 && sunk < GRAVITY * h * h)) fail_msg ("%d: sinks by %g m, %g m/s", k, sunk, left);
    }
}

/* Where collision detection finds one end in one step and the other one in the next, both are the same
 * contacts, and their springs bear what they did.  CFM of 1e-5; the load alone presses them in by 0.02 mm
 * (dWorldStep: 24 mm). */
static void boards_lie_on_soft_rollers (void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        double sunk;
        board_on_rollers (k & 1 ? OF_THE_WORLD : ON_THE_GROUND, 0, 1e-5, k & 2 ? 0.3 : 0, 1 / 60.0, &sunk);
        print_message ("board on soft rollers (%d): sinks by %.2g mm\n", k, 1e3 * sunk);
        if (!(sunk < 1e-4)) fail_msg ("%d: sinks by %g m", k, sunk);
    }
}

/* Where a roller is that is in a GeomTransform, is not known: the board may rock
 * (dWorldStep: as much), and is not thrown off. */
static void boards_stay_on_transforms (void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        double sunk;
        board_on_rollers (IN_TRANSFORMS, 0, 0, 0.3 * k, 0.01, &sunk);
        print_message ("board on rollers in transforms: sinks by %.2g mm\n", 1e3 * sunk);
        if (!(fabs (sunk + 0.03) < 0.015)) fail_msg ("%d: sinks by %g m", k, sunk);
    }
}

/* A capsule begins to roll down level ground by gravity of another direction, exactly where it touches.
 * Returns how far off it is after a second (m). */
static double roll (double h)
{
    const double angle = 0.3;
    yard y = open_yard (0.8, GRAVITY * tan (angle));
    dCreatePlane (y.space, 0, 0, 1, 0);
    const dBodyID body = y.s.body[add_capsule (&y, 0)];
    dMass mass;
    dBodyGetMass (body, &mass);
    const double resists = 1 + (double)mass.I[5] / (RADIUS * RADIUS),
                 fall = 0.5 * GRAVITY * tan (angle) / resists;
    const int steps = (int)(1 / h + 0.5);
    for (int i = 0; i < steps; ++i) step (&y, h);
    const dReal *x = dBodyGetPosition (body);
    const double off = hypot ((double)x[0] - fall * (steps * h) * (steps * h), (double)x[1]);
    close_yard (&y);
    return off;
}

/* With one end it turned about that end: 14 mm to the side after 1.5 s at 1/30 s (dWorldStep: 4 mm). */
static void capsules_roll_straight (void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k)
    {
        const double h = (const double[]){1 / 30.0, 1 / 60.0, 0.01}[k], off = roll (h);
        print_message ("rolls, %.4f s: off by %.1e m\n", h, off);
        if (!(off < 1e-9)) fail_msg ("rolls, %g s: off by %g m", h, off);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (capsules_lie), cmocka_unit_test (boards_lie_on_rollers),
        cmocka_unit_test (boards_lie_on_soft_rollers), cmocka_unit_test (boards_stay_on_transforms),
        cmocka_unit_test (capsules_roll_straight)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
