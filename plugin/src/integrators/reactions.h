/*
 * Reactions of the joints, for joint feedback, as means over the step (section 7 of method.md, "Feedback").
 *
 * The impulses of a step act along rows at more than one pose: in a symplectic sub-step lambda along those of
 * its beginning, mu along those of its end.  All impulses of a joint are added up as forces and torques on
 * its bodies; divided by h, the sum is the mean reaction.  With it the equations of Newton and Euler hold for
 * each body over the step, to rounding.  If redundant rows leave a choice, the impulses of least norm are
 * taken (redistribute.h).
 */
#ifndef RLS_REACTIONS_H
#define RLS_REACTIONS_H

#include "island/island.h"

/* Begins a step: sets all sums to 0, if reactions are wanted. */
void rls_reactions_begin (rls_island *island);

/*
 * Add impulses that act along rows with this factor, if reactions are wanted: the first those that have
 * changed the velocities of movable bodies from one to the other, the second those of accelerations a over a
 * time (s), the third impulses p (rows), which it changes to those of least norm.
 */
void rls_reactions_add (rls_island *island, const rls_constraints *at, const double (*from)[6],
                        const double (*to)[6]);
void rls_reactions_add_times (rls_island *island, const rls_constraints *at, double time,
                              const double (*a)[6]);
void rls_reactions_add_impulses (rls_island *island, const rls_factor *factor, const rls_rows *rows,
                                 double *p);

/* The first function makes sure that reactions.p has the impulses over a step of h (s) along
 * reactions.at.  The second sets the sums to these impulses, and to those by which velocities were made to
 * fit closed joints (reactions.closing), for a step that has not added them up. */
void rls_find_impulses (rls_island *island, double h);
void rls_reactions_of_one_pose (rls_island *island, double h);

#endif
