/* Rows solved by their sides: right sides take one factorisation, and none where its factor is still there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include "bounded/bounded_work.h"
#include "oracle_bounded.h"
#include <stdlib.h>
#include <string.h>

#define BALLS 6
#define CONTACTS 4 /* of each ball */
#define RADIUS 0.5
#define FRICTION 0.6
#define TOLERANCE 1e-12 /* m/s */

/* A tower of balls on a plane, each with several contacts below: many answers. */
static rls_island *tower (void)
{
    static const double up[3] = {0, 0, 1};
    rls_island *s = oracle_bounded_create (BALLS, BALLS * CONTACTS, 3 * BALLS * CONTACTS);
    for (int b = 0; b < BALLS; ++b)
    {
        const double x[3] = {0, 0, (2 * b + 1) * RADIUS};
        oracle_bounded_ball (s, b, 1 + b, RADIUS, x);
    }
    for (int b = 0; b < BALLS; ++b)
        for (int c = 0; c < CONTACTS; ++c)
        {
            const double point[3] = {c % 2 ? 0.2 : -0.2, c / 2 ? 0.2 : -0.2, 2 * b * RADIUS};
            oracle_bounded_contact (s, (int[2]){b, b - 1}, point, up, FRICTION, 0, 0);
        }
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    rls_form_bounded_columns (&s->begin.rows, &s->begin.bounded);
    rls_rows_attach (&s->begin.rows, s->model.bodies, s->mechanism.attach0, s->mechanism.attach);
    return s;
}

typedef struct
{
    double v[BALLS][6];
    int solved, factorisations;
} trial;

/* From the impulses of the last trial, with everybody at the velocity (along, 0, down). */
static void solve (rls_island *s, trial *t, double along)
{
    const rls_bounded_settings settings = {.start = s->begin.bounded.p};
    const rls_sides_demand asked = {.tolerance = TOLERANCE, .factorisations = 20, .term = 1e-4};
    for (int b = 0; b < BALLS; ++b)
    {
        memset (t->v[b], 0, sizeof (t->v[b]));
        t->v[b][0] = along, t->v[b][2] = -0.1;
    }
    assert_int_equal (rls_bounded_prepare (s, &settings, (const double (*)[6])t->v), 1);
    assert_int_equal (rls_sides_solve (s, &asked, t->v, &t->solved), 1);
    t->factorisations = s->bounded_work->factorisations;
}

/* The largest failure of a row, with v from the definition. */
static double failure (const rls_island *s, const trial *t)
{
    const rls_bounded *b = &s->begin.bounded;
    double worst = 0;
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const int n = b->follow[r];
            const double hi = n >= 0 ? b->hi[r] * b->p[n] : b->hi[r], lo = n >= 0 ? -hi : b->lo[r];
            double w = -b->target[r];
            for (int k = 0; k < 6; ++k)
            {
                w += b->J[r][k] * t->v[b->body[j][0]][k];
                if (b->body[j][1] >= 0) w += b->J[r][6 + k] * t->v[b->body[j][1]][k];
            }
            assert_true (b->p[r] >= lo && b->p[r] <= hi);
            if (b->p[r] > lo) worst = fmax (worst, w);
            if (b->p[r] < hi) worst = fmax (worst, -w);
        }
    return worst;
}

static void test_factor_serves_again (void **state)
{
    (void)state;
    rls_island *s = tower ();
    trial t = {0};
    solve (s, &t, 0.01);
    assert_true (t.solved && t.factorisations > 0);
    assert_true (failure (s, &t) < 1e-10);

    solve (s, &t, 0.01);
    assert_true (t.solved);
    assert_int_equal (t.factorisations, 0); /* it was the answer */

    solve (s, &t, 0.011);
    assert_true (t.solved && t.factorisations <= 1);
    solve (s, &t, 0.012);
    assert_true (t.solved);
    assert_int_equal (t.factorisations, 0);
    assert_true (failure (s, &t) < 1e-10);
    oracle_bounded_free (s);
}

/* Fast enough to slide at the ground, from the answer at a slightly lower speed. */
static void test_sliding (void **state)
{
    (void)state;
    rls_island *s = tower ();
    trial t = {0};
    for (int b = 0; b < BALLS; ++b) s->state.v[b][0] = 2.9, s->state.v[b][2] = -0.1;
    oracle_bounded_solve (s, 0, 0, 1e-9, 50);
    solve (s, &t, 3);
    assert_true (t.solved);
    assert_true (failure (s, &t) < 1e-10);
    oracle_bounded_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_factor_serves_again),
        cmocka_unit_test (test_sliding),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
