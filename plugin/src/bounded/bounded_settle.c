/*
 * One Newton step with every row on the side where it is: at a bound, or free.
 *
 * Where the warm start has the sides right, as in piles at rest, that is the answer for one factorisation;
 * and it takes the last digits after the interior-point iteration, which leaves all rows a little off their
 * bounds. Friction at its bound follows the normal's impulse, so that sliding needs no more steps than
 * sticking.
 */
#include "bounded_work.h"
#include <math.h>
#include <string.h>

/* Rows at a bound move there (dp); the others get their weight in K.  coupling: what friction changes by with
 * its normal.  Returns 1 if any does. */
static int choose_sides (const rls_bounded *b, const double *diagonal, rls_interior *in)
{
    int sliding = 0;
    for (int r = 0; r < b->rows; ++r)
    {
        const int n = b->follow[r];
        double lo, hi;
        rls_row_bounds (b, b->p, r, &lo, &hi);
        const double D = diagonal[r], p = D > 0 ? b->p[r] - in->w[r] / D : b->p[r];
        const int held = p <= lo || p >= hi || !(D > 0);
        in->dp[r] = held ? rls_clamp (p, lo, hi) - b->p[r] : 0;
        in->weight[r] = held ? 0 : 1 / fmax (b->softness[r], RLS_BOUNDED_EPS * D);
        const int slides = held && D > 0 && n >= 0 && in->weight[n] > 0;
        in->coupling[r] = slides ? p <= lo ? -b->hi[r] : b->hi[r] : 0;
        sliding |= slides;
    }
    return sliding;
}

/* A joint's rows; an impulse of the normal takes along the friction that slides. */
static void add_joint (const rls_bounded *b, struct rls_bounded_work *work, int j)
{
    const rls_interior *in = &work->interior;
    const int r0 = b->row0[j], m = b->row0[j + 1] - r0;
    const double *J[RLS_MOST_LOCAL], *G[RLS_MOST_LOCAL];
    double changed[RLS_MOST_LOCAL][12];
    int slides = 0;
    for (int r = 0; r < m; ++r) J[r] = G[r] = b->J[r0 + r];
    for (int f = 0; f < m && work->space.lopsided; ++f)
    {
        if (in->coupling[r0 + f] == 0) continue;
        const int n = b->follow[r0 + f] - r0;
        for (int k = 0; k < 12; ++k) changed[n][k] = G[n][k] + in->coupling[r0 + f] * J[f][k];
        G[n] = changed[n];
        slides = 1;
    }
    rls_body_space_add (&work->space, b->body1[j], b->body2[j], work->space.bounded_block[j], m, J,
                        slides ? G : J, in->weight + r0);
}

static void factor_matrix (const rls_bounded *b, struct rls_bounded_work *work, int sliding)
{
    rls_body_space *space = &work->space;
    rls_body_space_restore (space, sliding);
    for (int j = 0; j < b->joints; ++j) add_joint (b, work, j);
    rls_body_space_factor (space);
    ++work->factorisations;
}

rls_bounded_residual rls_settle (rls_island *island, struct rls_bounded_work *work, double (*v)[6])
{
    rls_bounded *b = &island->bounded;
    rls_interior *in = &work->interior;
    rls_newton_velocities (island, work, (const double (*)[6])v);
    factor_matrix (b, work, choose_sides (b, work->diagonal, in));

    /* M dv = J' dp  with  (softness + eps) dp = -w - J dv  where the row is free */
    rls_newton_base (island, work, (const double (*)[6])v);
    memcpy (in->dv, in->base, sizeof (*in->dv) * (size_t)island->bodies);
    for (int r = 0; r < b->rows; ++r)
    {
        const int n = b->follow[r];
        in->rhs[r] = b->p[r] + in->dp[r] - in->weight[r] * in->w[r];
        if (in->coupling[r] != 0) in->rhs[r] += in->coupling[r] * (in->rhs[n] - b->p[n]);
    }
    rls_rows_force (&work->rows, in->rhs, in->dv);
    rls_body_space_solve (&work->space, in->dv);
    rls_rows_velocity (&work->rows, (const double (*)[6])in->dv, in->dw);
    for (int r = 0; r < b->rows; ++r)
    {
        const int n = b->follow[r];
        b->p[r] = in->rhs[r] - in->weight[r] * in->dw[r];
        if (in->coupling[r] != 0) b->p[r] += in->coupling[r] * (b->p[n] - in->rhs[n]);
    }
    rls_bounded_clamp (b, b->p);
    rls_newton_bilateral (island, work, 1);
    rls_bounded_complete (island, work, 1, b->p, island->p, v);
    return rls_bounded_measure (b, work->diagonal, b->p, (const double (*)[6])v);
}
