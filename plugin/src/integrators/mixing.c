/* Anderson's mixing; contract and equations in mixing.h. */
#include "mixing.h"
#include "kernels/symmetric.h"

void rls_mixing_lay_out (rls_mixing *m, rls_arena_cursor *c)
{
    const size_t n = (size_t)m->bodies, k = (size_t)m->rows;
    for (int i = 0; i < RLS_MIXED; ++i)
    {
        RLS_TAKE (c, n, m->df[i], m->dx[i]);
        RLS_TAKE (c, k, m->dp[i]);
    }
    RLS_TAKE (c, n, m->last_f, m->last_step);
    RLS_TAKE (c, k, m->last_p, m->last_change);
}

void rls_mixing_begin (rls_mixing *m) { m->count = -1; }

/* Returns the inner product of two velocities in the metric of the masses, with each inertia replaced by its
 * mean, so that the axes do not matter. */
static double product (const rls_island *s, const double (*a)[6], const double (*b)[6])
{
    double sum = 0;
    for (int i = 0; i < s->model.bodies; ++i)
    {
        if (!s->model.movable[i]) continue;
        const double *I = s->model.inertia[i];
        const double turning = (I[0] + I[4] + I[8]) / 3 * rls_dot3 (a[i] + 3, b[i] + 3);
        sum += s->model.mass[i] * rls_dot3 (a[i], b[i]) + turning;
    }
    return sum;
}

/* Computes g from the normal equations of the least-squares problem.  The latest differences come first, so
 * that of several that depend on each other the oldest ones are left out. */
static void weigh (const rls_mixing *m, const rls_island *s, const double (*f)[6], double g[RLS_MIXED])
{
    const int n = m->count < RLS_MIXED ? m->count : RLS_MIXED;
    double A[RLS_MIXED * RLS_MIXED], x[RLS_MIXED];
    const double (*of[RLS_MIXED])[6];
    for (int i = 0; i < n; ++i)
    {
        of[i] = m->df[(m->count - 1 - i) % RLS_MIXED];
        x[i] = product (s, of[i], f);
        for (int k = 0; k <= i; ++k) A[n * i + k] = product (s, of[i], of[k]);
    }
    rls_symmetric_factor (n, A);
    rls_symmetric_solve (n, A, x);
    for (int i = 0; i < n; ++i) g[(m->count - 1 - i) % RLS_MIXED] = x[i];
}

void rls_mixing_step (rls_mixing *m, const rls_island *s, int mix, double (*f)[6], double *p)
{
    const size_t size = sizeof (*f) * (size_t)m->bodies, rows = sizeof (double) * (size_t)m->rows;
    double g[RLS_MIXED] = {0};

    /* the differences between this step and the last one */
    if (m->count >= 0)
    {
        const int at = m->count % RLS_MIXED;
        rls_flat_blend (6 * m->bodies, 1, f[0], -1, m->last_f[0], m->df[at][0]);
        rls_flat_blend (6 * m->bodies, 1, m->last_step[0], 1, m->df[at][0], m->dx[at][0]);
        for (int r = 0; r < m->rows; ++r) m->dp[at][r] = m->last_change[r] + p[r] - m->last_p[r];
    }
    ++m->count;

    /* the mixed step */
    memcpy (m->last_f, f, size);
    if (rows > 0) memcpy (m->last_p, p, rows);
    if (mix) weigh (m, s, f, g);
    for (int i = 0; i < RLS_MIXED; ++i)
    {
        if (g[i] == 0) continue;
        rls_flat_add (6 * m->bodies, -g[i], m->dx[i][0], f[0]);
        rls_flat_add (m->rows, -g[i], m->dp[i], p);
    }
    memcpy (m->last_step, f, size);
    if (rows > 0) memcpy (m->last_change, p, rows);
}
