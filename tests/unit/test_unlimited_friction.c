/*
 * Contacts with unlimited friction (mu of dInfinity), with slip, and with friction of constant strength (mu
 * without dContactApprox1) where they are struck: what is thrown on the ground, boxes that strike a wall,
 * heaps.
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

/* ---- what is thrown on the ground ---- */

typedef enum
{
    BALL,
    WHEEL,
    ROD,
    BOX_FLAT,
    BOX_ON_EDGE,
    THROWN
} thrown;

/* Throws it so that it moves along the ground where it strikes. */
static void throw_it (room *r, thrown what)
{
    static const double lean[THROWN] = {0, M_PI / 2, M_PI / 2 - 0.4, 0, 0.4};
    dMass mass;
    dMatrix3 turned;
    dGeomID shape;
    if (what == BALL)
        dMassSetSphereTotal (&mass, 1, (dReal)0.1), shape = dCreateSphere (r->space, (dReal)0.1);
    else if (what == WHEEL)
        dMassSetCylinderTotal (&mass, 1, 3, (dReal)0.2, (dReal)0.1),
            shape = dCreateCylinder (r->space, (dReal)0.2, (dReal)0.1);
    else if (what == ROD)
        dMassSetCapsuleTotal (&mass, 1, 3, (dReal)0.05, 1), shape = dCreateCapsule (r->space, (dReal)0.05, 1);
    else
        dMassSetBoxTotal (&mass, 1, (dReal)0.4, (dReal)0.3, (dReal)0.2),
            shape = dCreateBox (r->space, (dReal)0.4, (dReal)0.3, (dReal)0.2);
    const dBodyID body = add (r, shape, &mass, 0, 0, what == BOX_FLAT ? 0.3 : 0.4);
    dRFromAxisAndAngle (turned, what == WHEEL, what != WHEEL, 0, (dReal)lean[what]);
    dBodySetRotation (body, turned);
    dBodySetLinearVel (body, 1, what == ROD ? (dReal)0.2 : 0, -2);
}

static void fly (thrown what, double mu, double restitution, double h, double v[6])
{
    room r = open_room (0, restitution);
    r.surface.mu = (dReal)mu;
    throw_it (&r, what);
    step (&r, h, 0.2);
    for (int k = 0; k < 3; ++k)
        v[k] = (double)dBodyGetLinearVel (r.body[0])[k], v[3 + k] = (double)dBodyGetAngularVel (r.body[0])[k];
    close_room (&r);
}

/* Friction acts from the impact on, and where the contact rebounds at the impact alone.  Unlimited friction
 * was a row of a joint and held from where the contact was found: a ball was off by 2 m/s or rad/s at 1/60 s
 * and by 0.4 at 1/960 s (dWorldStep: 0.2 and 0.009).  Beside friction of constant strength impacts were
 * dated: off by 0.2 at 1/60 s, by 0.01 at 1/960 s. */
static void friction_acts_from_the_impact_on (void **state)
{
    static const char *const name[THROWN] = {"ball", "wheel", "rod", "box, flat", "box on its edge"};
    static const double strength[] = {(double)dInfinity, 0.5}, restitution[] = {0.5, 0};
    (void)state;
    for (int what = BALL; what < THROWN; ++what)
        for (int i = 0; i < 4; ++i)
        {
            const double mu = strength[i / 2], e = restitution[i % 2];
            double exact[6], v[6], off = 0;
            fly ((thrown)what, mu, e, 1e-4, exact);
            fly ((thrown)what, mu, e, 1 / 240.0, v);
            for (int k = 0; k < 6; ++k) off = fmax (off, fabs (v[k] - exact[k]));
            print_message ("%s, friction of %g, restitution %g: off by %.1e m/s or rad/s\n", name[what], mu,
                           e, off);
            if (e > 0) assert_true (off < 1e-3);
            if (e == 0 && what == BALL) assert_true (off < 1e-4);
        }
}

/* ---- boxes that strike a wall ---- */

/* A number between 0 and 1 that the next call changes. */
static double random_part (unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

/* A box that falls strikes a wall with a side: the largest velocity that is not symmetric. */
static double strike_wall (double restitution, unsigned seed)
{
    const double h = 1 / (30 + 200 * random_part (&seed)), speed = 0.4 + 0.6 * random_part (&seed),
                 gap = 0.1 + 0.2 * random_part (&seed);
    double size[3], most = 0;
    for (int k = 0; k < 3; ++k) size[k] = 0.2 + 0.4 * random_part (&seed);
    room r = open_room (0, restitution);
    dMass mass;
    dMassSetBoxTotal (&mass, 1, (dReal)size[0], (dReal)size[1], (dReal)size[2]);
    const dBodyID box =
        add (&r, dCreateBox (r.space, (dReal)size[0], (dReal)size[1], (dReal)size[2]), &mass, 0, 0, 2);
    dCreatePlane (r.space, -1, 0, 0, (dReal) - (gap + size[0] / 2));
    dBodySetLinearVel (box, (dReal)speed, 0, 0);
    for (int i = 0; i < (int)((gap / speed + 0.15) / h); ++i)
    {
        step (&r, h, h);
        const dReal *v = dBodyGetLinearVel (box), *w = dBodyGetAngularVel (box);
        most = fmax (most, fmax (fabs ((double)v[1]), fmax (fabs ((double)w[0]), fabs ((double)w[2]))));
    }
    close_room (&r);
    return most;
}

/* Four corners share the impact.  Where friction held only those whose normals have an impulse, one box in a
 * hundred left the wall turning, by up to 9 rad/s. */
static void boxes_leave_a_wall_straight (void **state)
{
    double most = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 200; ++seed)
        most = fmax (most, fmax (strike_wall (0, seed), strike_wall (0.5, seed)));
    print_message ("boxes at a wall: up to %.1e m/s or rad/s aside\n", most);
    assert_true (most < 1e-6);
}

