/* Bodies, geoms, visuals and joints put into a scene: what the reader and the generators share. */
#include "scene_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *scene_grow (void *array, int count, int *room, size_t element)
{
    if (count == *room)
    {
        int more = *room ? 2 * *room : 8;
        void *grown = realloc (array, (size_t)more * element);
        if (!grown) return NULL;
        array = grown;
        *room = more;
    }
    memset ((char *)array + (size_t)count * element, 0, element);
    return array;
}

/* ---- bodies ---------------------------------------------------------------------------------------------
 */

int scene_add_link (scene *s, const char *name, int model, const scene_pose *start)
{
    scene_link *links = scene_grow (s->links, s->link_count, &s->link_room, sizeof *links);
    if (!links) return -1;
    s->links = links;
    scene_link *l = &s->links[s->link_count];
    snprintf (l->name, sizeof l->name, "%s", name);
    l->model = model;
    l->start = *start;
    l->body_index = -1;
    return s->link_count++;
}

int scene_add_body (scene *s, int link, double mass, const double centre[3], const double inertia[3][3])
{
    scene_link *l = &s->links[link];
    scene_body *bodies = scene_grow (s->bodies, s->body_count, &s->body_room, sizeof *bodies);
    if (!bodies) return 0;
    s->bodies = bodies;

    dMass m;
    dMassSetParameters (&m, (dReal)mass, 0, 0, 0, (dReal)inertia[0][0], (dReal)inertia[1][1],
                        (dReal)inertia[2][2], (dReal)inertia[0][1], (dReal)inertia[0][2],
                        (dReal)inertia[1][2]);
    double p[3];
    pose_transform (&l->start, centre, p);
    dQuaternion q = {(dReal)l->start.q[0], (dReal)l->start.q[1], (dReal)l->start.q[2], (dReal)l->start.q[3]};
    dBodyID body = dBodyCreate (s->world);
    dBodySetMass (body, &m);
    dBodySetPosition (body, (dReal)p[0], (dReal)p[1], (dReal)p[2]);
    dBodySetQuaternion (body, q);
    /* Mechanisms turn far within a step; the infinitesimal update would not keep their axes. */
    dBodySetFiniteRotationMode (body, 1);

    for (int i = 0; i < 3; i++) l->centre[i] = centre[i];
    l->body = body;
    l->body_index = s->body_count;
    scene_body *b = &s->bodies[s->body_count++];
    memcpy (b->name, l->name, sizeof b->name);
    b->body = body;
    b->model = l->model;
    return 1;
}

/* A pose in the link's frame, given from the body's centre of mass or, without a body, in the world. */
static scene_pose place (const scene_link *l, const scene_pose *in_link)
{
    if (!l->body) return pose_compose (&l->start, in_link);
    scene_pose p = *in_link;
    for (int i = 0; i < 3; i++) p.p[i] -= l->centre[i];
    return p;
}

scene_point scene_link_point (const scene *s, int link, const double point[3])
{
    scene_pose in_link = scene_pose_identity;
    memcpy (in_link.p, point, sizeof in_link.p);
    scene_pose at = link < 0 ? in_link : place (&s->links[link], &in_link);
    scene_point result = {.body = link < 0 ? NULL : s->links[link].body};
    for (int i = 0; i < 3; i++) result.local[i] = (dReal)at.p[i];
    return result;
}

/* ---- collisions and visuals -------------------------------------------------------------------------------
 */

static dGeomID make_geom (scene *s, scene_shape shape, const double size[3])
{
    dReal a = (dReal)size[0], b = (dReal)size[1], c = (dReal)size[2];
    switch (shape)
    {
    case scene_shape_box:
        return dCreateBox (s->space, a, b, c);
    case scene_shape_sphere:
        return dCreateSphere (s->space, a);
    case scene_shape_cylinder:
        return dCreateCylinder (s->space, a, b);
    case scene_shape_capsule:
        return dCreateCapsule (s->space, a, b);
    case scene_shape_plane:
        return dCreatePlane (s->space, 0, 0, 1, 0);
    }
    return NULL;
}

