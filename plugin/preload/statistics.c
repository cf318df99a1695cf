/* Counts, ranges and the summary of the shim. */
#define _GNU_SOURCE
#include "statistics.h"
#include <math.h>
#include <stdio.h>

step_statistics statistics_of_step (preload_call call, double seconds, int fell_back,
                                    const dRLSReport *report)
{
    step_statistics found = {.fallbacks = fell_back != 0, .seconds = seconds, .longest = seconds};
    found.calls[call] = 1;
    if (!report) return found;
    const int numbers[RANGE_COUNT] = {report->bodies, report->rank, report->dof, report->redundant,
                                      report->bounded_rows};
    const dReal violation[VIOLATION_COUNT] = {report->violation_m, report->violation_rad,
                                              report->violation_m_s, report->violation_rad_s};
    found.analysed = 1;
    found.conflicting = report->conflicting;
    for (int i = 0; i < RANGE_COUNT; ++i) found.range[i] = (int_range){numbers[i], numbers[i]};
    for (int i = 0; i < VIOLATION_COUNT; ++i) found.violation[i] = (double)violation[i];
    return found;
}

void statistics_merge (step_statistics *sum, const step_statistics *part)
{
    for (int i = 0; i < CALL_COUNT; ++i) sum->calls[i] += part->calls[i];
    for (int i = 0; i < dRLSWarningCount; ++i) sum->warnings[i] += part->warnings[i];
    sum->fallbacks += part->fallbacks;
    sum->seconds += part->seconds;
    sum->longest = fmax (sum->longest, part->longest);
    if (!part->analysed) return;
    for (int i = 0; i < RANGE_COUNT; ++i)
    {
        const int_range *range = &part->range[i];
        if (!sum->analysed || range->least < sum->range[i].least) sum->range[i].least = range->least;
        if (!sum->analysed || range->most > sum->range[i].most) sum->range[i].most = range->most;
    }
    for (int i = 0; i < VIOLATION_COUNT; ++i)
        sum->violation[i] = fmax (sum->violation[i], part->violation[i]);
    if (part->conflicting > sum->conflicting) sum->conflicting = part->conflicting;
    sum->analysed += part->analysed;
}

/* ---- the summary ---- */

#define LABEL "  %-11s"

static const char *plural (unsigned long count) { return count == 1 ? "" : "s"; }

static void write_findings (FILE *out, const step_statistics *statistics)
{
    static const char *const labels[RANGE_COUNT] = {"bodies", "rank", "freedom", "redundant", "bounded"};
    for (int i = 0; i < RANGE_COUNT; ++i)
    {
        const int_range *range = &statistics->range[i];
        if (i == RANGE_BOUNDED && statistics->conflicting)
            fprintf (out, LABEL "up to %d rows\n", "conflicting", statistics->conflicting);
        fprintf (out, LABEL, labels[i]);
        if (range->least != range->most) fprintf (out, "%d to ", range->least);
        fprintf (out, "%d%s\n", range->most, i >= RANGE_REDUNDANT ? " rows" : "");
    }
    const double *violation = statistics->violation;
    fprintf (out, LABEL "%.1e m, %.1e rad, %.1e m/s, %.1e rad/s at most\n", "violation", violation[0],
             violation[1], violation[2], violation[3]);
}

static void write_warnings (FILE *out, const step_statistics *statistics)
{
    const char *label = "warnings";
    for (int i = 0; i < dRLSWarningCount; ++i)
    {
        if (!statistics->warnings[i]) continue;
        fprintf (out, LABEL "%lu x %s\n", label, statistics->warnings[i], dRLSWarningText (i));
        label = "";
    }
    if (*label) fprintf (out, LABEL "none\n", label);
}

size_t statistics_format (const step_statistics *statistics, unsigned long worlds, char *text,
                          size_t capacity)
{
    const preload_options *options = preload_get_options ();
    const unsigned long *calls = statistics->calls, steps = calls[CALL_STEP] + calls[CALL_QUICK_STEP];
    FILE *out = steps > 0 ? fmemopen (text, capacity, "w") : NULL;
    if (!out) return 0;
    fprintf (out, "ode_rls: %lu world%s, %lu step%s by %s", worlds, plural (worlds), steps, plural (steps),
             options->stepper_name);
    if (options->stepper == STEPPER_RLS)
        fprintf (out, " (%s, %s, %s)", options->integrator_name, options->correction_name,
                 options->order_name);

    const double microseconds = 1e6;
    fprintf (out, "\n" LABEL "%lu of dWorldStep, %lu of dWorldQuickStep\n", "calls", calls[CALL_STEP],
             calls[CALL_QUICK_STEP]);
    fprintf (out, LABEL "%.1f us a step, %.1f us at most, %.3f s in all\n", "time",
             statistics->seconds / (double)steps * microseconds, statistics->longest * microseconds,
             statistics->seconds);
    if (statistics->analysed) write_findings (out, statistics);
    if (options->stepper == STEPPER_RLS)
    {
        write_warnings (out, statistics);
        fprintf (out, LABEL "%lu step%s left to ODE\n", "fallbacks", statistics->fallbacks,
                 plural (statistics->fallbacks));
    }
    const long length = ftell (out);
    fclose (out);
    return length > 0 ? (size_t)length : 0;
}
