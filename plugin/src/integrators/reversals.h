/*
 * Dry friction that reverses within a step.
 *
 * A row that slides, stops and goes on the other way in one step has friction of both signs in it.  How much
 * of each decides the velocity at the end to first order in the step.  With w0 the row's velocity before, and
 * w_s the one that it would have at the end had friction stayed as it was, it turns at
 *
 *     tau = h w0 / (w0 - w_s),
 *
 * and a friction of F comes to the impulse sign (w0) F (h - 2 tau) over the step.  The same holds for a motor
 * whose rate is passed.  Where a row sticks on the way, friction is what holds it, and nothing is dated.
 */
#ifndef RLS_REVERSALS_H
#define RLS_REVERSALS_H

#include "island/island.h"

#define RLS_MOST_REVERSING 64 /* bounded rows of an island in which reversals are dated */

/* After the problem of the second half of a step of h (s): fixes the impulses of rows that reversed and
 * solves again.  before, v: velocities before and after the problem's impulses.  1 done, 0 no memory. */
int rls_date_reversals (rls_island *island, double h, const double (*before)[6], double (*v)[6],
                        double (*scratch)[6]);

#endif
