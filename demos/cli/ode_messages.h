/*
 * What ODE says by itself ("LCP internal error", failed assertions): counted instead of printed, so that
 * tables stay readable and results can tell of it.
 */
#ifndef CLI_ODE_MESSAGES_H
#define CLI_ODE_MESSAGES_H

#include <stddef.h>

void ode_messages_install (void);

/* Starts counting from zero. */
void ode_messages_reset (void);

/* How many there were since; text receives the first one. */
long ode_messages_count (char *text, size_t size);

#endif
