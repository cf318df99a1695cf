/*
 * Joint reactions where rows are redundant: symmetric where the mechanism is, adding up to the load, and
 * marked where the motion alone does not determine them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_linkages.h"

#define H ((dReal)0.01)
#define G 9.81
#define EXACT 1e-9

static const int integrators[] = {dRLSIntegratorAuto, dRLSIntegratorEuler};

typedef struct
{
    scene s;
    dJointFeedback feedback[SCENE_MOST];
} loaded;

static void watch (loaded *l, int integrator)
{
    memset (l->feedback, 0, sizeof (l->feedback));
    for (int j = 0; j < l->s.joints; ++j) dJointSetFeedback (l->s.joint[j], &l->feedback[j]);
    assert_int_equal (dRLSStepperSetIntegrator (scene_stepper (&l->s), integrator), 1);
    assert_int_equal (dRLSStepperSetReport (l->s.stepper, dRLSReportReactions), 1);
}

static void assert_close (const char *what, double value, double expected, double scale)
{
    if (!(fabs (value - expected) <= EXACT * scale))
        fail_msg ("%s is %.15g, right is %.15g", what, value, expected);
}

/* ---- doors ---- */

static scene hang_door (double gravity, int hinges)
{
    scene s = scene_open ((dReal)-gravity);
    const double axis[3] = {0, 0, 1};
    const int leaf = scene_box (&s, (dReal)0.5, 0, 0, 20, 1, (dReal)0.05, 2);
    for (int i = 0; i < hinges; ++i)
    {
        const double anchor[3] = {0, 0, -0.8 + 1.6 * i / (hinges - 1)};
        scene_hinge (&s, i % 2 ? NO_BODY : leaf, i % 2 ? leaf : NO_BODY, anchor, axis);
    }
    return s;
}

/* A door at rest: its weight in equal parts, and a couple that keeps it from tipping. */
static void door_at_rest (void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
        for (int hinges = 2; hinges <= 4; ++hinges)
        {
            loaded l = {.s = hang_door (G, hinges)};
            watch (&l, integrators[i]);
            scene_step (&l.s, H, 3);
            double sum[3] = {0}, torque[3] = {0};
            for (int j = 0; j < hinges; ++j)
            {
                const dJointFeedback *f = &l.feedback[j], *mirror = &l.feedback[hinges - 1 - j];
                for (int k = 0; k < 3; ++k) sum[k] += (double)f->f1[k], torque[k] += (double)f->t1[k];
                assert_close ("vertical share", (double)f->f1[2], 20 * G / hinges, 200);
                assert_close ("pull at one end", (double)f->f1[0], -(double)mirror->f1[0], 200);
                assert_close ("torque at one end", (double)f->t1[1], (double)mirror->t1[1], 200);
            }
            assert_close ("sum along x", sum[0], 0, 200);
            assert_close ("sum along y", sum[1], 0, 200);
            assert_close ("sum along z", sum[2], 20 * G, 200);
            for (int k = 0; k < 3; ++k) assert_close ("torque about the centre of mass", torque[k], 0, 200);
            scene_close (&l.s);
        }
}

/* A door that turns: what holds it on its circle comes from both hinges alike. */
static void door_in_motion (void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        loaded l = {.s = hang_door (0, 2)};
        watch (&l, integrators[i]);
        dBodySetAngularVel (l.s.body[0], 0, 0, 2);
        dBodySetLinearVel (l.s.body[0], 0, 1, 0);
        for (int step = 0; step < 100; ++step)
        {
            double sum = 0;
            scene_step (&l.s, H, 1);
            for (int k = 0; k < 3; ++k)
            {
                assert_close ("half of the pull", (double)l.feedback[0].f1[k], (double)l.feedback[1].f1[k],
                              40);
                sum += pow ((double)(l.feedback[0].f1[k] + l.feedback[1].f1[k]), 2);
            }
            assert_true (fabs (sqrt (sum) - 20 * 4 * 0.5) <
                         0.02 * 40); /* m w^2 r, to the order of the step */
        }
        scene_close (&l.s);
    }
}

/* ---- a table on four legs ---- */

static const linkage *find (const char *name)
{
    for (int i = 0; i < linkage_count; ++i)
        if (strcmp (linkages[i].name, name) == 0) return &linkages[i];
    fail_msg ("no linkage is called %s", name);
    return NULL;
}

/* Joints come in pairs of a leg, foot and head; legs 0 and 2, 1 and 3 are mirror images across the table. */
static void four_legs_share (void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        loaded l = {.s = linkage_open (find ("four-legged swing"))};
        watch (&l, integrators[i]);
        for (int step = 0; step < 100; ++step)
        {
            scene_step (&l.s, H, 1);
            for (int j = 0; j < 4; ++j)
                for (int k = 0; k < 3; ++k)
                {
                    const dJointFeedback *a = &l.feedback[j], *b = &l.feedback[j + 4];
                    const double force_sign =
                        k == 1 ? -1 : 1; /* mirrored: forces along y, torques across it */
                    assert_close ("mirrored force", (double)a->f1[k], force_sign * (double)b->f1[k], 100);
                    assert_close ("mirrored torque", (double)a->t1[k], -force_sign * (double)b->t1[k], 100);
                }
        }
        scene_close (&l.s);
    }
}

