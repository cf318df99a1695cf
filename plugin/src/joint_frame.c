/*
 * Ball joints and hinges without ODE; the form of their rows is ODE's (joint.cpp, hinge.cpp).
 *
 *     ball, and rows 0..2 of a hinge     v1 + w1 x a1 - v2 - w2 x a2,   open by  x2 + a2 - x1 - a1
 *     rows 3, 4 of a hinge               p (w1 - w2) and q (w1 - w2),   open by  p (n1 x n2) and q (n1 x n2)
 *
 * a: anchor seen from the body, n: axis, both in world axes; p, q complete n1 to a right-handed triple.
 */
#include "joint_frame.h"
#include "rotation.h"
#include <math.h>
#include <ode/odemath.h>
#include <string.h>

#define SAME 1e-13 /* difference of levers, relative to 1 m plus their length */

/* Into body axes, and into world axes; a vector of the world stays. */
static void to_body (const rls_placed *body, const double x[3], double out[3])
{
    if (body)
        rls_multiply_transposed (body->R, x, out);
    else
        memcpy (out, x, 3 * sizeof (double));
}
static void to_world (const rls_placed *body, const double x[3], double out[3])
{
    if (body)
        rls_multiply (body->R, x, out);
    else
        memcpy (out, x, 3 * sizeof (double));
}

static void levers (const double (*J)[12], double a1[3], double a2[3])
{
    a1[0] = J[1][5], a1[1] = J[2][3], a1[2] = J[0][4];
    a2[0] = -J[1][11], a2[1] = -J[2][9], a2[2] = -J[0][10];
}

void rls_joint_frame_anchor (rls_joint_frame *frame, const double (*J)[12], const double *world_anchor)
{
    levers (J, frame->anchor[0], frame->anchor[1]);
    if (world_anchor) memcpy (frame->anchor[1], world_anchor, sizeof (frame->anchor[1]));
}

int rls_joint_frame_holds (const rls_joint_frame *frame, const double (*J)[12], const rls_placed *body1,
                           const rls_placed *body2)
{
    double now[2][3], then[2][3];
    levers (J, now[0], now[1]);
    to_world (body1, frame->anchor[0], then[0]);
    to_world (body2, frame->anchor[1], then[1]);
    for (int side = 0; side < (body2 ? 2 : 1); ++side)
        for (int k = 0; k < 3; ++k)
            if (!(fabs (now[side][k] - then[side][k]) <= SAME * (1 + fabs (now[side][k])))) return 0;
    return 1;
}

static int differ (const double a[3], const double b[3])
{
    for (int k = 0; k < 3; ++k)
        if (!(fabs (a[k] - b[k]) <= SAME)) return 1;
    return 0;
}

/* The second axis leans from the first by what is open. */
int rls_joint_frame_axes (rls_joint_frame *frame, int known, const double (*J)[12], const double *residual,
                          const rls_placed *body1, const rls_placed *body2)
{
    const double *p = J[3] + 3, *q = J[4] + 3;
    const double lean = residual[3] * residual[3] + residual[4] * residual[4];
    double n1[3], n2[3], axis[2][3];
    if (!(lean < 0.5)) return 0;
    rls_cross (p, q, n1);
    for (int k = 0; k < 3; ++k) n2[k] = sqrt (1 - lean) * n1[k] + residual[4] * p[k] - residual[3] * q[k];
    to_body (body1, n1, axis[0]);
    to_body (body2, n2, axis[1]);
    if (!known || differ (axis[0], frame->axis[0]) || differ (axis[1], frame->axis[1]))
        memcpy (frame->axis, axis, sizeof (axis));
    return 1;
}

/* Three rows that hold point a of a body: 1 and -[a]x times sign. */
static void point_rows (double (*J)[12], int at, const double a[3], double sign)
{
    for (int k = 0; k < 3; ++k) J[k][at + k] = sign;
    J[0][at + 4] = sign * a[2], J[0][at + 5] = -sign * a[1];
    J[1][at + 3] = -sign * a[2], J[1][at + 5] = sign * a[0];
    J[2][at + 3] = sign * a[1], J[2][at + 4] = -sign * a[0];
}

static void axis_rows (const rls_joint_frame *frame, const rls_placed *body1, const rls_placed *body2,
                       double (*J)[12], double *residual)
{
    double n1[3], n2[3], open[3];
    dVector3 n, p, q;
    to_world (body1, frame->axis[0], n1);
    to_world (body2, frame->axis[1], n2);
    rls_cross (n1, n2, open);
    for (int k = 0; k < 3; ++k) n[k] = (dReal)n1[k];
    dPlaneSpace (n, p, q);
    for (int k = 0; k < 3; ++k)
    {
        J[0][3 + k] = p[k], J[1][3 + k] = q[k];
        if (body2) J[0][9 + k] = -p[k], J[1][9 + k] = -q[k];
    }
    residual[0] = p[0] * open[0] + p[1] * open[1] + p[2] * open[2];
    residual[1] = q[0] * open[0] + q[1] * open[1] + q[2] * open[2];
}

void rls_joint_frame_rows (const rls_joint_frame *frame, const rls_placed *body1, const rls_placed *body2,
                           double (*J)[12], double *residual)
{
    const int hinge = frame->kind == RLS_FRAME_HINGE;
    double a1[3], a2[3];
    memset (J, 0, sizeof (*J) * (hinge ? 5 : 3));
    to_world (body1, frame->anchor[0], a1);
    to_world (body2, frame->anchor[1], a2);
    point_rows (J, 0, a1, 1);
    if (body2) point_rows (J, 6, a2, -1);
    for (int k = 0; k < 3; ++k) residual[k] = a2[k] + (body2 ? body2->x[k] : 0) - a1[k] - body1->x[k];
    if (hinge) axis_rows (frame, body1, body2, J + 3, residual + 3);
}
