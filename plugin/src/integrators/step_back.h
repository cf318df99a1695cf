/*
 * Steps that go back to the impact of a contact (section 9 of method.md, "Contacts that rebound, in small
 * islands").
 *
 * Collision detection finds a contact when the bodies overlap already; their impact was up to a step before
 * the beginning of the step.  In small islands the step goes back to it: a sub-step of negative length,
 * Newton's law (impacts.h), a sub-step that ends where the step began, and the step itself.  All that depends
 * on velocities, such as the forces of the joints, is then computed with the velocities after the impact.
 *
 * On the way back motors, stops and friction in joints act with the impulses that they have in a trial step
 * in which the contact does not push; these change little in a step.  No complementarity problem is solved
 * there, because friction that acts backwards would drive the bodies.
 *
 * Which contacts rebound is decided as for dated rebounds (rebounds.h).  Those of large islands, and those
 * beside contacts that push, are dated.
 */
#ifndef RLS_STEP_BACK_H
#define RLS_STEP_BACK_H

#include "symplectic.h"

/* Makes the contacts that would rebound in a step of h (s), and all others that are struck in it, wait for
 * their impact instead (RLS_WAITS). */
void rls_wait_for_late (rls_symplectic *work, rls_island *island, double h);

/* After the trial step: if another contact pushes, the waiting contacts are dated instead, because what that
 * contact has given since the impact would have to be taken back, and it would pull.  Returns 1 if so; the
 * trial step is then taken again. */
int rls_stays_dated (rls_symplectic *work, rls_bounded *b);

/* Contacts that go back to where they touched have no depth to reduce: sets their push to 0. */
void rls_begin_back (rls_bounded *b);

/* Returns the time (s, 0 or negative) at which a contact was touching, by its gap, its velocity v at the
 * beginning of the step and its acceleration; at most a little more than one step of h (s) before. */
double rls_time_of_late_impact (double gap, double v, double acceleration, double h);

/* Returns 1 for a contact that separates, with the velocity opening (m/s), while another one is struck.
 * Newton's law then lets it approach, since ODE gives no coefficient of restitution for it. */
int rls_is_let_pass (const rls_bounded *b, int j, int r, double opening);

/* Both halves of a sub-step of h (s, negative), with the impulses of the trial step in begin.bounded.p; v:
 * velocities with the second kick.  Return as rls_symplectic_substep. */
rls_outcome rls_first_half_back (rls_symplectic *work, rls_island *island, double h);
rls_outcome rls_second_half_back (rls_symplectic *work, rls_island *island, double (*v)[6]);

#endif
