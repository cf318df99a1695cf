/*
 * Who gives way where rows depend on each other: rows of larger priority numbers to those of smaller ones,
 * and at the same number drives and motors that hold a velocity to joints.
 *
 * Of rows that depend on each other the factor keeps those that it meets first, in whatever order is fast.
 * Where all of them agree it does not matter which.  A drive is the user's and may contradict the others;
 * were a joint's row left out in its favour, the joint would be torn open.  So each drive that rows which
 * were left out turn out to depend on becomes "late": it waits in the border of the factor until all that go
 * before it have been decided on.  Drives that nobody contradicts stay in the sparse part.
 *
 * Priorities order the elimination, but a row with a small pivot waits in the border, where rows of larger
 * numbers that were met later may imply it.  Those are made late in the same way.
 */
#ifndef RLS_PRECEDENCE_H
#define RLS_PRECEDENCE_H

#include "arena.h"

/* A drive, or a motor of unlimited strength, that holds its joint instead of moving it; see held_drive.c. */
typedef struct
{
    void *joint;
    int row;     /* of the joint, as ODE numbers them; that of a drive comes after them */
    double held; /* position (m or rad) */
    double lag;  /* what the drive wants beyond it, turns counted */
    int side;    /* of it, at the beginning */
} rls_held_drive;

typedef struct rls_precedence
{
    int bodies, rows;
    int count;           /* of drives; with 0 nothing else is to be looked at */
    int *turn;           /* rows: 0 for those of joints; of drives the later give way first */
    int ranked;          /* 1: rows have different priorities */
    int *priority;       /* rows: counts before that; the larger give way first */
    int open;            /* 1: rows are open at the beginning of a step, and these count: */
    double *tolerance;   /* rows: relative pivot that what goes before a row leaves in doubt */
    unsigned char *late; /* rows: 1 for those that wait */
    double (*v)[6];      /* bodies: scratch */
    double *x;           /* rows: scratch */
    rls_arena block;

    rls_held_drive *held_drive;
    int held_drives, held_capacity;
} rls_precedence;

/* 1 if the row is that of a drive or a motor. */
static inline int rls_is_drive (const rls_precedence *precedence, int row)
{
    return precedence && precedence->count > 0 && precedence->turn[row] > 0;
}

/* 1 if there are rows that may have to give way. */
static inline int rls_any_yield (const rls_precedence *precedence)
{
    return precedence && (precedence->count > 0 || precedence->ranked);
}

/* 1 if row a gives way to row b. */
static inline int rls_comes_after (const rls_precedence *precedence, int a, int b)
{
    if (precedence->priority[a] != precedence->priority[b])
        return precedence->priority[a] > precedence->priority[b];
    return precedence->turn[a] > precedence->turn[b];
}

#endif
