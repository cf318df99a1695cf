/*
 * Columns of six padded to eight doubles: one wide vector, two or four narrower ones, as the machine has it.
 *
 * Functions marked RLS_WIDE (kernels.h) exist for AVX-512 as well.
 */
#ifndef RLS_EIGHT_H
#define RLS_EIGHT_H

#include "kernels.h"

#define INLINE RLS_INLINE

#define RLS_PADDED 8

typedef double rls_eight __attribute__ ((vector_size (64)));

/* The column at p, which is aligned to 64 bytes. */
#define RLS_EIGHT(p) (*(rls_eight *)(void *)(p))
#define RLS_CONST_EIGHT(p) (*(const rls_eight *)(const void *)(p))

#endif
