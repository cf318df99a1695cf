/*
 * The public functions one by one: defaults, ranges, what they refuse, what they leave alone when they do.
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

static void version_and_texts (void **state)
{
    (void)state;
    assert_string_equal (dRLSVersion (), ODE_RLS_VERSION);
    assert_int_equal (dRLSPrecision (), 8 * sizeof (dReal));
    for (int i = 0; i < 3; ++i) assert_int_equal (dRLSCheckODE (), dRLSStatusOk);
    for (int code = -2; code < dRLSStatusCount + 2; ++code)
    {
        const char *text = dRLSStatusText (code);
        assert_true (strlen (text) > 4 && text[strlen (text) - 1] == '.');
        for (int other = 0; other < code && code < dRLSStatusCount; ++other)
            assert_string_not_equal (text, dRLSStatusText (other));
    }
    for (int code = -2; code < dRLSWarningCount + 2; ++code)
    {
        const char *text = dRLSWarningText (code);
        assert_true (strlen (text) > 4 && text[strlen (text) - 1] == '.');
        for (int other = 0; other < code && code < dRLSWarningCount; ++other)
            assert_string_not_equal (text, dRLSWarningText (other));
    }
    assert_string_equal (dRLSStatusText (-1), dRLSStatusText (dRLSStatusCount));
    assert_string_equal (dRLSWarningText (INT_MIN), dRLSWarningText (INT_MAX));
}

static void life (void **state)
{
    (void)state;
    int status = -1;
    assert_null (dRLSStepperCreate (NULL, &status));
    assert_int_equal (status, dRLSStatusBadArgument);
    assert_null (dRLSStepperCreate (NULL, NULL));
    dRLSStepperDestroy (NULL);

    const dWorldID world = dWorldCreate ();
    const dRLSStepperID stepper = dRLSStepperCreate (world, &status),
                        second = dRLSStepperCreate (world, NULL);
    assert_non_null (stepper);
    assert_non_null (second);
    assert_int_equal (status, dRLSStatusOk);
    assert_ptr_equal (dRLSStepperGetWorld (stepper), world);
    assert_int_equal (dRLSStepperGetStatus (stepper), dRLSStatusOk);
    assert_string_equal (dRLSStepperGetMessage (stepper), dRLSStatusText (dRLSStatusOk));
    dRLSStepperDestroy (stepper);
    assert_int_equal (dRLSStepperStep (second, H), 1);
    dRLSStepperDestroy (second);
    dWorldDestroy (world);
}

static void no_stepper_at_all (void **state)
{
    (void)state;
    dRLSReport report = {.struct_size = sizeof (report)};
    dRLSRow row;
    dReal number;
    scene s = linkage_open (&linkages[0]);
    assert_null (dRLSStepperGetWorld (NULL));
    assert_int_equal (dRLSStepperStep (NULL, H), 0);
    assert_int_equal (dRLSStepperAnalyse (NULL), 0);
    assert_int_equal (dRLSStepperGetStatus (NULL), dRLSStatusBadArgument);
    assert_string_equal (dRLSStepperGetMessage (NULL), dRLSStatusText (dRLSStatusBadArgument));
    assert_int_equal (dRLSStepperGetWarningCount (NULL, 0), 0);
    dRLSStepperSetMessageCallback (NULL, NULL, NULL);
    dRLSStepperSetForceCallback (NULL, NULL, NULL);
    assert_int_equal (dRLSStepperSetIntegrator (NULL, 0), 0);
    assert_int_equal (dRLSStepperGetIntegrator (NULL), -1);
    assert_int_equal (dRLSStepperSetCorrection (NULL, 0), 0);
    assert_int_equal (dRLSStepperGetCorrection (NULL), -1);
    assert_int_equal (dRLSStepperSetOrder (NULL, 0), 0);
    assert_int_equal (dRLSStepperGetOrder (NULL), -1);
    assert_int_equal (dRLSStepperSetOrderSeed (NULL, 1), 0);
    assert_int_equal (dRLSStepperGetOrderSeed (NULL), 0);
    assert_int_equal (dRLSStepperSetFeedback (NULL, dRLSFeedbackEnd), 0);
    assert_int_equal (dRLSStepperSetFriction (NULL, dRLSFrictionCone), 0);
    assert_int_equal (dRLSStepperGetFriction (NULL), -1);
    assert_int_equal (dRLSStepperSetJointPriority (NULL, s.joint[0], 1), 0);
    assert_int_equal (dRLSStepperSetJointDrive (NULL, s.joint[0], NULL, NULL), 0);
    assert_int_equal (dRLSStepperSetRankTolerance (NULL, (dReal)1e-9), 0);
    assert_true (dRLSStepperGetRankTolerance (NULL) == 0);
    assert_int_equal (dRLSStepperSetPositionTolerance (NULL, 0), 0);
    assert_true (dRLSStepperGetPositionTolerance (NULL) == 0);
    assert_int_equal (dRLSStepperSetBoundedIterations (NULL, 1), 0);
    assert_int_equal (dRLSStepperGetBoundedIterations (NULL), 0);
    assert_int_equal (dRLSStepperSetReport (NULL, 0), 0);
    assert_int_equal (dRLSStepperGetReportFlags (NULL), 0);
    assert_int_equal (dRLSStepperGetReport (NULL, &report), 0);
    assert_int_equal (dRLSStepperGetRedundantRows (NULL, &row, 1), 0);
    assert_int_equal (dRLSStepperIsReactionUnique (NULL, s.joint[0]), -1);
    assert_int_equal (dRLSMeasureJoint (NULL, NULL), 0);
    assert_int_equal (dRLSMeasureJoint (s.joint[0], NULL), 0);
    assert_int_equal (dRLSMeasureBody (NULL, &number, &number), 0);
    assert_int_equal (dRLSMeasureBody (s.body[0], NULL, &number), 0);
    assert_int_equal (dRLSMeasureBody (s.body[0], &number, NULL), 0);
    scene_close (&s);
}

/* Every enumerator is taken, nothing beside them, and a refused value changes nothing. */
static void check_choice (dRLSStepperID s, int (*set) (dRLSStepperID, int), int (*get) (dRLSStepperID),
                          int first, int last, int initial)
{
    assert_int_equal (get (s), initial);
    for (int value = first; value <= last; ++value)
    {
        assert_int_equal (set (s, value), 1);
        assert_int_equal (get (s), value);
    }
    const int refused[] = {first - 1, INT_MIN, last < INT_MAX ? last + 1 : INT_MIN,
                           last < INT_MAX ? INT_MAX : INT_MIN};
    for (int i = 0; i < 4; ++i)
    {
        assert_int_equal (set (s, refused[i]), 0);
        assert_int_equal (get (s), last);
    }
    assert_int_equal (set (s, initial), 1);
}

