/*
 * The factorisation against the dense oracle: rank, velocity, redundancy and residuals on row systems of
 * every structure and rank, in all elimination orders.
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
#include "factor/factor.h"
#include "oracle_rows.h"
#include "release.h"

#define TOLERANCE 1e-9

typedef struct
{
    rls_order order;
    rls_factor factor;
    double (*v)[6];
    double *p;
} solution;

/* Factors the system in one of the orders and enforces its rows on v. */
static solution solve (const oracle_system *s, int kind, unsigned long seed)
{
    solution out = {.order = {.chassis = 1},
                    .v = oracle_allocate ((size_t)s->bodies, sizeof (double[6])),
                    .p = oracle_allocate ((size_t)s->rows.rows, sizeof (double))};
    double *key = oracle_allocate ((size_t)s->rows.joints, sizeof (double));
    oracle_random random = {seed};
    for (int j = 0; j < s->rows.joints; ++j) key[j] = oracle_uniform (&random, 0, 1);
    const int keyed = kind == dRLSOrderPriority || kind == dRLSOrderRandom;
    assert_int_equal (rls_order_analyse (&out.order, &s->rows, kind, keyed ? key : NULL), 1);
    assert_int_equal (rls_factor_rows (&out.factor, &out.order, &s->rows, TOLERANCE, NULL, NULL), 1);
    memcpy (out.v, s->v, sizeof (double[6]) * (size_t)s->bodies);
    rls_rows_velocity (&s->rows, (const double (*)[6])out.v, out.p);
    for (int r = 0; r < s->rows.rows; ++r) out.p[r] = s->rows.target[r] - out.p[r];
    rls_factor_solve (&out.factor, &s->rows, out.p);
    rls_rows_apply (&s->rows, out.p, out.v);
    free (key);
    return out;
}

static void drop (solution *s)
{
    release_order (&s->order);
    rls_factor_free (&s->factor);
    free (s->v), free (s->p);
}

/* The largest |J v + sigma^2 p - target| over the rows, in units of the row's length. */
static double row_error (const oracle_system *s, const solution *of, int only_kept)
{
    double worst = 0, *speed = oracle_allocate ((size_t)s->rows.rows, sizeof (double));
    rls_rows_velocity (&s->rows, (const double (*)[6])of->v, speed);
    for (int r = 0; r < s->rows.rows; ++r)
    {
        const double *J = s->rows.J[r], size = sqrt (rls_dot6 (J, J) + rls_dot6 (J + 6, J + 6));
        if (!(size > 0) || (only_kept && of->factor.decision[r] == RLS_REDUNDANT)) continue;
        worst = fmax (worst, fabs (speed[r] + s->rows.sigma2[r] * of->p[r] - s->rows.target[r]) / size);
    }
    free (speed);
    return worst;
}

/* Decisions, rank and skipped impulses of a factor agree with each other. */
static void check_consistency (const oracle_system *s, const solution *of)
{
    int kept = 0;
    for (int r = 0; r < s->rows.rows; ++r)
    {
        const int redundant = of->factor.decision[r] == RLS_REDUNDANT;
        kept += !redundant && s->rows.sigma2[r] == 0;
        if (redundant) assert_true (of->p[r] == 0);
    }
    assert_int_equal (of->factor.rank, kept);
}

/* The oracle's answer for the rows that the factor kept. */
static oracle_answer solve_kept (const oracle_system *s, const rls_factor *factor)
{
    unsigned char *skip = oracle_allocate ((size_t)s->rows.rows, 1);
    for (int r = 0; r < s->rows.rows; ++r) skip[r] = factor->decision[r] == RLS_REDUNDANT;
    oracle_answer answer = oracle_solve (s, skip, 1e-8);
    free (skip);
    return answer;
}

/* What rounding may do to velocities (entries of order 1): it is amplified by the condition of the kept rows'
 * Delassus matrix. */
static double rounding (const oracle_answer *kept) { return 50 * DBL_EPSILON / (kept->kept * kept->kept); }

/* All orders against the oracle. */
static void check_system (const oracle_system *s, int rank)
{
    oracle_answer right = oracle_solve (s, NULL, 1e-7);
    assert_true (right.kept > 1e-6 && right.dropped < 1e-12); /* otherwise the test itself is doubtful */
    assert_int_equal (right.rank, rank);
    for (int kind = 0; kind < dRLSOrderCount; ++kind)
    {
        solution now = solve (s, kind, 7);
        assert_int_equal (now.factor.rank, rank);
        check_consistency (s, &now);
        oracle_answer kept = solve_kept (s, &now.factor);
        assert_int_equal (kept.rank, rank);
        const double error = rounding (&kept), open = row_error (s, &now, 0);
        const double off =
            oracle_distance (s->bodies, (const double (*)[6])now.v, (const double (*)[6])right.v);
        if (!(off <= error)) fail_msg ("order %d: velocity off by %g, not %g", kind, off, error);
        if (!(open <= error)) fail_msg ("order %d: rows open by %g, not %g", kind, open, error);
        oracle_answer_free (&kept);
        drop (&now);
    }
    oracle_answer_free (&right);
}

