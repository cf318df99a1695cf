/*
 * One Newton step with every row on the side where it is: at a bound, or free.
 *
 * Where the warm start has the sides right, as in piles at rest, that is the answer for one factorisation;
 * and it takes the last digits after the interior-point iteration, which leaves all rows a little off their
 * bounds. Friction at its bound stays at mu times the present normal impulse.
 */
#include "bounded_work.h"
#include <math.h>
#include <string.h>

/* Rows at a bound move there (dp); the others get their weight in K. */
static void choose_sides (const rls_bounded *b, const double *diagonal, rls_interior *in)
{
    for (int r = 0; r < b->rows; ++r)
    {
        double lo, hi;
        rls_row_bounds (b, b->p, r, &lo, &hi);
        const double D = diagonal[r], p = D > 0 ? b->p[r] - in->w[r] / D : b->p[r];
        const int held = p <= lo || p >= hi || !(D > 0);
        in->dp[r] = held ? rls_clamp (p, lo, hi) - b->p[r] : 0;
        in->weight[r] = held ? 0 : 1 / fmax (b->softness[r], RLS_BOUNDED_EPS * D);
    }
}

static void factor_matrix (const rls_bounded *b, struct rls_bounded_work *work)
{
    rls_body_space *space = &work->space;
    rls_body_space_restore (space);
    for (int j = 0; j < b->joints; ++j)
    {
        const int r0 = b->row0[j], m = b->row0[j + 1] - r0;
        const double *J[RLS_MOST_LOCAL];
        for (int r = 0; r < m; ++r) J[r] = b->J[r0 + r];
        rls_body_space_add (space, b->body1[j], b->body2[j], space->bounded_block[j], m, J,
                            work->interior.weight + r0);
    }
    rls_body_space_factor (space);
    ++work->factorisations;
}

rls_bounded_residual rls_settle (rls_island *island, struct rls_bounded_work *work, double (*v)[6])
{
    rls_bounded *b = &island->bounded;
    rls_interior *in = &work->interior;
    rls_newton_velocities (island, work, (const double (*)[6])v);
    choose_sides (b, work->diagonal, in);
    factor_matrix (b, work);

    /* M dv = J' dp  with  (softness + eps) dp = -w - J dv  where the row is free */
    rls_newton_base (island, work, (const double (*)[6])v);
    memcpy (in->dv, in->base, sizeof (*in->dv) * (size_t)island->bodies);
    for (int r = 0; r < b->rows; ++r) in->rhs[r] = b->p[r] + in->dp[r] - in->weight[r] * in->w[r];
    rls_rows_force (&work->rows, in->rhs, in->dv);
    rls_body_space_solve (&work->space, in->dv);
    rls_rows_velocity (&work->rows, (const double (*)[6])in->dv, in->dw);
    for (int r = 0; r < b->rows; ++r) b->p[r] = in->rhs[r] - in->weight[r] * in->dw[r];
    rls_bounded_clamp (b, b->p);
    rls_newton_bilateral (island, work, 1);
    rls_bounded_complete (island, work, 1, b->p, island->p, v);
    return rls_bounded_measure (b, work->diagonal, b->p, (const double (*)[6])v);
}
