/*
 * Elimination orders and the block structure of the factor, against elimination played through on a dense
 * table of booleans.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/kernels.h"
#include "oracle_rows.h"
#include "release.h"

/* columns x columns: whether the block is there after all eliminations, in elimination order */
static char *eliminate (const oracle_system *s, const rls_order *o)
{
    const int n = o->n, joints = s->rows.joints;
    char *full = oracle_allocate ((size_t)(n * n), 1);
    for (int a = 0; a < joints; ++a)
        for (int b = 0; b < joints; ++b)
            for (int side = 0; side < 4; ++side)
            {
                const int x = s->body[a][side & 1], y = s->body[b][side / 2];
                if (x >= 0 && x == y && s->movable[x]) full[o->position[a] * n + o->position[b]] = 1;
            }
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i)
            for (int j = k + 1; j < n; ++j)
                if (full[i * n + k] && full[j * n + k]) full[i * n + j] = 1;
    return full;
}

/* Supernodes follow each other without gaps, are no wider than they may be, and are not mostly zeros. */
static void check_supernodes (const rls_order *o, const char *full)
{
    const int n = o->n;
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int first = o->supernode[g], past = o->supernode[g + 1];
        int columns = 0, zeros = 0, values = 0;
        assert_true (first < past && (g > 0 || first == 0));
        for (int k = first; k < past; ++k)
        {
            columns += o->column[k].size;
            assert_int_equal (o->column[k].top, o->column[k].scalar - o->column[first].scalar);
            assert_int_equal (o->end[k], o->end[first]);
            assert_int_equal (o->start[k], o->start[first] + k - first);
            for (int x = o->start[k]; x < o->end[k]; ++x)
            {
                const int area = o->column[k].size * rls_padded (o->column[o->index[x]].size);
                values += area;
                zeros += full[o->index[x] * n + k] ? 0 : area;
            }
        }
        assert_true (past == first + 1 || columns <= RLS_SUPERNODE_COLUMNS);
        assert_true (2 * zeros <= values);
    }
    assert_int_equal (o->supernode[o->supernodes], n);
}

/* Runs are the supernode's own columns and its blocks, joined where they touch. */
static void check_runs (const rls_order *o)
{
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int first = o->supernode[g];
        int x = o->start[first] - 1, row = 0;
        for (int r = o->run0[g]; r < o->run0[g + 1]; ++r)
        {
            assert_int_equal (o->run[r].row, row);
            int scalar = o->run[r].scalar;
            while (scalar < o->run[r].scalar + o->run[r].count)
            {
                const int i = x < o->start[first] ? first : o->index[x];
                assert_int_equal (scalar, o->column[i].scalar);
                scalar = o->column[i + 1].scalar;
                ++x;
            }
            row += o->run[r].count;
        }
        assert_int_equal (x, o->end[first]);
        assert_int_equal (row, o->column[first].height);
    }
}

/* Joints of column k, which may be several with few rows each, follow each other in it.  Returns their rows.
 */
static int check_members (const oracle_system *s, const rls_order *o, int k, char *seen)
{
    const int first = o->column[k].member0, past = o->column[k + 1].member0;
    int m = 0;
    assert_true (past > first);
    for (int i = first; i < past; ++i)
    {
        const int j = o->perm[i], r0 = s->row0[j], rows = s->row0[j + 1] - r0;
        assert_true (j >= 0 && j < s->rows.joints && !seen[j]);
        seen[j] = 1;
        assert_true (past == first + 1 || rows <= 2);
        assert_int_equal (o->position[j], k);
        assert_int_equal (o->scalar[j], o->column[k].scalar + m);
        for (int r = 0; r < rows; ++r) assert_int_equal (o->row[o->scalar[j] + r], r0 + r);
        m += rows;
    }
    assert_true (past == first + 1 || m <= RLS_LANES);
    assert_int_equal (o->column[k].joint, past > first + 1 ? RLS_SHARED : o->perm[first]);
    for (int i = o->column[k].scalar + m; i < o->column[k + 1].scalar; ++i) assert_int_equal (o->row[i], -1);
    return m;
}

