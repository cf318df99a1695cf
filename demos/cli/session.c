/*
 * Plans and makes the runs.  See session.h.
 */
#include "session.h"
#include "apart.h"
#include "failure.h"
#include "figures.h"
#include "interrupt.h"
#include "load.h"
#include "simulate.h"

#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>

static const choice_set default_integrators = {1, {dRLSIntegratorDefault}};
static const choice_set default_corrections = {1, {dRLSCorrectionDefault}};

static int add_run (session *s, const run_setup *setup)
{
    if (!simulate_steps (setup->duration, setup->dt)) return 0;
    if (s->planned == SESSION_MAX) return fail (0, "these are more than %d runs", SESSION_MAX);
    s->setups[s->planned++] = *setup;
    return 1;
}

/* Lists all combinations of steppers, integrators, corrections and step sizes, or of methods and step sizes.
   Returns 0 after an error line. */
static int plan (session *s, const choice_set *steppers)
{
    const options *o = s->o;
    const choice_set *integrators = o->integrators.count ? &o->integrators : &default_integrators;
    const choice_set *corrections = o->corrections.count ? &o->corrections : &default_corrections;
    number_set dt = o->dt;
    if (!dt.count) dt = (number_set){1, {scene_time_step (s->first)}};
    run_setup setup = {.duration = o->duration > 0 ? o->duration : scene_duration (s->first)};
    s->setups = calloc (SESSION_MAX, sizeof *s->setups);
    if (!s->setups) return fail (0, "out of memory");

    for (int m = 0; m < o->methods.count; m++)
        for (int d = 0; d < dt.count; d++)
        {
            const method_parts *parts = &methods[o->methods.value[m]];
            setup.stepper = parts->stepper;
            setup.integrator = parts->integrator;
            setup.correction = parts->correction;
            setup.dt = dt.value[d];
            if (!add_run (s, &setup)) return 0;
        }
    for (int k = 0; k < steppers->count && !o->methods.count; k++)
        for (int i = 0; i < integrators->count; i++)
            for (int c = 0; c < corrections->count; c++)
                for (int d = 0; d < dt.count; d++)
                {
                    setup.stepper = (stepper_kind)steppers->value[k];
                    setup.integrator = integrators->value[i];
                    setup.correction = corrections->value[c];
                    setup.dt = dt.value[d];
                    /* ODE's steppers have no integrators and corrections and run only once. */
                    if (setup.stepper != stepper_rls && (i || c)) continue;
                    if (!add_run (s, &setup)) return 0;
                }
    s->by_step = dt.count > 1 || o->methods.count > 1 || integrators->count > 1 || corrections->count > 1;
    return 1;
}

int session_open (session *s, const options *o, const stepper_kind *steppers, int stepper_count)
{
    choice_set chosen = o->steppers;
    memset (s, 0, sizeof *s);
    s->o = o;
    for (int i = 0; !o->steppers.count && i < stepper_count; i++)
        chosen.value[chosen.count++] = (int)steppers[i];
    s->first = load_scene (o->names[0], o->strict, 0);
    if (!s->first || !plan (s, &chosen)) return 0;
    s->results = calloc ((size_t)s->planned, sizeof *s->results);
    s->histories = calloc ((size_t)s->planned, sizeof *s->histories);
    if (!s->results || !s->histories) return fail (0, "out of memory");
    return (!o->json || output_open (&s->json, o->json)) && (!o->plot || output_open (&s->plot, o->plot));
}

/* The name of the CSV file of a run: for FILE.csv "FILE-ode-0.01.csv", with the parts in which the runs
 * differ. */
static void name_csv (const session *s, const run_setup *u, char *name, size_t size)
{
    const char *path = s->o->csv, *slash = strrchr (path, '/'), *dot = strrchr (path, '.');
    if (!dot || (slash && dot < slash)) dot = path + strlen (path);
    size_t used = (size_t)snprintf (name, size, "%.*s-%s", (int)(dot - path), path,
                                    choice_word (stepper_choices, u->stepper));
    if (u->stepper == stepper_rls && s->o->integrators.count > 1 && used < size)
        used += (size_t)snprintf (name + used, size - used, "-%s",
                                  choice_word (integrator_choices, u->integrator));
    if (u->stepper == stepper_rls && s->o->corrections.count > 1 && used < size)
        used += (size_t)snprintf (name + used, size - used, "-%s",
                                  choice_word (correction_choices, u->correction));
    if (s->o->dt.count > 1 && used < size)
        used += (size_t)snprintf (name + used, size - used, "-%.4g", u->dt);
    if (used < size) snprintf (name + used, size - used, "%s", dot);
}

/* A run, and what receives its results. */
typedef struct
{
    const session *s;
    const run_setup *setup;
    FILE *csv;
    history *plotted;
    run_result *result;
} one_run;

