/*
 * The papers' test problems in steps that follow the error (dRLSStepperAdvance):
 *
 *     build/bin/variable_step             all problems, some minutes
 *     build/bin/variable_step --quick     the first seconds of each
 *     build/bin/variable_step PROBLEM     one of them
 *
 * Errors are the largest distances of probes from the references in tests/reference, at the references' own
 * samples; energy drift is that of the whole system, of those that keep it.  Missed: steps beside singular
 * configurations whose difference from their halves is rounding over a vanishing pivot; they are taken as
 * they are, and errors include what they add.  The exit status is 1 if a run failed, if an error is more than
 * a hundred times its tolerance (motions magnify what steps add), or where a paper's figure is missed.
 */
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME 0.05 /* s: samples of the references fall on frames */
#define QUICK 2.0  /* s */

typedef struct
{
    const char *scene;
    double duration;
    double energy; /* J: drift in the problem's paper; 0: none is given; < 0: forces give and take */
    const char *paper;
} problem;

static const problem problems[] = {
    {"bricard_repo", 10, 4e-10, "Orsino & Oliveira, adaptive, 8th order"},
    {"bricard", 10, 8e-4, "IFToMM benchmark A04, the published trajectory"},
    {"nfourbar_n2", 10, 0, ""},
    {"fourbar_rhombus", 10, 0, ""},
    {"slider_crank", 10, -1, ""},
    {"pendulum_point", 10, 0, ""},
    {"spherical_pendulum", 5, 0, ""},
    {"spinning_top", 10, 0, ""},
    {"closedloop_par4", 10, 0, ""},
};

static const struct
{
    int integrator;
    const char *name;
    double tolerance;
} methods[] = {{dRLSIntegratorSymplectic8, "symplectic8", 1e-6},
               {dRLSIntegratorSymplectic8, "symplectic8", 1e-9},
               {dRLSIntegratorSymplectic6, "symplectic6", 1e-9},
               {dRLSIntegratorRK4, "rk4", 1e-6},
               {dRLSIntegratorRK4, "rk4", 1e-9}};

typedef struct
{
    int done, steps, rejected, missed;
    double error, drift, shortest, longest;
} outcome;

static double reference_error (const scene *s, double t)
{
    double worst = 0;
    for (int i = 0; i < scene_probe_count (s); ++i)
    {
        double x[3], wanted[3];
        if (!scene_reference_is_sample (s, i, t) || !scene_reference (s, i, t, wanted)) continue;
        scene_probe_position (s, i, x);
        const double off =
            sqrt (pow (x[0] - wanted[0], 2) + pow (x[1] - wanted[1], 2) + pow (x[2] - wanted[2], 2));
        worst = fmax (worst, off);
    }
    return worst;
}

static double energy_of (const scene *s)
{
    double kinetic, potential;
    scene_energy (s, &kinetic, &potential);
    return kinetic + potential;
}

static outcome run (const problem *p, int integrator, double tolerance, double duration)
{
    char path[512], message[512];
    outcome out = {.done = 1, .shortest = HUGE_VAL};
    snprintf (path, sizeof (path), SCENES "/%s.sdf", p->scene);
    scene *s = scene_read (path, NULL, NULL, message, sizeof (message));
    if (!s)
    {
        printf ("%s\n", message);
        exit (1);
    }
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    scene_prepare_stepper (s, stepper);
    if (scene_has_forces (s)) dRLSStepperSetForceCallback (stepper, scene_forces, s);
    dRLSStepperSetIntegrator (stepper, integrator);
    const double start = energy_of (s);
    const int frames = (int)lround (duration / FRAME);
    dRLSAdvance step = {.struct_size = sizeof (step)};
    for (int i = 1; i <= frames && out.done; ++i)
    {
        out.done = dRLSStepperAdvance (stepper, (dReal)FRAME, (dReal)(tolerance * FRAME / duration), &step);
        if (!out.done) printf ("%s: %s\n", p->scene, dRLSStepperGetMessage (stepper));
        out.steps += step.steps, out.rejected += step.rejected, out.missed += step.missed;
        out.shortest = fmin (out.shortest, (double)step.shortest),
        out.longest = fmax (out.longest, (double)step.longest);
        out.drift = fmax (out.drift, fabs (energy_of (s) - start));
        out.error = fmax (out.error, reference_error (s, i * FRAME));
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return out;
}

int main (int count, char **arguments)
{
    const int quick = count > 1 && !strcmp (arguments[1], "--quick");
    int failed = 0;
    dInitODE2 (0);
    printf ("%-18s %-11s %9s %5s %10s %10s %7s %9s %8s %8s %6s\n", "problem", "integrator", "tolerance", "s",
            "error (m)", "drift (J)", "steps", "rejected", "from (s)", "to (s)", "missed");
    for (size_t i = 0; i < sizeof (problems) / sizeof (*problems); ++i)
    {
        const problem *p = &problems[i];
        if (count > 1 + quick && strcmp (p->scene, arguments[1 + quick]) != 0) continue;
        const double duration = quick ? fmin (QUICK, p->duration) : p->duration;
        double best = HUGE_VAL;
        for (size_t k = 0; k < sizeof (methods) / sizeof (*methods); ++k)
        {
            const outcome o = run (p, methods[k].integrator, methods[k].tolerance, duration);
            char drift[32] = "-";
            if (p->energy >= 0) snprintf (drift, sizeof (drift), "%.1e", o.drift);
            printf ("%-18s %-11s %9.0e %5.0f %10.1e %10s %7d %9d %8.1e %8.1e %6d\n", p->scene,
                    methods[k].name, methods[k].tolerance, duration, o.error, drift, o.steps, o.rejected,
                    o.shortest, o.longest, o.missed);
            fflush (stdout);
            failed |= !o.done || !(o.error < 100 * methods[k].tolerance);
            best = fmin (best, o.drift);
        }
        if (p->energy > 0)
            printf ("%-18s energy: %.1e J; %.0e J in %s\n", p->scene, best, p->energy, p->paper);
        failed |= p->energy > 0 && !(best <= p->energy);
    }
    dCloseODE ();
    return failed;
}
