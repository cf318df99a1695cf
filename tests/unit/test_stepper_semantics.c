/*
 * Everything besides the rows that dWorldStep does: forces and their clearing, flags of bodies, islands,
 * callbacks, feedback.  Each case dresses a small world in one of ODE's habits; the stepper must then do
 * what dWorldStep does, step by step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define PARITY 1e-9

/*
 * Bodies 0 to 2 hang from the world by a ball, a hinge and a universal joint, 3 and 4 share a slider, and
 * 5 flies alone.
 */
static scene build (void)
{
    scene s = scene_open ((dReal)-9.81);
    const double top[3] = {0, 0, 0}, middle[3] = {0.9, 0.1, -0.4}, axis[3] = {0.1, 1, 0.2};
    dWorldSetERP (s.world, (dReal)0.4);
    scene_box (&s, (dReal)0.4, 0, (dReal)-0.2, 1, (dReal)0.9, (dReal)0.2, (dReal)0.3);
    scene_box (&s, (dReal)1.3, (dReal)0.2, (dReal)-0.5, 2, (dReal)0.8, (dReal)0.1, (dReal)0.4);
    scene_box (&s, (dReal)2.0, (dReal)0.1, (dReal)-0.9, (dReal)0.7, (dReal)0.5, (dReal)0.5, (dReal)0.2);
    scene_box (&s, 0, 3, 0, 1, (dReal)0.6, (dReal)0.2, (dReal)0.2);
    scene_box (&s, 1, 3, (dReal)0.1, 3, (dReal)0.3, (dReal)0.2, (dReal)0.8);
    scene_box (&s, 0, -3, 0, 2, (dReal)0.9, (dReal)0.3, (dReal)0.1);
    scene_ball (&s, 0, NO_BODY, top);
    scene_hinge (&s, 0, 1, middle, axis);
    const dJointID universal = scene_joint (&s, dJointCreateUniversal, 1, 2);
    dJointSetUniversalAnchor (universal, (dReal)1.7, (dReal)0.2, (dReal)-0.7);
    dJointSetUniversalAxis1 (universal, 1, 0, 0);
    dJointSetUniversalAxis2 (universal, 0, 1, 0);
    dJointSetSliderAxis (scene_joint (&s, dJointCreateSlider, 3, 4), 1, (dReal)0.2, 0);
    dBodySetAngularVel (s.body[1], (dReal)0.3, 2, (dReal)-0.4);
    dBodySetLinearVel (s.body[4], 1, (dReal)-0.2, (dReal)0.5);
    dBodySetAngularVel (s.body[5], 7, (dReal)0.1, 2);
    return s;
}

/* ---- dressings ---- */

static void nothing (scene *s) { (void)s; }

static void no_gravity (scene *s)
{
    dBodySetGravityMode (s->body[1], 0);
    dBodySetGravityMode (s->body[5], 0);
}

static void no_gyroscopic_terms (scene *s)
{
    dBodySetGyroscopicMode (s->body[5], 0);
    dBodySetAngularVel (s->body[1], 5, 2, 9);
    dBodySetGyroscopicMode (s->body[1], 0);
}

static void fast_spin (scene *s)
{
    dBodySetAngularVel (s->body[0], 15, 2, 9);
    dBodySetAngularVel (s->body[5], 40, 3, -20);
}

static void kinematic_carrier (scene *s)
{
    dBodySetKinematic (s->body[0]);
    dBodySetLinearVel (s->body[0], (dReal)0.3, 0, (dReal)0.2);
    dBodySetAngularVel (s->body[0], 0, (dReal)0.7, 0);
    dBodySetKinematic (s->body[5]);
    dBodyAddForce (s->body[5], 100, 0, 0);
    dJointAttach (s->joint[0], NULL, NULL);
}

static void disabled_bodies (scene *s)
{
    dBodyDisable (s->body[3]);
    dBodyDisable (s->body[4]);
    dBodyDisable (s->body[5]);
    dBodyDisable (s->body[2]); /* its island is awake and wakes it */
}

