/* Where the iterations of a symplectic sub-step end, alone (symplectic*.c) and in batches (tree_batch.c). */
#ifndef RLS_SYMPLECTIC_LIMITS_H
#define RLS_SYMPLECTIC_LIMITS_H

#define MOST_CLEANINGS 3
#define MOST_ITERATIONS 30
#define MOST_SWEEPS 6 /* on the linearised motion */

#endif
