/*
 * Many islands, ODE's threads, worlds that change between steps: the same result bit for bit whatever runs
 * it, and nothing remembered that no longer holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_linkages.h"
#include "workers.h"

#define H ((dReal)0.01)

static const double along_y[3] = {0, 1, 0};

/* A chain of rods hanging from (x, 0, 0), pulled aside. */
static void add_chain (scene *s, double x, int links)
{
    double from[3] = {x, 0, 0};
    for (int i = 0; i < links; ++i)
    {
        const double to[3] = {from[0] + 0.4, 0.1 * (i % 2), from[2] - 0.3};
        const int rod = scene_rod (s, from, to);
        if (i % 2)
            scene_ball (s, rod, i ? rod - 1 : NO_BODY, from);
        else
            scene_hinge (s, rod, i ? rod - 1 : NO_BODY, from, along_y);
        memcpy (from, to, sizeof (from));
    }
}

/* Islands of different kinds and sizes, redundant ones among them, and one with a motor. */
static scene build (void)
{
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < 6; ++i) add_chain (&s, 10 * i, 2 + i);
    linkage_bricard (&s, 0);
    linkage_fourbars (&s, 3, 0.6);
    const dJointID motor = s.joint[0];
    dJointSetHingeParam (motor, dParamFMax, 5);
    dJointSetHingeParam (motor, dParamVel, 1);
    scene_box (&s, -5, 0, 0, 1, 1, 1, 1);
    return s;
}

/* ---- determinism ---- */

static void same_result_on_any_threads (void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; ++integrator)
    {
        scene_body_state right[SCENE_MOST];
        for (unsigned threads = 0; threads <= 4; ++threads)
        {
            scene s = build ();
            assert_int_equal (dRLSStepperSetIntegrator (scene_stepper (&s), integrator), 1);
            workers w;
            assert_int_equal (workers_hire (&w, s.world, threads), 1);
            scene_step (&s, H, 60);
            workers_dismiss (&w, s.world);
            if (threads == 0)
                scene_look (&s, right);
            else if (!scene_same (&s, right))
                fail_msg ("other bits with %u threads", threads);
            scene_close (&s);
        }
    }
}

static void same_result_again (void **state)
{
    (void)state;
    scene_body_state right[SCENE_MOST];
    for (int run = 0; run < 2; ++run)
    {
        /* other addresses, the same world */
        void *shift = malloc ((size_t)(1000 * run + 16));
        scene s = build ();
        scene_step (&s, H, 60);
        if (run == 0)
            scene_look (&s, right);
        else
            assert_true (scene_same (&s, right));
        scene_close (&s);
        free (shift);
    }
}

/* Islands do not feel each other: alone, each moves as it does in company. */
static void islands_are_independent (void **state)
{
    (void)state;
    scene all = scene_open ((dReal)-9.81), alone = scene_open ((dReal)-9.81);
    add_chain (&all, 0, 4);
    add_chain (&alone, 0, 4);
    linkage_bricard (&all, 0);
    scene_step (&all, H, 50), scene_step (&alone, H, 50);
    const dRLSReport report = scene_analyse (&all);
    assert_int_equal (report.islands, 2);
    all.bodies = alone.bodies; /* compare what both have */
    assert_true (scene_pose_difference (&all, &alone) == 0);
    assert_true (scene_velocity_difference (&all, &alone) == 0);
    scene_close (&all), scene_close (&alone);
}

/* ---- what is carried from step to step is an economy, nothing more ---- */

static void push_first_body (void *first, dWorldID world, dReal time)
{
    (void)world;
    dBodyAddForce (first, time, 1, 0);
}

/* A step after a look is the step without it, bit for bit. */
static void analysis_does_not_disturb (void **state)
{
    (void)state;
    for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
        for (int correction = 0; correction < dRLSCorrectionCount; ++correction)
        {
            scene plain = build (), looked_at = build ();
            scene *both[2] = {&plain, &looked_at};
            int done = 1;
            for (int i = 0; i < 2; ++i)
            {
                dRLSStepperSetIntegrator (scene_stepper (both[i]), integrator);
                done &= dRLSStepperSetCorrection (both[i]->stepper, correction);
                if ((integrator + correction) % 2)
                    dRLSStepperSetForceCallback (both[i]->stepper, push_first_body, both[i]->body[0]);
            }
            for (int step = 0; step < 40 && done; ++step)
            {
                scene_body_state before[SCENE_MOST];
                scene_look (&looked_at, before);
                scene_analyse (&looked_at);
                assert_true (scene_same (&looked_at, before));
                done = dRLSStepperStep (plain.stepper, H);
                assert_int_equal (dRLSStepperStep (looked_at.stepper, H), done);
            }
            scene_body_state right[SCENE_MOST];
            scene_look (&plain, right);
            if (!scene_same (&looked_at, right))
                fail_msg ("other bits with integrator %d, correction %d", integrator, correction);
            scene_close (&plain), scene_close (&looked_at);
        }
}

