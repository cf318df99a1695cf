/* The dense variational step; contract in oracle_variational.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle_variational.h"
#include <math.h>
#include <string.h>

#define MOST (3 * MOTION_JOINTS)
#define ITERATIONS 30
#define SMALL 1e-7 /* N s: of differences */
#define CLOSED 1e-13

/* I w + sign (h/2) w x I w + (h^2/4) (w' I w) w, body axes. */
static void momentum (const double I[3], const double w[3], double h, int sign, double out[3])
{
    double Iw[3], turn[3];
    for (int k = 0; k < 3; ++k) Iw[k] = I[k] * w[k];
    motion_cross (w, Iw, turn);
    for (int k = 0; k < 3; ++k)
        out[k] = Iw[k] + sign * h / 2 * turn[k] + h * h / 4 * motion_dot (w, Iw) * w[k];
}

/* w with the momentum L at the beginning, by Newton's method. */
static void spin (const double I[3], const double L[3], double h, double w[3])
{
    for (int k = 0; k < 3; ++k) w[k] = L[k] / I[k];
    for (int i = 0; i < ITERATIONS; ++i)
    {
        double at[3], column[3], left[3], correction[3];
        oracle_matrix J = oracle_zeros (3, 3);
        momentum (I, w, h, 1, at);
        for (int k = 0; k < 3; ++k)
        {
            double moved[3] = {w[0], w[1], w[2]};
            moved[k] += SMALL;
            momentum (I, moved, h, 1, column);
            for (int r = 0; r < 3; ++r) oracle_row (&J, r)[k] = (column[r] - at[r]) / SMALL;
            left[k] = L[k] - at[k];
        }
        oracle_svd svd = oracle_decompose (&J);
        oracle_pseudo_solve (&svd, 3, left, correction);
        oracle_svd_free (&svd), oracle_free (&J);
        for (int k = 0; k < 3; ++k) w[k] += correction[k];
        if (sqrt (motion_dot (correction, correction)) < 1e-15 * (1 + sqrt (motion_dot (w, w)))) return;
    }
}

/* R1 = R0 cay (h w). */
static void cayley (double R[9], const double w[3], double h)
{
    const double a[3] = {h / 2 * w[0], h / 2 * w[1], h / 2 * w[2]}, scale = 2 / (1 + motion_dot (a, a));
    double out[9];
    for (int r = 0; r < 3; ++r)
    {
        const double *row = R + 3 * r; /* row (1 + scale (A + A A)), A the matrix of a x */
        double once[3], twice[3];
        motion_cross (row, a, once), motion_cross (once, a, twice);
        for (int k = 0; k < 3; ++k) out[3 * r + k] = row[k] + scale * (once[k] + twice[k]);
    }
    memcpy (R, out, sizeof (out));
}

/* Adds impulses at the joints, of m's poses. */
static void push (motion *m, const double *p)
{
    for (int j = 0; j < m->joints; ++j)
        for (int side = 0; side < 2; ++side)
        {
            motion_body *b = &m->body[side ? m->joint[j].b : m->joint[j].a];
            const int n = side ? m->joint[j].b : m->joint[j].a;
            double arm[3], turn[3], local[3], change[3];
            const double f[3] = {side ? -p[3 * j] : p[3 * j], side ? -p[3 * j + 1] : p[3 * j + 1],
                                 side ? -p[3 * j + 2] : p[3 * j + 2]};
            motion_multiply (b->R, m->joint[j].point[side], arm);
            motion_cross (arm, f, turn);
            motion_multiply_transposed (b->R, turn, local);
            for (int k = 0; k < 3; ++k) b->v[k] += f[k] / m->mass[n], local[k] /= m->inertia[n][k];
            motion_multiply (b->R, local, change);
            for (int k = 0; k < 3; ++k) b->v[3 + k] += change[k];
        }
}

/* The poses and velocities at the end, before the second multipliers. */
static motion advanced (const motion *m, double h)
{
    motion to = *m;
    for (int b = 0; b < m->bodies; ++b)
    {
        double l[3], L[3], w[3];
        motion_body *body = &to.body[b];
        motion_multiply_transposed (body->R, body->v + 3, l);
        for (int k = 0; k < 3; ++k) L[k] = m->inertia[b][k] * l[k], body->x[k] += h * body->v[k];
        spin (m->inertia[b], L, h, w);
        cayley (body->R, w, h);
        momentum (m->inertia[b], w, h, -1, L);
        for (int k = 0; k < 3; ++k) l[k] = L[k] / m->inertia[b][k];
        motion_multiply (body->R, l, body->v + 3);
    }
    return to;
}

