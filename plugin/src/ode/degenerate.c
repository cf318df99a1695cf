/*
 * Configurations in which ODE's formulas for the rows of a joint divide by zero, by type.  The contract is in
 * ode_seam.h.  (An angular motor with Euler angles has such a configuration as well, but there ODE ends the
 * program already when it is asked for the axes.)
 */
#include "ode_seam.h"
#include "tolerances.h"
#include <math.h>

/* True if two axes of a joint are parallel. */
static int are_parallel (dJointID joint, vector_getter *first, vector_getter *second)
{
    dVector3 a, b, normal;
    first (joint, a);
    second (joint, b);
    dCalcVectorCross3 (normal, a, b);
    return normal[0] == 0 && normal[1] == 0 && normal[2] == 0;
}

/* True if a gear wheel would turn too far in a step h (s), or its velocity is not finite. */
static int turns_too_far (dJointID joint, int wheel, double h)
{
    const dReal *w = dBodyGetAngularVel (dJointGetBody (joint, wheel));
    return !(h * (fabs (w[0]) + fabs (w[1]) + fabs (w[2])) < RLS_HUGE);
}

static int anchors_meet (dJointID joint)
{
    dVector3 a, b;
    dJointGetTransmissionAnchor1 (joint, a);
    dJointGetTransmissionAnchor2 (joint, b);
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* True if the product of the axes is 1 to the last bit, which ODE asserts it is not, although they may not be
 * exactly parallel. */
static int axes_are_one (dJointID joint)
{
    dVector3 a, b;
    dJointGetTransmissionAxis1 (joint, a);
    dJointGetTransmissionAxis2 (joint, b);
    return fabs ((double)dCalcVectorDot3 (a, b)) == 1;
}

/* True if the axis of a wheel is along the chain: ODE divides by the length of their cross product. */
static int axis_is_along_chain (dJointID joint)
{
    static vector_getter *const *const axes[2] = {&dJointGetTransmissionAxis1, &dJointGetTransmissionAxis2};
    dVector3 length, axis, side;
    int along = 0;
    dJointGetTransmissionAnchor1 (joint, length);
    dJointGetTransmissionAnchor2 (joint, side);
    for (int k = 0; k < 3; ++k) length[k] -= side[k];
    for (int wheel = 0; wheel < 2; ++wheel)
    {
        (*axes[wheel]) (joint, axis);
        dCalcVectorCross3 (side, axis, length);
        along |= side[0] == 0 && side[1] == 0 && side[2] == 0;
    }
    return along;
}

static int gears_are_degenerate (dJointID joint, double h)
{
    if (turns_too_far (joint, 0, h) || turns_too_far (joint, 1, h) || anchors_meet (joint)) return 1;
    switch (dJointGetTransmissionMode (joint))
    {
    case dTransmissionIntersectingAxes:
        return axes_are_one (joint) ||
               are_parallel (joint, dJointGetTransmissionAxis1, dJointGetTransmissionAxis2);
    case dTransmissionChainDrive:
        return !(dJointGetTransmissionRadius1 (joint) > 0 && dJointGetTransmissionRadius2 (joint) > 0) ||
               axis_is_along_chain (joint);
    default:
        return 0; /* ODE sees to it that the ratio is positive */
    }
}

int rls_is_degenerate (dJointID joint, double h)
{
    switch (dJointGetType (joint))
    {
    case dJointTypeUniversal:
        return are_parallel (joint, dJointGetUniversalAxis1, dJointGetUniversalAxis2);
    case dJointTypePU:
        return are_parallel (joint, dJointGetPUAxis1, dJointGetPUAxis2);
    case dJointTypeHinge2:
        return are_parallel (joint, dJointGetHinge2Axis1, dJointGetHinge2Axis2);
    case dJointTypeTransmission:
        return gears_are_degenerate (joint, h);
    default:
        return 0;
    }
}
