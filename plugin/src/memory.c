/* Blocks and growing arrays: the memory that lives from step to step. */
#include "memory.h"
#include <limits.h>
#include <stdlib.h>

#define ALIGNMENT 64

void *rls_carve (rls_carver *carver, size_t count, size_t element)
{
    void *piece = carver->base ? carver->base + carver->used : NULL;
    carver->used += (count * element + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return piece;
}

int rls_block_reserve (rls_block *block, size_t bytes)
{
    if (bytes <= block->capacity) return 1;
    const size_t grown = (bytes + bytes / 4 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory = aligned_alloc (ALIGNMENT, grown);
    if (!memory) return 0;
    free (block->memory);
    block->memory = memory;
    block->capacity = grown;
    return 1;
}

void rls_block_free (rls_block *block)
{
    free (block->memory);
    *block = (rls_block){NULL, 0};
}

int rls_array_reserve (void *array_pointer, int *capacity, int count, size_t element)
{
    if (count <= *capacity) return 1;
    if (count > INT_MAX / 2) return 0;
    const int grown = count < 16 ? 32 : 2 * count;
    void *memory = realloc (*(void **)array_pointer, (size_t)grown * element);
    if (!memory) return 0;
    *(void **)array_pointer = memory;
    *capacity = grown;
    return 1;
}
