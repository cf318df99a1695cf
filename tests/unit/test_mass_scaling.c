/*
 * Decisions with light bodies: the rank of made-up islands, known from their graph, whatever the ratios of
 * masses and of the moments of inertia of one body.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>
#include "factor/factor.h"
#include "factor/mass_scaling.h"
#include "oracle_rows.h"
#include "island/rotation.h"
#include "release.h"

#define TOLERANCE 1e-9
#define BODIES 8

typedef struct
{
    int rank, light;
    double open; /* largest |J v - target| of kept rows, in units of the row's length */
} decision;

/* Enforces the rows twice: what rounding leaves of the first time says nothing about the decisions. */
static double enforce (oracle_system *s, const rls_factor *factor)
{
    double worst = 0, *p = oracle_allocate ((size_t)s->rows.rows, sizeof (double));
    for (int pass = 0; pass < 3; ++pass)
    {
        rls_rows_velocity (&s->rows, (const double (*)[6])s->v, p);
        for (int r = 0; r < s->rows.rows; ++r)
        {
            const double *J = s->rows.J[r], size = sqrt (rls_dot6 (J, J) + rls_dot6 (J + 6, J + 6));
            p[r] = s->rows.target[r] - p[r];
            if (pass == 2 && factor->decision[r] != RLS_REDUNDANT) worst = fmax (worst, fabs (p[r]) / size);
        }
        rls_factor_solve (factor, &s->rows, p);
        rls_rows_apply (&s->rows, p, s->v);
    }
    free (p);
    return worst;
}

static void invert (const oracle_system *s, double inertia[BODIES][9])
{
    for (int b = 0; b < s->bodies; ++b) assert_int_equal (rls_invert_spd (s->W[b], inertia[b]), 1);
}

static decision decide (oracle_system *s, const double (*inertia)[9])
{
    rls_order order = {0};
    rls_factor factor = {0};
    rls_mass_scaling mass_scaling = {0};
    s->rows.mass_scaling = &mass_scaling;
    assert_int_equal (rls_order_analyse (&order, &s->rows, dRLSOrderMinDegree, NULL), 1);
    assert_int_equal (rls_mass_scaling_find (&mass_scaling, &s->rows, &order, inertia), 1);
    assert_int_equal (rls_factor_rows (&factor, &order, &s->rows, TOLERANCE, NULL, NULL), 1);
    const decision out = {factor.rank, mass_scaling.count, enforce (s, &factor)};
    release_order (&order);
    rls_factor_free (&factor);
    release_mass_scaling (&mass_scaling);
    s->rows.mass_scaling = NULL;
    return out;
}

/* A moment of inertia of thin times that across, about a random axis. */
static void make_thin (oracle_system *s, int b, double thin, double inertia[9], oracle_random *random)
{
    double axis[3], length = 0;
    for (int k = 0; k < 3; ++k) axis[k] = oracle_uniform (random, -1, 1), length += axis[k] * axis[k];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
        {
            const double along = axis[i] * axis[k] / length;
            s->W[b][3 * i + k] = ((i == k) + (1 / thin - 1) * along) / (0.1 * s->mass[b]);
            inertia[3 * i + k] = ((i == k) + (thin - 1) * along) * (0.1 * s->mass[b]);
        }
}

/* Draws an island, makes every thinned-th body thin (0: none), and decides: all rows of the graph's rank are
 * kept, and hold.  Returns how many bodies were light. */
static int draw (const oracle_plan *plan, int thinned, oracle_random *random)
{
    double inertia[BODIES][9];
    oracle_system s = oracle_system_draw (plan, random);
    invert (&s, inertia);
    for (int b = 0; b < BODIES && thinned > 0; b += thinned)
        make_thin (&s, b, pow (10, oracle_uniform (random, -9, -3)), inertia[b], random);
    const decision now = decide (&s, (const double (*)[9])inertia);
    assert_int_equal (now.rank, oracle_graph_rank (&s));
    assert_true (now.open < 1e-6);
    oracle_system_free (&s);
    return now.light;
}

static oracle_plan plan_of (int i)
{
    return (oracle_plan){(oracle_structure)(i % ORACLE_HUB), BODIES, 1, i % 3 == 0, 0};
}

static void masses_apart (void **state)
{
    (void)state;
    oracle_random random = {21};
    int light = 0;
    for (int i = 0; i < 200; ++i)
    {
        oracle_plan plan = plan_of (i);
        plan.mass_decades = 1 + i % 11, plan.kinematic = i % 5 == 0;
        light += draw (&plan, 0, &random);
    }
    assert_true (light > 0);
}

static void thin_bodies (void **state)
{
    (void)state;
    oracle_random random = {22};
    int light = 0;
    for (int i = 0; i < 200; ++i)
    {
        const oracle_plan plan = plan_of (i);
        light += draw (&plan, 1 + i % 2, &random);
    }
    assert_true (light > 0);
}

/* Ordinary bodies are left alone, and cost nothing. */
static void ordinary_bodies (void **state)
{
    (void)state;
    oracle_random random = {23};
    for (int i = 0; i < 20; ++i)
    {
        oracle_plan plan = plan_of (i);
        plan.mass_decades = 2;
        assert_int_equal (draw (&plan, 0, &random), 0);
    }
}

/* A rod that is held at two points of its own axis is raised across it, and turns about it as lightly as
 * before. */
static void untouched_directions (void **state)
{
    (void)state;
    oracle_random random = {24};
    oracle_system s = oracle_system_create (1, 0, &random);
    rls_order order = {0};
    rls_mass_scaling mass_scaling = {0};
    const double W[9] = {1e9, 0, 0, 0, 1e8, 0, 0, 0, 1e8},
                 inertia[1][9] = {{1e-9, 0, 0, 0, 1e-8, 0, 0, 0, 1e-8}};
    s.mass[0] = 1;
    memcpy (s.W[0], W, sizeof (W));
    for (int end = -1; end < 2; end += 2)
    {
        const double x = 0.5 * end;
        const double J[3][12] = {{1}, {0, 1, 0, 0, 0, x}, {0, 0, 1, 0, -x, 0}};
        oracle_add_joint (&s, 0, -1, 3, J);
    }
    assert_int_equal (rls_order_analyse (&order, &s.rows, dRLSOrderMinDegree, NULL), 1);
    assert_int_equal (rls_mass_scaling_find (&mass_scaling, &s.rows, &order, inertia), 1);
    assert_int_equal (mass_scaling.count, 1);
    rls_mass_scaling_apply (&mass_scaling, &s.rows);
    assert_true (mass_scaling.P[0][7 * 3] == 1e9);
    assert_true (mass_scaling.P[0][7 * 4] < 10 && mass_scaling.P[0][7 * 5] < 10);
    release_order (&order);
    release_mass_scaling (&mass_scaling);
    oracle_system_free (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (masses_apart),
        cmocka_unit_test (thin_bodies),
        cmocka_unit_test (ordinary_bodies),
        cmocka_unit_test (untouched_directions),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
