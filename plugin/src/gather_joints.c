/*
 * ODE's joints -> bilateral rows, bounded rows.
 *
 * Rows come from ODE's joints (getInfo1 and getInfo2).  A row without bounds is bilateral and goes to
 * island.rows; limits, motors and contacts go to island.bounded.  The world's CFM is regularisation and
 * is dropped from bilateral rows; a CFM that a joint has of its own is a compliance, sigma^2 = CFM / h,
 * and its row keeps ODE's right-hand side.  Hard rows have their position residual beside them, taken
 * from the right-hand side at ERP 1.
 */
#include "cell.h"
#include "drives.h"
#include "compliance.h"
#include "correct.h"
#include "degenerate.h"
#include "gather.h"
#include "joint_frame.h"
#include "rotation.h"
#include "standing.h"
#include "stepper.h"
#include "unit.h"
#include <math.h>
#include <string.h>

#ifdef dSINGLE
#define STOCK_CFM 1e-5f /* what ODE gives a new world, and a joint made in it */
#else
#define STOCK_CFM 1e-10
#endif

static int is_bilateral (const rls_ode_rows *rows, int r)
{
    return rows->lo_hi[r][0] <= -dInfinity && rows->lo_hi[r][1] >= dInfinity && rows->findex[r] < 0;
}

/* The joint's own compliance of a bilateral row (sigma^2), 0 if the row is hard. */
static double compliance (const rls_cell *cell, double cfm)
{
    const rls_settings *set = cell->settings;
    if (set->correction == dRLSCorrectionCompliant) return cfm / cell->h;
    return cfm == set->world_cfm || cfm == (double)STOCK_CFM ? 0 : cfm / cell->h;
}

/* Corrections that keep ODE's own right-hand sides. */
static int is_verbatim (const rls_cell *cell)
{
    return cell->settings->correction == dRLSCorrectionCompliant || rls_correct_takes_erp (cell->settings);
}

/* ERP 1 makes a hard row's right-hand side its residual; the softening corrections want ODE's own. */
static dReal row_erp (const rls_cell *cell, dJointType type)
{
    return is_verbatim (cell) || type == dJointTypeContact ? (dReal)cell->settings->world_erp : 1;
}

/* Mends a row across the sliding axis for which ODE took the lever from the anchor to the body, the wrong way
 * round: its moment has the wrong sign and its error lacks twice the lever. */
static void mend_lever (dJointID joint, dJointType type, rls_rows *rows, int row)
{
    dVector3 anchor;
    const dReal *position = dBodyGetPosition (dJointGetBody (joint, 1));
    if (type == dJointTypePR)
        dJointGetPRAnchor (joint, anchor);
    else
        dJointGetPistonAnchor (joint, anchor);
    double *J = rows->J[row];
    for (int k = 0; k < 3; ++k)
    {
        J[3 + k] *= -1;
        rows->residual[row] += 2 * J[k] * (anchor[k] - position[k]);
    }
}

/* Mends a row whose lever on the first body is that of the start. */
static void renew_lever (dJointID joint, rls_rows *rows, int row)
{
    dVector3 anchor;
    const dReal *position = dBodyGetPosition (dJointGetBody (joint, 0));
    double lever[3];
    dJointGetPUAnchor (joint, anchor);
    for (int k = 0; k < 3; ++k) lever[k] = (double)(anchor[k] - position[k]);
    rls_cross (lever, rows->J[row], rows->J[row] + 3);
}

/* Mends what ODE's own rows have wrong. */
static void mend_row (dJointID joint, dJointType type, int r, rls_rows *rows, int row)
{
    if (rls_ode_lever_is_inverted (joint, type, r)) mend_lever (joint, type, rows, row);
    if (rls_ode_lever_is_old (joint, type, r)) renew_lever (joint, rows, row);
}

/* Velocity target and position residual of a bilateral row.  Rows of motors and locked stops hold a
 * velocity besides the error; asking again at zero frame rate tells the two apart. */
