/*
 * Joints.  ODE measures a joint's motion as that of its first body against its second, SDFormat as that of
 * the child against the parent: so the child is attached first.  A joint whose child is the world has the
 * parent as its only body; then the axes are turned round, which keeps every sign and avoids ODE's
 * reversed joints.
 */
#include "build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cosine of the angle between the axes of a cross that still counts as a right angle. */
#define PERPENDICULAR 1e-6

typedef struct
{
    int index; /* its frame */
    const xmlNode *node;
    int parent, child;     /* links, -1 for the world */
    dBodyID first, second; /* as attached */
    double sense;          /* 1: first is the child's; -1: it is the parent's, and axes are turned round */
    int limited;           /* its position may have limits */
    double anchor[3];
} joint_parts;

/* ---- parents, children, axes --------------------------------------------------------------------------- */

static int read_link_name (reader *r, int index, const char *element, int *link)
{
    const frame *f = &r->frames->list[index];
    xmlNode *node;
    char *name;
    if (!only_child (r, f->node, element, &node)) return 0;
    if (!node) return fail_at (r, f->node, "needs a <%s>", element);
    if (!element_text (r, node, &name)) return 0;
    int found = frames_find (r, f->scope, name, node);
    if (found >= 0) found = frames_link_of (r, found, node);
    free (name);
    if (found < 0) return 0;
    *link = found ? r->frames->list[found].index : -1;
    return 1;
}

int joint_links (reader *r, int index, int *parent, int *child)
{
    return read_link_name (r, index, "parent", parent) && read_link_name (r, index, "child", child);
}

int joint_axis (reader *r, int index, const char *element, double axis[3])
{
    const frame *f = &r->frames->list[index];
    xmlNode *node, *xyz;
    double v[3] = {0, 0, 1};
    int expressed_in = index;
    if (!only_child (r, f->node, element, &node)) return 0;
    if (!node && !doubt_at (r, f->node, "has no <%s>; it is taken along z of the joint", element)) return 0;
    xyz = NULL;
    if (node && !only_child (r, node, "xyz", &xyz)) return 0;
    if (xyz)
    {
        if (!element_numbers (r, xyz, v, 3, 0)) return 0;
        expressed_in = frames_find_attribute (r, f->scope, xyz, "expressed_in", index);
        if (expressed_in < 0) return 0;
    }
    /* Scaled first, so that neither huge nor tiny numbers are lost in the squares. */
    double largest = fmax (fabs (v[0]), fmax (fabs (v[1]), fabs (v[2])));
    if (!(largest > 0)) return fail_at (r, xyz, "must not be zero");
    for (int i = 0; i < 3; i++) v[i] /= largest;
    double length = sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) v[i] /= length;
    pose_rotate (&r->frames->list[expressed_in].at, v, axis);
    return 1;
}

static int get_axis (reader *r, const joint_parts *j, const char *element, dVector3 axis)
{
    double a[3];
    if (!joint_axis (r, j->index, element, a)) return 0;
    for (int i = 0; i < 3; i++) axis[i] = (dReal)(j->sense * a[i]);
    return 1;
}

static dBodyID link_body (const reader *r, int link) { return link < 0 ? NULL : r->s->links[link].body; }

/* ---- the types ----------------------------------------------------------------------------------------- */

static int add (reader *r, const joint_parts *j, dJointID joint, int *number)
{
    char name[128];
    *number = r->s->joint_count;
    if (!frames_full_name (r, j->index, NULL, j->node, name, sizeof name)) return 0;
    return scene_add_joint (r->s, name, joint, j->parent, j->child) || fail_memory (r);
}

static int attach (reader *r, const joint_parts *j, dJointID joint, int *number)
{
    dJointAttach (joint, j->first, j->second);
    return add (r, j, joint, number);
}

static int make_hinge (reader *r, const joint_parts *j, int *number)
{
    dVector3 axis;
    dJointID joint = dJointCreateHinge (r->s->world, NULL);
    if (!attach (r, j, joint, number) || !get_axis (r, j, "axis", axis)) return 0;
    dJointSetHingeAnchor (joint, (dReal)j->anchor[0], (dReal)j->anchor[1], (dReal)j->anchor[2]);
    dJointSetHingeAxis (joint, axis[0], axis[1], axis[2]);
    return build_axis (r, j->index, *number, 0, 0, j->limited);
}

