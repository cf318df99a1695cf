/*
 * Rows of the program with bounds, beside closed forms: a mass on a string that goes slack, dry friction, a
 * motor of limited force, a floor that moves, and bounded rows beside hard ones of the same joint.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_scene.h"

#define G 9.81
#define EXACT 1e-9

static scene one_box (double gravity, dRLSRowsFunction *rows, int count, void *context, dJointID *joint)
{
    scene s = scene_open ((dReal)-gravity);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    *joint = dJointCreateLMotor (s.world, NULL);
    dJointAttach (*joint, s.body[0], NULL);
    scene_stepper (&s);
    assert_int_equal (dRLSStepperSetJointRows (s.stepper, *joint, count, rows, context), 1);
    return s;
}

/* ---- one side ---- */

/* A string of 1 m from the origin: 1 - |x| >= 0. */
static int string (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const dReal *x = dBodyGetPosition (dJointGetBody (joint, 0));
    const dReal length = (dReal)sqrt ((double)(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    (void)context, (void)time;
    for (int k = 0; k < 3; ++k) row->first[k] = -x[k] / length;
    row->value = 1 - length, row->hi = dInfinity;
    return 1;
}

/* Thrown at the lowest point with 3.5 G, the mass leaves the circle where the string goes slack, at z = (3.5
 * - 2) / 3, and rises to z + v^2 sin^2 / 2 G with v^2 = G z.  Returns by how much that height is missed. */
static double string_goes_slack (double h)
{
    dJointID joint;
    scene s = one_box (G, string, 1, NULL, &joint);
    const double z = 1.5 / 3, top = z + z * (1 - z * z) / 2;
    dBodySetPosition (s.body[0], 0, 0, -1);
    dBodySetLinearVel (s.body[0], (dReal)sqrt (3.5 * G), 0, 0);
    double reached = 0, farthest = 0;
    for (int i = 0; (double)dBodyGetLinearVel (s.body[0])[2] > 0 || i < 10; ++i)
    {
        assert_int_equal (dRLSStepperStep (s.stepper, (dReal)h), 1);
        const dReal *x = dBodyGetPosition (s.body[0]), *v = dBodyGetLinearVel (s.body[0]);
        reached = (double)x[2] + (double)v[2] * (double)v[2] / (2 * G);
        farthest = fmax (farthest, sqrt ((double)(x[0] * x[0] + x[2] * x[2])));
    }
    print_message ("string, h = %g: top %.9f, of %.9f; longest %.3g over\n", h, reached, top, farthest - 1);
    assert_true (farthest < 1 + 1e-8);
    scene_close (&s);
    return fabs (reached - top);
}

static void a_string_goes_slack (void **state)
{
    (void)state;
    const double coarse = string_goes_slack (0.004), fine = string_goes_slack (0.001);
    print_message ("off by %.2e and %.2e: order %.2f\n", coarse, fine, log (coarse / fine) / log (4));
    assert_true (fine < 1e-4 && coarse / fine > 6);
}

/* It falls freely until the string is taut, and hangs: the tension is its weight. */
static void a_string_holds (void **state)
{
    (void)state;
    dJointID joint;
    dJointFeedback pull;
    scene s = one_box (G, string, 1, NULL, &joint);
    dBodySetPosition (s.body[0], 0, 0, (dReal)-0.1);
    dJointSetFeedback (joint, &pull);
    for (int i = 0; i < 40; ++i)
    {
        assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 1);
        const double t = 0.01 * (i + 1);
        assert_true (fabs ((double)dBodyGetPosition (s.body[0])[2] + 0.1 + G / 2 * t * t) < EXACT);
    }
    scene_step (&s, (dReal)0.01, 100);
    print_message ("hangs at %.12f, tension %.12f\n", (double)dBodyGetPosition (s.body[0])[2],
                   (double)pull.f1[2]);
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[2] + 1) < EXACT);
    assert_true (fabs ((double)pull.f1[2] - G) < EXACT);
    scene_close (&s);
}

#define WAVE 2.0   /* rad/s */
#define SHAKES 0.5 /* m: 2 m/s^2 at most, less than G */

