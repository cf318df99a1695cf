/* The rotation of a symplectic sub-step, four bodies at a time; contract and equations in cayley.h, the maps
 * in rotation_map.h. */
#include "cayley.h"
#include "rotation_map.h"
#include <float.h>

#define MOST_ITERATIONS 40

void rls_cayley_turn (const double q0[4], double h, const double w[3], double q1[4])
{
    const double turn[4] = {1, 0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2]};
    rls_quaternion_product (q0, turn, q1);
    rls_quaternion_normalise (q1);
}

/* Bodies without gyroscopic terms get the inertia 1, with which their equation reads w = l0. */
RLS_VECTOR_CLONES void rls_spins_begin (rls_spins *spins, const rls_island *s, const rls_pose *pose)
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        rls_four q[4];
        rls_lanes_load (pose[0].q, RLS_POSE_STRIDE, &g, 4, q);
        rls_lanes_matrix (q, spins[g.number].R0);
        rls_lanes_load (s->model.inertia[0], 9, &g, 9, spins[g.number].inertia);
        spins[g.number].any_finite = 0;
        for (int k = 0; k < RLS_LANES; ++k)
        {
            spins[g.number].finite[k] = -(long long)s->model.by_exponential[g.body[k]];
            spins[g.number].any_finite |= s->model.by_exponential[g.body[k]];
            const int gyroscopic = s->model.movable[g.body[k]] && s->model.gyroscopic[g.body[k]];
            spins[g.number].gyroscopic[k] = gyroscopic;
            for (int c = 0; c < 9 && !gyroscopic; ++c) spins[g.number].inertia[c][k] = c % 4 == 0;
        }
    }
}

/* B := A^-1 by cofactors. */
RLS_INLINE void invert (const rls_four A[9], rls_four B[9])
{
    const rls_four c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8],
                   c2 = A[3] * A[7] - A[4] * A[6];
    const rls_four d = 1 / (A[0] * c0 + A[1] * c1 + A[2] * c2);
    B[0] = d * c0, B[1] = d * (A[2] * A[7] - A[1] * A[8]), B[2] = d * (A[1] * A[5] - A[2] * A[4]);
    B[3] = d * c1, B[4] = d * (A[0] * A[8] - A[2] * A[6]), B[5] = d * (A[2] * A[3] - A[0] * A[5]);
    B[6] = d * c2, B[7] = d * (A[1] * A[6] - A[0] * A[7]), B[8] = d * (A[0] * A[4] - A[1] * A[3]);
}

/* The coefficients of the momentum e I w + a w x I w + b (w' I w) w, and the derivatives of e and b with
 * respect to w'w. */
typedef struct
{
    rls_four a, e, b, de, db;
    int bends; /* 1 if e and b are not constant */
} momentum;

/* Computes them; with s = (h/2)^2 w'w and g of rotation_map.h, for which s dg/ds = (1 - 3 g + s g^2) / 2. */
RLS_INLINE void find_momentum (const rls_spins *spins, const rls_four w[3], double h, momentum *p)
{
    const rls_four gyroscopic = spins->gyroscopic, quarter = 0.25 * h * h * gyroscopic;
    p->a = 0.5 * h * gyroscopic;
    p->e = gyroscopic * 0 + 1;
    p->b = quarter;
    p->de = p->db = gyroscopic * 0;
    p->bends = spins->any_finite;
    if (!p->bends) return;
    const rls_four s = 0.25 * h * h * RLS_LANES_DOT (w, w);
    rls_sines sines;
    rls_lanes_sines (s, &sines);
    const rls_four g = sines.m / sines.sine, change = 0.5 * (1 - 3 * g + s * g * g);
    p->e = RLS_SELECT (spins->finite, 1 - gyroscopic * s * g, p->e);
    p->b = RLS_SELECT (spins->finite, quarter * g, p->b);
    p->de = RLS_SELECT (spins->finite, -quarter * (g + change), p->de);
    p->db = RLS_SELECT (spins->finite, quarter * (0.25 * h * h) * (change / (s + DBL_MIN)), p->db);
}

/* r := goal - (e I w + a w x L + b (w' L) w),  L = I w. */
RLS_INLINE void momentum_left (const rls_four goal[3], const rls_four w[3], const rls_four L[3],
                               const momentum *p, rls_four r[3])
{
    const rls_four a = p->a, c = p->b * RLS_LANES_DOT (w, L);
    r[0] = goal[0] - p->e * L[0] - a * (w[1] * L[2] - w[2] * L[1]) - c * w[0];
    r[1] = goal[1] - p->e * L[1] - a * (w[2] * L[0] - w[0] * L[2]) - c * w[1];
    r[2] = goal[2] - p->e * L[2] - a * (w[0] * L[1] - w[1] * L[0]) - c * w[2];
}

