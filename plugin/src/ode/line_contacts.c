/*
 * Contacts along a line, of which collision detection has missed an end.
 *
 * A capsule that lies on a plane, or along a face of a box, and a cylinder along another cylinder or a
 * capsule touch on a line.  ODE's collision detection mostly finds one end of it: where the capsule or
 * cylinder ends, or where it leaves the face or the other one.  The bodies would turn about that end until
 * the other one is deeper, and rock from end to end for ever.  So the other end, if it is in the ground
 * already, is a contact like the one that has been found, with friction.
 */
#include "bounded/bounded.h"
#include "contact_points.h"

/* A capsule or cylinder, and what it touches along a line (units of the world). */
typedef struct
{
    dGeomID lying, ground;
    double axis[3], up[3]; /* of what lies; out of the ground */
    double level;          /* of flat ground, along up */
    double radius, end[2]; /* where the line ends, along the axis from the middle of what lies */
    int own[2];            /* whether what lies ends there, and not the ground */
    double found;          /* where the contact is, along the axis */
} line_contact;

static int is_capsule (dGeomID geometry) { return dGeomGetClass (geometry) == dCapsuleClass; }

static int is_round (dGeomID geometry)
{
    return is_capsule (geometry) || dGeomGetClass (geometry) == dCylinderClass;
}

/* True of a geometry that may lie along another one so that an end is missed.  Of a cylinder on a plane or a
 * box the step knows more (expected_contacts.c). */
static int may_lie_along (dGeomID lying, dGeomID ground)
{
    const int type = dGeomGetClass (ground), flat = type == dPlaneClass || type == dBoxClass;
    return flat ? is_capsule (lying) : is_round (lying) && is_round (ground);
}

/* Finds the geometries of contact j, of which at least one belongs to a body: programs that make contacts by
 * themselves need not name geometries that exist.  Returns 1 if one may lie along the other. */
static int find_geometries (const rls_workspace *workspace, int j, const dContact *contact,
                            line_contact *line)
{
    const rls_objects *o = &workspace->objects;
    for (int side = 0; side < 2; ++side)
    {
        const int body = o->joint_body[j][side];
        dGeomID own = body >= 0 ? dBodyGetFirstGeom (o->body[body]) : NULL;
        while (own && !rls_other_geometry (contact, own)) own = dBodyGetNextGeom (own);
        if (!own) continue;
        const dGeomID other = rls_other_geometry (contact, own);
        const int first = may_lie_along (own, other);
        line->lying = first ? own : other, line->ground = first ? other : own;
        return first || may_lie_along (other, own);
    }
    return 0;
}

/* Cuts the line where it leaves the face of a box, whose normal up becomes: of a capsule that leans, what
 * touches at the edge has another one.  Returns 0 if it does not touch along a face. */
static int cut_at_edges (line_contact *line)
{
    const dReal *x = dGeomGetPosition (line->lying), *centre = dGeomGetPosition (line->ground),
                *R = dGeomGetRotation (line->ground);
    double from[3], middle[3], along[3], out[3];
    dVector3 side;
    int face = 0;
    rls_turn_back (R, line->up, out);
    for (int i = 1; i < 3; ++i)
        if (fabs (out[i]) > fabs (out[face])) face = i;
    if (fabs (out[face]) < RLS_TURNED_LITTLE) return 0;
    for (int k = 0; k < 3; ++k) line->up[k] = (out[face] < 0 ? -1 : 1) * (double)R[4 * k + face];
    dGeomBoxGetLengths (line->ground, side);
    line->level = 0.5 * (double)side[face];
    for (int k = 0; k < 3; ++k) line->level += line->up[k] * (double)centre[k];
    for (int k = 0; k < 3; ++k) from[k] = (double)(x[k] - centre[k]);
    rls_turn_back (R, from, middle), rls_turn_back (R, line->axis, along);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 2 && i != face && along[i] != 0; ++k)
        {
            const int upper = along[i] > 0 ? k : !k;
            const double cut = ((upper ? 0.5 : -0.5) * (double)side[i] - middle[i]) / along[i];
            if (k ? cut >= line->end[1] : cut <= line->end[0]) continue;
            line->end[k] = cut, line->own[k] = 0;
        }
    return line->end[0] < line->end[1];
}

