/*
 * What ODE has wrong in the rows of its joints, and configurations in which it must not be asked for them.
 * The contract is in ode_seam.h.
 *
 * ODE's formulas divide by zero, or assert, where two axes of a joint meet that must differ.  (An angular
 * motor with Euler angles has such a configuration as well, but there ODE ends the program already when it is
 * asked for the axes.)
 */
#include "ode_seam.h"
#include "kernels/matrix3.h"

/* rad in a step: more than the rounding error of many turns in single precision */
#define FARTHER (1 / (dReal)65536)

static void get_axes (dJointID joint, dVector3 axes[2])
{
    vector_getter **const *axis = rls_ode_parameters_of (dJointGetType (joint))->axis;
    (*axis[0]) (joint, axes[0]), (*axis[1]) (joint, axes[1]);
}

static int is_zero (const dVector3 x) { return x[0] == 0 && x[1] == 0 && x[2] == 0; }

static int are_parallel (const dVector3 a, const dVector3 b)
{
    dVector3 normal;
    dCalcVectorCross3 (normal, a, b);
    return is_zero (normal);
}

/* ---- gears ---- */

/* True if a gear wheel would turn too far in a step h (s), or its velocity is not finite. */
static int turns_too_far (dJointID gears, int wheel, double h)
{
    const dReal *w = dBodyGetAngularVel (dJointGetBody (gears, wheel));
    return !(h * (fabs (w[0]) + fabs (w[1]) + fabs (w[2])) < RLS_HUGE);
}

static int gears_are_degenerate (dJointID gears, double h)
{
    dVector3 axes[2], chain, end;
    dJointGetTransmissionAnchor1 (gears, chain);
    dJointGetTransmissionAnchor2 (gears, end);
    for (int k = 0; k < 3; ++k) chain[k] -= end[k];
    if (turns_too_far (gears, 0, h) || turns_too_far (gears, 1, h) || is_zero (chain)) return 1;
    get_axes (gears, axes);
    switch (dJointGetTransmissionMode (gears))
    {
    case dTransmissionIntersectingAxes: /* ODE asserts that the product is not 1 to the last bit, although
                                           axes may not be exactly parallel then */
        return fabs ((double)dCalcVectorDot3 (axes[0], axes[1])) == 1 || are_parallel (axes[0], axes[1]);
    case dTransmissionChainDrive: /* ODE divides by the length of their cross product */
        return !(dJointGetTransmissionRadius1 (gears) > 0 && dJointGetTransmissionRadius2 (gears) > 0) ||
               are_parallel (axes[0], chain) || are_parallel (axes[1], chain);
    default:
        return 0; /* ODE sees to it that the ratio is positive */
    }
}

void rls_gears_lead (dJointID gears, dReal fps, dVector3 kept[2])
{
    dVector3 axes[2];
    get_axes (gears, axes);
    for (int side = 0; side < 2; ++side)
    {
        const dBodyID wheel = dJointGetBody (gears, side);
        const dReal *w = dBodyGetAngularVel (wheel), more = FARTHER * fps, *axis = axes[side];
        memcpy (kept[side], w, sizeof (dReal) * 3);
        if (!dBodyIsKinematic (wheel))
            dBodySetAngularVel (wheel, w[0] + more * axis[0], w[1] + more * axis[1], w[2] + more * axis[2]);
    }
}

