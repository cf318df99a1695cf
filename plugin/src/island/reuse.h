/* The factor and the rank decisions of the last step, for the next one of the same topology. */
#ifndef RLS_REUSE_H
#define RLS_REUSE_H

#include "island.h"

/*
 * Makes end.factor, which the last step formed at its final pose, begin.factor, if this step begins in that
 * state and no pivot has come so close to the rank tolerance that ranks must be decided again.  Returns 1 if
 * it did.
 */
int rls_reuse_factor (rls_island *island, double rank_tolerance);

/* Stores the rank decisions of begin.factor for the next step.  Returns 1, or 0 without memory. */
int rls_reuse_keep_decisions (rls_island *island);

#endif
