/*
 * Body space: the matrix K, from the masses of the bodies and weighted constraint rows.
 */
#include "body_space.h"

void rls_body_space_reset (rls_body_space *s, const rls_island *island, const rls_pose *pose)
{
    ++s->versions;
    memset (s->below, 0, sizeof (rls_block6) * (size_t)s->start[s->columns]);
    memset (s->right, 0, sizeof (rls_block6) * (size_t)s->start[s->columns]);
    for (int k = 0; k < s->columns; ++k)
    {
        const int b = s->body[k];
        double *I = s->inertia[k], *D = s->diagonal[k];
        rls_rotate_tensor (pose[b].q, island->model.inertia[b], I);
        s->mass[k] = island->model.mass[b];
        memset (D, 0, sizeof (rls_block6));
        for (int i = 0; i < 3; ++i)
        {
            D[(RLS_PADDED + 1) * i] = s->mass[k];
            for (int c = 0; c < 3; ++c) D[RLS_PADDED * (3 + c) + 3 + i] = I[3 * i + c];
        }
    }
}

void rls_body_space_momentum (const rls_body_space *s, const double (*x)[6], double (*y)[6])
{
    for (int b = 0; b < s->bodies; ++b)
    {
        const int k = s->column[b];
        if (k < 0)
        {
            memset (y[b], 0, sizeof (y[b]));
            continue;
        }
        for (int i = 0; i < 3; ++i) y[b][i] = s->mass[k] * x[b][i];
        rls_multiply (s->inertia[k], x[b] + 3, y[b] + 3);
    }
}

void rls_body_space_keep (rls_body_space *s)
{
    memcpy (s->kept_diagonal, s->diagonal, sizeof (rls_block6) * (size_t)s->columns);
    memcpy (s->kept_below, s->below, sizeof (rls_block6) * (size_t)s->start[s->columns]);
}

void rls_body_space_restore (rls_body_space *s)
{
    ++s->versions;
    memcpy (s->diagonal, s->kept_diagonal, sizeof (rls_block6) * (size_t)s->columns);
    memcpy (s->below, s->kept_below, sizeof (rls_block6) * (size_t)s->start[s->columns]);
    memcpy (s->right, s->kept_below, sizeof (rls_block6) * (size_t)s->start[s->columns]);
}

/* At most three rows of one joint: the parts of both bodies as columns, and the rows times their weights. */
typedef struct
{
    rls_eight side1[3], side2[3];
    double weighted[3][12];
} few_rows;

/* Fills rows with the parts of J, and with K times the weights. */
RLS_INLINE void take_rows (few_rows *rows, int m, const double *const *J, const double *const *K,
                           const double *weight)
{
    for (int r = 0; r < m; ++r)
    {
        /* both loads of eight stay within the row of twelve; the part of body 2 is then shifted into place */
        rls_eight_load (&rows->side1[r], J[r]);
        rls_eight_load (&rows->side2[r], J[r] + 4);
        const rls_four low = rows->side2[r].low, high = rows->side2[r].high;
        rows->side2[r].low = RLS_SHUFFLE (low, high, 2, 3, 4, 5);
        rows->side2[r].high = RLS_SHUFFLE (high, low, 2, 3, 4, 5);
        for (int k = 0; k < 12; ++k) rows->weighted[r][k] = weight[r] * K[r][k];
    }
}

/* C += sum of u v' over m rows, where v are six entries of the weighted rows, beginning with the one at
 * first. The last two lanes, which pad the columns, are not used by anybody. */
RLS_INLINE void add_outer (double *C, int m, const rls_eight *u, const few_rows *rows, int first)
{
    for (int b = 0; b < 6; ++b)
    {
        rls_eight sum;
        rls_eight_load (&sum, C + RLS_PADDED * b);
        for (int r = 0; r < m; ++r) rls_eight_add (&sum, u + r, rows->weighted[r][first + b]);
        rls_eight_store (C + RLS_PADDED * b, &sum);
    }
}

