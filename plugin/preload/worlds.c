/* The table of worlds.  A program has a handful of them, so a list will do. */
#include "worlds.h"
#include <pthread.h>
#include <stdlib.h>

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

static void drop (preload_world *entry)
{
    dRLSStepperDestroy (entry->stepper);
    free (entry);
}

void worlds_forget (dWorldID world)
{
    pthread_mutex_lock (&guard);
    preload_world **link = &first_world;
    while (*link && (*link)->world != world) link = &(*link)->next;
    preload_world *entry = *link;
    if (entry)
    {
        *link = entry->next;
        statistics_merge (&past_statistics, &entry->statistics);
    }
    pthread_mutex_unlock (&guard);
    if (entry) drop (entry);
}

void worlds_forget_all (void)
{
    pthread_mutex_lock (&guard);
    preload_world *entry = first_world;
    first_world = NULL;
    for (const preload_world *each = entry; each; each = each->next)
        statistics_merge (&past_statistics, &each->statistics);
    pthread_mutex_unlock (&guard);
    while (entry)
    {
        preload_world *next = entry->next;
        drop (entry);
        entry = next;
    }
}

void worlds_count_step (preload_world *entry, preload_call call, double seconds, int fell_back,
                        const dRLSReport *report)
{
    pthread_mutex_lock (&guard);
    step_statistics *statistics = &entry->statistics;
    statistics_count (statistics, call, seconds);
    statistics->fallbacks += fell_back != 0;
    for (int i = 0; i < dRLSWarningCount; ++i)
        statistics->warnings[i] = dRLSStepperGetWarningCount (entry->stepper, i);
    if (report) statistics_add_report (statistics, report);
    pthread_mutex_unlock (&guard);
}

size_t worlds_format_summary (char *text, size_t capacity)
{
    pthread_mutex_lock (&guard);
    step_statistics sum = past_statistics;
    for (const preload_world *entry = first_world; entry; entry = entry->next)
        statistics_merge (&sum, &entry->statistics);
    const unsigned long worlds = world_count;
    pthread_mutex_unlock (&guard);
    return sum.steps ? statistics_format (&sum, worlds, text, capacity) : 0;
}
