/*
 * The seam with ODE: the only door to its private entry points.
 *
 * ODE has no public hook for a joint solver.  Its shared and static libraries do export the pieces of
 * dWorldStep, and its joints answer two questions: how many rows they have (getInfo1) and what the rows
 * are (getInfo2).  Everything else in the plugin uses ODE's public functions, by the table of ode_calls.h,
 * and the functions below.  Which ODE that is, and when the tables are filled: ode_prepare.h.
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

/* The islands of a world, as ODE found them: sizes holds (bodies, joints) for each island in turn, and
 * the two arrays hold the islands' bodies and joints one after the other.  Valid until the next search. */
typedef struct
{
    size_t count;
    const unsigned *sizes;
    dBodyID const *bodies;
    dJointID const *joints;
    int body_count, joint_count; /* of all islands; ODE knows nothing of these two */
} rls_ode_islands;

/*
 * The rows of one joint: J1 v1 + J2 v2 = rhs, softened by cfm, with multipliers within [lo, hi].
 * Columns of J: 0..2 linear and 3..5 angular of body 1, 6..11 the same of body 2 (zero if it has none).
 * A joint attached to the world has its body first, whichever way it was attached.
 */
typedef struct
{
    dReal J[RLS_ODE_MAX_ROWS][12];
    dReal rhs_cfm[RLS_ODE_MAX_ROWS][2];
    dReal lo_hi[RLS_ODE_MAX_ROWS][2];
    int findex[RLS_ODE_MAX_ROWS]; /* row of this joint whose multiplier scales the bounds, or -1 */
} rls_ode_rows;

/* A piece of work for ODE's thread pool: embed it first in a larger struct. */
typedef struct rls_ode_task
{
    void (*run) (struct rls_ode_task *task);
    int done; /* counted by the threads that ran it */
} rls_ode_task;

/* Runs ODE's auto-disable and island search for a step of h >= 0.  Returns 1, or 0 when ODE lacks memory. */
int rls_ode_find_islands (dWorldID world, dReal h, rls_ode_islands *islands);

/* Runs the tasks on the world's own threads and waits for them.  rls_ode_find_islands must have come
 * before.  sizes is workspace of 2 * count.  Returns 1, or 0 when ODE could not start its threads. */
int rls_ode_run_tasks (dWorldID world, dReal h, rls_ode_task **tasks, unsigned *sizes, size_t count);

/* The force and torque in a body's accumulators; and back. */
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

/* The joint's bodies in the order of its rows' columns: bodies[0] has columns 0..5. */
void rls_ode_joint_bodies (dJointID joint, dBodyID bodies[2]);

/* Asks the joint how many rows it has now (limits are tested at the present pose).  Bodies required. */
int rls_ode_row_count (dJointID joint);

/* The same, and how many ODE counts as without bounds: too few where a contact has rolling friction. */
int rls_ode_count_rows (dJointID joint, int *unbounded);

/*
 * Asks the joint for its m rows; fps is 1 / h and erp, cfm the world's.  With fps = 1 and erp = 1 the
 * right-hand side of a hard row is the negated geometric error.  A motor that is powered into its limit
 * adds a force to its bodies as a side effect (ODE's fudge factor).
 */
typedef void rls_ode_question (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows);
rls_ode_question rls_ode_get_rows;

/* The same, and leaves the forces on the joint's bodies as they were; push (may be NULL): what was added to
 * them. */
void rls_ode_get_rows_aside (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows,
                             double push[2][6]);

/* The same, once a step: gears count their turns when they are asked, by what their speed lets expect of one
 * step.  The question above leaves that as it was. */
rls_ode_question rls_ode_get_rows_counted;

/*
 * The same straight into the caller's arrays, for a joint of the given type with nothing but its base
 * rows: J (12 x m), rhs and cfm (m pairs).  The rows are bilateral.
 */
void rls_ode_get_base_rows (dJointID joint, dJointType type, int m, dReal fps, dReal erp, dReal cfm, dReal *J,
                            dReal (*rhs_cfm)[2]);

