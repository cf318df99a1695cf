/*
 * Linkages with motors, friction and stops that fall so fast that steps are too long for them: such steps are
 * taken in pieces, as those without drives are. Taken whole, or by Euler's method, they lost up to half of
 * the energy, most of them without a warning, and joints did not have the forces that their feedback told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_spatial.h"

#define H 0.01
#define FINE 8 /* steps in H of the motion that is compared with */
#define SECONDS 0.5

/* What a linkage is given: a motor (rad/s, N m) in one hinge, friction (N m) in all, or stops (rad). */
typedef struct
{
    const char *linkage;
    int hinge;
    double rate, strength, friction, stop;
    double off, energy; /* m and rad, J: how far the ends of coarse and fine steps may be apart */
} driven;

static const driven cases[] = {
    {"Delta robot", 0, 1, 50, 0, 0, 2e-3, 0.1},             /* whole steps: 6e-3, 0.7 J without a warning */
    {"Delta robot", 2, 1, 50, 0, 0, 5e-3, 0.2},             /* 5e-2, 1.8 J without a warning */
    {"Delta robot", 0, 0, 0, 0.3, 0, 1e-3, 0.2},            /* 6e-3, 1.2 J */
    {"Delta robot", 0, 0, 0, 0, 0.15, 2e-3, 0.2},           /* 1.5e-2, 1.9 J */
    {"Hoberman ring of 6, hung", 0, 0, 0, 0.3, 0, 1e-3, 1}, /* 7e-3, 5.7 J */
    {"Hoberman ring of 6, hung", 0, 1, 1, 0, 0, 1e-3, 1},   /* 8.8 J */
};

static scene open_driven (const driven *d)
{
    int i = 0;
    while (strcmp (spatials[i].name, d->linkage) != 0) ++i;
    scene s = spatial_open (&spatials[i]);
    for (int j = 0, hinges = 0; j < s.joints; ++j)
    {
        if (dJointGetType (s.joint[j]) != dJointTypeHinge) continue;
        if (d->friction > 0) dJointSetHingeParam (s.joint[j], dParamFMax, (dReal)d->friction);
        if (hinges++ != d->hinge) continue;
        if (d->strength > 0) dJointSetHingeParam (s.joint[j], dParamFMax, (dReal)d->strength);
        dJointSetHingeParam (s.joint[j], dParamVel, (dReal)d->rate);
        if (d->stop > 0) dJointSetHingeParam (s.joint[j], dParamLoStop, (dReal)-d->stop);
        if (d->stop > 0) dJointSetHingeParam (s.joint[j], dParamHiStop, (dReal)d->stop);
    }
    return s;
}

static void coarse_steps_follow_the_motion (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof (cases) / sizeof (*cases); ++i)
    {
        scene coarse = open_driven (&cases[i]), fine = open_driven (&cases[i]);
        scene_step (&coarse, (dReal)H, (int)lround (SECONDS / H));
        scene_step (&fine, (dReal)(H / FINE), (int)lround (SECONDS / H) * FINE);
        const double off = scene_pose_difference (&coarse, &fine),
                     energy = fabs (scene_energy (&coarse) - scene_energy (&fine));
        if (!(off <= cases[i].off && energy <= cases[i].energy))
            fail_msg ("case %d, %s: off by %g, %g J", (int)i, cases[i].linkage, off, energy);
        scene_close (&coarse);
        scene_close (&fine);
    }
}

/* Newton's and Euler's equations hold for every body in every step, pieces or not. */
static void feedback_is_what_moves_the_bodies (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof (cases) / sizeof (*cases); ++i)
    {
        scene s = open_driven (&cases[i]);
        dRLSCertificateID certificate = dRLSCertificateCreate ();
        scene_step (&s, (dReal)H, 1); /* makes the velocities fit the joints */
        for (int step = 1; step < lround (SECONDS / H); ++step)
        {
            dRLSStepCertificate c = {.struct_size = sizeof (c)};
            assert_true (dRLSCertificateBegin (certificate, s.body, s.bodies));
            scene_step (&s, (dReal)H, 1);
            assert_true (dRLSCertificateEnd (certificate, (dReal)H, &c));
            if (!(c.force_balance <= 1e-9 * c.largest_force && c.gap_m <= 1e-10))
                fail_msg ("case %d, %s, step %d: %g N of %g N, open by %g m", (int)i, cases[i].linkage, step,
                          (double)c.force_balance, (double)c.largest_force, (double)c.gap_m);
        }
        dRLSCertificateDestroy (certificate);
        scene_close (&s);
    }
}

