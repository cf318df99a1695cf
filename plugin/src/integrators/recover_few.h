/*
 * The problem of recover.h for large islands in which few rows are too deep.
 *
 * Most rows of such an island are stops that are not reached, on joints that the displacement does not move.
 * The problem of the rows that are too deep is solved by itself.  Rows that the displacement would move
 * beyond their stop are added, and the problem is solved again, until there are none: then its solution is
 * that of the whole problem.
 */
#ifndef RLS_RECOVER_FEW_H
#define RLS_RECOVER_FEW_H

#include "symplectic.h"

/* Solves the problem in end.bounded to a tolerance (m): sets end.bounded.p and the displacement work.du.
 * Returns RLS_DONE, RLS_NO_MEMORY, or RLS_ANOTHER_WAY if too many rows take part: then nothing is solved. */
rls_outcome rls_recover_by_few (rls_symplectic *work, rls_island *island, double tolerance);

#endif
