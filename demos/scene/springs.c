/*
 * Springs, dampers and efforts: along the axes of joints, and between two points.
 *
 * A stepper evaluates them as forces in each stage of an accurate integrator.  Where the step is too long for
 * that, it gets them as rows that give way (dRLSStepperSetJointSpring, dRLSStepperSetJointRows), which no
 * stiffness and no damping upsets.  With A what an impulse of 1 changes the spring's rate by, forces become
 * unstable where h^2 k A + h c A is between 2 and 4.
 */
#include "scene_data.h"

#include <math.h>
#include <string.h>

#define STIFF 0.05 /* h^2 k A: the energy of a spring as a force wavers by about an eighth of it */
#define DAMPED 1   /* h c A: below 2 forces converge; rows cost more, and an accurate integrator its order */
#define SHORT 1e-9 /* m: a spring with a length that is shorter than this has no direction */

/* ---- as forces ----------------------------------------------------------------------------------------- */

static void add_axis_effort (const scene *s, const scene_axis *a, int all)
{
    const int by_force = all || !a->in_rows;
    double effort = a->effort;
    if (effort == 0 && (!by_force || (a->damping == 0 && a->stiffness == 0))) return;
    double rate = scene_axis_rate (s, a);
    /* At its velocity limit the axis is not driven any faster. */
    if (effort * rate > 0 && fabs (rate) >= a->velocity_limit) effort = 0;
    if (by_force) effort -= a->damping * rate;
    if (by_force && a->stiffness > 0) effort -= a->stiffness * (scene_axis_position (s, a) - a->rest);
    scene_axis_add_effort (s, a, effort);
}

static void push (const scene_point *point, const double force[3], double sign)
{
    if (!point->body) return;
    dBodyAddForceAtRelPos (point->body, (dReal)(sign * force[0]), (dReal)(sign * force[1]),
                           (dReal)(sign * force[2]), point->local[0], point->local[1], point->local[2]);
}

/* Along the line between the ends.  A spring of length 0 pulls its ends together in all directions alike, and
 * so its damper holds them. */
static void add_spring (const scene_spring *spring)
{
    double d[3], u[3], v[3], length = scene_spring_span (spring, d), approach = 0, force[3];
    if (spring->length > 0 && !(length > 0)) return; /* no direction */
    scene_point_velocity (&spring->ends[0], u);
    scene_point_velocity (&spring->ends[1], v);
    for (int i = 0; i < 3 && length > 0; i++) approach += (v[i] - u[i]) * d[i] / length;
    double pull = spring->stiffness * (length - spring->length) + spring->damping * approach;
    for (int i = 0; i < 3; i++)
        force[i] = spring->length > 0 ? pull * d[i] / length
                                      : spring->stiffness * d[i] + spring->damping * (v[i] - u[i]);
    push (&spring->ends[0], force, 1);
    push (&spring->ends[1], force, -1);
}

void scene_add_forces (const scene *s, int all)
{
    for (int i = 0; i < s->axis_count; i++) add_axis_effort (s, &s->axes[i], all);
    for (int i = 0; i < s->spring_count; i++)
        if (all || !s->springs[i].in_rows) add_spring (&s->springs[i]);
}

/* ---- as rows ------------------------------------------------------------------------------------------- */

