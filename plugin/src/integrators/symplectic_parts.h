/* What the files of the symplectic step share. */
#ifndef RLS_SYMPLECTIC_PARTS_H
#define RLS_SYMPLECTIC_PARTS_H

#include "island/flat.h"
#include "symplectic.h"

/* Where the iterations of a sub-step end at the latest, also in batches (tree_batch.c). */
#define RLS_MOST_CLEANINGS 3
#define RLS_MOST_ITERATIONS 30
#define RLS_MOST_SWEEPS 6 /* on the linearised motion */

/* v := v + Y A^-1 (target - H v) over the rows that the factor keeps; target NULL: 0.  x: scratch, rows. */
void rls_enforce (const rls_factor *factor, const rls_rows *rows, const double *target, double *x,
                  double (*v)[6]);

/* Largest |target - H v| of the rows that the factor keeps. */
double rls_velocity_residual (const rls_factor *factor, const rls_rows *rows, const double (*v)[6],
                              double *x);

/* out := v + time M^-1 f where the rows are; v for bodies that cannot be pushed. */
void rls_kick (const rls_island *island, const rls_rows *rows, const double (*v)[6], double time,
               double (*out)[6]);

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

/* u := the velocities before the multipliers act, and then with those that are expected. */
void rls_symplectic_begin_motion (rls_symplectic *work, rls_island *island, double h);

/* Once the joints are closed: keeps how the reaction changed from the last velocity kick to this position
 * kick. */
void rls_symplectic_keep_change (rls_symplectic *work, const rls_island *island, double h);

/* Keeps the reaction of the second kick and where the sub-step ended, for the next one. */
void rls_symplectic_end_substep (rls_symplectic *work, const rls_island *island, double h);

/* next.pose := pose advanced by u.  first: the discrete motion is found from u alone, otherwise from the last
 * one. Returns 0 if a body turns too fast to be followed. */
int rls_symplectic_drift (rls_symplectic *work, rls_island *island, double h, int first);

/* Rows and residual at next.pose: end.rows as they come, trial in the bases of the beginning.  first: the
 * first look of the sub-step.  Returns 0 if they cannot be had. */
int rls_symplectic_look (rls_symplectic *work, rls_island *island, double h, int first);

/* The residual (m or rad) of the rows at the iterate that a decision keeps. */
double rls_symplectic_open (const rls_symplectic *work, const unsigned char *decision);

/*
 * u := the velocities that end.rows belong to, u itself or a copy, and a correction from sweeps on the
 * linearised motion, to a part of the tolerance (m or rad) over the rows of decision.  fresh: with
 * trial_factor, otherwise with the factor of the beginning.
 */
void rls_symplectic_correct (rls_symplectic *work, rls_island *island, const double (*from)[6],
                             const unsigned char *decision, double tolerance, double h, int fresh);

/* Finds lambda: brings work->u from a guess to where next.pose satisfies the rows; end.rows are then
 * those of next.pose.  Returns as rls_symplectic_substep. */
rls_outcome rls_symplectic_close (rls_symplectic *work, rls_island *island, double h);

/* Moves a closed end beside a singular configuration onto the branch of the motion; gap is the least relative
 * pivot there.  Returns as rls_symplectic_substep. */
rls_outcome rls_symplectic_to_branch (rls_symplectic *work, rls_island *island, double h, double gap);

/*
 * v := velocities at the end of the sub-step, from u, with end.rows, end.factor, W and the forces of
 * next.pose. Forces may depend on v: then this half kick is implicit, as the one at the beginning is
 * explicit, which keeps the step symmetric.  Returns RLS_DONE, or RLS_FAILED when a value is not finite.
 */
rls_outcome rls_symplectic_kick (rls_symplectic *work, rls_island *island, double h);

/*
 * Rank decisions and singular normals of the node that a step begins with (rows, factor) and of the one that
 * a sub-step ends with (end.rows, end.factor at next.pose), for velocities w->v and w->u.  Return as
 * rls_symplectic_substep.
 */
rls_outcome rls_symplectic_begin_node (rls_symplectic *work, rls_island *island);
rls_outcome rls_symplectic_end_node (rls_symplectic *work, rls_island *island);

/* d := the part of d that rows and singular normals at the beginning of the sub-step allow. */
void rls_symplectic_tangential (rls_symplectic *work, const rls_island *island, double (*d)[6]);

#endif
