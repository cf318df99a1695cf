/*
 * Memory of the bounded solver: what it keeps of an island, its copy for a saved state, and the arrays of a
 * problem.
 *
 * The arrays of a problem belong to the thread that solves it, and serve the islands that the thread steps
 * one after the other: hundreds of small islands with arrays of their own would not fit into the caches.
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

/* A structure of so many bytes, all 0 but for the block that it lies in, whose place in it is given: it
 * outlives the island's arrays.  NULL without memory. */
static void *create (size_t bytes, size_t self)
{
    rls_arena block = {0};
    if (!rls_arena_reserve (&block, bytes)) return NULL;
    memset (block.memory, 0, bytes);
    memcpy ((char *)block.memory + self, &block, sizeof (block));
    return block.memory;
}

struct rls_bounded_kept *rls_bounded_kept_of (rls_island *island)
{
    struct rls_bounded_kept **kept = &island->bounded_kept;
    if (!*kept) *kept = create (sizeof (**kept), offsetof (struct rls_bounded_kept, self));
    return *kept;
}

struct rls_bounded_work *rls_bounded_reserve (rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    struct rls_bounded_work **work = &island->bounded_work;
    if (!*work) *work = create (sizeof (**work), offsetof (struct rls_bounded_work, self));
    if (!*work || !rls_bounded_kept_of (island)) return NULL;
    const int done = reserve ((layout){*work, (size_t)island->model.bodies, (size_t)b->joints,
                                       (size_t)b->rows, (size_t)island->begin.rows.rows});
    return done ? *work : NULL;
}

int rls_bounded_copy (struct rls_bounded_kept **to, const struct rls_bounded_kept *from)
{
    if (!from)
    {
        rls_bounded_free (*to);
        *to = NULL;
        return 1;
    }
    if (!*to && !(*to = create (sizeof (**to), offsetof (struct rls_bounded_kept, self)))) return 0;
    const int last = 1 - from->turn; /* the other one is filled anew in the next step */
    (*to)->turn = from->turn;
    (*to)->not_lowered = from->not_lowered;
    (*to)->answered = from->answered;
    (*to)->failing = from->failing, (*to)->pausing = from->pausing;
    return RLS_COPY (&(*to)->warm[last], &from->warm[last], block) &&
           RLS_COPY (&(*to)->past, &from->past, block) && rls_body_space_copy (&(*to)->space, &from->space) &&
           RLS_COPY (&(*to)->sides, &from->sides, block);
}

void rls_bounded_free (struct rls_bounded_kept *kept)
{
    if (!kept) return;
    rls_body_space_free (&kept->space);
    rls_arena_free (&kept->sides.block);
    rls_arena_free (&kept->past.block);
    rls_arena_free (&kept->warm[0].block);
    rls_arena_free (&kept->warm[1].block);
    rls_arena self = kept->self;
    rls_arena_free (&self);
}

void rls_bounded_free_work (struct rls_bounded_work *work)
{
    if (!work) return;
    rls_lemke_free_blocks (&work->blocks);
    rls_arena_free (&work->path.block);
    rls_arena_free (&work->path.halves);
    rls_arena_free (&work->block);
    rls_arena self = work->self;
    rls_arena_free (&self);
}
