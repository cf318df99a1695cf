/*
 * Contacts that the step may reach, and that collision detection has not found yet.
 *
 * Where a body touches with a corner, or with the lowest point of an edge, the other end may come down within
 * the step.  Collision detection would find it in the ground at the beginning of the next one, after an
 * impact that the step knew nothing of.  So points there get rows of their own, as stops do that a joint may
 * reach: for a corner of a box or an end of a capsule the corners next to it, or the other end, which may
 * come as far as the ground.
 *
 * Of a cylinder collision detection mostly finds the lowest point alone.  A coin that is nearly flat, or a
 * log that lies, would turn about it until the other side is in the ground, in the next step back, and its
 * middle would sink from side to side.  Its other points may therefore come as deep as the one that has been
 * found, and are pushed out with it.  Once they are as deep they are left out: if nothing is found there
 * then, nothing is there, and what lies beyond the edge of a table falls.
 *
 * All of them rebound and give way as the contact does, and have its friction, which acts in their impact.
 */
#include "bounded/bounded.h"
#include "contact_points.h"

/* Finds of a cylinder the point that touches, if the contact is on the line through it, and the others.
 * Returns 1 if it is there. */
static int find_others (rls_touch *t, dGeomID cylinder)
{
    const double steep = rls_find_rim (t, cylinder, 0);
    const dReal *x = dGeomGetOffsetPosition (cylinder);
    double down[3], across[3];
    if (steep == 0) return 0;

    /* of a coin the other two corners of a triangle in its edge; of a log the lowest point of its other end
     */
    t->others = fabs (rls_dot3 (t->out, t->axis)) > steep ? 2 : 1;
    for (int k = 0; k < 3; ++k) down[k] = t->point[k] - t->middle[k];
    rls_cross (t->axis, down, across);
    for (int i = 0; i < t->others; ++i)
        for (int k = 0; k < 3; ++k)
            t->other[i][k] =
                t->point[k] + (t->others == 1 ? 2 * ((double)x[k] - t->middle[k])
                                              : -1.5 * down[k] + (i ? -1 : 1) * sqrt (0.75) * across[k]);
    t->geometry = cylinder, t->radius = 0;
    return 1;
}

/* Returns at what most (m/s) a point approaches the ground that is away from the contact with normal row r by
 * distance, by the present velocities of its bodies. */
static double approach_of (const rls_workspace *workspace, int j, int r, double distance)
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    double speed = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int body = workspace->objects.joint_body[j][side];
        if (body < 0) continue;
        const double *v = workspace->island.state.v[body];
        speed += workspace->island.model.length_scale * fabs (rls_dot6 (b->J[r] + 6 * side, v)) +
                 distance * rls_length3 (v + 3);
    }
    return speed;
}

/* Returns 1 if the step may take a point to the ground that may approach by room (units of the world), away
 * from the contact with normal row r by distance: twice as far as velocities and gravity take it, since
 * impacts and loads may turn a body faster. */
static int is_reached (const rls_workspace *workspace, int j, int r, double room, double distance)
{
    return room <= 2 * (workspace->h * approach_of (workspace, j, r, distance) + 2 * rls_fall_of (workspace));
}

/* Returns the restitution that the surface of contact joint j, with normal row r, gives what approaches it
 * with so much (m/s).  A compliant surface begins to push. */
static double restitution_of (const rls_workspace *workspace, int j, int r, double approach)
{
    const dSurfaceParameters *surface = &rls_ode_contact_of (workspace->objects.joint[j])->surface;
    const int rebounds = !rls_bounded_is_soft (&workspace->island.begin.bounded, r) &&
                         (surface->mode & dContactBounce) && surface->bounce > (dReal)RLS_LITTLE &&
                         approach > (double)surface->bounce_vel;
    return rebounds ? fmin ((double)surface->bounce, 1) : 0;
}

/* Returns 1 if such a point would rebound where it is reached: if the contact does, or the surface of contact
 * joint j makes it. */
