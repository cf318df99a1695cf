/*
 * Impulses of the second half that the first half may use in advance; contract in bounded_halves.h.
 *
 * Where a program changes the velocity of a platform or of a motor from step to step, it means a motion
 * without jumps.  But the whole change is due in the first half of a step, because the mean velocity of the
 * step is the new one, while gravity has acted for half a step only, and so has the motor.  A box on a table
 * that is shaken with less than mu g slid in each step in which the table accelerated by more than half of
 * that; on a lift it lost its contacts beyond g / 2; and a motor lagged beyond half of its strength.
 */
#include "bounded_halves.h"
#include "symplectic_parts.h"

/* Returns 1 if the rows of joint j have the velocities that are wanted with v and the impulses p, but for
 * least (m/s); rolling friction may give way, as it does wherever something rolls. */
static int holds (const rls_bounded *b, const double *softness, const double *target, const double *p, int j,
                  double least, const double (*v)[6])
{
    for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
    {
        const int rolls = b->follow[r] >= 0 && rls_bounded_turns (b, r);
        if (!rolls && fabs (rls_bounded_velocity (b, j, r, v) + softness[r] * p[r] - target[r]) > least)
            return 0;
    }
    return 1;
}

/* Returns how far (m/s) rows that hold may be from the velocities that are wanted in a step of h (s): as far
 * as would not be seen after it or, where rows are many and solved less exactly, a thousandth of what forces
 * change. */
static double least_seen (const rls_island *s, double h)
{
    const int many = s->begin.bounded.rows > RLS_SMALL_ISLAND;
    return fmax (RLS_SEEN / h, many ? RLS_LITTLE * RLS_FAIR_SHARE * rls_bounded_kick (s, h) : 0);
}

/* Returns 1 if the row pushes one way, so that its later impulse is known. */
static int is_normal (const rls_bounded *b, int r)
{
    return b->follow[r] < 0 && rls_bounded_is_one_sided (b, r);
}

int rls_is_moved (const rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    int any = rls_has_kinematic (s) || rls_has_targets (s);
    for (int r = 0; r < b->rows; ++r) any |= fabs (b->row[r].rest) > RLS_SEEN;
    return any;
}

void rls_bounded_keep_later (rls_island *s, double h, const double (*v)[6])
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const double *total = s->reactions.bounded_total, least = least_seen (s, h);
    if (!rls_is_moved (s)) return;
    for (int j = 0; j < b->joints; ++j)
    {
        const int r = b->row0[j];
        const double second = is_normal (b, r) ? (total[r] - b->p[r]) / h : 1;
        const int pushes = !is_normal (b, r) || rls_bounded_side (b, r) * second > 0;
        b->later[j] = pushes && holds (end, end->softness, end->target, total, j, least, v) ? second : 0;
    }
    rls_bounded_remember_later (s);
}

void rls_bounded_begin_later (rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    memset (b->later, 0, sizeof (double) * (size_t)b->joints);
    memset (b->given, 0, sizeof (double) * (size_t)b->joints);
    if (rls_is_moved (s)) rls_bounded_recall_later (s);
}

/* Gives joint j its later impulse in advance (way 1), or takes it back (-1). */
static void give (rls_island *s, double h, double *bounded, int j, int way)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const int r = b->row0[j];
    const double given = is_normal (b, r) ? way * h * b->later[j] : 0;
    b->p[r] += given, bounded[r] += end->softness[r] * given;
    b->given[j] = way > 0 ? h * b->later[j] : 0;
    for (int i = r; i < b->row0[j + 1] && !is_normal (b, r); ++i)
        if (b->follow[i] < 0)
            end->lo[i] = (way > 0 ? 1 : 0.5) * b->lo[i], end->hi[i] = (way > 0 ? 1 : 0.5) * b->hi[i];
}

int rls_bounded_give_later (rls_island *s, double h, double *bounded, int given, const double (*u)[6])
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const double *of = given ? b->given : b->later, least = least_seen (s, h);
    int any = 0;
    for (int j = 0; j < b->joints; ++j)
    {
        const int fails =
            of[j] != 0 && !b->located[b->row0[j]] && !holds (b, end->softness, bounded, b->p, j, least, u);
        any |= fails;
        if (fails && given) give (s, h, bounded, j, -1);
    }
    for (int j = 0; j < b->joints && any && !given; ++j)
        if (b->later[j] != 0 && !b->located[b->row0[j]]) give (s, h, bounded, j, 1);
    return any;
}

void rls_bounded_push_given (const rls_bounded *b, double (*v)[6], double *p)
{
    for (int j = 0; j < b->joints; ++j)
    {
        const int r = b->row0[j];
        if (b->given[j] == 0 || !is_normal (b, r)) continue;
        if (v) rls_bounded_push_row (b, j, r, -b->given[j], v);
        if (p) p[r] -= b->given[j];
    }
}
