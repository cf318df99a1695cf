/*
 * Contacts whose row at the end of a step follows from what touches, in steps in which it once did not: where
 * another contact of the island is new, where the step is much longer than the last one, where the ground
 * turns about the normal, on a slope on which ODE's friction changes its directions, and on ground that is
 * round.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle.h"
#include "oracle_scene.h"

#define GRAVITY 9.81
#define RADIUS 0.1

/* A step, with the contacts of one geometry with others. */
static void step (scene *s, dGeomID one, const dGeomID *others, int count, dReal mu, dReal h)
{
    const dJointGroupID contacts = dJointGroupCreate (0);
    for (int i = 0; i < count; ++i)
        scene_touch (s->world, contacts, one, others[i], 4,
                     &(dSurfaceParameters){.mode = dContactApprox1, .mu = mu}, NULL);
    scene_step (s, h, 1);
    dJointGroupDestroy (contacts);
}

/* A ball of 1 kg; its geometry. */
static dGeomID add_ball (scene *s, double x, double z)
{
    const int body = scene_box (s, (dReal)x, 0, (dReal)z, 1, 1, 1, 1);
    const dGeomID ball = dCreateSphere (NULL, (dReal)RADIUS);
    dMass mass;
    dMassSetSphereTotal (&mass, 1, (dReal)RADIUS);
    dBodySetMass (s->body[body], &mass);
    dGeomSetBody (ball, s->body[body]);
    return ball;
}

/* How far (m) from its circle a ball comes in 5 s that rolls on a turntable, in steps of two lengths by
 * turns. */
static double leaves_circle (double one, double other, double *energy)
{
    const double turns = 4, from = 0.5, speed = 2 / 7.0 * turns * from;
    scene s = scene_open ((dReal)-GRAVITY);
    const dGeomID ball = add_ball (&s, from, RADIUS), top = dCreateBox (NULL, 4, 4, (dReal)0.2);
    const int table = scene_box (&s, 0, 0, (dReal)-0.1, 1, 4, 4, (dReal)0.2);
    dBodySetKinematic (s.body[table]);
    dBodySetAngularVel (s.body[table], 0, 0, (dReal)turns);
    dGeomSetBody (top, s.body[table]);
    dBodySetLinearVel (s.body[0], 0, (dReal)speed, 0);
    dBodySetAngularVel (s.body[0], (dReal)((turns * from - speed) / RADIUS), 0, 0);
    double worst = 0, time = 0;
    dReal first, last, potential;
    dRLSMeasureBody (s.body[0], &first, &potential);
    for (int i = 0; time < 5; ++i)
    {
        const double h = i % 2 ? other : one;
        step (&s, ball, &top, 1, dInfinity, (dReal)h);
        const dReal *x = dBodyGetPosition (s.body[0]);
        worst = fmax (worst, fabs (hypot ((double)x[0], (double)x[1]) - from));
        time += h;
    }
    dRLSMeasureBody (s.body[0], &last, &potential);
    *energy = fabs ((double)(last - first));
    scene_close (&s);
    dGeomDestroy (ball), dGeomDestroy (top);
    return worst;
}

/* Without slip it goes round with 2/7 of the turntable's rate.  With friction's directions turned with the
 * table, and rows of the beginning in steps that are much longer than the last one, off by 3e-5 m and 2e-4 J
 * with equal steps, by 2e-2 m with unequal ones.  dWorldStep: 1.7e-2 m. */
static void a_ball_keeps_its_circle_on_a_turntable (void **state)
{
    double energy[3];
    (void)state;
    const double off[] = {leaves_circle (0.01, 0.01, &energy[0]), leaves_circle (0.005, 0.015, &energy[1]),
                          leaves_circle (1 / 60.0, 1 / 60.0, &energy[2])};
    print_message ("off its circle by %.2g, %.2g, %.2g m, energy by %.2g, %.2g, %.2g J\n", off[0], off[1],
                   off[2], energy[0], energy[1], energy[2]);
    for (int i = 0; i < 3; ++i) assert_true (off[i] < 1e-7 && energy[i] < 1e-6);
}

