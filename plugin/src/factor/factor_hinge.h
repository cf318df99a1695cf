/*
 * Packed columns of hinges (order.h): their layout, and solves with them.
 *
 * Solves take the time that reading the factor takes: with one block below, a packed column has 48 numbers,
 * six cache lines, instead of 88.  A block of 5 x 5 is stored as the vectors of its columns with rows 0 .. 3,
 * then row 4 as one vector, and its corner apart.
 *
 *        0    L_kk, columns 0 .. 3: L below the diagonal and L' above it
 *       16    L_kk, row 4
 *     24 i    block i = 1 .. below, B = L_below L_kk^-1: columns 0 .. 4, then row 4
 *
 * The corners are on the diagonal of L_kk, from its end on: those of blocks 1, 2 and 3.
 */
#ifndef RLS_FACTOR_HINGE_H
#define RLS_FACTOR_HINGE_H

#include "factor_parts.h"

enum
{
    HINGE = RLS_HINGE_ROWS,
    HINGE_BLOCK = 24,      /* values of a block; within it: */
    HINGE_LAST = 16,       /* row 4 of the diagonal block */
    HINGE_BELOW_LAST = 20, /* row 4 of a block below */
    HINGE_CORNERS = 20,    /* before the elimination: the diagonal block's corner, then those below */
    HINGE_PADDED = 8,      /* rows of a block in a panel */
    HINGE_MOST_HEIGHT = HINGE_PADDED * (1 + RLS_MOST_PACKED)
};

/* Where the corner of block i + 1 is. */
RLS_INLINE int hinge_corner (int i) { return 15 - 5 * i; }

/* panel := the packed columns p as an ordinary panel has them, before the elimination or finished.  Above the
 * diagonal, the last column is left as it was. */
RLS_INLINE void unpack_column (const double *p, int below, const int finished, double *panel)
{
    const int height = HINGE_PADDED * (1 + below);
    for (int i = 0; i <= below; ++i)
    {
        const double *block = p + HINGE_BLOCK * i, *last = block + (i > 0 ? HINGE_BELOW_LAST : HINGE_LAST);
        for (int c = 0; c < HINGE; ++c)
        {
            double *to = panel + c * height + HINGE_PADDED * i;
            if (i > 0 || c < RLS_LANES) RLS_FOUR (to) = RLS_CONST_FOUR (block + 4 * c);
            if (c < RLS_LANES)
                to[4] = last[c];
            else if (!finished)
                to[4] = p[HINGE_CORNERS + i];
            else
                to[4] = i > 0 ? p[hinge_corner (i - 1)] : 0;
        }
    }
}

/* Sets to 0 all lanes of a vector but those after the given one, or before it. */
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

/* ---- solves: a and y are rows 0 .. 3 of column k and of what is below it, in elimination order ---- */

/* y -= B a, block by block */
RLS_INLINE void packed_forward (const double *p, const rls_column *k, const int below, double *x)
{
    const rls_four a = RLS_CONST_FOUR (x + k->scalar);
    const double a4 = x[k->scalar + RLS_LANES];
    for (int i = 0; i < below; ++i)
    {
        const double *B = p + HINGE_BLOCK * (1 + i);
        double *to = x + k->target[i];
        const rls_four last = a * RLS_CONST_FOUR (B + HINGE_BELOW_LAST);
        rls_four y = RLS_FOUR (to);
        for (int c = 0; c < RLS_LANES; ++c) y -= a[c] * RLS_CONST_FOUR (B + 4 * c);
        RLS_FOUR (to) = y - a4 * RLS_CONST_FOUR (B + 16);
        to[RLS_LANES] -= RLS_LANE_SUM (last) + a4 * p[hinge_corner (i)];
    }
}

/* a -= B' y, block by block */
RLS_INLINE void packed_backward (const double *p, const rls_column *k, const int below, double *x)
{
    double *to = x + k->scalar, a4 = to[RLS_LANES];
    rls_four a = RLS_FOUR (to);
    for (int i = 0; i < below; ++i)
    {
        const double *B = p + HINGE_BLOCK * (1 + i), y4 = x[k->target[i] + RLS_LANES];
        const rls_four y = RLS_CONST_FOUR (x + k->target[i]), last = y * RLS_CONST_FOUR (B + 16);
        rls_four s[RLS_LANES], sum;
        for (int c = 0; c < RLS_LANES; ++c) s[c] = y * RLS_CONST_FOUR (B + 4 * c);
        rls_lane_sums (s, (double *)&sum);
        a -= sum + y4 * RLS_CONST_FOUR (B + HINGE_BELOW_LAST);
        a4 -= RLS_LANE_SUM (last) + y4 * p[hinge_corner (i)];
    }
    RLS_FOUR (to) = a;
    to[RLS_LANES] = a4;
}

/* a := L_kk^-1 a; results for rows that are not kept are not used. */
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

#endif
