/*
 * Programs that do between and within steps what nobody expects.  Whatever they do, bodies stay finite, and
 * joints that are open are told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define OPEN 3.2e-5 /* m or rad: what the rank tolerance forgives redundant rows */

/* A leaning four-bar linkage, three of whose rows are redundant. */
static scene four_bar (void)
{
    static const double corner[4][3] = {{0, 0, 0}, {0.3, 0, 1}, {1.3, 0, 1}, {1, 0, 0}}, axis[3] = {0, 1, 0};
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < 3; ++i) scene_rod (&s, corner[i], corner[i + 1]);
    scene_hinge (&s, 0, NO_BODY, corner[0], axis);
    scene_hinge (&s, 1, 0, corner[1], axis);
    scene_hinge (&s, 2, 1, corner[2], axis);
    scene_hinge (&s, 2, NO_BODY, corner[3], axis);
    return s;
}

static scene chain (int bodies)
{
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < bodies; ++i)
    {
        scene_box (&s, (dReal)(i + 0.5), 0, 0, 1, 1, (dReal)0.5, (dReal)0.2);
        scene_hinge (&s, i, i > 0 ? i - 1 : NO_BODY, (const double[3]){i, 0, 0},
                     (const double[3]){0, 1, 0.1 * (i % 3)});
    }
    return s;
}

static unsigned long told (const scene *s)
{
    return dRLSStepperGetWarningCount (s->stepper, dRLSWarningProjection) +
           dRLSStepperGetWarningCount (s->stepper, dRLSWarningConflict);
}

/* One step: done and finite with joints closed, or open and told; or refused, and then nothing has moved. */
static void expect_sane (scene *s, dReal h, const char *what, int i)
{
    scene_body_state before[SCENE_MOST];
    const dRLSStepperID stepper = scene_stepper (s);
    const unsigned long said = told (s);
    scene_look (s, before);
    const int done = dRLSStepperStep (stepper, h);
    if (!done && !scene_same (s, before)) fail_msg ("%s, %d: refused, and yet something moved", what, i);
    for (int b = 0; b < s->bodies && done; ++b)
        for (int k = 0; k < 3; ++k)
            if (!isfinite (dBodyGetPosition (s->body[b])[k]) || !isfinite (dBodyGetLinearVel (s->body[b])[k]))
                fail_msg ("%s, %d: not finite", what, i);
    if (done && told (s) == said && !(scene_violation (s) < OPEN))
        fail_msg ("%s, %d: open by %g, and not a word", what, i, scene_violation (s));
}

/* ---- between steps ---- */

static void turn_gravity (scene *s, int i)
{
    dWorldSetGravity (s->world, (dReal)(50 * sin (i)), (dReal)(50 * cos (3 * i)), (dReal)(50 * sin (2 * i)));
}

static void change_softness (scene *s, int i)
{
    dWorldSetCFM (s->world, i % 2 ? (dReal)1e-10 : (dReal)1e-2);
    dWorldSetERP (s->world, (dReal)(i % 5) / 4);
}

static void move_bodies (scene *s, int i)
{
    const dReal *x = dBodyGetPosition (s->body[i % s->bodies]);
    dBodySetPosition (s->body[i % s->bodies], x[0] + (dReal)(0.05 * sin (i)), x[1] + (dReal)(0.02 * cos (i)),
                      x[2]);
}

static void attach_elsewhere (scene *s, int i)
{
    const dBodyID a = s->body[5 * i % s->bodies], b = s->body[(3 * i + 1) % s->bodies];
    const dReal *x = dBodyGetPosition (a);
    if (a == b) return;
    dJointAttach (s->joint[i % s->joints], a, i % 4 ? b : NULL);
    dJointSetHingeAnchor (s->joint[i % s->joints], x[0], x[1], x[2]);
    dJointSetHingeAxis (s->joint[i % s->joints], 0, 1, 0);
}

