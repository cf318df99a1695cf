/*
 * Steps that are refused: bad step sizes, numbers that are not finite, impossible masses.  The world stays as
 * it was, bit for bit, and goes on as if nothing had happened once the cause is gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_linkages.h"

#define H ((dReal)0.01)
#define INF ((dReal)HUGE_VAL)
#define NOT_A_NUMBER ((dReal)NAN)

/*
 * Several islands; rotations that were set as matrices, so that they are not what their quaternions give;
 * forces on all bodies; a motor driven into its stop, which pushes its bodies while rows are asked for.
 */
static scene build (void)
{
    scene s = scene_open ((dReal)-9.81);
    linkage_bricard (&s, 0);
    linkage_fourbars (&s, 2, 0.5);
    const int lone = scene_box (&s, -5, 0, 0, 1, 1, 2, 3), motored = scene_box (&s, -9, 0, 0, 1, 1, 2, 3);
    dMatrix3 askew;
    dRFromAxisAndAngle (askew, (dReal)0.3, (dReal)-0.7, (dReal)0.2, (dReal)1.1);
    askew[1] += (dReal)1e-13; /* as rotations are after some arithmetic */
    dBodySetRotation (s.body[lone], askew);
    dBodySetRotation (s.body[motored], askew);
    const dJointID motor =
        scene_hinge (&s, motored, NO_BODY, (const double[3]){-9, 0.5, 0}, (const double[3]){0, 0, 1});
    dJointSetHingeParam (motor, dParamHiStop, 0);
    dJointSetHingeParam (motor, dParamLoStop, (dReal)-1);
    dJointSetHingeParam (motor, dParamFMax, 3);
    dJointSetHingeParam (motor, dParamVel, 1);
    dJointSetHingeParam (motor, dParamFudgeFactor, (dReal)0.5);
    for (int b = 0; b < s.bodies; ++b)
    {
        dBodyAddForce (s.body[b], (dReal)0.1, (dReal)(0.2 * b), (dReal)-0.1);
        dBodyAddTorque (s.body[b], (dReal)0.01, 0, (dReal)(0.02 * b));
    }
    return s;
}

static dJointFeedback untouched_feedback (void)
{
    dJointFeedback f;
    memset (&f, 0x5A, sizeof (f));
    return f;
}

/* The step is refused with the status, nothing has changed, and the stepper says so. */
static void check_refusal (scene *s, dReal h, int status, const char *what)
{
    scene_body_state before[SCENE_MOST];
    dJointFeedback feedback[2] = {untouched_feedback (), untouched_feedback ()};
    const dJointFeedback same = untouched_feedback ();
    dJointSetFeedback (s->joint[0], &feedback[0]);
    dJointSetFeedback (s->joint[s->joints - 1], &feedback[1]);
    const dRLSStepperID stepper = scene_stepper (s);
    scene_look (s, before);
    if (dRLSStepperStep (stepper, h)) fail_msg ("%s: the step was done", what);
    if (dRLSStepperGetStatus (stepper) != status) fail_msg ("%s: %s", what, dRLSStepperGetMessage (stepper));
    assert_string_equal (dRLSStepperGetMessage (stepper), dRLSStatusText (status));
    if (!scene_same (s, before)) fail_msg ("%s: the world has changed", what);
    for (int i = 0; i < 2; ++i) assert_memory_equal (&feedback[i], &same, sizeof (same));
    dJointSetFeedback (s->joint[0], NULL);
    dJointSetFeedback (s->joint[s->joints - 1], NULL);
}

static void bad_step_sizes (void **state)
{
    (void)state;
    const dReal sizes[] = {0, -(dReal)0.0, (dReal)-0.01, INF, -INF, NOT_A_NUMBER};
    scene s = build (), plain = build ();
    scene_step (&s, H, 3), scene_step (&plain, H, 3);
    for (int i = 0; i < 6; ++i) check_refusal (&s, sizes[i], dRLSStatusBadStep, "bad step");
    scene_step (&s, H, 3), scene_step (&plain, H, 3);
    assert_true (scene_pose_difference (&s, &plain) == 0);
    scene_close (&s), scene_close (&plain);
}

static void unsupported_choices (void **state)
{
    (void)state;
    scene s = build ();
    dRLSStepperSetIntegrator (scene_stepper (&s), dRLSIntegratorSymplectic4);
    dRLSStepperSetCorrection (s.stepper, dRLSCorrectionERP);
    check_refusal (&s, H, dRLSStatusUnsupported, "ERP in a 4th order step");
    dRLSStepperSetCorrection (s.stepper, dRLSCorrectionDefault);
    dRLSStepperSetIntegrator (s.stepper, dRLSIntegratorDefault);
    scene_step (&s, H, 1);
    scene_close (&s);
}

/* ---- numbers that are not finite ---- */

