/*
 * From ODE to flat arrays: what the files share that read an island.
 *
 *     gather.c           the island: bodies, forces
 *     gather_joints.c    its joints, at the beginning of a step and at trial poses
 *     gather_rows.c      bilateral rows of a joint
 *     gather_bounded.c   bounded rows of a joint
 *     gather_axes.c      stops and springs along its axes
 *     gather_soft.c      soft rows: springs and dampers in the place of hard rows
 *     program_rows.c     rows that the program gives (dRLSStepperSetJointRows), and of driven axes
 *                        (dRLSStepperSetJointDrive)
 *     joint_cache.c      joints that have not changed since the last step
 *     length_scale.c     the unit of length
 *     arrange.c          the order of bodies and joints, kept from step to step
 *
 * There are two numbers of a joint: j among the joints of the island, and i among those that have bilateral
 * rows (or, in a rls_bounded, bounded ones).
 */
#ifndef RLS_GATHER_H
#define RLS_GATHER_H

#include "stepper/stepper.h"

/* The CFM that ODE gives to a new world and its joints. */
#define RLS_STOCK_CFM (sizeof (dReal) == sizeof (float) ? (double)RLS_STOCK_CFM_SINGLE : RLS_STOCK_CFM_DOUBLE)

/* True for a row without bounds, which is an equation. */
static inline int rls_is_bilateral (const rls_ode_rows *rows, int r)
{
    return rows->lo_hi[r][0] <= -dInfinity && rows->lo_hi[r][1] >= dInfinity && rows->findex[r] < 0;
}

/* 0 if all numbers are finite, NaN otherwise. */
static inline dReal rls_nothing_of (const dReal *x, int n)
{
    dReal nothing = 0;
    for (int i = 0; i < n; ++i) nothing += 0 * x[i];
    return nothing;
}

static inline int rls_all_finite (const dReal *x, int n) { return rls_nothing_of (x, n) == 0; }

static inline void rls_copy (double *to, const dReal *from, int n)
{
    for (int i = 0; i < n; ++i) to[i] = from[i];
}

/* ---- gather_joints.c ---- */

/* Reads the rows of all joints at the beginning of the step into begin.rows and begin.bounded.  Returns a
 * dRLSStatus. */
int rls_gather_joints (rls_workspace *workspace);

/* provider.rows (island.h): the bilateral rows at other poses. */
int rls_evaluate_joints (rls_island *island, const rls_pose *pose);

/* ---- gather_rows.c ---- */

/* True for corrections that use ODE's right-hand sides as they are.  The targets of drives' and programs'
 * rows then contain the world's ERP times their error, too. */
int rls_keeps_verbatim (const rls_workspace *workspace);

/* The CFM of a joint if it was given one of its own; 0 if it is ODE's or the world's, which is
 * regularisation. */
double rls_own_cfm (const rls_workspace *workspace, double cfm);

/* Reads the m rows of a joint, bilateral ones into begin.rows and the others into begin.bounded.
 * Returns the number of bilateral ones, -1 if a number is not finite. */
int rls_read_any (rls_workspace *workspace, int j, int m, int r0);

/* Reads the bilateral rows of joint j at the present poses of its bodies, those of ODE or of the program,
 * into rows from r0 on.  ode_row: of the program's rows those that are wanted, count of them; of ODE's, of
 * which there may be as many, the numbers of those that are found.  Returns how many there are; -1 if a
 * number is not finite or it is not possible. */
int rls_read_here (const rls_workspace *workspace, int j, rls_rows *to, int r0, int *ode_row, int count);

/* J := ODE's row r of a joint.  Levers that ODE has wrong are corrected unless its own right-hand sides are
 * used. */
void rls_copy_row (const rls_workspace *workspace, const rls_ode_rows *from, int r, double J[12]);

/* Asks ODE for the m rows of the joint at the present poses of its bodies; once: for the one time in the step
 * that has side effects (rls_ode_get_rows_counted).  Returns m, -1 if a number is not finite or ODE
 * must not be asked again. */
