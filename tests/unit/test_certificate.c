/*
 * The certificate of a step: ODE's own steps, whose equations are known, come out clean; whatever is done to
 * bodies behind the step's back is found, and named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define CLEAN                                                                                                \
    1e-8 /* of the largest force: dWorldStep's CFM is 1e-10 and its inertia that of the beginning            \
          */

typedef void stepping (scene *s);

static void by_ode (scene *s) { assert_int_equal (dWorldStep (s->world, H), 1); }
static void by_us (scene *s) { scene_step (s, H, 1); }

/* The certificate of one step; what is done behind its back comes after it. */
static dRLSStepCertificate certify (scene *s, stepping *step, stepping *behind)
{
    dRLSCertificateID c = dRLSCertificateCreate ();
    dRLSStepCertificate result = {.struct_size = sizeof (result)};
    assert_non_null (c);
    assert_int_equal (dRLSCertificateBegin (c, s->body, s->bodies), 1);
    step (s);
    if (behind) behind (s);
    assert_int_equal (dRLSCertificateEnd (c, H, &result), 1);
    dRLSCertificateDestroy (c);
    return result;
}

/* A double pendulum, its first hinge with a motor. */
static scene pendulum (void)
{
    const double at[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, axis[3] = {0, 1, 0};
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < 2; ++i) scene_rod (&s, at[i], at[i + 1]);
    scene_hinge (&s, 0, NO_BODY, at[0], axis);
    scene_hinge (&s, 1, 0, at[1], axis);
    for (int b = 0; b < s.bodies; ++b) dBodySetGyroscopicMode (s.body[b], 0);
    return s;
}

static void drive (scene *s, dReal rate, dReal force)
{
    dJointSetHingeParam (s->joint[0], dParamVel, rate);
    dJointSetHingeParam (s->joint[0], dParamFMax, force);
}

static void odes_own_steps_are_clean (void **state)
{
    (void)state;
    scene s = pendulum ();
    drive (&s, 1, 5);
    dJointSetHingeParam (s.joint[1], dParamHiStop, (dReal)0.2);
    dBodyAddForce (s.body[1], 1, 2, 3);
    for (int i = 0; i < 100; ++i)
    {
        const dRLSStepCertificate c = certify (&s, by_ode, NULL);
        assert_int_equal (c.bodies, 2);
        assert_int_equal (c.joints, 2);
        assert_true (c.largest_force > 1 && c.largest_torque > (dReal)0.01);
        assert_true (c.force_balance < CLEAN * c.largest_force);
        assert_true (c.torque_balance < CLEAN * c.largest_force);
        assert_true (c.outside < CLEAN * c.largest_force);
        assert_true (c.missed < 1e-6);
    }
    scene_close (&s);
}

/* ODE damps velocities when the step is done: that is no force. */
static void damping_is_no_force (void **state)
{
    (void)state;
    scene s = pendulum ();
    for (int b = 0; b < s.bodies; ++b)
    {
        dBodySetLinearDamping (s.body[b], (dReal)0.1);
        dBodySetAngularDamping (s.body[b], (dReal)0.2);
    }
    for (int i = 0; i < 50; ++i)
    {
        const dRLSStepCertificate c = certify (&s, by_ode, NULL);
        assert_true (c.force_balance < CLEAN * c.largest_force);
        assert_true (c.torque_balance < CLEAN * c.largest_force);
    }
    scene_close (&s);
}

/* A motor drives a hinge into its stop, which dWorldStep and steps in halves write down in two ways. */
static void motors_at_their_stops_are_clean (void **state)
{
    (void)state;
    static stepping *const steppers[] = {by_ode, by_us};
    for (int i = 0; i < 2; ++i)
    {
        scene s = pendulum ();
        drive (&s, 1, 40);
        dJointSetHingeParam (s.joint[0], dParamLoStop, (dReal)-0.3);
        dJointSetHingeParam (s.joint[0], dParamHiStop, (dReal)0.2);
        for (int step = 0; step < 100; ++step)
        {
            const dRLSStepCertificate c = certify (&s, steppers[i], NULL);
            if (!(c.force_balance < 1e-6 * c.largest_force && c.torque_balance < 1e-6 * c.largest_force))
                fail_msg ("stepper %d, step %d: %g N, %g N m", i, step, (double)c.force_balance,
                          (double)c.torque_balance);
        }
        scene_close (&s);
    }
}