/* The speed (m/s) away from the wall with which a ladder of 2 m slides down, without friction, that has left
 * it: a capsule that touches both with its ends. */
static double ladder_leaves_with (double h)
{
    const double lean = 0.3, round = 0.05;
    scene s = scene_open ((dReal)-GRAVITY);
    const int body = scene_box (&s, (dReal)(round + sin (lean)), 0, (dReal)(round + cos (lean)), 1, 1, 1, 1);
    const dGeomID ladder = dCreateCapsule (NULL, (dReal)round, 2),
                  around[] = {dCreatePlane (NULL, 0, 0, 1, 0), dCreatePlane (NULL, 1, 0, 0, 0)};
    dMass mass;
    dMatrix3 R;
    dMassSetParameters (&mass, 1, 0, 0, 0, (dReal)(1 / 3.0), (dReal)(1 / 3.0), (dReal)0.01, 0, 0, 0);
    dBodySetMass (s.body[body], &mass);
    dRFromAxisAndAngle (R, 0, 1, 0, (dReal)-lean);
    dBodySetRotation (s.body[body], R);
    dGeomSetBody (ladder, s.body[body]);
    for (int i = 0; i < 0.8 / h - 0.5; ++i) step (&s, ladder, around, 2, 0, (dReal)h);
    const double speed = (double)dBodyGetLinearVel (s.body[body])[0];
    scene_close (&s);
    dGeomDestroy (ladder), dGeomDestroy (around[0]), dGeomDestroy (around[1]);
    return speed;
}

/* It leaves the wall at two thirds of its height, by integration of its equation with 1.3787 m/s.  At 10 ms
 * it lost the wall for a step; when that was found again both contacts had the rows of the beginning, and it
 * left with 1.413 m/s (dWorldStep: 1.372). */
static void a_ladder_leaves_the_wall (void **state)
{
    static const double h[] = {1 / 60.0, 0.01, 0.008, 0.001};
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        const double speed = ladder_leaves_with (h[i]);
        print_message ("h = %.4f s: leaves with %.4f m/s\n", h[i], speed);
        assert_true (fabs (speed - 1.37868) < 0.0015);
    }
}

/* The velocity (m/s) and rate (rad/s) of a ball after a time that comes off what is round, of half a metre.
 */
static void comes_off (dGeomID round, double from, double mu, double seconds, double h, double end[3])
{
    const double reach = 0.6;
    scene s = scene_open ((dReal)-GRAVITY);
    const dGeomID ball = add_ball (&s, reach * sin (from), reach * cos (from));
    for (int i = 0; i < seconds / h - 0.5; ++i)
        step (&s, ball, &round, 1, isinf (mu) ? dInfinity : (dReal)mu, (dReal)h);
    end[0] = (double)dBodyGetLinearVel (s.body[0])[0], end[1] = (double)dBodyGetLinearVel (s.body[0])[2];
    end[2] = (double)dBodyGetAngularVel (s.body[0])[1];
    scene_close (&s);
    dGeomDestroy (ball), dGeomDestroy (round);
}

/* A ball that rolls without slip leaves a drum where the cosine of its angle is 10/17 of that of the start,
 * with 18.56 rad/s.  It is known that the drum is round, and along which axis it is not.  Before it kept the
 * direction of the contact, and lost it by that at 1/30 s.  On half a right angle the directions of ODE's
 * friction change; where the contact was taken for a new one there the ball left the drum at 10 ms, with 16.1
 * rad/s (dWorldStep: 17.2, at 1/60 s 16.0). */
