/* Pieces of work for the threads of one island. */
#include "team.h"
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
static int do_piece (rls_team *team, rls_seat *share)
{
    uint64_t claim = __atomic_load_n (&share->claim, __ATOMIC_ACQUIRE);
    while (next_of (claim) < end_of (claim))
    {
        rls_piece_function *function = __atomic_load_n (&team->function, __ATOMIC_RELAXED);
        void *context = __atomic_load_n (&team->context, __ATOMIC_RELAXED);
        if (!__atomic_compare_exchange_n (&share->claim, &claim, claim + 1, 0, __ATOMIC_ACQUIRE,
                                          __ATOMIC_ACQUIRE))
            continue;
        function (context, next_of (claim));
        __atomic_fetch_add (&team->finished, 1, __ATOMIC_RELEASE);
        return 1;
    }
    return 0;
}

/* Does what there is, the thread's own share first.  Returns 0 if there was nothing. */
static int do_pieces (rls_team *team, int own)
{
    int done = 0;
    for (int i = 0; i < team->seats; ++i)
        while (do_piece (team, &team->seat[(own + i) % team->seats])) done = 1;
    return done;
}

/* ---- who is there ---- */

void rls_team_gather (rls_team *team, int threads)
{
    team->seats = threads < RLS_TEAM_SEATS ? threads : RLS_TEAM_SEATS;
    team->arrived = team->over = team->busy = 0;
    for (int i = 0; i < team->seats; ++i) team->seat[i].taken = 0;
}

/* Takes a seat that had the given thread last, 0 for no one, or -1 for whomever.  Returns its number or -1.
 */
static int take_seat (rls_team *team, intptr_t last)
{
    for (int i = 0; i < team->seats; ++i)
    {
        rls_seat *seat = &team->seat[i];
        int taken = 0;
        if (last != -1 && __atomic_load_n (&seat->thread, __ATOMIC_RELAXED) != (uintptr_t)last) continue;
        if (__atomic_compare_exchange_n (&seat->taken, &taken, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return i;
    }
    return -1;
}

/* No thread has the errno of another one. */
static int find_seat (rls_team *team)
{
    const uintptr_t self = (uintptr_t)&errno;
    int seat = take_seat (team, (intptr_t)self);
    if (seat < 0) seat = take_seat (team, 0);
    if (seat < 0) seat = take_seat (team, -1);
    if (seat >= 0) __atomic_store_n (&team->seat[seat].thread, self, __ATOMIC_RELAXED);
    return seat < 0 ? 0 : seat;
}

int rls_team_join (rls_team *team)
{
    const int own = find_seat (team);
    if (__atomic_fetch_add (&team->arrived, 1, __ATOMIC_ACQ_REL) == 0)
    {
        team->own = own;
        return 1;
    }
    for (int waited = 0; !__atomic_load_n (&team->over, __ATOMIC_ACQUIRE);)
        if (do_pieces (team, own))
            waited = 0;
        else
            wait_a_little (&waited, 1);
    return 0;
}

void rls_team_dismiss (rls_team *team) { __atomic_store_n (&team->over, 1, __ATOMIC_RELEASE); }

/* ---- the work ---- */

void rls_team_run (rls_team *team, int pieces, rls_piece_function *function, void *context)
{
    if (!team || team->busy || pieces <= 1 || pieces > MOST_PIECES)
    {
        for (int piece = 0; piece < pieces; ++piece) function (context, piece);
        return;
    }
    team->busy = 1;
    ++team->round;
    __atomic_store_n (&team->function, function, __ATOMIC_RELAXED);
    __atomic_store_n (&team->context, context, __ATOMIC_RELAXED);
    __atomic_store_n (&team->finished, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < team->seats; ++i)
    {
        const uint64_t first = (uint64_t)pieces * (uint64_t)i / (uint64_t)team->seats,
                       end = (uint64_t)pieces * (uint64_t)(i + 1) / (uint64_t)team->seats;
        __atomic_store_n (&team->seat[i].claim, team->round << (2 * FIELD) | end << FIELD | first,
                          __ATOMIC_RELEASE);
    }
    do_pieces (team, team->own);
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
