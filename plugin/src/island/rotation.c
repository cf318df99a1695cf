/* Rotation arithmetic.  rls_pose_advance follows the three modes of ODE's dxStepBody (util.cpp). */
#include "rotation.h"
#include "kernels/rows.h"

void rls_quaternion_product (const double a[4], const double b[4], double out[4])
{
    const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    const double y = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
    out[0] = w, out[1] = x, out[2] = y;
}

void rls_quaternion_normalise (double q[4])
{
    const double n = 1 / sqrt (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k) q[k] *= n;
}

void rls_quaternion_matrix (const double q[4], double R[9])
{
    const double xx = 2 * q[1] * q[1], yy = 2 * q[2] * q[2], zz = 2 * q[3] * q[3];
    R[0] = 1 - yy - zz, R[1] = 2 * (q[1] * q[2] - q[0] * q[3]), R[2] = 2 * (q[1] * q[3] + q[0] * q[2]);
    R[3] = 2 * (q[1] * q[2] + q[0] * q[3]), R[4] = 1 - xx - zz, R[5] = 2 * (q[2] * q[3] - q[0] * q[1]);
    R[6] = 2 * (q[1] * q[3] - q[0] * q[2]), R[7] = 2 * (q[2] * q[3] + q[0] * q[1]), R[8] = 1 - xx - yy;
}

void rls_rotate_tensor (const double q[4], const double A[9], double out[9])
{
    double R[9], RA[9];
    rls_quaternion_matrix (q, R);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            RA[3 * i + k] = R[3 * i] * A[k] + R[3 * i + 1] * A[3 + k] + R[3 * i + 2] * A[6 + k];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            out[3 * i + k] =
                RA[3 * i] * R[3 * k] + RA[3 * i + 1] * R[3 * k + 1] + RA[3 * i + 2] * R[3 * k + 2];
}

int rls_invert_spd (const double A[9], double inverse[9])
{
    double found[9];
    const double determinant = rls_invert3 (A, found);
    int usable = A[0] > 0 && A[0] * A[4] - A[1] * A[3] > 0 && determinant > 0 && isfinite (determinant);
    for (int k = 0; k < 9; ++k) usable &= isfinite (found[k]) != 0;
    if (usable) memcpy (inverse, found, sizeof (found));
    return usable;
}

/* q := exp (w h / 2) q, the exact turn with a constant angular velocity */
static void turn_finite (double q[4], const double w[3], double h)
{
    const double half = 0.5 * h * rls_length3 (w), s = 0.5 * h * (half == 0 ? 1 : sin (half) / half);
    const double turn[4] = {cos (half), s * w[0], s * w[1], s * w[2]};
    rls_quaternion_product (turn, q, q);
}

/* q := q + h / 2 w q, its linear part */
static void turn_infinitesimal (double q[4], const double w[3], double h)
{
    const double turn[4] = {0, 0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2]};
    double dq[4];
    rls_quaternion_product (turn, q, dq);
    for (int k = 0; k < 4; ++k) q[k] += dq[k];
}

void rls_pose_displace (rls_pose *pose, const double d[6])
{
    for (int k = 0; k < 3; ++k) pose->x[k] += d[k];
    turn_infinitesimal (pose->q, d + 3, 1);
    rls_quaternion_normalise (pose->q);
}

void rls_poses_move (int bodies, const rls_pose *pose, double time, const double (*v)[6], rls_pose *to)
{
    for (int b = 0; b < bodies; ++b)
    {
        double d[6];
        for (int k = 0; k < 6; ++k) d[k] = time * v[b][k];
        to[b] = pose[b];
        rls_pose_displace (&to[b], d);
    }
}

void rls_pose_difference (const rls_pose *a, const rls_pose *b, double d[6])
{
    const double back[4] = {b->q[0], -b->q[1], -b->q[2], -b->q[3]};
    double turn[4];
    rls_quaternion_product (a->q, back, turn);
    for (int k = 0; k < 3; ++k)
    {
        d[k] = a->x[k] - b->x[k];
        d[3 + k] = 2 * turn[1 + k] / turn[0];
    }
}

void rls_rotation_vector (const double a[4], const double b[4], double out[3])
{
    const double back[4] = {b[0], -b[1], -b[2], -b[3]};
    double turn[4];
    rls_quaternion_product (a, back, turn);
    const double sine = copysign (rls_length3 (turn + 1), turn[0]),
                 angle = sine != 0 ? 2 * atan2 (sine, turn[0]) / sine : 2;
    for (int k = 0; k < 3; ++k) out[k] = angle * turn[1 + k];
}

double rls_turned_about (const double *const first[2], const double *const second[2],
                         const double *const axis[2])
{
    double seen[2][4], own[2][3], turn[3];
    for (int end = 0; end < 2; ++end)
    {
        const double *q = second[end], back[4] = {q[0], -q[1], -q[2], -q[3]};
        double R[9];
        rls_quaternion_product (back, first[end], seen[end]);
        rls_quaternion_matrix (q, R);
        rls_multiply_transposed (R, axis[end], own[end]);
    }
    rls_rotation_vector (seen[1], seen[0], turn);
    return 0.5 * (rls_dot3 (own[0], turn) + rls_dot3 (own[1], turn));
}

void rls_pose_advance (rls_pose *pose, const double v[6], double h, int turn, const double axis[3])
{
    for (int k = 0; k < 3; ++k) pose->x[k] += h * v[k];
    const double *w = v + 3;
    if (turn == RLS_TURN_FINITE)
        turn_finite (pose->q, w, h);
    else if (turn == RLS_TURN_ABOUT_AXIS)
    {
        const double along = rls_dot3 (axis, w);
        const double about[3] = {along * axis[0], along * axis[1], along * axis[2]};
        const double rest[3] = {w[0] - about[0], w[1] - about[1], w[2] - about[2]};
        turn_finite (pose->q, about, h);
        turn_infinitesimal (pose->q, rest, 0.5 * h); /* ODE halves the step here; kept for parity */
    }
    else
        turn_infinitesimal (pose->q, w, h);
    rls_quaternion_normalise (pose->q);
}

int rls_poses_usable (const rls_pose *pose, int bodies)
{
    double sum = 0;
    for (int b = 0; b < bodies; ++b)
    {
        const double *q = pose[b].q;
        const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!(length > 0.5 && length < 2)) return 0;
        for (int k = 0; k < 3; ++k) sum += fabs (pose[b].x[k]);
    }
    return isfinite (sum);
}

int rls_poses_same (const rls_pose *a, const rls_pose *b, int bodies)
{
    return rls_same_numbers (a[0].x, b[0].x, RLS_POSE_STRIDE * bodies, RLS_SAME);
}
