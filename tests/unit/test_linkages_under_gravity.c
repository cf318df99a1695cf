/*
 * Linkages that fall, under every accurate integrator: ranks, joints and energy along the motion, and where a
 * step is long for it, that this is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_spatial.h"

#define SECONDS 3

typedef struct
{
    double open, drift; /* m or rad; of the largest kinetic energy */
    int least, most;    /* ranks seen */
    unsigned long warned[dRLSWarningCount];
} outcome;

/* The first step makes the velocities fit the joints. */
static outcome follow (const spatial *which, int integrator, double h)
{
    scene s = spatial_open (which);
    outcome o = {.least = 1 << 20};
    double start = 0, fastest = 0;
    dRLSStepperSetIntegrator (scene_stepper (&s), integrator);
    for (int i = 1; i <= (int)lround (SECONDS / h); ++i)
    {
        dRLSReport report = {.struct_size = sizeof (report)};
        scene_step (&s, (dReal)h, 1);
        dRLSStepperGetReport (s.stepper, &report);
        const double energy = scene_energy (&s);
        if (i == 1) start = energy;
        o.drift = fmax (o.drift, fabs (energy - start));
        o.open = fmax (o.open, scene_violation (&s));
        fastest = fmax (fastest, scene_kinetic (&s));
        if (report.rank < o.least) o.least = report.rank;
        if (report.rank > o.most) o.most = report.rank;
    }
    for (int w = 0; w < dRLSWarningCount; ++w) o.warned[w] = dRLSStepperGetWarningCount (s.stepper, w);
    assert_true (fastest > 1e-3);
    o.drift /= fastest;
    scene_close (&s);
    return o;
}

static void known_at_the_start (void **state)
{
    (void)state;
    for (int i = 0; i < spatial_count; ++i)
    {
        scene s = spatial_open (&spatials[i]);
        const dRLSReport report = scene_analyse (&s);
        if (report.rank != spatials[i].rank || report.dof != spatials[i].dof)
            fail_msg ("%s: rank %d, %d degrees of freedom", spatials[i].name, report.rank, report.dof);
        scene_close (&s);
    }
}

static void keep_rank_closure_and_energy (void **state)
{
    static const struct
    {
        int integrator;
        double h, drift;
    } tried[] = {{dRLSIntegratorAuto, 0.02, 0.06},         {dRLSIntegratorSymplectic, 0.01, 0.06},
                 {dRLSIntegratorSymplectic, 0.0025, 0.03}, {dRLSIntegratorSymplectic4, 0.01, 0.05},
                 {dRLSIntegratorSymplectic6, 0.01, 0.05},  {dRLSIntegratorRK4, 0.01, 0.05}};
    (void)state;
    for (int i = 0; i < spatial_count; ++i)
        for (size_t k = 0; k < sizeof (tried) / sizeof (*tried); ++k)
        {
            const spatial *l = &spatials[i];
            const outcome o = follow (l, tried[k].integrator, tried[k].h);
            print_message (
                "%-24s integrator %d, h = %.4f: ranks %d to %d, open %.0e, energy %.0e, pieces %lu\n",
                l->name, tried[k].integrator, tried[k].h, o.least, o.most, o.open, o.drift,
                o.warned[dRLSWarningFallback]);
            if (!l->meets_others && (o.least != l->rank || o.most != l->rank))
                fail_msg ("%s: ranks %d to %d", l->name, o.least, o.most);
            if (o.open > 1e-9 && o.warned[dRLSWarningProjection] == 0)
                fail_msg ("%s: open by %g without a word", l->name, o.open);
            if (!(o.open < (l->meets_others ? 1e-5 : 1e-11))) fail_msg ("%s: open by %g", l->name, o.open);
            if (!(o.drift < tried[k].drift)) fail_msg ("%s: energy off by %g", l->name, o.drift);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (known_at_the_start),
                                       cmocka_unit_test (keep_rank_closure_and_energy)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
