/*
 * The equations of motion that the library hands out, beside dense matrices made of nothing but their entries
 * and the bodies: products, solves, accelerations, inverse dynamics, shares of redundant reactions, the
 * recursion.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "oracle.h"
#include "oracle_linkages.h"

#define MOTION 40 /* steps before the look */
#define SAME 1e-9
#define LARGE 75 /* rows */

/* ---- the equations as dense matrices ---- */

typedef struct
{
    dRLSEquationsID equations;
    dRLSEquationsSize size;
    int n; /* 6 x bodies */
    dBodyID *body;
    dRLSEquationRow *row;
    oracle_matrix H, L; /* L L' = M^-1 */
    oracle_svd svd;     /* of H L */
} dense;

/* Principal axes are the body's own in these worlds: I = R diag (i) R', so L = R diag (1 / sqrt (i)). */
static void put_body (oracle_matrix *L, int b, dBodyID body)
{
    dMass mass;
    const dReal *R = dBodyGetRotation (body);
    dBodyGetMass (body, &mass);
    for (int i = 0; i < 3; ++i)
    {
        oracle_row (L, 6 * b + i)[6 * b + i] = 1 / sqrt ((double)mass.mass);
        for (int k = 0; k < 3; ++k)
            oracle_row (L, 6 * b + 3 + i)[6 * b + 3 + k] =
                (double)R[4 * i + k] / sqrt ((double)mass.I[5 * k]);
    }
}

static oracle_matrix product (const oracle_matrix *A, const oracle_matrix *B)
{
    oracle_matrix out = oracle_zeros (A->rows, B->columns);
    for (int i = 0; i < A->rows; ++i)
        for (int k = 0; k < A->columns; ++k)
            for (int c = 0; c < B->columns; ++c)
                oracle_row (&out, i)[c] += oracle_row (A, i)[k] * oracle_row (B, k)[c];
    return out;
}

static dense look (scene *s)
{
    dense d = {.equations = dRLSEquationsCreate (), .size = {.struct_size = sizeof (dRLSEquationsSize)}};
    if (!dRLSStepperGetEquations (scene_stepper (s), d.equations))
        fail_msg ("%s", dRLSStepperGetMessage (s->stepper));
    assert_int_equal (dRLSEquationsGetSize (d.equations, &d.size), 1);
    d.n = 6 * d.size.bodies;
    d.body = oracle_allocate ((size_t)d.size.bodies, sizeof (*d.body));
    d.row = oracle_allocate ((size_t)d.size.rows, sizeof (*d.row));
    dRLSEquationEntry *entry = oracle_allocate ((size_t)d.size.entries, sizeof (*entry));
    assert_int_equal (dRLSEquationsGetBodies (d.equations, d.body, d.size.bodies), d.size.bodies);
    assert_int_equal (dRLSEquationsGetRows (d.equations, d.row, d.size.rows), d.size.rows);
    assert_int_equal (dRLSEquationsGetEntries (d.equations, entry, d.size.entries), d.size.entries);
    d.H = oracle_zeros (d.size.rows, d.n);
    d.L = oracle_zeros (d.n, d.n);
    for (int b = 0; b < d.size.bodies; ++b) put_body (&d.L, b, d.body[b]);
    for (int r = 0; r < d.size.rows; ++r)
        for (int i = d.row[r].entry; i < d.row[r].entry + d.row[r].entries; ++i)
            for (int k = 0; k < 6; ++k) oracle_row (&d.H, r)[6 * entry[i].body + k] += (double)entry[i].J[k];
    oracle_matrix HL = product (&d.H, &d.L);
    d.svd = oracle_decompose (&HL);
    oracle_free (&HL);
    free (entry);
    return d;
}

static void forget (dense *d)
{
    dRLSEquationsDestroy (d->equations);
    oracle_svd_free (&d->svd);
    oracle_free (&d->H);
    oracle_free (&d->L);
    free (d->body);
    free (d->row);
}