/* A floor that rises and falls: value of the side that the context names, 1 or -1. */
static int floor_moves (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const int side = *(const int *)context;
    const dReal *x = dBodyGetPosition (dJointGetBody (joint, 0));
    const double t = (double)time;
    row->first[2] = (dReal)side;
    row->value = (dReal)side * (x[2] - (dReal)(SHAKES * sin (WAVE * t)));
    row->rate = (dReal)(side * SHAKES * WAVE * cos (WAVE * t));
    *(side > 0 ? &row->hi : &row->lo) = side > 0 ? dInfinity : -dInfinity;
    return 1;
}

/* Either way of saying it. */
static void a_floor_carries (void **state)
{
    (void)state;
    for (int side = 1; side >= -1; side -= 2)
    {
        dJointID joint;
        scene s = one_box (G, floor_moves, 1, &side, &joint);
        dBodySetLinearVel (s.body[0], 0, 0, (dReal)(SHAKES * WAVE));
        double off = 0;
        for (int i = 0; i < 300; ++i)
        {
            assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 1);
            off = fmax (
                off, fabs ((double)dBodyGetPosition (s.body[0])[2] - SHAKES * sin (WAVE * 0.01 * (i + 1))));
        }
        print_message ("floor, side %d: off by %.2e m\n", side, off);
        assert_true (off < EXACT);
        scene_close (&s);
    }
}

/* ---- velocities ---- */

typedef struct
{
    double rate, lo, hi;
} drive;

static int along_x (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const drive *d = context;
    (void)joint, (void)time;
    row->first[0] = 1;
    row->kind = dRLSRowNonholonomic;
    row->rate = (dReal)d->rate, row->lo = (dReal)d->lo, row->hi = (dReal)d->hi;
    return 1;
}

/* 3 m/s against 2 N of 1 kg: 2.25 m, and there it stays; pushed by less than 2 N, too. */
static void dry_friction_stops (void **state)
{
    (void)state;
    dJointID joint;
    drive d = {0, -2, 2};
    scene s = one_box (0, along_x, 1, &d, &joint);
    dBodySetLinearVel (s.body[0], 3, 0, 0);
    scene_step (&s, (dReal)0.01, 100);
    print_message ("slides: %.3e\n", (double)dBodyGetPosition (s.body[0])[0] - 2);
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 2) < EXACT); /* 3 - 1 */
    scene_step (&s, (dReal)0.01, 100);
    print_message ("rests: %.3e\n", (double)dBodyGetPosition (s.body[0])[0] - 2.25);
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 2.25) < EXACT);
    for (int i = 0; i < 50; ++i)
    {
        dBodyAddForce (s.body[0], (dReal)1.9, 0, 0);
        assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 1);
    }
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 2.25) < EXACT);
    scene_close (&s);
}

/* 1 N drives 1 kg to 0.5 m/s in 0.5 s, and no farther. */
static void a_motor_of_limited_force (void **state)
{
    (void)state;
    dJointID joint;
    drive d = {0.5, -1, 1};
    scene s = one_box (0, along_x, 1, &d, &joint);
    scene_step (&s, (dReal)0.01, 40);
    assert_true (fabs ((double)dBodyGetLinearVel (s.body[0])[0] - 0.4) < EXACT);
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 0.08) < EXACT);
    scene_step (&s, (dReal)0.01, 60);
    assert_true (fabs ((double)dBodyGetLinearVel (s.body[0])[0] - 0.5) < EXACT);
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 0.375) < EXACT);
    scene_close (&s);
}

/* ---- rows that move with time, beside one with bounds ---- */

#define SWING 0.3
#define SWINGS 5.0

/* x = SWING sin (SWINGS t), as a position or as its rate; dry friction along y. */
static int swing_and_rub (void *context, dJointID joint, dReal time, dRLSProgramRow *rows)
{
    const double phase = SWINGS * (double)time;
    const int *kind = context;
    rows[0].first[0] = 1, rows[0].kind = *kind;
    rows[0].rate = (dReal)(SWING * SWINGS * cos (phase));
    if (*kind == dRLSRowHolonomic)
        rows[0].value = dBodyGetPosition (dJointGetBody (joint, 0))[0] - (dReal)(SWING * sin (phase));
    rows[1].first[1] = 1, rows[1].kind = dRLSRowNonholonomic;
    rows[1].lo = -2, rows[1].hi = 2;
    return 1;
}

