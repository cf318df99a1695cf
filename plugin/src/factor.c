/*
 * Numeric factorisation H M^-1 H' + diag (sigma^2) = L D L' in block columns, group by group.
 *
 * For each group in elimination order: for each of its columns, subtract what the group's earlier columns
 * have to do with it and eliminate its scalar rows one by one (deciding on each); then subtract the group's
 * outer product from the columns to its right.  Both are products of dense matrices, with one kernel.  Rows
 * that are not kept leave a zero column and change nothing.
 */
#include "factor_parts.h"
#include "kernels.h"
#include "metric.h"
#include "six.h"
#include <math.h>
#include <string.h>

#define WARY 3e-2 /* the safe pivot where light bodies make a poor choice of rows expensive */

void rls_factor_hub_entries (const double root[10], const double J[6], double to[RLS_HUB_SIZE])
{
    const double *C = root + 1;
    for (int k = 0; k < 3; ++k)
    {
        to[k] = root[0] * J[k];
        to[3 + k] = C[k] * J[3] + C[3 + k] * J[4] + C[6 + k] * J[5];
    }
}

/* The roots R of the hubs' inverse mass matrices: R R' = M^-1. */
static void find_roots (rls_factor *f, const rls_rows *rows)
{
    for (int h = 0; h < f->order->hubs; ++h)
    {
        const int b = f->order->hub_body[h];
        const double *W = rows->W[b];
        double *root = f->hub_root[h], *C = root + 1;
        root[0] = sqrt (1 / rows->mass[b]);
        memset (C, 0, 9 * sizeof (double));
        C[0] = sqrt (W[0]);
        C[3] = W[3] / C[0], C[6] = W[6] / C[0];
        C[4] = sqrt (W[4] - C[3] * C[3]);
        C[7] = (W[7] - C[6] * C[3]) / C[4];
        C[8] = sqrt (W[8] - C[6] * C[6] - C[7] * C[7]);
    }
}

/* The diagonal block of a joint that is attached to a hub: the other side's part, but the whole diagonal. */
static void assemble_beside_hub (rls_factor *f, const rls_rows *rows, int k)
{
    const rls_order *o = f->order;
    const int j = o->perm[k], r0 = rows->row0[j], height = o->height[k];
    for (int b = 0; b < o->size[k]; ++b)
    {
        const double *Y = rows->Y[r0 + b], *J = rows->J[r0 + b];
        double *column = f->value + o->panel[k] + o->top[k] + b * height;
        f->diagonal[r0 + b] = rls_dot6 (J, Y) + rls_dot6 (J + 6, Y + 6) + rows->sigma2[r0 + b];
        for (int a = b; a < o->size[k]; ++a)
            for (int side = 0; side < 2; ++side)
                if (o->side_hub[2 * j + side] < 0)
                    column[a] += rls_dot6 (rows->J[r0 + a] + 6 * side, Y + 6 * side);
        column[b] += rows->sigma2[r0 + b];
    }
}

/* A hub begins with -1; its joints have their couplings with it. */
static void assemble_hub (rls_factor *f, int k)
{
    const int height = f->order->height[k];
    double *diagonal = f->value + f->order->panel[k] + f->order->top[k];
    for (int c = 0; c < RLS_HUB_SIZE; ++c) diagonal[c * height + c] = -1;
}

static void couple_hub (rls_factor *f, const rls_rows *rows, int k, int x)
{
    const rls_order *o = f->order;
    const int r0 = rows->row0[o->perm[k]], side = o->couple_sides[x] / 2;
    const double *root = f->hub_root[o->couple_joint[x] - o->joints];
    for (int b = 0; b < o->size[k]; ++b)
    {
        double entries[RLS_HUB_SIZE], *column = f->value + o->panel[k] + o->couple_row[x] + b * o->height[k];
        rls_factor_hub_entries (root, rows->J[r0 + b] + 6 * side, entries);
        for (int c = 0; c < RLS_HUB_SIZE; ++c) column[c] += entries[c];
    }
}

