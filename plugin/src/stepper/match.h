/* Which workspace goes on with which island: what one island remembers must not reach another. */
#ifndef RLS_MATCH_H
#define RLS_MATCH_H

#include "stepper.h"

/*
 * Orders stepper.workspaces so that the i-th is the one that had the most bodies of the i-th island in the
 * last step; of the islands that it had bodies of, the one with the most of them gets it.  A heap that a body
 * joins or leaves then goes on with its impulses, and large memory stays with large islands.  An island that
 * gets none of these gets one that has forgotten all, whatever places islands had: so the order in which they
 * are found does not show.  count <= workspace_count.  1 done, 0 no memory (then the order is as before).
 */
int rls_workspaces_match (dRLSStepperID stepper, const rls_given *island, int count);

#endif