/* Number of leading rows of the joint's type that are plain bilateral constraints, before those of its
 * limits and motors. */
int rls_ode_base_rows (dJointType type);

/* What each of them tells, one letter a row; see ode_names.h. */
const char *rls_ode_row_kinds (dJointType type);

/*
 * The part of a joint's memory that its type adds to every joint's: anchors, axes, limits, all that its rows
 * depend on besides the poses of its bodies.  Known of ball joints, hinges and universal joints: its size in
 * bytes, 0 for others and where the library has it otherwise; a copy; and 1 if it is still the same as a
 * copy.
 */
size_t rls_ode_own_size (dJointID joint, dJointType type);
void rls_ode_own_copy (dJointID joint, dJointType type, void *copy);
int rls_ode_own_same (dJointID joint, dJointType type, const void *copy);

/* The axis of a row past the base rows, with stops out of the way: rows are in the order of the axes that are
 * driven or locked.  -1 if it has none. */
int rls_ode_axis_of_row (dJointID joint, dJointType type, int row);

/* 1 if the stops of an axis hold it at one position. */
int rls_ode_is_locked (dJointID joint, dJointType type, int axis);

/* The ERP that a row's right-hand side holds instead of the world's, or -1 if it holds the world's. */
dReal rls_ode_own_erp (dJointID joint, dJointType type, int row);

/* The surface of a contact.  1 done, 0 where ODE's memory is not known. */
int rls_ode_contact_surface (dJointID joint, dSurfaceParameters *surface);

/* 1 if a contact is known to want no velocity: its surface does not move, and nothing rebounds from it. */
int rls_ode_contact_is_plain (dJointID joint);

/* Gives a joint of a type whose base rows have an ERP of their own another one. */
void rls_ode_set_own_erp (dJointID joint, dJointType type, dReal erp);

/*
 * Mends what a row of the joint's type has wrong in ODE, and its error: the lever across the sliding axis of
 * PR and piston joints whose first body is the world (0.16.2; dWorldStep tears them apart), levers on the
 * first body of PU and hinge-2 joints, and the length of an axis in the world.
 */
void rls_ode_mend_row (dJointID joint, dJointType type, int row, double J[12], double *error);

/*
 * The way of PR and PU joints is measured at their anchor.  Their motors and stops along it ODE lets act
 * halfway between the bodies, or at the one that there is, which is right only where these do not turn
 * against each other.  Moves row r to the anchor where it is one of these.
 */
void rls_ode_mend_way (dJointID joint, int r, double J[12]);

/*
 * The length of the axis that ODE compares in this row with that of the first body, and by which the row's
 * error is too large.  ODE keeps an axis in the world as long as it was given, one in a body at unit length.
 * 1 where the row compares no axes, and where ODE's memory is not known.
 */
double rls_ode_axis_length (dJointID joint, dJointType type, int row);
double rls_ode_length_of_axis (const double axis[3]); /* 1 if it is 1 to rounding */

/* What ODE does with a body after moving it: angular speed cap, geoms, moved-callback, damping. */
void rls_ode_finish_body (dBodyID body);

/* ---- what joints are told and asked by number (dParam...), by type ---- */

#define RLS_MOST_AXES 3

typedef struct
{
    dJointType type;

    /* entries of the table of ODE's functions; get is NULL of a type that has no parameters */
    dReal (**get) (dJointID joint, int parameter);
    void (**set) (dJointID joint, int parameter, dReal value);

    int motors;             /* axes that may be driven, in the order of their groups of parameters */
    int axes;               /* of these the first so many may have stops */
    unsigned ways;          /* one bit for each axis that is a way, not an angle */
    int erp;                /* the parameter that is an ERP of its own, beside which it has a CFM; 0: none */
    vector_getter **anchor; /* where rows act whose levers ODE has wrong, or NULL */

    /* of each axis; may have the other sign where the world comes first; NULL: unknown */
    dReal (**position[RLS_MOST_AXES]) (dJointID joint);
} rls_ode_parameters;

const rls_ode_parameters *rls_ode_parameters_of (dJointType type);

