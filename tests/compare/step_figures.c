/*
 * What bounded and soft rows come to in the accurate step: figures asked, reached, and what dWorldStep
 * reaches, in one table: build/bin/step_figures [--quick].  Fails if ode-rls misses a figure that is asked of
 * it.
 *
 * Reactions are asked of a bar that turns, the balance of each body by the certificate of the step, errors of
 * motion against the same step at 1/64 of the length, rest by drifts over the second half of a run.
 */
#include "step_rig.h"
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

/* A rotor with its mass off the axis on a base that stands on contacts: rms error of the ground's force (N).
 */
static double ground_force (int with_rls, double h)
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
    for (int i = 0; i < steps; ++i)
    {
        const double before = 10 * (double)dBodyGetLinearVel (base)[2] + (double)dBodyGetLinearVel (rotor)[2];
        step (&r, h);
        const double after = 10 * (double)dBodyGetLinearVel (base)[2] + (double)dBodyGetLinearVel (rotor)[2];
        const double exact = 11 * G + rate * rate * arm * sin (rate * (i + 0.5) * h);
        const double off = (after - before) / h + 11 * G - exact;
        if (i >= steps / 10) sum += off * off;
    }
    close_rig (&r);
    return sqrt (sum / steps);
}

/* A motor of infinite strength on a base that stands on contacts: the largest jump of its angle (rad). */
static double infinite_motor (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double base_size[3] = {1, 1, 0.2}, arm_size[3] = {0.6, 0.1, 0.1};
    dCreatePlane (r.space, 0, 0, 1, 0);
    const dBodyID base = add_box (&r, 10, base_size, 0, 0, 0.1, 1),
                  arm = add_box (&r, 1, arm_size, 0.3, 0, 0.5, 0);
    const dJointID motor = add_hinge (&r, base, arm, 0, 0, 0.5, along_y);
    set_motor (motor, 2, dInfinity);
    double worst = 0, last = 0;
    for (int i = 0; i < 1000; ++i)
    {
        step (&r, h);
        const double angle = (double)dJointGetHingeAngle (motor);
        if (i > 0) worst = fmax (worst, fabs (remainder (angle - last - 2 * h, 2 * M_PI)));
        last = angle;
    }
    close_rig (&r);
    return worst;
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

/* ---- rest ---- */

/* How far the highest body of n boxes on each other moves in the second half of 20 s. */
static double stack_drift (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double seconds = 20;
    dCreatePlane (r.space, 0, 0, 1, 0);
    for (int i = 0; i < 10; ++i) add_box (&r, 1, cube, 0, 0, 0.5 + i, 1);
    run (&r, h, seconds / 2);
    dReal at[3];
    memcpy (at, dBodyGetPosition (r.body[9]), sizeof (at));
    run (&r, h, seconds / 2);
    const dReal *x = dBodyGetPosition (r.body[9]);
    const double drift =
        hypot (hypot ((double)(x[0] - at[0]), (double)(x[1] - at[1])), (double)(x[2] - at[2]));
    close_rig (&r);
    return drift;
}

static double incline_drift (int with_rls, double h)
{
    rig r = open_rig (with_rls, G * sin (0.35), -G * cos (0.35));
    dCreatePlane (r.space, 0, 0, 1, 0);
    add_box (&r, 1, cube, 0, 0, 0.5, 1);
    run (&r, h, 2);
    const double at = (double)dBodyGetPosition (r.body[0])[0];
    run (&r, h, quick ? 4 : 60);
    const double drift = fabs ((double)dBodyGetPosition (r.body[0])[0] - at);
    close_rig (&r);
    return drift;
}

/* A box between two pads that press it: how far it slips in a minute, after two seconds to come to rest. */
static double grip_slip (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double box_size[3] = {0.2, 0.2, 0.2}, pad_size[3] = {0.1, 0.2, 0.2}, seconds = quick ? 6 : 60;
    const dBodyID box = add_box (&r, 1, box_size, 0, 0, 0, 1);
    for (int i = 0; i < 2; ++i)
    {
        const dBodyID pad = add_box (&r, 1, pad_size, i ? 0.15 : -0.15, 0, 0, 1);
        const dJointID slider = dJointCreateSlider (r.world, NULL);
        dJointAttach (slider, pad, NULL);
        dJointSetSliderAxis (slider, i ? -1 : 1, 0, 0);
        dJointSetSliderParam (slider, dParamVel, (dReal)0.1);
        dJointSetSliderParam (slider, dParamFMax, 30);
    }
    run (&r, h, 2);
    const double at = (double)dBodyGetPosition (box)[2], beside = (double)dBodyGetPosition (box)[1];
    run (&r, h, seconds);
    const dReal *x = dBodyGetPosition (box);
    const double slip = hypot ((double)x[2] - at, (double)x[1] - beside) * 60 / seconds;
    close_rig (&r);
    return slip;
}

/* A car on four hinge-2 suspensions, pushed once: its kinetic energy (J) half a minute later. */
static double car_energy (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double body_size[3] = {3, 1.5, 0.5}, k = 40000, c = 3000;
    dCreatePlane (r.space, 0, 0, 1, 0);
    const dBodyID car = add_box (&r, 1000, body_size, 0, 0, 0.8, 0);
    for (int i = 0; i < 4; ++i)
    {
        const double x = i & 1 ? 1.2 : -1.2, y = i & 2 ? 0.8 : -0.8;
        const dVector3 up = {0, 0, 1}, axle = {0, 1, 0};
        dMass m;
        const dBodyID wheel = r.body[r.bodies++] = dBodyCreate (r.world);
        dMassSetSphereTotal (&m, 20, (dReal)0.35);
        dBodySetMass (wheel, &m);
        dBodySetPosition (wheel, (dReal)x, (dReal)y, (dReal)0.35);
        dGeomSetBody (dCreateSphere (r.space, (dReal)0.35), wheel);
        const dJointID joint = dJointCreateHinge2 (r.world, NULL);
        dJointAttach (joint, car, wheel);
        dJointSetHinge2Anchor (joint, (dReal)x, (dReal)y, (dReal)0.35);
        dJointSetHinge2Axes (joint, up, axle);
        dJointSetHinge2Param (joint, dParamLoStop, 0);
        dJointSetHinge2Param (joint, dParamHiStop, 0);
        dJointSetHinge2Param (joint, dParamSuspensionERP, (dReal)(h * k / (h * k + c)));
        dJointSetHinge2Param (joint, dParamSuspensionCFM, (dReal)(1 / (h * k + c)));
        dJointSetHinge2Param (joint, dParamFMax2, 500);
    }
    run (&r, h, 1);
    dBodyAddForce (car, 30000, 20000, 0);
    run (&r, h, quick ? 15 : 30);
    double energy = 0;
    for (int i = 0; i < r.bodies; ++i) energy += 0.5 * (i ? 20 : 1000) * pow (speed_of (r.body[i]), 2);
    close_rig (&r);
    return energy;
}

/* Two links held out by motors that want no motion, or one by dry friction: how far they sink in a minute
 * (rad), after two seconds. */
static double held_links (int with_rls, double h)
{
    rig r = open_rig (with_rls, 0, -G);
    const double seconds = quick ? 6 : 60;
    const dBodyID a = add_box (&r, 1, link_size, 0.5, 0, 0, 0), b = add_box (&r, 1, link_size, 1.5, 0, 0, 0);
    const dJointID upper = add_hinge (&r, a, NULL, 0, 0, 0, along_y),
                   lower = add_hinge (&r, a, b, 1, 0, 0, along_y);
    set_motor (upper, 0, 100), set_motor (lower, 0, 6);
    run (&r, h, 2);
    const double at[2] = {(double)dJointGetHingeAngle (upper), (double)dJointGetHingeAngle (lower)};
    run (&r, h, seconds);
    const double sunk = fabs ((double)dJointGetHingeAngle (upper) - at[0]) +
                        fabs ((double)dJointGetHingeAngle (lower) - at[1]);
    close_rig (&r);
    return sunk * 60 / seconds;
}

/* The worst of a figure at steps from 1/30 to 1/2000 s. */
static void at_every_step (const char *what, figure *of, double asked)
{
    static const double steps[] = {30, 60, 125, 500, 2000};
    double worst[2] = {0, 0};
    for (int i = 0; i < 5; ++i)
        for (int with_rls = 0; with_rls < 2; ++with_rls)
            worst[with_rls] = fmax (worst[with_rls], of (with_rls, 1 / steps[i]));
    line (what, worst[0], worst[1], asked, 0);
}

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

/* ---- springs ---- */

/* A body on a point that gives way with any stiffness, at 1/60: the most that its energy has risen, of what
 * it began with. */
static double stiff_growth (void)
{
    double worst = 0;
    for (double k = 1; k <= 1e12; k *= 10)
        for (double c = 0; c <= 1e6; c = c > 0 ? 1e3 * c : 1)
        {
            rig r = open_rig (1, 0, 0);
            const dBodyID body = add_box (&r, 5, cube, 0, 0, 0, 0);
            const dJointID ball = dJointCreateBall (r.world, NULL);
            dJointAttach (ball, body, NULL);
            dJointSetBallAnchor (ball, 0, 0, 0);
            dBodySetLinearVel (body, 1, 0, 0);
            dRLSStepperSetJointCompliance (r.stepper, ball, (dReal)k, (dReal)c);
            for (int i = 0; i < 300; ++i)
            {
                step (&r, 1.0 / 60);
                const double x = (double)dBodyGetPosition (body)[0], v = (double)dBodyGetLinearVel (body)[0];
                worst = fmax (worst, (0.5 * 5 * v * v + 0.5 * k * x * x) / 2.5 - 1);
            }
            close_rig (&r);
        }
    return worst;
}

int main (int argc, char **argv)
{
    quick = argc > 1 && strcmp (argv[1], "--quick") == 0;
    begin_table ();
    compare ("bar at 10 rad/s, motor of 100 N m: reaction, relative", bar_reaction, 100, 1e-3);
    compare ("the same, friction of 0.01 N m", bar_reaction, 0.01, 1e-3);
    compare ("motor between two bodies, h = 0.01: rate (rad/s)", motor_rate, 0.01, 1e-9);
    compare ("wheel in finite rotation mode, 30 rad/s, h = 0.02: angle, relative", wheel_angle, 30, 1e-12);
    compare ("the same, 60 rad/s", wheel_angle, 60, 1e-12);
    compare ("motors, stop and contacts: balance of a body, relative", balance, 0.01, 1e-9);
    compare ("rotor on a standing base, h = 1e-3: ground force (N, rms)", ground_force, 1e-3,
             0.1 * ground_force (0, 1e-3));
    compare ("the same, h = 2.5e-4", ground_force, 2.5e-4, 0.1 * ground_force (0, 2.5e-4));
    compare ("infinite motor on contacts, h = 1e-3: jump (rad)", infinite_motor, 1e-3, 1e-8);
    compare ("infinite motor asked beyond its reach: kinetic energy (J)", energy_beyond_reach, 0.01, 100);
    compare ("the same: joints open by (m)", gap_beyond_reach, 0.01, 1e-9);
    compare ("stack of 10, h = 1/60: drift (m)", stack_drift, 1.0 / 60, 1e-12);
    compare ("stack of 10, h = 1/100: drift (m)", stack_drift, 1.0 / 100, 1e-12);
    compare ("stack of 10, h = 1/400: drift (m)", stack_drift, 1.0 / 400, 1e-12);
    at_every_step ("box on an incline, h = 1/30 .. 1/2000: drift (m)", incline_drift, 1e-12);
    at_every_step ("gripper, h = 1/30 .. 1/2000: slip (m a minute)", grip_slip, 1e-9);
    at_every_step ("links held out, h = 1/30 .. 1/2000: sinking (rad a minute)", held_links, 1e-9);
    at_every_step ("parked car, pushed once, h = 1/30 .. 1/2000: kinetic energy (J)", car_energy, 1e-12);
    compare ("overlap of 40 cm: rise (m)", overlap_rise, 0.8, 0.45);
    compare ("the same, infinite friction", overlap_rise, (double)dInfinity, 0.45);
    compare ("40 boxes, infinite friction: depth at rest (m)", jammed_depth, 0.01, 0.02);
    compare ("ten boxes, e = 0.5: speed after 10 s", bouncing_speed, 0.01, 1e-9);
    compare ("ball, e = 0.8, h = 0.01: error after 2 s (m)", bouncing_ball, 0.01, 1e-9);
    line ("springs, k = 1 .. 1e12, c = 0 .. 1e6, h = 1/60: growth of energy", NAN, stiff_growth (), 1e-9, 0);
    return end_table ();
}
