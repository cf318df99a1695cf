/* What the tests of correction methods share: one run of a scene, and how far it went wrong. */
#ifndef METHODS_RIG_H
#define METHODS_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RIG __attribute__ ((unused)) static

typedef struct
{
    const char *scene;
    int integrator, correction, flags, order;
    unsigned long seed;
    double h, duration;
    double alpha, beta; /* Baumgarte's coefficients, 0: the world's ERP */
    double penalty;
    void (*disturb) (scene *s); /* NULL, or what makes the start inconsistent */
} method_run;

typedef struct
{
    int status;   /* dRLSStatus of the last step */
    double until; /* time that was reached (s) */
    double error; /* largest distance of a probe from its reference (m), at the reference's own samples */
    double gain;  /* largest energy above that of the start (J) */
    double drift; /* largest change of energy (J) */
    double position, angle, velocity, angular_velocity; /* largest violations */
    double end_position, end_velocity;                  /* m and m/s, at the end of the run */
    int rank_min, rank_max;
    int fallbacks;
} method_result;

RIG void method_measure (scene *s, double time, double start, method_result *out)
{
    double kinetic, potential;
    dRLSViolation v;
    scene_energy (s, &kinetic, &potential);
    const double change = kinetic + potential - start;
    out->gain = fmax (out->gain, change);
    out->drift = fmax (out->drift, fabs (change));
    scene_violation (s, &v);
    out->position = fmax (out->position, v.position_m);
    out->angle = fmax (out->angle, v.angle_rad);
    out->velocity = fmax (out->velocity, v.velocity_m_s);
    out->angular_velocity = fmax (out->angular_velocity, v.velocity_rad_s);
    out->end_position = v.position_m;
    out->end_velocity = v.velocity_m_s;
    for (int i = 0; i < scene_probe_count (s); ++i)
    {
        double x[3], wanted[3];
        if (!scene_reference_is_sample (s, i, time) || !scene_reference (s, i, time, wanted)) continue;
        scene_probe_position (s, i, x);
        out->error = fmax (out->error, sqrt ((x[0] - wanted[0]) * (x[0] - wanted[0]) +
                                             (x[1] - wanted[1]) * (x[1] - wanted[1]) +
                                             (x[2] - wanted[2]) * (x[2] - wanted[2])));
    }
}

/* Runs a scene under a method until its duration or the first step that is refused, or until it has a
 * thousand times the energy scale of any of these mechanisms (1e6 J). */
RIG method_result run_method (method_run run)
{
    char path[512], error[512];
    double kinetic, potential;
    method_result out = {.status = -1};
    snprintf (path, sizeof (path), SCENES "/%s.sdf", run.scene);
    scene *s = scene_read (path, NULL, NULL, error, sizeof (error));
    if (!s) fail_msg ("%s", error);
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    assert_non_null (stepper);
    assert_int_equal (dRLSStepperSetOrder (stepper, run.order), 1);
    assert_int_equal (dRLSStepperSetOrderSeed (stepper, run.seed), 1);
    scene_set_time_step (s, run.h);
    assert_int_equal (scene_prepare_stepper (s, stepper), 1);
    dRLSStepperSetForceCallback (stepper, scene_forces, s);
    assert_int_equal (dRLSStepperSetIntegrator (stepper, run.integrator), 1);
    assert_int_equal (dRLSStepperSetCorrection (stepper, run.correction), 1);
    assert_int_equal (dRLSStepperSetCorrectionFlags (stepper, run.flags), 1);
    assert_int_equal (dRLSStepperSetBaumgarte (stepper, run.alpha, run.beta), 1);
    assert_int_equal (dRLSStepperSetPenalty (stepper, run.penalty), 1);

    if (run.disturb) run.disturb (s);
    scene_energy (s, &kinetic, &potential);
    const double start = kinetic + potential;
    const long steps = lround (run.duration / run.h);
    for (long i = 1; i <= steps && !(out.drift > 1e6); ++i)
    {
        dRLSReport report = {.struct_size = sizeof (report)};
        scene_before_step (s, (double)(i - 1) * run.h, 1);
        const int done = dRLSStepperStep (stepper, run.h);
        out.status = dRLSStepperGetStatus (stepper);
        scene_after_step (s);
        if (!done) break;
        out.until = (double)i * run.h;
        dRLSStepperGetReport (stepper, &report);
        out.fallbacks += report.fallbacks;
        if (i == 1 || report.rank < out.rank_min) out.rank_min = report.rank;
        if (report.rank > out.rank_max) out.rank_max = report.rank;
        method_measure (s, out.until, start, &out);
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return out;
}

/* The run went to its end. */
RIG void assert_finished (method_result r, method_run run)
{
    assert_int_equal (r.status, dRLSStatusOk);
    assert_true (r.until > run.duration - 0.5 * run.h);
}

/* The order of a method, from a run and another one with half the step; finer receives the second one. */
RIG double method_order (method_run run, method_result *finer)
{
    const method_result coarse = run_method (run);
    run.h /= 2;
    const method_result fine = run_method (run);
    assert_finished (coarse, run);
    assert_finished (fine, run);
    *finer = fine;
    return log2 (coarse.error / fine.error);
}

#define assert_below(value, limit)                                                                           \
    do {                                                                                                     \
        const double value_ = (value), limit_ = (limit);                                                     \
        if (!(value_ <= limit_)) fail_msg (#value " is %g, more than %g", value_, limit_);                   \
    } while (0)
#define assert_above(value, limit)                                                                           \
    do {                                                                                                     \
        const double value_ = (value), limit_ = (limit);                                                     \
        if (!(value_ >= limit_)) fail_msg (#value " is %g, less than %g", value_, limit_);                   \
    } while (0)

#endif
