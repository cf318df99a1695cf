/*
 * Columns of six padded to eight doubles: one wide vector, two or four narrower ones, as the machine has it.
 *
 * Functions marked RLS_WIDE exist for plain x86-64, AVX2 and AVX-512; the loader picks.  The build forbids
 * fused multiply-add and nothing is reassociated, so that all three give the same bits.  RLS_ONE_COPY as in
 * kernels.h.
 */
#ifndef RLS_EIGHT_H
#define RLS_EIGHT_H

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__) &&                   \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(RLS_ONE_COPY)
#define RLS_WIDE __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define RLS_WIDE
#endif

#define INLINE static inline __attribute__ ((always_inline))

#define RLS_PADDED 8

typedef double rls_eight __attribute__ ((vector_size (64)));

/* The column at p, which is aligned to 64 bytes. */
#define RLS_EIGHT(p) (*(rls_eight *)(void *)(p))
#define RLS_CONST_EIGHT(p) (*(const rls_eight *)(const void *)(p))

#endif
