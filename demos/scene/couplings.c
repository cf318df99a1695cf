/*
 * Couplings: the coordinate of one axis follows that of another one,
 *
 *     q = multiplier p + offset.
 *
 * Screws, mimics and gearboxes are such.  ODE has no joint for it (but for gears outside each other); the
 * stepper takes rows of the program, which push on two bodies.  Where both joints share a body, the carrier,
 * and the bodies that they move against it have the twists T q' and U p', there is a wrench w, fixed in the
 * carrier, with w T = 1 and w U = multiplier; w on the one body and -w on the other one is the row, whatever
 * the types and directions of the axes.  There is none where T and U are the same line (wheels on one shaft,
 * sliders side by side): then a pinion of next to no mass on the carrier is coupled to both.  (Screw theory:
 * Hunt, Kinematic Geometry of Mechanisms, 1978, chapter 12.)
 */
#include "build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PINION 1e-6   /* its mass, of that of the lighter body that it couples */
#define ONE_LINE 1e-6 /* sine squared of the angle between two twists that are taken for one */

/* ---- twists and wrenches ---------------------------------------------------------------------------------
 */

static double dot6 (const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

static void cross (const double a[3], const double b[3], double result[3])
{
    for (int i = 0; i < 3; i++) result[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static dJointID joint_of (const scene *s, int axis) { return s->joints[s->axes[axis].joint].joint; }

/* The motion of the joint's first body against its second one at rate 1: the velocity of the point of it that
 * is at the origin, and the angular one. */
static void twist_of (const scene *s, int axis, const double origin[3], double twist[6])
{
    dVector3 axes[2] = {{0}, {0}}, anchor = {0};
    const dJointID joint = joint_of (s, axis);
    const int slides = scene_axis_slides (s, &s->axes[axis]);
    double arm[3], direction[3];
    scene_joint_axes (joint, axes, anchor);
    for (int i = 0; i < 3; i++)
    {
        direction[i] = (double)axes[0][i];
        arm[i] = origin[i] - (double)anchor[i];
    }
    memset (twist, 0, 6 * sizeof *twist);
    memcpy (slides ? twist : twist + 3, direction, sizeof direction);
    if (!slides) cross (direction, arm, twist);
}

/* The smallest w with w T = a and w U = b.  Returns 0 if there is none, which is decided when the scene is
 * read: joints that are a little open at a trial pose make two lines of one, and w is then that of T. */
static int find_wrench (const double T[6], const double U[6], double a, double b, double w[6])
{
    const double tt = dot6 (T, T), tu = dot6 (T, U), uu = dot6 (U, U), det = tt * uu - tu * tu;
    const int one_line = det <= ONE_LINE * tt * uu;
    const double x = one_line ? a / tt : (a * uu - b * tu) / det, y = one_line ? 0 : (b * tt - a * tu) / det;
    for (int i = 0; i < 6; i++) w[i] = x * T[i] + y * U[i];
    return !one_line || fabs (b - a * tu / tt) <= 1e-9 * (fabs (a) + fabs (b));
}

/* ---- the row ---------------------------------------------------------------------------------------------
 */

/* The bodies that a coupling pushes on, and the senses in which they move with the joints' rates. */
typedef struct
{
    dBodyID body[2];
    double sense[2];
} coupled_bodies;

static dBodyID body_at (dJointID joint, int side) { return dJointGetBody (joint, side); }

/* 0 if the joints share no body.  Of one joint with two coordinates (a screw) both are those of its first
 * body. */
static int find_bodies (const scene *s, const scene_coupling *c, coupled_bodies *found, dBodyID *carrier)
{
    const dJointID joint[2] = {joint_of (s, c->follower), joint_of (s, c->leader)};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
        {
            if (body_at (joint[0], i) != body_at (joint[1], k)) continue;
            if (joint[0] != joint[1] && body_at (joint[0], 1 - i) == body_at (joint[1], 1 - k)) continue;
            const int side[2] = {1 - i, 1 - k};
            *carrier = body_at (joint[0], i);
            for (int n = 0; n < 2; n++)
            {
                found->body[n] = body_at (joint[n], side[n]);
                found->sense[n] = side[n] ? -1 : 1;
            }
            return 1;
        }
    return 0;
}

static int wrench_of (const scene *s, const scene_coupling *c, const coupled_bodies *b,
                      const double origin[3], double w[6])
{
    double T[6], U[6];
    const int one_joint = joint_of (s, c->follower) == joint_of (s, c->leader);
    twist_of (s, c->follower, origin, T);
    twist_of (s, c->leader, origin, U);
    if (one_joint) return find_wrench (T, U, 1, -c->multiplier, w);
    return find_wrench (T, U, b->sense[0], b->sense[1] * c->multiplier, w);
}

/* What a wrench at the origin exerts on a body, about its centre of mass. */
static void push_on (dBodyID body, double sign, const double origin[3], const double w[6], dReal row[6])
{
    double arm[3], turn[3];
    if (!body) return;
    for (int i = 0; i < 3; i++) arm[i] = origin[i] - (double)dBodyGetPosition (body)[i];
    cross (arm, w, turn);
    for (int i = 0; i < 3; i++)
    {
        row[i] = (dReal)(sign * w[i]);
        row[3 + i] = (dReal)(sign * (w[3 + i] + turn[i]));
    }
}

static double opening (const scene *s, const scene_coupling *c)
{
    return scene_axis_position (s, &s->axes[c->follower]) -
           c->multiplier * scene_axis_position (s, &s->axes[c->leader]) - c->offset;
}

static int coupling_row (void *context, dJointID carries, dReal time, dRLSProgramRow *row)
{
    const scene_coupling *c = context;
    const scene *s = c->s;
    const dJointID follower = joint_of (s, c->follower);
    coupled_bodies b = {{body_at (follower, 0), body_at (follower, 1)}, {1, 1}};
    dBodyID carrier;
    double origin[3], w[6];
    (void)time;
    if (follower != joint_of (s, c->leader) && !find_bodies (s, c, &b, &carrier)) return 0;
    for (int i = 0; i < 3; i++) origin[i] = (double)dBodyGetPosition (dJointGetBody (carries, 0))[i];
    wrench_of (s, c, &b, origin, w);
    /* A joint to the world has its one body first. */
    const int turned = !b.body[0];
    push_on (b.body[0], 1, origin, w, row->first);
    push_on (b.body[1], -1, origin, w, turned ? row->first : row->second);
    row->value = (dReal)opening (s, c);
    return 1;
}

int scene_prepare_couplings (scene *s, dRLSStepperID stepper)
{
    for (int i = 0; i < s->coupling_count; i++)
    {
        scene_coupling *c = &s->couplings[i];
        if (!dRLSStepperSetJointRows (stepper, s->joints[c->joint].joint, 1, coupling_row, c)) return 0;
    }
    return 1;
}

double scene_coupling_opening (const scene *s, int i, int *angular)
{
    *angular = !scene_axis_slides (s, &s->axes[s->couplings[i].follower]);
    return opening (s, &s->couplings[i]);
}

int scene_coupling_count (const scene *s) { return s->coupling_count; }

/* ---- reading ---------------------------------------------------------------------------------------------
 */

static int has_coordinate (const scene *s, int axis)
{
    const int type = dJointGetType (joint_of (s, axis));
    return type == dJointTypeHinge || type == dJointTypeSlider || type == dJointTypePiston;
}

static int append (reader *r, const scene_coupling *wanted, const char *name, const coupled_bodies *b)
{
    scene *s = r->s;
    scene_coupling *list = scene_grow (s->couplings, s->coupling_count, &s->coupling_room, sizeof *list);
    if (!list) return fail_memory (r);
    s->couplings = list;
    const dJointID joint = dJointCreateLMotor (s->world, NULL);
    list[s->coupling_count] = *wanted;
    list[s->coupling_count].s = s;
    list[s->coupling_count++].joint = s->joint_count;
    const int first = b->body[0] ? 0 : 1;
    dJointAttach (joint, b->body[first], b->body[1 - first]);
    if (!scene_add_joint (s, name, joint, -1, -1)) return fail_memory (r);
    s->joints[s->joint_count - 1].rows = 1;
    return 1;
}

/* A hinge across both axes, or beside them, on which a pinion turns; its axis in the scene, or -1. */
static int add_pinion (reader *r, const scene_coupling *c, const char *name, const coupled_bodies *b,
                       dBodyID carrier)
{
    scene *s = r->s;
    dVector3 axes[2] = {{0}, {0}}, anchor;
    dMass mass[2];
    double centre[3] = {0}, moment[3][3] = {{0}}, least = INFINITY, turning = INFINITY;
    char full[160];
    scene_pose at = scene_pose_identity;
    for (int i = 0; i < 2; i++)
        if (b->body[i])
        {
            dBodyGetMass (b->body[i], &mass[i]);
            least = fmin (least, (double)mass[i].mass);
            for (int k = 0; k < 3; k++) turning = fmin (turning, (double)mass[i].I[5 * k]);
            memcpy (anchor, dBodyGetPosition (b->body[i]), sizeof anchor);
        }
    scene_joint_axes (joint_of (s, c->follower), axes, anchor);
    for (int i = 0; i < 3; i++) at.p[i] = (double)anchor[i], moment[i][i] = PINION * turning;
    int across = 0;
    for (int i = 1; i < 3; i++)
        if (fabs ((double)axes[0][i]) < fabs ((double)axes[0][across])) across = i;
    double along[3], unit[3] = {across == 0, across == 1, across == 2}, direction[3];
    for (int i = 0; i < 3; i++) along[i] = (double)axes[0][i];
    cross (along, unit, direction);

    snprintf (full, sizeof full, "%.110s pinion", name);
    const int link = scene_add_link (s, full, -1, &at);
    if (link < 0 || !scene_add_body (s, link, PINION * least, centre, moment)) return -1;
    s->links[link].drawn = 1;
    dBodySetGravityMode (s->links[link].body, 0);
    const dJointID hinge = dJointCreateHinge (s->world, NULL);
    dJointAttach (hinge, s->links[link].body, carrier);
    if (!scene_add_joint (s, full, hinge, link, -1)) return -1;
    dJointSetHingeAnchor (hinge, anchor[0], anchor[1], anchor[2]);
    dJointSetHingeAxis (hinge, (dReal)direction[0], (dReal)direction[1], (dReal)direction[2]);
    return scene_add_axis (s, s->joint_count - 1, 0) ? s->axis_count - 1 : -1;
}

int build_coupling (reader *r, const xmlNode *node, const char *name, int follower, int leader,
                    double multiplier, double offset)
{
    scene *s = r->s;
    scene_coupling c = {.follower = follower, .leader = leader, .multiplier = multiplier, .offset = offset};
    const dJointID joint = joint_of (s, follower);
    coupled_bodies b = {{body_at (joint, 0), body_at (joint, 1)}, {1, 1}};
    dBodyID carrier = NULL;
    double origin[3] = {0}, w[6];
    if (follower == leader) return fail_at (r, node, "lets an axis follow itself");
    if (!has_coordinate (s, follower) || !has_coordinate (s, leader))
        return fail_at (r, node,
                        "couples an axis of a joint that has two or three of them, which is not supported");
    if (joint == joint_of (s, leader)) return append (r, &c, name, &b);
    if (!find_bodies (s, &c, &b, &carrier))
    {
        warn_at (r, node, "couples joints that share no link, which is not supported; it is ignored");
        return 1;
    }
    const dBodyID on = b.body[0] ? b.body[0] : b.body[1];
    for (int i = 0; i < 3; i++) origin[i] = (double)dBodyGetPosition (on)[i];
    if (wrench_of (s, &c, &b, origin, w)) return append (r, &c, name, &b);

    const int pinion = add_pinion (r, &c, name, &b, carrier);
    if (pinion < 0) return fail_memory (r);
    const scene_coupling half[2] = {
        {.follower = follower, .leader = pinion, .multiplier = 1, .offset = offset},
        {.follower = pinion, .leader = leader, .multiplier = multiplier}};
    for (int i = 0; i < 2; i++)
        if (!find_bodies (s, &half[i], &b, &carrier) || !append (r, &half[i], name, &b)) return 0;
    return 1;
}

/* ---- <mimic> ---------------------------------------------------------------------------------------------
 */

static int find_axis (const scene *s, int joint, int second)
{
    for (int i = 0; i < s->axis_count; i++)
        if (s->axes[i].joint == joint) return i + second < s->axis_count ? i + second : -1;
    return -1;
}

/* Joints are looked for among the joints alone: older files may call a link the same. */
static int find_joint (reader *r, int scope, const char *name, const xmlNode *node)
{
    const frame_tree *t = r->frames;
    for (int i = 1; i < t->count; i++)
        if (t->list[i].kind == frame_joint && frames_names (t, t->list[i].scope) == frames_names (t, scope) &&
            !strcmp (t->list[i].name, name))
            return i;
    const int found = frames_find (r, scope, name, node);
    if (found >= 0 && t->list[found].kind != frame_joint)
        return fail_at (r, node, "'%.100s' is no joint", name) - 1;
    return found;
}

static int read_mimic (reader *r, int index, const xmlNode *node, int second)
{
    const frame *f = &r->frames->list[index];
    char *name, *which, full[128];
    double multiplier = 1, offset = 0, reference = 0;
    warn_unknown (r, node, "multiplier offset reference");
    if (!child_number (r, node, "multiplier", &multiplier) || !child_number (r, node, "offset", &offset) ||
        !child_number (r, node, "reference", &reference) || !required_attribute (r, node, "joint", &name))
        return 0;
    const int leader = find_joint (r, f->scope, name, node);
    free (name);
    if (leader < 0 || !attribute_text (r, node, "axis", &which)) return 0;
    const int of_second = which && !strcmp (which, "axis2");
    free (which);
    /* A joint between two things that stand, or a gearbox, has no axis. */
    const int led = r->frames->list[leader].index, axis = led < 0 ? -1 : find_axis (r->s, led, of_second),
              follows = f->index < 0 ? -1 : find_axis (r->s, f->index, second);
    if (follows < 0) return 1;
    if (axis < 0)
        return fail_at (r, node, "follows '%.100s', which has no axis that moves",
                        r->frames->list[leader].name);
    return frames_full_name (r, index, "mimic", node, full, sizeof full) &&
           build_coupling (r, node, full, follows, axis, multiplier, offset - multiplier * reference);
}

int build_mimics (reader *r)
{
    static const char *const elements[2] = {"axis", "axis2"};
    for (int i = 1; i < r->frames->count; i++)
        for (int second = 0; second < 2; second++)
        {
            const frame *f = &r->frames->list[i];
            const xmlNode *axis = f->kind == frame_joint ? first_child (f->node, elements[second]) : NULL;
            xmlNode *mimic = NULL;
            if (axis && !only_child (r, axis, "mimic", &mimic)) return 0;
            if (mimic && !read_mimic (r, i, mimic, second)) return 0;
        }
    return 1;
}
