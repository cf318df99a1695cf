/*
 * Reactions of joints with redundant rows.
 *
 * A redundant row is left out and gets no multiplier, and the rows that imply it carry all of the load.  That
 * does not change the motion, but the reactions.  Among all multipliers with the same effect H'p, those of
 * least norm are chosen, which are symmetric where the mechanism is (method.md, section 5).  In the norm a
 * force of 1 N counts as much as a torque of 1 N m.
 */
#ifndef RLS_REDISTRIBUTE_H
#define RLS_REDISTRIBUTE_H

#include "factor/factor.h"

/* The rows and their factor, and workspace: body has an entry for each body, row five for each row. */
typedef struct
{
    const rls_factor *factor;
    const rls_rows *rows;
    double (*body)[6];
    double *row;
} rls_self_stress;

/* Changes the multipliers p (rows) so that H'p stays and the norm over the hard rows is least.  Returns the
 * number of iterations, 0 if no row is redundant. */
int rls_redistribute (const rls_self_stress *stress, double *p);

/* unique[j] := 1 if the motion determines the reaction of joint j; 0 if multipliers without effect, H'p = 0
 * (a self-stress), could be added there. */
void rls_unique_reactions (const rls_self_stress *stress, unsigned char *unique);

#endif
