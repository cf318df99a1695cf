/*
 * Axes of joints: limits and dynamics of the file, and the coordinate, rate and effort of an axis with
 * SDFormat's sign whatever ODE's joint is.
 */
#include "build.h"

#include <math.h>
#include <string.h>

/* SDFormat writes "no limit" as 1e16 or infinity. */
#define NO_LIMIT 1e16

static dJointID joint_of (const scene *s, const scene_axis *axis) { return s->joints[axis->joint].joint; }

/* ---- reading ---------------------------------------------------------------------------------------------
 */

static int read_limit (reader *r, int index, const xmlNode *axis, scene_axis *a, double stops[2])
{
    xmlNode *limit;
    stops[0] = -INFINITY;
    stops[1] = INFINITY;
    if (!only_child (r, axis, "limit", &limit)) return 0;
    if (!limit) return 1;
    double effort = -1, velocity = -1, stiffness = 1e8, dissipation = 1;
    warn_unknown (r, limit, "lower upper effort velocity stiffness dissipation");
    if (!child_number_or_infinite (r, limit, "lower", &stops[0]) ||
        !child_number_or_infinite (r, limit, "upper", &stops[1]) ||
        !child_number_or_infinite (r, limit, "effort", &effort) ||
        !child_number_or_infinite (r, limit, "velocity", &velocity) ||
        !child_not_negative (r, limit, "stiffness", &stiffness) ||
        !child_not_negative (r, limit, "dissipation", &dissipation))
        return 0;
    if (stops[0] <= -NO_LIMIT) stops[0] = -INFINITY;
    if (stops[1] >= NO_LIMIT) stops[1] = INFINITY;
    if (stops[0] > stops[1])
        return fail_at (r, limit, "of '%s' has its lower end %g above its upper end %g",
                        r->frames->list[index].name, stops[0], stops[1]);
    /* Negative means no limit. */
    if (effort >= 0 && effort < NO_LIMIT) a->effort_limit = effort;
    if (velocity >= 0 && velocity < NO_LIMIT) a->velocity_limit = velocity;
    a->has_soft_stop = first_child (limit, "stiffness") || first_child (limit, "dissipation");
    a->stop_stiffness = stiffness;
    a->stop_dissipation = dissipation;
    if (a->has_soft_stop && stiffness + dissipation <= 0)
        return fail_at (r, limit, "has neither stiffness nor dissipation above zero");
    return 1;
}

static int read_dynamics (reader *r, const xmlNode *axis, scene_axis *a)
{
    xmlNode *dynamics;
    if (!only_child (r, axis, "dynamics", &dynamics)) return 0;
    if (!dynamics) return 1;
    warn_unknown (r, dynamics, "damping friction spring_stiffness spring_reference");
    return child_not_negative (r, dynamics, "damping", &a->damping) &&
           child_not_negative (r, dynamics, "friction", &a->friction) &&
           child_not_negative (r, dynamics, "spring_stiffness", &a->stiffness) &&
           child_number (r, dynamics, "spring_reference", &a->rest);
}

/* The angle of the hinge counts from that one on: its axis is set while the first body is turned there. */
static void set_zero (dJointID hinge, double angle)
{
    const dBodyID body = dJointGetBody (hinge, 0);
    dQuaternion before, turn, there;
    dVector3 axis;
    dJointGetHingeAxis (hinge, axis);
    memcpy (before, dBodyGetQuaternion (body), sizeof before);
    dQFromAxisAndAngle (turn, axis[0], axis[1], axis[2], (dReal)angle);
    dQMultiply0 (there, turn, before);
    dBodySetQuaternion (body, there);
    dJointSetHingeAxis (hinge, axis[0], axis[1], axis[2]);
    dBodySetQuaternion (body, before);
}

/*
 * ODE measures angles between -pi and pi and has stops there alone.  A hinge with farther ones, not a whole
 * turn apart, is given its zero in their middle; nothing can be done for other joints.
 */
static void set_stops (reader *r, int index, scene_axis *a, const xmlNode *axis, const double stops[2])
{
    const dJointID joint = joint_of (r->s, a);
    const int turning = !scene_axis_slides (r->s, a), hinge = dJointGetType (joint) == dJointTypeHinge;
    double low = stops[0], high = stops[1];
    const int far = (isfinite (low) && low < -M_PI) || (isfinite (high) && high > M_PI);
    if (turning && far && hinge && isfinite (low) && isfinite (high) && high - low < 2 * M_PI)
    {
        a->zero = 0.5 * (low + high);
        set_zero (joint, a->zero);
        low -= a->zero, high -= a->zero;
    }
    else if (turning && far)
        warn_at (r, axis, "of '%s': ODE has no stops beyond half a turn; those are left out",
                 r->frames->list[index].name);
    if (!turning || (low >= -M_PI && low <= M_PI)) scene_axis_set (r->s, a, dParamLoStop, low);
    if (!turning || (high >= -M_PI && high <= M_PI)) scene_axis_set (r->s, a, dParamHiStop, high);
}