static void read_target (const rls_cell *cell, dJointID joint, dJointType type, const rls_ode_rows *rows,
                         const rls_ode_rows *at_rest, int r, rls_rows *to, int row)
{
    const double rhs = rows->rhs_cfm[r][0], wanted = at_rest ? at_rest->rhs_cfm[r][0] : 0;
    const dReal own = rls_ode_own_erp (joint, type, r), erp = own >= 0 ? own : row_erp (cell, type);
    to->target[row] = to->sigma2[row] > 0 || is_verbatim (cell) ? rhs : wanted;
    to->residual[row] = to->sigma2[row] > 0 || !(erp > 0) ? 0 : (rhs - wanted) * cell->h / erp;
    if (!is_verbatim (cell)) mend_row (joint, type, r, to, row);
}

/* The rows at zero frame rate.  Asking must leave no trace: a motor at its limit pushes its bodies. */
static void ask_at_rest (const rls_cell *cell, dJointID joint, int m, rls_ode_rows *rows)
{
    dBodyID bodies[2];
    dReal saved[2][2][3];
    rls_ode_joint_bodies (joint, bodies);
    for (int side = 0; side < 2 && bodies[side]; ++side)
    {
        memcpy (saved[side][0], dBodyGetForce (bodies[side]), sizeof (saved[side][0]));
        memcpy (saved[side][1], dBodyGetTorque (bodies[side]), sizeof (saved[side][1]));
    }
    rls_ode_get_rows (joint, m, 0, row_erp (cell, dJointGetType (joint)), (dReal)cell->settings->world_cfm,
                      rows);
    for (int side = 0; side < 2 && bodies[side]; ++side)
    {
        const dReal *f = saved[side][0], *t = saved[side][1];
        dBodySetForce (bodies[side], f[0], f[1], f[2]);
        dBodySetTorque (bodies[side], t[0], t[1], t[2]);
    }
}

/* Evaluates the bilateral rows of joint j (an ODE joint with m rows) into rows at r0.  Returns how many. */
static int read_bilateral (const rls_cell *cell, dJointID joint, int m, const rls_ode_rows *from,
                           rls_rows *to, int r0, int *ode_row)
{
    rls_ode_rows at_rest;
    const dJointType type = dJointGetType (joint);
    const int base = rls_ode_base_rows (type);
    int has_extra = 0, count = 0;
    for (int r = base; r < m; ++r) has_extra |= is_bilateral (from, r);
    if (has_extra) ask_at_rest (cell, joint, m, &at_rest);
    for (int r = 0; r < m; ++r)
    {
        if (!is_bilateral (from, r)) continue;
        const int row = r0 + count++;
        rls_copy (to->J[row], from->J[r], 12);
        to->sigma2[row] = compliance (cell, from->rhs_cfm[r][1]);
        read_target (cell, joint, type, from, r >= base ? &at_rest : NULL, r, to, row);
        if (ode_row) ode_row[row] = r;
    }
    return count;
}

/* Contact point relative to body 1 (body axes), from the rows themselves: the part of c1 that the rows'
 * directions d and moments c1 x d determine. */
static void contact_arm (const rls_island *s, int body, const rls_ode_rows *rows, int m, double arm[3])
{
    double sum[3] = {0}, R[9];
    const int used = m < 3 ? m : 3;
    for (int r = 0; r < used; ++r)
    {
        double d[3], moment[3], part[3];
        rls_copy (d, rows->J[r], 3), rls_copy (moment, rows->J[r] + 3, 3);
        rls_cross (d, moment, part);
        for (int k = 0; k < 3; ++k) sum[k] += part[k] * (used == 3 ? 0.5 : 1.0);
    }
    rls_quaternion_matrix (s->pose[body].q, R);
    rls_multiply_transposed (R, sum, arm);
}

static uint64_t mix (uint64_t x)
{
    x = (x ^ (x >> 33)) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 29)) * 0xC2B2AE3D27D4EB4Full;
    return x ^ (x >> 32);
}

/* The same whichever body comes first: collision detection may turn them round from step to step. */
static uint64_t contact_key (const rls_cell *cell, int j)
{
    uint64_t key = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int b = cell->joint_body[j][side];
        key += mix ((uint64_t)(uintptr_t)(b < 0 ? NULL : cell->body[b]));
    }
    return key | 1;
}

