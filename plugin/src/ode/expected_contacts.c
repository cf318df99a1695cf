/*
 * Contacts of cylinders that the step may reach, and that collision detection has not found yet.
 *
 * Where a cylinder touches with the lowest point of an edge, collision detection mostly finds this point
 * alone.  A coin that is nearly flat, or a log that lies, then turns about it within the step until the other
 * side is in the ground, in the next step back, and its middle sinks from side to side.  So that the step
 * knows of the other side, points there get rows of their own, as stops do that a joint may reach.  They
 * rebound and give way as the contact does, have no friction, and come no deeper than the point that has been
 * found.  Once they are as deep they are left out: if nothing is found there then, nothing is there, and what
 * lies beyond the edge of a table falls.
 */
#include "bounded/bounded.h"
#include "gather.h"

/* An edge of a cylinder: axes of the body, units of the world. */
typedef struct
{
    double out[3];      /* away from the body, against the normal */
    double moment[3];   /* contact point x out: tells the line on which the contact is */
    double point[3];    /* the lowest point of the cylinder */
    double other[2][3]; /* points on the other side */
    int others;
} edge;

/* Sets point and other by the cylinder.  Returns 1 if the contact is on the line through the point along
 * out. */
static int find_points (edge *e, dGeomID cylinder)
{
    const dReal *x = dGeomGetOffsetPosition (cylinder), *R = dGeomGetOffsetRotation (cylinder);
    dReal radius, length;
    double axis[3], down[3], across[3], moment[3], miss = 0, size = 0;
    dGeomCylinderGetParams (cylinder, &radius, &length);
    for (int k = 0; k < 3; ++k) axis[k] = (double)R[4 * k + 2];

    /* from the centre to the lowest point: to the lower end along the axis, and then down */
    const double along = rls_dot3 (e->out, axis),
                 half = along < 0 ? -0.5 * (double)length : 0.5 * (double)length;
    for (int k = 0; k < 3; ++k) down[k] = e->out[k] - along * axis[k];
    const double steep = rls_length3 (down);
    if (!(steep > RLS_DEPENDS)) return 0;
    for (int k = 0; k < 3; ++k) down[k] *= (double)radius / steep;
    for (int k = 0; k < 3; ++k) e->point[k] = (double)x[k] + half * axis[k] + down[k];

    /* whether that is where the contact is */
    rls_cross (e->point, e->out, moment);
    for (int k = 0; k < 3; ++k)
    {
        miss = fmax (miss, fabs (moment[k] - e->moment[k]));
        size = fmax (size, fmax (fabs (e->point[k]), (double)radius));
    }
    if (miss > RLS_DEPENDS * size) return 0;

    /* of a coin the other two corners of a triangle in its edge; of a log the lowest point of its other end
     */
    e->others = fabs (along) > steep ? 2 : 1;
    rls_cross (axis, down, across);
    for (int i = 0; i < e->others; ++i)
        for (int k = 0; k < 3; ++k)
            e->other[i][k] =
                e->point[k] + (e->others == 1 ? -2 * half * axis[k]
                                              : -1.5 * down[k] + (i ? -1 : 1) * sqrt (0.75) * across[k]);
    return 1;
}

/* Returns g h^2 (units of the world). */
static double fall_of (const rls_workspace *workspace)
{
    return workspace->h * workspace->h * rls_length3 (workspace->settings->gravity);
}

/* Returns how far (units of the world) a point may approach in the step that is this far from the contact
 * whose normal is row r: twice as far as the bodies' present velocities and gravity take it, since impacts
 * and loads may turn a body faster. */
static double reach_of (const rls_workspace *workspace, int j, int r, double distance)
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
    return 2 * (workspace->h * speed + 2 * fall_of (workspace));
}

/* J := the normal row of contact at, joint j, away from its point by a vector in world axes (units of the
 * world). */
static void move_row (const rls_workspace *workspace, int j, int at, const double away[3], double J[12])
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    memcpy (J, b->J[b->row0[at]], 12 * sizeof (double));
    for (int side = 0; side < 2; ++side)
    {
        double turned[3];
        rls_cross (away, J + 6 * side, turned);
        for (int k = 3; k < 6 && workspace->objects.joint_body[j][side] >= 0; ++k)
            J[6 * side + k] = workspace->island.model.length_scale * J[6 * side + k] + turned[k - 3];
    }
}

/* Makes row r one like the normal row of a contact, for a point that is farther from the ground by gap (units
 * of the world; unit: the island's unit of length).  It may approach by so much, and what of it is in the
 * ground now is pushed out with the contact.  A spring is compressed by what is in the ground. */
static void become_like (rls_bounded *to, int r, int normal, double unit, double gap)
{
    const rls_bounded_row *like = &to->row[normal];
    rls_bounded_row *row = &to->row[r];
    to->lo[r] = to->lo[normal], to->hi[r] = to->hi[normal], to->softness[r] = to->softness[normal];
    row->share = like->share, row->bounce = like->bounce;
    row->rest = like->bounce > 0 ? 0 : unit * like->rest;
    row->gap = gap, row->push = like->share * fmax (0, unit * rls_bounded_depth (to, normal) - gap);
    if (!rls_bounded_is_soft (to, normal)) return;
    row->stiffness = like->stiffness, row->damping = like->damping;
    row->gap = row->open = gap + unit * like->open;
}