int build_axis (reader *r, int index, int joint, int second, int group, int limited)
{
    const xmlNode *node = first_child (r->frames->list[index].node, second ? "axis2" : "axis");
    double stops[2];
    scene_axis *a = scene_add_axis (r->s, joint, group);
    if (!a) return fail_memory (r);
    if (!node) return 1;
    warn_unknown (r, node, "xyz limit dynamics mimic");
    if (!read_limit (r, index, node, a, stops) || !read_dynamics (r, node, a)) return 0;
    if (limited) set_stops (r, index, a, node, stops);
    if (a->friction > 0)
    {
        scene_axis_set (r->s, a, dParamVel, 0);
        scene_axis_set (r->s, a, dParamFMax, a->friction);
    }
    return 1;
}

/* ---- ODE's view of an axis ----------------------------------------------------------------------------- */

void scene_axis_set (const scene *s, const scene_axis *axis, int parameter, double value)
{
    dJointID joint = joint_of (s, axis);
    dReal v = isinf (value) ? (value < 0 ? -dInfinity : dInfinity) : (dReal)value;
    int p = parameter + (axis->group ? dParamGroup2 : 0);
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        dJointSetHingeParam (joint, p, v);
        break;
    case dJointTypeSlider:
        dJointSetSliderParam (joint, p, v);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalParam (joint, p, v);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Param (joint, p, v);
        break;
    case dJointTypePiston:
        dJointSetPistonParam (joint, p, v);
        break;
    default:
        break;
    }
}

void scene_axis_run (const scene *s, const scene_axis *axis, double time)
{
    double first, second, limit = axis->velocity_limit;
    const double wanted = axis->velocity ? expression_evaluate (axis->velocity, time, &first, &second) : 0;
    if (isfinite (wanted)) scene_axis_set (s, axis, dParamVel, fmax (-limit, fmin (limit, wanted)));
}

double scene_axis_get (const scene *s, const scene_axis *axis, int parameter)
{
    dJointID joint = joint_of (s, axis);
    const int p = parameter + (axis->group ? dParamGroup2 : 0);
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        return (double)dJointGetHingeParam (joint, p);
    case dJointTypeSlider:
        return (double)dJointGetSliderParam (joint, p);
    case dJointTypeUniversal:
        return (double)dJointGetUniversalParam (joint, p);
    case dJointTypeHinge2:
        return (double)dJointGetHinge2Param (joint, p);
    case dJointTypePiston:
        return (double)dJointGetPistonParam (joint, p);
    default:
        return 0;
    }
}

void scene_joint_axes (dJointID joint, dVector3 axis[2], dVector3 anchor)
{
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        dJointGetHingeAxis (joint, axis[0]);
        dJointGetHingeAnchor (joint, anchor);
        break;
    case dJointTypeSlider:
        dJointGetSliderAxis (joint, axis[0]);
        break;
    case dJointTypeBall:
        dJointGetBallAnchor (joint, anchor);
        break;
    case dJointTypeUniversal:
        dJointGetUniversalAxis1 (joint, axis[0]);
        dJointGetUniversalAxis2 (joint, axis[1]);
        dJointGetUniversalAnchor (joint, anchor);
        break;
    case dJointTypeHinge2:
        dJointGetHinge2Axis1 (joint, axis[0]);
        dJointGetHinge2Axis2 (joint, axis[1]);
        dJointGetHinge2Anchor (joint, anchor);
        break;
    case dJointTypePiston:
        dJointGetPistonAxis (joint, axis[0]);
        dJointGetPistonAnchor (joint, anchor);
        break;
    default:
        break;
    }
}

static double raw_position (dJointID joint, int group)
{
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        return (double)dJointGetHingeAngle (joint);
    case dJointTypeSlider:
        return (double)dJointGetSliderPosition (joint);
    case dJointTypeUniversal:
        return (double)(group ? dJointGetUniversalAngle2 (joint) : dJointGetUniversalAngle1 (joint));
    case dJointTypeHinge2:
        /* ODE gives its second angle against the sense of its rate. */
        return (double)(group ? -dJointGetHinge2Angle2 (joint) : dJointGetHinge2Angle1 (joint));
    case dJointTypePiston:
        return (double)(group ? dJointGetPistonAngle (joint) : dJointGetPistonPosition (joint));
    default:
        return 0;
    }
}

