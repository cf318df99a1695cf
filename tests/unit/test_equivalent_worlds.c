/*
 * The same world in other words moves the same: turned so that other axes are x, y and z, moved far from the
 * origin, in other units of length, mass and time.  Chains at random of joints with motors, stops and
 * suspensions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_random.h"

#define H 0.01
#define STEPS 30
#define WORLDS 60
#define MOST_BODIES 6
#define NUMBERS 13 /* of a body: where it is, how it turns */

enum
{
    MOTORS = 1,
    STOPS = 2
};

/* Units in those of the plain world, powers of two, which round nothing; by how many places axes are turned;
 * where the origin is. */
typedef struct
{
    double length, mass, time;
    int turned;
    double origin;
} words;

static void vector_in (const words *in, double unit, const double v[3], dReal out[3])
{
    for (int k = 0; k < 3; ++k) out[(k + in->turned) % 3] = (dReal)(unit * v[k]);
}

static void point_in (const words *in, const double x[3], dReal out[3])
{
    vector_in (in, in->length, x, out);
    for (int k = 0; k < 3; ++k) out[k] += (dReal)in->origin;
}

static void vector_at_random (random_source *r, double size, double v[3])
{
    for (int k = 0; k < 3; ++k) v[k] = random_between (r, -size, size);
}

/* Of length 1: of axes of other lengths ODE measures other angles (test_axis_length.c). */
static void axes_at_random (random_source *r, double axes[2][3])
{
    double across[3], length[2] = {0};
    vector_at_random (r, 1, axes[0]), vector_at_random (r, 1, across);
    for (int k = 0; k < 3; ++k) /* a cross product */
        axes[1][k] = axes[0][(k + 1) % 3] * across[(k + 2) % 3] - axes[0][(k + 2) % 3] * across[(k + 1) % 3];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) length[i] += axes[i][k] * axes[i][k];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) axes[i][k] /= sqrt (length[i]);
}

/* ---- building ---- */

static void add_body (scene *s, random_source *r, const words *in, double at[3])
{
    double sides[3], v[3], w[3], turn[3];
    for (int k = 0; k < 3; ++k) sides[k] = random_between (r, 0.2, 1);
    vector_at_random (r, 2, at), vector_at_random (r, 1, turn);
    vector_at_random (r, 1, v), vector_at_random (r, 2, w);
    dReal l[3], x[3], velocity[3], spin[3], axis[3];
    vector_in (in, in->length, sides, l), point_in (in, at, x), vector_in (in, 1, turn, axis);
    vector_in (in, in->length / in->time, v, velocity), vector_in (in, 1 / in->time, w, spin);
    const double mass = random_between (r, 0.3, 3);
    const int b = scene_box (s, x[0], x[1], x[2], (dReal)(in->mass * mass), l[0], l[1], l[2]);
    const dQuaternion q = {1, axis[0], axis[1], axis[2]};
    dBodySetQuaternion (s->body[b], q);
    dBodySetLinearVel (s->body[b], velocity[0], velocity[1], velocity[2]);
    dBodySetAngularVel (s->body[b], spin[0], spin[1], spin[2]);
}

typedef struct
{
    dJointID (*create) (dWorldID, dJointGroupID);
    void (*set) (dJointID, int, dReal);
    int axes, stops;
    int is_way;
} joint_type;

static const joint_type types[] = {{dJointCreateHinge, dJointSetHingeParam, 1, 1, 0},
                                   {dJointCreateSlider, dJointSetSliderParam, 1, 1, 1},
                                   {dJointCreateUniversal, dJointSetUniversalParam, 2, 2, 0},
                                   {dJointCreateHinge2, dJointSetHinge2Param, 2, 1, 0}};

static void place (dJointID joint, int type, const words *in, const double at[3], const double axes[2][3])
{
    dReal x[3], a[3], b[3];
    point_in (in, at, x), vector_in (in, 1, axes[0], a), vector_in (in, 1, axes[1], b);
    switch (type)
    {
    case 0:
        dJointSetHingeAnchor (joint, x[0], x[1], x[2]);
        dJointSetHingeAxis (joint, a[0], a[1], a[2]);
        break;
    case 1:
        dJointSetSliderAxis (joint, a[0], a[1], a[2]);
        break;
    case 2:
        dJointSetUniversalAnchor (joint, x[0], x[1], x[2]);
        dJointSetUniversalAxis1 (joint, a[0], a[1], a[2]);
        dJointSetUniversalAxis2 (joint, b[0], b[1], b[2]);
        break;
    default: /* with a suspension of 4 000 N/m */
        dJointSetHinge2Anchor (joint, x[0], x[1], x[2]);
        dJointSetHinge2Axes (joint, a, b);
        dJointSetHinge2Param (joint, dParamSuspensionERP, (dReal)0.4);
        dJointSetHinge2Param (joint, dParamSuspensionCFM, (dReal)(0.01 * in->time / in->mass));
    }
}