/* Returns how many joints share a column with others. */
static int check_structure (const oracle_system *s, const rls_order *o)
{
    const int n = o->n;
    char *full = eliminate (s, o), *seen = oracle_allocate ((size_t)s->rows.joints, 1);
    assert_int_equal (o->nodes, s->rows.joints);
    assert_int_equal (o->column[n].member0, o->nodes);
    assert_int_equal (o->column[n].scalar, o->scalars);
    size_t placed = 0;
    for (int k = 0; k < n; ++k)
    {
        const int m = check_members (s, o, k, seen);
        assert_int_equal (o->column[k].size, m);
        assert_int_equal (o->column[k + 1].scalar - o->column[k].scalar, rls_padded (m));

        /* all blocks of the table, ascending, one under the other */
        int height = o->column[k].top + rls_padded (m), last = k;
        for (int x = o->start[k]; x < o->end[k]; ++x)
        {
            const int i = o->index[x];
            for (int between = last + 1; between < i; ++between) assert_false (full[between * n + k]);
            assert_true (i > last);
            assert_int_equal (o->below[x], height);
            height += o->column[i + 1].scalar - o->column[i].scalar;
            last = i;
        }
        for (int i = last + 1; i < n; ++i) assert_false (full[i * n + k]);
        assert_int_equal (o->column[k].height, height);
        const int packed = o->column[k].packed;
        const size_t values = packed >= 0 ? RLS_PACKED_VALUES (packed) : (size_t)height * (size_t)m;
        assert_int_equal (o->column[k].block, placed + (size_t)o->column[k].top);
        placed += values;
    }
    assert_int_equal (o->values, placed);
    check_supernodes (o, full);
    check_runs (o);
    free (full), free (seen);
    return o->nodes - n;
}

/* Every pair of attachments to one movable body appears once, and lands in its block. */
static void check_couplings (const oracle_system *s, const rls_order *o)
{
    int expected = 0;
    for (int a = 0; a < s->rows.joints; ++a)
        for (int b = a + 1; b < s->rows.joints; ++b)
            for (int side = 0; side < 4; ++side)
            {
                const int x = s->body[a][side & 1], y = s->body[b][side / 2];
                expected += x >= 0 && x == y && s->movable[x];
            }
    assert_int_equal (o->couple_start[o->nodes], expected);
    for (int i = 0; i < o->nodes; ++i)
        for (int c = o->couple_start[i]; c < o->couple_start[i + 1]; ++c)
        {
            const int other = o->coupling[c].joint, here = o->perm[i], sides = o->coupling[c].sides;
            const int k = o->position[here], within = o->scalar[other] - o->column[o->position[other]].scalar;
            const int x = s->body[here][sides / 2];
            const int y = s->body[other][sides % 2];
            assert_true (x >= 0 && x == y && s->movable[x]);
            int at = o->start[k];
            while (at < o->end[k] && o->index[at] != o->position[other]) ++at;
            assert_true (at < o->end[k] || o->position[other] == k);
            assert_int_equal (o->coupling[c].row,
                              (at < o->end[k] ? o->below[at] : o->column[k].top) + within);
        }
}

static double *draw_keys (int count, oracle_random *random)
{
    double *key = oracle_allocate ((size_t)count, sizeof (double));
    for (int j = 0; j < count; ++j) key[j] = oracle_index (random, 5); /* many equal ones */
    return key;
}

static void structure_of_all_orders (void **state)
{
    (void)state;
    oracle_random random = {31};
    rls_order order = {0}; /* used again and again: analyses must not depend on the last one */
    int shared = 0;
    for (int structure = 0; structure < ORACLE_STRUCTURES; ++structure)
        for (int draw = 0; draw < 6; ++draw)
            for (int kind = 0; kind < dRLSOrderCount; ++kind)
            {
                const oracle_plan plan = {(oracle_structure)structure, 20 - 3 * draw, 0, 0, draw % 2};
                oracle_system s = oracle_system_draw (&plan, &random);
                s.rows.W = NULL; /* no body becomes a dense body */
                double *key = draw_keys (s.rows.joints, &random);
                const int keyed = kind == dRLSOrderPriority || kind == dRLSOrderRandom;
                assert_int_equal (rls_order_analyse (&order, &s.rows, kind, keyed ? key : NULL), 1);
                shared += check_structure (&s, &order);
                check_couplings (&s, &order);
                for (int k = 1; k < order.nodes && keyed; ++k)
                {
                    const int a = order.perm[k - 1], b = order.perm[k];
                    assert_true (key[a] < key[b] || (key[a] == key[b] && a < b));
                }
                for (int k = 0; k < order.nodes && kind == dRLSOrderNatural; ++k)
                    assert_int_equal (order.perm[k], k);
                free (key);
                oracle_system_free (&s);
            }
    assert_true (shared > 100);
    release_order (&order);
}

