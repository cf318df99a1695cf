/*
 * Measurements of any ODE world, whoever steps it: how far a joint is open and what energy a body has.
 *
 * Anchors and axes come from ODE's public getters.  Where ODE keeps what is needed to itself (the axis in
 * the second body of a hinge, the reference pose of a slider or of a fixed joint, the phase of gears) the
 * joint is asked for its own rows: at error reduction 1 a row's right-hand side is the geometric error
 * times the step rate.  Nothing in the result depends on the world's ERP and CFM or on the joint's own.
 *
 * What counts: the joint's own constraints and an axis that is locked by equal stops.  One-sided stops,
 * motors and contacts do not, nor does a disabled joint, nor what is soft: a hinge2's suspension, equal stops
 * with a CFM. Angles are true angles where one row tells them, up to a right angle, up to half a turn for
 * sliders and fixed joints; a plane2d joint has no reference for its tilt, so its angle is zero.
 */
#include "measure.h"

/* A joint with its bodies, its rows and the geometric error of each of them. */
typedef struct
{
    dJointID joint;
    dBodyID bodies[2]; /* as in the rows: the first one is never NULL */
    int base, count;   /* rows of the type, and those together with its stops */
    rls_ode_rows rows;
    double error[RLS_ODE_MAX_ROWS]; /* m or rad */
} rls_measured_joint;

/* ---- rows ---- */

/* Steps per second at which rows are asked for.  A power of two, so that dividing by it rounds nothing,
 * and so many that a gear's prediction of its phase over one step is negligible. */
#define PROBE_RATE ((dReal)1073741824)

static const int changed[] = {dParamFMax, dParamStopERP};

static void mend_row (rls_measured_joint *m, int r)
{
    double J[12];
    rls_copy (J, m->rows.J[r], 12);
    m->error[r] = (double)(m->rows.rhs_cfm[r][0] / PROBE_RATE);
    rls_ode_mend_row (m->joint, dJointGetType (m->joint), r, J, &m->error[r]);
    for (int k = 0; k < 12; ++k) m->rows.J[r][k] = (dReal)J[k];
}

/*
 * Fills rows and errors of a joint whose bodies are set, every error reduction at 1.  Some rows ignore the
 * error reduction they are asked with and use a parameter of the joint instead, so these are changed for the
 * moment of asking and then put back.  Returns 0 if its rows are undefined or fewer than its type must have.
 */
static int read_rows (rls_measured_joint *m)
{
    const dJointType type = dJointGetType (m->joint);
    const rls_ode_parameters *t = rls_ode_parameters_of (type);
    rls_ode_saved saved = {.which = changed, .count = 2};
    const dReal own = t->own ? rls_ode_get (t, m->joint, 0, dParamERP) : 0;
    if (rls_is_degenerate (m->joint, (double)(1 / PROBE_RATE))) return 0;

    /* motors off, for one that is powered into its stop would push its bodies; every own ERP to 1 */
    rls_ode_save (t, m->joint, &saved);
    for (int axis = 0; axis < t->motors; ++axis)
    {
        rls_ode_set (t, m->joint, axis, dParamFMax, 0);
        rls_ode_set (t, m->joint, axis, dParamStopERP, 1);
    }
    if (t->own) rls_ode_set (t, m->joint, 0, dParamERP, 1);

    /* the rows, and the parameters as they were */
    m->base = rls_ode_base_rows (type);
    m->count = rls_ode_row_count (m->joint);
    if (m->count >= m->base) rls_ode_get_rows_counted (m->joint, m->count, PROBE_RATE, 1, 0, &m->rows);
    rls_ode_restore (t, m->joint, &saved);
    if (t->own) rls_ode_set (t, m->joint, 0, dParamERP, own);
    if (m->count < m->base) return 0;
    for (int r = 0; r < m->count; ++r) mend_row (m, r);
    return 1;
}

/* ---- how far each type of joint is open: in metres, and as a true angle ---- */

