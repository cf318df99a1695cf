/*
 * Precedence of rows: which of several rows that depend on each other is left out.  Rows with larger priority
 * numbers give way to those with smaller ones; at the same number, drives and motors of unlimited strength
 * give way to the rows of joints (section 4 of method.md, "Priorities" and "Drives yield to joints").
 *
 * The factor keeps those rows that it eliminates first, in whatever order is fast.  Which these are makes no
 * difference as long as the rows agree.  But a drive is given by the program and may contradict the others;
 * if a joint's row were left out in its favour the joint would be torn open.  So each drive on which a row
 * that was left out depends becomes late: it is postponed to the border of the factor until the rows before
 * it have been decided on.  Drives that nothing contradicts stay in the sparse part.
 *
 * Priorities determine the order of elimination.  A row with a small pivot is postponed to the border,
 * though, and rows of larger numbers that were eliminated meanwhile may imply it.  Such rows become late in
 * the same way.
 */
#ifndef RLS_PRECEDENCE_H
#define RLS_PRECEDENCE_H

#include "arena.h"

/* A drive, or a motor of unlimited strength, that holds its joint instead of moving it; see held_drive.c. */
typedef struct
{
    void *joint; /* a dJointID */
    int row;     /* its row as ODE numbers them; the row of a drive comes after these */
    double held; /* m or rad: position at which the joint is held */
    double lag;  /* m or rad: where the drive's function is beyond that, whole turns included */
    int side;    /* sign of lag when the drive was held */
} rls_held_drive;

typedef struct rls_precedence
{
    int bodies, rows;
    int count;           /* rows of drives and motors */
    int *turn;           /* rows: 0 for rows of joints; of others the one with the larger turn gives way */
    int ranked;          /* 1: rows have different priorities */
    int *priority;       /* rows: compared before turn; the one with the larger number gives way */
    int open;            /* 1: rows are open at the beginning of a step, so that these differ: */
    double *tolerance;   /* rows: rank tolerance, by the violations of rows up to its priority number */
    unsigned char *late; /* rows: 1 for those that are decided on late */
    rls_arena block;

    RLS_LIST (rls_held_drive) held_drives;
} rls_precedence;

/* Returns 1 if the row is that of a drive or of a motor of unlimited strength. */
static inline int rls_is_drive (const rls_precedence *precedence, int row)
{
    return precedence && precedence->count > 0 && precedence->turn[row] > 0;
}

/* Returns 1 if the rows have different precedence.  (If not, turn, priority and late are not defined.) */
static inline int rls_any_yield (const rls_precedence *precedence)
{
    return precedence && (precedence->count > 0 || precedence->ranked);
}

/* Returns 1 if row a gives way to row b. */
static inline int rls_comes_after (const rls_precedence *precedence, int a, int b)
{
    if (precedence->priority[a] != precedence->priority[b])
        return precedence->priority[a] > precedence->priority[b];
    return precedence->turn[a] > precedence->turn[b];
}

#endif