static void a_ball_rolls_off_a_drum (void **state)
{
    static const double h[] = {1 / 30.0, 1 / 60.0, 0.01, 0.001};
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        const dGeomID drum = dCreateCylinder (NULL, (dReal)0.5, 3);
        dMatrix3 R;
        double end[3];
        dRFromAxisAndAngle (R, 1, 0, 0, (dReal)(M_PI / 2));
        dGeomSetRotation (drum, R);
        comes_off (drum, 0.1, HUGE_VAL, 1.2, h[i], end);
        print_message ("h = %.4f s: rolls off with %.3f m/s, %.2f rad/s\n", h[i], end[0], end[2]);
        assert_true (fabs (end[2] - 18.56) < 0.3 && fabs (end[0] - 1.0864) < 0.008);
    }
}

/* The velocity (m/s) across and along after 0.8 s of a ball that rolls off a roller of 1 kg which turns
 * freely.  slides: how fast it begins to roll along it (m/s). */
static void comes_off_roller (int ball_first, double slides, double h, double end[2])
{
    static const double origin[3] = {0, 0, 0}, along[3] = {0, 1, 0};
    const double reach = 0.6, from = 0.1;
    scene s = scene_open ((dReal)-GRAVITY);
    dGeomID pair[] = {add_ball (&s, reach * sin (from), reach * cos (from)),
                      dCreateCylinder (NULL, (dReal)0.5, 3)};
    const int roller = scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    dMass mass;
    dMatrix3 R;
    dMassSetCylinderTotal (&mass, 1, 3, (dReal)0.5, 3);
    dBodySetMass (s.body[roller], &mass);
    dGeomSetBody (pair[1], s.body[roller]);
    dRFromAxisAndAngle (R, 1, 0, 0, (dReal)(M_PI / 2));
    dBodySetRotation (s.body[roller], R);
    scene_hinge (&s, roller, NO_BODY, origin, along);
    dBodySetLinearVel (s.body[0], 0, (dReal)slides, 0);
    dBodySetAngularVel (s.body[0], (dReal)(-slides / RADIUS * cos (from)), 0,
                        (dReal)(slides / RADIUS * sin (from)));
    for (int i = 0; i < 0.8 / h - 0.5; ++i)
        step (&s, pair[!ball_first], &pair[ball_first], 1, dInfinity, (dReal)h);
    end[0] = (double)dBodyGetLinearVel (s.body[0])[0], end[1] = (double)dBodyGetLinearVel (s.body[0])[1];
    scene_close (&s);
    dGeomDestroy (pair[0]), dGeomDestroy (pair[1]);
}

/* The roller adds to what the ball has to set in motion, which is 11/9 of its mass, so it leaves where the
 * cosine of its angle is 18/29 of that of the start; along the roller with 0.2727 m/s in steps of 1 ms.  It
 * was not known that the side of a body's cylinder is round: the ball left with up to 1.235 instead of 1.178
 * m/s, with other velocities where the contact named the roller first (dWorldStep: 1.221). */
static void a_ball_rolls_off_a_roller (void **state)
{
    static const double h[] = {1 / 60.0, 0.01, 0.005};
    const double cosine = 18 / 29.0 * cos (0.1), speed = sqrt (GRAVITY * 0.6 * cosine);
    (void)state;
    for (int i = 0; i < 6; ++i)
    {
        double straight[2], across[2];
        comes_off_roller (i % 2, 0, h[i / 2], straight);
        comes_off_roller (i % 2, 0.3, h[i / 2], across);
        print_message ("h = %.4f s: rolls off with %.4f m/s; with %.4f and %.4f m/s\n", h[i / 2], straight[0],
                       across[0], across[1]);
        assert_true (fabs (straight[0] - speed * cosine) < 0.005);
        assert_true (fabs (across[0] - speed * cosine) < 0.005 && fabs (across[1] - 0.2727) < 0.0012);
    }
}

/* Sets where three balls are after 0.4 s that are dropped on each other, a little beside each other, and how
 * fast. */
