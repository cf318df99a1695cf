/*
 * What the interior-point method and the choice among the solvers share: the mass matrix with the bilateral
 * rows in body space, the bilateral part of a Newton step, and the velocities that given bounded impulses
 * make.
 */
#include "bounded_work.h"

int rls_newton_begin (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_rows *rows = &island->begin.rows;
    const rls_factor *f = &island->begin.factor;
    double *weight = work->interior.bilateral_weight;
    if (!rls_body_space_analyse (&island->bounded_kept->space, island)) return 0;
    rls_factor_diagonal (f, rows, weight);
    for (int r = 0; r < rows->rows; ++r)
        weight[r] = f->decision[r] == RLS_REDUNDANT || !(weight[r] > 0)
                        ? 0
                        : 1 / fmax (rows->sigma2[r], RLS_PROXIMAL * weight[r]);
    return 1;
}

void rls_newton_start (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_rows *rows = &island->begin.rows;
    rls_body_space *space = &island->bounded_kept->space;
    if (work->started) return;
    rls_body_space_reset (space, island, island->state.pose);
    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS];
        const double *J[RLS_MAX_ROWS];
        const int r0 = rows->row0[j], m = rows->row0[j + 1] - r0;
        const rls_row *spelt = rls_joint_rows (rows, j, room);
        for (int r = 0; r < m; ++r) J[r] = spelt[r];
        rls_body_space_add (space, rows->body[j], space->bilateral_block[j], m, J, J,
                            work->interior.bilateral_weight + r0);
    }
    rls_body_space_keep (space);
    work->started = 1;
}

void rls_newton_add (rls_body_space *space, const rls_bounded *b, int j, const double *weight,
                     const double *coupling)
{
    const int r0 = b->row0[j], m = b->row0[j + 1] - r0;
    const double *J[RLS_MOST_LOCAL], *G[RLS_MOST_LOCAL];
    double changed[RLS_MOST_LOCAL][12];
    int moved[RLS_MOST_LOCAL] = {0};
    for (int r = 0; r < m; ++r) J[r] = G[r] = b->J[r0 + r];
    for (int f = 0; f < m; ++f)
    {
        if (coupling[r0 + f] == 0) continue;
        const int n = b->follow[r0 + f] - r0;
        if (!moved[n]) memcpy (changed[n], G[n], sizeof (changed[n]));
        for (int k = 0; k < 12; ++k) changed[n][k] += coupling[r0 + f] * b->J[r0 + f][k];
        G[n] = changed[n];
        moved[n] = 1;
    }
    rls_body_space_add (space, b->body[j], space->bounded_block[j], m, J, G, weight + r0);
}

void rls_newton_base (const rls_island *island, struct rls_bounded_work *work, const double (*v)[6])
{
    const rls_rows *rows = &island->begin.rows;
    rls_interior *in = &work->interior;
    for (int i = 0; i < island->model.bodies; ++i)
        for (int k = 0; k < 6; ++k) in->dv[i][k] = work->start[i][k] - v[i][k];
    rls_body_space_momentum (&island->bounded_kept->space, in->dv, in->base);
    for (int r = 0; r < rows->rows; ++r)
    {
        const double off = rows->target[r] - in->bilateral_w[r] - rows->sigma2[r] * island->reactions.p[r];
        in->bilateral_q[r] =
            in->bilateral_weight[r] > 0 ? island->reactions.p[r] + in->bilateral_weight[r] * off : 0;
    }
    rls_rows_force (rows, in->bilateral_q, in->base);
}

void rls_newton_bilateral (rls_island *island, struct rls_bounded_work *work, double x)
{
    const rls_rows *rows = &island->begin.rows;
    rls_interior *in = &work->interior;
    double *change = work->bilateral_scratch;
    rls_rows_velocity (rows, in->dv, change);
    for (int r = 0; r < rows->rows; ++r)
    {
        in->bilateral_w[r] += x * change[r];
        island->reactions.p[r] +=
            x * (in->bilateral_q[r] - in->bilateral_weight[r] * change[r] - island->reactions.p[r]);
    }
}

void rls_newton_velocities (const rls_island *island, struct rls_bounded_work *work, const double (*v)[6])
{
    const rls_bounded *b = &island->begin.bounded;
    rls_interior *in = &work->interior;
    rls_rows_velocity (&island->begin.rows, v, in->bilateral_w);
    rls_rows_velocity (&work->rows, v, in->w);
    for (int r = 0; r < b->rows; ++r) in->w[r] += b->softness[r] * b->p[r] - b->target[r];
}

/* ---- the bilateral rows beside given impulses: one solve with the island's factor ---- */

void rls_bounded_bilateral (const rls_island *island, double *scratch, double *p, double (*v)[6])
{
    const rls_rows *rows = &island->begin.rows;
    if (rows->rows == 0) return;
    rls_rows_missing (rows, rows->target, v, scratch);
    for (int r = 0; r < rows->rows; ++r) scratch[r] -= rows->sigma2[r] * p[r];
    rls_factor_push (&island->begin.factor, rows, scratch, v);
    for (int r = 0; r < rows->rows; ++r) p[r] += scratch[r];
}

void rls_bounded_complete (const rls_island *island, const struct rls_bounded_work *work, const double *p,
                           double *bilateral_p, double (*v)[6])
{
    const int bodies = island->model.bodies, rows = island->begin.rows.rows;
    if (!work->multipliers)
    {
        memcpy (v, work->start, sizeof (*v) * (size_t)bodies);
        if (rls_flat_largest (island->begin.bounded.rows, p) != 0)
            rls_bounded_push (&island->begin.bounded, 1, p, v);
        rls_enforce (&island->begin.factor, &island->begin.rows, island->begin.rows.target,
                     work->bilateral_scratch, v);
        return;
    }

    /* bilateral impulses of an iterate that has overflowed are no start */
    for (int r = 0; r < rows; ++r)
        if (!isfinite (bilateral_p[r])) bilateral_p[r] = 0;
    memcpy (v, work->start, sizeof (*v) * (size_t)bodies);
    rls_bounded_push (&island->begin.bounded, 1, p, v);
    const double without = rls_fastest (bodies, v);
    rls_rows_apply (&island->begin.rows, bilateral_p, v);

    /* nor are some that make far larger velocities: solving beside them would lose digits to rounding */
    if (rows > 0 && RLS_SEEN * rls_fastest (bodies, v) > without)
    {
        memset (bilateral_p, 0, sizeof (double) * (size_t)rows);
        memcpy (v, work->start, sizeof (*v) * (size_t)bodies);
        rls_bounded_push (&island->begin.bounded, 1, p, v);
    }
    rls_bounded_bilateral (island, work->bilateral_scratch, bilateral_p, v);
}

rls_bounded_residual rls_bounded_evaluate (rls_island *island, double (*v)[6])
{
    const struct rls_bounded_work *w = island->bounded_work;
    rls_bounded_complete (island, w, island->begin.bounded.p, island->reactions.p, v);
    return rls_bounded_measure (&island->begin.bounded, w->diagonal, island->begin.bounded.p, v);
}
