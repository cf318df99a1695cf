/*
 * Depths taken back between the halves of a step.
 *
 * The impulses of a step hold contacts and stops where they are.  What was too deep when it began is
 * taken back by a push of the positions alone: the least displacement d, in the sense of Gauss's principle,
 * with
 *
 *     0 <= p  _|_  G d + s p - ERP (depth - slop) >= 0       without friction, s a small share of the
 * diagonal, H d = 0                                                 and the joints closed once more.
 *
 * It leaves no speed, so what overlaps parts slowly however deep it is, as ODE's ERP has it: a share of the
 * depth each step.  The slop is a share of what gravity makes of a contact that collision detection sees a
 * step late; where nothing moves, what is less deep than all of that is left, for no step loses the energy of
 * the lift.  Contacts that came so deep within a step are taken back at once, as far as a third of
 * the energy that their impact loses does it.
 */
#ifndef RLS_RECOVER_H
#define RLS_RECOVER_H

#include "symplectic.h"

/* m: how deep a contact comes within a step, by gravity, before collision detection sees it. */
double rls_seen_late (const rls_island *island, double h);

/* Moves next.pose, where the first half has ended, turns the angular velocities of work.u with it, and
 * evaluates the rows there.  work.push_work: what forces did on that way (J).  Returns RLS_DONE,
 * RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_recover_depths (rls_symplectic *work, rls_island *island, double h);

#endif
