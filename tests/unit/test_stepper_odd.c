/*
 * What programs do to a world while it moves: every type of joint in one tree, steps that change, gravity
 * that turns round, joints switched off and on, bodies moved, put to sleep and destroyed.  Joints stay
 * closed, and energy comes from nowhere.  A net pushed out of its plane costs work, but not without end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define CLOSED 1e-12 /* m or rad */
#define BARS 6

static void closed (const scene *s, const char *when)
{
    const double open = scene_violation (s);
    if (!(open <= CLOSED)) fail_msg ("%s: joints are open by %g", when, open);
}

/* ---- one tree with all joints that hold bodies together ---- */

static dJointID place (dJointID joint, dJointType type, dReal x)
{
    switch (type)
    {
    case dJointTypeUniversal:
        dJointSetUniversalAnchor (joint, x, 0, 0);
        dJointSetUniversalAxis1 (joint, 0, 1, 0), dJointSetUniversalAxis2 (joint, 0, 0, 1);
        break;
    case dJointTypePR:
        dJointSetPRAnchor (joint, x, 0, 0);
        dJointSetPRAxis1 (joint, 1, 0, 0), dJointSetPRAxis2 (joint, 0, 1, 0);
        dJointSetPRParam (joint, dParamLoStop1, (dReal)-0.2);
        dJointSetPRParam (joint, dParamHiStop1, (dReal)0.2);
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor (joint, x, 0, 0), dJointSetPistonAxis (joint, 1, 0, 0);
        dJointSetPistonParam (joint, dParamLoStop1, (dReal)-0.2);
        dJointSetPistonParam (joint, dParamHiStop1, (dReal)0.2);
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1 (joint, x, 0, 0), dJointSetDBallAnchor2 (joint, x - (dReal)0.3, 0, (dReal)0.1);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAxis (joint, 0, 1, 0);
        dJointSetDHingeAnchor1 (joint, x, 0, 0),
            dJointSetDHingeAnchor2 (joint, x - (dReal)0.3, 0, (dReal)0.1);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis (joint, 1, 0, 0);
        dJointSetSliderParam (joint, dParamLoStop, (dReal)-0.3);
        dJointSetSliderParam (joint, dParamHiStop, (dReal)0.3);
        dJointSetSliderParam (joint, dParamBounce, (dReal)0.5);
        break;
    default:
        dJointSetFixed (joint);
    }
    return joint;
}

static void all_joints_in_one_tree (void **state)
{
    (void)state;
    static dJointID (*const create[]) (dWorldID, dJointGroupID) = {
        dJointCreateUniversal, dJointCreatePR,    dJointCreatePiston, dJointCreateDBall,
        dJointCreateDHinge,    dJointCreateFixed, dJointCreateSlider};
    const double steps[] = {1e-4, 1e-2, 1.0 / 30};
    for (int i = 0; i < 3; ++i)
    {
        scene s = scene_open ((dReal)-9.81);
        for (int k = 0; k < 7; ++k)
        {
            const int body = scene_box (&s, (dReal)k + (dReal)0.5, (dReal)0.1 * (dReal)k, 0, (dReal)(1 + k),
                                        1, (dReal)0.2, (dReal)0.1);
            const dJointID joint = scene_joint (&s, create[k], body, body > 0 ? body - 1 : NO_BODY);
            place (joint, dJointGetType (joint), (dReal)k);
        }
        const double start = scene_energy (&s);
        for (int step = 0; step < 300; ++step)
        {
            scene_step (&s, (dReal)steps[i], 1);
            closed (&s, "tree");
            assert_true (scene_energy (&s) < start + 1e-6); /* stops and projections only take */
        }
        scene_close (&s);
    }
}

/* ---- an arm, and what happens to it ---- */

static scene arm (void)
{
    const double axis[3] = {0, 1, 0};
    scene s = scene_open ((dReal)-9.81);
    for (int k = 0; k < BARS; ++k)
    {
        const double from[3] = {k, 0, 0}, to[3] = {k + 1, 0, 0};
        scene_rod (&s, from, to);
        scene_hinge (&s, k, k > 0 ? k - 1 : NO_BODY, from, axis);
    }
    return s;
}

