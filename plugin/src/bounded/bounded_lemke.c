/*
 * Bounded rows by complementary pivoting, for islands of few rows and where nothing else leads to an answer.
 *
 * The path (lemke.c) begins at the best impulses so far, which are nearly on the right sides after a
 * step like the last one; where that does not lead to an answer it begins at none.
 */
#include "bounded_work.h"
#include <math.h>
#include <string.h>

/* Room of rows at their bounds, of the residual without impulses: from the best impulses on, from none. */
#define NEAR 1e-3
#define FROM_AFAR 2.0
#define FARTHEST 1e6     /* shift over that at the beginning */
#define PIVOTS 4         /* for each row, */
#define FEW_PIVOTS 20    /* and so many more */
#define PER_ITERATION 8  /* pivots for each iteration that is allowed */
#define LAST_DIGITS 1e-4 /* of the tolerance */

/* Of the residual without impulses: what leaves more needs impulses beyond all measure. */
#define HONEST 1e-3

/* A, its columns one after the other: impulse, velocities of all bodies with the joints closed, J v. */
static void form_matrix (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->bounded;
    rls_lemke *q = &work->path;
    double (*v)[6] = work->trial;
    rls_body_space_restore (&work->space, 0);
    rls_body_space_factor (&work->space);
    ++work->factorisations;
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            double *column = q->A + (size_t)r * (size_t)q->rows;
            memset (v, 0, sizeof (*v) * (size_t)island->bodies);
            for (int k = 0; k < 6 && b->body1[j] >= 0; ++k) v[b->body1[j]][k] += b->J[r][k];
            for (int k = 0; k < 6 && b->body2[j] >= 0; ++k) v[b->body2[j]][k] += b->J[r][6 + k];
            rls_body_space_solve (&work->space, v);
            rls_rows_velocity (&work->rows, (const double (*)[6])v, column);
            column[r] += fmax (b->softness[r], RLS_BOUNDED_EPS * work->diagonal[r]);
        }
}

/* b->p, island->p and v of the path's impulses. */
static rls_bounded_residual complete (rls_island *island, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->bounded;
    memcpy (b->p, w->path.p, sizeof (double) * (size_t)b->rows);
    rls_bounded_clamp (b, b->p);
    rls_bounded_complete (island, w, 1, b->p, island->p, v);
    return rls_bounded_measure (b, w->diagonal, b->p, (const double (*)[6])v);
}

/* Every row at a bound; a motor, which has two, at the lower one. */
static void begin_at_bounds (const rls_bounded *b, double *p)
{
    for (int r = 0; r < b->rows; ++r)
        p[r] = b->follow[r] >= 0 ? 0 : b->lo[r] > -HUGE_VAL ? b->lo[r] : b->hi[r] < HUGE_VAL ? b->hi[r] : 0;
}

/* One path from the impulses path->p. */
static int try_path (rls_island *island, int most, double room, double farthest, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    const rls_bounded *b = &island->bounded;
    w->standing = 0;
    complete (island, v);
    memcpy (w->path.p, b->p, sizeof (double) * (size_t)b->rows);
    rls_rows_velocity (&w->rows, (const double (*)[6])v, w->path.w);
    for (int r = 0; r < b->rows; ++r) w->path.w[r] += b->softness[r] * b->p[r] - b->target[r];
    rls_lemke_begin (&w->path, b, room * w->cold);
    return rls_lemke_follow (&w->path, b, most, farthest);
}

static void offer (struct rls_bounded_work *work, const double *p, const rls_bounded_residual *now,
                   double tolerance)
{
    if (now->velocity <= fmax (tolerance, HONEST * work->cold)) rls_bounded_offer (work, p, now);
}

int rls_lemke_solve (rls_island *island, struct rls_bounded_work *work, int iterations, double tolerance,
                     double (*v)[6])
{
    const rls_bounded *b = &island->bounded;
    rls_lemke *q = &work->path;
    const int most = (int)fmin (PIVOTS * b->rows + FEW_PIVOTS, PER_ITERATION * (double)iterations);
    if (!rls_lemke_lay_out (q, b->rows)) return 0;
    q->diagonal = work->diagonal;
    rls_newton_start (island, work);
    form_matrix (island, work);
    memcpy (q->p, work->best_p, sizeof (double) * (size_t)b->rows);
    for (int start = 0; start < 2; ++start)
    {
        if (start > 0) begin_at_bounds (b, q->p);
        /* from near by, a path that comes back to as much shift as it began with runs in a circle */
        if (!try_path (island, most, start ? FROM_AFAR : NEAR, start ? FARTHEST : 1, v)) continue;
        rls_bounded_residual now = complete (island, v);
        offer (work, b->p, &now, tolerance);
        if (now.velocity <= LAST_DIGITS * tolerance) return 1;
        now = rls_bounded_last_digits (island, LAST_DIGITS * tolerance,
                                       v); /* what the proximal term has left */
        offer (work, b->p, &now, tolerance);
        if (work->best.velocity <= tolerance) return 1;
    }
    return 1;
}
