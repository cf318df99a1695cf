/*
 * <rls:wheel>: a thin disc that rolls on a level plane without slipping, however it leans, as the wheels of a
 * bicycle are taken to be.  Its lowest point P stays at the height of the plane, and the material point there
 * stands still:
 *
 *     P_z = height,      x . (v + w x (P - C)) = 0,      y . (v + w x (P - C)) = 0
 *
 * with C the centre of the disc.  The rim is level at P, so that P_z changes with the velocity of the
 * material point; the other two rows hold velocities alone (nonholonomic).
 */
#include "build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void axis_of (const scene_wheel *w, double axis[3])
{
    dVector3 turned;
    dBodyVectorToWorld (w->centre.body, (dReal)w->axis[0], (dReal)w->axis[1], (dReal)w->axis[2], turned);
    for (int i = 0; i < 3; i++) axis[i] = (double)turned[i];
}

/* From the centre to the lowest point; 0 for a disc that lies flat. */
static int reach_down (const scene_wheel *w, double reach[3])
{
    double axis[3];
    axis_of (w, axis);
    const double level = sqrt (1 - axis[2] * axis[2]);
    for (int i = 0; i < 3; i++) reach[i] = w->radius * (axis[2] * axis[i] - (i == 2)) / level;
    return level > 1e-6;
}

double scene_wheel_gap (const scene *s, int i)
{
    const scene_wheel *w = &s->wheels[i];
    double centre[3], reach[3];
    scene_point_position (&w->centre, centre);
    return reach_down (w, reach) ? centre[2] + reach[2] - w->height : NAN;
}

static int wheel_rows (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const scene_wheel *w = context;
    const dReal *x = dBodyGetPosition (w->centre.body);
    double centre[3], reach[3], arm[3];
    (void)joint, (void)time;
    if (!reach_down (w, reach)) return 0;
    scene_point_position (&w->centre, centre);
    for (int i = 0; i < 3; i++) arm[i] = centre[i] + reach[i] - (double)x[i];
    for (int k = 0; k < 3; k++)
    {
        const int direction = (k + 2) % 3; /* up first */
        dReal *turn = row[k].first + 3;
        row[k].first[direction] = 1;
        turn[(direction + 1) % 3] = (dReal)arm[(direction + 2) % 3];
        turn[(direction + 2) % 3] = (dReal)-arm[(direction + 1) % 3];
    }
    row[0].value = (dReal)(centre[2] + reach[2] - w->height);
    row[1].kind = row[2].kind = dRLSRowNonholonomic;
    return 1;
}

int scene_prepare_wheels (scene *s, dRLSStepperID stepper)
{
    for (int i = 0; i < s->wheel_count; i++)
    {
        scene_wheel *w = &s->wheels[i];
        if (!dRLSStepperSetJointRows (stepper, s->joints[w->joint].joint, 3, wheel_rows, w)) return 0;
    }
    return 1;
}

int read_wheel (reader *r, int index, const xmlNode *node)
{
    scene *s = r->s;
    scene_wheel *wheels = scene_grow (s->wheels, s->wheel_count, &s->wheel_room, sizeof *wheels);
    if (!wheels) return fail_memory (r);
    s->wheels = wheels;
    scene_wheel *w = &wheels[s->wheel_count];
    double axis[3] = {0, 1, 0}, centre[3] = {0, 0, 0};
    char name[128];
    if (!read_name (r, index, node, name, sizeof name) ||
        !attribute_numbers (r, node, "centre", centre, 3, NULL) ||
        !attribute_numbers (r, node, "axis", axis, 3, NULL) ||
        !attribute_numbers (r, node, "radius", &w->radius, 1, NULL) ||
        !attribute_numbers (r, node, "height", &w->height, 1, NULL) ||
        !attach_point (r, index, node, "link", centre, &w->centre))
        return 0;
    if (!w->centre.body) return fail_at (r, node, "needs a link that moves");
    if (!(w->radius > 0)) return fail_at (r, node, "attribute radius: must be positive, is %g", w->radius);
    const double length = sqrt (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > 0) || !isfinite (length)) return fail_at (r, node, "attribute axis: must not be zero");
    for (int i = 0; i < 3; i++) w->axis[i] = axis[i] / length;

    const dJointID joint = dJointCreateLMotor (s->world, NULL);
    dJointAttach (joint, w->centre.body, NULL);
    w->joint = s->joint_count;
    s->wheel_count++;
    if (!scene_add_joint (s, name, joint, -1, -1)) return fail_memory (r);
    s->joints[w->joint].rows = 3;
    return 1;
}