/* Strong motors of an arm that start, stop and turn round between two steps of h (s) are followed by whole
 * steps.  speed: rad/s. */
static void start_motors (double h, double speed)
{
    const double at[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, axis[3] = {0, 1, 0},
                 rates[] = {2, 2, 2, 0, 0, -1, -1, 1, -1, 1, 0, 1};
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < 2; ++i)
    {
        scene_rod (&s, at[i], at[i + 1]);
        scene_hinge (&s, i, i - 1, at[i], axis);
        dJointSetHingeParam (s.joint[i], dParamFMax, 3000);
    }
    for (int step = 0; step < 60; ++step)
    {
        for (int i = 0; i < 2; ++i)
            dJointSetHingeParam (s.joint[i], dParamVel, (dReal)(speed * rates[(step + 5 * i) % 12]));
        scene_step (&s, (dReal)h, 1);
        for (int i = 0; i < 2; ++i)
        {
            const double off =
                (double)(dJointGetHingeAngleRate (s.joint[i]) - dJointGetHingeParam (s.joint[i], dParamVel));
            if (!(fabs (off) < 1e-9)) fail_msg ("step %d: motor %d is off by %g rad/s", step, i, off);
        }
        if (dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback) > 0)
            fail_msg ("%g s, %g rad/s: step %d in pieces", h, speed, step);
    }
    scene_close (&s);
}

static void motors_that_start_are_followed (void **state)
{
    (void)state;
    start_motors (1.0 / 30, 1);
    start_motors (0.01, 0.05);
}

/* Where a motor has moved its axis of a universal or a PR joint, whose first axis, or slide, is free. */
static dReal where_universal (dJointID joint) { return dJointGetUniversalAngle2 (joint); }
static dReal where_pr (dJointID joint) { return dJointGetPRAngle (joint); }

static dJointID place_universal (scene *s, int body)
{
    const int post = scene_box (s, 0, 0, -1, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
    dJointSetFixed (scene_joint (s, dJointCreateFixed, post, NO_BODY));
    const dJointID joint = scene_joint (s, dJointCreateUniversal, body, post);
    dJointSetUniversalAnchor (joint, 0, 0, 0);
    dJointSetUniversalAxis1 (joint, 0, 1, 0), dJointSetUniversalAxis2 (joint, 1, 0, 0);
    dJointSetUniversalParam (joint, dParamVel2, (dReal)1.3);
    dJointSetUniversalParam (joint, dParamFMax2, 10);
    return joint;
}

static dJointID place_pr (scene *s, int body)
{
    const int carrier = scene_box (s, 0, 0, 0, 1, (dReal)0.1, (dReal)0.2, (dReal)0.3);
    scene_hinge (s, carrier, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0});
    dBodySetAngularVel (s->body[carrier], 0, 6, 0), dBodySetAngularVel (s->body[body], 0, 6, 0);
    dBodySetLinearVel (s->body[body], 0, 0, (dReal)-1.8);
    const dJointID joint = scene_joint (s, dJointCreatePR, body, carrier);
    dJointSetPRAnchor (joint, 0, 0, 0);
    dJointSetPRAxis1 (joint, 0, 0, 1), dJointSetPRAxis2 (joint, 1, 0, 0);
    dJointSetPRParam (joint, dParamVel2, (dReal)1.3), dJointSetPRParam (joint, dParamFMax2, 10);
    dJointSetPRParam (joint, dParamLoStop, 0), dJointSetPRParam (joint, dParamHiStop, 0);
    return joint;
}

/* A thin rod that swings, and is turned about itself: a hundredth of a second of a rate moves the axis by a
 * hundredth of it.  The mean of the angular velocities at both ends of a step, by which other rows go, is
 * that of thin bodies only for much shorter steps. */