int rls_ask (const rls_workspace *workspace, dJointID joint, int m, int once, rls_ode_rows *rows);

/* ---- gather_bounded.c ---- */

/* provider.bounded: the bounded rows at other poses. */
int rls_evaluate_bounded (rls_island *island, const rls_pose *pose);

/* Appends the bounded ones of the rows of joint j to begin.bounded.  Returns their number. */
int rls_read_bounded (rls_workspace *workspace, int j, const rls_ode_rows *from);

/* Appends a row of joint j to begin.bounded, without bounds and with a target of 0; J (or NULL) may be left
 * to the caller.  Returns its index. */
int rls_append_row (rls_workspace *workspace, int j, int ode_row, const double J[12]);

/* Makes the rows from first on a bounded joint, and converts them to the unit of length.  The next step finds
 * it again by the joint and ode_row of its first row.  Returns its index. */
int rls_append_joint (rls_workspace *workspace, int first);

/* The spring and damper that ODE's ERP and CFM make of a row: k = ERP / (h CFM), c = (1 - ERP) / CFM.  For a
 * row that holds a velocity, erp is 0 and there is no stiffness. */
void rls_spring_of (const rls_workspace *workspace, double erp, double cfm, double *k, double *c);

/* The bound of an impulse (N s) from ODE's bound of a force. */
double rls_impulse_bound (dReal bound, double h);

/* ---- gather_axes.c ---- */

/* The number of rows of a joint in this step; without its stops if these are rows of their own. */
int rls_count_rows (const rls_workspace *workspace, dJointID joint);

/* The same without its stops, in any step. */
int rls_rows_without_stops (dJointID joint);

/* Returns 1 if the joint has this axis and, if with_position, ODE gives its position. */
int rls_has_axis (dJointID joint, int axis, int with_position);

/* Reads the angles about a joint's axes as stops measure them (rad).  Returns 0 if ODE does not give these
 * and the axes; its stops are then asked for. */
int rls_look_at_angles (dJointID joint, double angles[2]);

/* Returns the coordinate of a joint's axis (rad or units of length), NAN if ODE does not give it, and, but of
 * sliders, its row: the coordinate changes with the velocity along J. */
double rls_axis_coordinate (const rls_workspace *workspace, dJointID joint, int axis, double J[12]);

/* Returns the coordinate of the axis whose row is J, and which one that is in found; NAN if there is none. */
double rls_find_coordinate (const rls_workspace *workspace, dJointID joint, const double J[12], int *found);

/* Finds the row J of a stop and its distance, the gap (m or rad; negative beyond it), if it is within reach.
 * angles: NULL if they are not known.  Axis a has stop 2 a, the low one, and stop 2 a + 1.  Returns 0 if it
 * is farther or there is none.  rls_ode_get_rows may be called afterwards for the rows without stops. */
int rls_read_stop (dJointID joint, int number, const double *angles, double reach, double J[12], double *gap);

/* Stops and springs are bounded joints of one row, whose ode_row begins at these numbers. */
#define RLS_STOP_ROWS 16
#define RLS_SPRING_ROWS (RLS_STOP_ROWS + 8)

/* The largest number of such rows that the joint may have. */
int rls_most_axis_rows (const rls_workspace *workspace, dJointID joint);

/* Appends to begin.bounded the springs of joint j, and the stops that it may reach in the step. */
void rls_take_axis_rows (rls_workspace *workspace, int j);

/* Evaluates J and way of bounded joint i, one of these rows, at the present poses of its bodies.  Returns 0
 * if that is not possible. */
int rls_look_at_axis_row (const rls_workspace *workspace, int i, rls_bounded *end);

/* ---- gather_soft.c ---- */

/* True if soft rows are among the bounded ones in this step: they are springs in both of its halves. */
int rls_springs_in_halves (const rls_workspace *workspace);

/* True if a joint may have soft rows that are. */
int rls_may_give_way (const rls_workspace *workspace, dJointID joint);

