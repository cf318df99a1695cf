/*
 * Generated scenes: the names, and the parts that the generators have in common.  Their links are
 * homogeneous; contacts have the friction 0.8 and the compliance 1e-5 of the published comparisons.
 */
#include "scene_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRICTION 0.8
#define SOFT_CFM 1e-5

static const struct
{
    const char *name, *unit;
    int most; /* what is still reasonable to hold in memory */
    int (*generate) (scene *s, int n);
} kinds[] = {
    {"fourbar", "loops", 20000, generate_fourbar},
    {"chain", "links", 1000000, generate_chain},
    {"chains", "chains", 10000, generate_chains},
    {"hub", "arms", 20000, generate_hub},
    {"miura", "panels a side", 100, generate_miura},
    {"net", "bodies a side", 300, generate_net},
    {"netc", "bodies a side", 300, generate_cornered_net},
    {"stack", "boxes", 10000, generate_stack},
    {"stacks", "stacks", 2000, generate_stacks},
    {"wall", "bricks", 20000, generate_wall},
    {"pile", "boxes", 20000, generate_pile},
    {"free", "boxes", 100000, generate_free},
    {"ragdolls", "ragdolls", 2000, generate_ragdolls},
};

static int find_kind (const char *path)
{
    const char *colon = strchr (path, ':');
    int count = (int)(sizeof kinds / sizeof *kinds);
    for (int i = 0; colon && i < count; i++)
        if (strlen (kinds[i].name) == (size_t)(colon - path) &&
            !strncmp (path, kinds[i].name, (size_t)(colon - path)))
            return i;
    return -1;
}

int scene_is_generated (const char *path) { return find_kind (path) >= 0; }

scene *scene_generate (const char *path, char *error, size_t size)
{
    int kind = find_kind (path);
    const char *number = strchr (path, ':') + 1;
    char *end;
    long n = strtol (number, &end, 10);
    if (end == number || *end || n < 1 || n > kinds[kind].most)
    {
        snprintf (error, size, "%s: the number of %s must be from 1 to %d", path, kinds[kind].unit,
                  kinds[kind].most);
        return NULL;
    }
    scene *s = scene_new ();
    if (s)
    {
        snprintf (s->name, sizeof s->name, "%s", path);
        s->time_step = 0.01;
        dWorldSetGravity (s->world, 0, (dReal)-9.81, 0);
        if (kinds[kind].generate (s, (int)n))
        {
            scene_finish (s);
            return s;
        }
        scene_free (s);
    }
    snprintf (error, size, "%s: out of memory", path);
    return NULL;
}

/* ---- links --------------------------------------------------------------------------------------------- */

/* Principal moments of a homogeneous shape. */
static void moments (scene_shape shape, const double size[3], double mass, double I[3])
{
    dMass m;
    dReal a = (dReal)size[0], b = (dReal)size[1], c = (dReal)size[2], total = (dReal)mass;
    switch (shape)
    {
    case scene_shape_sphere:
        dMassSetSphereTotal (&m, total, a);
        break;
    case scene_shape_cylinder:
        dMassSetCylinderTotal (&m, total, 3, a, b);
        break;
    case scene_shape_capsule:
        dMassSetCapsuleTotal (&m, total, 3, a, b);
        break;
    default:
        dMassSetBoxTotal (&m, total, a, b, c);
        break;
    }
    I[0] = (double)m.I[0];
    I[1] = (double)m.I[5];
    I[2] = (double)m.I[10];
}

int generate_link (scene *s, const char *name, int model, scene_shape shape, const double size[3],
                   double mass, const scene_pose *at)
{
    const double centre[3] = {0, 0, 0};
    double I[3];
    moments (shape, size, mass, I);
    const double inertia[3][3] = {{I[0], 0, 0}, {0, I[1], 0}, {0, 0, I[2]}};
    int link = scene_add_link (s, name, model, at);
    if (link < 0 || !scene_add_body (s, link, mass, centre, inertia)) return -1;
    if (!scene_add_visual (s, link, shape, size, &scene_pose_identity, scene_visual_from_file)) return -1;
    return link;
}

int generate_collision (scene *s, int link, scene_shape shape, const double size[3])
{
    scene_collision *c = scene_add_collision (s, link, shape, size, &scene_pose_identity);
    if (!c) return 0;
    c->mu = c->mu2 = FRICTION;
    c->has_soft_cfm = 1;
    c->soft_cfm = SOFT_CFM / 2; /* of each side: a contact has the sum */
    return 1;
}

int generate_ground (scene *s)
{
    const double size[3] = {40, 40, 0};
    dWorldSetGravity (s->world, 0, 0, (dReal)-9.81);
    int link = scene_add_link (s, "ground", -1, &scene_pose_identity);
    return link >= 0 && generate_collision (s, link, scene_shape_plane, size) &&
           scene_add_visual (s, link, scene_shape_plane, size, &scene_pose_identity, scene_visual_from_file);
}

/* ---- joints and probes --------------------------------------------------------------------------------- */

/* The child is the first body, as in scenes that are read. */
static void attach (const scene *s, dJointID joint, int parent, int child)
{
    dJointAttach (joint, s->links[child].body, parent < 0 ? NULL : s->links[parent].body);
}

int generate_hinge (scene *s, const char *name, int parent, int child, const double anchor[3],
                    const double axis[3])
{
    dJointID joint = dJointCreateHinge (s->world, NULL);
    if (!scene_add_joint (s, name, joint, parent, child)) return 0;
    attach (s, joint, parent, child);
    dJointSetHingeAnchor (joint, (dReal)anchor[0], (dReal)anchor[1], (dReal)anchor[2]);
    dJointSetHingeAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    return 1;
}

int generate_ball (scene *s, const char *name, int parent, int child, const double anchor[3])
{
    dJointID joint = dJointCreateBall (s->world, NULL);
    if (!scene_add_joint (s, name, joint, parent, child)) return 0;
    attach (s, joint, parent, child);
    dJointSetBallAnchor (joint, (dReal)anchor[0], (dReal)anchor[1], (dReal)anchor[2]);
    return 1;
}

int generate_probe (scene *s, const char *name, int link, double x, double y, double z)
{
    scene_probe *probes = scene_grow (s->probes, s->probe_count, &s->probe_room, sizeof *probes);
    if (!probes) return 0;
    s->probes = probes;
    scene_probe *p = &probes[s->probe_count++];
    const double point[3] = {x, y, z};
    scene_point at = scene_link_point (s, link, point);
    snprintf (p->name, sizeof p->name, "%s", name);
    p->body = at.body;
    memcpy (p->local, at.local, sizeof p->local);
    return 1;
}
