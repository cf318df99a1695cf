/*
 * ODE -> flat arrays: what the files share that read an island.
 *
 *     gather.c           the island: bodies, forces
 *     gather_joints.c    its joints, one after the other, and again at other poses
 *     gather_rows.c      the rows of a joint: bilateral ones,
 *     gather_bounded.c   those with bounds,
 *     gather_axes.c      stops and springs along its axes,
 *     contact_points.c   what of two bodies touches
 *     gather_soft.c      and rows without bounds that give way
 *     program_rows.c     rows that the program gives; see dRLSStepperSetJointRows
 *     drives.c           rows of driven axes; see dRLSStepperSetJointDrive
 *     joint_cache.c      joints that have not changed since the last step
 *     arrange.c          the order of bodies and joints
 *
 * Joints are numbered twice: j is a joint of the island, i one of those that have bilateral rows (or, in a
 * rls_bounded, bounded ones).
 */
#ifndef RLS_GATHER_H
#define RLS_GATHER_H

#include "kernels/parts.h"
#include "length_scale.h"
#include "stepper/stepper.h"

/* What ODE gives a new world as CFM, and a joint made in it. */
#define RLS_STOCK_CFM (sizeof (dReal) == sizeof (float) ? (double)RLS_STOCK_CFM_SINGLE : RLS_STOCK_CFM_DOUBLE)

/* 1 for a row without bounds, an equation. */
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

/* Reads the rows of all joints into begin.rows and begin.bounded.  Returns a dRLSStatus. */
int rls_gather_joints (rls_workspace *workspace);

/* provider.rows: the bilateral rows at other poses. */
int rls_evaluate_joints (rls_island *island, const rls_pose *pose);

/* ---- gather_rows.c ---- */

/* 1 for corrections that keep ODE's own right-hand sides; rows of drives and programs then want besides their
 * velocity what is open, at the world's ERP, as well. */
int rls_keeps_verbatim (const rls_workspace *workspace);

/* A CFM that is a joint's own: 0 for what is regularisation. */
double rls_own_cfm (const rls_workspace *workspace, double cfm);

/*
 * The short way for the commonest case: a joint with nothing but its base rows, all of them hard.  ODE
 * writes J where it belongs.  Returns 0 if the joint is not of that kind; then nothing counts as read.
 */
int rls_read_base (const rls_workspace *workspace, dJointID joint, int m, rls_rows *to, int r0);

/* The same for any joint of the workspace, into begin.rows: reads all m rows and sorts them.  Returns how
 * many are bilateral, -1 if a number is not finite. */
int rls_read_any (rls_workspace *workspace, int j, int m, int r0);

/* The bilateral rows of joint i at a pose, where its bodies are now, into end.rows.  Returns 0 if there are
 * not as many as wanted, or a number is not finite. */
int rls_read_again (rls_workspace *workspace, const rls_pose *pose, int i, int wanted);

/* All bilateral rows of joint j as its bodies are now, soft ones too, and which of the joint's rows they are.
 * Returns how many; -1 if a number is not finite. */
int rls_read_all_bilateral (const rls_workspace *workspace, int j, rls_rows *to, int *ode_row);

/* ODE's row r of a joint, with its levers mended where ODE's own are not asked for. */
void rls_copy_row (const rls_workspace *workspace, dJointID joint, const rls_ode_rows *from, int r,
                   double J[12]);

/* Asks the joint for its m rows where its bodies are now.  Returns their number, -1 if a number is not
 * finite. */
int rls_ask_here (const rls_workspace *workspace, dJointID joint, int m, rls_ode_rows *rows);

/* The joint's m rows at zero frame rate, which takes back no error of position. */
void rls_ask_at_rest (const rls_workspace *workspace, dJointID joint, int m, rls_ode_rows *rows);

/* ---- gather_bounded.c ---- */

/* provider.bounded: the bounded rows at other poses. */
int rls_evaluate_bounded (rls_island *island, const rls_pose *pose);

