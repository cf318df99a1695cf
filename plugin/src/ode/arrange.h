/* Bodies and joints of an island, in an order that lasts. */
#ifndef RLS_ARRANGE_H
#define RLS_ARRANGE_H

#include "stepper/workspace.h"

/* Fills the workspace's lists of objects from those that ODE found, and says what is the same as in the last
 * step. 1 done, 0 no memory. */
int rls_arrange (rls_workspace *workspace);

/* The lists, of a workspace that has just been assigned from another one.  1 done, 0 no memory. */
int rls_objects_copy (rls_workspace *to, const rls_workspace *from);

#endif
