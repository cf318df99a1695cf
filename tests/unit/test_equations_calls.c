/*
 * Asking for the equations of motion: it leaves no trace in the run, works in any units, and refuses what it
 * cannot answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_equations.h"

static void push (void *context, dWorldID world, dReal time)
{
    (void)world, (void)time;
    dBodyAddForce (context, 1, 2, 3);
}

/* Looking changes nothing of the run, forces of the callback count, and the equations stay when the world
 * moves. */
static void looking_leaves_no_trace (void **state)
{
    (void)state;
    scene s[2];
    for (int k = 0; k < 2; ++k)
    {
        s[k] = linkage_open (&linkages[0]);
        for (int i = 0; i < 50; ++i)
        {
            scene_step (&s[k], (dReal)0.01, 1);
            if (k == 0) continue;
            dense d = dense_look (&s[1]);
            dense_forget (&d);
        }
    }
    scene_body_state state0[SCENE_MOST];
    scene_look (&s[0], state0);
    for (int b = 0; b < s[0].bodies; ++b)
        for (int k = 0; k < 3; ++k)
            assert_true (dBodyGetPosition (s[0].body[b])[k] == dBodyGetPosition (s[1].body[b])[k] &&
                         dBodyGetLinearVel (s[0].body[b])[k] == dBodyGetLinearVel (s[1].body[b])[k]);
    dRLSStepperSetForceCallback (s[0].stepper, push, s[0].body[0]);
    dense with = dense_look (&s[0]), without = dense_look (&s[1]);
    assert_true (scene_same (&s[0], state0));
    dReal *a = dense_numbers (with.n), *b = dense_numbers (with.n), *force = dense_numbers (with.n);
    for (int k = 0; k < with.size.bodies; ++k)
        if (without.body[k] == s[1].body[0]) force[6 * k] = 1, force[6 * k + 1] = 2, force[6 * k + 2] = 3;
    dRLSEquationsAccelerate (without.equations, force, b, NULL);
    scene_step (&s[0], (dReal)0.01, 3);
    dRLSEquationsAccelerate (with.equations, NULL, a, NULL);
    double *same = dense_doubles (b, with.n);
    dense_near ("accelerations", a, same, with.n);
    free (a), free (b), free (force), free (same);
    dense_forget (&with), dense_forget (&without);
    scene_close (&s[0]);
    scene_close (&s[1]);
}

/* A pendulum of any size has accelerations of its size, and pivots of its own. */
static void any_size (void **state)
{
    dReal at_one[6] = {0}, pivot_at_one = 0;
    (void)state;
    for (int decade = 0; decade < 3; ++decade)
    {
        const double unit = ldexp (1, decade == 0   ? 0
                                      : decade == 1 ? 20
                                                    : -20),
                     axis[3] = {0, 1, 0}, pin[3] = {0, 0, 0};
        scene s = scene_open (0);
        dReal a[6], p[5];
        dRLSRecursion step = {.struct_size = sizeof (step)};
        dWorldSetGravity (s.world, 0, 0, (dReal)(-9.81 * unit));
        scene_box (&s, (dReal)unit, 0, 0, 1, (dReal)unit, (dReal)unit, (dReal)unit);
        scene_hinge (&s, 0, NO_BODY, pin, axis);
        dense d = dense_look (&s);
        assert_int_equal (dRLSEquationsAccelerate (d.equations, NULL, a, p), 1);
        assert_int_equal (dRLSEquationsGetRecursion (d.equations, 0, &step, NULL), 1);
        if (decade == 0) memcpy (at_one, a, sizeof (a)), pivot_at_one = step.pivot;
        for (int k = 0; k < 6; ++k)
            assert_true (fabs ((double)a[k] - (k < 3 ? unit : 1) * (double)at_one[k]) <
                         1e-12 * (k < 3 ? unit : 1));
        assert_true (step.row == 0 && fabs ((double)(step.pivot - pivot_at_one)) < 1e-12);
        dense_forget (&d);
        scene_close (&s);
    }
}

/* An elasticity that is not symmetric. */
static void bend (void *context, const dReal *p, dReal *openings)
{
    const int rows = *(const int *)context;
    for (int i = 0; i < rows; ++i) openings[i] = p[i] + (i > 0 ? p[i - 1] / 2 : 0);
}

