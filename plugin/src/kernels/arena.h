/*
 * Memory that is allocated once and reused from step to step.  A structure has all of its arrays in a single
 * block.  It lists them in one layout function, which sets the pointers to the pieces of the block and adds
 * up the sizes.  If the block is not of these sizes, it is made so, and the function is run again.
 */
#ifndef RLS_ARENA_H
#define RLS_ARENA_H

#include <stddef.h>

typedef struct
{
    void *memory;
    size_t capacity; /* bytes */
    size_t used;     /* bytes of the pieces; after them come the distances from this structure to the pointer
                        of each piece, by which a copy finds the pointers */
    int pieces;
} rls_arena;

/* The state of a run of a layout function. */
typedef struct
{
    rls_arena *block; /* NULL: nothing but sizes is asked for */
    size_t used;      /* bytes so far, */
    int pieces;       /* and pieces */
} rls_arena_cursor;

/* RLS_TAKE (cursor, count, pointer, ...) sets each pointer, of up to 16, to the next piece, of count elements
 * of its type, aligned for vector units; to NULL if the block ends before. */
#define RLS_TAKE(cursor, count, ...)                                                                         \
    RLS_TAKE_NUMBER (__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)                  \
    (cursor, count, __VA_ARGS__)
#define RLS_TAKE_NUMBER(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, number, ...) RLS_TAKE_##number
#define RLS_TAKE_1(c, n, p) rls_arena_take ((c), &(p), (n), sizeof (*(p)))
#define RLS_TAKE_2(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_1 (c, n, __VA_ARGS__)
#define RLS_TAKE_3(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_2 (c, n, __VA_ARGS__)
#define RLS_TAKE_4(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_3 (c, n, __VA_ARGS__)
#define RLS_TAKE_5(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_4 (c, n, __VA_ARGS__)
#define RLS_TAKE_6(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_5 (c, n, __VA_ARGS__)
#define RLS_TAKE_7(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_6 (c, n, __VA_ARGS__)
#define RLS_TAKE_8(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_7 (c, n, __VA_ARGS__)
#define RLS_TAKE_9(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_8 (c, n, __VA_ARGS__)
#define RLS_TAKE_10(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_9 (c, n, __VA_ARGS__)
#define RLS_TAKE_11(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_10 (c, n, __VA_ARGS__)
#define RLS_TAKE_12(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_11 (c, n, __VA_ARGS__)
#define RLS_TAKE_13(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_12 (c, n, __VA_ARGS__)
#define RLS_TAKE_14(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_13 (c, n, __VA_ARGS__)
#define RLS_TAKE_15(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_14 (c, n, __VA_ARGS__)
#define RLS_TAKE_16(c, n, p, ...) RLS_TAKE_1 (c, n, p), RLS_TAKE_15 (c, n, __VA_ARGS__)
void rls_arena_take (rls_arena_cursor *cursor, void *pointer, size_t count, size_t element);

/* Makes the block at least as large as asked; its contents are kept.  Returns 1, or 0 without memory (then
 * the block is unchanged). */
int rls_arena_reserve (rls_arena *block, size_t bytes);
void rls_arena_free (rls_arena *block);

/* Makes the only array of a block large enough for count elements, with as many again for later ones; its
 * contents are kept, and what is added is 0.  Returns 1, or 0 without memory (then it is unchanged). */
#define RLS_GROW(block, array, count) rls_arena_grow ((block), &(array), (count), sizeof (*(array)))
int rls_arena_grow (rls_arena *block, void *array_pointer, int count, size_t element);

/* A list that grows.  RLS_ROOM makes its array large enough for the wanted count; 1, or 0 without memory. */
#define RLS_LIST(type)                                                                                       \
    struct                                                                                                   \
    {                                                                                                        \
        type *of;                                                                                            \
        int count;                                                                                           \
        rls_arena block;                                                                                     \
    }
#define RLS_ROOM(list, wanted) RLS_GROW (&(list).block, (list).of, (wanted))

/* After a run: returns RLS_AS_BEFORE if it has ended where the block does, so that all pieces are laid out.
 * Otherwise makes the block as large as the cursor has added up, and prepares the cursor for the second run;
 * then the result is RLS_ANEW, or 0 without memory. */
enum
{
    RLS_AS_BEFORE = 1,
    RLS_ANEW
};
int rls_arena_settle (rls_arena_cursor *cursor);

/* Copies the contents of a block.  The structure that it is in must have been assigned from the other one,
 * except for the block itself; its pointers to the pieces are then changed to those of the copy.  Returns 1,
 * or 0 without memory. */
int rls_arena_copy (rls_arena *to, const rls_arena *from);

/* Copy and free a structure whose blocks are at these places in it.  The first assigns all but the blocks,
 * and copies their contents; it returns 1, or 0 without memory. */
#define RLS_MOST_BLOCKS 48
int rls_object_copy (void *to, const void *from, size_t size, const size_t *blocks, size_t count);
void rls_object_free (void *object, const size_t *blocks, size_t count);

/* Runs the layout function lay_out_all (object, cursor) once or twice.  Returns 1, or 0 without memory. */
#define RLS_LAY_OUT(object, block_, lay_out_all)                                                             \
    __extension__({                                                                                          \
        rls_arena_cursor cursor_ = {.block = (block_)};                                                      \
        lay_out_all ((object), &cursor_);                                                                    \
        const int settled_ = rls_arena_settle (&cursor_);                                                    \
        if (settled_ == RLS_ANEW) lay_out_all ((object), &cursor_);                                          \
        settled_ != 0;                                                                                       \
    })

/* Lays out an object with arrays for bodies and rows, unless it has been for the same numbers already.
 * Returns RLS_AS_BEFORE then, RLS_ANEW if it was laid out (its contents are lost), 0 without memory. */
#define RLS_FIT(object, bodies_, rows_, lay_out_all)                                                         \
    __extension__({                                                                                          \
        int fits_ = (object)->block.memory && (object)->bodies == (bodies_) && (object)->rows == (rows_);    \
        if (!fits_)                                                                                          \
        {                                                                                                    \
            (object)->bodies = (bodies_), (object)->rows = (rows_);                                          \
            fits_ = RLS_LAY_OUT ((object), &(object)->block, lay_out_all) ? RLS_ANEW : 0;                    \
            if (!fits_) (object)->bodies = -1;                                                               \
        }                                                                                                    \
        fits_;                                                                                               \
    })

#endif