/* Hanging straight down and still, the legs carry the table, and the world the legs as well. */
static void hanging_table (void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        loaded l = {.s = scene_open ((dReal)-G)};
        const double axis[3] = {0, 1, 0};
        const int table = scene_box (&l.s, (dReal)0.5, (dReal)0.5, -1, 4, 1, 1, (dReal)0.1);
        for (int leg = 0; leg < 4; ++leg)
        {
            const double top[3] = {leg % 2, leg / 2, 0}, end[3] = {leg % 2, leg / 2, -1};
            const int rod = scene_rod (&l.s, top, end);
            scene_hinge (&l.s, rod, NO_BODY, top, axis);
            scene_hinge (&l.s, table, rod, end, axis);
        }
        watch (&l, integrators[i]);
        scene_step (&l.s, H, 5);
        for (int leg = 0; leg < 4; ++leg)
        {
            assert_close ("foot", (double)l.feedback[2 * leg].f1[2], (1 + 1) * G, 40);
            assert_close ("head", (double)l.feedback[2 * leg + 1].f1[2], G, 40);
            assert_close ("head, on the leg", (double)l.feedback[2 * leg + 1].f2[2], -G, 40);
        }
        scene_close (&l.s);
    }
}

/* ---- six rods under a platform ---- */

static void platform_on_rods (void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        loaded l = {.s = scene_open ((dReal)-G)};
        const double pi = 3.14159265358979323846;
        const int platform = scene_box (&l.s, 0, 0, 1, 5, 1, 1, (dReal)0.1);
        dMass round;
        dMassSetCylinderTotal (&round, 5, 3, (dReal)0.6, (dReal)0.1);
        dBodySetMass (l.s.body[platform], &round);
        for (int leg = 0; leg < 6; ++leg)
        {
            const double lower = pi / 3 * (leg + (leg % 2 ? -0.3 : 0.3)),
                         upper = pi / 3 * (leg + (leg % 2 ? 0.3 : -0.3));
            const double low[3] = {1.2 * cos (lower), 1.2 * sin (lower), 0};
            const double high[3] = {0.6 * cos (upper), 0.6 * sin (upper), 1};
            const int rod = scene_rod (&l.s, low, high);
            scene_ball (&l.s, rod, NO_BODY, low);
            scene_ball (&l.s, platform, rod, high);
        }
        watch (&l, integrators[i]);
        scene_step (&l.s, H, 5);
        double sum = 0, ground = 0;
        for (int leg = 0; leg < 6; ++leg)
        {
            const dJointFeedback *head = &l.feedback[2 * leg + 1],
                                 *next = &l.feedback[2 * ((leg + 1) % 6) + 1];
            sum += (double)head->f1[2];
            ground += (double)l.feedback[2 * leg].f1[2];
            assert_close ("vertical share", (double)head->f1[2], (double)next->f1[2], 50);
            assert_close ("side thrust", hypot ((double)head->f1[0], (double)head->f1[1]),
                          hypot ((double)next->f1[0], (double)next->f1[1]), 50);
            for (int k = 0; k < 3; ++k)
                assert_close ("counterforce", (double)head->f2[k], -(double)head->f1[k], 50);
            assert_int_equal (dRLSStepperIsReactionUnique (l.s.stepper, l.s.joint[2 * leg]), 1);
        }
        assert_close ("sum on the platform", sum, 5 * G, 50);
        assert_close ("sum on the ground", ground, 11 * G, 110);
        scene_close (&l.s);
    }
}

/* ---- which reactions are unique ---- */

static void unique_where_nothing_is_redundant (void **state)
{
    (void)state;
    /* a door that carries a pendulum: the hinges share, the pendulum's ball does not */
    scene s = hang_door (G, 2);
    const double hook[3] = {1, 0, 0}, axis[3] = {0, 1, 0}, far[3] = {9, 0, 0};
    const int bob = scene_box (&s, 1, 0, (dReal)-0.5, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
    const dJointID ball = scene_ball (&s, 0, bob, hook);
    const int alone = scene_box (&s, 9, 0, -1, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
    const dJointID hinge = scene_hinge (&s, alone, NO_BODY, far, axis);
    const dRLSStepperID stepper = scene_stepper (&s);
    assert_int_equal (dRLSStepperIsReactionUnique (stepper, ball), -1); /* nothing was looked at yet */
    scene_step (&s, H, 1);
    assert_int_equal (dRLSStepperIsReactionUnique (stepper, ball), -1); /* nobody asked for it */
    scene_analyse (&s);
    for (int pass = 0; pass < 2; ++pass)
    {
        assert_int_equal (dRLSStepperIsReactionUnique (stepper, s.joint[0]), 0);
        assert_int_equal (dRLSStepperIsReactionUnique (stepper, s.joint[1]), 0);
        assert_int_equal (dRLSStepperIsReactionUnique (stepper, ball), 1);
        assert_int_equal (dRLSStepperIsReactionUnique (stepper, hinge), 1);
        dRLSStepperSetReport (stepper, dRLSReportReactions);
        scene_step (&s, H, 1);
    }
    dBodyDisable (s.body[alone]);
    scene_step (&s, H, 1);
    assert_int_equal (dRLSStepperIsReactionUnique (stepper, hinge), -1);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (door_at_rest),     cmocka_unit_test (door_in_motion),
        cmocka_unit_test (four_legs_share),  cmocka_unit_test (hanging_table),
        cmocka_unit_test (platform_on_rods), cmocka_unit_test (unique_where_nothing_is_redundant),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
