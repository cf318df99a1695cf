/*
 * Redundant mechanisms with any of their joints made to give way (Gonzalez & Kovecses 2013 make redundant
 * constraints compliant): whatever subset of joints and rows is soft, the step is stable, and the bodies
 * never have more energy than they began with.  And bounded rows that never act change nothing.
 */
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <scene.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define H 0.01        /* s */
#define ROUNDING 1e-9 /* J, of mechanisms that turn some joules a second from one kind into another */

typedef struct
{
    scene *scene;
    dRLSStepperID stepper;
    int steps;
} mechanism;

static mechanism open_mechanism (const char *name)
{
    char path[4096], error[512];
    mechanism m = {0};
    snprintf (path, sizeof path, "%s/%s.sdf", SCENES, name);
    m.scene = scene_read (path, NULL, NULL, error, sizeof error);
    assert_non_null (m.scene);
    m.stepper = dRLSStepperCreate (scene_world (m.scene), NULL);
    dRLSStepperSetForceCallback (m.stepper, scene_forces, m.scene);
    assert_int_equal (scene_prepare_stepper (m.scene, m.stepper), 1);
    return m;
}

static void close_mechanism (mechanism *m)
{
    dRLSStepperDestroy (m->stepper);
    scene_free (m->scene);
}

static dJointID joint (const mechanism *m, int i) { return scene_joint_at (m->scene, i)->joint; }

static void step (mechanism *m)
{
    scene_before_step (m->scene, m->steps++ * H, 1);
    assert_int_equal (dRLSStepperStep (m->stepper, H), 1);
    scene_after_step (m->scene);
}

static double energy (const mechanism *m)
{
    double kinetic, potential;
    scene_energy (m->scene, &kinetic, &potential);
    return kinetic + potential;
}

/* Which rows of a hinge are soft. */
typedef struct
{
    const char *what;
    int first, end;
} kind_of_rows;

static const kind_of_rows kinds[] = {{"all rows", 0, 5}, {"rotations", 3, 5}, {"translations", 0, 3}};

/* The most energy gained in two seconds (J) with the hinges of a mask soft. */
static double gain (const char *name, uint64_t mask, const kind_of_rows *kind, dReal stiffness, dReal damping)
{
    mechanism m = open_mechanism (name);
    for (int i = 0; i < scene_joint_count (m.scene); ++i)
        for (int r = kind->first; r < kind->end && (mask >> i & 1); ++r)
            if (dJointGetType (joint (&m, i)) == dJointTypeHinge)
                assert_int_equal (
                    dRLSStepperSetRowCompliance (m.stepper, joint (&m, i), r, stiffness, damping), 1);
    const double first = energy (&m);
    double most = 0;
    for (int i = 0; i < 200; ++i)
    {
        step (&m);
        const double now = energy (&m) - first;
        if (!(now <= most)) most = now; /* NaN as well */
    }
    close_mechanism (&m);
    return most;
}

static void stays_below (const char *name, uint64_t mask)
{
    static const dReal give[][2] = {{1e5, 1e3}, {1e3, 10}}; /* N/m and N s/m, N m/rad and N m s/rad */
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i)
        {
            const double gained = gain (name, mask, &kinds[k], give[i][0], give[i][1]);
            if (!(gained <= ROUNDING))
                fail_msg ("%s, joints %#llx, %s, %g: %g J", name, (unsigned long long)mask, kinds[k].what,
                          (double)give[i][0], gained);
        }
}

static void bricard_with_any_hinges_soft (void **state)
{
    (void)state;
    for (uint64_t mask = 1; mask < 64; ++mask) stays_below ("bricard", mask);
}

static void scissor_lift_with_hinges_soft (void **state)
{
    (void)state;
    mechanism m = open_mechanism ("scissor_lift");
    const int joints = scene_joint_count (m.scene);
    close_mechanism (&m);
    const uint64_t all = ((uint64_t)1 << joints) - 1;
    stays_below ("scissor_lift", all);
    stays_below ("scissor_lift", all & 0x5555555555555555);
    for (int i = 0; i < joints; i += 4) stays_below ("scissor_lift", (uint64_t)1 << i);
}

/* Ten seconds of Bricard's mechanism, through its folded poses, with a friction of 1e-12 N m in one hinge and
 * stops on another that its motion leaves alone. */
static void rows_that_never_act_change_nothing (void **state)
{
    (void)state;
    mechanism pure = open_mechanism ("bricard"), bounded = open_mechanism ("bricard");
    dReal low = 4, high = -4;
    for (int i = 0; i < 1000; ++i)
    {
        step (&pure);
        low = fmin (low, dJointGetHingeAngle (joint (&pure, 1)));
        high = fmax (high, dJointGetHingeAngle (joint (&pure, 1)));
    }
    close_mechanism (&pure);
    pure = open_mechanism ("bricard");
    assert_true (low > -3 && high < 3);
    dJointSetHingeParam (joint (&bounded, 0), dParamFMax, 1e-12);
    dJointSetHingeParam (joint (&bounded, 1), dParamLoStop, low - (dReal)0.1);
    dJointSetHingeParam (joint (&bounded, 1), dParamHiStop, high + (dReal)0.1);
    for (int i = 0; i < 1000; ++i)
    {
        step (&pure), step (&bounded);
        for (int b = 0; b < scene_body_count (pure.scene); ++b)
        {
            const dReal *x = dBodyGetPosition (scene_body_at (pure.scene, b)->body),
                        *y = dBodyGetPosition (scene_body_at (bounded.scene, b)->body);
            for (int k = 0; k < 3; ++k) assert_true (fabs (x[k] - y[k]) < 1e-10);
        }
    }
    close_mechanism (&pure), close_mechanism (&bounded);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (bricard_with_any_hinges_soft),
        cmocka_unit_test (scissor_lift_with_hinges_soft),
        cmocka_unit_test (rows_that_never_act_change_nothing),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
