/*
 * Products with M^-1 of a body, for the factor and for products with rows.
 *
 * The columns M^-1 J' of the rows (velocities that unit impulses cause) are not stored, but computed from
 * mass and inverse inertia wherever they are needed.
 */
#ifndef RLS_MOBILITY_H
#define RLS_MOBILITY_H

#include "rows.h"

RLS_INLINE int rls_is_pushed (const rls_rows *rows, int body) { return body >= 0 && rows->movable[body]; }

/* turn := the columns of the inverse inertia, in entries 1 to 3. */
RLS_INLINE void rls_get_turns (const rls_rows *rows, int body, rls_four turn[3])
{
    const double *W = rows->W[body];
    const rls_four first = RLS_CONST_FOUR (W);
    turn[0] = RLS_SHUFFLE (first, first, 3, 0, 1, 2);
    turn[1] = RLS_CONST_FOUR (W + 2);
    turn[2] = RLS_CONST_FOUR (W + 5);
}

/* v += M^-1 f for a body that can be pushed, with the force in entries 0 to 2 and the torque in entries 1
 * to 3. */
RLS_INLINE void rls_push (const rls_rows *rows, int body, const rls_four *force, const rls_four *torque,
                          double *v)
{
    rls_four turn[3];
    rls_get_turns (rows, body, turn);
    const rls_four moved = *force * (1 / rows->mass[body]),
                   turned = (*torque)[1] * turn[0] + (*torque)[2] * turn[1] + (*torque)[3] * turn[2];
    RLS_FOUR (v) += RLS_SHUFFLE (moved, turned, 0, 1, 2, 5);
    v[4] += turned[2], v[5] += turned[3];
}

/* Y := 0 for m rows, 12 numbers apart: the columns on a body that cannot be pushed. */
RLS_INLINE void rls_no_columns (const int m, double *Y)
{
    for (int r = 0; r < m; ++r)
        for (int k = 0; k < 6; ++k) Y[12 * r + k] = 0;
}

/* Y := M^-1 J' for m rows on one body; J and Y point to the six entries of its side, 12 numbers apart. */
RLS_INLINE void rls_side_columns (const rls_rows *rows, int body, const int m, const double *J, double *Y)
{
    if (!rls_is_pushed (rows, body))
    {
        rls_no_columns (m, Y);
        return;
    }

    /* with added mass (mass_scaling.h) the inverse mass matrix is full */
    if (rows->raised && rows->raised[body])
    {
        const double *P = rows->scaled_inverse[body];
        for (int r = 0; r < m; ++r)
            for (int k = 0; k < 6; ++k) Y[12 * r + k] = rls_dot6 (P + 6 * k, J + 12 * r);
        return;
    }

    /* else linear and angular parts are separate */
    const double inverse_mass = 1 / rows->mass[body];
    rls_four turn[3];
    rls_get_turns (rows, body, turn);
    for (int r = 0; r < m; ++r)
    {
        const double *j = J + 12 * r;
        double *y = Y + 12 * r;
        const rls_four move = inverse_mass * RLS_CONST_FOUR (j),
                       turned = j[3] * turn[0] + j[4] * turn[1] + j[5] * turn[2];
        RLS_FOUR (y) = RLS_SHUFFLE (move, turned, 0, 1, 2, 5);
        y[4] = turned[2], y[5] = turned[3];
    }
}

/* The same for both sides of joint j. */
RLS_INLINE void rls_joint_columns (const rls_rows *rows, int j, const int m, const double (*J)[12],
                                   double (*Y)[12])
{
    rls_side_columns (rows, rows->body[j][0], m, J[0], Y[0]);
    rls_side_columns (rows, rows->body[j][1], m, J[0] + 6, Y[0] + 6);
}

#endif
