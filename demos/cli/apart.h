/*
 * A run in a process of its own, so that one that is stopped, or ends the program, leaves the others' results.
 */
#ifndef CLI_APART_H
#define CLI_APART_H

#include "history.h"
#include "result.h"

/* What is to be done there: fills the result and the history that its context knows of; returns an exit status. */
typedef int apart_function (void *context);

/*
 * Makes a copy of the process that does the work, and takes over its result and history (which may be NULL).  Where the
 * copy ends before it is done, the result stays as it was but for its failure, and an error line says how it ended.  Returns
 * the exit status.
 */
int apart_run (apart_function *work, void *context, run_result *r, history *plotted);

#endif
