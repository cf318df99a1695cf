/*
 * Rows that are almost redundant, or only just.  Axes that are meant to be parallel and are a little out of
 * line make a structure of a mechanism; its smallest pivots then lie far below all others, and a tolerance in
 * between makes a mechanism of it again.
 */
#ifndef CLI_NEAR_ROWS_H
#define CLI_NEAR_ROWS_H

#include "result.h"

typedef struct
{
    double tolerance;  /* in the gap, a power of ten */
    dRLSReport report; /* of an analysis with it */
    run_result rows;   /* its redundant_rows: those that are not redundant without it */
} near_rows;

/* Looks for such a gap in the world as it stands.  Returns 1 if there is one, 0 if there is none, -1 after
 * saying why it cannot tell.  The stepper keeps its tolerance; its last report is another one afterwards. */
int near_rows_find (near_rows *near, const scene *s, dRLSStepperID stepper);
/* The other way round: rows that are redundant with pivots that are small but no rounding, as long mechanisms
 * have them.  Fills tolerance and report with those of a smaller tolerance that keeps some of them.  Returns
 * as near_rows_find. */
int near_rows_barely (near_rows *left, const run_result *redundant, dRLSStepperID stepper);
void near_rows_free (near_rows *near);

#endif
