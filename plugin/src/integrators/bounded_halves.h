/*
 * Bounded rows in the symplectic step: limits, motors, contacts and friction push in both halves of it.
 *
 *     u   = v0 + (h/2) M0^-1 f0 + M0^-1 (H0' lambda + G0' a)     positions close at q1, and the mean velocity
 * of each bounded row over the step is as it shall be v1  = u~ + (h/2) M1^-1 f1 + M1^-1 (H1' mu + G1' b) so
 * are the velocities at q1
 *
 * a and b are the impulses of the halves.  Each half is a complementarity problem with bounds:
 *
 *     motor            |a|, |b| <= h F / 2
 *     contact, stop    0 <= a  _|_  mean velocity - rest >= 0,      0 <= a + b  _|_  G1 v1 - rest >= 0
 *     friction         |a_T| <= mu a_N,                             |a_T + b_T| <= mu (a_N + b_N)
 *
 * The bounds of contacts are on totals: bounds on each half alone would turn what a deep contact gives back
 * into speed.  Depths are held, not taken back, by these impulses; see recover.h.  The mean velocity of a row
 * is (G0 + G1) / 2 times the velocity of the bodies over the step, of turns the mean of both ends.
 *
 * Where the second problem begins with the answer of the first, its sides seldom change.
 */
#ifndef RLS_BOUNDED_HALVES_H
#define RLS_BOUNDED_HALVES_H

#include "island/bounded_parts.h"
#include "symplectic.h"

#define RLS_AT_REST 30 /* times the residual of a problem: velocities that tell of no motion */

/*
 * First half: from the velocities w->kicked finds a (begin.bounded.p) and, with it, a guess of u in w->u; a
 * is then part of w->kicked.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite.
 */
rls_outcome rls_bounded_first_half (rls_symplectic *work, rls_island *island, double h);

/*
 * Second half: takes the velocities v at q1, with the forces' second kick and a in them, to those at the end
 * of the step: finds b and the multipliers of end.rows.  again: the same at other forces, from the last
 * answer on.  reactions.bounded_total: a + b; b is then part of w->kicked.  Returns as above.
 */
rls_outcome rls_bounded_second_half (rls_symplectic *work, rls_island *island, double h, int again,
                                     double (*v)[6]);

/*
 * 1 if the island is at rest: the forces of the step set nothing in motion, and what is left of the
 * velocities v is the inexactness of the last complementarity problem.  It is none of the motion: followed,
 * it would make piles creep and their contact points change.
 */
int rls_bounded_rests (const rls_island *island, const double (*v)[6]);

/* 1 where the first half is solved again for the motion that it leads to; of many rows, and of those that
 * give way, the first answer does, and joints are closed after it. */
int rls_bounded_iterates (const rls_symplectic *work, const rls_bounded *b);

/* Lets the account of a sub-step, or of its first half, count for what is yet to come of the step. */
void rls_bounded_note_quality (rls_symplectic *work, rls_account *account);

/* Solves the problem of the second half from end.bounded.p on, for velocities v before its impulses.
 * again: rows and softness are those of the last time.  1 done, 0 no memory. */
int rls_bounded_solve_second (rls_island *island, double h, int again, double (*v)[6]);

/* The rows of the beginning, with bounds, targets, softness and impulses of end.bounded. */
rls_bounded rls_bounded_at_beginning (const rls_island *island);

/* Solves a problem of its own, which tells nothing of the step's, with bilateral (rows) as what the bilateral
 * rows want, for velocities v before its impulses, to a tolerance (m/s) and from the impulses start on.
 * again: rows are those of the last problem.  The answer is in problem->p.  1 done, 0 no memory. */
int rls_bounded_solve_apart (rls_island *island, const rls_bounded *problem, const double *start, int again,
                             double *bilateral, double tolerance, double (*v)[6]);

/* work.du := the mean velocities of the bodies in the sub-step of h (s), of which those of rows are made. */
void rls_bounded_find_motion (rls_symplectic *work, const rls_island *island, double h);

/* That of row r over a sub-step of h (s), where work.du is the bodies' motion. */
double rls_bounded_mean_velocity (const rls_symplectic *work, const rls_bounded *b, const rls_bounded *end,
                                  int j, int r, double h);

/* Exchanges beginning and end of the step, for a solver that works on what is at the beginning. */
void rls_bounded_exchange (rls_island *island);

#endif
