/*
 * The sliding speeds of the friction rows, a fixed point within a Newton step.
 *
 * The normals' equations are shifted by mu |w| of their friction rows, w the velocity at the end of the step:
 * it is known only when the step is.  Each pass solves the step with the speeds of the pass before; where
 * sliding bodies are jammed that converges slowly, and Anderson's method speeds it up: the next speeds are
 * those of which the passes so far say that they would come out as they went in.
 */
#include "bounded_work.h"
#include <string.h>

#define REGULARISATION 1e-12 /* of the trace */

/* Slips and speeds in one row: those of the contacts, group by group, then those of all rows. */
static void gather (const rls_interior *in, const rls_bounded *b, double *slip, double *speed)
{
    const size_t pair = 2 * RLS_PADDED, rows = (size_t)b->rows;
    for (int g = 0; g < in->contact.groups; ++g, slip += pair, speed += pair)
    {
        memcpy (slip, in->contact.group[g].slip, sizeof (double) * pair);
        memcpy (speed, in->contact.group[g].speed, sizeof (double) * pair);
    }
    memcpy (slip, in->slip, sizeof (double) * rows);
    memcpy (speed, in->speed, sizeof (double) * rows);
}

void rls_slip_start (rls_interior *in, const rls_bounded *b)
{
    for (int g = 0; g < in->contact.groups; ++g)
        memcpy (in->contact.group[g].slip, in->contact.group[g].speed, sizeof (in->contact.group[g].slip));
    memcpy (in->slip, in->speed, sizeof (double) * (size_t)b->rows);
}

/* The weights g that minimise |off (last) - sum of g (off (last) - off (i))|. */
static void mix (const double *off, size_t rows, int passes, double g[RLS_SLIP_MEMORY])
{
    const double *last = off + (size_t)passes * rows;
    double A[RLS_SLIP_MEMORY][RLS_SLIP_MEMORY], trace = 0;
    for (int i = 0; i < passes; ++i)
    {
        const double *x = off + (size_t)i * rows;
        double sum = 0;
        for (size_t r = 0; r < rows; ++r) sum += (last[r] - x[r]) * last[r];
        g[i] = sum;
        for (int k = 0; k <= i; ++k)
        {
            const double *y = off + (size_t)k * rows;
            sum = 0;
            for (size_t r = 0; r < rows; ++r) sum += (last[r] - x[r]) * (last[r] - y[r]);
            A[i][k] = sum;
        }
        trace += A[i][i];
    }
    /* Cholesky without roots; the normal equations are good enough for weights */
    for (int i = 0; i < passes; ++i) A[i][i] += REGULARISATION * trace + 1e-300;
    for (int c = 0; c < passes; ++c)
        for (int i = c + 1; i < passes; ++i)
        {
            const double f = A[i][c] / A[c][c];
            for (int k = c + 1; k <= i; ++k) A[i][k] -= f * A[k][c];
            g[i] -= f * g[c];
        }
    for (int c = passes - 1; c >= 0; --c)
    {
        for (int i = c + 1; i < passes; ++i) g[c] -= A[i][c] * g[i];
        g[c] /= A[c][c];
    }
}

void rls_slip_improve (rls_interior *in, const rls_bounded *b, int pass)
{
    const size_t n = in->slips, pair = 2 * RLS_PADDED;
    double *seen = in->slip_seen + (size_t)pass * n, *off = in->slip_off + (size_t)pass * n;
    double g[RLS_SLIP_MEMORY];
    gather (in, b, seen, off);
    for (size_t i = 0; i < n; ++i) off[i] -= seen[i];
    mix (in->slip_off, n, pass, g);

    double *next = in->slip_next;
    for (size_t i = 0; i < n; ++i) next[i] = seen[i] + off[i];
    for (int k = 0; k < pass; ++k)
    {
        const double *old_seen = in->slip_seen + (size_t)k * n, *old_off = in->slip_off + (size_t)k * n;
        for (size_t i = 0; i < n; ++i) next[i] -= g[k] * (seen[i] + off[i] - old_seen[i] - old_off[i]);
    }
    for (size_t i = 0; i < n; ++i) next[i] = next[i] > 0 ? next[i] : 0;
    for (int i = 0; i < in->contact.groups; ++i, next += pair)
        memcpy (in->contact.group[i].slip, next, sizeof (double) * pair);
    memcpy (in->slip, next, sizeof (double) * (size_t)b->rows);
}
