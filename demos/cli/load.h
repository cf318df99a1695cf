/*
 * Finding and reading scenes, and giving their worlds what the command line asks for.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "options.h"

#include <scene.h>

/*
 * Reads a scene: a file, a generated one such as chain:100, or the bare name of one that comes with the
 * program ("bricard").  Unless quiet the first dozen warnings are printed, and how many more there are; where reading is strict,
 * what is missing or doubled is an error.  Returns NULL after an error line.
 */
scene *load_scene (const char *name, int strict, int quiet);

typedef struct thread_pool thread_pool;

/*
 * Sets CFM, ERP, sweeps and threads of a scene's world.  pool receives the threads, NULL if none were asked
 * for; give it back with thread_pool_free when the world no longer steps.  Returns 1, or 0 after an error
 * line.
 */
int prepare_world (scene *s, const options *o, thread_pool **pool);
void thread_pool_free (thread_pool *pool, dWorldID world);

/* Makes a stepper for the scene's world with the order and tolerance asked for and the scene's drives and
 * priorities.  Returns NULL after an error line. */
dRLSStepperID make_stepper (scene *s, const options *o);

#endif