static dReal *numbers (int count) { return oracle_allocate ((size_t)count + 1, sizeof (dReal)); }

static dReal *draw (int count, oracle_random *random)
{
    dReal *x = numbers (count);
    for (int i = 0; i < count; ++i) x[i] = (dReal)oracle_uniform (random, -1, 1);
    return x;
}

static double *doubles (const dReal *x, int count)
{
    double *y = oracle_allocate ((size_t)count + 1, sizeof (double));
    for (int i = 0; i < count; ++i) y[i] = (double)x[i];
    return y;
}

static void near (const char *what, const dReal *a, const double *b, int count)
{
    double size = 1;
    for (int i = 0; i < count; ++i) size = fmax (size, fabs (b[i]));
    for (int i = 0; i < count; ++i)
        if (!(fabs ((double)a[i] - b[i]) <= SAME * size))
            fail_msg ("%s %d: %.12g, not %.12g", what, i, (double)a[i], b[i]);
}

/* x := L L' x = M^-1 x */
static void over_mass (const dense *d, double *x)
{
    double *half = oracle_allocate ((size_t)d->n, sizeof (double));
    for (int i = 0; i < d->n; ++i)
        for (int k = 0; k < d->n; ++k) half[i] += oracle_row (&d->L, k)[i] * x[k];
    oracle_multiply (&d->L, half, x);
    free (half);
}

/* x := H' p */
static void on_bodies (const dense *d, const double *p, double *x)
{
    memset (x, 0, sizeof (double) * (size_t)d->n);
    for (int r = 0; r < d->size.rows; ++r)
        for (int k = 0; k < d->n; ++k) x[k] += oracle_row (&d->H, r)[k] * p[r];
}

/* Every linkage of the oracle, some steps on. */
static void for_all (void (*check) (dense *d, oracle_random *random, scene *s))
{
    oracle_random random = {2024};
    for (int i = 0; i < linkage_count; ++i)
    {
        if (linkages[i].rows > LARGE) continue; /* singular values of large matrices take their time */
        scene s = linkage_open (&linkages[i]);
        scene_step (&s, (dReal)0.01, MOTION);
        dense d = look (&s);
        assert_int_equal (d.size.rank, linkages[i].rank);
        assert_int_equal (oracle_rank (&d.svd, 1e-6), linkages[i].rank);
        check (&d, &random, &s);
        forget (&d);
        scene_close (&s);
    }
}

/* ---- products and solves ---- */

static void check_products (dense *d, oracle_random *random, scene *s)
{
    const int n = d->n, m = d->size.rows;
    dReal *x = draw (n, random), *p = draw (m, random), *onto = numbers (n), *along = numbers (m),
          *back = numbers (n);
    double *X = doubles (x, n), *P = doubles (p, m), *Y = doubles (x, n), *Z = doubles (p, m);
    (void)s;
    assert_int_equal (dRLSEquationsAlongRows (d->equations, x, along), 1);
    oracle_multiply (&d->H, X, Z);
    near ("H x", along, Z, m);
    assert_int_equal (dRLSEquationsOnBodies (d->equations, p, onto), 1);
    on_bodies (d, P, Y);
    near ("H' p", onto, Y, n);
    over_mass (d, Y);
    oracle_multiply (&d->H, Y, Z);
    assert_int_equal (dRLSEquationsDelassus (d->equations, p, along), 1);
    near ("A p", along, Z, m);
    assert_int_equal (dRLSEquationsTimesMass (d->equations, x, onto), 1);
    double *M = doubles (onto, n);
    over_mass (d, M);
    near ("M x", x, M, n);

    /* A A^-1 x is x on the rows that are kept */
    assert_int_equal (dRLSEquationsSolveDelassus (d->equations, p, along), 1);
    dReal *again = numbers (m);
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
    near ("P x", back, Y, n);

    free (x), free (p), free (onto), free (along), free (back), free (again);
    free (X), free (P), free (Y), free (Z), free (M), free (half), free (outside);
}

