/*
 * Threads that work on one island together.
 *
 * The threads of ODE's pool that have come to help wait, turning, for pieces of work; the one that came first
 * takes the island through its step and shares out loops as it meets them.  It takes pieces itself and waits
 * only for those that another thread has begun, so nothing hangs on how many threads there are or when they
 * come: without any it does all alone.  Handing pieces over takes about a microsecond.
 *
 * Every thread has a slot, the same one in every step if it can be had, and to every slot belongs a share of
 * the pieces, so that what a piece works on stays near one processor.  Who is done with his share helps
 * others with theirs.  Which piece is done where is chance after all, so pieces must not depend on each
 * other, and what they are must not depend on the workers: then results are the same bit for bit for any
 * number of threads.
 */
#ifndef RLS_WORKERS_H
#define RLS_WORKERS_H

#include <stdint.h>

#define RLS_MOST_WORKERS 64
#define RLS_CACHE_LINE 64 /* bytes: what threads write to is apart by so many */

typedef void rls_chunk_function (void *context, int piece);
typedef void rls_range_function (void *context, int from, int to);

typedef struct
{
    uint64_t claim;   /* round, end and next piece of the share: in one word, so that they belong together */
    uintptr_t thread; /* that had the slot last */
    int taken;        /* in this step */
    char apart[RLS_CACHE_LINE];
} rls_worker_slot;

typedef struct
{
    rls_worker_slot slot[RLS_MOST_WORKERS];
    int finished; /* pieces of this round */
    char apart[RLS_CACHE_LINE];
    int slots, arrived, over;
    int busy; /* a round is under way: what its pieces share out they do themselves */
    int own;  /* slot of the leader */
    uint64_t round;
    rls_chunk_function *function;
    void *context;
} rls_workers;

/* A workers for so many threads, of whom none has come yet.  The workers may have been used before; else it
 * is 0.
 */
void rls_workers_prepare (rls_workers *workers, int threads);

/* For each thread that comes.  Returns 1 for the first: it does the work and calls rls_workers_dismiss.  For
 * the others it returns 0 when that has been done: they have helped. */
int rls_workers_join (rls_workers *workers);
void rls_workers_dismiss (rls_workers *workers);

/* Runs the function for pieces 0 .. pieces - 1 and returns when all are done.  workers may be NULL. */
void rls_workers_run (rls_workers *workers, int pieces, rls_chunk_function *function, void *context);

/* The same for ranges of at most grain that make up 0 .. count; without a workers, for one range. */
void rls_workers_ranges (rls_workers *workers, int count, int grain, rls_range_function *function,
                         void *context);

#endif
