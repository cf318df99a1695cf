/*
 * Doubtful rows: near-dependent ones that wait for the border and are pivoted among themselves, and the
 * decisions that are kept from an earlier factorisation or remembered from the last step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>
#include "factor/factor_parts.h"
#include "oracle_rows.h"
#include "release.h"

#define TOLERANCE 1e-9

typedef struct
{
    oracle_system system;
    rls_order order;
    rls_factor factor;
    double (*v)[6];
} bench;

static void start (bench *b, int kind)
{
    const oracle_system *s = &b->system;
    double *key = oracle_allocate ((size_t)s->rows.joints, sizeof (double));
    oracle_random random = {11};
    for (int j = 0; j < s->rows.joints; ++j) key[j] = oracle_uniform (&random, 0, 1);
    assert_int_equal (rls_order_analyse (&b->order, &s->rows, kind, kind == dRLSOrderRandom ? key : NULL), 1);
    free (key);
}

static void enforce (bench *b)
{
    const oracle_system *s = &b->system;
    double *p = oracle_allocate ((size_t)s->rows.rows, sizeof (double));
    b->v = oracle_allocate ((size_t)s->bodies, sizeof (double[6]));
    memcpy (b->v, s->v, sizeof (double[6]) * (size_t)s->bodies);
    rls_rows_velocity (&s->rows, (const double (*)[6])b->v, p);
    for (int r = 0; r < s->rows.rows; ++r) p[r] = s->rows.target[r] - p[r];
    rls_factor_solve (&b->factor, &s->rows, p);
    rls_rows_apply (&s->rows, p, b->v);
    free (p);
}

static void stop (bench *b)
{
    release_order (&b->order);
    rls_factor_free (&b->factor);
    free (b->v);
    b->v = NULL;
}

/* Appends a joint with the rows of joint j, each leaning by epsilon towards a wrench that j leaves free. */
static void add_near_copy (oracle_system *s, int j, double epsilon)
{
    const int r0 = s->row0[j], m = s->row0[j + 1] - r0;
    double J[6][12], free_row[12];
    for (int a = 0; a < m; ++a)
    {
        oracle_wrench_row (s, s->body[j][0], s->body[j][1], s->pool[3 + a], free_row);
        for (int c = 0; c < 12; ++c) J[a][c] = s->rows.J[r0 + a][c] + epsilon * free_row[c];
    }
    oracle_add_joint (s, s->body[j][0], s->body[j][1], m, (const double (*)[12])J);
}

/* A tree of joints with three rows and, for each, a copy that is only nearly the same. */
static oracle_system nearly_doubled (int bodies, double epsilon, oracle_random *random)
{
    oracle_system s = oracle_system_create (bodies, 0.3, random);
    for (int b = 0; b < bodies; ++b)
        oracle_add_pool_joint (&s, b, b ? oracle_index (random, b) : -1, 7, random);
    for (int b = 0; b < bodies; ++b) add_near_copy (&s, b, epsilon);
    return s;
}

/*
 * Every row is independent, half of them barely.  The Delassus matrix has a condition of about 1 / epsilon^2,
 * which is what rounding may be amplified by.
 */
static void near_dependent_rows_are_kept (void **state)
{
    (void)state;
    oracle_random random = {21};
    const double epsilons[] = {3e-2, 1e-2, 3e-3, 1e-3};
    for (int e = 0; e < 4; ++e)
        for (int kind = 0; kind < dRLSOrderCount; ++kind)
        {
            bench b = {.system = nearly_doubled (2 + kind, epsilons[e], &random)};
            const oracle_system *s = &b.system;
            start (&b, kind);
            assert_int_equal (rls_factor_rows (&b.factor, &b.order, &s->rows, TOLERANCE, NULL, NULL), 1);
            oracle_answer right = oracle_solve (s, NULL, 1e-8);
            assert_int_equal (right.rank, s->rows.rows);
            assert_true (b.factor.borders >= 3);
            assert_int_equal (b.factor.rank, s->rows.rows);
            assert_true (b.factor.gap < RLS_SAFE_PIVOT && b.factor.gap >= TOLERANCE);
            enforce (&b);
            const double off =
                oracle_distance (s->bodies, (const double (*)[6])b.v, (const double (*)[6])right.v);
            if (!(off <= 100 * DBL_EPSILON / b.factor.gap))
                fail_msg ("epsilon %g, order %d: velocity off by %g, gap %g", epsilons[e], kind, off,
                          b.factor.gap);
            oracle_answer_free (&right);
            stop (&b);
            oracle_system_free (&b.system);
        }
}

