/* Blocks and growing arrays; contract in arena.h. */
#include "arena.h"
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

#if defined __SANITIZE_ADDRESS__
#define GUARDED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define GUARDED 1
#endif
#endif

#define ALIGNMENT 64                /* bytes */
#define HUGE_PAGE ((size_t)2 << 20) /* bytes */
#define HUGE_PAGES 4 /* blocks of so many huge pages and more use them: a step reads them many times */

/* ---- gaps between pieces, for AddressSanitizer ---- */

#ifdef GUARDED
#include <sanitizer/asan_interface.h>

/* AddressSanitizer knows only the block as a whole.  A poisoned gap after each piece shows it where a piece
 * ends. */
static const size_t gap = ALIGNMENT;

static void close_from (char *end, char *next) { __asan_poison_memory_region (end, (size_t)(next - end)); }
static void open_all (const rls_arena *block)
{
    __asan_unpoison_memory_region (block->memory, block->capacity);
}

/* Copies the contents, and which parts of them are poisoned. */
__attribute__ ((no_sanitize ("address"))) static void copy_block (char *to, const char *from, size_t bytes)
{
    __asan_unpoison_memory_region (to, bytes);
    for (size_t i = 0, closed = 0; i <= bytes; ++i)
    {
        if (i < bytes) to[i] = from[i];
        if (i < bytes && __asan_address_is_poisoned (from + i)) continue;
        if (i > closed) close_from (to + closed, to + i);
        closed = i + 1;
    }
}
#else
static const size_t gap = 0;
static void close_from (char *end, char *next) { (void)end, (void)next; }
static void open_all (const rls_arena *block) { (void)block; }
static void copy_block (char *to, const char *from, size_t bytes) { memcpy (to, from, bytes); }
#endif

/* ---- blocks ---- */

static size_t aligned (size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Returns the bytes of all pieces with the distances of their pointers. */
static size_t whole (const rls_arena *block)
{
    return block->used + (size_t)block->pieces * sizeof (ptrdiff_t);
}

static ptrdiff_t *kept_of (const rls_arena *block)
{
    return (ptrdiff_t *)(void *)((char *)block->memory + block->used);
}

void rls_arena_take (rls_arena_cursor *cursor, void *pointer, size_t count, size_t element)
{
    const rls_arena *block = cursor->block;
    const size_t from = cursor->used, bytes = count * element;
    cursor->used += aligned (bytes) + gap;
    const int inside = block && cursor->used <= block->used && cursor->pieces < block->pieces;
    if (inside && cursor->pieces == 0) open_all (block);
    char *piece = inside ? (char *)block->memory + from : NULL;
    memcpy (pointer, &piece, sizeof (piece));
    if (inside) kept_of (block)[cursor->pieces] = (char *)pointer - (const char *)block;
    if (inside) close_from (piece + bytes, (char *)block->memory + cursor->used);
    ++cursor->pieces;
}

int rls_arena_settle (rls_arena_cursor *cursor)
{
    rls_arena *block = cursor->block;
    const rls_arena wanted = {.used = cursor->used, .pieces = cursor->pieces};
    if (block->memory && wanted.used == block->used && wanted.pieces == block->pieces) return RLS_AS_BEFORE;
    if (!rls_arena_reserve (block, whole (&wanted))) return 0;
    open_all (block);
    block->used = wanted.used;
    block->pieces = wanted.pieces;
    *cursor = (rls_arena_cursor){.block = block};
    return RLS_ANEW;
}

int rls_arena_copy (rls_arena *to, const rls_arena *from)
{
    if (!rls_arena_reserve (to, whole (from))) return 0;
    to->used = from->used;
    to->pieces = from->pieces;
    if (from->pieces > 0) copy_block (to->memory, from->memory, whole (from));
    for (int i = 0; i < to->pieces; ++i)
    {
        char *piece, *pointer = (char *)to + kept_of (to)[i];
        memcpy (&piece, pointer, sizeof (piece));
        if (piece) piece = (char *)to->memory + (piece - (char *)from->memory);
        memcpy (pointer, &piece, sizeof (piece));
    }
    return 1;
}

/* Allocates aligned memory, of huge pages if it is large and the system leaves that choice to programs.
 * Raises bytes to a multiple of the alignment. */
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
    open_all (block);
    if (block->memory) memcpy (memory, block->memory, block->capacity);
    release (block->memory);
    block->memory = memory;
    block->capacity = grown;
    return 1;
}

void rls_arena_free (rls_arena *block)
{
    open_all (block);
    release (block->memory);
    *block = (rls_arena){0};
}

/* ---- structures with several blocks ---- */

static rls_arena *block_of (const void *object, size_t place)
{
    return (rls_arena *)(void *)((char *)(void *)object + place);
}

int rls_object_copy (void *to, const void *from, size_t size, const size_t *blocks, size_t count)
{
    rls_arena own[RLS_MOST_BLOCKS];
    int done = 1;
    for (size_t i = 0; i < count; ++i) own[i] = *block_of (to, blocks[i]);
    memcpy (to, from, size);
    for (size_t i = 0; i < count; ++i) *block_of (to, blocks[i]) = own[i];
    for (size_t i = 0; i < count && done; ++i)
        done = rls_arena_copy (block_of (to, blocks[i]), block_of (from, blocks[i]));
    return done;
}

void rls_object_free (void *object, const size_t *blocks, size_t count)
{
    for (size_t i = 0; i < count; ++i) rls_arena_free (block_of (object, blocks[i]));
}

/* ---- arrays that grow ---- */

int rls_arena_grow (rls_arena *block, void *array_pointer, int count, size_t element)
{
    /* the array has whole lines of memory, so that all that it may be used for has been made 0 */
    const size_t had = block->used > gap ? block->used - gap : 0,
                 wanted = aligned (2 * (size_t)count * element);
    rls_arena_cursor cursor = {.block = NULL};
    char *array;
    if ((size_t)count * element <= had) return 1;
    rls_arena_take (&cursor, &array, wanted, 1); /* adds up its size */
    cursor.block = block;
    if (!rls_arena_settle (&cursor)) return 0;
    rls_arena_take (&cursor, array_pointer, wanted, 1);
    memcpy (&array, array_pointer, sizeof (array));
    memset (array + had, 0, wanted - had);
    return 1;
}
