/* The inverse of a small dense matrix, kept up to date. */
#include "dense_inverse.h"
#include "kernels/eight.h"
#include <math.h>
#include <string.h>

void rls_inverse_lay_out (rls_inverse *v, rls_arena_cursor *c, int most)
{
    v->most = most;
    v->length = (most + RLS_PADDED - 1) / RLS_PADDED * RLS_PADDED;
    RLS_TAKE (c, v->V, (size_t)most * (size_t)v->length);
    RLS_TAKE (c, v->y, (size_t)v->length);
    RLS_TAKE (c, v->z, (size_t)v->length);
    RLS_TAKE (c, v->exchanged, (size_t)most);
}

/* ---- products: in eights, whose lanes behind the size hold zeros ---- */

static double *column (const rls_inverse *v, int k) { return v->V + (size_t)k * (size_t)v->length; }
static int eights (const rls_inverse *v) { return (v->size + RLS_PADDED - 1) / RLS_PADDED; }

static void clear_behind (const rls_inverse *v, double *x)
{
    for (int r = v->size; r < eights (v) * RLS_PADDED; ++r) x[r] = 0;
}

static void take (const rls_inverse *v, const double *from, double *to)
{
    memcpy (to, from, sizeof (double) * (size_t)v->size);
    clear_behind (v, to);
}

/* y = V x */
RLS_WIDE void rls_inverse_multiply (rls_inverse *v, const double *x, double *y)
{
    const int blocks = eights (v);
    v->products += (double)v->size * v->size;
    for (int a = 0; a < blocks; ++a)
    {
        rls_eight sum = {0};
        for (int k = 0; k < v->size; ++k) sum += RLS_CONST_EIGHT (column (v, k) + RLS_PADDED * a) * x[k];
        RLS_EIGHT (y + RLS_PADDED * a) = sum;
    }
}

/* z = V' x, x with zeros behind it */
RLS_WIDE static void multiply_transposed (const rls_inverse *v, const double *x, double *z)
{
    const int blocks = eights (v);
    for (int k = 0; k < v->size; ++k)
    {
        const double *V = column (v, k);
        rls_eight sum = {0};
        for (int a = 0; a < blocks; ++a)
            sum += RLS_CONST_EIGHT (V + RLS_PADDED * a) * RLS_CONST_EIGHT (x + RLS_PADDED * a);
        z[k] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

/* V += f y z' */
RLS_WIDE static void add_product (rls_inverse *v, double f, const double *y, const double *z)
{
    const int blocks = eights (v);
    v->products += 2.0 * v->size * v->size;
    for (int k = 0; k < v->size; ++k)
    {
        double *V = column (v, k);
        const double share = f * z[k];
        for (int a = 0; a < blocks; ++a)
            RLS_EIGHT (V + RLS_PADDED * a) += RLS_CONST_EIGHT (y + RLS_PADDED * a) * share;
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

/* Gauss and Jordan's step with the pivot at row and column c. */
RLS_WIDE static void eliminate (rls_inverse *v, int c)
{
    const int blocks = eights (v);
    double *V = column (v, c), *l = v->y;
    const double reciprocal = 1 / V[c];
    memcpy (l, V, sizeof (double) * (size_t)(blocks * RLS_PADDED));
    l[c] = 0;
    memset (V, 0, sizeof (double) * (size_t)(blocks * RLS_PADDED));
    V[c] = 1;
    for (int k = 0; k < v->size; ++k)
    {
        double *to = column (v, k);
        const double f = to[c] * reciprocal;
        for (int a = 0; a < blocks; ++a)
            RLS_EIGHT (to + RLS_PADDED * a) -= RLS_CONST_EIGHT (l + RLS_PADDED * a) * f;
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
        eliminate (v, c);
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
