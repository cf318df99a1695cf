/* The inverse of a small dense matrix, kept up to date. */
#include "dense_inverse.h"
#include "kernels/eight.h"

#define ABREAST 8 /* vectors of four */

static int padded (int size) { return (size + RLS_PADDED - 1) / RLS_PADDED * RLS_PADDED; }

void rls_inverse_lay_out (rls_inverse *v, rls_arena_cursor *c, int most)
{
    v->most = most;
    v->length = padded (most);
    RLS_TAKE (c, (size_t)most * (size_t)v->length, v->V);
    RLS_TAKE (c, (size_t)v->length, v->y, v->z);
    RLS_TAKE (c, (size_t)most, v->exchanged, v->natural);
    for (int k = 0; k < most && v->natural; ++k) v->natural[k] = k;
}

/* ---- products: in eights, whose lanes behind the size hold zeros ---- */

/* Loops of eight that compilers make one, two or four vectors of, as the machine has them. */
#define EACH_EIGHT(i) for (int i = 0; i < RLS_PADDED; ++i)

static double *column (const rls_inverse *v, int k) { return v->V + (size_t)k * (size_t)v->length; }

static void clear_behind (const rls_inverse *v, double *x)
{
    for (int r = v->size; r < padded (v->size); ++r) x[r] = 0;
}

static void take (const rls_inverse *v, const double *from, double *to)
{
    memcpy (to, from, sizeof (double) * (size_t)v->size);
    clear_behind (v, to);
}

/* The same for the rows of so many vectors of four from A on.  Many are taken together, because each addition
 * to a sum waits for the one before. */
RLS_INLINE void combine (const double *A, int length, int fours, int count, const int *which, const double *x,
                         double *y)
{
    rls_four sum[ABREAST] = {{0}};
    for (int k = 0; k < count; ++k)
    {
        const double *from = A + (size_t)which[k] * (size_t)length;
        for (int i = 0; i < fours; ++i) sum[i] += RLS_CONST_FOUR (from + i * RLS_LANES) * x[k];
    }
    for (int i = 0; i < fours; ++i) RLS_FOUR (y + i * RLS_LANES) = sum[i];
}

RLS_WIDE void rls_combine_columns (const double *restrict A, int length, int rows, int count,
                                   const int *restrict which, const double *restrict x, double *restrict y)
{
    int r = 0;
    for (; r + ABREAST * RLS_LANES - RLS_PADDED < rows; r += ABREAST * RLS_LANES)
        combine (A + r, length, ABREAST, count, which, x, y + r);
    for (; r < rows; r += RLS_PADDED) combine (A + r, length, RLS_PADDED / RLS_LANES, count, which, x, y + r);
}

/* y = V x */
void rls_inverse_multiply (rls_inverse *v, const double *x, double *y)
{
    v->products += (double)v->size * v->size;
    rls_combine_columns (v->V, v->length, v->size, v->size, v->natural, x, y);
}