/* The diagonal block of m rows, in whole vectors: J M^-1 J' + sigma2. */
RLS_INLINE void assemble_diagonal (const rls_rows *rows, int r0, const int m, size_t height, double *block)
{
    const double (*J)[12] = (const double (*)[12])rows->J + r0, (*Y)[12] = (const double (*)[12])rows->Y + r0;
    rls_four high[RLS_MAX_ROWS] = {{0}}, low;
    for (int a = RLS_LANES; a < m; ++a)
    {
        rls_four s[RLS_LANES];
        for (int b = 0; b < RLS_LANES; ++b) s[b] = RLS_PRODUCTS12 (J[a], Y[b]);
        rls_lane_sums (s, (double *)&low);
        for (int b = 0; b < RLS_LANES; ++b) high[b][a - RLS_LANES] = low[b];
        for (int b = RLS_LANES; b <= a; ++b) high[b][a - RLS_LANES] = rls_dot12 (J[a], Y[b]);
    }
    for (int b = 0; b < m; ++b)
    {
        double *column = block + (size_t)b * height;
        rls_four s[RLS_LANES] = {{0}};
        for (int a = 0; a < m && a < RLS_LANES && b < RLS_LANES; ++a) s[a] = RLS_PRODUCTS12 (J[a], Y[b]);
        rls_lane_sums (s, column);
        if (m > RLS_LANES) RLS_FOUR (column + RLS_LANES) = high[b];
        column[b] += rows->sigma2[r0 + b];
    }
}

/* J Y' of one side of each, added to a block of count rows (J) and m columns (Y), or the first that it holds:
 * then written in whole vectors. */
RLS_INLINE void assemble_coupling (const double *J, int count, const double *Y, const int m, size_t height,
                                   double *block, const int first)
{
    static const double rows_only[RLS_LANES + 1][RLS_LANES] = {{0}, {1}, {1, 1}, {1, 1, 1}, {1, 1, 1, 1}};
    const int quad = count < RLS_LANES ? count : RLS_LANES;
    rls_four rows[2][3]; /* pairs of entries of rows 0 and 2, of rows 1 and 3 */
    for (int a = 0; a < 2; ++a)
    {
        const double *p = J + 12 * (a < quad ? a : 0), *q = J + 12 * (a + 2 < quad ? a + 2 : 0);
        rows[a][0] = RLS_SHUFFLE (RLS_CONST_FOUR (p), RLS_CONST_FOUR (q), 0, 1, 4, 5);
        rows[a][1] = RLS_SHUFFLE (RLS_CONST_FOUR (p), RLS_CONST_FOUR (q), 2, 3, 6, 7);
        rows[a][2] = RLS_SHUFFLE (RLS_CONST_FOUR (p + 2), RLS_CONST_FOUR (q + 2), 2, 3, 6, 7);
    }
    for (int b = 0; b < m; ++b)
    {
        const double *y = Y + 12 * b;
        double *column = block + (size_t)b * height;
        const rls_four low = RLS_CONST_FOUR (y), high = RLS_CONST_FOUR (y + 2);
        const rls_four y0 = RLS_SHUFFLE (low, low, 0, 1, 0, 1), y1 = RLS_SHUFFLE (low, low, 2, 3, 2, 3),
                       y2 = RLS_SHUFFLE (high, high, 2, 3, 2, 3);
        const rls_four s = rows[0][0] * y0 + rows[0][1] * y1 + rows[0][2] * y2,
                       t = rows[1][0] * y0 + rows[1][1] * y1 + rows[1][2] * y2;
        rls_four sum = RLS_SHUFFLE (s, t, 0, 4, 2, 6) + RLS_SHUFFLE (s, t, 1, 5, 3, 7), rest = {0};
        if (quad < RLS_LANES) sum *= RLS_CONST_FOUR (rows_only[quad]);
        for (int a = RLS_LANES; a < count; ++a)
            rest[a - RLS_LANES] = rls_six_dot (rls_six_load (J + 12 * a), rls_six_load (y));
        if (!first) sum += RLS_FOUR (column);
        RLS_FOUR (column) = sum;
        if (count <= RLS_LANES) continue;
        if (!first) rest += RLS_FOUR (column + RLS_LANES);
        RLS_FOUR (column + RLS_LANES) = rest;
    }
}

/* Fills the panel of column k with its part of the original matrix, and the rows' diagonal. */
RLS_INLINE void assemble_column (rls_factor *f, const rls_rows *rows, int k, const int m)
{
    const rls_order *o = f->order;
    const int j = o->perm[k];
    const size_t height = (size_t)o->height[k];
    double *panel = f->value + o->panel[k], *block = panel + o->top[k];
    memset (panel, 0, sizeof (double) * height * (size_t)m);
    if (j >= o->joints)
    {
        assemble_hub (f, k);
        return;
    }
    const int r0 = rows->row0[j];
    if (o->side_hub[2 * j] >= 0 || o->side_hub[2 * j + 1] >= 0)
        assemble_beside_hub (f, rows, k);
    else
    {
        assemble_diagonal (rows, r0, m, height, block);
        for (int a = 0; a < m; ++a) f->diagonal[r0 + a] = block[(size_t)a * height + (size_t)a];
    }
    for (int x = o->couple_start[k]; x < o->couple_start[k + 1]; ++x)
    {
        const int other = o->couple_joint[x], sides = o->couple_sides[x];
        if (other >= o->joints)
        {
            couple_hub (f, rows, k, x);
            continue;
        }
        const int q0 = rows->row0[other], count = rows->row0[other + 1] - q0;
        if (count > 0)
            assemble_coupling (rows->J[q0] + 6 * (sides % 2), count, rows->Y[r0] + 6 * (sides / 2), m, height,
                               panel + o->couple_row[x], 0);
    }
}