static void cross (const double a[3], const double b[3], double result[3])
{
    for (int i = 0; i < 3; i++) result[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* The change of a row's velocity that a unit impulse along it makes of a body alone: a force at a point, and
 * a torque (world). */
static double mobility (dBodyID body, const double point[3], const double force[3], const double torque[3])
{
    dMass m;
    dVector3 local, change;
    dMatrix3 inverse = {0};
    double arm[3], turn[3];
    if (!body || dBodyIsKinematic (body)) return 0;
    dBodyGetMass (body, &m);
    for (int i = 0; i < 3; i++) arm[i] = point[i] - (double)dBodyGetPosition (body)[i];
    cross (arm, force, turn);
    for (int i = 0; i < 3; i++) turn[i] += torque[i];
    dBodyVectorFromWorld (body, (dReal)turn[0], (dReal)turn[1], (dReal)turn[2], local);
    if (!dInvertPDMatrix (m.I, inverse, 3)) return INFINITY;
    dMultiply0_331 (change, inverse, local);
    return (force[0] * force[0] + force[1] * force[1] + force[2] * force[2]) / (double)m.mass +
           (double)dCalcVectorDot3 (local, change);
}

static int too_stiff (const scene *s, double stiffness, double damping, double mobility_of_both)
{
    const double h = s->time_step;
    return h * h * stiffness * mobility_of_both > STIFF || h * damping * mobility_of_both > DAMPED;
}

static double mobility_of_axis (const scene *s, const scene_axis *a)
{
    const dJointID joint = s->joints[a->joint].joint;
    const int slides = scene_axis_slides (s, a);
    const double none[3] = {0, 0, 0};
    double sum = 0, along[3], point[3];
    dVector3 axes[2] = {{0}, {0}}, anchor;
    memcpy (anchor, dBodyGetPosition (dJointGetBody (joint, 0)), sizeof anchor);
    scene_joint_axes (joint, axes, anchor);
    const int which = dJointGetType (joint) == dJointTypePiston ? 0 : a->group;
    for (int i = 0; i < 3; i++) along[i] = (double)axes[which][i], point[i] = (double)anchor[i];
    for (int side = 0; side < 2; side++)
        sum += mobility (dJointGetBody (joint, side), point, slides ? along : none, slides ? none : along);
    return sum;
}

/* ODE's second axis of a hinge-2 joint has no position for a row: its spring, if it has one, stays a force.
 */
static int prepare_axis (const scene *s, scene_axis *a, dRLSStepperID stepper)
{
    const dJointID joint = s->joints[a->joint].joint;
    const int is_wheel = dJointGetType (joint) == dJointTypeHinge2 && a->group == 1;
    const int wanted = (a->stiffness > 0 || a->damping > 0) && !(is_wheel && a->stiffness > 0) &&
                       too_stiff (s, a->stiffness, a->damping, mobility_of_axis (s, a));
    const int given = a->in_rows;
    a->in_rows = wanted;
    if (!wanted && !given) return 1;
    return dRLSStepperSetJointSpring (stepper, joint, a->group, wanted ? (dReal)a->stiffness : 0,
                                      wanted ? (dReal)a->damping : 0, (dReal)(a->rest - a->zero));
}

/* What an impulse along a direction at both ends of a spring exerts on the bodies of its joint. */
static void pull_ends (const scene_spring *spring, dJointID joint, const double direction[3],
                       dRLSProgramRow *row)
{
    for (int side = 0; side < 2; side++)
    {
        const dBodyID body = dJointGetBody (joint, side);
        const int end = body == spring->ends[0].body ? 0 : 1;
        dReal *to = side ? row->second : row->first;
        double force[3], at[3], arm[3], turn[3];
        if (!body) continue;
        scene_point_position (&spring->ends[end], at);
        for (int i = 0; i < 3; i++)
        {
            force[i] = end ? direction[i] : -direction[i];
            arm[i] = at[i] - (double)dBodyGetPosition (body)[i];
        }
        cross (arm, force, turn);
        for (int i = 0; i < 3; i++) to[i] = (dReal)force[i], to[3 + i] = (dReal)turn[i];
    }
}

/* One row along the line between the ends, or of a spring of length 0 three. */
static int spring_rows (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const scene_spring *spring = context;
    double d[3], length = scene_spring_span (spring, d);
    (void)time;
    for (int i = 0; i < 3 && spring->length == 0; i++)
    {
        const double direction[3] = {i == 0, i == 1, i == 2};
        pull_ends (spring, joint, direction, &row[i]);
        row[i].value = (dReal)d[i];
    }
    if (spring->length == 0) return 1;
    if (!(length > SHORT)) return 0;
    for (int i = 0; i < 3; i++) d[i] /= length;
    pull_ends (spring, joint, d, row);
    row->value = (dReal)(length - spring->length);
    return 1;
}

static double mobility_of_spring (const scene_spring *spring)
{
    double d[3], length = scene_spring_span (spring, d), sum = 0;
    const double none[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) d[i] = length > SHORT ? d[i] / length : i == 2;
    for (int side = 0; side < 2; side++)
    {
        double at[3];
        scene_point_position (&spring->ends[side], at);
        sum += mobility (spring->ends[side].body, at, d, none);
    }
    return sum;
}

static int prepare_spring (const scene *s, scene_spring *spring, dRLSStepperID stepper)
{
    const int wanted = too_stiff (s, spring->stiffness, spring->damping, mobility_of_spring (spring)),
              given = spring->in_rows, rows = spring->length > 0 ? 1 : 3;
    spring->in_rows = wanted;
    if (!wanted) return !given || dRLSStepperSetJointRows (stepper, spring->joint, rows, NULL, NULL);
    return dRLSStepperSetJointRows (stepper, spring->joint, rows, spring_rows, spring) &&
           dRLSStepperSetJointCompliance (stepper, spring->joint, (dReal)spring->stiffness,
                                          (dReal)spring->damping);
}

int scene_prepare_springs (scene *s, dRLSStepperID stepper)
{
    for (int i = 0; i < s->axis_count; i++)
        if (!prepare_axis (s, &s->axes[i], stepper)) return 0;
    for (int i = 0; i < s->spring_count; i++)
        if (!prepare_spring (s, &s->springs[i], stepper)) return 0;
    return 1;
}
