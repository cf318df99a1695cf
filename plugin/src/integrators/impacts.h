/*
 * Impacts of stops, located within the step, and of contacts, located before it (step_back.h).
 *
 * A step with an impact in it is split there: a step as far as the impact, Newton's law for all that touches,
 * and a step for what is left,
 *
 *     v+ = v- + M^-1 (H' p + G' q),   H v+ = target,   0 <= q  _|_  G v+ + e G v- >= 0,   |q_T| <= mu q_N.
 *
 * Forces and motors of finite strength do nothing in no time.  When the stop is reached follows from where
 * the row is at both ends of a step in which it does not push, and from its velocity at the beginning: the
 * gap that this parabola misses is of third order, so positions and velocities stay of second.
 *
 * A rebound that would be back at the stop within the step is none: the row then holds like a stop without
 * restitution.  So is every rebound after MOST_IMPACTS in one step, for motions that come to rest bounce
 * infinitely often.  In islands of many rows rebounds are dated instead (rebounds.h).
 */
#ifndef RLS_IMPACTS_H
#define RLS_IMPACTS_H

#include "symplectic.h"

/* Advances pose and v by h (s), past impacts.  Returns as rls_symplectic_substep.  The bounded rows are then
 * those of the beginning again; what they did is told by rls_bounded_impulse. */
rls_outcome rls_step_past_impacts (rls_symplectic *work, rls_island *island, double h);

/* Whether a row's impact is waited for (rls_bounded.located). */
enum
{
    RLS_AT_ONCE = 0, /* it pushes as soon as it is reached */
    RLS_WAITS,       /* it does nothing before the step is split at its impact, */
    RLS_HITS,        /* which is now */
    RLS_PARTED       /* it did so beside one: what it meets afterwards is the next step's */
};

/* 1 if a row that waits for its impact reaches it before the end of the sub-step, to where next.pose is:
 * work.impact_at (s) says when.  Or if one would not leave again: it then waits no longer, and impact_at is
 * infinite. */
int rls_reaches_impact (rls_symplectic *work, rls_island *island, double h);

#endif
