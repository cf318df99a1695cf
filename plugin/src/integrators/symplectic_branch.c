/*
 * Moves the end of a sub-step near a singular configuration onto the branch of the motion (section 8 of
 * method.md, "The branch").
 *
 * A row that almost depends on the others shows how far the pose is from the branch only by its residual
 * divided by the distance from the singular configuration, and what is left of the residual is rounding
 * error.  Each pass through the configuration would add such an error to the motion, and later passes amplify
 * it.  Before and behind the configuration the branch is known well.  So the displacement to it is
 * interpolated from there (nearby.h), and the pose is moved by the part of it that the other rows allow.
 */
#include "symplectic_parts.h"

#define MOST_CLOSINGS 4 /* iterations that close the other rows again */

/* Computes w->d, the displacement from next.pose to the branch.  Returns as rls_nearby_branch. */
static rls_outcome find_branch (rls_symplectic *w, rls_island *s, double gap, double even)
{
    double (*v)[6] = w->du;
    memcpy (v, w->u, sizeof (*v) * (size_t)s->model.bodies);
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b]) rls_spins_velocity (w->spins, b, v[b] + 3);
    const rls_passage at = {&w->trial, s->next.pose, v, w->own};
    const rls_outcome done = rls_nearby_branch (&w->singular.nearby, s, &at, gap, even, w->d);
    rls_rows_copy (&w->trial, &w->factored);
    rls_island_inverse_inertia (s, s->next.pose, &w->factored);
    return done;
}

/* Returns 1 if two pivots are about the same. */
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

    /* the displacement, if a singular configuration is passed here at all; if not, that is remembered */
    rls_outcome done = find_branch (w, s, gap, even);
    w->ordinary = done == RLS_DONE || even > 0 ? -1 : gap;
    w->even = done == RLS_DONE || even == 0 ? -1 : even;
    if (done != RLS_DONE) return done == RLS_ANOTHER_WAY ? RLS_DONE : done;

    /* u changed by the part of it that the rows with clear pivots allow and multipliers at the beginning can
     * make */
    rls_factor *f = &w->trial_factor;
    for (int r = 0; r < w->rows; ++r)
    {
        const int clear = f->decision[r] != RLS_REDUNDANT && f->relative[r] >= RLS_DOUBTFUL_PIVOT;
        w->decided[r] = clear ? w->own[r] : RLS_REDUNDANT;
    }
    RLS_TRY (rls_island_factor (s, f, &w->factored, RLS_DEPENDENT, w->decided));
    rls_enforce (f, &w->factored, NULL, w->x, w->d);
    rls_spins_turn_back (w->spins, s, w->d);
    rls_add (s->model.bodies, 1 / h, w->d, w->u);
    rls_symplectic_project (w, &s->begin, NULL, w->d);
    rls_add (s->model.bodies, -1 / h, w->d, w->u);

    /* the other rows closed again; if that fails, the end as it was */
    for (int i = 0; i < MOST_CLOSINGS; ++i)
    {
        if (!rls_symplectic_drift (w, s, h, 0) || !rls_symplectic_look (w, s, h, 0)) break;
        if (i > 0 && rls_symplectic_open (w, s->begin.factor.decision) <= enough) return RLS_DONE;
        rls_symplectic_correct (w, s, w->u, w->trial_factor.decision, enough, h, 1);
    }
    memcpy (w->u, w->best, sizeof (*w->u) * (size_t)s->model.bodies);
    return rls_symplectic_drift (w, s, h, 1) && rls_symplectic_look (w, s, h, 0) ? RLS_DONE : RLS_FAILED;
}
