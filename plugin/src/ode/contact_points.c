/*
 * What of a body touches another one: a corner of a box, the centre of a sphere or of a capsule's end, the
 * rim or side of a cylinder.
 *
 * Collision detection says where bodies touch, not what of them does, and how the rows of a contact change
 * depends on that: a corner stays on its body, the point where a ball touches the ground does not.  The
 * contact's normal row gives the line through the body on which the contact lies.  Of the points of the
 * body's geometries on that line the outermost one touches.
 */
#include "bounded/bounded.h"
#include "contact_points.h"

int rls_corners_of (dGeomID geometry, dVector3 side, dReal *radius)
{
    const int type = dGeomGetClass (geometry);
    side[0] = side[1] = side[2] = *radius = 0;
    if (type == dSphereClass)
        *radius = dGeomSphereGetRadius (geometry);
    else if (type == dCapsuleClass)
        dGeomCapsuleGetParams (geometry, radius, &side[2]);
    else if (type == dBoxClass)
        dGeomBoxGetLengths (geometry, side);
    return type == dSphereClass || type == dCapsuleClass || type == dBoxClass;
}

double rls_find_rim (rls_touch *t, dGeomID cylinder, int side)
{
    const dReal *x = dGeomGetOffsetPosition (cylinder), *R = dGeomGetOffsetRotation (cylinder);
    dReal radius, length;
    double foot[3], down[3];
    dGeomCylinderGetParams (cylinder, &radius, &length);
    for (int k = 0; k < 3; ++k) t->axis[k] = (double)R[4 * k + 2];

    /* out across the axis, as far as the side is; there the line is at the height of what touches */
    const double along = rls_dot3 (t->out, t->axis);
    for (int k = 0; k < 3; ++k) down[k] = t->out[k] - along * t->axis[k];
    const double steep = rls_length3 (down);
    if (!(steep > RLS_DEPENDS)) return 0;
    rls_cross (t->out, t->moment, foot);
    for (int k = 0; k < 3; ++k) foot[k] -= (double)x[k];
    const double way = ((double)radius - rls_dot3 (foot, down) / steep) / steep,
                 place = rls_dot3 (foot, t->axis) + way * along, half = 0.5 * (double)length,
                 there = side && fabs (place) < half ? place : copysign (half, place);
    for (int k = 0; k < 3; ++k)
    {
        t->middle[k] = (double)x[k] + there * t->axis[k];
        t->point[k] = t->middle[k] + (double)radius / steep * down[k];
    }
    t->rim = (double)radius;
    return rls_off_line (t, t->point, (double)radius) <= RLS_DEPENDS ? steep : 0;
}

/* Returns by how much of its size what touches of a geometry may be off the line of the contact: by rounding.
 * Where a sphere touches a convex geometry is found by iterations, 1e-4 of its radius beside the line through
 * its centre. */
static double off_line_of (dGeomID geometry, const dContact *contact)
{
    const dGeomID other =
        dGeomGetClass (geometry) == dSphereClass ? rls_other_geometry (contact, geometry) : NULL;
    return other && dGeomGetClass (other) == dConvexClass ? RLS_LITTLE : RLS_DEPENDS;
}

/* Finds a sphere's centre, the end of a capsule's axis, or the corner of a box: the one that is nearest to
 * the line where this leaves the geometry.  Takes it if it lies on the line and is farther out than the one
 * before. */
static void try_geometry (rls_touch *t, dGeomID geometry, const dContact *contact)
{
    const dReal *x = dGeomGetOffsetPosition (geometry), *R = dGeomGetOffsetRotation (geometry);
    dReal radius;
    dVector3 side;
    if (!rls_corners_of (geometry, side, &radius)) return;

    /* the line in the axes of the geometry, and how far out its outermost corner is */
    double foot[3], from[3], out[3], reach = 0;
    rls_cross (t->out, t->moment, foot);
    for (int k = 0; k < 3; ++k) foot[k] -= (double)x[k];
    rls_turn_back (R, t->out, out);
    rls_turn_back (R, foot, from);
    for (int i = 0; i < 3; ++i) reach += 0.5 * fabs (out[i]) * (double)side[i] - out[i] * from[i];

    /* the corner there, and whether it lies on the line */
    double point[3];
    for (int k = 0; k < 3; ++k)
    {
        point[k] = (double)x[k];
        for (int i = 0; i < 3; ++i)
            point[k] += (from[i] + reach * out[i] > 0 ? 0.5 : -0.5) * (double)(R[4 * k + i] * side[i]);
    }
    if (rls_off_line (t, point, (double)radius) > off_line_of (geometry, contact)) return;
    const double most = rls_dot3 (point, t->out) + (double)radius;
    if (t->geometry && most <= t->most) return;
    t->geometry = geometry, t->most = most, t->radius = (double)radius;
    memcpy (t->point, point, sizeof (point));
    t->rim = 0;
}