static void products_are_those_of_dense_matrices (void **state)
{
    (void)state;
    for_all (check_products);
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
    over_mass (d, a);
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
    dReal *force = draw (n, random), *a = numbers (n), *p = numbers (m), *again = numbers (m),
          *rest = numbers (n);
    for (int with = 0; with < 2; ++with)
    {
        double *wanted = dense_accelerations (d, s, with ? force : NULL);
        assert_int_equal (dRLSEquationsAccelerate (d->equations, with ? force : NULL, a, p), 1);
        near ("accelerations", a, wanted, n);
        free (wanted);
    }

    /* backwards: nothing is left over, and the reactions are the same */
    assert_int_equal (dRLSEquationsAccelerate (d->equations, NULL, a, p), 1);
    assert_int_equal (dRLSEquationsInverse (d->equations, a, again, rest), 1);
    double *same = doubles (p, m);
    near ("reactions", again, same, m);
    double *none = oracle_allocate ((size_t)n, sizeof (double));
    near ("rest", rest, none, n);
    free (force), free (a), free (p), free (again), free (rest), free (same), free (none);
}

static void accelerations_and_their_inverse (void **state)
{
    (void)state;
    for_all (check_accelerations);
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
        dense d = look (&s);
        dReal *a = numbers (d.n);
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
        forget (&d);
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
    dReal *p = numbers (m), *before = numbers (d->n), *after = numbers (d->n), *open = numbers (m);
    memcpy (p, start, sizeof (dReal) * (size_t)m);
    dRLSEquationsOnBodies (d->equations, p, before);
    assert_int_equal (dRLSEquationsShare (d->equations, elasticity, p), 1);
    dRLSEquationsOnBodies (d->equations, p, after);
    double *same = doubles (before, d->n);
    near ("effect", after, same, d->n);
    for (int r = 0; r < m; ++r)
        open[r] = elasticity && elasticity->compliance ? elasticity->compliance[r] * p[r] : p[r];
    if (e) bend ((void *)(size_t)e, p, open);
    if (elasticity && elasticity->openings)
        for (int r = 0; r < m; ++r) open[r] += elasticity->openings[r];
    oracle_matrix across = oracle_transposed (&d->H);
    oracle_svd svd = oracle_decompose (&across);
    double *left = doubles (open, m), *none = oracle_allocate ((size_t)m + 1, sizeof (double));
    double *spanned = doubles (open, m);
    oracle_remove_span (&svd, d->size.rank, spanned);
    for (int r = 0; r < m; ++r) left[r] -= spanned[r];
    for (int r = 0; r < m; ++r) open[r] = (dReal)left[r];
    near ("openings that self-stresses feel", open, none, m);
    oracle_svd_free (&svd);
    oracle_free (&across);
    free (p), free (before), free (after), free (open), free (same), free (left), free (none), free (spanned);
}

static void check_shares (dense *d, oracle_random *random, scene *s)
{
    const int m = d->size.rows;
    dReal *a = numbers (d->n), *p = numbers (m), *soft = draw (m, random), *open = draw (m, random);
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
    for_all (check_shares);
}

/* ---- the recursion ---- */

static void check_recursion (dense *d, oracle_random *random, scene *s)
{
    const int n = d->n;
    oracle_matrix turned = oracle_transposed (&d->L), P = product (&d->L, &turned);
    dReal *z = numbers (n);
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
        near ("z", z, Z, n);
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
    for_all (check_recursion);
}

/* ---- inverse dynamics of axes ---- */

