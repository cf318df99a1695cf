/*
 * Vectors of eight doubles, for columns of six that are padded to eight.  Compilers make one, two or four
 * machine vectors of them.  Functions marked RLS_WIDE (kernels.h) are compiled for AVX-512 as well.
 */
#ifndef RLS_EIGHT_H
#define RLS_EIGHT_H

#include "kernels.h"

#define RLS_PADDED 8

typedef double rls_eight __attribute__ ((vector_size (64)));

/* The column at p, which must be aligned to 64 bytes. */
#define RLS_EIGHT(p) (*(rls_eight *)(void *)(p))
#define RLS_CONST_EIGHT(p) (*(const rls_eight *)(const void *)(p))

#endif
