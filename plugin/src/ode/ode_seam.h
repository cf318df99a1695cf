/*
 * All that the plugin uses of ODE beside its public functions.
 *
 * ODE has no public hook for a joint solver.  But its libraries export the pieces of dWorldStep, and its
 * joints answer two questions: how many rows they have (getInfo1) and what these rows are (getInfo2).  The
 * functions below put these questions; everything else in the plugin calls public functions, through the
 * table in ode_calls.h. ode_prepare.h says which ODE that is, and when the tables are filled.
 */
#ifndef RLS_ODE_SEAM_H
#define RLS_ODE_SEAM_H

#include "ode_calls.h"
#include "ode_prepare.h"
#include <stddef.h>
#include <string.h>

typedef void vector_getter (dJointID joint, dVector3 result);

#define RLS_ODE_JOINT_TYPE_COUNT (dJointTypeTransmission + 1)
#define RLS_ODE_MAX_ROWS 6 /* no joint of ODE 0.16 has more */

/* The islands of a world as ODE finds them.  sizes has two numbers for each island, its bodies and its
 * joints; bodies and joints are those of all islands, one behind the other.  Valid until the next search. */
typedef struct
{
    size_t count;
    const unsigned *sizes;
    dBodyID const *bodies;
    dJointID const *joints;
    int body_count, joint_count; /* of all islands; these two are the plugin's */
} rls_ode_islands;

/*
 * The rows of one joint: J1 v1 + J2 v2 + cfm lambda = rhs, with multipliers lambda within [lo, hi].  Entries
 * 0..2 of a row of J are linear and 3..5 angular for body 1, 6..11 the same for body 2 (zero if there is
 * none).  A joint to the world has its body first, in whichever order they were named.
 */
typedef struct
{
    dJointID joint;
    dJointType type;
    int count; /* how many rows */
    dReal J[RLS_ODE_MAX_ROWS][12];
    dReal rhs_cfm[RLS_ODE_MAX_ROWS][2];
    dReal lo_hi[RLS_ODE_MAX_ROWS][2];
    int findex[RLS_ODE_MAX_ROWS]; /* row of this joint whose multiplier scales the bounds, or -1 */
    dReal rest[RLS_ODE_MAX_ROWS]; /* the velocity that a row wants, without what takes back its error; found
                                     by those who need it (gather_rows.c) */
} rls_ode_rows;

/* A task for ODE's thread pool, to be the first member of a larger struct. */
typedef struct rls_ode_task
{
    void (*run) (struct rls_ode_task *task);
    int done; /* how many threads have run it */
} rls_ode_task;

/* Runs ODE's auto-disable and island search for a step of h >= 0.  Returns 1, or 0 when ODE lacks memory. */
int rls_ode_find_islands (dWorldID world, dReal h, rls_ode_islands *islands);

/* Runs the tasks on the world's own threads and waits for them, after rls_ode_find_islands.  sizes is
 * workspace of 2 * count.  Returns 1, or 0 if ODE cannot start its threads. */
int rls_ode_run_tasks (dWorldID world, dReal h, rls_ode_task **tasks, unsigned *sizes, size_t count);

/* Reads the force and torque in a body's accumulators; and sets them. */
static inline void rls_get_force (dBodyID body, dReal force[6])
{
    memcpy (force, dBodyGetForce (body), 3 * sizeof (dReal));
    memcpy (force + 3, dBodyGetTorque (body), 3 * sizeof (dReal));
}

static inline void rls_set_force (dBodyID body, const dReal force[6])
{
    dBodySetForce (body, force[0], force[1], force[2]);
    dBodySetTorque (body, force[3], force[4], force[5]);
}

/* The k-th of a feedback's twelve numbers: force and torque on the first body, then on the second. */
static inline dReal *rls_feedback_number (dJointFeedback *feedback, int k)
{
    dReal *const part[4] = {feedback->f1, feedback->t1, feedback->f2, feedback->t2};
    return &part[k / 3][k % 3];
}

/* The joint's bodies in the order of its rows: bodies[0] has entries 0..5. */
void rls_ode_joint_bodies (dJointID joint, dBodyID bodies[2]);

/* The number of rows of a joint at the present poses of its bodies, of which there must be one.  unbounded
 * (or NULL): how many of them ODE counts as unbounded, too few for a contact with rolling friction. */
