/*
 * The energy of a step with bounded rows: what the bodies have gained that forces, motors, springs and
 * rebounds cannot have given (section 9 of method.md, "When a step fails").
 */
#ifndef RLS_STEP_ENERGY_H
#define RLS_STEP_ENERGY_H

#include "symplectic.h"

/* Adds the work (J) of the bilateral rows' impulses in a half of the step to work.rows_work: they change
 * velocities from work.kicked to v at the pose. */
void rls_note_rows_work (rls_symplectic *work, const rls_island *island, const rls_pose *pose,
                         const double (*v)[6]);

/* Adds the work (J) of the bounded rows' impulses p, less those of taken (NULL: none), in a half of the step
 * to work.bounded_work, its size to bounded_moved, and in second halves what differs between both impulses to
 * bounded_sudden: they act while velocities change from one to the other.  Not in islands with contacts,
 * whose steps are not taken in pieces. */
void rls_note_bounded_work (rls_symplectic *work, const rls_bounded *rows, const double *p,
                            const double *taken, const double (*from)[6], const double (*to)[6]);

/* Adds to work.bounded_work by how much the forces' half kick in a sub-step of h, between velocities v and
 * work.u, does more work than the same forces do by the displacement.  Where velocities change suddenly, as
 * by a motor that starts, drives do that much less.  Nor in islands with contacts. */
void rls_note_kick (rls_symplectic *work, const rls_island *island, double h, const double (*v)[6]);

/* Adds to work->forced_work and forced_doubt what the forces of a sub-step of h, which is at its end, have
 * done, if some are the program's: their mean over both ends along the motion.  A kick that changes does h^2
 * (f1 M^-1 f1 - f0 M^-1 f0) / 8 more than that. */
void rls_note_forced_work (rls_symplectic *work, const rls_island *island, double h);

/* Returns the mass (kg) of all bodies that can be pushed. */
double rls_movable_mass (const rls_island *island);

/* Return 1 if some body is kinematic and moves; if some bilateral row has a target velocity. */
int rls_has_kinematic (const rls_island *island);
int rls_has_targets (const rls_island *island);

/* Returns 1 if drives, motors of unlimited strength or kinematic bodies move the island. */
int rls_is_driven (const rls_island *island);

/*
 * 1 where drives wedge something between what cannot give way: there is no answer then, and the impulses p
 * (rows) of contacts and stops that come nearest to one are beyond all measure.  What stops an approach takes
 * about as much energy as the heavier of both bodies has at that speed; here it is 1 / RLS_LITTLE times that
 * and more.
 */
int rls_is_jammed (const rls_island *island, double h, const double *p);

/* Returns 1 if some body turns without gyroscopic terms: its energy is not defined. */
int rls_turns_without_gyroscopic_terms (const rls_island *island);

/* Returns the work (J) that kinematic bodies do through joints, whose impulses are reactions.p; any: 1 if
 * there are such joints. */
double rls_work_through_joints (const rls_island *island, int *any);

/* Returns 1 if a step with bounded rows has gained or lost energy that neither its forces nor the impulses of
 * these rows account for, by more than a step does that follows the motion. */
int rls_step_misses_energy (rls_symplectic *work, const rls_island *island, double h);

/* Takes the energy that an accepted step with bounded rows has gained from next.v and adds it to
 * account.taken_back, if that is more than a step gains that follows the motion.  Not in islands that are
 * driven, where the velocities of drives would change as well. */
void rls_take_gain_of_step (rls_symplectic *work, rls_island *island, double h);

/* For the last fallback: the first function returns the kinetic energy (J) of next.v before impulses change
 * it; the second, after that, takes what the impulses of a step of h (s) have added from next.v, before it
 * moves the bodies, and adds it to account.taken_back. */
double rls_energy_of_kicks (const rls_island *island);
void rls_take_gain (rls_island *island, double h, double before);

/* The first returns the energy that a step of h (s) gains which ends at next.pose with velocities v.  The
 * second is the same for work.v, computed only once for the end of a step. */
rls_gain rls_step_gain (const rls_symplectic *work, const rls_island *island, double h, const double (*v)[6]);
rls_gain rls_step_gain_at_end (rls_symplectic *work, const rls_island *island, double h);

/*
 * Returns 1 if the step has given the bodies more energy than forces, motors, springs and rebounds can have
 * given, because a deep or contradictory problem was solved wrongly.  The step is then taken once more with
 * work.yielding set: contacts and stops are compliant in both halves, and the first half is a single problem
 * at the beginning; what that leaves open is taken back afterwards.
 */
int rls_step_gains_energy (rls_symplectic *work, const rls_island *island, double h);

/* Returns 1 if that is also more than bodies have which the forces have moved from rest for one step. */
int rls_step_gains_much (rls_symplectic *work, const rls_island *island, double h);

/* ---- take_back.c ---- */

/* Returns 1 if joints, stops or motors, or also contacts, connect the island with a body that does not move
 * with it. */
int rls_is_held (const rls_island *island, int by_contacts);

/*
 * Takes so much energy (J) from next.v at the pose, by one factor for all velocities, so that joints stay
 * closed and contacts do not approach.  In an island that nothing holds these are the velocities relative to
 * the rigid body that has the same momenta, so that momenta stay.
 */
void rls_take_back (rls_island *island, const rls_pose *pose, double gained);

/* Returns the most energy (J) that the island would have if it moved as one rigid body with one of its
 * kinematic bodies; 0 without one that moves.  Overwrites scratch.six. */
double rls_carried_energy (const rls_island *island);

/* ---- sink.c ---- */

/*
 * After a step of h (s) with bounded rows: displaces next.pose such that no energy is gained.  Contacts with
 * bodies that do not move become no deeper by this than g h^2, by which collision detection sees a falling
 * body late.  Deeper ones are lifted where nothing moves; where something moves, by steps that lose energy,
 * and by other steps to a quarter.  Islands with joints to bodies that do not move are left alone.  The
 * caller leaves out islands with rows of the program, whose values may depend on the position.
 */
void rls_sink_by_gain (rls_symplectic *work, rls_island *island, double h);

#endif
