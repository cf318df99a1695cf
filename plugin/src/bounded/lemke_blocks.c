/* Blocks of bounded rows; contract in lemke_blocks.h. */
#include "lemke_blocks.h"
#include <stdlib.h>

static void lay_out (rls_lemke_block *k, rls_arena_cursor *c)
{
    const size_t n = (size_t)k->rows;
    RLS_TAKE (c, n, k->lo, k->hi, k->softness, k->diagonal, k->row, k->follow);
}

/* of := the block of each row, whose rows follow from the first one.  Returns how many blocks there are;
 * place is scratch: rows that have been followed, those that are to be, and those that are of no block yet.
 */
static int number_blocks (rls_lemke_blocks *all, const rls_lemke *whole, const rls_bounded *b)
{
    int *row = all->place, count = 0;
    for (int r = 0; r < whole->rows; ++r) row[r] = r;
    for (int next = 0, found = 0; next < whole->rows; ++next)
    {
        if (next == found) ++count, ++found; /* the first of another block */
        const int from = row[next];
        const double *moved = whole->A + (size_t)from * (size_t)whole->length;
        all->of[from] = count - 1;
        for (int i = found; i < whole->rows; ++i)
        {
            const int r = row[i];
            if (moved[r] == 0 && b->follow[r] != from && b->follow[from] != r) continue;
            row[i] = row[found], row[found++] = r;
        }
    }
    return count;
}

/* Room for a block's rows, and which they are.  1 done, 0 no memory. */
static int begin_block (rls_lemke_blocks *all, int k, int rows, int of_all)
{
    rls_lemke_block *block = &all->block[k];
    int done = 1;
    block->loaded = 0;
    if (block->rows != rows || !block->block.memory)
    {
        block->rows = rows;
        done = RLS_LAY_OUT (block, &block->block, lay_out);
    }
    if (!done || !rls_lemke_lay_out (&block->path, rows)) return block->rows = 0;
    for (int r = 0, next = 0; r < of_all; ++r)
        if (all->of[r] == k) all->place[r] = next, block->row[next++] = r;
    return 1;
}

void rls_lemke_find_blocks (rls_lemke_blocks *all, const rls_lemke *whole, const rls_bounded *b)
{
    const int n = whole->rows;
    all->count = 1;
    if (!RLS_GROW (&all->of_block, all->of, n) || !RLS_GROW (&all->place_block, all->place, n)) return;
    const int count = number_blocks (all, whole, b);
    int done = count == 1 || RLS_GROW (&all->all, all->block, count);
    for (int k = 0; k < count && count > 1 && done; ++k)
    {
        int rows = 0;
        for (int r = 0; r < n; ++r) rows += all->of[r] == k;
        done = begin_block (all, k, rows, n);
    }
    if (done) all->count = count;
}

/* The part of the matrix that is the block's. */
static void take_matrix (rls_lemke_block *block, const rls_lemke *whole)
{
    rls_lemke *q = &block->path;
    for (int c = 0; c < block->rows; ++c)
    {
        const double *from = whole->A + (size_t)block->row[c] * (size_t)whole->length;
        double *to = q->A + (size_t)c * (size_t)q->length;
        memset (to, 0, sizeof (double) * (size_t)q->length);
        for (int r = 0; r < block->rows; ++r) to[r] = from[block->row[r]];
        q->corner[c] = whole->corner[block->row[c]];
    }
    block->loaded = 1;
}

rls_lemke *rls_lemke_load (rls_lemke_blocks *all, int k, const rls_lemke *whole, const rls_bounded *b,
                           rls_bounded *own)
{
    rls_lemke_block *block = &all->block[k];
    rls_lemke *q = &block->path;
    if (!block->loaded) take_matrix (block, whole);
    for (int i = 0; i < block->rows; ++i)
    {
        const int r = block->row[i];
        block->follow[i] = b->follow[r] < 0 ? -1 : all->place[b->follow[r]];
        block->lo[i] = b->lo[r], block->hi[i] = b->hi[r];
        block->softness[i] = b->softness[r], block->diagonal[i] = whole->diagonal[r];
        q->p[i] = whole->p[r], q->origin[i] = whole->origin[r], q->origin_w[i] = whole->origin_w[r];
    }
    q->diagonal = block->diagonal;
    *own = (rls_bounded){.rows = block->rows,
                         .follow = block->follow,
                         .lo = block->lo,
                         .hi = block->hi,
                         .softness = block->softness};
    return q;
}

void rls_lemke_unload (const rls_lemke_blocks *all, int k, rls_lemke *whole)
{
    const rls_lemke_block *block = &all->block[k];
    for (int i = 0; i < block->rows; ++i) whole->p[block->row[i]] = block->path.p[i];
}

void rls_lemke_free_blocks (rls_lemke_blocks *all)
{
    for (size_t k = 0; k < all->all.used / sizeof (*all->block); ++k)
    {
        rls_arena_free (&all->block[k].path.block);
        rls_arena_free (&all->block[k].block);
    }
    rls_arena_free (&all->all);
    rls_arena_free (&all->of_block);
    rls_arena_free (&all->place_block);
    *all = (rls_lemke_blocks){0};
}