/* Which axis of a box the normal is along, or -1.  across (or NULL): an axis that it is across, or -1. */
static int axis_along (dGeomID box, const double *normal, int *across)
{
    double along[3];
    int found = -1;
    rls_turn_back (dGeomGetRotation (box), normal, along);
    if (across) *across = -1;
    for (int i = 0; i < 3; ++i)
    {
        if (fabs (along[i]) > 1 - RLS_SEEN) found = i;
        if (across && fabs (along[i]) < RLS_SEEN) *across = i;
    }
    return found;
}

/* Whether that point of a contact is where a face of the box ends, normal being along the face's. */
static int is_at_edge (dGeomID box, const double *normal, const dReal *point)
{
    const dReal *x = dGeomGetPosition (box);
    const double from[] = {(double)(point[0] - x[0]), (double)(point[1] - x[1]), (double)(point[2] - x[2])};
    const int face = axis_along (box, normal, NULL);
    int edge = 0;
    double at[3];
    dVector3 side;
    dGeomBoxGetLengths (box, side);
    rls_turn_back (dGeomGetRotation (box), from, at);
    for (int i = 0; i < 3 && face >= 0; ++i)
        edge |= i != face && fabs (2 * fabs (at[i]) - (double)side[i]) < RLS_DEPENDS * (double)side[i];
    return edge;
}

/* Finds the point of a cylinder's end that a contact whose normal is along the axis has.  It stays on its
 * body, as a corner does.  Returns 0 where the normal is not. */
static int find_end (rls_touch *t, dGeomID cylinder)
{
    const dReal *x = dGeomGetOffsetPosition (cylinder);
    dReal radius, length;
    double foot[3], beside[3];
    dGeomCylinderGetParams (cylinder, &radius, &length);
    rls_cross (t->out, t->axis, beside);
    if (rls_length3 (beside) > RLS_DEPENDS) return 0;
    rls_cross (t->out, t->moment, foot);
    const double way = 0.5 * (double)length + x[0] * t->out[0] + x[1] * t->out[1] + x[2] * t->out[2];
    for (int k = 0; k < 3; ++k) t->point[k] = foot[k] + way * t->out[k];
    t->rim = 0;
    return 1;
}

/* Finds the rim of a cylinder, where it touches what is flat, or has facets; or its side, where the face of a
 * box ends along which it lies. */
static void try_cylinder (rls_touch *t, dGeomID cylinder, const double *normal, const dContact *contact)
{
    const dGeomID ground = rls_other_geometry (contact, cylinder);
    const int type = ground ? dGeomGetClass (ground) : -1;
    rls_touch rim = *t;
    const int is_round = type == dSphereClass || type == dCapsuleClass || type == dCylinderClass,
              edge = type == dBoxClass && is_at_edge (ground, normal, contact->geom.pos);
    if (!ground || is_round) return;
    if (!(rls_find_rim (&rim, cylinder, edge) > 0) && !find_end (&rim, cylinder)) return;
    rim.most = rls_dot3 (rim.point, t->out);
    if (t->geometry && rim.most <= t->most) return;
    rim.geometry = cylinder, rim.radius = 0;
    *t = rim;
}

/* Sets bit, centre and axis of the world's side of contact at by the edge or corner of a box, ground, that a
 * face of the body touches, or what is round of it. */
