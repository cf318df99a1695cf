/*
 * The table of worlds, and the summary of them when the program ends.  A program has a handful of worlds, so
 * a list will do.
 *
 * A program that calls exit, or returns from main, gets the summary from a destructor of the library.
 *
 * Games are often ended by SIGTERM (a session's end, timeout).  A signal handler must not format text or
 * take locks, so the text is kept ready: while steps are counted it is written anew as often as takes a
 * twentieth of the time, and the handler only puts out what is there; the last steps may be missing from
 * it.  The handler is set at the first step, and only if the program has none by then; afterwards the
 * signal ends the program as it would have done.  SIGINT, SIGKILL and _exit leave no summary.
 */
#include "worlds.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static preload_world *first_world;
static unsigned long world_count;       /* ever seen */
static step_statistics past_statistics; /* of the forgotten ones */

preload_world *worlds_get (dWorldID world)
{
    pthread_mutex_lock (&guard);
    preload_world *entry = first_world;
    while (entry && entry->world != world) entry = entry->next;
    if (!entry && (entry = calloc (1, sizeof (*entry))))
    {
        entry->world = world;
        entry->number = ++world_count;
        entry->next = first_world;
        first_world = entry;
    }
    pthread_mutex_unlock (&guard);
    return entry;
}

/* Forgets one world, or all of them (NULL). */
static void forget (dWorldID world)
{
    preload_world *forgotten = NULL;
    pthread_mutex_lock (&guard);
    for (preload_world **link = &first_world, *entry; (entry = *link);)
    {
        if (world && entry->world != world)
        {
            link = &entry->next;
            continue;
        }
        *link = entry->next;
        statistics_merge (&past_statistics, &entry->statistics);
        entry->next = forgotten, forgotten = entry;
    }
    pthread_mutex_unlock (&guard);
    while (forgotten)
    {
        preload_world *entry = forgotten;
        forgotten = entry->next;
        dRLSStepperDestroy (entry->stepper);
        free (entry);
    }
}

void worlds_forget (dWorldID world)
{
    if (world) forget (world);
}

void worlds_forget_all (void) { forget (NULL); }

/* ---- the summary ---- */

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
    pthread_mutex_lock (&guard);
    step_statistics sum = past_statistics;
    for (const preload_world *entry = first_world; entry; entry = entry->next)
        statistics_merge (&sum, &entry->statistics);
    const unsigned long worlds = world_count;
    pthread_mutex_unlock (&guard);
    const locale_t before = preload_begin_points ();
    next->length = statistics_format (&sum, worlds, next->text, sizeof (next->text));
    preload_end_points (before);
    if (next->length) atomic_store (&ready_summary, next);
}

/* Sees to it that the summary is ready, now that something has been counted. */
static void touch_summary (void)
{
    static double refreshed, cost; /* when the text was last ready, and how long that took */
    pthread_once (&handler_once, set_handler);
    atomic_store (&counting_process, getpid ());
    if (pthread_mutex_trylock (&refreshing) != 0) return; /* another thread is at it */
    const double start = preload_now ();
    if (cost <= REFRESH_SHARE * (start - refreshed))
    {
        refresh ();
        refreshed = preload_now ();
        cost = refreshed - start;
    }
    pthread_mutex_unlock (&refreshing);
}

void worlds_count_step (preload_world *entry, const step_statistics *step)
{
    pthread_mutex_lock (&guard);
    statistics_merge (&entry->statistics, step);
    for (int i = 0; i < dRLSWarningCount; ++i)
        entry->statistics.warnings[i] = dRLSStepperGetWarningCount (entry->stepper, i);
    pthread_mutex_unlock (&guard);
    touch_summary ();
}

static void __attribute__ ((destructor)) at_exit (void)
{
    if (!preload_get_options ()->statistics) return;
    pthread_mutex_lock (&refreshing);
    refresh ();
    pthread_mutex_unlock (&refreshing);
    write_summary (atomic_load (&ready_summary));
}