/* A := the derivative of e I w + a w x I w + b (w' I w) w by w. */
RLS_INLINE void momentum_slope (const rls_four I[9], const rls_four w[3], const rls_four L[3],
                                const momentum *p, rls_four A[9])
{
    const rls_four a = p->a, energy = RLS_LANES_DOT (w, L), q = p->b * energy;
    for (int k = 0; k < 3; ++k)
    {
        const rls_four c = 2 * p->b * L[k];
        A[k] = p->e * I[k] + a * (w[1] * I[6 + k] - w[2] * I[3 + k]) + w[0] * c;
        A[3 + k] = p->e * I[3 + k] + a * (w[2] * I[k] - w[0] * I[6 + k]) + w[1] * c;
        A[6 + k] = p->e * I[6 + k] + a * (w[0] * I[3 + k] - w[1] * I[k]) + w[2] * c;
        A[4 * k] += q;
    }
    A[1] += a * L[2], A[2] -= a * L[1];
    A[3] -= a * L[2], A[5] += a * L[0];
    A[6] += a * L[1], A[7] -= a * L[0];
    for (int i = 0; i < 3 && p->bends; ++i)
    {
        const rls_four c = 2 * (p->de * L[i] + p->db * energy * w[i]);
        for (int k = 0; k < 3; ++k) A[3 * i + k] += c * w[k];
    }
}

/* Adds the lanes whose step is small enough to done.  Returns how many lanes have a step that is not
 * finite. */
RLS_INLINE int converged (const rls_four step[3], const rls_four w[3], rls_mask *done)
{
    const rls_four moved = RLS_LANES_DOT (step, step);
    const rls_four size = RLS_LANES_DOT (w, w);
    int lost = 0;
    for (int k = 0; k < RLS_LANES; ++k)
    {
        if (moved[k] <= RLS_SEEN * RLS_SEEN * size[k] || moved[k] == 0) (*done)[k] = -1;
        lost += !(moved[k] < HUGE_VAL);
    }
    return lost;
}

/*
 * Newton's method, starting from w.  Lanes that have converged do not change while others go on, so that w of
 * a body does not depend on its neighbours; neither does slope, from which the next w is predicted, if apart
 * is room for nine vectors (else NULL).  Returns 1 when all lanes have converged (spins then has w and
 * slope), 0 if those that have not never will.
 */
RLS_INLINE int iterate (rls_spins *spins, const rls_four goal[3], double h, rls_four w[3], rls_mask *done,
                        rls_four *apart)
{
    const rls_four none = {0}, *I = spins->inertia;
    for (int iteration = 0; iteration < MOST_ITERATIONS; ++iteration)
    {
        rls_four L[3], r[3], A[9], inverse[9], step[3];
        momentum p;

        /* Newton's step */
        rls_lanes_multiply (I, w, L);
        find_momentum (spins, w, h, &p);
        momentum_left (goal, w, L, &p, r);
        momentum_slope (I, w, L, &p, A);
        invert (A, inverse);
        for (int c = 0; c < 9 && apart; ++c) apart[c] = inverse[c] = RLS_SELECT (*done, apart[c], inverse[c]);
        rls_lanes_multiply (inverse, r, step);
        for (int k = 0; k < 3; ++k) step[k] = RLS_SELECT (*done, none, step[k]), w[k] += step[k];

        /* left: how many lanes have not converged */
        const int lost = converged (step, w, done);
        const rls_mask d = *done;
        const int left = RLS_LANES + (int)(d[0] + d[1] + d[2] + d[3]);
        if (lost > 0 && lost == left) return 0;
        if (left > 0) continue;
        rls_lanes_product (inverse, I, spins->slope);
        for (int k = 0; k < 3; ++k) spins->w[k] = w[k];
        return 1;
    }
    return 0;
}

/* Finds w and slope for angular velocities l (body axes) at the beginning.  done: lanes that have w already;
 * first, apart: as in rls_spins_drift and iterate.  Returns 0 if that does not converge. */