/* ODE's planes have no pose: their normal and distance are the pose. */
static void place_geom (dGeomID geom, const scene_link *l, const scene_pose *p)
{
    dQuaternion q = {(dReal)p->q[0], (dReal)p->q[1], (dReal)p->q[2], (dReal)p->q[3]};
    if (dGeomGetClass (geom) == dPlaneClass)
    {
        double up[3] = {0, 0, 1}, n[3];
        pose_rotate (p, up, n);
        dGeomPlaneSetParams (geom, (dReal)n[0], (dReal)n[1], (dReal)n[2],
                             (dReal)(n[0] * p->p[0] + n[1] * p->p[1] + n[2] * p->p[2]));
    }
    else if (l->body)
    {
        dGeomSetBody (geom, l->body);
        dGeomSetOffsetPosition (geom, (dReal)p->p[0], (dReal)p->p[1], (dReal)p->p[2]);
        dGeomSetOffsetQuaternion (geom, q);
    }
    else
    {
        dGeomSetPosition (geom, (dReal)p->p[0], (dReal)p->p[1], (dReal)p->p[2]);
        dGeomSetQuaternion (geom, q);
    }
}

scene_collision *scene_add_collision (scene *s, int link, scene_shape shape, const double size[3],
                                      const scene_pose *in_link)
{
    scene_collision **list = scene_grow (s->collisions, s->collision_count, &s->collision_room, sizeof *list);
    scene_collision *c = calloc (1, sizeof *c);
    if (list) s->collisions = list;
    if (!list || !c)
    {
        free (c);
        return NULL;
    }
    *c = (scene_collision){
        .index = s->collision_count, .link = link, .shape = shape, .in_link = *in_link, .mu = 1, .mu2 = 1};
    s->collisions[s->collision_count++] = c;
    memcpy (c->size, size, sizeof c->size);
    c->bounce_velocity = c->max_velocity = INFINITY;
    c->stiffness = 1e12;
    c->damping = 1;
    c->geom = make_geom (s, shape, size);
    scene_pose p = place (&s->links[link], in_link);
    place_geom (c->geom, &s->links[link], &p);
    dGeomSetData (c->geom, c);
    return c;
}

scene_visual *scene_add_visual (scene *s, int link, scene_shape shape, const double size[3],
                                const scene_pose *in_link, scene_visual_source source)
{
    scene_visual *list = scene_grow (s->visuals, s->visual_count, &s->visual_room, sizeof *list);
    if (!list) return NULL;
    s->visuals = list;
    scene_link *l = &s->links[link];
    scene_pose p = place (l, in_link);
    l->drawn = 1;
    scene_visual *v = &s->visuals[s->visual_count++];
    *v = (scene_visual){
        .body = l->body, .body_index = l->body ? l->body_index : -1, .shape = shape, .source = source};
    memcpy (v->size, size, sizeof v->size);
    memcpy (v->position, p.p, sizeof v->position);
    memcpy (v->rotation, p.q, sizeof v->rotation);
    for (int i = 0; i < 4; i++) v->rgba[i] = i < 3 ? 0.7f : 1.0f;
    return v;
}

/* ---- visuals of links that have none ------------------------------------------------------------------- */

/* The box with the body's mass and principal moments, as far as the link's axes show them. */
static int show_inertia (scene *s, int link)
{
    const scene_link *l = &s->links[link];
    dMass m;
    dBodyGetMass (l->body, &m);
    double I[3] = {(double)m.I[0], (double)m.I[5], (double)m.I[10]}, size[3];
    for (int i = 0; i < 3; i++)
        size[i] = sqrt (fmax (6 / (double)m.mass * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]), 0));
    double largest = fmax (size[0], fmax (size[1], size[2]));
    for (int i = 0; i < 3; i++) size[i] = fmax (size[i], fmax (0.05 * largest, 0.01));
    scene_pose at = scene_pose_identity;
    memcpy (at.p, l->centre, sizeof at.p);
    return scene_add_visual (s, link, scene_shape_box, size, &at, scene_visual_from_inertia) != NULL;
}

int scene_complete_visuals (scene *s)
{
    /* drawn says what the file draws until all collisions are looked at. */
    for (int i = 0; i < s->collision_count; i++)
    {
        const scene_collision *c = s->collisions[i];
        scene_link *l = &s->links[c->link];
        if (l->drawn == 1) continue;
        if (!scene_add_visual (s, c->link, c->shape, c->size, &c->in_link, scene_visual_from_collision))
            return 0;
        l->drawn = 2;
    }
    for (int link = 0; link < s->link_count; link++)
        if (s->links[link].body && !s->links[link].drawn && !show_inertia (s, link)) return 0;
    return 1;
}