/* A planar arm of two rods of 1 kg and 1 m in a vertical plane, turning about y: the textbook's efforts. */
static void arm_of_two_links (void **state)
{
    const double g = 9.81, q1 = 0.4, q2 = 0.9, u1 = 0.7, u2 = -1.3, a1 = 2, a2 = -3;
    const double from[3] = {0, 0, 0}, elbow[3] = {sin (q1), 0, -cos (q1)}, axis[3] = {0, -1, 0};
    const double tip[3] = {elbow[0] + sin (q1 + q2), 0, elbow[2] - cos (q1 + q2)};
    (void)state;
    scene s = scene_open ((dReal)-g);
    scene_rod (&s, from, elbow);
    scene_rod (&s, elbow, tip);
    scene_hinge (&s, 0, NO_BODY, from, axis);
    scene_hinge (&s, 1, 0, elbow, axis);
    dBodySetAngularVel (s.body[0], 0, (dReal)-u1, 0);
    dBodySetLinearVel (s.body[0], (dReal)(0.5 * u1 * cos (q1)), 0, (dReal)(0.5 * u1 * sin (q1)));
    dBodySetAngularVel (s.body[1], 0, (dReal) - (u1 + u2), 0);
    dBodySetLinearVel (s.body[1], (dReal)(u1 * cos (q1) + 0.5 * (u1 + u2) * cos (q1 + q2)), 0,
                       (dReal)(u1 * sin (q1) + 0.5 * (u1 + u2) * sin (q1 + q2)));
    assert_true (fabs ((double)dJointGetHingeAngleRate (s.joint[1]) - u2) < 1e-12);
    const dReal wanted[2] = {(dReal)a1, (dReal)a2};
    dReal effort[2];
    if (!dRLSStepperInverseDynamics (scene_stepper (&s), s.joint, wanted, 2, effort))
        fail_msg ("%s", dRLSStepperGetMessage (s.stepper));
    dMass mass;
    dBodyGetMass (s.body[0], &mass);
    const double I = fmax ((double)mass.I[0], fmax ((double)mass.I[5], (double)mass.I[10])),
                 c = 0.5 * cos (q2), k = 0.5 * sin (q2);
    const double second = (I + 0.25 + c) * a1 + (I + 0.25) * a2 + k * u1 * u1 + 0.5 * g * sin (q1 + q2);
    const double first = (2 * I + 1.5 + 2 * c) * a1 + (I + 0.25 + c) * a2 - k * (2 * u1 * u2 + u2 * u2) +
                         1.5 * g * sin (q1) + 0.5 * g * sin (q1 + q2);
    print_message ("efforts %.9f, %.9f: off by %.1e, %.1e\n", (double)effort[0], (double)effort[1],
                   (double)effort[0] - first, (double)effort[1] - second);
    assert_true (fabs ((double)effort[0] - first) < 1e-8 && fabs ((double)effort[1] - second) < 1e-8);
    scene_close (&s);
}

/* A bead slides beside the middle of a ball that turns: the bead at (x, y) in the ball's axes.  (ODE's rate
 * of the slider leaves out what the offset y adds.) */
static void bead_on_a_turning_ball (void **state)
{
    const double x = 1, y = 0.5, m = 2, I = 0.1 + 0.072, w = 2, u = 0.7, alpha = 1.5, a = -0.4;
    (void)state;
    scene s = scene_open (0);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1), scene_box (&s, (dReal)x, (dReal)y, 0, 1, 1, 1, 1);
    for (int b = 0; b < 2; ++b)
    {
        dMass mass;
        dMassSetSphereTotal (&mass, b ? (dReal)m : 1, b ? (dReal)0.3 : (dReal)0.5);
        dBodySetMass (s.body[b], &mass);
        dBodySetAngularVel (s.body[b], 0, 0, (dReal)w);
    }
    dBodySetLinearVel (s.body[1], (dReal)(u - w * y), (dReal)(w * x), 0);
    scene_hinge (&s, 0, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, -1});
    dJointSetSliderAxis (scene_joint (&s, dJointCreateSlider, 1, 0), 1, 0, 0);
    const dReal wanted[2] = {(dReal)-alpha, (dReal)a};
    dReal effort[2];
    assert_int_equal (dRLSStepperInverseDynamics (scene_stepper (&s), s.joint, wanted, 2, effort), 1);
    const double ax = a - alpha * y - w * w * x, ay = alpha * x + 2 * w * u - w * w * y,
                 torque = I * alpha + m * (x * ay - y * ax);
    assert_true (fabs ((double)effort[0] + torque) < 1e-8 && fabs ((double)effort[1] - m * ax) < 1e-8);
    scene_close (&s);
}

