/*
 * ode-rls bench: measures the time of a step for all steppers in the same run.
 *
 * A repetition reads the scene anew, so that every repetition does the same work, and measures the time of a
 * block of steps.  The steppers take turns, so that other work of the machine affects all of them alike.
 */
#include "commands.h"
#include "driver.h"
#include "failure.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "seconds.h"
#include "simulate.h"
#include "table.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WARM_UP_STEPS 8
#define BLOCK_SECONDS 0.1 /* s that a block should take */
#define BLOCK_SIMULATED                                                                                      \
    2.0               /* s of simulated time in a block at most: later the scene may have come to rest */
#define SLOW_STEP 0.2 /* s: if a step takes longer, a block is one step, repeated SLOW_REPETITIONS times */
#define SLOW_REPETITIONS 3
#define DENSE_SECONDS                                                                                        \
    6e-11 /* s of a dWorldStep, divided by the cube of its rows: to decide whether to skip it */
#define CONTESTANT_MAX 9 /* every integrator, and ODE's two steppers */

static const char *const default_names[] = {"bricard",    "chain:10",  "chain:100",
                                            "chain:1000", "fourbar:1", "fourbar:10",
                                            "fourbar:40", "net:10",    "net:20"};

typedef struct
{
    run_setup setup;
    long steps;              /* in a block */
    long repetitions;        /* made */
    double *block;           /* microseconds a step, by repetition */
    dRLSViolation violation; /* largest at the end of the blocks */
    double least_used;       /* processor time of a step, microseconds: the least of the repetitions */
    double memory;           /* bytes that are allocated after the block and were not before */
    char skipped[160];       /* why it is not measured; empty if it is */
    int failed;
} contestant;

typedef struct
{
    const options *o;
    const char *name;
    int bodies, joints, rows;
    double dt;
    contestant contestants[CONTESTANT_MAX];
    int count;
} benchmark;

