/*
 * Gearboxes as ODE's transmission.  SDFormat: the angles of the parent and of the child against the
 * reference body, about axis and axis2, obey  angle(child) = -ratio angle(parent).  ODE's transmission wants
 * a point on the axis of each wheel instead of a reference body; those are the anchors of the hinges on
 * which the wheels turn in the reference body.
 */
#include "build.h"

#include <math.h>

static dBodyID link_body (const reader *r, int link) { return link < 0 ? NULL : r->s->links[link].body; }

static int find_reference (reader *r, int index, int *link)
{
    const frame *f = &r->frames->list[index];
    xmlNode *node;
    char *name;
    if (!only_child (r, f->node, "gearbox_reference_body", &node)) return 0;
    if (!node) return fail_at (r, f->node, "needs a <gearbox_reference_body>");
    if (!element_text (r, node, &name)) return 0;
    int found = frames_find (r, f->scope, name, node);
    if (found >= 0) found = frames_link_of (r, found, node);
    free (name);
    *link = found > 0 ? r->frames->list[found].index : -1;
    return found >= 0;
}

/* The anchor of the hinge between two bodies, either of which may be the world (NULL). */
static int find_hinge (const scene *s, dBodyID a, dBodyID b, dVector3 anchor)
{
    for (int i = 0; i < s->joint_count; i++)
    {
        dJointID j = s->joints[i].joint;
        if (dJointGetType (j) != dJointTypeHinge) continue;
        dBodyID first = dJointGetBody (j, 0), second = dJointGetBody (j, 1);
        if (!((first == a && second == b) || (first == b && second == a))) continue;
        dJointGetHingeAnchor (j, anchor);
        return 1;
    }
    return 0;
}

/* Anchors on both axes, moved along them so that the line between them is perpendicular to the axes. */
static int place_wheels (reader *r, int index, int parent, int child, const double axis[3],
                         dVector3 anchors[2])
{
    const frame *f = &r->frames->list[index];
    int reference;
    if (!find_reference (r, index, &reference)) return 0;
    const int wheels[2] = {parent, child};
    for (int i = 0; i < 2; i++)
        if (!find_hinge (r->s, link_body (r, wheels[i]), link_body (r, reference), anchors[i]))
            return fail_at (r, f->node, "needs a revolute joint between its %s and its reference body",
                            i ? "child" : "parent");
    double along = 0, apart = 0;
    for (int i = 0; i < 3; i++) along += axis[i] * (double)(anchors[1][i] - anchors[0][i]);
    for (int i = 0; i < 3; i++)
    {
        anchors[1][i] -= (dReal)(along * axis[i]);
        apart += (double)(anchors[1][i] - anchors[0][i]) * (double)(anchors[1][i] - anchors[0][i]);
    }
    return sqrt (apart) > 1e-9 ||
           fail_at (r, f->node, "has both wheels on one axis, which ODE's transmission cannot do");
}

int build_gearbox (reader *r, int index)
{
    frame *f = &r->frames->list[index];
    int parent, child;
    double ratio = 1, axis[3], axis2[3];
    char name[128];
    dVector3 anchors[2];
    warn_unknown (r, f->node,
                  "parent child pose axis axis2 gearbox_ratio gearbox_reference_body rls:priority");
    if (!joint_links (r, index, &parent, &child) || !child_number (r, f->node, "gearbox_ratio", &ratio) ||
        !joint_axis (r, index, "axis", axis) || !joint_axis (r, index, "axis2", axis2))
        return 0;
    if (!link_body (r, parent) || !link_body (r, child) || parent == child)
        return fail_at (r, f->node, "needs two different links that move");
    double alike = axis[0] * axis2[0] + axis[1] * axis2[1] + axis[2] * axis2[2];
    if (fabs (fabs (alike) - 1) > 1e-9)
        return fail_at (r, f->node, "has axes that are not parallel, which is not supported");
    if (alike < 0) ratio = -ratio;
    if (!(ratio > 0))
        return fail_at (
            r, f->node,
            "would turn both wheels the same way; ODE's transmission only turns them against each other");
    if (!place_wheels (r, index, parent, child, axis, anchors)) return 0;

    dJointID joint = dJointCreateTransmission (r->s->world, NULL);
    if (!frames_full_name (r, index, NULL, f->node, name, sizeof name)) return 0;
    f->index = r->s->joint_count;
    if (!scene_add_joint (r->s, name, joint, parent, child)) return fail_memory (r);
    dJointAttach (joint, link_body (r, parent), link_body (r, child));
    dJointSetTransmissionMode (joint, dTransmissionParallelAxes);
    dJointSetTransmissionAnchor1 (joint, anchors[0][0], anchors[0][1], anchors[0][2]);
    dJointSetTransmissionAnchor2 (joint, anchors[1][0], anchors[1][1], anchors[1][2]);
    dJointSetTransmissionAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    dJointSetTransmissionRatio (joint, (dReal)ratio);
    return build_joint_extensions (r, f->node, f->index);
}