/* Length of the error vector in rows first .. first + count - 1, whose directions are perpendicular; rows
 * hold an angle as its sine or as twice the sine of its half. */
static double row_error (const rls_measured_joint *m, int first, int count)
{
    double sum = 0;
    for (int r = first; r < first + count; ++r) sum += m->error[r] * m->error[r];
    return sqrt (sum);
}

/* Rounding may lift a sine above 1; NaN stays NaN. */
static double angle_of_sine (double sine) { return asin (fabs (sine) > 1 ? 1 : fabs (sine)); }

/* The vector from one of two points of a joint to the other. */
static void gap_between (dJointID joint, vector_getter *first, vector_getter *second, dVector3 gap)
{
    dVector3 from;
    first (joint, from);
    second (joint, gap);
    for (int k = 0; k < 3; ++k) gap[k] -= from[k];
}

static double anchor_gap (dJointID joint, vector_getter *first, vector_getter *second)
{
    dVector3 gap;
    gap_between (joint, first, second, gap);
    return length3 (gap);
}

/* Length of gap without its part along a unit axis. */
static double gap_across (const dReal *gap, const dReal *axis)
{
    const double along = dot3 (gap, axis);
    dVector3 across;
    for (int k = 0; k < 3; ++k) across[k] = (dReal)((double)gap[k] - along * (double)axis[k]);
    return length3 (across);
}

/* By how much the angle between two axes is not a right one. */
static double squareness (dJointID joint, vector_getter *first, vector_getter *second)
{
    dVector3 a, b;
    first (joint, a);
    second (joint, b);
    return angle_of_sine (dot3 (a, b) / (length3 (a) * length3 (b)));
}

/* Whether a CFM makes a spring: ODE's default only keeps its solver regular, and a suspension that is not
 * softer is stiff. */
static int is_soft (dBodyID body, dReal cfm)
{
    const dReal world_cfm = dWorldGetCFM (dBodyGetWorld (body)), regular = (dReal)RLS_STOCK_CFM;
    return cfm > (world_cfm > regular ? world_cfm : regular);
}

static int suspension_is_soft (dJointID joint)
{
    return is_soft (dJointGetBody (joint, 0), dJointGetHinge2Param (joint, dParamSuspensionCFM));
}

static double hinge2_gap (dJointID joint)
{
    dVector3 gap, axis;
    gap_between (joint, dJointGetHinge2Anchor, dJointGetHinge2Anchor2, gap);
    if (!suspension_is_soft (joint)) return length3 (gap);
    dJointGetHinge2Axis1 (joint, axis);
    return gap_across (gap, axis);
}

static double piston_gap (dJointID joint)
{
    dVector3 gap, axis;
    gap_between (joint, dJointGetPistonAnchor, dJointGetPistonAnchor2, gap);
    dJointGetPistonAxis (joint, axis);
    return gap_across (gap, axis);
}

static double rod_gap (dJointID joint)
{
    return fabs (anchor_gap (joint, dJointGetDBallAnchor1, dJointGetDBallAnchor2) -
                 (double)dJointGetDBallDistance (joint));
}

/* The rod of a dhinge, and how far its ends have left the plane across its axis. */
static double dhinge_gap (dJointID joint)
{
    dVector3 gap, axis;
    gap_between (joint, dJointGetDHingeAnchor1, dJointGetDHingeAnchor2, gap);
    dJointGetDHingeAxis (joint, axis);
    return hypot (length3 (gap) - (double)dJointGetDHingeDistance (joint), dot3 (gap, axis));
}

/* The suspension of a hinge2 is its first row; equal stops are behind the rows of the type. */
static int is_spring (const rls_measured_joint *m, int r)
{
    if (r >= m->base) return is_soft (m->bodies[0], m->rows.rhs_cfm[r][1]);
    return r == 0 && dJointGetType (m->joint) == dJointTypeHinge2 && suspension_is_soft (m->joint);
}

