/* What an island hands from one step to the next while its topology stays. */
#ifndef RLS_REUSE_H
#define RLS_REUSE_H

#include "island.h"

/*
 * If the step begins with the state that the last one ended with, takes over the factor that it made
 * there: begin.factor becomes end.factor.  Not if a pivot has come close to the rank tolerance, so that the
 * decisions are due again.  Returns 1 if the factor was taken over.
 */
int rls_reuse_factor (rls_island *island, double rank_tolerance);

/* Keeps the decisions of begin.factor for the next step.  1 done, 0 no memory. */
int rls_reuse_keep_decisions (rls_island *island);

#endif