/* The same for a link of m rows: height, the rows of its only coupling and their place are known. */
RLS_INLINE void assemble_link (rls_factor *f, const rls_rows *rows, int k, const int m)
{
    const rls_order *o = f->order;
    const rls_column *column = o->column + k;
    const int r0 = rows->row0[column->joint], x = o->couple_start[k], sides = o->couple_sides[x];
    const int q0 = rows->row0[o->couple_joint[x]];
    const size_t height = 2 * (size_t)rls_padded (m);
    double *block = f->value + column->block;
    assemble_diagonal (rows, r0, m, height, block);
    for (int a = 0; a < m; ++a) f->diagonal[r0 + a] = block[(size_t)a * height + (size_t)a];
    assemble_coupling (rows->J[q0] + 6 * (sides % 2), m, rows->Y[r0] + 6 * (sides / 2), m, height,
                       block + rls_padded (m), 1);
}

static int decide (const rls_decision_rule *rule, int row, double relative, int soft)
{
    const int out = rule->partial ? RLS_BORDER : RLS_REDUNDANT;
    if (soft) return relative > RLS_VANISHED ? RLS_KEPT : out;
    if (rule->decided)
    {
        if (rule->decided[row] == RLS_KEPT) return relative > RLS_VANISHED ? RLS_KEPT : out;
        if (rule->decided[row] == RLS_BORDER) return RLS_BORDER;
        /* what makes the row redundant may come later: the border then tells its last pivot */
        return relative < rule->tolerance ? RLS_REDUNDANT : RLS_BORDER;
    }
    if (relative < rls_rank_limit (rule, row)) return out;
    return relative >= rule->safe && !rls_is_late (rule, row) ? RLS_KEPT : RLS_BORDER;
}

/* The relative pivot from which a hard row is kept whatever was decided on it before. */
static void find_clear (rls_decision_rule *rule)
{
    const int asked = rule->decided || rule->yield;
    rule->clear = asked ? HUGE_VAL : fmax (rule->safe, RLS_HYSTERESIS * rule->tolerance);
}

/* Decides on a row.  Returns 1 if it is kept. */
RLS_INLINE int keeps (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule, int row,
                      double pivot)
{
    const double relative = f->diagonal[row] > 0 ? pivot / f->diagonal[row] : 0;
    const int soft = rows->sigma2[row] > 0;
    f->relative[row] = relative;
    if (relative >= rule->clear && !soft)
        f->decision[row] = RLS_KEPT;
    else
        f->decision[row] = (unsigned char)decide (rule, row, relative, soft);
    return f->decision[row] == RLS_KEPT;
}

/* The columns of a group that are subtracted from others: L, and D beside it. */
typedef struct
{
    const double *L;
    size_t height;
    int columns;
    double pivot[RLS_GROUP_COLUMNS]; /* 0 for rows that are not kept */
} finished_columns;

/*
 * Eliminates the m rows of column k within its diagonal block, which stays in registers: low, and high where
 * m is over four.  What stands above the diagonal is of no account.  Returns 0 if a pivot is not finite.
 */
RLS_INLINE int eliminate_block (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule,
                                double *pivots, int k, const int m, size_t height)
{
    const rls_column *column = f->order->column + k;
    const int r0 = column->joint >= 0 ? rows->row0[column->joint] : -1, wide = m > RLS_LANES;
    double *block = f->value + column->block, *inverse_pivot = f->inverse_pivot + column->scalar;
    rls_four low[RLS_MAX_ROWS], high[RLS_MAX_ROWS];
    for (int a = 0; a < m; ++a)
    {
        low[a] = RLS_FOUR (block + (size_t)a * height);
        if (wide) high[a] = RLS_FOUR (block + (size_t)a * height + RLS_LANES);
    }
    for (int a = 0; a < m; ++a)
    {
        const double pivot = a < RLS_LANES ? low[a][a] : high[a][a - RLS_LANES];
        if (!isfinite (pivot)) return 0;
        const int kept = r0 < 0 || keeps (f, rows, rule, r0 + a, pivot); /* hubs always are */
        const double inverse = kept ? 1 / pivot : 0;
        inverse_pivot[a] = inverse;
        pivots[a] = kept ? 1 / inverse : 0; /* what solves take it for, to the last bit */
        const rls_four L = inverse * low[a];
        RLS_FOUR (block + (size_t)a * height) = L;
        for (int b = a + 1; b < m && b < RLS_LANES; ++b)
        {
            const double weight = L[b];
            low[b] -= weight * low[a];
            if (wide) high[b] -= weight * high[a];
        }
        if (!wide) continue;
        const rls_four K = inverse * high[a];
        RLS_FOUR (block + (size_t)a * height + RLS_LANES) = K;
        for (int b = a < RLS_LANES ? RLS_LANES : a + 1; b < m; ++b) high[b] -= K[b - RLS_LANES] * high[a];
    }
    for (int a = m; a < rls_padded (m); ++a) inverse_pivot[a] = 0;
    return 1;
}