/* Appends the bounded rows of joint j to begin.bounded.  Returns how many. */
int rls_read_bounded (rls_workspace *workspace, int j, int m, const rls_ode_rows *from);

/* A row of joint j more in begin.bounded, without bounds and with nothing else yet; its rows from first on as
 * a joint by itself, in the unit of length, which the next step finds again by joint j and ode_row.  Both
 * return which they are. */
int rls_append_row (rls_workspace *workspace, int j, int ode_row, const double J[12]);
int rls_append_joint (rls_workspace *workspace, int first);

/* What ODE's ERP and CFM make of a row: a spring with a damper, k = ERP / (h CFM) and c = (1 - ERP) / CFM; a
 * row that holds a velocity has no stiffness, as with an ERP of 0. */
void rls_spring_of (const rls_workspace *workspace, double erp, double cfm, double *k, double *c);

/* N s, of a bound of ODE's. */
double rls_impulse_bound (dReal bound, double h);

/* ---- contact_points.c ---- */

/* What touches of the bodies of contact at, joint j, if it rebounds: points and centre of begin.bounded. */
void rls_find_contact_points (rls_workspace *workspace, int j, int at);

/* ---- gather_axes.c ---- */

/* How many rows a joint has in this step, without its stops where those are rows of their own. */
int rls_count_rows (const rls_workspace *workspace, dJointID joint);

/* The most rows that its stops and springs may have; appends those that the step may reach to begin.bounded,
 * each as a joint by itself with ode_row from RLS_STOP_ROWS or RLS_SPRING_ROWS on; and J and way of one of
 * them where its bodies are now.  The last returns 0 if it cannot be had. */
#define RLS_STOP_ROWS 16
#define RLS_SPRING_ROWS (RLS_STOP_ROWS + 8)
int rls_most_axis_rows (const rls_workspace *workspace, dJointID joint);
void rls_take_axis_rows (rls_workspace *workspace, int j);
int rls_look_at_axis_row (const rls_workspace *workspace, int i, rls_bounded *end);

/* ---- gather_soft.c ---- */

/* Whether rows that give way are among the bounded ones; whether a joint may have such rows; moves those of
 * joint j from begin.rows, where it has count from r0 on, to the bounded ones, and returns how many stay. */
int rls_springs_in_halves (const rls_workspace *workspace);
int rls_may_give_way (const rls_workspace *workspace, dJointID joint);
int rls_take_springs (rls_workspace *workspace, int j, int r0, int count);

/* Rows that stay close up: row to of begin.rows becomes row from, which is not before it. */
void rls_keep_row (rls_island *island, int to, int from);

/* A row of stiffness k and damping c, stretched by open, as the last one of begin.bounded; rate: at which it
 * has its rest. */
int rls_append_spring (rls_workspace *workspace, int j, int ode_row, const double J[12], double k, double c,
                       double open, double rate);

/* Moves the bodies of joint j to a trial pose. */
void rls_try_joint (const rls_workspace *workspace, int j, const rls_pose *pose);

/* J and residual (and target, if not NULL) of the joint's rows with these numbers at a pose, in the bases
 * that they have at the beginning.  Rows with bounds are left as they are.  Returns 0 if they cannot be had.
 */
int rls_read_in_bases (const rls_workspace *workspace, int j, const rls_pose *pose, const int *wanted,
                       int count, const rls_row *beginning, rls_row *J, double *residual, double *target);

/*
 * Imperfect constraints: joints that give way as springs and dampers.
 *
 * A row of stiffness k and damping d, taken at the end of the step, pushes with the impulse
 * p = h (k e' - d H v') where e' = e - h H v' is what is open then.  That is the row
 *
 *     H v' + sigma^2 p = target,     sigma^2 = 1 / (h (h k + d)),     target = k e / (h k + d)
 *
 * of the recursion: the imperfection sigma^2 is the variance that Orsino & Oliveira leave for future work,
 * and ODE's CFM = 1 / (h k + d) and ERP = h k / (h k + d) of one row.  A joint's compliance (Gonzalez &
 * Kovecses) keeps a redundant mechanism from being overdetermined.
 *
 * Makes count hard rows of the joint at r0 imperfect, as far as it was given a compliance.
 */
