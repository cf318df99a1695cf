/* Forces of the program that turn the motion faster than a sub-step follows: a spring so stiff that its
 * oscillation is no longer resolved.  What a symplectic step knows of them are its two ends. */
#ifndef RLS_STIFF_FORCES_H
#define RLS_STIFF_FORCES_H

#include "symplectic.h"

/* Keeps the forces at the beginning of a sub-step. */
void rls_stiff_forces_begin (rls_symplectic *work, const rls_island *island);

/*
 * Whether the sub-step of h that has just ended is too long for the forces' stiffness along the way in which
 * they changed: h omega > 1, the stability of the step ending at 2.  The forces are evaluated beside its two
 * ends where their change over it leaves doubt.  Returns 1, or 0 also where nothing can be said.
 */
int rls_stiff_forces_missed (rls_symplectic *work, rls_island *island, double h);

#endif