static void random_structures (void **state)
{
    (void)state;
    oracle_random random = {1};
    for (int structure = 0; structure < ORACLE_STRUCTURES; ++structure)
        for (int draw = 0; draw < 7; ++draw)
        {
            const oracle_plan plan = {(oracle_structure)structure, 3 + 2 * draw, 0.5, draw % 3 == 2,
                                      draw % 4 == 3};
            oracle_system s = oracle_system_draw (&plan, &random);
            check_system (&s, oracle_graph_rank (&s));
            oracle_system_free (&s);
        }
}

/* Of many joints, with supernodes of many columns: the rank, and targets that can be met are. */
static void large_structures (void **state)
{
    (void)state;
    oracle_random random = {5};
    int bordered = 0;
    for (int structure = 0; structure < ORACLE_STRUCTURES; ++structure)
        for (int rigid = 0; rigid < 2; ++rigid)
        {
            const oracle_plan plan = {(oracle_structure)structure, 80, 0.5, rigid, 0};
            oracle_system s = oracle_system_draw (&plan, &random);
            solution now = solve (&s, dRLSOrderMinDegree, 0);
            assert_int_equal (now.factor.rank, oracle_graph_rank (&s));
            check_consistency (&s, &now);
            const double open = row_error (&s, &now, 0);
            if (!(open <= 1e-7)) fail_msg ("structure %d: rows open by %g", structure, open);
            bordered += now.factor.borders > 0;
            drop (&now);
            oracle_system_free (&s);
        }
    assert_true (bordered > 0);
}

/* The numbers of blocks below packed columns that there are, as a set. */
static unsigned packed_columns (const rls_order *o)
{
    unsigned set = 0;
    for (int k = 0; k < o->n; ++k)
        if (o->column[k].packed >= 0) set |= 1u << o->column[k].packed;
    return set;
}

/* Leaves little of the next row beside this one. */
static void make_similar (oracle_system *s, int row)
{
    for (int c = 0; c < 12; ++c) s->rows.J[row + 1][c] = s->rows.J[row][c] + 0.01 * s->rows.J[row + 1][c];
    s->rows.target[row + 1] = s->rows.target[row] + 0.01 * s->rows.target[row + 1];
}

/* Chains of joints with five rows, numbered either way, with a branch, held at both ends, with a soft row or
 * with one that is nearly another: the packed links and what they are mixed with. */
static void chains_of_hinges (void **state)
{
    (void)state;
    oracle_random random = {21};
    unsigned packed = 0;
    for (int draw = 0; draw < 24; ++draw)
    {
        const int backwards = draw & 1, branch = draw & 2, held = draw & 4 && draw % 16 < 8, bodies = 12,
                  mixed = draw >= 16;
        oracle_system s = oracle_system_create (bodies, 1, &random);
        const int main_chain = branch ? 8 : bodies;
        int soft = 0;
        for (int i = 0; i < bodies + (held != 0); ++i)
        {
            const int joint = i == bodies || !backwards ? i : bodies - 1 - i;
            const int one = joint == 0 || joint == bodies ? -1 : joint == main_chain ? 4 : joint - 1;
            const int two = joint == bodies ? main_chain - 1 : joint;
            const unsigned carries = mixed && joint % 4 == 2 ? 7 : 63 & ~(1u << joint % ORACLE_POOL);
            oracle_add_pool_joint (&s, one, two, carries, &random);
            if (draw < 8 || mixed || i % 5 != 2) continue;
            soft += draw < 12;
            if (draw < 12)
                oracle_soften (&s, s.row0[i] + i % 4, 0.01);
            else
                make_similar (&s, s.row0[i] + i % 4);
        }
        check_system (&s, oracle_graph_rank (&s) - soft);
        solution now = solve (&s, dRLSOrderNatural, 7);
        if ((!backwards || !held) && !mixed) assert_true (packed_columns (&now.order) & 1u << 1);
        if (draw >= 12 && !mixed) assert_true (now.factor.borders > 0);
        drop (&now);
        now = solve (&s, dRLSOrderRandom, 7);
        packed |= packed_columns (&now.order);
        drop (&now);
        oracle_system_free (&s);
    }
    assert_int_equal (packed, 15);
}