/* ---- heaps ---- */

/* Balls, or capsules, of different sizes fall into a pit that is 1 m wide. */
static void drop (room *r, int count, unsigned seed, int capsules)
{
    for (int side = 0; side < 4; ++side)
        dCreatePlane (r->space, (dReal)((side == 0) - (side == 1)), (dReal)((side == 2) - (side == 3)), 0,
                      (dReal)-0.5);
    for (int i = 0; i < count; ++i)
    {
        const double size = 0.1 + 0.1 * random_part (&seed), x = 0.3 * random_part (&seed) - 0.15,
                     y = 0.3 * random_part (&seed) - 0.15;
        dMass mass;
        dGeomID shape;
        dMatrix3 turned;
        if (capsules)
            dMassSetCapsule (&mass, 100, 3, (dReal)(0.7 * size), (dReal)(2 * size)),
                shape = dCreateCapsule (r->space, (dReal)(0.7 * size), (dReal)(2 * size));
        else
            dMassSetSphere (&mass, 100, (dReal)size), shape = dCreateSphere (r->space, (dReal)size);
        const dBodyID body = add (r, shape, &mass, x, y, 0.5 + 0.45 * i);
        dRFromAxisAndAngle (turned, 1, (dReal)x, (dReal)y, (dReal)(20 * x));
        dBodySetRotation (body, turned);
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
        drop (&r, 12, seed, 0);
        step (&r, 0.01, 4);
        print_message ("heap %u: contacts up to %.1e m deep\n", seed, r.deepest);
        assert_true (r.deepest < 2e-3);
        close_room (&r);
    }
}

/* Capsules with unlimited friction, without dContactApprox1.  As rows of joints it held them in each other up
 * to 8 cm deep, and single steps gained up to 5e-3 of the energy. */
static void capsules_in_a_pit (void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 4; ++seed)
    {
        room r = open_room (0, 0);
        drop (&r, 12, seed, 1);
        step (&r, 0.01, 4);
        print_message ("heap of capsules %u: contacts up to %.1e m deep\n", seed, r.deepest);
        assert_true (r.deepest < 2e-3);
        close_room (&r);
    }
}

/* ---- friction with slip, which is a damper ---- */

/* Throws a ball of 1 kg, 0.3 m above the ground, along it at 2.4 m/s.  Returns how far it comes in the time
 * (m). */
static double thrown_ball_slips (double slip, double restitution, double h, double seconds)
{
    room r = open_room (dContactApprox1 | dContactSlip1 | dContactSlip2, restitution);
    dMass mass;
    r.surface.slip1 = r.surface.slip2 = (dReal)slip;
    dMassSetSphereTotal (&mass, 1, (dReal)0.2);
    const dBodyID ball = add (&r, dCreateSphere (r.space, (dReal)0.2), &mass, 0, 0, 0.5);
    dBodySetLinearVel (ball, (dReal)2.4, 0, 0);
    step (&r, h, seconds);
    const double x = (double)dBodyGetPosition (ball)[0];
    close_room (&r);
    return x;
}

/* A damper has no impulse in an instant: a ball that bounces is not slowed down, by two impacts 0.1 m in 0.6
 * s before (under dWorldStep as well).  Where it stays on the ground it slides ever more slowly, with the
 * rate 3.5 / (m slip), and rolls at 5/7 of its speed; it was 7 mm off after a second (dWorldStep: 2 mm). */
static void slip_does_not_act_at_once (void **state)
{
    (void)state;
    const double h = 1 / 60.0, fall = sqrt (2 * 0.3 / GRAVITY);
    for (int k = 0; k < 2; ++k)
    {
        const double slip = k & 1 ? 0.05 : 0.1,
                     exact = 2.4 * fall + 2.4 * 5 / 7 * (1 - fall) + 2.4 * 2 / 7 * slip / 3.5,
                     lies = thrown_ball_slips (slip, 0, h, 1) - exact,
                     bounces = thrown_ball_slips (slip, 0.5, h, 0.6) - 2.4 * 0.6;
        print_message ("slip %g: off by %.2g mm, bouncing %.1e m\n", slip, 1e3 * lies, bounces);
        if (!(fabs (lies) < 5e-4)) fail_msg ("slip %g: off by %g m", slip, lies);
        if (!(fabs (bounces) < 1e-9)) fail_msg ("slip %g, bouncing: off by %g m", slip, bounces);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (friction_acts_from_the_impact_on), cmocka_unit_test (boxes_leave_a_wall_straight),
        cmocka_unit_test (balls_in_a_pit), cmocka_unit_test (capsules_in_a_pit),
        cmocka_unit_test (slip_does_not_act_at_once)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