static void drive (dJointID joint, const joint_type *t, int kind, random_source *r, const words *in)
{
    const double length = t->is_way ? in->length : 1,
                 work = in->mass * in->length * in->length / (in->time * in->time);
    for (int axis = 0; axis < t->axes; ++axis)
    {
        const int group = axis * dParamGroup, has = random_below (r, 4);
        const double most = random_between (r, 0.1, 10), rate = random_between (r, -2, 2),
                     low = random_between (r, -0.5, -0.05), high = random_between (r, 0.05, 0.5);
        if (kind & has & MOTORS)
        {
            t->set (joint, dParamFMax + group, (dReal)(most * work / length));
            t->set (joint, dParamVel + group, (dReal)(rate * length / in->time));
        }
        if (!(kind & has & STOPS) || axis >= t->stops) continue;
        t->set (joint, dParamLoStop + group, (dReal)(low * length));
        t->set (joint, dParamHiStop + group, (dReal)(high * length));
    }
}

static scene build (uint64_t seed, int kind, const words *in)
{
    random_source r = {seed};
    scene s = scene_open (0);
    const double down[3] = {0, 0, -9.81};
    dReal g[3];
    double at[MOST_BODIES][3];
    vector_in (in, in->length / (in->time * in->time), down, g);
    dWorldSetGravity (s.world, g[0], g[1], g[2]);
    dWorldSetCFM (s.world, 0); /* has a unit, but not the same for all rows */
    const int bodies = 2 + random_below (&r, MOST_BODIES - 1);
    for (int b = 0; b < bodies; ++b)
    {
        const int type = random_below (&r, b > 0 ? 4 : 3), other = b > 0 ? random_below (&r, b) : NO_BODY;
        double middle[3], axes[2][3];
        add_body (&s, &r, in, at[b]);
        for (int k = 0; k < 3; ++k) middle[k] = b > 0 ? (at[b][k] + at[other][k]) / 2 : at[b][k] + 0.3;
        axes_at_random (&r, axes);
        const dJointID joint = scene_joint (&s, types[type].create, b, other);
        place (joint, type, in, middle, (const double (*)[3])axes);
        drive (joint, &types[type], kind, &r, in);
    }
    return s;
}

/* ---- comparing ---- */

/* Poses and velocities in plain words. */
static void look (const scene *s, const words *in, double out[][NUMBERS])
{
    const double rate = in->time / in->length;
    for (int b = 0; b < s->bodies; ++b)
    {
        const dReal *x = dBodyGetPosition (s->body[b]), *q = dBodyGetQuaternion (s->body[b]),
                    *v = dBodyGetLinearVel (s->body[b]), *w = dBodyGetAngularVel (s->body[b]);
        out[b][12] = (double)q[0];
        for (int k = 0; k < 3; ++k)
        {
            const int i = (k + in->turned) % 3;
            out[b][k] = ((double)x[i] - in->origin) / in->length;
            out[b][3 + k] = (double)q[1 + i];
            out[b][6 + k] = (double)v[i] * rate;
            out[b][9 + k] = (double)w[i] * in->time;
        }
    }
}

static int has_warned (scene *s)
{
    unsigned long count = 0;
    for (int kind = 0; kind < dRLSWarningCount; ++kind)
        count += dRLSStepperGetWarningCount (scene_stepper (s), kind);
    return count > 0;
}

/* Until a warning: what whips about beyond its step tells rounding.  And all joints stay closed. */
static void compare_for (const char *name, int kind, const words *in, double allowed, uint64_t worlds,
                         int most_steps)
{
    static const words plain = {1, 1, 1, 0, 0};
    double worst = 0;
    int steps = 0;
    for (uint64_t seed = 0; seed < worlds; ++seed)
    {
        scene one = build (seed, kind, &plain), other = build (seed, kind, in);
        double a[MOST_BODIES + 1][NUMBERS], b[MOST_BODIES + 1][NUMBERS], apart = 0;
        for (int i = 0; i < most_steps && !has_warned (&one) && !has_warned (&other); ++i)
        {
            scene_step (&one, (dReal)H, 1), scene_step (&other, (dReal)(H * in->time), 1);
            steps += 1;
            look (&one, &plain, a), look (&other, in, b);
            const double open = has_warned (&one) || has_warned (&other)
                                    ? 0
                                    : fmax (scene_violation (&one), scene_violation (&other) / in->length);
            if (!(open < 1e-9)) fail_msg ("%s, kind %d, seed %d: open by %g", name, kind, (int)seed, open);
            for (int n = 0; n < one.bodies; ++n)
                for (int k = 0; k < NUMBERS; ++k)
                    apart = fmax (apart, fabs (a[n][k] - b[n][k]) / (1 + fabs (a[n][k])));
        }
        if (!(apart <= allowed)) fail_msg ("%s, kind %d, seed %d: %g apart", name, kind, (int)seed, apart);
        worst = fmax (worst, apart);
        scene_close (&one), scene_close (&other);
    }
    assert_true (steps > (int)worlds * most_steps * 3 / 4);
    print_message ("%-14s kind %d: %.1e apart\n", name, kind, worst);
}

