/*
 * ode-rls compare: simulates a scene under several steppers, integrators, corrections and step sizes, and
 * prints a table of the results.
 */
#include "commands.h"
#include "failure.h"
#include "figures.h"
#include "session.h"
#include "table.h"

#include <math.h>
#include <stdio.h>

/* "29", or "27-29" if it changed during the run. */
static void range_cell (table *t, int_range range)
{
    if (range.min == range.max)
        table_cell (t, "%d", range.min);
    else
        table_cell (t, "%d-%d", range.min, range.max);
}

static void add_run (table *t, const run_result *r, int probe, int coordinate, int with_error)
{
    char label[96];
    result_label (r, label, sizeof label);
    table_cell (t, "%s", label);
    table_cell (t, "%.4g", r->setup.dt);
    if (!r->steps)
    {
        /* It failed before its first step. */
        for (int i = (probe >= 0) + with_error + 8; i > 0; i--) table_cell (t, "-");
        return;
    }
    if (probe >= 0)
        table_cell (t, "%.4f to %.4f", r->probes[probe].min[coordinate], r->probes[probe].max[coordinate]);
    if (with_error) table_measure (t, result_reference_error (r));
    table_measure (t, r->drift_max);
    table_measure (t, r->violation.position_m);
    table_measure (t, r->violation.angle_rad);
    range_cell (t, r->rank);
    range_cell (t, r->dof);
    range_cell (t, r->redundant);
    table_cell (t, "%.1f", 1e6 * r->step_seconds / (double)r->steps);
    table_cell (t, "%.3g", r->step_seconds);
}

/* Prints the messages of the runs, under the table. */
static void print_messages (const session *s, FILE *file)
{
    int printed = 0;
    for (int i = 0; i < s->count; i++)
    {
        const run_result *r = &s->results[i];
        char label[96];
        result_label (r, label, sizeof label);
        for (int k = 0; k < r->message_count; k++)
            fprintf (file, "%s%s, h = %.4g s: %s\n", printed++ ? "" : "\n", label, r->setup.dt,
                     r->messages[k]);
    }
}

static int print_table (const session *s, FILE *file)
{
    int coordinate, probe = figure_probe (s->results, s->count, &coordinate), with_error = 0;
    const run_result *first = &s->results[0];
    char headings[320], motion[96] = "";
    for (int i = 0; i < s->count; i++) with_error |= isfinite (result_reference_error (&s->results[i]));
    if (probe >= 0)
        snprintf (motion, sizeof motion, "|%.64s %c (m)", first->probes[probe].name, "xyz"[coordinate]);
    snprintf (headings, sizeof headings,
              "<stepper|h (s)%s%s|drift (J)|gap (m)|angle (rad)|rank|dof|redundant|us/step|time (s)", motion,
              with_error ? "|error (m)" : "");

    table *t = table_create (headings);
    for (int i = 0; t && i < s->count; i++) add_run (t, &s->results[i], probe, coordinate, with_error);
    result_print_size (file, first->scene, first->bodies, first->joints, first->rows);
    fprintf (file, "; %g s\n\n", first->setup.duration);
    int good = table_print (t, file);
    table_free (t);

    print_messages (s, file);
    return good || fail (0, "out of memory");
}

int compare_main (int argc, char **argv)
{
    static const stepper_kind all[] = {stepper_ode, stepper_quick, stepper_rls};
    options o;
    session s = {0};
    int status = exit_bad_arguments;
    if (options_parse (&o, command_compare, argc, argv))
    {
        if (o.csv && o.csv[0] == '-' && !o.csv[1])
            fail (0, "--csv: compare writes one file a run and needs a name instead of -");
        else if (session_open (&s, &o, all, 3))
        {
            status = session_run (&s, 1);
            if (s.count && !print_table (&s, session_tables (&s))) status = exit_failed;
            int written = session_write (&s, 1);
            if (!status) status = written;
        }
    }
    session_close (&s);
    options_free (&o);
    return status;
}
