/* Worlds that a callback changes in the middle of a step. */
#ifndef RLS_WORLD_CHANGED_H
#define RLS_WORLD_CHANGED_H

#include "stepper.h"

/* Before the first callback of a step: what the world has now is what it shall have. */
void rls_watch_world (dRLSStepperID stepper);

/* What is attached to a body before a force callback is called. */
void rls_note_attached (rls_loaded_body *body);

/* After each callback: 1 if the world has other objects now; then none of those that are known may be
 * touched. */
int rls_world_changed (dRLSStepperID stepper);

/* After such a step: bodies that are gone become NULL in the workspaces, and in another one (or NULL), the others get
 * their velocities back, and can be put back. */
void rls_forget_the_lost (dRLSStepperID stepper, rls_workspace *other);

#endif
