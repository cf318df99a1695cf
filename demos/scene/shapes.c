/* Collisions and visuals of a link: shapes, poses, surfaces and colours. */
#include "build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- geometry ---------------------------------------------------------------------------------------------
 */

/* SDFormat gives every size a value where it is left out. */
static int positive_child (reader *r, const xmlNode *node, const char *name, double otherwise, double *value)
{
    xmlNode *child;
    *value = otherwise;
    if (!only_child (r, node, name, &child)) return 0;
    if (!child) return doubt_at (r, node, "has no <%s>; %g is taken", name, otherwise);
    if (!element_numbers (r, child, value, 1, 0)) return 0;
    return *value > 0 || fail_at (r, child, "must be positive, is %g", *value);
}

static int read_box (reader *r, const xmlNode *node, shape_in_link *g)
{
    xmlNode *size;
    warn_unknown (r, node, "size");
    if (!only_child (r, node, "size", &size)) return 0;
    for (int i = 0; i < 3; i++) g->size[i] = 1;
    if (!size) return doubt_at (r, node, "has no <size>; 1 1 1 is taken");
    if (!element_numbers (r, size, g->size, 3, 0)) return 0;
    if (g->size[0] > 0 && g->size[1] > 0 && g->size[2] > 0) return 1;
    return fail_at (r, size, "must be positive, is %g %g %g", g->size[0], g->size[1], g->size[2]);
}

/* Robots mark points by spheres of radius 0, which nothing touches. */
static int read_sphere (reader *r, const xmlNode *node, shape_in_link *g)
{
    double radius = 1;
    warn_unknown (r, node, "radius");
    if (!child_number (r, node, "radius", &radius)) return 0;
    if (radius == 0)
    {
        g->known = 0;
        return doubt_at (r, first_child (node, "radius"), "is 0; %s", g->without);
    }
    return positive_child (r, node, "radius", 1, &g->size[0]);
}

static int read_cylinder (reader *r, const xmlNode *node, shape_in_link *g)
{
    const double radius = is_element (node, "capsule") ? 0.5 : 1;
    warn_unknown (r, node, "radius length");
    return positive_child (r, node, "radius", radius, &g->size[0]) &&
           positive_child (r, node, "length", 1, &g->size[1]);
}

static int read_plane (reader *r, const xmlNode *node, shape_in_link *g)
{
    xmlNode *child;
    double n[3] = {0, 0, 1};
    g->size[0] = g->size[1] = 1;
    warn_unknown (r, node, "normal size");
    if (!only_child (r, node, "normal", &child) || (child && !element_numbers (r, child, n, 3, 0))) return 0;
    double length = sqrt (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0)) return fail_at (r, child, "must not be zero");
    /* The shortest turn from z to the normal. */
    double w = length + n[2];
    if (w > 1e-12 * length)
        pose_set_quaternion (&g->at, w, -n[1], n[0], 0);
    else
        pose_set_quaternion (&g->at, 0, 1, 0, 0);
    if (!only_child (r, node, "size", &child) || (child && !element_numbers (r, child, g->size, 2, 0)))
        return 0;
    return (g->size[0] > 0 && g->size[1] > 0) ||
           fail_at (r, child, "must be positive, is %g %g", g->size[0], g->size[1]);
}

/* What cannot be had of a mesh must not stop what can be simulated without it. */
static int read_mesh_file (reader *r, const xmlNode *uri, const char *name, shape_in_link *g, double low[3],
                           double high[3])
{
    char path[4096];
    g->known = find_resource (r, uri, name, 0, path, sizeof path);
    if (!g->known) return doubt_missing (r, uri, name, g->without);
    g->known = mesh_bounds (r, uri, path, low, high);
    if (g->known) return 1;
    char problem[1024];
    snprintf (problem, sizeof problem, "%s", r->error);
    r->error[0] = 0;
    return doubt_at (r, uri, "%s: %s", g->without, problem);
}

static int read_mesh (reader *r, const xmlNode *node, shape_in_link *g)
{
    xmlNode *uri, *scale;
    char *name = NULL;
    double low[3] = {0}, high[3] = {0}, factor[3] = {1, 1, 1};
    warn_unknown (r, node, "uri scale");
    if (!only_child (r, node, "scale", &scale) || (scale && !element_numbers (r, scale, factor, 3, 0)))
        return 0;
    if (!only_child (r, node, "uri", &uri)) return 0;
    if (!uri) return fail_at (r, node, "needs a <uri>");
    int good = element_text (r, uri, &name) && read_mesh_file (r, uri, name, g, low, high);
    free (name);
    if (!good) return 0;
    g->is_mesh = 1;
    for (int i = 0; i < 3; i++)
    {
        g->size[i] = fmax (fabs (factor[i]) * (high[i] - low[i]), 1e-6);
        g->at.p[i] = factor[i] * (high[i] + low[i]) / 2;
    }
    return 1;
}

