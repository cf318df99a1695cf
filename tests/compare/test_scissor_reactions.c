/*
 * Reactions of a mechanism with 31 redundant rows: a scissor lift that sinks under its load.  Nothing but the
 * smallest norm decides how its two planes share the load, and it must decide as the mechanism is: symmetric
 * about y = 0, the ground carrying what the bodies weigh and gain.
 */
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <scene.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define JOINTS 32
#define STEP 0.01
#define GRAVITY 9.81

typedef struct
{
    scene *scene;
    dRLSStepperID stepper;
    dJointFeedback feedback[JOINTS];
    double weight; /* N */
} lift;

static void open_lift (lift *l, int integrator)
{
    char error[512];
    memset (l, 0, sizeof *l);
    l->scene = scene_read (SCENES "/scissor_lift.sdf", NULL, NULL, error, sizeof error);
    assert_non_null (l->scene);
    assert_in_range (scene_joint_count (l->scene), 1, JOINTS);
    for (int i = 0; i < scene_joint_count (l->scene); ++i)
        dJointSetFeedback (scene_joint_at (l->scene, i)->joint, &l->feedback[i]);
    for (int i = 0; i < scene_body_count (l->scene); ++i)
    {
        dMass mass;
        dBodyGetMass (scene_body_at (l->scene, i)->body, &mass);
        l->weight += GRAVITY * (double)mass.mass;
    }
    l->stepper = dRLSStepperCreate (scene_world (l->scene), NULL);
    dRLSStepperSetForceCallback (l->stepper, scene_forces, l->scene);
    assert_int_equal (scene_prepare_stepper (l->scene, l->stepper), 1);
    assert_int_equal (dRLSStepperSetIntegrator (l->stepper, integrator), 1);
}

static void close_lift (lift *l)
{
    dRLSStepperDestroy (l->stepper);
    scene_free (l->scene);
}

static const dJointFeedback *feedback_of (const lift *l, const char *name)
{
    for (int i = 0; i < scene_joint_count (l->scene); ++i)
        if (strstr (scene_joint_at (l->scene, i)->name, name)) return &l->feedback[i];
    fail_msg ("no joint %s", name);
    return NULL;
}

static dBodyID body_of (const lift *l, const char *name)
{
    for (int i = 0; i < scene_body_count (l->scene); ++i)
        if (strstr (scene_body_at (l->scene, i)->name, name)) return scene_body_at (l->scene, i)->body;
    fail_msg ("no body %s", name);
    return NULL;
}

static void assert_near (double value, double expected, double scale, const char *what)
{
    if (!(fabs (value - expected) <= 1e-9 * scale))
        fail_msg ("%s: %.12g instead of %.12g", what, value, expected);
}

/* A force mirrored in the plane y = 0 changes the sign of its y, a torque the signs of the others. */
static void assert_mirrored (const lift *l, const char *left, const char *right)
{
    const dJointFeedback *a = feedback_of (l, left), *b = feedback_of (l, right);
    for (int k = 0; k < 3; ++k)
    {
        const double force = k == 1 ? -1 : 1;
        assert_near ((double)a->f1[k], force * (double)b->f1[k], l->weight, left);
        assert_near ((double)a->t1[k], -force * (double)b->t1[k], l->weight, left);
    }
}

static void take_step (lift *l, int step)
{
    static const char *const pairs[][2] = {{"pivot_left", "pivot_right"},
                                           {"roller_left", "roller_right"},
                                           {"cross1_left", "cross1_right"},
                                           {"near1_left", "near1_right"},
                                           {"far1_left", "far1_right"},
                                           {"cross2_left", "cross2_right"},
                                           {"near2_left", "near2_right"},
                                           {"far2_left", "far2_right"},
                                           {"cross3_left", "cross3_right"},
                                           {"deck_roller_left", "deck_roller_right"},
                                           {"deck_pivot_left", "deck_pivot_right"}};
    scene_before_step (l->scene, step * STEP, 1);
    assert_int_equal (dRLSStepperStep (l->stepper, (dReal)STEP), 1);
    scene_after_step (l->scene);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) assert_mirrored (l, pairs[i][0], pairs[i][1]);
}

static void sinking (void **state)
{
    (void)state;
    static const int integrators[] = {dRLSIntegratorEuler, dRLSIntegratorSymplectic,
                                      dRLSIntegratorSymplectic4, dRLSIntegratorRK4};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; ++i)
    {
        lift l;
        open_lift (&l, integrators[i]);
        for (int step = 0; step < 100; ++step) take_step (&l, step);
        close_lift (&l);
    }
}

/* A chock under the roller: one more fixed joint, which carries its share. */
static void standing (void **state)
{
    (void)state;
    lift l;
    dJointFeedback chock;
    open_lift (&l, dRLSIntegratorEuler);
    dJointID fixed = dJointCreateFixed (scene_world (l.scene), NULL);
    dJointAttach (fixed, body_of (&l, "lower_roller"), NULL);
    dJointSetFixed (fixed);
    dJointSetFeedback (fixed, &chock);
    for (int step = 0; step < 20; ++step)
    {
        take_step (&l, step);
        const double ground = (double)feedback_of (&l, "pivot_left")->f1[2] +
                              (double)feedback_of (&l, "pivot_right")->f1[2] +
                              (double)feedback_of (&l, "ground_rail")->f1[2] + (double)chock.f1[2];
        assert_near (ground, l.weight, l.weight, "the ground's share");
    }
    close_lift (&l);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (sinking), cmocka_unit_test (standing)};
    dInitODE ();
    const int failures = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failures;
}
