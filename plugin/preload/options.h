/*
 * What the user of the shim chose by environment variables:
 *
 *     ODE_RLS_STEPPER     rls (default), or ode or quick: that stepper of ODE for every step
 *     ODE_RLS_INTERPOSE   step,quick (default): which of ODE's two calls are replaced
 *     ODE_RLS_INTEGRATOR  by-call (default): auto where the program calls dWorldStep, euler where it calls
 *                         dWorldQuickStep and so prefers a short time; or for both auto, euler, symplectic,
 *                         symplectic4, symplectic6, symplectic8, rk4
 *     ODE_RLS_CORRECTION  projection (default), none, erp, embedded, simultaneous, energy, augmented,
 *                         conserving, compliant
 *     ODE_RLS_ORDER       mindegree (default), natural, priority, random, random:SEED
 *     ODE_RLS_TOLERANCE   rank tolerance, between 0 and 1
 *     ODE_RLS_STATS       1: a summary on standard error when the program ends
 *     ODE_RLS_VERBOSE     1: the choices, worlds and messages on standard error as they come
 *
 * A value that is none of these is warned about once, and the default is taken.  Other variables whose names
 * begin with ODE_RLS_ are misspelt, and are warned about as well.
 */
#ifndef RLS_PRELOAD_OPTIONS_H
#define RLS_PRELOAD_OPTIONS_H

#include <locale.h>
#include <ode_rls/ode_rls.h>

typedef enum
{
    STEPPER_RLS,
    STEPPER_ODE,
    STEPPER_QUICK
} preload_stepper;

/* Beside the integrators of ode_rls.h. */
#define PRELOAD_BY_CALL dRLSIntegratorCount

/* ODE's own steps, which programs call and the shim may replace. */
typedef enum
{
    CALL_STEP,
    CALL_QUICK_STEP,
    CALL_COUNT
} preload_call;

typedef struct
{
    int stepper; /* a preload_stepper */
    int replaced[CALL_COUNT];
    int integrator, correction, order; /* as in ode_rls.h, or PRELOAD_BY_CALL */
    const char *stepper_name, *integrator_name, *correction_name, *order_name; /* for messages */
    unsigned long order_seed;
    dReal tolerance;
    int statistics, verbose;
} preload_options;

/* The choices, read once; any thread may ask. */
const preload_options *preload_get_options (void);

/* The time of a monotonic clock (s). */
double preload_now (void);

/* Numbers are read and written with a point from here to preload_end_points, whatever the program's language
 * is. */
locale_t preload_begin_points (void);
void preload_end_points (locale_t before);

/* One line on standard error, in one piece, after the library's name. */
void preload_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

#endif
