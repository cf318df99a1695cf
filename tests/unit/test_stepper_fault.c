/*
 * Every allocation fails in turn, in the library and in ODE's own workspace: the call says so, the world is
 * as it was, and the next call works.  And nothing depends on what fresh memory holds.  The linker puts the
 * wrappers below between the library and the allocator (tests.cmake); leaks show under the address sanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_linkages.h"

#define H ((dReal)0.01)
#define ITERATED 1e-7 /* m: motors and contacts are iterated, and a step may have lost their warm start */

/* ---- the failing allocator ---- */

static int armed, allowed, failures, most_failures;

static int fails (void)
{
    if (!armed || failures >= most_failures || allowed-- > 0) return 0;
    ++failures;
    return 1;
}

void *__real_malloc (size_t size);
void *__real_calloc (size_t count, size_t size);
void *__real_realloc (void *old, size_t size);
void *__real_aligned_alloc (size_t alignment, size_t size);
void *__wrap_malloc (size_t size);
void *__wrap_calloc (size_t count, size_t size);
void *__wrap_realloc (void *old, size_t size);
void *__wrap_aligned_alloc (size_t alignment, size_t size);

static int filling = -1; /* byte that fresh memory holds, -1: whatever it held before */

static void *fill (void *memory, size_t size)
{
    if (memory && filling >= 0) memset (memory, filling, size);
    return memory;
}

void *__wrap_malloc (size_t size) { return fails () ? NULL : fill (__real_malloc (size), size); }
void *__wrap_calloc (size_t count, size_t size) { return fails () ? NULL : __real_calloc (count, size); }
void *__wrap_realloc (void *old, size_t size) { return fails () ? NULL : __real_realloc (old, size); }
void *__wrap_aligned_alloc (size_t alignment, size_t size)
{
    return fails () ? NULL : fill (__real_aligned_alloc (alignment, size), size);
}

/* How many allocations fail in a row: one alone, or everything from there on. */
typedef enum
{
    ONE,
    ALL
} extent;

/* Lets so many allocations pass, then fails. */
static void arm (int after, extent how_many)
{
    allowed = after;
    failures = 0;
    most_failures = how_many == ONE ? 1 : INT_MAX;
    armed = 1;
}

/* Returns whether anything failed. */
static int disarm (void)
{
    armed = 0;
    return failures > 0;
}

/* ---- the world ---- */

static void push (void *context, dWorldID world, dReal time)
{
    const scene *s = context;
    (void)world;
    for (int b = 0; b < s->bodies; ++b) dBodyAddForce (s->body[b], (dReal)0.1 * time, 0, (dReal)0.7);
}

/* Loops, a motor, a contact, several islands: every stage has something to do. */
static scene build (void)
{
    scene s = scene_open ((dReal)-9.81);
    linkage_bricard (&s, 0);
    linkage_fourbars (&s, 2, 0.5);
    const int lone = scene_box (&s, -5, 0, 0, 1, 1, 1, 1), motored = scene_box (&s, -9, 0, 0, 1, 1, 2, 3);
    const dJointID motor =
        scene_hinge (&s, motored, NO_BODY, (const double[3]){-9, 0.5, 0}, (const double[3]){0, 0, 1});
    dJointSetHingeParam (motor, dParamFMax, 3);
    dJointSetHingeParam (motor, dParamVel, 1);
    dContact contact;
    memset (&contact, 0, sizeof (contact));
    contact.surface.mu = 1;
    contact.geom.pos[0] = -5, contact.geom.pos[2] = (dReal)-0.5;
    contact.geom.normal[2] = 1;
    contact.geom.depth = (dReal)0.001;
    dJointAttach (dJointCreateContact (s.world, NULL, &contact), s.body[lone], NULL);
    return s;
}

static void choose (scene *s, int integrator)
{
    const dRLSStepperID stepper = scene_stepper (s);
    dRLSStepperSetIntegrator (stepper, integrator);
    dRLSStepperSetOrder (stepper, integrator == dRLSIntegratorEuler ? dRLSOrderRandom : dRLSOrderMinDegree);
    dRLSStepperSetForceCallback (stepper, push, s);
    dRLSStepperSetReport (stepper, dRLSReportViolations | dRLSReportEnergy | dRLSReportReactions);
}

/* ---- the tests ---- */

static void creation (void **state)
{
    (void)state;
    const dWorldID world = dWorldCreate ();
    for (int after = 0;; ++after)
    {
        int status;
        arm (after, ONE);
        const dRLSStepperID stepper = dRLSStepperCreate (world, &status);
        const int failed = disarm ();
        assert_int_equal (failed, stepper == NULL);
        assert_int_equal (status, failed ? dRLSStatusNoMemory : dRLSStatusOk);
        dRLSStepperDestroy (stepper);
        if (!failed)
        {
            assert_true (after > 0); /* something was allocated at all */
            break;
        }
    }
    dWorldDestroy (world);
}