static int would_rebound (const rls_workspace *workspace, int j, int r, double distance)
{
    return workspace->island.begin.bounded.row[r].bounce > 0 ||
           restitution_of (workspace, j, r, approach_of (workspace, j, r, distance)) > 0;
}

/* Finds others by what touches of a box or capsule at contact joint j, whose normal is row r: of the corners
 * at the other ends of the edges that meet there, or the other end, those that the step may reach. */
static void find_corners (const rls_workspace *workspace, int j, int r, rls_touch *t)
{
    const dReal *x = dGeomGetOffsetPosition (t->geometry), *R = dGeomGetOffsetRotation (t->geometry);
    const double depth =
        workspace->island.model.length_scale * rls_bounded_depth (&workspace->island.begin.bounded, r);
    dVector3 side;
    dReal radius;
    double along[3], from[3], corner[3];
    rls_corners_of (t->geometry, side, &radius);
    rls_turn_back (R, t->out, along);
    for (int k = 0; k < 3; ++k) from[k] = t->point[k] - (double)x[k];
    rls_turn_back (R, from, corner);
    for (int i = 0; i < 3; ++i)
    {
        const double room = (double)side[i] * fabs (along[i]) - depth, way = corner[i] < 0 ? 1 : -1;
        if (!(side[i] > 0) || rls_is_there (workspace, room) ||
            !is_reached (workspace, j, r, room, (double)side[i]))
            continue;
        for (int k = 0; k < 3; ++k)
            t->other[t->others][k] = t->point[k] + way * (double)(side[i] * R[4 * k + i]);
        ++t->others;
    }
}

/* Makes row r one like the normal row of a contact, for another point (unit: the island's length).  What of
 * it is in the ground now is pushed out with the contact.  A spring is compressed by what is in the ground.
 */
static void become_like (rls_bounded *to, int r, int normal, double unit, const rls_other_point *p)
{
    const rls_bounded_row *like = &to->row[normal];
    rls_bounded_row *row = &to->row[r];
    to->lo[r] = to->lo[normal], to->hi[r] = to->hi[normal], to->softness[r] = to->softness[normal];
    row->share = like->share, row->bounce = like->bounce;
    row->rest = unit * like->rest;
    row->gap = fmax (0, p->room), row->most = unit * like->most;
    row->push = like->share * fmax (0, unit * rls_bounded_depth (to, normal) - p->gap);
    if (!rls_bounded_is_soft (to, normal)) return;
    row->stiffness = like->stiffness, row->damping = like->damping;
    row->gap = row->open = p->gap + unit * like->open;
}

/*
 * Returns 1 if what a geometry touches at contact joint goes on below a point that is away from there (world
 * axes, units of the world): a plane, or a face of a box.  Of others it is not known.
 */
static int has_ground (dJointID joint, dGeomID geometry, const double away[3])
{
    const dContact *contact = rls_ode_contact_of (joint);
    const dGeomID ground = rls_other_geometry (contact, geometry);
    if (!ground) return 0; /* a contact that collision detection has not found */
    if (dGeomGetClass (ground) != dBoxClass) return dGeomGetClass (ground) == dPlaneClass;

    /* the point on the face, in the axes of the box; a hundredth beyond its edge is on it */
    const dReal *x = dGeomGetPosition (ground), *R = dGeomGetRotation (ground), *n = contact->geom.normal;
    dVector3 side;
    double from[3], on[3], above = 0;
    dGeomBoxGetLengths (ground, side);
    for (int k = 0; k < 3; ++k) above += (double)n[k] * away[k];
    for (int k = 0; k < 3; ++k)
        from[k] = (double)(contact->geom.pos[k] - x[k]) + away[k] - above * (double)n[k];
    rls_turn_back (R, from, on);
    for (int i = 0; i < 3; ++i)
        if (fabs (on[i]) > 0.5 * (double)side[i] * (1 + RLS_LITTLE) + (double)contact->geom.depth) return 0;
    return 1;
}

