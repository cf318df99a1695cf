/*
 * Saved states: a run that is restored goes on bit for bit as it did, whatever the stepper carries from step
 * to step; and what cannot be saved or restored is refused.
 */
#include "scene_rig.h"
#include "../golden/state_hash.h"

#define BEFORE 60 /* steps to the state, */
#define AFTER 60  /* and from it on */

typedef struct
{
    const char *scene;
    double h;
    int integrator, correction;
} subject;

/* Mechanisms through singular configurations, contacts, motors, driven axes, every integrator and correction.
 */
static const subject subjects[] = {
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorEuler, dRLSCorrectionProjection},
    {SCENES "/bricard.sdf", 0.02, dRLSIntegratorSymplectic6, dRLSCorrectionProjection},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorRK4, dRLSCorrectionProjection},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorRK4, dRLSCorrectionEmbedded},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorRK4, dRLSCorrectionSimultaneous},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorRK4, dRLSCorrectionEnergy},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionAugmented},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionConserving},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorEuler, dRLSCorrectionCompliant},
    {SCENES "/bricard.sdf", 0.01, dRLSIntegratorEuler, dRLSCorrectionERP},
    {SCENES "/nfourbar_n2.sdf", 0.01, dRLSIntegratorSymplectic4, dRLSCorrectionProjection},
    {SCENES "/nfourbar_n2.sdf", 0.01, dRLSIntegratorRK4, dRLSCorrectionProjection},
    {SCENES "/slider_crank.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/biped3.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/closedloop_par4.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/stewart.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/scissor_lift.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/show_walker.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/show_excavator.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/show_wrecking_ball.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {SCENES "/ragdoll.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {"/ragdolls:2", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {"/stack:6", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
    {"/net:6", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection},
};

typedef struct
{
    scene *scene;
    dRLSStepperID stepper;
    dBodyID *body;
    int bodies, step;
    double h;
} run;

static dRLSStepperID make_stepper (scene *s, const subject *what)
{
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    assert_non_null (stepper);
    dRLSStepperSetForceCallback (stepper, scene_forces, s);
    assert_true (scene_prepare_stepper (s, stepper));
    assert_true (dRLSStepperSetIntegrator (stepper, what->integrator));
    assert_true (dRLSStepperSetCorrection (stepper, what->correction));
    return stepper;
}

static run start (const subject *what)
{
    run r = {.h = what->h};
    r.scene = what->scene[1] && strchr (what->scene, ':')
                  ? scene_read (what->scene + 1, NULL, NULL, rig_error, sizeof rig_error)
                  : rig_open (what->scene);
    if (!r.scene) fail_msg ("%s", rig_error);
    scene_set_time_step (r.scene, r.h);
    r.stepper = make_stepper (r.scene, what);
    r.bodies = scene_body_count (r.scene);
    r.body = malloc (sizeof (dBodyID) * (size_t)r.bodies);
    for (int b = 0; b < r.bodies; ++b) r.body[b] = scene_body_at (r.scene, b)->body;
    return r;
}

static void end (run *r)
{
    dRLSStepperDestroy (r->stepper);
    scene_free (r->scene);
    free (r->body);
}

/* Steps, and the hash of all bodies after each into hash (may be NULL). */
static void go (run *r, int steps, uint64_t *hash)
{
    for (int i = 0; i < steps; ++i, ++r->step)
    {
        scene_before_step (r->scene, r->step * r->h, 1);
        if (!dRLSStepperStep (r->stepper, (dReal)r->h)) fail_msg ("%s", dRLSStepperGetMessage (r->stepper));
        scene_after_step (r->scene);
        if (hash) hash[i] = state_hash (STATE_HASH_START, r->body, r->bodies);
    }
}

static void expect_same (const subject *what, const char *how, const uint64_t *a, const uint64_t *b)
{
    for (int i = 0; i < AFTER; ++i)
        if (a[i] != b[i])
            fail_msg ("%s, integrator %d, correction %d, %s: step %d differs", what->scene, what->integrator,
                      what->correction, how, i);
}

static void goes_on_bit_for_bit (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; ++i)
    {
        const subject *what = &subjects[i];
        uint64_t first[AFTER], again[AFTER];
        run r = start (what);
        dRLSStateID saved = dRLSStateCreate ();
        go (&r, BEFORE, NULL);
        assert_true (dRLSStepperSaveState (r.stepper, saved, r.body, r.bodies));
        assert_true (dRLSStateGetTime (saved) > 0);
        go (&r, AFTER, first);
        for (int twice = 0; twice < 2; ++twice)
        {
            assert_true (dRLSStepperRestoreState (r.stepper, saved));
            r.step = BEFORE;
            go (&r, AFTER, again);
            expect_same (what, twice ? "again" : "restored", first, again);
        }

        /* the same into a stepper that has never seen the world, and the old one gone */
        dRLSStepperDestroy (r.stepper);
        r.stepper = make_stepper (r.scene, what);
        assert_true (dRLSStepperRestoreState (r.stepper, saved));
        r.step = BEFORE;
        go (&r, AFTER, again);
        expect_same (what, "new stepper", first, again);
        dRLSStateDestroy (saved);
        end (&r);
    }
}

/* Saving looks only: the run is the same as one that was never saved. */
static void saving_changes_nothing (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; ++i)
    {
        uint64_t plain[AFTER], saved_often[AFTER];
        run r = start (&subjects[i]);
        go (&r, AFTER, plain);
        end (&r);
        r = start (&subjects[i]);
        dRLSStateID saved = dRLSStateCreate ();
        for (int k = 0; k < AFTER; ++k)
        {
            assert_true (dRLSStepperSaveState (r.stepper, saved, r.body, r.bodies));
            go (&r, 1, saved_often + k);
        }
        expect_same (&subjects[i], "saved before every step", plain, saved_often);
        dRLSStateDestroy (saved);
        end (&r);
    }
}