/* A new order every step makes every step a first one. */
static void every_step_may_be_the_first (void **state)
{
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
    {
        scene kept = linkage_open (&linkages[i]), fresh = linkage_open (&linkages[i]);
        double violation = 0;
        dRLSStepperSetOrder (scene_stepper (&fresh), dRLSOrderRandom);
        for (unsigned long step = 0; step < 60; ++step)
        {
            dRLSStepperSetOrderSeed (fresh.stepper, step);
            scene_step (&fresh, H, 1), scene_step (&kept, H, 1);
            violation = fmax (violation, scene_violation (&fresh));
        }
        const double off = scene_pose_difference (&kept, &fresh);
        if (!(violation < 2e-13 && off < 1e-9))
            fail_msg ("%s: open by %g, off by %g", linkages[i].name, violation, off);
        scene_close (&kept), scene_close (&fresh);
    }
}

/* Whatever the user changes between steps counts at once: the stepper that remembers must do what a new one
 * does. */
static void change (scene *s, int what)
{
    dMass heavy;
    switch (what)
    {
    case 0:
        dMassSetBoxTotal (&heavy, 30, 1, (dReal)0.3, (dReal)0.2);
        dBodySetMass (s->body[1], &heavy);
        break;
    case 1: /* opens joints, and turns their rows */
    {
        dQuaternion turn, turned;
        dQFromAxisAndAngle (turn, 1, 2, 3, (dReal)0.02);
        dQMultiply0 (turned, turn, dBodyGetQuaternion (s->body[2]));
        dBodySetQuaternion (s->body[2], turned);
        break;
    }
    case 2:
        dBodySetLinearVel (s->body[3], 1, 2, 3);
        break;
    case 3:
        dBodySetKinematic (s->body[0]);
        break;
    case 4:
        dWorldSetGravity (s->world, 3, 0, 0);
        break;
    case 5:
        dJointDestroy (s->joint[--s->joints]);
        break;
    case 6:
        dJointAttach (s->joint[2], s->body[2], NULL);
        dJointSetHingeAnchor (s->joint[2], 1, -1, 0);
        break;
    case 7:
        dBodyDisable (s->body[0]);
        break;
    case 8:
        dJointSetHingeParam (s->joint[1], dParamFMax, dInfinity);
        dJointSetHingeParam (s->joint[1], dParamVel, 1);
        break;
    case 9:
        dJointDisable (s->joint[4]);
        break;
    case 10: /* as many bodies and joints as before */
        dJointAttach (s->joint[3], s->body[3], s->body[0]);
        dJointSetHingeAnchor (s->joint[3], 1, (dReal)-0.7, (dReal)0.5);
        break;
    default:
        scene_ball (s, 1, NO_BODY, (const double[3]){1, -0.5, 0});
        break;
    }
}

static void changes_count_at_once (void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; ++integrator)
        for (int what = 0; what <= 11; ++what)
        {
            scene old = scene_open ((dReal)-9.81), renewed = scene_open ((dReal)-9.81);
            scene *both[2] = {&old, &renewed};
            for (int i = 0; i < 2; ++i)
            {
                linkage_bricard (both[i], 0);
                dRLSStepperSetIntegrator (scene_stepper (both[i]), integrator);
                scene_step (both[i], H, 10);
                change (both[i], what);
            }
            dRLSStepperDestroy (renewed.stepper);
            renewed.stepper = NULL;
            dRLSStepperSetIntegrator (scene_stepper (&renewed), integrator);
            scene_step (&old, H, 20), scene_step (&renewed, H, 20);
            const double off = scene_pose_difference (&old, &renewed);
            if (!(off < 1e-9)) fail_msg ("change %d, integrator %d: off by %g", what, integrator, off);
            scene_close (&old), scene_close (&renewed);
        }
}

