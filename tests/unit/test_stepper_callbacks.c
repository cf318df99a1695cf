/*
 * Callbacks that do what they must not: add and remove objects of the world that is being stepped, begin
 * another call, change choices, destroy the stepper.
 */
#include "oracle_scene.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define H ((dReal)0.01)

/* A swinging box, and beside it another one that is the victim. */
enum
{
    SWINGING,
    VICTIM
};

static scene two_pendulums (void)
{
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < 2; ++i)
    {
        const int box = scene_box (&s, (dReal)(3 * i), 0, 0, 1, 1, (dReal)0.5, (dReal)0.2);
        scene_hinge (&s, box, NO_BODY, (const double[3]){3 * i - 0.5, 0, 0}, (const double[3]){0, 1, 0});
    }
    return s;
}

typedef struct
{
    scene *s;
    int calls, strike; /* the call at which it happens */
    enum
    {
        REMOVE_BODY,
        REMOVE_JOINT,
        ADD_BODY,
        ADD_JOINT,
        COUNTED, /* by these the numbers of bodies and joints change */
        DETACH_JOINT = COUNTED,
        ATTACH_JOINT,
        REPLACE_JOINT,
        CRIMES
    } crime;
} culprit;

static void act (culprit *c)
{
    if (c->calls++ != c->strike) return;
    switch (c->crime)
    {
    case REMOVE_BODY:
        dBodyDestroy (c->s->body[VICTIM]);
        c->s->bodies = 1;
        break;
    case REMOVE_JOINT:
        dJointDestroy (c->s->joint[VICTIM]);
        c->s->joints = 1;
        break;
    case ADD_BODY:
        dBodyCreate (c->s->world);
        break;
    case ADD_JOINT:
        dJointCreateBall (c->s->world, NULL);
        break;
    case DETACH_JOINT:
        dJointAttach (c->s->joint[VICTIM], NULL, NULL);
        break;
    case ATTACH_JOINT:
        dJointAttach (c->s->joint[VICTIM], c->s->body[VICTIM], c->s->body[SWINGING]);
        break;
    default:
        dJointDestroy (c->s->joint[VICTIM]);
        c->s->joint[VICTIM] = dJointCreateBall (c->s->world, NULL);
    }
}

static void force (void *context, dWorldID world, dReal time)
{
    (void)world, (void)time;
    act (context);
}

static dReal drive (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)time;
    *rate = *acceleration = 0;
    act (context);
    return 0;
}

/* Refused, what is left as it was, and no trouble afterwards. */
static void expect_refusal (scene *s, const culprit *c, const scene_body_state *before)
{
    const dRLSStepperID stepper = s->stepper;
    if (dRLSStepperGetStatus (stepper) != dRLSStatusWorldChanged)
        fail_msg ("crime %d at call %d: %s", c->crime, c->strike, dRLSStepperGetMessage (stepper));
    if (!scene_same (s, before)) fail_msg ("crime %d at call %d left traces", c->crime, c->strike);
    dRLSStepperSetForceCallback (stepper, NULL, NULL);
    if (s->joints > 1) dRLSStepperSetJointDrive (stepper, s->joint[VICTIM], NULL, NULL);
    scene_step (s, H, 3);
}

/* Breaks, say, a joint whose load is too large. */
static void forces_that_change_the_world (void **state)
{
    (void)state;
    for (int crime = 0; crime < CRIMES; ++crime)
        for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
            for (int strike = 0; strike < 4; ++strike)
            {
                scene s = two_pendulums ();
                scene_body_state before[2];
                culprit c = {&s, 0, strike, crime};
                dRLSStepperSetIntegrator (scene_stepper (&s), integrator);
                scene_step (&s, H, 2);
                scene_look (&s, before);
                dRLSStepperSetForceCallback (s.stepper, force, &c);
                int done = 1;
                for (int steps = 0; steps < 5 && done; ++steps)
                {
                    scene_look (&s, before);
                    done = dRLSStepperStep (s.stepper, H);
                }
                if (done) fail_msg ("crime %d went unnoticed", crime);
                expect_refusal (&s, &c, before);
                scene_close (&s);
            }
}