/* What is carried for another topology is dropped, and the step is that of a new stepper. */
static void other_joints_begin_anew (void **state)
{
    (void)state;
    const subject what = {SCENES "/bricard.sdf", 0.01, dRLSIntegratorAuto, dRLSCorrectionProjection};
    uint64_t after[AFTER], fresh[AFTER];
    run r = start (&what);
    dRLSStateID saved = dRLSStateCreate (), cut = dRLSStateCreate ();
    go (&r, BEFORE, NULL);
    assert_true (dRLSStepperSaveState (r.stepper, saved, r.body, r.bodies));
    dJointAttach (scene_joint_at (r.scene, 3)->joint, NULL, NULL);
    assert_true (dRLSStepperRestoreState (r.stepper, saved));
    go (&r, AFTER, after);
    assert_true (dRLSStepperRestoreState (r.stepper, saved));
    dRLSStepperDestroy (r.stepper);
    r.stepper = make_stepper (r.scene, &what);
    go (&r, AFTER, fresh);
    expect_same (&what, "one joint less", after, fresh);
    dRLSStateDestroy (saved);
    dRLSStateDestroy (cut);
    end (&r);
}

static void bad_arguments_are_refused (void **state)
{
    (void)state;
    dWorldID world = dWorldCreate (), other = dWorldCreate ();
    dBodyID bodies[2] = {dBodyCreate (world), dBodyCreate (other)};
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL), stranger = dRLSStepperCreate (other, NULL);
    dRLSStateID saved = dRLSStateCreate ();
    assert_non_null (saved);
    assert_false (dRLSStepperSaveState (NULL, saved, bodies, 1));
    assert_false (dRLSStepperRestoreState (NULL, saved));
    assert_false (dRLSStepperSaveState (stepper, NULL, bodies, 1));
    assert_int_equal (dRLSStepperGetStatus (stepper), dRLSStatusBadArgument);
    assert_false (dRLSStepperSaveState (stepper, saved, NULL, 1));
    assert_false (dRLSStepperSaveState (stepper, saved, bodies, -1));
    assert_false (dRLSStepperSaveState (stepper, saved, bodies, 2)); /* one of another world */
    assert_int_equal (dRLSStepperGetStatus (stepper), dRLSStatusBadArgument);
    assert_false (dRLSStepperRestoreState (stepper, NULL));
    assert_false (dRLSStepperRestoreState (stepper, saved)); /* empty */
    assert_int_equal (dRLSStepperGetStatus (stepper), dRLSStatusBadArgument);
    assert_true (dRLSStateGetTime (saved) == 0 && dRLSStateGetTime (NULL) == 0);
    assert_true (dRLSStepperSaveState (stepper, saved, NULL, 0));
    assert_true (dRLSStepperSaveState (stepper, saved, bodies, 1));
    assert_false (dRLSStepperRestoreState (stranger, saved));
    assert_int_equal (dRLSStepperGetStatus (stranger), dRLSStatusBadArgument);
    assert_true (dRLSStepperRestoreState (stepper, saved));
    dRLSStateDestroy (saved);
    dRLSStateDestroy (NULL);
    dRLSStepperDestroy (stepper);
    dRLSStepperDestroy (stranger);
    dWorldDestroy (world);
    dWorldDestroy (other);
}

