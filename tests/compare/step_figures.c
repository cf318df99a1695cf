/*
 * What bounded and soft rows come to in the accurate step: figures asked, reached, and what dWorldStep
 * reaches, in one table: build/bin/step_figures [--quick].  Fails if ode-rls misses a figure that is asked of
 * it.
 *
 * Reactions are asked of a bar that turns, the balance of each body by the certificate of the step, errors of
 * motion against the same step at 1/64 of the length.
 */
#include "step_rig.h"
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reactions ---- */

/* A bar of 1 kg turns about its end at 10 rad/s: 100 N.  Motors that hold its rate, or a friction of 0.01 N
 * m. */
static double bar_reaction (int with_rls, double strength)
{
    rig r = open_rig (with_rls, 0, 0);
    const dBodyID bar = add_box (&r, 1, bar_size, 1, 0, 0, 0);
    dJointFeedback feedback;
    dBodySetLinearVel (bar, 0, 10, 0);
    dBodySetAngularVel (bar, 0, 0, 10);
    const dJointID hinge = add_hinge (&r, bar, NULL, 0, 0, 0, along_z);
    set_motor (hinge, strength > 1 ? 10 : 0, strength);
    dJointSetFeedback (hinge, &feedback);
    run (&r, 0.01, 0.05);
    const double off = fabs (hypot ((double)feedback.f1[0], (double)feedback.f1[1]) / 100 - 1);
    close_rig (&r);
    return off;
}

/* Two bars with a motor between them; the largest error of its rate. */
static double motor_rate (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const dBodyID a = add_box (&r, 1, link_size, 0.5, 0, 0, 0), b = add_box (&r, 1, link_size, 1.5, 0, 0, 0);
    add_hinge (&r, a, NULL, 0, 0, 0, along_y);
    const dJointID motor = add_hinge (&r, a, b, 1, 0, 0, along_y);
    set_motor (motor, 4, 1000);
    double worst = 0;
    for (int i = 0; i < 300; ++i)
    {
        step (&r, h);
        worst = fmax (worst, fabs ((double)dJointGetHingeAngleRate (motor) - 4));
    }
    close_rig (&r);
    return worst;
}

/* An arm of seven links, hinged about y and z in turn, whose motors are told in each step what takes them to
 * a moving goal at its end: the largest error of an angle after the first steps (rad). */
static double servo (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double size[3] = {0.3, 0.05, 0.05};
    dBodyID last = NULL;
    dJointID motor[7];
    double worst = 0;
    for (int i = 0; i < 7; ++i)
    {
        const dBodyID link = add_box (&r, 2 - 0.2 * i, size, 0.3 * i + 0.15, 0, 0, 0);
        motor[i] = add_hinge (&r, link, last, 0.3 * i, 0, 0, i % 2 ? along_z : along_y);
        set_motor (motor[i], 0, 1000);
        last = link;
    }
    for (int i = 0; i < 300; ++i)
    {
        double goal[7];
        for (int k = 0; k < 7; ++k)
        {
            goal[k] = 0.5 * (1 - cos ((1 + 0.3 * k) * (i + 1) * h));
            dJointSetHingeParam (motor[k], dParamVel,
                                 (dReal)((goal[k] - (double)dJointGetHingeAngle (motor[k])) / h));
        }
        step (&r, h);
        for (int k = 0; k < 7 && i > 2; ++k)
            worst = fmax (worst, fabs ((double)dJointGetHingeAngle (motor[k]) - goal[k]));
    }
    close_rig (&r);
    return worst;
}

/* A free wheel in finite rotation mode: how far its angle is off after 2 s, against its rate times 2 s. */
static double wheel_angle (int with_rls, double rate)
{
    const double wheel_size[3] = {0.6, 0.6, 0.1}, h = 0.02, turn = 2 * acos (-1);
    rig r = open_rig (with_rls, 0, 0);
    const dBodyID wheel = add_box (&r, 1, wheel_size, 0, 0, 0, 0);
    dBodySetFiniteRotationMode (wheel, 1);
    dBodySetAngularVel (wheel, 0, 0, (dReal)rate);
    double off = 0, last = 0;
    for (int i = 0; i < 100; ++i)
    {
        step (&r, h);
        const dReal *q = dBodyGetQuaternion (wheel);
        const double angle = 2 * atan2 ((double)q[3], (double)q[0]);
        off += remainder (angle - last - rate * h, turn);
        last = angle;
    }
    close_rig (&r);
    return fabs (off) / (2 * rate);
}

