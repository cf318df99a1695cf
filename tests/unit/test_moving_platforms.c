/*
 * Chains at random that hang on a platform and lie under, on and in it while the program moves it up, down
 * and about: what a step gives beyond the platform's work is told, and little.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle.h"
#include "oracle_scene.h"

#define WORLDS 10
#define STEPS 200
#define MOST_LINKS 8
#define SILENT 1.0 /* of the kinetic energy before, beside 1 J: depths that are taken back lift bodies */
#define TOLD 2.0
#define OPEN 1e-8
#define GRAVITY 9.81

typedef struct
{
    scene s;
    dSpaceID space;
    dJointGroupID contacts;
    int platform;
    double side;
} lift;

static void meet (void *context, dGeomID a, dGeomID b)
{
    const lift *l = context;
    const dBodyID x = dGeomGetBody (a), y = dGeomGetBody (b);
    if ((!x || dBodyIsKinematic (x)) && (!y || dBodyIsKinematic (y))) return;
    if (x && y && dAreConnectedExcluding (x, y, dJointTypeContact)) return;
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.8};
    scene_touch (l->s.world, l->contacts, a, b, 8, &surface, NULL);
}

/* A joint of any kind at a place, some with stops. */
static void join (scene *s, oracle_random *random, int a, int b, const double at[3])
{
    const double axis[3] = {oracle_uniform (random, -1, 1), oracle_uniform (random, -1, 1), 0.5};
    const int kind = (int)oracle_uniform (random, 0, 4);
    if (kind < 2)
    {
        scene_ball (s, a, b, at);
        return;
    }
    const dJointID joint = scene_joint (s, kind == 2 ? dJointCreateHinge : dJointCreateUniversal, a, b);
    if (kind == 2)
    {
        dJointSetHingeAnchor (joint, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
        dJointSetHingeAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
        dJointSetHingeParam (joint, dParamLoStop, (dReal)-0.7);
        dJointSetHingeParam (joint, dParamHiStop, (dReal)0.7);
        return;
    }
    dJointSetUniversalAnchor (joint, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
    dJointSetUniversalAxis1 (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    dJointSetUniversalAxis2 (joint, (dReal)-axis[1], (dReal)axis[0], 0);
}

/* A chain that begins somewhere at the platform's rim and leads into any direction, the platform too. */
static void add_chain (lift *l, oracle_random *random)
{
    scene *s = &l->s;
    const int links = 3 + (int)oracle_uniform (random, 0, MOST_LINKS - 3);
    const double length = oracle_uniform (random, 0.2, 0.4), mass = pow (10, oracle_uniform (random, -1, 1)),
                 angle = oracle_uniform (random, 0, 6), rise = oracle_uniform (random, -0.7, 0.7),
                 along = sqrt (1 - rise * rise);
    const double way[3] = {along * cos (angle), along * sin (angle), rise};
    for (int i = 0; i < links; ++i)
    {
        const double middle = length * (i + 0.5),
                     at[3] = {1 + length * i * way[0], length * i * way[1], 1 + length * i * way[2]};
        const dReal size = (dReal)(0.5 * length);
        const int link = scene_box (s, (dReal)(1 + middle * way[0]), (dReal)(middle * way[1]),
                                    (dReal)(1 + middle * way[2]), (dReal)mass, size, size / 2, size / 2);
        dGeomSetBody (dCreateBox (l->space, size, size / 2, size / 2), s->body[link]);
        join (s, random, link, i > 0 ? link - 1 : l->platform, at);
    }
}

static lift build (oracle_random *random)
{
    lift l = {.s = scene_open ((dReal)-9.81),
              .space = dSimpleSpaceCreate (NULL),
              .contacts = dJointGroupCreate (0)};
    dCreatePlane (l.space, 0, 0, 1, 0);
    l.platform = scene_box (&l.s, 0, 0, (dReal)0.8, 1, 3, 2, (dReal)0.2);
    dGeomSetBody (dCreateBox (l.space, 3, 2, (dReal)0.2), l.s.body[l.platform]);
    dBodySetKinematic (l.s.body[l.platform]);
    for (int i = 0; i < 2; ++i) add_chain (&l, random);
    return l;
}

static void drive (lift *l, oracle_random *random)
{
    const dBodyID platform = l->s.body[l->platform];
    const double z = (double)dBodyGetPosition (platform)[2], wanted = oracle_uniform (random, -1.5, 1.5);
    dBodySetLinearVel (platform, (dReal)oracle_uniform (random, -1, 1), 0,
                       (dReal)(z < 0.3 ? 1
                               : z > 2 ? -1
                                       : wanted));
    dBodySetAngularVel (platform, 0, 0, (dReal)oracle_uniform (random, -2, 2));
}

static unsigned long warnings (const scene *s)
{
    unsigned long sum = 0;
    for (int w = 0; w < dRLSWarningCount; ++w) sum += dRLSStepperGetWarningCount (s->stepper, w);
    return sum;
}

typedef struct
{
    double silent, told; /* gains of a step over what the bodies had */
    double open;         /* m or rad that is not told */
} worst_of;

static void ride (uint64_t seed, worst_of *worst)
{
    const dReal h = (dReal)(seed % 2 ? 1 / 60.0 : 1 / 50.0);
    oracle_random random = {seed};
    lift l = build (&random);
    scene *s = &l.s;
    scene_stepper (s);
    const dRLSCertificateID certificate = dRLSCertificateCreate ();
    for (int i = 0; i < STEPS; ++i)
    {
        if (i % 30 == 0) drive (&l, &random);
        dSpaceCollide (l.space, &l, meet);
        const double kinetic = scene_kinetic (s);
        const unsigned long before = warnings (s);
        dRLSStepCertificate step = {.struct_size = sizeof (step)};
        dRLSCertificateBegin (certificate, s->body, s->bodies);
        scene_step (s, h, 1);
        dRLSCertificateEnd (certificate, h, &step);
        dJointGroupEmpty (l.contacts);
        const double gained = ((double)step.energy - fmax (0, (double)step.applied_work)) / (1 + kinetic);
        const int told = warnings (s) > before;
        worst->told = fmax (worst->told, told ? gained : 0);
        worst->silent = fmax (worst->silent, told ? 0 : gained);
        worst->open = fmax (worst->open, told ? 0 : fmax ((double)step.gap_m, (double)step.gap_rad));
    }
    dRLSCertificateDestroy (certificate);
    scene_close (s);
    dJointGroupDestroy (l.contacts);
    dSpaceDestroy (l.space);
}

/* The first of them, and seven of 300; of these, steps that were not told gave up to 48 000 times what the
 * bodies had, and those that were up to 20 000 times. */
static void nothing_is_given_without_work (void **state)
{
    static const uint64_t wrong[] = {33, 48, 74, 179, 214, 243, 296};
    (void)state;
    worst_of worst = {0, 0, 0};
    for (uint64_t seed = 1; seed <= WORLDS; ++seed) ride (seed, &worst);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) ride (wrong[i], &worst);
    print_message ("moving platforms: of the kinetic energy at most %.2g is given and not told, %.2g told\n",
                   worst.silent, worst.told);
    assert_true (worst.silent <= SILENT && worst.told <= TOLD && worst.open <= OPEN);
}

/* A box lies on a lift from which a pendulum hangs; the program changes the lift's velocity before each step.
 */
static void a_smooth_ride_is_not_warned_of (void **state)
{
    static const double hook[3] = {-0.5, 0, 1};
    const dReal h = (dReal)0.01;
    (void)state;
    lift l = {.s = scene_open ((dReal)-9.81),
              .space = dSimpleSpaceCreate (NULL),
              .contacts = dJointGroupCreate (0)};
    scene *s = &l.s;
    l.platform = scene_box (s, 0, 0, 0, 10, 2, 2, (dReal)0.1);
    dGeomSetBody (dCreateBox (l.space, 2, 2, (dReal)0.1), s->body[l.platform]);
    dBodySetKinematic (s->body[l.platform]);
    const int load = scene_box (s, (dReal)0.3, 0, (dReal)0.15, 1, (dReal)0.2, (dReal)0.2, (dReal)0.2),
              bob = scene_box (s, (dReal)-0.5, 0, (dReal)0.8, 1, (dReal)0.05, (dReal)0.05, (dReal)0.4);
    dGeomSetBody (dCreateBox (l.space, (dReal)0.2, (dReal)0.2, (dReal)0.2), s->body[load]);
    scene_ball (s, bob, l.platform, hook);
    dBodySetLinearVel (s->body[bob], (dReal)-0.4, 0, 0);
    dBodySetAngularVel (s->body[bob], 0, 2, 0);
    scene_stepper (s);
    for (int i = 0; i < STEPS; ++i)
    {
        dBodySetLinearVel (s->body[l.platform], 0, 0, (dReal)(0.5 * sin (0.02 * i)));
        dSpaceCollide (l.space, &l, meet);
        scene_step (s, h, 1);
        dJointGroupEmpty (l.contacts);
    }
    assert_int_equal (warnings (s), 0);
    scene_close (s);
    dJointGroupDestroy (l.contacts);
    dSpaceDestroy (l.space);
}

/* A ball slides without friction off the top of a kinematic drum, which spins below it. */
static void nor_is_a_slide_on_a_drum (void **state)
{
    (void)state;
    for (int fine = 0; fine < 2; ++fine)
    {
        scene s = scene_open ((dReal)-9.81);
        lift l = {.space = dSimpleSpaceCreate (NULL), .contacts = dJointGroupCreate (0)};
        const int drum = scene_box (&s, 0, 0, 0, 10, 1, 1, 1),
                  ball = scene_box (&s, (dReal)0.02, 0, (dReal)1.1, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
        dMatrix3 level;
        dRFromAxisAndAngle (level, 1, 0, 0, (dReal)1.57079632679489662);
        dBodySetRotation (s.body[drum], level);
        dBodySetKinematic (s.body[drum]);
        dBodySetAngularVel (s.body[drum], 0, 10, 0);
        const dGeomID side = dCreateCylinder (l.space, 1, 1), round = dCreateSphere (l.space, (dReal)0.1);
        dGeomSetBody (side, s.body[drum]), dGeomSetBody (round, s.body[ball]);
        scene_stepper (&s);
        for (int i = 0; i < (fine ? 250 : 100); ++i)
        {
            dContact c = {.surface = {.mu = 0}};
            if (dCollide (round, side, 1, &c.geom, sizeof c))
                dJointAttach (dJointCreateContact (s.world, l.contacts, &c), s.body[ball], s.body[drum]);
            scene_step (&s, (dReal)(fine ? 0.004 : 0.01), 1);
            dJointGroupEmpty (l.contacts);
        }
        assert_int_equal (warnings (&s), 0);
        scene_close (&s);
        dJointGroupDestroy (l.contacts);
        dSpaceDestroy (l.space);
    }
}

/* ---- velocities that the program changes in each step ---- */

/* A box on a table that the program shakes, by the velocity of a kinematic body or by a motor: along with at
 * most 0.8 of what friction can give, or up and down with 0.8 of gravity. */
static void shake (int motor, int up, double h, double *slip, double *gap)
{
    const double fastest = up ? 1.6 : 0.8, turn = 5;
    scene s = scene_open ((dReal)-GRAVITY);
    const int table = scene_box (&s, 0, 0, (dReal)-0.1, 5, 2, 2, (dReal)0.2),
              box = scene_box (&s, 0, 0, (dReal)(0.05 - 1e-9), 1, (dReal)0.2, (dReal)0.2, (dReal)0.1);
    const dGeomID shapes[2] = {dCreateBox (NULL, 2, 2, (dReal)0.2),
                               dCreateBox (NULL, (dReal)0.2, (dReal)0.2, (dReal)0.1)};
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.5};
    dGeomSetBody (shapes[0], s.body[table]), dGeomSetBody (shapes[1], s.body[box]);
    dJointID slider = NULL;
    if (motor)
    {
        slider = scene_joint (&s, dJointCreateSlider, table, -1);
        dJointSetSliderAxis (slider, !up, 0, up);
        dJointSetSliderParam (slider, dParamFMax, 10000);
    }
    else
        dBodySetKinematic (s.body[table]);
    for (int i = 0; !up && i < 2; ++i) dBodySetLinearVel (s.body[i], (dReal)fastest, 0, 0);
    *slip = *gap = 0;
    for (int i = 0; i * h < 3; ++i)
    {
        const double phase = turn * (i + 0.5) * h, v = fastest * (up ? sin (phase) : cos (phase));
        if (motor)
            dJointSetSliderParam (slider, dParamVel, (dReal)v);
        else
            dBodySetLinearVel (s.body[table], up ? 0 : (dReal)v, 0, up ? (dReal)v : 0);
        scene_touch (s.world, contacts, shapes[1], shapes[0], 8, &surface, NULL);
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (contacts);
        const dReal *x = dBodyGetPosition (s.body[box]), *under = dBodyGetPosition (s.body[table]);
        *slip = fmax (*slip, fabs ((double)(x[0] - under[0])));
        *gap = fmax (*gap, fabs ((double)(x[2] - under[2]) - 0.15));
    }
    dGeomDestroy (shapes[0]), dGeomDestroy (shapes[1]), dJointGroupDestroy (contacts);
    scene_close (&s);
}

/* The whole change of velocity is due in the first half of a step, in which gravity has acted for half of it.
 * Without the impulses of the second half the box slips by 0.37 h, and leaves the lift by 3 h^2 (dWorldStep:
 * up to 8e-3 and 5e-10 m). */
static void shaken_boxes_stay (void **state)
{
    (void)state;
    for (int k = 0; k < 16; ++k)
    {
        const double h = (const double[]){0.001, 0.01, 1 / 60., 1 / 30.}[k / 4];
        double slip, gap;
        shake (k & 1, k >> 1 & 1, h, &slip, &gap);
        if (!(slip < 1e-8 && gap < 1e-8)) fail_msg ("case %d, %g s: %g, %g m", k & 3, h, slip, gap);
    }
}

/* A ball of 1 kg rolls on a table that accelerates from rest by 7.5 m/s^2, with rolling friction (m), which
 * always gives way: where it is after a second (m). */
static double roll_on_table (double rolling, double radius, double h)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const int table = scene_box (&s, 0, 0, (dReal)-0.1, 1, 1, 1, 1),
              ball = scene_box (&s, 0, 0, (dReal)radius, 1, 1, 1, 1);
    const dGeomID shapes[2] = {dCreateBox (NULL, 40, 4, (dReal)0.2), dCreateSphere (NULL, (dReal)radius)};
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dSurfaceParameters surface = {.mode = dContactApprox1 | dContactRolling,
                                        .mu = (dReal)0.3,
                                        .rho = (dReal)rolling,
                                        .rho2 = (dReal)rolling,
                                        .rhoN = (dReal)rolling};
    dMass mass;
    dMassSetSphereTotal (&mass, 1, (dReal)radius);
    dBodySetMass (s.body[ball], &mass);
    dBodySetKinematic (s.body[table]);
    dGeomSetBody (shapes[0], s.body[table]), dGeomSetBody (shapes[1], s.body[ball]);
    for (int i = 1; i <= lround (1 / h); ++i)
    {
        dBodySetLinearVel (s.body[table], (dReal)(7.5 * i * h), 0, 0);
        scene_touch (s.world, contacts, shapes[1], shapes[0], 1, &surface, NULL);
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (contacts);
    }
    const double at = (double)dBodyGetPosition (s.body[ball])[0];
    dGeomDestroy (shapes[0]), dGeomDestroy (shapes[1]), dJointGroupDestroy (contacts);
    scene_close (&s);
    return at;
}

/* Friction needs 0.73 of what it can give.  A contact whose rolling friction gave way did not count as one
 * that holds, so that the ball slipped in each step: by 11 mm at 1/60 s.  In the first step it still does. */
static void balls_roll_with_a_table (void **state)
{
    static const double h[] = {1 / 60.0, 0.01, 0.004}, rolling[] = {0, 1e-9, 0.001, 0.01};
    (void)state;
    for (int k = 0; k < 12; ++k)
    {
        const double radius = 0.1, rate = (7.5 + 2.5 * rolling[k % 4] * GRAVITY / radius) / 3.5,
                     off = roll_on_table (rolling[k % 4], radius, h[k / 4]) - rate * (1 + h[k / 4]) / 2;
        print_message ("h = %.4f s, rolling friction %g m: off by %.1e m\n", h[k / 4], rolling[k % 4], off);
        assert_true (fabs (off) < 2 * h[k / 4] * h[k / 4]);
    }
}

/* A motor that accelerates a mass by up to 0.7 of its strength is where the sum of its velocities says.
 * Without the impulses of the second half it lags by 2.5e-3 m at 10 ms, 8.5e-3 at 1/30 s.  In the first step,
 * from rest, it still does. */
static void motors_follow (void **state)
{
    (void)state;
    for (int n = 30; n <= 480; n *= 2)
    {
        const double h = 1.0 / n;
        scene s = scene_open (0);
        const int body = scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
        const dJointID slider = scene_joint (&s, dJointCreateSlider, body, -1);
        dJointSetSliderAxis (slider, 1, 0, 0);
        dJointSetSliderParam (slider, dParamFMax, 10);
        double way = 0;
        for (int i = 1; i <= 2 * n; ++i)
        {
            const double v = 7.0 / 4 * sin (4 * i * h);
            dJointSetSliderParam (slider, dParamVel, (dReal)v);
            scene_step (&s, (dReal)h, 1);
            way += h * v;
        }
        const double off = fabs (way - (double)dBodyGetPosition (s.body[body])[0]);
        if (!(off <= 2.5 * h * h)) fail_msg ("%g s: off by %g m", h, off);
        scene_close (&s);
    }
}

/* A box on a table that is moved in both directions at once.  With an overlap of rounding alone it loses
 * contacts by what is left of its motion in each step, and falls for a step, by 9e-5 m. */
static void a_ride_is_level (void **state)
{
    const double h = 1 / 60.;
    double lean = 0;
    scene s = scene_open ((dReal)-GRAVITY);
    (void)state;
    const int table = scene_box (&s, 0, 0, (dReal)-0.1, 5, 2, 2, (dReal)0.2),
              box = scene_box (&s, 0, 0, (dReal)0.1, 1, (dReal)0.2, (dReal)0.2, (dReal)0.2);
    const dGeomID shapes[2] = {dCreateBox (NULL, 2, 2, (dReal)0.2),
                               dCreateBox (NULL, (dReal)0.2, (dReal)0.2, (dReal)0.2)};
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.5};
    dGeomSetBody (shapes[0], s.body[table]), dGeomSetBody (shapes[1], s.body[box]);
    dBodySetKinematic (s.body[table]);
    dBodySetLinearVel (s.body[box], (dReal)0.28, 0, 0);
    for (int i = 0; i < 120; ++i)
    {
        const double t = (i + 0.5) * h;
        dBodySetLinearVel (s.body[table], (dReal)(0.28 * cos (2.78 * t)), 0, (dReal)(0.623 * sin (6.02 * t)));
        scene_touch (s.world, contacts, shapes[1], shapes[0], 8, &surface, NULL);
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (contacts);
        lean = fmax (lean, fabs ((double)dBodyGetRotation (s.body[box])[2]));
    }
    print_message ("leans by %.2g rad\n", lean);
    assert_true (lean < 1e-8);
    dGeomDestroy (shapes[0]), dGeomDestroy (shapes[1]), dJointGroupDestroy (contacts);
    scene_close (&s);
}

