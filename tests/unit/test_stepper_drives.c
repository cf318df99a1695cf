/*
 * Drives and motors that contradict each other, or what they are to move: joints stay closed, the drive that
 * was set last gives way, and the report names it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include "oracle_linkages.h"

#define H ((dReal)0.01)
#define STEPS 80
#define CLOSED 1e-12        /* m or rad */
#define HELD 1e-12          /* m or rad by which a drive that is in force is missed */
#define FORGIVEN 1e-4       /* m or rad; from there on a drive is called conflicting */
#define LOOSE ((dReal)1e-5) /* m or rad: a closing that is asked for */
#define FOLLOWED 101        /* steps in which the slider-crank below can follow its drive */
#define OWN_ROWS 5          /* of a hinge or slider; the row behind them is the drive or motor */

static const int integrators[] = {dRLSIntegratorEuler, dRLSIntegratorSymplectic, dRLSIntegratorRK4};
#define INTEGRATORS ((int)(sizeof (integrators) / sizeof (*integrators)))

static const linkage *find (const char *name)
{
    for (int i = 0; i < linkage_count; ++i)
        if (strcmp (linkages[i].name, name) == 0) return &linkages[i];
    fail_msg ("there is no %s", name);
    return NULL;
}

/* ---- drives ---- */

static double position_of (dJointID joint)
{
    return (double)(dJointGetType (joint) == dJointTypeHinge ? dJointGetHingeAngle (joint)
                                                             : dJointGetSliderPosition (joint));
}

/* From where the joint stood: at a constant rate, or to and fro. */
typedef struct
{
    dJointID joint;
    double from, rate;
    double reach; /* 0 for a constant rate */
} ramp;

static double wanted (const ramp *r, double time)
{
    return r->from + (r->reach > 0 ? r->reach * sin (time * r->rate / r->reach) : time * r->rate);
}

static dReal follow (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    const ramp *r = context;
    *rate = (dReal)(r->rate * (r->reach > 0 ? cos ((double)time * r->rate / r->reach) : 1));
    *acceleration = 0; /* no integrator asks */
    return (dReal)wanted (r, (double)time);
}

static void drive (scene *s, ramp *r, dJointID joint, double rate)
{
    *r = (ramp){joint, position_of (joint), rate, 0};
    assert_true (dRLSStepperSetJointDrive (scene_stepper (s), joint, follow, r));
}

static double missed (const scene *s, const ramp *r)
{
    const double lag = wanted (r, (double)dRLSStepperGetTime (s->stepper)) - position_of (r->joint);
    return fabs (remainder (lag, 2 * 3.141592653589793));
}

/* The drives among the rows that contradict others; the joint of the last of them. */
static int conflicting_drives (const scene *s, dJointID *joint)
{
    dRLSRow row[SCENE_MOST];
    const int count = dRLSStepperGetRedundantRows (s->stepper, row, SCENE_MOST);
    int drives = 0;
    for (int i = 0; i < count; ++i)
    {
        if (row[i].status != dRLSRowConflicting || row[i].row < OWN_ROWS) continue;
        *joint = row[i].joint;
        ++drives;
    }
    return drives;
}

static int conflicts (const scene *s)
{
    dRLSReport report = {.struct_size = sizeof (report)};
    assert_true (dRLSStepperGetReport (s->stepper, &report));
    return report.conflicting;
}

/* ---- two drives, one degree of freedom ---- */

typedef struct
{
    const char *linkage;
    int joint[2];
    double rate[2];
} contradiction;

static const contradiction contradictions[] = {
    {"four-bar", {0, 1}, {0.4, -0.3}},
    {"four-bar", {2, 0}, {0.4, -0.4}},
    {"row of 5 four-bars", {0, 7}, {0.3, -2}},
    {"slider-crank", {0, 3}, {0.3, 0.3}},
    {"slider-crank", {1, 2}, {0.3, 0.3}},
    {"Bricard", {0, 3}, {0.4, 0.3}},
    {"Bennett", {0, 2}, {0.4, 0.3}},
    {"spherical four-bar", {1, 3}, {0.4, 0.3}},
    {"Sarrus", {0, 4}, {0.2, 0.3}},
    {"door", {0, 1}, {0.4, 0.5}},
};