static const struct
{
    const char *name;
    scene_shape shape;
    int (*read) (reader *r, const xmlNode *node, shape_in_link *g);
} shapes[] = {
    {"box", scene_shape_box, read_box},
    {"sphere", scene_shape_sphere, read_sphere},
    {"cylinder", scene_shape_cylinder, read_cylinder},
    {"capsule", scene_shape_capsule, read_cylinder},
    {"plane", scene_shape_plane, read_plane},
    {"mesh", scene_shape_box, read_mesh},
};

/* Every shape that is not known is named: without it the body moves otherwise. */
static int doubt_others (reader *r, const xmlNode *geometry, const shape_in_link *g)
{
    for (const xmlNode *c = geometry->children; c; c = c->next)
    {
        size_t i = 0;
        if (c->type != XML_ELEMENT_NODE || is_element (c, "empty")) continue;
        while (i < sizeof shapes / sizeof *shapes && !is_element (c, shapes[i].name)) i++;
        if (i == sizeof shapes / sizeof *shapes &&
            !doubt_at (r, c, "is none of box, sphere, cylinder, capsule, plane and mesh; %s", g->without))
            return 0;
    }
    return 1;
}

static int read_geometry (reader *r, const xmlNode *parent, shape_in_link *g)
{
    xmlNode *node;
    if (!only_child (r, parent, "geometry", &node)) return 0;
    if (!node) return doubt_at (r, parent, "has no <geometry>; %s", g->without);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    {
        xmlNode *shape;
        if (!only_child (r, node, shapes[i].name, &shape)) return 0;
        if (!shape) continue;
        if (g->known) return fail_at (r, shape, "is a second shape in one geometry");
        g->known = 1;
        g->shape = shapes[i].shape;
        if (!shapes[i].read (r, shape, g)) return 0;
    }
    return doubt_others (r, node, g);
}

int read_shape (reader *r, int index, const xmlNode *node, const char *without, shape_in_link *g)
{
    scene_pose pose;
    *g = (shape_in_link){.at = scene_pose_identity, .without = without};
    if (!frames_pose_inside (r, index, node, &pose) || !read_geometry (r, node, g)) return 0;
    g->at = pose_compose (&pose, &g->at);
    return 1;
}

/* ---- surfaces ------------------------------------------------------------------------------------------ */

/* fdir1 is given in the frame of the collision, at in its link. */
static int read_friction (reader *r, const xmlNode *surface, const scene_pose *at, scene_collision *c)
{
    xmlNode *friction, *ode, *direction;
    if (!only_child (r, surface, "friction", &friction)) return 0;
    if (!friction) return 1;
    warn_unknown (r, friction, "ode");
    if (!only_child (r, friction, "ode", &ode)) return 0;
    if (!ode) return 1;
    warn_unknown (r, ode, "mu mu2 fdir1 slip1 slip2");
    double *const values[2] = {&c->mu, &c->mu2};
    for (int i = 0; i < 2; i++)
    {
        const char *name = i ? "mu2" : "mu";
        if (!child_number_or_infinite (r, ode, name, values[i])) return 0;
        if (*values[i] < 0)
            return fail_at (r, first_child (ode, name), "must not be negative, is %g", *values[i]);
    }
    if (!only_child (r, ode, "fdir1", &direction)) return 0;
    if (direction && !element_numbers (r, direction, c->direction, 3, 0)) return 0;
    pose_rotate (at, c->direction, c->direction);
    return child_not_negative (r, ode, "slip1", &c->slip1) && child_not_negative (r, ode, "slip2", &c->slip2);
}

