/*
 * Dry friction that reverses within a step (section 9 of method.md, "Friction and motors that reverse within
 * a step").
 *
 * If a row slides, stops, and slides the other way within one step, friction has both signs in it, and how
 * much of each determines the velocity at the end to first order.  Let w0 be the velocity of the row before,
 * and w_s the velocity that it would have at the end if friction kept its sign.  Then it reverses at the time
 *
 *     tau = h w0 / (w0 - w_s),
 *
 * and a friction of F has the impulse sign (w0) F (h - 2 tau) over the step.  The same holds for a motor
 * whose wanted velocity is passed.  If the row sticks instead of reversing, its impulse is what holds it, as
 * in the problem without this rule.
 */
#ifndef RLS_REVERSALS_H
#define RLS_REVERSALS_H

#include "island/island.h"

#define RLS_MOST_REVERSING 64 /* bounded rows of an island in which reversals are dated */

/* Called after the problem of the second half of a step of h (s): fixes the impulses of the rows that
 * reverse, and solves the problem again.  before, v: velocities before and after its impulses; scratch:
 * bodies.  Returns 1, or 0 without memory. */
int rls_date_reversals (rls_island *island, double h, const double (*before)[6], double (*v)[6],
                        double (*scratch)[6]);

#endif
