/*
 * Reactions of the joints as means over the step.
 *
 * A step pushes along the rows of more than one pose: a symplectic sub-step with lambda along those of its
 * beginning and with mu along those of its end.  What all pushes of a joint come to, over the length of the
 * step, is its mean reaction, and with these Newton's and Euler's balance of each body over the step hold to
 * rounding.  Where redundant rows leave a choice, each push is the one of least norm (redistribute.h).
 */
#ifndef RLS_REACTIONS_H
#define RLS_REACTIONS_H

#include "island/island.h"

/* Nothing has pushed yet. */
void rls_reactions_begin (rls_island *island);

/*
 * Add impulses along rows with a factor, where somebody asked for reactions: those that have changed the
 * velocities of movable bodies from one to the other; those of accelerations a over a time; and p (rows),
 * which the shares of redundant rows change.
 */
void rls_reactions_add (rls_island *island, const rls_factor *factor, const rls_rows *rows,
                        const double (*from)[6], const double (*to)[6]);
void rls_reactions_add_times (rls_island *island, const rls_factor *factor, const rls_rows *rows, double time,
                              const double (*a)[6]);
void rls_reactions_add_impulses (rls_island *island, const rls_factor *factor, const rls_rows *rows,
                                 double *p);

/* reactions.p := impulses over a step of length h of the rows that reactions points to, if they are not there
 * yet; and, of a step that counted nothing, what these do. */
void rls_find_impulses (rls_island *island, double h);
void rls_reactions_of_one_pose (rls_island *island, double h);

#endif
