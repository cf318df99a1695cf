/*
 * Depths that are taken back lift bodies: what an impact loses pays for that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"
#include "oracle.h"

#define G 9.81

typedef struct
{
    dWorldID world;
    dJointGroupID contacts;
    int touching; /* contacts with the ground */
    double deepest;
} ground;

static void meet (void *context, dGeomID a, dGeomID b)
{
    ground *g = context;
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.8};
    const int count = scene_touch (g->world, g->contacts, a, b, 8, &surface, &g->deepest);
    if (!dGeomGetBody (a) || !dGeomGetBody (b)) g->touching += count;
}

#define MOST 8

typedef struct
{
    ground g;
    dSpaceID space;
    dRLSStepperID stepper;
    dBodyID box[MOST];
    int boxes;
} place;

static place begin (void)
{
    place s = {.g = {.world = dWorldCreate (), .contacts = dJointGroupCreate (0)},
               .space = dSimpleSpaceCreate (NULL)};
    s.stepper = dRLSStepperCreate (s.g.world, NULL);
    dWorldSetGravity (s.g.world, 0, 0, (dReal)-G);
    dCreatePlane (s.space, 0, 0, 1, 0);
    return s;
}

static void end (place *s)
{
    dRLSStepperDestroy (s->stepper);
    dJointGroupDestroy (s->g.contacts);
    dSpaceDestroy (s->space);
    dWorldDestroy (s->g.world);
}

static dBodyID add_box (place *s, double height, double z)
{
    dMass m;
    const dBodyID box = s->box[s->boxes++] = dBodyCreate (s->g.world);
    dMassSetBoxTotal (&m, 1, 1, 1, (dReal)height);
    dBodySetMass (box, &m);
    dBodySetPosition (box, 0, 0, (dReal)z);
    dGeomSetBody (dCreateBox (s->space, 1, 1, (dReal)height), box);
    return box;
}

static double energy (const place *s)
{
    double sum = 0;
    for (int i = 0; i < s->boxes; ++i)
    {
        dReal kinetic, potential;
        dRLSMeasureBody (s->box[i], &kinetic, &potential);
        sum += (double)(kinetic + potential);
    }
    return sum;
}

/* A step that gains less than such a share of the energy. */
static void step (place *s, double h, double share)
{
    const double last = energy (s);
    s->g.touching = 0, s->g.deepest = 0;
    dSpaceCollide (s->space, &s->g, meet);
    assert_true (dRLSStepperStep (s->stepper, (dReal)h));
    dJointGroupEmpty (s->g.contacts);
    const double gained = energy (s) - last;
    if (!(gained <= share * last)) fail_msg ("h %g: %g J of %g J more", h, gained, last);
}

/* Boxes on each other that fall flat are seen as deep as they come within a step: at rest in the next one,
 * they never gain. */
static void drop (int boxes, double h)
{
    place s = begin ();
    int touched = 0;
    for (int i = 0; i < boxes; ++i) add_box (&s, 0.5, 1.2345 + 0.49999 * i);
    for (int i = 0; i * h < 1; ++i)
    {
        step (&s, h, 1e-12);
        if (touched > 0)
            assert_true (s.g.touching > 0 && s.g.deepest <= (boxes == 1 ? 0.11 : 1.01) * G * h * h);
        touched += s.g.touching;
    }
    assert_true (touched > 0);
    end (&s);
}

static void what_falls_flat_rests_at_once (void **state)
{
    (void)state;
    for (double h = 0.02; h > 0.002; h /= 2) drop (1, h), drop (7, h);
}

/* A box that stands on an edge falls on its side, over contacts that turn. */
static void what_tips_never_gains (void **state)
{
    (void)state;
    for (double h = 0.02; h > 0.004; h /= 2)
    {
        const double angle = 0.6;
        place s = begin ();
        dMatrix3 turned;
        const dBodyID box = add_box (&s, 1, 0.5 * (sin (angle) + cos (angle)));
        dRFromAxisAndAngle (turned, 0, 1, 0, (dReal)angle);
        dBodySetRotation (box, turned);
        for (int i = 0; i * h < 4; ++i) step (&s, h, 1e-9);
        assert_true (s.g.deepest <= 1.01 * G * h * h);
        end (&s);
    }
}

/* Boxes that rock from edge to edge come to rest: what their impacts lose is not given back by lifting them.
 */
static void what_rocks_comes_to_rest (void **state)
{
    (void)state;
    for (double h = 1 / 30.0; h > 0.0009; h /= 3.2)
        for (int k = 0; k < 20; ++k)
        {
            place s = begin ();
            const double height = 1.2 + 0.12 * k, rate = 0.1 + 0.03 * (k % 7);
            const dBodyID box = add_box (&s, height, 0.5 * height);
            dReal kinetic = 0, potential;
            dBodySetLinearVel (box, (dReal)(0.5 * rate * height), 0, 0);
            dBodySetAngularVel (box, 0, (dReal)rate, k % 3 ? 0 : (dReal)0.05);
            for (int i = 0; i * h < 20; ++i) step (&s, h, 1e-7); /* what rests deeper than g h^2 is lifted */
            dRLSMeasureBody (box, &kinetic, &potential);
            if (!(kinetic <= 1e-12)) fail_msg ("h %g, %g high: %g J", h, height, (double)kinetic);
            end (&s);
        }
}

