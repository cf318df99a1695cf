/*
 * The inner loops of the factorisation, written so that compilers make vectors of them.
 *
 * They are inlined into functions marked RLS_VECTOR_CLONES, which exist once for plain x86-64 and once
 * for AVX2; the loader picks.  The build forbids fused multiply-add and no loop is reassociated, so that
 * both give the same bits.  RLS_ONE_COPY leaves plain ones only: branches are then counted once.
 */
#ifndef RLS_KERNELS_H
#define RLS_KERNELS_H

#include <stddef.h>

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__) &&                   \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(RLS_ONE_COPY)
#define RLS_VECTOR_CLONES __attribute__ ((target_clones ("avx2", "default")))
#define RLS_WIDE __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define RLS_VECTOR_CLONES
#define RLS_WIDE
#endif

#define RLS_INLINE static inline __attribute__ ((always_inline))

/*
 * Vectors of four.  The factor's columns are padded to whole ones, block by block, so that no loop has a
 * tail. They are not passed to functions or returned: how that is done depends on the machine.
 */
#define RLS_LANES 4
typedef double rls_four __attribute__ ((vector_size (32), aligned (8), may_alias));
#define RLS_FOUR(p) (*(rls_four *)(void *)(p))
#define RLS_CONST_FOUR(p) (*(const rls_four *)(const void *)(p))

static inline int rls_padded (int rows) { return (rows + RLS_LANES - 1) & ~(RLS_LANES - 1); }

#if defined(__clang__) || __GNUC__ >= 12
#define RLS_SHUFFLE(a, b, ...) __builtin_shufflevector (a, b, __VA_ARGS__)
#else
#define RLS_SHUFFLE(a, b, ...) __builtin_shuffle (a, b, (rls_long4){__VA_ARGS__})
typedef long long rls_long4 __attribute__ ((vector_size (32)));
#endif

/* The sum over its lanes, and those of four vectors at once: the same bits. */
#define RLS_LANE_SUM(s) (((s)[0] + (s)[1]) + ((s)[2] + (s)[3]))

RLS_INLINE void rls_lane_sums (const rls_four s[4], double out[4])
{
    const rls_four ab = RLS_SHUFFLE (s[0], s[1], 0, 4, 2, 6) + RLS_SHUFFLE (s[0], s[1], 1, 5, 3, 7);
    const rls_four cd = RLS_SHUFFLE (s[2], s[3], 0, 4, 2, 6) + RLS_SHUFFLE (s[2], s[3], 1, 5, 3, 7);
    RLS_FOUR (out) = RLS_SHUFFLE (ab, cd, 0, 1, 4, 5) + RLS_SHUFFLE (ab, cd, 2, 3, 6, 7);
}

/* Lane by lane products of two vectors of twelve, and their inner product. */
#define RLS_PRODUCTS12(a, b)                                                                                 \
    (RLS_CONST_FOUR (a) * RLS_CONST_FOUR (b) + RLS_CONST_FOUR ((a) + 4) * RLS_CONST_FOUR ((b) + 4) +         \
     RLS_CONST_FOUR ((a) + 8) * RLS_CONST_FOUR ((b) + 8))

RLS_INLINE double rls_dot12 (const double *a, const double *b)
{
    const rls_four s = RLS_PRODUCTS12 (a, b);
    return RLS_LANE_SUM (s);
}

/* Inner product of vectors of whole fours, in four sums that do not depend on each other. */
RLS_INLINE double rls_dot_fours (const double *a, const double *b, int count)
{
    rls_four s = {0}, t = {0}, u = {0}, v = {0};
    int i = 0;
    for (; i + 4 * RLS_LANES <= count; i += 4 * RLS_LANES)
    {
        s += RLS_CONST_FOUR (a + i) * RLS_CONST_FOUR (b + i);
        t += RLS_CONST_FOUR (a + i + 4) * RLS_CONST_FOUR (b + i + 4);
        u += RLS_CONST_FOUR (a + i + 8) * RLS_CONST_FOUR (b + i + 8);
        v += RLS_CONST_FOUR (a + i + 12) * RLS_CONST_FOUR (b + i + 12);
    }
    for (; i < count; i += RLS_LANES) s += RLS_CONST_FOUR (a + i) * RLS_CONST_FOUR (b + i);
    s += t, u += v, s += u;
    return RLS_LANE_SUM (s);
}

/* t[r] -= sum over c < m of weight[c] P[c * height + r], r < count, whole vectors; a constant m unrolls it.
 */