void rls_soften (const rls_workspace *workspace, dJointID joint, rls_rows *rows, int r0, int count);

/* ---- program_rows.c ---- */

/* The rows given to a joint, or NULL. */
const rls_program_rows *rls_program_rows_of (const rls_workspace *workspace, dJointID joint);

/* How many joints of the island stand for parts of rows of others, -1 if those are not in it; and lists those
 * of joint i, which is joint j of the island. */
int rls_count_parts (const rls_workspace *workspace);
void rls_list_parts (rls_workspace *workspace, int j, int i);

/* Asks for the rows of joint i at the bodies' present poses and the island's present time: those with the
 * numbers in which, as rows r0 .. r0 + count - 1 of rows, with their parts; nonholonomic (may be NULL): 1 for
 * those that hold a velocity alone.  Returns 0 if a number is not finite or the function fails. */
int rls_read_program_rows (const rls_workspace *workspace, const rls_program_rows *program, rls_rows *rows,
                           int i, int r0, const int *which, int count, unsigned char *nonholonomic);

/* Moves the rows with bounds of joint j, the i-th of those with rows, from begin.rows, where it has count
 * from r0 on, to begin.bounded, each as a joint by itself with ode_row from RLS_PROGRAM_ROWS on.  Returns how
 * many stay, -1 if the function fails.  And J and way of one of them where its bodies are now, with its
 * parts; 0 if it cannot be had. */
#define RLS_PROGRAM_ROWS (RLS_SPRING_ROWS + 8)
int rls_take_program_bounds (rls_workspace *workspace, int j, int i, int r0, int count);
int rls_look_at_program_bound (const rls_workspace *workspace, int i, rls_bounded *end);

/* ---- drives.c ---- */

/* The drive of a joint, or NULL. */
const rls_drive *rls_drive_of (const rls_workspace *workspace, dJointID joint);

/* The drive's row at the bodies' present poses and the island's present time, as row r of rows: J along the
 * axis, residual = wanted - present position (m or rad), target = wanted rate.  Returns 0 if the function
 * gives a number that is not finite. */
int rls_drive_row (const rls_workspace *workspace, const rls_drive *drive, rls_rows *rows, int r);

/*
 * ---- joint_cache.c ----
 *
 * What the rows of a joint depend on, besides the poses of its bodies, is in the joint's own memory (anchors,
 * axes, limits), so comparing that with a copy is exact, whoever changed it and by whichever call.  It is
 * done for joints that have a frame (joint_frame.h) and whose rows are hard.
 */

/* Begins a step with the joints of the last one, or with new ones, of which nothing is known yet.  1 done, 0
 * no memory. */
int rls_joint_cache_begin (rls_workspace *workspace);

/* The number of rows of joint j if it is unchanged, 0 if it has to be asked. */
int rls_joint_cache_rows (const rls_workspace *workspace, int j);

/* 1 if joint j is unchanged, and was joint i. */
int rls_joint_cache_as (const rls_workspace *workspace, int j, int i);

/* Joint j has changed, so its frame may be another's in the next step. */
void rls_joint_cache_forget (rls_workspace *workspace, int j);

/* Notes joint j, just read as joint i and with a frame.  Without memory it will be asked again. */
void rls_joint_cache_note (rls_workspace *workspace, int j, int i);

/* ---- arrange.c ---- */

/* Fills the workspace's lists of objects from those that ODE found, and says what is the same as in the last
 * step. 1 done, 0 no memory. */
int rls_arrange (rls_workspace *workspace);

#endif
