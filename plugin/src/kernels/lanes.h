/*
 * Computing with four bodies, or four joints, at a time: each lane of a vector belongs to one of them.  If
 * their number is no multiple of four, the last group is filled up with the last body; its results are then
 * stored several times, always the same.
 */
#ifndef RLS_LANES_H
#define RLS_LANES_H

#include "kernels.h"

/* The result of a comparison of vectors; and the choice between a (where it is true) and b, lane by lane. */
typedef long long rls_mask __attribute__ ((vector_size (32)));
#define RLS_SELECT(mask, a, b) ((rls_four)(((mask) & (rls_mask)(a)) | (~(mask) & (rls_mask)(b))))

typedef struct
{
    int number, body[RLS_LANES];
} rls_group;

/* The number of groups of four; and one of them, with its bodies. */
RLS_INLINE int rls_batches (int bodies) { return (bodies + RLS_LANES - 1) / RLS_LANES; }

RLS_INLINE rls_group rls_batch_of (int group, int bodies)
{
    rls_group g = {group, {0}};
    for (int k = 0; k < RLS_LANES; ++k)
        g.body[k] = RLS_LANES * group + k < bodies ? RLS_LANES * group + k : bodies - 1;
    return g;
}

#define RLS_FOR_GROUPS(g, bodies)                                                                            \
    for (rls_group g = rls_batch_of (0, bodies); g.number < rls_batches (bodies);                            \
         g = rls_batch_of (g.number + 1, bodies))

/* Transposes a 4 x 4 matrix. */
RLS_INLINE void rls_transpose (rls_four x[4])
{
    const rls_four a = RLS_SHUFFLE (x[0], x[1], 0, 4, 2, 6), b = RLS_SHUFFLE (x[0], x[1], 1, 5, 3, 7);
    const rls_four c = RLS_SHUFFLE (x[2], x[3], 0, 4, 2, 6), d = RLS_SHUFFLE (x[2], x[3], 1, 5, 3, 7);
    x[0] = RLS_SHUFFLE (a, c, 0, 1, 4, 5), x[1] = RLS_SHUFFLE (b, d, 0, 1, 4, 5);
    x[2] = RLS_SHUFFLE (a, c, 2, 3, 6, 7), x[3] = RLS_SHUFFLE (b, d, 2, 3, 6, 7);
}

/* x[i] := entry i of four arrays, for i < n. */
RLS_INLINE void rls_lanes_gather (const double *const q[RLS_LANES], const int n, rls_four *x)
{
    int i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES)
    {
        for (int k = 0; k < RLS_LANES; ++k) x[i + k] = RLS_CONST_FOUR (q[k] + i);
        rls_transpose (x + i);
    }
    for (; i < n; ++i)
    {
        const double entries[RLS_LANES] = {q[0][i], q[1][i], q[2][i], q[3][i]};
        x[i] = RLS_CONST_FOUR (entries);
    }
}

/* The reverse; x is overwritten. */
RLS_INLINE void rls_lanes_scatter (rls_four *x, const int n, double *const q[RLS_LANES])
{
    int i = 0;
    for (; i + RLS_LANES <= n; i += RLS_LANES)
    {
        rls_transpose (x + i);
        for (int k = 0; k < RLS_LANES; ++k) RLS_FOUR (q[k] + i) = x[i + k];
    }
    for (; i < n; ++i)
        for (int k = 0; k < RLS_LANES; ++k) q[k][i] = x[i][k];
}

/* x := the first n entries of each body of a group, in an array p with stride entries a body. */
RLS_INLINE void rls_lanes_load (const double *p, const int stride, const rls_group *g, const int n,
                                rls_four *x)
{
    const double *q[RLS_LANES];
    for (int k = 0; k < RLS_LANES; ++k) q[k] = p + (size_t)stride * (size_t)g->body[k];
    rls_lanes_gather (q, n, x);
}

/* The reverse; x is overwritten. */
RLS_INLINE void rls_lanes_store (rls_four *x, const int n, double *p, const int stride, const rls_group *g)
{
    double *q[RLS_LANES];
    for (int k = 0; k < RLS_LANES; ++k) q[k] = p + (size_t)stride * (size_t)g->body[k];
    rls_lanes_scatter (x, n, q);
}

/* Products of 3 x 3 matrices and vectors: A x, A' x, a x b, A B, A B'.  out must not be an argument. */
RLS_INLINE void rls_lanes_multiply (const rls_four A[9], const rls_four x[3], rls_four out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}
RLS_INLINE void rls_lanes_multiply_transposed (const rls_four A[9], const rls_four x[3], rls_four out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/* A macro, since functions that return a vector differ from compiler to compiler. */
#define RLS_LANES_DOT(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2])

RLS_INLINE void rls_lanes_cross (const rls_four a[3], const rls_four b[3], rls_four out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
RLS_INLINE void rls_lanes_product (const rls_four A[9], const rls_four B[9], rls_four out[9])
{
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; ++k) out[i + k] = A[i] * B[k] + A[i + 1] * B[3 + k] + A[i + 2] * B[6 + k];
}

RLS_INLINE void rls_lanes_product_transposed (const rls_four A[9], const rls_four B[9], rls_four out[9])
{
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; ++k)
            out[i + k] = A[i] * B[3 * k] + A[i + 1] * B[3 * k + 1] + A[i + 2] * B[3 * k + 2];
}

/* x := 1 / sqrt (x) */
RLS_INLINE void rls_lanes_inverse_root (rls_four *x)
{
    for (int k = 0; k < RLS_LANES; ++k) (*x)[k] = 1 / sqrt ((*x)[k]);
}

/* q := q / |q| */
RLS_INLINE void rls_lanes_normalise (rls_four q[4])
{
    rls_four n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    rls_lanes_inverse_root (&n);
    for (int i = 0; i < 4; ++i) q[i] *= n;
}

/* out := a b, of quaternions w, x, y, z; out must not be an argument. */
RLS_INLINE void rls_lanes_quaternion_product (const rls_four a[4], const rls_four b[4], rls_four out[4])
{
    rls_lanes_cross (a + 1, b + 1, out + 1);
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    for (int k = 1; k < 4; ++k) out[k] += a[0] * b[k] + b[0] * a[k];
}

/* R := the rotation matrix of a quaternion w, x, y, z. */
RLS_INLINE void rls_lanes_matrix (const rls_four q[4], rls_four R[9])
{
    const rls_four x = q[1] + q[1], y = q[2] + q[2], z = q[3] + q[3];
    const rls_four xx = x * q[1], yy = y * q[2], zz = z * q[3], xy = x * q[2], xz = x * q[3], yz = y * q[3];
    const rls_four wx = x * q[0], wy = y * q[0], wz = z * q[0];
    R[0] = 1 - yy - zz, R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = 1 - xx - zz, R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = 1 - xx - yy;
}

#endif
