/*
 * Reactions under redundancy against the oracle's null space: least norm, unchanged effect, and which
 * joints no self-stress acts in.
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
#include "oracle_rows.h"
#include "island/redistribute.h"
#include "release.h"

typedef struct
{
    oracle_system system;
    rls_order order;
    rls_factor factor;
    rls_self_stress stress;
    double *p; /* multipliers as the factor gives them: none in redundant rows */
} bench;

static void start (bench *b, int kind, oracle_random *random)
{
    const rls_rows *rows = &b->system.rows;
    const size_t n = (size_t)rows->rows;
    assert_int_equal (rls_order_analyse (&b->order, rows, kind, NULL), 1);
    assert_int_equal (rls_factor_rows (&b->factor, &b->order, rows, 1e-9, NULL, NULL), 1);
    b->stress =
        (rls_self_stress){&b->factor, rows, oracle_allocate ((size_t)b->system.bodies, sizeof (double[6])),
                          oracle_allocate (5 * n, sizeof (double))};
    b->p = oracle_allocate (n, sizeof (double));
    for (size_t r = 0; r < n; ++r) b->p[r] = oracle_uniform (random, -1, 1);
    rls_factor_solve (&b->factor, rows, b->p);
}

static void stop (bench *b)
{
    release_order (&b->order);
    rls_factor_free (&b->factor);
    free (b->stress.body), free (b->stress.row), free (b->p);
    oracle_system_free (&b->system);
}

/* Singular values of H' over the hard rows: the null space is that of the self-stresses. */
static oracle_svd self_stresses (const oracle_system *s, int *nullity)
{
    unsigned char *soft = oracle_allocate ((size_t)s->rows.rows, 1);
    int hard = 0;
    for (int r = 0; r < s->rows.rows; ++r) soft[r] = s->rows.sigma2[r] > 0, hard += !soft[r];
    oracle_matrix H = oracle_row_matrix (s, soft), Ht = oracle_transposed (&H);
    oracle_svd svd = oracle_decompose (&Ht);
    *nullity = hard - oracle_rank (&svd, 1e-8);
    free (soft);
    oracle_free (&H), oracle_free (&Ht);
    return svd;
}

/* The soft rows' zero columns of H' are null vectors too, but no self-stresses: they are left alone. */
static void least_norm (const oracle_system *s, const oracle_svd *svd, double *p)
{
    double *kept = oracle_allocate ((size_t)s->rows.rows, sizeof (double));
    for (int r = 0; r < s->rows.rows; ++r)
        if (s->rows.sigma2[r] > 0) kept[r] = p[r], p[r] = 0;
    oracle_remove_span (svd, oracle_rank (svd, 1e-8), p);
    for (int r = 0; r < s->rows.rows; ++r)
        if (s->rows.sigma2[r] > 0) p[r] = kept[r];
    free (kept);
}

static void check_least_norm (bench *b)
{
    const oracle_system *s = &b->system;
    const size_t n = (size_t)s->rows.rows;
    int nullity;
    oracle_svd svd = self_stresses (s, &nullity);
    double *right = oracle_allocate (n, sizeof (double)), largest = 0;
    memcpy (right, b->p, sizeof (double) * n);
    least_norm (s, &svd, right);
    for (size_t r = 0; r < n; ++r) largest = fmax (largest, fabs (right[r]));
    const int iterations = rls_redistribute (&b->stress, b->p);
    assert_int_equal (iterations > 0, nullity > 0);
    assert_true (iterations <= 5 * nullity); /* conjugate gradients need one for each in exact arithmetic */
    const double rounding = 1000 * DBL_EPSILON / b->factor.gap; /* the gap tells the kept rows' condition */
    for (size_t r = 0; r < n; ++r)
        if (!(fabs (b->p[r] - right[r]) <= rounding * largest))
            fail_msg ("row %zu has %.12g, least norm is %.12g", r, b->p[r], right[r]);
    free (right);
    oracle_svd_free (&svd);
}

static void check_unique (const bench *b)
{
    const oracle_system *s = &b->system;
    int nullity;
    oracle_svd svd = self_stresses (s, &nullity);
    unsigned char *unique = oracle_allocate ((size_t)s->rows.joints, 1);
    rls_unique_reactions (&b->stress, unique);
    for (int j = 0; j < s->rows.joints; ++j)
    {
        double stressed = 0;
        for (int r = s->row0[j]; r < s->row0[j + 1]; ++r)
            for (int k = oracle_rank (&svd, 1e-8); k < s->rows.rows; ++k)
                if (s->rows.sigma2[r] == 0) stressed = fmax (stressed, fabs (oracle_row (&svd.V, r)[k]));
        assert_true (stressed < 1e-10 || stressed > 1e-4); /* otherwise the test itself is doubtful */
        assert_int_equal (unique[j], stressed < 1e-10);
    }
    free (unique);
    oracle_svd_free (&svd);
}

static void random_structures (void **state)
{
    (void)state;
    oracle_random random = {41};
    int shared = 0, determined = 0;
    for (int structure = 0; structure < ORACLE_STRUCTURES; ++structure)
        for (int draw = 0; draw < 8; ++draw)
        {
            const oracle_plan plan = {(oracle_structure)structure, 5 + draw, 1, 0, draw % 3 == 0};
            bench b = {.system = oracle_system_draw (&plan, &random)};
            for (int r = 0; r < b.system.rows.rows && draw % 2; r += 4) oracle_soften (&b.system, r, 0.3);
            start (&b, draw % 2 ? dRLSOrderMinDegree : dRLSOrderNatural, &random);
            check_unique (&b);
            check_least_norm (&b);
            shared += b.factor.rank < b.system.rows.rows;
            determined += b.factor.rank == b.system.rows.rows;
            stop (&b);
        }
    assert_true (shared > 10 && determined > 3); /* both kinds were there */
}

/* Two equal hinges carry one load: each gets half of it whichever is skipped. */
static void equal_twins_share_equally (void **state)
{
    (void)state;
    oracle_random random = {42};
    for (int kind = 0; kind < 2; ++kind)
    {
        bench b = {.system = oracle_system_create (1, 0, &random)};
        double J[5][12];
        for (int w = 0; w < 5; ++w) oracle_wrench_row (&b.system, 0, -1, b.system.pool[w], J[w]);
        for (int twin = 0; twin < 2; ++twin) oracle_add_joint (&b.system, 0, -1, 5, (const double (*)[12])J);
        start (&b, kind, &random);
        double load[5];
        for (int r = 0; r < 5; ++r) load[r] = b.p[r] + b.p[5 + r];
        rls_redistribute (&b.stress, b.p);
        for (int r = 0; r < 10; ++r) assert_true (fabs (b.p[r] - load[r % 5] / 2) < 1e-12);
        stop (&b);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (random_structures),
        cmocka_unit_test (equal_twins_share_equally),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
