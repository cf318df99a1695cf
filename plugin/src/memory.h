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
} rls_block;

typedef struct
{
    char *base; /* NULL while sizes are added up */
    size_t used;
} rls_carver;

/* The next piece of count elements, aligned for vector units. */
void *rls_carve (rls_carver *carver, size_t count, size_t element);

/* Makes the block at least as large as asked; its contents are lost when it grows.  1 done, 0 no memory
 * (then the block is unchanged). */
int rls_block_reserve (rls_block *block, size_t bytes);
void rls_block_free (rls_block *block);

/* Grows an array by doubling, keeping its contents.  1 done, 0 no memory (then it is unchanged). */
int rls_array_reserve (void *array_pointer, int *capacity, int count, size_t element);

/* The layout idiom: carve_all (object, carver) is run twice around the reservation. */
#define RLS_LAY_OUT(object, block, carve_all, done)                                                          \
    do {                                                                                                     \
        rls_carver carver_ = {NULL, 0};                                                                      \
        carve_all ((object), &carver_);                                                                      \
        (done) = rls_block_reserve ((block), carver_.used);                                                  \
        if (done)                                                                                            \
        {                                                                                                    \
            carver_ = (rls_carver){(block)->memory, 0};                                                      \
            carve_all ((object), &carver_);                                                                  \
        }                                                                                                    \
    } while (0)

#endif
