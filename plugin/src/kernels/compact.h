/*
 * Compact joints: rows of balls, hinges and universal joints from twelve numbers in place of sixty.
 *
 *     rows 0..2    v1 + w1 x a1 - v2 - w2 x a2     a: arm, from a body's centre to the joint
 *     rows 3, 4    n (w1 - w2)                     n: across, what the joint does not turn about
 *
 * A ball joint has three rows, a universal joint four, a hinge five.  Products with compact joints read a
 * fifth of what rows spelt out in J would take.  Whoever needs these looks at them through rls_joint_rows,
 * and a joint whose rows are to be changed (aligned with others, say) is spelt out first: then it is no
 * compact joint any more.
 *
 * Vectors of three stand in entries 0 to 2 or 1 to 3 of vectors of four, as they can be read; the fourth
 * entry is whatever is beside them.
 */
#ifndef RLS_COMPACT_H
#define RLS_COMPACT_H

#include "mobility.h"

/* x, y, z in entries 0 to 2 -> y, z, x there; in entries 1 to 3 likewise. */
#define RLS_TURNED_LOW(x) RLS_SHUFFLE (x, x, 1, 2, 0, 3)
#define RLS_TURNED_HIGH(x) RLS_SHUFFLE (x, x, 0, 2, 3, 1)

/* Entries are kept and set by products: valgrind 3.19 does not know the moves that compilers make of shuffles
 * with 0. */
static const double rls_first_entries[RLS_LANES][RLS_LANES] = {{0}, {1}, {1, 1}, {1, 1, 1}};
static const double rls_scales[3][RLS_LANES] = {{1}, {0, 1}, {0, 0, 1}};

/* What a compact joint's rows make of a relative velocity: that of the points (entries 0 to 2), and the
 * turning w (entries 1 to 3) along what is across.  low: rows 0 to 3, high: row 4; 0 where there is none. */
RLS_INLINE void rls_compact_rows (const double *compact, const int m, const rls_four *points,
                                  const rls_four *turning, rls_four *low, rls_four *high)
{
    const rls_four none = {0}, w = RLS_SHUFFLE (none, *turning, 0, 5, 6, 7);
    if (m == 3)
    {
        *low = *points * RLS_CONST_FOUR (rls_first_entries[3]);
        *high = none;
        return;
    }
    rls_four p = w * RLS_CONST_FOUR (compact + 5), q = none;
    if (m > 4) q = w * RLS_CONST_FOUR (compact + 8);
    rls_four sum = RLS_SHUFFLE (q, p, 0, 4, 2, 6) + RLS_SHUFFLE (q, p, 1, 5, 3, 7);
    sum += RLS_SHUFFLE (sum, sum, 2, 3, 0, 1);
    *low = RLS_SHUFFLE (*points, sum, 0, 1, 2, 7);
    *high = sum * RLS_CONST_FOUR (rls_first_entries[1]);
}

/* The velocities along the m rows, of bodies with velocities one and two. */
RLS_INLINE void rls_compact_look (const rls_compact *compact, const int m, const double *one,
                                  const double *two, rls_four *low, rls_four *high)
{
    const double *x = (const double *)compact;
    const rls_four arm = RLS_CONST_FOUR (x), a1 = RLS_SHUFFLE (arm, arm, 3, 0, 1, 2),
                   a2 = RLS_CONST_FOUR (x + 2);
    const rls_four w1 = RLS_CONST_FOUR (one + 2), w2 = RLS_CONST_FOUR (two + 2), w = w1 - w2;
    const rls_four turned = (w1 * RLS_TURNED_HIGH (a1) - RLS_TURNED_HIGH (w1) * a1) -
                            (w2 * RLS_TURNED_HIGH (a2) - RLS_TURNED_HIGH (w2) * a2);
    const rls_four points =
        RLS_CONST_FOUR (one) - RLS_CONST_FOUR (two) + RLS_SHUFFLE (turned, turned, 2, 3, 1, 0);
    rls_compact_rows (x, m, &points, &w, low, high);
}

