/*
 * Scenes with contacts under all steppers: how well they hold, and what a step costs.
 *
 *     contact_table [SCENE[@SECONDS][xSTARTS] ...]
 *
 * The steppers take turns step by step, so that a busy moment of the machine hits all alike, and are charged
 * with the time of their thread.  Columns: time a step (mean) and its ratio to dWorldQuickStep with 20
 * sweeps; the deepest contact beyond the layer that the scene allows, over the whole run and over its second
 * half (mm); how far a body has wandered sideways, and the highest one in all (mm), which piles shall not;
 * the widest joint gap (m); of ode-rls the median residual of the natural map, relative to the largest
 * impulse, its 95th percentile, the mean number of factorisations, and warnings.  A row that ends early says
 * at which step its stepper left the world with something that is not a number.
 *
 * A heap that falls is chaotic: how deep contacts are in the end is a draw.  With several starts, all but the
 * first with bodies that move by up to 2 cm/s at random, the table shows the first, and below it the late
 * depth and the ratio of times over all of them.
 */
#include "contact_peers.h"
#include <ode_rls/ode_rls.h>
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define H 0.01
#define SECONDS 5
#define NUDGE 0.02 /* m/s */
#define MOST_STARTS 64
#define DENSE_ROWS 300 /* bounded and unbounded, beyond which dWorldStep is left out */

/* dWorldQuickStep lets the tall stack fall after a second: its later steps are those of scattered boxes. */
static const char *const defaults[] = {"stack:10", "stack:100@1", "stack:100", "wall:100", "ragdolls:10x8"};

typedef struct
{
    scene *s;
    dRLSStepperID stepper;
    double seconds, depth, late_depth, gap;
    double (*start)[3];
    double *residual;
    long factorisations;
    int steps, highest, stopped;
} contestant;

