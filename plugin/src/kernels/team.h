/*
 * Threads that work on one island together.
 *
 * The threads of ODE's pool that have come to help wait, turning, for pieces of work; the one that came first
 * takes the island through its step and shares out loops as it meets them.  It takes pieces itself and waits
 * only for those that another thread has begun, so nothing hangs on how many threads there are or when they
 * come: without any it does all alone.  Handing pieces over takes about a microsecond.
 *
 * Every thread has a seat, the same one in every step if it can be had, and to every seat belongs a share of
 * the pieces, so that what a piece works on stays near one processor.  Who is done with his share helps
 * others with theirs.  Which piece is done where is chance after all, so pieces must not depend on each
 * other, and what they are must not depend on the team: then results are the same bit for bit for any number
 * of threads.
 */
#ifndef RLS_TEAM_H
#define RLS_TEAM_H

#include <stdint.h>

#define RLS_TEAM_SEATS 64
#define RLS_TEAM_LINE 64 /* bytes: what threads write to is apart by so many */

typedef void rls_piece_function (void *context, int piece);
typedef void rls_range_function (void *context, int from, int to);

typedef struct
{
    uint64_t claim;   /* round, end and next piece of the share: in one word, so that they belong together */
    uintptr_t thread; /* that had the seat last */
    int taken;        /* in this step */
    char apart[RLS_TEAM_LINE];
} rls_seat;

typedef struct
{
    rls_seat seat[RLS_TEAM_SEATS];
    int finished; /* pieces of this round */
    char apart[RLS_TEAM_LINE];
    int seats, arrived, over;
    int busy; /* a round is under way: what its pieces share out they do themselves */
    int own;  /* seat of the leader */
    uint64_t round;
    rls_piece_function *function;
    void *context;
} rls_team;

/* A team for so many threads, of whom none has come yet.  The team may have been used before; else it is 0.
 */
void rls_team_gather (rls_team *team, int threads);

/* For each thread that comes.  Returns 1 for the first: it does the work and calls rls_team_dismiss.  For the
 * others it returns 0 when that has been done: they have helped. */
int rls_team_join (rls_team *team);
void rls_team_dismiss (rls_team *team);

/* Runs the function for pieces 0 .. pieces - 1 and returns when all are done.  team may be NULL. */
void rls_team_run (rls_team *team, int pieces, rls_piece_function *function, void *context);

/* The same for ranges of at most grain that make up 0 .. count; without a team, for one range. */
void rls_team_ranges (rls_team *team, int count, int grain, rls_range_function *function, void *context);

#endif
