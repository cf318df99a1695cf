/*
 * Ball joints, hinges, universal joints and sliders without ODE.  Their rows and residuals have the form of
 * ODE's (joint.cpp, hinge.cpp, universal.cpp, slider.cpp):
 *
 *                                            velocity                               residual
 *     ball, and rows 0..2 of the next two    v1 + w1 x a1 - v2 - w2 x a2            x2 + a2 - x1 - a1
 *     rows 3, 4 of a hinge                   p (w1 - w2), q (w1 - w2)               p (n1 x n2), q (n1 x n2)
 *     row 3 of a universal joint             c (w1 - w2)                            -n1 n2
 *     rows 0..2 of a slider                  w1 - w2                                2 e
 *     row 3; row 4 the same with q           p (v1 - v2) + (d x p) (w1 + w2) / 2    p (d + a2)
 *
 * a: from the body to the anchor, n: axis, both in world axes; p and q complete n1 to a right-handed triple;
 * c is n1 x n2 at unit length.  The first anchor of a slider is the centre of its first body, and d = x2 -
 * x1; where the second body is the world, the terms of w2 and of d x p are left out.  e is the vector part of
 * the quaternion, with a scalar part that is not negative, of the rotation that closes the joint.
 */
#include "joint_frame.h"
#include "kernels/lanes.h"

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

/* Of universal joint i, from its frame: both axes in world axes, and their cross product. */
static void cross_axes (const rls_island *s, int i, double n1[3], double n2[3], double across[3])
{
    to_world (s, s->mechanism.body[i][0], s->mechanism.frame[i].axis[0], n1);
    to_world (s, s->mechanism.body[i][1], s->mechanism.frame[i].axis[1], n2);
    rls_cross (n1, n2, across);
}

static int slider_holds (const rls_island *s, int i, const double (*J)[12], const double *residual);

int rls_joint_frame_holds (const rls_island *s, int i, const double (*J)[12], const double *residual)
{
    const rls_joint_frame *frame = &s->mechanism.frame[i];
    double now[2][3], then[3];
    if (frame->kind == RLS_FRAME_SLIDER) return slider_holds (s, i, J, residual);

    /* anchors */
    levers (J, now[0], now[1]);
    for (int side = 0; side < 2; ++side)
    {
        const int b = s->mechanism.body[i][side];
        const double *x = s->state.pose[s->mechanism.body[i][0]].x;
        for (int k = 0; k < 3 && b < 0; ++k)
            now[1][k] = residual[k] + x[k] + now[0][k]; /* the world has no lever: from the residual */
        to_world (s, b, frame->anchor[side], then);
        if (!rls_same_numbers (then, now[side], 3, RLS_SAME)) return 0;
    }
    if (frame->kind != RLS_FRAME_UNIVERSAL) return 1;

    /* the row across both axes */
    double n1[3], n2[3], across[3];
    cross_axes (s, i, n1, n2, across);
    const double length = rls_length3 (across);
    for (int k = 0; k < 3; ++k) across[k] /= length;
    return rls_same_numbers (across, J[3] + 3, 3, RLS_SAME) &&
           fabs (residual[3] + rls_dot3 (n1, n2)) <= RLS_SAME;
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
    to_body (s, s->mechanism.body[i][0], n1, axis[0]);
    to_body (s, s->mechanism.body[i][1], n2, axis[1]);
    if (!known || !rls_same_numbers (s->mechanism.frame[i].axis[0], axis[0], 6, RLS_SAME))
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
            const int b = s->mechanism.body[joint[k]][side];
            x[k] = b < 0 ? nowhere : pose[b].x;
            R[k] = b < 0 ? unturned : s->scratch.R[b];
            g->joint[k] = joint[k], g->row[k] = s->mechanism.row0[joint[k]];
        }
        rls_lanes_gather (x, 4, g->x[side]);
        rls_lanes_gather (R, 9, g->R[side]);
    }
}

/* Stores the rows of four joints in compact form (rls_rows.compact), rows of each. */
RLS_INLINE void store_compact (const group_places *g, const rls_rows *to, const unsigned char rows,
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
        residual[0] = RLS_LANES_DOT (p, normal);
        residual[1] = RLS_LANES_DOT (q, normal);
        return 1;
    }
    residual[0] = -RLS_LANES_DOT (n1, n2);
    rls_four scale = RLS_LANES_DOT (normal, normal);
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
    RLS_FOR_GROUPS (group, count)
    {
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
        store_compact (&g, to, m, compact);
        store_residuals (&g, to, m, residual);
    }
    return defined;
}

