/*
 * Joints that nobody touches, and the contacts of what stands, are not asked for their rows again.  Whatever
 * is done to one between two steps, by whichever of ODE's calls, must count at once: the same as with a new
 * stepper, which knows nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define LINKS 6
#define BEFORE 10
#define AFTER 20
#define SAME 1e-9          /* m or rad, of motions that differ by rounding */
#define SAME_AT_STOPS 1e-8 /* the same where rows have bounds, which are solved to 1e-6 m/s */

#define BALL 1
#define HINGE 2
#define UNIVERSAL 3

/* A chain of hinges and ball joints with one universal joint, hung up at one end, struck. */
static scene chain (void)
{
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < LINKS; ++i)
    {
        const double from[3] = {0.4 * i, 0, 0}, to[3] = {0.4 * (i + 1), 0, 0}, axis[3] = {0, 0.6, 0.8};
        const int link = scene_rod (&s, from, to);
        if (i == UNIVERSAL)
        {
            const dJointID joint = scene_joint (&s, dJointCreateUniversal, link, link - 1);
            dJointSetUniversalAnchor (joint, (dReal)from[0], 0, 0);
            dJointSetUniversalAxis2 (joint, 0, 0, 1);
            dJointSetUniversalAxis1 (joint, 0, 1, 0);
        }
        else if (i % 2)
            scene_ball (&s, link, link - 1, from);
        else
            scene_hinge (&s, link, i > 0 ? link - 1 : NO_BODY, from, axis);
        dBodySetLinearVel (s.body[link], 0, 0, i % 2 ? 1 : -1);
    }
    return s;
}

/* What is done to the scene between two steps. */
typedef void change (scene *s);

static void place_of (const scene *s, int joint, double ahead, dVector3 at)
{
    const dReal *x = dBodyGetPosition (s->body[joint]), *R = dBodyGetRotation (s->body[joint]);
    for (int k = 0; k < 3; ++k) at[k] = x[k] + (dReal)ahead * R[4 * k];
}

static void move_ball (scene *s)
{
    dVector3 at;
    place_of (s, BALL, 0.1, at);
    dJointSetBallAnchor (s->joint[BALL], at[0], at[1], at[2]);
}

static void part_ball (scene *s)
{
    dVector3 at;
    dJointGetBallAnchor2 (s->joint[BALL], at);
    dJointSetBallAnchor2 (s->joint[BALL], at[0], at[1] + (dReal)1e-3, at[2]);
}

static void move_hinge (scene *s)
{
    dVector3 at;
    place_of (s, HINGE, -0.05, at);
    dJointSetHingeAnchor (s->joint[HINGE], at[0], at[1], at[2]);
}

static void turn_hinge (scene *s) { dJointSetHingeAxis (s->joint[HINGE], 1, 0, 0); }
static void turn_first (scene *s) { dJointSetHingeAxis (s->joint[0], 0, 1, 0); }

static void turn_hinge_and_back (scene *s) /* the axis in one body is the same again, not that in the other */
{
    dVector3 axis;
    dMatrix3 before, away;
    const dBodyID other = s->body[HINGE - 1];
    dJointGetHingeAxis (s->joint[HINGE], axis);
    memcpy (before, dBodyGetRotation (other), sizeof (before));
    dRFromAxisAndAngle (away, 1, 0, 0, (dReal)0.02);
    dMatrix3 turned;
    dMultiply0_333 (turned, away, before);
    dBodySetRotation (other, turned);
    dJointSetHingeAxis (s->joint[HINGE], axis[0], axis[1], axis[2]);
    dBodySetRotation (other, before);
}

static void limit_hinge (scene *s)
{
    dJointSetHingeParam (s->joint[HINGE], dParamLoStop, (dReal)-1e-3);
    dJointSetHingeParam (s->joint[HINGE], dParamHiStop, (dReal)1e-3);
}

static void drive_hinge (scene *s)
{
    dJointSetHingeParam (s->joint[HINGE], dParamVel, 3);
    dJointSetHingeParam (s->joint[HINGE], dParamFMax, 50);
}

static void move_universal (scene *s)
{
    dVector3 at;
    place_of (s, UNIVERSAL, -0.05, at);
    dJointSetUniversalAnchor (s->joint[UNIVERSAL], at[0], at[1], at[2]);
}

static void turn_universal (scene *s) { dJointSetUniversalAxis2 (s->joint[UNIVERSAL], 1, 0, 0); }

static void limit_universal (scene *s)
{
    dJointSetUniversalParam (s->joint[UNIVERSAL], dParamLoStop2, (dReal)-1e-3);
    dJointSetUniversalParam (s->joint[UNIVERSAL], dParamHiStop2, (dReal)1e-3);
}