/* A weak motor presses a body down into its stop, beside gravity. */
static void a_weak_motor_at_its_stop_is_clean (void **state)
{
    (void)state;
    static stepping *const steppers[] = {by_ode, by_us};
    for (int i = 0; i < 2; ++i)
    {
        scene s = scene_open ((dReal)-9.81);
        const int box = scene_box (&s, 0, 0, 0, 1, (dReal)0.1, (dReal)0.2, (dReal)0.3);
        const dJointID slider = scene_joint (&s, dJointCreateSlider, box, NO_BODY);
        dJointSetSliderAxis (slider, 0, 0, 1);
        dJointSetSliderParam (slider, dParamLoStop, (dReal)-0.01);
        dJointSetSliderParam (slider, dParamVel, -1);
        dJointSetSliderParam (slider, dParamFMax, 3);
        for (int step = 0; step < 50; ++step)
        {
            const dRLSStepCertificate c = certify (&s, steppers[i], NULL);
            if (!(c.force_balance < 1e-6 * (1 + c.largest_force)))
                fail_msg ("stepper %d, step %d: %g N", i, step, (double)c.force_balance);
        }
        scene_close (&s);
    }
}

/* Two motors press two bodies into their stops, against gravity: whether reactions hold their forces is found
 * for both together, and a stop that carries less than its motor does pulls no body. */
static void motors_at_the_stops_of_neighbours_are_clean (void **state)
{
    (void)state;
    static stepping *const steppers[] = {by_ode, by_us};
    for (int i = 0; i < 2; ++i)
    {
        scene s = scene_open (3);
        for (int k = 0; k < 2; ++k)
        {
            const int box = scene_box (&s, 0, 0, (dReal)(0.5 * k), 1, (dReal)0.1, (dReal)0.2, (dReal)0.3);
            const dJointID slider = scene_joint (&s, dJointCreateSlider, box, k - 1);
            dJointSetSliderAxis (slider, 0, 0, 1);
            dJointSetSliderParam (slider, dParamLoStop, (dReal)-0.01);
            dJointSetSliderParam (slider, dParamVel, -1);
            dJointSetSliderParam (slider, dParamFMax, k == 0 ? 7 : 50);
        }
        for (int step = 0; step < 50; ++step)
        {
            const dRLSStepCertificate c = certify (&s, steppers[i], NULL);
            const double most = 1e-6 * (1 + (double)c.largest_force);
            if (!(c.force_balance < most && (step < 25 || c.outside < most)))
                fail_msg ("stepper %d, step %d: %g N, outside %g N", i, step, (double)c.force_balance,
                          (double)c.outside);
        }
        scene_close (&s);
    }
}

/* ---- what is not right is found ---- */

static void push (scene *s) { dBodySetLinearVel (s->body[1], 0, 0, dBodyGetLinearVel (s->body[1])[2] + 1); }
static void spin (scene *s)
{
    const dReal *w = dBodyGetAngularVel (s->body[1]);
    dBodySetAngularVel (s->body[1], w[0], w[1] + 1, w[2]);
}
static void shift (scene *s)
{
    const dReal *x = dBodyGetPosition (s->body[1]);
    dBodySetPosition (s->body[1], x[0], x[1] + (dReal)0.01, x[2]);
}

/* The first hinge opens by a centimetre, the second turns out of its axis by little. */
static void shift_and_tilt (scene *s)
{
    const dQuaternion tilt = {1, (dReal)1e-6, 0, 0};
    for (int b = 0; b < 2; ++b)
    {
        const dReal *x = dBodyGetPosition (s->body[b]);
        dBodySetPosition (s->body[b], x[0], x[1] + (dReal)0.01, x[2]);
    }
    dQuaternion q;
    dQMultiply0 (q, tilt, dBodyGetQuaternion (s->body[1]));
    dBodySetQuaternion (s->body[1], q);
}

