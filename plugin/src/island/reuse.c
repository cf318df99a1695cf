/*
 * From one step to the next: the factor and the rank decisions.
 *
 * A step ends with rows and a factor at its final pose, and the next one begins there.  Whatever the program
 * changes in between shows in the masses, the poses or the rows, so comparing these tells whether the factor
 * still holds.  The comparison allows for rounding, because ODE normalises quaternions in between.
 */
#include "island.h"

/* True if poses, rows and softnesses are those with which the last step ended.  Masses have been compared
 * when they were read. */
static int same_state (const rls_island *s)
{
    const int rows = s->begin.rows.rows;
    return rows == 0 || s->valid.rows_kept ||
           (rls_poses_same (s->state.pose, s->next.pose, s->model.bodies) &&
            rls_rows_same (&s->begin.rows, &s->end.rows, RLS_SAME) &&
            rls_same_numbers (s->begin.rows.sigma2, s->end.rows.sigma2, rows, RLS_SAME));
}

/* True if no pivot is near the tolerance, on either side, and the choice of kept rows has not become a poor
 * one: with other rows kept the least pivot might be larger. */
static int decisions_stand (const rls_island *s, double tolerance)
{
    const rls_factor *f = &s->end.factor;
    const rls_rows *rows = &s->begin.rows;

    /* a redundant row whose pivot has grown, a kept one whose pivot is close to the tolerance */
    for (int r = 0; r < rows->rows; ++r)
    {
        if (rows->sigma2[r] > 0) continue;
        const double relative = fabs (f->relative[r]);
        if (f->decision[r] == RLS_REDUNDANT ? relative > tolerance
                                            : relative < tolerance * (RLS_HYSTERESIS * RLS_HYSTERESIS))
            return 0;
    }
    return 1;
}

int rls_reuse_factor (rls_island *s, double rank_tolerance)
{
    const int held = s->valid.end_exact && s->valid.decisions;

    /* does the step begin in the state of the factor, and was that of a damped step */
    s->valid.end_exact = 0;
    s->valid.begin_damped = held && s->valid.end_damped && same_state (s);
    const int damped = s->valid.end_damped;
    s->valid.end_damped = 0;
    if (!held || damped || !same_state (s)) return 0;

    /* with ranks to be decided again, both sets of rows are needed */
    if (!decisions_stand (s, rank_tolerance))
    {
        if (!s->valid.rows_kept) return 0;
        rls_rows_copy (&s->begin.rows, &s->end.rows); /* the two had been exchanged */
        memcpy (s->end.rows.W, s->begin.rows.W, sizeof (*s->begin.rows.W) * (size_t)s->model.bodies);
        return 0;
    }
    const rls_factor factor = s->begin.factor;
    s->begin.factor = s->end.factor, s->end.factor = factor;
    return 1;
}

int rls_reuse_keep_decisions (rls_island *s)
{
    const int rows = s->begin.rows.rows;
    s->valid.decisions = RLS_GROW (&s->memory.decisions, s->elimination.previous, rows);
    if (!s->valid.decisions) return 0;
    if (rows > 0) memcpy (s->elimination.previous, s->begin.factor.decision, (size_t)rows);
    s->elimination.decided_gap = s->begin.factor.gap;
    return 1;
}
