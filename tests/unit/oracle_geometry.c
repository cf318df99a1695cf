/* Joints as geometry tells; contract in oracle_geometry.h. */
#include "oracle_geometry.h"
#include <math.h>
#include <string.h>

/* ---- vectors ---- */

void motion_multiply (const double A[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

void motion_multiply_transposed (const double A[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

double motion_dot (const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void motion_cross (const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Two directions across an axis. */
void motion_across (const double axis[3], double u[3], double w[3])
{
    double any[3] = {0, 0, 0};
    any[fabs (axis[0]) < 0.6 ? 0 : 1] = 1;
    motion_cross (axis, any, u);
    const double size = sqrt (motion_dot (u, u));
    for (int k = 0; k < 3; ++k) u[k] /= size;
    motion_cross (axis, u, w);
}

/* R := exp (turn) R, by Rodrigues' formula. */
void motion_turn (double R[9], const double turn[3])
{
    const double angle = sqrt (motion_dot (turn, turn));
    if (angle == 0) return;
    for (int c = 0; c < 3; ++c)
    {
        double x[3] = {R[c], R[3 + c], R[6 + c]}, n[3], y[3];
        for (int k = 0; k < 3; ++k) n[k] = turn[k] / angle;
        motion_cross (n, x, y);
        const double along = motion_dot (n, x) * (1 - cos (angle));
        for (int k = 0; k < 3; ++k) R[3 * k + c] = x[k] * cos (angle) + y[k] * sin (angle) + n[k] * along;
    }
}

void motion_displace (motion_body *b, const double d[6])
{
    for (int k = 0; k < 3; ++k) b->x[k] += d[k];
    motion_turn (b->R, d + 3);
}

/* ---- joints ---- */

const motion_body motion_world = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};

static void point_of (const motion_body *b, const double local[3], double out[3])
{
    motion_multiply (b->R, local, out);
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

int motion_residual (const motion_joint *j, const motion_body *a, const motion_body *b, double phi[6])
{
    double p[2][3], axis[2][3], gap[3], u[3], w[3], U[3], W[3], far[3], other[2][3], slide[3];

    /* anchors and axes in the world, and the directions across the axis of b */
    point_of (a, j->point[0], p[0]), point_of (b, j->point[1], p[1]);
    motion_multiply (a->R, j->axis[0], axis[0]), motion_multiply (b->R, j->axis[1], axis[1]);
    motion_multiply (a->R, j->other[0], other[0]), motion_multiply (b->R, j->other[1], other[1]);
    motion_multiply (a->R, j->slide[0], slide);
    for (int k = 0; k < 3; ++k) gap[k] = p[0][k] - p[1][k];
    motion_across (j->axis[1], u, w);
    motion_multiply (b->R, u, U), motion_multiply (b->R, w, W);

    switch (j->type)
    {
    case MOTION_BALL:
        memcpy (phi, gap, sizeof (gap));
        return 3;
    case MOTION_HINGE:
        memcpy (phi, gap, sizeof (gap));
        phi[3] = motion_dot (axis[0], U), phi[4] = motion_dot (axis[0], W);
        return 5;
    case MOTION_SLIDER:
        turned (j, a, b, phi);
        phi[3] = motion_dot (gap, U), phi[4] = motion_dot (gap, W);
        return 5;
    case MOTION_UNIVERSAL:
        memcpy (phi, gap, sizeof (gap));
        phi[3] = motion_dot (axis[0], other[1]);
        return 4;
    case MOTION_FIXED:
        turned (j, a, b, phi);
        memcpy (phi + 3, gap, sizeof (gap));
        return 6;
    case MOTION_PISTON:
        phi[0] = motion_dot (axis[0], U), phi[1] = motion_dot (axis[0], W);
        phi[2] = motion_dot (gap, U), phi[3] = motion_dot (gap, W);
        return 4;
    case MOTION_PR: /* turns about the axis of b, slides across it along an axis of a */
        motion_cross (axis[0], slide, w);
        phi[0] = motion_dot (axis[0], U), phi[1] = motion_dot (axis[0], W);
        phi[2] = motion_dot (gap, axis[0]), phi[3] = motion_dot (gap, w);
        return 4;
    case MOTION_PU: /* a universal joint that slides along an axis of a */
        motion_across (j->slide[0], u, w);
        motion_multiply (a->R, u, U), motion_multiply (a->R, w, W);
        phi[0] = motion_dot (axis[0], other[1]);
        phi[1] = motion_dot (gap, U), phi[2] = motion_dot (gap, W);
        return 3;
    case MOTION_HINGE2:
        memcpy (phi, gap, sizeof (gap));
        phi[3] = motion_dot (axis[0], other[1]) - j->wanted;
        return 4;
    case MOTION_ROD:
    case MOTION_DOUBLE_HINGE:
        point_of (b, j->other[1], far);
        for (int k = 0; k < 3; ++k) gap[k] = p[0][k] - far[k];
        phi[0] = sqrt (motion_dot (gap, gap)) - j->length;
        if (j->type == MOTION_ROD) return 1;
        phi[1] = motion_dot (axis[0], U), phi[2] = motion_dot (axis[0], W);
        phi[3] = motion_dot (gap, axis[0]);
        return 4;
    case MOTION_PLANE:
        phi[0] = a->x[2];
        return 1;
    default:
        return 0;
    }
}

int motion_rates (const motion_joint *j, const motion_body *a, const motion_body *b, double psi[6])
{
    double axis[3], relative[6];
    motion_multiply (a->R, j->axis[0], axis);
    for (int k = 0; k < 6; ++k) relative[k] = a->v[k] - b->v[k];
    switch (j->type)
    {
    case MOTION_ANGULAR_MOTOR:
        psi[0] = motion_dot (axis, relative + 3) - j->wanted;
        return 1;
    case MOTION_LINEAR_MOTOR: /* at the centres of mass */
        psi[0] = motion_dot (j->turn, relative) - j->wanted;
        return 1;
    case MOTION_PLANE:
        psi[0] = a->v[3], psi[1] = a->v[4];
        return 2;
    case MOTION_GEARS:
        psi[0] = j->wanted * motion_dot (axis, a->v + 3) + motion_dot (axis, b->v + 3);
        return 1;
    default:
        return 0;
    }
}