/* Appends a row for another point of an edge on a side of contact at, joint j, if the step may reach it. */
static void append (rls_workspace *workspace, int j, int at, int side, const edge *e, int i)
{
    const rls_island *s = &workspace->island;
    rls_bounded *to = &workspace->island.begin.bounded;
    const int normal = to->row0[at];
    const double unit = s->model.length_scale;
    double away[3], world[3], own[3], R[9], J[12];
    for (int k = 0; k < 3; ++k) away[k] = e->other[i][k] - e->point[k];
    const double gap = -rls_dot3 (away, e->out), distance = rls_length3 (away);
    if (gap <= RLS_LITTLE * fall_of (workspace) || gap > reach_of (workspace, j, normal, distance)) return;

    rls_quaternion_matrix (s->state.pose[workspace->objects.joint_body[j][side]].q, R);
    rls_multiply (R, away, world);
    move_row (workspace, j, at, world, J);
    const int r = rls_append_row (workspace, j, RLS_EXPECTED_ROWS + i, J);
    become_like (to, r, normal, unit, gap);

    /* it is found again by its bodies and its point, apart from contacts that have been found */
    const int joint = rls_append_joint (workspace, r);
    to->key[joint] = to->key[at] ^ 2;
    rls_quaternion_matrix (s->state.pose[to->body[at][0]].q, R);
    rls_multiply_transposed (R, world, own);
    for (int k = 0; k < 3; ++k) to->arm[joint][k] = to->arm[at][k] + own[k] / unit;
    to->points[joint] = (unsigned char)(1 << side);
    for (int k = 0; k < 3; ++k) to->centre[joint][side][k] = e->other[i][k] / unit;
    to->centre[joint][side][3] = 0;
}

/* Returns how many contacts ODE's joint j has beside it between the same bodies, with it. */
static int contacts_like (const rls_workspace *workspace, int j)
{
    const dJointID joint = workspace->objects.joint[j];
    const dBodyID one = dJointGetBody (joint, 0) ? dJointGetBody (joint, 0) : dJointGetBody (joint, 1),
                  two = dJointGetBody (joint, 0) ? dJointGetBody (joint, 1) : NULL;
    int count = 0;
    for (int i = 0; i < dBodyGetNumJoints (one); ++i)
    {
        const dJointID other = dBodyGetJoint (one, i);
        const dBodyID a = dJointGetBody (other, 0), b = dJointGetBody (other, 1);
        count +=
            dJointGetType (other) == dJointTypeContact && ((a == one && b == two) || (a == two && b == one));
    }
    return count;
}

/* Returns a geometry of body b of the island, after another one or the first (NULL), that is a cylinder; NULL
 * if there is none. */
static dGeomID next_cylinder (const rls_workspace *workspace, int b, dGeomID after)
{
    dGeomID g = after ? dBodyGetNextGeom (after) : dBodyGetFirstGeom (workspace->objects.body[b]);
    while (g && dGeomGetClass (g) != dCylinderClass) g = dBodyGetNextGeom (g);
    return g;
}

void rls_find_cylinders (rls_workspace *workspace)
{
    if (workspace->objects.joints == workspace->objects.mechanism_joints) return;
    for (int b = 0; b < workspace->objects.bodies; ++b)
        workspace->objects.cylinder[b] = next_cylinder (workspace, b, NULL) != NULL;
}

int rls_most_expected (const rls_workspace *workspace, int j)
{
    const int *body = workspace->objects.joint_body[j];
    const unsigned char *cylinder = workspace->objects.cylinder;
    return (body[0] >= 0 && cylinder[body[0]]) || (body[1] >= 0 && cylinder[body[1]]) ? RLS_MOST_EXPECTED : 0;
}

void rls_expect_contacts (rls_workspace *workspace, int j, int at)
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    if (rls_most_expected (workspace, j) == 0 || !rls_springs_in_halves (workspace)) return;
    for (int side = 0; side < 2; ++side)
    {
        const int body = workspace->objects.joint_body[j][side];
        edge e = {.others = 0};
        dGeomID g = body < 0 ? NULL : next_cylinder (workspace, body, NULL);
        if (!g) continue;

        /* the line on which the contact is, and the first cylinder with its lowest point there */
        rls_contact_line (workspace, body, b->J[b->row0[at]] + 6 * side, e.out, e.moment);
        while (g && !find_points (&e, g)) g = next_cylinder (workspace, body, g);
        if (e.others == 0) continue;

        /* of a coin collision detection finds as well the point of the upper edge beside the lowest one */
        if (contacts_like (workspace, j) > e.others) return;
        for (int i = 0; i < e.others; ++i) append (workspace, j, at, side, &e, i);
        return;
    }
}