static void soften_ball (scene *s) { dJointSetBallParam (s->joint[BALL], dParamCFM, (dReal)1e-3); }
static void weigh (scene *s)
{
    dMass mass;
    dMassSetBox (&mass, 100, (dReal)0.4, (dReal)0.1, (dReal)0.1);
    dBodySetMass (s->body[3], &mass);
}
static void attach_anew (scene *s) { dJointAttach (s->joint[HINGE], s->body[HINGE - 1], s->body[HINGE]); }
static void turn_body (scene *s) { dBodySetPosition (s->body[LINKS - 1], 3, 1, 0); }

static dReal hold (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)time;
    *rate = *acceleration = 0;
    return dJointGetHingeAngle ((dJointID)context);
}
static void add_drive (scene *s)
{
    assert_int_equal (dRLSStepperSetJointDrive (scene_stepper (s), s->joint[0], hold, s->joint[0]), 1);
}
static void compliant (scene *s)
{
    assert_int_equal (
        dRLSStepperSetJointCompliance (scene_stepper (s), s->joint[HINGE], (dReal)1e3, (dReal)10), 1);
}

/* And what takes it back. */
static void harden_ball (scene *s)
{
    dJointSetBallParam (s->joint[BALL], dParamCFM, dWorldGetCFM (s->world));
}
static void stop_drive (scene *s)
{
    assert_int_equal (dRLSStepperSetJointDrive (scene_stepper (s), s->joint[0], NULL, NULL), 1);
}
static void enable_hinge (scene *s) { dJointEnable (s->joint[HINGE]); }
static void disable_hinge (scene *s) { dJointDisable (s->joint[HINGE]); }
static void free_hinge (scene *s)
{
    dJointSetHingeParam (s->joint[HINGE], dParamLoStop, -dInfinity);
    dJointSetHingeParam (s->joint[HINGE], dParamHiStop, dInfinity);
}

/* Steps, changes, and steps on; anew: with a stepper that has seen nothing of what was before the change. */
static scene run (change *apply, int anew)
{
    scene s = chain ();
    scene_step (&s, H, BEFORE);
    if (anew)
    {
        dRLSStepperDestroy (s.stepper);
        s.stepper = NULL;
    }
    if (apply) apply (&s);
    scene_step (&s, H, AFTER);
    return s;
}

static void a_change_counts (void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        change *apply;
        double same; /* 0: SAME */
    } changes[] = {
        {"nothing", NULL, 0},
        {"ball joint moved", move_ball, 0},
        {"ball joint parted", part_ball, 0},
        {"hinge moved", move_hinge, 0},
        {"hinge turned", turn_hinge, 0},
        {"hinge to the world turned", turn_first, 0},
        {"hinge turned in one body", turn_hinge_and_back, 0},
        {"hinge limited", limit_hinge, SAME_AT_STOPS},
        {"hinge driven", drive_hinge, SAME_AT_STOPS},
        {"universal joint moved", move_universal, 0},
        {"universal joint turned", turn_universal, 0},
        {"universal joint limited", limit_universal, SAME_AT_STOPS},
        {"ball joint softened", soften_ball, 0},
        {"mass changed", weigh, 0},
        {"attached anew", attach_anew, 0},
        {"body moved", turn_body, 0},
        {"drive", add_drive, 0},
        {"compliance", compliant, 0},
    };
    for (size_t i = 0; i < sizeof (changes) / sizeof (*changes); ++i)
    {
        scene kept = run (changes[i].apply, 0), anew = run (changes[i].apply, 1), plain = run (NULL, 0);
        const double difference = scene_pose_difference (&kept, &anew),
                     effect = scene_pose_difference (&kept, &plain);
        const double same = changes[i].same > 0 ? changes[i].same : SAME;
        if (!(difference <= same)) fail_msg ("%s: %g", changes[i].name, difference);
        if (changes[i].apply && !(effect > 1e-6)) fail_msg ("%s: no effect", changes[i].name);
        scene_close (&kept);
        scene_close (&anew);
        scene_close (&plain);
    }
}

/* A joint that is as it was when it was last read need not stand where it did: others have been read since.
 */
static void a_change_that_is_taken_back_counts (void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        change *apply, *undo;
    } changes[] = {
        {"ball joint softened", soften_ball, harden_ball},
        {"drive", add_drive, stop_drive},
        {"hinge disabled", disable_hinge, enable_hinge},
        {"hinge limited", limit_hinge, free_hinge},
    };
    for (size_t i = 0; i < sizeof (changes) / sizeof (*changes); ++i)
    {
        scene at[2];
        for (int anew = 0; anew < 2; ++anew)
        {
            at[anew] = run (changes[i].apply, 0);
            changes[i].undo (&at[anew]);
            if (anew)
            {
                dRLSStepperDestroy (at[anew].stepper);
                at[anew].stepper = NULL;
            }
            scene_step (&at[anew], H, AFTER);
        }
        const double difference = scene_pose_difference (&at[0], &at[1]);
        if (!(difference <= SAME)) fail_msg ("%s: %g", changes[i].name, difference);
        scene_close (&at[0]);
        scene_close (&at[1]);
    }
}

