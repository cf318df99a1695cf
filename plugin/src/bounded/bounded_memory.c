/*
 * Memory of the bounded solver: the workspace of an island, its arrays, its copy for a saved state.
 *
 * Arrays that a single problem needs lie in one block, which is laid out anew when the numbers of bodies,
 * joints or rows change.  What is kept from step to step (impulses, contacts, the factor of the sides) has
 * blocks of its own; rls_bounded_copy copies these and nothing else.
 */
#include "bounded_work.h"

typedef struct
{
    struct rls_bounded_work *work;
    size_t bodies, joints, rows, bilateral;
} layout;

static void lay_out (layout *l, rls_arena_cursor *c)
{
    struct rls_bounded_work *w = l->work;
    rls_interior *in = &w->interior;
    RLS_TAKE_ALL (c, l->rows, double, &w->diagonal, &w->best_p, &w->trial_p, &w->sweeps.p, &w->sweeps.dp,
                  &in->scale, &in->resistance, &in->weight, &in->coupling, &in->w, &in->rhs, &in->dp,
                  &in->dw);
    RLS_TAKE_ALL (c, l->bilateral, double, &w->bilateral_scratch, &w->bilateral_trial, &w->sweeps.q,
                  &w->sweeps.dq, &in->bilateral_weight, &in->bilateral_w, &in->bilateral_q);
    RLS_TAKE_ALL (c, l->bodies, double[6], &w->start, &w->trial, &w->sweeps.v, &w->sweeps.dv, &in->dv,
                  &in->base);
    RLS_TAKE (c, w->local, l->rows);
    RLS_TAKE (c, in->kind, l->rows);
    RLS_TAKE (c, in->bound, l->rows);
    RLS_TAKE (c, in->contact, l->joints);
}

/* Lays the arrays out.  Those of the last problem stay where they are if the numbers are the same.
 * Returns 1, or 0 without memory. */
static int reserve (layout *l)
{
    const size_t shape[] = {l->bodies, l->joints, l->rows, l->bilateral};
    rls_arena *block = &l->work->block;
    if (block->memory && memcmp (shape, l->work->shape, sizeof (shape)) == 0) return 1;
    const int done = RLS_LAY_OUT (l, block, lay_out);
    memset (l->work->shape, 0, sizeof (shape));
    if (done) memcpy (l->work->shape, shape, sizeof (shape));
    return done;
}

/* An empty workspace in a block of its own, because it outlives the island's arrays.  NULL without memory. */
static struct rls_bounded_work *create (void)
{
    rls_arena block = {0};
    if (!rls_arena_reserve (&block, sizeof (struct rls_bounded_work))) return NULL;
    struct rls_bounded_work *work = block.memory;
    *work = (struct rls_bounded_work){.self = block};
    return work;
}

struct rls_bounded_work *rls_bounded_work_of (rls_island *island)
{
    if (!island->bounded_work) island->bounded_work = create ();
    return island->bounded_work;
}

struct rls_bounded_work *rls_bounded_reserve (rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    struct rls_bounded_work *w = rls_bounded_work_of (island);
    layout l = {w, (size_t)island->model.bodies, (size_t)b->joints, (size_t)b->rows,
                (size_t)island->begin.rows.rows};
    return w && reserve (&l) ? w : NULL;
}

int rls_bounded_copy (struct rls_bounded_work **to, const struct rls_bounded_work *from)
{
    if (!from)
    {
        rls_bounded_free (*to);
        *to = NULL;
        return 1;
    }
    if (!*to && !(*to = create ())) return 0;
    const int last = 1 - from->turn; /* the other one is filled anew in the next step */
    (*to)->turn = from->turn;
    (*to)->not_lowered = from->not_lowered;
    (*to)->answered = from->answered;
    (*to)->failing = from->failing, (*to)->pausing = from->pausing;
    return RLS_COPY (&(*to)->warm[last], &from->warm[last], block) &&
           RLS_COPY (&(*to)->past, &from->past, block) && rls_body_space_copy (&(*to)->space, &from->space) &&
           RLS_COPY (&(*to)->sides, &from->sides, block);
}

void rls_bounded_free (struct rls_bounded_work *work)
{
    if (!work) return;
    rls_body_space_free (&work->space);
    rls_lemke_free_blocks (&work->blocks);
    rls_arena_free (&work->path.block);
    rls_arena_free (&work->path.halves);
    rls_arena_free (&work->sides.block);
    rls_arena_free (&work->past.block);
    rls_arena_free (&work->warm[0].block);
    rls_arena_free (&work->warm[1].block);
    rls_arena_free (&work->block);
    rls_arena self = work->self;
    rls_arena_free (&self);
}
