/*
 * Memory that is allocated once and reused: a structure lists its arrays in one layout function, which
 * is run twice, first to add up the sizes and then to hand out the pieces of a single block.
 */
#ifndef RLS_MEMORY_H
#define RLS_MEMORY_H

#include <stddef.h>

typedef struct
{
    void *memory;
    size_t capacity; /* bytes */
    size_t used;     /* bytes of its pieces; behind them, where each of them begins */
    int pieces;
} rls_block;

typedef struct
{
    char *base; /* NULL while sizes are added up */
    size_t used;
    size_t *begins; /* pieces: where they begin in the block; NULL while sizes are added up */
    int pieces;
    int again; /* the pieces of an earlier layout are handed out, whatever sizes are asked for */
} rls_carver;

/* The next piece of count elements, aligned for vector units. */
void *rls_carve (rls_carver *carver, size_t count, size_t element);

/* Makes the block at least as large as asked, keeping its contents.  1 done, 0 no memory (then the block is
 * unchanged). */
int rls_block_reserve (rls_block *block, size_t bytes);
void rls_block_free (rls_block *block);

/* Grows an array by doubling, keeping its contents.  1 done, 0 no memory (then it is unchanged). */
int rls_array_reserve (void *array_pointer, int *capacity, int count, size_t element);

/* A block with room for all that a carver has added up; the carver then hands the pieces out.  1 done, 0 no
 * memory. */
int rls_carver_reserve (rls_carver *carver, rls_block *block);

/* Makes a block the same as another one, and a carver that hands out the same pieces of it.  1 done, 0 no
 * memory. */
int rls_carver_copy (rls_carver *carver, rls_block *to, const rls_block *from);

/* The layout idiom: carve_all (object, carver) is run twice around the reservation. */
#define RLS_LAY_OUT(object, block, carve_all, done)                                                          \
    do {                                                                                                     \
        rls_carver carver_ = {0};                                                                            \
        carve_all ((object), &carver_);                                                                      \
        (done) = rls_carver_reserve (&carver_, (block));                                                     \
        if (done) carve_all ((object), &carver_);                                                            \
    } while (0)

/* The copy idiom: the object has just been assigned from another one and still points into its memory; its
 * block is made a copy of that one's and the pieces are carved anew. */
#define RLS_LAY_OUT_COPY(object, to, from, carve_all, done)                                                  \
    do {                                                                                                     \
        rls_carver carver_;                                                                                  \
        (done) = rls_carver_copy (&carver_, (to), (from));                                                   \
        if ((done) && (from)->pieces > 0) carve_all ((object), &carver_);                                    \
    } while (0)

#endif