/* The same in panel rows below the block, from at in its first column to end. */
RLS_INLINE void eliminate_below (rls_factor *f, int k, const int m, size_t height, double *at,
                                 const double *end)
{
    const rls_column *column = f->order->column + k;
    const double *inverse_pivot = f->inverse_pivot + column->scalar, *block = f->value + column->block;
    for (; at < end; at += RLS_LANES)
    {
        rls_four x[RLS_MAX_ROWS];
        for (int a = 0; a < m; ++a) x[a] = RLS_FOUR (at + (size_t)a * height);
        for (int a = 0; a < m; ++a)
        {
            for (int b = a + 1; b < m; ++b) x[b] -= block[(size_t)a * height + (size_t)b] * x[a];
            RLS_FOUR (at + (size_t)a * height) = inverse_pivot[a] * x[a];
        }
    }
}

/* weight[c][b]: what row b of the mt rows at panel row from takes of finished column c, of so many. */
RLS_INLINE void weigh (const finished_columns *done, int columns, int from, const int mt,
                       double (*weight)[RLS_WEIGHTS])
{
    for (int c = 0; c < columns; ++c)
        for (int b = 0; b < mt; b += RLS_LANES)
            RLS_FOUR (weight[c] + b) =
                done->pivot[c] * RLS_CONST_FOUR (done->L + (size_t)c * done->height + from + b);
}

/* Subtracts what the group's earlier columns have to do with panel rows from .. to - 1 of column k. */
RLS_INLINE void update_inside (rls_factor *f, const finished_columns *done, int columns, int k, const int m,
                               int from, int to)
{
    double weight[RLS_GROUP_COLUMNS][RLS_WEIGHTS];
    weigh (done, columns, f->order->top[k], m, weight);
    rls_subtract_product (f->value + f->order->panel[k] + from, done->height, done->L + from, done->height,
                          (const double (*)[RLS_WEIGHTS])weight, columns, m, to - from);
}

/*
 * Subtracts a finished group's outer product from the diagonal block of the column at index[x], the last of
 * those that it reaches.  In chains and trees it is the only one, and both have as many rows: these are
 * constants then.
 */
RLS_INLINE void update_last (rls_factor *f, const finished_columns *done, int x, const int mt)
{
    const rls_order *o = f->order;
    const int target = o->index[x], columns = done->columns == mt ? mt : done->columns;
    const size_t target_height = (size_t)o->height[target];
    double *block = f->value + o->panel[target] + o->top[target];
    double weight[RLS_GROUP_COLUMNS][RLS_WEIGHTS];
    const double (*given)[RLS_WEIGHTS] = (const double (*)[RLS_WEIGHTS])weight;
    if (done->columns == mt)
    {
        weigh (done, mt, o->below[x], mt, weight);
        rls_subtract_product (block, target_height, done->L + o->below[x], done->height, given, mt, mt,
                              rls_padded (mt));
    }
    else
    {
        weigh (done, columns, o->below[x], mt, weight);
        rls_subtract_product (block, target_height, done->L + o->below[x], done->height, given, columns, mt,
                              rls_padded (mt));
    }
}

/* The same, and from the blocks below. */
RLS_INLINE void update_right (rls_factor *f, const finished_columns *done, int x, int end, const int mt)
{
    const rls_order *o = f->order;
    const int target = o->index[x];
    const size_t target_height = (size_t)o->height[target];
    double *target_panel = f->value + o->panel[target];
    double weight[RLS_GROUP_COLUMNS][RLS_WEIGHTS];
    weigh (done, done->columns, o->below[x], mt, weight);

    /* walk the blocks below in runs that are contiguous in both panels */
    int from = o->below[x], to = o->top[target], length = rls_padded (mt);
    int z = o->start[target];
    for (int y = x + 1; y <= end; ++y)
    {
        int place = -1, rows_here = 0;
        if (y < end)
        {
            const int i = o->index[y];
            while (o->index[z] != i) ++z;
            place = o->below[z];
            rows_here = rls_padded (o->size[i]);
            if (place == to + length)
            {
                length += rows_here;
                continue;
            }
        }
        rls_subtract_product (target_panel + to, target_height, done->L + from, done->height,
                              (const double (*)[RLS_WEIGHTS])weight, done->columns, mt, length);
        if (place < 0) break;
        from = o->below[y];
        to = place;
        length = rows_here;
    }
}

