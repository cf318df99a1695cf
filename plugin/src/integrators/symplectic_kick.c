/* Projections of velocities onto the rows, and the second half kick of a symplectic sub-step; contract in
 * symplectic_parts.h. */
#include "bounded_halves.h"
#include "symplectic_parts.h"
#include <float.h>

#define MOST_KICKS 20 /* iterations of a kick by forces that depend on velocities, at most */

void rls_symplectic_project (rls_symplectic *w, const rls_constraints *at, const double *target,
                             double (*v)[6])
{
    rls_enforce (&at->factor, &at->rows, target, w->x, v);
    rls_singular_remove (&w->singular, v);
}

double rls_velocity_residual (const rls_constraints *at, const double (*v)[6], double *x)
{
    rls_rows_missing (&at->rows, at->rows.target, v, x);
    return rls_flat_largest_kept (at->rows.rows, x, at->factor.decision);
}

/*
 * Projects w->v onto the rows at the end until only rounding is left; after a large kick the first projection
 * leaves more.  Sets consistent.  Returns 0 if a velocity is not finite.
 */
static int clean (rls_symplectic *w, const rls_island *s)
{
    for (int i = 0; i < RLS_MOST_CLEANINGS; ++i)
    {
        const double speed = rls_fastest (s->model.bodies, w->v);
        if (!isfinite (speed)) return 0;
        const double residual = rls_velocity_residual (&s->end, w->v, w->x);
        w->consistent = residual <= 2 * DBL_EPSILON * (1 + speed) && w->singular.count == 0;
        if (residual <= 2 * DBL_EPSILON * (1 + speed)) break;
        rls_enforce (&s->end.factor, &s->end.rows, s->end.rows.target, w->x, w->v);
    }
    return 1;
}

/* The state of the iterations of a kick: their number; 1 if steps are mixed (Anderson); the error (J) of the
 * first and of the last velocities. */
typedef struct
{
    int count, mixes;
    double first, last;
} kicks;

/*
 * One iteration.  w->d are the velocities that follow from the forces at w->v, and the solution has both the
 * same.  w->v becomes w->d as long as that converges, else a mixed step.  Convergence is measured by the
 * kinetic energy of the difference, in which bodies of almost no mass do not count.  Returns RLS_DONE at the
 * solution, RLS_ANOTHER_WAY if it is to go on, RLS_FAILED if it diverges, RLS_NO_MEMORY.
 */
static rls_outcome approach (rls_symplectic *w, const rls_island *s, kicks *k)
{
    const size_t size = 6 * (size_t)s->model.bodies;
    rls_flat_blend (size, 1, w->d[0], -1, w->v[0], w->du[0]);
    const double changed = rls_flat_largest (size, w->du[0]);
    const double fastest = rls_fastest (s->model.bodies, w->d);
    if (!isfinite (changed)) return RLS_FAILED;
    if (changed <= (s->begin.bounded.rows > 0 ? RLS_CLOSED : 4 * DBL_EPSILON) * (1 + fastest))
    {
        memcpy (w->v, w->d, size * sizeof (double));
        return RLS_DONE;
    }

    /* mixing begins when an iteration has not reduced the error */
    const double off = rls_kinetic_energy (s, s->model.inertia, s->next.pose, w->du);
    if (k->count++ == 0) k->first = off;
    if (k->count == MOST_KICKS && off >= k->first) return RLS_FAILED;
    if (!k->mixes && off > k->last)
    {
        k->mixes = 1;
        w->mixing.bodies = s->model.bodies, w->mixing.rows = 0;
        const int done = RLS_LAY_OUT (&w->mixing, &w->mixing_block, rls_mixing_lay_out);
        rls_mixing_begin (&w->mixing);
        if (!done) return RLS_NO_MEMORY;
    }
    k->last = off;
    if (k->mixes && k->count < MOST_KICKS) rls_mixing_step (&w->mixing, s, 1, w->du, NULL);
    rls_flat_add (size, 1, w->du[0], w->v[0]);
    if (k->count < MOST_KICKS) return RLS_ANOTHER_WAY;

    /* out of iterations: accepted since the error has become smaller, but reported */
    if (off > RLS_SEEN * rls_kinetic_energy (s, s->model.inertia, s->next.pose, w->d))
        w->unsettled = fmax (w->unsettled, off);
    return RLS_DONE;
}

rls_outcome rls_symplectic_kick (rls_symplectic *w, rls_island *s, double h)
{
    const size_t size = 6 * (size_t)s->model.bodies;
    const int once = !s->provider.forces || w->lead == 1;
    double (*next)[6] = once ? w->v : w->d;
    kicks k = {.last = HUGE_VAL};
    rls_outcome done = RLS_DONE;

    /* velocities to evaluate the forces at */
    if (s->provider.forces)
    {
        memcpy (w->v, w->u, size * sizeof (double));
        rls_symplectic_project (w, &s->end, s->end.rows.target, w->v);
    }

    /* once; with forces that depend on velocities repeated until nothing changes */
    do {
        if (w->lead < 1 && !rls_island_push (s, s->next.pose, w->v)) return RLS_FAILED;
        rls_kick (s, &s->end.rows, w->u, (1 - w->lead) * h, w->kicked);
        memcpy (next, w->kicked, size * sizeof (double));
        RLS_TRY (s->begin.bounded.rows > 0 ? rls_bounded_second_half (w, s, h, k.count > 0, next) : RLS_DONE);
        rls_symplectic_project (w, &s->end, s->end.rows.target, next);
        if (!once) done = approach (w, s, &k);
    } while (done == RLS_ANOTHER_WAY);
    if (done != RLS_DONE) return done;
    return clean (w, s) ? RLS_DONE : RLS_FAILED;
}
