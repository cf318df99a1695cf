/*
 * The corrections that act within or after an explicit step: their orders, what they leave open, how they
 * take back an inconsistent start, and which combinations are refused.
 */
#include "methods_rig.h"

/* ---- order ---- */

static double order (method_run run)
{
    method_result fine;
    return method_order (run, &fine);
}

/* No correction costs rk4 its fourth order on a mechanism with a redundant row. */
static void fourth_order_is_kept (void **state)
{
    (void)state;
    static const int corrections[] = {dRLSCorrectionNone, dRLSCorrectionEmbedded, dRLSCorrectionProjection,
                                      dRLSCorrectionSimultaneous, dRLSCorrectionEnergy};
    for (size_t i = 0; i < sizeof (corrections) / sizeof (*corrections); ++i)
    {
        const method_run run = {.scene = "bricard",
                                .integrator = dRLSIntegratorRK4,
                                .correction = corrections[i],
                                .h = 0.01,
                                .duration = 4};
        const double p = order (run);
        if (!(p > 3.6 && p < 5)) fail_msg ("correction %d has order %g", corrections[i], p);
    }
}

/* ---- what stays open ---- */

static method_result bricard (int integrator, int correction, int flags)
{
    const method_run run = {.scene = "bricard",
                            .integrator = integrator,
                            .correction = correction,
                            .flags = flags,
                            .h = 0.01,
                            .duration = 10};
    const method_result r = run_method (run);
    assert_finished (r, run);
    return r;
}

/* Each better than the one before: nothing, Baumgarte's terms, terms within the step, all to rounding. */
static void violations_by_method (void **state)
{
    (void)state;
    const method_result none = bricard (dRLSIntegratorRK4, dRLSCorrectionNone, 0);
    const method_result erp = bricard (dRLSIntegratorRK4, dRLSCorrectionERP, 0);
    const method_result embedded = bricard (dRLSIntegratorRK4, dRLSCorrectionEmbedded, 0);
    const method_result once = bricard (dRLSIntegratorRK4, dRLSCorrectionProjection, dRLSCorrectOnce);
    const method_result projection = bricard (dRLSIntegratorRK4, dRLSCorrectionProjection, 0);
    const method_result simultaneous = bricard (dRLSIntegratorRK4, dRLSCorrectionSimultaneous, 0);
    assert_above (none.position, 1e-8);
    assert_below (erp.end_position, 0.1 * none.end_position);
    assert_below (embedded.position, 1e-9);
    assert_above (embedded.position, 1e-13);
    assert_below (once.position, 1e-13);
    assert_below (fmax (projection.position, projection.angle), 2e-14);
    assert_below (fmax (simultaneous.position, simultaneous.angle), 2e-14);
    assert_below (fmax (simultaneous.velocity, simultaneous.angular_velocity), 4e-14);
}

/* The energy correction holds it to rounding, also under a method of first order, and the rows with it. */
static void energy_is_held (void **state)
{
    (void)state;
    const method_result without = bricard (dRLSIntegratorEuler, dRLSCorrectionSimultaneous, 0);
    assert_above (without.drift, 0.1);
    static const int integrators[] = {dRLSIntegratorEuler, dRLSIntegratorRK4};
    for (int i = 0; i < 2; ++i)
    {
        const method_result r = bricard (integrators[i], dRLSCorrectionEnergy, 0);
        assert_below (r.drift, 5e-12);
        assert_below (fmax (r.position, r.angle), 2e-14);
        assert_below (fmax (r.velocity, r.angular_velocity), 4e-14);
    }
}

/* Work of a drive and of a damper is no drift: the slider-crank under torque and damping keeps its solution.
 */
static void work_is_no_drift (void **state)
{
    (void)state;
    method_run run = {.scene = "slider_crank",
                      .integrator = dRLSIntegratorRK4,
                      .correction = dRLSCorrectionSimultaneous,
                      .h = 0.001,
                      .duration = 0.2};
    const method_result without = run_method (run);
    run.correction = dRLSCorrectionEnergy;
    const method_result with = run_method (run);
    assert_above (with.drift, 1);
    assert_below (fmax (with.error, without.error), 1e-10);
}

