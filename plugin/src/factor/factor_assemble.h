/*
 * The original matrix H M^-1 H' + diag (sigma^2), joint by joint, into the panels of the factor.
 *
 * A joint has a diagonal block and couplings with joints that come later in the elimination order; the rest
 * of its panel is 0.  Blocks are padded (order.h), so that everything is done in whole vectors.  A joint on a
 * dense body leaves out the part of that body and is coupled with the body's own column instead.  Included by
 * factor_columns.c only, because the functions have to be inlined where the number of rows is known.
 */
#ifndef RLS_FACTOR_ASSEMBLE_H
#define RLS_FACTOR_ASSEMBLE_H

#include "factor_parts.h"
#include "kernels/compact.h"
#include "kernels/six.h"

/* The diagonal block of a joint that is attached to a dense body: the other side's part, but the whole
 * diagonal. */
static void assemble_beside_dense (rls_factor *f, const rls_rows *rows, int j, const rls_row *J,
                                   const rls_row *Y, size_t height, double *block)
{
    const rls_order *o = f->order;
    const int r0 = rows->row0[j], m = rows->row0[j + 1] - r0;
    for (int b = 0; b < m; ++b)
    {
        double *column = block + (size_t)b * height;
        f->diagonal[r0 + b] = rls_dot6 (J[b], Y[b]) + rls_dot6 (J[b] + 6, Y[b] + 6) + rows->sigma2[r0 + b];
        for (int a = b; a < m; ++a)
            for (int side = 0; side < 2; ++side)
                if (o->side_dense[2 * j + side] < 0) column[a] += rls_dot6 (J[a] + 6 * side, Y[b] + 6 * side);
        column[b] += rows->sigma2[r0 + b];
    }
}

/* Adds the couplings of m rows J of a joint with a dense body. */
static void couple_dense (rls_factor *f, const rls_row *J, int m, const rls_coupling *with, size_t height,
                          double *panel)
{
    const int side = with->sides / 2;
    const double *root = f->dense_root[with->joint - f->order->joints];
    for (int b = 0; b < m; ++b)
    {
        double entries[RLS_DENSE_BODY_SIZE], *column = panel + with->row + (size_t)b * height;
        rls_factor_dense_entries (root, J[b] + 6 * side, entries);
        for (int c = 0; c < RLS_DENSE_BODY_SIZE; ++c) column[c] += entries[c];
    }
}

/* The diagonal block of m rows: J M^-1 J' + sigma2. */
RLS_INLINE void assemble_diagonal (const double *sigma2, const int m, const rls_row *J, const rls_row *Y,
                                   size_t height, double *block)
{
    for (int b = 0; b < m; ++b)
    {
        for (int a = b; a < m; ++a) block[(size_t)b * height + (size_t)a] = rls_dot12 (J[a], Y[b]);
        block[(size_t)b * (height + 1)] += sigma2[b];
    }
}

/* The same for rows in compact form (kernels/compact.h). */
RLS_INLINE void assemble_compact_diagonal (const double *sigma2, const int m, const rls_compact *compact,
                                           const rls_row *Y, size_t height, double *block)
{
    for (int b = 0; b < m; ++b)
    {
        double *column = block + (size_t)b * height;
        rls_four low, high;
        rls_compact_look (compact, m, Y[b], Y[b] + 6, &low, &high);
        RLS_FOUR (column) = low;
        if (m > RLS_LANES) RLS_FOUR (column + RLS_LANES) = high;
        column[b] += sigma2[b];
    }
}

/* Adds J Y', with one side of each, to a block of count rows (J) and m columns (Y). */
RLS_INLINE void assemble_coupling (const double *J, int count, const double *Y, const int m, size_t height,
                                   double *block)
{
    for (int b = 0; b < m; ++b)
        for (int a = 0; a < count; ++a)
            block[(size_t)b * height + (size_t)a] +=
                rls_six_dot (rls_six_load (J + 12 * a), rls_six_load (Y + 12 * b));
}

