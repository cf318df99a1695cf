/* Large factors: the cut of the elimination tree, and the same bits for any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>
#include "pool.h"
#include "factor/factor.h"
#include "oracle_rows.h"

#define BODIES 110

static oracle_system draw (int structure, int rigid, oracle_random *random)
{
    const oracle_plan plan = {(oracle_structure)structure, BODIES, 0.5, rigid, 0};
    return oracle_system_draw (&plan, random);
}

static int subtree_of (const rls_subtrees *s, int g)
{
    int p = 0;
    while (p < s->subtrees && g >= s->subtree0[p + 1]) ++p;
    return p; /* s->subtrees: separators */
}

static int supernode_of (const rls_order *o, int k)
{
    int g = 0;
    while (k >= o->supernode[g + 1]) ++g;
    return g;
}

/* Subtrees reach themselves and separators only, and targets list exactly what they reach of separators. */
static void check_cut (const rls_order *o)
{
    const rls_subtrees *s = &o->subtrees;
    int *times = oracle_allocate ((size_t)o->blocks + 1, sizeof (int));
    assert_int_equal (s->subtree0[0], 0);
    assert_true (s->subtrees >= 1 && s->subtree0[s->subtrees] <= o->supernodes);
    for (int i = 0; i < s->reaches; ++i)
        for (int x = s->reach[i].from; x < s->reach[i].past; ++x) ++times[x];
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int last = o->supernode[g + 1] - 1, subtree = subtree_of (s, g);
        for (int x = o->start[last]; x < o->end[last]; ++x)
        {
            const int to = subtree_of (s, supernode_of (o, o->index[x]));
            assert_true (o->index[x] > last);
            assert_true (to == subtree || to == s->subtrees);
            if (subtree < s->subtrees) assert_int_equal (x >= s->split[g], to == s->subtrees);
            assert_int_equal (times[x], subtree < s->subtrees && to == s->subtrees);
        }
    }
    assert_int_equal (s->targets > 0 ? s->target0[0] : rls_first_separator (o), rls_first_separator (o));
    assert_int_equal (s->target0[s->targets], o->n);
    for (int t = 0; t < s->targets; ++t) assert_true (s->target0[t] < s->target0[t + 1]);
    free (times);
}

static void cuts (void **state)
{
    (void)state;
    oracle_random random = {3};
    for (int structure = 0; structure < ORACLE_STRUCTURES; ++structure)
    {
        oracle_system s = draw (structure, 1, &random);
        double *key = oracle_allocate ((size_t)s.rows.joints, sizeof (double));
        for (int j = 0; j < s.rows.joints; ++j) key[j] = oracle_uniform (&random, 0, 1);
        for (int kind = 0; kind < dRLSOrderCount; ++kind)
        {
            rls_order o = {0}, copy = {0};
            assert_int_equal (rls_order_analyse (&o, &s.rows, s.movable, s.bodies, kind, key), 1);
            check_cut (&o);
            assert_int_equal (rls_order_copy (&copy, &o), 1);
            rls_order_free (&o);
            check_cut (&copy);
            if (structure == ORACLE_NET && kind == dRLSOrderMinDegree)
                assert_true (copy.subtrees.subtrees > 2);
            rls_order_free (&copy);
        }
        free (key);
        oracle_system_free (&s);
    }
}

/* What a factor and a solve with it come to. */
typedef struct
{
    rls_order order;
    rls_factor factor;
    double *p;
} answer;

static answer solve (const oracle_system *s, rls_workers *workers)
{
    answer a = {.p = oracle_allocate ((size_t)s->rows.rows, sizeof (double))};
    rls_rows rows = s->rows;
    rows.workers = workers;
    assert_int_equal (rls_order_analyse (&a.order, &rows, s->movable, s->bodies, dRLSOrderMinDegree, NULL),
                      1);
    assert_int_equal (rls_factor_rows (&a.factor, &a.order, &rows, 1e-9, NULL, NULL), 1);
    for (int r = 0; r < rows.rows; ++r) a.p[r] = rows.target[r];
    rls_factor_solve (&a.factor, &rows, a.p);
    return a;
}