/* The drive that is set first stays in force, whichever it is. */
static void contradict (const contradiction *c, int integrator, int first)
{
    const int second = 1 - first;
    ramp ramps[2];
    dJointID named = NULL;
    double given_up = 0;
    scene s = linkage_open (find (c->linkage));
    dRLSStepperSetIntegrator (scene_stepper (&s), integrator);
    drive (&s, &ramps[first], s.joint[c->joint[first]], c->rate[first]);
    drive (&s, &ramps[second], s.joint[c->joint[second]], c->rate[second]);
    for (int step = 0; step < STEPS; ++step)
    {
        scene_step (&s, H, 1);
        const double open = scene_violation (&s), off = missed (&s, &ramps[first]);
        if (!(open <= CLOSED && off <= HELD))
            fail_msg ("%s, drive %d first, integrator %d, step %d: joints open by %g, drive missed by %g",
                      c->linkage, first, integrator, step, open, off);
        if (given_up > FORGIVEN)
        {
            assert_int_equal (conflicts (&s), 1);
            assert_int_equal (conflicting_drives (&s, &named), 1);
            assert_ptr_equal (named, ramps[second].joint);
        }
        given_up = missed (&s, &ramps[second]);
    }
    assert_true (given_up > FORGIVEN);
    assert_true (dRLSStepperGetWarningCount (s.stepper, dRLSWarningConflict) > 0);
    assert_int_equal (dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback), 0);
    scene_close (&s);
}

static void joints_win_against_drives (void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof (contradictions) / sizeof (*contradictions); ++c)
        for (int i = 0; i < INTEGRATORS; ++i)
            for (int first = 0; first < 2; ++first) contradict (&contradictions[c], integrators[i], first);
}

/* Drives that say the same are both in force, and nothing is in conflict. */
static void drives_that_agree (void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATORS; ++i)
    {
        ramp ramps[2];
        scene s = linkage_open (find ("four-bar"));
        dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
        for (int k = 0; k < 2; ++k) drive (&s, &ramps[k], s.joint[k], 0.3);
        for (int step = 0; step < STEPS; ++step)
        {
            scene_step (&s, H, 1);
            assert_true (scene_violation (&s) <= CLOSED);
            assert_true (missed (&s, &ramps[0]) <= HELD && missed (&s, &ramps[1]) <= HELD);
            assert_int_equal (conflicts (&s), 0);
        }
        scene_close (&s);
    }
}

/* ---- priorities ---- */

/* Of two drives the one with the smaller number stays, set first or last; and the joints stay closed unless
 * their numbers are larger than the drive's. */
static void priorities_decide (void **state)
{
    (void)state;
    for (int torn = 0; torn < 2; ++torn)
    {
        ramp ramps[2];
        scene s = linkage_open (find ("four-bar"));
        dRLSStepperSetOrder (scene_stepper (&s), dRLSOrderPriority);
        for (int k = 0; k < 2; ++k) drive (&s, &ramps[k], s.joint[k], k ? -0.3 : 0.4);
        for (int j = 0; j < s.joints; ++j)
            dRLSStepperSetJointPriority (s.stepper, s.joint[j], torn && j > 1 ? 3 : j == 1 ? 1 : 2);
        scene_step (&s, H, STEPS);
        assert_true (missed (&s, &ramps[1]) <= HELD);
        assert_true ((missed (&s, &ramps[0]) <= HELD) == torn);
        assert_true ((scene_violation (&s) <= CLOSED) == !torn);
        assert_true (conflicts (&s) > 0);
        scene_close (&s);
    }
}

/* ---- motors of unlimited strength ---- */

static void motor (dJointID joint, double velocity)
{
    dJointSetHingeParam (joint, dParamFMax, dInfinity);
    dJointSetHingeParam (joint, dParamVel, (dReal)velocity);
}