static void what_is_wrong_is_named (void **state)
{
    (void)state;
    scene s = pendulum ();
    scene_step (&s, H, 10);
    dRLSStepCertificate c = certify (&s, by_ode, push); /* the body weighs 1 kg */
    assert_true (fabs ((double)c.force_balance * (double)H - 1) < 0.5);
    assert_true (c.force_body == s.body[1] && c.rate_joint == s.joint[1] && c.rate_m_s > (dReal)0.5);
    assert_true (c.energy - c.applied_work > (dReal)0.1 || c.energy - c.applied_work < (dReal)-0.1);
    c = certify (&s, by_ode, spin);
    assert_true (c.torque_body == s.body[1] && c.torque_balance > 5);
    c = certify (&s, by_ode, shift);
    assert_true (c.gap_joint == s.joint[1] && fabs ((double)c.gap_m - 0.01) < 1e-3);
    scene_close (&s);
    s = pendulum ();
    c = certify (&s, by_ode, shift_and_tilt);
    assert_true (c.gap_joint == s.joint[0] && c.gap_rad > 0);
    scene_close (&s);
}

/* ---- motors, contacts ---- */

/* A motor of the wrong strength leaves its bounds, one that does nothing is missed. */
static void strengthen (scene *s) { drive (s, 1, 0); }
static void motors_are_held_to_their_word (void **state)
{
    (void)state;
    for (int strong = 0; strong < 2; ++strong)
    {
        scene s = pendulum ();
        drive (&s, 1, strong ? 1000 : 5);
        const dRLSStepCertificate c = certify (&s, by_ode, NULL);
        assert_true (c.outside < (dReal)1e-6);
        assert_true (c.missed < (dReal)1e-6);
        scene_close (&s);
    }
    scene s = pendulum (); /* turned off before the certificate looks, so that nothing pulls */
    drive (&s, 1, 5);
    dRLSCertificateID certificate = dRLSCertificateCreate ();
    dRLSStepCertificate c = {.struct_size = sizeof (c)};
    assert_int_equal (dRLSCertificateBegin (certificate, s.body, s.bodies), 1);
    strengthen (&s);
    by_ode (&s);
    assert_int_equal (dRLSCertificateEnd (certificate, H, &c), 1);
    assert_true (c.bounds_joint == s.joint[0] && c.missed > (dReal)0.01);
    dRLSCertificateDestroy (certificate);
    scene_close (&s);
}

/* A motor on a turning axis holds its rate about the axis as it is when the step ends. */
static void rows_may_be_met_at_the_end (void **state)
{
    (void)state;
    const double at[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}}, up[3] = {0, 0, 1}, across[3] = {1, 0, 0};
    scene s = scene_open (0);
    for (int i = 0; i < 2; ++i) scene_rod (&s, at[i], at[i + 1]);
    scene_hinge (&s, 0, NO_BODY, at[0], up);
    scene_hinge (&s, 1, 0, at[1], across);
    for (int i = 0; i < 2; ++i)
    {
        dJointSetHingeParam (s.joint[i], dParamVel, i == 0 ? 10 : 1);
        dJointSetHingeParam (s.joint[i], dParamFMax, 10000);
    }
    scene_stepper (&s);
    scene_step (&s, H, 20);
    for (int i = 0; i < 20; ++i)
    {
        const dRLSStepCertificate c = certify (&s, by_us, NULL);
        assert_true (c.missed < (dReal)1e-6);
    }
    scene_close (&s);
}

static void touch (scene *s, dReal mu)
{
    for (int i = 0; i < 4; ++i)
    {
        const dReal *x = dBodyGetPosition (s->body[0]);
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = mu}};
        contact.geom.pos[0] = x[0] + (dReal)(i % 2 ? 0.5 : -0.5);
        contact.geom.pos[1] = x[1] + (dReal)(i / 2 ? 0.5 : -0.5);
        contact.geom.normal[2] = 1;
        s->joint[s->joints++] = dJointCreateContact (s->world, NULL, &contact);
        dJointAttach (s->joint[s->joints - 1], s->body[0], NULL);
    }
}