/* Moves the soft ones of the count rows from r0 on, which are those of joint j, from begin.rows to
 * begin.bounded. Returns the number of those that stay; they close up. */
int rls_take_springs (rls_workspace *workspace, int j, int r0, int count);

/* Copies row from of begin.rows to row to, which is not behind it. */
void rls_keep_row (rls_island *island, int to, int from);

/* Appends a row of stiffness k and damping c to begin.bounded.  It is stretched by open (m or rad), and at
 * rest at the velocity rate.  Returns its index. */
int rls_append_spring (rls_workspace *workspace, int j, int ode_row, const double J[12], double k, double c,
                       double open, double rate);

/* Evaluates J and residual (and target, if not NULL) of the joint's rows with these numbers at the present
 * poses of its bodies, in the basis of the rows at the beginning.  Bounded rows are left as they are. Returns
 * 0 if that is not possible. */
int rls_read_in_bases (const rls_workspace *workspace, int j, const int *wanted, int count,
                       const rls_row *beginning, rls_row *J, double *residual, double *target);

/*
 * Compliant joints: springs and dampers in the place of hard rows.
 *
 * A row of stiffness k and damping d, taken at the end of the step, pushes with the impulse
 * p = h (k e' - d H v'), where e' = e - h H v' is its residual then.  That is the row
 *
 *     H v' + sigma^2 p = target,     sigma^2 = 1 / (h (h k + d)),     target = k e / (h k + d)
 *
 * in which sigma^2 is the variance of an imperfect constraint that Orsino & Oliveira leave for future work.
 * In ODE's terms it is a row with CFM = 1 / (h k + d) and ERP = h k / (h k + d).  A compliance keeps a
 * redundant mechanism from being overdetermined (Gonzalez & Kovecses).
 *
 * Makes those of the joint's count hard rows from r0 on soft that the program has given a compliance.
 */
void rls_soften (const rls_workspace *workspace, dJointID joint, rls_rows *rows, int r0, int count);

/* ---- program_rows.c ---- */

/* The rows that the program has given to a joint, or NULL. */
const rls_program_rows *rls_program_rows_of (const rls_workspace *workspace, dJointID joint);

/* The number of parts of rows of the island's joints; -1 if a joint with parts of its rows is not in the
 * island. */
int rls_count_parts (const rls_workspace *workspace);

/*
 * Asks the program for rows of a joint at the present poses of the bodies and the present time of the island:
 * the count rows whose numbers are in which, into rows from r0 on, with their parts.  given: what it has said
 * of all its rows.  Returns 0 if a number is not finite or the program's function fails.
 */
int rls_read_program_rows (const rls_workspace *workspace, const rls_program_rows *program, rls_rows *rows,
                           int r0, const int *which, int count, dRLSProgramRow given[RLS_MAX_ROWS]);

/* Bounded rows of the program are bounded joints of one row, whose ode_row begins at this number. */
#define RLS_PROGRAM_ROWS (RLS_SPRING_ROWS + 8)

/* Reads the rows of joint j at the beginning of the step, with their parts: those without bounds into
 * begin.rows from r0 on, the others into begin.bounded.  Returns the number of the former, -1 if a number is
 * not finite or the program's function fails. */
int rls_take_program_rows (rls_workspace *workspace, int j, int r0);

/* Evaluates J, parts and way of bounded joint i, such a row, at the present poses of its bodies.  Returns 0
 * if that is not possible. */
int rls_look_at_program_bound (const rls_workspace *workspace, int i, rls_bounded *end);

/* The drive of a joint, or NULL. */
const rls_drive *rls_drive_of (const rls_workspace *workspace, dJointID joint);

/* Forms the drive's row as row r of rows, at the present poses of the bodies and the present time of the
 * island: J along the axis, residual = wanted less present position (m or rad), target = wanted rate. Returns
 * 0 if the program's function gives a number that is not finite. */
int rls_drive_row (const rls_workspace *workspace, const rls_drive *drive, rls_rows *rows, int r);