static int by_value (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median (const contestant *c)
{
    long n = c->repetitions;
    return n % 2 ? c->block[n / 2] : 0.5 * (c->block[n / 2 - 1] + c->block[n / 2]);
}

/* Counts bodies, joints and rows of the scene.  Returns 0 after an error line. */
static int describe (benchmark *b, scene *s)
{
    dRLSReport report = {.struct_size = sizeof report};
    dRLSStepperID stepper = make_stepper (s, b->o);
    if (!stepper) return 0;
    int good = dRLSStepperAnalyse (stepper) && dRLSStepperGetReport (stepper, &report);
    if (!good) fail (0, "%s: %s", b->name, dRLSStepperGetMessage (stepper));
    dRLSStepperDestroy (stepper);
    b->bodies = scene_body_count (s);
    b->joints = scene_joint_count (s);
    b->rows = report.rows;
    b->dt = b->o->dt.count ? b->o->dt.value[0] : scene_time_step (s);
    return good;
}

static void add_contestant (benchmark *b, stepper_kind stepper, int integrator)
{
    contestant *c = &b->contestants[b->count++];
    int corrected = b->o->corrections.count > 0;
    c->setup = (run_setup){.stepper = stepper,
                           .integrator = integrator,
                           .correction = corrected ? b->o->corrections.value[0] : dRLSCorrectionDefault,
                           .dt = b->dt};
    double expected = DENSE_SECONDS * pow (b->rows, 3);
    if (stepper == stepper_ode && expected > b->o->dense_limit)
        snprintf (c->skipped, sizeof c->skipped,
                  "a dense step of %d rows is expected to take %.2g s; --dense-limit %g includes it", b->rows,
                  expected, ceil (expected));
    c->block = calloc ((size_t)b->o->repetitions, sizeof *c->block);
    if (!c->block) c->failed = !fail (0, "out of memory");
}

/* Makes n steps, the first of which has the number index.  Returns the mean time in microseconds, or a
   negative number after an error line. */
static double time_steps (driver *d, const benchmark *b, long index, long n)
{
    double total = 0, seconds;
    for (long i = 0; i < n; i++)
    {
        if (!driver_step (d, (double)(index + i) * b->dt, &seconds))
            return fail (-1, "%s, %s: %s", b->name, choice_word (stepper_choices, d->setup->stepper),
                         driver_message (d));
        total += seconds;
    }
    return 1e6 * total / (double)n;
}

/* How many steps a block has, from the time of one. */
static long block_steps (double microseconds, double dt)
{
    double steps = fmin (BLOCK_SECONDS * 1e6 / fmax (microseconds, 0.1), BLOCK_SIMULATED / dt);
    return steps < 1 ? 1 : (long)steps;
}

/* Bytes allocated by the program. */
static double heap_bytes (void)
{
    struct mallinfo2 now = mallinfo2 ();
    return (double)now.uordblks + (double)now.hblkhd;
}

/* One repetition: reads the scene, warms up, and measures a block.  Returns 0 after an error line. */
static int repeat (benchmark *b, contestant *c)
{
    driver d;
    scene *s = load_scene (b->name, 0, 1);
    if (!s) return 0;
    double cost = -1, used = 0, before = heap_bytes ();
    if (driver_open (&d, s, &c->setup, b->o))
    {
        /* The first steps, which find the rank and the order and allocate memory, are not counted.  One step
           is enough if steps are slow. */
        cost = time_steps (&d, b, 0, 1);
        const int slow = c->steps == 1 || cost > SLOW_STEP * 1e6;
        const long warm_up = slow ? 0 : WARM_UP_STEPS;
        if (cost >= 0 && !slow) cost = time_steps (&d, b, 1, warm_up);
        if (!c->steps) c->steps = slow ? 1 : block_steps (cost, b->dt);
        used = d.used;
        if (cost >= 0) cost = time_steps (&d, b, 1 + warm_up, c->steps);
    }
    if (cost >= 0)
    {
        dRLSViolation v;
        c->memory = heap_bytes () - before;
        used = 1e6 * (d.used - used) / (double)c->steps;
        if (c->repetitions == 0 || used < c->least_used) c->least_used = used;
        scene_violation (s, &v);
        c->violation.position_m = fmax (c->violation.position_m, v.position_m);
        c->violation.angle_rad = fmax (c->violation.angle_rad, v.angle_rad);
        c->block[c->repetitions++] = cost;
    }
    driver_close (&d);
    scene_free (s);
    return cost >= 0;
}

static int wants_more (const benchmark *b, const contestant *c)
{
    if (c->failed || c->skipped[0]) return 0;
    long wanted = b->o->repetitions;
    if (c->steps == 1 && wanted > SLOW_REPETITIONS) wanted = SLOW_REPETITIONS;
    return c->repetitions < wanted;
}

static int measure_all (benchmark *b)
{
    int good = 1;
    progress_start (b->name);
    for (long round = 0; round < b->o->repetitions && !interrupted (); round++)
        for (int i = 0; i < b->count && !interrupted (); i++)
        {
            contestant *c = &b->contestants[i];
            if (!wants_more (b, c)) continue;
            c->failed = !repeat (b, c);
            good &= !c->failed;
            progress_update ((double)(round * b->count + i + 1) / (double)(b->o->repetitions * b->count));
        }
    progress_clear ();
    for (int i = 0; i < b->count; i++)
        qsort (b->contestants[i].block, (size_t)b->contestants[i].repetitions, sizeof (double), by_value);
    return good;
}

static void write_contestant (const contestant *c, const options *o, json *j)
{
    json_open_object (j, NULL);
    json_string (j, "stepper", choice_word (stepper_choices, c->setup.stepper));
    if (c->setup.stepper == stepper_rls)
        json_string (j, "integrator", choice_word (integrator_choices, c->setup.integrator));
    if (c->setup.stepper == stepper_quick) json_integer (j, "iterations", o->quick_iterations);
    if (c->skipped[0])
        json_string (j, "skipped", c->skipped);
    else if (c->failed || !c->repetitions)
        json_boolean (j, "failed", 1);
    else
    {
        json_open_object (j, "us_per_step");
        json_number (j, "min", c->block[0]);
        json_number (j, "median", median (c));
        json_close_object (j);
        json_number (j, "cpu_us_per_step", c->least_used);
        json_integer (j, "repetitions", c->repetitions);
        json_integer (j, "steps", c->steps);
        json_number (j, "memory_bytes", c->memory);
        json_number (j, "position_m", c->violation.position_m);
        json_number (j, "angle_rad", c->violation.angle_rad);
    }
    json_close_object (j);
}

static int measured (const contestant *c) { return c->repetitions > 0 && !c->failed; }

/* The ratios of the times of ODE's steppers to that of the first rls contestant, by medians. */
static void write_ratios (const benchmark *b, json *j)
{
    json_open_object (j, "ratios");
    for (int i = 1; i < b->count && measured (&b->contestants[0]); i++)
    {
        const contestant *c = &b->contestants[i];
        if (c->setup.stepper == stepper_rls || !measured (c)) continue;
        json_number (j, c->setup.stepper == stepper_ode ? "ode/rls" : "quick/rls",
                     median (c) / median (&b->contestants[0]));
    }
    json_close_object (j);
}

static void write_line (const benchmark *b, FILE *file)
{
    json j;
    json_start (&j, file, 1);
    json_open_object (&j, NULL);
    json_string (&j, "benchmark", b->name);
    json_integer (&j, "bodies", b->bodies);
    json_integer (&j, "joints", b->joints);
    json_integer (&j, "rows", b->rows);
    json_number (&j, "dt", b->dt);
    json_open_array (&j, "results");
    for (int i = 0; i < b->count; i++) write_contestant (&b->contestants[i], b->o, &j);
    json_close_array (&j);
    write_ratios (b, &j);
    json_close_object (&j);
    json_end (&j);
    fflush (file);
}

/* The same as lines of a table, with ratios of processor time. */
static void add_lines (const benchmark *b, table *t)
{
    for (int i = 0; i < b->count; i++)
    {
        const contestant *c = &b->contestants[i];
        const int timed = measured (c), compared = timed && measured (&b->contestants[0]);
        table_cell (t, "%s", i ? "" : b->name);
        table_cell (t, i ? "" : "%d", b->rows);
        if (c->setup.stepper == stepper_rls)
            table_cell (t, "rls %s", choice_word (integrator_choices, c->setup.integrator));
        else if (c->setup.stepper == stepper_quick)
            table_cell (t, "quick %ld", b->o->quick_iterations);
        else
            table_cell (t, "ode");
        table_cell (t, timed ? "%.1f" : c->skipped[0] ? "left out" : "failed", c->least_used);
        table_cell (t, compared ? "%.2f" : "-", c->least_used / b->contestants[0].least_used);
        table_cell (t, timed ? "%.1f" : "-", timed ? median (c) : 0);
        table_measure (t, timed ? c->violation.position_m : NAN);
        table_measure (t, timed ? c->violation.angle_rad : NAN);
        table_cell (t, timed ? "%.0f" : "-", c->memory / 1000);
    }
}

/* Measures a benchmark.  Its results go into the table lines, or as JSON to standard output if that is
 * NULL. */
static int run_benchmark (const char *name, const options *o, table *lines)
{
    benchmark b = {.o = o, .name = name};
    scene *s = load_scene (name, 0, 0);
    if (!s) return exit_bad_arguments;
    int good = describe (&b, s);
    scene_free (s);
    if (!good) return exit_failed;

    if (!o->integrators.count) add_contestant (&b, stepper_rls, dRLSIntegratorDefault);
    for (int i = 0; i < o->integrators.count && i < CONTESTANT_MAX - 2; i++)
        add_contestant (&b, stepper_rls, o->integrators.value[i]);
    add_contestant (&b, stepper_ode, 0);
    add_contestant (&b, stepper_quick, 0);

    good = measure_all (&b);
    if (!interrupted () && lines)
        add_lines (&b, lines);
    else if (!interrupted ())
        write_line (&b, stdout);
    for (int i = 0; i < b.count; i++) free (b.contestants[i].block);
    return good ? exit_done : exit_failed;
}

int bench_main (int argc, char **argv)
{
    options o;
    int status = exit_bad_arguments;
    if (options_parse (&o, command_bench, argc, argv))
    {
        int given = o.name_count,
            total = given ? given : (int)(sizeof default_names / sizeof default_names[0]);
        table *lines = NULL;
        if (isatty (STDOUT_FILENO))
            lines =
                table_create ("<scene|rows|<stepper|CPU us/step|times rls|elapsed us|gap (m)|angle (rad)|kB");
        status = exit_done;
        for (int i = 0; i < total && !interrupted (); i++)
        {
            int one = run_benchmark (given ? o.names[i] : default_names[i], &o, lines);
            if (one > status) status = one;
        }
        if (lines) table_print (lines, stdout);
        table_free (lines);
        if (interrupted ()) status = fail (128 + interrupted (), "interrupted");
    }
    options_free (&o);
    return status;
}
