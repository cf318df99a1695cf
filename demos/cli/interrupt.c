/*
 * Signals that ask the program to end, and readers of its output that end before it.  See interrupt.h.
 */
#include "interrupt.h"
#include "seconds.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

/* s after which a second signal ends the program at once.  Before that it may be the same request again: some
 * programs (timeout) send a signal both to the process and to its group. */
#define IMPATIENT_AFTER 1.0

static volatile sig_atomic_t requested;
static double requested_at; /* of the handler alone, which blocks itself */

static void request (int signal_number)
{
    double now = seconds_now ();
    if (requested && now - requested_at > IMPATIENT_AFTER)
    {
        signal (signal_number, SIG_DFL);
        raise (signal_number);
    }
    if (requested) return;
    requested_at = now;
    requested = signal_number;
}

void interrupt_install (void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = request}, before;
    sigemptyset (&action.sa_mask);
    for (int i = 0; i < 3; i++) sigaddset (&action.sa_mask, signals[i]);
    for (int i = 0; i < 3; i++)
    {
        /* A signal that was ignored when the program was started (by nohup) stays ignored. */
        if (sigaction (signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction (signals[i], &action, NULL);
    }
    /* If the reader of standard output ends ("| head"), writes fail and the program can still close its other
     * files. */
    signal (SIGPIPE, SIG_IGN);
}

int interrupted (void) { return requested; }

static int left;

void note_failed_output (FILE *file)
{
    if (file == stdout && errno == EPIPE) left = 1;
}

int reader_has_left (void) { return left; }

void end_as_reader_left (void)
{
    signal (SIGPIPE, SIG_DFL);
    raise (SIGPIPE);
}
