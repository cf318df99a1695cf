/* Poses before and behind a singular configuration; contract in nearby.h. */
#include "nearby.h"
#include <float.h>

#define MOST_CLOSINGS 6 /* iterations of Newton's method */

static void lay_out (rls_nearby *l, rls_arena_cursor *c)
{
    const size_t n = (size_t)l->bodies, rows = (size_t)l->rows.rows;
    rls_rows_lay_out_with_masses (&l->rows, c);
    RLS_TAKE (c, rows, l->own);
    RLS_TAKE (c, n, l->pose, l->closing);
}

int rls_nearby_is_slow (const rls_island *s, const double (*v)[6])
{
    return !(rls_fastest (s->model.bodies, v) * RLS_NEARBY_TIME >= RLS_NEARBY_SHORTEST);
}

rls_outcome rls_nearby_prepare (rls_nearby *l, const rls_island *s, const rls_passage *at)
{
    const double speed = rls_fastest (s->model.bodies, at->v);
    if (rls_nearby_is_slow (s, at->v)) return RLS_ANOTHER_WAY;
    l->distance = fmax (RLS_NEARBY_SHORTEST, fmin (RLS_NEARBY_DISTANCE, speed * RLS_NEARBY_TIME));
    l->time = l->distance / speed;
    l->bodies = s->model.bodies;
    rls_rows_share (&l->rows, at->rows);
    return RLS_LAY_OUT (l, &l->block, lay_out);
}

/* Evaluates the rows at l->pose, for a time (s) later than the passage, in the bases of the passage.  Returns
 * 0 if they cannot be evaluated. */
static int evaluate (rls_nearby *l, rls_island *s, const rls_passage *at, double later)
{
    if (!rls_island_look_aside (s, l->pose, later, &l->rows)) return 0;
    rls_rows_align_exactly (&l->rows, at->rows);
    rls_island_inverse_inertia (s, l->pose, &l->rows);
    return 1;
}

/* l->pose := the pose of the passage moved straight on for a time (s); evaluates the rows there, which are
 * open.  Returns as evaluate. */
static int move_straight (rls_nearby *l, rls_island *s, const rls_passage *at, double later)
{
    rls_poses_move (l->bodies, at->pose, later, at->v, l->pose);
    memset (l->closing, 0, sizeof (*l->closing) * (size_t)l->bodies);
    return evaluate (l, s, at, later);
}

rls_outcome rls_nearby_look (rls_nearby *l, rls_island *s, const rls_passage *at, double times)
{
    const double later = times * l->time, most = RLS_SMALL_PART * fabs (times) * l->distance;
    const size_t rows = (size_t)l->rows.rows;
    double last = HUGE_VAL, *x = s->scratch.rows, (*d)[6] = s->scratch.six;
    if (!move_straight (l, s, at, later)) return RLS_FAILED;
    if (rows == 0) return RLS_DONE;

    /* Newton's method, with a new factor at each pose; rank decisions are those of the first one */
    for (int i = 0; i < MOST_CLOSINGS; ++i)
    {
        RLS_TRY (rls_island_factor (s, &l->factor, &l->rows, s->elimination.rank_tolerance,
                                    i > 0 ? l->own : at->own));
        if (i == 0 && at->own != l->own) memcpy (l->own, at->own ? at->own : l->factor.decision, rows);

        /* the displacement that closes the rows */
        memcpy (x, l->rows.residual, sizeof (double) * rows);
        memset (d, 0, sizeof (*d) * (size_t)l->bodies);
        rls_factor_enforce (&l->factor, &l->rows, x, d);
        const double largest = rls_fastest (l->bodies, d);
        if (!(largest <= most)) /* so far away the joints would be closed on another branch */
            return move_straight (l, s, at, later) ? RLS_ANOTHER_WAY : RLS_FAILED;
        if (largest > 0.5 * last) break; /* only rounding is left */
        last = largest;

        /* displace, and go on until only rounding is left */
        for (int b = 0; b < l->bodies; ++b) rls_pose_displace (&l->pose[b], d[b]);
        rls_flat_blend (6 * l->bodies, 1, d[0], 1, l->closing[0], l->closing[0]);
        if (!evaluate (l, s, at, later)) return RLS_FAILED;
        if (largest <= 4 * DBL_EPSILON) break;
    }
    return RLS_DONE;
}

rls_outcome rls_nearby_branch (rls_nearby *l, rls_island *s, const rls_passage *at, double gap, double even,
                               double (*miss)[6])
{
    rls_outcome done = rls_nearby_prepare (l, s, at);
    double most = 0, change = 0;
    memset (miss, 0, sizeof (*miss) * (size_t)s->model.bodies);
    for (int i = 0; i < RLS_SAMPLES && done == RLS_DONE; ++i)
    {
        done = rls_nearby_look (l, s, at, rls_samples[i].at);
        most = fmax (most, l->factor.gap), change = fmax (change, fabs (l->factor.gap - even));
        if (done == RLS_DONE && i == 1 && (most < RLS_HYSTERESIS * gap || change < RLS_SMALL_PART * even))
            return RLS_ANOTHER_WAY;
        rls_flat_blend (6 * l->bodies, rls_samples[i].weight, l->closing[0], 1, miss[0], miss[0]);
    }
    return done;
}
