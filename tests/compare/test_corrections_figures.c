/*
 * The figures that the authors of the correction methods publish, reached with their methods and step sizes.
 * Sources and differences are told in README.md beside this file.
 */
#include "methods_rig.h"

/* ---- Braun & Goldfarb 2009: the embedded correction ---- */

static const method_run braun = {
    .integrator = dRLSIntegratorRK4, .correction = dRLSCorrectionEmbedded, .h = 0.001};

static method_result embedded (const char *name, double h, double duration, int flags)
{
    method_run run = braun;
    run.scene = name;
    run.h = h;
    run.duration = duration;
    run.flags = flags;
    const method_result r = run_method (run);
    assert_finished (r, run);
    return r;
}

/* 3e-7 m and constraints to 1e-12 after 1000 s; a tenth of it shows the rate, which is linear in time. */
static void pendulum (void **state)
{
    (void)state;
    const method_result r = embedded ("pendulum_compound", 0.001, 100, 0);
    assert_below (r.error, 3e-8);
    assert_below (r.position, 1e-12);
}

/* 4.4e-8 m over 100 s through the singular positions. */
static void slider_crank (void **state)
{
    (void)state;
    assert_below (embedded ("slider_crank", 0.001, 100, 0).error, 4.4e-8);
}

/* 1e-2 m at h = 0.01 and 1e-7 m at 0.001 over 100 s through the singular positions, in any order of rows. */
static void two_fourbars (void **state)
{
    (void)state;
    assert_below (embedded ("nfourbar_n2", 0.01, 100, 0).error, 1e-2);
    method_run run = braun;
    run.scene = "nfourbar_n2";
    run.duration = 100;
    for (run.order = dRLSOrderNatural; run.seed < 3; run.order = dRLSOrderRandom, ++run.seed)
    {
        const method_result r = run_method (run);
        assert_finished (r, run);
        assert_below (r.error, 1e-7);
    }
}

/* Without correction both fail; and the terms evaluated at each stage instead of held lose the motion. */
static void two_fourbars_otherwise (void **state)
{
    (void)state;
    method_run none = braun;
    none.scene = "nfourbar_n2";
    none.duration = 20;
    none.correction = dRLSCorrectionNone;
    const method_result r = run_method (none);
    assert_true (r.status != dRLSStatusOk || r.drift > 1e6 || r.error > 1);
    assert_above (embedded ("nfourbar_n2", 0.01, 100, dRLSCorrectEachStage).error, 0.1);
}

/* Driven mechanisms over 100 s at h = 0.01; the third has more constraints than coordinates. */
static void bipeds (void **state)
{
    (void)state;
    assert_below (embedded ("biped1", 0.01, 100, 0).position, 5.2e-11);
    assert_below (embedded ("biped2", 0.01, 100, 0).position, 2.7e-11);
    assert_below (embedded ("biped3", 0.01, 100, 0).position, 1.6e-12);
}

/* Their inconsistent starts come back to the constraints and stay there. */
static void displace (scene *s, int body, double dx, double dy, double vx, double vy)
{
    const dBodyID b = scene_body_at (s, body)->body;
    const dReal *x = dBodyGetPosition (b), *v = dBodyGetLinearVel (b);
    dBodySetPosition (b, x[0] + dx, x[1] + dy, x[2]);
    dBodySetLinearVel (b, v[0] + vx, v[1] + vy, v[2]);
}
static void displace_pendulum (scene *s) { displace (s, 0, 0.5e-5, 0.5e-5, 0.5e-4, -0.5e-4); }
static void displace_slider_crank (scene *s)
{
    for (int b = 0; b < 2; ++b) displace (s, b, 1e-3, 1e-2, 1e-3, 1e-2);
}

