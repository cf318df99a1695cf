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
    size_t used;     /* bytes of its pieces; behind them, where each of them begins */
    int pieces;
} rls_arena;

typedef struct
{
    char *base; /* NULL while sizes are added up */
    size_t used;
    size_t *begins; /* pieces: where they begin in the block; NULL while sizes are added up */
    int pieces;
    int again; /* the pieces of an earlier layout are handed out, whatever sizes are asked for */
} rls_arena_cursor;

/* The next piece of count elements, aligned for vector units. */
void *rls_arena_take (rls_arena_cursor *cursor, size_t count, size_t element);

/* Makes the block at least as large as asked, keeping its contents.  1 done, 0 no memory (then the block is
 * unchanged). */
int rls_arena_reserve (rls_arena *block, size_t bytes);
void rls_arena_free (rls_arena *block);

/* Grows an array by doubling, keeping its contents.  1 done, 0 no memory (then it is unchanged). */
int rls_array_reserve (void *array_pointer, int *capacity, int count, size_t element);

/* A block with room for all that a cursor has added up; the cursor then hands the pieces out.  1 done, 0 no
 * memory. */
int rls_arena_start (rls_arena_cursor *cursor, rls_arena *block);

/* Makes a block the same as another one, and a cursor that hands out the same pieces of it.  1 done, 0 no
 * memory. */
int rls_arena_start_copy (rls_arena_cursor *cursor, rls_arena *to, const rls_arena *from);

/* The layout idiom: lay_out_all (object, cursor) is run twice around the reservation. */
#define RLS_LAY_OUT(object, block, lay_out_all, done)                                                        \
    do {                                                                                                     \
        rls_arena_cursor cursor_ = {0};                                                                      \
        lay_out_all ((object), &cursor_);                                                                    \
        (done) = rls_arena_start (&cursor_, (block));                                                        \
        if (done) lay_out_all ((object), &cursor_);                                                          \
    } while (0)

/* The copy idiom: the object has just been assigned from another one and still points into its memory; its
 * block is made a copy of that one's and the pieces are handed out anew. */
#define RLS_LAY_OUT_COPY(object, to, from, lay_out_all, done)                                                \
    do {                                                                                                     \
        rls_arena_cursor cursor_;                                                                            \
        (done) = rls_arena_start_copy (&cursor_, (to), (from));                                              \
        if ((done) && (from)->pieces > 0) lay_out_all ((object), &cursor_);                                  \
    } while (0)

#endif
