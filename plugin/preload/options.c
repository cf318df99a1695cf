/* Reads the environment variables of the shim. */
#define _GNU_SOURCE
#include "options.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const stepper_names[] = {
    [STEPPER_RLS] = "rls", [STEPPER_ODE] = "ode", [STEPPER_QUICK] = "quick", NULL};

static const char *const switch_names[] = {"0", "1", NULL};

static const char *const call_names[] = {[CALL_STEP] = "step", [CALL_QUICK_STEP] = "quick", NULL};

static const char *const integrator_names[] = {[dRLSIntegratorAuto] = "auto",
                                               [dRLSIntegratorEuler] = "euler",
                                               [dRLSIntegratorSymplectic] = "symplectic",
                                               [dRLSIntegratorSymplectic4] = "symplectic4",
                                               [dRLSIntegratorSymplectic6] = "symplectic6",
                                               [dRLSIntegratorSymplectic8] = "symplectic8",
                                               [dRLSIntegratorRK4] = "rk4",
                                               [PRELOAD_BY_CALL] = "by-call",
                                               NULL};

static const char *const correction_names[] = {[dRLSCorrectionProjection] = "projection",
                                               [dRLSCorrectionNone] = "none",
                                               [dRLSCorrectionERP] = "erp",
                                               [dRLSCorrectionEmbedded] = "embedded",
                                               [dRLSCorrectionSimultaneous] = "simultaneous",
                                               [dRLSCorrectionEnergy] = "energy",
                                               [dRLSCorrectionAugmented] = "augmented",
                                               [dRLSCorrectionConserving] = "conserving",
                                               [dRLSCorrectionCompliant] = "compliant",
                                               NULL};

static const char *const order_names[] = {[dRLSOrderMinDegree] = "mindegree",
                                          [dRLSOrderNatural] = "natural",
                                          [dRLSOrderPriority] = "priority",
                                          [dRLSOrderRandom] = "random",
                                          NULL};