/*
 * Below the diagonal block the panel ends as B = L_below L_kk^-1.  Solves then pass from block to block
 * by plain products, and the triangular solves inside the blocks wait for nobody.
 */
RLS_INLINE void fold_diagonal (double *block, const int m, size_t height, int count)
{
    for (int r = rls_padded (m); r < count; r += RLS_LANES)
    {
        rls_four x[RLS_MAX_ROWS];
        for (int c = 0; c < m; ++c) x[c] = RLS_FOUR (block + (size_t)c * height + r);
        for (int c = m - 2; c >= 0; --c)
        {
            for (int d = c + 1; d < m; ++d) x[c] -= block[(size_t)c * height + (size_t)d] * x[d];
            RLS_FOUR (block + (size_t)c * height + r) = x[c];
        }
    }
}

/* L' stands above the diagonal, which becomes 0: solves go through whole vectors of the block. */
RLS_INLINE void mirror_block (double *block, const int m, size_t height)
{
    for (int c = 0; c < m; ++c)
    {
        double *column = block + (size_t)c * height;
        for (int r = 0; r < c; ++r) column[r] = block[(size_t)r * height + (size_t)c];
        column[c] = 0;
    }
}

/* The block's columns reach count rows from its top. */
RLS_INLINE void finish_panel (double *block, const int m, size_t height, int count)
{
    fold_diagonal (block, m, height, count);
    mirror_block (block, m, height);
}

/* All of that for a link of m rows, and what it does to the next.  Returns 0 if a pivot is not finite. */
RLS_INLINE int factor_link (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule, int k,
                            const int m)
{
    const rls_order *o = f->order;
    const rls_column *target = o->column + o->index[o->start[k]];
    const size_t height = 2 * (size_t)rls_padded (m);
    double *block = f->value + o->column[k].block, *below = block + rls_padded (m);
    double pivots[RLS_MAX_ROWS], weight[RLS_MAX_ROWS][RLS_WEIGHTS];
    if (!eliminate_block (f, rows, rule, pivots, k, m, height)) return 0;
    eliminate_below (f, k, m, height, below, below + rls_padded (m));
    for (int c = 0; c < m; ++c)
        for (int b = 0; b < m; b += RLS_LANES)
            RLS_FOUR (weight[c] + b) = pivots[c] * RLS_CONST_FOUR (below + (size_t)c * height + b);
    rls_subtract_product (f->value + target->block, (size_t)target->height, below, height,
                          (const double (*)[RLS_WEIGHTS])weight, m, m, rls_padded (m));
    finish_panel (block, m, height, 2 * rls_padded (m));
    return 1;
}

/* Writes the call out for every number of rows a joint can have, so that the loops unroll. */
#define FOR_EACH_SIZE(rows_of_joint, call)                                                                   \
    switch (rows_of_joint)                                                                                   \
    {                                                                                                        \
    case 1:                                                                                                  \
        call (1);                                                                                            \
        break;                                                                                               \
    case 2:                                                                                                  \
        call (2);                                                                                            \
        break;                                                                                               \
    case 3:                                                                                                  \
        call (3);                                                                                            \
        break;                                                                                               \
    case 4:                                                                                                  \
        call (4);                                                                                            \
        break;                                                                                               \
    case 5:                                                                                                  \
        call (5);                                                                                            \
        break;                                                                                               \
    case 6:                                                                                                  \
        call (6);                                                                                            \
        break;                                                                                               \
    default:                                                                                                 \
        break;                                                                                               \
    }

RLS_INLINE void begin_group (const rls_factor *f, int g, finished_columns *done)
{
    const int first = f->order->group[g];
    done->L = f->value + f->order->panel[first];
    done->height = (size_t)f->order->height[first];
    done->columns = 0;
}

