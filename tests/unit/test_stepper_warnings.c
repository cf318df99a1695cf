/*
 * Nothing is missed silently: what a step cannot hold is counted, with the joint and the amount; what it
 * holds is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)

static unsigned long count (scene *s, int warning)
{
    return dRLSStepperGetWarningCount (scene_stepper (s), warning);
}

static dRLSWarningNote note_of (scene *s, int warning)
{
    dRLSWarningNote note = {.struct_size = sizeof (note)};
    assert_int_equal (dRLSStepperGetWarningNote (scene_stepper (s), warning, &note), 1);
    assert_int_equal (note.struct_size, sizeof (note));
    return note;
}

static const double corner[4][3] = {{0, 0, 0}, {0.2, 0, 0.3}, {1.0, 0, 0.8}, {1.1, 0, 0}};
static const double across[3] = {0, 1, 0};

/* A four-bar linkage of hinges: three of its rows are redundant. */
static scene four_bar (void)
{
    scene s = scene_open ((dReal)-9.81);
    int rod[3];
    for (int i = 0; i < 3; ++i) rod[i] = scene_rod (&s, corner[i], corner[i + 1]);
    scene_hinge (&s, rod[0], NO_BODY, corner[0], across);
    scene_hinge (&s, rod[1], rod[0], corner[1], across);
    scene_hinge (&s, rod[2], rod[1], corner[2], across);
    scene_hinge (&s, rod[2], NO_BODY, corner[3], across);
    return s;
}

/* A kinematic body that is pulled out of the linkage's plane takes no notice of it. */
static void a_kinematic_body_that_contradicts_is_told (void **state)
{
    (void)state;
    scene s = four_bar ();
    dBodySetKinematic (s.body[0]);
    scene_step (&s, H, 3);
    assert_int_equal (count (&s, dRLSWarningRate), 0);
    dBodySetLinearVel (s.body[0], 0, (dReal)0.1, 0);
    scene_step (&s, H, 1);
    assert_true (count (&s, dRLSWarningRate) == 1);
    const dRLSWarningNote note = note_of (&s, dRLSWarningRate);
    assert_true (note.amount > (dReal)1e-3 && note.amount < (dReal)0.2);
    assert_true (fabs ((double)note.time - 0.04) < 1e-9);
    int known = 0;
    for (int j = 0; j < s.joints; ++j) known |= note.joint == s.joint[j];
    assert_true (known && note.row >= 0 && note.row < 5);
    scene_close (&s);
}

/* Two motors without bound that want different speeds of a linkage with one degree of freedom. */
static void motors_that_contradict_are_told (void **state)
{
    (void)state;
    scene s = four_bar ();
    for (int i = 0; i < 2; ++i)
    {
        dJointSetHingeParam (s.joint[3 * i], dParamVel, i ? 3 : 1);
        dJointSetHingeParam (s.joint[3 * i], dParamFMax, dInfinity);
    }
    scene_step (&s, H, 2);
    assert_true (count (&s, dRLSWarningRate) == 2);
    const dRLSWarningNote note = note_of (&s, dRLSWarningRate);
    assert_true ((note.joint == s.joint[0] || note.joint == s.joint[3]) && note.row == 5);
    scene_close (&s);
}

/* A joint that is open by more than can be closed names itself. */
static void conflicts_are_named (void **state)
{
    (void)state;
    scene s = four_bar ();
    dVector3 anchor;
    scene_step (&s, H, 1);
    dJointGetHingeAnchor (s.joint[3], anchor);
    const dReal *x = dBodyGetPosition (s.body[2]);
    dBodySetPosition (s.body[2], x[0], x[1] + (dReal)0.01, x[2]);
    dJointSetHingeAnchor (s.joint[3], anchor[0], anchor[1], anchor[2]);
    dBodySetPosition (s.body[2], x[0], x[1] - (dReal)0.01, x[2]);
    scene_step (&s, H, 1);
    assert_true (count (&s, dRLSWarningConflict) > 0);
    const dRLSWarningNote note = note_of (&s, dRLSWarningConflict);
    assert_non_null (note.joint);
    assert_true (note.amount > (dReal)1e-3);
    scene_close (&s);
}

/* Where a step gains more than a step that follows the motion would, it is taken in pieces. */
static void a_whirl_gains_no_energy (void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        scene s = scene_whirl ();
        scene_step (&s, (dReal)1e-4, 1); /* velocities that fit the joints */
        const double before = scene_energy (&s);
        for (int step = 0; step < 1000; ++step)
        {
            scene_step (&s, (dReal)(0.03 + 0.01 * i), 1);
            if (scene_energy (&s) > 1.05 * before)
                fail_msg ("energy %g of %g after %d steps", scene_energy (&s), before, step);
        }
        assert_int_equal (count (&s, dRLSWarningEnergy), 0);
        scene_close (&s);
    }
}

