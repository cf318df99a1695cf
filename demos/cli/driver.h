/*
 * A scene under one of the three steppers: set up, stepped with the clock around the stepper's call alone.
 */
#ifndef CLI_DRIVER_H
#define CLI_DRIVER_H

#include "load.h"
#include "result.h"

typedef struct
{
    scene *s;
    const run_setup *setup;
    dRLSStepperID stepper; /* of rls; NULL for ODE's own */
    thread_pool *pool;
    double used; /* processor time of all steps so far (s) */
} driver;

/* Applies the settings of the command line.  Returns 1, or 0 after an error line; close it in any case. */
int driver_open (driver *d, scene *s, const run_setup *setup, const options *o);
void driver_close (driver *d);

/* Advances the world by setup->dt from a time; seconds receives what the stepper took.  Returns 0 on failure,
 * with the world as it was. */
int driver_step (driver *d, double time, double *seconds);

/* Why the last step failed. */
const char *driver_message (const driver *d);

#endif