/* Radius, and length without round ends, of a capsule or cylinder. */
static void read_size (dGeomID geometry, dReal *radius, dReal *length)
{
    if (is_capsule (geometry))
        dGeomCapsuleGetParams (geometry, radius, length);
    else
        dGeomCylinderGetParams (geometry, radius, length);
}

/* Returns how high the axis of what lies is above the ground at that place along it. */
static double height_at (const line_contact *line, double place)
{
    const dReal *x = dGeomGetPosition (line->lying);
    double point[3], axis[3], across[3];
    dReal radius, length;
    for (int k = 0; k < 3; ++k) point[k] = (double)x[k] + place * line->axis[k];
    if (!is_round (line->ground)) return rls_dot3 (line->up, point) - line->level;
    const dReal *centre = dGeomGetPosition (line->ground), *R = dGeomGetRotation (line->ground);
    for (int k = 0; k < 3; ++k) point[k] -= (double)centre[k], axis[k] = (double)R[4 * k + 2];
    read_size (line->ground, &radius, &length);
    rls_cross (axis, point, across);
    return rls_length3 (across) - (double)radius;
}

/* Cuts the line where what is round below it ends.  Returns 0 if it does not touch along a line. */
static int cut_at_ends (line_contact *line)
{
    const dReal *x = dGeomGetPosition (line->lying), *centre = dGeomGetPosition (line->ground),
                *R = dGeomGetRotation (line->ground);
    double from[3], axis[3];
    dReal radius, length;
    for (int k = 0; k < 3; ++k) from[k] = (double)(centre[k] - x[k]), axis[k] = (double)R[4 * k + 2];
    const double along = fabs (rls_dot3 (axis, line->axis)), middle = rls_dot3 (from, line->axis);
    read_size (line->ground, &radius, &length);
    for (int k = 0; k < 2; ++k)
    {
        const double cut = middle + (k - 0.5) * along * (double)length;
        if (k ? cut >= line->end[1] : cut <= line->end[0]) continue;
        line->end[k] = cut, line->own[k] = 0;
    }
    return along > RLS_TURNED_LITTLE && fabs (rls_dot3 (line->axis, line->up)) < 1 - RLS_TURNED_LITTLE &&
           line->end[0] < line->end[1];
}

/* Finds the line on which contact j touches.  Returns 1 if it does: what collision detection has found is on
 * it. What is in one of ODE's GeomTransforms is not where its geometry says. */
static int find_line (const rls_workspace *workspace, int j, const dContact *contact, line_contact *line)
{
    dReal radius, length;
    if (!contact || !find_geometries (workspace, j, contact, line)) return 0;
    const int type = dGeomGetClass (line->ground);
    const double sign = contact->geom.g1 == line->ground ? -1 : 1;
    read_size (line->lying, &radius, &length);
    for (int k = 0; k < 3; ++k)
    {
        line->up[k] = sign * (double)contact->geom.normal[k];
        line->axis[k] = (double)dGeomGetRotation (line->lying)[4 * k + 2];
    }
    line->radius = (double)radius;
    line->end[0] = -0.5 * (double)length, line->end[1] = -line->end[0];
    line->own[0] = line->own[1] = 1;
    if (type == dBoxClass && !cut_at_edges (line)) return 0;
    if (is_round (line->ground) && !cut_at_ends (line)) return 0;

    /* the contact is below the axis by the radius */
    const dReal *x = dGeomGetPosition (line->lying), *at = contact->geom.pos;
    double from[3];
    if (type == dPlaneClass)
        line->level = (double)at[0] * line->up[0] + (double)at[1] * line->up[1] +
                      (double)at[2] * line->up[2] + (double)contact->geom.depth;
    for (int k = 0; k < 3; ++k) from[k] = (double)(at[k] - x[k]) + line->radius * line->up[k];
    line->found = rls_dot3 (from, line->axis);
    const double depth = line->radius - height_at (line, line->found);
    return fabs (depth - (double)contact->geom.depth) < RLS_SAME_POINT * line->radius;
}

