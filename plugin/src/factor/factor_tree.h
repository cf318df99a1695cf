/*
 * Joints that form a tree, eliminated together with their bodies (method.md, section 3).
 *
 * H dv = x is to be satisfied with the least kinetic energy.  A body on a joint moves as
 *
 *     dv = X dv_parent + T x + S q         X: rigidly with its parent;  T x: as the rows require;
 *                                          S: the rotations that the joint leaves free
 *
 * and q follows from all that hangs on the body.  This is the articulated inertia of Featherstone (1983): the
 * recursion of the least squares in its information form, joint by joint and body by body from the leaves on.
 * No row can depend on others, so there is no rank to decide on, and the work is a fraction of that with H
 * M^-1 H'.
 *
 * Velocities and forces of a body are taken at the anchor of its joint.  For this the first three rows of a
 * joint must hold a point, along the world's axes, and its other rows rotations alone: ball joints, hinges,
 * universal and fixed joints.
 */
#ifndef RLS_FACTOR_TREE_H
#define RLS_FACTOR_TREE_H

#include "factor.h"

/* Lays the arrays out for the factor's order. */
void rls_factor_lay_out_tree (rls_factor *factor, rls_arena_cursor *cursor);

/* True if the rows can be eliminated in this way and all of them are to be kept. */
int rls_factor_is_tree (const rls_order *order, const rls_rows *rows, const unsigned char *decided);

/* Eliminates them.  Returns 0 if an inertia is not positive. */
int rls_factor_tree (rls_factor *factor, const rls_rows *rows);

/* rls_factor_solve and rls_factor_enforce for trees. */
void rls_factor_tree_solve (const rls_factor *factor, const rls_rows *rows, double *x);
void rls_factor_tree_enforce (const rls_factor *factor, const rls_rows *rows, const double *x,
                              double (*v)[6]);

/*
 * of (bodies) := the trace of the matrix of angular velocities that unit angular impulses on a body give to
 * it, with all bodies joined to it; only for bodies in the tree.  It is found from the roots on, with what
 * the elimination has left of the bodies that hang on each (Rodriguez, Kreutz & Jain, A spatial operator
 * algebra for manipulator modeling and control, 1991: the diagonal of the inverse operational-space inertia).
 * Uses the factor's workspace.
 */
void rls_factor_tree_mobility (const rls_factor *factor, const rls_rows *rows, double *of);

#endif