/* The same with J in compact form. */
RLS_INLINE void assemble_compact_coupling (const rls_compact *compact, int side, const int count,
                                           const double *Y, const int m, size_t height, double *block)
{
    for (int b = 0; b < m; ++b)
    {
        double *column = block + (size_t)b * height;
        rls_four low, high;
        rls_compact_look_side (compact, side, count, Y + 12 * b, &low, &high);
        RLS_FOUR (column) += low;
        if (count > RLS_LANES) RLS_FOUR (column + RLS_LANES) += high;
    }
}

/* Forms the columns Y = M^-1 J' of joint j, which has m rows, and its diagonal block. */
RLS_INLINE void assemble_joint (const rls_rows *rows, int j, const int m, rls_row *Y, size_t height,
                                double *block)
{
    const double *sigma2 = rows->sigma2 + rows->row0[j];
    rls_row room[RLS_MAX_ROWS];
    if (rls_is_compact (rows, j) == m && !rows->raised)
    {
        rls_compact_columns (rows, j, m, Y);
        assemble_compact_diagonal (sigma2, m, rows->compact + j, (const rls_row *)Y, height, block);
        return;
    }
    const rls_row *J = rls_joint_rows (rows, j, room);
    rls_joint_columns (rows, j, m, J, Y);
    assemble_diagonal (sigma2, m, J, (const rls_row *)Y, height, block);
}

/* Adds the couplings of m columns Y with one side of another joint to a block. */
RLS_INLINE void couple_joint (const rls_rows *rows, int other, int side, const double *Y, const int m,
                              size_t height, double *block)
{
    const int count = rows->row0[other + 1] - rows->row0[other];
    rls_row room[RLS_MAX_ROWS];
    if (rls_is_compact (rows, other) == 3)
        assemble_compact_coupling (rows->compact + other, side, 3, Y, m, height, block);
    else if (rls_is_compact (rows, other))
        assemble_compact_coupling (rows->compact + other, side, count, Y, m, height, block);
    else
        assemble_coupling (rls_joint_rows (rows, other, room)[0] + 6 * side, count, Y, m, height, block);
}

/* Forms the columns of the joint or dense body at that place in perm, which has m rows, in the panel of its
 * block column, where they are 0 before.  Finds the rows' diagonal, too. */
RLS_INLINE void assemble_member (rls_factor *f, const rls_rows *rows, int place, const int m, double *panel)
{
    const rls_order *o = f->order;
    const int j = o->perm[place], k = o->position[j], within = o->scalar[j] - o->column[k].scalar;
    const size_t height = (size_t)o->column[k].height;
    panel += (size_t)within * height;
    double *block = panel + o->column[k].top + within;

    /* dense bodies, which carry very many joints, are columns of their own, with the diagonal block -1; their
     * joints add their couplings with it */
    for (size_t c = 0; c < RLS_DENSE_BODY_SIZE && j >= o->joints; ++c) block[c * height + c] = -1;
    if (j >= o->joints) return;

    /* the diagonal block */
    const int r0 = rows->row0[j];
    const int beside_dense = o->side_dense[2 * j] >= 0 || o->side_dense[2 * j + 1] >= 0;
    rls_row room[RLS_MAX_ROWS], Y[RLS_MAX_ROWS];
    const rls_row *J = beside_dense ? rls_joint_rows (rows, j, room) : NULL;
    if (beside_dense)
    {
        rls_joint_columns (rows, j, m, J, Y);
        assemble_beside_dense (f, rows, j, J, (const rls_row *)Y, height, block);
    }
    else
    {
        assemble_joint (rows, j, m, Y, height, block);
        for (int a = 0; a < m; ++a) f->diagonal[r0 + a] = block[(size_t)a * height + (size_t)a];
    }

    /* the joints that share a body with it */
    for (int x = o->couple_start[place]; x < o->couple_start[place + 1]; ++x)
    {
        const rls_coupling *with = o->coupling + x;
        if (with->joint >= o->joints)
            couple_dense (f, J, m, with, height, panel);
        else
            couple_joint (rows, with->joint, with->sides % 2, Y[0] + 6 * (with->sides / 2), m, height,
                          panel + with->row);
    }
}

#endif
