/*
 * Handlers for ODE's errors and messages.  See ode_guard.h.
 */
#include "ode_guard.h"

#include <ode/ode.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local jmp_buf *escape;
static _Thread_local char last[256];
static _Thread_local long count;

__attribute__ ((format (printf, 2, 0))) static void on_fatal (int number, const char *format,
                                                              va_list arguments)
{
    (void)number;
    vsnprintf (last, sizeof last, format, arguments);
    /* ODE would abort the process if this returned. */
    if (escape) longjmp (*escape, 1);
    fprintf (stderr, "ode-rls: ODE failed: %s\n", last);
}

__attribute__ ((format (printf, 2, 0))) static void on_message (int number, const char *format,
                                                                va_list arguments)
{
    (void)number;
    vsnprintf (last, sizeof last, format, arguments);
    count++;
}

void ode_guard_install (void)
{
    dSetErrorHandler (on_fatal);
    dSetDebugHandler (on_fatal);
    dSetMessageHandler (on_message);
}

int ode_guard_run (void (*function) (void *context), void *context, char *why, size_t size)
{
    jmp_buf here;
    jmp_buf *volatile outer = escape;
    escape = &here;
    volatile int ok = 0;
    if (setjmp (here) == 0)
    {
        function (context);
        ok = 1;
    }
    else
        snprintf (why, size, "%s", last);
    escape = outer;
    return ok;
}

long ode_guard_messages (char *text, size_t size)
{
    if (text) snprintf (text, size, "%s", last);
    return count;
}
