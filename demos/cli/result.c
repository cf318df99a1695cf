/*
 * Collects the extremes of a run's samples.  See result.h.
 */
#include "result.h"
#include "row_meaning.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* How many samples of a reference are enough to find the largest error without interpolating between them. */
#define SAMPLES_ENOUGH 20

int result_start (run_result *r, const scene *s, const run_setup *setup)
{
    memset (r, 0, sizeof *r);
    r->setup = *setup;
    snprintf (r->scene, sizeof r->scene, "%s", scene_name (s));
    r->bodies = scene_body_count (s);
    r->joints = scene_joint_count (s);
    r->probe_count = scene_probe_count (s);
    r->probes = calloc ((size_t)r->probe_count + 1, sizeof *r->probes);
    if (!r->probes) return 0;
    for (int i = 0; i < r->probe_count; i++)
    {
        snprintf (r->probes[i].name, sizeof r->probes[i].name, "%s", scene_probe_at (s, i)->name);
        r->probes[i].reference_error = r->probes[i].sampled_error = NAN;
    }
    return 1;
}

void result_free (run_result *r)
{
    free (r->probes);
    free (r->redundant_rows);
    r->probes = NULL;
    r->redundant_rows = NULL;
}

static int all_finite (const scene *s, const sample *now)
{
    double sum = now->kinetic + now->potential + now->violation.position_m + now->violation.angle_rad +
                 now->violation.velocity_m_s + now->violation.velocity_rad_s;
    for (int i = 0; i < scene_probe_count (s); i++)
    {
        double p[3];
        scene_probe_position (s, i, p);
        sum += p[0] + p[1] + p[2];
    }
    return isfinite (sum);
}

static void widen (int_range *range, int value, int first)
{
    if (first || value < range->min) range->min = value;
    if (first || value > range->max) range->max = value;
}

int result_own_rows (const scene *s)
{
    int rows = 0;
    for (int i = 0; i < scene_joint_count (s); i++) rows += joint_row_count (scene_joint_at (s, i));
    return rows;
}

static void raise_to (dReal *largest, dReal value)
{
    if (value > *largest) *largest = value;
}

static void add_probe (probe_result *p, const scene *s, int index, double time, int first)
{
    double position[3], reference[3], distance = 0;
    scene_probe_position (s, index, position);
    int known = scene_reference (s, index, time, reference);
    for (int k = 0; k < 3; k++)
    {
        if (first || position[k] < p->min[k]) p->min[k] = position[k];
        if (first || position[k] > p->max[k]) p->max[k] = position[k];
        p->final[k] = position[k];
        if (known) distance = hypot (distance, position[k] - reference[k]);
    }
    if (!known) return;
    p->reference_error = fmax (p->reference_error, distance); /* fmax ignores a NAN */
    if (first || !scene_reference_is_sample (s, index, time)) return;
    p->sampled_error = fmax (p->sampled_error, distance);
    p->sampled++;
}

int result_add (run_result *r, const scene *s, const sample *now)
{
    if (!all_finite (s, now)) return 0;
    int first = now->time == 0;
    double energy = now->kinetic + now->potential;
    if (first)
    {
        r->energy_initial = energy;
        r->worked = scene_has_forces (s) || now->report.rows > result_own_rows (s);
    }
    r->worked |= now->report.bounded_rows > 0;
    r->drift_final = energy - r->energy_initial;
    r->drift_max = fmax (r->drift_max, fabs (r->drift_final));
    r->step_seconds += now->step_seconds;
    if (now->report.rows > r->rows) r->rows = now->report.rows;
    widen (&r->rank, now->report.rank, first);
    widen (&r->dof, now->report.dof, first);
    widen (&r->redundant, now->report.redundant + now->report.conflicting, first);
    raise_to (&r->violation.position_m, now->violation.position_m);
    raise_to (&r->violation.angle_rad, now->violation.angle_rad);
    raise_to (&r->violation.velocity_m_s, now->violation.velocity_m_s);
    raise_to (&r->violation.velocity_rad_s, now->violation.velocity_rad_s);
    for (int i = 0; i < r->probe_count; i++) add_probe (&r->probes[i], s, i, now->time, first);
    /* Rows may seem to contradict each other because of the violations that ODE's steppers leave.  Under them
       only the state at the start counts. */
    if (now->report.conflicting && (first || r->setup.stepper == stepper_rls)) r->status = run_conflicting;
    return 1;
}

int result_failure (run_result *r, const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (r->failure, sizeof r->failure, format, arguments);
    va_end (arguments);
    return 0;
}

void result_message (run_result *r, const char *format, ...)
{
    if (r->message_count == MESSAGE_MAX) return;
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (r->messages[r->message_count++], sizeof r->messages[0], format, arguments);
    va_end (arguments);
}

int result_take_rows (run_result *r, const scene *s, dRLSStepperID stepper)
{
    int count = dRLSStepperGetRedundantRows (stepper, NULL, 0);
    dRLSRow *rows = calloc ((size_t)count + 1, sizeof *rows);
    row_result *taken = calloc ((size_t)count + 1, sizeof *taken);
    if (!rows || !taken)
    {
        free (rows);
        free (taken);
        return 0;
    }
    dRLSStepperGetRedundantRows (stepper, rows, count);
    for (int i = 0; i < count; i++)
    {
        snprintf (taken[i].joint, sizeof taken[i].joint, "%s", scene_joint_name (s, rows[i].joint));
        taken[i].row = rows[i].row;
        taken[i].type = dJointGetType (rows[i].joint);
        taken[i].status = rows[i].status;
        taken[i].pivot = rows[i].pivot;
        taken[i].residual = rows[i].residual;
    }
    free (rows);
    free (r->redundant_rows);
    r->redundant_rows = taken;
    r->redundant_row_count = count;
    return 1;
}

void result_print_size (FILE *file, const char *name, int bodies, int joints, int rows)
{
    fprintf (file, "%s: %d bod%s, %d joint%s, %d row%s", name, bodies, bodies == 1 ? "y" : "ies", joints,
             joints == 1 ? "" : "s", rows, rows == 1 ? "" : "s");
}

void result_label (const run_result *r, char *text, size_t size)
{
    const run_setup *u = &r->setup;
    if (u->stepper == stepper_ode)
        snprintf (text, size, "ode");
    else if (u->stepper == stepper_quick)
        snprintf (text, size, "quick %ld", r->quick_iterations);
    else if (u->correction == dRLSCorrectionDefault)
        snprintf (text, size, "rls %s", choice_word (integrator_choices, u->integrator));
    else
        snprintf (text, size, "rls %s, %s", choice_word (integrator_choices, u->integrator),
                  choice_word (correction_choices, u->correction));
}

double probe_error (const probe_result *p)
{
    return p->sampled >= SAMPLES_ENOUGH ? p->sampled_error : p->reference_error;
}

double result_reference_error (const run_result *r)
{
    double largest = NAN;
    for (int i = 0; i < r->probe_count; i++) largest = fmax (largest, probe_error (&r->probes[i]));
    return largest;
}
