/* Threads that help a workers, for tests without ODE. */
#ifndef CREW_H
#define CREW_H

#include <pthread.h>
#include "kernels/workers.h"

#define CREW_MOST 8

typedef struct
{
    rls_workers workers;
    pthread_t thread[CREW_MOST];
    int threads;
} crew;

static void *pool_member (void *workers)
{
    rls_workers_join (workers);
    return NULL;
}

/* A workers of so many threads, of which the caller leads. */
static inline void pool_begin (crew *c, int threads)
{
    c->threads = threads;
    rls_workers_prepare (&c->workers, threads);
    assert_int_equal (rls_workers_join (&c->workers), 1);
    for (int i = 1; i < threads; ++i)
        assert_int_equal (pthread_create (&c->thread[i], NULL, pool_member, &c->workers), 0);
}

static inline void pool_end (crew *c)
{
    rls_workers_dismiss (&c->workers);
    for (int i = 1; i < c->threads; ++i) pthread_join (c->thread[i], NULL);
}

#endif
