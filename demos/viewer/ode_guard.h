/*
 * ODE ends the process on a failed assertion and prints its doubts.  In a window neither will do: a
 * failure becomes an error of the side that was stepping, and messages are counted.
 */
#ifndef VIEWER_ODE_GUARD_H
#define VIEWER_ODE_GUARD_H

#include <stddef.h>

/* Installs the handlers; call it once. */
void ode_guard_install (void);

/* Runs function (context).  Returns 1, or 0 if ODE gave up inside; why receives its words.  What the
 * function was working on must not be used any more then, only abandoned. */
int ode_guard_run (void (*function) (void *context), void *context, char *why, size_t size);

/* Messages of this thread so far; text (may be NULL) receives the last one. */
long ode_guard_messages (char *text, size_t size);

#endif