/* Of near copies that come twice, one of each pair stays, whichever comes first. */
static void dependent_border_rows_are_dropped (void **state)
{
    (void)state;
    oracle_random random = {22};
    for (int kind = 0; kind < dRLSOrderCount; ++kind)
    {
        bench b = {.system = nearly_doubled (3, 3e-3, &random)};
        oracle_system *s = &b.system;
        const int rank = s->rows.rows;
        for (int j = 3; j < 6; ++j) add_near_copy (s, j, 3e-3);
        start (&b, kind);
        assert_int_equal (rls_factor_rows (&b.factor, &b.order, &s->rows, TOLERANCE, NULL, NULL), 1);
        assert_int_equal (b.factor.rank, rank);
        oracle_answer right = oracle_solve (s, NULL, 1e-8);
        assert_int_equal (right.rank, rank);
        enforce (&b);
        assert_true (oracle_distance (s->bodies, (const double (*)[6])b.v, (const double (*)[6])right.v) <=
                     100 * DBL_EPSILON / b.factor.gap);
        oracle_answer_free (&right);
        stop (&b);
        oracle_system_free (s);
    }
}

/* Two bars of one row each: the second row leans away from the first so that its relative pivot is known. */
static oracle_system two_rows (double pivot, oracle_random *random)
{
    oracle_system s = oracle_system_create (1, 0, random);
    double J[12] = {0};
    J[0] = 1;
    oracle_add_joint (&s, 0, -1, 1, (const double (*)[12])J);
    J[0] = sqrt (1 - pivot), J[1] = sqrt (pivot);
    oracle_add_joint (&s, 0, -1, 1, (const double (*)[12])J);
    return s;
}

static int decision_of_second (double pivot, const unsigned char *decided, const unsigned char *previous)
{
    oracle_random random = {23};
    bench b = {.system = two_rows (pivot, &random)};
    start (&b, dRLSOrderNatural);
    assert_int_equal (rls_factor_rows (&b.factor, &b.order, &b.system.rows, TOLERANCE, decided, previous), 1);
    assert_int_equal (b.factor.decision[0], RLS_KEPT);
    assert_true (fabs (b.factor.relative[1] - pivot) <= 4 * DBL_EPSILON);
    const int decision = b.factor.decision[1];
    assert_int_equal (b.factor.rank, decision == RLS_REDUNDANT ? 1 : 2);
    stop (&b);
    oracle_system_free (&b.system);
    return decision;
}

static void limits_of_the_decision (void **state)
{
    (void)state;
    assert_int_equal (decision_of_second (0.5, NULL, NULL), RLS_KEPT);
    assert_int_equal (decision_of_second (2 * RLS_SAFE_PIVOT, NULL, NULL), RLS_KEPT);
    assert_int_equal (decision_of_second (0.5 * RLS_SAFE_PIVOT, NULL, NULL), RLS_BORDER);
    assert_int_equal (decision_of_second (1.1 * TOLERANCE, NULL, NULL), RLS_BORDER);
    assert_int_equal (decision_of_second (0.9 * TOLERANCE, NULL, NULL), RLS_REDUNDANT);
    assert_int_equal (decision_of_second (0, NULL, NULL), RLS_REDUNDANT);
}

static void hysteresis (void **state)
{
    (void)state;
    const unsigned char was_redundant[] = {RLS_KEPT, RLS_REDUNDANT}, was_kept[] = {RLS_KEPT, RLS_KEPT},
                        was_border[] = {RLS_KEPT, RLS_BORDER};
    const double up = RLS_HYSTERESIS * TOLERANCE, down = TOLERANCE / RLS_HYSTERESIS;
    assert_int_equal (decision_of_second (0.9 * up, NULL, was_redundant), RLS_REDUNDANT);
    assert_int_equal (decision_of_second (1.1 * up, NULL, was_redundant), RLS_BORDER);
    assert_int_equal (decision_of_second (1.1 * down, NULL, was_kept), RLS_BORDER);
    assert_int_equal (decision_of_second (1.1 * down, NULL, was_border), RLS_BORDER);
    assert_int_equal (decision_of_second (0.9 * down, NULL, was_kept), RLS_REDUNDANT);
}

static void decided_rows_stay_as_they_are (void **state)
{
    (void)state;
    const unsigned char redundant[] = {RLS_KEPT, RLS_REDUNDANT}, kept[] = {RLS_KEPT, RLS_KEPT},
                        border[] = {RLS_KEPT, RLS_BORDER};
    assert_int_equal (decision_of_second (0.5, redundant, NULL), RLS_REDUNDANT);
    assert_int_equal (decision_of_second (1e-12, kept, NULL), RLS_KEPT);
    assert_int_equal (decision_of_second (1e-12, border, NULL), RLS_BORDER);
    assert_int_equal (decision_of_second (0, kept, NULL), RLS_REDUNDANT);
    assert_int_equal (decision_of_second (0, border, NULL), RLS_REDUNDANT);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (near_dependent_rows_are_kept),
        cmocka_unit_test (dependent_border_rows_are_dropped),
        cmocka_unit_test (limits_of_the_decision),
        cmocka_unit_test (hysteresis),
        cmocka_unit_test (decided_rows_stay_as_they_are),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
