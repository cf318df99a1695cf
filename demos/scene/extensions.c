/* The elements of the namespace urn:ode-rls. */
#include "build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- links --------------------------------------------------------------------------------------------- */

int build_link_extensions (reader *r, const xmlNode *node, int link)
{
    xmlNode *velocity, *force;
    scene_link *l = &r->s->links[link];
    double v[6];
    if (!only_child (r, node, "rls:velocity", &velocity) || !only_child (r, node, "rls:force", &force))
        return 0;
    if (!l->body)
    {
        if (velocity || force)
            warn_at (r, velocity ? velocity : force, "is ignored: '%s' is static", l->name);
        return 1;
    }
    if (velocity)
    {
        if (!element_numbers (r, velocity, v, 6, 0)) return 0;
        dBodySetLinearVel (l->body, (dReal)v[0], (dReal)v[1], (dReal)v[2]);
        dBodySetAngularVel (l->body, (dReal)v[3], (dReal)v[4], (dReal)v[5]);
    }
    l->pushed = force != NULL;
    return !force || element_numbers (r, force, l->force, 6, 0);
}

/* ---- joints -------------------------------------------------------------------------------------------- */

static scene_axis *first_axis (scene *s, int joint)
{
    for (int i = s->axis_count - 1; i >= 0; i--)
        if (s->axes[i].joint == joint && (!i || s->axes[i - 1].joint != joint)) return &s->axes[i];
    return NULL;
}

static int read_effort (reader *r, const xmlNode *node, scene_axis *a)
{
    if (!element_numbers (r, node, &a->effort, 1, 0)) return 0;
    a->effort = fmax (-a->effort_limit, fmin (a->effort_limit, a->effort));
    return 1;
}

/* A number, or a function of time. */
static int read_motor_velocity (reader *r, const xmlNode *node, scene_axis *a)
{
    char *text, error[160] = "";
    double first, second;
    if (!attribute_text (r, node, "velocity", &text)) return 0;
    if (!text) return 1;
    a->velocity = expression_parse (text, error, sizeof error);
    free (text);
    if (!a->velocity) return fail_at (r, node, "attribute velocity: %s", error);
    return isfinite (expression_evaluate (a->velocity, 0, &first, &second)) ||
           fail_at (r, node, "attribute velocity: is not finite at t = 0");
}

static int read_motor (reader *r, const xmlNode *node, scene_axis *a)
{
    double max_effort = a->effort_limit;
    int given;
    if (!read_motor_velocity (r, node, a) ||
        !attribute_numbers (r, node, "max_effort", &max_effort, 1, &given))
        return 0;
    if (!given && isinf (max_effort)) return fail_at (r, node, "needs the attribute max_effort");
    if (max_effort < 0)
        return fail_at (r, node, "attribute max_effort: must not be negative, is %g", max_effort);
    if (a->friction > 0) warn_at (r, node, "takes the place of the axis' friction");
    scene_axis_run (r->s, a, 0);
    scene_axis_set (r->s, a, dParamFMax, fmin (max_effort, a->effort_limit));
    return 1;
}

static int read_position (reader *r, const xmlNode *node, scene_axis *a)
{
    char *text, error[160] = "";
    int type = dJointGetType (r->s->joints[a->joint].joint);
    if (type != dJointTypeHinge && type != dJointTypeSlider)
        return fail_at (r, node, "drives only revolute, continuous and prismatic joints");
    if (!element_text (r, node, &text)) return 0;
    a->drive = expression_parse (text, error, sizeof error);
    free (text);
    if (!a->drive) return fail_at (r, node, "%s", error);
    double rate, acceleration, position = expression_evaluate (a->drive, 0, &rate, &acceleration);
    if (!isfinite (position) || !isfinite (rate) || !isfinite (acceleration))
        return fail_at (r, node, "is not finite, or not smooth, at t = 0");
    if (a->friction > 0) scene_axis_set (r->s, a, dParamFMax, 0);
    return 1;
}

int build_joint_extensions (reader *r, const xmlNode *node, int joint)
{
    xmlNode *effort, *motor, *position, *priority;
    if (!only_child (r, node, "rls:effort", &effort) || !only_child (r, node, "rls:motor", &motor) ||
        !only_child (r, node, "rls:position", &position) || !only_child (r, node, "rls:priority", &priority))
        return 0;
    const xmlNode *any = effort ? effort : motor ? motor : position;
    scene_axis *a = first_axis (r->s, joint);
    if (any && !a) return fail_at (r, any, "needs a joint with an axis");
    if (motor && position) return fail_at (r, position, "cannot be together with a motor");
    if (effort && !read_effort (r, effort, a)) return 0;
    if (motor && !read_motor (r, motor, a)) return 0;
    if (position && !read_position (r, position, a)) return 0;
    if (priority)
    {
        double number;
        if (!element_numbers (r, priority, &number, 1, 0)) return 0;
        if (number != floor (number) || fabs (number) > 1e9)
            return fail_at (r, priority, "must be a whole number, is %g", number);
        r->s->joints[joint].priority = (int)number;
    }
    return 1;
}

/* ---- springs, rods and probes -------------------------------------------------------------------------- */

int attach_point (reader *r, int index, const xmlNode *node, const char *attribute, double point[3],
                  scene_point *result)
{
    const frame *list = r->frames->list;
    int found = frames_find_attribute (r, index, node, attribute, 0), link = 0;
    if (found < 0 || (found && (link = frames_link_of (r, found, node)) < 0)) return 0;
    if (link != found)
    {
        /* A frame that is not itself a link: the point as the link, or the world, sees it. */
        scene_pose back = pose_inverse (&list[link].at), there = pose_compose (&back, &list[found].at);
        pose_transform (&there, point, point);
    }
    *result = scene_link_point (r->s, link ? list[link].index : -1, point);
    return 1;
}