/* A body that is eliminated for itself: free and dependent rows, a light and a heavy one, one that is fixed.
 */
static void dense_bodies (void **state)
{
    (void)state;
    oracle_random random = {12};
    for (int draw = 0; draw < 4; ++draw)
    {
        const oracle_plan plan = {ORACLE_HUB, 26 + draw, 1, draw == 2, draw == 3};
        oracle_system s = oracle_system_draw (&plan, &random);
        check_system (&s, oracle_graph_rank (&s));
        solution now = solve (&s, dRLSOrderMinDegree, 7);
        assert_int_equal (now.order.dense_bodies, 1);
        drop (&now);
        oracle_system_free (&s);
    }
}

/* With fewer joints it is one if it is heavier than those that it carries.  The rows that repeat others,
 * which have to wait for it, are found to be redundant. */
static void heavy_bodies_of_few_joints (void **state)
{
    (void)state;
    oracle_random random = {13};
    for (int draw = 0; draw < 8; ++draw)
    {
        const oracle_plan plan = {ORACLE_HUB, 12 + draw % 4, 0, 1, 0};
        const double heavier = draw < 4 ? 10 : 1;
        oracle_system s = oracle_system_draw (&plan, &random);
        for (int b = 0; b < plan.bodies; ++b) s.mass[b] = b == 0 ? heavier : 1;
        for (int k = 0; k < 9; ++k) s.W[0][k] /= heavier;
        check_system (&s, oracle_graph_rank (&s));
        solution now = solve (&s, dRLSOrderMinDegree, 7);
        assert_int_equal (now.order.dense_bodies, heavier > 1);
        assert_true (rls_order_dense_bodies_stay (&now.order, &s.rows));
        s.mass[0] = heavier > 1 ? 1 : 10; /* and the program may change that */
        assert_false (rls_order_dense_bodies_stay (&now.order, &s.rows));
        drop (&now);
        oracle_system_free (&s);
    }
}

static void mass_ratios (void **state)
{
    (void)state;
    oracle_random random = {2};
    for (int structure = 0; structure < ORACLE_STRUCTURES; ++structure)
    {
        const oracle_plan plan = {(oracle_structure)structure, 8, 6, 0, 0};
        oracle_system s = oracle_system_draw (&plan, &random);
        check_system (&s, oracle_graph_rank (&s));
        oracle_system_free (&s);
    }
}

static void duplicates_and_combinations (void **state)
{
    (void)state;
    oracle_random random = {3};
    for (int draw = 0; draw < 10; ++draw)
    {
        const oracle_plan plan = {ORACLE_TREE, 6, 1, 0, 0};
        oracle_system s = oracle_system_draw (&plan, &random);
        const int rank = oracle_graph_rank (&s), joints = s.rows.joints;
        for (int j = 0; j < joints; ++j)
        {
            /* a joint with the same rows, one with combinations of them, one of zeros */
            const int r0 = s.row0[j], m = s.row0[j + 1] - r0;
            double J[6][12], zero[2][12] = {{0}};
            memcpy (J, s.rows.J + r0, sizeof (double[12]) * (size_t)m);
            oracle_add_joint (&s, s.body[j][0], s.body[j][1], m, (const double (*)[12])J);
            for (int a = 0; a < m; ++a)
                for (int c = 0; c < 12; ++c) J[a][c] += 0.7 * J[(a + 1) % m][c];
            oracle_add_joint (&s, s.body[j][0], s.body[j][1], m, (const double (*)[12])J);
            oracle_add_joint (&s, s.body[j][0], s.body[j][1], 2, (const double (*)[12])zero);
        }
        check_system (&s, rank);
        oracle_system_free (&s);
    }
}

static void soft_rows (void **state)
{
    (void)state;
    oracle_random random = {4};
    for (int draw = 0; draw < 10; ++draw)
    {
        const oracle_plan plan = {ORACLE_LOOPS, 7, 1, draw % 2, 0};
        oracle_system s = oracle_system_draw (&plan, &random);
        /* soften every joint over one: the hard rank is then that of the others alone */
        for (int j = 0; j < s.rows.joints; j += 2)
        {
            for (int r = s.row0[j]; r < s.row0[j + 1]; ++r)
            {
                oracle_soften (&s, r, pow (10, oracle_uniform (&random, -2, 1)));
                s.rows.target[r] = oracle_uniform (&random, -1, 1);
            }
            s.carries[j] = 0;
        }
        check_system (&s, oracle_graph_rank (&s));
        oracle_system_free (&s);
    }
}

