/*
 * Bounded rows (limits, motors, contacts, friction) in both halves of a symplectic step; section 9 of
 * method.md, "The problem of a step".
 *
 *     u   = v0 + (h/2) M0^-1 f0 + M0^-1 (H0' lambda + G0' a)
 *     v1  = u~ + (h/2) M1^-1 f1 + M1^-1 (H1' mu + G1' b)
 *
 * a and b are the impulses of the two halves.  The first half makes the joints closed at q1, and the mean
 * velocities of the bounded rows over the step what they shall be; the second half does the same for the
 * velocities at q1.  Each half is a complementarity problem:
 *
 *     motor            |a|, |b| <= h F / 2
 *     contact, stop    0 <= a  _|_  mean velocity - rest >= 0,      0 <= a + b  _|_  G1 v1 - rest >= 0
 *     friction         |a_T| <= mu a_N,                             |a_T + b_T| <= mu (a_N + b_N)
 *
 * The bounds of contacts are on the totals a + b: with bounds on each half, the impulse by which a deep
 * contact is pushed back would become speed.  Depths are kept by these impulses, and reduced in between
 * (recover.h).  The mean velocity of a row is the change of its coordinate over h, of motors about axes
 * without one that of the angle by which their bodies have turned against each other; of other rows (G0 + G1)
 * / 2 times the velocity of the bodies over the step, whose angular velocity is the mean of both ends.
 *
 * The second problem starts from the solution of the first; which rows are at a bound then seldom changes.
 */
#ifndef RLS_BOUNDED_HALVES_H
#define RLS_BOUNDED_HALVES_H

#include "bounded/bounded.h"
#include "symplectic.h"

#define RLS_AT_REST 30 /* velocities up to so many times the residual of a problem are solver error */

/* The first half of a sub-step of h (s): from the velocities work.kicked finds a (begin.bounded.p) and a
 * first guess of work.u; adds a to work.kicked.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value
 * is not finite or something is jammed. */
rls_outcome rls_bounded_first_half (rls_symplectic *work, rls_island *island, double h);

/* The second half: v are the velocities at q1, with a and the forces' second kick; finds b, and changes v
 * to the velocities at the end.  again: 1 if the forces have changed since the last call in this sub-step;
 * it starts from the last solution.  Sets reactions.bounded_total to a + b, and adds b to work.kicked.
 * Returns as above. */
rls_outcome rls_bounded_second_half (rls_symplectic *work, rls_island *island, double h, int again,
                                     double (*v)[6]);

/* Returns 1 if the island is at rest: the forces of the step set nothing in motion, and the velocities v are
 * only solver error, and no more than forces change in the step (h).  Following them would make piles creep
 * and contact points change. */
int rls_bounded_rests (const rls_island *island, double h, const double (*v)[6]);

/* Returns 1 if the first half is iterated, for the motion over the step that it leads to.  Islands of many
 * rows, and compliant contacts, are solved for the rows at the beginning, once or twice, and joints are
 * closed afterwards. */
int rls_bounded_iterates (const rls_symplectic *work, const rls_bounded *b);

/* Keeps the residual of a sub-step, or of its first half, for the account of the whole step. */
void rls_bounded_note_quality (rls_symplectic *work, rls_account *account);

/* Returns what is asked of the solver in a half, before which forces have acted for a time (kicked, s): to
 * start from these impulses, times scale; again: 1 if its matrix is known already. */
rls_bounded_settings rls_bounded_of_half (const rls_island *island, double kicked, double scale,
                                          const double *start, int again);

/* Solves the problem of the second half, starting from end.bounded.p.  v: velocities before its impulses,
 * then after them. again: 1 if rows and softness are those of the last call.  Returns 1, or 0 without
 * memory. */
int rls_bounded_solve_second (rls_island *island, double h, int again, double (*v)[6]);

/* Returns the rows at the beginning, with bounds, targets, softness and impulses of end.bounded. */
rls_bounded rls_bounded_at_beginning (const rls_island *island);

/*
 * Gives the hard contacts of the first half a softness about the impulses end.p (sign 1), or takes it away
 * again (-1); target: those of the bounded rows.  Rigid bodies do not determine how contacts share a load:
 * of a car on four wheels three bore it, in each iteration others, and the friction of the fourth was lost.
 * If iterations converge, this softness does nothing.
 */
void rls_bounded_stay_near (const rls_bounded *b, rls_bounded *end, double *target, double sign);

/* Solves a problem that is not one of the two halves (of an impact, of depths) and leaves no trace in their
 * account.  asked: tolerance, accuracy, again and start of the settings; bilateral: targets of the bilateral
 * rows; v: velocities before its impulses, then after them.  The solution is in problem->p. Returns 1, or 0
 * without memory. */
int rls_bounded_solve_apart (rls_island *island, const rls_bounded *problem,
                             const rls_bounded_settings *asked, double *bilateral, double (*v)[6]);

/* Exchanges beginning and end of the sub-step in the island, for the solver, which works with the
 * beginning. */
void rls_bounded_exchange (rls_island *island);

/* ---- bounded_motion.c ---- */

