/*
 * A run in a process of its own, so that the results of the other runs stay if it is killed or ODE ends the
 * process.
 */
#ifndef CLI_APART_H
#define CLI_APART_H

#include "history.h"
#include "result.h"

/* What is done in that process: fills the result and the history that its context refers to.  Returns an exit
 * status. */
typedef int apart_function (void *context);

/*
 * Does the work in a child process, and takes over its result and its history (which may be NULL).  If the
 * child ends before it is done, only r->failure and r->status change, and an error line says how it ended.
 * Returns the exit status.
 */
int apart_run (apart_function *work, void *context, run_result *r, history *plotted);

#endif