static void steps_that_change (void **state)
{
    (void)state;
    const double steps[] = {0.01, 0.001, 0.004, 1e-8, 0.02};
    scene s = arm ();
    const double start = scene_energy (&s);
    for (int step = 0; step < 1000; ++step)
    {
        scene_step (&s, (dReal)steps[step % 5], 1);
        closed (&s, "changing steps");
        assert_true (scene_energy (&s) < start + 20); /* of 350 J that it moves through */
    }
    scene_close (&s);
}

static void gravity_that_turns_round (void **state)
{
    (void)state;
    scene s = arm ();
    for (int turn = 0; turn < 20; ++turn)
    {
        dWorldSetGravity (s.world, 0, 0, (dReal)(turn % 2 ? 9.81 : -9.81));
        for (int step = 0; step < 25; ++step)
        {
            scene_step (&s, H, 1);
            closed (&s, "gravity");
        }
    }
    scene_close (&s);
}

/* Off and on again, at another place: closed at once, as any start that is open. */
static void joints_off_and_on (void **state)
{
    (void)state;
    scene s = arm ();
    for (int round = 0; round < 4; ++round)
    {
        scene_step (&s, H, 40);
        closed (&s, "before");
        dJointDisable (s.joint[2 + round]);
        scene_step (&s, H, 5);
        dJointEnable (s.joint[2 + round]);
        scene_step (&s, H, 1);
        closed (&s, "after");
    }
    scene_close (&s);
}

static void bodies_moved_and_destroyed (void **state)
{
    (void)state;
    scene s = arm ();
    scene_step (&s, H, 50);
    for (int b = 0; b < BARS; ++b) /* all of them, aside; the first joint takes them back */
    {
        const dReal *x = dBodyGetPosition (s.body[b]);
        dBodySetPosition (s.body[b], x[0], x[1] + (dReal)0.5, x[2]);
    }
    scene_step (&s, H, 1);
    closed (&s, "moved");
    dBodyDestroy (s.body[BARS - 1]);
    dJointDestroy (s.joint[BARS - 1]);
    s.bodies = s.joints = BARS - 1;
    for (int step = 0; step < 100; ++step)
    {
        scene_step (&s, H, 1);
        closed (&s, "destroyed");
    }
    scene_close (&s);
}

static void asleep_and_awake (void **state)
{
    (void)state;
    scene s = arm ();
    dWorldSetGravity (s.world, 0, 0, 0);
    for (int b = 0; b < BARS; ++b)
    {
        dBodySetAutoDisableFlag (s.body[b], 1);
        dBodySetAutoDisableSteps (s.body[b], 5);
    }
    for (int round = 0; round < 5; ++round)
    {
        scene_step (&s, H, 20);
        if (round == 0) assert_false (dBodyIsEnabled (s.body[0])); /* nothing has moved yet */
        dBodyEnable (s.body[round]);
        dBodyAddTorque (s.body[round], 0, 100, 0);
        for (int step = 0; step < 50; ++step)
        {
            scene_step (&s, H, 1);
            closed (&s, "awake");
        }
    }
    scene_close (&s);
}

/*
 * A net of balls in its plane has many more freedoms than one that has begun to bend: in each step it is as
 * close to a singular configuration as it moves.  Steps that fail there must not be tried in all ways every
 * time.
 */
static void net_that_bends (void **state)
{
    (void)state;
    enum
    {
        SIDE = 8,
        STEPS = 60
    };
    scene s = scene_open ((dReal)-9.81);
    dRLSReport report = {.struct_size = sizeof report};
    int factorisations = 0;
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        const int row = i / SIDE, column = i % SIDE;
        const int knot = scene_box (&s, column, 0, -row, 1, (dReal)0.3, (dReal)0.2, (dReal)0.1);
        const double above[3] = {column, 0, 0.5 - row}, left[3] = {column - 0.5, 0, -row};
        scene_ball (&s, row > 0 ? knot - SIDE : NO_BODY, knot, above);
        if (column > 0) scene_ball (&s, knot - 1, knot, left);
        dBodySetLinearVel (s.body[knot], 0, (dReal)(sin (0.3 * column + 0.2 * row) * row / SIDE), 0);
    }
    const double start = scene_energy (&s);
    for (int step = 0; step < STEPS; ++step)
    {
        scene_step (&s, H, 1);
        assert_true (dRLSStepperGetReport (s.stepper, &report));
        factorisations += report.factorisations;
        assert_true (scene_violation (&s) <= 1e-5);
    }
    assert_true (scene_energy (&s) <= start + 1e-3);
    if (factorisations > 90 * STEPS) fail_msg ("%d factorisations in %d steps", factorisations, STEPS);
    scene_close (&s);
}

