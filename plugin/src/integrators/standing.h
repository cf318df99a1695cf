/*
 * Islands that stand: bodies at rest, with contacts and without joints, that ended a step exactly where they
 * began it. As long as all that the step depends on stays the same, to the last bit, its result does too, and
 * it is not computed again (section 9 of method.md, "Islands at rest").
 */
#ifndef RLS_STANDING_H
#define RLS_STANDING_H

#include "island/island.h"

/* The last step of such an island: all that it depended on, and its results. */
typedef struct
{
    int bodies, joints, rows; /* bounded joints and rows; rows 0: the island does not stand */
    double h;                 /* s */
    size_t size;              /* bytes in given */
    char *given;              /* poses, forces and bounded rows, one array after the other */
    double *p, *total;        /* rows: impulses of the first half, and of both */
    double residual;          /* m/s: of these, for the report */
    int inexact;              /* as in rls_account */
    int settled;              /* 1: the last two steps had the same impulses, to the last bit */
    rls_arena block;
} rls_standing;

/* After a step of h (s): keeps it if the island stood.  stays: 1 if no depth was reduced.  Without memory it
 * is not kept. */
void rls_standing_keep (rls_standing *standing, int stays, const rls_island *island, double h);

/* Before a step of h (s): returns 1 if it is the same as the one kept; the island then has its results. */
int rls_standing_repeats (const rls_standing *standing, rls_island *island, double h);

#endif
