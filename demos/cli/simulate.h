/*
 * One run: a scene stepped from its start to its end by one stepper, measured after every step.
 */
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include "history.h"
#include "options.h"
#include "result.h"

#define SIMULATE_MAX_STEPS 1e9

/* Steps that a duration takes: never beyond the duration, at least one.  More than SIMULATE_MAX_STEPS
 * are refused with an error line and 0. */
long simulate_steps (double duration, double dt);

/*
 * Simulates a scene that was just read.  Every o->every-th sample goes to csv (NULL: none), every
 * sample to plotted (NULL: none).  The result is filled in any case.  Returns 1 when the run came to
 * its end or was interrupted, 0 after an error line: settings refused, or the run failed and the result
 * says so.
 */
int simulate (scene *s, const run_setup *setup, const options *o, FILE *csv, history *plotted, run_result *r);

#endif
