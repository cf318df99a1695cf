/*
 * Bounded rows: limits, motors, contacts and friction beside the bilateral rows of an island.
 *
 * Both halves of a step find the impulses of these rows here.  The problem is a complementarity problem with
 * the bilateral rows as equations; method.md, section 9, has its formulation and the methods that solve it.
 */
#ifndef RLS_BOUNDED_H
#define RLS_BOUNDED_H

#include "island/island.h"

/* Largest number of bounded rows in a small island.  Its rows are solved by pivoting, to rounding error, and
 * its impacts and reversals are located within the step.  In larger ones, which are piles, something happens
 * in every step, and the next step corrects what this one leaves. */
#define RLS_SMALL_ISLAND 64

/* How accurate the answer of a large island that moves shall be.  Others are solved to rounding. */
typedef enum
{
    RLS_FAIR = 0,
    RLS_ROUGH,   /* of a problem apart: sweeps from the last answer are enough */
    RLS_ACCURATE /* as that of small islands: what is missing of a rebound would be lost */
} rls_bounded_accuracy;

typedef struct
{
    int iterations;      /* most factorisations */
    double tolerance;    /* m/s: residual (natural map) that may be left */
    double scale;        /* factor on the impulses that the solver starts from */
    const double *start; /* rows: impulses to start from (N s), or NULL: those of the last answer; not used
                            by a problem apart that has to be exact (bounded_start.c) */
    int apart; /* 1: a problem by itself: the tolerance is taken as it is, and the next problem does not start
                  from its answer */
    int again; /* 1: rows and factor are those of the last call, or of rls_bounded_form */
    rls_bounded_accuracy accuracy;
    int moved;  /* 1: the program moves the island, so that what its rows lack adds up from step to step */
    int closed; /* 1: rounding errors of the joints' velocities may stay, because the caller closes the joints
                   itself */
    double kick; /* m/s: by how much forces have changed velocities since the bodies were last in balance.
                    Rows that ask for no more than that are at rest */
} rls_bounded_settings;

/* v (bodies) += scale M^-1 J' p, with p the impulses of the bounded rows and M^-1 J' their columns Y. */
void rls_bounded_push (const rls_bounded *b, double scale, const double *p, double (*v)[6]);

/* The largest component of the velocity (m/s) that the forces on a body give to it in the time h (s). */
double rls_bounded_kick (const rls_island *island, double h);

/* The same of the body to which they give least, of those to which they give any. */
double rls_bounded_least_kick (const rls_island *island, double h);

/*
 * Solves the complementarity problem of an island.
 *
 * v (bodies) is the velocity without impulses, forces already applied.  On return it is the velocity with
 * them, island->begin.bounded.p holds the impulses of the bounded rows (N s) and island->reactions.p those of
 * the bilateral rows.  The rows, bounds, targets and columns in island->begin and its factor must be set.
 * The answer is the best iterate, also where none is as good as asked; bounded_iterations, bounded_residual
 * and bounded_inexact in island->account tell how good it is.  Returns 1, or 0 without memory (v unchanged).
 */
int rls_bounded_solve (rls_island *island, const rls_bounded_settings *settings, double (*v)[6]);

/*
 * Forms the matrix of a problem with few rows ahead of rls_bounded_solve, to be called with "again" set.
 * *mobility (rows) is then the velocity that a unit impulse along a row makes along it with the joints
 * closed; it is left unchanged where the problem has no such matrix.  Returns 1, or 0 without memory.
 */
int rls_bounded_form (rls_island *island, const double **mobility);

/* The same of the last problem that was solved, NULL where it had no such matrix. */
const double *rls_bounded_closed_mobility (const rls_island *island);

/* v (bodies) := the velocities by a unit impulse along row r of bounded joint j, with the joints closed.  x
 * (rows) is scratch. */
void rls_bounded_closed_push (const rls_island *island, int j, int r, double *x, double (*v)[6]);

/* Keeps the impulses in island->begin.bounded.p as the start of the next step. */
void rls_bounded_keep (const rls_island *island);

/* Sets later of the joints that are known from the last step. */
void rls_bounded_recall_later (rls_island *island);

/* Keeps what the joints bear in the second half (rls_bounded.later) for the next step. */
void rls_bounded_remember_later (const rls_island *island);

/* Sets late and pressed of the normals of compliant contacts, and of stops, to what they were at the end of
 * the last step; late is NAN where one is new. */
void rls_bounded_recall_late (rls_island *island);

/*
 * Called between the halves, of a contact that was this deep (m) at the beginning of the last step: returns 1
 * if collision detection found another point of the same bodies then, as it does where that one is deeper.
 * Half as deep is enough, because in the last step that one was pushed out and this one thereby in.
 */
int rls_bounded_has_jumped (const rls_island *island, int j, double depth);

void rls_bounded_free (struct rls_bounded_kept *kept);
void rls_bounded_free_work (struct rls_bounded_work *work);

/* Copies into *to what from keeps for the next step.  Either may be NULL; *to is made where it is NULL, and
 * freed where from is.  Returns 1, or 0 without memory (*to can then only be freed). */
int rls_bounded_copy (struct rls_bounded_kept **to, const struct rls_bounded_kept *from);

#endif
