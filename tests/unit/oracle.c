/* Dense matrices, singular values by one-sided Jacobi rotations (Hestenes), and random numbers. */
#include "oracle.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SWEEPS 60

void *oracle_allocate (size_t count, size_t element)
{
    void *memory = calloc (count + 1, element);
    if (!memory)
    {
        fputs ("the oracle has no memory\n", stderr);
        abort ();
    }
    return memory;
}

oracle_matrix oracle_zeros (int rows, int columns)
{
    const size_t count = (size_t)rows * (size_t)columns;
    return (oracle_matrix){rows, columns, oracle_allocate (count, sizeof (double))};
}

void oracle_free (oracle_matrix *m)
{
    free (m->at);
    *m = (oracle_matrix){0};
}

oracle_matrix oracle_transposed (const oracle_matrix *a)
{
    oracle_matrix t = oracle_zeros (a->columns, a->rows);
    for (int i = 0; i < a->rows; ++i)
        for (int j = 0; j < a->columns; ++j) oracle_row (&t, j)[i] = oracle_row (a, i)[j];
    return t;
}

static double dot (const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

oracle_matrix oracle_product (const oracle_matrix *a, const oracle_matrix *b)
{
    oracle_matrix out = oracle_zeros (a->rows, b->columns);
    for (int i = 0; i < a->rows; ++i)
        for (int k = 0; k < a->columns; ++k)
            for (int c = 0; c < b->columns; ++c)
                oracle_row (&out, i)[c] += oracle_row (a, i)[k] * oracle_row (b, k)[c];
    return out;
}

void oracle_multiply (const oracle_matrix *a, const double *x, double *out)
{
    for (int i = 0; i < a->rows; ++i) out[i] = dot (oracle_row (a, i), x, a->columns);
}

/* ---- singular values ---- */

static void rotate (double *x, double *y, int n, double c, double s)
{
    for (int i = 0; i < n; ++i)
    {
        const double t = c * x[i] - s * y[i];
        y[i] = s * x[i] + c * y[i];
        x[i] = t;
    }
}

/* Makes rows i and k of W orthogonal and turns V's with them.  Returns 1 if they were not. */
static int orthogonalise (oracle_matrix *W, oracle_matrix *V, int i, int k, double negligible)
{
    double *x = oracle_row (W, i), *y = oracle_row (W, k);
    const int m = W->columns;
    const double xx = dot (x, x, m), yy = dot (y, y, m), xy = dot (x, y, m);
    if (xx <= negligible || yy <= negligible || fabs (xy) <= DBL_EPSILON * sqrt (xx * yy)) return 0;
    const double zeta = (yy - xx) / (2 * xy);
    const double t = (zeta >= 0 ? 1 : -1) / (fabs (zeta) + sqrt (1 + zeta * zeta));
    const double c = 1 / sqrt (1 + t * t), s = c * t;
    rotate (x, y, m, c, s);
    rotate (oracle_row (V, i), oracle_row (V, k), V->columns, c, s);
    return 1;
}

typedef struct
{
    double size;
    int index;
} ranked;

static int descending (const void *a, const void *b)
{
    const double x = ((const ranked *)a)->size, y = ((const ranked *)b)->size;
    return (x < y) - (x > y);
}

oracle_svd oracle_decompose (const oracle_matrix *a)
{
    const int n = a->columns, m = a->rows;
    oracle_matrix W = oracle_transposed (a), V = oracle_zeros (n, n); /* rows are columns of A V and of V */
    double total = 0;
    for (int i = 0; i < n; ++i)
        oracle_row (&V, i)[i] = 1, total += dot (oracle_row (&W, i), oracle_row (&W, i), m);
    const double negligible = total * 1e-36;
    for (int sweep = 0, turned = 1; turned && sweep < MOST_SWEEPS; ++sweep)
    {
        turned = 0;
        for (int i = 0; i < n; ++i)
            for (int k = i + 1; k < n; ++k) turned |= orthogonalise (&W, &V, i, k, negligible);
    }
    ranked *order = oracle_allocate ((size_t)n, sizeof (*order));
    for (int i = 0; i < n; ++i)
        order[i] = (ranked){sqrt (dot (oracle_row (&W, i), oracle_row (&W, i), m)), i};
    qsort (order, (size_t)n, sizeof (*order), descending);

    oracle_svd svd = {oracle_zeros (m, n), oracle_zeros (n, n), oracle_allocate ((size_t)n, sizeof (double))};
    for (int k = 0; k < n; ++k)
    {
        const double *w = oracle_row (&W, order[k].index), *v = oracle_row (&V, order[k].index);
        svd.s[k] = order[k].size;
        for (int i = 0; i < m; ++i) oracle_row (&svd.U, i)[k] = svd.s[k] > 0 ? w[i] / svd.s[k] : 0;
        for (int i = 0; i < n; ++i) oracle_row (&svd.V, i)[k] = v[i];
    }
    free (order);
    oracle_free (&W), oracle_free (&V);
    return svd;
}

void oracle_svd_free (oracle_svd *svd)
{
    oracle_free (&svd->U), oracle_free (&svd->V);
    free (svd->s);
}

int oracle_rank (const oracle_svd *svd, double tolerance)
{
    int rank = 0;
    while (rank < svd->V.rows && svd->s[rank] > tolerance * svd->s[0]) ++rank;
    return rank;
}

void oracle_pseudo_solve (const oracle_svd *svd, int rank, const double *b, double *x)
{
    const int m = svd->U.rows, n = svd->V.rows;
    for (int i = 0; i < n; ++i) x[i] = 0;
    for (int k = 0; k < rank; ++k)
    {
        double along = 0;
        for (int i = 0; i < m; ++i) along += oracle_row (&svd->U, i)[k] * b[i];
        for (int i = 0; i < n; ++i) x[i] += oracle_row (&svd->V, i)[k] * along / svd->s[k];
    }
}

void oracle_remove_span (const oracle_svd *svd, int first, double *x)
{
    const int n = svd->V.rows;
    for (int k = first; k < n; ++k)
    {
        double along = 0;
        for (int i = 0; i < n; ++i) along += oracle_row (&svd->V, i)[k] * x[i];
        for (int i = 0; i < n; ++i) x[i] -= oracle_row (&svd->V, i)[k] * along;
    }
}

/* ---- random numbers: splitmix64 ---- */

static uint64_t next (oracle_random *random)
{
    uint64_t x = random->state += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

double oracle_uniform (oracle_random *random, double low, double high)
{
    return low + (high - low) * ldexp ((double)(next (random) >> 11), -53);
}

int oracle_index (oracle_random *random, int count) { return (int)(next (random) % (uint64_t)count); }
