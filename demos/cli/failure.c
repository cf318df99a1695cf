/*
 * Error and warning lines.  If a progress bar is shown, it is removed first.
 */
#include "failure.h"
#include "interrupt.h"
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>

static void print_line (const char *kind, const char *format, va_list arguments)
{
    progress_clear ();
    fprintf (stderr, "ode-rls: %s", kind);
    vfprintf (stderr, format, arguments);
    fputc ('\n', stderr);
}

int fail (int status, const char *format, ...)
{
    va_list arguments;
    if (reader_has_left ()) return status; /* failed writes need no message then */
    va_start (arguments, format);
    print_line ("", format, arguments);
    va_end (arguments);
    return status;
}

void warn (const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    print_line ("warning: ", format, arguments);
    va_end (arguments);
}
