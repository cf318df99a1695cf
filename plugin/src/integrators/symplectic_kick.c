/* Velocities in a symplectic sub-step: rows enforced on them, and the half kick at its end. */
#include "bounded_halves.h"
#include "symplectic_limits.h"
#include "symplectic_parts.h"
#include "tolerances.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_KICKS 12 /* iterations of a kick by forces that depend on velocities, */

void rls_enforce (const rls_factor *factor, const rls_rows *rows, const double *target, double *x,
                  double (*v)[6])
{
    rls_rows_velocity (rows, (const double (*)[6])v, x);
    if (target)
        rls_flat_blend ((size_t)rows->rows, 1, target, -1, x, x);
    else
        rls_flat_scale ((size_t)rows->rows, -1, x, x);
    rls_factor_enforce (factor, rows, x, v);
}

void rls_symplectic_tangential (rls_symplectic *w, const rls_island *s, double (*d)[6])
{
    rls_enforce (&s->begin.factor, &s->begin.rows, NULL, w->x, d);
    rls_singular_remove (&w->limits, d);
}

void rls_kick (const rls_island *s, const rls_rows *rows, const double (*v)[6], double time, double (*out)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *force = s->applied.force[b], *W = rows->W[b];
        if (!s->model.movable[b])
        {
            memcpy (out[b], v[b], sizeof (*out));
            continue;
        }
        const double linear = time / s->model.mass[b];
        for (int k = 0; k < 3; ++k)
        {
            const double turned = W[3 * k] * force[3] + W[3 * k + 1] * force[4] + W[3 * k + 2] * force[5];
            out[b][k] = v[b][k] + linear * force[k];
            out[b][3 + k] = v[b][3 + k] + time * turned;
        }
    }
}

double rls_velocity_residual (const rls_factor *factor, const rls_rows *rows, const double (*v)[6], double *x)
{
    rls_rows_velocity (rows, v, x);
    return rls_flat_left ((size_t)rows->rows, 1, rows->target, factor->decision, x);
}

/*
 * Removes what rounding left of the rows' velocities; the kick may be large against them.  Beside a limit
 * normal the rows that it stands for are resolved as far as they can be: the normal is that of the motion,
 * and misses theirs by the curvature of the way.  Returns 0 if a velocity is not finite.
 */
static int clean (rls_symplectic *w, const rls_island *s)
{
    const rls_factor *factor = w->limits.count > 0 ? &w->trial_factor : &s->end.factor;
    for (int i = 0; i < MOST_CLEANINGS; ++i)
    {
        const double speed = rls_fastest (s->model.bodies, (const double (*)[6])w->v);
        if (!isfinite (speed)) return 0;
        const double residual = rls_velocity_residual (factor, &s->end.rows, (const double (*)[6])w->v, w->x);
        w->consistent = residual <= 2 * DBL_EPSILON * (1 + speed) && w->limits.count == 0;
        if (residual <= 2 * DBL_EPSILON * (1 + speed)) break;
        rls_enforce (factor, &s->end.rows, s->end.rows.target, w->x, w->v);
    }
    return 1;
}

rls_outcome rls_symplectic_kick (rls_symplectic *w, rls_island *s, double h)
{
    const size_t size = 6 * (size_t)s->model.bodies;
    const int once = !s->provider.forces || w->lead == 1;
    double (*next)[6] = once ? w->v : w->d;
    if (s->provider.forces) /* a velocity to evaluate the forces at */
    {
        memcpy (w->v, w->u, size * sizeof (double));
        rls_enforce (&s->end.factor, &s->end.rows, s->end.rows.target, w->x, w->v);
        rls_singular_remove (&w->limits, w->v);
    }

    /* forces that depend on velocities make the kick an equation: iterated until it changes nothing */
    for (int i = 0; i < MOST_KICKS; ++i)
    {
        if (w->lead < 1 && s->provider.forces &&
            !s->provider.forces (s, s->next.pose, (const double (*)[6])w->v))
            return RLS_FAILED;
        rls_kick (s, &s->end.rows, (const double (*)[6])w->u, (1 - w->lead) * h, w->kicked);
        memcpy (next, w->kicked, size * sizeof (double));
        if (s->begin.bounded.rows > 0)
        {
            const rls_outcome done = rls_bounded_second_half (w, s, h, i > 0, next);
            if (done != RLS_DONE) return done;
        }
        rls_enforce (&s->end.factor, &s->end.rows, s->end.rows.target, w->x, next);
        rls_singular_remove (&w->limits, next);

        /* done where nothing changes any more */
        if (once) break;
        const double changed = rls_flat_replace (size, next[0], w->v[0]);
        if (!isfinite (changed)) return RLS_FAILED;
        const double fastest = rls_fastest (s->model.bodies, (const double (*)[6])w->v);
        if (changed <= (s->begin.bounded.rows > 0 ? RLS_CLOSED : 4 * DBL_EPSILON) * (1 + fastest)) break;
    }
    return clean (w, s) ? RLS_DONE : RLS_FAILED;
}