static void joints_win_against_motors (void **state)
{
    (void)state;
    const double velocity[][2] = {{0.4, -0.3}, {0.4, 0}, {0, 0.4}};
    for (int v = 0; v < 3; ++v)
        for (int i = 0; i < INTEGRATORS; ++i)
        {
            scene s = linkage_open (find ("four-bar"));
            dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
            for (int k = 0; k < 2; ++k) motor (s.joint[k], velocity[v][k]);
            for (int step = 0; step < STEPS; ++step)
            {
                if (step == STEPS / 2) motor (s.joint[0], -0.2), motor (s.joint[1], 0.5);
                scene_step (&s, H, 1);
                const double open = scene_violation (&s);
                if (!(open <= CLOSED)) fail_msg ("integrator %d: joints open by %g", integrators[i], open);
            }
            scene_close (&s);
        }
}

/* What a motor does goes into the energy that a correction is to keep: two rods, the first of which it turns,
 * move as they do where energy is left alone. */
static void work_of_motors_counts (void **state)
{
    (void)state;
    const double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, axis[3] = {0, 1, 0};
    const int corrections[] = {dRLSCorrectionProjection, dRLSCorrectionEnergy};
    scene s[2];
    for (int i = 0; i < 2; ++i)
    {
        s[i] = scene_open ((dReal)-9.81);
        for (int k = 0; k < 2; ++k) scene_rod (&s[i], corner[k], corner[k + 1]);
        for (int k = 0; k < 2; ++k) scene_hinge (&s[i], k, k - 1, corner[k], axis);
        for (int k = 0; k < 2; ++k) /* as the motor wants them */
        {
            dBodySetAngularVel (s[i].body[k], 0, (dReal)0.4, 0);
            dBodySetLinearVel (s[i].body[k], 0, 0, (dReal)(-0.4 * (k + 0.5)));
        }
        motor (s[i].joint[0], 0.4);
        dRLSStepperSetIntegrator (scene_stepper (&s[i]), dRLSIntegratorRK4);
        dRLSStepperSetCorrection (scene_stepper (&s[i]), corrections[i]);
        scene_step (&s[i], (dReal)0.002, 500);
    }
    const double apart = scene_pose_difference (&s[0], &s[1]);
    if (!(apart <= 1e-6)) fail_msg ("apart by %g", apart);
    for (int i = 0; i < 2; ++i) scene_close (&s[i]);
}

/* ---- what does not move ---- */

/* Three bars make a triangle; the first hinge stands on the ground. */
static void locked_structure_stands (void **state)
{
    (void)state;
    const double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.4, 0, 0.8}}, axis[3] = {0, 1, 0};
    for (int driven = 0; driven < 4; ++driven)
        for (int i = 0; i < INTEGRATORS; ++i)
        {
            ramp r;
            dJointID named = NULL;
            scene s = scene_open ((dReal)-9.81);
            for (int k = 0; k < 3; ++k) scene_rod (&s, corner[k], corner[(k + 1) % 3]);
            for (int k = 0; k < 3; ++k) scene_hinge (&s, k, (k + 2) % 3, corner[k], axis);
            scene_hinge (&s, 0, NO_BODY, corner[0], axis);
            if (driven == 3) scene_hinge (&s, 0, NO_BODY, corner[1], axis); /* now it cannot turn either */
            dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
            drive (&s, &r, s.joint[driven], 0.5);
            for (int step = 0; step < STEPS; ++step)
            {
                scene_step (&s, H, 1);
                const double open = scene_violation (&s);
                if (!(open <= CLOSED))
                    fail_msg ("drive %d, integrator %d: joints open by %g", driven, integrators[i], open);
            }
            assert_int_equal (conflicts (&s), 1);
            assert_int_equal (conflicting_drives (&s, &named), 1);
            assert_ptr_equal (named, s.joint[driven]);
            scene_close (&s);
        }
}

/* ---- what cannot be followed ---- */

/*
 * To and fro, beyond what can be reached on one side.  There the drive stalls and is named; what it holds
 * stays where it is, closed; and it takes hold again on the way back.
 */
