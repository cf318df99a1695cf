/* What the shim counts, and the summary of it that ODE_RLS_STATS=1 asks for. */
#ifndef RLS_PRELOAD_STATISTICS_H
#define RLS_PRELOAD_STATISTICS_H

#include "options.h"

typedef struct
{
    int least, most;
} int_range;

typedef struct
{
    unsigned long steps;             /* taken through the shim */
    unsigned long calls[CALL_COUNT]; /* by which of ODE's calls */
    unsigned long fallbacks;         /* steps that ODE had to take in our place */
    unsigned long analysed;          /* steps that the ranges and maxima below are over */
    unsigned long warnings[dRLSWarningCount];
    double seconds, longest;
    int_range bodies, rank, freedom, redundant, bounded;
    int conflicting; /* most in a step */
    dRLSViolation violation;
} step_statistics;

/* Counts one step: the call it came by and the time it took. */
void statistics_count (step_statistics *statistics, preload_call call, double seconds);

/* Adds the findings of a report to the ranges and maxima. */
void statistics_add_report (step_statistics *statistics, const dRLSReport *report);

/* sum += part */
void statistics_merge (step_statistics *sum, const step_statistics *part);

/* Writes the summary of so many worlds as text of several lines.  Returns its length. */
size_t statistics_format (const step_statistics *statistics, unsigned long worlds, char *text,
                          size_t capacity);

#endif