int scene_axis_slides (const scene *s, const scene_axis *axis)
{
    const int type = dJointGetType (joint_of (s, axis));
    return type == dJointTypeSlider || (type == dJointTypePiston && axis->group == 0);
}

double scene_axis_position (const scene *s, const scene_axis *axis)
{
    dJointID joint = joint_of (s, axis);
    double position = raw_position (joint, axis->group) + axis->zero;
    if (scene_axis_slides (s, axis)) return position;
    return axis->last_angle + remainder (position - axis->last_angle, 2 * M_PI);
}

/* The directions of both axes of a joint with two; of the only one otherwise (the second is then zero). */
static void directions (dJointID joint, dVector3 a[2])
{
    dSetZero (a[1], 4);
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        dJointGetHingeAxis (joint, a[0]);
        break;
    case dJointTypeSlider:
        dJointGetSliderAxis (joint, a[0]);
        break;
    case dJointTypePiston:
        dJointGetPistonAxis (joint, a[0]);
        memcpy (a[1], a[0], sizeof a[1]);
        break;
    case dJointTypeUniversal:
        dJointGetUniversalAxis1 (joint, a[0]);
        dJointGetUniversalAxis2 (joint, a[1]);
        break;
    default:
        dJointGetHinge2Axis1 (joint, a[0]);
        dJointGetHinge2Axis2 (joint, a[1]);
        break;
    }
}

/*
 * The vector d in the plane of the axes with d . (own axis) = 1 and d . (other axis) = 0: the relative
 * angular velocity times d is the rate of this axis alone, and a torque along d works on it alone.
 */
static void dual_direction (dJointID joint, int group, double d[3])
{
    dVector3 a[2];
    directions (joint, a);
    double c = dJointGetType (joint) == dJointTypePiston ? 0 : (double)dCalcVectorDot3 (a[0], a[1]),
           s = 1 - c * c;
    for (int i = 0; i < 3; i++) d[i] = ((double)a[group][i] - c * (double)a[1 - group][i]) / s;
}

/* ODE's own slider rate leaves out that the second body turns under the first one. */
static double slider_rate (dJointID joint, const dVector3 axis)
{
    dBodyID first = dJointGetBody (joint, 0), second = dJointGetBody (joint, 1);
    const dReal *v = dBodyGetLinearVel (first), *p = dBodyGetPosition (first);
    dVector3 carried = {0};
    double rate = 0;
    /* The velocity that the second body would have at the first one's centre. */
    if (second) dBodyGetPointVel (second, p[0], p[1], p[2], carried);
    for (int i = 0; i < 3; i++) rate += (double)(axis[i] * (v[i] - carried[i]));
    return rate;
}

double scene_axis_rate (const scene *s, const scene_axis *axis)
{
    dJointID joint = joint_of (s, axis);
    dBodyID first = dJointGetBody (joint, 0), second = dJointGetBody (joint, 1);
    if (scene_axis_slides (s, axis))
    {
        dVector3 a[2];
        directions (joint, a);
        return slider_rate (joint, a[0]);
    }
    double d[3], rate = 0;
    dual_direction (joint, axis->group, d);
    const dReal *w1 = dBodyGetAngularVel (first), *w2 = second ? dBodyGetAngularVel (second) : NULL;
    for (int i = 0; i < 3; i++) rate += d[i] * (double)(w2 ? w1[i] - w2[i] : w1[i]);
    return rate;
}

void scene_axis_add_effort (const scene *s, const scene_axis *axis, double effort)
{
    dJointID joint = joint_of (s, axis);
    if (dJointGetType (joint) == dJointTypePiston && axis->group == 0)
    {
        dJointAddPistonForce (joint, (dReal)effort);
        return;
    }
    if (dJointGetType (joint) == dJointTypeSlider)
    {
        dJointAddSliderForce (joint, (dReal)effort);
        return;
    }
    dBodyID first = dJointGetBody (joint, 0), second = dJointGetBody (joint, 1);
    double d[3];
    dual_direction (joint, axis->group, d);
    dReal x = (dReal)(effort * d[0]), y = (dReal)(effort * d[1]), z = (dReal)(effort * d[2]);
    dBodyAddTorque (first, x, y, z);
    if (second) dBodyAddTorque (second, -x, -y, -z);
}
