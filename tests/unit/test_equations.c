/*
 * The equations of motion that the library hands out, beside dense matrices: products, solves, accelerations,
 * shares of redundant reactions, the recursion.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_equations.h"

#define SAME 1e-9

/* ---- products and solves ---- */

static void check_products (dense *d, oracle_random *random, scene *s)
{
    const int n = d->n, m = d->size.rows;
    dReal *x = dense_draw (n, random), *p = dense_draw (m, random), *onto = dense_numbers (n),
          *along = dense_numbers (m), *back = dense_numbers (n);
    double *X = dense_doubles (x, n), *P = dense_doubles (p, m), *Y = dense_doubles (x, n),
           *Z = dense_doubles (p, m);
    (void)s;
    assert_int_equal (dRLSEquationsAlongRows (d->equations, x, along), 1);
    oracle_multiply (&d->H, X, Z);
    dense_near ("H x", along, Z, m);
    assert_int_equal (dRLSEquationsOnBodies (d->equations, p, onto), 1);
    dense_on_bodies (d, P, Y);
    dense_near ("H' p", onto, Y, n);
    dense_over_mass (d, Y);
    oracle_multiply (&d->H, Y, Z);
    assert_int_equal (dRLSEquationsDelassus (d->equations, p, along), 1);
    dense_near ("A p", along, Z, m);
    assert_int_equal (dRLSEquationsTimesMass (d->equations, x, onto), 1);
    double *M = dense_doubles (onto, n);
    dense_over_mass (d, M);
    dense_near ("M x", x, M, n);

    /* A A^-1 x is x on the rows that are kept */
    assert_int_equal (dRLSEquationsSolveDelassus (d->equations, p, along), 1);
    dReal *again = dense_numbers (m);
    assert_int_equal (dRLSEquationsDelassus (d->equations, along, again), 1);
    for (int r = 0; r < m; ++r)
    {
        if (!d->row[r].kept) assert_true (along[r] == 0);
        if (d->row[r].kept && !(fabs ((double)(again[r] - p[r])) < 1e-8)) fail_msg ("row %d", r);
    }

    /* P x = L (1 - (H L)^+ H L) L' x */
    assert_int_equal (dRLSEquationsMobility (d->equations, x, back), 1);
    double *half = oracle_allocate ((size_t)n, sizeof (double));
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) half[i] += oracle_row (&d->L, k)[i] * X[k];
    const int rank = oracle_rank (&d->svd, 1e-6);
    double *outside = oracle_allocate ((size_t)n, sizeof (double));
    memcpy (outside, half, sizeof (double) * (size_t)n);
    oracle_remove_span (&d->svd, rank, outside);
    for (int i = 0; i < n; ++i) half[i] -= outside[i];
    oracle_multiply (&d->L, half, Y);
    dense_near ("P x", back, Y, n);

    free (x), free (p), free (onto), free (along), free (back), free (again);
    free (X), free (P), free (Y), free (Z), free (M), free (half), free (outside);
}

static void products_are_those_of_dense_matrices (void **state)
{
    (void)state;
    dense_for_all (check_products);
}

/* ---- accelerations ---- */

