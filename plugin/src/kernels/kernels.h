/*
 * Inner loops of the factorisation, written with vectors of four.
 *
 * They are inlined into functions marked RLS_VECTOR_CLONES, which are compiled once for plain x86-64 and once
 * for AVX2; the loader chooses.  The build forbids fused multiply-add, and sums are never reordered, so both
 * give the same bits.  With RLS_ONE_COPY there are plain functions only, for measuring branch coverage.
 */
#ifndef RLS_KERNELS_H
#define RLS_KERNELS_H

#include "tolerances.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__) &&                   \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(RLS_ONE_COPY)
#define RLS_VECTOR_CLONES __attribute__ ((target_clones ("avx2", "default")))
#define RLS_WIDE __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define RLS_VECTOR_CLONES
#define RLS_WIDE
#endif

#define RLS_INLINE static inline __attribute__ ((always_inline))

/* Returns the larger of two numbers; b also if one of them is NaN, so that a NaN in b is passed on. */
static inline double rls_larger (double a, double b) { return a >= b ? a : b; }

/* Vectors of four.  Blocks of the factor are padded to whole ones, so that loops need no scalar remainder.
 * They are not passed to functions by value or returned, since how that is done depends on the machine. */
#define RLS_LANES 4
typedef double rls_four __attribute__ ((vector_size (32), aligned (8), may_alias));
#define RLS_FOUR(p) (*(rls_four *)(void *)(p))
#define RLS_CONST_FOUR(p) (*(const rls_four *)(const void *)(p))

/* Returns the number of rows rounded up to whole vectors. */
static inline int rls_padded (int rows) { return (rows + RLS_LANES - 1) & ~(RLS_LANES - 1); }

#if defined(__clang__) || __GNUC__ >= 12
#define RLS_SHUFFLE(a, b, ...) __builtin_shufflevector (a, b, __VA_ARGS__)
#else
#define RLS_SHUFFLE(a, b, ...) __builtin_shuffle (a, b, (rls_long4){__VA_ARGS__})
typedef long long rls_long4 __attribute__ ((vector_size (32)));
#endif

/* The sum over the lanes of a vector; and the sums of four vectors at once, with the same bits. */
#define RLS_LANE_SUM(s) (((s)[0] + (s)[1]) + ((s)[2] + (s)[3]))

RLS_INLINE void rls_lane_sums (const rls_four s[4], double out[4])
{
    const rls_four ab = RLS_SHUFFLE (s[0], s[1], 0, 4, 2, 6) + RLS_SHUFFLE (s[0], s[1], 1, 5, 3, 7);
    const rls_four cd = RLS_SHUFFLE (s[2], s[3], 0, 4, 2, 6) + RLS_SHUFFLE (s[2], s[3], 1, 5, 3, 7);
    RLS_FOUR (out) = RLS_SHUFFLE (ab, cd, 0, 1, 4, 5) + RLS_SHUFFLE (ab, cd, 2, 3, 6, 7);
}

/* The products of two arrays of twelve, summed up lane by lane; and their inner product. */
#define RLS_PRODUCTS12(a, b)                                                                                 \
    (RLS_CONST_FOUR (a) * RLS_CONST_FOUR (b) + RLS_CONST_FOUR ((a) + 4) * RLS_CONST_FOUR ((b) + 4) +         \
     RLS_CONST_FOUR ((a) + 8) * RLS_CONST_FOUR ((b) + 8))

RLS_INLINE double rls_dot12 (const double *a, const double *b)
{
    const rls_four s = RLS_PRODUCTS12 (a, b);
    return RLS_LANE_SUM (s);
}

/* Returns the inner product of two arrays, of a multiple of four numbers, in four independent sums. */
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

/* t[r] -= sum over c < m of weight[c] P[c * height + r], for r < count, a multiple of four.  m should be a
 * constant, so that the loop over c is unrolled. */
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

#define RLS_WEIGHTS 8 /* length of a row of weights: room for the rows of a block */

/*
 * T := T - P weight' for columns b < mt of T: T[b * target_height + r] -= sum over c < columns of
 * weight[c][b] P[c][from + r], for r < count, a multiple of four.  mt should be a constant, so that T stays
 * in registers.  The columns of P are given by list, or, if that is NULL, begin at first and are height
 * apart.
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

    /* the last vector, if their number is odd */
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

/* The same for columns of P that are height apart. */
RLS_INLINE void rls_subtract_product (double *restrict T, size_t target_height, const double *restrict P,
                                      size_t height, const double (*restrict weight)[RLS_WEIGHTS],
                                      int columns, const int mt, int count)
{
    rls_subtract_columns_of (T, target_height, NULL, P, height, 0, weight, columns, mt, count);
}

/* The transposed product, lane by lane: sum[c] += P[c * height + r] x[r] over r < count, for c < m. */
RLS_INLINE void rls_add_column_products (rls_four *restrict sum, const double *restrict P, size_t height,
                                         const double *restrict x, const int m, int count)
{
    for (int r = 0; r < count; r += RLS_LANES)
        for (int c = 0; c < m; ++c)
            sum[c] += RLS_CONST_FOUR (P + (size_t)c * height + r) * RLS_CONST_FOUR (x + r);
}

/* Random bits from a number, the same for the same number (splitmix64); numbers that follow each other are
 * RLS_GOLDEN apart. */
#define RLS_GOLDEN 0x9E3779B97F4A7C15ull
static inline uint64_t rls_mixed (uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

/* A case of a switch that calls a macro with a constant number, so that the loops in it are unrolled. */
#define RLS_CASE(number, call)                                                                               \
    case number:                                                                                             \
        call (number);                                                                                       \
        break;

/* Calls the macro with the number of rows of a joint, as a constant. */
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