static void thin_rods_are_turned_by_their_rates (void **state)
{
    (void)state;
    static const struct
    {
        dJointID (*place) (scene *s, int body);
        dReal (*where) (dJointID joint);
    } of[] = {{place_universal, where_universal}, {place_pr, where_pr}};
    for (int i = 0; i < 4; ++i)
    {
        scene s = scene_open ((dReal)-9.81);
        const double thick = i < 2 ? 0.01 : 0.002;
        const int body = scene_box (&s, (dReal)0.3, 0, 0, 1, (dReal)0.6, (dReal)thick, (dReal)(0.5 * thick));
        const dJointID joint = (*of[i % 2].place) (&s, body);
        scene_step (&s, (dReal)H, 1);
        for (int step = 1; step < 60; ++step)
        {
            const double before = (double)(*of[i % 2].where) (joint);
            scene_step (&s, (dReal)H, 1);
            const double moved = remainder ((double)(*of[i % 2].where) (joint)-before, 2 * M_PI);
            if (!(fabs (moved - 1.3 * H) < 1e-6))
                fail_msg ("joint %d, step %d: moved by %g instead of %g rad", i, step, moved, 1.3 * H);
        }
        scene_close (&s);
    }
}

/* A box that hangs from a point and is turned about three axes, of the world or of a body, turns about one
 * line.  ODE tells no angle of such motors; by the mean of the angular velocities at both ends of a step the
 * box lagged by 0.006 rad in half a second (dWorldStep: 0.0007). */
static void bodies_turn_by_the_rates_of_angular_motors (void **state)
{
    (void)state;
    static const double rate[3] = {2, 3, 4};
    for (int relative = 0; relative < 3; ++relative)
    {
        scene s = scene_open ((dReal)-9.81);
        const int post = scene_box (&s, 0, 0, 0, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1),
                  box = scene_box (&s, (dReal)0.3, 0, 0, 1, (dReal)0.6, (dReal)0.2, (dReal)0.1);
        dJointSetFixed (scene_joint (&s, dJointCreateFixed, post, NO_BODY));
        scene_ball (&s, box, post, (const double[3]){0, 0, 0});
        const dJointID motor = scene_joint (&s, dJointCreateAMotor, box, post);
        dJointSetAMotorNumAxes (motor, 3);
        for (int k = 0; k < 3; ++k)
        {
            dJointSetAMotorAxis (motor, k, relative, k == 0, k == 1, k == 2);
            dJointSetAMotorParam (motor, dParamVel + k * dParamGroup, (dReal)rate[k]);
            dJointSetAMotorParam (motor, dParamFMax + k * dParamGroup, 1000);
        }
        scene_step (&s, (dReal)H, 50);

        /* the quaternion of the turn about the line */
        const double total = sqrt (29), half = 0.5 * 50 * H * total;
        const dReal *q = dBodyGetQuaternion (s.body[box]);
        for (int k = 0; k < 3; ++k)
        {
            const double off = (double)q[1 + k] - sin (half) * rate[k] / total;
            if (!(fabs (off) < 1e-8)) fail_msg ("axes of %d: off by %g", relative, off);
        }
        scene_close (&s);
    }
}

/* By how much a body has turned about its own x axis since it had the orientation q. */
static double turned_about_x (const dQuaternion q, dBodyID body)
{
    const dQuaternion back = {q[0], -q[1], -q[2], -q[3]};
    dQuaternion turn;
    dQMultiply0 (turn, back, dBodyGetQuaternion (body));
    const double sine = sqrt ((double)(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]));
    return 2 * atan2 (sine, (double)turn[0]) / sine * (double)turn[1];
}

/* Rods so thin that the first half of a whole step is not solved for their motor, which then lagged by a
 * third of its rate, unreported: steps are taken in pieces, and it is reported that they are. */