static void fall_on_each_other (double beside, double h, double end[18])
{
    static const double radius[] = {0.08, 0.06, 0.05}, mass[] = {2, 1, 0.7};
    const dSurfaceParameters rough = {.mode = dContactApprox1, .mu = (dReal)0.5};
    const dJointGroupID contacts = dJointGroupCreate (0);
    scene s = scene_open ((dReal)-GRAVITY);
    dGeomID ball[3], ground = dCreatePlane (NULL, 0, 0, 1, 0);
    for (int i = 0; i < 3; ++i)
    {
        dMass m;
        scene_box (&s, (dReal)(beside * i), (dReal)(i == 2 ? 0.3 * beside : 0), (dReal)(0.1 + 0.3 * i), 1, 1,
                   1, 1);
        dMassSetSphereTotal (&m, (dReal)mass[i], (dReal)radius[i]);
        dBodySetMass (s.body[i], &m);
        ball[i] = dCreateSphere (NULL, (dReal)radius[i]);
        dGeomSetBody (ball[i], s.body[i]);
    }
    for (int i = 0; i < 0.4 / h - 0.5; ++i)
    {
        for (int k = 0; k < 3; ++k)
            scene_touch (s.world, contacts, ball[k], k ? ball[k - 1] : ground, 1, &rough, NULL);
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (contacts);
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
        {
            end[6 * i + k] = (double)dBodyGetPosition (s.body[i])[k];
            end[6 * i + 3 + k] = (double)dBodyGetLinearVel (s.body[i])[k];
        }
    scene_close (&s);
    dJointGroupDestroy (contacts);
    for (int i = 0; i < 3; ++i) dGeomDestroy (ball[i]);
    dGeomDestroy (ground);
}

/* Second order.  Where a step went back to the impact of one ball, contacts of the others that bore kept the
 * rows that they had later: velocities were off by 17, 15 and 6 mm/s (dWorldStep: 57, 18, 14). */
static void balls_fall_on_balls (void **state)
{
    (void)state;
    for (int beside = 10; beside <= 14; beside += 2)
    {
        double finest[18];
        fall_on_each_other (1e-3 * beside, 1 / 1920.0, finest);
        for (int steps = 60; steps <= 240; steps *= 2)
        {
            double end[18], off = 0;
            fall_on_each_other (1e-3 * beside, 1.0 / steps, end);
            for (int k = 0; k < 18; ++k) off = fmax (off, fabs (end[k] - finest[k]));
            print_message ("%d mm beside, 1/%d s: off by %.2g m or m/s\n", beside, steps, off);
            assert_true (off < 6.0 / steps / steps);
        }
    }
}

/* Without friction it leaves a dome at two thirds of that cosine.  It does not turn, but the line between the
 * centres does; before that was seen it had 1.308 m/s at 1/30 s, and with changing steps 1.358. */
static void a_ball_slides_off_a_dome (void **state)
{
    static const double h[] = {1 / 30.0, 1 / 60.0, 0.01, 0.001};
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        double end[3];
        comes_off (dCreateSphere (NULL, (dReal)0.5), 0.15, 0, 0.9, h[i], end);
        print_message ("h = %.4f s: slides off with %.4f, %.4f m/s\n", h[i], end[0], end[1]);
        assert_true (fabs (end[0] - 1.29842) < 0.001 && fabs (end[1] + 4.39148) < 0.0015);
    }
}

/* A table that ends at x = 0. */
static dGeomID table (void)
{
    const dGeomID box = dCreateBox (NULL, 2, 2, 1);
    dGeomSetPosition (box, -1, 0, (dReal)-0.5);
    return box;
}

/* Rate (rad/s) after 0.7 s of a box that slides without friction over the edge of a table and tips there. */
static double tips_with (double h)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const dGeomID edge = table (), slab = dCreateBox (NULL, (dReal)0.6, (dReal)0.3, (dReal)0.1);
    const int body =
        scene_box (&s, (dReal)-0.2, 0, (dReal)(0.05 - 1e-6), 1, (dReal)0.6, (dReal)0.3, (dReal)0.1);
    dGeomSetBody (slab, s.body[body]);
    dBodySetLinearVel (s.body[body], 1, 0, 0);
    for (int i = 0; i < 0.7 / h - 0.5; ++i) step (&s, slab, &edge, 1, 0, (dReal)h);
    const double rate = (double)dBodyGetAngularVel (s.body[body])[1];
    scene_close (&s);
    dGeomDestroy (slab), dGeomDestroy (edge);
    return rate;
}

