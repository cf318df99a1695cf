/* Parts of a workspace that a test made by themselves, and gives back. */
#ifndef RELEASE_H
#define RELEASE_H

#include "island/island.h"
#include <stdlib.h>

static inline void release_order (rls_order *order)
{
    rls_arena_free (&order->block);
    rls_arena_free (&order->tree.block);
    free (order->scratch);
}

static inline void release_mass_scaling (rls_mass_scaling *scaling)
{
    rls_arena_free (&scaling->block);
    rls_arena_free (&scaling->raised);
}

static inline void release_island (rls_island *island)
{
    release_order (&island->elimination.order);
    release_mass_scaling (&island->elimination.mass_scaling);
    rls_arena_free (&island->elimination.precedence.block);
    free (island->elimination.precedence.held_drives.of);
    rls_factor_free (&island->begin.factor);
    rls_factor_free (&island->end.factor);
    rls_arena_free (&island->memory.decisions);
    rls_arena_free (&island->memory.block);
    rls_bounded_arrays_free (island->bounded_arrays);
    free (island->mechanism.frame);
}

#endif
