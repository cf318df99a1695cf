/*
 * Finds rows whose pivots are small but not rounding errors.  See near_rows.h.
 */
#include "near_rows.h"
#include "failure.h"

#include <math.h>
#include <string.h>

#define SMALL 1e-4     /* relative pivot above which a row is not considered */
#define GAP 1e3        /* ratio of two successive pivots that counts as a gap */
#define ROUNDING 1e-12 /* largest pivot that may be only a rounding error */

/* Analyses the world with a tolerance.  Returns 0 after an error line. */
static int analyse (dRLSStepperID stepper, double tolerance, dRLSReport *report)
{
    report->struct_size = sizeof *report;
    if (dRLSStepperSetRankTolerance (stepper, (dReal)tolerance) && dRLSStepperAnalyse (stepper) &&
        dRLSStepperGetReport (stepper, report))
        return 1;
    return fail (0, "%s", dRLSStepperGetMessage (stepper));
}

static int among (const run_result *rows, const row_result *row)
{
    for (int i = 0; i < rows->redundant_row_count; i++)
        if (rows->redundant_rows[i].row == row->row && !strcmp (rows->redundant_rows[i].joint, row->joint))
            return 1;
    return 0;
}

/* Removes those rows that are among the known ones. */
static void subtract (run_result *rows, const run_result *known)
{
    int count = 0;
    for (int i = 0; i < rows->redundant_row_count; i++)
        if (!among (known, &rows->redundant_rows[i])) rows->redundant_rows[count++] = rows->redundant_rows[i];
    rows->redundant_row_count = count;
}

/* Raises the tolerance from pivot to pivot until there is a gap.  Returns as near_rows_find. */
static int climb (near_rows *near, dRLSStepperID stepper)
{
    double pivot = (double)near->report.rank_gap;
    while (pivot > 0 && pivot < SMALL)
    {
        if (!analyse (stepper, 2 * pivot, &near->report)) return -1;
        const double next = (double)near->report.rank_gap;
        if (next > GAP * pivot)
        {
            near->tolerance = pow (10, ceil (log10 (10 * pivot)));
            return 1;
        }
        if (!(next > pivot)) return 0;
        pivot = next;
    }
    return 0;
}

int near_rows_find (near_rows *near, const scene *s, dRLSStepperID stepper)
{
    const double own = (double)dRLSStepperGetRankTolerance (stepper);
    run_result known = {0};
    *near = (near_rows){0};
    int found = -1;
    if (analyse (stepper, own, &near->report))
        found = result_take_rows (&known, s, stepper) ? climb (near, stepper) : fail (-1, "out of memory");
    if (found == 1)
    {
        if (!analyse (stepper, near->tolerance, &near->report))
            found = -1;
        else if (!result_take_rows (&near->rows, s, stepper))
            found = fail (-1, "out of memory");
        else
            subtract (&near->rows, &known);
    }
    dRLSStepperSetRankTolerance (stepper, (dReal)own);
    result_free (&known);
    return found;
}

int near_rows_barely (near_rows *left, const run_result *redundant, dRLSStepperID stepper)
{
    const double own = (double)dRLSStepperGetRankTolerance (stepper);
    double pivot = 0;
    *left = (near_rows){0};
    for (int i = 0; i < redundant->redundant_row_count; i++)
        pivot = fmax (pivot, redundant->redundant_rows[i].pivot);
    if (pivot < ROUNDING) return 0;
    if (!analyse (stepper, own, &left->report)) return -1;
    const int rank = left->report.rank;
    left->tolerance = pow (
        10, floor (log10 (pivot / 4))); /* a row that is redundant stays so up to 4 times the tolerance */
    const int done = analyse (stepper, left->tolerance, &left->report);
    dRLSStepperSetRankTolerance (stepper, (dReal)own);
    return !done ? -1 : left->report.rank > rank;
}

void near_rows_free (near_rows *near) { result_free (&near->rows); }
