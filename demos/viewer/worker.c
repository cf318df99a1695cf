/*
 * A thread that waits for jobs.  See worker.h.
 */
#include "worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct worker
{
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*prepare) (void);
    worker_job *job; /* NULL while idle */
    void *context;
    int quit;
    worker_job *last; /* what a worker that was left behind calls at its end */
    int abandoned;
    void *last_context;
};

static void destroy (worker *w)
{
    pthread_mutex_destroy (&w->lock);
    pthread_cond_destroy (&w->changed);
    free (w);
}

static void *work (void *argument)
{
    worker *w = argument;
    if (w->prepare) w->prepare ();
    pthread_mutex_lock (&w->lock);
    while (!w->quit)
    {
        if (!w->job)
        {
            pthread_cond_wait (&w->changed, &w->lock);
            continue;
        }
        pthread_mutex_unlock (&w->lock);
        w->job (w->context);
        pthread_mutex_lock (&w->lock);
        w->job = NULL;
        pthread_cond_broadcast (&w->changed);
    }
    const int abandoned = w->abandoned;
    pthread_mutex_unlock (&w->lock);
    if (!abandoned) return NULL;
    if (w->last) w->last (w->last_context);
    destroy (w);
    return NULL;
}

worker *worker_start (void (*prepare) (void))
{
    worker *w = calloc (1, sizeof *w);
    if (!w) return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init (&attributes);
    pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init (&w->lock, NULL);
    pthread_cond_init (&w->changed, &attributes);
    pthread_condattr_destroy (&attributes);
    w->prepare = prepare;
    if (pthread_create (&w->thread, NULL, work, w) == 0) return w;
    destroy (w);
    return NULL;
}

void worker_stop (worker *w)
{
    if (!w) return;
    pthread_mutex_lock (&w->lock);
    w->quit = 1;
    pthread_cond_broadcast (&w->changed);
    pthread_mutex_unlock (&w->lock);
    pthread_join (w->thread, NULL);
    destroy (w);
}

void worker_abandon (worker *w, worker_job *last, void *context)
{
    pthread_detach (w->thread);
    pthread_mutex_lock (&w->lock);
    w->quit = w->abandoned = 1;
    w->last = last;
    w->last_context = context;
    pthread_cond_broadcast (&w->changed);
    pthread_mutex_unlock (&w->lock);
}

void worker_post (worker *w, worker_job *job, void *context)
{
    pthread_mutex_lock (&w->lock);
    w->job = job;
    w->context = context;
    pthread_cond_broadcast (&w->changed);
    pthread_mutex_unlock (&w->lock);
}

int worker_busy (worker *w) { return !worker_wait (w, 0); }

int worker_wait (worker *w, double seconds)
{
    struct timespec until;
    clock_gettime (CLOCK_MONOTONIC, &until);
    if (seconds > 0)
    {
        long nanoseconds = until.tv_nsec + (long)(1e9 * (seconds - (double)(long)seconds));
        until.tv_sec += (time_t)seconds + nanoseconds / 1000000000L;
        until.tv_nsec = nanoseconds % 1000000000L;
    }
    pthread_mutex_lock (&w->lock);
    int timed_out = 0;
    while (w->job && !timed_out && seconds != 0)
        timed_out = seconds < 0 ? pthread_cond_wait (&w->changed, &w->lock)
                                : pthread_cond_timedwait (&w->changed, &w->lock, &until);
    int done = !w->job;
    pthread_mutex_unlock (&w->lock);
    return done;
}