static double impulse_bound (dReal bound, double h)
{
    if (bound <= -dInfinity) return -HUGE_VAL;
    return bound >= dInfinity ? HUGE_VAL : bound * h;
}

/* Appends the bounded rows of joint j.  Returns how many. */
static int read_bounded (rls_cell *cell, int j, int m, const rls_ode_rows *from)
{
    rls_bounded *to = &cell->island.bounded;
    int place[RLS_ODE_MAX_ROWS], count = 0;
    const int first = to->rows;
    for (int r = 0; r < m; ++r) place[r] = is_bilateral (from, r) ? -1 : first + count++;
    if (count == 0) return 0;
    for (int r = 0; r < m; ++r)
    {
        const int row = place[r];
        if (row < 0) continue;
        rls_copy (to->J[row], from->J[r], 12);
        to->softness[row] = from->rhs_cfm[r][1] / cell->h;
        to->target[row] = from->rhs_cfm[r][0];
        to->follow[row] = from->findex[r] >= 0 ? place[from->findex[r]] : -1;
        if (to->follow[row] >= 0) /* the bound is a coefficient of friction */
            to->hi[row] = from->lo_hi[r][1] >= dInfinity ? HUGE_VAL : from->lo_hi[r][1];
        else
            to->hi[row] = impulse_bound (from->lo_hi[r][1], cell->h);
        to->lo[row] = to->follow[row] >= 0 ? -to->hi[row] : impulse_bound (from->lo_hi[r][0], cell->h);
        to->p[row] = 0;
        to->ode_joint[row] = j;
        to->ode_row[row] = r;
    }
    const int at = to->joints++;
    to->body1[at] = cell->joint_body[j][0];
    to->body2[at] = cell->joint_body[j][1];
    to->row0[at] = first;
    to->rows += count;
    to->row0[at + 1] = to->rows;
    rls_unit_bounded (cell->island.unit, to, first, count);
    memset (to->arm[at], 0, sizeof (to->arm[at]));
    if (dJointGetType (cell->joint[j]) == dJointTypeContact)
    {
        to->key[at] = contact_key (cell, j);
        contact_arm (&cell->island, to->body1[at], from, m, to->arm[at]);
        for (int k = 0; k < 3; ++k) to->arm[at][k] /= cell->island.unit;
    }
    else
        to->key[at] = (uint64_t)(uintptr_t)cell->joint[j] & ~(uint64_t)1;
    return count;
}

static int rows_finite (const rls_ode_rows *rows, int m)
{
    for (int r = 0; r < m; ++r)
        if (!rls_all_finite (rows->J[r], 12) || !isfinite (rows->rhs_cfm[r][0]) ||
            !(rows->rhs_cfm[r][1] >= 0) || !isfinite (rows->rhs_cfm[r][1]) ||
            !(rows->lo_hi[r][0] <= rows->lo_hi[r][1]))
            return 0;
    return 1;
}

/*
 * The short way for the commonest case: a joint with nothing but its base rows, all of them hard.  ODE
 * writes J where it belongs.  Returns 0 if the joint is not of that kind; then nothing counts as read.
 */
static int read_base (const rls_cell *cell, dJointID joint, dJointType type, int m, rls_rows *to, int r0)
{
#ifdef dSINGLE
    (void)cell, (void)joint, (void)type, (void)m, (void)to, (void)r0;
    return 0; /* ODE's numbers are not ours */
#else
    if (m == 0 || m != rls_ode_base_rows (type) || type == dJointTypeTransmission || is_verbatim (cell))
        return 0;
    dReal rhs_cfm[RLS_ODE_MAX_ROWS][2];
    rls_ode_get_base_rows (joint, type, m, 1 / cell->h, 1, cell->settings->world_cfm, to->J[r0], rhs_cfm);
    for (int r = 0; r < m; ++r)
    {
        if (compliance (cell, rhs_cfm[r][1]) > 0) return 0;
        const dReal own = rls_ode_own_erp (joint, type, r);
        to->sigma2[r0 + r] = to->target[r0 + r] = 0;
        to->residual[r0 + r] = own < 0   ? rhs_cfm[r][0] * cell->h
                               : own > 0 ? rhs_cfm[r][0] * cell->h / own
                                         : 0;
        mend_row (joint, type, r, to, r0 + r);
    }
    return 1;
#endif
}