/* One axis of a linkage that has one degree of freedom: the effort, put on as a torque, makes the
 * acceleration. */
static void effort_makes_the_acceleration (void **state)
{
    int tried = 0;
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
    {
        scene s = linkage_open (&linkages[i]);
        const dJointID axis = s.joint[1];
        if (linkages[i].dof == 1 && linkages[i].rows <= LARGE && dJointGetType (axis) == dJointTypeHinge)
        {
            const dReal wanted = 3;
            dReal effort;
            scene_step (&s, (dReal)0.01, MOTION);
            assert_int_equal (dRLSStepperInverseDynamics (s.stepper, &axis, &wanted, 1, &effort), 1);
            dVector3 direction;
            dJointGetHingeAxis (axis, direction);
            dense d = look (&s);
            dReal *force = numbers (d.n), *a = numbers (d.n), reached = 0;
            for (int b = 0; b < d.size.bodies; ++b)
                for (int k = 0; k < 3; ++k)
                    force[6 * b + 3 + k] = d.body[b] == dJointGetBody (axis, 0)   ? effort * direction[k]
                                           : d.body[b] == dJointGetBody (axis, 1) ? -effort * direction[k]
                                                                                  : 0;
            assert_int_equal (dRLSEquationsAccelerate (d.equations, force, a, NULL), 1);
            /* the axis turns with its bodies, across which they agree: only accelerations along it count */
            for (int b = 0; b < d.size.bodies; ++b)
                for (int k = 0; k < 3; ++k)
                    reached += a[6 * b + 3 + k] * direction[k] *
                               (dReal)((d.body[b] == dJointGetBody (axis, 0)) -
                                       (d.body[b] == dJointGetBody (axis, 1)));
            if (!(fabs ((double)(reached - wanted)) < 1e-6))
                fail_msg ("%s: %g", linkages[i].name, (double)reached);
            free (force), free (a);
            forget (&d);
            ++tried;
        }
        scene_close (&s);
    }
    assert_true (tried >= 5);
}

/* ---- around them ---- */

static void push (void *context, dWorldID world, dReal time)
{
    (void)world, (void)time;
    dBodyAddForce (context, 1, 2, 3);
}

/* Looking changes nothing of the run, forces of the callback count, and the equations stay when the world
 * moves. */
static void looking_leaves_no_trace (void **state)
{
    (void)state;
    scene s[2];
    for (int k = 0; k < 2; ++k)
    {
        s[k] = linkage_open (&linkages[0]);
        for (int i = 0; i < 50; ++i)
        {
            scene_step (&s[k], (dReal)0.01, 1);
            if (k == 0) continue;
            dense d = look (&s[1]);
            forget (&d);
        }
    }
    scene_body_state state0[SCENE_MOST];
    scene_look (&s[0], state0);
    for (int b = 0; b < s[0].bodies; ++b)
        for (int k = 0; k < 3; ++k)
            assert_true (dBodyGetPosition (s[0].body[b])[k] == dBodyGetPosition (s[1].body[b])[k] &&
                         dBodyGetLinearVel (s[0].body[b])[k] == dBodyGetLinearVel (s[1].body[b])[k]);
    dRLSStepperSetForceCallback (s[0].stepper, push, s[0].body[0]);
    dense with = look (&s[0]), without = look (&s[1]);
    assert_true (scene_same (&s[0], state0));
    dReal *a = numbers (with.n), *b = numbers (with.n), *force = numbers (with.n);
    for (int k = 0; k < with.size.bodies; ++k)
        if (without.body[k] == s[1].body[0]) force[6 * k] = 1, force[6 * k + 1] = 2, force[6 * k + 2] = 3;
    dRLSEquationsAccelerate (without.equations, force, b, NULL);
    scene_step (&s[0], (dReal)0.01, 3);
    dRLSEquationsAccelerate (with.equations, NULL, a, NULL);
    double *same = doubles (b, with.n);
    near ("accelerations", a, same, with.n);
    free (a), free (b), free (force), free (same);
    forget (&with), forget (&without);
    scene_close (&s[0]);
    scene_close (&s[1]);
}

