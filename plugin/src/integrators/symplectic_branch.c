/*
 * The branch beside a singular configuration.
 *
 * A row that is nearly dependent on the others tells how far the pose is off the branch of the motion by its
 * residual over the distance from the singular configuration, and of the residual only rounding is left.
 * Each pass would give the motion another error, and later ones let it grow.  Beside the configuration the
 * branch is known well, so the displacement to it is interpolated from there (nearby.h), and the pose moved
 * by the part of it that the other rows leave free.
 */
#include "project.h"
#include "symplectic_parts.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define MOST_CLOSINGS 4

/* w->d := the displacement to the branch. Returns as rls_nearby_branch. */
static rls_outcome find_branch (rls_symplectic *w, rls_island *s, double gap, double even)
{
    double (*v)[6] = w->du;
    memcpy (v, w->u, sizeof (*v) * (size_t)s->model.bodies);
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b]) rls_spins_velocity (w->spins, b, v[b] + 3);
    const rls_passage at = {&w->trial, s->next.pose, v, w->own};
    const rls_outcome done = rls_nearby_branch (&w->limits.nearby, s, &at, gap, even, w->d);
    rls_rows_copy (&w->trial, &w->factored);
    rls_island_inverse_inertia (s, s->next.pose, &w->factored);
    return done;
}

/* trial_factor := that of the rows that are far from dependence. */
static rls_outcome factor_clear_rows (rls_symplectic *w, rls_island *s)
{
    const rls_factor *f = &w->trial_factor;
    for (int r = 0; r < w->rows; ++r)
    {
        const int clear = f->decision[r] != RLS_REDUNDANT && f->relative[r] >= RLS_DOUBTFUL_PIVOT;
        w->decided[r] = clear ? w->own[r] : RLS_REDUNDANT;
    }
    return rls_island_factor (s, &w->trial_factor, &w->factored, RLS_DEPENDENT, w->decided);
}

static int is_near (double pivot, double known)
{
    return pivot * RLS_HYSTERESIS >= known && pivot <= RLS_HYSTERESIS * known;
}

rls_outcome rls_symplectic_to_branch (rls_symplectic *w, rls_island *s, double h, double gap)
{
    const double even = gap > 0 ? 0 : w->least;
    if (is_near (gap, w->ordinary) || (even > 0 && is_near (even, w->even))) return RLS_DONE;
    const double open = rls_symplectic_open (w, s->begin.factor.decision);
    const double enough = fmax (open, fmax (w->tolerance, rls_closing_rounding (w->pose, w->bodies, 4)));
    memcpy (w->best, w->u, sizeof (*w->u) * (size_t)s->model.bodies);

    /* where the branch is, if a singular configuration is passed here */
    rls_outcome done = find_branch (w, s, gap, even);
    w->ordinary = done == RLS_DONE || even > 0 ? -1 : gap;
    w->even = done == RLS_DONE || even == 0 ? -1 : even;
    if (done != RLS_DONE) return done == RLS_ANOTHER_WAY ? RLS_DONE : done;

    /* onto it, but for what the clear rows hold, and what multipliers of the beginning cannot do */
    done = factor_clear_rows (w, s);
    if (done != RLS_DONE) return done;
    rls_enforce (&w->trial_factor, &w->factored, NULL, w->x, w->d);
    rls_spins_turn_back (w->spins, s, w->d);
    rls_add (s->model.bodies, 1 / h, w->d, w->u);
    rls_symplectic_tangential (w, s, w->d);
    rls_add (s->model.bodies, -1 / h, w->d, w->u);

    /* closed again, or back where it was */
    for (int i = 0; i < MOST_CLOSINGS; ++i)
    {
        if (!rls_symplectic_drift (w, s, h, 0) || !rls_symplectic_look (w, s, h, 0)) break;
        if (i > 0 && rls_symplectic_open (w, s->begin.factor.decision) <= enough) return RLS_DONE;
        rls_symplectic_correct (w, s, w->u, w->trial_factor.decision, enough, h, 1);
    }
    memcpy (w->u, w->best, sizeof (*w->u) * (size_t)s->model.bodies);
    return rls_symplectic_drift (w, s, h, 1) && rls_symplectic_look (w, s, h, 0) ? RLS_DONE : RLS_FAILED;
}