static int make_slider (reader *r, const joint_parts *j, int *number)
{
    dVector3 axis;
    dJointID joint = dJointCreateSlider (r->s->world, NULL);
    if (!attach (r, j, joint, number) || !get_axis (r, j, "axis", axis)) return 0;
    dJointSetSliderAxis (joint, axis[0], axis[1], axis[2]);
    return build_axis (r, j->index, *number, 0, 0, 1);
}

static int make_ball (reader *r, const joint_parts *j, int *number)
{
    dJointID joint = dJointCreateBall (r->s->world, NULL);
    if (!attach (r, j, joint, number)) return 0;
    dJointSetBallAnchor (joint, (dReal)j->anchor[0], (dReal)j->anchor[1], (dReal)j->anchor[2]);
    return 1;
}

static int make_fixed (reader *r, const joint_parts *j, int *number)
{
    dJointID joint = dJointCreateFixed (r->s->world, NULL);
    if (!attach (r, j, joint, number)) return 0;
    dJointSetFixed (joint);
    return 1;
}

/*
 * SDFormat's first axis is fixed in the parent, the second in the child.  ODE's first axis is fixed in the
 * first body: that is the child's, so the axes change places, unless the child is the world.
 */
static int make_universal (reader *r, const joint_parts *j, int *number)
{
    dVector3 axis[2];
    const int first = j->sense > 0, second = 1 - first; /* ODE's numbers of <axis> and <axis2> */
    if (!get_axis (r, j, "axis", axis[first]) || !get_axis (r, j, "axis2", axis[second])) return 0;
    if (fabs ((double)dCalcVectorDot3 (axis[0], axis[1])) > PERPENDICULAR)
        return fail_at (r, j->node, "its two axes must be perpendicular");
    dJointID joint = dJointCreateUniversal (r->s->world, NULL);
    if (!add (r, j, joint, number)) return 0;
    scene_set_universal (joint, j->first, j->second, j->anchor, axis[0], axis[1]);
    return build_axis (r, j->index, *number, 0, first, 1) && build_axis (r, j->index, *number, 1, second, 1);
}

/* ODE's hinge-2 joint has its first axis in the first body, which therefore is the parent's here, with the
 * axes turned round. */
static int make_hinge2 (reader *r, const joint_parts *parts, int *number)
{
    dVector3 axis[2], cross;
    joint_parts j = *parts;
    j.first = parts->second;
    j.second = parts->first;
    j.sense = -1;
    if (!get_axis (r, &j, "axis", axis[0]) || !get_axis (r, &j, "axis2", axis[1])) return 0;
    dCalcVectorCross3 (cross, axis[0], axis[1]);
    if ((double)dCalcVectorLength3 (cross) < 1e-3)
        return fail_at (r, j.node, "its two axes must not be parallel");
    dJointID joint = dJointCreateHinge2 (r->s->world, NULL);
    if (!add (r, &j, joint, number)) return 0;
    scene_set_hinge2 (joint, j.first, j.second, j.anchor, axis[0], axis[1]);
    return build_axis (r, j.index, *number, 0, 0, 1) && build_axis (r, j.index, *number, 1, 1, 0);
}

static int has_limits (const xmlNode *joint, const char *element)
{
    const xmlNode *axis = first_child (joint, element), *limit = axis ? first_child (axis, "limit") : NULL;
    return limit && (first_child (limit, "lower") || first_child (limit, "upper"));
}

/* The hinge-2 joint needs two bodies and knows no limits of its second axis; a cross does not care. */
static int make_revolute2 (reader *r, const joint_parts *j, int *number)
{
    int two_bodies = j->first && j->second;
    return two_bodies && !has_limits (j->node, "axis2") ? make_hinge2 (r, j, number)
                                                        : make_universal (r, j, number);
}