static double gap_of (const rls_measured_joint *m)
{
    const dJointID joint = m->joint;
    switch (dJointGetType (joint))
    {
    case dJointTypeBall:
        return anchor_gap (joint, dJointGetBallAnchor, dJointGetBallAnchor2);
    case dJointTypeHinge:
        return anchor_gap (joint, dJointGetHingeAnchor, dJointGetHingeAnchor2);
    case dJointTypeUniversal:
        return anchor_gap (joint, dJointGetUniversalAnchor, dJointGetUniversalAnchor2);
    case dJointTypeHinge2:
        return hinge2_gap (joint);
    case dJointTypePiston:
        return piston_gap (joint);
    case dJointTypeDBall:
        return rod_gap (joint);
    case dJointTypeDHinge:
        return dhinge_gap (joint);
    case dJointTypePlane2D:
        return fabs ((double)dBodyGetPosition (m->bodies[0])[2]);

    /* of these ODE keeps to itself where they began: their rows tell */
    case dJointTypeFixed:
        return row_error (m, 0, 3);
    case dJointTypeSlider:
        return row_error (m, 3, 2);
    case dJointTypePR:
        return row_error (m, 2, 2);
    case dJointTypePU:
        return row_error (m, 1, 2);
    case dJointTypeTransmission:
        return row_error (m, 0, 1); /* arc that the gears are apart */
    default:
        return 0;
    }
}

static double angle_of (const rls_measured_joint *m)
{
    const dJointID joint = m->joint;
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        return angle_of_sine (row_error (m, 3, 2));
    case dJointTypePR:
    case dJointTypePiston:
        return angle_of_sine (row_error (m, 0, 2));
    case dJointTypeDHinge:
        return angle_of_sine (row_error (m, 1, 2));
    case dJointTypeHinge2:
        return angle_of_sine (m->error[3]);
    case dJointTypeUniversal:
        return squareness (joint, dJointGetUniversalAxis1, dJointGetUniversalAxis2);
    case dJointTypePU:
        return squareness (joint, dJointGetPUAxis1, dJointGetPUAxis2);
    case dJointTypeSlider:
        return 2 * angle_of_sine (row_error (m, 0, 3) / 2); /* ODE gives 2 sin (a/2) */
    case dJointTypeFixed:
        return 2 * angle_of_sine (row_error (m, 3, 3) / 2);
    default:
        return 0;
    }
}

/* ---- rates and locked axes ---- */

static double row_velocity (const dReal *row, const dBodyID bodies[2])
{
    double sum = 0;
    for (int side = 0; side < 2 && bodies[side]; ++side)
    {
        sum += dot3 (row + 6 * side, dBodyGetLinearVel (bodies[side]));
        sum += dot3 (row + 6 * side + 3, dBodyGetAngularVel (bodies[side]));
    }
    return sum;
}

static void joint_rates (const rls_measured_joint *m, double *linear, double *angular)
{
    *linear = *angular = 0;
    for (int r = 0; r < m->count; ++r)
    {
        const dReal *row = m->rows.J[r];
        if (!rls_is_bilateral (&m->rows, r) || is_spring (m, r)) continue;
        double *rate = is_linear (row) ? linear : angular;
        const double direction = length3 (is_linear (row) ? row : row + 3);
        if (direction > 0) *rate = hypot (*rate, row_velocity (row, m->bodies) / direction);
    }
}

/* Axes locked by equal stops: rows behind those of the type, bilateral, with the error as it is. */
static void locked_axes (const rls_measured_joint *m, double *gap, double *angle)
{
    const double turn = 2 * acos (-1.0);
    *gap = *angle = 0;
    for (int r = m->base; r < m->count; ++r)
    {
        if (!rls_is_bilateral (&m->rows, r) || is_spring (m, r)) continue;
        if (is_linear (m->rows.J[r]))
            *gap = hypot (*gap, m->error[r]);
        else
            *angle = hypot (*angle, remainder (m->error[r], turn));
    }
}

