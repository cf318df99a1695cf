/* How far each type of joint is open, in metres and as a true angle; what is read is told in measure.c. */
#include "measure.h"

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

typedef void point_getter (dJointID joint, dVector3 result);

/* The vector from one of two points of a joint to the other. */
static void gap_between (dJointID joint, point_getter *first, point_getter *second, dVector3 gap)
{
    dVector3 from;
    first (joint, from);
    second (joint, gap);
    for (int k = 0; k < 3; ++k) gap[k] -= from[k];
}

static double anchor_gap (dJointID joint, point_getter *first, point_getter *second)
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
static double squareness (dJointID joint, point_getter *first, point_getter *second)
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
int rls_measure_is_spring (const rls_measured_joint *m, int r)
{
    if (r >= m->base) return is_soft (m->bodies[0], m->rows.rhs_cfm[r][1]);
    return r == 0 && dJointGetType (m->joint) == dJointTypeHinge2 && suspension_is_soft (m->joint);
}

double rls_measure_gap (const rls_measured_joint *m)
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

double rls_measure_angle (const rls_measured_joint *m)
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
