/*
 * Imperfect joints: springs in the place of constraints, with their static deflection, frequency and damping,
 * and a redundant mechanism that they unlock.
 */
#include "methods_rig.h"

#define MASS 2.0
#define GRAVITY 10.0

/* A body on a ball joint below the origin's height, at the joint's anchor, so that it only moves with the
 * joint's give. */
typedef struct
{
    dWorldID world;
    dBodyID body;
    dJointID joint;
    dRLSStepperID stepper;
} hanging;

static hanging hang (double stiffness, double damping)
{
    hanging h;
    dMass mass;
    h.world = dWorldCreate ();
    dWorldSetGravity (h.world, 0, 0, -GRAVITY);
    h.body = dBodyCreate (h.world);
    dMassSetSphereTotal (&mass, MASS, 0.1);
    dBodySetMass (h.body, &mass);
    h.joint = dJointCreateBall (h.world, NULL);
    dJointAttach (h.joint, h.body, NULL);
    dJointSetBallAnchor (h.joint, 0, 0, 0);
    h.stepper = dRLSStepperCreate (h.world, NULL);
    assert_int_equal (dRLSStepperSetJointCompliance (h.stepper, h.joint, stiffness, damping), 1);
    return h;
}

static void drop (hanging *h)
{
    dRLSStepperDestroy (h->stepper);
    dWorldDestroy (h->world);
}

static double run_for (hanging *h, double step, int steps)
{
    for (int i = 0; i < steps; ++i) assert_int_equal (dRLSStepperStep (h->stepper, step), 1);
    return dBodyGetPosition (h->body)[2];
}

static void hangs_by_its_stiffness (void **state)
{
    (void)state;
    for (double stiffness = 1e2; stiffness < 1e7; stiffness *= 10)
    {
        hanging h = hang (stiffness, 2 * sqrt (MASS * stiffness)); /* critical damping */
        const double z = run_for (&h, 0.01, 1000);
        assert_true (fabs (z * stiffness / (MASS * GRAVITY) + 1) < 1e-6);
        drop (&h);
    }
}

/* From rest at the unloaded length, after half a period at twice the static deflection. */
static void swings_with_its_frequency (void **state)
{
    (void)state;
    const double stiffness = 200, period = 2 * 3.14159265358979 * sqrt (MASS / stiffness),
                 step = period / 20000;
    hanging h = hang (stiffness, 0);
    const double lowest = run_for (&h, step, 10000);
    assert_true (fabs (lowest * stiffness / (MASS * GRAVITY) + 2) < 2e-3);
    const double back = run_for (&h, step, 10000);
    assert_true (fabs (back * stiffness / (MASS * GRAVITY)) < 1e-2);
    drop (&h);
}

/* A damper without a spring: falls with the speed m g / d. */
static void sinks_by_its_damping (void **state)
{
    (void)state;
    hanging h = hang (0, 50);
    run_for (&h, 0.01, 200);
    assert_true (fabs (dBodyGetLinearVel (h.body)[2] + MASS * GRAVITY / 50) < 1e-9);
    drop (&h);
}

static void can_be_made_hard_again (void **state)
{
    (void)state;
    hanging h = hang (100, 100);
    dRLSReport report = {.struct_size = sizeof (report)};
    run_for (&h, 0.01, 10);
    dRLSStepperGetReport (h.stepper, &report);
    assert_int_equal (report.soft_rows, 3);
    assert_int_equal (report.rank, 0);
    assert_int_equal (dRLSStepperSetJointCompliance (h.stepper, h.joint, 0, 0), 1);
    assert_true (fabs (run_for (&h, 0.01, 10)) < 1e-14);
    dRLSStepperGetReport (h.stepper, &report);
    assert_int_equal (report.soft_rows, 0);
    assert_int_equal (report.rank, 3);
    drop (&h);
}

static void refuses_what_has_no_meaning (void **state)
{
    (void)state;
    hanging h = hang (0, 0);
    assert_int_equal (dRLSStepperSetJointCompliance (NULL, h.joint, 1, 1), 0);
    assert_int_equal (dRLSStepperSetJointCompliance (h.stepper, NULL, 1, 1), 0);
    assert_int_equal (dRLSStepperSetJointCompliance (h.stepper, h.joint, -1, 1), 0);
    assert_int_equal (dRLSStepperSetJointCompliance (h.stepper, h.joint, 1, -1), 0);
    assert_int_equal (dRLSStepperSetJointCompliance (h.stepper, h.joint, NAN, 1), 0);
    assert_int_equal (dRLSStepperSetJointCompliance (h.stepper, h.joint, INFINITY, 1), 0);
    assert_int_equal (dRLSStepperSetRowCompliance (NULL, h.joint, 0, 1, 1), 0);
    assert_int_equal (dRLSStepperSetRowCompliance (h.stepper, NULL, 0, 1, 1), 0);
    assert_int_equal (dRLSStepperSetRowCompliance (h.stepper, h.joint, -1, 1, 1), 0);
    assert_int_equal (dRLSStepperSetRowCompliance (h.stepper, h.joint, 6, 1, 1), 0);
    assert_int_equal (dRLSStepperSetRowCompliance (h.stepper, h.joint, 2, -1, 1), 0);
    assert_int_equal (dRLSStepperSetRowCompliance (h.stepper, h.joint, 2, 1, NAN), 0);
    assert_true (fabs (run_for (&h, 0.01, 10)) < 1e-14); /* nothing was changed: the joint is hard */
    drop (&h);
}

