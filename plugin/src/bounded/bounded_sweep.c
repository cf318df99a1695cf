/*
 * Products with the bounded rows, projected Gauss-Seidel, and the natural-map residual that judges an
 * iterate.
 *
 * Where rows are many the joints are closed after each sweep, and the iterate goes on along the conjugate
 * direction of Fletcher and Reeves, what the sweep has changed taken for the gradient (Silcowitz, Niebe &
 * Erleben 2010, A nonsmooth nonlinear conjugate gradient method for interactive contact force problems).  Few
 * rows are swept for a start that is near the last answer, which conjugate directions leave: grippers
 * slipped.
 */
#include "bounded_work.h"
#include "island/bounded_parts.h"
#include "kernels/kernels.h"
#include "kernels/six.h"
#include <math.h>
#include <string.h>

#define SWEEPS 10 /* in one go */

/* The velocities of a joint's two bodies; the world's is zero. */
typedef struct
{
    rls_six v1, v2;
} two_bodies;

static inline two_bodies load_bodies (const rls_bounded *b, int j, const double (*v)[6])
{
    const rls_six zero = {{0, 0}, {0, 0}, {0, 0}};
    const int body1 = b->body1[j], body2 = b->body2[j];
    return (two_bodies){body1 >= 0 ? rls_six_load (v[body1]) : zero,
                        body2 >= 0 ? rls_six_load (v[body2]) : zero};
}

static inline double velocity (const double *J, const two_bodies *x)
{
    return rls_six_dot (rls_six_load (J), x->v1) + rls_six_dot (rls_six_load (J + 6), x->v2);
}

/* The velocity along row r that an impulse of 1 gives to its bodies. */
static double mobility (const rls_bounded *b, int r)
{
    const two_bodies Y = {rls_six_load (b->Y[r]), rls_six_load (b->Y[r] + 6)};
    return velocity (b->J[r], &Y);
}

void rls_bounded_form_diagonal (const rls_bounded *b, double *diagonal)
{
    for (int r = 0; r < b->rows; ++r)
    {
        diagonal[r] = mobility (b, r);
        if (diagonal[r] > 0) diagonal[r] += b->softness[r];
    }
    for (int p = 0; p < b->parts; ++p)
    {
        const int j = b->part[p].joint, r = b->row0[j];
        diagonal[r] = rls_bounded_mobility (b, j, r);
        if (diagonal[r] > 0) diagonal[r] += b->softness[r];
    }
}

void rls_bounded_velocities (const struct rls_bounded_work *work, const rls_bounded *b, const double (*v)[6],
                             double *out)
{
    rls_rows_velocity (&work->rows, v, out);
    rls_bounded_parts_add (b, v, out);
}

/* Normals come before the friction that follows them. */
void rls_bounded_clamp (const rls_bounded *b, double *p)
{
    for (int r = 0; r < b->rows; ++r)
    {
        double lo, hi;
        rls_row_bounds (b, p, r, &lo, &hi);
        p[r] = rls_clamp (p[r], lo, hi);
    }
}

RLS_VECTOR_CLONES void rls_bounded_apply (const rls_bounded *b, const double *p, double (*v)[6])
{
    for (int j = 0; j < b->joints; ++j)
    {
        two_bodies x = load_bodies (b, j, (const double (*)[6])v);
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            x.v1 = rls_six_add (x.v1, rls_six_load (b->Y[r]), p[r]);
            x.v2 = rls_six_add (x.v2, rls_six_load (b->Y[r] + 6), p[r]);
        }
        if (b->body1[j] >= 0) rls_six_store (v[b->body1[j]], x.v1);
        if (b->body2[j] >= 0) rls_six_store (v[b->body2[j]], x.v2);
        if (b->parts > 0) rls_bounded_parts_push (b, j, p[b->row0[j]], v);
    }
}

/* What a sweep needs of the rows of each joint besides D: its inverse, and what the rows before it in the
 * joint change its velocity by. */
static void form_local (const rls_bounded *b, const double *diagonal, rls_local_row *local)
{
    for (int j = 0; j < b->joints; ++j)
        for (int r0 = b->row0[j], r = r0; r < b->row0[j + 1]; ++r)
        {
            local[r].inverse = diagonal[r] > 0 ? 1 / diagonal[r] : 0;
            for (int s = r0; s < r; ++s)
            {
                const two_bodies Y = {rls_six_load (b->Y[s]), rls_six_load (b->Y[s] + 6)};
                local[r].before[s - r0] = velocity (b->J[r], &Y);
            }
        }
}

/* The m rows of a joint, one after the other; their velocities are taken at once and then follow the
 * impulses, so that the bodies need not be waited for. */
INLINE void sweep_joint (rls_bounded *b, const rls_local_row *local, int j, int m, double (*v)[6])
{
    const int r0 = b->row0[j];
    two_bodies x = load_bodies (b, j, (const double (*)[6])v);
    double w[RLS_MOST_LOCAL], change[RLS_MOST_LOCAL];
    for (int i = 0; i < m; ++i)
        w[i] = velocity (b->J[r0 + i], &x) + b->softness[r0 + i] * b->p[r0 + i] - b->target[r0 + i];
    for (int i = 0; i < m; ++i)
    {
        const int r = r0 + i;
        double lo, hi;
        rls_row_bounds (b, b->p, r, &lo, &hi);
        for (int k = 0; k < i; ++k) w[i] += local[r].before[k] * change[k];
        const double p =
            local[r].inverse > 0 ? rls_clamp (b->p[r] - w[i] * local[r].inverse, lo, hi) : b->p[r];
        change[i] = p - b->p[r];
        b->p[r] = p;
    }
    for (int i = 0; i < m; ++i)
    {
        x.v1 = rls_six_add (x.v1, rls_six_load (b->Y[r0 + i]), change[i]);
        x.v2 = rls_six_add (x.v2, rls_six_load (b->Y[r0 + i] + 6), change[i]);
    }
    if (b->body1[j] >= 0) rls_six_store (v[b->body1[j]], x.v1);
    if (b->body2[j] >= 0) rls_six_store (v[b->body2[j]], x.v2);
}