/* ---- an inconsistent start ---- */

#define OPEN 1e-3 /* m */

static void pull_pendulum (scene *s)
{
    const dBodyID bob = scene_body_at (s, 0)->body;
    const dReal *x = dBodyGetPosition (bob);
    dBodySetPosition (bob, x[0] + OPEN, x[1] + OPEN, x[2]);
}

/* What is open at a time after the start, with steps of h. */
static double left (int integrator, int correction, double coefficient, double h, double time)
{
    method_run run = {
        .scene = "pendulum_compound", .integrator = integrator, .correction = correction, .h = h};
    run.alpha = run.beta = coefficient;
    run.duration = time;
    run.disturb = pull_pendulum;
    const method_result r = run_method (run);
    assert_finished (r, run);
    return r.end_position / (OPEN * sqrt (2.0));
}

/* Baumgarte with alpha = beta is critically damped: (1 + beta t) exp (-beta t). */
static void baumgarte_decays_as_it_should (void **state)
{
    (void)state;
    const double beta = 20;
    for (double t = 0.05; t < 0.3; t += 0.1)
    {
        const double wanted = (1 + beta * t) * exp (-beta * t);
        assert_true (fabs (left (dRLSIntegratorRK4, dRLSCorrectionERP, beta, 1e-3, t) - wanted) < 3e-3);
        assert_true (fabs (left (dRLSIntegratorEuler, dRLSCorrectionERP, beta, 1e-4, t) - wanted) < 5e-3);
    }
}

/* ODE's own term closes the same part of what is open in every step. */
static void erp_decays_as_in_ode (void **state)
{
    (void)state;
    const double erp = 0.2; /* of a new world */
    for (int steps = 1; steps < 8; ++steps)
    {
        const double wanted = pow (1 - erp, steps);
        assert_true (fabs (left (dRLSIntegratorEuler, dRLSCorrectionERP, 0, 1e-3, 1e-3 * steps) - wanted) <
                     1e-3);
    }
}

/* The embedded terms take it back over one step, to first order in what was open; without them it stays. */
static void embedded_recovers (void **state)
{
    (void)state;
    assert_above (left (dRLSIntegratorRK4, dRLSCorrectionNone, 0, 1e-3, 0.01), 0.9);
    assert_below (left (dRLSIntegratorRK4, dRLSCorrectionEmbedded, 0, 1e-3, 1e-3), 3e-3);
    assert_below (left (dRLSIntegratorRK4, dRLSCorrectionEmbedded, 0, 1e-3, 3e-3), 1e-9);
}

/* Held terms take back all of a violation; evaluated anew at each stage, as much as rk4 makes of
 * de/dt = -e / h: a quotient of 3/8. */
static void held_or_at_each_stage (void **state)
{
    (void)state;
    method_run run = {.scene = "pendulum_compound",
                      .correction = dRLSCorrectionEmbedded,
                      .flags = dRLSCorrectEachStage,
                      .h = 1e-3,
                      .disturb = pull_pendulum};
    run.duration = 1e-3;
    assert_true (fabs (run_method (run).end_position / (OPEN * sqrt (2.0)) - 0.375) < 2e-3);
    run.duration = 2e-3;
    assert_true (fabs (run_method (run).end_position / (OPEN * sqrt (2.0)) - 0.375 * 0.375) < 2e-3);
}

/* ---- combinations ---- */

/*
 * Every correction with every integrator: the Bricard mechanism within the error (m) that they have together
 * over 2 s at h = 0.01, or, where they have no meaning together, a refusal that moves nothing.  Regularised,
 * it locks, and is as far off as it can be.
 */
