/* Velocities that belong to a motion; contract and equations in nearby.h. */
#include "nearby.h"
#include "kernels/symmetric.h"
#include "symplectic_parts.h"

#define MOST_FREE 64   /* degrees of freedom at most */
#define MOST_ROWS 64   /* redundant rows at most */
#define MOST_PASSES 20 /* of Newton's method */

typedef struct
{
    int bodies, rows, dof;
    int count, *row;             /* the redundant rows */
    double (*direction)[6];      /* dof x bodies: free velocities, orthonormal in the metric of the masses, */
    double (*momentum)[6];       /* and the impulses that cause them */
    double (*trial)[6], (*a)[6]; /* bodies: scratch */
    double *c, *x;               /* rows: scratch */
    double *q, *plus, *minus;    /* redundant rows: q (v), at v and to both sides of it */
    double *slope;               /* count x dof: derivatives of q along the directions */
    double scale;                /* largest |c| */
    double speed;                /* root of twice the energy of the free velocities */
    rls_arena block;
} fit;

static void lay_out (fit *w, rls_arena_cursor *c)
{
    const size_t n = (size_t)w->bodies, rows = (size_t)w->rows, all = n * (size_t)w->dof;
    RLS_TAKE (c, rows, w->row, w->c, w->x, w->q, w->plus, w->minus);
    RLS_TAKE (c, all, w->direction, w->momentum);
    RLS_TAKE (c, n, w->trial, w->a);
    RLS_TAKE (c, (size_t)MOST_ROWS * (size_t)w->dof, w->slope);
}

/* Computes q (v).  Returns 0 if rows cannot be evaluated near the pose. */
static int evaluate (fit *w, rls_island *s, const double (*v)[6], double *q)
{
    const rls_rows *rows = &s->begin.rows;
    if (!rls_curvature_find (s, rows, s->state.pose, v, w->c)) return 0;
    w->scale = rls_flat_largest (w->rows, w->c);
    memset (w->a, 0, sizeof (*w->a) * (size_t)w->bodies);
    rls_enforce (&s->begin.factor, rows, w->c, w->x, w->a);
    rls_rows_missing (rows, w->c, w->a, w->x);
    for (int i = 0; i < w->count; ++i) q[i] = w->x[w->row[i]];
    return 1;
}

/* Finds the directions by unit impulses m on one component after the other of the bodies, and the velocities
 * d = P m that these cause, until there are as many as degrees of freedom.  Returns 0 if that fails. */
static int find_directions (fit *w, const rls_island *s)
{
    int found = 0;
    for (int i = 0; i < 6 * w->bodies && found < w->dof; ++i)
    {
        const int b = i / 6, k = i % 6;
        const size_t bodies = (size_t)w->bodies, at = (size_t)found * bodies;
        double (*d)[6] = w->direction + at, (*m)[6] = w->momentum + at;
        if (!s->model.movable[b]) continue;
        memset (d, 0, sizeof (*d) * bodies), memset (m, 0, sizeof (*m) * bodies);
        m[b][k] = 1;
        if (k < 3)
            d[b][k] = 1 / s->model.mass[b];
        else
            for (int j = 0; j < 3; ++j) d[b][3 + j] = s->begin.rows.W[b][3 * j + k - 3];
        const double alone = d[b][k]; /* the velocity of the body without the others */
        rls_enforce (&s->begin.factor, &s->begin.rows, NULL, w->x, d);

        /* without their components along the directions before; skipped if nothing is left */
        for (int twice = 0; twice < 2; ++twice)
            for (size_t before = 0; before < at; before += bodies)
            {
                const double along = rls_inner (w->bodies, w->direction + before, m);
                rls_add (w->bodies, -along, w->direction + before, d);
                rls_add (w->bodies, -along, w->momentum + before, m);
            }
        const double left = rls_inner (w->bodies, d, m);
        if (!(left > RLS_NEGLIGIBLE * alone)) continue;
        rls_flat_scale (6 * w->bodies, 1 / sqrt (left), d[0], d[0]);
        rls_flat_scale (6 * w->bodies, 1 / sqrt (left), m[0], m[0]);
        ++found;
    }
    return found == w->dof;
}

/* Computes slope by central differences, which are exact for a quadratic function.  Returns as evaluate. */
static int find_slopes (fit *w, rls_island *s, const double (*v)[6])
{
    const size_t n = (size_t)w->bodies;
    for (int i = 0; i < w->dof; ++i)
    {
        const double (*d)[6] = w->direction + (size_t)i * n;
        for (int side = -1; side <= 1; side += 2)
        {
            memcpy (w->trial, v, sizeof (*v) * n);
            rls_add (w->bodies, side * w->speed, d, w->trial);
            if (!evaluate (w, s, w->trial, side < 0 ? w->minus : w->plus)) return 0;
        }
        for (int r = 0; r < w->count; ++r)
            w->slope[r * w->dof + i] = (w->plus[r] - w->minus[r]) / (2 * w->speed);
    }
    return 1;
}