static void rates_that_change_beside_bounds (void **state)
{
    (void)state;
    for (int kind = dRLSRowHolonomic; kind <= dRLSRowNonholonomic; ++kind)
    {
        dJointID joint;
        scene s = one_box (0, swing_and_rub, 2, &kind, &joint);
        double off = 0, rate_off = 0;
        dBodySetLinearVel (s.body[0], (dReal)(SWING * SWINGS), 3, 0);
        for (int i = 1; i <= 100; ++i)
        {
            assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 1);
            const dReal *x = dBodyGetPosition (s.body[0]), *v = dBodyGetLinearVel (s.body[0]);
            off = fmax (off, fabs ((double)x[0] - SWING * sin (SWINGS * 0.01 * i)));
            rate_off = fmax (rate_off, fabs ((double)v[0] - SWING * SWINGS * cos (SWINGS * 0.01 * i)));
        }
        assert_true (off < (kind == dRLSRowHolonomic ? EXACT : 1e-4)); /* the mean of both rates */
        assert_true (rate_off < EXACT);
        assert_true (fabs ((double)dBodyGetPosition (s.body[0])[1] - 2) < EXACT); /* 3 t - t^2 */
        scene_close (&s);
    }
}

/* ---- beside hard rows ---- */

/* A bead on a wire along (1, 0, -1) with an end at x = 1: hard, bounded and hard. */
static int wire_with_an_end (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const dReal *x = dBodyGetPosition (dJointGetBody (joint, 0));
    (void)context, (void)time;
    row[0].first[1] = 1, row[0].value = x[1];
    row[1].first[0] = -1, row[1].value = 1 - x[0], row[1].hi = dInfinity;
    row[2].first[0] = 1, row[2].first[2] = 1, row[2].value = x[0] + x[2];
    return 1;
}

static void a_bead_meets_the_end (void **state)
{
    (void)state;
    for (int euler = 0; euler < 2; ++euler)
    {
        dJointID joint;
        scene s = one_box (G, wire_with_an_end, 3, NULL, &joint);
        if (euler) dRLSStepperSetIntegrator (s.stepper, dRLSIntegratorEuler);
        dRLSReport report = {.struct_size = sizeof (report)};
        for (int i = 0; i < 40; ++i)
        {
            assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 1);
            const double t = 0.01 * (i + 1);
            if (!euler) assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - G / 4 * t * t) < EXACT);
        }
        scene_step (&s, (dReal)0.01, 100);
        dRLSStepperGetReport (s.stepper, &report);
        print_message ("bead: %.3e, %d rows, %d with bounds\n", (double)dBodyGetPosition (s.body[0])[0] - 1,
                       report.rows, report.bounded_rows);
        assert_int_equal (report.bounded_rows, 1);
        assert_int_equal (report.rank, 2);
        assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 1) < (euler ? 1e-3 : EXACT));
        assert_true (fabs ((double)(dBodyGetPosition (s.body[0])[0] + dBodyGetPosition (s.body[0])[2])) <
                     EXACT);
        scene_close (&s);
    }
}

static int bad_bounds (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    (void)joint, (void)time;
    row->first[0] = 1, row->lo = -1, row->hi = 1;
    if (*(int *)context == 1) row->lo = 1;
    if (*(int *)context == 2) row->hi = (dReal)NAN;
    return 1;
}

/* A position with bounds on both sides, bounds that leave out 0, and what is no number. */
static void bounds_that_are_none (void **state)
{
    (void)state;
    for (int which = 0; which < 3; ++which)
    {
        dJointID joint;
        scene s = one_box (G, bad_bounds, 1, &which, &joint);
        assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 0);
        assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (a_string_goes_slack),
        cmocka_unit_test (a_string_holds),
        cmocka_unit_test (a_floor_carries),
        cmocka_unit_test (dry_friction_stops),
        cmocka_unit_test (a_motor_of_limited_force),
        cmocka_unit_test (a_bead_meets_the_end),
        cmocka_unit_test (rates_that_change_beside_bounds),
        cmocka_unit_test (bounds_that_are_none),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