static void rods_too_thin_for_a_step_are_turned_in_pieces (void **state)
{
    (void)state;
    for (double thick = 2e-3; thick > 2e-4; thick *= 0.5)
    {
        scene s = scene_open ((dReal)-9.81);
        const int rod = scene_box (&s, (dReal)0.3, 0, 0, 1, (dReal)0.6, (dReal)thick, (dReal)(0.5 * thick));
        scene_ball (&s, rod, NO_BODY, (const double[3]){0, 0, 0});
        const dJointID motor = scene_joint (&s, dJointCreateAMotor, rod, NO_BODY);
        dJointSetAMotorNumAxes (motor, 1), dJointSetAMotorAxis (motor, 0, 1, 1, 0, 0);
        dJointSetAMotorParam (motor, dParamVel, (dReal)1.3), dJointSetAMotorParam (motor, dParamFMax, 10);
        scene_step (&s, (dReal)H, 1);
        for (int step = 1; step < 60; ++step)
        {
            dQuaternion before;
            memcpy (before, dBodyGetQuaternion (s.body[rod]), sizeof (before));
            const unsigned long told = dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback);
            scene_step (&s, (dReal)H, 1);
            const double off = fabs (turned_about_x (before, s.body[rod]) - 1.3 * H),
                         whole = dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback) == told;
            if (!(off < (whole > 0 ? 1e-6 : 1e-5)))
                fail_msg ("%g m, step %d: off by %g rad", thick, step, off);
        }
        scene_close (&s);
    }
}

/* A motor that turns a wheel by more than half a turn in a step: no angle tells by how many whole turns. */
static void wheels_turn_by_more_than_half_a_turn (void **state)
{
    (void)state;
    static const double rates[] = {300, 350, 500, 700, 900};
    for (int i = 0; i < 5; ++i)
    {
        scene s = scene_open (0);
        const int wheel = scene_box (&s, 0, 0, 0, 1, (dReal)0.3, (dReal)0.3, (dReal)0.1);
        const dJointID axle =
            scene_hinge (&s, wheel, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
        dJointSetHingeParam (axle, dParamVel, (dReal)rates[i]), dJointSetHingeParam (axle, dParamFMax, 100);
        dBodySetAngularVel (s.body[wheel], 0, 0, (dReal)rates[i]);
        for (int step = 0; step < 20; ++step)
        {
            const double before = (double)dJointGetHingeAngle (axle);
            scene_step (&s, (dReal)H, 1);
            const double off =
                remainder ((double)dJointGetHingeAngle (axle) - before - rates[i] * H, 2 * M_PI);
            if (!(fabs (off) < 1e-9)) fail_msg ("%g rad/s, step %d: off by %g rad", rates[i], step, off);
        }
        scene_close (&s);
    }
}

/* A motor that drives into a stop that rebounds reaches it again within the step, and is not a constant
 * force: the way back to the stop is no parabola. */
static void motors_stay_at_stops_that_rebound (void **state)
{
    (void)state;
    for (int i = 0; i < 40; ++i)
    {
        scene s = scene_open (0);
        const int arm = scene_box (&s, (dReal)0.2, 0, 0, 1, (dReal)0.4, (dReal)0.1, (dReal)0.1);
        const double stop = 0.033 + 0.01 / 40 * i;
        const dJointID joint =
            scene_hinge (&s, arm, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
        dJointSetHingeParam (joint, dParamVel, 1), dJointSetHingeParam (joint, dParamFMax, 1000);
        dJointSetHingeParam (joint, dParamHiStop, (dReal)stop);
        dJointSetHingeParam (joint, dParamBounce, (dReal)0.8);
        for (int step = 0; step < 12; ++step)
        {
            scene_step (&s, (dReal)H, 1);
            const double past = (double)dJointGetHingeAngle (joint) - stop;
            if (!(past < 1e-9)) fail_msg ("stop at %g, step %d: passed by %g rad", stop, step, past);
        }
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (bodies_turn_by_the_rates_of_angular_motors),
        cmocka_unit_test (rods_too_thin_for_a_step_are_turned_in_pieces),
        cmocka_unit_test (wheels_turn_by_more_than_half_a_turn),
        cmocka_unit_test (motors_stay_at_stops_that_rebound),
        cmocka_unit_test (motors_that_start_are_followed),
        cmocka_unit_test (thin_rods_are_turned_by_their_rates),
        cmocka_unit_test (coarse_steps_follow_the_motion),
        cmocka_unit_test (feedback_is_what_moves_the_bodies),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