/* a, by the pseudo-inverse of Udwadia & Kalaba: free + L (H L)^+ (c - H free); free comes from the bodies. */
static double *dense_accelerations (const dense *d, const scene *s, const dReal *extra)
{
    double *a = oracle_allocate ((size_t)d->n, sizeof (double)),
           *x = oracle_allocate ((size_t)d->n, sizeof (double));
    double *missing = oracle_allocate ((size_t)d->size.rows + 1, sizeof (double));
    dVector3 gravity;
    dWorldGetGravity (s->world, gravity);
    for (int b = 0; b < d->size.bodies; ++b)
    {
        dMass mass;
        const dReal *R = dBodyGetRotation (d->body[b]), *w = dBodyGetAngularVel (d->body[b]);
        double own[3] = {0}, turn[3];
        dBodyGetMass (d->body[b], &mass);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) own[i] += (double)(R[4 * k + i] * w[k]);
        for (int i = 0; i < 3; ++i)
            turn[i] = own[(i + 1) % 3] * own[(i + 2) % 3] *
                      (double)(mass.I[5 * ((i + 1) % 3)] - mass.I[5 * ((i + 2) % 3)]);
        for (int i = 0; i < 3; ++i)
        {
            a[6 * b + i] = (double)(mass.mass * gravity[i]) + (extra ? (double)extra[6 * b + i] : 0);
            a[6 * b + 3 + i] = extra ? (double)extra[6 * b + 3 + i] : 0;
            for (int k = 0; k < 3; ++k) a[6 * b + 3 + i] += (double)R[4 * i + k] * turn[k];
        }
    }
    dense_over_mass (d, a);
    oracle_multiply (&d->H, a, missing);
    for (int r = 0; r < d->size.rows; ++r) missing[r] = (double)d->row[r].acceleration - missing[r];
    double *y = oracle_allocate ((size_t)d->n, sizeof (double));
    oracle_pseudo_solve (&d->svd, oracle_rank (&d->svd, 1e-6), missing, y);
    oracle_multiply (&d->L, y, x);
    for (int i = 0; i < d->n; ++i) a[i] += x[i];
    free (x), free (y), free (missing);
    return a;
}

static void check_accelerations (dense *d, oracle_random *random, scene *s)
{
    const int n = d->n, m = d->size.rows;
    dReal *force = dense_draw (n, random), *a = dense_numbers (n), *p = dense_numbers (m),
          *again = dense_numbers (m), *rest = dense_numbers (n);
    for (int with = 0; with < 2; ++with)
    {
        double *wanted = dense_accelerations (d, s, with ? force : NULL);
        assert_int_equal (dRLSEquationsAccelerate (d->equations, with ? force : NULL, a, p), 1);
        dense_near ("accelerations", a, wanted, n);
        free (wanted);
    }

    /* backwards: nothing is left over, and the reactions are the same */
    assert_int_equal (dRLSEquationsAccelerate (d->equations, NULL, a, p), 1);
    assert_int_equal (dRLSEquationsInverse (d->equations, a, again, rest), 1);
    double *same = dense_doubles (p, m);
    dense_near ("reactions", again, same, m);
    double *none = oracle_allocate ((size_t)n, sizeof (double));
    dense_near ("rest", rest, none, n);
    free (force), free (a), free (p), free (again), free (rest), free (same), free (none);
}

static void accelerations_and_their_inverse (void **state)
{
    (void)state;
    dense_for_all (check_accelerations);
}

/* ... and beside what steps do: (v (h) - v (-h)) / 2 h, with the body's own clock turned back. */
static void accelerations_are_those_of_steps (void **state)
{
    const double h = 1e-3;
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
    {
        if (linkages[i].rows > LARGE) continue;
        scene s = linkage_open (&linkages[i]);
        double worst = 0, size = 1;
        dRLSStepperSetIntegrator (scene_stepper (&s), dRLSIntegratorSymplectic6);
        scene_step (&s, (dReal)0.01, MOTION);
        dense d = dense_look (&s);
        dReal *a = dense_numbers (d.n);
        double *before = oracle_allocate ((size_t)d.n, sizeof (double)),
               *rate = oracle_allocate ((size_t)d.n, sizeof (double));
        assert_int_equal (dRLSEquationsAccelerate (d.equations, NULL, a, NULL), 1);
        static const double weight[5] = {-25.0 / 12, 4, -3, 4.0 / 3,
                                         -0.25}; /* a one-sided difference of fourth order */
        for (int step = 0; step < 5; ++step)
        {
            for (int b = 0; b < d.size.bodies; ++b)
                for (int k = 0; k < 3; ++k)
                {
                    rate[6 * b + k] += weight[step] / h * (double)dBodyGetLinearVel (d.body[b])[k];
                    rate[6 * b + 3 + k] += weight[step] / h * (double)dBodyGetAngularVel (d.body[b])[k];
                }
            scene_step (&s, (dReal)h, 1);
        }
        for (int k = 0; k < d.n; ++k)
            worst = fmax (worst, fabs (rate[k] - (double)a[k])), size = fmax (size, fabs ((double)a[k]));
        if (!(worst < 1e-6 * size)) fail_msg ("%s: %g of %g", linkages[i].name, worst, size);
        free (a), free (before), free (rate);
        dense_forget (&d);
        scene_close (&s);
    }
}