static int read_end (reader *r, int index, const xmlNode *node, const char *link, const char *point_name,
                     scene_point *end)
{
    double point[3] = {0};
    return attribute_numbers (r, node, point_name, point, 3, NULL) &&
           attach_point (r, index, node, link, point, end);
}

static double distance (const scene_point ends[2])
{
    double a[3], b[3];
    scene_point_position (&ends[0], a);
    scene_point_position (&ends[1], b);
    return sqrt ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                 (a[2] - b[2]) * (a[2] - b[2]));
}

/* Both ends and the length, which is the distance at the start if it is not given. */
static int read_ends (reader *r, int index, const xmlNode *node, scene_point ends[2], double *length)
{
    if (!read_end (r, index, node, "link1", "point1", &ends[0]) ||
        !read_end (r, index, node, "link2", "point2", &ends[1]))
        return 0;
    if (ends[0].body == ends[1].body)
        return fail_at (r, node, ends[0].body ? "has both ends in one link" : "needs a link that moves");
    *length = distance (ends);
    if (!attribute_numbers (r, node, "length", length, 1, NULL)) return 0;
    return *length >= 0 || fail_at (r, node, "attribute length: must not be negative, is %g", *length);
}

int read_name (reader *r, int index, const xmlNode *node, char *name, size_t size)
{
    char *text;
    if (!required_attribute (r, node, "name", &text)) return 0;
    int good = frames_full_name (r, index, text, node, name, size);
    free (text);
    return good;
}

static int read_spring (reader *r, int index, const xmlNode *node)
{
    scene_spring *springs =
        scene_grow (r->s->springs, r->s->spring_count, &r->s->spring_room, sizeof *springs);
    if (!springs) return fail_memory (r);
    r->s->springs = springs;
    scene_spring *spring = &springs[r->s->spring_count++];
    if (!read_name (r, index, node, spring->name, sizeof spring->name) ||
        !read_ends (r, index, node, spring->ends, &spring->length) ||
        !attribute_numbers (r, node, "stiffness", &spring->stiffness, 1, NULL) ||
        !attribute_numbers (r, node, "damping", &spring->damping, 1, NULL))
        return 0;
    if (spring->stiffness < 0 || spring->damping < 0)
        return fail_at (r, node, "has a negative stiffness or damping");
    const int first = spring->ends[0].body ? 0 : 1; /* ODE wants a body first */
    spring->joint = dJointCreateLMotor (r->s->world, NULL);
    dJointAttach (spring->joint, spring->ends[first].body, spring->ends[1 - first].body);
    return 1;
}

static int read_rod (reader *r, int index, const xmlNode *node)
{
    scene_point ends[2];
    double length;
    char name[128];
    if (!read_name (r, index, node, name, sizeof name) || !read_ends (r, index, node, ends, &length))
        return 0;
    if (!(length > 0)) return fail_at (r, node, "has no length");
    /* ODE wants a body first. */
    int first = ends[0].body ? 0 : 1;
    double a[3], b[3];
    scene_point_position (&ends[first], a);
    scene_point_position (&ends[1 - first], b);
    dJointID joint = dJointCreateDBall (r->s->world, NULL);
    if (!scene_add_joint (r->s, name, joint, -1, -1)) return fail_memory (r);
    dJointAttach (joint, ends[first].body, ends[1 - first].body);
    dJointSetDBallAnchor1 (joint, (dReal)a[0], (dReal)a[1], (dReal)a[2]);
    dJointSetDBallAnchor2 (joint, (dReal)b[0], (dReal)b[1], (dReal)b[2]);
    dJointSetDBallDistance (joint, (dReal)length);
    return 1;
}

static int read_probe (reader *r, int index, const xmlNode *node)
{
    double point[3];
    char *link_name;
    if (!required_attribute (r, node, "link", &link_name)) return 0;
    free (link_name);
    scene_probe *probes = scene_grow (r->s->probes, r->s->probe_count, &r->s->probe_room, sizeof *probes);
    if (!probes) return fail_memory (r);
    r->s->probes = probes;
    scene_probe *probe = &probes[r->s->probe_count];
    if (!read_name (r, index, node, probe->name, sizeof probe->name) ||
        !element_numbers (r, node, point, 3, 0))
        return 0;
    for (int i = 0; i < r->s->probe_count; i++)
        if (!strcmp (probes[i].name, probe->name))
            return fail_at (r, node, "'%s' is defined twice", probe->name);
    scene_point at;
    if (!attach_point (r, index, node, "link", point, &at)) return 0;
    probe->body = at.body;
    memcpy (probe->local, at.local, sizeof probe->local);
    r->s->probe_count++;
    return 1;
}

int build_extensions (reader *r, int index, const xmlNode *node)
{
    static const struct
    {
        const char *name;
        int (*read) (reader *r, int index, const xmlNode *node);
    } kinds[] = {{"rls:spring", read_spring},
                 {"rls:distance", read_rod},
                 {"rls:probe", read_probe},
                 {"rls:wheel", read_wheel}};
    xmlNode *duration;
    if (!only_child (r, node, "rls:duration", &duration)) return 0;
    if (duration && !element_numbers (r, duration, &r->s->duration, 1, 0)) return 0;
    if (!(r->s->duration > 0)) return fail_at (r, duration, "must be positive, is %g", r->s->duration);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (const xmlNode *c = first_child (node, kinds[k].name); c; c = next_sibling (c, kinds[k].name))
            if (!kinds[k].read (r, index, c)) return 0;
    return 1;
}