RLS_INLINE int solve (rls_spins *spins, const rls_four l[3], double h, int first, rls_mask done, int apart)
{
    rls_four w[3], goal[3], room[9] = {{0}}, *const own = apart ? room : NULL;
    rls_lanes_multiply (spins->inertia, l, goal);
    for (int k = 0; k < 3; ++k) w[k] = l[k];
    if (!first)
    {
        rls_four change[3];
        for (int k = 0; k < 3; ++k) change[k] = l[k] - spins->l[k];
        rls_lanes_multiply (spins->slope, change, w);
        for (int k = 0; k < 3; ++k) w[k] += spins->w[k];
    }
    for (int k = 0; k < 3; ++k) spins->l[k] = l[k];
    if (iterate (spins, goal, h, w, &done, own)) return 1;

    /* Once more from another start: the solution without the term w x I w, and with l0 for w' I w in the last
     * term.  For bodies so thin that l0 about their own axis is huge and means nothing: most of their inertia
     * about it comes from the last term. */
    rls_four thin[3], A[9], inverse[9];
    const rls_four more = 0.25 * h * h * spins->gyroscopic * RLS_LANES_DOT (l, goal);
    for (int c = 0; c < 9; ++c) A[c] = spins->inertia[c];
    for (int c = 0; c < 9; c += 4) A[c] += more;
    invert (A, inverse);
    rls_lanes_multiply (inverse, goal, thin);
    for (int k = 0; k < 3; ++k) w[k] = RLS_SELECT (done, w[k], thin[k]);
    return iterate (spins, goal, h, w, &done, own);
}

/* q1 := q0 turned by h w, normalised, and R1. */
RLS_INLINE void turn (rls_spins *spins, const rls_four q0[4], double h, rls_four q1[4])
{
    rls_four t[3], c = q0[0] * 0 + 1;
    for (int k = 0; k < 3; ++k) t[k] = 0.5 * h * spins->w[k];
    if (spins->any_finite)
    {
        rls_sines sines;
        rls_lanes_sines (RLS_LANES_DOT (t, t), &sines);
        for (int k = 0; k < 3; ++k) t[k] = RLS_SELECT (spins->finite, sines.sine * t[k], t[k]);
        c = RLS_SELECT (spins->finite, sines.cosine, c);
    }
    q1[0] = c * q0[0] - q0[1] * t[0] - q0[2] * t[1] - q0[3] * t[2];
    q1[1] = q0[0] * t[0] + c * q0[1] + q0[2] * t[2] - q0[3] * t[1];
    q1[2] = q0[0] * t[1] + c * q0[2] + q0[3] * t[0] - q0[1] * t[2];
    q1[3] = q0[0] * t[2] + c * q0[3] + q0[1] * t[1] - q0[2] * t[0];
    rls_lanes_normalise (q1);
    rls_lanes_matrix (q1, spins->R1);
}

RLS_VECTOR_CLONES int rls_spins_drift (rls_spins *spins, const rls_island *s, const rls_pose *pose,
                                       const double (*u)[6], double h, int first, const unsigned char *still,
                                       rls_pose *to)
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        rls_four x[7], v[6], l[3];
        rls_mask done = {0};
        for (int k = 0; k < RLS_LANES && still; ++k) done[k] = -(still[g.body[k]] != 0);
        rls_lanes_load (pose[0].x, RLS_POSE_STRIDE, &g, 7, x);
        rls_lanes_load (u[0], 6, &g, 6, v);
        rls_lanes_multiply_transposed (spins[g.number].R0, v + 3, l);
        if (!solve (&spins[g.number], l, h, first, done, still != NULL)) return 0;
        rls_four q[4] = {x[3], x[4], x[5], x[6]};
        for (int k = 0; k < 3; ++k) x[k] += h * v[k];
        turn (&spins[g.number], q, h, x + 3);
        rls_lanes_store (x, 7, to[0].x, RLS_POSE_STRIDE, &g);

        /* bodies that cannot be pushed move as ODE moves them */
        for (int k = 0; k < RLS_LANES; ++k)
        {
            const int b = g.body[k];
            if (s->model.movable[b]) continue;
            to[b] = pose[b];
            rls_pose_advance (&to[b], u[b], h, s->model.turn[b], s->model.axis[b]);
        }
    }
    return 1;
}

/* A := the derivative of the map: a - b [t]x + c t t' for t = (h/2) w (rotation_map.h); a = b = 1 / (1 + s)
 * and c = 0 for Cayley's map. */
RLS_INLINE void map_slope (const rls_spins *spins, double h, rls_four A[9])
{
    rls_four t[3];
    for (int k = 0; k < 3; ++k) t[k] = 0.5 * h * spins->w[k];
    const rls_four s = RLS_LANES_DOT (t, t);
    rls_four a = 1 / (1 + s), b = a, c = a * 0;
    if (spins->any_finite)
    {
        rls_sines sines;
        rls_lanes_sines (s, &sines);
        a = RLS_SELECT (spins->finite, sines.sine * sines.cosine, a);
        b = RLS_SELECT (spins->finite, sines.sine * sines.sine, b);
        c = RLS_SELECT (spins->finite, sines.r * (1 + sines.sine) + sines.sine * sines.m, c);
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) A[3 * i + k] = c * t[i] * t[k];
    for (int k = 0; k < 3; ++k) A[4 * k] += a, t[k] *= b;
    A[1] += t[2], A[2] -= t[1], A[3] -= t[2], A[5] += t[0], A[6] += t[1], A[7] -= t[0];
}

