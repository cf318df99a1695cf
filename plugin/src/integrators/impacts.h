/*
 * Impacts of stops within a step, and of contacts before it (step_back.c); section 9 of method.md, "Impacts
 * and rebounds".
 *
 * A step with an impact is split: a sub-step up to the impact, Newton's law for everything that touches, and
 * a sub-step for the rest,
 *
 *     v+ = v- + M^-1 (H' p + G' q),   H v+ = target,   0 <= q  _|_  G v+ + e G v- >= 0,   |q_T| <= mu q_N.
 *
 * Forces and motors of finite strength have no impulse in an instant.  The time of the impact follows from a
 * step in which the row does not push: from its position at both ends and its velocity at the beginning.  The
 * parabola through these misses the stop by a distance of third order, so that positions and velocities are
 * of second order.
 *
 * If the row would be back at the stop within the step, it does not rebound but holds, like a stop without
 * restitution; so does every row after MOST_IMPACTS impacts in one step, since motions that come to rest
 * bounce infinitely often.  In islands of many rows rebounds are dated instead (rebounds.h).
 */
#ifndef RLS_IMPACTS_H
#define RLS_IMPACTS_H

#include "symplectic.h"

/* Takes a step of h (s) from work.pose and work.v, in equal pieces that are split at impacts.  Returns as
 * rls_symplectic_substep.  The bounded rows are then again those of the beginning of the step;
 * rls_bounded_impulse has their impulses. */
rls_outcome rls_step_past_impacts (rls_symplectic *work, rls_island *island, double h, int pieces);

/* Part of the step: impacts nearer to its beginning count as there, those nearer to its end are left to the
 * next step.  In a shorter sub-step the rounding of positions would give velocities that matter. */
#define RLS_SHORTEST_PART (RLS_LITTLE * RLS_LITTLE)

/* How a bounded row is treated in a step that may be split (rls_bounded.located). */
enum
{
    RLS_AT_ONCE = 0, /* it pushes as soon as it is reached */
    RLS_WAITS,       /* it does not push; the step is split where it is reached */
    RLS_HITS,        /* it is reached now, at the impact at hand */
    RLS_PARTED       /* it was separating at an impact of others; what it meets is left to the next step */
};

/*
 * After a sub-step of h (s) to next.pose.  Returns 1 if a row that waits is reached within it: work.impact_at
 * (s) is the time of the first impact, and the rows that are reached then are marked RLS_HITS.  Also returns
 * 1 if a row that waits would not separate again: it does not wait any more, impact_at is infinite, and the
 * sub-step is taken again.
 */
int rls_reaches_impact (rls_symplectic *work, rls_island *island, double h);

/* ---- step_back.c ---- */

/* Makes the contacts that are struck in a step of h (s), with restitution or without, wait for their impact
 * (RLS_WAITS), and the corners that come down within it beside them. */
void rls_wait_for_late (rls_symplectic *work, rls_island *island, double h);

/* After the trial step of h (s): if another contact begins to push in it, the waiting contacts are dated
 * instead, because that contact has given nothing since the impact that could be taken back.  Returns 1 if
 * so; the trial step is then taken again. */
int rls_stays_dated (rls_symplectic *work, rls_island *island, double h);

/* Returns the time (s, 0 or negative) at which a contact was touching, by its gap, its velocity v at the
 * beginning of the step and its acceleration; at most a little more than one step of h (s) before. */
double rls_time_of_late_impact (double gap, double v, double acceleration, double h);

/* Returns 1 for a contact that separates, with the velocity opening (m/s), while another one is struck, and
 * does not bear.  Newton's law then lets it approach, since ODE gives no coefficient of restitution for it.
 */
int rls_is_let_pass (const rls_bounded *b, int j, int r, double opening);

/* Both halves of a sub-step of h (s, negative), with the impulses of the trial step in begin.bounded.p; v:
 * velocities with the second kick.  Return as rls_symplectic_substep. */
rls_outcome rls_first_half_back (rls_symplectic *work, rls_island *island, double h);
rls_outcome rls_second_half_back (rls_symplectic *work, rls_island *island, double (*v)[6]);

#endif