/* Eliminates the columns of group g in their panel rows before end.  Returns 0 if a pivot is not finite. */
RLS_INLINE int eliminate_group (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule,
                                finished_columns *done, int g, int end)
{
    const rls_order *o = f->order;
    int finite = 1;
    for (int k = o->group[g]; k < o->group[g + 1] && finite; ++k)
    {
#define INSIDE(m) update_inside (f, done, done->columns, k, m, o->top[k], end)
#define ELIMINATE(m)                                                                                         \
    finite = eliminate_block (f, rows, rule, done->pivot + done->columns, k, m, (size_t)o->height[k]);       \
    if (finite)                                                                                              \
        eliminate_below (f, k, m, (size_t)o->height[k], panel + o->top[k] + rls_padded (m), panel + end);    \
    done->columns += m
        double *panel = f->value + o->panel[k];
        if (k > o->group[g]) FOR_EACH_SIZE (o->size[k], INSIDE)
        FOR_EACH_SIZE (o->size[k], ELIMINATE)
    }
    return finite;
}

/* What a finished group does to the columns at index[x], from x up to past. */
RLS_INLINE void update_targets (rls_factor *f, const finished_columns *done, int g, int x, int past)
{
    const rls_order *o = f->order;
    const int end = o->end[o->group[g + 1] - 1];
    for (; x < past; ++x)
    {
#define RIGHT(m)                                                                                             \
    if (x + 1 == end)                                                                                        \
        update_last (f, done, x, m);                                                                         \
    else                                                                                                     \
        update_right (f, done, x, end, m)
        FOR_EACH_SIZE (o->size[o->index[x]], RIGHT)
    }
}

RLS_INLINE void assemble_group (rls_factor *f, const rls_rows *rows, int g)
{
    const rls_order *o = f->order;
    for (int k = o->group[g]; k < o->group[g + 1]; ++k)
    {
#define ASSEMBLE(m) assemble_column (f, rows, k, m)
        FOR_EACH_SIZE (o->size[k], ASSEMBLE)
    }
}

RLS_INLINE void finish_group (rls_factor *f, int g)
{
    const rls_order *o = f->order;
    for (int k = o->group[g]; k < o->group[g + 1]; ++k)
    {
#define FINISH(m)                                                                                            \
    finish_panel (f->value + o->panel[k] + o->top[k], m, (size_t)o->height[k], o->height[k] - o->top[k])
        FOR_EACH_SIZE (o->size[k], FINISH)
    }
}

/* ---- what is done at the same time; see subtrees.h ---- */

#define ROWS_A_PIECE 64     /* of a panel */
#define TARGETS_A_PIECE 4   /* columns to the right of a group */
#define LEAST_WORK 300000.0 /* multiplications that are worth sharing out */

typedef struct
{
    rls_factor *factor;
    const rls_rows *rows;
    const rls_decision_rule *rule;
    int infinite;      /* 1: a pivot is not finite */
    int group, square; /* of tops, at work, and its panel rows down to the end of its own columns */
    finished_columns done;
} shared_factor;

/* A piece, without what it does to tops.  Groups that reach tops are left unfinished. */
RLS_VECTOR_CLONES static void factor_piece (void *context, int piece)
{
    shared_factor *w = context;
    rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    int finite = 1;
    for (int g = s->piece0[piece]; g < s->piece0[piece + 1]; ++g)
    {
        const int k = o->group[g], link = o->column[k].link;
        if (link == 5)
            assemble_link (f, w->rows, k, 5);
        else if (link == 3)
            assemble_link (f, w->rows, k, 3);
        else
            assemble_group (f, w->rows, g);
    }
    for (int g = s->piece0[piece]; g < s->piece0[piece + 1] && finite; ++g)
    {
        const int last = o->group[g + 1] - 1, inside = s->split[g] == o->end[last];
        const int link = inside ? o->column[last].link : 0;
        if (link)
        {
            finite = link == 5 ? factor_link (f, w->rows, w->rule, last, 5)
                               : factor_link (f, w->rows, w->rule, last, 3);
            continue;
        }
        finished_columns done;
        begin_group (f, g, &done);
        finite = eliminate_group (f, w->rows, w->rule, &done, g, o->height[last]);
        if (finite) update_targets (f, &done, g, o->start[last], s->split[g]);
        if (inside) finish_group (f, g);
    }
    if (!finite) __atomic_store_n (&w->infinite, 1, __ATOMIC_RELAXED);
}

/* The pivots of a group as they were when it was eliminated. */
RLS_INLINE void recall_group (const rls_factor *f, int g, finished_columns *done)
{
    const rls_order *o = f->order;
    begin_group (f, g, done);
    for (int k = o->group[g]; k < o->group[g + 1]; ++k)
        for (int a = 0; a < o->size[k]; ++a)
        {
            const double inverse = f->inverse_pivot[o->scalar0[k] + a];
            done->pivot[done->columns++] = inverse != 0 ? 1 / inverse : 0;
        }
}