/* ---- shares ---- */

typedef struct
{
    int rows;
    const double *root; /* C = root root' + 1 */
    double skew;
} elastic;

static void bend (void *context, const dReal *p, dReal *openings)
{
    const elastic *e = context;
    for (int i = 0; i < e->rows; ++i) openings[i] = p[i] + (dReal)(i > 0 ? e->skew * (double)p[i - 1] : 0);
    for (int c = 0; c < 3; ++c)
    {
        double sum = 0;
        for (int i = 0; i < e->rows; ++i) sum += e->root[3 * i + c] * (double)p[i];
        for (int i = 0; i < e->rows; ++i) openings[i] += (dReal)(e->root[3 * i + c] * sum);
    }
}

/* p has the effect it had, and no self-stress could lessen the energy: C p + d has no part in the null space
 * of H'. */
static void check_share (dense *d, const dRLSElasticity *elasticity, const elastic *e, const dReal *start)
{
    const int m = d->size.rows;
    dReal *p = dense_numbers (m), *before = dense_numbers (d->n), *after = dense_numbers (d->n),
          *open = dense_numbers (m);
    memcpy (p, start, sizeof (dReal) * (size_t)m);
    dRLSEquationsOnBodies (d->equations, p, before);
    assert_int_equal (dRLSEquationsShare (d->equations, elasticity, p), 1);
    dRLSEquationsOnBodies (d->equations, p, after);
    double *same = dense_doubles (before, d->n);
    dense_near ("effect", after, same, d->n);
    for (int r = 0; r < m; ++r)
        open[r] = elasticity && elasticity->compliance ? elasticity->compliance[r] * p[r] : p[r];
    if (e) bend ((void *)(size_t)e, p, open);
    if (elasticity && elasticity->openings)
        for (int r = 0; r < m; ++r) open[r] += elasticity->openings[r];
    oracle_matrix across = oracle_transposed (&d->H);
    oracle_svd svd = oracle_decompose (&across);
    double *left = dense_doubles (open, m), *none = oracle_allocate ((size_t)m + 1, sizeof (double));
    double *spanned = dense_doubles (open, m);
    oracle_remove_span (&svd, d->size.rank, spanned);
    for (int r = 0; r < m; ++r) left[r] -= spanned[r];
    for (int r = 0; r < m; ++r) open[r] = (dReal)left[r];
    dense_near ("openings that self-stresses feel", open, none, m);
    oracle_svd_free (&svd);
    oracle_free (&across);
    free (p), free (before), free (after), free (open), free (same), free (left), free (none), free (spanned);
}

static void check_shares (dense *d, oracle_random *random, scene *s)
{
    const int m = d->size.rows;
    dReal *a = dense_numbers (d->n), *p = dense_numbers (m), *soft = dense_draw (m, random),
          *open = dense_draw (m, random);
    double *root = oracle_allocate (3 * (size_t)m + 1, sizeof (double));
    (void)s;
    for (int r = 0; r < m; ++r) soft[r] += (dReal)1.1;
    for (int i = 0; i < 3 * m; ++i) root[i] = oracle_uniform (random, -1, 1);
    elastic e = {m, root, 0};
    assert_int_equal (dRLSEquationsAccelerate (d->equations, NULL, a, p), 1);
    const dRLSElasticity joints = {.struct_size = sizeof (joints), .compliance = soft},
                         bodies = {.struct_size = sizeof (bodies),
                                   .function = bend,
                                   .context = &e,
                                   .openings = open};
    check_share (d, NULL, NULL, p);
    check_share (d, &joints, NULL, p);
    check_share (d, &bodies, &e, p);
    free (a), free (p), free (soft), free (open), free (root);
}

static void shares_are_least (void **state)
{
    (void)state;
    dense_for_all (check_shares);
}

