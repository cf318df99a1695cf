/* Threads that help a team, for tests without ODE. */
#ifndef CREW_H
#define CREW_H

#include <pthread.h>
#include "kernels/team.h"

#define CREW_MOST 8

typedef struct
{
    rls_team team;
    pthread_t thread[CREW_MOST];
    int threads;
} crew;

static void *crew_member (void *team)
{
    rls_team_join (team);
    return NULL;
}

/* A team of so many threads, of which the caller leads. */
static inline void crew_begin (crew *c, int threads)
{
    c->threads = threads;
    rls_team_gather (&c->team, threads);
    assert_int_equal (rls_team_join (&c->team), 1);
    for (int i = 1; i < threads; ++i)
        assert_int_equal (pthread_create (&c->thread[i], NULL, crew_member, &c->team), 0);
}

static inline void crew_end (crew *c)
{
    rls_team_dismiss (&c->team);
    for (int i = 1; i < c->threads; ++i) pthread_join (c->thread[i], NULL);
}

#endif
