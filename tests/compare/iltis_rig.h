/* One run of the Iltis under a method, and how far it was from the reference: for test_iltis.c and
 * methods_iltis.c. */
#ifndef ILTIS_RIG_H
#define ILTIS_RIG_H

#include "iltis_vehicle.h"

#include <math.h>
#include <ode_rls/ode_rls.h>
#include <setjmp.h>
#include <stdio.h>
#include <time.h>

typedef enum
{
    iltis_rls,
    iltis_ode,
    iltis_quick
} iltis_stepper;

typedef struct
{
    int stairs; /* 0: settles on level ground, with leaves of a gram; leaves of 1 kg: 1: ramp and stairs; 2:
                   low ones */
    iltis_stepper stepper;
    int integrator, correction, flags;
    double h, duration;
    double leaf; /* kg, 0: as above */
} iltis_run;

typedef struct
{
    int status;                                         /* dRLSStatus of the last step */
    double until;                                       /* s */
    double height_error, pitch_error, hub_error;        /* largest, at the reference's samples (m, rad, m) */
    double position, angle, velocity, angular_velocity; /* largest violations */
    double height, pitch;                               /* at the end */
    int rows, rank, dof, fallbacks;
    double seconds; /* spent in steps */
} iltis_result;

__attribute__ ((unused)) static double iltis_clock (void)
{
    struct timespec t;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Every joint of the vehicle holds an arm, a hub or a leaf. */
__attribute__ ((unused)) static void iltis_measure (const iltis_vehicle *v, iltis_result *out)
{
    for (int i = 0; i < ILTIS_CORNERS; ++i)
    {
        const dBodyID body[] = {v->corner[i].arm, v->corner[i].hub, v->corner[i].leaf};
        for (int b = 0; b < 3; ++b)
            for (int j = 0; j < dBodyGetNumJoints (body[b]); ++j)
            {
                dRLSViolation open;
                dRLSMeasureJoint (dBodyGetJoint (body[b], j), &open);
                out->position = fmax (out->position, open.position_m);
                out->angle = fmax (out->angle, open.angle_rad);
                out->velocity = fmax (out->velocity, open.velocity_m_s);
                out->angular_velocity = fmax (out->angular_velocity, open.velocity_rad_s);
            }
    }
}

/* Compares with the reference's next sample, if it is the one of this time. */
__attribute__ ((unused)) static void iltis_look (const iltis_vehicle *v, FILE *reference, double time,
                                                 double sample[5], iltis_result *out)
{
    while (reference && sample[0] < time - 1e-9)
        if (fscanf (reference, "%lf,%lf,%lf,%lf,%lf", &sample[0], &sample[1], &sample[2], &sample[3],
                    &sample[4]) != 5)
            sample[0] = HUGE_VAL;
    if (!(fabs (sample[0] - time) < 1e-9)) return;
    out->height_error = fmax (out->height_error, fabs (dBodyGetPosition (v->chassis)[2] - sample[1]));
    out->pitch_error = fmax (out->pitch_error, fabs (iltis_pitch (v) - sample[2]));
    out->hub_error = fmax (out->hub_error, fabs (dBodyGetPosition (v->corner[0].hub)[2] - sample[3]));
    out->hub_error = fmax (out->hub_error, fabs (dBodyGetPosition (v->corner[2].hub)[2] - sample[4]));
}

/* ODE ends the program where a step makes numbers that are none: here it ends the run. */
static jmp_buf iltis_lost;
__attribute__ ((unused)) static void iltis_give_up (int number, const char *message, va_list arguments)
{
    (void)number, (void)message, (void)arguments;
    longjmp (iltis_lost, 1);
}

__attribute__ ((unused)) static int iltis_step (iltis_vehicle *v, dRLSStepperID stepper, const iltis_run *run)
{
    if (run->stepper == iltis_rls) return dRLSStepperStep (stepper, run->h);
    dMessageFunction *const before = dGetDebugHandler ();
    volatile int done = 0;
    iltis_forces (v, v->world, 0);
    dSetDebugHandler (iltis_give_up);
    if (!setjmp (iltis_lost))
        done = run->stepper == iltis_ode ? dWorldStep (v->world, run->h) : dWorldQuickStep (v->world, run->h);
    dSetDebugHandler (before);
    return done;
}

__attribute__ ((unused)) static iltis_result iltis_drive (iltis_run run)
{
    iltis_vehicle v;
    iltis_result out = {0};
    double sample[5] = {-1};
    char header[128];
    static const char *const references[] = {REFERENCES "/iltis_rest.csv", REFERENCES "/iltis_stairs.csv",
                                             REFERENCES "/iltis_low_stairs.csv"};
    FILE *reference = fopen (references[run.stairs], "r");
    if (reference && !fgets (header, sizeof header, reference)) sample[0] = HUGE_VAL;
    if (run.stairs)
        iltis_create (&v, -2, 5, run.leaf > 0 ? run.leaf : 1,
                      run.stairs == 1 ? iltis_ramp_and_stairs : iltis_low_stairs);
    else
        iltis_create (&v, 0, 0, run.leaf > 0 ? run.leaf : 1e-3, iltis_level_road);
    const dRLSStepperID stepper = dRLSStepperCreate (v.world, NULL);
    dRLSStepperSetForceCallback (stepper, iltis_forces, &v);
    dRLSStepperSetIntegrator (stepper, run.integrator);
    dRLSStepperSetCorrection (stepper, run.correction);
    dRLSStepperSetCorrectionFlags (stepper, run.flags);
    const long steps = lround (run.duration / run.h);
    for (long i = 0; i < steps; ++i)
    {
        dRLSReport report = {.struct_size = sizeof report};
        const double start = iltis_clock ();
        const int done = iltis_step (&v, stepper, &run);
        out.seconds += iltis_clock () - start;
        out.status = dRLSStepperGetStatus (stepper);
        if (!done || !isfinite (dBodyGetPosition (v.chassis)[2])) break;
        out.until = (double)(i + 1) * run.h;
        dRLSStepperGetReport (stepper, &report);
        out.rows = report.rows, out.rank = report.rank, out.dof = report.dof,
        out.fallbacks += report.fallbacks;
        iltis_measure (&v, &out);
        iltis_look (&v, reference, out.until, sample, &out);
    }
    out.height = dBodyGetPosition (v.chassis)[2];
    out.pitch = iltis_pitch (&v);
    dRLSStepperDestroy (stepper);
    iltis_destroy (&v);
    if (reference) fclose (reference);
    return out;
}

#endif