static void find_edge (rls_bounded *to, int at, int side, dGeomID of_body, dGeomID ground, const dReal *point,
                       double unit)
{
    const double *normal = to->J[to->row0[at]];
    const int face = dGeomGetClass (of_body) == dBoxClass && axis_along (of_body, normal, NULL) >= 0;
    int across;
    if (axis_along (ground, normal, &across) >= 0 || !(rls_is_round (to, at, !side) || face)) return;
    for (int k = 0; k < 3; ++k) to->centre[at][side][k] = (double)point[k] / unit;
    for (int k = 0; k < 3 && across >= 0; ++k)
        to->axis[at][k] = (double)dGeomGetRotation (ground)[4 * k + across];
    to->centre[at][side][3] = 0;
    to->points[at] |= (unsigned char)(1 << side);
}

/* Sets bit, centre and axis of a side of contact at, joint j, by what is round there: a sphere, the end of a
 * capsule, the side of that or of a cylinder.  Returns 1 if it is.  Or, of the world's side, by the edge of a
 * box.  Nothing where the contact does not name geometries of both sides: programs that make contacts by
 * themselves need not set either. */
static int find_round (rls_workspace *workspace, int j, int at, int side)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const dContact *contact = rls_ode_contact_of (workspace->objects.joint[j]);
    const int b = workspace->objects.joint_body[j][side], other = workspace->objects.joint_body[j][!side];
    const dBodyID body = b >= 0 ? workspace->objects.body[b] : NULL;
    const double *normal = to->J[to->row0[at]], unit = workspace->island.model.length_scale;
    dGeomID ground = NULL, own = other >= 0 ? dBodyGetFirstGeom (workspace->objects.body[other]) : NULL;
    for (; own; own = dBodyGetNextGeom (own))
        if ((ground = rls_other_geometry (contact, own)) && dGeomGetBody (ground) == body) break;
    if (!own) return 0;
    const int type = dGeomGetClass (ground);
    dReal radius = 0, length = 0;
    if (type == dBoxClass && !body) find_edge (to, at, side, own, ground, contact->geom.pos, unit);
    if (type == dSphereClass)
        radius = dGeomSphereGetRadius (ground);
    else if (type == dCapsuleClass)
        dGeomCapsuleGetParams (ground, &radius, &length);
    else if (type == dCylinderClass)
        dGeomCylinderGetParams (ground, &radius, &length);
    else
        return 0;

    /* the point of its axis that is nearest */
    const dReal *x = dGeomGetPosition (ground), *R = dGeomGetRotation (ground);
    double from[3], axis[3], across[3], *centre = to->centre[at][side];
    for (int k = 0; k < 3; ++k)
        from[k] = (double)(contact->geom.pos[k] - x[k]), axis[k] = (double)R[4 * k + 2];
    const double along = rls_dot3 (from, axis), half = 0.5 * (double)length,
                 near = fmax (-half, fmin (along, half));
    for (int k = 0; k < 3; ++k) from[k] -= near * axis[k], centre[k] = ((double)x[k] + near * axis[k]) / unit;
    centre[3] = (double)radius / unit;

    /* whether the normal leads from there */
    rls_cross (from, normal, across);
    if (!(rls_length3 (across) < RLS_DEPENDS * (double)radius)) return 0;
    if (type == dCylinderClass && near != along) return 0; /* its ends are flat */
    if (near == along && length > 0) memcpy (to->axis[at], axis, sizeof (axis)), to->axis[at][3] = side - 1;
    to->points[at] |= (unsigned char)(1 << side);
    if (!body) return 1;
    for (int k = 0; k < 3; ++k) from[k] = unit * centre[k] - (double)dBodyGetPosition (body)[k];
    rls_turn_back (dBodyGetRotation (body), from, centre);
    for (int k = 0; k < 3; ++k) centre[k] /= unit;
    return 1;
}

/*
 * Moves the point at which friction of contact at acts along the normal, to the surface of the one body that
 * is round there (side, touch).  Collision detection finds contacts late and names a point between the
 * surfaces, or on that of the other body: a ball that lands, and rolls as it did before, would seem to slide
 * there. Both bodies have the same point, so that no momentum appears.
 */