/* A pendulum of any size has accelerations of its size, and pivots of its own. */
static void any_size (void **state)
{
    dReal at_one[6] = {0}, pivot_at_one = 0;
    (void)state;
    for (int decade = 0; decade < 3; ++decade)
    {
        const double unit = ldexp (1, decade == 0   ? 0
                                      : decade == 1 ? 20
                                                    : -20),
                     axis[3] = {0, 1, 0}, pin[3] = {0, 0, 0};
        scene s = scene_open (0);
        dReal a[6], p[5];
        dRLSRecursion step = {.struct_size = sizeof (step)};
        dWorldSetGravity (s.world, 0, 0, (dReal)(-9.81 * unit));
        scene_box (&s, (dReal)unit, 0, 0, 1, (dReal)unit, (dReal)unit, (dReal)unit);
        scene_hinge (&s, 0, NO_BODY, pin, axis);
        dense d = look (&s);
        assert_int_equal (dRLSEquationsAccelerate (d.equations, NULL, a, p), 1);
        assert_int_equal (dRLSEquationsGetRecursion (d.equations, 0, &step, NULL), 1);
        if (decade == 0) memcpy (at_one, a, sizeof (a)), pivot_at_one = step.pivot;
        for (int k = 0; k < 6; ++k)
            assert_true (fabs ((double)a[k] - (k < 3 ? unit : 1) * (double)at_one[k]) <
                         1e-12 * (k < 3 ? unit : 1));
        assert_true (step.row == 0 && fabs ((double)(step.pivot - pivot_at_one)) < 1e-12);
        forget (&d);
        scene_close (&s);
    }
}

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
    dense d = look (&s);
    assert_true (d.size.bodies == 5 && d.size.rows == 4 && d.size.rank == 4);
    for (int r = 0; r < 4; ++r) assert_int_equal (d.row[r].entries, d.row[r].joint == s.joint[0] ? 4 : 2);
    oracle_random random = {7};
    check_products (&d, &random, &s);
    check_accelerations (&d, &random, &s);
    check_recursion (&d, &random, &s);
    forget (&d);
    scene_close (&s);
}

