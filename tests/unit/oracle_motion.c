/* Motion by an idea of its own; contract in oracle_motion.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle_motion.h"
#include <math.h>
#include <string.h>

#define SMALL 1e-5  /* m or rad: step of first differences */
#define MIDDLE 2e-3 /* s, for velocities of some 1 m/s: of differences along the motion */
#define MOST_ROWS (MOTION_MOST_ROWS * MOTION_JOINTS)

static const motion_body *body_of (const motion *m, int b)
{
    return b == NO_BODY ? &motion_world : &m->body[b];
}

static int residual (const motion *m, const motion_joint *j, double phi[6])
{
    return motion_residual (j, body_of (m, j->a), body_of (m, j->b), phi);
}

static int rates (const motion *m, const motion_joint *j, double psi[6])
{
    return motion_rates (j, body_of (m, j->a), body_of (m, j->b), psi);
}

/* ---- rows ---- */

static int count_rows (const motion *m)
{
    double any[6];
    int rows = 0;
    for (int i = 0; i < m->joints; ++i)
        rows += residual (m, &m->joint[i], any) + rates (m, &m->joint[i], any);
    return rows;
}

/* One column of a joint's rows: central differences of its functions in a displacement, and of its velocities
 * in a velocity, in which they are linear.  Returns how many rows. */
static int column (const motion *m, const motion_joint *j, int b, int k, double out[6])
{
    double at[2][MOTION_MOST_ROWS];
    int count = 0, held = 0;
    for (int sign = 0; sign < 2; ++sign)
    {
        motion moved = *m;
        double d[6] = {0};
        d[k] = sign ? SMALL : -SMALL;
        motion_displace (&moved.body[b], d);
        held = residual (&moved, j, at[sign]);
    }
    for (int r = 0; r < held; ++r) out[r] = (at[1][r] - at[0][r]) / (2 * SMALL);
    for (int sign = 0; sign < 2; ++sign)
    {
        motion moved = *m;
        moved.body[b].v[k] += sign ? 1 : -1;
        count = rates (&moved, j, at[sign]);
    }
    for (int r = 0; r < count; ++r) out[held + r] = (at[1][r] - at[0][r]) / 2;
    return held + count;
}

static oracle_matrix jacobian (const motion *m)
{
    oracle_matrix J = oracle_zeros (count_rows (m), 6 * m->bodies);
    for (int i = 0, r0 = 0, count = 0; i < m->joints; ++i, r0 += count)
    {
        const motion_joint *j = &m->joint[i];
        const int sides[2] = {j->a, j->b};
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < 6 && sides[side] != NO_BODY; ++k)
            {
                double rows[MOTION_MOST_ROWS];
                count = column (m, j, sides[side], k, rows);
                for (int r = 0; r < count; ++r) oracle_row (&J, r0 + r)[6 * sides[side] + k] = rows[r];
            }
    }
    return J;
}

/* Along constant velocities: the second derivative of all functions, the first of velocities; by differences
 * of fourth order over five poses. */
static void bend (const motion *m, double *out)
{
    static const double second[5] = {-1. / 12, 4. / 3, -5. / 2, 4. / 3, -1. / 12},
                        first[5] = {1. / 12, -2. / 3, 0, 2. / 3, -1. / 12};
    motion at[5];
    for (int t = 0; t < 5; ++t)
    {
        at[t] = *m;
        for (int b = 0; b < m->bodies; ++b)
        {
            double d[6];
            for (int k = 0; k < 6; ++k) d[k] = (t - 2) * MIDDLE * m->body[b].v[k];
            motion_displace (&at[t].body[b], d);
        }
    }
    for (int i = 0, r0 = 0, held = 0, count = 0; i < m->joints; ++i, r0 += held + count)
    {
        double phi[MOTION_MOST_ROWS], psi[MOTION_MOST_ROWS];
        for (int r = 0; r < MOTION_MOST_ROWS && r0 + r < MOST_ROWS; ++r) out[r0 + r] = 0;
        for (int t = 0; t < 5; ++t)
        {
            held = residual (&at[t], &m->joint[i], phi);
            count = rates (&at[t], &m->joint[i], psi);
            for (int r = 0; r < held; ++r) out[r0 + r] += second[t] * phi[r] / (MIDDLE * MIDDLE);
            for (int r = 0; r < count; ++r) out[r0 + held + r] += first[t] * psi[r] / MIDDLE;
        }
    }
}

/* What the rows' velocities are off by. */
static void missed (const motion *m, const oracle_matrix *J, double *out)
{
    double v[6 * MOTION_BODIES], along[MOST_ROWS];
    for (int b = 0; b < m->bodies; ++b) memcpy (v + 6 * b, m->body[b].v, sizeof (m->body[b].v));
    oracle_multiply (J, v, along);
    for (int i = 0, r0 = 0; i < m->joints; ++i)
    {
        double any[MOTION_MOST_ROWS];
        const int held = residual (m, &m->joint[i], any);
        memcpy (out + r0, along + r0, sizeof (double) * (size_t)held);
        r0 += held;
        r0 += rates (m, &m->joint[i], out + r0);
    }
}

/* ---- rank and motion ---- */

/* x := M^-1 x or, with half, M^-1/2 x, one body. */
static void divide_by_mass (const motion *m, int b, int half, double x[6])
{
    double body[3];
    motion_multiply_transposed (m->body[b].R, x + 3, body);
    for (int k = 0; k < 3; ++k)
    {
        x[k] /= half ? sqrt (m->mass[b]) : m->mass[b];
        body[k] /= half ? sqrt (m->inertia[b][k]) : m->inertia[b][k];
    }
    motion_multiply (m->body[b].R, body, x + 3);
}

