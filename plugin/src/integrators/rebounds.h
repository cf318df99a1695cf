/*
 * Rebounds (section 9 of method.md, "Impacts and rebounds"): which contacts rebound, the impulses of an
 * impact (impacts.h, step_back.c), and dated rebounds, for steps that are not split: in large islands and
 * beside contacts that begin to push.
 *
 * Dated rebounds: the gap of a row, its velocity before, and the velocity that it would have at the end of
 * the step without the contact determine the time of the impact, and with v+ = -e v- the position and
 * velocity at the end. Impacts that collision detection saw late are dated back by up to one step.  The
 * acceleration of the row after the impact is taken to be that before it; where joints turn bodies, it is
 * not, which makes dated rebounds first order.
 */
#ifndef RLS_REBOUNDS_H
#define RLS_REBOUNDS_H

#include "symplectic.h"

/* Returns 1 if a row may rebound. */
int rls_rebounds (const rls_bounded *b);

/* Returns 1 if row r rebounds in this step: it is to separate at the end. */
int rls_row_rebounds (const rls_bounded *b, int r);

/*
 * Dates the rebound of row r in a step of h (s).  before, after: its velocities at the beginning, and at the
 * end without the contact; borne: at the end if one of the bodies were supported from elsewhere.  Sets
 * end.target, the mean velocity over the step, and leave, the velocity at the end; 0: it does not rebound.  A
 * row with restitution that is not reached in the step, or only because others push it there, may go on to
 * approach, and rebounds in the next step.
 * A contact that would not separate if a body were supported does not rebound: without this rule boxes that
 * lie on others would hop for ever, because in the trial step they fall together.
 */
void rls_date_rebound (rls_bounded *b, rls_bounded *end, int r, double h, double before, double after,
                       double borne);

/* Solves an impact by Newton's law; its problem is in end.bounded, the velocities before it are work.kicked,
 * v becomes those after it.  With friction this may add energy; then all rebounds are slowed down.  Returns
 * 1, or 0 without memory. */
int rls_solve_impact (const rls_symplectic *work, rls_island *island, double (*v)[6]);

#endif
