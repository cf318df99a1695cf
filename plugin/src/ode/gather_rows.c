/*
 * Bilateral rows of one of ODE's joints (getInfo1 and getInfo2), into begin.rows and end.rows.
 *
 * Rows with bounds go to begin.bounded instead (gather_bounded.c).  The world's CFM is regularisation and is
 * left out of bilateral rows.  A CFM of a joint's own is a compliance: sigma^2 = CFM / h, and the row keeps
 * ODE's right-hand side. Hard rows have their position residual beside the target; it is found from the
 * right-hand side at an ERP of 1.
 */
#include "gather.h"
#include "corrections/correct.h"

double rls_own_cfm (const rls_workspace *workspace, double cfm)
{
    const rls_settings *set = workspace->settings;
    if (set->correction == dRLSCorrectionCompliant) return cfm;
    return cfm == set->world_cfm || cfm == RLS_STOCK_CFM ? 0 : cfm;
}

/* sigma^2 of a row with that CFM. */
static double compliance (const rls_workspace *workspace, double cfm)
{
    return rls_own_cfm (workspace, cfm) / workspace->h;
}

int rls_keeps_verbatim (const rls_workspace *workspace)
{
    return workspace->settings->correction == dRLSCorrectionCompliant ||
           rls_correct_takes_erp (workspace->settings);
}

/* The axis of the stop of an angular motor that is its row r; rows are those of motors and stops reached. */
static int axis_reached (dJointID motor, int r)
{
    const rls_ode_parameters *t = rls_ode_parameters_of (dJointTypeAMotor);
    for (int axis = 0; axis < t->axes; ++axis)
    {
        const dReal angle = dJointGetAMotorAngle (motor, axis);
        const int within = angle > rls_ode_get (t, motor, axis, dParamLoStop) &&
                           angle < rls_ode_get (t, motor, axis, dParamHiStop);
        if ((!within || rls_ode_get (t, motor, axis, dParamFMax) > 0) && r-- == 0) return axis;
    }
    return -1;
}

/* The axis whose angle row r holds: that of a locked stop, or of a stop of a hinge-2 joint or an angular
 * motor that is reached.  -1 for other rows; motors keep ODE's rows. */
static int axis_held (dJointID joint, const rls_ode_rows *from, int r)
{
    const dJointType type = dJointGetType (joint);
    const int base = rls_ode_base_rows (type),
              one_sided = (from->lo_hi[r][0] == 0) != (from->lo_hi[r][1] == 0);
    if (r < base) return -1;
    if (type == dJointTypeHinge2 && r == base && one_sided) return 0;
    if (type == dJointTypeAMotor && one_sided) return axis_reached (joint, r);
    const int axis = rls_ode_axis_of_row (joint, type, r);
    return rls_ode_is_locked (joint, type, axis) ? axis : -1;
}

/* ODE divides the lever of a slider's row of position equally between the bodies, which is right as long as
 * these are not turned against each other, as those of a compliant slider are.  The lever of its error is the
 * way that has been slid on the first body, whose axis turns, and the rest on the second. */
static void mend_slider (const rls_workspace *workspace, dJointID slider, const rls_ode_rows *from,
                         double J[12])
{
    const double position = (double)dJointGetSliderPosition (slider),
                 along = dJointGetBody (slider, 0) ? -position : position;
    dVector3 axis;
    double slid[3], lever[3];
    dJointGetSliderAxis (slider, axis);
    for (int k = 0; k < 3; ++k)
        slid[k] = along * (double)axis[k] + workspace->h * (double)(from->rhs_cfm[3][0] * from->J[3][k] +
                                                                    from->rhs_cfm[4][0] * from->J[4][k]);
    rls_cross (slid, J, lever);
    for (int k = 0; k < 3; ++k)
    {
        if (dJointGetBody (slider, 0) && dJointGetBody (slider, 1)) J[9 + k] = 2 * J[3 + k] - lever[k];
        J[3 + k] = lever[k];
    }
}

void rls_copy_row (const rls_workspace *workspace, dJointID joint, const rls_ode_rows *from, int r,
                   double J[12])
{
    rls_copy (J, from->J[r], 12);
    if (dJointGetType (joint) == dJointTypeContact || rls_keeps_verbatim (workspace)) return;
    rls_ode_mend_way (joint, r, J);
    if (dJointGetType (joint) == dJointTypeSlider && (r == 3 || r == 4))
        mend_slider (workspace, joint, from, J);
    const int axis = axis_held (joint, from, r);
    if (axis >= 0) rls_follow_angle (joint, axis, J);
}