static void there_and_back (scene *s, ramp *r, const char *name)
{
    double farthest = 0, open = 0;
    int held = 0, followed_after = 0;
    r->reach = 0.5;
    const int steps = (int)(8 * r->reach / fabs (r->rate) / (double)H);
    for (int step = 0; step < steps; ++step)
    {
        dJointID named = NULL;
        const double before = position_of (r->joint);
        scene_step (s, H, 1);
        open = fmax (open, scene_violation (s));
        farthest = fmax (farthest, fabs (position_of (r->joint) - r->from));
        if (missed (s, r) <= HELD)
            followed_after += held > 0;
        else
        {
            if (!(fabs (position_of (r->joint) - before) < 2 * fabs (r->rate) * (double)H))
                fail_msg ("%s: step %d: jumps by %g", name, step, position_of (r->joint) - before);
            if (held++ == 0) continue; /* the first time it was still in force when the step began */
            assert_int_equal (conflicting_drives (s, &named), 1);
            assert_ptr_equal (named, r->joint);
        }
    }
    if (!(open <= CLOSED)) fail_msg ("%s: joints open by %g", name, open);
    if (!(held > 10 && followed_after > 100))
        fail_msg ("%s: stalled for %d steps, followed in %d after that", name, held, followed_after);
}

static void out_of_reach (void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATORS; ++i)
    {
        ramp r;
        scene s = linkage_open (find ("slider-crank"));
        dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
        drive (&s, &r, s.joint[3], 0.3);
        there_and_back (&s, &r, "slider-crank");
        scene_close (&s);
    }
}

/* A drive's function that gives no number any more, whichever of its calls in a step comes first. */
typedef struct
{
    ramp r;
    int left; /* so many calls still give one */
} failing_ramp;

static dReal follow_or_fail (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    failing_ramp *f = context;
    const dReal position = follow (&f->r, time, rate, acceleration);
    return f->left-- > 0 ? position : (dReal)NAN;
}

/* The step in which the drive is to be held then fails as any other one, and leaves the world as it was. */
static void functions_may_fail (void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATORS; ++i)
    {
        failing_ramp f;
        scene_body_state before[SCENE_MOST];
        scene s = linkage_open (find ("slider-crank"));
        dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
        f = (failing_ramp){{s.joint[3], position_of (s.joint[3]), 0.3, 0.5}, INT_MAX};
        assert_true (dRLSStepperSetJointDrive (s.stepper, s.joint[3], follow_or_fail, &f));

        /* to the last step in which it can be followed */
        int calls = 0, done = 0;
        scene_step (&s, H, FOLLOWED);
        assert_true (missed (&s, &f.r) <= HELD);
        scene_look (&s, before);
        for (; calls < 2000; ++calls)
        {
            f.left = calls;
            done = dRLSStepperStep (s.stepper, H);
            if (done) break;
            assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
            assert_true (scene_same (&s, before));
        }
        print_message ("integrator %d: held by %d calls\n", integrators[i], calls);
        assert_true (done && missed (&s, &f.r) > HELD);
        scene_close (&s);
    }
}

static void against_a_stop (void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATORS; ++i)
        for (int stop = 0; stop < 4; ++stop)
        {
            ramp r;
            scene s = linkage_open (find ("four-bar"));
            dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
            drive (&s, &r, s.joint[0], 0.3);
            dJointSetHingeParam (s.joint[stop], dParamHiStop, (dReal)0.1001);
            dJointSetHingeParam (s.joint[stop], dParamLoStop, -1);
            there_and_back (&s, &r, "four-bar");
            scene_close (&s);
        }
}

/* Joints that may stay open by more than rounding are no reason to give a drive up. */
static void loose_closing_is_followed (void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATORS; ++i)
    {
        ramp r;
        dJointID named = NULL;
        scene s = linkage_open (find ("four-bar"));
        dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
        dRLSStepperSetPositionTolerance (scene_stepper (&s), LOOSE);
        drive (&s, &r, s.joint[0], 0.3);
        for (int step = 0; step < STEPS; ++step)
        {
            scene_step (&s, H, 1);
            assert_int_equal (conflicting_drives (&s, &named), 0);
            assert_true (missed (&s, &r) <= LOOSE);
        }
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (joints_win_against_drives),
        cmocka_unit_test (drives_that_agree),
        cmocka_unit_test (priorities_decide),
        cmocka_unit_test (joints_win_against_motors),
        cmocka_unit_test (work_of_motors_counts),
        cmocka_unit_test (locked_structure_stands),
        cmocka_unit_test (out_of_reach),
        cmocka_unit_test (functions_may_fail),
        cmocka_unit_test (against_a_stop),
        cmocka_unit_test (loose_closing_is_followed),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
