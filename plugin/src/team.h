/*
 * Threads that work on one island together.
 *
 * The threads of ODE's pool that have come to help wait, turning, for pieces of work; the one that came first
 * takes the island through its step and shares out loops as it meets them.  It takes pieces itself and waits
 * only for those that another thread has begun, so nothing hangs on how many threads there are or when they
 * come: without any it does all alone.  A piece costs about a microsecond to hand over.
 *
 * Which piece is done where is chance, so pieces must not depend on each other, and what they are must not
 * depend on the team: then results are the same bit for bit for any number of threads.
 */
#ifndef RLS_TEAM_H
#define RLS_TEAM_H

#include <stdint.h>

#define RLS_TEAM_LINE 64 /* bytes that threads write to together are apart by so many */

typedef void rls_piece_function (void *context, int piece);
typedef void rls_range_function (void *context, int from, int to);

typedef struct
{
    uint64_t claim; /* round, number of pieces, next piece: in one word, so that they belong together */
    char apart1[RLS_TEAM_LINE];
    int finished; /* pieces of this round */
    char apart2[RLS_TEAM_LINE];
    int arrived, over;
    int busy; /* a round is under way: what its pieces share out they do themselves */
    rls_piece_function *function;
    void *context;
} rls_team;

/* A team that nobody has come to yet. */
void rls_team_gather (rls_team *team);

/* 1 for the first thread that comes: it does the work and calls rls_team_dismiss.  The others, 0, help. */
int rls_team_lead (rls_team *team);
void rls_team_help (rls_team *team);
void rls_team_dismiss (rls_team *team);

/* Runs the function for pieces 0 .. pieces - 1 and returns when all are done.  team may be NULL. */
void rls_team_run (rls_team *team, int pieces, rls_piece_function *function, void *context);

/* The same for ranges of at most grain that make up 0 .. count; without a team, for one range. */
void rls_team_ranges (rls_team *team, int count, int grain, rls_range_function *function, void *context);

#endif