/* Sleep, forces, velocities of a body outside all islands, and the report. */
static void bodies_are_restored_whole (void **state)
{
    (void)state;
    dWorldID world = dWorldCreate ();
    dBodyID bodies[2] = {dBodyCreate (world), dBodyCreate (world)};
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStateID saved = dRLSStateCreate ();
    const dQuaternion turned = {1, 2, 3, 4};
    dBodySetQuaternion (bodies[0], turned);
    dBodySetLinearVel (bodies[0], 1, 2, 3);
    dBodyAddForce (bodies[0], 4, 5, 6);
    dBodyAddTorque (bodies[0], 7, 8, 9);
    dBodyDisable (bodies[1]);
    dBodySetPosition (bodies[1], 3, 2, 1);
    const uint64_t before = state_hash (STATE_HASH_START, bodies, 2);
    assert_true (dRLSStepperSaveState (stepper, saved, bodies, 2));
    assert_true (dRLSStepperStep (stepper, (dReal)0.01));
    dBodyEnable (bodies[1]);
    dBodyDisable (bodies[0]);
    dBodySetPosition (bodies[1], 0, 0, 0);
    assert_true (state_hash (STATE_HASH_START, bodies, 2) != before);
    assert_true (dRLSStepperRestoreState (stepper, saved));
    assert_true (state_hash (STATE_HASH_START, bodies, 2) == before);
    assert_true (dBodyIsEnabled (bodies[0]));
    assert_false (dBodyIsEnabled (bodies[1]));
    assert_true (dBodyGetForce (bodies[0])[2] == 6 && dBodyGetTorque (bodies[0])[0] == 7);
    dRLSReport report = {.struct_size = sizeof report};
    assert_true (dRLSStepperGetReport (stepper, &report));
    assert_int_equal (report.bodies, 0);
    dRLSStateDestroy (saved);
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
}

/* The clock is the program's to set, and part of the state. */
static void clock_is_set_and_restored (void **state)
{
    (void)state;
    dWorldID world = dWorldCreate ();
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStateID saved = dRLSStateCreate ();
    assert_true (dRLSStepperGetTime (stepper) == 0 && dRLSStepperGetTime (NULL) == 0);
    assert_true (dRLSStepperStep (stepper, (dReal)0.25));
    assert_true (dRLSStepperGetTime (stepper) == (dReal)0.25);
    assert_true (dRLSStepperSetTime (stepper, -3));
    assert_false (dRLSStepperSetTime (stepper, (dReal)NAN));
    assert_false (dRLSStepperSetTime (stepper, (dReal)INFINITY));
    assert_false (dRLSStepperSetTime (NULL, 1));
    assert_true (dRLSStepperGetTime (stepper) == -3);
    assert_true (dRLSStepperSaveState (stepper, saved, NULL, 0));
    assert_true (dRLSStepperSetTime (stepper, 5));
    assert_true (dRLSStepperRestoreState (stepper, saved));
    assert_true (dRLSStepperGetTime (stepper) == -3 && dRLSStateGetTime (saved) == -3);
    dRLSStateDestroy (saved);
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (goes_on_bit_for_bit),       cmocka_unit_test (saving_changes_nothing),
        cmocka_unit_test (other_joints_begin_anew),   cmocka_unit_test (bad_arguments_are_refused),
        cmocka_unit_test (bodies_are_restored_whole), cmocka_unit_test (clock_is_set_and_restored),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, rig_start, rig_end);
    dCloseODE ();
    return failed;
}
