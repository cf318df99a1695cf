/*
 * The box of uniform density with the mass and inertia of a body.  The principal axes are found by Jacobi's
 * method: pairs of axes are rotated until the products of inertia vanish.
 */
#include "model.h"
#include "model_parts.h"

#include "vec.h"

#include <math.h>

/* The quaternion of the rotation whose columns are three right-handed axes. */
static void quat_of (double q[4], double axis[3][3])
{
    dMatrix3 r = {axis[0][0], axis[1][0], axis[2][0], 0,          axis[0][1], axis[1][1],
                  axis[2][1], 0,          axis[0][2], axis[1][2], axis[2][2], 0};
    dQuaternion out;
    dRtoQ (r, out);
    for (int k = 0; k < 4; k++) q[k] = out[k];
}

/* Rotates axes u and v of the inertia tensor so that their product of inertia vanishes. */
static void turn (double t[3][3], double axis[3][3], int u, int v)
{
    if (t[u][v] == 0) return;
    const double angle = 0.5 * atan2 (2 * t[u][v], t[v][v] - t[u][u]), c = cos (angle), s = sin (angle);
    for (int k = 0; k < 3; k++)
    {
        const double a = t[k][u], b = t[k][v], p = axis[u][k], q = axis[v][k];
        t[k][u] = c * a - s * b;
        t[k][v] = s * a + c * b;
        axis[u][k] = c * p - s * q;
        axis[v][k] = s * p + c * q;
    }
    for (int k = 0; k < 3; k++)
    {
        const double a = t[u][k], b = t[v][k];
        t[u][k] = c * a - s * b;
        t[v][k] = s * a + c * b;
    }
}

void model_inertia_box (model_body *b, const dMass *mass)
{
    double t[3][3], axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) t[i][k] = mass->I[4 * i + k];
    for (int sweep = 0; sweep < 8; sweep++)
        for (int u = 0; u < 2; u++)
            for (int v = u + 1; v < 3; v++) turn (t, axis, u, v);
    quat_of (b->principal, axis);
    for (int k = 0; k < 3; k++)
    {
        const double square =
            1.5 * (t[(k + 1) % 3][(k + 1) % 3] + t[(k + 2) % 3][(k + 2) % 3] - t[k][k]) / mass->mass;
        b->inertia_half[k] = sqrt (fmax (square, 0));
    }
}
