/* The dense matrices of oracle_equations.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_equations.h"

#define SAME 1e-9

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

dense dense_look (scene *s)
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
    oracle_matrix HL = oracle_product (&d.H, &d.L);
    d.svd = oracle_decompose (&HL);
    oracle_free (&HL);
    free (entry);
    return d;
}

void dense_forget (dense *d)
{
    dRLSEquationsDestroy (d->equations);
    oracle_svd_free (&d->svd);
    oracle_free (&d->H);
    oracle_free (&d->L);
    free (d->body);
    free (d->row);
}

dReal *dense_numbers (int count) { return oracle_allocate ((size_t)count + 1, sizeof (dReal)); }

dReal *dense_draw (int count, oracle_random *random)
{
    dReal *x = dense_numbers (count);
    for (int i = 0; i < count; ++i) x[i] = (dReal)oracle_uniform (random, -1, 1);
    return x;
}

double *dense_doubles (const dReal *x, int count)
{
    double *y = oracle_allocate ((size_t)count + 1, sizeof (double));
    for (int i = 0; i < count; ++i) y[i] = (double)x[i];
    return y;
}

void dense_near (const char *what, const dReal *a, const double *b, int count)
{
    double size = 1;
    for (int i = 0; i < count; ++i) size = fmax (size, fabs (b[i]));
    for (int i = 0; i < count; ++i)
        if (!(fabs ((double)a[i] - b[i]) <= SAME * size))
            fail_msg ("%s %d: %.12g, not %.12g", what, i, (double)a[i], b[i]);
}

void dense_over_mass (const dense *d, double *x)
{
    double *half = oracle_allocate ((size_t)d->n, sizeof (double));
    for (int i = 0; i < d->n; ++i)
        for (int k = 0; k < d->n; ++k) half[i] += oracle_row (&d->L, k)[i] * x[k];
    oracle_multiply (&d->L, half, x);
    free (half);
}

void dense_on_bodies (const dense *d, const double *p, double *x)
{
    memset (x, 0, sizeof (double) * (size_t)d->n);
    for (int r = 0; r < d->size.rows; ++r)
        for (int k = 0; k < d->n; ++k) x[k] += oracle_row (&d->H, r)[k] * p[r];
}

void dense_for_all (void (*check) (dense *d, oracle_random *random, scene *s))
{
    oracle_random random = {2024};
    for (int i = 0; i < linkage_count; ++i)
    {
        if (linkages[i].rows > LARGE) continue; /* singular values of large matrices take their time */
        scene s = linkage_open (&linkages[i]);
        scene_step (&s, (dReal)0.01, MOTION);
        dense d = dense_look (&s);
        assert_int_equal (d.size.rank, linkages[i].rank);
        assert_int_equal (oracle_rank (&d.svd, 1e-6), linkages[i].rank);
        check (&d, &random, &s);
        dense_forget (&d);
        scene_close (&s);
    }
}