/* A gripper whose fingers press with 30 N each lifts a load of 1 kg that needs 26 N of the 30 N of friction.
 * Without the impulses of the second half the load slips by 3.4 h, and is dropped at 1/30 s (dWorldStep:
 * 6e-10 m). */
static void a_gripper_keeps_its_load (void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        const double h = (const double[]){0.001, 0.01, 1 / 60., 1 / 30.}[k];
        scene s = scene_open ((dReal)-GRAVITY);
        const dJointGroupID contacts = dJointGroupCreate (0);
        const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.5};
        const int hand = scene_box (&s, 0, 0, (dReal)0.5, 5, (dReal)0.2, (dReal)0.2, (dReal)0.1);
        const int load = scene_box (&s, 0, 0, (dReal)0.36, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
        const dGeomID shape = dCreateBox (NULL, (dReal)(0.1 + 2e-9), (dReal)0.1, (dReal)0.1);
        dGeomID finger[2];
        const dJointID rail = scene_joint (&s, dJointCreateSlider, hand, -1);
        dGeomSetBody (shape, s.body[load]);
        dJointSetSliderAxis (rail, 0, 0, 1);
        dJointSetSliderParam (rail, dParamFMax, 10000);
        for (int i = 0; i < 2; ++i)
        {
            const dReal size[3] = {(dReal)0.04, (dReal)0.1, (dReal)0.2};
            const int part = scene_box (&s, (dReal)(i ? 0.07 : -0.07), 0, (dReal)0.4, (dReal)0.3, size[0],
                                        size[1], size[2]);
            const dJointID slider = scene_joint (&s, dJointCreateSlider, part, hand);
            finger[i] = dCreateBox (NULL, size[0], size[1], size[2]);
            dGeomSetBody (finger[i], s.body[part]);
            dJointSetSliderAxis (slider, i ? -1 : 1, 0, 0);
            dJointSetSliderParam (slider, dParamFMax, 30);
            dJointSetSliderParam (slider, dParamVel, (dReal)0.5);
        }
        for (int i = 0; i * h < 2; ++i)
        {
            const double t = fmax (0, (i + 0.5) * h - 0.2);
            dJointSetSliderParam (rail, dParamVel, (dReal)(3.2 * sin (5 * t)));
            for (int f = 0; f < 2; ++f) scene_touch (s.world, contacts, shape, finger[f], 8, &surface, NULL);
            scene_step (&s, (dReal)h, 1);
            dJointGroupEmpty (contacts);
        }
        const double slip =
            (double)(dBodyGetPosition (s.body[hand])[2] - dBodyGetPosition (s.body[load])[2]) - 0.14;
        if (!(fabs (slip) < 1e-8)) fail_msg ("%g s: slips by %g m", h, slip);
        dGeomDestroy (shape), dGeomDestroy (finger[0]), dGeomDestroy (finger[1]);
        dJointGroupDestroy (contacts);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (nothing_is_given_without_work),
                                       cmocka_unit_test (a_smooth_ride_is_not_warned_of),
                                       cmocka_unit_test (nor_is_a_slide_on_a_drum),
                                       cmocka_unit_test (shaken_boxes_stay),
                                       cmocka_unit_test (balls_roll_with_a_table),
                                       cmocka_unit_test (motors_follow),
                                       cmocka_unit_test (a_ride_is_level),
                                       cmocka_unit_test (a_gripper_keeps_its_load)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
