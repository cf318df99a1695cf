/* The one ODE of the process; contract in ode_prepare.h. */
#include "ode_prepare.h"
#include "ode_entries.h"
#include <ode_rls/ode_rls.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define SUPPORTED "ode_rls drives ODE 0.13 to 0.16.6, its development branch of 2026 and the copy in Webots"

rls_ode_entries rls_ode_private;

/* State of the process: it changes while guarded, and never again once ready. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static rls_ode_source source;
static char description[700] = "No ODE has been looked for.";

__attribute__ ((format (printf, 1, 2))) static void describe (const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (description, sizeof (description), format, arguments);
    va_end (arguments);
}

/* For an ODE without threads. */
static unsigned one_thread (dWorldID world)
{
    (void)world;
    return 1;
}

/* ---- once ---- */

static int refuse (const char *reason)
{
    describe ("%.400s; %s.", reason, SUPPORTED);
    return dRLSStatusIncompatibleODE;
}

/* Canary worlds: one looks at the rows, one at how its memory counts joints and bodies. */
static int step_canaries (const char *versions)
{
    char reason[300];
    const int status = rls_ode_check_rows ();
    if (status == dRLSStatusNoMemory) describe ("There is no memory for a test world of ODE.");
    if (status == dRLSStatusOk) describe ("ODE %s, %s precision: %s.", versions, RLS_PRECISION, source.path);
    if (status != dRLSStatusIncompatibleODE) return status;
    snprintf (reason, sizeof (reason),
              "%s looks like ODE %s, but does not give the known rows of a test world", source.path,
              versions);
    return refuse (reason);
}

static int prepare (const void *inside)
{
    char reason[500];
    if (!rls_ode_locate (inside, &source, reason, sizeof (reason))) return refuse (reason);
    const char *versions = rls_ode_resolve (&source, &rls_ode_private, reason, sizeof (reason));
    const char *missing = versions ? rls_ode_fetch_public (&source) : NULL;
    if (!dWorldGetStepIslandsProcessingMaxThreadCount)
        dWorldGetStepIslandsProcessingMaxThreadCount = one_thread;
    if (missing) snprintf (reason, sizeof (reason), "%s lacks the function %s", source.path, missing);
    const int status = versions && !missing ? step_canaries (versions) : refuse (reason);
    if (status != dRLSStatusOk) rls_ode_release (&source);
    return status;
}

int rls_ode_prepare (const void *inside)
{
    int status = dRLSStatusOk;
    if (!atomic_load_explicit (&ready, memory_order_acquire))
    {
        pthread_mutex_lock (&guard);
        if (!atomic_load_explicit (&ready, memory_order_relaxed)) status = prepare (inside);
        if (status == dRLSStatusOk) atomic_store_explicit (&ready, 1, memory_order_release);
        pthread_mutex_unlock (&guard);
    }
    if (status == dRLSStatusOk && inside && !rls_ode_lies_in (&source, inside))
        return dRLSStatusIncompatibleODE; /* a second ODE */
    return status;
}

int rls_ode_owns (dWorldID world)
{
    const void *mark;
    memcpy (&mark, world, sizeof (mark));
    return !rls_ode_private.world_mark || mark == rls_ode_private.world_mark;
}

const char *rls_ode_description (void) { return description; }
