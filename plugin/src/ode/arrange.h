/* Bodies and joints of an island, in an order that lasts. */
#ifndef RLS_ARRANGE_H
#define RLS_ARRANGE_H

#include "stepper/workspace.h"

/* Fills the workspace's lists of objects from those that ODE found, and says what is the same as in the last
 * step. 1 done, 0 no memory. */
int rls_arrange (rls_workspace *workspace);

#endif
