/*
 * Joints that form a tree, eliminated with their bodies: trees of every kind of joint, held or free, against
 * the dense oracle; and what is no tree.
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
#include "factor/factor_tree.h"
#include "oracle_rows.h"
#include "release.h"

#define TOLERANCE 1e-9

/* A joint of m rows between bodies a and b (-1: the world): a point, and 0 to 3 rotations, the world's axes
 * at odd angles. */
static void add_joint (oracle_system *s, int a, int b, int m, oracle_random *random)
{
    double J[6][12] = {{0}}, arm[2][3], axis[3][3];
    const double sign = oracle_uniform (random, 0, 1) < 0.5 ? -1 : 1;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
        {
            arm[0][k] = oracle_uniform (random, -1, 1), arm[1][k] = oracle_uniform (random, -1, 1);
            axis[i][k] = (i == k) + oracle_uniform (random, -0.4, 0.4);
        }
    for (int side = 0; side < 2; ++side)
        for (int r = 0; r < m && (side == 0 ? a : b) >= 0; ++r)
        {
            const double own = side == 0 ? sign : -sign, *l = arm[side];
            double *to = J[r] + 6 * side;
            const double turned[3][3] = {{0, l[2], -l[1]}, {-l[2], 0, l[0]}, {l[1], -l[0], 0}};
            if (r < 3) to[r] = own;
            for (int k = 0; k < 3; ++k) to[3 + k] = own * (r < 3 ? turned[r][k] : axis[r - 3][k]);
        }
    oracle_add_joint (s, a, b, m, (const double (*)[12])J);
}

typedef enum
{
    HELD, /* by the world */
    FREE,
    CARRIED /* by a body that cannot be pushed */
} hold;

/* Bodies each on one before it, or on the last one; sizes: of joints, 3 .. 6 rows, by their numbers. */
static oracle_system draw (int bodies, hold how, int branched, unsigned long seed)
{
    oracle_random random = {seed};
    oracle_system s = oracle_system_create (bodies, 2, &random);
    if (how == CARRIED) oracle_fix_body (&s, 0);
    if (how == HELD) add_joint (&s, 0, -1, 3 + (int)(seed % 4), &random);
    for (int b = 1; b < bodies; ++b)
    {
        const int parent = branched ? (int)oracle_uniform (&random, 0, b) : b - 1;
        const int turned = oracle_uniform (&random, 0, 1) < 0.5;
        add_joint (&s, turned ? b : parent, turned ? parent : b, 3 + (int)oracle_uniform (&random, 0, 4),
                   &random);
    }
    return s;
}

static double largest (const double *x, int n)
{
    double worst = 0;
    for (int i = 0; i < n; ++i) worst = fmax (worst, fabs (x[i]));
    return worst;
}

static void trees_as_the_oracle_has_them (void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 120; ++seed)
    {
        const int bodies = 1 + (int)(seed % 13), branched = seed % 2 == 0;
        const hold how = bodies == 1 ? HELD : (hold)(seed % 3);
        oracle_system s = draw (bodies, how, branched, seed);
        const size_t size = sizeof (double[6]) * (size_t)bodies;
        rls_order order = {0};
        rls_factor factor = {0};
        assert_int_equal (rls_order_analyse (&order, &s.rows, dRLSOrderMinDegree, NULL), 1);
        assert_int_equal (rls_factor_rows (&factor, &order, &s.rows, TOLERANCE, NULL, NULL), 1);
        assert_int_equal (factor.tree.rows, s.rows.rows);
        assert_int_equal (factor.rank, s.rows.rows);

        double *x = oracle_allocate ((size_t)s.rows.rows, sizeof (double)),
               *p = oracle_allocate ((size_t)s.rows.rows, sizeof (double));
        double (*v)[6] = oracle_allocate (1, size), (*pushed)[6] = oracle_allocate (1, size);
        memcpy (v, s.v, size), memcpy (pushed, s.v, size);
        rls_rows_velocity (&s.rows, (const double (*)[6])v, x);
        for (int r = 0; r < s.rows.rows; ++r) p[r] = x[r] = s.rows.target[r] - x[r];
        const double wanted = largest (x, s.rows.rows);
        rls_factor_enforce (&factor, &s.rows, x, v);
        rls_factor_solve (&factor, &s.rows, p);
        rls_rows_apply (&s.rows, p, pushed);

        oracle_answer right = oracle_solve (&s, NULL, TOLERANCE);
        assert_int_equal (right.rank, s.rows.rows);
        const double scale = 1 + largest (right.v[0], 6 * bodies);
        if (oracle_distance (bodies, (const double (*)[6])v, (const double (*)[6])right.v) > 1e-10 * scale ||
            oracle_distance (bodies, (const double (*)[6])pushed, (const double (*)[6])right.v) >
                1e-10 * scale)
            fail_msg ("tree %lu: off by %g and %g", seed,
                      oracle_distance (bodies, (const double (*)[6])v, (const double (*)[6])right.v),
                      oracle_distance (bodies, (const double (*)[6])pushed, (const double (*)[6])right.v));
        rls_rows_velocity (&s.rows, (const double (*)[6])v, x);
        for (int r = 0; r < s.rows.rows; ++r) x[r] -= s.rows.target[r];
        assert_true (largest (x, s.rows.rows) <= 1e-13 * (wanted + scale));

        rls_factor_diagonal (&factor, &s.rows, x); /* what a row by itself takes to be moved by 1 */
        for (int r = 0; r < s.rows.rows; ++r)
        {
            double speed[1024];
            memset (p, 0, sizeof (double) * (size_t)s.rows.rows), memset (v, 0, size);
            p[r] = 1;
            rls_rows_apply (&s.rows, p, v);
            rls_rows_velocity (&s.rows, (const double (*)[6])v, speed);
            assert_true (fabs (speed[r] - x[r]) <= 1e-13 * x[r]);
        }
        oracle_answer_free (&right);
        release_order (&order), rls_factor_free (&factor);
        free (x), free (p), free (v), free (pushed);
        oracle_system_free (&s);
    }
}