static void inconsistent_starts (void **state)
{
    (void)state;
    method_run run = braun;
    run.duration = 10;
    run.scene = "pendulum_compound";
    run.disturb = displace_pendulum;
    method_result r = run_method (run);
    assert_finished (r, run);
    assert_below (r.end_position, 1e-12);
    assert_below (r.error, 2e-3); /* it is another motion: faster by what was added */
    run.scene = "slider_crank";
    run.disturb = displace_slider_crank;
    r = run_method (run);
    assert_finished (r, run);
    assert_below (r.end_position, 1e-9);
    assert_below (r.end_velocity, 1e-6);
}

/* ---- Gonzalez & Kovecses: redundant constraints ---- */

/* How far the end point of the Bricard mechanism swings: 1 to -1 m. */
static double least_x (int correction)
{
    char error[256];
    double least = 1;
    scene *s = scene_read (SCENES "/bricard.sdf", NULL, NULL, error, sizeof (error));
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    int probe = 0;
    while (strcmp (scene_probe_at (s, probe)->name, "P2") != 0) ++probe;
    dRLSStepperSetCorrection (stepper, correction);
    for (int i = 0; i < 1000; ++i)
    {
        double x[3];
        assert_int_equal (dRLSStepperStep (stepper, 0.01), 1);
        scene_probe_position (s, probe, x);
        least = fmin (least, x[0]);
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return least;
}

/* At h = 0.01 violations below 1e-4 turn the regularised mechanism into a structure; projected it moves
 * freely, with violations at rounding level. */
static void regularised_locks (void **state)
{
    (void)state;
    method_run run = {.scene = "bricard", .correction = dRLSCorrectionCompliant, .h = 0.01, .duration = 10};
    assert_below (run_method (run).position, 1e-4);
    assert_above (least_x (dRLSCorrectionCompliant), -0.5);
    run.correction = dRLSCorrectionProjection;
    const method_result r = run_method (run);
    assert_below (fmax (r.position, r.angle), 1e-14);
    assert_below (least_x (dRLSCorrectionProjection), -0.99);
}

/* ---- Orsino & Oliveira 2023: row by row ---- */

/* An energy error of 4e-10 J, theirs with an adaptive method of order 8. */
static void energy_of_the_bricard (void **state)
{
    (void)state;
    method_run run = {.scene = "bricard", .integrator = dRLSIntegratorRK4, .h = 0.002, .duration = 10};
    run.flags = dRLSCorrectOnce;
    const method_result r = run_method (run);
    assert_finished (r, run);
    assert_below (r.drift, 4e-10);
}

/* ---- Zhang et al.: direct and simultaneous corrections ---- */

/* Their best bands on the rhombus: positions 2e-16 m, velocities 3e-14 m/s.  What we measure is the distance
 * of the joints' two anchors, whose coordinates of about 2 m have a rounding of 2.2e-16 m each. */
static void rhombus_bands (void **state)
{
    (void)state;
    static const int corrections[] = {dRLSCorrectionSimultaneous, dRLSCorrectionEnergy};
    for (int i = 0; i < 2; ++i)
    {
        method_run run = {.scene = "fourbar_rhombus",
                          .integrator = dRLSIntegratorRK4,
                          .correction = corrections[i],
                          .h = 0.001,
                          .duration = 10};
        const method_result r = run_method (run);
        assert_finished (r, run);
        assert_below (r.position, 4 * 2.3e-16);
        assert_below (r.velocity, 3e-14);
        assert_below (r.error, 1e-9);
        run.scene = "closedloop_par4";
        const method_result loop = run_method (run);
        assert_finished (loop, run);
        assert_below (loop.velocity, 3e-14);
        assert_below (loop.error, 1e-10);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (pendulum),
        cmocka_unit_test (slider_crank),
        cmocka_unit_test (two_fourbars),
        cmocka_unit_test (two_fourbars_otherwise),
        cmocka_unit_test (bipeds),
        cmocka_unit_test (inconsistent_starts),
        cmocka_unit_test (regularised_locks),
        cmocka_unit_test (energy_of_the_bricard),
        cmocka_unit_test (rhombus_bands),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