/* Bodies and joints come and go, their memory is used again, islands split and join. */
static void coming_and_going (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    for (int step = 0; step < 300; ++step)
    {
        if (step % 3 == 0 && s.bodies < 100) add_chain (&s, step, 1 + step % 5);
        if (step % 7 == 0 && s.joints > 2) dJointDestroy (s.joint[--s.joints]);
        if (step % 11 == 0) dBodyDestroy (s.body[--s.bodies]);
        if (step % 17 == 0 && s.bodies > 1)
        {
            /* another body in the place of one */
            dBodyDestroy (s.body[--s.bodies]);
            scene_box (&s, step, 5, 0, 1, 1, 1, 1);
        }
        if (step % 13 == 0 && s.bodies > 3)
        {
            const dReal *x = dBodyGetPosition (s.body[s.bodies - 1]);
            scene_ball (&s, s.bodies - 1, 0, (const double[3]){(double)x[0], (double)x[1], (double)x[2]});
        }
        scene_step (&s, H, 1);
        scene_analyse (&s);
    }
    scene_close (&s);
}

/* ---- memory that is given out again ---- */

#define MOST_KEPT 100

/* What ODE frees, and whether it is handed out again. */
static struct
{
    struct
    {
        void *memory;
        size_t size;
    } block[MOST_KEPT];
    int count, again;
} kept;

static void *take (size_t size)
{
    for (int i = kept.count - 1; i >= 0 && kept.again; --i)
        if (kept.block[i].size == size)
        {
            void *const memory = kept.block[i].memory;
            kept.block[i] = kept.block[--kept.count];
            return memory;
        }
    return malloc (size);
}

static void keep (void *memory, size_t size)
{
    if (!memory) return;
    assert_true (kept.count < MOST_KEPT);
    kept.block[kept.count].memory = memory;
    kept.block[kept.count++].size = size;
}

/* A rod that was taken away, and steps later another one comes: in its place in memory or elsewhere. */
static void addresses_do_not_matter (void **state)
{
    (void)state;
    for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
    {
        scene_body_state right[SCENE_MOST];
        for (int again = 0; again < 2; ++again)
        {
            scene s = scene_open ((dReal)-9.81);
            assert_int_equal (dRLSStepperSetIntegrator (scene_stepper (&s), integrator), 1);
            add_chain (&s, 0, 1), add_chain (&s, 5, 1);
            scene_step (&s, H, 10);
            dAllocFunction *const allocate = dGetAllocHandler ();
            dFreeFunction *const release = dGetFreeHandler ();
            kept.again = again;
            dSetAllocHandler (take), dSetFreeHandler (keep);
            const dBodyID old = s.body[1];
            dJointDestroy (s.joint[--s.joints]);
            dBodyDestroy (s.body[--s.bodies]);
            scene_step (&s, H, 3);
            add_chain (&s, 5, 1);
            assert_int_equal (s.body[1] == old, again);
            dSetAllocHandler (allocate), dSetFreeHandler (release);
            while (kept.count > 0) free (kept.block[--kept.count].memory);
            scene_step (&s, H, 10);
            if (!again)
                scene_look (&s, right);
            else if (!scene_same (&s, right))
                fail_msg ("integrator %d: other bits", integrator);
            scene_close (&s);
        }
    }
}

static void empty_worlds (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    scene_step (&s, H, 2);
    dRLSReport report = scene_analyse (&s);
    assert_int_equal (report.islands, 0);
    assert_int_equal (report.dof, 0);
    const int body = scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    scene_step (&s, H, 2);
    report = scene_analyse (&s);
    assert_int_equal (report.islands, 1);
    assert_int_equal (report.dof, 6);
    dBodySetKinematic (s.body[body]);
    scene_step (&s, H, 2);
    report = scene_analyse (&s);
    assert_int_equal (report.bodies, 1);
    assert_int_equal (report.dof, 0);
    dBodyDestroy (s.body[body]);
    s.bodies = 0;
    scene_step (&s, H, 2);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (same_result_on_any_threads),
        cmocka_unit_test (same_result_again),
        cmocka_unit_test (islands_are_independent),
        cmocka_unit_test (analysis_does_not_disturb),
        cmocka_unit_test (every_step_may_be_the_first),
        cmocka_unit_test (changes_count_at_once),
        cmocka_unit_test (coming_and_going),
        cmocka_unit_test (addresses_do_not_matter),
        cmocka_unit_test (empty_worlds),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
