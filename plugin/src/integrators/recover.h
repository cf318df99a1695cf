/*
 * Reduces the depth of contacts and stops between the halves of a step (section 9 of method.md, "How depth is
 * taken back").
 *
 * The impulses of a step keep depths as they are.  What was too deep at the beginning is pushed out by a
 * displacement of the poses alone: the least displacement d, in the sense of Gauss's principle, with
 *
 *     0 <= p  _|_  G d + s p - ERP (depth - slop) >= 0,       H d = 0
 *
 * without friction; s is a small part of the diagonal.  Where that would move bodies along a contact by more
 * than it takes back, friction holds them.  Then the joints are closed again.
 *
 * This leaves no velocity, so overlapping bodies part slowly however deep they are, by ODE's ERP times the
 * depth in each step.  The slop is a part of the depth by which gravity moves a body before collision
 * detection sees the contact.  Where nothing moves, depths up to all of that are left, since no step loses
 * the energy that lifting needs.  Contacts that became deep within the step of their impact are pushed out at
 * once, as far as a third of the energy that their impact loses allows.
 */
#ifndef RLS_RECOVER_H
#define RLS_RECOVER_H

#include "symplectic.h"

/* Returns the depth (m), g h^2, by which gravity moves a body in a step of h (s) before collision detection
 * sees a contact. */
double rls_seen_late (const rls_island *island, double h);

/* Displaces next.pose, where the first half has ended, turns the angular velocities of work.u with the
 * bodies, and evaluates the rows there.  Adds the work (J) of the forces on that displacement to
 * work.push_work.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_recover_depths (rls_symplectic *work, rls_island *island, double h);

/* ---- recover_few.c ---- */

/* Solves the problem in end.bounded to a tolerance (m): sets end.bounded.p and the displacement work.du.
 * Returns RLS_DONE, RLS_NO_MEMORY, or RLS_ANOTHER_WAY if too many rows take part: then nothing is solved. */
rls_outcome rls_recover_by_few (rls_symplectic *work, rls_island *island, double tolerance);

#endif
