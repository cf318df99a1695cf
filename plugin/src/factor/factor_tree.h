/*
 * Joints that form a tree, eliminated with their bodies.
 *
 * With H dv = x to be satisfied at the least kinetic energy, a body on a joint moves as
 *
 *     dv = X dv_parent + T x + S q         X: rigidly with its parent;  T x: what the rows ask for;
 *                                          S: the rotations that the joint leaves
 *
 * and q follows from what hangs on the body: articulated inertia (Featherstone 1983), which is the recursion
 * of the least squares in its information form, a joint and a body at a time from the leaves on.  No row can
 * depend on the others, so that there is nothing to decide, and the work is a fraction of that on H M^-1 H'.
 *
 * Velocities and forces of a body are those at its joint's anchor.  That takes joints whose first three rows
 * hold a point, along the world's axes, and whose other rows hold rotations alone: balls, hinges, universal
 * and fixed joints.
 */
#ifndef RLS_FACTOR_TREE_H
#define RLS_FACTOR_TREE_H

#include "factor.h"

/* Sizes the arrays for the factor's order. */
void rls_factor_lay_out_tree (rls_factor *factor, rls_arena_cursor *cursor);

/* 1 if the rows can be eliminated in this way and all of them are to be kept. */
int rls_factor_is_tree (const rls_order *order, const rls_rows *rows, const unsigned char *decided);

/* Eliminates them; rows.W and rows.mass are those of the pose.  Returns 0 where inertia is none. */
int rls_factor_tree (rls_factor *factor, const rls_rows *rows);

/* As rls_factor_solve and rls_factor_enforce. */
void rls_factor_tree_solve (const rls_factor *factor, const rls_rows *rows, double *x);
void rls_factor_tree_enforce (const rls_factor *factor, const rls_rows *rows, const double *x,
                              double (*v)[6]);

/* The same of nodes from one on to an end, which are whole components. */
void rls_factor_tree_enforce_part (const rls_factor *factor, const rls_rows *rows, const double *x, int from,
                                   int end, double (*v)[6]);

/*
 * of (bodies): the trace of the angular velocities that unit angular impulses on a body make of itself, with
 * all others in tow; only those in the tree.  From the roots on, with what the elimination has left of the
 * bodies behind (Rodriguez, Kreutz & Jain, A spatial operator algebra for manipulator modeling and control,
 * 1991: the diagonal of the inverse operational-space inertia).  Uses the factor's workspace.
 */
void rls_factor_tree_mobility (const rls_factor *factor, const rls_rows *rows, double *of);

#endif