/* A range of columns of tops, with all that pieces do to it. */
RLS_VECTOR_CLONES static void factor_target (void *context, int target)
{
    shared_factor *w = context;
    rls_factor *f = w->factor;
    const rls_rows *rows = w->rows;
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    for (int k = s->target0[target]; k < s->target0[target + 1]; ++k) FOR_EACH_SIZE (o->size[k], ASSEMBLE)
    for (int i = s->reach0[target]; i < s->reach0[target + 1]; ++i)
    {
        const rls_reach *reach = &s->reach[i];
        finished_columns done;
        recall_group (f, reach->group, &done);
        update_targets (f, &done, reach->group, reach->from, reach->past);
    }
}

/* The columns of a group of tops down to the last of them. */
RLS_VECTOR_CLONES static void factor_square (shared_factor *w)
{
    begin_group (w->factor, w->group, &w->done);
    w->infinite = !eliminate_group (w->factor, w->rows, w->rule, &w->done, w->group, w->square);
}

/* The same in a part of the panel rows below. */
RLS_VECTOR_CLONES static void factor_below (void *context, int from, int to)
{
    shared_factor *w = context;
    rls_factor *f = w->factor;
    const rls_order *o = f->order;
    int columns = 0;
    from += w->square, to += w->square;
    for (int k = o->group[w->group]; k < o->group[w->group + 1]; columns += o->size[k++])
    {
#define PART_INSIDE(m) update_inside (f, &w->done, columns, k, m, from, to)
#define PART_BELOW(m)                                                                                        \
    eliminate_below (f, k, m, (size_t)o->height[k], f->value + o->panel[k] + from,                           \
                     f->value + o->panel[k] + to)
        if (columns > 0) FOR_EACH_SIZE (o->size[k], PART_INSIDE)
        FOR_EACH_SIZE (o->size[k], PART_BELOW)
    }
}

RLS_VECTOR_CLONES static void factor_right (void *context, int from, int to)
{
    shared_factor *w = context;
    const rls_order *o = w->factor->order;
    const int start = o->start[o->group[w->group + 1] - 1];
    update_targets (w->factor, &w->done, w->group, start + from, start + to);
}

RLS_VECTOR_CLONES static void finish_tops (void *context, int from, int to)
{
    shared_factor *w = context;
    for (int g = from; g < to; ++g) finish_group (w->factor, w->group + g);
}

/* Groups that have done to tops what they do. */
RLS_VECTOR_CLONES static void finish_piece (void *context, int piece)
{
    shared_factor *w = context;
    const rls_subtrees *s = &w->factor->order->subtrees;
    for (int i = s->reaching0[piece]; i < s->reaching0[piece + 1]; ++i)
        finish_group (w->factor, s->reaching[i]);
}

/* A group of tops: it waits for those before it; its panel and what it does to the right is shared out. */
static void factor_top (shared_factor *w, rls_team *team, int g)
{
    const rls_order *o = w->factor->order;
    const int last = o->group[g + 1] - 1;
    w->group = g;
    w->square = o->top[last] + rls_padded (o->size[last]);
    factor_square (w);
    if (w->infinite) return;
    const int below = o->height[last] - w->square;
    const double columns = w->done.columns;
    rls_team_ranges (columns * columns * below > LEAST_WORK ? team : NULL, below, ROWS_A_PIECE, factor_below,
                     w);
    rls_team_ranges (columns * below * below > LEAST_WORK ? team : NULL, o->end[last] - o->start[last],
                     TARGETS_A_PIECE, factor_right, w);
}

/* Assembles and eliminates all columns.  Returns 0 if a pivot is not finite. */
static int factor_columns (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    shared_factor work = {.factor = f, .rows = rows, .rule = rule};
    rls_team_run (rows->team, s->pieces, factor_piece, &work);
    if (work.infinite) return 0;
    rls_team_run (rows->team, s->targets, factor_target, &work);
    rls_team_run (rows->team, s->pieces, finish_piece, &work);
    for (int g = s->piece0[s->pieces]; g < s->groups && !work.infinite; ++g)
        factor_top (&work, rows->team, g);
    if (work.infinite) return 0;
    const int tops = rls_first_top (o);
    work.group = s->piece0[s->pieces];
    rls_team_ranges ((double)(o->panel[o->n] - o->panel[tops]) > LEAST_WORK ? rows->team : NULL,
                     s->groups - work.group, 1, finish_tops, &work);
    return 1;
}