static void auto_disable (scene *s)
{
    dWorldSetGravity (s->world, 0, 0, 0);
    for (int b = 3; b < 6; ++b)
    {
        dBodySetLinearVel (s->body[b], 0, 0, (dReal)1e-3);
        dBodySetAngularVel (s->body[b], 0, 0, 0);
        dBodySetAutoDisableFlag (s->body[b], 1);
        dBodySetAutoDisableSteps (s->body[b], 4);
        dBodySetAutoDisableTime (s->body[b], (dReal)0.055);
        dBodySetAutoDisableAverageSamplesCount (s->body[b], 3);
    }
}

static void damping (scene *s)
{
    dWorldSetDamping (s->world, (dReal)0.05, (dReal)0.03);
    dBodySetLinearDampingThreshold (s->body[4], (dReal)0.9);
    dBodySetAngularDamping (s->body[5], (dReal)0.2);
    dBodySetLinearDamping (s->body[0], 0);
}

static void capped_turning (scene *s)
{
    dBodySetMaxAngularSpeed (s->body[1], (dReal)0.8);
    dBodySetMaxAngularSpeed (s->body[5], 3);
}

static void finite_rotation (scene *s)
{
    dBodySetFiniteRotationMode (s->body[5], 1);
    dBodySetFiniteRotationMode (s->body[1], 1);
    dBodySetFiniteRotationAxis (s->body[1], 0, 1, (dReal)0.3);
    dBodySetAngularVel (s->body[5], 30, 3, -20);
}

/* The ball yields: the compliance that the user gave it is physics, not regularisation. */
static void soft_ball (scene *s)
{
    dJointSetBallParam (s->joint[0], dParamCFM, (dReal)2e-3);
    dJointSetBallParam (s->joint[0], dParamERP, (dReal)0.15);
}

static void world_first (scene *s)
{
    dJointAttach (s->joint[0], NULL, s->body[0]);
    dJointSetBallAnchor (s->joint[0], 0, 0, (dReal)0.1);
    const double anchor[3] = {0, 3.2, 0.1}, axis[3] = {0, 0.3, 1};
    scene_hinge (s, NO_BODY, 3, anchor, axis);
}

static void joints_without_rows (scene *s)
{
    scene_joint (s, dJointCreateNull, 0, 5); /* no rows, but it makes one island of two */
    scene_joint (s, dJointCreateAMotor, 2, 5);
    scene_joint (s, dJointCreateLMotor, 3, NO_BODY);
    dJointDisable (s->joint[1]);
    scene_joint (s, dJointCreateBall, NO_BODY, NO_BODY);
}

static const struct
{
    const char *name;
    void (*dress) (scene *);
} dressings[] = {
    {"nothing", nothing},
    {"no gravity", no_gravity},
    {"no gyroscopic terms", no_gyroscopic_terms},
    {"fast spin", fast_spin},
    {"kinematic carrier", kinematic_carrier},
    {"disabled bodies", disabled_bodies},
    {"auto-disable", auto_disable},
    {"damping", damping},
    {"capped turning", capped_turning},
    {"finite rotation", finite_rotation},
    {"soft ball", soft_ball},
    {"world first", world_first},
    {"joints without rows", joints_without_rows},
};

/* ---- what is compared ---- */

static void use (scene *s, int correction)
{
    const dRLSStepperID stepper = scene_stepper (s);
    assert_int_equal (dRLSStepperSetIntegrator (stepper, dRLSIntegratorEuler), 1);
    assert_int_equal (dRLSStepperSetCorrection (stepper, correction), 1);
}

static void push (scene *s, int step)
{
    dBodyAddForceAtPos (s->body[2], 1, (dReal)(step % 3), -1, 2, 0, -1);
    if (dBodyIsEnabled (s->body[5])) dBodyAddRelTorque (s->body[5], (dReal)0.1, (dReal)-0.2, (dReal)0.3);
}