int rls_ode_count_rows (dJointID joint, int *unbounded);
static inline int rls_ode_row_count (dJointID joint) { return rls_ode_count_rows (joint, NULL); }

/*
 * Asks the joint for its m rows; fps is 1 / h, erp and cfm are the world's.  With fps = 1 and erp = 1 the
 * right-hand side of a hard row is the negative position error.
 *
 * The first function is for the question that ODE asks once in a step, which has side effects: gears count
 * their turns, from what their speeds let expect of a step, and a motor that drives against its stop adds a
 * force to its bodies (ODE's fudge factor).  The others leave all as it was; push (or NULL) receives what
 * would have been added to the forces on the bodies.
 */
void rls_ode_get_rows_counted (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows);
void rls_ode_get_rows_aside (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows,
                             double push[2][6]);
static inline void rls_ode_get_rows (dJointID joint, int m, dReal fps, dReal erp, dReal cfm,
                                     rls_ode_rows *rows)
{
    rls_ode_get_rows_aside (joint, m, fps, erp, cfm, rows, NULL);
}

/* Does what ODE does after moving a body: angular speed cap, rotation matrix, geoms, moved-callback, damping.
 */
void rls_ode_finish_body (dBodyID body);

/* ---- ode_types.c ---- */

/* The number of base rows of a type of joint: the bilateral ones that come before those of limits and motors.
 */
int rls_ode_base_rows (dJointType type);

/* What the error of each base row is, one letter for each; see ode_names.h. */
const char *rls_ode_row_kinds (dJointType type);

/*
 * The part of a joint's memory in ODE that its type adds to what every joint has: anchors, axes and limits,
 * all that its rows depend on besides the poses of its bodies.  Known for ball joints, hinges and universal
 * joints.  The first function returns its size in bytes (0 for other types, and if this ODE's differs from
 * the known one), the second copies it, the third returns 1 if it is the same as a copy.
 */
size_t rls_ode_own_size (dJointID joint, dJointType type);
void rls_ode_own_copy (dJointID joint, dJointType type, void *copy);
int rls_ode_own_same (dJointID joint, dJointType type, const void *copy);

/* The axis of a row behind the base rows, -1 if it has none.  These rows are in the order of the axes that
 * are driven or locked; stops must not be active. */
int rls_ode_axis_of_row (dJointID joint, dJointType type, int row);

/* True if both stops of an axis are at the same position and so lock it. */
int rls_ode_is_locked (dJointID joint, dJointType type, int axis);

/* The ERP in a row's right-hand side if it is the joint's own; -1 if it is the world's. */
dReal rls_ode_own_erp (dJointID joint, dJointType type, int row);

/* Returns the contact of such a joint, in its memory; NULL if this ODE's memory is not known. */
const dContact *rls_ode_contact_of (dJointID joint);

/* True if a contact is known to want no velocity: its surface does not move and has no restitution. */
int rls_ode_contact_is_plain (dJointID joint);

/*
 * The length of the axis that this row compares with that of the first body; the row's error is too large by
 * this factor.  ODE stores an axis in a body at unit length, but one in the world as long as it was given.
 * Returns 1 if the row compares no axes, and if this ODE's memory is not known.
 */
double rls_ode_axis_length (dJointID joint, dJointType type, int row);

/* The length of a vector; 1 if it is that to rounding. */
double rls_ode_length_of_axis (const double axis[3]);

/* Parameters of joints (dParam...), by type. */
#define RLS_MOST_AXES 3

typedef struct
{
    dJointType type;

    /* ODE's functions; get is NULL for a type without parameters */
    dReal (**get) (dJointID joint, int parameter);
    void (**set) (dJointID joint, int parameter, dReal value);

    int motors;    /* axes that may be driven, in the order of their groups of parameters */
    int axes;      /* how many of them, from the first on, may have stops */
    unsigned ways; /* one bit for each axis along which the joint slides; the others are angles */
    int erp;       /* the parameter that is the ERP of its base rows, 0 if they have none of their own */

    /* anchors on both bodies and axes, as far as they are asked for, otherwise NULL */
    vector_getter **anchor[2], **axis[RLS_MOST_AXES];

    /* position of each axis (m or rad), NULL if ODE has no function for it; the sign may be the other one if
     * the world was named first */
    dReal (**position[RLS_MOST_AXES]) (dJointID joint);
} rls_ode_parameters;

const rls_ode_parameters *rls_ode_parameters_of (dJointType type);

