/* Bodies and joints of an island, in an order that lasts. */
#ifndef RLS_ARRANGE_H
#define RLS_ARRANGE_H

#include "stepper/cell.h"

/* Fills the cell's lists of objects from those that ODE found, and says what is the same as in the last step.
 * 1 done, 0 no memory. */
int rls_arrange (rls_cell *cell);

/* The lists, of a cell that has just been assigned from another one.  1 done, 0 no memory. */
int rls_objects_copy (rls_cell *to, const rls_cell *from);

#endif
