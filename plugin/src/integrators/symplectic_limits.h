/* Where the iterations of a symplectic sub-step end, alone (symplectic*.c) and in batches (tree_batch.c). */
#ifndef RLS_SYMPLECTIC_LIMITS_H
#define RLS_SYMPLECTIC_LIMITS_H

#define LEFT_OPEN 1e-6     /* m or rad: the same where the last step ended and left a singular row open */
#define INCONSISTENT 1e-14 /* relative: velocities of a beginning that are worth a projection */
#define MOST_CLEANINGS 3
#define SHORT 0.02 /* (cube of a) fraction of the longest sub-step */
#define MOST_ITERATIONS 30
#define MOST_SWEEPS 6 /* on the linearised motion */
#define SLOW 0.3      /* residual ratio that calls for a fresh factor */
#define STAGNATED 0.5 /* residual ratio that ends the iteration near rounding */
#define DIVERGED 10.0 /* residual over the best one that calls for a retreat */
#define LOOSE 1e-13   /* residual (m or rad) below which stagnation ends the iteration */
#define CURVED 0.1    /* 1/m or 1/rad: of the squared residual, as far as sweeps need to go */

#endif
