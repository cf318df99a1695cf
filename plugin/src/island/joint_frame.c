/*
 * Ball joints, hinges and universal joints without ODE.  Their rows and residuals have the form of ODE's
 * (joint.cpp, hinge.cpp, universal.cpp):
 *
 *                                            velocity                          residual
 *     ball, and rows 0..2 of the others      v1 + w1 x a1 - v2 - w2 x a2       x2 + a2 - x1 - a1
 *     rows 3, 4 of a hinge                   p (w1 - w2), q (w1 - w2)          p (n1 x n2), q (n1 x n2)
 *     row 3 of a universal joint             c (w1 - w2)                       -n1 n2
 *
 * a: from the body to the anchor, n: axis, both in world axes; p and q complete n1 to a right-handed triple;
 * c is n1 x n2 at unit length.
 */
#include "joint_frame.h"
#include "kernels/lanes.h"
#include "rotation.h"
#include "tolerances.h"
#include <string.h>

/* A vector from world axes into those of a body as rls_island_turn left them, and back.  The world (body < 0)
 * keeps it. */
static void to_body (const rls_island *s, int body, const double x[3], double out[3])
{
    if (body >= 0)
        rls_multiply_transposed (s->scratch.R[body], x, out);
    else
        memcpy (out, x, 3 * sizeof (double));
}
static void to_world (const rls_island *s, int body, const double x[3], double out[3])
{
    if (body >= 0)
        rls_multiply (s->scratch.R[body], x, out);
    else
        memcpy (out, x, 3 * sizeof (double));
}

/* The levers from both bodies to the anchor, as ODE's ball rows have them. */
static void levers (const double (*J)[12], double a1[3], double a2[3])
{
    a1[0] = J[1][5], a1[1] = J[2][3], a1[2] = J[0][4];
    a2[0] = -J[1][11], a2[1] = -J[2][9], a2[2] = -J[0][10];
}

/* True if two vectors differ by more than rounding. */
static int differ (const double a[3], const double b[3])
{
    for (int k = 0; k < 3; ++k)
        if (!(fabs (a[k] - b[k]) <= RLS_SAME * (1 + fabs (a[k])))) return 1;
    return 0;
}

/* Of universal joint i, from its frame: both axes in world axes, their cross product, and the residual of its
 * last row. */
static void cross_axes (const rls_island *s, int i, double n1[3], double n2[3], double across[3],
                        double *open)
{
    to_world (s, s->mechanism.body1[i], s->mechanism.frame[i].axis[0], n1);
    to_world (s, s->mechanism.body2[i], s->mechanism.frame[i].axis[1], n2);
    rls_cross (n1, n2, across);
    *open = -(n1[0] * n2[0] + n1[1] * n2[1] + n1[2] * n2[2]);
}

