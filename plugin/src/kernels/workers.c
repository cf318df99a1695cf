/* Pieces of work for the threads of one island. */
#include "workers.h"
#include <errno.h>
#include <sched.h>
#include <time.h>

/* A claim holds the round from bit 40 on, the end of the share from bit 20 on, and the next piece. */
#define FIELD 20
#define MOST_PIECES ((1 << FIELD) - 1)

/* A thread that waits turns first, lets others run then, and sleeps at last. */
#define TURNS 400
#define YIELDS 1000
#define SLEEP 50000 /* ns */

static int next_of (uint64_t claim) { return (int)(claim & MOST_PIECES); }
static int end_of (uint64_t claim) { return (int)(claim >> FIELD & MOST_PIECES); }

static void turn (void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause ();
#endif
}

static void wait_a_little (int *waited, int may_sleep)
{
    const struct timespec while_nothing_comes = {0, SLEEP};
    ++*waited;
    if (*waited < TURNS)
        turn ();
    else if (*waited < TURNS + YIELDS || !may_sleep)
        sched_yield ();
    else
        nanosleep (&while_nothing_comes, NULL);
}

/*
 * Does one piece of a share if there is one left.  Function and context are those of the round that the claim
 * names: they change only when all its pieces are finished, and the claim succeeds only if this one was not.
 */
static int do_piece (rls_workers *workers, rls_worker_slot *share)
{
    uint64_t claim = __atomic_load_n (&share->claim, __ATOMIC_ACQUIRE);
    while (next_of (claim) < end_of (claim))
    {
        rls_chunk_function *function = __atomic_load_n (&workers->function, __ATOMIC_RELAXED);
        void *context = __atomic_load_n (&workers->context, __ATOMIC_RELAXED);
        if (!__atomic_compare_exchange_n (&share->claim, &claim, claim + 1, 0, __ATOMIC_ACQUIRE,
                                          __ATOMIC_ACQUIRE))
            continue;
        function (context, next_of (claim));
        __atomic_fetch_add (&workers->finished, 1, __ATOMIC_RELEASE);
        return 1;
    }
    return 0;
}

/* Does what there is, the thread's own share first.  Returns 0 if there was nothing. */
static int do_pieces (rls_workers *workers, int own)
{
    int done = 0;
    for (int i = 0; i < workers->slots; ++i)
        while (do_piece (workers, &workers->slot[(own + i) % workers->slots])) done = 1;
    return done;
}

/* ---- who is there ---- */

void rls_workers_prepare (rls_workers *workers, int threads)
{
    workers->slots = threads < RLS_MOST_WORKERS ? threads : RLS_MOST_WORKERS;
    workers->arrived = workers->over = workers->busy = 0;
    for (int i = 0; i < workers->slots; ++i) workers->slot[i].taken = 0;
}

/* Takes a slot that had the given thread last, 0 for no one, or -1 for whomever.  Returns its number or -1.
 */
static int take_slot (rls_workers *workers, intptr_t last)
{
    for (int i = 0; i < workers->slots; ++i)
    {
        rls_worker_slot *slot = &workers->slot[i];
        int taken = 0;
        if (last != -1 && __atomic_load_n (&slot->thread, __ATOMIC_RELAXED) != (uintptr_t)last) continue;
        if (__atomic_compare_exchange_n (&slot->taken, &taken, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return i;
    }
    return -1;
}

/* No thread has the errno of another one. */
static int find_slot (rls_workers *workers)
{
    const uintptr_t self = (uintptr_t)&errno;
    int slot = take_slot (workers, (intptr_t)self);
    if (slot < 0) slot = take_slot (workers, 0);
    if (slot < 0) slot = take_slot (workers, -1);
    if (slot >= 0) __atomic_store_n (&workers->slot[slot].thread, self, __ATOMIC_RELAXED);
    return slot < 0 ? 0 : slot;
}

int rls_workers_join (rls_workers *workers)
{
    const int own = find_slot (workers);
    if (__atomic_fetch_add (&workers->arrived, 1, __ATOMIC_ACQ_REL) == 0)
    {
        workers->own = own;
        return 1;
    }
    for (int waited = 0; !__atomic_load_n (&workers->over, __ATOMIC_ACQUIRE);)
        if (do_pieces (workers, own))
            waited = 0;
        else
            wait_a_little (&waited, 1);
    return 0;
}

void rls_workers_dismiss (rls_workers *workers) { __atomic_store_n (&workers->over, 1, __ATOMIC_RELEASE); }

/* ---- the work ---- */

void rls_workers_run (rls_workers *workers, int pieces, rls_chunk_function *function, void *context)
{
    if (!workers || workers->busy || pieces <= 1 || pieces > MOST_PIECES)
    {
        for (int piece = 0; piece < pieces; ++piece) function (context, piece);
        return;
    }
    workers->busy = 1;
    ++workers->round;
    __atomic_store_n (&workers->function, function, __ATOMIC_RELAXED);
    __atomic_store_n (&workers->context, context, __ATOMIC_RELAXED);
    __atomic_store_n (&workers->finished, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < workers->slots; ++i)
    {
        const uint64_t first = (uint64_t)pieces * (uint64_t)i / (uint64_t)workers->slots,
                       end = (uint64_t)pieces * (uint64_t)(i + 1) / (uint64_t)workers->slots;
        __atomic_store_n (&workers->slot[i].claim, workers->round << (2 * FIELD) | end << FIELD | first,
                          __ATOMIC_RELEASE);
    }
    do_pieces (workers, workers->own);
    for (int waited = 0; __atomic_load_n (&workers->finished, __ATOMIC_ACQUIRE) < pieces;)
        wait_a_little (&waited, 0);
    workers->busy = 0;
}

/* One range a piece. */
typedef struct
{
    int count, grain;
    rls_range_function *function;
    void *context;
} shared_ranges;

static void do_range (void *context, int piece)
{
    const shared_ranges *r = context;
    const int from = piece * r->grain, left = r->count - from;
    r->function (r->context, from, from + (left < r->grain ? left : r->grain));
}

void rls_workers_ranges (rls_workers *workers, int count, int grain, rls_range_function *function,
                         void *context)
{
    if (!workers || workers->busy || count <= grain)
    {
        function (context, 0, count);
        return;
    }
    shared_ranges ranges = {count, grain, function, context};
    rls_workers_run (workers, (count + grain - 1) / grain, do_range, &ranges);
}