static void drives_that_change_the_world (void **state)
{
    (void)state;
    for (int crime = 0; crime < COUNTED; ++crime)
        for (int analyse = 0; analyse < 2; ++analyse)
        {
            scene s = two_pendulums ();
            scene_body_state before[2];
            culprit c = {&s, 0, 0, crime};
            scene_step (&s, H, 2);
            scene_look (&s, before);
            assert_int_equal (dRLSStepperSetJointDrive (s.stepper, s.joint[VICTIM], drive, &c), 1);
            assert_int_equal (analyse ? dRLSStepperAnalyse (s.stepper) : dRLSStepperStep (s.stepper, H), 0);
            expect_refusal (&s, &c, before);
            scene_close (&s);
        }
}

/* ---- calls from within ---- */

typedef struct
{
    scene *s;
    dRLSStateID saved;
    int calls, refused;
} intruder;

static void try_everything (intruder *i)
{
    const dRLSStepperID stepper = i->s->stepper;
    const dJointID joint = i->s->joint[0];
    ++i->calls;
    i->refused = !dRLSStepperStep (stepper, H) && !dRLSStepperAnalyse (stepper) &&
                 !dRLSStepperSaveState (stepper, i->saved, i->s->body, 2) &&
                 !dRLSStepperRestoreState (stepper, i->saved) &&
                 !dRLSStepperSetIntegrator (stepper, dRLSIntegratorEuler) &&
                 !dRLSStepperSetCorrection (stepper, dRLSCorrectionNone) &&
                 !dRLSStepperSetCorrectionFlags (stepper, dRLSCorrectOnce) &&
                 !dRLSStepperSetBaumgarte (stepper, 1, 1) && !dRLSStepperSetPenalty (stepper, 1) &&
                 !dRLSStepperSetOrder (stepper, dRLSOrderNatural) && !dRLSStepperSetOrderSeed (stepper, 7) &&
                 !dRLSStepperSetJointPriority (stepper, joint, 1) &&
                 !dRLSStepperSetJointCompliance (stepper, joint, 1, 1) &&
                 !dRLSStepperSetRankTolerance (stepper, (dReal)0.1) &&
                 !dRLSStepperSetPositionTolerance (stepper, 1) &&
                 !dRLSStepperSetBoundedIterations (stepper, 1) && !dRLSStepperSetReport (stepper, 0) &&
                 !dRLSStepperSetTime (stepper, 9) && !dRLSStepperSetJointDrive (stepper, joint, drive, NULL);
    dRLSStepperSetForceCallback (stepper, NULL, NULL);
    dRLSStepperDestroy (stepper);
}

static void intrude_by_force (void *context, dWorldID world, dReal time)
{
    (void)world, (void)time;
    try_everything (context);
}

static dReal intrude_by_drive (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)time;
    *rate = *acceleration = 0;
    try_everything (context);
    return 0;
}

static void intrude_by_message (void *context, int is_error, int code, const char *text)
{
    (void)is_error, (void)code, (void)text;
    try_everything (context);
}

/* The run with intruders is the run without them, bit for bit. */
static void calls_from_within_are_refused (void **state)
{
    (void)state;
    for (int way = 0; way < 3; ++way)
    {
        scene s = two_pendulums (), plain = two_pendulums ();
        scene_body_state end[2];
        intruder i = {&s, dRLSStateCreate (), 0, 1};
        culprit nobody = {&plain, 1, 0, ADD_BODY};
        scene_step (&s, H, 2), scene_step (&plain, H, 2);
        assert_int_equal (dRLSStepperSaveState (s.stepper, i.saved, s.body, 2), 1);
        if (way == 0) dRLSStepperSetForceCallback (s.stepper, intrude_by_force, &i);
        if (way == 0) dRLSStepperSetForceCallback (plain.stepper, force, &nobody);
        if (way == 1) dRLSStepperSetJointDrive (s.stepper, s.joint[1], intrude_by_drive, &i);
        if (way == 1) dRLSStepperSetJointDrive (plain.stepper, plain.joint[1], drive, &nobody);
        if (way == 2) dRLSStepperSetMessageCallback (s.stepper, intrude_by_message, &i);
        if (way == 2) assert_int_equal (dRLSStepperStep (s.stepper, 0), 0);
        scene_step (&s, H, 3), scene_step (&plain, H, 3);
        assert_true (i.calls > 0 && i.refused);
        scene_look (&plain, end);
        assert_true (scene_same (&s, end));
        dRLSStateDestroy (i.saved);
        scene_close (&s), scene_close (&plain);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (forces_that_change_the_world),
        cmocka_unit_test (drives_that_change_the_world),
        cmocka_unit_test (calls_from_within_are_refused),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