/* ---- sliders, whose rows are written out ---- */

#define SLIDER_ROWS 5

/* How far the bodies of four sliders are turned against each other. */
RLS_INLINE void turned_by (const rls_island *s, const rls_pose *pose, const int *joint,
                           const rls_four turn[4], rls_four residual[3])
{
    const double *p[2][RLS_LANES];
    rls_four q[2][4], between[4], error[4];
    for (int k = 0; k < RLS_LANES; ++k)
    {
        const int b = s->mechanism.body[joint[k]][1];
        p[0][k] = pose[s->mechanism.body[joint[k]][0]].q;
        p[1][k] = b < 0 ? unturned : pose[b].q; /* begins as the quaternion of no rotation does */
    }
    for (int side = 0; side < 2; ++side)
        rls_lanes_gather (p[side], 4, q[side]), rls_lanes_normalise (q[side]);
    for (int k = 1; k < 4; ++k) q[0][k] = -q[0][k];
    rls_lanes_quaternion_product (q[1], turn, between);
    rls_lanes_quaternion_product (between, q[0], error);
    for (int k = 0; k < 3; ++k) residual[k] = 2 * RLS_SELECT (error[0] < 0, -error[1 + k], error[1 + k]);
}

/* Rows and residuals of four sliders. */
RLS_INLINE void slider_rows (const rls_island *s, const rls_pose *pose, const group_places *g,
                             rls_four (*J)[12], rls_four residual[SLIDER_ROWS])
{
    const double *frame[RLS_LANES];
    rls_four vectors[16], arm[6], open[3], n[3], across_n[6], two = {0}, half[3];
    for (int k = 0; k < RLS_LANES; ++k) frame[k] = s->mechanism.frame[g->joint[k]].anchor[0];
    for (int k = 0; k < RLS_LANES; ++k) two[k] = s->mechanism.body[g->joint[k]][1] >= 0; /* not the world */
    rls_lanes_gather (frame, 16, vectors);
    turned_by (s, pose, g->joint, vectors + 12, residual);
    point_rows (g, vectors, arm, open);
    rls_lanes_multiply (g->R[0], vectors + 6, n);
    across (n, across_n, across_n + 3);
    for (int k = 0; k < 3; ++k) half[k] = 0.5 * two * (g->x[1][k] - g->x[0][k]);

    /* rows that keep the bodies from turning, and those across the axis */
    memset (J, 0, 3 * sizeof (*J));
    for (int k = 0; k < 3; ++k) J[k][3 + k] += 1, J[k][9 + k] -= two;
    for (int r = 3; r < SLIDER_ROWS; ++r)
    {
        const rls_four *p = across_n + 3 * (r - 3);
        rls_lanes_cross (half, p, J[r] + 3);
        for (int k = 0; k < 3; ++k) J[r][k] = p[k], J[r][6 + k] = -two * p[k], J[r][9 + k] = J[r][3 + k];
        residual[r] = RLS_LANES_DOT (p, open);
    }
}

RLS_INLINE void rows_of_sliders (const rls_island *s, const rls_pose *pose, const rls_rows *to)
{
    const int *joints = s->mechanism.of_kind[RLS_FRAME_SLIDER],
              count = s->mechanism.kind_count[RLS_FRAME_SLIDER];
    RLS_FOR_GROUPS (group, count)
    {
        rls_four J[SLIDER_ROWS][12], residual[SLIDER_ROWS];
        double *J_at[RLS_LANES];
        int joint[RLS_LANES];
        group_places g;
        for (int k = 0; k < RLS_LANES; ++k) joint[k] = joints[group.body[k]];
        find_places (s, pose, joint, &g);
        slider_rows (s, pose, &g, J, residual);
        for (int k = 0; k < RLS_LANES; ++k) J_at[k] = to->J[g.row[k]], to->compact_rows[joint[k]] = 0;
        rls_lanes_scatter (J[0], 12 * SLIDER_ROWS, J_at);
        store_residuals (&g, to, SLIDER_ROWS, residual);
    }
}