/* ---- the public functions ---- */

static int is_finite (dBodyID body)
{
    return rls_all_finite (dBodyGetPosition (body), 3) && rls_all_finite (dBodyGetQuaternion (body), 4) &&
           rls_all_finite (dBodyGetLinearVel (body), 3) && rls_all_finite (dBodyGetAngularVel (body), 3);
}

/* Whether the joint has something to violate: its type has constraints and the bodies they need. */
static int constrains (dJointID joint, const dBodyID bodies[2])
{
    if (!bodies[0] || !dJointIsEnabled (joint)) return 0;
    const dJointType type = dJointGetType (joint);
    const int needs_two = type == dJointTypeHinge2 || type == dJointTypeTransmission;
    return rls_ode_base_rows (type) > 0 && (bodies[1] || !needs_two);
}

int dRLSMeasureJoint (dJointID joint, dRLSViolation *violation)
{
    if (!joint || !violation || rls_ode_prepare (NULL) != dRLSStatusOk) return 0;
    *violation = (dRLSViolation){0, 0, 0, 0};

    rls_measured_joint m = {.joint = joint};
    rls_ode_joint_bodies (joint, m.bodies);
    if (!constrains (joint, m.bodies)) return 1;
    for (int side = 0; side < 2; ++side)
        if (m.bodies[side] && !is_finite (m.bodies[side])) return 0;
    if (!read_rows (&m)) return 0;

    double locked_gap, locked_angle, linear_rate, angular_rate;
    locked_axes (&m, &locked_gap, &locked_angle);
    joint_rates (&m, &linear_rate, &angular_rate);
    const double gap = hypot (gap_of (&m), locked_gap), angle = hypot (angle_of (&m), locked_angle);
    if (!isfinite (gap + angle + linear_rate + angular_rate)) return 0;
    *violation = (dRLSViolation){(dReal)gap, (dReal)angle, (dReal)linear_rate, (dReal)angular_rate};
    return 1;
}

void rls_report_joint (dRLSReport *report, dJointID joint)
{
    dRLSViolation v;
    if (!dRLSMeasureJoint (joint, &v)) return;
    report->violation_m = (dReal)fmax (report->violation_m, v.position_m);
    report->violation_rad = (dReal)fmax (report->violation_rad, v.angle_rad);
    report->violation_m_s = (dReal)fmax (report->violation_m_s, v.velocity_m_s);
    report->violation_rad_s = (dReal)fmax (report->violation_rad_s, v.velocity_rad_s);
}

int dRLSMeasureBody (dBodyID body, dReal *kinetic, dReal *potential)
{
    if (!body || !kinetic || !potential || rls_ode_prepare (NULL) != dRLSStatusOk) return 0;
    *kinetic = *potential = 0;
    if (dBodyIsKinematic (body)) return 1;

    dMass mass;
    dVector3 gravity, spin, momentum;
    const dReal *velocity = dBodyGetLinearVel (body), *turning = dBodyGetAngularVel (body);
    dBodyGetMass (body, &mass);
    dBodyVectorFromWorld (body, turning[0], turning[1], turning[2], spin);
    for (int k = 0; k < 3; ++k) momentum[k] = (dReal)dot3 (mass.I + 4 * k, spin);
    *kinetic = (dReal)((double)mass.mass * dot3 (velocity, velocity) / 2 + dot3 (spin, momentum) / 2);
    if (dBodyGetGravityMode (body))
    {
        dWorldGetGravity (dBodyGetWorld (body), gravity);
        *potential = (dReal)(-(double)mass.mass * dot3 (gravity, dBodyGetPosition (body)));
    }
    return 1;
}

void rls_report_body (dRLSReport *report, dBodyID body)
{
    dReal kinetic, potential;
    if (!dRLSMeasureBody (body, &kinetic, &potential)) return;
    report->kinetic += kinetic;
    report->potential += potential;
}