/* A motor in range, a saturating one, friction, a stop and contacts at once: the worst balance of a body's
 * step. */
static double balance (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    dRLSCertificateID certificate = dRLSCertificateCreate ();
    const double base_size[3] = {1, 1, 0.2};
    dCreatePlane (r.space, 0, 0, 1, 0);
    const dBodyID base = add_box (&r, 10, base_size, 0, 0, 0.1, 1);
    const dBodyID a = add_box (&r, 1, link_size, 0.5, 0, 0.6, 0),
                  b = add_box (&r, 0.5, link_size, 1.5, 0, 0.6, 0);
    const dBodyID c = add_box (&r, 0.5, link_size, 2.5, 0, 0.6, 0);
    set_motor (add_hinge (&r, a, base, 0, 0, 0.6, along_y), 1, 100);
    set_motor (add_hinge (&r, b, a, 1, 0, 0.6, along_y), 3, 0.5);
    const dJointID stopped = add_hinge (&r, c, b, 2, 0, 0.6, along_y);
    dJointSetHingeParam (stopped, dParamLoStop, (dReal)-0.4);
    dJointSetHingeParam (stopped, dParamHiStop, (dReal)0.4);
    double worst = 0;
    for (int i = 0; i < 200; ++i)
    {
        dRLSStepCertificate now = {.struct_size = sizeof (now)};
        r.touching = 0;
        dSpaceCollide (r.space, &r, meet);
        dRLSCertificateBegin (certificate, r.body, r.bodies);
        r.stepper ? dRLSStepperStep (r.stepper, (dReal)h) : dWorldStep (r.world, (dReal)h);
        dRLSCertificateEnd (certificate, (dReal)h, &now);
        dJointGroupEmpty (r.contacts);
        worst = fmax (worst, (double)now.force_balance / fmax (1, (double)now.largest_force));
        worst = fmax (worst, (double)now.torque_balance / fmax (1, (double)now.largest_torque));
    }
    dRLSCertificateDestroy (certificate);
    close_rig (&r);
    return worst;
}

static const char *balanced; /* a scene */

/* The worst balance of the step of a body of a scene, with what it has of motors, stops, contacts and
 * springs, in a second. */
static double balance_of_scene (int with_rls, double h)
{
    char folder[2048], path[4200], error[400];
    scene *s = NULL;
    for (int i = 0; !s && scene_folder (i, folder, sizeof (folder)); ++i)
    {
        snprintf (path, sizeof (path), "%s/%s.sdf", folder, balanced);
        if (folder[0]) s = scene_read (path, NULL, NULL, error, sizeof (error));
    }
    if (!s) return NAN;
    double worst = 0;
    dBodyID body[256];
    const int bodies = scene_body_count (s) < 256 ? scene_body_count (s) : 256;
    for (int b = 0; b < bodies; ++b) body[b] = scene_body_at (s, b)->body;
    scene_set_time_step (s, h);
    const dRLSStepperID stepper = with_rls ? dRLSStepperCreate (scene_world (s), NULL) : NULL;
    const dRLSCertificateID certificate = dRLSCertificateCreate ();
    if (stepper) scene_prepare_stepper (s, stepper);
    for (int i = 0; i < lround (1 / h); ++i)
    {
        dRLSStepCertificate now = {.struct_size = sizeof (now)};
        scene_before_step (s, i * h, 0);
        dRLSCertificateBegin (certificate, body, bodies);
        stepper ? dRLSStepperStep (stepper, (dReal)h) : dWorldStep (scene_world (s), (dReal)h);
        dRLSCertificateEnd (certificate, (dReal)h, &now);
        scene_after_step (s);
        if (i == 0) continue; /* closes what the file leaves open */
        worst = fmax (worst, (double)now.force_balance / fmax (1, (double)now.largest_force));
        worst = fmax (worst, (double)now.torque_balance / fmax (1, (double)now.largest_torque));
    }
    dRLSCertificateDestroy (certificate);
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return worst;
}

static void balance_scenes (void)
{
    static const char *const names[] = {"stewart", "stewart_motors", "bricard",       "scissor_lift",
                                        "ragdoll", "show_walker",    "show_excavator"};
    for (size_t i = 0; i < sizeof (names) / sizeof (*names); ++i)
    {
        char text[80];
        balanced = names[i];
        snprintf (text, sizeof (text), "%s: balance of a body, relative", names[i]);
        compare (text, balance_of_scene, 0.01, 1e-9);
    }
}

