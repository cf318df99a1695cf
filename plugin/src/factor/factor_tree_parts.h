/*
 * What the elimination of trees and solves with them share: vectors of three, and the numbers that are stored
 * of a node.
 */
#ifndef RLS_FACTOR_TREE_PARTS_H
#define RLS_FACTOR_TREE_PARTS_H

#include "factor_tree.h"

#define NUMBERS_A_NODE                                                                                       \
    8 /* of workspace: a force and torque, or a velocity and angular velocity, each padded to four */

/* ---- vectors of three, in the first lanes of four; the last one is not used ---- */

#define THREE(p) RLS_CONST_FOUR (p)
/* The second three of six numbers, without reading beyond them. */
#define RATE(p) RLS_SHUFFLE (RLS_CONST_FOUR ((p) + 2), RLS_CONST_FOUR ((p) + 2), 1, 2, 3, 0)
#define TURNED(a) RLS_SHUFFLE (a, a, 1, 2, 0, 3)

RLS_INLINE void cross (const rls_four *a, const rls_four *b, rls_four *out)
{
    const rls_four c = *a * TURNED (*b) - TURNED (*a) * *b;
    *out = TURNED (c);
}

RLS_INLINE double dot (const rls_four *a, const rls_four *b)
{
    const rls_four s = *a * *b;
    return (s[0] + s[1]) + s[2];
}

/* out := the sum of the three, in each of the first three lanes. */
RLS_INLINE void sum_three (const rls_four *a, rls_four *out)
{
    *out = (*a + TURNED (*a)) + RLS_SHUFFLE (*a, *a, 2, 0, 1, 3);
}

RLS_INLINE void put_three (double *p, const rls_four *a)
{
    for (int i = 0; i < 3; ++i) p[i] = (*a)[i];
}

/* out := A x, columns of A */
RLS_INLINE void multiply (const rls_four A[3], const rls_four *x, rls_four *out)
{
    *out = A[0] * (*x)[0] + A[1] * (*x)[1] + A[2] * (*x)[2];
}

/* axis := the entries of row r (3 or more) of joint j for the angular velocity of the body on that side. */
RLS_INLINE void find_axis (const rls_rows *rows, int j, int r, int side, rls_four *axis)
{
    if (rls_is_compact (rows, j))
        *axis = (double)(1 - 2 * side) * RATE (&rows->compact[j].across[r - 3][0] - 3);
    else
        *axis = RATE (rows->J[rows->row0[j] + r] + 6 * side);
}

/* ---- what is stored of a node whose joint has m rows and leaves f = 6 - m rotations free ---- */

typedef struct
{
    double *lever; /* 3: from the body's centre to the anchor */
    double *reach; /* 3: from the parent's own anchor to this one */
    double *sign; /* 1: rows are the velocity of the body's point less that of its parent's; -1: the other way
                     round */
    double *axes; /* 3 for each free rotation: its axis */
    double *push; /* 6 for each free rotation: X' I S D^-1, with the articulated inertia I and D = S' I S */
    double *ease; /* f x f: D^-1 */
    double *excite; /* m for each free rotation: D^-1 S' I T */
    double *turn;   /* 3 for each row behind the third: the rotation that it requires */
    double *resist; /* 6 for each row: X' (I - I S D^-1 S' I) T */
} node_numbers;

RLS_INLINE node_numbers numbers_of (double *p, const int m)
{
    const int f = 6 - m;
    node_numbers n;
    n.lever = p, n.reach = p + 3, n.sign = p + 6, n.axes = p + 7;
    n.push = n.axes + 3 * f;
    n.ease = n.push + 6 * f;
    n.excite = n.ease + f * f;
    n.turn = n.excite + f * m;
    n.resist = n.turn + 3 * (m - 3);
    return n;
}

/* Compiles the call separately for each number of rows that a joint of a tree can have. */
#define FOR_ROWS(m, call)                                                                                    \
    switch (m)                                                                                               \
    {                                                                                                        \
        RLS_CASE (3, call)                                                                                   \
        RLS_CASE (4, call)                                                                                   \
        RLS_CASE (5, call)                                                                                   \
    default:                                                                                                 \
        call (6);                                                                                            \
        break;                                                                                               \
    }

#endif
