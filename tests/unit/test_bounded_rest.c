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
        if (depth >= 0)
            oracle_bounded_contact (s, (int[2]){0, -1}, point, up, 0.7, 5e-6 / H, 0.2 * depth / H);
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
        oracle_bounded_contact (s, (int[2]){0, -1}, point, slope, 0.7, 0, 0);
        oracle_bounded_solve (s, H, 1e-9, 1e-6, 60);
        assert_false (s->account.bounded_inexact);
        for (int k = 0; k < 6; ++k) s->state.v[0][k] = s->next.v[0][k];
    }
    oracle_bounded_free (s);
}

/*
 * Gravity along a wall: what balls want of it is a part of what gravity changes in the step.  That which
 * rounding makes of a kick is no problem to solve; a little more is one.  Returns the largest impulse, as a
 * part of the one that moves a ball as the wall wants.
 */
static double pushed_by (int balls, double part, int *inexact)
{
    static const double wall[3] = {1, 0, 0}, point[3] = {-RADIUS, 0, 0}, centre[3] = {0, 0, 0};
    rls_island *s = oracle_bounded_create (balls, balls, 3 * balls);
    double most = 0;
    for (int b = 0; b < balls; ++b)
    {
        oracle_bounded_ball (s, b, MASS, RADIUS, centre);
        oracle_bounded_contact (s, (int[2]){b, -1}, point, wall, 0, 0, part * H * G);
    }
    oracle_bounded_solve (s, H, G, 1e-6, 60);
    for (int r = 0; r < s->begin.bounded.rows; ++r) most = fmax (most, fabs (s->begin.bounded.p[r]));
    *inexact = s->account.bounded_inexact;
    oracle_bounded_free (s);
    return most / (MASS * part * H * G);
}

static void test_rounding_of_a_kick (void **state)
{
    (void)state;
    static const int balls[] = {1, 40}; /* solved by pivoting, by iterations */
    int inexact;
    for (int i = 0; i < 2; ++i)
    {
        assert_true (pushed_by (balls[i], 0.5e-13, &inexact) == 0 && !inexact);
        assert_true (fabs (pushed_by (balls[i], 1e-9, &inexact) - 1) < 1e-3 && !inexact);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_rounding_of_a_kick),
        cmocka_unit_test (test_sinking_ball),
        cmocka_unit_test (test_fast_and_weightless),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
