/*
 * Shapes to draw: the visuals or the collision geometry of a body, otherwise bars between its anchors.  The
 * long axis of a shape is z, along which its heat colour changes from that of one joint to that of the other.
 */
#include "model_parts.h"

#include "vec.h"

#include <stdlib.h>
#include <string.h>

static model_shape *add_shape (model *m)
{
    model_shape *larger = realloc (m->shape, sizeof *larger * (size_t)(m->shapes + 1));
    if (!larger) return NULL;
    m->shape = larger;
    model_shape *s = &m->shape[m->shapes++];
    memset (s, 0, sizeof *s);
    s->quaternion[0] = 1;
    s->end_joint[0] = s->end_joint[1] = -1;
    return s;
}

/* Describes the same box with other axes, exchanged cyclically, so that its longest edge is along z. */
static void longest_to_z (model_shape *s)
{
    static const double third[4] = {0.5, 0.5, 0.5, 0.5}; /* x to y, y to z, z to x */
    for (int turns = 0; turns < 2 && (s->half[2] < s->half[0] || s->half[2] < s->half[1]); turns++)
    {
        /* The shape's new axes: its old x becomes z, y becomes x, z becomes y. */
        double h[3] = {s->half[1], s->half[2], s->half[0]};
        vec_copy (s->half, h);
        quat_multiply (s->quaternion, s->quaternion, third);
    }
}

/* Finds the joints nearest to the two ends of a long shape, which are to colour them. */
static void find_ends (model *m, const model_body *b, model_shape *s)
{
    if (s->half[2] < 1.6 * fmax (s->half[0], s->half[1])) return;
    for (int side = 0; side < 2; side++)
    {
        double best = 0.45 * s->half[2];
        for (int e = 0; e < b->ends; e++)
        {
            const model_end *end = &m->end[b->first_end + e];
            double d[3];
            vec_sub (d, m->joint[end->joint].anchor[end->side], s->position);
            quat_rotate_back (d, s->quaternion, d);
            double distance = fabs (d[2] - (side ? s->half[2] : -s->half[2]));
            if (distance < best)
            {
                best = distance;
                s->end_joint[side] = end->joint;
            }
        }
    }
    if (s->end_joint[0] < 0 || s->end_joint[1] < 0)
        s->end_joint[0] = s->end_joint[1] = s->end_joint[0] < 0 ? s->end_joint[1] : s->end_joint[0];
}

static int add_bar (model *m, const double a[3], const double b[3], double half_width, int joint_a,
                    int joint_b)
{
    model_shape *s = add_shape (m);
    if (!s) return 0;
    double axis[3];
    vec_sub (axis, b, a);
    double length = vec_normalize (axis);
    for (int i = 0; i < 3; i++) s->position[i] = (a[i] + b[i]) / 2;
    quat_from_z (s->quaternion, axis);
    s->half[0] = s->half[1] = half_width;
    s->half[2] = fmax (length / 2 - 0.35 * half_width, half_width);
    s->radius = 0.55 * half_width;
    s->end_joint[0] = joint_a;
    s->end_joint[1] = joint_b;
    return 1;
}

/* Adds bars that show a body: between its two anchors; from its only anchor through the centre of mass; or
   from the centre of mass to each anchor.  A body with none of these is a sphere.  Returns 0 without
   memory. */
static int bars (model *m, model_body *b)
{
    const double centre[3] = {0, 0, 0};
    double w = b->thickness / 2;
    const model_end *end = &m->end[b->first_end];
    const double *anchor[2] = {centre, centre};
    for (int i = 0; i < b->ends && i < 2; i++) anchor[i] = m->joint[end[i].joint].anchor[end[i].side];
    if (b->ends == 2 && vec_distance (anchor[0], anchor[1]) > 0.2 * b->reach)
        return add_bar (m, anchor[0], anchor[1], w, end[0].joint, end[1].joint);
    if (b->ends == 1 && vec_length (anchor[0]) > 0.1 * b->reach)
    {
        double far[3];
        vec_mad (far, centre, -1, anchor[0]);
        return add_bar (m, anchor[0], far, w, end[0].joint, end[0].joint);
    }
    int drawn = 0;
    for (int i = 0; i < b->ends; i++)
    {
        const double *a = m->joint[end[i].joint].anchor[end[i].side];
        if (vec_length (a) < 0.1 * b->reach) continue;
        if (!add_bar (m, centre, a, w, end[i].joint, end[i].joint)) return 0;
        drawn++;
    }
    if (drawn) return 1;
    model_shape *s = add_shape (m);
    if (!s) return 0;
    for (int i = 0; i < 3; i++) s->half[i] = b->reach;
    s->radius = b->reach;
    return 1;
}

/* Half the edges of a box with the body's moments of inertia about its own axes. */
static void box_of_inertia (dBodyID body, double half[3])
{
    dMass mass;
    dBodyGetMass (body, &mass);
    double I[3] = {mass.I[0], mass.I[5], mass.I[10]}, sum = I[0] + I[1] + I[2];
    for (int i = 0; i < 3; i++) half[i] = sqrt (fmax (1.5 * (sum - 2 * I[i]) / mass.mass, 0));
}

/* The thickness of the bars of a body: that of the box of its inertia, within what looks well for its
 * reach. */