RLS_VECTOR_CLONES static void sweep (rls_bounded *b, const rls_local_row *local, double (*v)[6])
{
    for (int j = 0; j < b->joints; ++j)
    {
        const int m = b->row0[j + 1] - b->row0[j];
        if (m == 3) /* contacts, which are many */
            sweep_joint (b, local, j, 3, v);
        else
            sweep_joint (b, local, j, m, v);
    }
}

/* Of the velocity that row r is off by, what its bodies would be moved by: the rest is the row's own give. */
static double moved (const rls_bounded *b, double D, int r, double off)
{
    if (b->parts > 0) return off / D * (D - b->softness[r]);
    return b->softness[r] > 0 ? off / D * mobility (b, r) : off;
}

/* The part of row r, whose velocity is v, in the residual and in the sum of its squares. */
INLINE void measure_row (const rls_bounded *b, const double *diagonal, const double *p, int r, double v,
                         rls_bounded_residual *worst, double *squares)
{
    const double D = diagonal[r];
    double lo, hi;
    if (!(D > 0)) return;
    rls_row_bounds (b, p, r, &lo, &hi);
    const double w = v + b->softness[r] * p[r] - b->target[r];
    const double off = fabs (D * p[r] - rls_clamp (D * p[r] - w, D * lo, D * hi));
    const double motion = moved (b, D, r, off);
    /* written so that what is not a number counts as worst */
    if (!(motion <= worst->velocity)) worst->velocity = motion;
    if (!(off <= worst->impulse * D)) worst->impulse = off / D;
    if (!(fabs (p[r]) <= worst->largest)) worst->largest = fabs (p[r]);
    *squares += motion * motion;
}

RLS_VECTOR_CLONES rls_bounded_residual rls_bounded_measure (const rls_bounded *b, const double *diagonal,
                                                            const double *p, const double (*v)[6])
{
    rls_bounded_residual worst = {0};
    double squares = 0;
    for (int j = 0; j < b->joints; ++j)
    {
        const two_bodies x = load_bodies (b, j, v);
        const double others = b->parts > 0 ? rls_bounded_parts_velocity (b, j, v) : 0;
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
            measure_row (b, diagonal, p, r, velocity (b->J[r], &x) + others, &worst, &squares);
    }
    worst.mean = b->rows > 0 ? sqrt (squares / b->rows) : 0;
    return worst;
}

rls_bounded_residual rls_bounded_measure_rows (const rls_bounded *b, const double *diagonal, const double *p,
                                               const double *velocity_of)
{
    rls_bounded_residual worst = {0};
    double squares = 0;
    for (int r = 0; r < b->rows; ++r) measure_row (b, diagonal, p, r, velocity_of[r], &worst, &squares);
    worst.mean = b->rows > 0 ? sqrt (squares / b->rows) : 0;
    return worst;
}

/* x, which a sweep has taken there from before, goes on by beta of the last direction d; d is then that of
 * both. */
static void go_on (size_t n, double beta, const double *before, double *d, double *x)
{
    for (size_t i = 0; i < n; ++i)
    {
        const double swept = x[i] - before[i], more = beta > 0 ? beta * d[i] : 0;
        x[i] += more;
        d[i] = swept + more;
    }
}

/* Goes on from where a sweep has led, what it changed taken for a gradient; the directions are conjugate for
 * as long as that shrinks.  Returns its square, the next one's last. */
static double go_on_from_sweep (rls_island *island, const struct rls_bounded_work *work, double last,
                                double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    const rls_sweeps *s = &work->sweeps;
    double now = 0;
    for (int r = 0; r < b->rows; ++r) now += work->diagonal[r] * (b->p[r] - s->p[r]) * (b->p[r] - s->p[r]);
    const double beta = now < last ? now / last : 0;
    go_on ((size_t)b->rows, beta, s->p, s->dp, b->p);
    go_on ((size_t)island->begin.rows.rows, beta, s->q, s->dq, island->reactions.p);
    go_on (6 * (size_t)island->model.bodies, beta, s->v[0], s->dv[0], v[0]);
    return now;
}

static void remember (const rls_island *island, const rls_sweeps *s, const double (*v)[6])
{
    const int bilateral = island->begin.rows.rows;
    memcpy (s->p, island->begin.bounded.p, sizeof (double) * (size_t)island->begin.bounded.rows);
    if (bilateral > 0) memcpy (s->q, island->reactions.p, sizeof (double) * (size_t)bilateral);
    memcpy (s->v, v, sizeof (*v) * (size_t)island->model.bodies);
}

rls_bounded_residual rls_bounded_improve (rls_island *island, const struct rls_bounded_work *work,
                                          double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    const int many = b->rows > RLS_SMALL_ISLAND;
    double last = 0;
    form_local (b, work->diagonal, work->local);
    for (int i = 1; i <= SWEEPS; ++i)
    {
        if (many) remember (island, &work->sweeps, (const double (*)[6])v);
        sweep (b, work->local, v);
        if (many || i % (SWEEPS / 2) == 0)
            rls_bounded_bilateral (island, work->bilateral_scratch, island->reactions.p, v);
        if (many && i < SWEEPS) last = go_on_from_sweep (island, work, last, v);
    }
    return rls_bounded_measure (b, work->diagonal, b->p, (const double (*)[6])v);
}
