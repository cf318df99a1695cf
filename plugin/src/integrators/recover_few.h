/*
 * The push that takes back depths where few of many rows ask for one.
 *
 * Most rows of a large island only have to leave room: stops that are not reached, on joints that no depth
 * moves.  The problem of those that ask for a push is solved by itself; rows whose room that takes join it,
 * until none does.  Then its answer is that of the whole.
 */
#ifndef RLS_RECOVER_FEW_H
#define RLS_RECOVER_FEW_H

#include "symplectic.h"

enum
{
    RLS_FEW_NO_MEMORY,
    RLS_FEW_DONE,
    RLS_FEW_ARE_MANY
};

/* Solves the problem in end.bounded, of an island with many rows, to a tolerance (m): impulses to
 * end.bounded.p, and the displacement to work.du. */
int rls_recover_by_few (rls_symplectic *work, rls_island *island, double tolerance);

#endif
