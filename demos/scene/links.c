/* A link's body: mass, centre and inertia, flags, and what is attached to it. */
#include "build.h"

#include <math.h>
#include <string.h>

#define ROUNDING                                                                                             \
    1e-13 /* pivots below it, relative to the diagonal, may be anything: ODE would end the program */

#define TYPED 1e-5 /* relative error of moments that were written down with few digits */

#define LEAST_GYRATION 1e-3 /* m, radius of gyration that points and thin rods get about all axes */

/* By elimination of a symmetric matrix. */
static int is_positive_definite (const double a[3][3])
{
    double d0 = a[0][0];
    if (!(d0 > 0)) return 0;
    double l10 = a[1][0] / d0, l20 = a[2][0] / d0, d1 = a[1][1] - l10 * a[1][0];
    if (!(d1 > ROUNDING * a[1][1])) return 0;
    double l21 = (a[2][1] - l20 * a[1][0]) / d1, d2 = a[2][2] - l20 * a[2][0] - l21 * l21 * d1;
    return d2 > ROUNDING * a[2][2];
}

/* Half the trace minus the moments is the second moment of the mass, which is nowhere negative. */
static int is_possible (const double moment[3][3])
{
    double half = (moment[0][0] + moment[1][1] + moment[2][2]) / 2, spread[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) spread[i][j] = (i == j ? half * (1 + TYPED) : 0) - moment[i][j];
    return is_positive_definite (spread);
}

/* Adds to the moments of points and thin rods, which have none about some axis, so that every rotation has
 * an inertia.  Nothing is added where a moment is negative. */
static int add_least (reader *r, const xmlNode *node, link_inertia *in)
{
    double enough[3][3];
    memcpy (enough, in->moment, sizeof enough);
    for (int i = 0; i < 3; i++) enough[i][i] += in->mass * LEAST_GYRATION * LEAST_GYRATION;
    if (!is_positive_definite (enough)) return fail_at (r, node, "has a negative principal moment");
    memcpy (in->moment, enough, sizeof enough);
    return doubt_at (r, node,
                     "has a principal moment of 0; all get those of a radius of gyration of %g m more",
                     LEAST_GYRATION);
}

static int read_inertia (reader *r, const xmlNode *node, link_inertia *in)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    warn_unknown (r, node, "ixx iyy izz ixy ixz iyz");
    for (int k = 0; k < 6; k++)
    {
        double *upper = &in->moment[row[k]][column[k]];
        if (!child_number (r, node, names[k], upper)) return 0;
        in->moment[column[k]][row[k]] = *upper;
    }
    if (!is_positive_definite (in->moment) && !add_least (r, node, in)) return 0;
    return is_possible (in->moment) ||
           doubt_at (
               r, node,
               "is that of no body: the largest principal moment is above the sum of the others; it is used "
               "as it is");
}

static int read_inertial (reader *r, int index, link_inertia *in)
{
    xmlNode *node, *child;
    *in = (link_inertia){.mass = 1, .pose = scene_pose_identity, .moment = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (!only_child (r, r->frames->list[index].node, "inertial", &node)) return 0;
    if (!node) return 1;
    int from_shapes = 0;
    warn_unknown (r, node, "pose mass inertia density");
    if (!only_child (r, node, "mass", &child) || !attribute_flag (r, node, "auto", &from_shapes)) return 0;
    if (child && !element_numbers (r, child, &in->mass, 1, 0)) return 0;
    if (!(in->mass > 0)) return fail_at (r, child, "must be positive, is %g", in->mass);
    if (from_shapes) return inertial_of_shapes (r, index, node, child != NULL, in);
    if (!only_child (r, node, "inertia", &child)) return 0;
    if (child && !read_inertia (r, child, in)) return 0;
    return frames_pose_inside (r, index, node, &in->pose);
}

static int make_body (reader *r, int index, int link)
{
    link_inertia in;
    if (!read_inertial (r, index, &in)) return 0;
    double R[3][3], turned[3][3], moment[3][3];
    pose_matrix (&in.pose, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[i][j] = R[i][0] * in.moment[0][j] + R[i][1] * in.moment[1][j] + R[i][2] * in.moment[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            moment[i][j] = turned[i][0] * R[j][0] + turned[i][1] * R[j][1] + turned[i][2] * R[j][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) moment[i][j] = moment[j][i];
    if (!is_positive_definite (moment))
        return fail_at (r, r->frames->list[index].node, "moments of inertia are too far apart for its pose");
    return scene_add_body (r->s, link, in.mass, in.pose.p, moment) || fail_memory (r);
}

int build_link (reader *r, int index)
{
    frame *f = &r->frames->list[index];
    const frame *model = &r->frames->list[f->scope];
    char name[128];
    warn_unknown (r, f->node,
                  "pose inertial gravity kinematic self_collide collision visual " LINK_EXTENSIONS);
    if (!frames_full_name (r, index, NULL, f->node, name, sizeof name)) return 0;
    int link = f->index = scene_add_link (r->s, name, model->index, &f->at);
    if (link < 0) return fail_memory (r);

    int gravity = 1, kinematic = 0, self_collide = model->self_collide;
    if (!child_flag (r, f->node, "gravity", &gravity) || !child_flag (r, f->node, "kinematic", &kinematic) ||
        !child_flag (r, f->node, "self_collide", &self_collide))
        return 0;
    r->s->links[link].self_collide = self_collide;
    if (!f->fixed)
    {
        if (!make_body (r, index, link)) return 0;
        dBodyID body = r->s->links[link].body;
        dBodySetGravityMode (body, gravity);
        if (kinematic) dBodySetKinematic (body);
    }
    return build_shapes (r, index, link) && build_link_extensions (r, f->node, link);
}
