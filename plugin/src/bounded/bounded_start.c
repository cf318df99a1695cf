/*
 * What a bounded problem starts from: the preparation of a problem, its residual without impulses, the
 * impulses of the last answer, and the matrix that few rows are pivoted in.
 *
 * The impulses of the last step are found again by joint and contact point (bounded_warm.c).  They are used
 * unless they leave far more than no impulses do, and are improved by Gauss-Seidel sweeps if they are not
 * close (method.md, section 9).
 */
#include "bounded_work.h"

#define MOST_SWEEPS 12 /* times eight, of many rows */
#define CALMS 2        /* how many steps that stir an island one that does not makes up for */

/* Replaces friction without limit by a coefficient that no contact slides with, so that what is said of
 * friction's bounds holds for it, too. */
static void limit_friction (rls_bounded *b)
{
    for (int r = 0; r < b->rows; ++r)
    {
        if (b->follow[r] < 0 || !(b->hi[r] > RLS_MOST_FRICTION)) continue;
        b->hi[r] = RLS_MOST_FRICTION;
        b->lo[r] = -RLS_MOST_FRICTION;
    }
}

/*
 * Replaces the inverse effective masses of drives, and of stops that rebound, by those with the joints
 * closed. They say how far a velocity is from the row's impulse: with those of free bodies, which may be
 * hundreds of times as large, a motor in range counts as nearly at its bound, and iterations end before it
 * has its rate. Other stops keep theirs, by which they are solved more accurately than is asked.  Rows that
 * can have no impulse, as drives in displacements, need none.
 */
static void close_diagonal (const rls_island *island, struct rls_bounded_work *w)
{
    const rls_bounded *b = &island->begin.bounded;
    if (b->rows <= RLS_SMALL_ISLAND || island->begin.rows.rows == 0) return;
    RLS_FOR_ROWS (b, j, r)
    {
        const int rebounds = b->row[r].bounce > 0 && !rls_bounded_is_contact (b, j);
        if ((!rebounds && !rls_bounded_is_drive (b, j, r)) || !(b->lo[r] < b->hi[r])) continue;
        if (b->mobility[r] == 0) /* not known yet in this sub-step */
        {
            rls_bounded_closed_push (island, j, r, w->bilateral_scratch, w->trial);
            b->mobility[r] = rls_bounded_velocity (b, j, r, w->trial);
        }
        const double left = b->mobility[r] + b->softness[r];
        if (left > RLS_NEGLIGIBLE * w->diagonal[r]) w->diagonal[r] = left; /* else joints hold it */
    }
}

int rls_bounded_prepare (rls_island *island, const rls_bounded_settings *settings, const double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    struct rls_bounded_work *w = rls_bounded_reserve (island);
    if (!w) return 0;
    struct rls_bounded_kept *kept = island->bounded_kept;
    if (!settings->start && !settings->apart && !rls_warm_group (&kept->warm[kept->turn], island)) return 0;
    w->rows = (rls_rows){.joints = b->joints, .rows = b->rows, .body = b->body, .row0 = b->row0, .J = b->J};
    w->factorisations = w->started = 0;
    w->multipliers = !settings->closed;
    memcpy (w->start, v, sizeof (*v) * (size_t)island->model.bodies);
    memset (island->reactions.p, 0, sizeof (double) * (size_t)island->begin.rows.rows);
    limit_friction (b);
    rls_bounded_form_diagonal (b, w->diagonal);
    close_diagonal (island, w);
    return 1;
}

/* Room for the matrix of few rows, which is formed anew.  Returns 1, or 0 without memory. */
static int begin_matrix (const rls_island *island, struct rls_bounded_work *w)
{
    w->formed = 0;
    return rls_lemke_lay_out (&w->path, island->begin.bounded.rows) && rls_closed_reserve (island, w);
}

int rls_bounded_form (rls_island *island, const double **mobility)
{
    if (island->begin.bounded.rows > RLS_SMALL_ISLAND || !rls_closed_by_halves (island)) return 1;
    struct rls_bounded_work *w = rls_bounded_reserve (island);
    if (!w || !begin_matrix (island, w)) return 0;
    rls_lemke_form (island, w);
    w->least_cold = HUGE_VAL;
    *mobility = w->path.corner;
    return 1;
}