/* The same where only the body of one side moves. */
RLS_INLINE void rls_compact_look_side (const rls_compact *compact, int side, const int m, const double *v,
                                       rls_four *low, rls_four *high)
{
    const double *x = (const double *)compact, sign = side ? -1 : 1;
    const rls_four arm = RLS_CONST_FOUR (x);
    rls_four a = RLS_SHUFFLE (arm, arm, 3, 0, 1, 2);
    if (side) a = RLS_CONST_FOUR (x + 2); /* what a ball joint is across is nothing that could be read */
    const rls_four w = sign * RLS_CONST_FOUR (v + 2),
                   turned = w * RLS_TURNED_HIGH (a) - RLS_TURNED_HIGH (w) * a;
    const rls_four points = sign * RLS_CONST_FOUR (v) + RLS_SHUFFLE (turned, turned, 2, 3, 1, 0);
    rls_compact_rows (x, m, &points, &w, low, high);
}

/* Adds what impulses p along the m rows do to one side: forces in entries 0 to 2, torques in 1 to 3. */
RLS_INLINE void rls_compact_push (const rls_compact *compact, int side, const int m, const double *p,
                                  rls_four *force, rls_four *torque)
{
    static const double signs[2] = {1, -1};
    const double *x = (const double *)compact;
    const rls_four a = RLS_CONST_FOUR (x + 3 * side);
    const rls_four f = m > 3 ? RLS_CONST_FOUR (p) : (rls_four){p[0], p[1], p[2], 0};
    const rls_four turned = a * RLS_TURNED_LOW (f) - RLS_TURNED_LOW (a) * f;
    rls_four t = RLS_SHUFFLE (turned, turned, 3, 1, 2, 0);
    if (m > 3) t += p[3] * RLS_CONST_FOUR (x + 5);
    if (m > 4) t += p[4] * RLS_CONST_FOUR (x + 8);
    *force += signs[side] * f;
    *torque += signs[side] * t;
}

/* Y := M^-1 J' for one side of the m rows, 12 apart. */
RLS_INLINE void rls_compact_side_columns (const rls_rows *rows, const rls_compact *compact, int side,
                                          int body, const int m, double *Y)
{
    const double *x = (const double *)compact, *a = x + 3 * side, sign = side ? -1 : 1;
    rls_four turn[3], turned[RLS_MAX_ROWS];
    if (!rls_is_pushed (rows, body))
    {
        rls_no_columns (m, Y);
        return;
    }
    rls_get_turns (rows, body, turn);
    for (int k = 0; k < 3; ++k) turn[k] *= sign;
    turned[0] = a[2] * turn[1] - a[1] * turn[2];
    turned[1] = a[0] * turn[2] - a[2] * turn[0];
    turned[2] = a[1] * turn[0] - a[0] * turn[1];
    for (int r = 3; r < m; ++r)
    {
        const double *n = x + 3 * r - 3;
        turned[r] = n[0] * turn[0] + n[1] * turn[1] + n[2] * turn[2];
    }
    for (int r = 0; r < m; ++r)
    {
        rls_four moved = {0};
        if (r < 3) moved = (sign / rows->mass[body]) * RLS_CONST_FOUR (rls_scales[r]);
        RLS_FOUR (Y + 12 * r) = RLS_SHUFFLE (moved, turned[r], 0, 1, 2, 5);
        Y[12 * r + 4] = turned[r][2], Y[12 * r + 5] = turned[r][3];
    }
}

/* Of joint j, a compact joint. */
RLS_INLINE void rls_compact_columns (const rls_rows *rows, int j, const int m, rls_row *Y)
{
    rls_compact_side_columns (rows, rows->compact + j, 0, rows->body1[j], m, Y[0]);
    rls_compact_side_columns (rows, rows->compact + j, 1, rows->body2[j], m, Y[0] + 6);
}

#endif