static void check_accumulators_and_flags (const scene *ode, const scene *rls)
{
    for (int b = 0; b < rls->bodies; ++b)
    {
        const dReal *f[2] = {dBodyGetForce (ode->body[b]), dBodyGetForce (rls->body[b])};
        const dReal *t[2] = {dBodyGetTorque (ode->body[b]), dBodyGetTorque (rls->body[b])};
        assert_memory_equal (f[0], f[1], 3 * sizeof (dReal));
        assert_memory_equal (t[0], t[1], 3 * sizeof (dReal));
        assert_int_equal (dBodyIsEnabled (ode->body[b]), dBodyIsEnabled (rls->body[b]));
    }
}

static double feedback_difference (const dJointFeedback *a, const dJointFeedback *b)
{
    const dReal *of[2][4] = {{a->f1, a->t1, a->f2, a->t2}, {b->f1, b->t1, b->f2, b->t2}};
    double worst = 0;
    for (int part = 0; part < 4; ++part)
        for (int k = 0; k < 3; ++k)
            worst = fmax (worst, fabs ((double)of[0][part][k] - (double)of[1][part][k]));
    return worst;
}

static void run (const char *name, void (*dress) (scene *), int correction, int steps)
{
    scene ode = build (), rls = build ();
    dJointFeedback feedback[2][4];
    memset (feedback, 0, sizeof (feedback));
    dress (&ode), dress (&rls);
    use (&rls, correction);
    for (int j = 0; j < 4; ++j)
    {
        dJointSetFeedback (ode.joint[j], &feedback[0][j]);
        dJointSetFeedback (rls.joint[j], &feedback[1][j]);
    }
    for (int step = 1; step <= steps; ++step)
    {
        push (&ode, step), push (&rls, step);
        dWorldStep (ode.world, H);
        scene_step (&rls, H, 1);
        const double velocity = scene_velocity_difference (&ode, &rls),
                     pose = scene_pose_difference (&ode, &rls);
        if (!(velocity < PARITY && pose < PARITY))
            fail_msg ("%s: velocities off by %g, poses by %g after step %d", name, velocity, pose, step);
        check_accumulators_and_flags (&ode, &rls);
        for (int j = 0; j < 4; ++j)
        {
            const double off = feedback_difference (&feedback[0][j], &feedback[1][j]);
            if (!(off < 1e-6))
                fail_msg ("%s: feedback of joint %d off by %g N after step %d", name, j, off, step);
        }
    }
    scene_close (&ode), scene_close (&rls);
}

static void does_what_dworldstep_does (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof (dressings) / sizeof (dressings[0]); ++i)
        run (dressings[i].name, dressings[i].dress, dRLSCorrectionCompliant, 20);
}

/* Every dressing does something: otherwise the comparison would show nothing. */
static void dressings_matter (void **state)
{
    (void)state;
    for (size_t i = 1; i < sizeof (dressings) / sizeof (dressings[0]); ++i)
    {
        scene plain = build (), dressed = build ();
        dressings[i].dress (&dressed);
        use (&plain, dRLSCorrectionCompliant), use (&dressed, dRLSCorrectionCompliant);
        scene_step (&plain, H, 20), scene_step (&dressed, H, 20);
        if (!(scene_velocity_difference (&plain, &dressed) > 1e-4))
            fail_msg ("%s changes nothing", dressings[i].name);
        scene_close (&plain), scene_close (&dressed);
    }
}

/* Under the default correction a soft joint alone is still ODE's soft joint. */
static scene one_soft_ball (void)
{
    scene s = scene_open ((dReal)-9.81);
    const double anchor[3] = {0, 0, 0};
    scene_box (&s, (dReal)0.8, 0, 0, 2, (dReal)0.9, (dReal)0.3, (dReal)0.1);
    scene_ball (&s, 0, NO_BODY, anchor);
    soft_ball (&s);
    return s;
}