#define REFUSED 0
static void every_combination (void **state)
{
    (void)state;
    enum
    {
        automatic = dRLSIntegratorAuto,
        euler = dRLSIntegratorEuler,
        rk4 = dRLSIntegratorRK4
    };
    static const double error[dRLSCorrectionCount][dRLSIntegratorCount] = {
        [dRLSCorrectionProjection] = {[automatic] = 1e-4,
                                      [euler] = 2e-2,
                                      [dRLSIntegratorSymplectic] = 1e-4,
                                      [dRLSIntegratorSymplectic4] = 1.2e-9,
                                      [dRLSIntegratorSymplectic6] = 1e-12,
                                      [dRLSIntegratorSymplectic8] = 1e-12,
                                      [rk4] = 1.2e-8},
        [dRLSCorrectionNone] = {[automatic] = 5e-2, [euler] = 5e-2, [rk4] = 2e-8},
        [dRLSCorrectionERP] = {[automatic] = 1.5e-2, [euler] = 1.5e-2, [rk4] = 5e-7},
        [dRLSCorrectionEmbedded] = {[automatic] = 1.2e-8, [rk4] = 1.2e-8},
        [dRLSCorrectionSimultaneous] = {[automatic] = 1.2e-8, [euler] = 2e-2, [rk4] = 1.2e-8},
        [dRLSCorrectionEnergy] = {[automatic] = 1e-8, [euler] = 6e-2, [rk4] = 1e-8},
        [dRLSCorrectionAugmented] = {[automatic] = 2.5e-4},
        [dRLSCorrectionConserving] = {[automatic] = 2e-4},
        [dRLSCorrectionCompliant] = {[automatic] = 2, [euler] = 2},
    };
    for (int correction = 0; correction < dRLSCorrectionCount; ++correction)
        for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
        {
            const double limit = error[correction][integrator];
            const method_result r = run_method ((method_run){.scene = "bricard",
                                                             .integrator = integrator,
                                                             .correction = correction,
                                                             .h = 0.01,
                                                             .duration = 2});
            if (r.status != (limit == REFUSED ? dRLSStatusUnsupported : dRLSStatusOk))
                fail_msg ("correction %d with integrator %d: status %d", correction, integrator, r.status);
            if (!(r.error <= limit) || (limit == REFUSED && r.until > 0))
                fail_msg ("correction %d with integrator %d: %g m", correction, integrator, r.error);
        }
    assert_non_null (strstr (dRLSStatusText (dRLSStatusUnsupported), "no meaning"));
}

/* Reactions of a body that hangs at rest carry its weight, whatever the method. */
static void reactions_carry_the_load (void **state)
{
    (void)state;
    for (int correction = 0; correction < dRLSCorrectionCount; ++correction)
    {
        const dWorldID world = dWorldCreate ();
        dWorldSetGravity (world, 0, 0, -10);
        const dBodyID body = dBodyCreate (world);
        dBodySetPosition (body, 0, 0, -1);
        const dJointID joint = dJointCreateHinge (world, NULL);
        dJointAttach (joint, body, NULL);
        dJointSetHingeAnchor (joint, 0, 0, 0);
        dJointSetHingeAxis (joint, 0, 1, 0);
        dJointFeedback feedback;
        dJointSetFeedback (joint, &feedback);
        const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
        dRLSStepperSetCorrection (stepper, correction);
        for (int i = 0; i < 3; ++i) assert_int_equal (dRLSStepperStep (stepper, 0.01), 1);
        if (!(fabs (feedback.f1[2] - 10) < 1e-6))
            fail_msg ("correction %d: %g N", correction, feedback.f1[2]);
        dRLSStepperDestroy (stepper);
        dWorldDestroy (world);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (fourth_order_is_kept),
        cmocka_unit_test (violations_by_method),
        cmocka_unit_test (energy_is_held),
        cmocka_unit_test (work_is_no_drift),
        cmocka_unit_test (baumgarte_decays_as_it_should),
        cmocka_unit_test (erp_decays_as_in_ode),
        cmocka_unit_test (embedded_recovers),
        cmocka_unit_test (held_or_at_each_stage),
        cmocka_unit_test (every_combination),
        cmocka_unit_test (reactions_carry_the_load),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
