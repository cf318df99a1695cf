/*
 * Memory of the bounded solver: what it keeps of an island, its copy for a saved state, and the arrays of a
 * problem.
 *
 * The arrays of a problem belong to the thread that solves it, and serve the islands that the thread steps
 * one after the other: hundreds of small islands with arrays of their own would not fit into the caches.
 */
#include "bounded_work.h"
#include <stdlib.h>

typedef struct
{
    struct rls_bounded_work *work;
    size_t bodies, joints, rows, bilateral;
} layout;

static void lay_out (layout *l, rls_arena_cursor *c)
{
    struct rls_bounded_work *w = l->work;
    rls_interior *in = &w->interior;
    RLS_TAKE (c, l->rows, w->diagonal, w->best_p, w->trial_p, w->sweeps.p, w->sweeps.dp, in->scale,
              in->resistance, in->weight, in->coupling, in->w, in->rhs, in->dp, in->dw, w->local, in->kind,
              in->bound);
    RLS_TAKE (c, l->bilateral, w->bilateral_scratch, w->bilateral_trial, w->sweeps.q, w->sweeps.dq,
              in->bilateral_weight, in->bilateral_w, in->bilateral_q);
    RLS_TAKE (c, l->bodies, w->start, w->trial, w->sweeps.v, w->sweeps.dv, in->dv, in->base);
    RLS_TAKE (c, l->joints, in->contact);
}

/* Makes room for a problem of this size; what is there grows, and is left as it is where it suffices.
 * Returns 1, or 0 without memory. */
static int reserve (layout l)
{
    const size_t wanted[] = {l.bodies, l.joints, l.rows, l.bilateral};
    size_t *room = l.work->room, *size[] = {&l.bodies, &l.joints, &l.rows, &l.bilateral};
    int grows = !l.work->block.memory;
    for (int i = 0; i < RLS_SIZES; ++i)
    {
        grows |= wanted[i] > room[i];
        *size[i] = wanted[i] > room[i] ? wanted[i] : room[i];
    }
    if (!grows) return 1;
    const int done = RLS_LAY_OUT (&l, &l.work->block, lay_out);
    for (int i = 0; i < RLS_SIZES; ++i) room[i] = done ? *size[i] : 0;
    return done;
}

/* The blocks of what is kept of an island. */
#define BLOCK(member) offsetof (struct rls_bounded_kept, member)
static const size_t kept_blocks[] = {
    BLOCK (warm[0].block),    BLOCK (warm[1].block), BLOCK (past.block),
    BLOCK (sides.block),      BLOCK (space.shape),   BLOCK (space.structure),
    BLOCK (space.link_block), BLOCK (space.values),  BLOCK (space.scratch_block)};
#define BLOCKS (sizeof (kept_blocks) / sizeof (*kept_blocks))

/* Makes what kept or work points to if there is none yet, all 0.  Returns it, NULL without memory. */
#define MADE(pointer) (*(pointer) ? *(pointer) : (*(pointer) = calloc (1, sizeof (**(pointer)))))

struct rls_bounded_kept *rls_bounded_kept_of (rls_island *island) { return MADE (&island->bounded_kept); }

struct rls_bounded_work *rls_bounded_reserve (rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    struct rls_bounded_work *work = MADE (&island->bounded_work);
    if (!work || !rls_bounded_kept_of (island)) return NULL;
    const int done = reserve ((layout){work, (size_t)island->model.bodies, (size_t)b->joints, (size_t)b->rows,
                                       (size_t)island->begin.rows.rows});
    return done ? work : NULL;
}

int rls_bounded_copy (struct rls_bounded_kept **to, const struct rls_bounded_kept *from)
{
    if (!from)
    {
        rls_bounded_free (*to);
        *to = NULL;
        return 1;
    }
    return MADE (to) && rls_object_copy (*to, from, sizeof (*from), kept_blocks, BLOCKS);
}

void rls_bounded_free (struct rls_bounded_kept *kept)
{
    if (kept) rls_object_free (kept, kept_blocks, BLOCKS);
    free (kept);
}

void rls_bounded_free_work (struct rls_bounded_work *work)
{
    if (!work) return;
    rls_lemke_free_blocks (&work->blocks);
    rls_arena_free (&work->path.block);
    rls_arena_free (&work->path.halves);
    rls_arena_free (&work->block);
    free (work);
}