RLS_INLINE void rls_subtract_columns (double *restrict t, const double *restrict P, size_t height,
                                      const double *restrict weight, const int m, int count)
{
    for (int r = 0; r < count; r += RLS_LANES)
    {
        rls_four sum = RLS_FOUR (t + r);
        for (int c = 0; c < m; ++c) sum -= weight[c] * RLS_CONST_FOUR (P + (size_t)c * height + r);
        RLS_FOUR (t + r) = sum;
    }
}

#define RLS_WEIGHTS 8 /* room for the rows of a block */

/*
 * T := T - P weight' for columns b < mt of T: T[b * target_height + r] -= sum over c < columns of
 * weight[c][b] P[c][from + r], r < count, whole vectors.  A constant mt keeps T in registers.  P is list, or,
 * if that is NULL, columns that begin height apart at first.
 */
RLS_INLINE void rls_subtract_columns_of (double *restrict T, size_t target_height,
                                         const double *const *restrict list, const double *restrict first,
                                         size_t height, size_t from,
                                         const double (*restrict weight)[RLS_WEIGHTS], int columns,
                                         const int mt, int count)
{
    int r = 0;

    /* two vectors at a time, so that loads and arithmetic overlap */
    for (; r + 2 * RLS_LANES <= count; r += 2 * RLS_LANES)
    {
        rls_four x[6], y[6];
        for (int b = 0; b < mt; ++b)
        {
            x[b] = RLS_FOUR (T + (size_t)b * target_height + r);
            y[b] = RLS_FOUR (T + (size_t)b * target_height + r + RLS_LANES);
        }
        for (int c = 0; c < columns; ++c)
        {
            const double *p = (list ? list[c] : first + (size_t)c * height) + from + r;
            const rls_four p0 = RLS_CONST_FOUR (p), p1 = RLS_CONST_FOUR (p + RLS_LANES);
            for (int b = 0; b < mt; ++b) x[b] -= weight[c][b] * p0, y[b] -= weight[c][b] * p1;
        }
        for (int b = 0; b < mt; ++b)
        {
            RLS_FOUR (T + (size_t)b * target_height + r) = x[b];
            RLS_FOUR (T + (size_t)b * target_height + r + RLS_LANES) = y[b];
        }
    }

    /* what is left of the height */
    for (; r < count; r += RLS_LANES)
    {
        rls_four x[6];
        for (int b = 0; b < mt; ++b) x[b] = RLS_FOUR (T + (size_t)b * target_height + r);
        for (int c = 0; c < columns; ++c)
        {
            const double *column = list ? list[c] : first + (size_t)c * height;
            const rls_four p = RLS_CONST_FOUR (column + from + r);
            for (int b = 0; b < mt; ++b) x[b] -= weight[c][b] * p;
        }
        for (int b = 0; b < mt; ++b) RLS_FOUR (T + (size_t)b * target_height + r) = x[b];
    }
}

/* The same of columns that follow each other. */
RLS_INLINE void rls_subtract_product (double *restrict T, size_t target_height, const double *restrict P,
                                      size_t height, const double (*restrict weight)[RLS_WEIGHTS],
                                      int columns, const int mt, int count)
{
    rls_subtract_columns_of (T, target_height, NULL, P, height, 0, weight, columns, mt, count);
}

/* sum[c] += P[c * height + r] x[r] over r < count, lane by lane, c < m: the transposed product. */
RLS_INLINE void rls_add_column_products (rls_four *restrict sum, const double *restrict P, size_t height,
                                         const double *restrict x, const int m, int count)
{
    for (int r = 0; r < count; r += RLS_LANES)
        for (int c = 0; c < m; ++c)
            sum[c] += RLS_CONST_FOUR (P + (size_t)c * height + r) * RLS_CONST_FOUR (x + r);
}

/* One number of a switch that writes a call out for each, so that the loops in it unroll. */
#define RLS_CASE(number, call)                                                                               \
    case number:                                                                                             \
        call (number);                                                                                       \
        break;

/* The call for every number of rows that a joint can have. */
#define RLS_FOR_EACH_SIZE(rows_of_joint, call)                                                               \
    switch (rows_of_joint)                                                                                   \
    {                                                                                                        \
        RLS_CASE (1, call)                                                                                   \
        RLS_CASE (2, call)                                                                                   \
        RLS_CASE (3, call)                                                                                   \
        RLS_CASE (4, call)                                                                                   \
        RLS_CASE (5, call)                                                                                   \
        RLS_CASE (6, call)                                                                                   \
    default:                                                                                                 \
        break;                                                                                               \
    }

#endif