/* J := the row of an axis of a hinge, a slider, or a universal joint between two bodies. */
void rls_axis_row (dJointID joint, int axis, double J[12]);

/* The rate of a hinge's angle or a slider's position (rad/s, m/s).  ODE's of a slider between bodies that
 * turn lacks what their distance across the axis adds. */
double rls_axis_rate (dJointID joint);

/*
 * ---- joint_cache.c ----
 *
 * Besides the poses of its bodies, the rows of a joint depend on its memory in ODE (anchors, axes, limits).
 * This is compared with a copy from the last step, which shows every change, by whatever call.  It is done
 * for joints with a frame (joint_frame.h) and hard rows.
 */

/* Begins a step.  What is known of the joints is kept if they are those of the last step.  Returns 1, or 0
 * without memory. */
int rls_joint_cache_begin (rls_workspace *workspace);

/* The number of rows of joint j if it has not changed; 0 if ODE has to be asked. */
int rls_joint_cache_rows (const rls_workspace *workspace, int j);

/* True if joint j has not changed, and was joint i of those with rows. */
int rls_joint_cache_as (const rls_workspace *workspace, int j, int i);

/* Forgets joint j, which has changed: in the next step its frame may be that of another joint. */
void rls_joint_cache_forget (rls_workspace *workspace, int j);

/* Stores joint j, just read as joint i and with a frame.  Without memory it is not stored, and asked again.
 */
void rls_joint_cache_note (rls_workspace *workspace, int j, int i);

/* True if the island stood in the last step and nothing has changed since that this step depends on: its
 * contacts are not read again.  stood: valid.stood of that step. */
int rls_contacts_stand (rls_workspace *workspace, int stood);

/* Notes the contacts of an island that stood in the last step, when they have been read. */
void rls_contacts_note (rls_workspace *workspace, int stood);

/* ---- moved_joints.c ---- */

/* Finds which joints the program has opened since the last step in the way in which it had before that, and
 * adds that motion to begin.rows. */
void rls_moved_joints_find (rls_workspace *workspace);

/* Adds it to rows that have been evaluated for a time (s). */
void rls_moved_joints_add (const rls_workspace *workspace, rls_rows *rows, double time);

/*
 * ---- length_scale.c: the unit of length that an island is computed in ----
 *
 * Tolerances of the stages are in "m or rad": they fit mechanisms of about a metre.  So that a watch and a
 * bridge are computed as well, an island's lengths are counted in a unit near its size, a power of 1024 m.
 * Between 3 cm and 32 m that is the metre.  Powers of two round nothing: a mechanism 1024 times as large,
 * with gravity and all, moves the same, bit for bit.
 *
 * Mass and time keep their units, so a force is counted in kg unit/s^2, a torque and an inertia in unit^2.
 * ODE, what is read from it and what is given to it, is in metres.
 */

/* The unit (m) for the island's size, its bodies' radii of gyration and the levers of its joints' bilateral
 * rows. It stays as it is while it is not far off. */
double rls_length_scale_of (const rls_workspace *workspace);

/* Rows r0 .. r0 + count - 1 from metres to the unit, with their parts: bilateral rows that are not compact,
 * and bounded ones with their bounds. */
void rls_length_scale_rows (double length_scale, rls_rows *rows, int r0, int count);
void rls_length_scale_bounded (double length_scale, rls_bounded *rows, int r0, int count);

/* The same for J of row r alone and its parts.  Returns the unit of its coordinate: 1 if it tells an angle,
 * otherwise length_scale. */
double rls_unit_row (double length_scale, const rls_parts *parts, int r, double J[12]);

/* rls_is_angular of row r of joint j: one over several bodies is angular if it is so for all of them. */
int rls_row_is_angular (const rls_rows *rows, int j, int r);

/* ---- arrange.c ---- */

/* Fills the workspace's lists of bodies and joints from those that ODE has found, and finds what is the same
 * as in the last step.  Returns 1, or 0 without memory. */
int rls_arrange (rls_workspace *workspace);

#endif