/* The same for any joint: reads all rows and sorts them.  Returns how many are bilateral, -1 if a number
 * is not finite. */
static int read_any (rls_cell *cell, int j, int m, int r0)
{
    const dJointID joint = cell->joint[j];
    rls_ode_rows from;
    rls_ode_get_rows (joint, m, (dReal)(1 / cell->h), row_erp (cell, dJointGetType (joint)),
                      (dReal)cell->settings->world_cfm, &from);
    if (!rows_finite (&from, m)) return -1;
    if (read_bounded (cell, j, m, &from) == m) return 0;
    return read_bilateral (cell, joint, m, &from, &cell->island.rows, r0, cell->island.ode_row);
}

/* 1 if the count rows from r0 on are the base rows of the joint and no others. */
static int has_base_rows (const rls_cell *cell, dJointID joint, int r0, int count)
{
    int base = count == rls_ode_base_rows (dJointGetType (joint));
    for (int r = 0; r < count; ++r) base &= cell->island.ode_row[r0 + r] == r;
    return base;
}

/*
 * Joint j, which becomes joint i of those with rows, into the rows from r0 on; of one that stands the frame
 * will tell the rows.  Returns how many there are, or -1 if a number is not finite.  known: becomes 0 if its
 * anchors are not known yet.
 */
static int read_joint (rls_cell *cell, int j, int i, int r0, int *known)
{
    rls_island *s = &cell->island;
    const dJointID joint = cell->joint[j];
    const int m = cell->joint_rows[j], stands = rls_standing_as (cell, j, i);
    const int base = stands || read_base (cell, joint, dJointGetType (joint), m, &s->rows, r0);
    int count = m;
    s->ode_joint[i] = j;
    s->body1[i] = cell->joint_body[j][0];
    s->body2[i] = cell->joint_body[j][1];
    for (int r = 0; r < m && base; ++r) s->ode_row[r0 + r] = r;
    if (stands)
    {
        for (int r = 0; r < m; ++r) s->rows.sigma2[r0 + r] = s->rows.target[r0 + r] = 0;
        return m;
    }
    if (!base) count = read_any (cell, j, m, r0);
    if (count < 0) return -1;
    rls_soften (cell, joint, &s->rows, r0, count);
    const rls_drive *drive = rls_drive_of (cell, joint);
    if (drive && count < RLS_MAX_ROWS)
    {
        s->ode_row[r0 + count] = m; /* behind the joint's own rows */
        if (!rls_drive_row (cell, drive, &s->rows, r0 + count++)) return -1;
    }
    if (count == 0) return 0;
    rls_unit_rows (s->unit, &s->rows, r0, count);
    for (int r = r0; r < r0 + count; ++r) cell->soft_rows += s->rows.sigma2[r] > 0;
    const int plain = base || (!is_verbatim (cell) && has_base_rows (cell, joint, r0, count));
    *known &= rls_find_frame (cell, i, plain && !drive, *known);
    if (base && s->frame[i].kind != RLS_FRAME_FOREIGN) rls_standing_note (cell, j, i);
    return count;
}

/* The island is as the last step left it: the rows that it ended with are those that this one begins with. */
static int take_over_rows (rls_cell *cell)
{
    rls_island *s = &cell->island;
    const int same = cell->all_stand && s->now_exact && s->now_natural &&
                     rls_poses_same (s->pose, s->new_pose, s->bodies);
    if (!same) return 0;
    s->rows.joints = s->rows_now.joints = cell->joint_count;
    s->rows.rows = s->rows_now.rows = s->row0[cell->joint_count];
    if (cell->analyse) /* rows_now is the next step's */
        rls_rows_copy (&s->rows_now, &s->rows);
    else
        rls_island_swap_rows (s);
    return 1;
}

