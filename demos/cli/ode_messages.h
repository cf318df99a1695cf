/*
 * The messages of ODE (such as "LCP internal error") are counted instead of printed, and results mention
 * them.
 */
#ifndef CLI_ODE_MESSAGES_H
#define CLI_ODE_MESSAGES_H

#include <stddef.h>

void ode_messages_install (void);

/* Starts counting from zero. */
void ode_messages_reset (void);

/* How many there have been since then; text receives the first one. */
long ode_messages_count (char *text, size_t size);

#endif
