/*
 * Depths taken back after a step.
 *
 * The impulses of a step hold contacts and stops where they are.  What was too deep when it began is then
 * taken back by a push of the positions alone: the least displacement d, in the sense of Gauss's principle,
 * with
 *
 *     0 <= p  _|_  G d + s p - ERP (depth - slop) >= 0       without friction, s a small share of the
 * diagonal, H d = 0                                                 and the joints closed once more.
 *
 * It leaves no speed, so what overlaps parts slowly however deep it is, as ODE's ERP has it: a share of the
 * depth each step.  The slop is what gravity makes of a contact that collision detection sees a step late.
 */
#ifndef RLS_RECOVER_H
#define RLS_RECOVER_H

#include "symplectic.h"

/* Moves island.new_pose and makes new_v satisfy the rows there.  Returns 1; 0 when memory is short; -1 when a
 * value is not finite. */
int rls_recover_depths (rls_symplectic *work, rls_island *island, double h);

#endif