static void act_on_surface (rls_workspace *workspace, int at, int side, const rls_touch *touch)
{
    rls_bounded *b = &workspace->island.begin.bounded;
    const int normal = b->row0[at];
    double out[3], across[3], turned[3];
    for (int k = 0; k < 3; ++k) out[k] = -b->J[normal][6 * side + k];
    for (int r = normal + 1; r < b->row0[at + 1]; ++r)
    {
        const double *J = b->J[r] + 6 * side, size2 = rls_square3 (J);
        if (!(size2 > 0)) continue; /* rolling friction */
        rls_cross (out, J, across);
        const double way =
            touch->most / workspace->island.model.length_scale - rls_dot3 (J + 3, across) / size2;
        for (int of = 0; of < 2; ++of)
        {
            rls_cross (out, b->J[r] + 6 * of, turned);
            for (int k = 0; k < 3 && b->body[at][of] >= 0; ++k) b->J[r][6 * of + 3 + k] += way * turned[k];
        }
    }
}

/* What touches of contact at is a rim on that side, on what is flat.  Nothing where its lowest point goes
 * round by more than a radian in the step, which no step of that length follows. */
static void note_rim (rls_workspace *workspace, int at, int side, const rls_touch *t)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const double unit = workspace->island.model.length_scale,
                 *v = workspace->island.state.v[to->body[at][side]];
    double spin[3], tilts[3], along[3];
    rls_multiply_transposed (t->R, v + 3, spin);
    rls_cross (spin, t->axis, tilts), rls_cross (t->out, t->axis, along);
    if (workspace->h * rls_length3 (tilts) > rls_length3 (along)) return;
    to->points[at] = (unsigned char)(1 << side);
    for (int k = 0; k < 3; ++k) to->centre[at][side][k] = t->middle[k] / unit, to->axis[at][k] = t->axis[k];
    to->axis[at][3] = t->rim / unit;
}

/* For bounded joint at, which is contact j of the island: sets the bits of points, and centre, of its
 * bodies. */
void rls_find_contact_points (rls_workspace *workspace, int j, int at, rls_touch touch[2])
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int normal = to->row0[at];
    const double unit = workspace->island.model.length_scale;
    const int asked = to->row[normal].bounce > 0 || to->rows <= RLS_SMALL_ISLAND;
    int round = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int b = workspace->objects.joint_body[j][side];
        rls_touch *t = &touch[side];
        if (b < 0 && asked) round |= find_round (workspace, j, at, side);
        if (b < 0) continue;
        rls_contact_line (workspace, to->J[normal] + 6 * side, t);
        for (dGeomID g = dBodyGetFirstGeom (workspace->objects.body[b]); g; g = dBodyGetNextGeom (g))
            if (dGeomGetClass (g) == dCylinderClass)
                try_cylinder (t, g, to->J[normal], rls_ode_contact_of (workspace->objects.joint[j]));
            else
                try_geometry (t, g, rls_ode_contact_of (workspace->objects.joint[j]));
        memset (to->centre[at][side], 0, sizeof (to->centre[at][side])); /* that of the body */
        if (!t->geometry || !asked || t->rim > 0) continue;
        for (int k = 0; k < 3; ++k) to->centre[at][side][k] = t->point[k] / unit;
        to->centre[at][side][3] = t->radius / unit;
        to->points[at] |= (unsigned char)(1 << side);
        round |= t->radius > 0;
    }

    /* the side of a cylinder or capsule of a body, on which a ball or the end of a capsule lies */
    const int *body = workspace->objects.joint_body[j];
    for (int side = 0; side < 2 && asked && body[0] >= 0 && body[1] >= 0; ++side)
        if (!touch[side].geometry && rls_is_round (to, at, !side))
            round |= find_round (workspace, j, at, side);
    if (to->points[at] == 3 && !round) to->points[at] = 1; /* two corners have no line between them */

    /* what of a rim touches changes */
    for (int side = 0; side < 2; ++side)
        if (asked && touch[side].rim > 0) note_rim (workspace, at, side, &touch[side]);
    const int balls[2] = {touch[0].geometry && touch[0].radius > 0, touch[1].geometry && touch[1].radius > 0};
    if (balls[0] != balls[1]) act_on_surface (workspace, at, balls[1], &touch[balls[1]]);
    if (asked) rls_act_as_one (workspace, at);
}