/* A rotor with its mass off the axis on a base that stands on contacts: rms error of the ground's force (N);
 * without: the share of steps in which nothing touched. */
static double rotor_on_base (int with_rls, double h, double *without)
{
    rig r = open_rig (with_rls, 0, -G);
    const double base_size[3] = {1, 1, 0.2}, rotor_size[3] = {0.2, 0.2, 0.2}, rate = 5, arm = 0.1;
    dCreatePlane (r.space, 0, 0, 1, 0);
    const dBodyID base = add_box (&r, 10, base_size, 0, 0, 0.1, 1),
                  rotor = add_box (&r, 1, rotor_size, arm, 0, 0.5, 0);
    set_motor (add_hinge (&r, base, rotor, 0, 0, 0.5, along_y), -rate, 100);
    dBodySetLinearVel (rotor, 0, 0, (dReal)(-rate * arm));
    dBodySetAngularVel (rotor, 0, (dReal)rate, 0);
    double sum = 0;
    const int steps = (int)lround (1 / h);
    *without = 0;
    for (int i = 0; i < steps; ++i)
    {
        const double before = 10 * (double)dBodyGetLinearVel (base)[2] + (double)dBodyGetLinearVel (rotor)[2];
        step (&r, h);
        if (r.touching == 0) *without += 1.0 / steps;
        const double after = 10 * (double)dBodyGetLinearVel (base)[2] + (double)dBodyGetLinearVel (rotor)[2];
        const double exact = 11 * G + rate * rate * arm * sin (rate * (i + 0.5) * h);
        const double off = (after - before) / h + 11 * G - exact;
        if (i >= steps / 10) sum += off * off;
    }
    close_rig (&r);
    return sqrt (sum / steps);
}

static double ground_force (int with_rls, double h)
{
    double ignored;
    return rotor_on_base (with_rls, h, &ignored);
}

static double steps_without_contact (int with_rls, double h)
{
    double without;
    rotor_on_base (with_rls, h, &without);
    return without;
}

/* A motor of infinite strength on a base that stands on contacts, or begins to hop where the arm is fast: the
 * largest jump of its angle (rad); the most that the base rises (m). */
static double infinite_motor (int with_rls, double h, double rate, double *rise)
{
    rig r = open_rig (with_rls, 0, -G);
    const double base_size[3] = {1, 1, 0.2}, arm_size[3] = {0.6, 0.1, 0.1};
    dCreatePlane (r.space, 0, 0, 1, 0);
    const dBodyID base = add_box (&r, 10, base_size, 0, 0, 0.1, 1),
                  arm = add_box (&r, 1, arm_size, 0.3, 0, 0.5, 0);
    const dJointID motor = add_hinge (&r, base, arm, 0, 0, 0.5, along_y);
    set_motor (motor, rate, dInfinity);
    double worst = 0, last = 0;
    *rise = 0;
    for (long i = 0; i < lround (1 / h); ++i)
    {
        step (&r, h);
        const double angle = (double)dJointGetHingeAngle (motor);
        if (i > 0) worst = fmax (worst, fabs (remainder (angle - last - rate * h, 2 * M_PI)));
        last = angle;
        *rise = fmax (*rise, (double)dBodyGetPosition (base)[2] - 0.1);
    }
    close_rig (&r);
    return worst;
}

static double jump_of_infinite_motor (int with_rls, double rate)
{
    double rise;
    return infinite_motor (with_rls, 1e-3, rate, &rise);
}

static double rise_of_base (int with_rls, double rate)
{
    double rise;
    infinite_motor (with_rls, 1e-3, rate, &rise);
    return rise;
}

/* A motor of infinite strength on the rocker of a four-bar linkage, which asks for more than it reaches: the
 * most kinetic energy (J), and how far joints open (m). */
static double beyond_reach (int with_rls, int gap)
{
    rig r = open_rig (with_rls, 0, -G);
    dJointID joint[4];
    double most = 0, open = 0;
    add_fourbar (&r, joint);
    set_motor (joint[3], 2, dInfinity);
    for (int i = 0; i < 600; ++i)
    {
        double energy = 0;
        step (&r, 0.01);
        for (int b = 0; b < r.bodies; ++b)
        {
            dReal kinetic, potential;
            dRLSMeasureBody (r.body[b], &kinetic, &potential);
            energy += (double)kinetic;
        }
        for (int j = 0; j < 4; ++j)
        {
            dRLSViolation now;
            dRLSMeasureJoint (joint[j], &now);
            open = fmax (open, (double)now.position_m);
        }
        most = fmax (most, energy);
    }
    close_rig (&r);
    return gap ? open : most;
}