/* The ERP at which rows are asked for: 1, with which a hard row's right-hand side is its residual; the
 * world's for contacts and for corrections that use ODE's right-hand sides. */
static dReal row_erp (const rls_workspace *workspace, dJointType type)
{
    return rls_keeps_verbatim (workspace) || type == dJointTypeContact ? (dReal)workspace->settings->world_erp
                                                                       : 1;
}

/* Finds target (velocity) and residual (position) of a bilateral row.  The right-hand side of motors and
 * locked stops is the sum of both; at_rest, the rows at a frame rate of 0, has the velocity alone (NULL:
 * there is none). */
static void read_target (const rls_workspace *workspace, dJointID joint, dJointType type,
                         const rls_ode_rows *rows, const rls_ode_rows *at_rest, int r, rls_rows *to, int row)
{
    const double rhs = rows->rhs_cfm[r][0], wanted = at_rest ? at_rest->rhs_cfm[r][0] : 0;
    const dReal own = rls_ode_own_erp (joint, type, r);
    dReal erp = 1;
    if (own > 0)
        erp = own;
    else if (own < 0)
        erp = row_erp (workspace, type);
    const int gives_way = to->sigma2[row] > 0 && !rls_springs_in_halves (workspace);
    to->target[row] = gives_way || rls_keeps_verbatim (workspace) ? rhs : wanted;
    to->residual[row] = gives_way || !(erp > 0) ? 0 : (rhs - wanted) * workspace->h / erp;
    if (!rls_keeps_verbatim (workspace)) rls_ode_mend_row (joint, type, r, to->J[row], &to->residual[row]);
}

/* The rows at a frame rate fps (1/s), without the forces that a motor at its stop adds to its bodies when it
 * is asked. */
static void ask_aside (const rls_workspace *workspace, dJointID joint, int m, dReal fps, rls_ode_rows *rows)
{
    rls_ode_get_rows_aside (joint, m, fps, row_erp (workspace, dJointGetType (joint)),
                            (dReal)workspace->settings->world_cfm, rows, NULL);
}

void rls_ask_at_rest (const rls_workspace *workspace, dJointID joint, int m, rls_ode_rows *rows)
{
    const dJointType type = dJointGetType (joint);
    const int wants_none = type == dJointTypeTransmission || /* gears divide by the rate */
                           (type == dJointTypeContact && rls_ode_contact_is_plain (joint));
    if (wants_none)
        memset (rows->rhs_cfm, 0, sizeof (rows->rhs_cfm));
    else
        ask_aside (workspace, joint, m, 0, rows);
}

/* Copies the bilateral ones of the m rows of a joint to row r0 and the following.  Returns their number. */
static int read_bilateral (const rls_workspace *workspace, dJointID joint, int m, const rls_ode_rows *from,
                           rls_rows *to, int r0, int *ode_row)
{
    rls_ode_rows at_rest, closing;
    const dJointType type = dJointGetType (joint);
    const int base = rls_ode_base_rows (type);
    int has_extra = 0, count = 0;

    /* with an ERP of 0, the right-hand side does not contain the error: the rows are asked for at an ERP of 1
     */
    if (rls_ode_own_erp (joint, type, 0) == 0 && base > 0 && !rls_keeps_verbatim (workspace) &&
        !(compliance (workspace, from->rhs_cfm[0][1]) > 0))
    {
        rls_ode_set_own_erp (joint, type, 1);
        ask_aside (workspace, joint, m, (dReal)(1 / workspace->h), &closing);
        rls_ode_set_own_erp (joint, type, 0);
        from = &closing;
    }

    /* rows without bounds; those behind the base rows may hold a velocity */
    for (int r = base; r < m; ++r) has_extra |= rls_is_bilateral (from, r);
    if (has_extra) rls_ask_at_rest (workspace, joint, m, &at_rest);
    for (int r = 0; r < m; ++r)
    {
        if (!rls_is_bilateral (from, r)) continue;
        const int row = r0 + count++;
        rls_copy_row (workspace, joint, from, r, to->J[row]);
        to->sigma2[row] = compliance (workspace, from->rhs_cfm[r][1]);
        read_target (workspace, joint, type, from, r >= base ? &at_rest : NULL, r, to, row);
        if (rls_held_drive_of (workspace, joint, r)) to->target[row] = 0;
        if (ode_row) ode_row[row] = r;
    }
    return count;
}