static void bad_calls_are_refused (void **state)
{
    (void)state;
    scene s = linkage_open (&linkages[linkage_count - 1]), empty = scene_open (-1);
    const dRLSEquationsID nothing = dRLSEquationsCreate ();
    dRLSEquationsSize size = {.struct_size = sizeof (size)};
    dReal number[4096] = {0}, out[4096] = {0}, nan[4096] = {(dReal)NAN};
    assert_int_equal (dRLSEquationsAccelerate (nothing, NULL, out, NULL), 0);
    assert_int_equal (dRLSEquationsGetSize (nothing, &size), 0);
    assert_int_equal (dRLSEquationsGetRows (nothing, NULL, 0), -1);
    assert_int_equal (dRLSStepperGetEquations (scene_stepper (&s), NULL), 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusBadArgument);
    assert_int_equal (dRLSStepperGetEquations (NULL, nothing), 0);
    assert_int_equal (dRLSStepperGetEquations (scene_stepper (&empty), nothing), 1);
    assert_true (dRLSEquationsGetSize (nothing, &size) && size.bodies == 0 && size.rows == 0);
    assert_int_equal (dRLSEquationsAccelerate (nothing, NULL, out, NULL), 1);
    scene_box (&empty, 0, 0, 0, 1, 1, 1, 1);
    assert_int_equal (dRLSStepperGetEquations (empty.stepper, nothing), 1);
    assert_int_equal (dRLSEquationsAccelerate (nothing, NULL, out, NULL), 1);
    assert_true (dRLSEquationsGetSize (nothing, &size) && size.bodies == 1 &&
                 fabs ((double)out[2] + 1) < 1e-12);
    assert_int_equal (dRLSStepperGetEquations (s.stepper, nothing), 1);
    dRLSEquationsGetSize (nothing, &size);
    assert_int_equal (dRLSEquationsAlongRows (nothing, nan, out), 0);
    assert_int_equal (dRLSEquationsAlongRows (nothing, NULL, out), 0);
    assert_int_equal (dRLSEquationsAlongRows (nothing, number, NULL), 0);
    assert_int_equal (dRLSEquationsSolveDelassus (nothing, nan, out), 0);
    assert_int_equal (dRLSEquationsShare (nothing, NULL, nan), 0);
    const dRLSElasticity negative = {.struct_size = sizeof (negative), .compliance = nan};
    assert_int_equal (dRLSEquationsShare (nothing, &negative, number), 0);
    const dRLSElasticity rigid = {.struct_size = sizeof (rigid), .compliance = number}; /* nothing decides */
    assert_true (size.rank < size.rows);
    assert_int_equal (dRLSEquationsShare (nothing, &rigid, out), 0);
    double *root = oracle_allocate (3 * (size_t)size.rows, sizeof (double));
    elastic skewed = {size.rows, root, 0.5};
    const dRLSElasticity unsymmetric = {
        .struct_size = sizeof (unsymmetric), .function = bend, .context = &skewed};
    memset (out, 0, sizeof (out));
    assert_int_equal (dRLSEquationsShare (nothing, &unsymmetric, out), 0);
    free (root);
    dRLSRecursion step = {.struct_size = sizeof (step)};
    assert_int_equal (dRLSEquationsGetRecursion (nothing, size.rows, &step, NULL), 0);
    assert_int_equal (dRLSEquationsGetRecursion (nothing, -1, &step, NULL), 0);
    const dReal two[2] = {1, 1};
    const dJointID twice[2] = {s.joint[0], s.joint[0]};
    assert_int_equal (dRLSStepperInverseDynamics (s.stepper, twice, two, 2, out), 0);
    assert_int_equal (dRLSStepperInverseDynamics (s.stepper, twice, nan, 1, out), 0);
    assert_int_equal (dRLSStepperInverseDynamics (s.stepper, NULL, two, 1, out), 0);
    dRLSEquationsDestroy (nothing);
    dRLSEquationsDestroy (NULL);
    scene_close (&s);
    scene_close (&empty);
}

/* Two axes of a parallelogram move together: they cannot be asked to accelerate apart. */
static void contradicting_axes_are_refused (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    linkage_fourbars (&s, 1, 0.5);
    const dJointID axes[2] = {s.joint[0], s.joint[s.joints - 1]};
    dReal together[2] = {1, 1}, apart[2] = {1, -2}, effort[2];
    if (dJointGetHingeAngleRate (axes[0]) != 0) fail ();
    const int a = dRLSStepperInverseDynamics (scene_stepper (&s), axes, together, 2, effort);
    const int b = dRLSStepperInverseDynamics (s.stepper, axes, apart, 2, effort);
    const int status = dRLSStepperGetStatus (s.stepper);
    together[1] = -1;
    const int c = dRLSStepperInverseDynamics (s.stepper, axes, together, 2, effort);
    assert_true (a + c == 1 && b == 0);
    assert_int_equal (status, dRLSStatusBadArgument);
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
        cmocka_unit_test (arm_of_two_links),
        cmocka_unit_test (bead_on_a_turning_ball),
        cmocka_unit_test (effort_makes_the_acceleration),
        cmocka_unit_test (looking_leaves_no_trace),
        cmocka_unit_test (any_size),
        cmocka_unit_test (wide_rows_and_free_bodies),
        cmocka_unit_test (bad_calls_are_refused),
        cmocka_unit_test (contradicting_axes_are_refused),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
