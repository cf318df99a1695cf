/* Which workspace goes on with which island: what one island remembers must not reach another. */
#ifndef RLS_MATCH_H
#define RLS_MATCH_H

#include "stepper.h"

/*
 * Orders stepper.workspaces so that the i-th is the one whose island began with the body first[i] in the last
 * step.  An island that none knows gets one that has forgotten all, whatever places islands had: so the order
 * in which they are found does not show.  count <= workspace_count.  1 done, 0 no memory (then the order is
 * as before).
 */
int rls_workspaces_match (dRLSStepperID stepper, dBodyID const *first, int count);

#endif
