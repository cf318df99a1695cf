/*
 * Gearboxes as ODE's transmission.  SDFormat: the angles of the parent and of the child against the
 * reference body, about axis and axis2, obey  angle(child) = -ratio angle(parent).  ODE's transmission wants
 * a point on the axis of each wheel instead of a reference body; those are the anchors of the hinges on
 * which the wheels turn in the reference body.  It turns wheels against each other, on parallel axes beside
 * each other; other gears are couplings of those hinges.
 */
#include "build.h"

#include <math.h>

/* m: wheels whose axes are nearer count as on one shaft.  Axes of a pose of 1.5708 rad in place of a quarter
 * of a turn miss each other by some 1e-6 m, and so would wheels on them turn about their own rims. */
#define ONE_SHAFT 1e-4

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

/* The hinge between a wheel and the reference body, either of which may be the world (NULL): its axis in the
 * scene, -1 if there is none; and the sense in which the wheel turns with its angle. */
static int find_hinge (const scene *s, dBodyID wheel, dBodyID reference, double *sense)
{
    for (int i = 0; i < s->axis_count; i++)
    {
        dJointID j = s->joints[s->axes[i].joint].joint;
        if (dJointGetType (j) != dJointTypeHinge) continue;
        dBodyID first = dJointGetBody (j, 0), second = dJointGetBody (j, 1);
        *sense = first == wheel ? 1 : -1;
        if ((first == wheel && second == reference) || (first == reference && second == wheel)) return i;
    }
    return -1;
}

typedef struct
{
    dBodyID body[2]; /* of the parent and of the child */
    double axis[2][3], ratio;
    int hinge[2]; /* axes of the scene on which they turn */
    double sense[2];
} gear_wheels;

static int find_hinges (reader *r, int index, gear_wheels *w)
{
    int reference;
    if (!find_reference (r, index, &reference)) return 0;
    for (int i = 0; i < 2; i++)
    {
        w->hinge[i] = find_hinge (r->s, w->body[i], link_body (r, reference), &w->sense[i]);
        if (w->hinge[i] < 0)
            return fail_at (r, r->frames->list[index].node,
                            "needs a revolute joint between its %s and its reference body",
                            i ? "child" : "parent");
    }
    return 1;
}

/* Anchors on both axes, moved along them so that the line between them is perpendicular to the axes.  Returns
 * the distance between them. */
static double place_wheels (const scene *s, const gear_wheels *w, dVector3 anchors[2])
{
    const double *axis = w->axis[0];
    double along = 0, apart = 0;
    for (int i = 0; i < 2; i++)
        dJointGetHingeAnchor (s->joints[s->axes[w->hinge[i]].joint].joint, anchors[i]);
    for (int i = 0; i < 3; i++) along += axis[i] * (double)(anchors[1][i] - anchors[0][i]);
    for (int i = 0; i < 3; i++)
    {
        anchors[1][i] -= (dReal)(along * axis[i]);
        apart += (double)(anchors[1][i] - anchors[0][i]) * (double)(anchors[1][i] - anchors[0][i]);
    }
    return sqrt (apart);
}

/* angle(child) = -ratio angle(parent), each about its own axis, in terms of the hinges' angles. */
static int couple_hinges (reader *r, int index, const char *name, const gear_wheels *w)
{
    const frame *f = &r->frames->list[index];
    double multiplier = -w->ratio;
    for (int i = 0; i < 2; i++)
    {
        dVector3 turns;
        double along = 0;
        dJointGetHingeAxis (r->s->joints[r->s->axes[w->hinge[i]].joint].joint, turns);
        for (int k = 0; k < 3; k++) along += w->axis[i][k] * (double)turns[k];
        if (fabs (fabs (along) - 1) > 1e-9)
            return fail_at (r, f->node, "has an axis that is not that of the joint on which its %s turns",
                            i ? "child" : "parent");
        multiplier *= w->sense[i] * (along > 0 ? 1 : -1);
    }
    return build_coupling (r, f->node, name, w->hinge[1], w->hinge[0], multiplier, 0);
}

static int make_transmission (reader *r, const char *name, const gear_wheels *w, double ratio,
                              const int links[2], dVector3 anchors[2])
{
    const double *axis = w->axis[0];
    dJointID joint = dJointCreateTransmission (r->s->world, NULL);
    if (!scene_add_joint (r->s, name, joint, links[0], links[1])) return fail_memory (r);
    dJointAttach (joint, w->body[0], w->body[1]);
    dJointSetTransmissionMode (joint, dTransmissionParallelAxes);
    dJointSetTransmissionAnchor1 (joint, anchors[0][0], anchors[0][1], anchors[0][2]);
    dJointSetTransmissionAnchor2 (joint, anchors[1][0], anchors[1][1], anchors[1][2]);
    dJointSetTransmissionAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    dJointSetTransmissionRatio (joint, (dReal)ratio);
    return 1;
}

int build_gearbox (reader *r, int index)
{
    frame *f = &r->frames->list[index];
    int links[2];
    gear_wheels w = {.ratio = 1};
    char name[128];
    dVector3 anchors[2];
    warn_unknown (r, f->node,
                  "parent child pose axis axis2 gearbox_ratio gearbox_reference_body rls:priority");
    if (!joint_links (r, index, &links[0], &links[1]) ||
        !child_number (r, f->node, "gearbox_ratio", &w.ratio) || !joint_axis (r, index, "axis", w.axis[0]) ||
        !joint_axis (r, index, "axis2", w.axis[1]))
        return 0;
    for (int i = 0; i < 2; i++) w.body[i] = link_body (r, links[i]);
    if (!w.body[0] || !w.body[1] || w.body[0] == w.body[1])
        return fail_at (r, f->node, "needs two different links that move");
    if (w.ratio == 0) return fail_at (r, first_child (f->node, "gearbox_ratio"), "must not be 0");
    if (!find_hinges (r, index, &w) || !frames_full_name (r, index, NULL, f->node, name, sizeof name))
        return 0;

    double alike = 0;
    for (int i = 0; i < 3; i++) alike += w.axis[0][i] * w.axis[1][i];
    const double against = alike < 0 ? -w.ratio : w.ratio; /* about one axis */
    const int parallel = fabs (fabs (alike) - 1) <= 1e-9,
              outside = parallel && against > 0 && place_wheels (r->s, &w, anchors) > ONE_SHAFT;
    const int first = r->s->joint_count;
    if (!(outside ? make_transmission (r, name, &w, against, links, anchors)
                  : couple_hinges (r, index, name, &w)))
        return 0;
    f->index = r->s->joint_count > first ? r->s->joint_count - 1 : -1;
    return f->index < 0 || build_joint_extensions (r, f->node, f->index);
}
