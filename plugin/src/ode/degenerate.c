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

static int gears_are_degenerate (dJointID joint, double h)
{
    dVector3 axis[2], length, anchor, side;
    int far = 0, along = 0;
    dJointGetTransmissionAxis1 (joint, axis[0]), dJointGetTransmissionAxis2 (joint, axis[1]);
    dJointGetTransmissionAnchor1 (joint, length), dJointGetTransmissionAnchor2 (joint, anchor);
    for (int k = 0; k < 3; ++k) length[k] -= anchor[k];

    /* a wheel that would turn too far in the step, or whose velocity is not finite; one whose axis is along
     * the chain between them, where ODE divides by the length of their cross product */
    for (int wheel = 0; wheel < 2; ++wheel)
    {
        const dReal *w = dBodyGetAngularVel (dJointGetBody (joint, wheel));
        far |= !(h * (fabs (w[0]) + fabs (w[1]) + fabs (w[2])) < RLS_HUGE);
        dCalcVectorCross3 (side, axis[wheel], length);
        along |= side[0] == 0 && side[1] == 0 && side[2] == 0;
    }
    if (far || (length[0] == 0 && length[1] == 0 && length[2] == 0)) return 1;

    /* on intersecting axes ODE asserts that the product of the axes is not 1, to the last bit, which it may
     * be although they are not exactly parallel */
    switch (dJointGetTransmissionMode (joint))
    {
    case dTransmissionIntersectingAxes:
        return fabs ((double)dCalcVectorDot3 (axis[0], axis[1])) == 1 ||
               are_parallel (joint, dJointGetTransmissionAxis1, dJointGetTransmissionAxis2);
    case dTransmissionChainDrive:
        return along ||
               !(dJointGetTransmissionRadius1 (joint) > 0 && dJointGetTransmissionRadius2 (joint) > 0);
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