/* Reads and sets a parameter of an axis. */
static inline dReal rls_ode_get (const rls_ode_parameters *t, dJointID joint, int axis, int which)
{
    return (*t->get) (joint, axis * dParamGroup + which);
}

static inline void rls_ode_set (const rls_ode_parameters *t, dJointID joint, int axis, int which, dReal value)
{
    (*t->set) (joint, axis * dParamGroup + which, value);
}

/* Saves and restores the parameters of all axes that are changed while a joint is asked for its rows: stops,
 * maximal motor force, ERP and restitution of stops. */
#define RLS_CHANGED 5
typedef struct
{
    dReal value[RLS_MOST_AXES][RLS_CHANGED];
} rls_ode_saved;
void rls_ode_save (const rls_ode_parameters *t, dJointID joint, rls_ode_saved *saved);
void rls_ode_restore (const rls_ode_parameters *t, dJointID joint, const rls_ode_saved *saved);

/* ---- ode_mend.c ---- */

/*
 * True if a joint must not be asked for its rows in a step h (s), because ODE would end the program: two axes
 * that must differ are parallel, gears have no radius or turn too far.
 */
int rls_is_degenerate (dJointID joint, double h);

/*
 * Corrects what ODE has wrong in a row of such a joint and in its error: levers of PU, hinge-2 and double
 * hinge joints, and the length of an axis in the world.
 */
void rls_ode_mend_row (dJointID joint, dJointType type, int row, double J[12], double *error);

/*
 * The slide of PR and PU joints is measured at their anchor.  ODE lets their motors and stops along it act
 * halfway between the bodies, or at the only one, which is right only if these do not turn against each
 * other.  If row r is one of these, moves it to the anchor, and turns it into the axis along which ODE
 * measures the slide of a PU joint to which the world comes first.
 */
void rls_ode_mend_way (dJointID joint, int r, double J[12]);

/*
 * Changes ODE's row of an axis such that the velocity along it is the rate of the axis' angle; along another
 * row a motor would do work although its angle does not move.  ODE's row of a hinge-2 joint whose axes are
 * not perpendicular also turns with the other axis, and those of the outer two Euler angles of an angular
 * motor are slower than these by the cosine of the middle angle.
 */
void rls_follow_angle (dJointID joint, int axis, double J[12]);

/* slid := the way (m, world axes) that a slider has been slid, from the first body of its rows to the second.
 */
void rls_ode_slid (dJointID slider, double slid[3]);

/* Corrects J of row r of the rows that a joint has in a step of h (s): as the functions for ways and angles
 * do, and the levers of sliders.  What rls_ode_mend_row corrects is left to that. */
void rls_ode_mend_levers (double h, const rls_ode_rows *rows, int r, double J[12]);

/*
 * Parts of rls_ode_get_rows_counted.
 *
 * Of a wheel's angle, gears take the whole turns that are nearest to what its angular velocity predicts, and
 * ODE ends the program if the wheel is exactly half a turn from there, as when a program turns a resting
 * wheel by half a turn.  So the angular velocities are slightly increased while ODE is asked; nothing else of
 * its answer depends on them.  (Kinematic wheels may belong to other islands as well, and are left as they
 * are.)  The second function sets them back.
 *
 * Of gears on intersecting axes ODE adds the ways that both have turned, which is right if each axis points
 * away from where the other gear has its contact; the second function lets the way of a gear whose partner's
 * axis points the other way count with the other sign.
 */
void rls_gears_lead (dJointID gears, dReal fps, dVector3 kept[2]);
void rls_gears_mend (dReal fps, dVector3 kept[2], rls_ode_rows *rows);

/* PR and piston joints with the world as their first body: the lever across the sliding axis from the anchor
 * to the body is the wrong way round, the moment has the wrong sign and the error lacks twice the lever.  k:
 * the right-hand side of an error of 1 (1/s). */
void rls_ode_turn_levers (dReal k, rls_ode_rows *rows);

/*
 * ode_prepare.c: the numbers of bodies and joints of a world.  ODE has no function for them, but counts them
 * in two neighbouring numbers near the beginning of a world's memory.  Their place is found with a world
 * whose numbers are known; both are 0 if that does not find it.
 */
typedef struct
{
    int bodies, joints;
} rls_ode_count;
rls_ode_count rls_ode_count_objects (dWorldID world);

#endif