/* Two stiff springs on one direction share it however stiff they are: they are never redundant. */
static void soft_twins (void **state)
{
    (void)state;
    oracle_random random = {8};
    const double sigma2[] = {1e-2, 1e-6, 1e-11};
    for (int i = 0; i < 3; ++i)
    {
        oracle_system s = oracle_system_create (1, 0, &random);
        const double J[12] = {1};
        s.mass[0] = 1;
        s.v[0][0] = 0;
        for (int twin = 0; twin < 2; ++twin)
        {
            oracle_add_joint (&s, 0, -1, 1, &J);
            oracle_soften (&s, twin, sigma2[i]);
            s.rows.target[twin] = 1 + twin;
        }
        solution now = solve (&s, dRLSOrderNatural, 0);
        assert_true (fabs (now.v[0][0] - 3 / (2 + sigma2[i])) < 10 * DBL_EPSILON / sigma2[i]);
        assert_int_equal (now.factor.rank, 0);
        drop (&now);
        oracle_system_free (&s);
    }
}

/* Scaling any row by anything changes neither decisions nor velocities. */
static void row_scaling (void **state)
{
    (void)state;
    oracle_random random = {5};
    for (int structure = 0; structure < ORACLE_STRUCTURES; ++structure)
    {
        const oracle_plan plan = {(oracle_structure)structure, 9, 1, 0, 0};
        oracle_system s = oracle_system_draw (&plan, &random);
        for (int r = 0; r < s.rows.rows; r += 5) oracle_soften (&s, r, 0.1);
        solution plain = solve (&s, dRLSOrderMinDegree, 0);
        for (int r = 0; r < s.rows.rows; ++r)
            oracle_scale_row (&s, r, pow (10, oracle_uniform (&random, -6, 6)));
        solution scaled = solve (&s, dRLSOrderMinDegree, 0);
        assert_memory_equal (plain.factor.decision, scaled.factor.decision, (size_t)s.rows.rows);
        oracle_answer kept = solve_kept (&s, &plain.factor);
        assert_true (oracle_distance (s.bodies, (const double (*)[6])plain.v, (const double (*)[6])scaled.v) <
                     rounding (&kept));
        oracle_answer_free (&kept);
        drop (&plain), drop (&scaled);
        oracle_system_free (&s);
    }
}

/* Rows that contradict each other: the kept ones hold, and the velocity is the nearest one for them. */
static void contradicting_rows (void **state)
{
    (void)state;
    oracle_random random = {6};
    for (int draw = 0; draw < 8; ++draw)
    {
        const oracle_plan plan = {ORACLE_LOOPS, 6, 1, 1, draw % 2};
        oracle_system s = oracle_system_draw (&plan, &random);
        for (int r = 0; r < s.rows.rows; ++r) s.rows.target[r] += oracle_uniform (&random, -1, 1);
        solution now = solve (&s, draw % dRLSOrderCount, 3);
        assert_int_equal (now.factor.rank, oracle_graph_rank (&s));
        oracle_answer right = solve_kept (&s, &now.factor);
        assert_true (row_error (&s, &now, 1) < rounding (&right));
        assert_true (row_error (&s, &now, 0) > 1e-2);
        assert_true (oracle_distance (s.bodies, (const double (*)[6])now.v, (const double (*)[6])right.v) <
                     rounding (&right));
        oracle_answer_free (&right);
        drop (&now);
        oracle_system_free (&s);
    }
}

static void no_rows_and_not_finite (void **state)
{
    (void)state;
    oracle_random random = {7};
    oracle_system s = oracle_system_create (2, 0, &random);
    solution none = solve (&s, dRLSOrderMinDegree, 0);
    assert_int_equal (none.factor.rank, 0);
    assert_true (none.factor.gap == 1);
    drop (&none);
    oracle_add_pool_joint (&s, 0, 1, 63, &random);
    solution good = solve (&s, dRLSOrderNatural, 0);
    s.rows.J[3][2] = NAN;
    assert_int_equal (rls_factor_rows (&good.factor, &good.order, &s.rows, TOLERANCE, NULL, NULL), -1);
    drop (&good);
    oracle_system_free (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (random_structures),
        cmocka_unit_test (large_structures),
        cmocka_unit_test (chains_of_hinges),
        cmocka_unit_test (dense_bodies),
        cmocka_unit_test (heavy_bodies_of_few_joints),
        cmocka_unit_test (mass_ratios),
        cmocka_unit_test (duplicates_and_combinations),
        cmocka_unit_test (soft_rows),
        cmocka_unit_test (soft_twins),
        cmocka_unit_test (row_scaling),
        cmocka_unit_test (contradicting_rows),
        cmocka_unit_test (no_rows_and_not_finite),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
