/*
 * Contacts at rest: the impulses of the last step are nearly those of the next.  Starting from them, a step
 * is done without an iteration; and it is not inexact for that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include "oracle_bounded.h"
#include "island/rotation.h"

#define H (1 / 2307.0) /* a game's small step */
#define G 9.81
#define MASS 0.050965
#define RADIUS 0.23

/* Moves bodies straight; nothing turns here. */
static void advance (rls_island *s)
{
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k)
        {
            s->state.v[b][k] = s->next.v[b][k];
            if (k < 3) s->state.pose[b].x[k] += H * s->state.v[b][k];
        }
}

/* A small ball on soft ground: the depth approaches its balance for hundreds of steps, by ever less. */
static void test_sinking_ball (void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 1}, start[3] = {0, 0, RADIUS};
    rls_island *s = oracle_bounded_create (1, 1, 3);
    int without_iterations = 0;
    oracle_bounded_ball (s, 0, MASS, RADIUS, start);
    for (int i = 0; i < 2000; ++i)
    {
        const double depth = RADIUS - s->state.pose[0].x[2], point[3] = {0, 0, -depth};
        s->begin.bounded.joints = s->begin.bounded.rows = 0;
        if (depth >= 0) oracle_bounded_contact (s, 0, -1, point, up, 0.7, 5e-6 / H, 0.2 * depth / H);
        if (s->begin.bounded.rows == 0)
        {
            s->state.v[0][2] -= H * G;
            s->state.pose[0].x[2] += H * s->state.v[0][2];
            continue;
        }
        oracle_bounded_solve (s, H, G, 1e-6, 60);
        assert_false (s->account.bounded_inexact);
        without_iterations += s->account.bounded_iterations == 0;
        advance (s);
    }
    /* in balance the correction of the depth makes up for what the softness yields: 0.2 / h depth = cfm m g
     */
    assert_true (fabs (RADIUS - s->state.pose[0].x[2] - 5e-6 / 0.2 * H * MASS * G) < 1e-9);
    assert_true (without_iterations > 1000);
    oracle_bounded_free (s);
}

/* Without gravity to speak of, fast along a slope: what rounding leaves is no fault of the iterations. */
static void test_fast_and_weightless (void **state)
{
    (void)state;
    static const double slope[3] = {2 / 3., 1 / 3., 2 / 3.}, across[3] = {90, 210, 30}, point[3] = {0};
    const double start[3] = {RADIUS * slope[0], RADIUS * slope[1], RADIUS * slope[2]};
    rls_island *s = oracle_bounded_create (1, 1, 3);
    oracle_bounded_ball (s, 0, MASS, RADIUS, start);
    rls_cross (slope, across, s->state.v[0]);
    for (int i = 0; i < 100; ++i)
    {
        s->begin.bounded.joints = s->begin.bounded.rows = 0;
        oracle_bounded_contact (s, 0, -1, point, slope, 0.7, 0, 0);
        oracle_bounded_solve (s, H, 1e-9, 1e-6, 60);
        assert_false (s->account.bounded_inexact);
        for (int k = 0; k < 6; ++k) s->state.v[0][k] = s->next.v[0][k];
    }
    oracle_bounded_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_sinking_ball),
        cmocka_unit_test (test_fast_and_weightless),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