static void choices (void **state)
{
    (void)state;
    scene s = scene_open (0);
    const dRLSStepperID stepper = scene_stepper (&s);
    check_choice (stepper, dRLSStepperSetIntegrator, dRLSStepperGetIntegrator, 0, dRLSIntegratorCount - 1,
                  dRLSIntegratorDefault);
    check_choice (stepper, dRLSStepperSetCorrection, dRLSStepperGetCorrection, 0, dRLSCorrectionCount - 1,
                  dRLSCorrectionDefault);
    check_choice (stepper, dRLSStepperSetOrder, dRLSStepperGetOrder, 0, dRLSOrderCount - 1, dRLSOrderDefault);
    check_choice (stepper, dRLSStepperSetReport, dRLSStepperGetReportFlags, 0,
                  dRLSReportViolations | dRLSReportEnergy | dRLSReportTimes | dRLSReportReactions,
                  dRLSReportDefault);
    assert_int_equal (dRLSStepperGetBoundedIterations (stepper), dRLSBoundedIterationsDefault);
    const int good[] = {1, 2, 1000000, INT_MAX}, bad[] = {0, -1, INT_MIN};
    for (int i = 0; i < 4; ++i) assert_int_equal (dRLSStepperSetBoundedIterations (stepper, good[i]), 1);
    for (int i = 0; i < 3; ++i) assert_int_equal (dRLSStepperSetBoundedIterations (stepper, bad[i]), 0);
    assert_int_equal (dRLSStepperGetBoundedIterations (stepper), INT_MAX);
    assert_int_equal (dRLSStepperSetOrderSeed (stepper, ULONG_MAX), 1);
    assert_true (dRLSStepperGetOrderSeed (stepper) == ULONG_MAX);
    scene_close (&s);
}

