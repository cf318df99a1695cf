/*
 * Linkages that no part of the library was made with: their rank, closure and energy along the motion; and
 * the kaleidocycle of eight, which goes through poses where it has two degrees of freedom more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_folded.h"
#include "oracle_loops.h"

#define SECONDS 3
#define FALLING 1.5  /* s */
#define TILT 0.3     /* rad: of the hinges of a ring of eight, at random */
#define CLOSED 2e-13 /* m or rad */
#define IN_PASSING                                                                                           \
    1e-7 /* the same where a step ends so near the pose that two rows are lost until the next */
/* Symmetric poses of the ring of eight have a row too many, but only they: the row that is left out closes by
 * what rk4 leaves of the symmetry. */
#define CLOSED_BY_SYMMETRY 1e-8

typedef struct
{
    double open, drift, fastest; /* m or rad; J; J of kinetic energy */
    int least, most;             /* ranks seen */
    double end[3];               /* m: a body at the end */
} outcome;

/* The first step makes the velocities fit the joints. */
static outcome follow (scene *s, int integrator, double h, double seconds)
{
    outcome o = {.least = 1 << 20};
    double start = 0;
    dRLSStepperSetIntegrator (scene_stepper (s), integrator);
    const int steps = (int)lround (seconds / h);
    for (int i = 1; i <= steps; ++i)
    {
        dRLSReport report = {.struct_size = sizeof (report)};
        scene_step (s, (dReal)h, 1);
        dRLSStepperGetReport (s->stepper, &report);
        const double energy = scene_energy (s);
        if (i == 1) start = energy;
        o.drift = fmax (o.drift, fabs (energy - start));
        o.open = fmax (o.open, scene_violation (s));
        o.fastest = fmax (o.fastest, scene_kinetic (s));
        if (report.rank < o.least) o.least = report.rank;
        if (report.rank > o.most) o.most = report.rank;
    }
    for (int k = 0; k < 3; ++k) o.end[k] = (double)dBodyGetPosition (s->body[1])[k];
    return o;
}

static void keep_rank_closure_and_energy (void **state)
{
    static const struct
    {
        int integrator;
        double h, drift;
    } tried[] = {{dRLSIntegratorSymplectic, 0.01, 1e-3},
                 {dRLSIntegratorSymplectic4, 0.01, 1e-6},
                 {dRLSIntegratorRK4, 0.005, 1e-6}};
    (void)state;
    for (int i = 0; i < held_out_count; ++i)
        for (int k = 0; k < 3; ++k)
        {
            const held_out *l = &held_outs[i];
            scene s = held_out_open (l);
            const dRLSReport report = scene_analyse (&s);
            if (report.rank != l->rank || report.dof != l->dof)
                fail_msg ("%s: rank %d, %d degrees of freedom", l->name, report.rank, report.dof);
            const outcome o = follow (&s, tried[k].integrator, tried[k].h, SECONDS);
            print_message ("%-20s integrator %d: rank %d, open %.1e, energy %.1e of %.2g J\n", l->name,
                           tried[k].integrator, o.most, o.open, o.drift, o.fastest);
            if (o.least != l->rank || o.most != l->rank)
                fail_msg ("%s: ranks %d to %d", l->name, o.least, o.most);
            const int by_symmetry =
                tried[k].integrator == dRLSIntegratorRK4 && !strcmp (l->name, "kaleidocycle of 8");
            if (!(o.open < (by_symmetry ? CLOSED_BY_SYMMETRY : CLOSED)))
                fail_msg ("%s: open by %g", l->name, o.open);
            if (!(o.drift < tried[k].drift * o.fastest))
                fail_msg ("%s: energy off by %g J", l->name, o.drift);
            assert_true (o.fastest > 1e-3);
            for (int w = 0; w < dRLSWarningCount; ++w)
                if (w != dRLSWarningSingular && dRLSStepperGetWarningCount (s.stepper, w) > 0)
                    fail_msg ("%s: %s", l->name, dRLSWarningText (w));
            scene_close (&s);
        }
}

/* Polyhedra, sheets, trellises and loops that fall: joints are closed, no row is lost for good, and nothing
 * is wrong without a word. */