/* work.du := the mean velocities of the bodies over the sub-step of h (s), to its end at next.pose. */
void rls_bounded_find_motion (rls_symplectic *work, const rls_island *island, double h);

/* Returns the mean velocity along row r, of joint j, over that sub-step; work.du as above. */
double rls_bounded_mean_velocity (const rls_symplectic *work, const rls_island *island, int j, int r,
                                  double h);

/* ---- overlaps.c ---- */

/*
 * Adds to end.target the velocities with which contacts shall approach in the first half so that they overlap
 * at the end of a step of h (s).  v: velocities of the bodies; before: NULL, or those of the beginning, for
 * contacts whose bodies were at rest then.
 *
 * Collision detection finds only what overlaps: a box that slides and touches only to rounding would lose
 * contacts now and then, and tip; a ball on a dome and what begins to move would fall for a step.  What stays
 * at rest is pushed no deeper, but where motors or kinematic bodies move an island their residuals add up: a
 * robot's feet would lose all their contacts at once.  Returns 1 if it has added any.
 */
int rls_overlap_contacts (rls_island *island, double h, const double (*v)[6], const double (*before)[6]);

/* ---- later_impulses.c ---- */

/* Returns 1 if the program moves the island: by motors, kinematic bodies, or contacts whose surface moves. */
int rls_is_moved (const rls_island *island);

/* Called after the second half of a step of h (s): notes what joints that hold bear in it. */
void rls_bounded_keep_later (rls_island *island, double h, const double (*v)[6]);

/* Called before the problem of the first half: recalls them, if the program moves the island by motors,
 * kinematic bodies or surfaces. */
void rls_bounded_begin_later (rls_island *island);

/*
 * Called after the problem of the first half, with its targets (bounded) and velocities u: gives impulses in
 * advance to all joints that held in the last step, if one of them holds no longer.  given: 1 after the
 * problem with these; then they are taken back from the joints that do not hold even so.  Returns 1 if the
 * problem is to be solved again.
 */
int rls_bounded_give_later (rls_island *island, double h, double *bounded, int given, const double (*u)[6]);

/* Takes the impulses that were given in advance from velocities v and from p; either may be NULL. */
void rls_bounded_push_given (const rls_bounded *b, double (*v)[6], double *p);

/* ---- reversals.c ---- */

/* Called after the problem of the second half of a step of h (s): fixes the impulses of the rows that
 * reverse, and solves the problem again.  before, v: velocities before and after its impulses; scratch:
 * bodies.  Returns 1, or 0 without memory. */
int rls_date_reversals (rls_island *island, double h, const double (*before)[6], double (*v)[6],
                        double (*scratch)[6]);

/* ---- soft_rows.c ---- */

/*
 * The coefficients of a soft row.  A row of stiffness k and damping c, stretched by psi0 at the beginning, by
 * psi1 at the end and by dpsi more over the step, has the impulses a in the first half and b in the second:
 *
 *     (2/h) a + k (psi0 + alpha dpsi) + c dpsi / h = 0,           b = (1 - eps) a + b^,
 *     2 / (h eps) b^ + k (psi1 + beta h G1 v1) + c G1 v1 = 0
 *
 * With alpha = 1/2 and eps = 0 this is the midpoint rule; with 1 it is accurate at the end of the step, for
 * springs that the step does not resolve.
 */
typedef struct
{
    double first, second; /* N s/m, N m s/rad: alpha h k + c and beta h k + c */
    double eps;
} rls_soft_row;

/* Returns the coefficients of row r, of joint j, in a step of h (s).  A (1/kg or 1/(kg m^2)): its mobility,
 * which determines how well the step resolves the spring. */
rls_soft_row rls_soft_row_of (const rls_bounded *b, int j, int r, double h, double A);

/*
 * Divides the depths of compliant contacts at the beginning of a step of h (s) into what a load has pressed
 * in, which is the spring's (open), and what is late because collision detection finds contacts late, which
 * is pushed out as the depth of hard contacts is (late, push; method.md, "Compliant contacts").  What is late
 * is carried from step to step with the contact.  The depth of a hard stop that the program moves in
 * successive steps becomes a velocity (rest) as far as it is due to that.
 */
void rls_divide_depths (rls_island *island, double h);

/* Returns the softness (1/kg or 1/(kg m^2)) with which soft row r rebounds in a step of h (s): CFM / h, as in
 * ODE, where a soft row rebounds with a little less than its coefficient of restitution. */
double rls_rebound_softness (const rls_bounded *b, int r, double h);

/* The first function returns the velocity along row r, of joint j, that a unit impulse along it causes with
 * the joints closed; the second, for a soft row, as well, closed (rows; NULL) being these mobilities if they
 * are known, but for contacts the mobility without joints, since there are many of them, and they are far
 * stiffer than a step resolves anyway.  Scratch: work.x, which must be 0, and work.du. */
double rls_closed_mobility (rls_symplectic *work, const rls_island *island, int j, int r);
double rls_soft_mobility (rls_symplectic *work, const rls_island *island, const double *closed, int j, int r);

#endif