void rls_gears_mend (dReal fps, dVector3 kept[2], rls_ode_rows *rows)
{
    const dJointID gears = rows->joint;
    dVector3 axis[2], arm[2], contact[2];
    for (int side = 0; side < 2; ++side)
    {
        const dBodyID wheel = dJointGetBody (gears, side);
        const dReal *w = kept[side];
        if (!dBodyIsKinematic (wheel)) dBodySetAngularVel (wheel, w[0], w[1], w[2]);
    }
    if (dJointGetTransmissionMode (gears) != dTransmissionIntersectingAxes ||
        dJointGetTransmissionBacklash (gears) > 0)
        return;

    /* the way of each gear, with the sign of its partner's axis */
    get_axes (gears, axis);
    dJointGetTransmissionAnchor1 (gears, arm[0]), dJointGetTransmissionAnchor2 (gears, arm[1]);
    dJointGetTransmissionContactPoint1 (gears, contact[0]);
    dJointGetTransmissionContactPoint2 (gears, contact[1]);
    dReal way[2] = {dJointGetTransmissionAngle1 (gears), dJointGetTransmissionAngle2 (gears)};
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < 3; ++k) arm[i][k] -= contact[i][k];
        way[i] *= dCalcVectorLength3 (arm[i]) * (dCalcVectorDot3 (arm[i], axis[1 - i]) < 0 ? -1 : 1);
    }
    rows->rhs_cfm[0][0] = -fps * rls_ode_own_erp (gears, dJointTypeTransmission, 0) * (way[0] + way[1]);
}

int rls_is_degenerate (dJointID joint, double h)
{
    dVector3 axes[2];
    const dJointType type = dJointGetType (joint);
    if (type == dJointTypeTransmission) return gears_are_degenerate (joint, h);
    if (!rls_ode_parameters_of (type)->axis[1]) return 0;
    get_axes (joint, axes);
    return are_parallel (axes[0], axes[1]);
}

/* ---- levers ---- */

/* The lever from a body to the joint's anchor (m). */
static void lever_of (dJointID joint, dJointType type, dBodyID body, double lever[3])
{
    dVector3 anchor;
    const dReal *position = dBodyGetPosition (body);
    (*rls_ode_parameters_of (type)->anchor[1]) (joint, anchor);
    for (int k = 0; k < 3; ++k) lever[k] = (double)(anchor[k] - position[k]);
}

void rls_ode_turn_levers (dReal k, rls_ode_rows *rows)
{
    double lever[3];
    if ((rows->type != dJointTypePR && rows->type != dJointTypePiston) || dJointGetBody (rows->joint, 0))
        return;
    lever_of (rows->joint, rows->type, dJointGetBody (rows->joint, 1), lever);
    for (int r = 2; r < 4; ++r)
        for (int i = 0; i < 3; ++i)
        {
            rows->J[r][3 + i] *= -1;
            rows->rhs_cfm[r][0] += 2 * k * rows->J[r][i] * (dReal)lever[i];
        }
}

/* Moves a row to the joint's anchor. */
static void act_at_anchor (dJointID joint, dJointType type, double J[12])
{
    dBodyID bodies[2];
    rls_ode_joint_bodies (joint, bodies);
    for (int side = 0; side < 2 && bodies[side]; ++side, J += 6)
    {
        double lever[3];
        lever_of (joint, type, bodies[side], lever);
        rls_cross (lever, J, J + 3);
    }
}

void rls_ode_mend_row (dJointID joint, dJointType type, int row, double J[12], double *error)
{
    /* a PU joint's rows across the sliding axis, unless the world comes first, and those of the anchor of a
     * hinge-2 joint: the lever on the first body is that of the start, without what has been slid.  A double
     * hinge's row along its axes has that of the middle between the bodies on both. */
    if ((type == dJointTypePU && (row == 1 || row == 2) && dJointGetBody (joint, 0)) ||
        (type == dJointTypeHinge2 && row < 3) || (type == dJointTypeDHinge && row == 3))
        act_at_anchor (joint, type, J);
    *error /= rls_ode_axis_length (joint, type, row);
}

void rls_ode_mend_way (dJointID joint, int r, double J[12])
{
    const dJointType type = dJointGetType (joint);
    const int along = r >= rls_ode_base_rows (type) && (J[0] != 0 || J[1] != 0 || J[2] != 0);
    if (!along || (type != dJointTypePR && type != dJointTypePU)) return;
    if (type == dJointTypePU && !dJointGetBody (joint, 0))
    {
        dVector3 axis;
        dJointGetPUAxis3 (joint, axis);
        for (int k = 0; k < 3; ++k) J[k] = -(double)axis[k];
    }
    act_at_anchor (joint, type, J);
}