/* Rods that would turn by a radian or more in a step: the row at its end may be at right angles to that at
 * its beginning, and a residual along it cannot be told in the terms of the other. */
static void rods_that_turn_far (void **state)
{
    (void)state;
    for (int joint = 0; joint < 2; ++joint)
        for (int eighths = 4; eighths < 32; ++eighths)
            for (int spin = 0; spin < 4; ++spin)
            {
                scene s = scene_open (0);
                const int b = scene_box (&s, (dReal)0.2, 0, 0, 1, (dReal)0.3, (dReal)0.2, (dReal)0.1);
                const dJointID rod =
                    scene_joint (&s, joint ? dJointCreateDHinge : dJointCreateDBall, b, NO_BODY);
                if (joint)
                {
                    dJointSetDHingeAxis (rod, 0, 0, 1);
                    dJointSetDHingeAnchor1 (rod, (dReal)0.2, 0, 0), dJointSetDHingeAnchor2 (rod, 0, 0, 0);
                }
                else
                    dJointSetDBallAnchor1 (rod, (dReal)0.2, (dReal)(0.03 * spin), 0),
                        dJointSetDBallAnchor2 (rod, 0, 0, 0);
                dBodySetLinearVel (s.body[b], 0, (dReal)0.2 / H * (dReal)eighths / 8, 0);
                dBodySetAngularVel (s.body[b], (dReal)spin, 0, (dReal)spin);
                for (int step = 0; step < 50; ++step)
                {
                    scene_step (&s, H, 1);
                    const double open = scene_violation (&s);
                    if (!(open <= 1e-9)) fail_msg ("%d eighths: open by %g", eighths, open);
                }
                scene_close (&s);
            }
}

/* ---- a pendulum on a body that the program moves ---- */

/* On a kinematic body with a constant velocity it swings as on the world, under the methods with multipliers
 * as well, which know no balance of such a body. */
static void carried_pendulum (void **state)
{
    static const int corrections[] = {dRLSCorrectionProjection, dRLSCorrectionAugmented,
                                      dRLSCorrectionConserving};
    static const double from[3] = {0, 0, 0}, to[3] = {1, 0, 0}, axis[3] = {0, 1, 0};
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        const dReal speed = (dReal)0.7;
        scene on_world = scene_open ((dReal)-9.81), carried = scene_open ((dReal)-9.81);
        scene_rod (&on_world, from, to), scene_rod (&carried, from, to);
        const int carrier = scene_box (&carried, 0, 0, 0, 1, 1, 1, 1);
        scene_hinge (&on_world, 0, NO_BODY, from, axis), scene_hinge (&carried, 0, carrier, from, axis);
        dBodySetKinematic (carried.body[carrier]);
        for (int b = 0; b < 2; ++b) dBodySetLinearVel (carried.body[b], speed, 0, 0);
        dRLSStepperSetCorrection (scene_stepper (&on_world), corrections[i]);
        dRLSStepperSetCorrection (scene_stepper (&carried), corrections[i]);
        scene_step (&on_world, H, 100), scene_step (&carried, H, 100);
        const dReal *x = dBodyGetPosition (on_world.body[0]), *y = dBodyGetPosition (carried.body[0]);
        const double off = fabs ((double)(y[0] - speed * H * 100 - x[0])) + fabs ((double)(y[2] - x[2]));
        print_message ("correction %d: off by %.1e m\n", corrections[i], off);
        if (!(off < 1e-7)) fail_msg ("correction %d: off by %g m", corrections[i], off);
        scene_close (&on_world), scene_close (&carried);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (all_joints_in_one_tree),
        cmocka_unit_test (steps_that_change),
        cmocka_unit_test (gravity_that_turns_round),
        cmocka_unit_test (joints_off_and_on),
        cmocka_unit_test (bodies_moved_and_destroyed),
        cmocka_unit_test (asleep_and_awake),
        cmocka_unit_test (net_that_bends),
        cmocka_unit_test (rods_that_turn_far),
        cmocka_unit_test (carried_pendulum),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
