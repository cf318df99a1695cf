/*
 * An island that stands: bodies with contacts and no joints that ended a step where they began it, at rest.
 * While nothing that the step is made of changes, to the last bit, neither does its answer, and it is not
 * looked for again.
 */
#ifndef RLS_STANDING_H
#define RLS_STANDING_H

#include "island/island.h"

/* The step that it stood in: what was given, and what was found. */
typedef struct
{
    int bodies, joints, rows; /* rows: 0 where it does not stand */
    double h;                 /* s */
    size_t size;              /* bytes, */
    char *given;              /* of poses, forces and all that the rows are, one array after the other */
    double *p, *total;        /* rows: impulses of the first half, and of both */
    double residual;          /* what the report says of them */
    int inexact;
    int settled; /* 1: two steps found the same impulses, to the last bit */
    rls_arena block;
} rls_standing;

/* Remembers the step of h (s) that has just been made if the island, at rest, stood; stays: no depth was
 * taken back.  Without memory it is made again. */
void rls_standing_keep (rls_standing *standing, int stays, const rls_island *island, double h);

/* 1 if the step of h (s) that begins is the one that is remembered; its answer is then the island's. */
int rls_standing_repeats (const rls_standing *standing, rls_island *island, double h);

#endif