static void compare (const char *name, int kind, const words *in, double allowed)
{
    compare_for (name, kind, in, allowed, WORLDS, STEPS);
}

/* ODE chooses what is across an axis by its largest coordinate, and anew where another one is. */
static void axes_in_another_order (void **state)
{
    (void)state;
    for (int kind = 0; kind <= (MOTORS | STOPS); ++kind)
        for (int turned = 1; turned <= 2; ++turned)
            compare_for ("turned", kind, &(words){1, 1, 1, turned, 0}, kind & STOPS ? 1e-3 : 1e-6, 100, 60);
}

static void far_from_the_origin (void **state)
{
    (void)state;
    for (int kind = 0; kind <= MOTORS; ++kind) compare ("8 km away", kind, &(words){1, 1, 1, 0, 8192}, 1e-7);
}

static void in_other_units (void **state)
{
    (void)state;
    for (int kind = 0; kind <= (MOTORS | STOPS); ++kind)
    {
        compare ("kilometres", kind, &(words){0x1p10, 1, 0x1p5, 0, 0}, 1e-7);
        compare ("millimetres", kind, &(words){0x1p-10, 1, 0x1p-5, 0, 0}, 1e-7);
        compare ("tonnes", kind, &(words){1, 0x1p20, 1, 0, 0}, 1e-12);
        compare ("milligrams", kind, &(words){1, 0x1p-20, 1, 0, 0}, 1e-12);
        compare ("milliseconds", kind, &(words){1, 1, 0x1p-5, 0, 0}, 1e-7);
    }
}

/* A step of H with a contact, or none (NULL). */
static void step_with (scene *s, dJointGroupID group, const dContact *contact, const words *in)
{
    if (contact) dJointAttach (dJointCreateContact (s->world, group, contact), s->body[0], NULL);
    scene_step (s, (dReal)(H * in->time), 1);
    dJointGroupEmpty (group);
}

/* The height of a ball that has fallen from 1.3 and bounced for a second, in its radii. */
static double bounce (const words *in)
{
    scene s = scene_open ((dReal)(-9.81 * in->length / (in->time * in->time)));
    const dReal radius = (dReal)(0.5 * in->length);
    const dJointGroupID group = dJointGroupCreate (0);
    scene_box (&s, 0, 0, (dReal)(1.3 * in->length), 1, radius, radius, radius);
    for (int step = 0; step < 100; ++step)
    {
        const dReal depth = radius - dBodyGetPosition (s.body[0])[2];
        dContact contact = {
            .surface = {.mode = dContactApprox1 | dContactBounce, .mu = 1, .bounce = (dReal)0.8}};
        contact.geom.normal[2] = 1;
        contact.geom.depth = depth;
        step_with (&s, group, depth > 0 ? &contact : NULL, in);
    }
    const double height = (double)(dBodyGetPosition (s.body[0])[2] / radius);
    dJointGroupDestroy (group);
    scene_close (&s);
    return height;
}

static void rebounds_in_other_units (void **state)
{
    (void)state;
    const double plain = bounce (&(words){1, 1, 1, 0, 0});
    assert_true (fabs (bounce (&(words){0x1p10, 1, 0x1p5, 0, 0}) - plain) < 1e-9);
    assert_true (fabs (bounce (&(words){0x1p-10, 1, 0x1p-5, 0, 0}) - plain) < 1e-9);
    assert_true (fabs (bounce (&(words){1, 1, 0x1p-5, 0, 0}) - plain) < 1e-9);
}

/* How fast a ball still rolls after a second, in radii a second, of 6 at first; friction that is 0.05 radii
 * off its centre brakes it. */