static void tolerances (void **state)
{
    (void)state;
    scene s = scene_open (0);
    const dRLSStepperID stepper = scene_stepper (&s);
    const dReal inf = (dReal)HUGE_VAL, nan_value = (dReal)NAN;
    assert_true (dRLSStepperGetRankTolerance (stepper) == dRLSRankToleranceDefault);
    assert_true (dRLSStepperGetPositionTolerance (stepper) == dRLSPositionToleranceDefault);
    const dReal rank_good[] = {(dReal)1e-12, (dReal)0.5, (dReal)1e-6},
                rank_bad[] = {0, 1, -1, inf, -inf, nan_value};
    for (int i = 0; i < 3; ++i) assert_int_equal (dRLSStepperSetRankTolerance (stepper, rank_good[i]), 1);
    for (int i = 0; i < 6; ++i) assert_int_equal (dRLSStepperSetRankTolerance (stepper, rank_bad[i]), 0);
    assert_true (dRLSStepperGetRankTolerance (stepper) == (dReal)1e-6);
    const dReal position_good[] = {0, (dReal)1e-12, 1}, position_bad[] = {-1, inf, -inf, nan_value};
    for (int i = 0; i < 3; ++i)
        assert_int_equal (dRLSStepperSetPositionTolerance (stepper, position_good[i]), 1);
    for (int i = 0; i < 4; ++i)
        assert_int_equal (dRLSStepperSetPositionTolerance (stepper, position_bad[i]), 0);
    assert_true (dRLSStepperGetPositionTolerance (stepper) == 1);
    scene_close (&s);
}

static dReal stand_still (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)context, (void)time;
    *rate = *acceleration = 0;
    return 0;
}

static void joints_of_a_stepper (void **state)
{
    (void)state;
    scene s = linkage_open (&linkages[0]);
    const dRLSStepperID stepper = scene_stepper (&s);
    const dJointID ball = scene_ball (&s, 0, NO_BODY, (const double[3]){5, 5, 5});
    assert_int_equal (dRLSStepperSetJointPriority (stepper, NULL, 1), 0);
    assert_int_equal (dRLSStepperSetJointPriority (stepper, s.joint[0], INT_MIN), 1);
    assert_int_equal (dRLSStepperSetJointPriority (stepper, s.joint[0], INT_MAX), 1);
    assert_int_equal (dRLSStepperSetJointDrive (stepper, NULL, stand_still, NULL), 0);
    assert_int_equal (dRLSStepperSetJointDrive (stepper, ball, stand_still, NULL), 0);
    assert_int_equal (dRLSStepperSetJointDrive (stepper, s.joint[0], NULL, NULL), 1); /* there was none */
    assert_int_equal (dRLSStepperSetJointDrive (stepper, s.joint[0], stand_still, NULL), 1);
    assert_int_equal (dRLSStepperSetJointDrive (stepper, s.joint[0], NULL, NULL), 1);
    assert_int_equal (dRLSStepperIsReactionUnique (stepper, NULL), -1);
    scene_close (&s);
}