static double thread_seconds (void)
{
    struct timespec now;
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const dReal *position (const contestant *c, int body)
{
    return dBodyGetPosition (scene_body_at (c->s, body)->body);
}

/* The same velocities for every stepper. */
static void nudge (scene *s, int start)
{
    dRandSetSeed ((unsigned long)start);
    for (int b = 0; b < scene_body_count (s); b++)
    {
        double v[3];
        for (int k = 0; k < 3; k++) v[k] = NUDGE * (2 * (double)dRandReal () - 1);
        dBodySetLinearVel (scene_body_at (s, b)->body, (dReal)v[0], (dReal)v[1], (dReal)v[2]);
    }
}

/* A scene by its path or its name. */
static scene *find_scene (const char *name)
{
    char folder[2048], path[8192], error[400];
    scene *s = scene_read (name, NULL, NULL, error, sizeof error);
    for (int i = 0; !s && scene_folder (i, folder, sizeof folder); i++)
    {
        snprintf (path, sizeof path, "%s/%s.sdf", folder, name);
        if (folder[0]) s = scene_read (path, NULL, NULL, error, sizeof error);
    }
    if (!s) fprintf (stderr, "%s\n", error);
    return s;
}

static int open_contestant (contestant *c, const char *name, stepper_kind kind, int steps, int start)
{
    *c = (contestant){.s = find_scene (name)};
    if (!c->s) return 0;
    if (start > 0) nudge (c->s, start);
    const int bodies = scene_body_count (c->s);
    scene_set_time_step (c->s, H);
    dWorldSetQuickStepNumIterations (scene_world (c->s), kind == with_quick_long ? 100 : 20);
    if (kind == with_rls)
    {
        c->stepper = dRLSStepperCreate (scene_world (c->s), NULL);
        if (!c->stepper || !scene_prepare_stepper (c->s, c->stepper)) return 0;
    }
    c->start = calloc ((size_t)bodies, sizeof *c->start);
    c->residual = calloc ((size_t)steps, sizeof *c->residual);
    if (!c->start || !c->residual) return 0;
    for (int b = 0; b < bodies; b++)
    {
        for (int k = 0; k < 3; k++) c->start[b][k] = (double)position (c, b)[k];
        if (c->start[b][2] > c->start[c->highest][2]) c->highest = b;
    }
    return 1;
}

static void close_contestant (contestant *c)
{
    dRLSStepperDestroy (c->stepper);
    if (c->s) scene_free (c->s);
    free (c->start);
    free (c->residual);
}

static void take_step (contestant *c, stepper_kind kind, int i, int steps)
{
    const dWorldID world = scene_world (c->s);
    if (c->stopped) return;
    scene_before_step (c->s, i * H, 0);
    const double layer = (double)dWorldGetContactSurfaceLayer (world);
    const double depth = scene_penetration (c->s) - layer;
    c->depth = fmax (c->depth, depth);
    if (i >= steps / 2) c->late_depth = fmax (c->late_depth, depth);
    const double start = thread_seconds ();
    if (kind == with_rls)
        dRLSStepperStep (c->stepper, H);
    else if (kind == with_ode)
        dWorldStep (world, H);
    else
        dWorldQuickStep (world, H);
    c->seconds += thread_seconds () - start;
    c->steps++;
    scene_after_step (c->s);
    if (!isfinite ((double)position (c, c->highest)[0])) c->stopped = i + 1;

    dRLSViolation violation = {0};
    if (!c->stopped) scene_violation (c->s, &violation);
    c->gap = fmax (c->gap, (double)violation.position_m);
    dRLSReport report = {.struct_size = sizeof report};
    if (!dRLSStepperGetReport (c->stepper, &report)) return;
    c->residual[i] = (double)report.bounded_residual;
    c->factorisations += report.bounded_iterations;
}

static int ascending (const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_row (contestant *c, stepper_kind kind, double quick)
{
    double sideways = 0;
    for (int b = 0; b < scene_body_count (c->s); b++)
        sideways = fmax (sideways, hypot ((double)position (c, b)[0] - c->start[b][0],
                                          (double)position (c, b)[1] - c->start[b][1]));
    const double top = hypot (hypot ((double)position (c, c->highest)[0] - c->start[c->highest][0],
                                     (double)position (c, c->highest)[1] - c->start[c->highest][1]),
                              (double)position (c, c->highest)[2] - c->start[c->highest][2]);
    printf ("%-9s %9.1f %6.2f %9.3f %9.3f %9.2f %9.2f %9.1e", names[kind], 1e6 * c->seconds / c->steps,
            c->seconds / c->steps / quick, 1e3 * c->depth, 1e3 * c->late_depth, 1e3 * sideways, 1e3 * top,
            c->gap);
    if (kind == with_rls)
    {
        qsort (c->residual, (size_t)c->steps, sizeof (double), ascending);
        printf (" %9.1e %9.1e %6.2f %5lu", c->residual[c->steps / 2], c->residual[c->steps * 95 / 100],
                (double)c->factorisations / c->steps,
                dRLSStepperGetWarningCount (c->stepper, dRLSWarningBounded));
    }
    if (c->stopped) printf ("   not finite after %d steps", c->stopped);
    printf ("\n");
}

/* What several starts have in common. */
typedef struct
{
    double late[MOST_STARTS], seconds;
} outcome;

static void print_spread (const outcome *o, stepper_kind kind, int starts, double quick)
{
    double mean = 0, square = 0, largest = 0;
    for (int i = 0; i < starts; i++) mean += o->late[i] / starts, largest = fmax (largest, o->late[i]);
    for (int i = 0; i < starts; i++) square += (o->late[i] - mean) * (o->late[i] - mean) / (starts - 1);
    printf ("%-9s %16.2f %9.3f mm late on average, spread %.3f, largest %.3f, of %d starts\n", names[kind],
            o->seconds / quick, mean, sqrt (square), largest, starts);
}

/* One start of a scene under all steppers; the first one is printed. */
static int run_start (const char *name, double seconds, int start, outcome *o)
{
    contestant c[steppers];
    const int count = (int)(seconds / H + 0.5);
    int done = 1, dense = 1;
    dRandSetSeed (1);
    for (int i = 0; i < steppers; i++) done &= open_contestant (&c[i], name, (stepper_kind)i, count, start);
    dRandSetSeed (1);
    if (done)
    {
        scene_before_step (c[0].s, 0, 0);
        dense = start == 0 && 3 * scene_contact_count (c[0].s) + 6 * scene_joint_count (c[0].s) <= DENSE_ROWS;
        scene_after_step (c[0].s);
        for (int step = 0; step < count; step++)
            for (int i = dense ? with_ode : with_quick; i < steppers; i++)
                take_step (&c[i], (stepper_kind)i, step, count);
        for (int i = with_quick; i < steppers; i++)
        {
            o[i].late[start] = 1e3 * c[i].late_depth;
            o[i].seconds += c[i].seconds;
        }
    }
    if (done && start == 0)
    {
        printf ("\n%s, %g s at h = %g s\n", name, seconds, H);
        printf ("stepper     us/step  ratio  depth mm   late mm   side mm    top mm     gap m  residual      "
                "p95  fact.  warn\n");
        if (!dense) printf ("%-9s left out: too many rows for a dense solver\n", names[with_ode]);
        for (int i = dense ? with_ode : with_quick; i < steppers; i++)
            print_row (&c[i], (stepper_kind)i, c[with_quick].seconds / c[with_quick].steps);
    }
    for (int i = 0; i < steppers; i++) close_contestant (&c[i]);
    return done;
}

static int run_scene (const char *name, double seconds, int starts)
{
    outcome o[steppers] = {{{0}, 0}};
    for (int start = 0; start < starts; start++)
        if (!run_start (name, seconds, start, o)) return 0;
    for (int i = with_quick; i < steppers && starts > 1; i++)
        print_spread (&o[i], (stepper_kind)i, starts, o[with_quick].seconds);
    return 1;
}

/* Takes what follows a sign at the end of a name, if it is a number. */
static double take_number (char *name, char sign, double otherwise)
{
    char *at = strrchr (name, sign), *end;
    if (!at) return otherwise;
    const double number = strtod (at + 1, &end);
    if (end == at + 1 || *end) return otherwise;
    *at = 0;
    return number;
}

static void no_message (int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
}

int main (int count, char **arguments)
{
    int done = 1;
    dInitODE2 (0);
    dAllocateODEDataForThread (dAllocateMaskAll);
    dSetMessageHandler (no_message); /* dWorldStep's complaints about its own solver */
    setvbuf (stdout, NULL, _IOLBF, 0);
    const int own = count > 1, scenes = own ? count - 1 : (int)(sizeof defaults / sizeof *defaults);
    for (int i = 0; i < scenes; i++)
    {
        char name[4096];
        snprintf (name, sizeof name, "%s", own ? arguments[i + 1] : defaults[i]);
        const double starts = take_number (name, 'x', 1);
        const double seconds = take_number (name, '@', SECONDS);
        done &= run_scene (name, seconds, (int)fmax (1, fmin (starts, MOST_STARTS)));
    }
    dCloseODE ();
    return done ? 0 : 1;
}
