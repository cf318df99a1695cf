/*
 * Memory that is allocated once and reused: a structure lists its arrays in one layout function, which
 * is run twice, first to add up the sizes and then to hand out the pieces of a single block.
 */
#ifndef RLS_ARENA_H
#define RLS_ARENA_H

#include <stddef.h>

typedef struct
{
    void *memory;
    size_t capacity; /* bytes */
    size_t used; /* bytes of its pieces; behind them, how far from the block the pointer to each is kept */
    int pieces;
} rls_arena;

typedef struct
{
    char *base; /* NULL while sizes are added up */
    size_t used;
    const rls_arena *block;
    ptrdiff_t *kept; /* pieces: of their pointers */
    int pieces;
} rls_arena_cursor;

/* pointer := the next piece of count elements, aligned for vector units; NULL while sizes are added up. */
#define RLS_TAKE(cursor, pointer, count) rls_arena_take ((cursor), &(pointer), (count), sizeof (*(pointer)))
void rls_arena_take (rls_arena_cursor *cursor, void *pointer, size_t count, size_t element);

/* The same of several pointers, given by their addresses, to as many elements of one type each. */
#define RLS_TAKE_ALL(cursor, count, type, ...)                                                               \
    do {                                                                                                     \
        __typeof__ (type) **const all_[] = {__VA_ARGS__};                                                    \
        for (size_t i_ = 0; i_ < sizeof (all_) / sizeof (*all_); ++i_)                                       \
            RLS_TAKE ((cursor), *all_[i_], (count));                                                         \
    } while (0)

/* Makes the block at least as large as asked, keeping its contents.  1 done, 0 no memory (then the block is
 * unchanged). */
int rls_arena_reserve (rls_arena *block, size_t bytes);
void rls_arena_free (rls_arena *block);

/* Grows an array by doubling, keeping its contents.  1 done, 0 no memory (then it is unchanged). */
int rls_array_reserve (void *array_pointer, int *capacity, int count, size_t element);

/* A block with room for all that a cursor has added up; the cursor then hands the pieces out.  1 done, 0 no
 * memory. */
int rls_arena_start (rls_arena_cursor *cursor, rls_arena *block);

/*
 * Makes a block the same as another one.  The object that it lies in, pointers to its pieces included, has
 * been assigned from that one's, but for the block itself; the pointers are made to point into the copy.  1
 * done, 0 no memory.
 */
int rls_arena_copy (rls_arena *to, const rls_arena *from);

/* An object with one block: to := the same as from.  1 done, 0 no memory. */
#define RLS_COPY(to, from, block)                                                                            \
    rls_object_copy ((to), (from), sizeof (*(from)), &(to)->block, &(from)->block)
int rls_object_copy (void *to, const void *from, size_t size, rls_arena *block, const rls_arena *from_block);

/* The layout idiom: lay_out_all (object, cursor) is run twice around the reservation. */
#define RLS_LAY_OUT(object, block, lay_out_all, done)                                                        \
    do {                                                                                                     \
        rls_arena_cursor cursor_ = {0};                                                                      \
        lay_out_all ((object), &cursor_);                                                                    \
        (done) = rls_arena_start (&cursor_, (block));                                                        \
        if (done) lay_out_all ((object), &cursor_);                                                          \
    } while (0)

/* For an object with arrays for bodies and rows: fits := RLS_AS_BEFORE if it was laid out for as many,
 * RLS_ANEW if it has been now, 0 without memory. */
enum
{
    RLS_AS_BEFORE = 1,
    RLS_ANEW
};
#define RLS_FIT(object, bodies_, rows_, lay_out_all, fits)                                                   \
    do {                                                                                                     \
        (fits) = RLS_AS_BEFORE;                                                                              \
        if ((object)->block.memory && (object)->bodies == (bodies_) && (object)->rows == (rows_)) break;     \
        (object)->bodies = (bodies_), (object)->rows = (rows_);                                              \
        RLS_LAY_OUT ((object), &(object)->block, lay_out_all, fits);                                         \
        if (fits)                                                                                            \
            (fits) = RLS_ANEW;                                                                               \
        else                                                                                                 \
            (object)->bodies = -1;                                                                           \
    } while (0)

#endif