static double roll (const words *in)
{
    scene s = scene_open ((dReal)(-9.81 * in->length / (in->time * in->time)));
    const dReal radius = (dReal)(0.5 * in->length), rate = (dReal)(6 / in->time);
    const dJointGroupID group = dJointGroupCreate (0);
    dMass mass;
    scene_box (&s, 0, 0, radius, 1, 1, 1, 1);
    dMassSetSphereTotal (&mass, 1, radius);
    dBodySetMass (s.body[0], &mass);
    dBodySetLinearVel (s.body[0], radius * rate, 0, 0);
    dBodySetAngularVel (s.body[0], 0, rate, 0);
    for (int step = 0; step < 100; ++step)
    {
        const dReal *x = dBodyGetPosition (s.body[0]);
        dContact contact = {.surface = {.mode = dContactApprox1 | dContactRolling, .mu = 1}};
        contact.surface.rho = contact.surface.rho2 = (dReal)0.05 * radius;
        contact.geom.pos[0] = x[0], contact.geom.normal[2] = 1, contact.geom.depth = radius - x[2];
        step_with (&s, group, &contact, in);
    }
    const double left = (double)dBodyGetLinearVel (s.body[0])[0] * in->time / (double)radius;
    dJointGroupDestroy (group);
    scene_close (&s);
    return left;
}

static void rolling_friction_in_other_units (void **state)
{
    (void)state;
    const double plain = roll (&(words){1, 1, 1, 0, 0});
    print_message ("rolls on at %.6f radii a second\n", plain);
    assert_true (plain > 1 && plain < 5.9); /* braked, not stopped */
    assert_true (fabs (roll (&(words){0x1p10, 1, 0x1p5, 0, 0}) - plain) < 1e-9);
    assert_true (fabs (roll (&(words){0x1p-10, 1, 0x1p-5, 0, 0}) - plain) < 1e-9);
}

typedef struct
{
    dWorldID world;
    dJointGroupID contacts;
} meeting;

static void touch (void *context, dGeomID a, dGeomID b)
{
    const meeting *at = context;
    scene_touch (at->world, at->contacts, a, b, 4,
                 &(dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)0.5}, NULL);
}

/* Sets the velocities of a capsule after a second that falls on a platform, whose centre is so far away. */
static void fall_on_platform (uint64_t seed, double away, double end[6])
{
    random_source r = {7 * seed + 1};
    scene s = scene_open ((dReal)-9.81);
    const dSpaceID space = dSimpleSpaceCreate (NULL);
    meeting at = {s.world, dJointGroupCreate (0)};
    const int platform = scene_box (&s, 0, (dReal)away, (dReal)-0.5, 1, 1, 1, 1),
              capsule = scene_box (&s, 0, 0, (dReal)0.1, 1, 1, 1, 1);
    const double tilt = random_between (&r, -0.1, 0.1);
    double v[2][3];
    dMass m;
    dQuaternion q;
    dBodySetKinematic (s.body[platform]);
    dGeomSetBody (dCreateBox (space, 200, 200, 1), s.body[platform]);
    dMassSetCapsuleTotal (&m, 1, 3, (dReal)0.05, (dReal)0.1);
    dBodySetMass (s.body[capsule], &m);
    dGeomSetBody (dCreateCapsule (space, (dReal)0.05, (dReal)0.1), s.body[capsule]);
    dQFromAxisAndAngle (q, 1, 0, 0, (dReal)(M_PI / 2 + tilt));
    dBodySetQuaternion (s.body[capsule], q);
    vector_at_random (&r, 1, v[0]), vector_at_random (&r, 3, v[1]);
    dBodySetLinearVel (s.body[capsule], (dReal)v[0][0], (dReal)v[0][1], 0);
    dBodySetAngularVel (s.body[capsule], (dReal)v[1][0], (dReal)v[1][1], (dReal)v[1][2]);
    for (int i = 0; i < 60; ++i)
        scene_step_on_contacts (&s, space, at.contacts, touch, &at, (dReal)(1 / 60.0));
    for (int k = 0; k < 3; ++k)
    {
        end[k] = (double)dBodyGetLinearVel (s.body[capsule])[k];
        end[3 + k] = (double)dBodyGetAngularVel (s.body[capsule])[k];
    }
    dJointGroupDestroy (at.contacts);
    dSpaceDestroy (space);
    scene_close (&s);
}

/* A contact was taken for the one of the step before if it was nearer than 3 % of its distance from the
 * centre of one of its bodies, kinematic ones too: of these capsules 49 moved otherwise, by up to 0.95 m/s.
 */
static void on_platforms_with_other_centres (void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < WORLDS; ++seed)
    {
        double here[6], away[6];
        fall_on_platform (seed, 0, here), fall_on_platform (seed, 50, away);
        for (int k = 0; k < 6; ++k)
            if (!(fabs (here[k] - away[k]) < 1e-8))
                fail_msg ("capsule %d: %g or %g", (int)seed, here[k], away[k]);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (axes_in_another_order),
        cmocka_unit_test (far_from_the_origin),
        cmocka_unit_test (in_other_units),
        cmocka_unit_test (rebounds_in_other_units),
        cmocka_unit_test (rolling_friction_in_other_units),
        cmocka_unit_test (on_platforms_with_other_centres),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
