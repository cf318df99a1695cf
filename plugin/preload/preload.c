/*
 * The LD_PRELOAD shim: unmodified programs that are linked to ODE get ode_rls steps.
 *
 *     LD_PRELOAD=libode_rls_preload.so ODE_RLS_STATS=1 the-program
 *
 * The functions below stand before those of the same name in the program's ODE, whichever version that is:
 * the shim brings none along.  Each world gets a stepper at its first step and loses it before it is
 * destroyed. Whenever our stepper cannot do a step, or this ODE is none that it can drive, ODE's own does it,
 * with one line of warning for the world; the program never notices.  options.h lists the environment
 * variables.
 *
 * A program whose ODE is linked into it is out of reach and runs as always.
 */
#define _GNU_SOURCE
#include "ode/ode_prepare.h"
#include "worlds.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define INTERPOSED __attribute__ ((visibility ("default")))

/* ---- the program's own ODE ---- */

static own_ode seen_by_all; /* in the order in which the loader searches for everybody */
static pthread_once_t search_once = PTHREAD_ONCE_INIT;

/* Fetches all functions by one handle.  Returns 1 if they are there and not the shim's own. */
static int fetch (void *handle, own_ode *ode)
{
    void *const found[] = {dlsym (handle, "dWorldStep"), dlsym (handle, "dWorldQuickStep"),
                           dlsym (handle, "dWorldCreate"), dlsym (handle, "dWorldDestroy"),
                           dlsym (handle, "dCloseODE")};
    Dl_info ours, theirs;
    if (!dladdr ((const void *)&seen_by_all, &ours)) return 0;
    for (size_t i = 0; i < sizeof (found) / sizeof (found[0]); ++i)
        if (!found[i] || !dladdr (found[i], &theirs) || theirs.dli_fbase == ours.dli_fbase) return 0;
    memcpy (ode, found, sizeof (found)); /* POSIX: function pointers are as large as others */
    return 1;
}

static void search (void) { fetch (RTLD_NEXT, &seen_by_all); }

/* The library or program that has the address, and what it needs. */
static int fetch_for (const void *caller, own_ode *ode)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1 (caller, &info, (void **)&map, RTLD_DL_LINKMAP)) return 0;
    void *handle = dlopen (map->l_name && *map->l_name ? map->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
    const int found = handle && fetch (handle, ode);
    if (handle) dlclose (handle);
    return found;
}

/*
 * The functions that a call from the given place would have reached without the shim.  A program that loads
 * ODE with one of its modules (as Python does) keeps it from all others: then the module that calls is asked.
 * Returns 1, or 0 and says so if there are none.
 */
static int own_ode_find (const void *caller, own_ode *ode)
{
    pthread_once (&search_once, search);
    *ode = seen_by_all;
    if (ode->create || fetch (RTLD_NEXT, ode) || fetch_for (caller, ode)) return 1;
    preload_say ("a call of ODE reached the shim, but there is no ODE behind it; nothing is done");
    return 0;
}

/* ---- steps ---- */

static void repeat_message (void *context, int is_error, int code, const char *text)
{
    const preload_world *entry = context;
    (void)code;
    preload_say ("world %lu: %s%s", entry->number, is_error ? "" : "warning: ", text);
}

static void complain (preload_world *entry, const char *reason)
{
    if (!entry->complained)
        preload_say ("world %lu: %s  ODE's own step takes its place.", entry->number, reason);
    entry->complained = 1;
}

/* Why the world's ODE is not driven. */
static void complain_about_ode (preload_world *entry)
{
    char reason[900];
    const char *second = rls_ode_prepare (NULL) == dRLSStatusOk
                             ? "This program has two ODEs, and one is driven, which is not this world's: "
                             : "";
    snprintf (reason, sizeof (reason), "%s%s", second, rls_ode_description ());
    complain (entry, reason);
}

/* Makes the stepper of a world; entry->stepper stays NULL if that fails, which is said. */
static void make_stepper (preload_world *entry, const preload_options *options)
{
    const void *inside;
    memcpy (&inside, &entry->ode.destroy, sizeof (inside));
    int status = rls_ode_prepare (inside);
    if (status == dRLSStatusOk) entry->stepper = dRLSStepperCreate (entry->world, &status);
    if (status == dRLSStatusIncompatibleODE)
        complain_about_ode (entry);
    else if (status != dRLSStatusOk)
        complain (entry, dRLSStatusText (status));
    if (!entry->stepper) return;
    dRLSStepperSetCorrection (entry->stepper, options->correction);
    dRLSStepperSetOrder (entry->stepper, options->order);
    dRLSStepperSetOrderSeed (entry->stepper, options->order_seed);
    dRLSStepperSetRankTolerance (entry->stepper, options->tolerance);
    if (options->statistics) dRLSStepperSetReport (entry->stepper, dRLSReportViolations | dRLSReportTimes);
    if (options->verbose) dRLSStepperSetMessageCallback (entry->stepper, repeat_message, entry);
}

