/* A map from handles (addresses of ODE's bodies and joints) to places in a list. */
#ifndef RLS_PLACES_H
#define RLS_PLACES_H

#include "arena.h"

typedef struct
{
    const void *handle; /* NULL: the slot is empty */
    int place;
} rls_place;

/* A hash table with linear probing, at most half full; mask + 1 slots. */
typedef struct
{
    rls_place *slot;
    size_t mask;
    rls_arena block;
} rls_places;

/* Empties the map and makes room for so many handles.  Returns 1, or 0 without memory. */
int rls_places_begin (rls_places *places, int count);

/* Adds a handle, which is not NULL, with its place.  One that is in the map already keeps the place that it
 * has. */
void rls_places_add (rls_places *places, const void *handle, int place);

/* Returns the place of a handle, -1 if it is NULL or not in the map. */
int rls_places_find (const rls_places *places, const void *handle);

#endif