static void change_masses (scene *s, int i)
{
    dMass mass;
    dMassSetBoxTotal (&mass, (dReal)pow (10, i % 7 - 3), 1, (dReal)0.5, (dReal)0.2);
    dBodySetMass (s->body[i % s->bodies], &mass);
}

static void put_to_sleep (scene *s, int i)
{
    dBodyDisable (s->body[i % s->bodies]);
    if (i % 3 == 0) dBodyEnable (s->body[(i + 1) % s->bodies]);
}

static void step_by_ode (scene *s, int i)
{
    if (i % 9 == 0) dWorldStep (s->world, H);
    if (i % 11 == 0) dWorldQuickStep (s->world, H);
    (void)s;
}

static void choose_anew (scene *s, int i)
{
    dRLSStepperSetIntegrator (scene_stepper (s), i % dRLSIntegratorCount);
    dRLSStepperSetOrder (scene_stepper (s), i % dRLSOrderCount);
}

static void between_steps (void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        void (*act) (scene *s, int i);
    } programs[] = {
        {"gravity", turn_gravity},    {"softness", change_softness}, {"bodies moved", move_bodies},
        {"joints", attach_elsewhere}, {"masses", change_masses},     {"sleep", put_to_sleep},
        {"ODE's steps", step_by_ode}, {"choices", choose_anew},
    };
    for (size_t p = 0; p < sizeof programs / sizeof *programs; ++p)
        for (int which = 0; which < 2; ++which)
        {
            scene s = which ? chain (6) : four_bar ();
            for (int i = 0; i < 150; ++i)
            {
                programs[p].act (&s, i);
                expect_sane (&s, H, programs[p].name, i);
            }
            scene_close (&s);
        }
}

static void steps_of_any_length (void **state)
{
    (void)state;
    for (double h = 1e-30; h < 1e9; h *= 10)
        for (int which = 0; which < 2; ++which)
        {
            scene s = which ? chain (6) : four_bar ();
            for (int i = 0; i < 3; ++i) expect_sane (&s, (dReal)h, "length", (int)log10 (h));
            scene_close (&s);
        }
}

/* Joints of a group that is emptied before each step, and whose memory is used again. */
static void groups_are_emptied (void **state)
{
    (void)state;
    scene s = chain (3);
    const dJointGroupID group = dJointGroupCreate (0);
    for (int i = 0; i < 200; ++i)
    {
        dJointGroupEmpty (group);
        for (int k = 0; k < i % 5; ++k)
        {
            const dJointID ball = dJointCreateBall (s.world, group);
            const dReal *x = dBodyGetPosition (s.body[k % 3]);
            dJointAttach (ball, s.body[k % 3], k % 2 ? NULL : s.body[(k + 1) % 3]);
            dJointSetBallAnchor (ball, x[0], x[1], x[2]);
        }
        expect_sane (&s, H, "groups", i);
    }
    dJointGroupDestroy (group);
    expect_sane (&s, H, "groups", -1);
    scene_close (&s);
}

/* A state is restored into a world that has lost a joint since. */
static void states_of_other_mechanisms (void **state)
{
    (void)state;
    scene s = chain (6);
    const dRLSStateID saved = dRLSStateCreate ();
    scene_step (&s, H, 20);
    assert_int_equal (dRLSStepperSaveState (s.stepper, saved, s.body, s.bodies), 1);
    scene_step (&s, H, 5);
    dJointDestroy (s.joint[3]);
    s.joint[3] = s.joint[--s.joints];
    scene_step (&s, H, 5);
    assert_int_equal (dRLSStepperRestoreState (s.stepper, saved), 1);
    for (int i = 0; i < 50; ++i) expect_sane (&s, H, "state", i);
    dRLSStateDestroy (saved);
    scene_close (&s);
}

/* ---- within steps ---- */