static void drop (answer *a)
{
    rls_factor_free (&a->factor);
    rls_order_free (&a->order);
    free (a->p);
}

static void same_bits (const oracle_system *s, const answer *a, const answer *b)
{
    const size_t rows = (size_t)s->rows.rows, scalars = (size_t)a->order.scalars;
    assert_int_equal (a->factor.rank, b->factor.rank);
    assert_int_equal (a->factor.borders, b->factor.borders);
    assert_memory_equal (a->factor.decision, b->factor.decision, rows);
    assert_memory_equal (a->factor.relative, b->factor.relative, rows * sizeof (double));
    assert_memory_equal (a->factor.inverse_pivot, b->factor.inverse_pivot, scalars * sizeof (double));
    assert_memory_equal (a->factor.value, b->factor.value, a->order.panel[a->order.n] * sizeof (double));
    assert_memory_equal (a->p, b->p, rows * sizeof (double));
}

/* H M^-1 H' p = target: the targets can be met. */
static void check_answer (const oracle_system *s, const answer *a)
{
    double (*v)[6] = oracle_allocate ((size_t)s->bodies, sizeof (*v)), worst = 0, largest = 0;
    double *met = oracle_allocate ((size_t)s->rows.rows, sizeof (double));
    rls_rows_apply (&s->rows, a->p, v);
    rls_rows_velocity (&s->rows, (const double (*)[6])v, met);
    for (int r = 0; r < s->rows.rows; ++r)
    {
        worst = fmax (worst, fabs (met[r] - s->rows.target[r]));
        largest = fmax (largest, fabs (s->rows.target[r]));
    }
    if (!(worst <= 1e-7 * largest)) fail_msg ("rows are missed by %g of %g", worst, largest);
    free (v), free (met);
}

static void same_on_any_threads (void **state)
{
    (void)state;
    oracle_random random = {5};
    int bordered = 0;
    for (int structure = 0; structure < ORACLE_STRUCTURES; ++structure)
        for (int rigid = 0; rigid < 2; ++rigid)
        {
            oracle_system s = draw (structure, rigid, &random);
            answer alone = solve (&s, NULL);
            assert_int_equal (alone.factor.rank, oracle_graph_rank (&s));
            check_answer (&s, &alone);
            bordered += alone.factor.borders > 0;
            for (int threads = 1; threads <= 5; ++threads)
            {
                crew c = {0};
                pool_begin (&c, threads);
                for (int again = 0; again < 3; ++again)
                {
                    answer now = solve (&s, &c.workers);
                    same_bits (&s, &alone, &now);
                    drop (&now);
                }
                pool_end (&c);
            }
            drop (&alone);
            oracle_system_free (&s);
        }
    assert_true (bordered > 0);
}

static void not_finite_on_any_threads (void **state)
{
    (void)state;
    oracle_random random = {7};
    oracle_system s = draw (ORACLE_NET, 1, &random);
    rls_order o = {0};
    rls_factor f = {0};
    assert_int_equal (rls_order_analyse (&o, &s.rows, s.movable, s.bodies, dRLSOrderMinDegree, NULL), 1);
    crew c = {0};
    pool_begin (&c, 3);
    for (int row = 0; row < s.rows.rows; row += 97)
    {
        const double was = s.rows.J[row][0];
        s.rows.J[row][0] = NAN;
        s.rows.workers = row % 2 ? &c.workers : NULL;
        assert_int_equal (rls_factor_rows (&f, &o, &s.rows, 1e-9, NULL, NULL), -1);
        s.rows.J[row][0] = was;
        assert_int_equal (rls_factor_rows (&f, &o, &s.rows, 1e-9, NULL, NULL), 1);
    }
    pool_end (&c);
    rls_factor_free (&f);
    rls_order_free (&o);
    oracle_system_free (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (cuts),
        cmocka_unit_test (same_on_any_threads),
        cmocka_unit_test (not_finite_on_any_threads),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
