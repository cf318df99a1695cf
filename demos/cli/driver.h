/*
 * A scene under one of the three steppers.  Only the time of the stepper's own call is measured.
 */
#ifndef CLI_DRIVER_H
#define CLI_DRIVER_H

#include "load.h"
#include "result.h"

typedef struct
{
    scene *s;
    const run_setup *setup;
    dRLSStepperID stepper; /* NULL if one of ODE's steppers is used */
    thread_pool *pool;
    double used; /* processor time of all steps so far (s) */
} driver;

/* Prepares the scene by the options.  Returns 1, or 0 after an error line; call driver_close in any case. */
int driver_open (driver *d, scene *s, const run_setup *setup, const options *o);
void driver_close (driver *d);

/* Makes a step of setup->dt from a time; seconds receives the time that the stepper took.  Returns 0 if the
 * step failed; the world is then unchanged. */
int driver_step (driver *d, double time, double *seconds);

/* Why the last step failed. */
const char *driver_message (const driver *d);

#endif