/* A caller compiled against an older, shorter report gets its part and nothing is written behind it. */
static void reports_of_any_size (void **state)
{
    (void)state;
    scene s = linkage_open (&linkages[0]);
    const dRLSStepperID stepper = scene_stepper (&s);
    const dRLSReport whole = scene_analyse (&s);
    assert_int_equal (dRLSStepperGetReport (stepper, NULL), 0);
    const size_t sizes[] = {sizeof (size_t), offsetof (dRLSReport, rank), sizeof (dRLSReport) + 64};
    for (int i = 0; i < 3; ++i)
    {
        unsigned char buffer[sizeof (dRLSReport) + 64];
        dRLSReport *part = (dRLSReport *)(void *)buffer;
        memset (buffer, 0xAB, sizeof (buffer));
        memcpy (buffer, &sizes[i], sizeof (size_t));
        assert_int_equal (dRLSStepperGetReport (stepper, part), 1);
        assert_memory_equal (buffer, &sizes[i], sizeof (size_t));
        const size_t known = sizes[i] < sizeof (dRLSReport) ? sizes[i] : sizeof (dRLSReport);
        assert_memory_equal (buffer + sizeof (size_t), (const unsigned char *)&whole + sizeof (size_t),
                             known - sizeof (size_t));
        for (size_t k = known; k < sizeof (buffer); ++k) assert_int_equal (buffer[k], 0xAB);
    }
    dRLSReport none = {.struct_size = 0};
    assert_int_equal (dRLSStepperGetReport (stepper, &none), 0);
    scene_close (&s);
}

static void redundant_rows_fit_the_capacity (void **state)
{
    (void)state;
    scene s = linkage_open (&linkages[0]);
    dRLSRow all[3], few[3];
    scene_analyse (&s);
    assert_int_equal (dRLSStepperGetRedundantRows (s.stepper, NULL, 0), 3);
    assert_int_equal (dRLSStepperGetRedundantRows (s.stepper, all, 3), 3);
    memset (few, 0xCD, sizeof (few));
    assert_int_equal (dRLSStepperGetRedundantRows (s.stepper, few, 2), 3);
    assert_ptr_equal (few[1].joint, all[1].joint);
    assert_int_equal (few[1].row, all[1].row);
    for (size_t k = 0; k < sizeof (few[2]); ++k) assert_int_equal (((unsigned char *)&few[2])[k], 0xCD);
    assert_int_equal (dRLSStepperGetRedundantRows (s.stepper, few, -1), 3);
    scene_close (&s);
}

static dRLSIsland stepped_island (const scene *s)
{
    dRLSIsland island[2];
    assert_int_equal (dRLSStepperStep (s->stepper, 0.01), 1);
    assert_int_equal (dRLSStepperGetIslands (s->stepper, NULL, 0), 1);
    assert_int_equal (dRLSStepperGetIslands (s->stepper, island, 2), 1);
    return island[0];
}

static void islands_say_how_they_were_stepped (void **state)
{
    (void)state;
    scene s = linkage_open (&linkages[0]);
    assert_int_equal (dRLSStepperGetIslands (NULL, NULL, 0), 0);
    dRLSStepperSetIntegrator (scene_stepper (&s), dRLSIntegratorSymplectic4);
    assert_int_equal (dRLSStepperSetFriction (s.stepper, dRLSFrictionCount), 0);
    assert_int_equal (dRLSStepperGetFriction (s.stepper), dRLSFrictionDefault);
    dRLSIsland island = stepped_island (&s);
    assert_int_equal (island.integrator, dRLSIntegratorSymplectic4);
    assert_int_equal (island.reason, dRLSReasonChosen);
    assert_true (island.rows > 0 && island.bounded_rows == 0 && island.bodies > 0 && island.joints > 0);
    for (int i = 0; i < s.joints; ++i)
        if (dJointGetType (s.joint[i]) == dJointTypeHinge) dJointSetHingeParam (s.joint[i], dParamFMax, 1);
    island = stepped_island (&s);
    assert_int_equal (island.integrator, dRLSIntegratorSymplectic);
    assert_int_equal (island.reason, dRLSReasonBounded);
    assert_true (island.bounded_rows > 0);
    dRLSStepperSetIntegrator (s.stepper, dRLSIntegratorAuto);
    assert_int_equal (stepped_island (&s).reason, dRLSReasonChosen);
    dRLSStepperSetIntegrator (s.stepper, dRLSIntegratorEuler);
    island = stepped_island (&s);
    assert_int_equal (island.integrator, dRLSIntegratorEuler);
    assert_int_equal (island.reason, dRLSReasonChosen);
    scene_close (&s);
}

/* ---- messages ---- */

