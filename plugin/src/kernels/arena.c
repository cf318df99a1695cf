/* Blocks and growing arrays: the memory that lives from step to step. */
#include "arena.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef _WIN32 /* has no aligned_alloc, and frees aligned memory by another function */
#include <malloc.h>
#define aligned_alloc(alignment, bytes) _aligned_malloc (bytes, alignment)
#define release _aligned_free
#else
#define release free
#endif

#define ALIGNMENT 64
#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_PAGES 4 /* from so many on a block asks for them: a step goes through all of it many times */

void rls_arena_take (rls_arena_cursor *cursor, void *pointer, size_t count, size_t element)
{
    void *piece = cursor->base ? cursor->base + cursor->used : NULL;
    memcpy (pointer, &piece, sizeof (piece));
    if (piece) cursor->kept[cursor->pieces] = (char *)pointer - (const char *)cursor->block;
    cursor->used += (count * element + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    ++cursor->pieces;
}

static size_t whole (const rls_arena *block)
{
    return block->used + (size_t)block->pieces * sizeof (ptrdiff_t);
}

static ptrdiff_t *kept_of (const rls_arena *block)
{
    return (ptrdiff_t *)(void *)((char *)block->memory + block->used);
}

int rls_arena_start (rls_arena_cursor *cursor, rls_arena *block)
{
    const rls_arena wanted = {.used = cursor->used, .pieces = cursor->pieces};
    if (!rls_arena_reserve (block, whole (&wanted))) return 0;
    block->used = wanted.used;
    block->pieces = wanted.pieces;
    *cursor = (rls_arena_cursor){.base = block->memory, .block = block, .kept = kept_of (block)};
    return 1;
}

int rls_arena_copy (rls_arena *to, const rls_arena *from)
{
    if (!rls_arena_reserve (to, whole (from))) return 0;
    to->used = from->used;
    to->pieces = from->pieces;
    if (from->pieces > 0) memcpy (to->memory, from->memory, whole (from));
    for (int i = 0; i < to->pieces; ++i)
    {
        char *piece, *pointer = (char *)to + kept_of (to)[i];
        memcpy (&piece, pointer, sizeof (piece));
        if (piece) piece = (char *)to->memory + (piece - (char *)from->memory);
        memcpy (pointer, &piece, sizeof (piece));
    }
    return 1;
}

int rls_object_copy (void *to, const void *from, size_t size, rls_arena *block, const rls_arena *from_block)
{
    const rls_arena own = *block;
    memcpy (to, from, size);
    *block = own;
    return rls_arena_copy (block, from_block);
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

int rls_arena_reserve (rls_arena *block, size_t bytes)
{
    if (bytes <= block->capacity) return 1;
    size_t grown = bytes + bytes / 4;
    void *memory = allocate (&grown);
    if (!memory) return 0;
    if (block->memory) memcpy (memory, block->memory, block->capacity);
    release (block->memory);
    block->memory = memory;
    block->capacity = grown;
    return 1;
}

void rls_arena_free (rls_arena *block)
{
    release (block->memory);
    *block = (rls_arena){0};
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