/* ---- joints -------------------------------------------------------------------------------------------- */

int scene_add_joint (scene *s, const char *name, dJointID joint, int link1, int link2)
{
    scene_joint *joints = scene_grow (s->joints, s->joint_count, &s->joint_room, sizeof *joints);
    if (!joints) return 0;
    s->joints = joints;
    unsigned long long *joined = scene_grow (s->joined, s->joined_count, &s->joined_room, sizeof *joined);
    if (!joined) return 0;
    s->joined = joined;
    scene_joint *j = &s->joints[s->joint_count++];
    snprintf (j->name, sizeof j->name, "%s", name);
    j->joint = joint;
    if (link1 >= 0 && link2 >= 0)
    {
        unsigned low = (unsigned)(link1 < link2 ? link1 : link2),
                 high = (unsigned)(link1 < link2 ? link2 : link1);
        s->joined[s->joined_count++] = (unsigned long long)low << 32 | high;
    }
    return 1;
}

scene_axis *scene_add_axis (scene *s, int joint, int group)
{
    scene_axis *axes = scene_grow (s->axes, s->axis_count, &s->axis_room, sizeof *axes);
    if (!axes) return NULL;
    s->axes = axes;
    scene_axis *axis = &s->axes[s->axis_count++];
    axis->joint = joint;
    axis->group = group;
    axis->effort_limit = axis->velocity_limit = INFINITY;
    return axis;
}

/* ---- joints with two axes ------------------------------------------------------------------------------ */

/*
 * A new joint has the axes (1, 0, 0) of the first and (0, 1, 0) of the second body, and ODE looks at them as
 * soon as it is attached.  Bodies that are turned such that these coincide would make it complain (cross)
 * or stop (hinge-2), so both stand straight for that moment.
 */
static void attach_straight (dJointID joint, dBodyID first, dBodyID second)
{
    const dQuaternion straight = {1, 0, 0, 0};
    dBodyID bodies[2] = {first, second};
    dQuaternion before[2];
    for (int i = 0; i < 2; i++)
        if (bodies[i])
        {
            memcpy (before[i], dBodyGetQuaternion (bodies[i]), sizeof before[i]);
            dBodySetQuaternion (bodies[i], straight);
        }
    dJointAttach (joint, first, second);
    for (int i = 0; i < 2; i++)
        if (bodies[i]) dBodySetQuaternion (bodies[i], before[i]);
}

/* A unit vector that is parallel to neither. */
static void stay_off (const dVector3 a, const dVector3 b, dVector3 result)
{
    double least = INFINITY;
    int best = 0;
    for (int i = 0; i < 3; i++)
    {
        double closest = fmax (fabs ((double)a[i]), fabs ((double)b[i]));
        if (closest < least)
        {
            least = closest;
            best = i;
        }
    }
    for (int i = 0; i < 3; i++) result[i] = i == best;
}

/* ODE takes the axes one after the other and must not find them parallel in between. */
void scene_set_universal (dJointID joint, dBodyID first, dBodyID second, const double anchor[3],
                          const dVector3 axis1, const dVector3 axis2)
{
    dVector3 other, between;
    attach_straight (joint, first, second);
    dJointGetUniversalAxis2 (joint, other);
    stay_off (other, axis2, between);
    dJointSetUniversalAxis1 (joint, between[0], between[1], between[2]);
    dJointSetUniversalAxis2 (joint, axis2[0], axis2[1], axis2[2]);
    dJointSetUniversalAxis1 (joint, axis1[0], axis1[1], axis1[2]);
    dJointSetUniversalAnchor (joint, (dReal)anchor[0], (dReal)anchor[1], (dReal)anchor[2]);
}

void scene_set_hinge2 (dJointID joint, dBodyID first, dBodyID second, const double anchor[3],
                       const dVector3 axis1, const dVector3 axis2)
{
    attach_straight (joint, first, second);
    dJointSetHinge2Axes (joint, axis1, axis2);
    dJointSetHinge2Anchor (joint, (dReal)anchor[0], (dReal)anchor[1], (dReal)anchor[2]);
}