/* By Euler's method, whose steps are not looked at before they are taken. */
static void energy_that_appears_is_told (void **state)
{
    (void)state;
    scene s = scene_whirl ();
    dRLSStepperSetIntegrator (scene_stepper (&s), dRLSIntegratorEuler);
    scene_step (&s, (dReal)1e-4, 1); /* velocities that fit the joints */
    double before = scene_energy (&s), most = before;
    for (int i = 0; i < 200; ++i)
    {
        scene_step (&s, (dReal)0.05, 1);
        most = fmax (most, scene_energy (&s));
        if (most > 1.06 * before && count (&s, dRLSWarningEnergy) == 0)
            fail_msg ("energy %g of %g after %d steps, and not a word", most, before, i);
    }
    assert_true (most > 1.06 * before); /* else this test shows nothing */
    const dRLSWarningNote note = note_of (&s, dRLSWarningEnergy);
    assert_non_null (note.joint);
    assert_true (note.amount > 0 && note.row == -1);
    scene_close (&s);
}

/* Stops with a CFM are springs; what they can give is what is stored in them, which is nothing before they
 * are touched: steps that gain by them are looked at as all others are. */
static void stops_afar_excuse_nothing (void **state)
{
    (void)state;
    const double axis[3] = {0, 1, 0};
    scene s = scene_whirl ();
    for (int link = 0; link < 3; ++link)
    {
        const dReal *x = dBodyGetPosition (s.body[link]), *w = dBodyGetAngularVel (s.body[link]);
        const double anchor[3] = {(double)x[0], (double)x[1], (double)x[2] + 0.1};
        const int flap =
            scene_box (&s, x[0], x[1], x[2] + (dReal)0.2, (dReal)0.1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
        const dJointID hinge = scene_hinge (&s, flap, link, anchor, axis);
        dJointSetHingeParam (hinge, dParamLoStop, -1);
        dJointSetHingeParam (hinge, dParamHiStop, 1);
        dJointSetHingeParam (hinge, dParamStopCFM, (dReal)1e-5);
        dBodySetAngularVel (s.body[flap], w[0], w[1], w[2]);
    }
    scene_step (&s, (dReal)1e-4, 1); /* velocities that fit the joints */
    const double before = scene_energy (&s);
    for (int i = 0; i < 200 && count (&s, dRLSWarningEnergy) == 0; ++i)
    {
        scene_step (&s, (dReal)0.05, 1);
        if (scene_energy (&s) > 1.06 * before)
            fail_msg ("energy %g of %g after %d steps, and not a word", scene_energy (&s), before, i);
    }
    scene_close (&s);
}

/* Motions that are held raise nothing. */
static void what_is_held_is_not_told (void **state)
{
    (void)state;
    for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
        for (int which = 0; which < 2; ++which)
        {
            scene s = which ? scene_whirl () : four_bar ();
            assert_true (dRLSStepperSetIntegrator (scene_stepper (&s), integrator));
            scene_step (&s, (dReal)2e-3, 200);
            const int kinds[] = {dRLSWarningProjection, dRLSWarningRate, dRLSWarningConflict};
            for (int i = 0; i < 3; ++i)
                if (count (&s, kinds[i]) > 0)
                    fail_msg ("scene %d, integrator %d: %s", which, integrator, dRLSWarningText (kinds[i]));
            if (integrator != dRLSIntegratorEuler) assert_int_equal (count (&s, dRLSWarningEnergy), 0);
            scene_close (&s);
        }
}

/* A motor of bounded force is stepped by Euler's method where that is chosen, and by none of order 4. */
static void the_chosen_method_is_no_fallback (void **state)
{
    (void)state;
    for (int chosen = 0; chosen < 2; ++chosen)
    {
        scene s = four_bar ();
        dJointSetHingeParam (s.joint[0], dParamVel, 1);
        dJointSetHingeParam (s.joint[0], dParamFMax, 20);
        dRLSStepperSetIntegrator (scene_stepper (&s), chosen ? dRLSIntegratorEuler : dRLSIntegratorRK4);
        scene_step (&s, H, 3);
        assert_int_equal (count (&s, dRLSWarningFallback), chosen ? 0 : 3);
        scene_close (&s);
    }
}

/* ---- calls from within ---- */

static jmp_buf away;
static dRLSStepperID called;
static int nested, nested_status;

static void call_again (void *context, dWorldID world, dReal time)
{
    (void)context, (void)world, (void)time;
    nested = dRLSStepperStep (called, H);
    nested_status = dRLSStepperGetStatus (called);
}

static void jump_away (void *context, dWorldID world, dReal time)
{
    (void)context, (void)world, (void)time;
    longjmp (away, 1);
}

static void calls_from_within_say_so (void **state)
{
    (void)state;
    scene s = four_bar ();
    called = scene_stepper (&s);
    nested = 1;
    dRLSStepperSetForceCallback (called, call_again, NULL);
    scene_step (&s, H, 1);
    assert_int_equal (nested, 0);
    assert_int_equal (nested_status, dRLSStatusBusy);
    assert_int_equal (dRLSStepperGetStatus (called), dRLSStatusOk); /* of the outer call, which is done */
    dRLSStepperSetForceCallback (called, jump_away, NULL);
    if (setjmp (away) == 0) dRLSStepperStep (called, H);
    assert_int_equal (dRLSStepperStep (called, H), 0);
    assert_int_equal (dRLSStepperGetStatus (called), dRLSStatusBusy);
    assert_string_equal (dRLSStepperGetMessage (called), dRLSStatusText (dRLSStatusBusy));
    scene_close (&s);
}

static void notes_of_nothing_are_refused (void **state)
{
    (void)state;
    scene s = four_bar ();
    dRLSWarningNote note = {.struct_size = sizeof (note)};
    assert_int_equal (dRLSStepperGetWarningNote (scene_stepper (&s), dRLSWarningRate, &note), 0);
    assert_int_equal (dRLSStepperGetWarningNote (NULL, dRLSWarningRate, &note), 0);
    assert_int_equal (dRLSStepperGetWarningNote (scene_stepper (&s), -1, &note), 0);
    assert_int_equal (dRLSStepperGetWarningNote (scene_stepper (&s), dRLSWarningRate, NULL), 0);
    scene_close (&s);
}

/* Arms that lie in the plane of the origin, at rest: rounding is all the energy that they have, and it is not
 * told, whatever the integrator. */
static void rounding_at_the_origin_is_not_told (void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 1};
    for (int i = 0; i < dRLSIntegratorCount; ++i)
        for (int held = 0; held < (i == dRLSIntegratorAuto ? 2 : 1); ++held)
        {
            scene s = scene_open ((dReal)-9.81);
            for (int b = 0; b < 2; ++b)
            {
                const double at[3] = {b - 0.2, 0, 0};
                const int arm = scene_box (&s, (dReal)(b + 0.3), 0, 0, 5, 1, (dReal)0.2, (dReal)0.1);
                const dJointID axis = scene_hinge (&s, arm, arm > 0 ? arm - 1 : NO_BODY, at, up);
                if (held) dJointSetHingeParam (axis, dParamFMax, (dReal)0.5);
            }
            assert_int_equal (dRLSStepperSetIntegrator (scene_stepper (&s), i), 1);
            scene_step (&s, H, 20);
            for (int w = 0; w < dRLSWarningCount; ++w) assert_int_equal (count (&s, w), 0);
            scene_close (&s);
        }
}

