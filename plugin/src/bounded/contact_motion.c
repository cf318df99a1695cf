/* Where contacts go with their bodies; contract in contact_motion.h. */
#include "contact_motion.h"

/* Where a contact is at a pose. */
typedef struct
{
    int first;          /* the side whose point it is */
    const double *x[2]; /* bodies; the world's origin */
    double R[2][9];     /* body axes to world */
    double point[2][3]; /* from a body's centre to that of what is round, or to its point; 0 without one */
    double fixed[2][3]; /* the same, of a rim to its centre: what of the body it is does not change */
    double between[3];  /* from there on body 2 to there on body 1 */
    double normal[3];
    double away; /* m: from the point to where the bodies touch, along the normal */
} place;

static place place_of (const rls_bounded *b, int j, const rls_pose *pose)
{
    static const double origin[3];
    const int *body = b->body[j];
    const int beside = b->points[j] == 3 && b->axis[j][3] < 0; /* the axis tells no point along it */
    place at = {.first = b->points[j] & 1 && !beside ? 0 : 1, .x = {origin, origin}};
    for (int side = 0; side < 2; ++side)
    {
        if (body[side] < 0 && b->points[j] >> side & 1)
            memcpy (at.point[side], b->centre[j][side], sizeof (at.point[side]));
        if (body[side] < 0) continue;
        at.x[side] = pose[body[side]].x;
        rls_quaternion_matrix (pose[body[side]].q, at.R[side]);
        rls_multiply (at.R[side], b->centre[j][side], at.point[side]);
    }
    memcpy (at.fixed, at.point, sizeof (at.fixed));
    at.away = (at.first ? 1 : -1) * b->centre[j][at.first][3];
    for (int k = 0; k < 3; ++k) at.between[k] = (at.x[0][k] - at.x[1][k]) + (at.point[0][k] - at.point[1][k]);
    const double along = b->points[j] == 3 ? rls_dot3 (at.between, b->axis[j]) : 0;
    for (int k = 0; k < 3; ++k) at.between[k] -= along * b->axis[j][k];
    return at;
}

/* Moves a point from the centre of the rim, whose part it is, to the rim where this is farthest along the
 * normal. */
static void go_to_rim (const rls_bounded *b, int j, place *at)
{
    const double sign = at->first ? 1 : -1, *rim = b->axis[j];
    double axis[3], out[3];
    if (!(rim[3] > 0)) return;
    rls_multiply (at->R[at->first], rim, axis);
    const double along = rls_dot3 (at->normal, axis);
    for (int k = 0; k < 3; ++k) out[k] = sign * (at->normal[k] - along * axis[k]);
    const double steep = rls_length3 (out);
    if (!(steep > RLS_DEPENDS)) return; /* it lies flat */
    for (int k = 0; k < 3; ++k)
    {
        const double way = rim[3] * out[k] / steep;
        at->point[at->first][k] += way;
        at->between[k] -= sign * way;
    }
}

/* The point of a rim that has gone over to the other side, because the cylinder has tilted through flat, stays
 * where it was on its body: the other side is another contact. */
static void stay_on_side (const rls_bounded *b, int j, const place *was, place *is)
{
    const int side = is->first;
    double from[3], to[3], own[3], stays[3];
    for (int k = 0; k < 3; ++k)
    {
        from[k] = was->point[side][k] - was->fixed[side][k];
        to[k] = is->point[side][k] - is->fixed[side][k];
    }
    if (!(b->axis[j][3] > 0) || rls_dot3 (from, to) >= 0) return;
    rls_multiply_transposed (was->R[side], from, own);
    rls_multiply (is->R[side], own, stays);
    for (int k = 0; k < 3; ++k)
    {
        is->point[side][k] += stays[k] - to[k];
        is->between[k] -= (side ? 1 : -1) * (stays[k] - to[k]);
    }
}

/* out := d, turned by the least turn that takes the direction of one vector to that of another. */
static void turn_along (const double *from, const double *to, const double *d, double out[3])
{
    double turn[3], across[3], inward[3];
    memcpy (out, d, sizeof (across));
    const double size = sqrt (rls_dot3 (from, from) * rls_dot3 (to, to)), both = size + rls_dot3 (from, to);
    if (!(both > 0)) return;
    rls_cross (from, to, turn);
    rls_cross (turn, d, across), rls_cross (turn, across, inward);
    for (int k = 0; k < 3; ++k) out[k] += (across[k] + inward[k] / both) / size;
}

/* Sets the normal at to: it turns with the body that has a face there, or with the line between two
 * centres. */
static void turn_normal (const rls_bounded *b, int j, const place *from, place *to)
{
    const int side = b->points[j] == 1 ? 1 : 0, carrier = b->body[j][side];
    double own[3];
    memcpy (to->normal, from->normal, sizeof (own));
    if (b->points[j] == 3)
        turn_along (from->between, to->between, from->normal, to->normal);
    else if (carrier >= 0)
    {
        rls_multiply_transposed (from->R[side], from->normal, own);
        rls_multiply (to->R[side], own, to->normal);
    }
}

