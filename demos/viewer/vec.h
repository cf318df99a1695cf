/*
 * Vectors and quaternions (w, x, y, z) in double precision, for what has to do with the simulation.  The
 * renderer uses single precision and cglm.
 */
#ifndef VIEWER_VEC_H
#define VIEWER_VEC_H

#include <math.h>

static inline void vec_set (double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void vec_copy (double out[3], const double a[3]) { vec_set (out, a[0], a[1], a[2]); }

static inline void vec_sub (double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

/* out = a + s b; out may be a or b. */
static inline void vec_mad (double out[3], const double a[3], double s, const double b[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[i] + s * b[i];
}

static inline double vec_dot (const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vec_length (const double a[3]) { return sqrt (vec_dot (a, a)); }

static inline double vec_distance (const double a[3], const double b[3])
{
    double d[3];
    vec_sub (d, a, b);
    return vec_length (d);
}

static inline void vec_cross (double out[3], const double a[3], const double b[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    vec_set (out, x, y, z);
}

/* Scales a vector to unit length; the zero vector becomes z.  Returns the length that it had. */
static inline double vec_normalize (double a[3])
{
    double length = vec_length (a);
    if (length > 1e-300)
        for (int i = 0; i < 3; i++) a[i] /= length;
    else
        vec_set (a, 0, 0, 1);
    return length;
}

/* A unit vector perpendicular to the unit vector a. */
static inline void vec_perpendicular (double out[3], const double a[3])
{
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    vec_cross (out, a, fabs (a[0]) < 0.8 ? x : y);
    vec_normalize (out);
}

static inline void quat_multiply (double out[4], const double a[4], const double b[4])
{
    double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    out[0] = w;
    out[1] = x;
    out[2] = y;
    out[3] = z;
}

/* out = v rotated by the unit quaternion q; out may be v. */
static inline void quat_rotate (double out[3], const double q[4], const double v[3])
{
    double t[3], u[3];
    vec_cross (t, q + 1, v);
    for (int i = 0; i < 3; i++) t[i] *= 2;
    vec_cross (u, q + 1, t);
    for (int i = 0; i < 3; i++) out[i] = v[i] + q[0] * t[i] + u[i];
}

static inline void quat_rotate_back (double out[3], const double q[4], const double v[3])
{
    const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    quat_rotate (out, inverse, v);
}

/* The shortest rotation that takes z to the unit vector axis. */
static inline void quat_from_z (double q[4], const double axis[3])
{
    if (axis[2] < -0.999999)
    {
        q[0] = q[2] = q[3] = 0;
        q[1] = 1;
        return;
    }
    double w = 1 + axis[2], n = 1 / sqrt (w * w + axis[0] * axis[0] + axis[1] * axis[1]);
    q[0] = w * n;
    q[1] = -axis[1] * n;
    q[2] = axis[0] * n;
    q[3] = 0;
}

/* Converts a point p from the frame of a body to the world. */
static inline void pose_point (double out[3], const double position[3], const double q[4], const double p[3])
{
    double r[3];
    quat_rotate (r, q, p);
    for (int i = 0; i < 3; i++) out[i] = position[i] + r[i];
}

#endif