static void soft_joints_stay_soft_beside_projection (void **state)
{
    (void)state;
    scene ode = one_soft_ball (), rls = one_soft_ball ();
    use (&rls, dRLSCorrectionProjection);
    for (int step = 0; step < 50; ++step)
    {
        dWorldStep (ode.world, H);
        scene_step (&rls, H, 1);
        assert_true (scene_velocity_difference (&ode, &rls) < PARITY);
    }
    assert_true (scene_violation (&rls) > 1e-3); /* it did yield */
    const dRLSReport report = scene_analyse (&rls);
    assert_int_equal (report.soft_rows, 3);
    assert_int_equal (report.rank, 0);
    assert_int_equal (report.dof, 6);
    scene_close (&ode), scene_close (&rls);
}

/* The accurate step solves soft rows among those with bounds; the report counts them among the bilateral
 * ones, and adds up. */
static void soft_rows_are_counted_once (void **state)
{
    (void)state;
    scene s = one_soft_ball ();
    dRLSReport report = {.struct_size = sizeof (report)};
    dRLSStepperSetIntegrator (scene_stepper (&s), dRLSIntegratorSymplectic);
    scene_step (&s, H, 1);
    assert_int_equal (dRLSStepperGetReport (s.stepper, &report), 1);
    assert_int_equal (report.soft_rows, 3);
    assert_int_equal (report.rows, report.rank + report.redundant + report.soft_rows);
    assert_int_equal (report.bounded_rows, 0);
    scene_close (&s);
}

/* ---- callbacks and geoms ---- */

typedef struct
{
    int moved;
    dReal x[3];
} sighting;

static void note_move (dBodyID body)
{
    sighting *seen = dBodyGetData (body);
    ++seen->moved;
    memcpy (seen->x, dBodyGetPosition (body), sizeof (seen->x));
}

static void moved_callbacks (void **state)
{
    (void)state;
    scene s = build ();
    sighting seen[6];
    memset (seen, 0, sizeof (seen));
    for (int b = 0; b < 6; ++b)
    {
        dBodySetData (s.body[b], &seen[b]);
        dBodySetMovedCallback (s.body[b], note_move);
    }
    dBodyDisable (s.body[5]);
    for (int correction = 0; correction < 2; ++correction)
    {
        use (&s, correction ? dRLSCorrectionProjection : dRLSCorrectionCompliant);
        scene_step (&s, H, 3);
        for (int b = 0; b < 6; ++b)
        {
            assert_int_equal (seen[b].moved,
                              b == 5 ? 0 : 3 * (correction + 1)); /* once a step, no trial poses */
            if (b < 5) assert_memory_equal (seen[b].x, dBodyGetPosition (s.body[b]), sizeof (seen[b].x));
        }
    }
    dRLSStepperAnalyse (scene_stepper (&s));
    assert_int_equal (seen[0].moved, 6);
    scene_close (&s);
}

static void geoms_follow (void **state)
{
    (void)state;
    scene s = build ();
    const dSpaceID space = dHashSpaceCreate (NULL);
    const dGeomID box = dCreateBox (space, (dReal)0.9, (dReal)0.2, (dReal)0.3);
    dReal before[6], after[6];
    dGeomSetBody (box, s.body[1]);
    dGeomGetAABB (box, before);
    use (&s, dRLSCorrectionProjection);
    scene_step (&s, H, 10);
    dGeomGetAABB (box, after);
    assert_memory_equal (dGeomGetPosition (box), dBodyGetPosition (s.body[1]), 3 * sizeof (dReal));
    assert_true (fabs ((double)after[4] - (double)before[4]) > 1e-4);
    dSpaceDestroy (space);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (does_what_dworldstep_does),
        cmocka_unit_test (dressings_matter),
        cmocka_unit_test (soft_joints_stay_soft_beside_projection),
        cmocka_unit_test (soft_rows_are_counted_once),
        cmocka_unit_test (moved_callbacks),
        cmocka_unit_test (geoms_follow),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
