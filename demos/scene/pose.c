/* Composition, inverse and conversions of rigid poses. */
#include "pose.h"

#include <math.h>

const scene_pose scene_pose_identity = {{0, 0, 0}, {1, 0, 0, 0}};

static void quaternion_multiply (const double a[4], const double b[4], double result[4])
{
    result[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    result[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    result[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    result[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

int pose_set_quaternion (scene_pose *a, double w, double x, double y, double z)
{
    double norm = sqrt (w * w + x * x + y * y + z * z);
    if (!(norm > 0) || !isfinite (norm)) return 0;
    a->q[0] = w / norm;
    a->q[1] = x / norm;
    a->q[2] = y / norm;
    a->q[3] = z / norm;
    return 1;
}

void pose_set_rpy (scene_pose *a, double roll, double pitch, double yaw)
{
    double cr = cos (roll / 2), sr = sin (roll / 2);
    double cp = cos (pitch / 2), sp = sin (pitch / 2);
    double cy = cos (yaw / 2), sy = sin (yaw / 2);
    pose_set_quaternion (a, cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
                         cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy);
}

void pose_matrix (const scene_pose *a, double R[3][3])
{
    double w = a->q[0], x = a->q[1], y = a->q[2], z = a->q[3];
    R[0][0] = 1 - 2 * (y * y + z * z);
    R[0][1] = 2 * (x * y - w * z);
    R[0][2] = 2 * (x * z + w * y);
    R[1][0] = 2 * (x * y + w * z);
    R[1][1] = 1 - 2 * (x * x + z * z);
    R[1][2] = 2 * (y * z - w * x);
    R[2][0] = 2 * (x * z - w * y);
    R[2][1] = 2 * (y * z + w * x);
    R[2][2] = 1 - 2 * (x * x + y * y);
}

void pose_rotate (const scene_pose *a, const double v[3], double result[3])
{
    double R[3][3], turned[3];
    pose_matrix (a, R);
    for (int i = 0; i < 3; i++) turned[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
    for (int i = 0; i < 3; i++) result[i] = turned[i];
}

void pose_transform (const scene_pose *a, const double point[3], double result[3])
{
    pose_rotate (a, point, result);
    for (int i = 0; i < 3; i++) result[i] += a->p[i];
}

scene_pose pose_compose (const scene_pose *a, const scene_pose *b)
{
    scene_pose c;
    double q[4];
    pose_transform (a, b->p, c.p);
    quaternion_multiply (a->q, b->q, q);
    pose_set_quaternion (&c, q[0], q[1], q[2], q[3]);
    return c;
}

scene_pose pose_inverse (const scene_pose *a)
{
    scene_pose c = {{0, 0, 0}, {a->q[0], -a->q[1], -a->q[2], -a->q[3]}};
    pose_rotate (&c, a->p, c.p);
    for (int i = 0; i < 3; i++) c.p[i] = -c.p[i];
    return c;
}