/* What a body's turning comes to under angular impulses of its own, found for all bodies at once and by three
 * solves for each. */
static void mobilities_as_solves_have_them (void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 60; ++seed)
    {
        const int bodies = 2 + (int)(seed % 12);
        oracle_system s = draw (bodies, (hold)(seed % 3), seed % 2 == 0, seed);
        rls_order order = {0};
        rls_factor factor = {0};
        double of[16] = {0}, x[128], v[16][6];
        assert_int_equal (rls_order_analyse (&order, &s.rows, dRLSOrderMinDegree, NULL), 1);
        assert_int_equal (rls_factor_rows (&factor, &order, &s.rows, TOLERANCE, NULL, NULL), 1);
        assert_true (factor.tree.rows > 0);
        rls_factor_tree_mobility (&factor, &s.rows, of);
        for (int b = 0; b < bodies; ++b)
        {
            double sum = 0;
            if (!s.movable[b]) continue;
            for (int k = 0; k < 3; ++k)
            {
                memset (v, 0, sizeof (v));
                for (int i = 0; i < 3; ++i) v[b][3 + i] = s.rows.W[b][3 * i + k];
                rls_rows_velocity (&s.rows, (const double (*)[6])v, x);
                for (int r = 0; r < s.rows.rows; ++r) x[r] = -x[r];
                rls_factor_enforce (&factor, &s.rows, x, v);
                sum += v[b][3 + k];
            }
            const double alone = s.rows.W[b][0] + s.rows.W[b][4] + s.rows.W[b][8];
            assert_true (fabs (of[b] - sum) <= 1e-11 * alone);
        }
        release_order (&order), rls_factor_free (&factor);
        oracle_system_free (&s);
    }
}

static int is_tree (const oracle_system *s, double tolerance)
{
    rls_order order = {0};
    rls_factor factor = {0};
    assert_int_equal (rls_order_analyse (&order, &s->rows, dRLSOrderMinDegree, NULL), 1);
    assert_int_equal (rls_factor_rows (&factor, &order, &s->rows, tolerance, NULL, NULL), 1);
    const int is = factor.tree.rows > 0;
    release_order (&order), rls_factor_free (&factor);
    return is;
}

static void what_is_none (void **state)
{
    (void)state;
    oracle_random random = {5};
    for (int kind = 0; kind < 7; ++kind)
    {
        oracle_system s = draw (6, HELD, 0, 7);
        assert_true (is_tree (&s, TOLERANCE));
        if (kind == 0) add_joint (&s, 5, -1, 3, &random); /* to the world once more */
        if (kind == 1) add_joint (&s, 0, 5, 4, &random);
        if (kind == 2) add_joint (&s, 2, 3, 5, &random); /* the same two bodies */
        if (kind == 3) oracle_soften (&s, 4, 1e-3);
        if (kind == 4) oracle_scale_row (&s, 1, 2);
        if (kind == 5) s.rows.J[s.row0[2]][4] += 1e-3; /* a torque that no lever gives */
        if (kind == 6) s.rows.J[s.row0[2]][1] += 1e-3; /* not along an axis of the world */
        assert_false (is_tree (&s, TOLERANCE));
        oracle_system_free (&s);
    }
    oracle_system s = draw (6, HELD, 0, 7);
    assert_false (is_tree (&s, 0.5)); /* so much is asked of pivots that they have to be looked at */
    oracle_system_free (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (trees_as_the_oracle_has_them),
        cmocka_unit_test (mobilities_as_solves_have_them),
        cmocka_unit_test (what_is_none),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