static void folded_ones_fall (void **state)
{
    static const struct
    {
        int integrator;
        double h, drift;
    } tried[] = {{dRLSIntegratorAuto, 0.02, 1e-2},
                 {dRLSIntegratorSymplectic4, 0.01, 1e-4},
                 {dRLSIntegratorSymplectic6, 0.01, 1e-5},
                 {dRLSIntegratorRK4, 0.01, 1e-4}};
    (void)state;
    for (int i = 0; i < folded_count; ++i)
        for (int k = 0; k < 4; ++k)
        {
            const spatial *l = &folded[i];
            scene s = folded_open (l);
            const dRLSReport report = scene_analyse (&s);
            if (report.rank != l->rank || report.dof != l->dof)
                fail_msg ("%s: rank %d, %d degrees of freedom", l->name, report.rank, report.dof);
            const outcome o = follow (&s, tried[k].integrator, tried[k].h, FALLING);
            print_message ("%-24s integrator %d: ranks %d to %d, open %.1e, energy %.1e of %.2g J\n", l->name,
                           tried[k].integrator, o.least, o.most, o.open, o.drift, o.fastest);
            if (o.most != l->rank || (!l->meets_others && o.least != l->rank))
                fail_msg ("%s: ranks %d to %d", l->name, o.least, o.most);
            if (!(o.open < 1e-11)) fail_msg ("%s: open by %g", l->name, o.open);
            if (!(o.drift < tried[k].drift * o.fastest))
                fail_msg ("%s, integrator %d: energy off by %g of %g J", l->name, tried[k].integrator,
                          o.drift, o.fastest);
            assert_true (o.fastest > 1e-3);
            scene_close (&s);
        }
}

static outcome ring (uint64_t seed, double tilt, int integrator, double h)
{
    scene s = scene_open (0);
    kaleidocycle_build (&s, 8, tilt, seed);
    const outcome o = follow (&s, integrator, h, 8);
    print_message (
        "ring %d, integrator %d, h = %.4f: ranks %d to %d, open %.1e, energy %.1e of %.2g J, end %.8f\n",
        (int)seed, integrator, h, o.least, o.most, o.open, o.drift, o.fastest, o.end[0]);
    scene_close (&s);
    return o;
}

static double apart (const outcome *a, const outcome *b)
{
    return fmax (fabs (a->end[0] - b->end[0]),
                 fmax (fabs (a->end[1] - b->end[1]), fabs (a->end[2] - b->end[2])));
}

/*
 * The ring of eight hinges goes through poses where two rows more depend on the others and several motions
 * meet.  It goes on in one of them, the smooth one: methods of second and fourth order come to the same end,
 * the second with its order.
 */
static void ring_of_eight (void **state)
{
    static const uint64_t rings[] = {3, 8, 10, 14};
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        const outcome limit = ring (rings[i], TILT, dRLSIntegratorSymplectic4, 0.01);
        const outcome coarse = ring (rings[i], TILT, dRLSIntegratorSymplectic, 0.005);
        const outcome fine = ring (rings[i], TILT, dRLSIntegratorSymplectic, 0.0025);
        const outcome close = ring (rings[i], TILT, dRLSIntegratorSymplectic4, 0.005);
        const double off = apart (&coarse, &limit), less = apart (&fine, &limit), order = log2 (off / less);
        print_message ("    second order off by %.1e, %.1e: order %.2f; fourth by %.1e\n", off, less, order,
                       apart (&close, &limit));
        if (!(fabs (order - 2) < 0.1)) fail_msg ("ring %d: order %g", (int)rings[i], order);
        assert_true (coarse.least == 38 && fine.least == 38 && limit.least == 38 && limit.most == 40);
        const double open = fmax (fmax (coarse.open, fine.open), fmax (limit.open, close.open));
        if (!(open < IN_PASSING)) fail_msg ("ring %d: open by %g", (int)rings[i], open);
        assert_true (limit.drift < 1e-6 * limit.fastest);
        assert_true (apart (&close, &limit) < 1e-6);
    }
}

/* Rounding does not decide where the fourth order goes on behind such a pose: starts a rounding beside each
 * other come to the same end.  Before steps strode over poses where a row is hardly known, ends were up to
 * 2.4e-4 m apart. */
static void ring_beside_a_ring (void **state)
{
    (void)state;
    for (int seed = 10; seed <= 14; seed += 4)
        for (double h = 0.01; h > 0.004; h *= 0.5)
        {
            const outcome first = ring ((uint64_t)seed, TILT, dRLSIntegratorSymplectic4, h);
            for (int i = 1; i <= 5; ++i)
            {
                const outcome other = ring ((uint64_t)seed, TILT + i * 1e-13, dRLSIntegratorSymplectic4, h);
                assert_true (apart (&first, &other) < 1e-6);
            }
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (keep_rank_closure_and_energy),
                                       cmocka_unit_test (folded_ones_fall), cmocka_unit_test (ring_of_eight),
                                       cmocka_unit_test (ring_beside_a_ring)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
