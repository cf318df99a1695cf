/*
 * From one step to the next: rank decisions and the factor.
 *
 * A step ends with rows and a factor at its final pose, and the next one begins there.  Whatever the user
 * changed in between shows in the masses, the poses and the rows, so comparing them tells whether the
 * factor still holds.  The comparison allows for rounding: ODE normalises quaternions on the way.
 */
#include "reuse.h"
#include "kernels/kernels.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

RLS_VECTOR_CLONES static int same_entries (const double *a, const double *b, int n)
{
    int different = 0;
    for (int i = 0; i < n; ++i) different += !(fabs (a[i] - b[i]) <= RLS_SAME * (1 + fabs (b[i])));
    return different == 0;
}

/* The step begins where the last one ended.  Masses have been compared when they were read. */
static int same_state (const rls_island *s)
{
    const int poses = s->bodies * (int)(sizeof (rls_pose) / sizeof (double)), rows = s->rows.rows;
    return rows == 0 || s->rows_unchanged ||
           (same_entries (s->pose[0].x, s->new_pose[0].x, poses) &&
            rls_rows_same (&s->rows, &s->rows_now, RLS_SAME) &&
            same_entries (s->rows.sigma2, s->rows_now.sigma2, rows));
}

/* No pivot of the factor comes near the tolerance from either side, and the rows that were kept have not
 * become a poor choice: others may stand for the same motion and be farther from dependence. */
static int decisions_stand (const rls_island *s, double tolerance)
{
    const rls_factor *f = &s->factor_now;
    const rls_rows *rows = &s->rows;

    if (f->gap < RLS_LITTLE && f->gap < s->decided_gap / RLS_HYSTERESIS) return 0;
    for (int r = 0; r < rows->rows; ++r)
    {
        if (rows->sigma2[r] > 0) continue;
        const double relative = fabs (f->relative[r]);
        if (f->decision[r] == RLS_REDUNDANT ? relative > tolerance / (RLS_HYSTERESIS * RLS_HYSTERESIS)
                                            : relative < tolerance * (RLS_HYSTERESIS * RLS_HYSTERESIS))
            return 0;
    }
    return 1;
}

/* Takes the factor over, or gives it back. */
static void exchange (rls_island *s)
{
    const rls_factor factor = s->factor;
    s->factor = s->factor_now, s->factor_now = factor;
}

int rls_reuse_factor (rls_island *s, double rank_tolerance)
{
    const int held = s->now_exact && s->reusable;
    s->now_exact = 0;
    s->begin_damped = held && s->now_damped && same_state (s);
    s->now_held = held && !s->now_damped;
    s->now_damped = 0;
    if (!s->now_held || !same_state (s)) return 0;
    if (!decisions_stand (s, rank_tolerance))
    {
        if (!s->rows_unchanged) return 0;
        rls_rows_copy (&s->rows, &s->rows_now); /* they changed hands */
        memcpy (s->rows_now.W, s->rows.W, sizeof (*s->rows.W) * (size_t)s->bodies);
        return 0;
    }
    exchange (s);
    return 1;
}

int rls_reuse_borrow (rls_island *s, double rank_tolerance)
{
    if (!s->now_exact || s->now_damped || !s->reusable || !same_state (s) ||
        !decisions_stand (s, rank_tolerance))
        return 0;
    exchange (s);
    s->borrowed = 1;
    return 1;
}

void rls_reuse_return (rls_island *s)
{
    if (s->borrowed) exchange (s);
    s->borrowed = 0;
}

static void lay_out (rls_island *s, rls_arena_cursor *c)
{
    s->previous = rls_arena_take (c, (size_t)s->rows.rows, 1);
}

int rls_reuse_keep_decisions (rls_island *s)
{
    if (!s->reusable)
    {
        RLS_LAY_OUT (s, &s->reuse_arena, lay_out, s->reusable);
        if (!s->reusable) return 0;
    }
    if (s->rows.rows > 0) memcpy (s->previous, s->factor.decision, (size_t)s->rows.rows);
    s->decided_gap = s->factor.gap;
    return 1;
}

int rls_reuse_copy (rls_island *to, const rls_island *from)
{
    int done;
    RLS_LAY_OUT_COPY (to, &to->reuse_arena, &from->reuse_arena, lay_out, done);
    if (!done) to->reusable = 0;
    return done;
}
