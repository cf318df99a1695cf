/*
 * Contacts that are one contact: on a mesh or a box, collision detection also names points beside the one
 * that touches.
 *
 * They get the rows and the depth of that one.  Otherwise a body would seem to strike with two points, one
 * after the other, and two points that stick would keep it from rolling.
 */
#include "bounded/bounded.h"
#include "contact_points.h"

/* Contact to gets the rows and depth of contact of, and what touches there. */
static void take_rows (rls_bounded *b, int of, int to)
{
    rls_bounded_row *copy = &b->row[b->row0[to]];
    const rls_bounded_row *own = &b->row[b->row0[of]];
    memcpy (b->J[b->row0[to]], b->J[b->row0[of]], sizeof (*b->J) * (size_t)(b->row0[of + 1] - b->row0[of]));
    copy->depth = own->depth, copy->gap = own->gap, copy->push = own->push, copy->open = own->open;
    memcpy (b->centre[to], b->centre[of], sizeof (*b->centre));
    b->points[to] = b->points[of];
}

/* Whether contact at is at the point of a mesh that is nearest to the centre of a ball (at, and radius) of
 * its body on that side; beside: the square of how far from the centre it acts. */
static int is_nearest_point (const rls_workspace *workspace, int at, int side, const double ball[4],
                             double *beside)
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    const double *J = b->J[b->row0[at]] + 6 * side, unit = workspace->island.model.length_scale;
    const int j = b->ode_joint[b->row0[at]];
    const dContact *contact = rls_ode_contact_of (workspace->objects.joint[j]);
    const dBodyID body = workspace->objects.body[workspace->objects.joint_body[j][side]];
    const dReal *x = dBodyGetPosition (body), *R = dBodyGetRotation (body);
    double lever[3], from[3], moment[3];
    if (!contact) return 0;
    rls_turn (R, ball, lever);
    for (int k = 0; k < 3; ++k) from[k] = (double)(contact->geom.pos[k] - x[k]) / unit - lever[k];
    rls_cross (lever, J, moment);
    *beside = rls_apart2 (moment, J + 3);
    return fabs (sqrt (rls_square3 (from)) + (double)contact->geom.depth / unit - ball[3]) <
           RLS_LITTLE * ball[3];
}

/*
 * On a mesh, a ball that overlaps also reaches facets beside the one below its centre, each at the nearest
 * point of an edge and with the normal of the facet.  On level ground what of the ball is there goes down as
 * it rolls on, so that it would hop.  Such a contact gets the rows of the one below the centre, and its
 * depth: otherwise the ball would seem to strike with two points, one after the other.
 */
static void act_below_centre (rls_workspace *workspace, int at)
{
    rls_bounded *b = &workspace->island.begin.bounded;
    const int last = b->row0[at], count = b->row0[at + 1] - last;
    for (int other = at - 1; other >= 0 && b->key[other] == b->key[at]; --other)
        for (int side = 0; side < 2; ++side)
        {
            const int first = b->row0[other], round = rls_is_round (b, at, side) ? at : other;
            double (*J)[12] = b->J, beside[2];
            int same = b->body[at][side] >= 0 && rls_is_round (b, round, side) &&
                       first + count == b->row0[other + 1];
            for (int r = 0; r < count && same; ++r)
                same = rls_apart2 (J[first + r], J[last + r]) < RLS_SEEN * RLS_SEEN;
            if (!same || !is_nearest_point (workspace, at, side, b->centre[round][side], &beside[0]) ||
                !is_nearest_point (workspace, other, side, b->centre[round][side], &beside[1]))
                continue;
            const int of = beside[0] < beside[1] ? at : other, to = at + other - of;
            take_rows (b, of, to);
        }
}

/* Whether contact at is where the side of a cylinder comes out of the ground, above the point of its rim that
 * contact rim is at. */
static int comes_out (const rls_workspace *workspace, int rim, int at)
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    const int first = b->row0[rim], side = b->points[rim] >> 1;
    const dContact *low = rls_ode_contact_of (workspace->objects.joint[b->ode_joint[first]]),
                   *high = rls_ode_contact_of (workspace->objects.joint[b->ode_joint[b->row0[at]]]);
    const dBodyID body = workspace->objects.body[b->body[rim][side]];
    double up[3], axis[3], beside[3];
    if (!low || !high || !(high->geom.depth < RLS_LITTLE * low->geom.depth)) return 0;
    for (int k = 0; k < 3; ++k) up[k] = (double)(high->geom.pos[k] - low->geom.pos[k]);
    rls_turn (dBodyGetRotation (body), b->axis[rim], axis);
    rls_cross (up, axis, beside);
    return rls_length3 (beside) < RLS_DEPENDS * b->axis[rim][3] * workspace->island.model.length_scale;
}

/*
 * On a box or a mesh, collision detection also names a point where the side of a leaning cylinder comes out
 * of the ground.  Nothing touches there.  It is one contact with the rim, and gets its rows and depth: a
 * cylinder that is found deep would strike with two points, and two points that stick would keep a wheel from
 * turning.  So is what is near the rim.
 */
static void act_on_rim (rls_workspace *workspace, int at)
{
    rls_bounded *b = &workspace->island.begin.bounded;
    const int last = b->row0[at], count = b->row0[at + 1] - last;
    for (int other = at - 1; other >= 0; --other)
    {
        const int first = b->row0[other], of = b->axis[at][3] > 0 ? at : other, to = at + other - of;
        const double near = RLS_SAME_POINT * b->axis[of][3];
        int same = b->key[other] == b->key[at] && b->row0[other + 1] - first == count && b->axis[of][3] > 0 &&
                   !b->points[to],
            close = 1;
        for (int r = 0; r < count && same; ++r)
            for (int side = 0; side < 2 && same; ++side)
            {
                const double *J = b->J[first + r] + 6 * side, *K = b->J[last + r] + 6 * side;
                same = rls_apart2 (J, K) < RLS_SEEN * RLS_SEEN;
                close &= rls_apart2 (J + 3, K + 3) < near * near;
            }
        if (!same || !(close || comes_out (workspace, of, to))) continue;
        take_rows (b, of, to);
        memcpy (b->axis[to], b->axis[of], sizeof (*b->axis));
    }
}

void rls_act_as_one (rls_workspace *workspace, int at)
{
    act_below_centre (workspace, at);
    act_on_rim (workspace, at);
}
