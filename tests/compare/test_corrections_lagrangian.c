/*
 * The augmented Lagrangian methods: what their authors show on the spherical pendulum with steps of 25 ms,
 * the order of the rules, redundancy and singular configurations.
 */
#include "methods_rig.h"

static const method_run pendulum = {.scene = "spherical_pendulum", .h = 0.025, .duration = 100};

/* Without projections velocities leave the constraints and the energy explodes; with them it falls a little.
 */
static void projections_stabilise (void **state)
{
    (void)state;
    method_run run = pendulum;
    run.correction = dRLSCorrectionAugmented;
    run.flags = dRLSCorrectUnprojected;
    double drift = 0; /* how far it gets is a matter of rounding: what does not converge is carried over */
    for (int i = -2; i <= 2; ++i)
    {
        run.h = pendulum.h * (1 + 4e-5 * i);
        const method_result alone = run_method (run);
        assert_above (alone.drift, 100);
        drift = fmax (drift, alone.drift);
    }
    assert_above (drift, 1e6);

    run.h = pendulum.h;
    run.flags = 0;
    const method_result projected = run_method (run);
    assert_finished (projected, run);
    assert_below (projected.gain, 1e-12);
    assert_below (projected.drift, 0.7); /* of 20 J that go to and fro */
    assert_below (projected.position, 5e-15);
    assert_below (projected.velocity, 1e-14);
}

/* Alone, the conserving rule keeps the energy whatever the step, with velocities beside the constraints; with
 * the projection it keeps the constraints and loses energy, never gains it. */
static void conserving_keeps_energy (void **state)
{
    (void)state;
    method_run run = pendulum;
    run.correction = dRLSCorrectionConserving;
    run.flags = dRLSCorrectUnprojected;
    const method_result alone = run_method (run);
    assert_finished (alone, run);
    assert_below (alone.drift, 1e-8);
    assert_above (alone.velocity, 1e-6);
    assert_int_equal (alone.fallbacks, 0);

    run.flags = 0;
    const method_result projected = run_method (run);
    assert_finished (projected, run);
    assert_below (projected.gain, 1e-9);
    assert_below (projected.drift, 0.1);
    assert_above (projected.drift, 1e-4);
    assert_below (projected.velocity, 1e-14);
}

static double order (method_run run)
{
    method_result fine;
    const double found = method_order (run, &fine);
    assert_below (fine.position, 1e-14);
    assert_below (fine.angle, 1e-14);
    return found;
}

/* Both are of second order on a mechanism with a redundant row, and all rows hold to rounding. */
static void second_order (void **state)
{
    (void)state;
    method_run run = {.scene = "bricard", .h = 0.01, .duration = 10};
    run.correction = dRLSCorrectionAugmented;
    assert_true (fabs (order (run) - 2) < 0.1);
    run.correction = dRLSCorrectionConserving;
    assert_true (fabs (order (run) - 2) < 0.1);
}

/* The answer is that of the hard constraints: it does not depend on the penalty that leads to it. */
static void penalty_does_not_matter (void **state)
{
    (void)state;
    method_run run = {.scene = "bricard", .h = 0.01, .duration = 2, .correction = dRLSCorrectionAugmented};
    run.penalty = 1e7;
    const method_result weak = run_method (run);
    run.penalty = 1e9;
    const method_result strong = run_method (run);
    assert_above (weak.error, 1e-5);
    assert_below (fabs (weak.error - strong.error), 1e-10);
    assert_below (fabs (weak.drift - strong.drift), 1e-10);
}

/* Both pass the singular positions of the rhombus on the right branch. */
static void singular_positions_passed (void **state)
{
    (void)state;
    method_run run = {.scene = "fourbar_rhombus", .h = 0.01, .duration = 10};
    run.correction = dRLSCorrectionAugmented;
    const method_result augmented = run_method (run);
    assert_finished (augmented, run);
    assert_below (augmented.error, 0.02);
    run.correction = dRLSCorrectionConserving;
    const method_result conserving = run_method (run);
    assert_finished (conserving, run);
    assert_below (conserving.error, 0.02);
    assert_below (augmented.position, 1e-14);
    assert_below (conserving.position, 1e-12);
}

/* They are integration rules of their own: another integrator beside them has no meaning and is refused. */
static void other_integrators_refused (void **state)
{
    (void)state;
    for (int integrator = 1; integrator < dRLSIntegratorCount; ++integrator)
    {
        method_run run = pendulum;
        run.integrator = integrator;
        run.duration = run.h;
        run.correction = dRLSCorrectionAugmented;
        assert_int_equal (run_method (run).status, dRLSStatusUnsupported);
        run.correction = dRLSCorrectionConserving;
        assert_int_equal (run_method (run).status, dRLSStatusUnsupported);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (projections_stabilise),
        cmocka_unit_test (conserving_keeps_energy),
        cmocka_unit_test (second_order),
        cmocka_unit_test (penalty_does_not_matter),
        cmocka_unit_test (singular_positions_passed),
        cmocka_unit_test (other_integrators_refused),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
