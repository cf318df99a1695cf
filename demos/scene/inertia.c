/*
 * <inertial auto="true">: mass, centre and inertia of a link from its collision shapes, each of the density
 * of its <density>, of that of the <inertial>, or of water.  A <mass> that is given scales the whole. Source:
 * SDFormat 1.11, "automatic inertia calculation".
 */
#include "build.h"

#include <math.h>

#define WATER 1000 /* kg/m3 */

/* 0: a shape without a volume. */
static int set_mass (const shape_in_link *g, double density, dMass *m)
{
    dReal a = (dReal)g->size[0], b = (dReal)g->size[1], c = (dReal)g->size[2], d = (dReal)density;
    switch (g->shape)
    {
    case scene_shape_box:
        dMassSetBox (m, d, a, b, c);
        return 1;
    case scene_shape_sphere:
        dMassSetSphere (m, d, a);
        return 1;
    case scene_shape_cylinder:
        dMassSetCylinder (m, d, 3, a, b);
        return 1;
    case scene_shape_capsule:
        dMassSetCapsule (m, d, 3, a, b);
        return 1;
    case scene_shape_plane:
        return 0;
    }
    return 0;
}

static int add_collision (reader *r, int index, const xmlNode *node, double density, dMass *sum)
{
    shape_in_link g;
    dMass m;
    dQuaternion q;
    dMatrix3 R;
    /* What there is to say about the shape is said when the body gets it. */
    scene_warning_function *warn = r->warn;
    r->warn = NULL;
    int good = read_shape (r, index, node, "", &g);
    r->warn = warn;
    if (!good) return 0;
    if (!child_number (r, node, "density", &density)) return 0;
    if (!(density > 0)) return fail_at (r, first_child (node, "density"), "must be positive, is %g", density);
    if (!g.known || !set_mass (&g, density, &m)) return 1;
    for (int i = 0; i < 4; i++) q[i] = (dReal)g.at.q[i];
    dRfromQ (R, q);
    dMassRotate (&m, R);
    dMassTranslate (&m, (dReal)g.at.p[0], (dReal)g.at.p[1], (dReal)g.at.p[2]);
    dMassAdd (sum, &m);
    return 1;
}

int inertial_of_shapes (reader *r, int index, const xmlNode *node, int has_mass, link_inertia *in)
{
    const xmlNode *link = r->frames->list[index].node;
    double density = WATER;
    dMass sum;
    dMassSetZero (&sum);
    if (!child_number (r, node, "density", &density)) return 0;
    for (const xmlNode *c = first_child (link, "collision"); c; c = next_sibling (c, "collision"))
        if (!add_collision (r, index, c, density, &sum)) return 0;
    if (!(sum.mass > 0))
        return doubt_at (r, node,
                         "is to be found from collision shapes, and there is none with a volume; %g kg and "
                         "unit inertia are taken",
                         in->mass);
    if (!isfinite ((double)sum.mass))
        return fail_at (r, node, "is to be found from shapes that are too large");

    const double scale = has_mass ? in->mass / (double)sum.mass : 1;
    in->mass = scale * (double)sum.mass;
    in->pose = scene_pose_identity;
    for (int i = 0; i < 3; i++) in->pose.p[i] = (double)sum.c[i];
    dMassTranslate (&sum, -sum.c[0], -sum.c[1], -sum.c[2]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) in->moment[i][j] = scale * (double)sum.I[4 * i + j];
    return 1;
}
