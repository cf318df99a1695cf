/*
 * Body space: the factor L D U = K, and solutions with it.
 *
 * The factorisation is right-looking, block by block; the analysis has found what each product of two blocks
 * is subtracted from.  Of the diagonal blocks of L and U the inverses are stored: the small
 * triangular systems of factorisation and solution then become products, whose terms do not wait for each
 * other.
 */
#include "body_space.h"

RLS_INLINE void load_columns (rls_eight *column, const double *A)
{
    for (int c = 0; c < 6; ++c) rls_eight_load (column + c, A + RLS_PADDED * c);
}

/* Factors a diagonal block D: finds the inverses of its L (lower) and its U (upper) by columns, and the
 * reciprocal pivots. */
RLS_INLINE void factor_diagonal (double *D, double *lower, double *upper, double *reciprocal)
{
    rls_block6 rows __attribute__ ((aligned (64))) = {0}; /* the inverse of L by rows */
    memset (upper, 0, sizeof (rls_block6));
    reciprocal[6] = reciprocal[7] = 0;

    /* both inverses begin as the unit matrix and follow the elimination */
    for (int a = 0; a < 6; ++a) rows[RLS_PADDED * a + a] = upper[RLS_PADDED * a + a] = 1;
    for (int c = 0; c < 6; ++c)
    {
        const double pivot = D[RLS_PADDED * c + c];
        reciprocal[c] = 1 / (pivot > 0 || pivot < 0 ? pivot : HUGE_VAL);
        for (int a = c + 1; a < 6; ++a)
        {
            const double l = D[RLS_PADDED * c + a] * reciprocal[c];
            const double u = D[RLS_PADDED * a + c] * reciprocal[c];
            rls_column_subtract (D + RLS_PADDED * a, D + RLS_PADDED * c, u);
            rls_column_subtract (rows + RLS_PADDED * a, rows + RLS_PADDED * c, l);
            rls_column_subtract (upper + RLS_PADDED * a, upper + RLS_PADDED * c, u);
        }
    }

    /* the inverse of L once more, by columns */
    for (int c = 0; c < 6; ++c)
    {
        for (int a = 0; a < 6; ++a) lower[RLS_PADDED * c + a] = rows[RLS_PADDED * a + c];
        lower[RLS_PADDED * c + 6] = lower[RLS_PADDED * c + 7] = 0;
    }
}

/* Eliminates a block below the diagonal: A = A U^-1 D^-1. */
RLS_INLINE void divide_block (double *A, const double *upper, const double *reciprocal)
{
    rls_eight column[6];
    load_columns (column, A);
    for (int c = 0; c < 6; ++c)
    {
        rls_eight x = column[c];
        for (int d = 0; d < c; ++d) rls_eight_add (&x, column + d, upper[RLS_PADDED * c + d]);
        rls_eight_scale (&x, reciprocal[c]);
        rls_eight_store (A + RLS_PADDED * c, &x);
    }
}

/* Eliminates a block right of the diagonal, which is stored transposed: A = A L^-T. */
RLS_INLINE void divide_right (double *A, const double *lower)
{
    rls_eight column[6];
    load_columns (column, A);
    for (int c = 5; c > 0; --c)
    {
        rls_eight x = column[c];
        for (int d = 0; d < c; ++d) rls_eight_add (&x, column + d, lower[RLS_PADDED * d + c]);
        rls_eight_store (A + RLS_PADDED * c, &x);
    }
}

/* C -= A B' */
RLS_INLINE void subtract_product (double *C, const double *A, const double *B)
{
    rls_eight column[6];
    load_columns (column, A);
    for (int b = 0; b < 6; ++b)
    {
        rls_eight x;
        rls_eight_load (&x, C + RLS_PADDED * b);
        for (int c = 0; c < 6; ++c) rls_eight_subtract (&x, column + c, B[RLS_PADDED * c + b]);
        rls_eight_store (C + RLS_PADDED * b, &x);
    }
}