typedef void poisoning (dBodyID body, dReal poison);

static void poison_position (dBodyID body, dReal p) { dBodySetPosition (body, p, 0, 0); }
static void poison_velocity (dBodyID body, dReal p) { dBodySetLinearVel (body, 0, p, 0); }
static void poison_spin (dBodyID body, dReal p) { dBodySetAngularVel (body, 0, 0, p); }
static void poison_force (dBodyID body, dReal p) { dBodySetForce (body, p, 0, 0); }
static void poison_torque (dBodyID body, dReal p) { dBodySetTorque (body, 0, p, 0); }

static const struct
{
    const char *name;
    poisoning *apply;
} poisonings[] = {
    {"position", poison_position}, {"velocity", poison_velocity}, {"spin", poison_spin},
    {"force", poison_force},       {"torque", poison_torque},
};

static void restore (const scene *s, int b, const scene_body_state *from)
{
    const dBodyID body = s->body[b];
    dBodySetPosition (body, from->x[0], from->x[1], from->x[2]);
    dBodySetLinearVel (body, from->v[0], from->v[1], from->v[2]);
    dBodySetAngularVel (body, from->w[0], from->w[1], from->w[2]);
    dBodySetForce (body, from->force[0], from->force[1], from->force[2]);
    dBodySetTorque (body, from->torque[0], from->torque[1], from->torque[2]);
}

static void check_poison (int which, dReal poison, int body, int integrator)
{
    scene s = build (), plain = build ();
    scene_body_state healthy[SCENE_MOST];
    dRLSStepperSetIntegrator (scene_stepper (&s), integrator);
    dRLSStepperSetIntegrator (scene_stepper (&plain), integrator);
    scene_look (&s, healthy);
    poisonings[which].apply (s.body[body], poison);
    check_refusal (&s, H, dRLSStatusNotFinite, poisonings[which].name);
    restore (&s, body, &healthy[body]);
    assert_true (scene_same (&s, healthy));
    scene_step (&s, H, 2), scene_step (&plain, H, 2);
    assert_true (scene_pose_difference (&s, &plain) == 0 && scene_velocity_difference (&s, &plain) == 0);
    scene_close (&s), scene_close (&plain);
}

/* In any body: the first, one amid a loop, the last, a lone one. */
static void poisoned_bodies (void **state)
{
    (void)state;
    const dReal poisons[] = {NOT_A_NUMBER, INF, -INF};
    for (int which = 0; which < 5; ++which)
        for (int p = 0; p < 3; ++p)
            for (int body = 0; body < 12; body += 2 + body % 3) check_poison (which, poisons[p], body, p % 2);
}

/* Finite, but the step would overflow. */
static void overflowing_numbers (void **state)
{
    (void)state;
    for (int which = 1; which < 5; ++which)
        for (int body = 0; body < 12; body += 5)
        {
            scene s = build ();
            scene_body_state healthy[SCENE_MOST];
            scene_look (&s, healthy);
            poisonings[which].apply (s.body[body], (dReal)1e308);
            scene_body_state before[SCENE_MOST];
            scene_look (&s, before);
            if (!dRLSStepperStep (scene_stepper (&s), 100))
            {
                assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
                if (!scene_same (&s, before))
                    fail_msg ("%s of body %d: the world has changed", poisonings[which].name, body);
                restore (&s, body, &healthy[body]);
                scene_step (&s, H, 2);
            }
            else if (body != 10)
                fail_msg ("%s of body %d: the step was done", poisonings[which].name, body);
            scene_close (&s);
        }
}

/* So fast that the square of a turn overflows, whatever takes the step: ODE would end the program over the
 * quaternion that comes of it. */
static void overflowing_spins (void **state)
{
    (void)state;
    for (int correction = 0; correction < dRLSCorrectionCount; ++correction)
        for (double spin = 1e20; spin < 1e305; spin *= 1e20)
            for (int body = 0; body < 12; body += 5)
            {
                scene s = build ();
                dRLSStepperSetCorrection (scene_stepper (&s), correction);
                poison_spin (s.body[body], (dReal)spin);
                for (int step = 0; step < 3; ++step)
                    if (!dRLSStepperStep (s.stepper, H))
                        assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
                scene_close (&s);
            }
}