/* z = V' x, x with zeros behind it */
RLS_WIDE static void multiply_transposed (const rls_inverse *v, const double *restrict x, double *restrict z)
{
    for (int k = 0; k < v->size; ++k)
    {
        const double *V = column (v, k);
        double sum[RLS_PADDED] = {0};
        for (int r = 0; r < v->size; r += RLS_PADDED) EACH_EIGHT (i) sum[i] += V[r + i] * x[r + i];
        z[k] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

/* V += f y z' */
RLS_WIDE static void add_product (rls_inverse *v, double f, const double *restrict y,
                                  const double *restrict z)
{
    const int size = v->size;
    v->products += 2.0 * size * size;
    for (int k = 0; k < size; ++k)
    {
        double *restrict V = column (v, k);
        const double share = f * z[k];
        for (int r = 0; r < size; r += RLS_PADDED) EACH_EIGHT (i) V[r + i] += y[r + i] * share;
    }
}

/* ---- all at once ---- */

static void exchange (double *a, double *b)
{
    const double x = *a;
    *a = *b, *b = x;
}

static int find_pivot (const double *V, const double *measure, int c, int size)
{
    double largest = 0;
    int best = -1;
    for (int r = c; r < size; ++r)
    {
        const double x = V[r] * V[r] * measure[r];
        if (x > largest) largest = x, best = r;
    }
    return best;
}

/* Gauss and Jordan's step with the pivot at row and column c; l is scratch. */
RLS_WIDE static void eliminate (rls_inverse *v, int c, double *restrict l)
{
    const int size = v->size;
    double *V = column (v, c);
    const double reciprocal = 1 / V[c];
    for (int r = 0; r < size; r += RLS_PADDED) EACH_EIGHT (i) l[r + i] = V[r + i], V[r + i] = 0;
    l[c] = 0;
    V[c] = 1;
    for (int k = 0; k < size; ++k)
    {
        double *restrict to = column (v, k);
        const double f = to[c] * reciprocal;
        for (int r = 0; r < size; r += RLS_PADDED) EACH_EIGHT (i) to[r + i] -= l[r + i] * f;
        to[c] = f;
    }
}

int rls_inverse_form (rls_inverse *v, int size, const double *measure)
{
    v->size = size;
    v->products += (double)size * size * size;
    take (v, measure, v->z);
    for (int k = 0; k < size; ++k) clear_behind (v, column (v, k));
    for (int c = 0; c < size; ++c)
    {
        const int best = find_pivot (column (v, c), v->z, c, size);
        if (best < 0) return 0;
        v->exchanged[c] = best;
        for (int k = 0; k < size && best != c; ++k) exchange (column (v, k) + c, column (v, k) + best);
        exchange (v->z + c, v->z + best);
        eliminate (v, c, v->y);
    }
    for (int c = size - 1; c >= 0; --c)
        for (int r = 0; r < size && v->exchanged[c] != c; ++r)
            exchange (column (v, c) + r, column (v, v->exchanged[c]) + r);
    return 1;
}

/* ---- changes ---- */

static int usable (double pivot) { return fabs (pivot) > 0 && fabs (pivot) < HUGE_VAL; }

int rls_inverse_append (rls_inverse *v, const double *new_column, const double *new_row, double corner)
{
    const int m = v->size;
    rls_inverse_multiply (v, new_column, v->y);
    double pivot = corner;
    for (int k = 0; k < m; ++k) pivot -= new_row[k] * v->y[k];
    if (!usable (pivot)) return 0;
    take (v, new_row, v->z);
    double *last = column (v, m);
    multiply_transposed (v, v->z, last);
    memcpy (v->z, last, sizeof (double) * (size_t)m);
    add_product (v, 1 / pivot, v->y, v->z);
    for (int k = 0; k < m; ++k)
    {
        column (v, k)[m] = -v->z[k] / pivot;
        last[k] = -v->y[k] / pivot;
    }
    last[m] = 1 / pivot;
    v->size = m + 1;
    for (int k = 0; k <= m; ++k) clear_behind (v, column (v, k));
    return 1;
}

int rls_inverse_remove (rls_inverse *v, int place)
{
    const int last = v->size - 1;
    const double pivot = column (v, place)[place];
    if (!usable (pivot)) return 0;
    take (v, column (v, place), v->y);
    for (int k = 0; k <= last; ++k) v->z[k] = column (v, k)[place];
    add_product (v, -1 / pivot, v->y, v->z);
    memmove (column (v, place), column (v, last), sizeof (double) * (size_t)(last + 1));
    for (int k = 0; k < last; ++k)
    {
        column (v, k)[place] = column (v, k)[last];
        column (v, k)[last] = 0;
    }
    v->size = last;
    return 1;
}

int rls_inverse_change (rls_inverse *v, int place, const double *added)
{
    rls_inverse_multiply (v, added, v->y);
    const double pivot = 1 + v->y[place];
    if (!usable (pivot)) return 0;
    for (int k = 0; k < v->size; ++k) v->z[k] = column (v, k)[place];
    add_product (v, -1 / pivot, v->y, v->z);
    return 1;
}