/* What the program puts into the ground is lifted for nothing, with a box that stands on it, and told: m g
 * times the depth of both, and by which joint, one with the ground; what an impact has left there is not. */
static void lifting_for_nothing_is_told (void **state)
{
    (void)state;
    for (int fell = 0; fell < 2; ++fell)
    {
        place s = begin ();
        add_box (&s, 0.5, fell ? 1.25 : 0.25 - 0.1);
        if (!fell) add_box (&s, 0.5, 0.75 - 0.1);
        dRLSWarningNote note = {.struct_size = sizeof (note)};
        double told = 0;
        for (int i = 0; i < 100; ++i)
        {
            const unsigned long before = dRLSStepperGetWarningCount (s.stepper, dRLSWarningDepth);
            s.g.touching = 0, s.g.deepest = 0;
            dSpaceCollide (s.space, &s.g, meet);
            assert_true (dRLSStepperStep (s.stepper, (dReal)0.01));
            if (dRLSStepperGetWarningCount (s.stepper, dRLSWarningDepth) > before)
            {
                assert_true (dRLSStepperGetWarningNote (s.stepper, dRLSWarningDepth, &note));
                assert_true (note.joint && dJointGetType (note.joint) == dJointTypeContact);
                assert_true (!dJointGetBody (note.joint, 0) || !dJointGetBody (note.joint, 1));
                told += (double)note.amount;
            }
            dJointGroupEmpty (s.g.contacts);
        }
        assert_true (fell ? told == 0 : fabs (told - 2 * 0.1 * G) < 0.01 * G);
        end (&s);
    }
}

/* What rolls comes out of its depth as well, and as fast as it was: balls and capsules stayed in the ground
 * for as long as they rolled. */
static void what_rolls_is_lifted (void **state)
{
    const double h = 0.02, radius = 0.2;
    (void)state;
    for (int capsule = 0; capsule < 2; ++capsule)
    {
        place s = begin ();
        const dBodyID body = add_box (&s, 1, radius - 0.05);
        dMatrix3 lying;
        dGeomDestroy (dBodyGetFirstGeom (body));
        dGeomSetBody (capsule ? dCreateCapsule (s.space, (dReal)radius, (dReal)0.5)
                              : dCreateSphere (s.space, (dReal)radius),
                      body);
        dRFromAxisAndAngle (lying, 1, 0, 0, (dReal)(0.5 * M_PI));
        dBodySetRotation (body, lying);
        dBodySetLinearVel (body, (dReal)0.5, 0, 0);
        dBodySetAngularVel (body, 0, (dReal)(0.5 / radius), 0);
        for (int i = 0; i < 200; ++i) step (&s, h, HUGE_VAL);
        assert_true (s.g.deepest > 0 && s.g.deepest <= 1.25 * G * h * h);
        assert_true (fabs ((double)dBodyGetLinearVel (body)[0] - 0.5) < 1e-9);
        end (&s);
    }
}

/* Link i of a chain that begins above the ground and leads into it along way. */
static void add_link (place *s, oracle_random *random, int i, double length, const double way[3])
{
    const double at = length * i, middle = at + 0.5 * length, x = at * way[0], z = 0.5 + at * way[2];
    const dBodyID box = add_box (s, 0.15, 0);
    dBodySetPosition (box, (dReal)(middle * way[0]), 0, (dReal)(0.5 + middle * way[2]));
    dGeomBoxSetLengths (dBodyGetFirstGeom (box), (dReal)0.15, (dReal)0.15, (dReal)0.15);
    const dBodyID last = i > 0 ? s->box[i - 1] : NULL;
    if (oracle_uniform (random, 0, 2) < 1)
    {
        const dJointID ball = dJointCreateBall (s->g.world, NULL);
        dJointAttach (ball, box, last);
        dJointSetBallAnchor (ball, (dReal)x, 0, (dReal)z);
        return;
    }
    const dJointID hinge = dJointCreateHinge (s->g.world, NULL);
    dJointAttach (hinge, box, last);
    dJointSetHingeAnchor (hinge, (dReal)x, 0, (dReal)z);
    dJointSetHingeAxis (hinge, (dReal)oracle_uniform (random, -1, 1), 1,
                        (dReal)oracle_uniform (random, -1, 1));
}

/* Taking back depths opens no joint: chains at random that lead into the ground under a thick plate;
 * four of 25 were open by up to 0.8 m for a step. */
