/*
 * Energy of a step with bounded rows: what the bodies have gained that forces, motors and springs have not
 * given.
 */
#ifndef RLS_STEP_ENERGY_H
#define RLS_STEP_ENERGY_H

#include "symplectic.h"

/* Adds to work->rows_work what the equations' impulses of a half did, from work->kicked to v at the pose,
 * where work->v is what the equations ask of velocities there. */
void rls_note_rows_work (rls_symplectic *work, const rls_island *island, const rls_pose *pose,
                         const double (*v)[6]);

/* Adds to work->forced_work and forced_doubt what the forces of a sub-step of h, which is at its end, have
 * done, if some are the program's: their mean over both ends along the motion.  A kick that changes does h^2
 * (f1 M^-1 f1 - f0 M^-1 f0) / 8 more than that. */
void rls_note_forced_work (rls_symplectic *work, const rls_island *island, double h);

double rls_movable_mass (const rls_island *island); /* kg */

/* 1 if the body (-1: the world) moves as the program wants; if any does; if rows ask for velocities. */
int rls_is_kinematic (const rls_island *island, int body);
int rls_has_kinematic (const rls_island *island);
int rls_has_targets (const rls_island *island);

/* The most (J) that motors, moving surfaces, kinematic bodies and springs can have given with the impulses p
 * of the bounded rows: a row pulls towards the velocity that is wanted of it and not beyond, and a rebound
 * only gives back. */
double rls_most_given (const rls_island *island, const double *p);

/* J: what of the work of a kinematic body, which carries the island alone, the momenta of the others do not
 * know.  Contacts stay at their bodies where they were when the step of h began, so that forces that wedge a
 * body may act along two lines. */
double rls_credit_without_momentum (const rls_symplectic *work, const rls_island *island, double h);

/* 1 if drives, unbounded motors or kinematic bodies move the island. */
int rls_is_driven (const rls_island *island);

/*
 * 1 where drives wedge something between what cannot give way: there is no answer then, and the impulses p
 * (rows) of contacts and stops that come nearest to one are beyond all measure.  What stops an approach takes
 * about as much energy as the heavier of both bodies has at that speed; here it is 1 / RLS_LITTLE times that
 * and more.
 */
int rls_is_jammed (const rls_island *island, double h, const double *p);

/* Bodies that do, and have no energy that could be told. */
int rls_turns_without_gyroscopic_terms (const rls_island *island);

/* Work (J) that kinematic bodies do through the joints, whose impulses are reactions.p; *any: 1 if there are
 * such. */
double rls_work_through_joints (const rls_island *island, int *any);

/* Takes that energy (J) from next.v at the pose: from all velocities the same share, so that joints stay
 * closed and contacts do not approach. */
void rls_take_back (rls_island *island, const rls_pose *pose, double gained);

/* The last way back of an island whose step has failed: kinetic energy (J) of next.v, and, when impulses have
 * changed them since, what these have given is taken from next.v before it moves the bodies, into
 * account.taken_back. */
double rls_energy_of_kicks (const rls_island *island);
void rls_take_gain (rls_island *island, double before);

/* What a step of h (s) gains that ends at next.pose with the velocities v; the same of work->v, found once
 * for the end of a step. */
rls_gain rls_step_gain (const rls_symplectic *work, const rls_island *island, double h, const double (*v)[6]);
rls_gain rls_step_gain_at_end (rls_symplectic *work, const rls_island *island, double h);

/*
 * 1 if the step gave the bodies more energy than forces, motors, springs and rebounds can have given.  Where
 * a deep or contradictory problem was answered wrongly, the step is taken once more with w->yielding set:
 * contacts and stops give way in both halves, and the first one then is one problem at the beginning alone;
 * what that leaves open is taken back afterwards.
 */
int rls_step_gains_energy (rls_symplectic *work, const rls_island *island, double h);

/* 1 if that is more, too, than what bodies have that the forces move from rest for a step. */
int rls_step_gains_much (rls_symplectic *work, const rls_island *island, double h);

#endif
