/*
 * Links of chains of hinges, packed: columns of five rows, alone in their groups, that reach one later joint
 * of five rows and are reached by others in their diagonal block only (link of rls_column).
 *
 * Solves go by what they read: 48 numbers a link, six cache lines, in place of 88.  Of a block of five by
 * five the upper four rows are the vectors of its columns, the last row is one vector and a corner.
 *
 *       0  L_kk, rows 0 .. 3 of columns 0 .. 3: L below the diagonal, L' above it,
 *          on the diagonal but for two places 0: the inverse of pivot 4 in the first, B's corner in the last
 *      16  L_kk, row 4
 *      20  inverse pivots 0 .. 3
 *      24  B = L_below L_kk^-1: rows 0 .. 3 of columns 0 .. 4
 *      44  B, row 4 of columns 0 .. 3
 *
 * Before its elimination a link holds the diagonal block at 0 and 16 and its coupling at 24 and 44, and their
 * corners at 20 and 21; what is above the diagonal is of no account.
 */
#ifndef RLS_FACTOR_HINGE_H
#define RLS_FACTOR_HINGE_H

#include "factor_parts.h"
#include "kernels/kernels.h"

enum
{
    HINGE = 5, /* rows */
    HINGE_LAST = 16,
    HINGE_INVERSE = 20,
    HINGE_BELOW = 24,
    HINGE_BELOW_LAST = 44,
    /* corners: before the elimination and after it */
    HINGE_RAW_CORNER = 20,
    HINGE_RAW_BELOW_CORNER = 21,
    HINGE_INVERSE_CORNER = 0,
    HINGE_BELOW_CORNER = 15
};

/* The diagonal block between its packed form and columns of such height; the rest of column 4 is of no
 * account. */
RLS_INLINE void pack_block (const double *block, size_t height, double *low, double *last, double *corner)
{
    for (size_t c = 0; c < RLS_LANES; ++c)
    {
        RLS_FOUR (low + 4 * c) = RLS_CONST_FOUR (block + c * height);
        last[c] = block[c * height + RLS_LANES];
    }
    *corner = block[RLS_LANES * height + RLS_LANES];
}
RLS_INLINE void unpack_block (const double *low, const double *last, double corner, double *block,
                              size_t height)
{
    for (size_t c = 0; c < RLS_LANES; ++c)
    {
        RLS_FOUR (block + c * height) = RLS_CONST_FOUR (low + 4 * c);
        block[c * height + RLS_LANES] = last[c];
    }
    block[RLS_LANES * height + RLS_LANES] = corner;
}

/* Leaves of a vector what is after one of its lanes, or before it, and 0 in the others. */
RLS_INLINE void keep_lanes_after (rls_four *x, const int lane)
{
    const rls_four none = {0};
    if (lane == 0) *x = RLS_SHUFFLE (none, *x, 0, 5, 6, 7);
    if (lane == 1) *x = RLS_SHUFFLE (none, *x, 0, 1, 6, 7);
    if (lane == 2) *x = RLS_SHUFFLE (none, *x, 0, 1, 2, 7);
    if (lane == 3) *x = none;
}
RLS_INLINE void keep_lanes_before (rls_four *x, const int lane)
{
    const rls_four none = {0};
    if (lane == 0) *x = none;
    if (lane == 1) *x = RLS_SHUFFLE (*x, none, 0, 5, 6, 7);
    if (lane == 2) *x = RLS_SHUFFLE (*x, none, 0, 1, 6, 7);
    if (lane == 3) *x = RLS_SHUFFLE (*x, none, 0, 1, 2, 7);
}

/* ---- solves: a and y are rows 0 .. 3 of the link and of what is below it, a4 and y4 their last rows ---- */

/* y -= B a */
RLS_INLINE void hinge_forward (const double *p, const rls_four *a, double a4, rls_four *y, double *y4)
{
    const rls_four last = *a * RLS_CONST_FOUR (p + HINGE_BELOW_LAST);
    rls_four left = *y;
    for (int c = 0; c < RLS_LANES; ++c) left -= (*a)[c] * RLS_CONST_FOUR (p + HINGE_BELOW + 4 * c);
    *y = left - a4 * RLS_CONST_FOUR (p + HINGE_BELOW + 16);
    *y4 -= RLS_LANE_SUM (last) + a4 * p[HINGE_BELOW_CORNER];
}

/* a -= B' y */
RLS_INLINE void hinge_backward (const double *p, const rls_four *y, double y4, rls_four *a, double *a4)
{
    rls_four s[RLS_LANES], sum;
    for (int c = 0; c < RLS_LANES; ++c) s[c] = *y * RLS_CONST_FOUR (p + HINGE_BELOW + 4 * c);
    rls_lane_sums (s, (double *)&sum);
    const rls_four last = *y * RLS_CONST_FOUR (p + HINGE_BELOW + 16);
    *a -= sum + y4 * RLS_CONST_FOUR (p + HINGE_BELOW_LAST);
    *a4 -= RLS_LANE_SUM (last) + y4 * p[HINGE_BELOW_CORNER];
}

/* a := L_kk^-1 a; what rows that are not kept come out with is of no account. */
RLS_INLINE void hinge_lower (const double *p, rls_four *a, double *a4)
{
    for (int c = 0; c < RLS_LANES - 1; ++c)
    {
        rls_four column = RLS_CONST_FOUR (p + 4 * c);
        keep_lanes_after (&column, c);
        *a -= (*a)[c] * column;
    }
    const rls_four last = *a * RLS_CONST_FOUR (p + HINGE_LAST);
    *a4 -= RLS_LANE_SUM (last);
}

/* a := L_kk^-T a */
RLS_INLINE void hinge_upper (const double *p, rls_four *a, double a4)
{
    *a -= a4 * RLS_CONST_FOUR (p + HINGE_LAST);
    for (int r = RLS_LANES - 1; r > 0; --r)
    {
        rls_four row = RLS_CONST_FOUR (p + 4 * r);
        keep_lanes_before (&row, r);
        *a -= (*a)[r] * row;
    }
}

/* a := L_kk^-T D_k^-1 L_kk^-1 a; rows that are not kept come out as 0, for their columns are. */
RLS_INLINE void hinge_solve (const double *p, rls_four *a, double *a4)
{
    hinge_lower (p, a, a4);
    *a *= RLS_CONST_FOUR (p + HINGE_INVERSE);
    *a4 *= p[HINGE_INVERSE_CORNER];
    hinge_upper (p, a, *a4);
}

#endif