typedef struct
{
    int errors, warnings, last_code;
    char text[200];
} heard;

static void listen (void *context, int is_error, int code, const char *text)
{
    heard *h = context;
    h->errors += is_error;
    h->warnings += !is_error;
    h->last_code = code;
    strncpy (h->text, text, sizeof (h->text) - 1);
}

static void messages (void **state)
{
    (void)state;
    scene s = linkage_open (&linkages[0]);
    heard ear = {0};
    const dRLSStepperID stepper = scene_stepper (&s);
    dRLSStepperSetMessageCallback (stepper, listen, &ear);
    assert_int_equal (dRLSStepperStep (stepper, -1), 0);
    assert_int_equal (ear.errors, 1);
    assert_int_equal (ear.last_code, dRLSStatusBadStep);
    assert_string_equal (ear.text, dRLSStatusText (dRLSStatusBadStep));
    scene_step (&s, H, 1);
    assert_int_equal (ear.errors + ear.warnings, 1);
    /* another crank, mounted askew: contradictions, told once, counted each time */
    dBodySetPosition (s.body[0], dBodyGetPosition (s.body[0])[0] + (dReal)0.1, 0,
                      dBodyGetPosition (s.body[0])[2]);
    scene_hinge (&s, 0, NO_BODY, (const double[3]){0.5, 0, 0}, (const double[3]){0, 1, 0.1});
    scene_step (&s, H, 3);
    assert_true (dRLSStepperGetWarningCount (stepper, dRLSWarningConflict) >= 3);
    int kinds = 0;
    for (int w = 0; w < dRLSWarningCount; ++w) kinds += dRLSStepperGetWarningCount (stepper, w) > 0;
    assert_int_equal (ear.warnings, kinds);
    assert_int_equal (dRLSStepperGetWarningCount (stepper, -1), 0);
    assert_int_equal (dRLSStepperGetWarningCount (stepper, dRLSWarningCount), 0);
    dRLSStepperSetMessageCallback (stepper, NULL, NULL);
    assert_int_equal (dRLSStepperStep (stepper, 0), 0);
    assert_int_equal (ear.errors, 1);
    scene_close (&s);
}

/* What was not asked for is not computed; what was, is right. */
static void report_flags (void **state)
{
    (void)state;
    scene s = linkage_open (&linkages[0]);
    dRLSReport report = {.struct_size = sizeof (report)};
    const dRLSStepperID stepper = scene_stepper (&s);
    scene_step (&s, H, 5);
    dRLSStepperGetReport (stepper, &report);
    assert_true (report.kinetic == 0 && report.potential == 0 && report.violation_m == 0);
    assert_true (report.seconds[dRLSStageSolve] == 0 && report.seconds[dRLSStageWriteBack] == 0);
    dRLSStepperSetReport (stepper, dRLSReportTimes);
    scene_step (&s, H, 1);
    dRLSStepperGetReport (stepper, &report);
    assert_true (report.seconds[dRLSStageSolve] > 0 && report.seconds[dRLSStageWriteBack] > 0);
    dRLSStepperSetReport (stepper, dRLSReportViolations | dRLSReportEnergy);
    scene_step (&s, H, 5);
    dRLSStepperGetReport (stepper, &report);
    assert_true (fabs ((double)(report.kinetic + report.potential) - scene_energy (&s)) < 1e-12);
    assert_true ((double)report.kinetic > 1e-3);
    assert_true (fmax ((double)report.violation_m, (double)report.violation_rad) == scene_violation (&s));
    assert_int_equal (dRLSStepperIsReactionUnique (stepper, s.joint[0]), -1);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (version_and_texts),
        cmocka_unit_test (life),
        cmocka_unit_test (no_stepper_at_all),
        cmocka_unit_test (choices),
        cmocka_unit_test (tolerances),
        cmocka_unit_test (joints_of_a_stepper),
        cmocka_unit_test (reports_of_any_size),
        cmocka_unit_test (redundant_rows_fit_the_capacity),
        cmocka_unit_test (islands_say_how_they_were_stepped),
        cmocka_unit_test (messages),
        cmocka_unit_test (report_flags),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
