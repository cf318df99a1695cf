/*
 * Writes the summary once, when the program ends.
 *
 * A program that calls exit, or returns from main, gets the summary from a destructor of the library.
 *
 * Games are often ended by SIGTERM (a session's end, timeout).  A signal handler must not format text or
 * take locks, so the text is kept ready: while steps are counted it is written anew as often as takes a
 * twentieth of the time, and the handler only puts out what is there; the last steps may be missing from
 * it.  The handler is set at the first step, and only if the program has none by then; afterwards the
 * signal ends the program as it would have done.  SIGINT, SIGKILL and _exit leave no summary.
 */
#include "summary.h"
#include "worlds.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define SUMMARY_CAPACITY 4096
#define REFRESH_SHARE 0.05

typedef struct
{
    char text[SUMMARY_CAPACITY];
    size_t length;
} summary;

static summary summaries[2]; /* one is whole while the other is written */
static _Atomic (const summary *) ready_summary;
static pthread_mutex_t refreshing = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t handler_once = PTHREAD_ONCE_INIT;
static atomic_flag written = ATOMIC_FLAG_INIT;
static _Atomic pid_t counting_process; /* a forked child that counts nothing says nothing */

static double now (void)
{
    struct timespec time;
    clock_gettime (CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Safe in a signal handler. */
static void write_summary (const summary *ready)
{
    if (!ready || getpid () != atomic_load (&counting_process) || atomic_flag_test_and_set (&written)) return;
    if (write (STDERR_FILENO, ready->text, ready->length) < 0) return; /* nowhere to write it */
}

static void on_terminate (int number)
{
    write_summary (atomic_load (&ready_summary));
    signal (number, SIG_DFL);
    raise (number); /* delivered when the handler returns */
}

static void set_handler (void)
{
    struct sigaction present;
    if (sigaction (SIGTERM, NULL, &present) != 0 || present.sa_flags & SA_SIGINFO ||
        present.sa_handler != SIG_DFL)
        return;
    struct sigaction ours = {.sa_handler = on_terminate};
    sigemptyset (&ours.sa_mask);
    sigaction (SIGTERM, &ours, NULL);
}

static void refresh (void)
{
    summary *next = &summaries[atomic_load (&ready_summary) == &summaries[0]];
    next->length = worlds_format_summary (next->text, sizeof (next->text));
    if (next->length) atomic_store (&ready_summary, next);
}

void summary_touch (void)
{
    static double refreshed, cost; /* when the text was last ready, and how long that took */
    pthread_once (&handler_once, set_handler);
    atomic_store (&counting_process, getpid ());
    if (pthread_mutex_trylock (&refreshing) != 0) return; /* another thread is at it */
    const double start = now ();
    if (cost <= REFRESH_SHARE * (start - refreshed))
    {
        refresh ();
        refreshed = now ();
        cost = refreshed - start;
    }
    pthread_mutex_unlock (&refreshing);
}

static void __attribute__ ((destructor)) at_exit (void)
{
    if (!preload_get_options ()->statistics) return;
    pthread_mutex_lock (&refreshing);
    refresh ();
    pthread_mutex_unlock (&refreshing);
    write_summary (atomic_load (&ready_summary));
}