/* A limited hinge whose second body a program has turned by more than a right angle across the axis. */
static void axes_turned_away_are_closed (void **state)
{
    (void)state;
    const double from[3] = {0, 0, 0}, to[3] = {1, 0, 0}, axis[3] = {0, 0, 1};
    scene s = scene_open (0);
    const int rod = scene_rod (&s, from, to);
    const dJointID hinge = scene_hinge (&s, rod, NO_BODY, from, axis);
    dMatrix3 away;
    dJointSetHingeParam (hinge, dParamLoStop, -1);
    dJointSetHingeParam (hinge, dParamHiStop, 1);
    scene_step (&s, H, 3);
    dRFromAxisAndAngle (away, 1, (dReal)0.3, 0, (dReal)2.6);
    dBodySetRotation (s.body[rod], away);
    scene_step (&s, H, 5);
    dRLSViolation v;
    assert_int_equal (dRLSMeasureJoint (hinge, &v), 1);
    assert_true (v.position_m < SAME && v.angle_rad < SAME);
    scene_close (&s);
}

/* ---- contacts of a box that stands ---- */

#define CORNERS 4
#define STANDS 40

typedef void touch (dContact *contact);

static void smooth (dContact *contact) { contact->surface.mu = 0; }
static void deepen (dContact *contact) { contact->geom.depth = (dReal)0.01; }
static void shift (dContact *contact) { contact->geom.pos[0] += (dReal)0.15; }

static void tilt (dContact *contact)
{
    contact->geom.normal[0] = (dReal)0.8;
    contact->geom.normal[2] = (dReal)0.6;
}

static void smooth_across (dContact *contact)
{
    contact->surface.mode |= dContactFDir1 | dContactMu2;
    contact->fdir1[1] = 1;
}

/* Steps a box on the ground, whose contacts are changed before they are used. */
static void stand (scene *s, dGeomID box, dGeomID ground, touch *apply, int steps)
{
    for (int i = 0; i < steps; ++i)
    {
        dContact corner[CORNERS];
        memset (corner, 0, sizeof (corner));
        const dJointGroupID contacts = dJointGroupCreate (0);
        const int count = dCollide (box, ground, CORNERS, &corner[0].geom, sizeof (corner[0]));
        for (int k = 0; k < count; ++k)
        {
            corner[k].surface.mu = 1;
            if (apply) apply (&corner[k]);
            dJointAttach (dJointCreateContact (s->world, contacts, &corner[k]), s->body[0], NULL);
        }
        scene_step (s, H, 1);
        dJointGroupDestroy (contacts);
    }
}

/* Friction without a normal force in its bound, which this is, must not let it creep. */
static void it_stands (scene *s, dGeomID box, dGeomID ground)
{
    scene_body_state then;
    scene_look (s, &then);
    stand (s, box, ground, NULL, 3);
    assert_true (scene_same (s, &then));
}

/* A box stands on a slope, its contacts change, and it goes on; anew as above. */
static scene run_box (touch *apply, int anew)
{
    scene s = scene_open (0);
    dWorldSetGravity (s.world, 2, 0, (dReal)-9.81);
    scene_box (&s, 0, 0, (dReal)0.05, 1, (dReal)0.2, (dReal)0.3, (dReal)0.1);
    const dGeomID ground = dCreatePlane (0, 0, 0, 1, 0),
                  box = dCreateBox (0, (dReal)0.2, (dReal)0.3, (dReal)0.1);
    dGeomSetBody (box, s.body[0]);
    stand (&s, box, ground, NULL, STANDS);
    it_stands (&s, box, ground);
    if (anew)
    {
        dRLSStepperDestroy (s.stepper);
        s.stepper = NULL;
    }
    stand (&s, box, ground, apply, 5);
    dGeomDestroy (box);
    dGeomDestroy (ground);
    return s;
}

static void a_contact_that_changes_counts (void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        touch *apply;
    } changes[] = {
        {"nothing", NULL},    {"smooth", smooth}, {"deeper", deepen},
        {"elsewhere", shift}, {"tilted", tilt},   {"smooth in one direction", smooth_across},
    };
    for (size_t i = 0; i < sizeof (changes) / sizeof (*changes); ++i)
    {
        scene kept = run_box (changes[i].apply, 0), anew = run_box (changes[i].apply, 1),
              plain = run_box (NULL, 0);
        const double difference = scene_pose_difference (&kept, &anew),
                     effect = scene_pose_difference (&kept, &plain);
        if (!(difference <= SAME_AT_STOPS)) fail_msg ("%s: %g", changes[i].name, difference);
        if (changes[i].apply && !(effect > 1e-6)) fail_msg ("%s: no effect", changes[i].name);
        scene_close (&kept);
        scene_close (&anew);
        scene_close (&plain);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (a_change_counts),
        cmocka_unit_test (a_change_that_is_taken_back_counts),
        cmocka_unit_test (axes_turned_away_are_closed),
        cmocka_unit_test (a_contact_that_changes_counts),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