/* Returns 1 if collision detection has found a contact of the bodies of contact joint j at a point that is
 * away from there (world axes, units of the world). */
static int is_found (const rls_workspace *workspace, int j, const dContact *contact, const double away[3])
{
    const rls_objects *o = &workspace->objects;
    for (int i = 0; i < o->joints; ++i)
    {
        if (dJointGetType (o->joint[i]) != dJointTypeContact) continue;
        const int *a = o->joint_body[i], *b = o->joint_body[j];
        if (!(a[0] == b[0] && a[1] == b[1]) && !(a[0] == b[1] && a[1] == b[0])) continue;
        const dContact *other = rls_ode_contact_of (o->joint[i]);
        double from[3];
        for (int k = 0; k < 3 && other; ++k)
            from[k] = (double)(other->geom.pos[k] - contact->geom.pos[k]) - away[k];
        if (other && rls_length3 (from) <= RLS_SAME_POINT * rls_length3 (away) +
                                               (double)(other->geom.depth + contact->geom.depth))
            return 1;
    }
    return 0;
}

/* Sets what touches at an end of the line of contact j, which is bounded joint to: the end of a capsule, if
 * it ends there. */
static void note_centre (rls_workspace *workspace, int j, int to, const line_contact *line, int end)
{
    const int *body = workspace->objects.joint_body[j];
    const dBodyID of = dGeomGetBody (line->lying);
    rls_bounded *b = &workspace->island.begin.bounded;
    const double unit = workspace->island.model.length_scale;
    for (int side = 0; side < 2; ++side)
    {
        const dBodyID there = body[side] >= 0 ? workspace->objects.body[body[side]] : NULL;
        if (there != of || !line->own[end] || !is_capsule (line->lying)) continue;
        const dReal *x = of ? dGeomGetOffsetPosition (line->lying) : dGeomGetPosition (line->lying),
                    *R = of ? dGeomGetOffsetRotation (line->lying) : dGeomGetRotation (line->lying);
        for (int k = 0; k < 3; ++k)
            b->centre[to][side][k] = ((double)x[k] + line->end[end] * (double)R[4 * k + 2]) / unit;
        b->centre[to][side][3] = line->radius / unit;
        b->points[to] = (unsigned char)(1 << side);
    }
}

/* Returns 0 if contact joint j is one of bodies that have neither capsules nor cylinders. */
static int has_round (const rls_workspace *workspace, int j, int shapes)
{
    const int *body = workspace->objects.joint_body[j];
    return body[0] < 0 || body[1] < 0 || shapes & (RLS_CAPSULES | RLS_CYLINDERS);
}

int rls_may_miss_ends (const rls_workspace *workspace, int j, int shapes)
{
    line_contact line;
    return has_round (workspace, j, shapes) &&
           find_line (workspace, j, rls_ode_contact_of (workspace->objects.joint[j]), &line);
}

void rls_append_missed_ends (rls_workspace *workspace, int j, int at, const double R[9])
{
    const dContact *contact = rls_ode_contact_of (workspace->objects.joint[j]);
    const rls_bounded *b = &workspace->island.begin.bounded;
    line_contact line;
    if (!has_round (workspace, j, rls_shapes_of (workspace, j)) || !find_line (workspace, j, contact, &line))
        return;
    const double depth = workspace->island.model.length_scale * rls_bounded_depth (b, b->row0[at]);
    for (int end = 0; end < 2; ++end)
    {
        rls_other_point p = {.number = end, .missed = 1};
        for (int k = 0; k < 3; ++k) p.away[k] = (line.end[end] - line.found) * line.axis[k];
        p.gap = height_at (&line, line.end[end]) - height_at (&line, line.found), p.room = p.gap - depth;
        if (rls_is_there (workspace, p.room) && !is_found (workspace, j, contact, p.away))
            note_centre (workspace, j, rls_append_other_point (workspace, j, at, R, &p), &line, end);
    }
}