static double thickness (const model *m, const model_body *b, dBodyID body)
{
    double half[3], longest = 0, least = 1e300;
    box_of_inertia (body, half);
    for (int i = 0; i < 3; i++) longest = fmax (longest, half[i]);
    for (int i = 0; i < 3; i++)
        if (half[i] > 0.02 * longest) least = fmin (least, half[i]);
    double link = b->reach > 0 ? b->reach : 0.05 * m->size;
    return fmin (fmax (2 * least, 0.09 * link), 0.22 * link);
}

/* Adds a shape for a visual.  A plane of the world that faces up becomes the floor; any other plane is a thin
 * slab. */
static int add_visual (model *m, const scene_visual *v, const model_body *b)
{
    if (v->shape == scene_shape_plane && !b)
    {
        double normal[3] = {0, 0, 1};
        quat_rotate (normal, v->rotation, normal);
        if (vec_dot (normal, m->up) > 0.9)
        {
            m->has_ground = 1;
            m->ground = vec_dot (v->position, m->up);
            return 1;
        }
    }
    model_shape *s = add_shape (m);
    if (!s) return 0;
    vec_copy (s->position, v->position);
    memcpy (s->quaternion, v->rotation, sizeof s->quaternion);
    memcpy (s->color, v->rgba, sizeof s->color);
    s->coloured = v->coloured;
    double r = v->size[0];
    switch (v->shape)
    {
    case scene_shape_sphere:
        vec_set (s->half, r, r, r);
        s->radius = r;
        break;
    case scene_shape_capsule:
        vec_set (s->half, r, r, r + v->size[1] / 2);
        s->radius = r;
        break;
    case scene_shape_cylinder:
        s->mesh = MESH_CYLINDER;
        vec_set (s->half, r, r, v->size[1] / 2);
        s->radius = 0.16 * fmin (r, v->size[1] / 2);
        break;
    case scene_shape_box:
    case scene_shape_plane:
        vec_set (s->half, v->size[0] / 2, v->size[1] / 2, v->size[2] / 2);
        if (v->shape == scene_shape_plane) s->half[2] = 0.002 * m->size;
        s->radius = 0.30 * fmin (fmin (s->half[0], s->half[1]), s->half[2]);
        longest_to_z (s);
        break;
    }
    if (b) find_ends (m, b, s);
    return 1;
}

/* Adds the visuals of one body, or of the world; the scene lists them in any order. */
static int add_visuals (model *m, const scene *s, int body)
{
    for (int i = 0; i < scene_visual_count (s); i++)
    {
        const scene_visual *v = scene_visual_at (s, i);
        if (v->body_index != body || v->source == scene_visual_from_inertia) continue;
        if (!add_visual (m, v, body < 0 ? NULL : &m->body[body])) return 0;
    }
    return 1;
}

/* The distance from a point to the box of a shape, both in the frame of the body. */
static double distance_to (const model_shape *s, const double point[3])
{
    double d[3];
    vec_sub (d, point, s->position);
    quat_rotate_back (d, s->quaternion, d);
    for (int i = 0; i < 3; i++) d[i] = fmax (fabs (d[i]) - s->half[i], 0);
    return vec_length (d);
}

/* Adds thin bars to those joints of a body that lie outside its shapes and would seem to be attached to
 * nothing. */
static int add_struts (model *m, const model_body *b)
{
    const double centre[3] = {0, 0, 0};
    int shapes = m->shapes;
    for (int e = 0; e < b->ends; e++)
    {
        const model_end *end = &m->end[b->first_end + e];
        const double *anchor = m->joint[end->joint].anchor[end->side];
        double nearest = 1e300;
        for (int i = b->first_shape; i < shapes; i++)
            nearest = fmin (nearest, distance_to (&m->shape[i], anchor));
        if (nearest < 0.6 * b->thickness) continue;
        double width = fmin (0.2 * b->thickness, 0.03 * b->reach);
        if (!add_bar (m, centre, anchor, width, end->joint, end->joint)) return 0;
    }
    return 1;
}

int model_make_shapes (model *m, const scene *s)
{
    for (int i = 0; i < m->bodies; i++)
    {
        model_body *b = &m->body[i];
        dBodyID body = scene_body_at (s, i)->body;
        b->first_shape = m->shapes;
        if (!add_visuals (m, s, i)) return 0;
        if (m->shapes == b->first_shape)
        {
            double half[3];
            box_of_inertia (body, half);
            if (b->reach <= 0) b->reach = fmin (vec_length (half), 0.1 * m->size);
            b->thickness = thickness (m, b, body);
            if (!bars (m, b)) return 0;
        }
        else
        {
            const model_shape *first = &m->shape[b->first_shape];
            b->thickness = 2 * fmin (first->half[0], first->half[1]);
            if (!add_struts (m, b)) return 0;
        }
        b->shapes = m->shapes - b->first_shape;
        for (int k = 0; k < b->shapes; k++)
        {
            const model_shape *shape = &m->shape[b->first_shape + k];
            b->reach = fmax (b->reach, vec_length (shape->position) + shape->half[2]);
        }
    }
    m->first_static = m->shapes;
    if (!add_visuals (m, s, MODEL_WORLD)) return 0;
    m->statics = m->shapes - m->first_static;
    return 1;
}
