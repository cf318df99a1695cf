/*
 * What the first half of a sub-step asks of its rows, carried from sub-step to sub-step.
 *
 * The complementarity problem of the first half is one of velocities along the rows of the beginning; what
 * counts is the motion over the sub-step, whose rows turn.  The difference is of the order of h, found by
 * iteration (bounded_halves.c), and changes little: it is expected to go on as it did in the last two.
 */
#ifndef RLS_AIMS_H
#define RLS_AIMS_H

#include "island/island.h"

/* Differences are accelerations (m/s^2 or rad/s^2): what was asked less what is wanted, over h; [0] is of the
 * last sub-step, [1] of the one before. */
typedef struct
{
    int known;           /* sub-steps that are known: 0 to 2 */
    int rows, bounded;   /* equations; bounded rows in the last sub-step, at most RLS_SMALL_ISLAND */
    double largest;      /* m or rad: the largest difference as a displacement, in the last sub-step */
    double *equation[2]; /* equations: their differences */
    double *bound[2];    /* bounded rows: the same, 0 of contacts and of rows that rebound */
    uint64_t *key;       /* bounded rows: which row of which joint they were */
    rls_arena block;
} rls_aims;

/* Adds to equation and bound (rows), which hold what is wanted, what is expected on top of it in a sub-step
 * of h (s): nothing where the last one came to nothing, since at rest the rest is rounding. */
void rls_aims_predict (const rls_aims *aims, const rls_island *island, double h, double *equation,
                       double *bound);

/* Takes down what a sub-step of h came to ask beyond the targets of begin.rows and of end.bounded.  1 done, 0
 * no memory. */
int rls_aims_keep (rls_aims *aims, const rls_island *island, double h, const double *equation,
                   const double *bound);

#endif
