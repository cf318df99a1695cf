/*
 * How the program reports errors: by one line on standard error and its exit status.
 */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

enum
{
    exit_done = 0,
    exit_failed = 1,       /* the simulation failed, or its results could not be written */
    exit_bad_arguments = 2 /* bad arguments, a bad scene, a file that cannot be opened */
};

/* Prints "ode-rls: " and the text as one line on standard error.  Returns status, so that callers can return
 * the call. */
int fail (int status, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* The same with "warning: "; the program goes on. */
void warn (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

#endif
