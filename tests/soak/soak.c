/*
 * Long runs:
 *
 *     soak SCENE STEPS [H]
 *
 * steps a scene so often and compares the first tenth of the run with the last: violations, energy, memory,
 * time a step.  Ends with 1 when a step fails, or when violations or memory of the last tenth are out of
 * proportion to those of the first; time is only printed.
 */
#define _POSIX_C_SOURCE 200809L
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MEASURE 10 /* violations are measured every so many steps */

typedef struct
{
    double violation, energy_low, energy_high, seconds, residual;
    long steps, memory; /* kB, at the end */
} tenth;

static double now (void)
{
    struct timespec t;
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Resident memory of the process, kB; 0 where it cannot be told, as where a sanitizer keeps what is freed. */
static long memory (void)
{
#ifdef __SANITIZE_ADDRESS__
    return 0;
#endif
    long pages = 0, resident = 0;
    FILE *f = fopen ("/proc/self/statm", "r");
    if (f && fscanf (f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    if (f) fclose (f);
    return resident * 4;
}

static void measure (const scene *s, dRLSStepperID stepper, tenth *t)
{
    dRLSViolation v;
    double kinetic, potential;
    dRLSReport report = {.struct_size = sizeof report};
    scene_violation (s, &v);
    scene_energy (s, &kinetic, &potential);
    dRLSStepperGetReport (stepper, &report);
    t->violation = fmax (t->violation, fmax ((double)v.position_m, (double)v.angle_rad));
    t->residual = fmax (t->residual, (double)report.bounded_residual);
    t->energy_low = fmin (t->energy_low, kinetic + potential);
    t->energy_high = fmax (t->energy_high, kinetic + potential);
}

static void print (const char *name, const tenth *t)
{
    printf (
        "%-6s  %10ld steps  violation %.2e  energy %.9g to %.9g J  residual %.1e  %6ld kB  %.1f us a step\n",
        name, t->steps, t->violation, t->energy_low, t->energy_high, t->residual, t->memory,
        1e6 * t->seconds / (double)t->steps);
}

/* 1 if all steps were done. */
static int run (scene *s, dRLSStepperID stepper, long steps, double h, tenth part[10])
{
    for (int i = 0; i < 10; ++i) part[i] = (tenth){.energy_low = INFINITY, .energy_high = -INFINITY};
    for (long i = 0; i < steps; ++i)
    {
        tenth *t = &part[i * 10 / steps];
        scene_before_step (s, (double)i * h, 1);
        const double start = now ();
        const int done = dRLSStepperStep (stepper, (dReal)h);
        t->seconds += now () - start;
        scene_after_step (s);
        if (!done)
        {
            printf ("step %ld: %s\n", i, dRLSStepperGetMessage (stepper));
            return 0;
        }
        if (++t->steps % MEASURE == 0) measure (s, stepper, t);
        if ((i + 1) * 10 % steps < 10) t->memory = memory ();
    }
    return 1;
}

int main (int count, char **arguments)
{
    char error[300];
    const long steps = count > 2 ? strtol (arguments[2], NULL, 10) : 0;
    if (steps < 100)
    {
        fprintf (stderr, "usage: %s SCENE STEPS [H], at least 100 steps\n", arguments[0]);
        return 2;
    }
    dInitODE2 (0);
    scene *s = scene_read (arguments[1], NULL, NULL, error, sizeof error);
    if (!s)
    {
        fprintf (stderr, "%s\n", error);
        return 2;
    }
    const double h = count > 3 ? strtod (arguments[3], NULL) : 0.01;
    scene_set_time_step (s, h);
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    scene_prepare_stepper (s, stepper);
    dRLSStepperSetForceCallback (stepper, scene_forces, s);
    tenth part[10];
    int good = run (s, stepper, steps, h, part);
    if (good)
    {
        const tenth *first = &part[0], *last = &part[9];
        printf ("%s, h = %g s\n", scene_name (s), h);
        print ("first", first);
        print ("last", last);
        for (int w = 0; w < dRLSWarningCount; ++w)
            if (dRLSStepperGetWarningCount (stepper, w))
                printf ("%lu times: %s\n", dRLSStepperGetWarningCount (stepper, w), dRLSWarningText (w));
        good = last->violation <= 10 * first->violation + 1e-12 && last->memory <= first->memory + 1024;
        printf ("%s\n", good ? "steady" : "NOT STEADY");
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    dCloseODE ();
    return !good;
}