static double energy_beyond_reach (int with_rls, double h) { return (void)h, beyond_reach (with_rls, 0); }
static double gap_beyond_reach (int with_rls, double h) { return (void)h, beyond_reach (with_rls, 1); }

/* ---- what is deep, and what bounces ---- */

/* Two boxes, one 40 cm within the other: how high the upper one rises (m). */
static double overlap_rise (int with_rls, double mu)
{
    rig r = open_rig (with_rls, 0, -G);
    r.mu = mu;
    dCreatePlane (r.space, 0, 0, 1, 0);
    add_box (&r, 1, cube, 0, 0, 0.5, 1);
    add_box (&r, 1, cube, 0.05, 0.03, 1.1, 1);
    double top = 0;
    for (int i = 0; i < 300; ++i)
    {
        step (&r, 0.01);
        top = fmax (top, (double)dBodyGetPosition (r.body[1])[2]);
    }
    close_rig (&r);
    return top - 1.1;
}

static rig drop_boxes (int with_rls, int count, double mu, double bounce)
{
    rig r = open_rig (with_rls, 0, -G);
    unsigned seed = 12345;
    r.mu = mu, r.bounce = bounce;
    dCreatePlane (r.space, 0, 0, 1, 0);
    for (int i = 0; i < count; ++i)
    {
        double x[6];
        for (int k = 0; k < 6; ++k) seed = seed * 1664525u + 1013904223u, x[k] = (seed >> 8) / 16777216.0;
        const double size[3] = {0.4 + 0.3 * x[3], 0.4 + 0.3 * x[4], 0.4 + 0.3 * x[5]};
        dMatrix3 turn;
        add_box (&r, 1, size, 1.5 * x[0], 1.5 * x[1], 1 + 0.35 * i, 1);
        dRFromAxisAndAngle (turn, (dReal)(x[0] - 0.5), (dReal)(x[1] - 0.5), (dReal)(x[2] - 0.5),
                            (dReal)(3 * x[4]));
        dBodySetRotation (r.body[i], turn);
    }
    return r;
}

/* Forty boxes with infinite friction: how deep they are in each other at the end (m). */
static double jammed_depth (int with_rls, double h)
{
    rig r = drop_boxes (with_rls, 40, (double)dInfinity, 0);
    run (&r, h, quick ? 10 : 120);
    const double depth = r.deepest;
    close_rig (&r);
    return depth;
}

/* Ten boxes that bounce: the largest speed (m/s, rad/s) after 10 s. */
static double bouncing_speed (int with_rls, double h)
{
    rig r = drop_boxes (with_rls, 10, 0.8, 0.5);
    double fastest = 0;
    run (&r, h, 10);
    for (int i = 0; i < r.bodies; ++i) fastest = fmax (fastest, speed_of (r.body[i]));
    close_rig (&r);
    return fastest;
}

/* A ball with e = 0.8 dropped from 1 m: error of its height after 2 s (m). */
static double bouncing_ball (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    dMass m;
    r.mu = 0, r.bounce = 0.8;
    dCreatePlane (r.space, 0, 0, 1, 0);
    const dBodyID ball = dBodyCreate (r.world);
    dMassSetSphereTotal (&m, 1, (dReal)0.5);
    dBodySetMass (ball, &m);
    dBodySetPosition (ball, 0, 0, (dReal)1.5);
    dGeomSetBody (dCreateSphere (r.space, (dReal)0.5), ball);
    run (&r, h, 2);
    double hit = sqrt (2 / G), speed = 0.8 * G * hit;
    while (hit + 2 * speed / G < 2) hit += 2 * speed / G, speed *= 0.8;
    const double exact = 0.5 + speed * (2 - hit) - 0.5 * G * (2 - hit) * (2 - hit);
    const double off = fabs ((double)dBodyGetPosition (ball)[2] - exact);
    close_rig (&r);
    return off;
}

#define BALLS 4