/* A parameter of an axis. */
static inline dReal rls_ode_get (const rls_ode_parameters *t, dJointID joint, int axis, int which)
{
    return (*t->get) (joint, axis * dParamGroup + which);
}

static inline void rls_ode_set (const rls_ode_parameters *t, dJointID joint, int axis, int which, dReal value)
{
    (*t->set) (joint, axis * dParamGroup + which, value);
}

/* Parameters of all axes that are changed while a joint is asked (stops, motor, ERP and bounce of stops):
 * kept, and put back. */
#define RLS_CHANGED 5
typedef struct
{
    dReal value[RLS_MOST_AXES][RLS_CHANGED];
} rls_ode_saved;
void rls_ode_save (const rls_ode_parameters *t, dJointID joint, rls_ode_saved *saved);
void rls_ode_restore (const rls_ode_parameters *t, dJointID joint, const rls_ode_saved *saved);

/*
 * stops.c: stops of ODE's joints, before they are passed.
 *
 * ODE has a row for a stop only while the joint is beyond it, and no row for a motor then.  The accurate step
 * wants to know of a stop before it is reached, and has both rows.  So joints with stops are asked for their
 * rows with the stops out of the way, and for each stop that the step may reach once more with that stop
 * moved towards them: ODE then tells its row and how far it is.  The parameters are put back as they were
 * each time.  Stops of hinges and universal joints follow from axes and angles, which ODE has functions for.
 */
typedef struct
{
    double J[12];
    double gap; /* m or rad until the stop; less than 0 beyond it */
    double erp, cfm, bounce;
} rls_stop;

/* 1 if the axis has stops, and may move between them. */
int rls_has_stops (dJointID joint, int axis);

/* As rls_ode_row_count, without the rows of stops. */
int rls_rows_without_stops (dJointID joint);

/* The angles about a joint's axes as stops measure them, where ODE tells these and the axes (known); other
 * stops are asked for. */
typedef struct
{
    int known;
    double of[2];
} rls_stop_angles;
rls_stop_angles rls_look_at_angles (dJointID joint);

/* Fills *stop if it is no farther than reach (m or rad).  Axis a has the stops 2 a, the low one, and 2 a + 1;
 * now: the joint's angles.  Returns 1 then, 0 if it is farther or there is none.  Ends with the stops out of
 * the way for rls_ode_get_rows. */
int rls_read_stop (dJointID joint, int number, const rls_stop_angles *now, double reach, rls_stop *stop);

/*
 * Makes the velocity along ODE's row of an axis that of its angle.  What pushed along another would work
 * where no angle moves: of a hinge-2 joint whose axes are not square ODE's row turns with the other axis,
 * too, and of an angular motor's Euler angles the outer two are slower than theirs by the cosine of the
 * middle one.
 */
void rls_follow_angle (dJointID joint, int axis, double J[12]);

/* An axis of a joint as a row: its velocity is that of the position, which is as the stops measure it. */
typedef struct
{
    double J[12];
    double position; /* m or rad; NAN for the second axis of a hinge-2, which ODE gives no stops */
    int angular;
} rls_axis;

/* 1 if the joint has this axis, and ODE knows its position. */
int rls_has_axis (dJointID joint, int axis, int with_position);

/* Asks ODE by locking the axis at 0, or by a motor on it.  Returns 0 if it has none, or a number is not
 * finite. */
int rls_read_axis (dJointID joint, int axis, rls_axis *at);

/* ---- degenerate.c ---- */

/*
 * Whether a joint cannot be asked for its rows in a step h (s): two axes that must differ are parallel, gears
 * have no radius or turn too far.  ODE ends the program when it is asked all the same.
 */
int rls_is_degenerate (dJointID joint, double h);

/*
 * ode_prepare.c: how many bodies and joints a world has.  ODE does not say, but counts them in two
 * neighbouring numbers near the beginning of a world; where they are is found out with a world whose numbers
 * are known. Both are 0 where that does not tell.
 */
typedef struct
{
    int bodies, joints;
} rls_ode_count;
rls_ode_count rls_ode_count_objects (dWorldID world);

#endif
