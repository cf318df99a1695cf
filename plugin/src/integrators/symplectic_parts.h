/* What the files of the symplectic step share.  The rls_symplectic_... functions are the stages of a
 * sub-step; the others also serve other integrators, and tree_batch.c. */
#ifndef RLS_SYMPLECTIC_PARTS_H
#define RLS_SYMPLECTIC_PARTS_H

#include "accelerate.h"
#include "project.h"
#include "reactions.h"
#include "step_energy.h"

/* Iterations of a sub-step at most: projections of velocities, Newton's method, sweeps on the linearised
 * motion. */
#define RLS_MOST_CLEANINGS 3
#define RLS_MOST_ITERATIONS 30
#define RLS_MOST_SWEEPS 6

/* Returns the largest |target - H v| of the rows that the factor keeps.  x (rows): scratch. */
double rls_velocity_residual (const rls_constraints *at, const double (*v)[6], double *x);

/* to += scale x */
static inline void rls_add (int bodies, double scale, const double (*x)[6], double (*to)[6])
{
    rls_flat_add (6 * bodies, scale, x[0], to[0]);
}

/* The sum of the products of all entries. */
static inline double rls_inner (int bodies, const double (*a)[6], const double (*b)[6])
{
    double sum = 0;
    for (int i = 0; i < bodies; ++i) sum += rls_dot6 (a[i], b[i]);
    return sum;
}

/* First half kick: sets kicked, the velocities without multipliers, and u, those with the expected
 * multipliers. */
void rls_symplectic_begin_motion (rls_symplectic *work, rls_island *island, double h);

/* Once the joints are closed: keeps how the reaction has changed from the last second kick to this first one,
 * for the next prediction. */
void rls_symplectic_keep_change (rls_symplectic *work, const rls_island *island, double h);

/* Keeps the reaction of the second kick and where the sub-step ended, for the next one. */
void rls_symplectic_end_substep (rls_symplectic *work, const rls_island *island, double h);

/* next.pose := pose advanced by u for h (s).  first: as in rls_spins_drift.  Returns 0 if a body turns too
 * fast. */
int rls_symplectic_drift (rls_symplectic *work, rls_island *island, double h, int first);

/* Returns by how much (rad) the bodies of a row J0 at the beginning, J1 at the end of the sub-step have
 * turned against each other about it; NAN for rows that tell something else.  (bounded_motion.c) */
double rls_symplectic_turned (const rls_symplectic *work, const rls_island *island, const int body[2],
                              const double J0[12], const double J1[12]);

/* Returns the angle (rad) that differs from way by whole turns and belongs to rates, by which it were
 * by_rates. */
double rls_symplectic_way (double way, double by_rates);

/* Evaluates the rows at next.pose: end.rows as they are there, trial in the bases of the beginning.  first: 1
 * for the first evaluation of the sub-step.  Returns 0 if they cannot be evaluated. */
int rls_symplectic_look (rls_symplectic *work, rls_island *island, double h, int first);

/* Returns the largest residual (m or rad) of the rows at next.pose that a decision keeps. */
double rls_symplectic_open (const rls_symplectic *work, const unsigned char *decision);

/*
 * u := from plus a correction that closes the rows of decision to first order, by sweeps on the linearised
 * motion, to a part of the tolerance (m or rad).  from: the velocities that end.rows belong to; may be u.
 * fresh: 1 with trial_factor, 0 with the factor of the beginning.
 */
void rls_symplectic_correct (rls_symplectic *work, rls_island *island, const double (*from)[6],
                             const unsigned char *decision, double tolerance, double h, int fresh);

/* Finds lambda: changes work.u, from the first guess, such that the joints are closed at next.pose; end.rows
 * are then those of next.pose.  Returns as rls_symplectic_substep. */
rls_outcome rls_symplectic_close (rls_symplectic *work, rls_island *island, double h);

/* Moves a closed end near a singular configuration onto the branch of the motion.  gap: the least relative
 * pivot there.  Returns as rls_symplectic_substep. */
rls_outcome rls_symplectic_to_branch (rls_symplectic *work, rls_island *island, double h, double gap);

/*
 * Second half kick: v := velocities at the end of the sub-step, from u, with end.rows, end.factor and the
 * forces at next.pose.  If forces depend on v this kick is implicit, while the first one is explicit, which
 * keeps the step symmetric.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite or the
 * iteration diverges.
 */
rls_outcome rls_symplectic_kick (rls_symplectic *work, rls_island *island, double h);

/* Rank decisions and singular normals: at the node where a step begins (begin, for velocities work.v), and at
 * the one where a sub-step ends (end, at next.pose, for velocities work.u).  Return as
 * rls_symplectic_substep. */
rls_outcome rls_symplectic_begin_node (rls_symplectic *work, rls_island *island);
rls_outcome rls_symplectic_end_node (rls_symplectic *work, rls_island *island);

/* Projects v onto the rows at the beginning or the end of the sub-step, whose velocities become target (NULL:
 * 0), and removes its components along singular normals. */
void rls_symplectic_project (rls_symplectic *work, const rls_constraints *at, const double *target,
                             double (*v)[6]);

#endif