/* K += sum of weight G' J over at most three rows of the joint between columns k1 and k2. */
RLS_INLINE void add_rows (rls_body_space *s, int k1, int k2, int block, int m, const double *const *J,
                          const double *const *G, const double *weight)
{
    few_rows rows;
    take_rows (&rows, m, G, J, weight);
    if (k1 >= 0) add_outer (s->diagonal[k1], m, rows.side1, &rows, 0);
    if (k2 >= 0) add_outer (s->diagonal[k2], m, rows.side2, &rows, 6);
    if (block < 0) return;
    if (k1 < k2) /* the earlier body owns the columns */
        add_outer (s->below[block], m, rows.side2, &rows, 0);
    else
        add_outer (s->below[block], m, rows.side1, &rows, 6);
    take_rows (&rows, m, J, G, weight);
    if (k1 < k2)
        add_outer (s->right[block], m, rows.side2, &rows, 0);
    else
        add_outer (s->right[block], m, rows.side1, &rows, 6);
}

static int column_of (const rls_body_space *s, int body) { return body >= 0 ? s->column[body] : -1; }

RLS_VECTOR_CLONES void rls_body_space_add (rls_body_space *s, const int body[2], int block, int m,
                                           const double *const *J, const double *const *G,
                                           const double *weight)
{
    const int k1 = column_of (s, body[0]), k2 = column_of (s, body[1]);
    for (; m >= 3; J += 3, G += 3, weight += 3, m -= 3) add_rows (s, k1, k2, block, 3, J, G, weight);
    for (; m > 0; ++J, ++G, ++weight, --m) add_rows (s, k1, k2, block, 1, J, G, weight);
}

/* to = X' S: each column, a wrench at the centre of body 1, moved to the centre of body 2. */
RLS_INLINE void transport_columns (const double lever[3], const rls_block6 S, rls_block6 to)
{
    memcpy (to, S, sizeof (rls_block6));
    for (double *f = to; f < to + 6 * RLS_PADDED; f += RLS_PADDED)
    {
        f[3] += lever[1] * f[2] - lever[2] * f[1];
        f[4] += lever[2] * f[0] - lever[0] * f[2];
        f[5] += lever[0] * f[1] - lever[1] * f[0];
    }
}

/* D += sign S */
RLS_INLINE void add_block (rls_block6 D, const rls_block6 S, double sign)
{
    for (int c = 0; c < 6 * RLS_PADDED; c += RLS_PADDED)
    {
        rls_eight column;
        rls_eight_load (&column, S + c);
        rls_column_add (D + c, &column, sign);
    }
}

/* D += sign S X, with the columns of S. */
RLS_INLINE void add_transported (rls_block6 D, const double lever[3], const rls_block6 S, double sign)
{
    for (int c = 0; c < 3; ++c)
    {
        const int next = (c + 1) % 3, last = (c + 2) % 3;
        rls_eight column, turned;
        rls_eight_load (&column, S + RLS_PADDED * c);
        rls_column_add (D + RLS_PADDED * c, &column, sign);
        rls_eight_load (&turned, S + RLS_PADDED * last);
        rls_eight_scale (&turned, lever[next]);
        rls_eight_load (&column, S + RLS_PADDED * next);
        rls_eight_subtract (&turned, &column, lever[last]);
        rls_eight_load (&column, S + RLS_PADDED * (3 + c));
        rls_eight_add (&column, &turned, 1);
        rls_column_add (D + RLS_PADDED * (3 + c), &column, sign);
    }
}

RLS_VECTOR_CLONES void rls_body_space_add_wrenches (rls_body_space *s, const int body[2], int block,
                                                    const double lever[3], const rls_block6 S)
{
    const int k1 = column_of (s, body[0]), k2 = column_of (s, body[1]);

    /* the diagonal block of body 1: S itself */
    if (k1 >= 0) add_block (s->diagonal[k1], S, 1);
    if (k2 < 0) return;

    /* the diagonal block of body 2: X' S X, both sides moved by the lever */
    rls_block6 moved;
    transport_columns (lever, S, moved);
    add_transported (s->diagonal[k2], lever, moved, 1);

    /* between them: -X' S below the diagonal if body 1 comes first in the elimination order, otherwise -S X
     */
    if (block < 0) return;
    if (k1 < k2)
        add_block (s->below[block], moved, -1);
    else
        add_transported (s->below[block], lever, S, -1);

    /* the blocks right of the diagonal, transposed */
    rls_block6 turned = {0};
    for (int i = 0; i < 36; ++i) turned[RLS_PADDED * (i / 6) + i % 6] = S[RLS_PADDED * (i % 6) + i / 6];
    if (k1 < k2)
    {
        transport_columns (lever, turned, moved);
        add_block (s->right[block], moved, -1);
    }
    else
        add_transported (s->right[block], lever, turned, -1);
}
