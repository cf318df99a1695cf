/*
 * Rebounds: which contacts do rebound, the impulses of an impact (impacts.h, step_back.h), and rebounds
 * where the step is not split, in large islands and beside contacts that push: these are dated.
 *
 * From a row's gap, its velocity before and the one that it would have at the end of the step on its own
 * follow the time of the impact, where the row is at the end and how fast, v+ = -e v-.  What collision
 * detection saw late is dated back, as far as one step.  The row's acceleration after the impact is taken for
 * that before it.  It is another one where joints turn bodies, whose velocity has changed by 1 + e of what it
 * was, so that dated rebounds are of first order.
 */
#ifndef RLS_REBOUNDS_H
#define RLS_REBOUNDS_H

#include "symplectic.h"

/* 1 if a row meets what it rebounds from.  Its velocity at the end of a step takes the multipliers of the
 * joints: where they turn the bodies, the row is accelerated by them. */
int rls_rebounds (const rls_bounded *b);

/* Row r, open by its gap, with its velocities before and at the end of a step of h (s) on its own, and there
 * if another row bears the one or the other body: what it shall do on average, into end.target, and at the
 * end, into leave.  What would not leave if a body were borne does not rebound: what lies on others would
 * hop for ever, for alone they fall with it. */
void rls_date_rebound (rls_bounded *b, rls_bounded *end, int r, double h, double before, double after,
                       double borne);

/* Beside a rebound, what was parting may approach as fast as it parted.  Impulses p change the energy by half
 * the sum of p (w + w'), with the rows' velocities w before and w' after the impact (Newton's law for all
 * rows at once): no row brings any then, whatever the others' coefficients are.  The next step finds what
 * meets. */
void rls_allow_approach (rls_bounded *b, rls_bounded *end);

/* After the problem of the second half of a step of h (s): slower rebounds, where the step has gained energy
 * by them, and the problem solved again.  before, v: velocities before and after the problem's impulses.  1
 * done, 0 no memory. */
int rls_take_gain_from_rebounds (const rls_symplectic *work, rls_island *island, double h,
                                 const double (*before)[6], double (*v)[6]);

/* Newton's law for an impact that is formed in end.bounded: from the velocities work->kicked, which v is, to
 * those after it.  With friction it may bring energy, and then all rebound more slowly.  1 done, 0 no memory.
 */
int rls_solve_impact (const rls_symplectic *work, rls_island *island, double (*v)[6]);

#endif