int rls_joint_frame_holds (const rls_island *s, int i, const double (*J)[12], const double *residual)
{
    const rls_joint_frame *frame = &s->mechanism.frame[i];
    double now[2][3], then[3];

    /* anchors */
    levers (J, now[0], now[1]);
    for (int side = 0; side < 2; ++side)
    {
        const int b = side ? s->mechanism.body2[i] : s->mechanism.body1[i];
        const double *x = s->state.pose[s->mechanism.body1[i]].x;
        for (int k = 0; k < 3 && b < 0; ++k)
            now[1][k] = residual[k] + x[k] + now[0][k]; /* the world has no lever: from the residual */
        to_world (s, b, frame->anchor[side], then);
        if (differ (now[side], then)) return 0;
    }
    if (frame->kind != RLS_FRAME_UNIVERSAL) return 1;

    /* the row across both axes */
    double n1[3], n2[3], across[3], open;
    cross_axes (s, i, n1, n2, across, &open);
    const double length = sqrt (across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    for (int k = 0; k < 3; ++k) across[k] /= length;
    return !differ (J[3] + 3, across) && fabs (residual[3] - open) <= RLS_SAME;
}

/* The residuals are the components of n1 x n2 along p and q, which give the second axis unless it leans by
 * more than a right angle.  The rows do not tell that, so a hinge that is open is left to ODE until it is
 * closed. */
int rls_joint_frame_axes (rls_island *s, int i, int known, const double (*J)[12], const double *residual)
{
    const double *p = J[3] + 3, *q = J[4] + 3;
    const double lean = residual[3] * residual[3] + residual[4] * residual[4];
    double n1[3], n2[3], axis[2][3];
    if (!(lean <= RLS_SEEN * RLS_SEEN)) return 0;
    rls_cross (p, q, n1);
    for (int k = 0; k < 3; ++k) n2[k] = sqrt (1 - lean) * n1[k] + residual[4] * p[k] - residual[3] * q[k];
    to_body (s, s->mechanism.body1[i], n1, axis[0]);
    to_body (s, s->mechanism.body2[i], n2, axis[1]);
    if (!known || differ (axis[0], s->mechanism.frame[i].axis[0]) ||
        differ (axis[1], s->mechanism.frame[i].axis[1]))
        memcpy (s->mechanism.frame[i].axis, axis, sizeof (axis));
    return 1;
}

/* ---- rows of four joints at once ---- */

typedef struct
{
    int joint[RLS_LANES], row[RLS_LANES];
    rls_four x[2][4], R[2][9]; /* poses of both bodies; x is read with one number more */
} group_places;

static const double nowhere[4] = {0}, unturned[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Gathers the bodies of four joints. */
RLS_INLINE void find_places (const rls_island *s, const rls_pose *pose, const int *joint, group_places *g)
{
    const double *x[RLS_LANES], *R[RLS_LANES];
    for (int side = 0; side < 2; ++side)
    {
        for (int k = 0; k < RLS_LANES; ++k)
        {
            const int b = side ? s->mechanism.body2[joint[k]] : s->mechanism.body1[joint[k]];
            x[k] = b < 0 ? nowhere : pose[b].x;
            R[k] = b < 0 ? unturned : s->scratch.R[b];
            g->joint[k] = joint[k], g->row[k] = s->mechanism.row0[joint[k]];
        }
        rls_lanes_gather (x, 4, g->x[side]);
        rls_lanes_gather (R, 9, g->R[side]);
    }
}

/* Stores the rows of four joints in compact form (rls_rows.compact), rows of each. */
RLS_INLINE void store_links (const group_places *g, const rls_rows *to, const unsigned char rows,
                             rls_four *compact)
{
    double *q[RLS_LANES];
    for (int k = 0; k < RLS_LANES; ++k)
        q[k] = to->compact[g->joint[k]].arm[0], to->compact_rows[g->joint[k]] = rows;
    rls_lanes_scatter (compact, 3 * rows - 3, q);
}

RLS_INLINE void store_residuals (const group_places *g, const rls_rows *to, const int m, rls_four *residual)
{
    double *q[RLS_LANES];
    for (int k = 0; k < RLS_LANES; ++k) q[k] = to->residual + g->row[k];
    rls_lanes_scatter (residual, m, q);
}

/* The rows that hold the anchors together: levers (arm) and residuals. */
RLS_INLINE void point_rows (const group_places *g, const rls_four anchor[6], rls_four *arm,
                            rls_four residual[3])
{
    rls_lanes_multiply (g->R[0], anchor, arm);
    rls_lanes_multiply (g->R[1], anchor + 3, arm + 3);
    for (int k = 0; k < 3; ++k) residual[k] = arm[3 + k] + g->x[1][k] - arm[k] - g->x[0][k];
}

/* p and q perpendicular to n, as ODE chooses them: p in the plane of y and z where |n_z| > sqrt (1/2),
 * otherwise in that of x and y. */
RLS_INLINE void across (const rls_four n[3], rls_four p[3], rls_four q[3])
{
    const rls_four zero = {0};
    const rls_mask steep = (rls_mask)(n[2] > sqrt (0.5)) | (rls_mask)(n[2] < -sqrt (0.5));
    const rls_four u = RLS_SELECT (steep, n[1], n[0]), v = RLS_SELECT (steep, n[2], n[1]),
                   w = RLS_SELECT (steep, n[0], n[2]), square = u * u + v * v;
    rls_four scale = square;
    rls_lanes_inverse_root (&scale);
    const rls_four s = -v * scale, t = u * scale, ws = w * s, wt = -w * t, last = square * scale;
    p[0] = RLS_SELECT (steep, zero, s), q[0] = RLS_SELECT (steep, last, wt);
    p[1] = RLS_SELECT (steep, s, t), q[1] = RLS_SELECT (steep, wt, ws);
    p[2] = RLS_SELECT (steep, t, zero), q[2] = RLS_SELECT (steep, ws, last);
}

/* The angular rows: of hinges p, and q behind it; of universal joints the one across both axes, as p. Returns
 * 0 where these axes are parallel, so that the row is not defined. */
RLS_INLINE int axis_rows (const group_places *g, const rls_four axis[6], const rls_frame_kind kind,
                          rls_four *p, rls_four *residual)
{
    rls_four n1[3], n2[3], normal[3], *q = p + 3;
    int defined = 1;
    rls_lanes_multiply (g->R[0], axis, n1);
    rls_lanes_multiply (g->R[1], axis + 3, n2);
    rls_lanes_cross (n1, n2, normal);
    if (kind == RLS_FRAME_HINGE)
    {
        across (n1, p, q);
        residual[0] = p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2];
        residual[1] = q[0] * normal[0] + q[1] * normal[1] + q[2] * normal[2];
        return 1;
    }
    residual[0] = -(n1[0] * n2[0] + n1[1] * n2[1] + n1[2] * n2[2]);
    rls_four scale = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    for (int k = 0; k < RLS_LANES; ++k) defined &= scale[k] > 0;
    rls_lanes_inverse_root (&scale);
    for (int k = 0; k < 3; ++k) p[k] = normal[k] * scale;
    return defined;
}

/* Evaluates all joints of one kind, four at a time.  Returns 0 if rows of one are not defined. */
RLS_INLINE int rows_of_kind (const rls_island *s, const rls_pose *pose, const rls_rows *to,
                             const rls_frame_kind kind)
{
    const unsigned char m = kind == RLS_FRAME_BALL ? 3 : kind == RLS_FRAME_HINGE ? 5 : 4;
    const int *joints = s->mechanism.of_kind[kind], count = s->mechanism.kind_count[kind];
    int defined = 1;
    for (int i = 0; i < rls_batches (count); ++i)
    {
        const rls_group group = rls_batch_of (i, count);
        int joint[RLS_LANES];
        const double *frame[RLS_LANES];
        rls_four vectors[12], compact[12], residual[5];
        group_places g;
        for (int k = 0; k < RLS_LANES; ++k) joint[k] = joints[group.body[k]];
        find_places (s, pose, joint, &g);
        for (int k = 0; k < RLS_LANES; ++k) frame[k] = s->mechanism.frame[joint[k]].anchor[0];
        rls_lanes_gather (frame, kind == RLS_FRAME_BALL ? 6 : 12, vectors);
        point_rows (&g, vectors, compact, residual);
        if (kind != RLS_FRAME_BALL) defined &= axis_rows (&g, vectors + 6, kind, compact + 6, residual + 3);
        store_links (&g, to, m, compact);
        store_residuals (&g, to, m, residual);
    }
    return defined;
}

RLS_VECTOR_CLONES int rls_joint_frames_rows (const rls_island *s, const rls_pose *pose, rls_rows *to)
{
    rows_of_kind (s, pose, to, RLS_FRAME_BALL);
    rows_of_kind (s, pose, to, RLS_FRAME_HINGE);
    return rows_of_kind (s, pose, to, RLS_FRAME_UNIVERSAL);
}

/* ---- their rates ---- */

/* The rate of n1 x n2 / |n1 x n2|, without the part along itself. */
static void universal_rates (const rls_island *s, int i, const double w1[3], const double w2[3],
                             double rate[12])
{
    double n1[3], n2[3], across[3], turn1[3], turn2[3], part1[3], part2[3], open;
    cross_axes (s, i, n1, n2, across, &open);
    const double scale = 1 / sqrt (across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    rls_cross (w1, n1, turn1);
    rls_cross (w2, n2, turn2);
    rls_cross (turn1, n2, part1);
    rls_cross (n1, turn2, part2);
    for (int k = 0; k < 3; ++k)
    {
        rate[3 + k] = scale * (part1[k] + part2[k]);
        rate[9 + k] = s->mechanism.body2[i] < 0 ? 0 : -rate[3 + k];
    }
}

void rls_joint_frame_rates (const rls_island *s, int i, const double (*J)[12], const double w1[3],
                            const double w2[3], double (*rates)[12])
{
    const int m = s->mechanism.row0[i + 1] - s->mechanism.row0[i];
    double a1[3], a2[3], turn1[3], turn2[3];
    levers (J, a1, a2);
    rls_cross (w1, a1, turn1);
    rls_cross (w2, a2, turn2);
    memset (rates, 0, sizeof (*rates) * (size_t)m);
    rls_lever_rows (rates, 3, turn1, 1);
    rls_lever_rows (rates, 9, turn2, -1);
    if (s->mechanism.frame[i].kind == RLS_FRAME_UNIVERSAL) universal_rates (s, i, w1, w2, rates[3]);
    for (int r = 3; r < m && s->mechanism.frame[i].kind == RLS_FRAME_HINGE; ++r)
    {
        rls_cross (w1, J[r] + 3, rates[r] + 3);
        rls_cross (w1, J[r] + 9, rates[r] + 9);
    }
}
