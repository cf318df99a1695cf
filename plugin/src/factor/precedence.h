/* Which rows wait in the border of the factor; see kernels/precedence.h. */
#ifndef RLS_FACTOR_PRECEDENCE_H
#define RLS_FACTOR_PRECEDENCE_H

#include "factor.h"
#include "kernels/precedence.h"

/* Sizes the arrays, which keep what they held where bodies and rows are as many as before.  1 done, 0 no
 * memory (then there are no drives). */
int rls_precedence_lay_out (rls_precedence *precedence, int bodies, int rows);

/* Makes those drives and rows of larger priority numbers late that a row which the factor left out depends on
 * and does not give way to.  Returns 1 if there are any that were not: then the rows are to be factored
 * again. */
int rls_precedence_find (rls_precedence *precedence, const rls_factor *factor, const rls_rows *rows);

#endif