/* 1 if rows across the axis and residuals are those of the frame, but for the rounding of places. */
static int slider_holds (const rls_island *s, int i, const double (*J)[12], const double *residual)
{
    const int joint[RLS_LANES] = {i, i, i, i};
    rls_four rows[SLIDER_ROWS][12], open[SLIDER_ROWS];
    double size = 1;
    group_places g;
    find_places (s, s->state.pose, joint, &g);
    for (int k = 0; k < 3; ++k) size += fabs (g.x[0][k][0]) + fabs (g.x[1][k][0]);
    slider_rows (s, s->state.pose, &g, rows, open);
    for (int r = 0; r < SLIDER_ROWS; ++r)
    {
        const double axis[3] = {rows[r][0][0], rows[r][1][0], rows[r][2][0]};
        if (!rls_same_numbers (axis, J[r], 3, RLS_SAME) ||
            !(fabs (residual[r] - open[r][0]) <= RLS_SAME * size))
            return 0;
    }
    return 1;
}

RLS_VECTOR_CLONES int rls_joint_frames_rows (const rls_island *s, const rls_pose *pose, rls_rows *to)
{
    rows_of_kind (s, pose, to, RLS_FRAME_BALL);
    rows_of_kind (s, pose, to, RLS_FRAME_HINGE);
    rows_of_sliders (s, pose, to);
    return rows_of_kind (s, pose, to, RLS_FRAME_UNIVERSAL);
}

/* ---- their rates ---- */

/* The rate of n1 x n2 / |n1 x n2|, without the part along itself. */
static void universal_rates (const rls_island *s, int i, const double w1[3], const double w2[3],
                             double rate[12])
{
    double n1[3], n2[3], across[3], turn1[3], turn2[3], part1[3], part2[3];
    cross_axes (s, i, n1, n2, across);
    const double scale = 1 / rls_length3 (across);
    rls_cross (w1, n1, turn1);
    rls_cross (w2, n2, turn2);
    rls_cross (turn1, n2, part1);
    rls_cross (n1, turn2, part2);
    for (int k = 0; k < 3; ++k)
    {
        rate[3 + k] = scale * (part1[k] + part2[k]);
        rate[9 + k] = s->mechanism.body[i][1] < 0 ? 0 : -rate[3 + k];
    }
}

/* p turns by -(w1 q) n and q by (w1 p) n, but for what only mixes the rows, and d grows by v2 - v1.  Half of
 * d x n is found in the rows. */
static void slider_rates (const rls_island *s, int i, const double (*J)[12], const double v[12],
                          double (*rates)[12])
{
    const double *p = J[3], *q = J[4], *w = v + 3, two = s->mechanism.body[i][1] >= 0;
    double n[3], grows[3], half[3], bend[3];
    rls_cross (p, q, n);
    for (int k = 0; k < 3; ++k)
    {
        half[k] = -rls_dot3 (p + 3, n) * p[k] - rls_dot3 (q + 3, n) * q[k];
        grows[k] = 0.5 * two * (v[6 + k] - v[k]);
    }
    for (int r = 3; r < SLIDER_ROWS; ++r)
    {
        const double turn = r == 3 ? -rls_dot3 (q, w) : rls_dot3 (p, w);
        rls_cross (grows, J[r], bend);
        for (int k = 0; k < 3; ++k)
        {
            rates[r][k] = turn * n[k], rates[r][6 + k] = -two * turn * n[k];
            rates[r][3 + k] = rates[r][9 + k] = bend[k] + turn * half[k];
        }
    }
}

void rls_joint_frame_rates (const rls_island *s, int i, const double (*J)[12], const double v[12],
                            double (*rates)[12])
{
    const int m = s->mechanism.row0[i + 1] - s->mechanism.row0[i];
    const double *w1 = v + 3, *w2 = v + 9;
    double a1[3], a2[3], turn1[3], turn2[3];
    memset (rates, 0, sizeof (*rates) * (size_t)m);
    if (s->mechanism.frame[i].kind == RLS_FRAME_SLIDER)
    {
        slider_rates (s, i, J, v, rates);
        return;
    }
    levers (J, a1, a2);
    rls_cross (w1, a1, turn1);
    rls_cross (w2, a2, turn2);
    rls_lever_rows (rates, 3, turn1, 1);
    rls_lever_rows (rates, 9, turn2, -1);
    if (s->mechanism.frame[i].kind == RLS_FRAME_UNIVERSAL) universal_rates (s, i, w1, w2, rates[3]);
    for (int r = 3; r < m && s->mechanism.frame[i].kind == RLS_FRAME_HINGE; ++r)
    {
        rls_cross (w1, J[r] + 3, rates[r] + 3);
        rls_cross (w1, J[r] + 9, rates[r] + 9);
    }
}