static int read_contact (reader *r, const xmlNode *surface, scene_collision *c)
{
    xmlNode *contact, *ode;
    if (!only_child (r, surface, "contact", &contact)) return 0;
    if (!contact) return 1;
    warn_unknown (r, contact, "ode");
    if (!only_child (r, contact, "ode", &ode)) return 0;
    if (!ode) return 1;
    warn_unknown (r, ode, "soft_cfm soft_erp kp kd max_vel min_depth");
    c->has_soft_cfm = first_child (ode, "soft_cfm") != NULL;
    c->has_soft_erp = first_child (ode, "soft_erp") != NULL;
    if (!child_not_negative (r, ode, "soft_cfm", &c->soft_cfm) ||
        !child_not_negative (r, ode, "soft_erp", &c->soft_erp) ||
        !child_not_negative (r, ode, "kp", &c->stiffness) ||
        !child_not_negative (r, ode, "kd", &c->damping) ||
        !child_not_negative (r, ode, "max_vel", &c->max_velocity) ||
        !child_not_negative (r, ode, "min_depth", &c->min_depth))
        return 0;
    c->has_spring = first_child (ode, "kp") || first_child (ode, "kd");
    if (c->stiffness + c->damping <= 0) return fail_at (r, ode, "has neither kp nor kd above zero");
    return c->soft_erp <= 1 ||
           fail_at (r, first_child (ode, "soft_erp"), "must not be above 1, is %g", c->soft_erp);
}

static int read_bounce (reader *r, const xmlNode *surface, scene_collision *c)
{
    xmlNode *bounce;
    if (!only_child (r, surface, "bounce", &bounce)) return 0;
    if (!bounce) return 1;
    c->bounce_velocity = 1e5; /* SDFormat's default: practically never */
    warn_unknown (r, bounce, "restitution_coefficient threshold");
    if (!child_not_negative (r, bounce, "restitution_coefficient", &c->bounce) ||
        !child_not_negative (r, bounce, "threshold", &c->bounce_velocity))
        return 0;
    return c->bounce <= 1 || fail_at (r, first_child (bounce, "restitution_coefficient"),
                                      "must not be above 1, is %g", c->bounce);
}

static int read_surface (reader *r, int index, const xmlNode *collision, scene_collision *c)
{
    xmlNode *surface;
    scene_pose at;
    if (!only_child (r, collision, "surface", &surface)) return 0;
    if (!surface) return 1;
    warn_unknown (r, surface, "friction contact bounce");
    return frames_pose_inside (r, index, collision, &at) && read_friction (r, surface, &at, c) &&
           read_contact (r, surface, c) && read_bounce (r, surface, c);
}

/* ---- collisions and visuals ---------------------------------------------------------------------------- */

static int read_collision (reader *r, int index, int link, const xmlNode *node)
{
    shape_in_link g;
    warn_unknown (r, node, "pose geometry surface density");
    if (!read_shape (r, index, node, "the body does not collide with it", &g)) return 0;
    if (!g.known) return 1;
    if (g.is_mesh) warn_once (r, node, "is a mesh; its bounding box is taken");
    if (g.shape == scene_shape_plane && r->s->links[link].body)
        return doubt_at (r, node, "is a plane, and those cannot move; the body does not collide with it");
    scene_collision *c = scene_add_collision (r->s, link, g.shape, g.size, &g.at);
    return c ? read_surface (r, index, node, c) : fail_memory (r);
}

static int read_colour (reader *r, const xmlNode *visual, float rgba[4], int *coloured)
{
    xmlNode *material, *diffuse;
    double colour[4] = {0, 0, 0, 1}; /* alpha may be left out */
    if (!only_child (r, visual, "material", &material)) return 0;
    if (!material) return 1;
    warn_unknown (r, material, "diffuse");
    if (!only_child (r, material, "diffuse", &diffuse)) return 0;
    if (!diffuse) return 1;
    if (!element_numbers_between (r, diffuse, colour, 3, 4)) return 0;
    for (int i = 0; i < 4; i++)
    {
        if (colour[i] < 0 || colour[i] > 1)
            return fail_at (r, diffuse, "must be from 0 to 1, is %g", colour[i]);
        rgba[i] = (float)colour[i];
    }
    *coloured = 1;
    return 1;
}

static int read_visual (reader *r, int index, int link, const xmlNode *node)
{
    shape_in_link g;
    warn_unknown (r, node, "pose geometry material");
    if (!read_shape (r, index, node, "it is not drawn", &g)) return 0;
    if (!g.known) return 1;
    scene_visual *v = scene_add_visual (r->s, link, g.shape, g.size, &g.at, scene_visual_from_file);
    return v ? read_colour (r, node, v->rgba, &v->coloured) : fail_memory (r);
}

int build_shapes (reader *r, int index, int link)
{
    const xmlNode *node = r->frames->list[index].node;
    for (const xmlNode *c = first_child (node, "collision"); c; c = next_sibling (c, "collision"))
        if (!read_collision (r, index, link, c)) return 0;
    for (const xmlNode *v = first_child (node, "visual"); v; v = next_sibling (v, "visual"))
        if (!read_visual (r, index, link, v)) return 0;
    return 1;
}