/* 3.0008 rad/s by dWorldStep at 20 us, and here at 1 ms.  The normal turns with the box, about the edge; with
 * rows extrapolated 3.83, 2.87, 2.91 rad/s at 1/30, 1/60 and 1/100 s. */
static void a_box_tips_over_an_edge (void **state)
{
    (void)state;
    const double rate[] = {tips_with (1 / 30.0), tips_with (1 / 60.0), tips_with (0.01)};
    print_message ("tips with %.4f, %.4f, %.4f rad/s\n", rate[0], rate[1], rate[2]);
    for (int i = 0; i < 3; ++i) assert_true (fabs (rate[i] - 3.0008) < 0.03);
}

/* Rate (rad/s) after 0.6 s of a cube of 1 m that falls from an edge on which it stood, leaning by 0.1 rad,
 * and whose geometry is a convex body. */
static double falls_with (double h)
{
    static const dReal half = (dReal)0.5;
    static const unsigned faces[] = {4, 1, 3, 7, 5, 4, 0, 4, 6, 2, 4, 2, 6, 7, 3,
                                     4, 0, 1, 5, 4, 4, 4, 5, 7, 6, 4, 0, 2, 3, 1};
    dReal planes[24] = {0}, points[24];
    dMatrix3 R;
    for (int i = 0; i < 6; ++i) planes[4 * i + i / 2] = i % 2 ? -1 : 1, planes[4 * i + 3] = half;
    for (int i = 0; i < 24; ++i) points[i] = i / 3 >> i % 3 & 1 ? half : -half;
    scene s = scene_open ((dReal)-GRAVITY);
    const int body = scene_box (&s, 0, 0, (dReal)(sqrt (0.5) * cos (0.1) - 1e-6), 1, 1, 1, 1);
    dRFromAxisAndAngle (R, 0, 1, 0, (dReal)(M_PI / 4 + 0.1));
    dBodySetRotation (s.body[body], R);
    const dGeomID cube = dCreateConvex (NULL, planes, 6, points, 8, faces),
                  ground = dCreatePlane (NULL, 0, 0, 1, 0);
    dGeomSetBody (cube, s.body[body]);
    for (int i = 0; i < 0.6 / h - 0.5; ++i) step (&s, cube, &ground, 1, 5, (dReal)h);
    const double rate = (double)dBodyGetAngularVel (s.body[body])[1];
    scene_close (&s);
    dGeomDestroy (cube), dGeomDestroy (ground);
    return rate;
}

/* A pendulum has 1.0836 rad/s.  What of a convex body touches is not known, so its rows are extrapolated:
 * with those of the step's beginning it has 1.005, 1.071, 1.078 rad/s at 1/60, 1/100 and 1/240 s, by
 * dWorldStep 1.093, 1.085, 1.085. */
static void a_convex_body_falls (void **state)
{
    (void)state;
    const double rate[] = {falls_with (1 / 60.0), falls_with (0.01), falls_with (1 / 240.0)};
    print_message ("falls with %.4f, %.4f, %.4f rad/s\n", rate[0], rate[1], rate[2]);
    assert_true (fabs (rate[0] - 1.0836) < 0.004 && fabs (rate[1] - 1.0836) < 0.002 &&
                 fabs (rate[2] - 1.0836) < 0.001);
}