/* Computes the least step along the directions that makes the linearised q zero: S S' x = -q, step S' x. */
static void solve (const fit *w, double *step)
{
    const int n = w->count, dof = w->dof;
    double A[MOST_ROWS * MOST_ROWS], x[MOST_ROWS], trace = 0;
    for (int r = 0; r < n; ++r)
    {
        x[r] = -w->q[r];
        for (int c = 0; c <= r; ++c)
            A[n * r + c] = rls_flat_dot (dof, w->slope + r * dof, w->slope + c * dof);
        trace += A[n * r + r];
    }

    /* a little is added to the diagonal, so that redundant rows with the same condition share it */
    for (int r = 0; r < n; ++r) A[n * r + r] += RLS_DEPENDENT * trace;
    rls_symmetric_factor (n, A);
    rls_symmetric_solve (n, A, x);
    memset (step, 0, sizeof (double) * (size_t)dof);
    for (int r = 0; r < n; ++r) rls_flat_add (dof, x[r], w->slope + r * dof, step);
}

/* Newton's method, starting from v.  Returns 1 if it has found velocities that belong to a motion. */
static int iterate (fit *w, rls_island *s, double (*v)[6])
{
    double last = HUGE_VAL, step[MOST_FREE];
    for (int pass = 0; pass < MOST_PASSES; ++pass)
    {
        /* until q is rounding */
        if (!evaluate (w, s, v, w->q)) return 0;
        const double left = rls_flat_largest (w->count, w->q), size = w->scale;
        if (left <= RLS_ROUNDING * size || (left <= RLS_NEGLIGIBLE * size && left > RLS_STAGNATED * last))
            return 1;
        if (!isfinite (left)) return 0;
        last = left;

        /* the step */
        if (!find_slopes (w, s, v)) return 0;
        solve (w, step);
        for (int i = 0; i < w->dof; ++i)
            rls_add (w->bodies, step[i], w->direction + (size_t)i * (size_t)w->bodies, v);
    }
    return 0;
}

/* Returns the root of twice the energy of the free part of v. */
static double speed_of (const fit *w, const double (*v)[6])
{
    double sum = 0;
    for (int i = 0; i < w->dof; ++i)
    {
        const double along = rls_inner (w->bodies, v, w->momentum + (size_t)i * (size_t)w->bodies);
        sum += along * along;
    }
    return sqrt (sum);
}

/* Changes v to the nearest velocities that belong to a motion.  Returns RLS_DONE, RLS_FAILED, or
 * RLS_ANOTHER_WAY if no motion is near. */
static rls_outcome find (fit *w, rls_island *s, double (*v)[6], int from_rest)
{
    /* drives require accelerations from rest as well */
    if (from_rest && s->elimination.precedence.count > 0) return RLS_ANOTHER_WAY;
    if (!evaluate (w, s, v, w->q)) return RLS_FAILED;
    if (!(rls_flat_largest (w->count, w->q) > RLS_NEGLIGIBLE * w->scale)) return RLS_DONE;

    /* from v along the free directions, unless that changes the energy by a factor of two */
    if (!find_directions (w, s)) return RLS_ANOTHER_WAY;
    w->speed = speed_of (w, v);
    double (*fitted)[6] = s->scratch.six;
    memcpy (fitted, v, sizeof (*v) * (size_t)w->bodies);
    if (!(w->speed > 0) || !iterate (w, s, fitted)) return RLS_ANOTHER_WAY;
    const double kept = speed_of (w, fitted) / w->speed;
    if (!from_rest && !(kept * kept > 0.5 && kept * kept < 2)) return RLS_ANOTHER_WAY;
    memcpy (v, fitted, sizeof (*v) * (size_t)w->bodies);
    return RLS_DONE;
}

rls_outcome rls_branch_velocity_fit (rls_island *s, double (*v)[6], int from_rest)
{
    const rls_outcome left = from_rest ? RLS_ANOTHER_WAY : RLS_DONE;
    fit w = {.bodies = s->model.bodies, .rows = s->begin.rows.rows, .dof = -s->begin.factor.rank};
    rls_outcome done = left;

    /* only islands with redundant rows and a moderate number of degrees of freedom */
    for (int b = 0; b < w.bodies; ++b) w.dof += s->model.movable[b] ? 6 : 0;
    if (s->begin.factor.rank == w.rows || w.dof <= 0 || w.dof > MOST_FREE) return left;
    const int laid_out = RLS_LAY_OUT (&w, &w.block, lay_out);
    if (!laid_out) done = RLS_NO_MEMORY;
    for (int r = 0; r < w.rows && done == left; ++r)
        if (s->begin.factor.decision[r] == RLS_REDUNDANT) w.row[w.count++] = r;
    if (done == left && w.count > 0 && w.count <= MOST_ROWS) done = find (&w, s, v, from_rest);
    rls_arena_free (&w.block);
    return done == RLS_ANOTHER_WAY ? left : done;
}