/* Metres a turn, right-handed; the older element is -radians a metre. */
static int read_pitch (reader *r, const joint_parts *j, double *pitch)
{
    double older = 0;
    *pitch = 1;
    if (!child_number (r, j->node, "screw_thread_pitch", pitch) ||
        !child_number (r, j->node, "thread_pitch", &older))
        return 0;
    if (!first_child (j->node, "screw_thread_pitch") && first_child (j->node, "thread_pitch"))
    {
        if (older == 0) return fail_at (r, first_child (j->node, "thread_pitch"), "must not be 0");
        *pitch = -2 * M_PI / older;
    }
    return 1;
}

/* ODE's piston, which turns about its axis and slides along it, the one as far as the other says. */
static int make_screw (reader *r, const joint_parts *j, int *number)
{
    dVector3 axis;
    char name[128];
    double pitch;
    dJointID joint = dJointCreatePiston (r->s->world, NULL);
    if (!attach (r, j, joint, number) || !get_axis (r, j, "axis", axis) || !read_pitch (r, j, &pitch))
        return 0;
    dJointSetPistonAnchor (joint, (dReal)j->anchor[0], (dReal)j->anchor[1], (dReal)j->anchor[2]);
    dJointSetPistonAxis (joint, axis[0], axis[1], axis[2]);
    if (!build_axis (r, j->index, *number, 0, 1, 1)) return 0;
    if (!scene_add_axis (r->s, *number, 0)) return fail_memory (r);
    const int slide = r->s->axis_count - 1, turn = slide - 1;
    return frames_full_name (r, j->index, "thread", j->node, name, sizeof name) &&
           build_coupling (r, j->node, name, slide, turn, pitch / (2 * M_PI), 0);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static const struct
{
    const char *type, *elements;
    int limited;
    int (*make) (reader *r, const joint_parts *j, int *number);
} types[] = {
    {"revolute", "axis", 1, make_hinge},
    {"continuous", "axis", 0, make_hinge},
    {"prismatic", "axis", 1, make_slider},
    {"ball", "", 0, make_ball},
    {"universal", "axis axis2", 1, make_universal},
    {"revolute2", "axis axis2", 1, make_revolute2},
    {"fixed", "", 0, make_fixed},
    {"screw", "axis thread_pitch screw_thread_pitch", 1, make_screw},
};

static int find_type (reader *r, const xmlNode *node)
{
    char *type, known[160];
    if (!required_attribute (r, node, "type", &type)) return -1;
    int count = (int)(sizeof types / sizeof *types), i = 0;
    while (i < count && strcmp (types[i].type, type)) i++;
    if (i == count)
    {
        size_t used = 0;
        for (int k = 0; k < count && used < sizeof known; k++)
            used +=
                (size_t)snprintf (known + used, sizeof known - used, "%s%s", k ? ", " : "", types[k].type);
        fail_at (r, node, "'%.40s' is no type of joint; there are %s", type, known);
        i = -1;
    }
    else
    {
        snprintf (known, sizeof known, "parent child pose %s " JOINT_EXTENSIONS, types[i].elements);
        warn_unknown (r, node, known);
    }
    free (type);
    return i;
}

int build_joint (reader *r, int index)
{
    frame *f = &r->frames->list[index];
    joint_parts j = {.index = index, .node = f->node};
    int type = find_type (r, f->node), number = 0;
    if (type < 0 || !joint_links (r, index, &j.parent, &j.child)) return 0;
    if (j.parent == j.child && j.parent >= 0) return fail_at (r, f->node, "joins a link to itself");

    dBodyID parent = link_body (r, j.parent), child = link_body (r, j.child);
    if (!parent && !child)
    {
        f->index = -1;
        warn_at (r, f->node, "joins two things that do not move; it is ignored");
        return 1;
    }
    j.sense = child ? 1 : -1;
    j.first = child ? child : parent;
    j.second = child ? parent : NULL;
    j.limited = types[type].limited;
    for (int i = 0; i < 3; i++) j.anchor[i] = f->at.p[i];
    if (!types[type].make (r, &j, &number)) return 0;
    f->index = number;
    return build_joint_extensions (r, f->node, number);
}
