/* Counts, ranges and the summary of the shim. */
#include "statistics.h"
#include <stdarg.h>
#include <stdio.h>

static void widen (int_range *range, int_range other)
{
    if (other.least < range->least) range->least = other.least;
    if (other.most > range->most) range->most = other.most;
}

static void raise_to (dReal *most, dReal value)
{
    if (value > *most) *most = value;
}

void statistics_count (step_statistics *statistics, preload_call call, double seconds)
{
    ++statistics->steps;
    ++statistics->calls[call];
    statistics->seconds += seconds;
    if (seconds > statistics->longest) statistics->longest = seconds;
}

void statistics_add_report (step_statistics *statistics, const dRLSReport *report)
{
    const step_statistics found = {
        .analysed = 1,
        .bodies = {report->bodies, report->bodies},
        .rank = {report->rank, report->rank},
        .freedom = {report->dof, report->dof},
        .redundant = {report->redundant, report->redundant},
        .bounded = {report->bounded_rows, report->bounded_rows},
        .conflicting = report->conflicting,
        .violation = {report->violation_m, report->violation_rad, report->violation_m_s,
                      report->violation_rad_s},
    };
    statistics_merge (statistics, &found);
}

void statistics_merge (step_statistics *sum, const step_statistics *part)
{
    sum->steps += part->steps;
    for (int i = 0; i < CALL_COUNT; ++i) sum->calls[i] += part->calls[i];
    sum->fallbacks += part->fallbacks;
    for (int i = 0; i < dRLSWarningCount; ++i) sum->warnings[i] += part->warnings[i];
    sum->seconds += part->seconds;
    if (part->longest > sum->longest) sum->longest = part->longest;

    if (!part->analysed) return;
    if (!sum->analysed)
    {
        sum->bodies = part->bodies;
        sum->rank = part->rank;
        sum->freedom = part->freedom;
        sum->redundant = part->redundant;
        sum->bounded = part->bounded;
    }
    sum->analysed += part->analysed;
    widen (&sum->bodies, part->bodies);
    widen (&sum->rank, part->rank);
    widen (&sum->freedom, part->freedom);
    widen (&sum->redundant, part->redundant);
    widen (&sum->bounded, part->bounded);
    if (part->conflicting > sum->conflicting) sum->conflicting = part->conflicting;
    raise_to (&sum->violation.position_m, part->violation.position_m);
    raise_to (&sum->violation.angle_rad, part->violation.angle_rad);
    raise_to (&sum->violation.velocity_m_s, part->violation.velocity_m_s);
    raise_to (&sum->violation.velocity_rad_s, part->violation.velocity_rad_s);
}

/* ---- the summary ---- */

typedef struct
{
    char *text;
    size_t length, capacity;
} text_buffer;

static void append (text_buffer *buffer, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

static void append (text_buffer *buffer, const char *format, ...)
{
    const size_t room = buffer->capacity - buffer->length;
    va_list arguments;
    va_start (arguments, format);
    const int length = vsnprintf (buffer->text + buffer->length, room, format, arguments);
    va_end (arguments);
    if (length > 0) buffer->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void append_label (text_buffer *buffer, const char *label) { append (buffer, "  %-11s", label); }

static void append_range (text_buffer *buffer, const char *label, int_range range, const char *unit)
{
    append_label (buffer, label);
    if (range.least != range.most) append (buffer, "%d to ", range.least);
    append (buffer, "%d%s\n", range.most, unit);
}

static const char *plural (unsigned long count) { return count == 1 ? "" : "s"; }

static void append_findings (text_buffer *buffer, const step_statistics *statistics)
{
    append_range (buffer, "bodies", statistics->bodies, "");
    append_range (buffer, "rank", statistics->rank, "");
    append_range (buffer, "freedom", statistics->freedom, "");
    append_range (buffer, "redundant", statistics->redundant, " rows");
    if (statistics->conflicting)
    {
        append_label (buffer, "conflicting");
        append (buffer, "up to %d rows\n", statistics->conflicting);
    }
    append_range (buffer, "bounded", statistics->bounded, " rows");
    append_label (buffer, "violation");
    append (buffer, "%.1e m, %.1e rad, %.1e m/s, %.1e rad/s at most\n",
            (double)statistics->violation.position_m, (double)statistics->violation.angle_rad,
            (double)statistics->violation.velocity_m_s, (double)statistics->violation.velocity_rad_s);
}

static void append_warnings (text_buffer *buffer, const step_statistics *statistics)
{
    int kinds = 0;
    for (int i = 0; i < dRLSWarningCount; ++i)
    {
        if (!statistics->warnings[i]) continue;
        append_label (buffer, kinds++ ? "" : "warnings");
        append (buffer, "%lu x %s\n", statistics->warnings[i], dRLSWarningText (i));
    }
    if (!kinds)
    {
        append_label (buffer, "warnings");
        append (buffer, "none\n");
    }
}

size_t statistics_format (const step_statistics *statistics, unsigned long worlds, char *text,
                          size_t capacity)
{
    const preload_options *options = preload_get_options ();
    text_buffer buffer = {text, 0, capacity};
    append (&buffer, "ode_rls: %lu world%s, %lu step%s by %s", worlds, plural (worlds), statistics->steps,
            plural (statistics->steps), preload_stepper_name (options->stepper));
    if (options->stepper == STEPPER_RLS)
        append (&buffer, " (%s, %s, %s)", preload_integrator_name (options->integrator),
                preload_correction_name (options->correction), preload_order_name (options->order));
    append (&buffer, "\n");

    const double microseconds = 1e6;
    const double mean = statistics->steps ? statistics->seconds / (double)statistics->steps : 0;
    append_label (&buffer, "calls");
    append (&buffer, "%lu of dWorldStep, %lu of dWorldQuickStep\n", statistics->calls[CALL_STEP],
            statistics->calls[CALL_QUICK_STEP]);
    append_label (&buffer, "time");
    append (&buffer, "%.1f us a step, %.1f us at most, %.3f s in all\n", mean * microseconds,
            statistics->longest * microseconds, statistics->seconds);
    if (statistics->analysed) append_findings (&buffer, statistics);
    if (options->stepper == STEPPER_RLS)
    {
        append_warnings (&buffer, statistics);
        append_label (&buffer, "fallbacks");
        append (&buffer, "%lu step%s left to ODE\n", statistics->fallbacks, plural (statistics->fallbacks));
    }
    return buffer.length;
}
