/*
 * Counts the messages of ODE.  ODE's handlers are global and may be called from several threads, so there is
 * one state with a lock.
 */
#include "ode_messages.h"
#include "failure.h"

#include <ode/ode.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count;
static char first[160];

static void keep (int number, const char *format, va_list arguments)
{
    (void)number;
    pthread_mutex_lock (&lock);
    if (count++ == 0) vsnprintf (first, sizeof first, format, arguments);
    pthread_mutex_unlock (&lock);
}

/* ODE must not go on after an error or a failed assertion. */
static void stop (int number, const char *format, va_list arguments)
{
    char text[256];
    vsnprintf (text, sizeof text, format, arguments);
    fail (0, "ODE stopped with error %d: %s", number, text);
    _Exit (exit_failed);
}

void ode_messages_install (void)
{
    dSetMessageHandler (keep);
    dSetErrorHandler (stop);
    dSetDebugHandler (stop);
}

void ode_messages_reset (void)
{
    pthread_mutex_lock (&lock);
    count = 0;
    pthread_mutex_unlock (&lock);
}

long ode_messages_count (char *text, size_t size)
{
    pthread_mutex_lock (&lock);
    long result = count;
    if (count) snprintf (text, size, "%s", first);
    pthread_mutex_unlock (&lock);
    return result;
}