/* ---- the recursion ---- */

static void check_recursion (dense *d, oracle_random *random, scene *s)
{
    const int n = d->n;
    oracle_matrix turned = oracle_transposed (&d->L), P = oracle_product (&d->L, &turned);
    dReal *z = dense_numbers (n);
    double *Z = oracle_allocate ((size_t)n, sizeof (double));
    int left = n;
    (void)random, (void)s;
    for (int place = 0; place < d->size.rows; ++place)
    {
        dRLSRecursion step = {.struct_size = sizeof (step)};
        assert_int_equal (dRLSEquationsGetRecursion (d->equations, place, &step, z), 1);
        const double *h = oracle_row (&d->H, step.row);
        double pivot = 0;
        oracle_multiply (&P, h, Z);
        dense_near ("z", z, Z, n);
        for (int i = 0; i < n; ++i) pivot += h[i] * Z[i];
        if (!(fabs (pivot - (double)step.pivot) <= SAME * (1 + fabs (pivot))))
            fail_msg ("pivot %g, not %g", (double)step.pivot, pivot);
        assert_int_equal (step.kept, d->row[step.row].kept);
        if (!step.kept && !(fabs ((double)step.relative) < 1e-9))
            fail_msg ("redundant, but %g", (double)step.relative);
        for (int i = 0; i < n && step.kept; ++i)
            for (int k = 0; k < n; ++k) oracle_row (&P, i)[k] -= Z[i] * Z[k] / pivot;
        left -= step.kept;
        assert_int_equal (step.rank, left);
    }
    /* what is left of P has the degrees of freedom as its rank */
    oracle_svd svd = oracle_decompose (&P);
    assert_int_equal (oracle_rank (&svd, 1e-9), left);
    oracle_svd_free (&svd);
    oracle_free (&P);
    oracle_free (&turned);
    free (z), free (Z);
}

static void recursion_is_that_of_the_paper (void **state)
{
    (void)state;
    dense_for_all (check_recursion);
}
/* ---- wide rows ---- */

static int sum_of_heights (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    (void)context, (void)time;
    for (int side = 0; side < 2; ++side)
    {
        const dBodyID body = dJointGetBody (joint, side);
        if (!body) continue;
        (side ? row[0].second : row[0].first)[2] = 1;
        row[0].value += dBodyGetPosition (body)[2];
    }
    return 1;
}

/* Rows over many bodies have as many entries as bodies; bodies that nothing holds have accelerations, too. */
static void wide_rows_and_free_bodies (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    for (int b = 0; b < 5; ++b)
        scene_box (&s, (dReal)b, 0, (dReal)(b < 4 ? (b % 2 ? 1 : -1) : 3), (dReal)(1 + b), 1, 1, 1);
    scene_joint (&s, dJointCreateLMotor, 0, 1);
    scene_joint (&s, dJointCreateLMotor, 2, 3);
    const double between[3] = {1.5, 0, 0};
    scene_ball (&s, 1, 2, between);
    dRLSStepperSetJointRows (scene_stepper (&s), s.joint[0], 1, sum_of_heights, NULL);
    assert_int_equal (dRLSStepperJoinRows (s.stepper, s.joint[1], s.joint[0]), 1);
    dense d = dense_look (&s);
    assert_true (d.size.bodies == 5 && d.size.rows == 4 && d.size.rank == 4);
    for (int r = 0; r < 4; ++r) assert_int_equal (d.row[r].entries, d.row[r].joint == s.joint[0] ? 4 : 2);
    oracle_random random = {7};
    check_products (&d, &random, &s);
    check_accelerations (&d, &random, &s);
    check_recursion (&d, &random, &s);
    dense_forget (&d);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (products_are_those_of_dense_matrices),
        cmocka_unit_test (accelerations_and_their_inverse),
        cmocka_unit_test (accelerations_are_those_of_steps),
        cmocka_unit_test (shares_are_least),
        cmocka_unit_test (recursion_is_that_of_the_paper),
        cmocka_unit_test (wide_rows_and_free_bodies),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
