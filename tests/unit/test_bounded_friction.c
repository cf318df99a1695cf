/*
 * Friction as games set it that want no sliding at all: coefficients of tens and hundreds.  The impulses are
 * those of bodies that stick wherever they are pressed, and found as surely as others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include "oracle_bounded.h"

#define H 0.00556 /* a game's step */
#define G 9.81
#define TOLERANCE 1e-6
#define MASS 0.081
#define HALF 0.2 /* m: of a box's edge */
#define BOXES 5
#define TRIALS 200

/* Four contacts between the box and the one below it (or the ground), near the corners of their common face,
 * each with a depth of its own to be corrected. */
static void add_face (rls_island *s, int box, double mu, oracle_random *random)
{
    static const double up[3] = {0, 0, 1};
    for (int corner = 0; corner < 4; ++corner)
    {
        const double reach = HALF - oracle_uniform (random, 0, 0.05);
        const double point[3] = {corner & 1 ? reach : -reach, corner & 2 ? reach : -reach, 2 * HALF * box};
        const double target = oracle_index (random, 2) ? oracle_uniform (random, 0, 0.02) : 0;
        oracle_bounded_contact (s, (int[2]){box, box - 1}, point, up, mu, 1.8e-8, target);
    }
}

/* Stacks that have just met, or that something has pushed: nothing is known from a step before. */
static void test_stacks_from_nothing (void **state)
{
    static const double mus[] = {3, 10, 50, 340, 5000};
    (void)state;
    oracle_random random = {5};
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        rls_island *s = oracle_bounded_create (BOXES, 4 * BOXES, 12 * BOXES);
        const double mu = mus[trial % 5];
        for (int b = 0; b < BOXES; ++b)
        {
            const double x[3] = {oracle_uniform (&random, -0.02, 0.02), oracle_uniform (&random, -0.02, 0.02),
                                 HALF * (2 * b + 1)};
            oracle_bounded_ball (s, b, MASS, sqrt (5 / 3.) * HALF, x); /* the inertia of a cube */
            for (int k = 0; k < 6; ++k) s->state.v[b][k] = oracle_uniform (&random, -0.03, 0.03);
        }
        for (int b = 0; b < BOXES; ++b) add_face (s, b, mu, &random);
        oracle_bounded_solve (s, H, G, TOLERANCE, dRLSBoundedIterationsDefault);
        if (s->account.bounded_inexact) fail_msg ("trial %d, friction %g: inexact", trial, mu);
        oracle_bounded_free (s);
    }
}

/* Boxes that slide: friction is at its bound to the last bit, for an impulse that rounding left below it
 * would be taken for one that sticks where the next problem begins. */
static void test_slides_at_the_bound (void **state)
{
    (void)state;
    oracle_random random = {3};
    int sliding = 0;
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        rls_island *s = oracle_bounded_create (1, 4, 12);
        const rls_bounded *b = &s->begin.bounded;
        const double x[3] = {0, 0, HALF};
        oracle_bounded_ball (s, 0, MASS, sqrt (5 / 3.) * HALF, x);
        for (int k = 0; k < 2; ++k) s->state.v[0][k] = oracle_uniform (&random, 0.5, 1);
        add_face (s, 0, 0.7, &random);
        oracle_bounded_solve (s, H, G, TOLERANCE, dRLSBoundedIterationsDefault);
        for (int r = 0; r < b->rows; ++r)
        {
            const double most = b->follow[r] < 0 ? 0 : b->hi[r] * b->p[b->follow[r]];
            if (!(most > 0 && fabs (b->p[r]) > (1 - 1e-9) * most)) continue;
            ++sliding;
            if (fabs (b->p[r]) != most) fail_msg ("trial %d: %.17g of %.17g", trial, fabs (b->p[r]), most);
        }
        oracle_bounded_free (s);
    }
    assert_true (sliding > TRIALS);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_slides_at_the_bound),
        cmocka_unit_test (test_stacks_from_nothing),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
