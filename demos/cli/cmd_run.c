/*
 * ode-rls run: simulates a scene and prints a summary.
 */
#include "commands.h"
#include "failure.h"
#include "interrupt.h"
#include "row_meaning.h"
#include "session.h"

#include <math.h>
#include <stdio.h>

static void print_range (FILE *file, const char *name, int_range range)
{
    if (range.min == range.max)
        fprintf (file, "  %-20s %d\n", name, range.min);
    else
        fprintf (file, "  %-20s %d to %d\n", name, range.min, range.max);
}

/* Prints the range of a probe's motion.  Coordinates that are only rounding errors of the largest are printed
 * as 0. */
static void print_probe (FILE *file, const probe_result *p)
{
    double shown[6], largest = 0;
    for (int k = 0; k < 3; k++)
    {
        shown[2 * k] = p->min[k], shown[2 * k + 1] = p->max[k];
        largest = fmax (largest, fmax (fabs (p->min[k]), fabs (p->max[k])));
    }
    for (int k = 0; k < 6; k++)
        if (fabs (shown[k]) < 1e-15 * largest) shown[k] = 0;
    fprintf (file, "  %-20s x %.6g to %.6g, y %.6g to %.6g, z %.6g to %.6g m\n", p->name, shown[0], shown[1],
             shown[2], shown[3], shown[4], shown[5]);
    if (isfinite (probe_error (p)))
        fprintf (file, "  %-20s at most %.3g m from the reference\n", "", probe_error (p));
}

static void print_summary (FILE *file, const run_result *r)
{
    char label[96];
    result_label (r, label, sizeof label);
    result_print_size (file, r->scene, r->bodies, r->joints, r->rows);
    fprintf (file, "\n%s: %ld step%s of %g s\n\n", label, r->steps, r->steps == 1 ? "" : "s", r->setup.dt);
    print_range (file, "rank", r->rank);
    print_range (file, "degrees of freedom", r->dof);
    print_range (file, "redundant rows", r->redundant);
    fprintf (file, "  %-20s %.3g m, %.3g rad\n", "violation", r->violation.position_m,
             r->violation.angle_rad);
    fprintf (file, "  %-20s %.3g m/s, %.3g rad/s\n", "violation rate", r->violation.velocity_m_s,
             r->violation.velocity_rad_s);
    fprintf (file, "  %-20s %.6g J at the start, %s at most %.3g J, at the end %.3g J\n", "energy",
             r->energy_initial, r->worked ? "changed by" : "drift", r->drift_max, r->drift_final);
    for (int i = 0; i < r->probe_count; i++) print_probe (file, &r->probes[i]);
    fprintf (file, "  %-20s %.3g us a step, %.3g s in all\n", "time in the stepper",
             r->steps ? 1e6 * r->step_seconds / (double)r->steps : 0.0, r->step_seconds);
    for (int i = 0; i < r->message_count; i++)
        fprintf (file, "  %-20s %s\n", i ? "" : "messages", r->messages[i]);
}

int run_main (int argc, char **argv)
{
    static const stepper_kind ours[] = {stepper_rls};
    options o;
    session s = {0};
    int status = exit_bad_arguments;
    if (options_parse (&o, command_run, argc, argv) && session_open (&s, &o, ours, 1))
    {
        status = session_run (&s, 0);
        const int knows =
            s.count && (!status || s.results[0].steps); /* not if it ended before its first step */
        if (knows && !reader_has_left ()) print_summary (session_tables (&s), &s.results[0]);
        int written = session_write (&s, 0);
        if (!status) status = written;
    }
    session_close (&s);
    options_free (&o);
    return status;
}
