/*
 * Finds and reads scenes, and applies the options of the command line to their worlds.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "options.h"

#include <scene.h>

/*
 * Reads a scene: a file, a generated scene such as chain:100, or by its name one that comes with the program
 * ("bricard"). Unless quiet, the first dozen warnings are printed, and how many more there are.  If strict,
 * what is missing or doubled in the scene is an error.  Returns NULL after an error line.
 */
scene *load_scene (const char *name, int strict, int quiet);

typedef struct thread_pool thread_pool;

/*
 * Sets CFM, ERP, sweeps and threads of a scene's world.  pool receives the threads, or NULL if none were
 * asked for; free it by thread_pool_free when the world makes no more steps.  Returns 1, or 0 after an error
 * line.
 */
int prepare_world (scene *s, const options *o, thread_pool **pool);
void thread_pool_free (thread_pool *pool, dWorldID world);

/* Creates a stepper for the scene's world with the order and tolerance of the options, and the drives and
 * priorities of the scene.  Returns NULL after an error line. */
dRLSStepperID make_stepper (scene *s, const options *o);

#endif
