/*
 * A run: a scene is simulated from its start to its end by one stepper, and measured after every step.
 */
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include "history.h"
#include "options.h"
#include "result.h"

#define SIMULATE_MAX_STEPS 1e9

/* How many steps fit into a duration, at least one.  Returns 0 after an error line if they are more than
 * SIMULATE_MAX_STEPS. */
long simulate_steps (double duration, double dt);

/*
 * Simulates a scene that has just been read.  Every o->every-th sample is written to csv, every sample is
 * added to plotted; both may be NULL.  The result is filled in any case.  Returns 1 if the run reached its
 * end or was interrupted, and 0 after an error line if a setting was refused or the run failed.
 */
int simulate (scene *s, const run_setup *setup, const options *o, FILE *csv, history *plotted, run_result *r);

#endif
