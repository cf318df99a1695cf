/* Blocks and growing arrays: the memory that lives from step to step. */
#include "memory.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGNMENT 64
#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_PAGES 4 /* from so many on a block asks for them: a step goes through all of it many times */

void *rls_carve (rls_carver *carver, size_t count, size_t element)
{
    const int piece = carver->pieces++;
    if (carver->again) return carver->base + carver->begins[piece];
    const size_t begin = carver->used;
    carver->used += (count * element + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!carver->base) return NULL;
    carver->begins[piece] = begin;
    return carver->base + begin;
}

static size_t whole (const rls_block *block) { return block->used + (size_t)block->pieces * sizeof (size_t); }

static rls_carver carver_of (const rls_block *block)
{
    char *base = block->memory;
    return (rls_carver){.base = base, .begins = (size_t *)(void *)(base + block->used)};
}

int rls_carver_reserve (rls_carver *carver, rls_block *block)
{
    const rls_block wanted = {.used = carver->used, .pieces = carver->pieces};
    if (!rls_block_reserve (block, whole (&wanted))) return 0;
    block->used = wanted.used;
    block->pieces = wanted.pieces;
    *carver = carver_of (block);
    return 1;
}

int rls_carver_copy (rls_carver *carver, rls_block *to, const rls_block *from)
{
    if (!rls_block_reserve (to, whole (from))) return 0;
    to->used = from->used;
    to->pieces = from->pieces;
    if (from->pieces == 0) return 1;
    memcpy (to->memory, from->memory, whole (from));
    *carver = carver_of (to);
    carver->again = 1;
    return 1;
}

/* Wherever the system has pages of this size and leaves the choice to programs, large blocks lie on them. */
static void *allocate (size_t *bytes)
{
    const size_t alignment = *bytes >= HUGE_PAGES * HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;
    *bytes = (*bytes + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc (alignment, *bytes);
#ifdef MADV_HUGEPAGE
    if (memory && alignment == HUGE_PAGE) madvise (memory, *bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

int rls_block_reserve (rls_block *block, size_t bytes)
{
    if (bytes <= block->capacity) return 1;
    size_t grown = bytes + bytes / 4;
    void *memory = allocate (&grown);
    if (!memory) return 0;
    if (block->memory) memcpy (memory, block->memory, block->capacity);
    free (block->memory);
    block->memory = memory;
    block->capacity = grown;
    return 1;
}

void rls_block_free (rls_block *block)
{
    free (block->memory);
    *block = (rls_block){0};
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
