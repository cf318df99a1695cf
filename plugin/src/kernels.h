/*
 * The inner loops of the factorisation, written so that compilers make vectors of them.
 *
 * They are inlined into functions marked RLS_VECTOR_CLONES, which exist once for plain x86-64 and once
 * for AVX2; the loader picks.  The build forbids fused multiply-add and no loop is reassociated, so that
 * both give the same bits.
 */
#ifndef RLS_KERNELS_H
#define RLS_KERNELS_H

#include <stddef.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__)
#define RLS_VECTOR_CLONES __attribute__ ((target_clones ("avx2", "default")))
#else
#define RLS_VECTOR_CLONES
#endif

#define RLS_INLINE static inline __attribute__ ((always_inline))

/* t[r] -= sum over c < m of weight[c] P[c * height + r], r < count; constants in m and count unroll it. */
RLS_INLINE void rls_subtract_columns (double *restrict t, const double *restrict P, size_t height,
                                      const double *restrict weight, const int m, const int count)
{
    for (int r = 0; r < count; ++r)
    {
        double sum = weight[0] * P[r];
        for (int c = 1; c < m; ++c) sum += weight[c] * P[(size_t)c * height + (size_t)r];
        t[r] -= sum;
    }
}

/* sum[c] += P[c * height + r] x[r] over r < count, c < m: the transposed product. */
RLS_INLINE void rls_add_column_products (double *restrict sum, const double *restrict P, size_t height,
                                         const double *restrict x, const int m, const int count)
{
    double s[6] = {0};
    for (int r = 0; r < count; ++r)
        for (int c = 0; c < m; ++c) s[c] += P[(size_t)c * height + (size_t)r] * x[r];
    for (int c = 0; c < m; ++c) sum[c] += s[c];
}

#endif
