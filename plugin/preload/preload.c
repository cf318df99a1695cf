/*
 * The LD_PRELOAD shim: unmodified programs that are linked to ODE get ode_rls steps.
 *
 *     LD_PRELOAD=libode_rls_preload.so ODE_RLS_STATS=1 the-program
 *
 * The functions below stand before those of the same name in ODE's library.  Each world gets a stepper
 * at its first step and loses it before it is destroyed.  Whenever our stepper cannot do a step, ODE's
 * own does it, with one line of warning for the world; the program never notices.  options.h lists the
 * environment variables.
 *
 * A program that carries its own copy of ODE inside is out of reach and runs as always.
 */
#define _GNU_SOURCE
#include "summary.h"
#include "worlds.h"
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#define INTERPOSED __attribute__ ((visibility ("default")))

/* ---- ODE's own functions, behind ours in the order of search ---- */

typedef int step_function (dWorldID world, dReal h);

static struct
{
    step_function *step[CALL_COUNT];
    dWorldID (*create) (void);
    void (*destroy) (dWorldID world);
    void (*close) (void);
} ode;

static pthread_once_t ode_once = PTHREAD_ONCE_INIT;

/* POSIX wants a function pointer from dlsym to be fetched through an object pointer. */
static void find_next (const char *name, void *function) { *(void **)function = dlsym (RTLD_NEXT, name); }

static void find_ode (void)
{
    find_next ("dWorldStep", &ode.step[CALL_STEP]);
    find_next ("dWorldQuickStep", &ode.step[CALL_QUICK_STEP]);
    find_next ("dWorldCreate", &ode.create);
    find_next ("dWorldDestroy", &ode.destroy);
    find_next ("dCloseODE", &ode.close);
}

/* ---- steps ---- */

static double now (void)
{
    struct timespec time;
    clock_gettime (CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void repeat_message (void *context, int is_error, int code, const char *text)
{
    const preload_world *entry = context;
    (void)code;
    preload_say ("world %lu: %s%s", entry->number, is_error ? "" : "warning: ", text);
}

/* Makes the stepper of a world; entry->stepper stays NULL if that fails.  Returns a dRLSStatus. */
static int make_stepper (preload_world *entry, const preload_options *options)
{
    int status;
    entry->stepper = dRLSStepperCreate (entry->world, &status);
    if (!entry->stepper) return status;
    dRLSStepperSetIntegrator (entry->stepper, options->integrator);
    dRLSStepperSetCorrection (entry->stepper, options->correction);
    dRLSStepperSetOrder (entry->stepper, options->order);
    dRLSStepperSetOrderSeed (entry->stepper, options->order_seed);
    dRLSStepperSetRankTolerance (entry->stepper, options->tolerance);
    if (options->statistics) dRLSStepperSetReport (entry->stepper, dRLSReportViolations | dRLSReportTimes);
    if (options->verbose) dRLSStepperSetMessageCallback (entry->stepper, repeat_message, entry);
    return dRLSStatusOk;
}

static void announce (const preload_world *entry, const preload_options *options)
{
    if (options->stepper == STEPPER_RLS)
        preload_say ("world %lu: ode_rls %s, %s, %s, order %s, rank tolerance %g", entry->number,
                     dRLSVersion (), preload_integrator_name (options->integrator),
                     preload_correction_name (options->correction), preload_order_name (options->order),
                     (double)options->tolerance);
    else
        preload_say ("world %lu: ODE's %s", entry->number,
                     options->stepper == STEPPER_ODE ? "dWorldStep" : "dWorldQuickStep");
}

static void complain (preload_world *entry, const char *reason)
{
    if (!entry->complained)
        preload_say ("world %lu: %s  ODE's own step takes its place.", entry->number, reason);
    entry->complained = 1;
}

/* The first step of a world: gives it its stepper.  ODE's own steps need one to be analysed. */
static void greet (preload_world *entry, const preload_options *options)
{
    entry->greeted = 1;
    if (options->verbose) announce (entry, options);
    if (options->stepper != STEPPER_RLS && !options->statistics) return;
    const int status = make_stepper (entry, options);
    if (status != dRLSStatusOk && options->stepper == STEPPER_RLS) complain (entry, dRLSStatusText (status));
}

/* Takes one step of ours.  Returns 0 if ODE must take it. */
static int take_our_step (preload_world *entry, dReal h)
{
    if (entry->stepper && dRLSStepperStep (entry->stepper, h)) return 1;
    if (entry->stepper) complain (entry, dRLSStepperGetMessage (entry->stepper));
    return 0;
}

static int take_step (preload_world *entry, const preload_options *options, preload_call call, dReal h,
                      int *fell_back)
{
    *fell_back = 0;
    switch (options->stepper)
    {
    case STEPPER_ODE:
        return ode.step[CALL_STEP](entry->world, h);
    case STEPPER_QUICK:
        return ode.step[CALL_QUICK_STEP](entry->world, h);
    default:
        break;
    }
    if (take_our_step (entry, h)) return 1;
    *fell_back = 1;
    return ode.step[call](entry->world, h);
}

/* What there is to report of the step just taken; 0 if nothing.  ODE's own steps are analysed by us. */
static int get_report (const preload_world *entry, int is_ours, dRLSReport *report)
{
    report->struct_size = sizeof (*report);
    return entry->stepper && (is_ours || dRLSStepperAnalyse (entry->stepper)) &&
           dRLSStepperGetReport (entry->stepper, report);
}

static int step (preload_call call, dWorldID world, dReal h)
{
    const preload_options *options = preload_get_options ();
    pthread_once (&ode_once, find_ode);
    preload_world *entry = world && options->replaced[call] ? worlds_get (world) : NULL;
    if (!entry) return ode.step[call](world, h);

    if (!entry->greeted) greet (entry, options);

    int fell_back;
    const double start = now ();
    const int result = take_step (entry, options, call, h, &fell_back);
    double seconds = now () - start;
    if (!options->statistics) return result;

    dRLSReport report;
    const int is_ours = options->stepper == STEPPER_RLS && !fell_back;
    const int has_report = get_report (entry, is_ours, &report);
    if (has_report && is_ours) seconds -= report.seconds[dRLSStageReport]; /* measuring is not stepping */
    worlds_count_step (entry, call, seconds, fell_back, has_report ? &report : NULL);
    summary_touch ();
    return result;
}

/* ---- what programs call ---- */

INTERPOSED int dWorldStep (dWorldID world, dReal h) { return step (CALL_STEP, world, h); }

INTERPOSED int dWorldQuickStep (dWorldID world, dReal h) { return step (CALL_QUICK_STEP, world, h); }

INTERPOSED dWorldID dWorldCreate (void)
{
    pthread_once (&ode_once, find_ode);
    const dWorldID world = ode.create ();
    worlds_forget (world); /* an old one at this address went without our seeing it */
    return world;
}

INTERPOSED void dWorldDestroy (dWorldID world)
{
    pthread_once (&ode_once, find_ode);
    worlds_forget (world);
    ode.destroy (world);
}

INTERPOSED void dCloseODE (void)
{
    pthread_once (&ode_once, find_ode);
    worlds_forget_all ();
    ode.close ();
}