/* Returns 1 if the bodies of contact joint j, with normal row r, separate as the step begins. */
static int separates (const rls_workspace *workspace, int j, int r)
{
    double v = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int body = workspace->objects.joint_body[j][side];
        const double *J = workspace->island.begin.bounded.J[r] + 6 * side;
        if (body >= 0) v += rls_dot6 (J, workspace->island.state.v[body]);
    }
    return v > RLS_SEEN;
}

/* Appends a row like row q of contact joint j, at another point (unit: the island's length).  Returns its
 * index. */
static int append_away (rls_workspace *workspace, int j, int q, double unit, const rls_other_point *p)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int r = rls_append_row (workspace, j, RLS_EXPECTED_ROWS + p->number, to->J[q]);
    for (int of = 0; of < 2; ++of)
    {
        double turned[3], *moment = to->J[r] + 6 * of + 3;
        rls_cross (p->away, to->J[r] + 6 * of, turned);
        for (int k = 0; k < 3; ++k) moment[k] = unit * moment[k] + turned[k];
        if (rls_square3 (to->J[r] + 6 * of) == 0) memset (moment, 0, sizeof (turned)); /* the world */
    }
    return r;
}

int rls_append_other_point (rls_workspace *workspace, int j, int at, const double R[9],
                            const rls_other_point *p)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int normal = to->row0[at], end = to->row0[at + 1];
    const double unit = workspace->island.model.length_scale;
    double own[3];
    rls_multiply_transposed (R, p->away, own);

    /* a row like the contact's, away from its point, and its friction */
    const int r = append_away (workspace, j, normal, unit, p);
    become_like (to, r, normal, unit, p);

    /* the row of a contact that separates has no restitution, but another point may strike */
    if (!p->missed && to->row[r].bounce == 0 && separates (workspace, j, normal))
        to->row[r].bounce = restitution_of (workspace, j, normal, HUGE_VAL);
    if (to->row[r].bounce > 0) to->row[r].rest = 0;
    for (int q = normal + 1; q < end; ++q)
    {
        if (to->follow[q] != normal) continue;
        const int f = append_away (workspace, j, q, unit, p);
        to->lo[f] = to->lo[q], to->hi[f] = to->hi[q], to->softness[f] = to->softness[q];
        to->target[f] = unit * to->target[q], to->row[f] = to->row[q];
        to->row[f].rest *= unit, to->row[f].push *= unit;
        to->follow[f] = r;
    }

    /* it is found again by its bodies and its point; what is only expected, apart from contacts that are
     * found */
    const int joint = rls_append_joint (workspace, r);
    to->key[joint] = p->missed ? to->key[at] : to->key[at] ^ 2;
    for (int k = 0; k < 3; ++k) to->arm[joint][k] = to->arm[at][k] + own[k] / unit;
    memset (to->centre[joint], 0, sizeof (to->centre[joint]));
    return joint;
}

/* Appends a row for another point i on a side of contact at, joint j, if the step may reach it: of a
 * cylinder's edge, or a corner. */
static void append (rls_workspace *workspace, int j, int at, int side, const rls_touch touch[2], int corner,
                    int i)
{
    const rls_touch *t = &touch[side];
    rls_bounded *to = &workspace->island.begin.bounded;
    const int normal = to->row0[at], rows = to->row0[at + 1] - normal;
    const double unit = workspace->island.model.length_scale;
    rls_other_point p = {.number = corner ? RLS_EXPECTED_CORNERS - RLS_EXPECTED_ROWS + i : i};
    double away[3];
    for (int k = 0; k < 3; ++k) away[k] = t->other[i][k] - t->point[k];
    p.gap = -rls_dot3 (away, t->out);
    p.room = corner ? p.gap - unit * rls_bounded_depth (to, normal) : p.gap;
    if (rls_is_there (workspace, p.room)) return;
    if (!corner && !is_reached (workspace, j, normal, p.room, rls_length3 (away))) return;
    rls_multiply (t->R, away, p.away);
    if (corner && !has_ground (workspace->objects.joint[j], t->geometry, p.away)) return;

    /* A corner has a row unless it will rebound, which is dated back when it has been found; it does not make
     * a large island of a small one. */
    if (corner && (workspace->read.rows_of_bounded + rows > RLS_SMALL_ISLAND ||
                   would_rebound (workspace, j, normal, rls_length3 (away))))
        return;
    workspace->read.rows_of_bounded += corner ? rows : 0;
    p.room += corner ? RLS_CORNER_SLOP * rls_fall_of (workspace) : 0;
    const int joint = rls_append_other_point (workspace, j, at, touch[0].R, &p);
    to->points[joint] = (unsigned char)(1 << side);
    for (int k = 0; k < 3; ++k) to->centre[joint][side][k] = t->other[i][k] / unit;
    to->centre[joint][side][3] = t->radius / unit;
}

