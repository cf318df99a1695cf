/* Mechanisms by an idea of their own; contract in oracle_motion.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle_motion.h"
#include <math.h>
#include <string.h>

#define SMALL 1e-5  /* m or rad: step of first differences */
#define MIDDLE 3e-4 /* s, for velocities of some 1 m/s: of second ones */
#define MOST_ROWS (6 * MOTION_JOINTS)

/* ---- vectors ---- */

static void multiply (const double A[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

static void multiply_transposed (const double A[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

static double dot (const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross (const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Two directions across an axis. */
static void across (const double axis[3], double u[3], double w[3])
{
    double any[3] = {0, 0, 0};
    any[fabs (axis[0]) < 0.6 ? 0 : 1] = 1;
    cross (axis, any, u);
    const double size = sqrt (dot (u, u));
    for (int k = 0; k < 3; ++k) u[k] /= size;
    cross (axis, u, w);
}

/* R := exp (turn) R, by Rodrigues' formula. */
static void turn_by (double R[9], const double turn[3])
{
    const double angle = sqrt (dot (turn, turn));
    if (angle == 0) return;
    for (int c = 0; c < 3; ++c)
    {
        double x[3] = {R[c], R[3 + c], R[6 + c]}, n[3], y[3];
        for (int k = 0; k < 3; ++k) n[k] = turn[k] / angle;
        cross (n, x, y);
        const double along = dot (n, x) * (1 - cos (angle));
        for (int k = 0; k < 3; ++k) R[3 * k + c] = x[k] * cos (angle) + y[k] * sin (angle) + n[k] * along;
    }
}

static void displace (motion_body *b, const double d[6])
{
    for (int k = 0; k < 3; ++k) b->x[k] += d[k];
    turn_by (b->R, d + 3);
}

/* ---- constraints ---- */

static const motion_body world = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};

static const motion_body *body_of (const motion *m, int b) { return b == NO_BODY ? &world : &m->body[b]; }

static void point_of (const motion_body *b, const double local[3], double out[3])
{
    multiply (b->R, local, out);
    for (int k = 0; k < 3; ++k) out[k] += b->x[k];
}

/* How far a is turned against b from where it was: for small turns the rotation vector in b's frame. */
static void turned (const motion_joint *j, const motion_body *a, const motion_body *b, double out[3])
{
    double D[9]; /* Rb' Ra turn' */
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
        {
            double column[3] = {0, 0, 0};
            for (int r = 0; r < 3; ++r)
                for (int s = 0; s < 3; ++s) column[r] += a->R[3 * r + s] * j->turn[3 * k + s];
            D[3 * i + k] = b->R[i] * column[0] + b->R[3 + i] * column[1] + b->R[6 + i] * column[2];
        }
    out[0] = (D[7] - D[5]) / 2, out[1] = (D[2] - D[6]) / 2, out[2] = (D[3] - D[1]) / 2;
}

/* The joint's functions, zero where it is closed.  Returns how many. */
static int residual (const motion *m, const motion_joint *j, double phi[6])
{
    const motion_body *a = body_of (m, j->a), *b = body_of (m, j->b);
    double p[2][3], axis[2][3], gap[3], u[3], w[3], turn[3], far[2][3];
    point_of (a, j->point[0], p[0]), point_of (b, j->point[1], p[1]);
    multiply (a->R, j->axis[0], axis[0]), multiply (b->R, j->axis[1], axis[1]);
    for (int k = 0; k < 3; ++k) gap[k] = p[0][k] - p[1][k];
    across (j->axis[1], u, w);
    double U[3], W[3];
    multiply (b->R, u, U), multiply (b->R, w, W);
    switch (j->type)
    {
    case MOTION_BALL:
        memcpy (phi, gap, sizeof (gap));
        return 3;
    case MOTION_HINGE:
        memcpy (phi, gap, sizeof (gap));
        phi[3] = dot (axis[0], U), phi[4] = dot (axis[0], W);
        return 5;
    case MOTION_SLIDER:
        turned (j, a, b, turn);
        memcpy (phi, turn, sizeof (turn));
        phi[3] = dot (gap, U), phi[4] = dot (gap, W);
        return 5;
    case MOTION_UNIVERSAL:
        multiply (b->R, j->other[1], far[1]);
        memcpy (phi, gap, sizeof (gap));
        phi[3] = dot (axis[0], far[1]);
        return 4;
    case MOTION_FIXED:
        turned (j, a, b, turn);
        memcpy (phi, turn, sizeof (turn));
        memcpy (phi + 3, gap, sizeof (gap));
        return 6;
    case MOTION_PISTON:
        phi[0] = dot (axis[0], U), phi[1] = dot (axis[0], W);
        phi[2] = dot (gap, U), phi[3] = dot (gap, W);
        return 4;
    default:
        point_of (b, j->other[1], far[1]);
        for (int k = 0; k < 3; ++k) gap[k] = p[0][k] - far[1][k];
        phi[0] = sqrt (dot (gap, gap)) - j->length;
        return 1;
    }
}

/* J by central differences of every body of every joint. */
static oracle_matrix jacobian (const motion *m)
{
    double phi[2][6];
    int rows = 0;
    for (int i = 0; i < m->joints; ++i) rows += residual (m, &m->joint[i], phi[0]);
    oracle_matrix J = oracle_zeros (rows, 6 * m->bodies);
    for (int i = 0, r0 = 0, count = 0; i < m->joints; ++i, r0 += count)
    {
        const motion_joint *j = &m->joint[i];
        const int sides[2] = {j->a, j->b};
        count = residual (m, j, phi[0]);
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < 6 && sides[side] != NO_BODY; ++k)
            {
                for (int sign = 0; sign < 2; ++sign)
                {
                    motion moved = *m;
                    double d[6] = {0};
                    d[k] = sign ? SMALL : -SMALL;
                    displace (&moved.body[sides[side]], d);
                    residual (&moved, j, phi[sign]);
                }
                for (int r = 0; r < count; ++r)
                    oracle_row (&J, r0 + r)[6 * sides[side] + k] = (phi[1][r] - phi[0][r]) / (2 * SMALL);
            }
    }
    return J;
}

/* Second derivative of all functions along constant velocities. */
static void bend (const motion *m, double *out)
{
    double phi[3][6];
    motion at[3] = {*m, *m, *m};
    for (int t = 0; t < 3; t += 2)
        for (int b = 0; b < m->bodies; ++b)
        {
            double d[6];
            for (int k = 0; k < 6; ++k) d[k] = (t - 1) * MIDDLE * m->body[b].v[k];
            displace (&at[t].body[b], d);
        }
    for (int i = 0, r0 = 0, count = 0; i < m->joints; ++i, r0 += count)
    {
        for (int t = 0; t < 3; ++t) count = residual (&at[t], &m->joint[i], phi[t]);
        for (int r = 0; r < count; ++r)
            out[r0 + r] = (phi[0][r] - 2 * phi[1][r] + phi[2][r]) / (MIDDLE * MIDDLE);
    }
}

/* ---- rank and motion ---- */

/* x := M^-1 x or, with half, M^-1/2 x, one body. */
static void divide_by_mass (const motion *m, int b, int half, double x[6])
{
    double body[3];
    multiply_transposed (m->body[b].R, x + 3, body);
    for (int k = 0; k < 3; ++k)
    {
        x[k] /= half ? sqrt (m->mass[b]) : m->mass[b];
        body[k] /= half ? sqrt (m->inertia[b][k]) : m->inertia[b][k];
    }
    multiply (m->body[b].R, body, x + 3);
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
        multiply_transposed (m->body[b].R, m->body[b].v + 3, body);
        for (int k = 0; k < 3; ++k) w[k] = body[k], L[k] = m->inertia[b][k] * body[k];
        cross (L, w, body);
        multiply (m->body[b].R, body, torque);
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
            displace (&m->body[b], moved);
        }
        accelerate (m, a);
        for (int b = 0; b < m->bodies; ++b)
        {
            double turn[3], once[3], twice[3];
            for (int i = 0; i < 3; ++i) turn[i] = part[stage] * h * k[b][3 + i];
            cross (turn, m->body[b].v + 3, once);
            cross (turn, once, twice);
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
        displace (&m->body[b], d[b]);
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

/* ---- both forms of a mechanism ---- */

static void into_frame (const motion_body *b, const double x[3], int is_point, double out[3])
{
    double d[3];
    for (int k = 0; k < 3; ++k) d[k] = x[k] - (is_point ? b->x[k] : 0);
    multiply_transposed (b->R, d, out);
}

static void add_joint (motion *m, scene *s, motion_type type, int a, int b, const double at[3],
                       const double axis[3], const double other[3])
{
    static dJointID (*const create[MOTION_TYPES]) (dWorldID, dJointGroupID) = {
        dJointCreateBall,  dJointCreateHinge,  dJointCreateSlider, dJointCreateUniversal,
        dJointCreateFixed, dJointCreatePiston, dJointCreateDBall};
    assert_true (m->joints < MOTION_JOINTS);
    motion_joint *j = &m->joint[m->joints++];
    *j = (motion_joint){.type = type, .a = a, .b = b};
    const motion_body *sides[2] = {body_of (m, a), body_of (m, b)};
    double far[3], square = 0;
    for (int k = 0; k < 3; ++k)
        far[k] = type == MOTION_ROD ? at[k] + other[k] : other[k], square += other[k] * other[k];
    j->length = sqrt (square);
    for (int side = 0; side < 2; ++side)
    {
        into_frame (sides[side], at, 1, j->point[side]);
        into_frame (sides[side], axis, 0, j->axis[side]);
        into_frame (sides[side], far, type == MOTION_ROD, j->other[side]);
    }
    for (int i = 0; i < 3; ++i) /* turn = Rb' Ra */
        for (int k = 0; k < 3; ++k)
            for (int r = 0; r < 3; ++r) j->turn[3 * i + k] += sides[1]->R[3 * r + i] * sides[0]->R[3 * r + k];
    const dJointID joint = scene_joint (s, create[type], a, b);
    switch (type)
    {
    case MOTION_BALL:
        dJointSetBallAnchor (joint, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
        break;
    case MOTION_HINGE:
        dJointSetHingeAnchor (joint, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
        dJointSetHingeAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
        break;
    case MOTION_SLIDER:
        dJointSetSliderAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
        break;
    case MOTION_UNIVERSAL:
        dJointSetUniversalAnchor (joint, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
        dJointSetUniversalAxis1 (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
        dJointSetUniversalAxis2 (joint, (dReal)other[0], (dReal)other[1], (dReal)other[2]);
        break;
    case MOTION_FIXED:
        dJointSetFixed (joint);
        break;
    case MOTION_PISTON:
        dJointSetPistonAnchor (joint, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
        dJointSetPistonAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
        break;
    default:
        dJointSetDBallAnchor1 (joint, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
        dJointSetDBallAnchor2 (joint, (dReal)far[0], (dReal)far[1], (dReal)far[2]);
    }
}

static void add_body (motion *m, scene *s, oracle_random *random, int planar)
{
    const int b = m->bodies++;
    motion_body *body = &m->body[b];
    double x[3], size[3], turn[3];
    for (int k = 0; k < 3; ++k)
    {
        x[k] = planar && k == 1 ? 0 : oracle_uniform (random, -1, 1);
        size[k] = oracle_uniform (random, 0.3, 1);
        turn[k] = planar ? 0 : oracle_uniform (random, -2, 2);
    }
    m->mass[b] = oracle_uniform (random, 0.5, 2);
    *body = world;
    memcpy (body->x, x, sizeof (x));
    turn_by (body->R, turn);
    for (int k = 0; k < 3; ++k)
        m->inertia[b][k] =
            m->mass[b] / 12 * (size[(k + 1) % 3] * size[(k + 1) % 3] + size[(k + 2) % 3] * size[(k + 2) % 3]);
    scene_box (s, (dReal)x[0], (dReal)x[1], (dReal)x[2], (dReal)m->mass[b], (dReal)size[0], (dReal)size[1],
               (dReal)size[2]);
    dMatrix3 R = {0};
    for (int k = 0; k < 9; ++k) R[4 * (k / 3) + k % 3] = (dReal)body->R[k];
    dBodySetRotation (s->body[b], R);
}

static void join (motion *m, scene *s, oracle_random *random, int a, int b, int planar)
{
    double at[3], axis[3], other[3], size = 0;
    const motion_body *sides[2] = {body_of (m, a), body_of (m, b)};
    for (int k = 0; k < 3; ++k)
    {
        at[k] = (sides[0]->x[k] + sides[1]->x[k]) / 2 +
                (planar && k == 1 ? 0 : oracle_uniform (random, -0.3, 0.3));
        axis[k] = planar && k == 1 ? 0 : oracle_uniform (random, -1, 1);
        size += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; ++k) axis[k] /= sqrt (size);
    double unused[3];
    across (axis, other, unused);
    motion_type type = (motion_type)(int)oracle_uniform (random, 0, MOTION_TYPES - 1e-9);
    if (planar)
    {
        type = oracle_uniform (random, 0, 1) < 0.25 && b != NO_BODY ? MOTION_SLIDER : MOTION_HINGE;
        if (type == MOTION_HINGE) axis[0] = axis[2] = 0, axis[1] = 1;
    }
    add_joint (m, s, type, a, b, at, axis, other);
}

motion motion_make (oracle_random *random, int bodies, int loops, int planar, int fixed, scene *s)
{
    motion m = {.gravity = {0.7, planar ? 0 : 0.4, -9}};
    *s = scene_open (0);
    if (!fixed) memset (m.gravity, 0, sizeof (m.gravity));
    dWorldSetGravity (s->world, (dReal)m.gravity[0], (dReal)m.gravity[1], (dReal)m.gravity[2]);
    for (int b = 0; b < bodies; ++b)
    {
        add_body (&m, s, random, planar);
        const int to = b == 0 ? NO_BODY : (int)oracle_uniform (random, 0, b - 1e-9);
        if (b > 0 || fixed) join (&m, s, random, b, to, planar);
    }
    for (int i = 0; i < loops; ++i)
        join (&m, s, random, bodies - 1 - i % bodies, fixed ? NO_BODY : 0, planar);
    return m;
}