/*
 * The first step after a beginning (so many good steps) with its n-th allocation failing, for all n.  Then
 * the world goes on and ends where it ends without failures.
 */
static void fail_steps (int good_steps, int integrator)
{
    int refused = 0;
    for (int after = 0;; ++after)
    {
        scene s = build (), plain = build ();
        scene_body_state before[SCENE_MOST];
        choose (&s, integrator), choose (&plain, integrator);
        scene_step (&s, H, good_steps), scene_step (&plain, H, good_steps);
        if (good_steps)
        {
            /* another topology, so that memory is asked for again */
            linkage_fourbars (&s, 4, 0.4), linkage_fourbars (&plain, 4, 0.4);
        }
        scene_look (&s, before);
        arm (after, after % 2 ? ALL : ONE);
        const int done = dRLSStepperStep (s.stepper, H);
        const int failed = disarm ();
        if (!done)
        {
            ++refused;
            assert_true (failed);
            assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNoMemory);
            if (!scene_same (&s, before)) fail_msg ("allocation %d: the world has changed", after);
            scene_step (&s, H, 1);
        }
        scene_step (&plain, H, 1);
        scene_step (&s, H, 5), scene_step (&plain, H, 5);
        const double off = scene_pose_difference (&s, &plain);
        if (!(off < ITERATED)) fail_msg ("allocation %d: off by %g", after, off);
        scene_close (&s), scene_close (&plain);
        if (!failed) break;
    }
    assert_true (refused > 10);
}

static void first_steps (void **state)
{
    (void)state;
    fail_steps (0, dRLSIntegratorAuto);
    fail_steps (0, dRLSIntegratorEuler);
}

static void later_steps (void **state)
{
    (void)state;
    fail_steps (3, dRLSIntegratorAuto);
    fail_steps (3, dRLSIntegratorEuler);
}

static dReal deeper (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)context;
    *rate = 1, *acceleration = 0;
    return time;
}

/* Two drives that contradict each other, the first of them into another joint's stop. */
static scene build_driven (void)
{
    scene s = scene_open ((dReal)-9.81);
    linkage_fourbars (&s, 1, 0.4);
    for (int j = 0; j < 3; j += 2) dRLSStepperSetJointDrive (scene_stepper (&s), s.joint[j], deeper, NULL);
    dJointSetHingeParam (s.joint[1], dParamHiStop, (dReal)-0.001);
    dJointSetHingeParam (s.joint[1], dParamLoStop, -1);
    return s;
}

static void drives_given_up (void **state)
{
    (void)state;
    for (int after = 0;; ++after)
    {
        scene s = build_driven ();
        scene_body_state before[SCENE_MOST];
        dRLSReport report = {.struct_size = sizeof (report)};
        scene_look (&s, before);
        arm (after, after % 2 ? ALL : ONE);
        const int done = dRLSStepperStep (s.stepper, H), failed = disarm ();
        assert_true (done || failed);
        if (!done) assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNoMemory);
        if (!done && !scene_same (&s, before)) fail_msg ("allocation %d: the world has changed", after);
        scene_step (&s, H, 5);
        dRLSStepperGetReport (s.stepper, &report);
        assert_true (report.conflicting > 0);
        assert_true (scene_violation (&s) < 1e-12);
        scene_close (&s);
        if (!failed) break;
    }
}

static void analyses (void **state)
{
    (void)state;
    for (int after = 0;; ++after)
    {
        scene s = build ();
        scene_body_state before[SCENE_MOST];
        choose (&s, dRLSIntegratorAuto);
        scene_look (&s, before);
        arm (after, ONE);
        const int done = dRLSStepperAnalyse (s.stepper);
        const int failed = disarm ();
        assert_int_equal (dRLSStepperGetStatus (s.stepper), done ? dRLSStatusOk : dRLSStatusNoMemory);
        assert_true (done || failed);
        assert_true (scene_same (&s, before));
        const dRLSReport report = scene_analyse (&s);
        assert_int_equal (report.dof, 1 + 1 + 6 + 1);
        scene_close (&s);
        if (!failed) break;
    }
}

static dReal stand_still (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)context, (void)time;
    *rate = *acceleration = 0;
    return 0;
}

static void setters (void **state)
{
    (void)state;
    scene s = build ();
    const dRLSStepperID stepper = scene_stepper (&s);
    arm (0, ALL);
    const int priority = dRLSStepperSetJointPriority (stepper, s.joint[0], 1);
    const int drive = dRLSStepperSetJointDrive (stepper, s.joint[0], stand_still, NULL);
    assert_true (disarm ());
    assert_int_equal (priority, 0);
    assert_int_equal (drive, 0);
    assert_int_equal (dRLSStepperSetJointPriority (stepper, s.joint[0], 1), 1);
    assert_int_equal (dRLSStepperSetJointDrive (stepper, s.joint[0], stand_still, NULL), 1);
    assert_int_equal (dRLSStepperSetJointDrive (stepper, s.joint[0], NULL, NULL), 1);
    scene_step (&s, H, 1);
    scene_close (&s);
}

