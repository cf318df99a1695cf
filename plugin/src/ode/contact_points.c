/*
 * What of a body touches another one: a corner of a box, or the centre of a sphere or of a capsule's end.
 *
 * Collision detection says where bodies touch, not what of them does, and how the rows of a contact change
 * depends on that: a corner stays on its body, the point where a ball touches the ground does not.  The
 * contact's normal row tells the line through the body on which it lies.  Of the points of the body's
 * geometries on that line the one that sticks out farthest touches.
 */
#include "bounded/bounded.h"
#include "gather.h"

/* The line, in axes of the body, and what has been found on it. */
typedef struct
{
    double out[3], moment[3]; /* away from the body, and point x out */
    double most;              /* how far out (m) */
    double centre[3], radius;
    int found;
} touch;

static void try_point (touch *t, const double point[3], double radius)
{
    double moment[3], miss = 0, size = radius;
    rls_cross (point, t->out, moment);
    for (int k = 0; k < 3; ++k)
        miss = fmax (miss, fabs (moment[k] - t->moment[k])), size = fmax (size, fabs (point[k]));
    const double most = rls_dot3 (point, t->out) + radius;
    if (miss > RLS_DEPENDS * size || (t->found && most <= t->most)) return;
    t->found = 1, t->most = most, t->radius = radius;
    memcpy (t->centre, point, sizeof (t->centre));
}

/* The corners of a box; those of a capsule's axis, or of a sphere's centre, are several times the same. */
static void try_geometry (touch *t, dGeomID geometry)
{
    const dReal *x = dGeomGetOffsetPosition (geometry), *R = dGeomGetOffsetRotation (geometry);
    const int type = dGeomGetClass (geometry);
    dReal radius = 0;
    dVector3 side = {0};
    if (type == dSphereClass)
        radius = dGeomSphereGetRadius (geometry);
    else if (type == dCapsuleClass)
        dGeomCapsuleGetParams (geometry, &radius, &side[2]);
    else if (type == dBoxClass)
        dGeomBoxGetLengths (geometry, side);
    else
        return;
    for (int corner = 0; corner < 8; ++corner)
    {
        double point[3];
        for (int k = 0; k < 3; ++k)
        {
            point[k] = (double)x[k];
            for (int i = 0; i < 3; ++i)
                point[k] += (corner >> i & 1 ? 0.5 : -0.5) * (double)(R[4 * k + i] * side[i]);
        }
        try_point (t, point, (double)radius);
    }
}

void rls_find_contact_points (rls_workspace *workspace, int j, int at)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int normal = to->row0[at];
    const double unit = workspace->island.model.length_scale;
    int round = 0;
    if (!(to->row[normal].bounce > 0) && to->rows > RLS_SMALL_ISLAND) return; /* nobody asks */
    for (int side = 0; side < 2; ++side)
    {
        const int b = workspace->objects.joint_body[j][side];
        double R[9];
        touch t = {.found = 0};
        if (b < 0) continue;
        rls_quaternion_matrix (workspace->island.state.pose[b].q, R);
        rls_multiply_transposed (R, to->J[normal] + 6 * side, t.out);
        rls_multiply_transposed (R, to->J[normal] + 6 * side + 3, t.moment);
        for (int k = 0; k < 3; ++k) t.out[k] = -t.out[k], t.moment[k] = -unit * t.moment[k];
        for (dGeomID g = dBodyGetFirstGeom (workspace->objects.body[b]); g; g = dBodyGetNextGeom (g))
            try_geometry (&t, g);
        for (int k = 0; k < 3; ++k) to->centre[at][side][k] = t.centre[k] / unit;
        to->centre[at][side][3] = t.radius / unit;
        to->points[at] |= (unsigned char)(t.found << side);
        round |= t.found && t.radius > 0;
    }
    if (to->points[at] == 3 && !round) to->points[at] = 1; /* two corners have no line between them */
}