const double *rls_bounded_closed_mobility (const rls_island *island)
{
    const struct rls_bounded_work *w = island->bounded_work;
    return w->formed ? w->path.corner : NULL;
}

int rls_bounded_without (rls_island *island, int pivots, double (*v)[6], rls_bounded_residual *nothing)
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    rls_lemke *q = &w->path;

    /* impulses of nothing: zero, or the nearest bound of rows that may not be without one */
    memset (b->p, 0, sizeof (double) * (size_t)b->rows);
    rls_bounded_clamp (b, b->p);
    if (!pivots)
    {
        *nothing = rls_bounded_evaluate (island, v);
        return 1;
    }

    /* pivoting begins with their velocities with the joints closed */
    if (!w->formed && !begin_matrix (island, w)) return 0;
    memcpy (q->origin, b->p, sizeof (double) * (size_t)b->rows);
    if (rls_closed_by_halves (island))
    {
        *nothing = rls_closed_begin (island, v);
        return 1;
    }
    rls_bounded_complete (island, w, b->p, island->reactions.p, v);
    rls_bounded_velocities (w, b, v, q->origin_w);
    *nothing = rls_bounded_measure_rows (b, w->diagonal, b->p, q->origin_w);
    return 1;
}

/* Returns 1 if a problem apart may be solved less exactly, because in an island that has been stirred for
 * long each step is another problem.  What is left elsewhere may be the same in each step, and adds up. */
static int may_be_less_exact (const rls_island *island, const rls_bounded_settings *settings)
{
    return settings->accuracy != RLS_ACCURATE && island->bounded_kept->stirred >= RLS_STIRRED_LONG;
}

void rls_bounded_load (rls_island *island, const rls_bounded_settings *settings)
{
    struct rls_bounded_kept *kept = island->bounded_kept;
    rls_bounded *b = &island->begin.bounded;
    if (settings->start && (!settings->apart || may_be_less_exact (island, settings)))
        memcpy (b->p, settings->start, sizeof (double) * (size_t)b->rows);
    else if (settings->apart)
        memset (b->p, 0, sizeof (double) * (size_t)b->rows);
    else if (rls_warm_load (&kept->warm[1 - kept->turn], &kept->warm[kept->turn], island))
        kept->stirred += kept->stirred < RLS_STIRRED_LONG;
    else
        kept->stirred = kept->stirred < CALMS ? 0 : kept->stirred - CALMS;
    for (int r = 0; r < b->rows; ++r) b->p[r] *= settings->scale;
    rls_bounded_clamp (b, b->p);
}

rls_bounded_residual rls_bounded_begin (rls_island *island, const rls_bounded_settings *settings,
                                        const rls_bounded_residual *nothing, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;

    /* the last answer, or no impulses where it is worse than that */
    rls_bounded_load (island, settings);
    rls_bounded_residual now = rls_bounded_evaluate (island, v);
    if (!(now.velocity < (w->at_rest ? RLS_GOOD_START : RLS_NEVER_START) * w->cold))
    {
        memset (b->p, 0, sizeof (double) * (size_t)b->rows);
        rls_bounded_clamp (b, b->p);
        rls_bounded_complete (island, w, b->p, island->reactions.p, v);
        now = *nothing;
    }
    rls_bounded_offer (w, b->p, &now);

    /* not at rest: sweeps treat one row after the other, and piles that stand straight would lean */
    const int may_sweep =
        !settings->apart || settings->accuracy == RLS_ROUGH || may_be_less_exact (island, settings);
    if (!w->at_rest && may_sweep && now.velocity > RLS_FAIR_SHARE * w->cold)
        now = rls_bounded_improve (island, w, now, MOST_SWEEPS, v);
    return now;
}

void rls_bounded_keep (const rls_island *island)
{
    struct rls_bounded_kept *kept = island->bounded_kept;
    rls_warm_keep (&kept->warm[1 - kept->turn], island);
}

void rls_bounded_remember_later (const rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    const struct rls_bounded_kept *kept = island->bounded_kept;
    memcpy (kept->warm[1 - kept->turn].later, b->later, sizeof (double) * (size_t)b->joints);
}