/* Boxes that float in each other at rest, each welded to another one, without any force: they part without a
 * speed, and what rounding leaves of one is not told.  It was taken for energy, and they stayed where they
 * were. */
static void what_floats_parts_without_a_word (void **state)
{
    (void)state;
    scene s = scene_open (0);
    const dJointGroupID contacts = dJointGroupCreate (0);
    dGeomID box[2];
    for (int i = 0; i < 2; ++i)
    {
        const dReal x = (dReal)(0.8 * i), y = (dReal)(0.1 * i), z = (dReal)(0.05 * i);
        const int big = scene_box (&s, x, y, z, 1, 1, 1, 1);
        const int small = scene_box (&s, x, (dReal)(1.5 - 3 * i), 0, 1, (dReal)0.5, (dReal)0.5, (dReal)0.5);
        dJointSetFixed (scene_joint (&s, dJointCreateFixed, big, small));
        box[i] = dCreateBox (0, 1, 1, 1);
        dGeomSetBody (box[i], s.body[big]);
    }
    for (int step = 0; step < 60; ++step)
    {
        dContact found[8];
        memset (found, 0, sizeof (found));
        const int n = dCollide (box[0], box[1], 8, &found[0].geom, sizeof (dContact));
        for (int c = 0; c < n; ++c)
            dJointAttach (dJointCreateContact (s.world, contacts, &found[c]), s.body[0], s.body[2]);
        scene_step (&s, (dReal)0.004, 1);
        dJointGroupEmpty (contacts);
    }
    for (int w = 0; w < dRLSWarningCount; ++w) assert_int_equal (count (&s, w), 0);
    dContactGeom left[8];
    const int n = dCollide (box[0], box[1], 8, left, sizeof (*left));
    for (int c = 0; c < n; ++c) assert_true (left[c].depth < (dReal)1e-4);
    for (int k = 0; k < 3; ++k) assert_true (fabs ((double)dBodyGetLinearVel (s.body[0])[k]) < 1e-12);
    for (int i = 0; i < 2; ++i) dGeomDestroy (box[i]);
    dJointGroupDestroy (contacts);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (a_kinematic_body_that_contradicts_is_told),
        cmocka_unit_test (motors_that_contradict_are_told),
        cmocka_unit_test (conflicts_are_named),
        cmocka_unit_test (a_whirl_gains_no_energy),
        cmocka_unit_test (energy_that_appears_is_told),
        cmocka_unit_test (stops_afar_excuse_nothing),
        cmocka_unit_test (what_is_held_is_not_told),
        cmocka_unit_test (the_chosen_method_is_no_fallback),
        cmocka_unit_test (calls_from_within_say_so),
        cmocka_unit_test (notes_of_nothing_are_refused),
        cmocka_unit_test (rounding_at_the_origin_is_not_told),
        cmocka_unit_test (what_floats_parts_without_a_word),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