/* The part of a row along d that turns the body on a side. */
static void lever (const place *at, int side, const double *d, double out[3])
{
    double arm[3];
    const double *own = at->x[side], *other = at->x[at->first];
    for (int k = 0; k < 3; ++k)
        arm[k] = (other[k] - own[k]) + at->point[at->first][k] + at->away * at->normal[k];
    rls_cross (arm, d, out);
}

/* How far from the centre ODE lets a row of friction act: where the bodies overlap, somewhere between their
 * surfaces. */
static double measured_away (const place *at, const double *J)
{
    double across[3], lever0[3];
    place on_centre = *at;
    on_centre.away = 0;
    lever (&on_centre, 0, J, lever0);
    for (int k = 0; k < 3; ++k) lever0[k] = J[3 + k] - lever0[k];
    rls_cross (at->normal, J, across);
    return rls_dot3 (lever0, across);
}

/* J := row d of contact j, by what has changed from one place to the other. */
static void follow_row (const rls_bounded *b, int j, const place *was, const place *is, const double *d,
                        double *J)
{
    double now[3], lever0[3], lever1[3];
    memcpy (J, d, 12 * sizeof (double));
    if (!(rls_dot3 (d, d) > 0)) return; /* rolling friction */
    turn_along (was->normal, is->normal, d, now);
    for (int side = 0; side < 2; ++side)
    {
        const double sign = side ? -1 : 1;
        if (b->body[j][side] < 0) continue;
        lever (was, side, d, lever0), lever (is, side, now, lever1);
        for (int k = 0; k < 3; ++k) J[6 * side + k] += sign * (now[k] - d[k]);
        for (int k = 0; k < 3; ++k) J[6 * side + 3 + k] += sign * (lever1[k] - lever0[k]);
    }
}

/* By how much a contact has opened from one place to the other (m). */
static double opened (const rls_bounded *b, int j, const place *was, const place *is)
{
    if (b->points[j] == 3) return rls_length3 (is->between) - rls_length3 (was->between);
    double sum = 0;
    for (int k = 0; k < 3; ++k)
    {
        const double moved = (is->x[0][k] - was->x[0][k]) - (is->x[1][k] - was->x[1][k]) +
                             (is->point[0][k] - was->point[0][k]) - (is->point[1][k] - was->point[1][k]);
        sum += is->normal[k] * moved + (is->normal[k] - was->normal[k]) * was->between[k];
    }
    return sum;
}

/*
 * By how much the bodies have slid along row J of contact j (m), which is end afterwards, with velocities du
 * of the step.  A point of a body goes where the body takes it, which is farther or less far than its mean
 * angular velocity would; what is round rolls with that.
 */
static double slid (const rls_bounded *b, int j, int r, const double *end, double h, const place *was,
                    const place *is, const double (*du)[6])
{
    const double *J = b->J[r];
    double sum = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int body = b->body[j][side];
        if (body < 0) continue;
        double mean[3], turned[3];
        for (int k = 0; k < 6; ++k) sum += 0.5 * h * (J[6 * side + k] + end[6 * side + k]) * du[body][k];
        for (int k = 0; k < 3; ++k) mean[k] = 0.5 * (was->fixed[side][k] + is->fixed[side][k]);
        rls_cross (du[body] + 3, mean, turned);
        for (int k = 0; k < 3; ++k)
            sum += 0.5 * (J[6 * side + k] + end[6 * side + k]) *
                   (is->fixed[side][k] - was->fixed[side][k] - h * turned[k]);
    }
    return sum;
}

void rls_contact_move (const rls_bounded *b, int j, const rls_pose *from, const rls_pose *to, double (*J)[12],
                       const rls_contact_motion *motion)
{
    const int first = b->row0[j], last = b->row0[j + 1];
    place was = place_of (b, j, from), is = place_of (b, j, to);
    memcpy (was.normal, b->J[first], sizeof (was.normal));
    turn_normal (b, j, &was, &is);
    go_to_rim (b, j, &was), go_to_rim (b, j, &is);
    stay_on_side (b, j, &was, &is);
    if (last > first + 1 && rls_dot3 (b->J[first + 1], b->J[first + 1]) > 0)
    {
        was.away = measured_away (&was, b->J[first + 1]);
        if (motion) is.away = was.away; /* the overlap is the same */
    }
    for (int r = first; r < last; ++r) follow_row (b, j, &was, &is, b->J[r], J[r - first]);
    if (!motion) return;
    motion->way[0] = opened (b, j, &was, &is);
    for (int r = first + 1; r < last; ++r)
        motion->way[r - first] = slid (b, j, r, J[r - first], motion->h, &was, &is, motion->du);
}