int rls_gather_joints (rls_cell *cell)
{
    rls_island *s = &cell->island;
    int joints = 0, rows = 0;
    s->bounded.joints = s->bounded.rows = s->bounded.row0[0] = 0;
    cell->soft_rows = 0;
    s->rows_stand = take_over_rows (cell);
    if (!cell->analyse) s->now_natural = 0;
    if (s->rows_stand) return dRLSStatusOk;
    s->row0[0] = 0;
    int known = cell->same_mechanism && s->carried; /* the joints' anchors */
    rls_island_turn (s, s->pose);
    for (int j = 0; j < cell->joint_count; ++j)
    {
        const int count = cell->joint_rows[j] > 0 ? read_joint (cell, j, joints, rows, &known) : 0;
        if (count < 0) return dRLSStatusNotFinite;
        if (count == 0) continue;
        rows += count;
        s->row0[++joints] = rows;
    }
    s->rows.joints = s->rows_now.joints = joints;
    s->rows.rows = s->rows_now.rows = rows;
    rls_list_frames (s);
    if (!known) rls_find_anchors (cell);
    return rls_joint_frames_rows (s, s->pose, &s->rows) ? dRLSStatusOk : dRLSStatusNotFinite;
}

/* ---- evaluation at trial poses ---- */

static int evaluate_any (rls_cell *cell, int i, int wanted)
{
    rls_island *s = &cell->island;
    const int j = s->ode_joint[i];
    const dJointID joint = cell->joint[j];
    const dJointType type = dJointGetType (joint);
    int m = cell->joint_rows[j], bilateral = 0;
    if (m > rls_ode_base_rows (type)) m = rls_ode_row_count (joint); /* stops measure where they are */
    rls_ode_rows from;
    rls_ode_get_rows (joint, m, (dReal)(1 / cell->h), row_erp (cell, type), (dReal)cell->settings->world_cfm,
                      &from);
    if (!rows_finite (&from, m)) return 0;
    for (int r = 0; r < m; ++r) bilateral += is_bilateral (&from, r);
    if (bilateral != wanted) return 0;
    read_bilateral (cell, joint, m, &from, &s->rows_now, s->row0[i], NULL);
    return 1;
}

/* Joint i as ODE sees it; its bodies have been moved. */
static int evaluate_foreign (rls_cell *cell, int i)
{
    rls_island *s = &cell->island;
    const int j = s->ode_joint[i], last = s->row0[i + 1] - 1;
    const dJointID joint = cell->joint[j];
    const int driven = s->ode_row[last] == cell->joint_rows[j]; /* the row behind the joint's own */
    if (rls_is_degenerate (joint, cell->h)) return 0;
    if (!read_base (cell, joint, dJointGetType (joint), cell->joint_rows[j], &s->rows_now, s->row0[i]) &&
        !evaluate_any (cell, i, last + 1 - driven - s->row0[i]))
        return 0;
    if (driven && !rls_drive_row (cell, rls_drive_of (cell, joint), &s->rows_now, last)) return 0;
    rls_soften (cell, joint, &s->rows_now, s->row0[i], last + 1 - driven - s->row0[i]);
    rls_unit_rows (s->unit, &s->rows_now, s->row0[i], last + 1 - s->row0[i]);
    return 1;
}

int rls_evaluate_joints (rls_island *s, const rls_pose *pose)
{
    rls_cell *cell = (rls_cell *)(void *)((char *)s - offsetof (rls_cell, island));
    ++s->row_evaluations;
    if (cell->stepper->world_changed || !rls_poses_usable (pose, s->bodies)) return 0;
    rls_island_turn (s, pose);
    const int *foreign = s->of_kind[RLS_FRAME_FOREIGN], count = s->kind_count[RLS_FRAME_FOREIGN];
    if (count > 0)
    {
        rls_begin_moving (cell);
        for (int b = 0; b < s->bodies; ++b) rls_try_pose (cell, b, &pose[b]);
    }
    if (s->rows.rows == 0) return 1;
    memset (s->rows_now.sigma2, 0, sizeof (double) * (size_t)s->rows.rows);
    memset (s->rows_now.target, 0, sizeof (double) * (size_t)s->rows.rows);
    for (int i = 0; i < count; ++i)
        if (!evaluate_foreign (cell, foreign[i])) return 0;
    return rls_joint_frames_rows (s, pose, &s->rows_now);
}