static void stop_body (dBodyID body) { dBodySetLinearVel (body, 0, 0, 0); }
static void push_body (dBodyID body) { dBodyAddForce (body, 0, 0, 5); }
static void forget_callback (dBodyID body) { dBodySetMovedCallback (body, NULL); }
static void make_kinematic (dBodyID body) { dBodySetKinematic (body); }
static void step_again (dBodyID body) { dRLSStepperStep (dBodyGetData (body), H); }
static void make_heavier (dBodyID body)
{
    dMass mass;
    dBodyGetMass (body, &mass);
    dMassAdjust (&mass, mass.mass * (dReal)1.01);
    dBodySetMass (body, &mass);
}

static void when_bodies_move (void **state)
{
    (void)state;
    static void (*const acts[]) (dBodyID) = {stop_body,  push_body,    forget_callback, make_kinematic,
                                             step_again, make_heavier, dBodyDisable};
    for (size_t a = 0; a < sizeof acts / sizeof *acts; ++a)
        for (int which = 0; which < 2; ++which)
        {
            scene s = which ? chain (4) : four_bar ();
            for (int b = 0; b < s.bodies; ++b)
            {
                dBodySetData (s.body[b], scene_stepper (&s));
                dBodySetMovedCallback (s.body[b], acts[a]);
            }
            if (acts[a] == make_kinematic) /* what holds kinematic bodies is the program's */
                scene_step (&s, H, 30);
            for (int i = 0; i < 30 && acts[a] != make_kinematic; ++i) expect_sane (&s, H, "moved", (int)a);
            scene_close (&s);
        }
}

/* ---- beside each other ---- */

static void *run (void *context)
{
    scene *s = context;
    dAllocateODEDataForThread (dAllocateMaskAll);
    for (int i = 0; i < 500; ++i)
        if (!dRLSStepperStep (s->stepper, (dReal)1e-3)) return s;
    return NULL;
}

/* Worlds with a threading implementation each, stepped at the same time. */
static void worlds_in_threads (void **state)
{
    (void)state;
    scene s[3] = {four_bar (), chain (8), four_bar ()};
    dThreadingImplementationID own[3];
    pthread_t thread[3];
    for (int i = 0; i < 3; ++i)
    {
        scene_stepper (&s[i]);
        own[i] = dThreadingAllocateSelfThreadedImplementation ();
        dWorldSetStepThreadingImplementation (s[i].world, dThreadingImplementationGetFunctions (own[i]),
                                              own[i]);
    }
    for (int i = 0; i < 3; ++i) assert_int_equal (pthread_create (&thread[i], NULL, run, &s[i]), 0);
    for (int i = 0; i < 3; ++i)
    {
        void *failed;
        assert_int_equal (pthread_join (thread[i], &failed), 0);
        assert_null (failed);
    }
    scene_body_state end[SCENE_MOST];
    scene_look (&s[0], end);
    assert_true (scene_same (&s[2], end));
    for (int i = 0; i < 3; ++i)
    {
        dWorldSetStepThreadingImplementation (s[i].world, NULL, NULL);
        dThreadingFreeImplementation (own[i]);
        scene_close (&s[i]);
    }
}

/* Several steppers take turns in one world, each with its own past. */
static void steppers_that_take_turns (void **state)
{
    (void)state;
    scene s = four_bar ();
    dRLSStepperID all[5];
    for (int i = 0; i < 5; ++i) all[i] = dRLSStepperCreate (s.world, NULL);
    for (int i = 0; i < 200; ++i)
    {
        s.stepper = all[7 * i % 5];
        expect_sane (&s, H, "turns", i);
    }
    for (int i = 1; i < 5; ++i) dRLSStepperDestroy (all[i]);
    s.stepper = all[0];
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (between_steps),
        cmocka_unit_test (steps_of_any_length),
        cmocka_unit_test (groups_are_emptied),
        cmocka_unit_test (states_of_other_mechanisms),
        cmocka_unit_test (when_bodies_move),
        cmocka_unit_test (worlds_in_threads),
        cmocka_unit_test (steppers_that_take_turns),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