void rls_find_shapes (rls_workspace *workspace)
{
    const rls_objects *o = &workspace->objects;
    if (o->joints == o->mechanism_joints) return;
    memset (o->shapes, 0, (size_t)o->bodies);
    for (int b = 0; b < o->bodies; ++b)
        for (dGeomID g = dBodyGetFirstGeom (o->body[b]); g; g = dBodyGetNextGeom (g))
        {
            const int type = dGeomGetClass (g);
            if (type == dCylinderClass) o->shapes[b] |= RLS_CYLINDERS;
            if (type == dBoxClass || type == dCapsuleClass) o->shapes[b] |= RLS_CORNERS;
            if (type == dCapsuleClass) o->shapes[b] |= RLS_CAPSULES;
        }
}

int rls_shapes_of (const rls_workspace *workspace, int j)
{
    const int *body = workspace->objects.joint_body[j];
    const unsigned char *shapes = workspace->objects.shapes;
    return (body[0] >= 0 ? shapes[body[0]] : 0) | (body[1] >= 0 ? shapes[body[1]] : 0);
}

/* Looks among the cylinders of the body on a side of contact at, joint j, for the first one whose lowest
 * point is there.  Returns 1 if there is one. */
static int find_cylinder (const rls_workspace *workspace, int j, int at, int side, rls_touch *t)
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    const int body = workspace->objects.joint_body[j][side];
    if (body < 0 || !(workspace->objects.shapes[body] & RLS_CYLINDERS)) return 0;
    rls_contact_line (workspace, b->J[b->row0[at]] + 6 * side, t);
    for (dGeomID g = dBodyGetFirstGeom (workspace->objects.body[body]); g; g = dBodyGetNextGeom (g))
        if (dGeomGetClass (g) == dCylinderClass && find_others (t, g)) return 1;
    return 0;
}

/* Returns 1 if the corners of the body on a side of contact joint j may have rows: in islands without joints
 * all, in others those of the machine itself on what does not move.  What machines push about would ask for
 * so many that steps of an excavator take 40 % longer. */
static int may_expect_corners (const rls_workspace *workspace, int j, int side)
{
    const rls_objects *o = &workspace->objects;
    int joined = o->mechanism_joints == 0;
    if (!joined && o->joint_body[j][!side] >= 0) return 0;
    for (int i = 0; i < o->mechanism_joints && !joined; ++i)
        joined =
            o->joint_body[i][0] == o->joint_body[j][side] || o->joint_body[i][1] == o->joint_body[j][side];
    return joined;
}

void rls_expect_contacts (rls_workspace *workspace, int j, int at, rls_touch touch[2])
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    const int shapes = rls_shapes_of (workspace, j),
              corners = workspace->read.rows_of_bounded < RLS_SMALL_ISLAND;
    if (shapes == 0 || !rls_springs_in_halves (workspace)) return;
    rls_append_missed_ends (workspace, j, at, touch[0].R);
    for (int side = 0; side < 2; ++side)
    {
        rls_touch *t = &touch[side];
        const int corner = !find_cylinder (workspace, j, at, side, t);
        if (corner && corners && t->geometry && may_expect_corners (workspace, j, side))
            find_corners (workspace, j, b->row0[at], t);
        for (int i = 0; i < t->others; ++i) append (workspace, j, at, side, touch, corner, i);
        if (t->others > 0) return;
    }
}