static void poisoned_world_and_joints (void **state)
{
    (void)state;
    scene s = build ();
    dWorldSetGravity (s.world, 0, NOT_A_NUMBER, 0);
    check_refusal (&s, H, dRLSStatusNotFinite, "gravity");
    dWorldSetGravity (s.world, 0, 0, 0);
    scene_step (&s, H, 1);
    dJointSetHingeAnchor (s.joint[2], NOT_A_NUMBER, 0, 0);
    check_refusal (&s, H, dRLSStatusNotFinite, "anchor");
    assert_int_equal (dRLSStepperAnalyse (s.stepper), 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
    scene_close (&s);
}

/* ---- masses ---- */

static void extreme_masses (void **state)
{
    (void)state;
    const dReal masses[] = {(dReal)1e-300, (dReal)1e-30, (dReal)1e-9, (dReal)1e9, (dReal)1e30, (dReal)1e300};
    for (int i = 0; i < 6; ++i)
        for (int body = 1; body < 11; body += 3)
        {
            scene s = build ();
            dMass m;
            dMassSetBoxTotal (&m, masses[i], 1, 2, 3);
            dBodySetMass (s.body[body], &m);
            scene_body_state before[SCENE_MOST];
            scene_look (&s, before);
            if (!dRLSStepperStep (scene_stepper (&s), H))
            {
                const int status = dRLSStepperGetStatus (s.stepper);
                assert_true (status == dRLSStatusNotFinite || status == dRLSStatusBadMass);
                if (!scene_same (&s, before)) fail_msg ("mass %g: the world has changed", (double)masses[i]);
                assert_true (masses[i] < (dReal)1e-20 || masses[i] > (dReal)1e20);
            }
            else
                assert_true (isfinite (scene_energy (&s)));
            scene_close (&s);
        }
}

/* ---- forces ---- */

static void add_forces (void *context, dWorldID world, dReal time)
{
    const scene *s = context;
    (void)world, (void)time;
    for (int b = 0; b < s->bodies; ++b) dBodyAddForce (s->body[b], 0, 0, (dReal)0.7);
}

static void forces_of_the_callback_are_taken_back (void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; ++integrator)
    {
        scene s = build ();
        dRLSStepperSetIntegrator (scene_stepper (&s), integrator);
        dRLSStepperSetForceCallback (s.stepper, add_forces, &s);
        dBodySetLinearVel (s.body[6], 0, NOT_A_NUMBER, 0);
        check_refusal (&s, H, dRLSStatusNotFinite, "velocity, with a force callback");
        dBodySetLinearVel (s.body[6], 0, 0, 0);
        scene_body_state before[SCENE_MOST];
        scene_look (&s, before);
        assert_int_equal (dRLSStepperAnalyse (s.stepper), 1);
        assert_true (scene_same (&s, before));
        scene_step (&s, H, 1);
        for (int b = 0; b < s.bodies; ++b)
            for (int k = 0; k < 3; ++k) assert_true (dBodyGetForce (s.body[b])[k] == 0);
        scene_close (&s);
    }
}

/* ---- the island search ---- */

/* What ODE's island search does is done even when nothing else is: idle steps are counted, and disabled
 * bodies that are joined to enabled ones wake.  Poses stay. */
static void island_search_goes_on (void **state)
{
    (void)state;
    for (int refused = 0; refused < 2; ++refused)
    {
        scene s = scene_open (0);
        dWorldSetAutoDisableSteps (s.world, 3); /* bodies to come */
        const int tired = scene_box (&s, 0, 0, 0, 1, 1, 1, 1), awake = scene_box (&s, 3, 0, 0, 1, 1, 1, 1);
        const int asleep = scene_box (&s, 4, 0, 0, 1, 1, 1, 1);
        scene_hinge (&s, tired, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
        scene_hinge (&s, awake, asleep, (const double[3]){3, 0, 0}, (const double[3]){0, 0, 1});
        dBodySetAutoDisableFlag (s.body[tired], 1);
        dBodySetAutoDisableAverageSamplesCount (s.body[tired], 1);
        dBodyDisable (s.body[asleep]);
        if (refused) dBodySetLinearVel (s.body[awake], NOT_A_NUMBER, 0, 0);
        scene_body_state before[SCENE_MOST], now[SCENE_MOST];
        scene_look (&s, before);
        for (int i = 0; i < 3; ++i)
        {
            assert_int_equal (dBodyIsEnabled (s.body[tired]), 1);
            const int done =
                refused ? dRLSStepperStep (scene_stepper (&s), H) : dRLSStepperAnalyse (scene_stepper (&s));
            assert_int_equal (done, !refused);
        }
        assert_int_equal (dBodyIsEnabled (s.body[tired]), 0);
        assert_int_equal (dBodyIsEnabled (s.body[asleep]), 1);
        scene_look (&s, now);
        for (int b = 0; b < s.bodies; ++b)
            assert_memory_equal (now[b].x, before[b].x, offsetof (scene_body_state, v));
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (bad_step_sizes),        cmocka_unit_test (unsupported_choices),
        cmocka_unit_test (poisoned_bodies),       cmocka_unit_test (overflowing_numbers),
        cmocka_unit_test (overflowing_spins),     cmocka_unit_test (poisoned_world_and_joints),
        cmocka_unit_test (extreme_masses),        cmocka_unit_test (forces_of_the_callback_are_taken_back),
        cmocka_unit_test (island_search_goes_on),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