void rls_ode_slid (dJointID slider, double slid[3])
{
    const double position = (double)dJointGetSliderPosition (slider);
    dVector3 axis;
    dJointGetSliderAxis (slider, axis);
    for (int k = 0; k < 3; ++k)
        slid[k] = (dJointGetBody (slider, 0) ? -position : position) * (double)axis[k];
}

/* ODE divides the lever of a slider's row of position equally between the bodies, which is right as long as
 * these are not turned against each other, as those of a compliant slider are.  The lever of its error is the
 * way that has been slid on the first body, whose axis turns, and the rest on the second. */
static void mend_slider (double h, const rls_ode_rows *from, double J[12])
{
    double slid[3], lever[3];
    rls_ode_slid (from->joint, slid);
    for (int k = 0; k < 3; ++k)
        slid[k] += h * (double)(from->rhs_cfm[3][0] * from->J[3][k] + from->rhs_cfm[4][0] * from->J[4][k]);
    rls_cross (slid, J, lever);
    for (int k = 0; k < 3; ++k)
    {
        if (dJointGetBody (from->joint, 0) && dJointGetBody (from->joint, 1))
            J[9 + k] = 2 * J[3 + k] - lever[k];
        J[3 + k] = lever[k];
    }
}

/* ---- rows of axes ---- */

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
static int axis_held (const rls_ode_rows *from, int r)
{
    const dJointID joint = from->joint;
    const dJointType type = from->type;
    const int base = rls_ode_base_rows (type),
              one_sided = (from->lo_hi[r][0] == 0) != (from->lo_hi[r][1] == 0);
    if (r < base) return -1;
    if (type == dJointTypeHinge2 && r == base && one_sided) return 0;
    if (type == dJointTypeAMotor && one_sided) return axis_reached (joint, r);
    const int axis = rls_ode_axis_of_row (joint, type, r);
    return rls_ode_is_locked (joint, type, axis) ? axis : -1;
}

void rls_follow_angle (dJointID joint, int axis, double J[12])
{
    const dJointType type = dJointGetType (joint);
    double *d = J + 3, rate = 1;

    /* take out the other axis of a hinge-2, or find the cosine of an angular motor's middle angle, whose
     * angles ODE measures the other way round where the world comes first */
    if (type == dJointTypeHinge2)
    {
        dVector3 axes[2];
        get_axes (joint, axes);
        const dReal *other = axes[1 - axis];
        double along = 0;
        for (int k = 0; k < 3; ++k) along += d[k] * (double)other[k];
        for (int k = 0; k < 3; ++k) d[k] -= along * (double)other[k];
        rate = 1 - along * along;
    }
    else if (type == dJointTypeAMotor && dJointGetAMotorMode (joint) == dAMotorEuler)
    {
        rate = axis == 1 ? 1 : fabs (cos ((double)dJointGetAMotorAngle (joint, 1)));
        if (!dJointGetBody (joint, 0)) rate = -rate;
    }

    /* the angle's rate is that of the row divided by rate */
    for (int k = 0; k < 3 && rate != 1; ++k)
    {
        d[k] /= rate;
        if (dJointGetBody (joint, 0) && dJointGetBody (joint, 1)) d[6 + k] = -d[k];
    }
}

void rls_ode_mend_levers (double h, const rls_ode_rows *from, int r, double J[12])
{
    rls_ode_mend_way (from->joint, r, J);
    if (from->type == dJointTypeSlider && (r == 3 || r == 4)) mend_slider (h, from, J);
    const int axis = axis_held (from, r);
    if (axis >= 0) rls_follow_angle (from->joint, axis, J);
}