/* The rows over square roots of masses, so that A A' is the Delassus matrix. */
static oracle_matrix weighted (const motion *m, const oracle_matrix *J)
{
    oracle_matrix A = oracle_zeros (J->rows, J->columns);
    memcpy (A.at, J->at, sizeof (double) * (size_t)J->rows * (size_t)J->columns);
    for (int r = 0; r < A.rows; ++r)
        for (int b = 0; b < m->bodies; ++b) divide_by_mass (m, b, 1, oracle_row (&A, r) + 6 * b);
    return A;
}

#define DEPENDENT 1e-6

int motion_rank (const motion *m)
{
    oracle_matrix J = jacobian (m), A = weighted (m, &J);
    oracle_svd svd = oracle_decompose (&A);
    const int rank = oracle_rank (&svd, DEPENDENT);
    oracle_svd_free (&svd);
    oracle_free (&A), oracle_free (&J);
    return rank;
}

/* a with J a = -bend that is nearest, in the metric of M, to the free accelerations. */
static void accelerate (const motion *m, double a[MOTION_BODIES][6])
{
    double curve[MOST_ROWS], wanted[MOST_ROWS], y[6 * MOTION_BODIES];
    for (int b = 0; b < m->bodies; ++b)
    {
        double L[3], w[3], torque[3], body[3];
        motion_multiply_transposed (m->body[b].R, m->body[b].v + 3, body);
        for (int k = 0; k < 3; ++k) w[k] = body[k], L[k] = m->inertia[b][k] * body[k];
        motion_cross (L, w, body);
        motion_multiply (m->body[b].R, body, torque);
        for (int k = 0; k < 3; ++k) a[b][k] = m->mass[b] * m->gravity[k], a[b][3 + k] = torque[k];
        divide_by_mass (m, b, 0, a[b]);
    }
    oracle_matrix J = jacobian (m), A = weighted (m, &J);
    bend (m, curve);
    oracle_multiply (&J, a[0], wanted);
    for (int r = 0; r < J.rows; ++r) wanted[r] = -curve[r] - wanted[r];
    oracle_svd svd = oracle_decompose (&A);
    oracle_pseudo_solve (&svd, oracle_rank (&svd, DEPENDENT), wanted, y);
    for (int b = 0; b < m->bodies; ++b)
    {
        divide_by_mass (m, b, 1, y + 6 * b);
        for (int k = 0; k < 6; ++k) a[b][k] += y[6 * b + k];
    }
    oracle_svd_free (&svd);
    oracle_free (&A), oracle_free (&J);
}

void motion_fit (motion *m)
{
    double off[MOST_ROWS], y[6 * MOTION_BODIES];
    oracle_matrix J = jacobian (m), A = weighted (m, &J);
    missed (m, &J, off);
    oracle_svd svd = oracle_decompose (&A);
    oracle_pseudo_solve (&svd, oracle_rank (&svd, DEPENDENT), off, y);
    for (int b = 0; b < m->bodies; ++b)
    {
        divide_by_mass (m, b, 1, y + 6 * b);
        for (int k = 0; k < 6; ++k) m->body[b].v[k] -= y[6 * b + k];
    }
    oracle_svd_free (&svd);
    oracle_free (&A), oracle_free (&J);
}

/* Classical Runge-Kutta; rotations as rotation vectors from the beginning, which is exact to its order
 * because the stages' increments are taken in one frame (Munthe-Kaas, with the first correction of dexp^-1).
 */
void motion_step (motion *m, double h)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const motion begin = *m;
    double d[MOTION_BODIES][6] = {{0}}, dv[MOTION_BODIES][6] = {{0}}, k[MOTION_BODIES][6] = {{0}},
           kv[MOTION_BODIES][6] = {{0}};
    for (int stage = 0; stage < 4; ++stage)
    {
        double a[MOTION_BODIES][6];
        *m = begin;
        for (int b = 0; b < m->bodies; ++b)
        {
            double moved[6];
            for (int i = 0; i < 6; ++i)
            {
                moved[i] = part[stage] * h * k[b][i];
                m->body[b].v[i] += part[stage] * h * kv[b][i];
            }
            motion_displace (&m->body[b], moved);
        }
        accelerate (m, a);
        for (int b = 0; b < m->bodies; ++b)
        {
            double turn[3], once[3], twice[3];
            for (int i = 0; i < 3; ++i) turn[i] = part[stage] * h * k[b][3 + i];
            motion_cross (turn, m->body[b].v + 3, once);
            motion_cross (turn, once, twice);
            for (int i = 0; i < 6; ++i)
            {
                k[b][i] = m->body[b].v[i] + (i < 3 ? 0 : -once[i - 3] / 2 + twice[i - 3] / 12);
                kv[b][i] = a[b][i];
                d[b][i] += h / 6 * weight[stage] * k[b][i];
                dv[b][i] += h / 6 * weight[stage] * kv[b][i];
            }
        }
    }
    *m = begin;
    for (int b = 0; b < m->bodies; ++b)
    {
        motion_displace (&m->body[b], d[b]);
        for (int i = 0; i < 6; ++i) m->body[b].v[i] += dv[b][i];
    }
}

double motion_difference (const motion *m, const scene *s)
{
    double worst = 0;
    for (int b = 0; b < m->bodies; ++b)
    {
        const dReal *x = dBodyGetPosition (s->body[b]), *R = dBodyGetRotation (s->body[b]);
        for (int k = 0; k < 3; ++k) worst = fmax (worst, fabs (m->body[b].x[k] - (double)x[k]));
        for (int k = 0; k < 9; ++k)
            worst = fmax (worst, fabs (m->body[b].R[k] - (double)R[4 * (k / 3) + k % 3]));
    }
    return worst;
}
