/* Places of handles; contract in places.h. */
#include "places.h"
#include <stdint.h>
#include <string.h>

/* Returns the slot of a handle, or the empty one where it belongs. */
static rls_place *slot_of (const rls_places *places, const void *handle)
{
    size_t at = (size_t)((uint64_t)(uintptr_t)handle * 0x9E3779B97F4A7C15ull >> 32) & places->mask;
    while (places->slot[at].handle && places->slot[at].handle != handle) at = (at + 1) & places->mask;
    return &places->slot[at];
}

int rls_places_begin (rls_places *places, int count)
{
    size_t mask = 15;
    while (mask < 2 * (size_t)count) mask = 2 * mask + 1;
    if (!RLS_GROW (&places->block, places->slot, (int)mask + 1)) return 0;
    memset (places->slot, 0, (mask + 1) * sizeof (*places->slot));
    places->mask = mask;
    return 1;
}

void rls_places_add (rls_places *places, const void *handle, int place)
{
    rls_place *slot = slot_of (places, handle);
    if (!slot->handle) *slot = (rls_place){handle, place};
}

int rls_places_find (const rls_places *places, const void *handle)
{
    const rls_place *slot = handle ? slot_of (places, handle) : NULL;
    return slot && slot->handle ? slot->place : -1;
}
