/*
 * Accelerations of linkages in motion against the two explicit forms of the textbooks: the pseudo-inverse of
 * Udwadia & Kalaba, and the null space of the rows.  And the velocity-quadratic term that they start from
 * against second differences of the positions themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "integrators/accelerate.h"
#include "oracle.h"
#include "oracle_linkages.h"
#include "island/rotation.h"
#include "stepper/stepper.h"

#define MOTION 40 /* steps before the look */

/* ---- the island as dense matrices ---- */

typedef struct
{
    rls_island *island;
    int n;              /* coordinates */
    oracle_matrix J, L; /* L L' = M^-1 */
    double *v, *free, *wanted;
} dense;

/* A = L L' for a 3 x 3 matrix; L below the diagonal. */
static void cholesky3 (const double A[9], double L[9])
{
    memset (L, 0, 9 * sizeof (double));
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k <= i; ++k)
        {
            double sum = A[3 * i + k];
            for (int c = 0; c < k; ++c) sum -= L[3 * i + c] * L[3 * k + c];
            L[3 * i + k] = i == k ? sqrt (sum) : sum / L[3 * k + k];
        }
}

static dense look (scene *s)
{
    dense d;
    scene_analyse (s);
    rls_island *island = d.island = &s->stepper->workspaces.of[0]->island;
    const int bodies = island->model.bodies, rows = island->begin.rows.rows;
    d.n = 6 * bodies;
    d.J = oracle_zeros (rows, d.n);
    d.L = oracle_zeros (d.n, d.n);
    d.v = oracle_allocate ((size_t)d.n, sizeof (double));
    d.free = oracle_allocate ((size_t)d.n, sizeof (double));
    d.wanted = oracle_allocate ((size_t)rows, sizeof (double));
    for (int j = 0; j < island->begin.rows.joints; ++j)
    {
        const int r0 = island->mechanism.row0[j], m = island->mechanism.row0[j + 1] - r0;
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (&island->begin.rows, j, room);
        for (int i = 0; i < m; ++i)
            for (int k = 0; k < 6; ++k)
            {
                double *to = oracle_row (&d.J, r0 + i);
                to[6 * island->mechanism.body[j][0] + k] += J[i][k];
                if (island->mechanism.body[j][1] >= 0)
                    to[6 * island->mechanism.body[j][1] + k] += J[i][6 + k];
            }
    }
    rls_island_inverse_inertia (island, island->state.pose, &island->begin.rows);
    for (int b = 0; b < bodies; ++b)
    {
        double root[9];
        cholesky3 (island->begin.rows.W[b], root);
        for (int i = 0; i < 3; ++i)
        {
            oracle_row (&d.L, 6 * b + i)[6 * b + i] = 1 / sqrt (island->model.mass[b]);
            for (int k = 0; k <= i; ++k) oracle_row (&d.L, 6 * b + 3 + i)[6 * b + 3 + k] = root[3 * i + k];
        }
    }
    memcpy (d.v, island->state.v, sizeof (double) * (size_t)d.n);
    rls_free_accelerations (island, &island->begin.rows, island->state.pose,
                            (const double (*)[6])island->state.v, (double (*)[6])d.free);
    assert_int_equal (rls_curvature_find (island, &island->begin.rows, island->state.pose,
                                          (const double (*)[6])island->state.v, d.wanted),
                      1);
    return d;
}

static void forget (dense *d, double *a)
{
    oracle_free (&d->J);
    oracle_free (&d->L);
    free (d->v);
    free (d->free);
    free (d->wanted);
    free (a);
}

/* ---- three ways to the accelerations ---- */

static double *by_factor (const dense *d)
{
    rls_island *s = d->island;
    double *a = oracle_allocate ((size_t)d->n, sizeof (double));
    double *x = oracle_allocate ((size_t)s->begin.rows.rows, sizeof (double));
    memcpy (a, d->free, sizeof (double) * (size_t)d->n);
    rls_rows_velocity (&s->begin.rows, (const double (*)[6])a, x);
    for (int r = 0; r < s->begin.rows.rows; ++r) x[r] = d->wanted[r] - x[r];
    rls_factor_solve (&s->begin.factor, &s->begin.rows, x);
    rls_rows_apply (&s->begin.rows, x, (double (*)[6])a);
    free (x);
    return a;
}

/* a = free + L (J L)^+ (wanted - J free) */
static double *by_pseudo_inverse (const dense *d)
{
    oracle_matrix JL = oracle_product (&d->J, &d->L);
    oracle_svd svd = oracle_decompose (&JL);
    double *missing = oracle_allocate ((size_t)d->J.rows, sizeof (double));
    double *x = oracle_allocate ((size_t)d->n, sizeof (double));
    double *a = oracle_allocate ((size_t)d->n, sizeof (double));
    oracle_multiply (&d->J, d->free, missing);
    for (int r = 0; r < d->J.rows; ++r) missing[r] = d->wanted[r] - missing[r];
    oracle_pseudo_solve (&svd, oracle_rank (&svd, 1e-6), missing, x);
    oracle_multiply (&d->L, x, a);
    for (int i = 0; i < d->n; ++i) a[i] += d->free[i];
    free (missing);
    free (x);
    oracle_svd_free (&svd);
    oracle_free (&JL);
    return a;
}

/* Solves L y = x in place, L lower triangular. */
static void solve_lower (const oracle_matrix *L, double *x)
{
    for (int i = 0; i < L->rows; ++i)
    {
        for (int k = 0; k < i; ++k) x[i] -= oracle_row (L, i)[k] * x[k];
        x[i] /= oracle_row (L, i)[i];
    }
}