/* A box that slides brakes with mu times its weight, one that lies does not move. */
static void contacts_are_held_to_theirs (void **state)
{
    (void)state;
    for (int slides = 0; slides < 2; ++slides)
    {
        scene s = scene_open ((dReal)-9.81);
        scene_box (&s, 0, 0, (dReal)0.25, 2, 1, 1, (dReal)0.5);
        if (slides) dBodySetLinearVel (s.body[0], 3, 0, 0);
        touch (&s, (dReal)0.5);
        const double start = (double)dBodyGetPosition (s.body[0])[0];
        const dRLSStepCertificate c = certify (&s, by_us, NULL);
        const double way = (double)dBodyGetPosition (s.body[0])[0] - start;
        const double weight = 2 * 9.81, speed = slides ? 3 - 0.5 * 9.81 * (double)H : 0;
        assert_true (fabs ((double)dBodyGetLinearVel (s.body[0])[0] - speed) < 1e-6);
        assert_true (c.force_balance < 1e-6 * weight && c.torque_balance < 1e-6 * weight);
        assert_true (c.outside < 1e-4 && c.missed < 1e-5);
        assert_true (fabs ((double)c.driven_work + (slides ? 0.5 * weight * way : 0)) < 1e-5);
        assert_true (fabs ((double)c.hard_work) < 1e-9);
        scene_close (&s);
    }
}

/* ---- what is asked wrongly ---- */

static void feedback_is_the_programs (void **state)
{
    (void)state;
    scene s = pendulum ();
    dJointFeedback kept = {.f1 = {7}}, plain = {.f1 = {7}};
    scene t = pendulum ();
    dJointSetFeedback (s.joint[0], &kept);
    dJointSetFeedback (t.joint[0], &plain);
    certify (&s, by_us, NULL);
    by_us (&t);
    assert_ptr_equal (dJointGetFeedback (s.joint[0]), &kept);
    assert_null (dJointGetFeedback (s.joint[1]));
    for (int k = 0; k < 3; ++k)
        assert_true (kept.f1[k] == plain.f1[k] && kept.t1[k] == plain.t1[k] && kept.f1[0] != 7);
    assert_true (scene_pose_difference (&s, &t) == 0 && scene_velocity_difference (&s, &t) == 0);
    scene_close (&s);
    scene_close (&t);
}

static void bad_arguments_are_refused (void **state)
{
    (void)state;
    scene s = pendulum ();
    dRLSCertificateID c = dRLSCertificateCreate ();
    dRLSStepCertificate result = {.struct_size = sizeof (result)};
    dBodyID twice[2] = {s.body[0], s.body[0]}, none[1] = {NULL};
    assert_int_equal (dRLSCertificateBegin (NULL, s.body, 2), 0);
    assert_int_equal (dRLSCertificateBegin (c, NULL, 2), 0);
    assert_int_equal (dRLSCertificateBegin (c, s.body, -1), 0);
    assert_int_equal (dRLSCertificateBegin (c, twice, 2), 0);
    assert_int_equal (dRLSCertificateBegin (c, none, 1), 0);
    assert_int_equal (dRLSCertificateEnd (c, H, &result), 0); /* no beginning */
    assert_int_equal (dRLSCertificateEnd (NULL, H, &result), 0);
    assert_int_equal (dRLSCertificateBegin (c, s.body, 2), 1);
    assert_int_equal (dRLSCertificateBegin (c, s.body, 2), 0); /* begun already */
    assert_int_equal (dRLSCertificateEnd (c, 0, &result), 0);
    assert_null (dJointGetFeedback (s.joint[0]));
    result.struct_size = 1;
    assert_int_equal (dRLSCertificateBegin (c, s.body, 2), 1);
    assert_int_equal (dRLSCertificateEnd (c, H, &result), 0);
    dRLSCertificateDestroy (c);
    dRLSCertificateDestroy (NULL);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (odes_own_steps_are_clean),
        cmocka_unit_test (damping_is_no_force),
        cmocka_unit_test (what_is_wrong_is_named),
        cmocka_unit_test (motors_at_their_stops_are_clean),
        cmocka_unit_test (motors_are_held_to_their_word),
        cmocka_unit_test (contacts_are_held_to_theirs),
        cmocka_unit_test (feedback_is_the_programs),
        cmocka_unit_test (rows_may_be_met_at_the_end),
        cmocka_unit_test (bad_arguments_are_refused),
        cmocka_unit_test (a_weak_motor_at_its_stop_is_clean),
        cmocka_unit_test (motors_at_the_stops_of_neighbours_are_clean),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
