/* Which rows wait in the border of the factor; see kernels/yielding.h. */
#ifndef RLS_YIELD_H
#define RLS_YIELD_H

#include "factor.h"
#include "kernels/yielding.h"

/* Sizes the arrays, which keep what they held where bodies and rows are as many as before.  1 done, 0 no
 * memory (then there are no drives). */
int rls_yield_lay_out (rls_yield *yield, int bodies, int rows);

/* Makes those drives and rows of larger priority numbers late that a row which the factor left out depends on
 * and does not give way to.  Returns 1 if there are any that were not: then the rows are to be factored again. */
int rls_yield_find (rls_yield *yield, const rls_factor *factor, const rls_rows *rows);

/* 1 done, 0 no memory (then it can only be freed). */
int rls_yield_copy (rls_yield *to, const rls_yield *from);
void rls_yield_free (rls_yield *yield);

#endif
