/*
 * Copies and frees workspaces.  All memory that a workspace owns is listed here, so a new block (arena.h)
 * anywhere in rls_workspace has to be added to this list.
 */
#include "workspace.h"
#include "bounded/bounded.h"
#include <stdlib.h>

#define BLOCK(member) offsetof (rls_workspace, member)
#define FACTOR(member) BLOCK (member.block), BLOCK (member.border_block), BLOCK (member.reach_block)
static const size_t blocks[] = {
    BLOCK (objects.block),
    BLOCK (objects.places.block),
    BLOCK (kept.block),
    BLOCK (read.block),
    BLOCK (read.own_block),
    BLOCK (read.contact_block),
    BLOCK (read.moved.row_block),
    BLOCK (read.moved.times_block),
    BLOCK (findings.block),
    BLOCK (findings.unique_block),

    /* of the island */
    BLOCK (island.memory.block),
    BLOCK (island.memory.decisions),
    BLOCK (island.mechanism.frame_block),
    BLOCK (island.elimination.order.block),
    BLOCK (island.elimination.order.scratch_block),
    BLOCK (island.elimination.order.tree.block),
    BLOCK (island.elimination.mass_scaling.block),
    BLOCK (island.elimination.mass_scaling.raised),
    BLOCK (island.elimination.precedence.block),
    BLOCK (island.elimination.precedence.held_drives.block),
    FACTOR (island.begin.factor),
    FACTOR (island.end.factor),

    /* of the methods */
    BLOCK (methods.symplectic.block),
    BLOCK (methods.symplectic.mixing_block),
    BLOCK (methods.symplectic.impacts.block),
    BLOCK (methods.symplectic.standing.block),
    BLOCK (methods.symplectic.singular.row_block),
    BLOCK (methods.symplectic.singular.normal_block),
    BLOCK (methods.symplectic.singular.nearby.block),
    FACTOR (methods.symplectic.singular.nearby.factor),
    FACTOR (methods.symplectic.trial_factor),
    BLOCK (methods.penalty.block),
    FACTOR (methods.penalty.middle.factor),
    BLOCK (methods.rk4.block),
    BLOCK (methods.after.block),
};
#define BLOCKS (sizeof (blocks) / sizeof (*blocks))
_Static_assert(BLOCKS <= RLS_MOST_BLOCKS, "blocks of a workspace");

/* After a copy: sets the pointers from one part of the workspace to another. */
static void connect (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_factor *const factors[] = {
        &s->begin.factor, &s->end.factor, &workspace->methods.penalty.middle.factor,
        &workspace->methods.symplectic.trial_factor, &workspace->methods.symplectic.singular.nearby.factor};
    for (size_t i = 0; i < sizeof (factors) / sizeof (*factors); ++i)
        if (factors[i]->order) factors[i]->order = &s->elimination.order;
    if (s->elimination.order.scratch) rls_order_place_scratch (&s->elimination.order);
    rls_island_share_topology (s);
    s->reactions.at = NULL, s->reactions.change = NULL;
}

int rls_workspace_copy (rls_workspace *to, const rls_workspace *from)
{
    const rls_island own = to->island;
    const rls_arena last = to->objects.last;
    int done = rls_object_copy (to, from, sizeof (*to), blocks, BLOCKS);

    /* what the island has of the bounded solver, and arrays that are filled anew, are its own */
    to->island.bounded_kept = own.bounded_kept, to->island.bounded_work = own.bounded_work;
    to->island.bounded_arrays = own.bounded_arrays;
    to->island.valid.stood = 0; /* its rows are read again */
    to->objects.last = last;
    done = done && rls_bounded_copy (&to->island.bounded_kept, from->island.bounded_kept);
    if (done)
        connect (to);
    else
        rls_workspace_clear (to);
    return done;
}

void rls_workspace_clear (rls_workspace *workspace)
{
    rls_bounded_free (workspace->island.bounded_kept);
    rls_bounded_free_work (workspace->island.bounded_work);
    rls_bounded_arrays_free (workspace->island.bounded_arrays);
    rls_arena_free (&workspace->objects.last);
    rls_object_free (workspace, blocks, BLOCKS);
    *workspace = (rls_workspace){0};
}

void rls_workspace_free (rls_workspace *workspace)
{
    rls_workspace_clear (workspace);
    free (workspace);
}

void rls_workspace_forget_rows (rls_workspace *workspace)
{
    const size_t first = offsetof (rls_workspace, methods), end = first + sizeof (rls_methods);
    rls_history_end (workspace, RLS_MECHANISM_CHANGED);
    for (size_t i = 0; i < BLOCKS; ++i)
        if (blocks[i] >= first && blocks[i] < end) rls_object_free (workspace, blocks + i, 1);
    workspace->methods = (rls_methods){0};
    workspace->kept.movable = NULL;
}
