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

typedef struct
{
    int known;           /* sub-steps that are known: 0 to 2 */
    int rows, bounded;   /* of equations; bounded ones in the last sub-step, at most RLS_SMALL_ISLAND */
    double *equation[2]; /* equations: what was asked less what is wanted, over h (m/s^2 or rad/s^2), of the
                            last */
    double *bound[2]; /* sub-step and of the one before; bounded rows: the same, 0 of those that rebound, */
    uint64_t *key;    /* and whose they were */
    rls_arena block;
} rls_aims;

/* equation and bound (rows) hold what is wanted; added: what is expected on top of it in a sub-step of h (s).
 */
void rls_aims_predict (const rls_aims *aims, const rls_island *island, double h, double *equation,
                       double *bound);

/* Takes down what a sub-step of h came to ask beyond the targets of begin.rows and of end.bounded.  1 done, 0
 * no memory. */
int rls_aims_keep (rls_aims *aims, const rls_island *island, double h, const double *equation,
                   const double *bound);

#endif