/* Asks the joint for its m rows with the step's parameters, and checks them.  Returns m, -1 if a number is
 * not finite. */
static int ask (const rls_workspace *workspace, dJointID joint, int m, rls_ode_question *question,
                rls_ode_rows *rows)
{
    question (joint, m, (dReal)(1 / workspace->h), row_erp (workspace, dJointGetType (joint)),
              (dReal)workspace->settings->world_cfm, rows);
    for (int r = 0; r < m; ++r)
        if (!rls_all_finite (rows->J[r], 12) || !isfinite (rows->rhs_cfm[r][0]) ||
            !(rows->rhs_cfm[r][1] >= 0) || !isfinite (rows->rhs_cfm[r][1]) ||
            !(rows->lo_hi[r][0] <= rows->lo_hi[r][1]))
            return -1;
    return m;
}

int rls_ask_here (const rls_workspace *workspace, dJointID joint, int m, rls_ode_rows *rows)
{
    return ask (workspace, joint, m, rls_ode_get_rows, rows);
}

int rls_read_any (rls_workspace *workspace, int j, int m, int r0)
{
    const dJointID joint = workspace->objects.joint[j];
    rls_ode_rows from;
    if (ask (workspace, joint, m, workspace->analyse ? rls_ode_get_rows : rls_ode_get_rows_counted, &from) <
        0)
        return -1;

    /* gears within their backlash do not fill their row: it would be read as one without bounds, but is none
     */
    int empty = dJointGetType (joint) == dJointTypeTransmission;
    for (int k = 0; k < 12; ++k) empty &= from.J[0][k] == 0;
    if (empty) return 0;
    const int left = m - rls_read_bounded (workspace, j, m, &from);
    if (left == 0) return 0;
    if (r0 + left > workspace->island.memory.rows) return -1; /* other rows than ODE has counted */
    return read_bilateral (workspace, joint, m, &from, &workspace->island.begin.rows, r0,
                           workspace->island.mechanism.ode_row);
}

/* Asks for the rows of joint j at another pose.  ODE finds the error of a stop or a locked axis when it
 * counts the rows, so these are counted again if there are any behind the base rows.  Returns as rls_ask_here
 * does. */
static int ask_again (const rls_workspace *workspace, int j, rls_ode_rows *from)
{
    const dJointID joint = workspace->objects.joint[j];
    const int before = workspace->objects.joint_rows[j];
    const int m =
        before > rls_ode_base_rows (dJointGetType (joint)) ? rls_count_rows (workspace, joint) : before;
    return rls_ask_here (workspace, joint, m, from);
}

int rls_read_all_bilateral (const rls_workspace *workspace, int j, rls_rows *to, int *ode_row)
{
    rls_ode_rows from;
    const int m = ask_again (workspace, j, &from);
    return m < 0 ? -1 : read_bilateral (workspace, workspace->objects.joint[j], m, &from, to, 0, ode_row);
}

int rls_read_again (rls_workspace *workspace, const rls_pose *pose, int i, int wanted)
{
    rls_island *s = &workspace->island;
    const int j = s->mechanism.ode_joint[i], r0 = s->mechanism.row0[i];
    rls_ode_rows from;
    int bilateral = 0;
    if (workspace->objects.springs[j])
    {
        memcpy (s->end.rows.target + r0, s->begin.rows.target + r0, sizeof (double) * (size_t)wanted);
        return rls_read_in_bases (workspace, j, pose, s->mechanism.ode_row + r0, wanted, s->begin.rows.J + r0,
                                  s->end.rows.J + r0, s->end.rows.residual + r0, s->end.rows.target + r0);
    }
    const int m = ask_again (workspace, j, &from);
    for (int r = 0; r < m; ++r) bilateral += rls_is_bilateral (&from, r);
    if (m < 0 || bilateral != wanted) return 0;
    read_bilateral (workspace, workspace->objects.joint[j], m, &from, &s->end.rows, r0, NULL);
    return 1;
}