/* One row of three: it hangs by it and is held across. */
static void rows_of_their_own (void **state)
{
    (void)state;
    dRLSReport report = {.struct_size = sizeof (report)};
    hanging h = hang (0, 0);
    dWorldSetGravity (h.world, GRAVITY, 0, -GRAVITY);
    assert_int_equal (dRLSStepperSetRowCompliance (h.stepper, h.joint, 2, 1000, 90), 1);
    const double z = run_for (&h, 0.01, 1000);
    assert_true (fabs (z * 1000 / (MASS * GRAVITY) + 1) < 1e-6);
    assert_true (fabs (dBodyGetPosition (h.body)[0]) < 1e-14);
    dRLSStepperGetReport (h.stepper, &report);
    assert_int_equal (report.soft_rows, 1);
    assert_int_equal (report.rank, 2);
    drop (&h);
}

/* A row counts before its joint, also as a hard one, and the joint takes it back. */
static void rows_before_joints (void **state)
{
    (void)state;
    hanging h = hang (1000, 90);
    dWorldSetGravity (h.world, GRAVITY, 0, -GRAVITY);
    assert_int_equal (dRLSStepperSetRowCompliance (h.stepper, h.joint, 0, 0, 0), 1);
    assert_int_equal (dRLSStepperSetRowCompliance (h.stepper, h.joint, 2, 500, 64), 1);
    const double z = run_for (&h, 0.01, 1000);
    assert_true (fabs (z * 500 / (MASS * GRAVITY) + 1) < 1e-6);
    assert_true (fabs (dBodyGetPosition (h.body)[0]) < 1e-14);
    assert_int_equal (dRLSStepperSetJointCompliance (h.stepper, h.joint, 2000, 128), 1);
    assert_true (fabs (run_for (&h, 0.01, 1000) * 2000 / (MASS * GRAVITY) + 1) < 1e-6);
    assert_true (fabs (dBodyGetPosition (h.body)[0] * 2000 / (MASS * GRAVITY) - 1) < 1e-6);
    drop (&h);
}

/*
 * The recursion's own statement: of two imperfect rows along one direction that ask for different velocities,
 * each is missed in proportion to its variance, and the body's inertia is a third one that asks for what it
 * has.
 */
static void standard_deviations (void **state)
{
    (void)state;
    const double step = 0.01, sigma[2] = {0.3, 0.7}, speed = 1.5;
    hanging h = hang (0, 0);
    dWorldSetGravity (h.world, 0, 0, 0);
    const dJointID twin = dJointCreateBall (h.world, NULL);
    const dBodyID belt = dBodyCreate (h.world);
    dJointAttach (twin, h.body, belt);
    dJointSetBallAnchor (twin, 0, 0, 0);
    dBodySetKinematic (belt);
    dBodySetLinearVel (belt, speed, 0, 0);
    const dJointID joint[2] = {h.joint, twin};
    for (int i = 0; i < 2; ++i)
        assert_int_equal (
            dRLSStepperSetRowCompliance (h.stepper, joint[i], 0, 0, 1 / (step * sigma[i] * sigma[i])), 1);
    dBodySetLinearVel (h.body, -1, 0, 0);
    dRLSStepperSetIntegrator (h.stepper, dRLSIntegratorEuler); /* one recursion a step */
    run_for (&h, step, 1);
    const double weight[2] = {1 / (sigma[0] * sigma[0]), 1 / (sigma[1] * sigma[1])};
    const double wanted = (weight[1] * speed - MASS) / (weight[0] + weight[1] + MASS);
    assert_true (fabs (dBodyGetLinearVel (h.body)[0] - wanted) < 1e-12);
    drop (&h);
}

/* Gonzalez & Kovecses: the regularised Bricard mechanism locks, joint compliance lets it move. */
static double swing (double stiffness, double damping, int correction)
{
    char error[256];
    double least = 1;
    scene *s = scene_read (SCENES "/bricard.sdf", NULL, NULL, error, sizeof (error));
    assert_non_null (s);
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    int probe = 0;
    while (strcmp (scene_probe_at (s, probe)->name, "P2") != 0) ++probe;
    dRLSStepperSetCorrection (stepper, correction);
    for (int k = 0; k < scene_joint_count (s) && stiffness > 0; ++k)
        dRLSStepperSetJointCompliance (stepper, scene_joint_at (s, k)->joint, stiffness, damping);
    for (int i = 0; i < 300; ++i)
    {
        double x[3];
        assert_int_equal (dRLSStepperStep (stepper, 0.01), 1);
        scene_probe_position (s, probe, x);
        least = fmin (least, x[0]);
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return least;
}

static void compliance_unlocks (void **state)
{
    (void)state;
    assert_above (swing (0, 0, dRLSCorrectionCompliant), -0.3);
    assert_below (swing (1e5, 1e3, dRLSCorrectionProjection), -0.9);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (hangs_by_its_stiffness),      cmocka_unit_test (swings_with_its_frequency),
        cmocka_unit_test (sinks_by_its_damping),        cmocka_unit_test (can_be_made_hard_again),
        cmocka_unit_test (refuses_what_has_no_meaning), cmocka_unit_test (rows_of_their_own),
        cmocka_unit_test (rows_before_joints),          cmocka_unit_test (standard_deviations),
        cmocka_unit_test (compliance_unlocks),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