/* A billiard ball rolls at 3 m/s into three others, all of them between walls: where they are after 0.5 s. */
static void play_billiards (int with_rls, double h, double x[BALLS][2])
{
    const double radius = 0.05, start[BALLS][2] = {{-0.6, 0}, {0, 0.03}, {0.3, 0.06}, {0.6, 0.09}};
    rig r = open_rig (with_rls, 0, -G);
    dMass m;
    r.mu = 0.15, r.bounce = 0.9;
    dCreatePlane (r.space, 0, 0, 1, 0);
    for (int side = -1; side <= 1; side += 2)
        dCreatePlane (r.space, side, 0, 0, -1), dCreatePlane (r.space, 0, side, 0, -1);
    dMassSetSphereTotal (&m, (dReal)0.2, (dReal)radius);
    for (int i = 0; i < BALLS; ++i)
    {
        const dBodyID ball = r.body[r.bodies++] = dBodyCreate (r.world);
        dBodySetMass (ball, &m);
        dBodySetPosition (ball, (dReal)start[i][0], (dReal)start[i][1], (dReal)(radius - 0.05 * G * h * h));
        dGeomSetBody (dCreateSphere (r.space, (dReal)radius), ball);
    }
    dBodySetLinearVel (r.body[0], 3, (dReal)0.1, 0), dBodySetAngularVel (r.body[0], -2, 60, 0);
    run (&r, h, 0.5);
    for (int i = 0; i < BALLS; ++i)
        for (int k = 0; k < 2; ++k) x[i][k] = (double)dBodyGetPosition (r.body[i])[k];
    close_rig (&r);
}

/* How far a ball is from where steps of 1/4800 s bring it (m). */
static double billiards (int with_rls, double h)
{
    double exact[BALLS][2], x[BALLS][2], off = 0;
    play_billiards (with_rls, 1.0 / 4800, exact);
    play_billiards (with_rls, h, x);
    for (int i = 0; i < BALLS; ++i) off = fmax (off, hypot (x[i][0] - exact[i][0], x[i][1] - exact[i][1]));
    return off;
}

int main (int argc, char **argv)
{
    quick = argc > 1 && strcmp (argv[1], "--quick") == 0;
    begin_table ();
    compare ("bar at 10 rad/s, motor of 100 N m: reaction, relative", bar_reaction, 100, 1e-3);
    compare ("the same, friction of 0.01 N m", bar_reaction, 0.01, 1e-3);
    compare ("motor between two bodies, h = 0.01: rate (rad/s)", motor_rate, 0.01, 1e-9);
    compare ("arm of seven joints with servos, h = 0.01: error of an angle (rad)", servo, 0.01, 4e-7);
    compare ("wheel in finite rotation mode, 30 rad/s, h = 0.02: angle, relative", wheel_angle, 30, 1e-12);
    compare ("the same, 60 rad/s", wheel_angle, 60, 1e-12);
    compare ("motors, stop and contacts: balance of a body, relative", balance, 0.01, 1e-9);
    balance_scenes ();
    compare ("rotor on a standing base, h = 1e-3: ground force (N, rms)", ground_force, 1e-3,
             0.1 * ground_force (0, 1e-3));
    compare ("the same, h = 2.5e-4", ground_force, 2.5e-4, 0.1 * ground_force (0, 2.5e-4));
    compare ("the same, h = 6.25e-5", ground_force, 6.25e-5, 0.1 * ground_force (0, 6.25e-5));
    compare ("rotor on a standing base, h = 1e-3: share of steps without contact", steps_without_contact,
             1e-3, 0);
    compare ("infinite motor on contacts, 2 rad/s, h = 1e-3: jump (rad)", jump_of_infinite_motor, 2, 1e-8);
    compare ("the same: the base rises by (m)", rise_of_base, 2, 1e-6);
    compare ("infinite motor on contacts, 25 rad/s, h = 1e-3: jump (rad)", jump_of_infinite_motor, 25, 1e-5);
    compare ("infinite motor asked beyond its reach: kinetic energy (J)", energy_beyond_reach, 0.01, 100);
    compare ("the same: joints open by (m)", gap_beyond_reach, 0.01, 1e-9);
    compare ("overlap of 40 cm: rise (m)", overlap_rise, 0.8, 0.45);
    compare ("the same, infinite friction", overlap_rise, (double)dInfinity, 0.45);
    compare ("40 boxes, infinite friction: depth at rest (m)", jammed_depth, 0.01, 0.02);
    compare ("ten boxes, e = 0.5: speed after 10 s", bouncing_speed, 0.01, 1e-9);
    compare ("ball, e = 0.8, h = 0.01: error after 2 s (m)", bouncing_ball, 0.01, 1e-9);
    compare ("four billiard balls, h = 1/120: error after 0.5 s (m)", billiards, 1.0 / 120, 2e-3);
    compare ("the same, h = 1/480", billiards, 1.0 / 480, 2e-4);
    return end_table ();
}