static void announce (const preload_world *entry, const preload_options *options)
{
    if (options->stepper == STEPPER_RLS)
        preload_say ("world %lu: ode_rls %s, %s, %s, order %s, rank tolerance %g", entry->number,
                     dRLSVersion (), options->integrator_name, options->correction_name, options->order_name,
                     (double)options->tolerance);
    else
        preload_say ("world %lu: ODE's %s", entry->number,
                     options->stepper == STEPPER_ODE ? "dWorldStep" : "dWorldQuickStep");
}

/* The first step of a world: gives it its stepper.  ODE's own steps need one to be analysed. */
static void greet (preload_world *entry, const preload_options *options)
{
    entry->greeted = 1;
    if (options->verbose) announce (entry, options);
    if (options->stepper != STEPPER_RLS && !options->statistics) return;
    make_stepper (entry, options);
    if (options->verbose && entry->stepper)
        preload_say ("world %lu: %s", entry->number, rls_ode_description ());
}

/* The step size, for an ODE of our precision; on the systems with these registers the low bytes come first.
 */
static dReal step_size (step_argument argument)
{
    dReal h;
    memcpy (&h, &argument, sizeof (h));
    return h;
}

/* Takes a step of ours, or of ODE's where that is chosen or ours cannot do it. */
static int take_step (preload_world *entry, const preload_options *options, preload_call call,
                      step_argument h, int *fell_back)
{
    const int integrator = options->integrator != PRELOAD_BY_CALL ? options->integrator
                           : call == CALL_QUICK_STEP              ? dRLSIntegratorEuler
                                                                  : dRLSIntegratorDefault;
    *fell_back = 0;
    if (options->stepper != STEPPER_RLS)
        return entry->ode.step[options->stepper == STEPPER_ODE ? CALL_STEP : CALL_QUICK_STEP](entry->world,
                                                                                              h);
    if (entry->stepper)
    {
        if (dRLSStepperGetIntegrator (entry->stepper) != integrator)
            dRLSStepperSetIntegrator (entry->stepper, integrator);
        if (dRLSStepperStep (entry->stepper, step_size (h))) return 1;
        complain (entry, dRLSStepperGetMessage (entry->stepper));
    }
    *fell_back = 1;
    return entry->ode.step[call](entry->world, h);
}

/* What there is to report of the step just taken; 0 if nothing.  ODE's own steps are analysed by us. */
static int get_report (const preload_world *entry, int is_ours, dRLSReport *report)
{
    report->struct_size = sizeof (*report);
    return entry->stepper && (is_ours || dRLSStepperAnalyse (entry->stepper)) &&
           dRLSStepperGetReport (entry->stepper, report);
}

static int step (const void *caller, preload_call call, dWorldID world, step_argument h)
{
    const preload_options *options = preload_get_options ();
    preload_world *entry = world && options->replaced[call] ? worlds_get (world) : NULL;
    if (!entry)
    {
        own_ode ode;
        return own_ode_find (caller, &ode) ? ode.step[call](world, h) : 0;
    }
    if (!entry->greeted)
    {
        if (!own_ode_find (caller, &entry->ode)) return 0;
        greet (entry, options);
    }

    int fell_back;
    const double start = preload_now ();
    const int result = take_step (entry, options, call, h, &fell_back);
    double seconds = preload_now () - start;
    if (!options->statistics) return result;

    dRLSReport report;
    const int is_ours = options->stepper == STEPPER_RLS && !fell_back;
    const int has_report = get_report (entry, is_ours, &report);
    if (has_report && is_ours) seconds -= report.seconds[dRLSStageReport]; /* measuring is not stepping */
    const step_statistics taken = statistics_of_step (call, seconds, fell_back, has_report ? &report : NULL);
    worlds_count_step (entry, &taken);
    return result;
}

/* ---- what programs call ---- */

#define CALLER __builtin_return_address (0)

/* Under names of their own in C: ode.h declares them with the precision that it has. */
INTERPOSED int preload_step (dWorldID world, step_argument h) __asm__("dWorldStep");
INTERPOSED int preload_quick_step (dWorldID world, step_argument h) __asm__("dWorldQuickStep");

int preload_step (dWorldID world, step_argument h) { return step (CALLER, CALL_STEP, world, h); }

int preload_quick_step (dWorldID world, step_argument h) { return step (CALLER, CALL_QUICK_STEP, world, h); }

INTERPOSED dWorldID dWorldCreate (void)
{
    own_ode ode;
    if (!own_ode_find (CALLER, &ode)) return NULL;
    const dWorldID world = ode.create ();
    worlds_forget (world); /* an old one at this address went without our seeing it */
    return world;
}

INTERPOSED void dWorldDestroy (dWorldID world)
{
    own_ode ode;
    worlds_forget (world);
    if (own_ode_find (CALLER, &ode)) ode.destroy (world);
}

INTERPOSED void dCloseODE (void)
{
    own_ode ode;
    worlds_forget_all ();
    if (own_ode_find (CALLER, &ode)) ode.close ();
}
