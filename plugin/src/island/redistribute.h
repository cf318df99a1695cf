/*
 * Reactions under redundancy.
 *
 * A redundant row is skipped and so gets no multiplier, and its twin gets all of the load.  The motion
 * does not care, but reactions do: among all multipliers with the same effect H'p the ones of minimum
 * norm are given, which are symmetric where the mechanism is.  The norm weighs forces in N and torques
 * in N m alike.
 */
#ifndef RLS_REDISTRIBUTE_H
#define RLS_REDISTRIBUTE_H

#include "factor/factor.h"

/* The rows, their factor, and workspace: body (bodies), row (5 x rows). */
typedef struct
{
    const rls_factor *factor;
    const rls_rows *rows;
    double (*body)[6];
    double *row;
} rls_self_stress;

/* p (rows, in and out): multipliers with H'p unchanged and |p| least over the hard rows.  Returns the
 * number of iterations of the inner solver, 0 when nothing is redundant. */
int rls_redistribute (const rls_self_stress *stress, double *p);

/* unique[j] = 1 if the reaction of joint j is determined by the motion, 0 if some self-stress
 * (H'p = 0) acts in it. */
void rls_unique_reactions (const rls_self_stress *stress, unsigned char *unique);

#endif
