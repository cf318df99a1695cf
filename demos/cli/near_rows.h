/*
 * Rows that are almost redundant, or only just.  If axes that should be parallel are not quite so, a
 * mechanism cannot move.  Its smallest pivots are then far smaller than all others, and with a tolerance
 * between them the rows in question are redundant and it moves again.
 */
#ifndef CLI_NEAR_ROWS_H
#define CLI_NEAR_ROWS_H

#include "result.h"

typedef struct
{
    double tolerance;  /* a power of ten in the gap */
    dRLSReport report; /* of an analysis with that tolerance */
    run_result rows;   /* its redundant_rows are those that are redundant only with that tolerance */
} near_rows;

/* Looks for such a gap in the present world.  Returns 1 if there is one, 0 if there is none, -1 after an
 * error line.  The stepper keeps its tolerance, but its last report is another one afterwards. */
int near_rows_find (near_rows *near, const scene *s, dRLSStepperID stepper);

/* Looks for redundant rows whose pivots are larger than rounding errors, as they occur in long mechanisms.
 * Fills in a smaller tolerance, by which some of them are not redundant, and its report.  Returns as
 * near_rows_find. */
int near_rows_barely (near_rows *left, const run_result *redundant, dRLSStepperID stepper);
void near_rows_free (near_rows *near);

#endif
