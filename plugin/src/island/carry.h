/* What an island hands from one step to the next while its topology stays. */
#ifndef RLS_CARRY_H
#define RLS_CARRY_H

#include "island.h"

/*
 * If the step begins with the state that the last one ended with, takes over the factor that it made
 * there: island.factor becomes factor_now.  Not if a pivot has come close to the rank tolerance, so that the
 * decisions are due again.  Returns 1 if the factor was taken over.
 */
int rls_carry_factor (rls_island *island, double rank_tolerance);

/* The same for an analysis, which leaves all as it is for the next step: what it takes over is lent, and to
 * be given back before anything else is done with the island. */
int rls_carry_lend (rls_island *island, double rank_tolerance);
void rls_carry_give_back (rls_island *island);

/* Keeps the decisions of island.factor for the next step.  1 done, 0 no memory. */
int rls_carry_decisions (rls_island *island);

/* What is carried, for another island of the same layout.  1 done, 0 no memory (then it carries nothing). */
int rls_carry_copy (rls_island *to, const rls_island *from);

#endif