/* a = J^+ wanted + Z u, Z the null space of J, u such that a is M-nearest to the free acceleration. */
static double *by_null_space (const dense *d)
{
    oracle_svd svd = oracle_decompose (&d->J);
    const int rank = oracle_rank (&svd, 1e-6), dof = d->n - rank;
    double *a = oracle_allocate ((size_t)d->n, sizeof (double));
    double *u = oracle_allocate ((size_t)dof + 1, sizeof (double));
    double *away = oracle_allocate ((size_t)d->n, sizeof (double));
    oracle_pseudo_solve (&svd, rank, d->wanted, a);
    if (dof > 0)
    {
        oracle_matrix LZ = oracle_zeros (d->n, dof);
        for (int c = 0; c < dof; ++c)
        {
            for (int i = 0; i < d->n; ++i) away[i] = oracle_row (&svd.V, i)[rank + c];
            solve_lower (&d->L, away);
            for (int i = 0; i < d->n; ++i) oracle_row (&LZ, i)[c] = away[i];
        }
        for (int i = 0; i < d->n; ++i) away[i] = d->free[i] - a[i];
        solve_lower (&d->L, away);
        oracle_svd least = oracle_decompose (&LZ);
        oracle_pseudo_solve (&least, dof, away, u);
        for (int i = 0; i < d->n; ++i)
            for (int c = 0; c < dof; ++c) a[i] += oracle_row (&svd.V, i)[rank + c] * u[c];
        oracle_svd_free (&least);
        oracle_free (&LZ);
    }
    free (u);
    free (away);
    oracle_svd_free (&svd);
    return a;
}

static double difference (const double *a, const double *b, int n)
{
    double worst = 0, size = 1;
    for (int i = 0; i < n; ++i)
    {
        worst = fmax (worst, fabs (a[i] - b[i]));
        size = fmax (size, fabs (b[i]));
    }
    return worst / size;
}

static void three_ways_agree (void **state)
{
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
    {
        scene s = linkage_open (&linkages[i]);
        scene_step (&s, (dReal)0.01, MOTION);
        dense d = look (&s);
        double *a = by_factor (&d), *uk = by_pseudo_inverse (&d), *ns = by_null_space (&d);
        if (!(difference (a, uk, d.n) < 1e-8)) fail_msg ("%s: %g", linkages[i].name, difference (a, uk, d.n));
        if (!(difference (a, ns, d.n) < 1e-8)) fail_msg ("%s: %g", linkages[i].name, difference (a, ns, d.n));
        free (uk);
        free (ns);
        forget (&d, a);
        scene_close (&s);
    }
}

/*
 * What is open at end.rows, joint by joint in the bases of the rows: ODE turns its bases with the joint and
 * lets them jump, and two samples in different ones have no second difference.
 */
static void open_in_bases (const rls_island *island, double *out)
{
    for (int j = 0; j < island->begin.rows.joints; ++j)
    {
        const int r0 = island->mechanism.row0[j], m = island->mechanism.row0[j + 1] - r0;
        oracle_matrix now = oracle_zeros (m, 12), bases = oracle_zeros (m, 12);
        double along[12];
        rls_row room[RLS_MAX_ROWS];
        const size_t size = sizeof (rls_row) * (size_t)m;
        memcpy (oracle_row (&now, 0), rls_joint_rows (&island->end.rows, j, room), size);
        memcpy (oracle_row (&bases, 0), rls_joint_rows (&island->begin.rows, j, room), size);
        oracle_svd svd = oracle_decompose (&now);
        oracle_pseudo_solve (&svd, m, island->end.rows.residual + r0, along);
        oracle_multiply (&bases, along, out + r0);
        oracle_svd_free (&svd);
        oracle_free (&now);
        oracle_free (&bases);
    }
}

/* Along the motion with velocities held, H v - y changes as the second derivative of what is open. */
static void quadratic_term_is_curvature (void **state)
{
    (void)state;
    double largest = 0;
    for (int i = 0; i < linkage_count; ++i)
    {
        scene s = linkage_open (&linkages[i]);
        scene_step (&s, (dReal)0.01, MOTION);
        dense d = look (&s);
        rls_island *island = d.island;
        const int rows = island->begin.rows.rows, bodies = island->model.bodies;
        const double time = 5e-4;
        double *second = oracle_allocate ((size_t)rows, sizeof (double));
        double *open = oracle_allocate ((size_t)rows, sizeof (double));
        rls_pose *pose = oracle_allocate ((size_t)bodies, sizeof (*pose));
        for (int side = -1; side <= 1; ++side)
        {
            for (int b = 0; b < bodies; ++b)
            {
                double move[6];
                for (int k = 0; k < 6; ++k) move[k] = side * time * island->state.v[b][k];
                pose[b] = island->state.pose[b];
                rls_pose_displace (&pose[b], move);
            }
            assert_int_equal (island->provider.rows (island, pose), 1);
            open_in_bases (island, open);
            for (int r = 0; r < rows; ++r) second[r] += (side == 0 ? -2 : 1) * open[r] / (time * time);
        }
        for (int r = 0; r < rows; ++r) largest = fmax (largest, fabs (d.wanted[r]));
        if (!(difference (second, d.wanted, rows) < 1e-5))
            fail_msg ("%s: %g", linkages[i].name, difference (second, d.wanted, rows));
        free (second);
        free (open);
        free (pose);
        forget (&d, NULL);
        scene_close (&s);
    }
    assert_true (largest > 0.1); /* there was something to compare */
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (three_ways_agree),
        cmocka_unit_test (quadratic_term_is_curvature),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
