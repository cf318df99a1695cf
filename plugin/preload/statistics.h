/* What the shim counts, and the summary of it that ODE_RLS_STATS=1 asks for. */
#ifndef RLS_PRELOAD_STATISTICS_H
#define RLS_PRELOAD_STATISTICS_H

#include "options.h"

typedef struct
{
    int least, most;
} int_range;

/* Numbers of a report whose range is told. */
enum
{
    RANGE_BODIES,
    RANGE_RANK,
    RANGE_FREEDOM,
    RANGE_REDUNDANT,
    RANGE_BOUNDED,
    RANGE_COUNT
};

#define VIOLATION_COUNT 4 /* m, rad, m/s, rad/s */

/* Of any number of steps. */
typedef struct
{
    unsigned long calls[CALL_COUNT]; /* steps taken through the shim, by which of ODE's calls */
    unsigned long fallbacks;         /* steps that ODE had to take in our place */
    unsigned long analysed;          /* steps that the ranges and maxima below are over */
    unsigned long warnings[dRLSWarningCount];
    double seconds, longest;
    int_range range[RANGE_COUNT];
    int conflicting; /* most in a step */
    double violation[VIOLATION_COUNT];
} step_statistics;

/* The statistics of one step: the call it came by, the time it took, and the report of it unless that is
 * NULL. */
step_statistics statistics_of_step (preload_call call, double seconds, int fell_back,
                                    const dRLSReport *report);

/* sum += part */
void statistics_merge (step_statistics *sum, const step_statistics *part);

/* Writes the summary of so many worlds as text of several lines.  Returns its length, 0 if no step was taken.
 */
size_t statistics_format (const step_statistics *statistics, unsigned long worlds, char *text,
                          size_t capacity);

#endif
