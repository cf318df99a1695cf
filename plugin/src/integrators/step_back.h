/*
 * Impacts of contacts, located before the step.
 *
 * Collision detection tells of a contact when the bodies are in each other already: their impact was up to a
 * step before the beginning.  In small islands the step goes back to it, as far as that is: a sub-step of
 * negative length, Newton's law (impacts.h), a sub-step that ends where the step began, and the step.  All
 * that depends on velocities, such as what the joints do, is then that of the velocities after the impact.
 *
 * On the way back bodies are pushed as they would be from the beginning on, if nothing had struck: the trial
 * step in which the row does not push tells the impulses of motors, stops and friction in joints, and these
 * change little in a step.  No problem is solved there: friction backwards would drive.
 *
 * Which contacts rebound is decided as for those that are dated (rebounds.h), which those of large islands
 * are, and those beside contacts that push.
 */
#ifndef RLS_STEP_BACK_H
#define RLS_STEP_BACK_H

#include "symplectic.h"

/* Makes contacts that were dated in a step of h (s) wait for their impact, and what else is struck. */
void rls_wait_for_late (rls_symplectic *work, rls_island *island, double h);

/* After the trial step: where another contact pushes, those that wait are dated instead, for what it gave since
 * the impact would have to be taken back, and it would pull.  1 if so: the trial is then another one. */
int rls_stays_dated (rls_symplectic *work, rls_bounded *b);

/* What goes back to where it touched has no depth to take back. */
void rls_begin_back (rls_bounded *b);

/* When (s, not after the beginning) a contact of that gap was touching, with the velocity v at the beginning
 * and an acceleration; h (s): the step, before which it was not. */
double rls_time_of_late_impact (double gap, double v, double acceleration, double h);

/* 1 for a contact that parts, with the velocity opening (m/s), when another one hits: ODE tells no
 * coefficient of it. */
int rls_is_let_pass (const rls_bounded *b, int j, int r, double opening);

/* Both halves of a sub-step of h (s) back, with the impulses of the trial in begin.bounded.p; v: velocities
 * with the second kick.  Return as rls_symplectic_substep. */
rls_outcome rls_first_half_back (rls_symplectic *work, rls_island *island, double h);
rls_outcome rls_second_half_back (rls_symplectic *work, rls_island *island, double (*v)[6]);

#endif