static size_t values (const oracle_system *s, int kind)
{
    rls_order order = {0};
    assert_int_equal (rls_order_analyse (&order, &s->rows, kind, NULL), 1);
    const size_t size = order.values;
    release_order (&order);
    return size;
}

/* A chain needs no fill; on trees and nets the fill-reducing order is leaner than the natural one. */
static void minimum_degree_reduces_fill (void **state)
{
    (void)state;
    oracle_random random = {32};
    const oracle_plan chain = {ORACLE_CHAIN, 50, 0, 1, 0}, net = {ORACLE_NET, 121, 0, 1, 0},
                      tree = {ORACLE_TREE, 100, 0, 1, 0};
    oracle_system s = oracle_system_draw (&chain, &random);
    assert_int_equal (values (&s, dRLSOrderMinDegree),
                      6 * rls_padded (6) * (50 + 49 + 1)); /* the last two are one supernode */
    oracle_system_free (&s);
    s = oracle_system_draw (&net, &random);
    assert_true (values (&s, dRLSOrderMinDegree) < 0.9 * (double)values (&s, dRLSOrderNatural));
    oracle_system_free (&s);
    s = oracle_system_draw (&tree, &random);
    assert_true (4 * values (&s, dRLSOrderMinDegree) < values (&s, dRLSOrderNatural));
    oracle_system_free (&s);
}

/* Values of a dense body's joints grow with their number, not with its square; the dense body comes last. */
static void dense_bodies_come_last (void **state)
{
    (void)state;
    oracle_random random = {35};
    rls_order order = {0};
    size_t before = 0;
    for (int bodies = 40; bodies <= 160; bodies *= 2)
        for (int kind = 0; kind < dRLSOrderCount; ++kind)
        {
            const oracle_plan plan = {ORACLE_HUB, bodies, 0, 1, 0};
            oracle_system s = oracle_system_draw (&plan, &random);
            assert_int_equal (rls_order_analyse (&order, &s.rows, kind, NULL), 1);
            assert_int_equal (order.dense_bodies, 1);
            assert_int_equal (order.nodes, s.rows.joints + 1);
            assert_int_equal (order.perm[order.nodes - 1], s.rows.joints);
            for (int j = 0; j < s.rows.joints; ++j)
                for (int side = 0; side < 2; ++side)
                    assert_int_equal (order.side_dense[2 * j + side],
                                      s.body[j][side] == 0 ? order.n - 1 : -1);
            if (kind == dRLSOrderMinDegree)
            {
                assert_true (before == 0 || order.values < 2 * before + 500);
                before = order.values;
            }
            oracle_system_free (&s);
        }
    release_order (&order);
}

/* Bodies that cannot be pushed couple nothing. */
static void unmovable_bodies_separate (void **state)
{
    (void)state;
    oracle_random random = {33};
    oracle_system s = oracle_system_create (3, 0, &random);
    oracle_fix_body (&s, 1);
    oracle_add_pool_joint (&s, 0, 1, 7, &random);
    oracle_add_pool_joint (&s, 1, 2, 7, &random);
    oracle_add_pool_joint (&s, 1, -1, 7, &random);
    rls_order order = {0};
    assert_int_equal (rls_order_analyse (&order, &s.rows, dRLSOrderMinDegree, NULL), 1);
    assert_int_equal (order.blocks, 0);
    assert_int_equal (order.couple_start[order.nodes], 0);
    release_order (&order);
    oracle_system_free (&s);
}

static void nothing_to_order (void **state)
{
    (void)state;
    oracle_random random = {34};
    oracle_system s = oracle_system_create (1, 0, &random);
    rls_order order = {0};
    for (int kind = 0; kind < dRLSOrderCount; ++kind)
        assert_int_equal (rls_order_analyse (&order, &s.rows, kind, NULL), 1);
    assert_int_equal (order.n, 0);
    assert_int_equal (order.values, 0);
    release_order (&order);
    oracle_system_free (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (structure_of_all_orders), cmocka_unit_test (minimum_degree_reduces_fill),
        cmocka_unit_test (dense_bodies_come_last),  cmocka_unit_test (unmovable_bodies_separate),
        cmocka_unit_test (nothing_to_order),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