/* T = R1 (derivative of the map) (dw/dl) R0'. */
RLS_VECTOR_CLONES void rls_spins_tangents (rls_spins *spins, const rls_island *s, double h)
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        rls_four A[9], B[9];
        map_slope (&spins[g.number], h, A);
        rls_lanes_product (A, spins[g.number].slope, B);
        rls_lanes_product (spins[g.number].R1, B, A);
        rls_lanes_product_transposed (A, spins[g.number].R0, spins[g.number].T);
        for (int k = 0; k < RLS_LANES; ++k)
            for (int a = 0; a < 9 && !s->model.movable[g.body[k]]; ++a) spins[g.number].T[a][k] = 0;
    }
}

RLS_VECTOR_CLONES void rls_spins_linear_motion (rls_spins *spins, const rls_island *s, const double (*du)[6],
                                                double (*moved)[6])
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        rls_four x[6], y[6];
        rls_lanes_load (du[0], 6, &g, 6, x);
        for (int k = 0; k < 3; ++k) y[k] = x[k];
        rls_lanes_multiply (spins[g.number].T, x + 3, y + 3);
        rls_lanes_store (y, 6, moved[0], 6, &g);
    }
}

RLS_VECTOR_CLONES void rls_spins_end (rls_spins *spins, const rls_island *s, double h, double (*u)[6])
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        const rls_four zero[3] = {{0}};
        momentum p;
        rls_four A[9], L[3], r[3], l[3];
        rls_lanes_multiply (spins[g.number].inertia, spins[g.number].w, L);
        find_momentum (&spins[g.number], spins[g.number].w, -h, &p);
        momentum_left (zero, spins[g.number].w, L, &p, r);
        rls_lanes_load (s->model.inverse_inertia[0], 9, &g, 9, A);
        rls_lanes_multiply (A, r, l);
        rls_lanes_multiply (spins[g.number].R1, l, r);
        for (int k = 0; k < RLS_LANES; ++k)
            for (int c = 0; c < 3 && spins[g.number].gyroscopic[k] > 0; ++c) u[g.body[k]][3 + c] = -r[c][k];
    }
}

RLS_VECTOR_CLONES void rls_spins_change_axes (const rls_spins *spins, const rls_island *s, int to_body,
                                              const double (*x)[6], double (*out)[6])
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        rls_four y[6], z[6];
        rls_lanes_load (x[0], 6, &g, 6, y);
        for (int part = 0; part < 6; part += 3)
            if (to_body)
                rls_lanes_multiply_transposed (spins[g.number].R0, y + part, z + part);
            else
                rls_lanes_multiply (spins[g.number].R0, y + part, z + part);
        rls_lanes_store (z, 6, out[0], 6, &g);
    }
}

RLS_VECTOR_CLONES void rls_spins_turn_back (rls_spins *spins, const rls_island *s, double (*d)[6])
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        rls_four y[6], body[3];
        rls_lanes_load (d[0], 6, &g, 6, y);
        rls_lanes_multiply_transposed (spins[g.number].R1, y + 3, body);
        rls_lanes_multiply (spins[g.number].R0, body, y + 3);
        rls_lanes_store (y, 6, d[0], 6, &g);
    }
}

/* out := R0 x for the body in lane k. */
static void turn_one (const rls_spins *of, int k, const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = of->R0[3 * i][k] * x[0] + of->R0[3 * i + 1][k] * x[1] + of->R0[3 * i + 2][k] * x[2];
}

void rls_spins_velocity (const rls_spins *spins, int body, double out[3])
{
    const rls_spins *of = &spins[body / RLS_LANES];
    const int k = body % RLS_LANES;
    turn_one (of, k, (const double[3]){of->w[0][k], of->w[1][k], of->w[2][k]}, out);
}

void rls_spins_mean_velocity (const rls_spins *spins, const rls_island *s, int body, double h, double out[3])
{
    const rls_spins *of = &spins[body / RLS_LANES];
    const int k = body % RLS_LANES;
    const double w[3] = {of->w[0][k], of->w[1][k], of->w[2][k]};
    double Iw[3], torque[3], turned[3], mean[3];

    /* from both equations of cayley.h: l1 = l0 - h I^-1 (w x I w) */
    rls_multiply (s->model.inertia[body], w, Iw);
    rls_cross (w, Iw, torque);
    rls_multiply (s->model.inverse_inertia[body], torque, turned);
    for (int i = 0; i < 3; ++i) mean[i] = of->l[i][k] - 0.5 * h * of->gyroscopic[k] * turned[i];
    turn_one (of, k, mean, out);
}
