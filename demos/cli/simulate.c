/*
 * Makes a run.  All steppers are measured by the same code: violations and energy from the state of the
 * scene, rank and redundancy by the analysis of the library.  ode-rls has made that analysis in its step; for
 * ODE's steppers it is made by another stepper object for the same world.
 */
#include "simulate.h"
#include "csv.h"
#include "driver.h"
#include "failure.h"
#include "interrupt.h"
#include "near_rows.h"
#include "ode_messages.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INCONSISTENT 1e-6 /* m, rad, m/s or rad/s: a larger violation at the start is mentioned */

typedef struct
{
    driver d;
    const options *o;
    dRLSStepperID analyser; /* analyses the state at the start, and under ODE's steppers all later ones */
    FILE *csv;
    history *plotted;
    double *values; /* of one history entry */
    run_result *r;
} run;

long simulate_steps (double duration, double dt)
{
    double steps = floor (duration / dt * (1 + 1e-12) + 1e-9);
    if (steps > SIMULATE_MAX_STEPS)
        return fail (0, "%g s in steps of %g s are %.3g steps; the most is %g", duration, dt, steps,
                     SIMULATE_MAX_STEPS);
    return steps < 1 ? 1 : (long)steps;
}

/* Mentions it if a scene without drives cannot move, but could if axes that are almost parallel were quite
 * so. */
static int remark_structure (run *u, const sample *start)
{
    near_rows near;
    if (start->report.dof > 0 || start->report.rows > result_own_rows (u->d.s)) return 1;
    const int found = near_rows_find (&near, u->d.s, u->analyser);
    if (found == 1)
        result_message (
            u->r,
            "A structure: 0 degrees of freedom, but %d with --tolerance %.0e. ode-rls inspect names "
            "the rows.",
            near.report.dof, near.tolerance);
    near_rows_free (&near);
    return found >= 0;
}

/* Mentions what may be a mistake in the scene.  Returns 0 after an error line. */
static int remark (run *u, const sample *start)
{
    const dRLSViolation *v = &start->violation;
    if (v->position_m > INCONSISTENT || v->angle_rad > INCONSISTENT)
        result_message (u->r, "Joints are open by %.2g m and %.2g rad at the start.", v->position_m,
                        v->angle_rad);
    if (v->velocity_m_s > INCONSISTENT || v->velocity_rad_s > INCONSISTENT)
        result_message (u->r, "Velocities at the start part the joints by %.2g m/s and %.2g rad/s.",
                        v->velocity_m_s, v->velocity_rad_s);
    return u->d.setup->stepper != stepper_rls || remark_structure (u, start);
}

/* Measures the present state.  Rank and rows are those of the stepper's last step, or an analysis if it is
 * the analyser. */
static int measure (run *u, dRLSStepperID stepper, sample *now)
{
    scene_energy (u->d.s, &now->kinetic, &now->potential);
    scene_violation (u->d.s, &now->violation);
    now->report.struct_size = sizeof now->report;
    if ((stepper != u->analyser || dRLSStepperAnalyse (stepper)) &&
        dRLSStepperGetReport (stepper, &now->report))
        return 1;
    return result_failure (u->r, "the analysis at t = %g s failed: %s", now->time,
                           dRLSStepperGetMessage (stepper));
}

static int record (run *u, const sample *now, int written)
{
    if (!result_add (u->r, u->d.s, now))
        return result_failure (u->r, "the state is no longer finite at t = %g s", now->time);
    if (!scene_is_near (u->d.s))
        return result_failure (u->r, "a body is more than %g km away at t = %g s", SCENE_FAR / 1000,
                               now->time);
    if (u->csv && written)
    {
        csv_row (u->csv, u->d.s, now, u->o->poses);
        if (ferror (u->csv)) note_failed_output (u->csv);
        if (ferror (u->csv))
            return result_failure (u->r, "the CSV file cannot be written at t = %g s", now->time);
    }
    if (u->plotted)
    {
        u->values[series_position_m] = now->violation.position_m;
        u->values[series_angle_rad] = now->violation.angle_rad;
        u->values[series_energy_drift] = u->r->drift_final;
        for (int i = 0; i < u->r->probe_count; i++)
            scene_probe_position (u->d.s, i, u->values + series_probes + 3 * i);
        history_add (u->plotted, now->time, u->values);
    }
    return 1;
}

static int advance (run *u, long index, long steps)
{
    double dt = u->d.setup->dt, before = (double)(index - 1) * dt;
    sample now = {.time = (double)index * dt};
    if (!driver_step (&u->d, before, &now.step_seconds))
        return result_failure (u->r, "the step at t = %g s failed: %s", before, driver_message (&u->d));
    u->r->steps = index;
    u->r->step_used = u->d.used;
    return measure (u, u->d.stepper ? u->d.stepper : u->analyser, &now) &&
           record (u, &now, index % u->o->every == 0 || index == steps);
}

static int run_steps (run *u, long steps)
{
    char label[128];
    result_label (u->r, label, sizeof label);
    snprintf (label + strlen (label), sizeof label - strlen (label), ", h = %g s", u->d.setup->dt);
    progress_start (label);

    sample start = {.time = 0};
    int good = measure (u, u->analyser, &start) && record (u, &start, 1) && remark (u, &start);
    for (long index = 1; good && index <= steps; index++)
    {
        if (interrupted ())
        {
            result_message (u->r, "interrupted at t = %g s", (double)(index - 1) * u->d.setup->dt);
            break;
        }
        good = advance (u, index, steps);
        progress_update ((double)index / (double)steps);
    }
    progress_clear ();
    return good;
}

static void take_messages (run *u)
{
    for (int warning = 0; u->d.stepper && warning < dRLSWarningCount; warning++)
    {
        unsigned long count = dRLSStepperGetWarningCount (u->d.stepper, warning);
        if (count) result_message (u->r, "%lu times: %s", count, dRLSWarningText (warning));
    }
    char first[160];
    long count = ode_messages_count (first, sizeof first);
    if (count) result_message (u->r, "%ld times ODE says: %s", count, first);
}

int simulate (scene *s, const run_setup *setup, const options *o, FILE *csv, history *plotted, run_result *r)
{
    run u = {.d = {.s = s}, .o = o, .csv = csv, .plotted = plotted, .r = r};
    long steps = simulate_steps (setup->duration, setup->dt);
    if (!result_start (r, s, setup)) return fail (0, "out of memory");
    r->quick_iterations = o->quick_iterations;
    if (o->order == dRLSOrderRandom)
        snprintf (r->order, sizeof r->order, "random:%lu", o->order_seed);
    else
        snprintf (r->order, sizeof r->order, "%s", choice_word (order_choices, o->order));

    u.values = calloc ((size_t)(series_probes + 3 * r->probe_count), sizeof *u.values);
    int good =
        steps && u.values && driver_open (&u.d, s, setup, o) && (u.analyser = make_stepper (s, o)) != NULL;
    if (good)
    {
        if (csv) csv_header (csv, s, o->poses);
        good = run_steps (&u, steps);
        if (!good)
        {
            char label[96];
            result_label (r, label, sizeof label);
            fail (0, "%s, %s, h = %.4g s: %s", r->scene, label, setup->dt, r->failure);
        }
        take_messages (&u);
        dRLSStepperID last = u.d.stepper && r->steps ? u.d.stepper : u.analyser;
        if (!result_take_rows (r, s, last)) good = fail (0, "out of memory");
    }
    if (!good) r->status = run_error;

    dRLSStepperDestroy (u.analyser);
    driver_close (&u.d);
    free (u.values);
    return good;
}