static void bad_calls_are_refused (void **state)
{
    (void)state;
    scene s = linkage_open (&linkages[linkage_count - 1]), empty = scene_open (-1);
    const dRLSEquationsID nothing = dRLSEquationsCreate ();
    dRLSEquationsSize size = {.struct_size = sizeof (size)};
    dReal number[4096] = {0}, out[4096] = {0}, nan[4096] = {(dReal)NAN};
    assert_int_equal (dRLSEquationsAccelerate (nothing, NULL, out, NULL), 0);
    assert_int_equal (dRLSEquationsGetSize (nothing, &size), 0);
    assert_int_equal (dRLSEquationsGetRows (nothing, NULL, 0), -1);
    assert_int_equal (dRLSStepperGetEquations (scene_stepper (&s), NULL), 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusBadArgument);
    assert_int_equal (dRLSStepperGetEquations (NULL, nothing), 0);
    assert_int_equal (dRLSStepperGetEquations (scene_stepper (&empty), nothing), 1);
    assert_true (dRLSEquationsGetSize (nothing, &size) && size.bodies == 0 && size.rows == 0);
    assert_int_equal (dRLSEquationsAccelerate (nothing, NULL, out, NULL), 1);
    scene_box (&empty, 0, 0, 0, 1, 1, 1, 1);
    assert_int_equal (dRLSStepperGetEquations (empty.stepper, nothing), 1);
    assert_int_equal (dRLSEquationsAccelerate (nothing, NULL, out, NULL), 1);
    assert_true (dRLSEquationsGetSize (nothing, &size) && size.bodies == 1 &&
                 fabs ((double)out[2] + 1) < 1e-12);
    assert_int_equal (dRLSStepperGetEquations (s.stepper, nothing), 1);
    dRLSEquationsGetSize (nothing, &size);
    assert_int_equal (dRLSEquationsAlongRows (nothing, nan, out), 0);
    assert_int_equal (dRLSEquationsAlongRows (nothing, NULL, out), 0);
    assert_int_equal (dRLSEquationsAlongRows (nothing, number, NULL), 0);
    assert_int_equal (dRLSEquationsSolveDelassus (nothing, nan, out), 0);
    assert_int_equal (dRLSEquationsShare (nothing, NULL, nan), 0);
    const dRLSElasticity negative = {.struct_size = sizeof (negative), .compliance = nan};
    assert_int_equal (dRLSEquationsShare (nothing, &negative, number), 0);
    const dRLSElasticity rigid = {.struct_size = sizeof (rigid), .compliance = number}; /* nothing decides */
    assert_true (size.rank < size.rows);
    assert_int_equal (dRLSEquationsShare (nothing, &rigid, out), 0);
    const dRLSElasticity unsymmetric = {
        .struct_size = sizeof (unsymmetric), .function = bend, .context = &size.rows};
    memset (out, 0, sizeof (out));
    assert_int_equal (dRLSEquationsShare (nothing, &unsymmetric, out), 0);
    dRLSRecursion step = {.struct_size = sizeof (step)};
    assert_int_equal (dRLSEquationsGetRecursion (nothing, size.rows, &step, NULL), 0);
    assert_int_equal (dRLSEquationsGetRecursion (nothing, -1, &step, NULL), 0);
    const dReal two[2] = {1, 1};
    const dJointID twice[2] = {s.joint[0], s.joint[0]};
    assert_int_equal (dRLSStepperInverseDynamics (s.stepper, twice, two, 2, out), 0);
    assert_int_equal (dRLSStepperInverseDynamics (s.stepper, twice, nan, 1, out), 0);
    assert_int_equal (dRLSStepperInverseDynamics (s.stepper, NULL, two, 1, out), 0);
    scene other = scene_open (0);
    scene_box (&other, 0, 0, 0, 1, 1, 1, 1);
    scene_hinge (&other, 0, NO_BODY, (double[3]){0}, (double[3]){0, 0, 1});
    assert_int_equal (dRLSStepperInverseDynamics (s.stepper, other.joint, two, 1, out), 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusBadArgument);
    scene_close (&other);
    dRLSEquationsDestroy (nothing);
    dRLSEquationsDestroy (NULL);
    scene_close (&s);
    scene_close (&empty);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (looking_leaves_no_trace),
        cmocka_unit_test (any_size),
        cmocka_unit_test (bad_calls_are_refused),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