double preload_now (void)
{
    struct timespec time;
    clock_gettime (CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static pthread_once_t points_once = PTHREAD_ONCE_INIT;
static locale_t points; /* kept to the end; 0 if there is no memory */

static void make_points (void) { points = newlocale (LC_NUMERIC_MASK, "C", (locale_t)0); }

locale_t preload_begin_points (void)
{
    pthread_once (&points_once, make_points);
    return uselocale (points);
}

void preload_end_points (locale_t before) { uselocale (before); }

void preload_say (const char *format, ...)
{
    char line[1024];
    const int start = snprintf (line, sizeof (line), "ode_rls: ");
    va_list arguments;
    const locale_t before = preload_begin_points ();
    va_start (arguments, format);
    const int text = vsnprintf (line + start, sizeof (line) - (size_t)start - 1, format, arguments);
    va_end (arguments);
    preload_end_points (before);
    if (text < 0) return;
    size_t length = strlen (line);
    line[length++] = '\n';
    if (write (STDERR_FILENO, line, length) < 0) return; /* nowhere to say it */
}

/* ---- values ---- */

/* Index of the name that value[0 .. length-1] is, or -1. */
static int find_name (const char *const *names, const char *value, size_t length)
{
    for (int i = 0; names[i]; ++i)
        if (strlen (names[i]) == length && strncmp (names[i], value, length) == 0) return i;
    return -1;
}

static void complain_about_name (const char *variable, const char *value, const char *const *names,
                                 const char *taken)
{
    char list[160] = "";
    for (int i = 0; names[i]; ++i)
    {
        const size_t used = strlen (list);
        snprintf (list + used, sizeof (list) - used, "%s%s", i ? ", " : "", names[i]);
    }
    preload_say ("%s=%s is not one of %s; taking %s", variable, value, list, taken);
}

/* The variable's value, or NULL if it is not set or empty. */
static const char *value_of (const char *variable)
{
    const char *value = getenv (variable);
    return value && *value ? value : NULL;
}

static int read_name (const char *variable, const char *const *names, int fallback)
{
    const char *value = value_of (variable);
    if (!value) return fallback;
    const int index = find_name (names, value, strlen (value));
    if (index >= 0) return index;
    complain_about_name (variable, value, names, names[fallback]);
    return fallback;
}

static void read_order (preload_options *options)
{
    const char *variable = "ODE_RLS_ORDER", *value = value_of (variable);
    if (!value) return;
    const size_t length = strcspn (value, ":");
    const int index = find_name (order_names, value, length);
    char *end = NULL;
    if (value[length]) options->order_seed = strtoul (value + length + 1, &end, 10);
    const int has_good_seed = !end || (index == dRLSOrderRandom && end != value + length + 1 && !*end);
    if (index >= 0 && has_good_seed)
        options->order = index;
    else
        complain_about_name (variable, value, order_names, order_names[options->order]);
}

static void read_tolerance (preload_options *options)
{
    const char *variable = "ODE_RLS_TOLERANCE", *value = value_of (variable);
    if (!value) return;
    char *end;
    const locale_t before = preload_begin_points ();
    const double number = strtod (value, &end);
    preload_end_points (before);
    if (end != value && !*end && number > 0 && number < 1)
        options->tolerance = (dReal)number;
    else
        preload_say ("%s=%s is not a number between 0 and 1; taking %g", variable, value,
                     (double)options->tolerance);
}

static void read_replaced_calls (preload_options *options)
{
    const char *variable = "ODE_RLS_INTERPOSE", *value = value_of (variable);
    if (!value) return;
    int chosen[CALL_COUNT] = {0, 0};
    for (const char *word = value; *word;)
    {
        const size_t length = strcspn (word, ",");
        const int index = find_name (call_names, word, length);
        if (index < 0)
        {
            complain_about_name (variable, value, call_names, "both");
            return;
        }
        chosen[index] = 1;
        word += length + (word[length] == ',');
    }
    memcpy (options->replaced, chosen, sizeof (chosen));
}

/* ---- all of them, once ---- */

/* Those of the program ode-rls come last. */
static const char *const variables[] = {"ODE_RLS_STEPPER",
                                        "ODE_RLS_INTERPOSE",
                                        "ODE_RLS_INTEGRATOR",
                                        "ODE_RLS_CORRECTION",
                                        "ODE_RLS_ORDER",
                                        "ODE_RLS_TOLERANCE",
                                        "ODE_RLS_STATS",
                                        "ODE_RLS_VERBOSE",
                                        "ODE_RLS_SCENES",
                                        "ODE_RLS_FONT",
                                        NULL};

/* Misspelt variables would change nothing, without a word. */
static void complain_about_others (void)
{
    for (char **entry = environ; entry && *entry; ++entry)
    {
        const size_t length = strcspn (*entry, "=");
        if (strncmp (*entry, "ODE_RLS_", 8) != 0 || find_name (variables, *entry, length) >= 0) continue;
        preload_say ("%.*s is no variable of the shim; man ode-rls lists them", (int)length, *entry);
    }
}

static pthread_once_t read_once = PTHREAD_ONCE_INIT;
static preload_options the_options;

static void read_all (void)
{
    preload_options *options = &the_options;
    *options = (preload_options){
        .replaced = {1, 1}, .order = dRLSOrderDefault, .tolerance = dRLSRankToleranceDefault};
    options->stepper = read_name ("ODE_RLS_STEPPER", stepper_names, STEPPER_RLS);
    options->integrator = read_name ("ODE_RLS_INTEGRATOR", integrator_names, PRELOAD_BY_CALL);
    options->correction = read_name ("ODE_RLS_CORRECTION", correction_names, dRLSCorrectionDefault);
    read_order (options);
    read_tolerance (options);
    read_replaced_calls (options);
    options->statistics = read_name ("ODE_RLS_STATS", switch_names, 0);
    options->verbose = read_name ("ODE_RLS_VERBOSE", switch_names, 0);
    complain_about_others ();

    options->stepper_name = stepper_names[options->stepper];
    options->integrator_name = integrator_names[options->integrator];
    options->correction_name = correction_names[options->correction];
    options->order_name = order_names[options->order];
}

const preload_options *preload_get_options (void)
{
    pthread_once (&read_once, read_all);
    return &the_options;
}
