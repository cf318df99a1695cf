/* Pieces of work for the threads of one island. */
#include "team.h"
#include <sched.h>
#include <time.h>

/* A claim holds the round from bit 40 on, the number of pieces from bit 20 on, and the next one. */
#define FIELD 20
#define MOST_PIECES ((1 << FIELD) - 1)

/* A thread that waits turns first, lets others run then, and sleeps at last. */
#define TURNS 400
#define YIELDS 1000
#define SLEEP 50000 /* ns */

static int next_of (uint64_t claim) { return (int)(claim & MOST_PIECES); }
static int pieces_of (uint64_t claim) { return (int)(claim >> FIELD & MOST_PIECES); }

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
 * Does one piece if there is one left.  Function and context are those of the round that the claim names:
 * they change only when all its pieces are finished, and the claim succeeds only if this one was not.
 */
static int do_piece (rls_team *team)
{
    uint64_t claim = __atomic_load_n (&team->claim, __ATOMIC_ACQUIRE);
    while (next_of (claim) < pieces_of (claim))
    {
        rls_piece_function *function = __atomic_load_n (&team->function, __ATOMIC_RELAXED);
        void *context = __atomic_load_n (&team->context, __ATOMIC_RELAXED);
        if (!__atomic_compare_exchange_n (&team->claim, &claim, claim + 1, 0, __ATOMIC_ACQUIRE,
                                          __ATOMIC_ACQUIRE))
            continue;
        function (context, next_of (claim));
        __atomic_fetch_add (&team->finished, 1, __ATOMIC_RELEASE);
        return 1;
    }
    return 0;
}

void rls_team_gather (rls_team *team) { *team = (rls_team){0}; }

int rls_team_lead (rls_team *team) { return __atomic_fetch_add (&team->arrived, 1, __ATOMIC_ACQ_REL) == 0; }

void rls_team_help (rls_team *team)
{
    int waited = 0;
    while (!__atomic_load_n (&team->over, __ATOMIC_ACQUIRE))
        if (do_piece (team))
            waited = 0;
        else
            wait_a_little (&waited, 1);
}

void rls_team_dismiss (rls_team *team) { __atomic_store_n (&team->over, 1, __ATOMIC_RELEASE); }

void rls_team_run (rls_team *team, int pieces, rls_piece_function *function, void *context)
{
    if (!team || team->busy || pieces <= 1 || pieces > MOST_PIECES)
    {
        for (int piece = 0; piece < pieces; ++piece) function (context, piece);
        return;
    }
    const uint64_t round = (team->claim >> (2 * FIELD)) + 1;
    team->busy = 1;
    __atomic_store_n (&team->function, function, __ATOMIC_RELAXED);
    __atomic_store_n (&team->context, context, __ATOMIC_RELAXED);
    __atomic_store_n (&team->finished, 0, __ATOMIC_RELAXED);
    __atomic_store_n (&team->claim, round << (2 * FIELD) | (uint64_t)pieces << FIELD, __ATOMIC_RELEASE);
    while (do_piece (team))
        ;
    for (int waited = 0; __atomic_load_n (&team->finished, __ATOMIC_ACQUIRE) < pieces;)
        wait_a_little (&waited, 0);
    team->busy = 0;
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

void rls_team_ranges (rls_team *team, int count, int grain, rls_range_function *function, void *context)
{
    if (!team || team->busy || count <= grain)
    {
        function (context, 0, count);
        return;
    }
    shared_ranges ranges = {count, grain, function, context};
    rls_team_run (team, (count + grain - 1) / grain, do_range, &ranges);
}
