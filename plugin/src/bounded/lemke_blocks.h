/*
 * Bounded rows of one island that do nothing to each other, as those of boxes on a platform that is moved:
 * blocks, each of which is a problem of its own and takes pivots of its own size.
 */
#ifndef RLS_LEMKE_BLOCKS_H
#define RLS_LEMKE_BLOCKS_H

#include "lemke.h"

typedef struct
{
    int rows;
    int loaded; /* 1: its path has the matrix */
    int *row;   /* rows: which they are among all */
    int *follow;
    double *lo, *hi, *softness, *diagonal;
    rls_lemke path;
    rls_arena block;
} rls_lemke_block;

typedef struct
{
    int count;       /* of the matrix that was looked at last; 0: none was */
    int *of, *place; /* rows: their block, and their place in it */
    rls_lemke_block *block;
    rls_arena of_block, place_block, all; /* their memory */
} rls_lemke_blocks;

/* Finds the blocks of a matrix.  Where there is no memory for them all rows are one. */
void rls_lemke_find_blocks (rls_lemke_blocks *blocks, const rls_lemke *whole, const rls_bounded *b);

/* own := block number k of the problem b, with its path's p, origin and origin_w from the whole.  Returns its
 * path, whose p rls_lemke_unload writes back. */
rls_lemke *rls_lemke_load (rls_lemke_blocks *blocks, int k, const rls_lemke *whole, const rls_bounded *b,
                           rls_bounded *own);
void rls_lemke_unload (const rls_lemke_blocks *blocks, int k, rls_lemke *whole);

void rls_lemke_free_blocks (rls_lemke_blocks *blocks);

#endif