static void gaps (const motion *m, double *out)
{
    for (int j = 0; j < m->joints; ++j)
        motion_residual (&m->joint[j], &m->body[m->joint[j].a], &m->body[m->joint[j].b], out + 3 * j);
}

static void gaps_after (const motion *m, const double *p, double h, double *out)
{
    motion pushed = *m;
    push (&pushed, p);
    const motion to = advanced (&pushed, h);
    gaps (&to, out);
}

static double largest (const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax (most, fabs (x[i]));
    return most;
}

/* Impulses with which the joints are closed at the end, by Newton's method from none. */
static void close_joints (const motion *m, double h, double *p)
{
    const int n = 3 * m->joints;
    double at[MOST], moved[MOST], correction[MOST];
    memset (p, 0, sizeof (double) * (size_t)n);
    for (int i = 0; i < ITERATIONS; ++i)
    {
        gaps_after (m, p, h, at);
        if (largest (at, n) < CLOSED) return;
        oracle_matrix J = oracle_zeros (n, n);
        for (int k = 0; k < n; ++k)
        {
            p[k] += SMALL;
            gaps_after (m, p, h, moved);
            p[k] -= SMALL;
            for (int r = 0; r < n; ++r) oracle_row (&J, r)[k] = (moved[r] - at[r]) / SMALL;
        }
        oracle_svd svd = oracle_decompose (&J);
        oracle_pseudo_solve (&svd, n, at, correction);
        oracle_svd_free (&svd), oracle_free (&J);
        for (int k = 0; k < n; ++k) p[k] -= correction[k];
    }
    fail_msg ("the dense step does not close: %g", largest (at, n));
}

void variational_step (motion *m, double h)
{
    double p[MOST];
    close_joints (m, h, p);
    push (m, p);
    *m = advanced (m, h);
    motion_fit (m);
}

double variational_energy (const motion *m)
{
    double sum = 0;
    for (int b = 0; b < m->bodies; ++b)
    {
        double w[3];
        motion_multiply_transposed (m->body[b].R, m->body[b].v + 3, w);
        for (int k = 0; k < 3; ++k)
            sum += 0.5 * (m->mass[b] * m->body[b].v[k] * m->body[b].v[k] + m->inertia[b][k] * w[k] * w[k]);
    }
    return sum;
}

motion variational_of (const scene *s)
{
    motion m = {.bodies = s->bodies, .joints = s->joints};
    assert_true (s->bodies <= MOTION_BODIES && s->joints <= MOTION_JOINTS);
    for (int b = 0; b < s->bodies; ++b)
    {
        dMass mass;
        dBodyGetMass (s->body[b], &mass);
        m.mass[b] = (double)mass.mass;
        for (int k = 0; k < 3; ++k)
        {
            m.inertia[b][k] = (double)mass.I[5 * k];
            m.body[b].x[k] = (double)dBodyGetPosition (s->body[b])[k];
            m.body[b].v[k] = (double)dBodyGetLinearVel (s->body[b])[k];
            m.body[b].v[3 + k] = (double)dBodyGetAngularVel (s->body[b])[k];
        }
        for (int k = 0; k < 9; ++k)
            m.body[b].R[k] = (double)dBodyGetRotation (s->body[b])[4 * (k / 3) + k % 3];
    }
    for (int j = 0; j < s->joints; ++j)
    {
        dVector3 at[2], local;
        dJointGetBallAnchor (s->joint[j], at[0]), dJointGetBallAnchor2 (s->joint[j], at[1]);
        m.joint[j].type = MOTION_BALL;
        for (int side = 0; side < 2; ++side)
        {
            int b = 0;
            while (s->body[b] != dJointGetBody (s->joint[j], side)) ++b;
            *(side ? &m.joint[j].b : &m.joint[j].a) = b;
            dBodyGetPosRelPoint (s->body[b], at[side][0], at[side][1], at[side][2], local);
            for (int k = 0; k < 3; ++k) m.joint[j].point[side][k] = (double)local[k];
        }
    }
    return m;
}
