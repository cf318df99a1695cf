/* dy/dt - dH/dt v by central differences; contract in curvature.h. */
#include "curvature.h"
#include "kernels.h"
#include "rotation.h"
#include <math.h>
#include <string.h>

/* Distance of a sample (m or rad) that balances truncation, its 4th power, and rounding, its inverse. */
#define DISTANCE 1.5e-3

static void carve (rls_curvature *w, rls_carver *c)
{
    w->pose = rls_carve (c, (size_t)w->bodies, sizeof (*w->pose));
    for (int k = 0; k < 4; ++k) w->value[k] = rls_carve (c, (size_t)w->rows, sizeof (double));
    rls_rows_carve (&w->kept, c);
}

int rls_curvature_prepare (rls_curvature *w, const rls_island *s)
{
    int done = 1;
    if (w->block.memory && w->bodies == s->bodies && w->rows == s->rows.rows) return 1;
    w->bodies = s->bodies, w->rows = w->kept.rows = s->rows.rows;
    RLS_LAY_OUT (w, &w->block, carve, done);
    if (!done) w->bodies = -1;
    return done;
}

void rls_curvature_free (rls_curvature *w)
{
    rls_block_free (&w->block);
    *w = (rls_curvature){0};
}

/* Solves A x = b for symmetric positive definite A (m x m), whose upper half is read, x in place of b.
 * Returns 0 if it is not. */
static int solve_spd (int m, double A[RLS_MAX_ROWS][RLS_MAX_ROWS], double *b)
{
    for (int i = 0; i < m; ++i)
    {
        if (!(A[i][i] > 0)) return 0;
        for (int k = i + 1; k < m; ++k)
        {
            const double l = A[i][k] / A[i][i];
            for (int c = k; c < m; ++c) A[k][c] -= l * A[i][c];
            b[k] -= l * b[i];
        }
    }
    for (int i = m - 1; i >= 0; --i)
    {
        for (int c = i + 1; c < m; ++c) b[i] -= A[i][c] * b[c];
        b[i] /= A[i][i];
    }
    return 1;
}

/* x (m values of the rows J) := the same in the bases of the rows K: K J' (J J')^-1 x. */
RLS_VECTOR_CLONES static void change_basis (int m, const double (*J)[12], const double (*K)[12], double *x)
{
    double A[RLS_MAX_ROWS][RLS_MAX_ROWS], y[RLS_MAX_ROWS], z[12] = {0};
    for (int a = 0; a < m; ++a)
    {
        for (int b = a; b < m; ++b) A[a][b] = rls_dot12 (J[a], J[b]);
        y[a] = x[a];
    }
    if (!solve_spd (m, A, y)) return;
    for (int b = 0; b < m; ++b)
        for (int k = 0; k < 12; ++k) z[k] += y[b] * J[b][k];
    for (int a = 0; a < m; ++a) x[a] = rls_dot12 (K[a], z);
}

/* value := H v - y at the pose moved by v for a time, in the bases of the reference. */
static int sample (rls_curvature *w, rls_island *s, const rls_rows *reference, const rls_pose *pose,
                   const double (*v)[6], double time, double *value)
{
    const double now = s->time;
    for (int b = 0; b < s->bodies; ++b)
    {
        double d[6];
        for (int k = 0; k < 6; ++k) d[k] = time * v[b][k];
        w->pose[b] = pose[b];
        rls_pose_displace (&w->pose[b], d);
    }
    s->time = now + time;
    const int done = s->evaluate (s, w->pose);
    s->time = now;
    if (!done) return 0;
    rls_rows_velocity (&s->rows_now, v, value);
    for (int r = 0; r < w->rows; ++r) value[r] -= s->rows_now.target[r];
    for (int j = 0; j < s->rows_now.joints; ++j)
    {
        const int r0 = s->row0[j], m = s->row0[j + 1] - r0;
        change_basis (m, (const double (*)[12])s->rows_now.J + r0, (const double (*)[12])reference->J + r0,
                      value + r0);
    }
    return 1;
}

int rls_curvature_find (rls_curvature *w, rls_island *s, const rls_rows *reference, const rls_pose *pose,
                        const double (*v)[6], double *wanted)
{
    static const double at[4] = {1, -1, 2, -2};
    double speed = 1; /* 1/s: drives are taken to change within about a second */
    int done = 1;
    for (int b = 0; b < s->bodies; ++b)
        for (int k = 0; k < 6; ++k) speed = rls_larger (speed, fabs (v[b][k]));
    const double step = DISTANCE / speed;
    rls_rows_copy (&s->rows_now, &w->kept);
    const rls_rows *bases = reference == &s->rows_now ? &w->kept : reference;
    for (int k = 0; k < 4 && done; ++k) done = sample (w, s, bases, pose, v, at[k] * step, w->value[k]);
    rls_rows_copy (&w->kept, &s->rows_now);
    if (!done) return 0;
    for (int r = 0; r < w->rows; ++r)
        wanted[r] =
            -(8 * (w->value[0][r] - w->value[1][r]) - (w->value[2][r] - w->value[3][r])) / (12 * step);
    return 1;
}
