/*
 * Bounded rows (limits, motors, contacts, friction) on top of the bilateral factor.
 */
#ifndef RLS_BOUNDED_H
#define RLS_BOUNDED_H

#include "island/island.h"

/* Bounded rows of islands that are solved by pivoting first, to the last digits, and whose events within a
 * step are looked at.  Larger ones are piles: something happens there in every step, and the next one goes
 * on. */
#define RLS_SMALL_ISLAND 64

typedef struct
{
    int iterations;      /* most outer iterations */
    double tolerance;    /* velocity (m/s) that may be left of the natural map */
    double scale;        /* of the impulses of the last answer, as a start */
    const double *start; /* rows: impulses to start with, or NULL: those of the last answer */
    int apart;  /* 1: a problem by itself: the tolerance is taken as it is, the answer is no start for the
                   next one */
    int again;  /* 1: rows and factor are those of the last call, or of rls_bounded_form */
    int rough;  /* 1: of a large island that moves the answer may be rough; its velocities are looked at again
                   in  the next step */
    int closed; /* 1: the caller closes the joints' velocities itself, and what rounding leaves of them may
                   stay */
    double kick; /* m/s: by how much forces have changed velocities since the bodies last were in balance, if
                    they were: rows that want no more than that back are at rest */
} rls_bounded_settings;

/* v += scale M^-1 J' p, with the columns Y of the rows. */
void rls_bounded_push (const rls_bounded *b, double scale, const double *p, double (*v)[6]);

/* The largest of what the forces of the island change velocities by in the time h (m/s). */
double rls_bounded_kick (const rls_island *island, double h);

/* The largest velocity of a body, turns at the island's length (m/s). */
double rls_bounded_fastest (const rls_island *island, const double (*v)[6]);

/*
 * Finds the impulses of the bounded rows (island->bounded.p) and of the bilateral rows (island->p) that
 * take the unconstrained velocity v (bodies; forces already applied) to one that satisfies both, and
 * applies them to v.  island->rows, island->bounded (J, Y, bounds, targets) and island->factor must be set.
 * Always returns the best iterate; island->bounded_iterations and bounded_residual tell its quality.
 * Returns 1, or 0 when memory is short (v unchanged).
 */
int rls_bounded_solve (rls_island *island, const rls_bounded_settings *settings, double (*v)[6]);

/* Few rows: forms the matrix of a problem that is yet to be solved.  *mobility (rows): the velocities that
 * unit impulses along the rows make along them with the joints closed; unchanged where there is no such
 * matrix.  Returns 1, or 0 without memory. */
int rls_bounded_form (rls_island *island, const double **mobility);

/* The impulses of the bounded rows are to be the start of the next step. */
void rls_bounded_keep (const rls_island *island);

/* The last answer is to be the start of the next step as if it had been twice as large. */
void rls_bounded_keep_twice (struct rls_bounded_work *work);

void rls_bounded_free (struct rls_bounded_work *work);

/* Makes *to keep for the next step what from keeps; either may be NULL, and *to may become it.  1 done, 0 no
 * memory (then *to can only be freed). */
int rls_bounded_copy (struct rls_bounded_work **to, const struct rls_bounded_work *from);

#endif