static void lifting_opens_no_joint (void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 25; ++seed)
    {
        oracle_random random = {seed};
        const double down = oracle_uniform (&random, 0.3, 1), length = oracle_uniform (&random, 0.2, 0.4),
                     way[3] = {sqrt (1 - down * down), 0, -down};
        place s = begin ();
        dRLSStepperSetReport (s.stepper, dRLSReportViolations);
        dGeomSetPosition (dCreateCylinder (s.space, 2, 3), 0, 0, (dReal)0.3);
        for (int i = 0; i < MOST; ++i) add_link (&s, &random, i, length, way);
        for (int i = 0; i < 30; ++i)
        {
            dRLSReport report = {.struct_size = sizeof (report)};
            dSpaceCollide (s.space, &s.g, meet);
            assert_true (dRLSStepperStep (s.stepper, (dReal)(1 / 60.0)));
            dJointGroupEmpty (s.g.contacts);
            assert_true (dRLSStepperGetReport (s.stepper, &report));
            assert_true ((double)report.violation_m <= 1e-8);
        }
        end (&s);
    }
}

/* A chain of links, a metre long and straight but for a milliradian, hangs from a point that is so low that
 * its last link is in the ground. */
static void hang_deep (place *s, int links, double deep)
{
    const double length = 1.0 / links;
    dVector3 top = {0, 0, (dReal)(1 - deep)};
    for (int i = 0; i < links; ++i)
    {
        const double lean = i % 2 ? -1e-3 : 1e-3;
        const dVector3 way = {(dReal)(length * sin (lean)), 0, (dReal)(-length * cos (lean))};
        const dBodyID link = dBodyCreate (s->g.world);
        dMass mass;
        dMatrix3 R;
        dMassSetBoxTotal (&mass, 1, (dReal)0.05, (dReal)0.05, (dReal)length);
        dBodySetMass (link, &mass);
        if (i == links - 1)
            dGeomSetBody (dCreateCapsule (s->space, (dReal)0.02, (dReal)(length - 0.04)), link);
        dBodySetPosition (link, top[0] + way[0] / 2, 0, top[2] + way[2] / 2);
        dRFromAxisAndAngle (R, 0, 1, 0, (dReal)-lean);
        dBodySetRotation (link, R);
        const dJointID hinge = dJointCreateHinge (s->g.world, NULL);
        dJointAttach (hinge, link, i > 0 ? s->box[i - 1] : NULL);
        dJointSetHingeAnchor (hinge, top[0], 0, top[2]);
        dJointSetHingeAxis (hinge, 0, 1, 0);
        for (int k = 0; k < 3; ++k) top[k] += way[k];
        s->box[i] = link;
    }
}

/* To first order no displacement lifts the end of a straight chain; what takes back its depth all the same
 * is so long that the joints cannot be closed after it.  They were open by up to 56 m where all of it was
 * made. */
static void no_lift_tears_a_straight_chain (void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k)
    {
        place s = begin ();
        dWorldSetERP (s.g.world, (dReal)0.8);
        dRLSStepperSetReport (s.stepper, dRLSReportViolations);
        hang_deep (&s, 3 + k % 4, k < 4 ? 0.32 : 0.64);
        for (int i = 0; i < 30; ++i)
        {
            dRLSReport report = {.struct_size = sizeof (report)};
            dSpaceCollide (s.space, &s.g, meet);
            assert_true (dRLSStepperStep (s.stepper, (dReal)0.01));
            dJointGroupEmpty (s.g.contacts);
            assert_true (dRLSStepperGetReport (s.stepper, &report));
            assert_true ((double)report.violation_m <= 1e-8);
        }
        end (&s);
    }
}

/* Where gravity ends under boxes that stand on each other nothing is gained, and no warning says so: what
 * rounding had added up before was more than that of a world without forces. */
static void gravity_ends_without_a_warning (void **state)
{
    (void)state;
    int told = 0;
    for (int k = 0; k < 18; ++k)
    {
        const double h = (const double[]){1 / 30.0, 1 / 60.0, 0.001}[k % 3], space = k / 3 % 2 ? 0.002 : 0;
        place s = begin ();
        for (int i = 0; i < 4 + k / 6 * 2; ++i)
            dBodySetPosition (add_box (&s, 0.3, 0), (dReal)(i % 2 ? 0.02 * i : -0.02 * i), (dReal)(0.01 * i),
                              (dReal)(0.15 + (0.3 + space) * i));
        for (int i = 0; i * h < 1.5; ++i)
        {
            if (i * h >= 1) dWorldSetGravity (s.g.world, 0, 0, 0);
            s.g.deepest = 0;
            dSpaceCollide (s.space, &s.g, meet);
            assert_true (dRLSStepperStep (s.stepper, (dReal)h));
            dJointGroupEmpty (s.g.contacts);
        }
        told += (int)dRLSStepperGetWarningCount (s.stepper, dRLSWarningEnergy);
        end (&s);
    }
    assert_int_equal (told, 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (what_falls_flat_rests_at_once),  cmocka_unit_test (what_tips_never_gains),
        cmocka_unit_test (what_rocks_comes_to_rest),       cmocka_unit_test (lifting_for_nothing_is_told),
        cmocka_unit_test (what_rolls_is_lifted),           cmocka_unit_test (lifting_opens_no_joint),
        cmocka_unit_test (no_lift_tears_a_straight_chain), cmocka_unit_test (gravity_ends_without_a_warning)};
    dInitODE ();
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
