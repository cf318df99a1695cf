/*
 * Islands that stand: bodies at rest, with contacts and without joints, that ended a step exactly where they
 * began it. As long as all that the step depends on stays the same, to the last bit, its result does too, and
 * it is not computed again (section 9 of method.md, "Islands at rest").  ode/joint_cache.c compares contacts
 * and poses.
 */
#ifndef RLS_STANDING_H
#define RLS_STANDING_H

#include "island/island.h"

/* The last step of such an island: the forces in it, and its results.  Its rows and the impulses of its first
 * half are still in begin.bounded. */
typedef struct
{
    int bodies, rows;   /* bounded rows; 0: the island does not stand */
    double (*force)[6]; /* bodies */
    double *total;      /* rows: impulses of both halves */
    double residual;    /* m/s: of these, for the report */
    int inexact;        /* as in rls_account */
    int settled;        /* 1: the last two steps had the same impulses, to the last bit */
    rls_arena block;
} rls_standing;

/* After a step: keeps it if the island stood (valid.stood).  stays: 1 if no depth was reduced.  Without
 * memory it is not kept. */
void rls_standing_keep (rls_standing *standing, int stays, rls_island *island);

/* Before a step that begins with the same poses and contacts: returns 1 if it is the same as the one kept. */
int rls_standing_holds (const rls_standing *standing, const rls_island *island);

/* Gives the island the results of that step. */
void rls_standing_repeat (const rls_standing *standing, rls_island *island);

#endif
