/*
 * Rank and motion of random mechanisms against an oracle of another kind (oracle_motion.h): trees and loops
 * of joints of all types, hung up and floating, gears, motors and plane 2D; the order of each integrator;
 * momentum of what floats.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_motion.h"

#define FINE 1e-3 /* s: step of the oracle */
#define LONG 0.16 /* s: of the motion */
#define MECHANISMS 12

static void ranks_agree (void **state)
{
    (void)state;
    oracle_random random = {15};
    int redundant = 0;
    for (int i = 0; i < 300; ++i)
    {
        scene s;
        const motion m = motion_make (&random, 2 + i % 4, i % 4, (motion_kind)(i % 3), i % 2, &s);
        const int rank = motion_rank (&m);
        const dRLSReport report = scene_analyse (&s);
        redundant += report.redundant;
        if (rank != report.rank)
            fail_msg ("mechanism %d: rank %d of %d rows, by singular values %d", i, report.rank, report.rows,
                      rank);
        scene_close (&s);
    }
    assert_true (redundant > 100);
}

/* Trees of all types, plane loops, loops of points, and what drives. */
static motion mechanism (int i, scene *s)
{
    oracle_random random = {100 + (uint64_t)i};
    if (i < MECHANISMS) return motion_make (&random, 2 + i % 3, i % 3 > 0, (motion_kind)(i % 3), 1, s);
    return motion_make_driven (&random, (motion_drive)(i - MECHANISMS), s);
}

/* The largest error of a motion by the integrator with steps of h. */
static double error_of (int i, int integrator, double h)
{
    scene s;
    motion m = mechanism (i, &s);
    assert_int_equal (dRLSStepperSetIntegrator (scene_stepper (&s), integrator), 1);
    scene_step (&s, (dReal)h, (int)lround (LONG / h));
    for (int k = 0; k < (int)lround (LONG / FINE); ++k) motion_step (&m, FINE);
    const double error = motion_difference (&m, &s);
    scene_close (&s);
    return error;
}

static void motions_agree_to_the_order_of_the_method (void **state)
{
    (void)state;
    static const struct
    {
        int integrator, order;
        double h, most; /* the largest error that is allowed at h */
    } methods[] = {
        {dRLSIntegratorEuler, 1, 0.004, 0.03},
        {dRLSIntegratorSymplectic, 2, 0.004, 1e-4},
        {dRLSIntegratorSymplectic4, 4, 0.008, 1e-6},
        {dRLSIntegratorRK4, 4, 0.008, 1e-6},
    };
    for (int i = 0; i < MECHANISMS + MOTION_DRIVES; ++i)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k)
        {
            const double long_steps = error_of (i, methods[k].integrator, methods[k].h);
            const double short_steps = error_of (i, methods[k].integrator, methods[k].h / 2);
            const double floor = 1e-8; /* of the oracle's differences */
            if (!(long_steps < methods[k].most))
                fail_msg ("mechanism %d, integrator %d: %g", i, methods[k].integrator, long_steps);
            if (short_steps > floor && !(long_steps / short_steps > pow (2, methods[k].order - 0.5)))
                fail_msg ("mechanism %d, integrator %d: %g and %g", i, methods[k].integrator, long_steps,
                          short_steps);
        }
}

/* Linear and angular momentum about the origin. */
static void momentum_of (const scene *s, double out[6])
{
    for (int k = 0; k < 6; ++k) out[k] = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        dMass mass;
        dVector3 spin, local, L;
        const dReal *x = dBodyGetPosition (s->body[b]), *v = dBodyGetLinearVel (s->body[b]);
        const dReal *w = dBodyGetAngularVel (s->body[b]);
        dBodyGetMass (s->body[b], &mass);
        dBodyVectorFromWorld (s->body[b], w[0], w[1], w[2], spin);
        for (int k = 0; k < 3; ++k)
            local[k] = mass.I[4 * k] * spin[0] + mass.I[4 * k + 1] * spin[1] + mass.I[4 * k + 2] * spin[2];
        dBodyVectorToWorld (s->body[b], local[0], local[1], local[2], L);
        for (int k = 0; k < 3; ++k)
        {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            out[k] += (double)(mass.mass * v[k]);
            out[3 + k] += (double)(L[k] + mass.mass * (x[i] * v[j] - x[j] * v[i]));
        }
    }
}

static void what_floats_keeps_its_momentum (void **state)
{
    (void)state;
    oracle_random random = {7};
    for (int i = 0; i < 20; ++i)
    {
        scene s;
        double before[6], after[6];
        motion_make (&random, 2 + i % 5, i % 2, i % 3 ? MOTION_OF_ALL : MOTION_OF_POINTS, 0, &s);
        momentum_of (&s, before);
        scene_step (&s, (dReal)0.01, 100);
        momentum_of (&s, after);
        for (int k = 0; k < 6; ++k)
            if (!(fabs (after[k] - before[k]) < 1e-9)) fail_msg ("mechanism %d: %g", i, after[k] - before[k]);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (ranks_agree),
        cmocka_unit_test (motions_agree_to_the_order_of_the_method),
        cmocka_unit_test (what_floats_keeps_its_momentum),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