/* Rate (rad/s) after 0.6 s of a ball that rolls over that edge. */
static double rolls_over_with (double h)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const dGeomID edge = table (), ball = add_ball (&s, -RADIUS, RADIUS);
    dBodySetLinearVel (s.body[0], (dReal)0.3, 0, 0), dBodySetAngularVel (s.body[0], 0, 3, 0);
    for (int i = 0; i < 0.6 / h - 0.5; ++i) step (&s, ball, &edge, 1, dInfinity, (dReal)h);
    const double rate = (double)dBodyGetAngularVel (s.body[0])[1];
    scene_close (&s);
    dGeomDestroy (ball), dGeomDestroy (edge);
    return rate;
}

/* It turns about the edge until that no longer pushes, and has 7.837 rad/s then; before 5.70 at 1/30 s. */
static void a_ball_rolls_over_an_edge (void **state)
{
    (void)state;
    const double rate[] = {rolls_over_with (1 / 30.0), rolls_over_with (1 / 60.0), rolls_over_with (0.01)};
    print_message ("rolls over with %.3f, %.3f, %.3f rad/s\n", rate[0], rate[1], rate[2]);
    for (int i = 0; i < 3; ++i) assert_true (fabs (rate[i] - 7.837) < 0.2);
}

/* By how much (m) a ball is off after a second that is let go on a slope which it touches to rounding.  Where
 * it was lost in the step after the first one it fell for that step, by 2 mm at 1/30 s, and was off by 3e-3
 * m. */
static void a_ball_begins_to_roll (void **state)
{
    const double slope = 0.4, h = 1 / 30.0, right = 0.5 * GRAVITY * sin (slope) / 1.4;
    scene s = scene_open ((dReal)-GRAVITY);
    const dGeomID plane = dCreatePlane (NULL, (dReal)sin (slope), 0, (dReal)cos (slope), 0),
                  ball = add_ball (&s, RADIUS * sin (slope) + 0.3, RADIUS * cos (slope) - 0.3 * tan (slope));
    (void)state;
    const double from = (double)dBodyGetPosition (s.body[0])[0];
    for (int i = 0; i < 30; ++i) step (&s, ball, &plane, 1, 1, (dReal)h);
    const double off = ((double)dBodyGetPosition (s.body[0])[0] - from) / cos (slope) - right;
    print_message ("off by %.2g m\n", off);
    assert_true (fabs (off) < 1e-6);
    scene_close (&s);
    dGeomDestroy (ball), dGeomDestroy (plane);
}

/* A program that makes contacts by itself need not say between which geometries. */
static void contacts_need_no_geometries (void **state)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const dGeomID ball = add_ball (&s, 0, RADIUS);
    const dJointGroupID contacts = dJointGroupCreate (0);
    (void)state;
    for (int i = 0; i < 10; ++i)
    {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = 1}};
        contact.geom.normal[2] = 1, contact.geom.depth = (dReal)1e-6;
        contact.geom.g1 = (dGeomID)(uintptr_t)0x10, contact.geom.g2 = (dGeomID)(uintptr_t)0x20;
        dJointAttach (dJointCreateContact (s.world, contacts, &contact), s.body[0], NULL);
        scene_step (&s, (dReal)0.01, 1);
        dJointGroupEmpty (contacts);
    }
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[2] - RADIUS) < 1e-5);
    dJointGroupDestroy (contacts);
    scene_close (&s);
    dGeomDestroy (ball);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (a_ball_keeps_its_circle_on_a_turntable),
                                       cmocka_unit_test (a_ladder_leaves_the_wall),
                                       cmocka_unit_test (a_ball_rolls_off_a_drum),
                                       cmocka_unit_test (a_ball_rolls_off_a_roller),
                                       cmocka_unit_test (balls_fall_on_balls),
                                       cmocka_unit_test (a_ball_slides_off_a_dome),
                                       cmocka_unit_test (a_box_tips_over_an_edge),
                                       cmocka_unit_test (a_convex_body_falls),
                                       cmocka_unit_test (a_ball_rolls_over_an_edge),
                                       cmocka_unit_test (a_ball_begins_to_roll),
                                       cmocka_unit_test (contacts_need_no_geometries)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