/* Saving and restoring with their n-th allocation failing: the bodies stay, the state is empty or as it was,
 * and the stepper goes on. */
static void states (void **state)
{
    (void)state;
    for (int after = 0, again = 1; again; ++after)
    {
        scene s = build ();
        scene_body_state before[SCENE_MOST], later[SCENE_MOST];
        choose (&s, after % 2 ? dRLSIntegratorEuler : dRLSIntegratorAuto);
        scene_step (&s, H, 3);
        const dRLSStateID saved = dRLSStateCreate ();
        scene_look (&s, before);

        arm (after, ONE);
        const int kept = dRLSStepperSaveState (s.stepper, saved, s.body, s.bodies);
        again = disarm ();
        assert_int_equal (kept, !again);
        assert_true (scene_same (&s, before));
        if (!kept)
        {
            assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNoMemory);
            assert_int_equal (dRLSStepperRestoreState (s.stepper, saved), 0); /* it is empty */
            assert_int_equal (dRLSStepperSaveState (s.stepper, saved, s.body, s.bodies), 1);
        }

        /* into a stepper that has to make room */
        dRLSStepperDestroy (s.stepper);
        s.stepper = NULL;
        choose (&s, after % 2 ? dRLSIntegratorEuler : dRLSIntegratorAuto);
        scene_step (&s, H, 1);
        scene_look (&s, later);
        arm (after, ALL);
        const int restored = dRLSStepperRestoreState (s.stepper, saved);
        const int failed = disarm ();
        assert_int_equal (restored, !failed);
        assert_true (scene_same (&s, restored ? before : later));
        assert_int_equal (dRLSStepperGetStatus (s.stepper), restored ? dRLSStatusOk : dRLSStatusNoMemory);
        again |= failed;
        scene_step (&s, H, 3);
        assert_int_equal (dRLSStepperRestoreState (s.stepper, saved), 1);
        assert_true (scene_same (&s, before));
        dRLSStateDestroy (saved);
        scene_close (&s);
    }
}

/* ---- what is in fresh memory ---- */

/* Whatever fresh memory holds, zeros or NaN, the steps are the same. */
static void fresh_memory_may_hold_anything (void **state)
{
    (void)state;
    static const int bytes[] = {0, 0xFF, 0x7F};
    for (int integrator = 0; integrator < 2; ++integrator)
        for (int kinematic = 0; kinematic < 2; ++kinematic)
        {
            scene_body_state right[SCENE_MOST];
            for (int i = 0; i < 3; ++i)
            {
                filling = bytes[i];
                scene s = build ();
                choose (&s, integrator);
                scene_step (&s, H, 5);
                if (kinematic) dBodySetKinematic (s.body[0]);
                scene_step (&s, H, 5);
                linkage_fourbars (&s, 5, 0.4);
                scene_step (&s, H, 5);
                scene_analyse (&s);
                filling = -1;
                if (i == 0)
                    scene_look (&s, right);
                else if (!scene_same (&s, right))
                    fail_msg ("memory full of %#x makes a difference", bytes[i]);
                scene_close (&s);
            }
        }
}

/* ---- ODE's own workspace ---- */

static void *ode_allocate (size_t size) { return fails () ? NULL : __real_malloc (size); }
static void *ode_shrink (void *block, size_t old_size, size_t size)
{
    (void)old_size;
    return fails () ? NULL : __real_realloc (block, size);
}
static void ode_free (void *block, size_t size)
{
    (void)size;
    free (block);
}

/* The first piece is granted: ODE itself falls over when that one is missing. */
static void ode_without_memory (void **state)
{
    (void)state;
    const dWorldStepMemoryFunctionsInfo functions = {sizeof (functions), ode_allocate, ode_shrink, ode_free};
    scene s = build ();
    scene_body_state before[SCENE_MOST];
    assert_int_equal (dWorldSetStepMemoryManager (s.world, &functions), 1);
    scene_stepper (&s);
    scene_look (&s, before);
    arm (1, ALL);
    const int done = dRLSStepperStep (s.stepper, H), analysed = dRLSStepperAnalyse (s.stepper);
    assert_true (disarm ());
    assert_int_equal (done, 0);
    assert_int_equal (analysed, 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusODEFailed);
    assert_true (scene_same (&s, before));
    scene_step (&s, H, 5);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (creation),
        cmocka_unit_test (first_steps),
        cmocka_unit_test (later_steps),
        cmocka_unit_test (drives_given_up),
        cmocka_unit_test (analyses),
        cmocka_unit_test (states),
        cmocka_unit_test (fresh_memory_may_hold_anything),
        cmocka_unit_test (setters),
        cmocka_unit_test (ode_without_memory),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