/* Eliminates column k.  Returns where the targets of the next column begin. */
RLS_INLINE const int *factor_column (rls_body_space *s, int k, const int *target)
{
    const int begin = s->start[k], end = s->start[k + 1];
    factor_diagonal (s->diagonal[k], s->inverse_lower[k], s->inverse_upper[k], s->reciprocal[k]);

    /* the blocks of the column and of its row */
    for (int x = begin; x < end; ++x)
    {
        divide_block (s->below[x], s->inverse_upper[k], s->reciprocal[k]);
        divide_right (s->right[x], s->inverse_lower[k]);
    }

    /* their products, subtracted from the later columns */
    for (int x = begin; x < end; ++x)
    {
        const double *B = s->right[x];
        subtract_product (s->diagonal[~*target++], s->below[x], B);
        for (int y = x + 1; y < end; ++y, ++target)
        {
            subtract_product (s->below[*target], s->below[y], B);
            subtract_product (s->right[*target], s->right[y], s->below[x]);
        }
    }
    return target;
}

RLS_VECTOR_CLONES void rls_body_space_factor (rls_body_space *s)
{
    const int *target = s->target;
    for (int k = 0; k < s->columns; ++k) target = factor_column (s, k, target);
}

/* x += A f, with the columns of A. */
RLS_INLINE void add_columns (rls_eight *x, const double *A, const double *f)
{
    rls_eight column[6];
    load_columns (column, A);
    for (int c = 0; c < 6; ++c) rls_eight_add (x, column + c, f[c]);
}

/* to[c] -= the sum of the lanes of x[c], of which the last two are zero. */
RLS_INLINE void subtract_sums (double *to, const rls_eight *x)
{
    for (int c = 0; c < 6; ++c)
    {
        const rls_four lanes = x[c].low + x[c].high;
        to[c] -= (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    }
}

RLS_VECTOR_CLONES void rls_body_space_solve (const rls_body_space *s, double (*x)[6])
{
    double (*u)[RLS_PADDED] = s->solution;

    /* in elimination order, padded to whole vectors */
    for (int k = 0; k < s->columns; ++k)
    {
        memcpy (u[k], x[s->body[k]], sizeof (double[6]));
        u[k][6] = u[k][7] = 0;
    }

    /* with L */
    for (int k = 0; k < s->columns; ++k)
    {
        rls_eight t = {{0}, {0}};
        add_columns (&t, s->inverse_lower[k], u[k]);
        rls_eight_store (u[k], &t);
        for (int y = s->start[k]; y < s->start[k + 1]; ++y)
        {
            rls_eight L[6], w;
            load_columns (L, s->below[y]);
            rls_eight_load (&w, u[s->index[y]]);
            for (int c = 0; c < 6; ++c) rls_eight_subtract (&w, L + c, u[k][c]);
            rls_eight_store (u[s->index[y]], &w);
        }
    }

    /* with D U, from the last body on */
    for (int k = s->columns - 1; k >= 0; --k)
    {
        rls_eight sum[6] = {{{0}, {0}}};
        for (int y = s->start[k]; y < s->start[k + 1]; ++y)
        {
            rls_eight U[6], w;
            load_columns (U, s->right[y]);
            rls_eight_load (&w, u[s->index[y]]);
            for (int c = 0; c < 6; ++c) sum[c].low += U[c].low * w.low, sum[c].high += U[c].high * w.high;
        }
        subtract_sums (u[k], sum);
        for (int c = 0; c < 6; ++c) u[k][c] *= s->reciprocal[k][c];
        rls_eight v = {{0}, {0}};
        add_columns (&v, s->inverse_upper[k], u[k]);
        rls_eight_store (u[k], &v);
    }
    for (int b = 0; b < s->bodies; ++b)
        if (s->column[b] < 0) memset (x[b], 0, sizeof (x[b]));
    for (int k = 0; k < s->columns; ++k) memcpy (x[s->body[k]], u[k], sizeof (double[6]));
}
