/*
 * Compact joints: rows of balls, hinges and universal joints as twelve numbers (rls_compact) instead of up to
 * sixty.
 *
 *     rows 0..2    v1 + w1 x a1 - v2 - w2 x a2     a: arm, from a body's centre to the joint
 *     rows 3, 4    n (w1 - w2)                     n: across, a direction about which the joint does not turn
 *
 * A ball joint has three rows, a universal joint four, a hinge five.  Products with compact joints read a
 * fifth of the memory that rows written out in J would take.  Others use rls_joint_rows to get at the rows;
 * and a joint whose rows are to be changed, as for other bases, is written out first (rls_rows_spell_joint),
 * after which it is not compact any more.
 *
 * Vectors of three are kept in entries 0 to 2 or 1 to 3 of vectors of four, depending on where they can be
 * read from; the fourth entry is not defined.
 */
#ifndef RLS_COMPACT_H
#define RLS_COMPACT_H

#include "mobility.h"

/* Rotate x, y, z to y, z, x, in entries 0 to 2 or in entries 1 to 3; for cross products. */
#define RLS_TURNED_LOW(x) RLS_SHUFFLE (x, x, 1, 2, 0, 3)
#define RLS_TURNED_HIGH(x) RLS_SHUFFLE (x, x, 0, 2, 3, 1)

/* Factors that keep some entries and set the others to 0.  (Compilers turn shuffles with 0 into instructions
 * that valgrind 3.19 does not know.) */
static const double rls_first_entries[RLS_LANES][RLS_LANES] = {{0}, {1}, {1, 1}, {1, 1, 1}};
static const double rls_scales[3][RLS_LANES] = {{1}, {0, 1}, {0, 0, 1}};

/* Velocities along the m rows of a compact joint, from the relative velocity of the two points (entries 0 to
 * 2) and the relative angular velocity (turning, entries 1 to 3).  low: rows 0 to 3, high: row 4; 0 for rows
 * that there are not. */
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

/* Velocities along the m rows, for bodies with velocities one and two (low, high as above). */
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

/* The same if only the body on one side moves, with velocity v. */
RLS_INLINE void rls_compact_look_side (const rls_compact *compact, int side, const int m, const double *v,
                                       rls_four *low, rls_four *high)
{
    const double *x = (const double *)compact, sign = side ? -1 : 1;
    const rls_four arm = RLS_CONST_FOUR (x);
    rls_four a = RLS_SHUFFLE (arm, arm, 3, 0, 1, 2);
    if (side)
        a = RLS_CONST_FOUR (x + 2); /* for side 0 that would read across, which ball joints leave undefined */
    const rls_four w = sign * RLS_CONST_FOUR (v + 2),
                   turned = w * RLS_TURNED_HIGH (a) - RLS_TURNED_HIGH (w) * a;
    const rls_four points = sign * RLS_CONST_FOUR (v) + RLS_SHUFFLE (turned, turned, 2, 3, 1, 0);
    rls_compact_rows (x, m, &points, &w, low, high);
}

/* Adds force (entries 0 to 2) and torque (entries 1 to 3) that impulses p along the m rows exert on one
 * side. */
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

    /* angular parts: W (a x e) for the rows of the point, W n for the others */
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

    /* with the linear parts e / m */
    for (int r = 0; r < m; ++r)
    {
        rls_four moved = {0};
        if (r < 3) moved = (sign / rows->mass[body]) * RLS_CONST_FOUR (rls_scales[r]);
        RLS_FOUR (Y + 12 * r) = RLS_SHUFFLE (moved, turned[r], 0, 1, 2, 5);
        Y[12 * r + 4] = turned[r][2], Y[12 * r + 5] = turned[r][3];
    }
}

/* The same for both sides of compact joint j. */
RLS_INLINE void rls_compact_columns (const rls_rows *rows, int j, const int m, rls_row *Y)
{
    rls_compact_side_columns (rows, rows->compact + j, 0, rows->body[j][0], m, Y[0]);
    rls_compact_side_columns (rows, rows->compact + j, 1, rows->body[j][1], m, Y[0] + 6);
}

#endif