/* Reads the scene anew and simulates it; an apart_function. */
static int simulate_fresh (void *context)
{
    const one_run *one = context;
    const options *o = one->s->o;
    scene *fresh = load_scene (o->names[0], o->strict, 1);
    if (!fresh) return exit_failed;
    int good = simulate (fresh, one->setup, o, one->csv, one->plotted, one->result);
    scene_free (fresh);
    return !one->csv || fflush (one->csv) == 0 ? (good ? exit_done : exit_failed) : exit_failed;
}

/* Makes run i and writes its CSV file.  The result is kept even if the run fails.  Returns an exit status. */
static int run_one (session *s, int i, int apart)
{
    const run_setup *setup = &s->setups[i];
    char name[4096];
    output csv = {0};
    if (s->o->csv && apart)
        name_csv (s, setup, name, sizeof name);
    else
        snprintf (name, sizeof name, "%s", s->o->csv ? s->o->csv : "");
    if (s->o->csv && !output_open (&csv, name)) return exit_bad_arguments;
    if (s->o->plot && !s->by_step)
        s->histories[i] = history_create (series_probes + 3 * scene_probe_count (s->first));
    one_run one = {s, setup, csv.file, s->histories[i], &s->results[i]};
    const int short_of_memory = (s->o->plot && !s->by_step && !s->histories[i]) ||
                                (apart && !result_start (one.result, s->first, setup));
    if (short_of_memory)
    {
        output_discard (&csv);
        return fail (exit_failed, "out of memory");
    }
    one.result->quick_iterations = s->o->quick_iterations; /* for its label, should it end early */
    const int status =
        apart ? apart_run (simulate_fresh, &one, one.result, one.plotted) : simulate_fresh (&one);
    const int written = output_commit (&csv);
    return written ? status : exit_failed;
}

/* Which steppers are slower in large scenes: QuickStep is the fastest, dWorldStep, with its dense matrix, the
 * slowest. */
static int slowness (const run_setup *setup)
{
    return setup->stepper == stepper_quick ? 0 : setup->stepper == stepper_rls ? 1 : 2;
}

/* The next run: the first of those that are left, or with by_speed the first of the fastest; -1 if none is
 * left. */
static int next_run (const session *s, const unsigned char *done, int by_speed)
{
    int best = -1;
    for (int i = 0; i < s->planned; i++)
        if (!done[i] && (best < 0 || (by_speed && slowness (&s->setups[i]) < slowness (&s->setups[best]))))
            best = i;
    return best;
}

/* Moves the results of the runs that were made to the front, in the order in which they were planned. */
static void keep_done (session *s, const unsigned char *done)
{
    for (int i = 0; i < s->planned; i++)
    {
        if (!done[i]) continue;
        history *mine = s->histories[i];
        s->results[s->count] = s->results[i];
        s->histories[i] = NULL;
        s->histories[s->count++] = mine;
    }
}

int session_run (session *s, int apart)
{
    int status = exit_done, i;
    unsigned char *done = calloc ((size_t)s->planned + 1, 1);
    if (!done) return fail (exit_failed, "out of memory");
    while (!interrupted () && status != exit_bad_arguments && (i = next_run (s, done, apart)) >= 0)
    {
        const int one = run_one (s, i, apart);
        if (one) status = one;
        done[i] = one != exit_bad_arguments;
        if (!done[i]) break;
    }
    keep_done (s, done);
    free (done);
    return interrupted () ? fail (128 + interrupted (), "interrupted; results hold what was simulated so far")
                          : status;
}

FILE *session_tables (const session *s)
{
    int taken = (s->o->csv && strcmp (s->o->csv, "-") == 0) || (s->o->json && strcmp (s->o->json, "-") == 0);
    return taken ? stderr : stdout;
}

static int write_json (session *s, int as_array)
{
    json j;
    json_start (&j, s->json.file, 0);
    if (as_array) json_open_array (&j, NULL);
    for (int i = 0; i < s->count; i++) result_write_json (&s->results[i], &j);
    if (as_array) json_close_array (&j);
    json_end (&j);
    return output_commit (&s->json);
}

static int write_plot (session *s)
{
    int good = s->by_step ? figure_work_precision (s->plot.file, s->results, s->count)
                          : figure_history (s->plot.file, s->results, s->histories, s->count, s->first);
    if (good) return output_commit (&s->plot);
    output_discard (&s->plot);
    return fail (0, "cannot write %s: out of memory or disk space", s->o->plot);
}

int session_write (session *s, int as_array)
{
    int good = s->count > 0;
    if (good && s->json.file) good &= write_json (s, as_array);
    if (s->count && s->plot.file) good &= write_plot (s);
    return good ? exit_done : exit_failed;
}

void session_close (session *s)
{
    for (int i = 0; i < s->count; i++) result_free (&s->results[i]);
    for (int i = 0; i < s->planned && s->histories; i++) history_free (s->histories[i]);
    free (s->setups);
    free (s->results);
    free (s->histories);
    if (s->first) scene_free (s->first);
    output_discard (&s->json);
    output_discard (&s->plot);
}