static void carve_factor (rls_factor *f, rls_carver *c)
{
    const rls_order *o = f->order;
    const size_t n = (size_t)o->scalars; /* at least the rows */
    f->value = rls_carve (c, o->panel[o->n], sizeof (double));
    f->inverse_pivot = rls_carve (c, n, sizeof (double));
    f->diagonal = rls_carve (c, n, sizeof (double));
    f->relative = rls_carve (c, n, sizeof (double));
    f->decision = rls_carve (c, n, 1);
    f->border_row = rls_carve (c, n, sizeof (int));
    f->work = rls_carve (c, 2 * n, sizeof (double));
    f->above = rls_carve (c, (size_t)o->subtrees.pieces * (size_t)rls_top_scalars (o), sizeof (double));
    f->hub_root = rls_carve (c, (size_t)o->hubs, sizeof (*f->hub_root));
}

static void count_rank (rls_factor *f, const rls_rows *rows)
{
    f->rank = 0;
    f->gap = 1;
    for (int r = 0; r < rows->rows; ++r)
    {
        if (rows->sigma2[r] > 0 || f->decision[r] == RLS_REDUNDANT) continue;
        ++f->rank;
        f->gap = fmin (f->gap, f->relative[r]);
    }
}

static int doubtful_rows (const rls_factor *f, const rls_rows *rows)
{
    int count = 0;
    for (int r = 0; r < rows->rows; ++r) count += f->decision[r] == RLS_BORDER;
    return count;
}

static int factor_once (rls_factor *f, const rls_order *order, const rls_rows *rows, double tolerance,
                        double safe, const unsigned char *decided, const unsigned char *previous)
{
    int done;
    f->order = order;
    RLS_LAY_OUT (f, &f->block, carve_factor, done);
    if (!done) return 0;
    rls_decision_rule rule = {
        tolerance, f->mesh == order->scalars ? RLS_SAFER_THAN_NOT : safe,      decided,
        previous,  rows->yield && rows->yield->count > 0 ? rows->yield : NULL, order->hubs > 0,
        0};
    find_clear (&rule);
    find_roots (f, rows);
    if (!factor_columns (f, rows, &rule)) return -1;
    if (!decided && f->mesh != order->scalars && doubtful_rows (f, rows) > RLS_MOST_BORDERS)
    {
        f->mesh = order->scalars; /* and so it will be next time */
        rule.safe = RLS_SAFER_THAN_NOT;
        find_clear (&rule);
        if (!factor_columns (f, rows, &rule)) return -1;
    }
    done = rls_factor_border (f, rows, &rule);
    if (done == 1) count_rank (f, rows);
    f->mass_gap = f->gap;
    return done;
}

/* Again, as long as drives turn out to be in the way of others. */
static int factor_rows (rls_factor *f, const rls_order *order, const rls_rows *rows, double tolerance,
                        double safe, const unsigned char *decided, const unsigned char *previous)
{
    int done;
    do done = factor_once (f, order, rows, tolerance, safe, decided, previous);
    while (done == 1 && !decided && rows->yield && rows->yield->count > 0 &&
           rls_yield_find (rows->yield, f, rows));
    return done;
}

/* Decides with light bodies raised, then factors what was kept with the masses as they are. */
int rls_factor_rows (rls_factor *f, const rls_order *order, const rls_rows *rows, double tolerance,
                     const unsigned char *decided, const unsigned char *previous)
{
    rls_metric *metric = rows->metric;
    if (!metric || metric->count == 0)
        return factor_rows (f, order, rows, tolerance, RLS_SAFE_PIVOT, decided, previous);
    const size_t n = (size_t)rows->rows;
    rls_rows raised = *rows;
    rls_metric_columns (metric, rows);
    raised.Y = metric->Y;
    int done = factor_rows (f, order, &raised, tolerance, WARY, decided, previous);
    if (done != 1) return done;
    const double gap = f->gap;
    memcpy (metric->decision, f->decision, n);
    memcpy (metric->relative, f->relative, n * sizeof (double));
    done = factor_rows (f, order, rows, 1, WARY, metric->decision, NULL);
    memcpy (f->relative, metric->relative, n * sizeof (double));
    f->gap = gap;
    return done;
}

int rls_factor_copy (rls_factor *to, const rls_factor *from, const rls_order *order)
{
    const rls_factor own = *to;
    int done;
    *to = *from;
    to->order = order;
    to->block = own.block, to->border_block = own.border_block;
    RLS_LAY_OUT_COPY (to, &to->block, &from->block, carve_factor, done);
    if (!done) return 0;
    RLS_LAY_OUT_COPY (to, &to->border_block, &from->border_block, rls_factor_carve_border, done);
    return done;
}

void rls_factor_free (rls_factor *f)
{
    rls_block_free (&f->block);
    rls_block_free (&f->border_block);
    *f = (rls_factor){0};
}
