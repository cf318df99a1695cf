/*
 * ODE ends the process if an assertion fails, and prints messages.  Here a failure becomes an error of the
 * side that was making the step, and messages are counted.
 */
#ifndef VIEWER_ODE_GUARD_H
#define VIEWER_ODE_GUARD_H

#include <stddef.h>

/* Installs the handlers; call it once. */
void ode_guard_install (void);

/* Runs function (context).  Returns 1, or 0 with ODE's message in why if ODE failed inside.  The objects that
 * the function was working on must then not be used any more, not even freed. */
int ode_guard_run (void (*function) (void *context), void *context, char *why, size_t size);

/* How many messages there have been in this thread; text, which may be NULL, receives the last one. */
long ode_guard_messages (char *text, size_t size);

#endif
