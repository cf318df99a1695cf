/*
 * Copies and frees workspaces.  All memory that a workspace owns is listed here, so a new block (arena.h) or
 * growing array anywhere in rls_workspace has to be added to these lists.
 */
#include "workspace.h"
#include "bounded/bounded.h"
#include <stdlib.h>

#define BLOCK(member) offsetof (rls_workspace, member)
#define FACTOR(member) BLOCK (member.block), BLOCK (member.border_block), BLOCK (member.reach_block)
#define ARRAY(owner, array, capacity)                                                                        \
    {                                                                                                        \
        offsetof (rls_workspace, owner.array), offsetof (rls_workspace, owner.capacity),                     \
            sizeof (*((rls_workspace *)NULL)->owner.array)                                                   \
    }

static const size_t blocks[] = {
    BLOCK (objects.block),
    BLOCK (kept.block),

    /* of the island */
    BLOCK (island.memory.block),
    BLOCK (island.memory.decisions),
    BLOCK (island.elimination.order.block),
    BLOCK (island.elimination.order.tree.block),
    BLOCK (island.elimination.mass_scaling.block),
    BLOCK (island.elimination.mass_scaling.raised),
    BLOCK (island.elimination.precedence.block),
    FACTOR (island.begin.factor),
    FACTOR (island.end.factor),

    /* of the methods */
    BLOCK (methods.symplectic.block),
    BLOCK (methods.symplectic.mixing_block),
    BLOCK (methods.symplectic.impacts.block),
    BLOCK (methods.symplectic.standing.block),
    BLOCK (methods.symplectic.limits.row_block),
    BLOCK (methods.symplectic.limits.normal_block),
    BLOCK (methods.symplectic.limits.nearby.block),
    FACTOR (methods.symplectic.limits.nearby.factor),
    FACTOR (methods.symplectic.trial_factor),
    BLOCK (methods.penalty.block),
    BLOCK (methods.penalty.curvature.block),
    FACTOR (methods.penalty.factor),
    BLOCK (methods.rk4.block),
    BLOCK (methods.rk4.curvature.block),
    BLOCK (methods.after.block),
};
#define BLOCKS (sizeof (blocks) / sizeof (*blocks))

static const struct
{
    size_t array, capacity, element;
} arrays[] = {
    ARRAY (island.mechanism, frame, frame_capacity),
    ARRAY (island.elimination.precedence, held_drive, held_capacity),
    ARRAY (island.elimination.order, scratch, scratch_capacity),
    ARRAY (read, joint, capacity),
    ARRAY (read, own, own_capacity),
    ARRAY (findings, redundant, redundant_capacity),
    ARRAY (findings, unique, unique_capacity),
};
#define ARRAYS (sizeof (arrays) / sizeof (*arrays))

static rls_arena *block_of (const rls_workspace *workspace, size_t i)
{
    return (rls_arena *)(void *)((char *)workspace + blocks[i]);
}

static void *array_of (const rls_workspace *workspace, size_t i)
{
    void *array;
    memcpy (&array, (const char *)workspace + arrays[i].array, sizeof (array));
    return array;
}

static int *capacity_of (const rls_workspace *workspace, size_t i)
{
    return (int *)(void *)((char *)workspace + arrays[i].capacity);
}

static void set_array (rls_workspace *workspace, size_t i, void *array, int capacity)
{
    memcpy ((char *)workspace + arrays[i].array, &array, sizeof (array));
    *capacity_of (workspace, i) = capacity;
}

/* Copies the contents of growing array i.  Returns 1, or 0 without memory. */
static int copy_array (rls_workspace *to, const rls_workspace *from, size_t i)
{
    const size_t bytes = arrays[i].element * (size_t)*capacity_of (from, i);
    if (*capacity_of (to, i) < *capacity_of (from, i))
    {
        void *array = realloc (array_of (to, i), bytes);
        if (!array) return 0;
        set_array (to, i, array, *capacity_of (from, i));
    }
    if (bytes > 0) memcpy (array_of (to, i), array_of (from, i), bytes);
    return 1;
}

/* After a copy: sets the pointers from one part of the workspace to another. */
static void connect (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_factor *const factors[] = {&s->begin.factor, &s->end.factor, &workspace->methods.penalty.factor,
                                   &workspace->methods.symplectic.trial_factor,
                                   &workspace->methods.symplectic.limits.nearby.factor};
    for (size_t i = 0; i < sizeof (factors) / sizeof (*factors); ++i)
        if (factors[i]->order) factors[i]->order = &s->elimination.order;
    if (s->elimination.order.scratch) rls_order_place_scratch (&s->elimination.order);
    rls_island_share_topology (s);
    s->reactions.rows = NULL, s->reactions.factor = NULL, s->reactions.change = NULL;
}

int rls_workspace_copy (rls_workspace *to, const rls_workspace *from)
{
    const rls_workspace own = *to;
    int done = 1;

    /* the structure, but with the memory that it had */
    *to = *from;
    to->island.bounded_work = own.island.bounded_work;
    to->objects.last = own.objects.last;
    for (size_t i = 0; i < BLOCKS; ++i) *block_of (to, i) = *block_of (&own, i);
    for (size_t i = 0; i < ARRAYS; ++i) set_array (to, i, array_of (&own, i), *capacity_of (&own, i));

    /* the contents of the memory */
    for (size_t i = 0; i < BLOCKS && done; ++i) done = rls_arena_copy (block_of (to, i), block_of (from, i));
    for (size_t i = 0; i < ARRAYS && done; ++i) done = copy_array (to, from, i);
    done = done && rls_bounded_copy (&to->island.bounded_work, from->island.bounded_work);
    if (done)
        connect (to);
    else
        rls_workspace_clear (to);
    return done;
}

void rls_workspace_clear (rls_workspace *workspace)
{
    rls_bounded_free (workspace->island.bounded_work);
    rls_arena_free (&workspace->objects.last);
    for (size_t i = 0; i < BLOCKS; ++i) rls_arena_free (block_of (workspace, i));
    for (size_t i = 0; i < ARRAYS; ++i) free (array_of (workspace, i));
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
        if (blocks[i] >= first && blocks[i] < end) rls_arena_free (block_of (workspace, i));
    workspace->methods = (rls_methods){0};
    workspace->kept.movable = NULL;
}
