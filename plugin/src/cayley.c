/* The Cayley rotation of a variational step; equations in cayley.h. */
#include "cayley.h"
#include "rotation.h"
#include <math.h>
#include <string.h>

#define MOST_ITERATIONS 40

/* B := A^-1 by cofactors.  Returns 0 if A is singular. */
static int invert (const double A[9], double B[9])
{
    const double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8],
                 c2 = A[3] * A[7] - A[4] * A[6];
    const double determinant = A[0] * c0 + A[1] * c1 + A[2] * c2;
    if (!(fabs (determinant) > 0) || !isfinite (determinant)) return 0;
    const double d = 1 / determinant;
    B[0] = d * c0, B[1] = d * (A[2] * A[7] - A[1] * A[8]), B[2] = d * (A[1] * A[5] - A[2] * A[4]);
    B[3] = d * c1, B[4] = d * (A[0] * A[8] - A[2] * A[6]), B[5] = d * (A[2] * A[3] - A[0] * A[5]);
    B[6] = d * c2, B[7] = d * (A[1] * A[6] - A[0] * A[7]), B[8] = d * (A[0] * A[4] - A[1] * A[3]);
    return 1;
}

static void product (const double A[9], const double B[9], double out[9])
{
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; ++k) out[i + k] = A[i] * B[k] + A[i + 1] * B[3 + k] + A[i + 2] * B[6 + k];
}

/* Derivative of I w + (h/2) w x I w + (h^2/4) (w' I w) w by w. */
static void momentum_slope (const double I[9], const double w[3], const double L[3], double h, double A[9])
{
    const double a = 0.5 * h, b = 0.25 * h * h, q = w[0] * L[0] + w[1] * L[1] + w[2] * L[2];
    for (int k = 0; k < 3; ++k)
    {
        A[k] = I[k] + a * (w[1] * I[6 + k] - w[2] * I[3 + k]) + 2 * b * w[0] * L[k];
        A[3 + k] = I[3 + k] + a * (w[2] * I[k] - w[0] * I[6 + k]) + 2 * b * w[1] * L[k];
        A[6 + k] = I[6 + k] + a * (w[0] * I[3 + k] - w[1] * I[k]) + 2 * b * w[2] * L[k];
        A[4 * k] += b * q;
    }
    A[1] += a * L[2], A[2] -= a * L[1];
    A[3] -= a * L[2], A[5] += a * L[0];
    A[6] += a * L[1], A[7] -= a * L[0];
}

/* Newton's method from spin->w.  Returns 0 if it does not converge. */
static int solve (const double I[9], const double goal[3], double h, rls_spin *spin)
{
    double A[9], inverse[9];
    double *w = spin->w;
    for (int iteration = 0; iteration < MOST_ITERATIONS; ++iteration)
    {
        double L[3], turn[3], r[3], step[3];
        rls_multiply (I, w, L);
        rls_cross (w, L, turn);
        const double b = 0.25 * h * h * (w[0] * L[0] + w[1] * L[1] + w[2] * L[2]);
        for (int k = 0; k < 3; ++k) r[k] = goal[k] - L[k] - 0.5 * h * turn[k] - b * w[k];
        momentum_slope (I, w, L, h, A);
        if (!invert (A, inverse)) return 0;
        rls_multiply (inverse, r, step);
        double moved = 0, size = 0;
        for (int k = 0; k < 3; ++k)
        {
            w[k] += step[k];
            moved = rls_larger (moved, fabs (step[k]));
            size = rls_larger (size, fabs (w[k]));
        }
        if (!isfinite (moved)) return 0;
        if (moved <= 1e-9 * size ||
            moved < 1e-150) /* quadratic convergence: the next step is below rounding */
        {
            product (inverse, I, spin->slope);
            return 1;
        }
    }
    return 0;
}

/* w := what the momentum comes to without the term that turns it.  A thin body's own axis, along which
 * l0 is of no meaning and may be huge, has most of its inertia from the last one. */
static int begin_thin (const double I[9], const double l0[3], const double goal[3], double h, rls_spin *spin)
{
    const double b = 0.25 * h * h * (l0[0] * goal[0] + l0[1] * goal[1] + l0[2] * goal[2]);
    double A[9], inverse[9];
    memcpy (A, I, sizeof (A));
    for (int k = 0; k < 3; ++k) A[4 * k] += b;
    if (!invert (A, inverse)) return 0;
    rls_multiply (inverse, goal, spin->w);
    return 1;
}

int rls_cayley_solve (const double I[9], const double l0[3], double h, rls_spin *spin)
{
    double goal[3];
    double *w = spin->w;
    rls_multiply (I, l0, goal);
    for (int k = 0; k < 3; ++k)
        w[k] += spin->slope[3 * k] * (l0[0] - spin->l[0]) + spin->slope[3 * k + 1] * (l0[1] - spin->l[1]) +
                spin->slope[3 * k + 2] * (l0[2] - spin->l[2]);
    memcpy (spin->l, l0, sizeof (spin->l));
    return solve (I, goal, h, spin) || (begin_thin (I, l0, goal, h, spin) && solve (I, goal, h, spin));
}

void rls_cayley_turn (const double q0[4], double h, rls_spin *spin, double q1[4])
{
    const double turn[4] = {1, 0.5 * h * spin->w[0], 0.5 * h * spin->w[1], 0.5 * h * spin->w[2]};
    rls_quaternion_product (q0, turn, q1);
    rls_quaternion_normalise (q1);
    rls_quaternion_matrix (q1, spin->R1);
}

void rls_cayley_tangent (const rls_spin *spin, double h, double T[9])
{
    /* R1 (1 - (h/2) [w]x) / (1 + h^2 w^2 / 4) (dw/dl) R0' */
    const double *w = spin->w, a = 0.5 * h;
    const double s = 1 / (1 + a * a * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    const double C[9] = {s,
                         s * a * w[2],
                         -s * a * w[1], /**/
                         -s * a * w[2],
                         s,
                         s * a * w[0], /**/
                         s * a * w[1],
                         -s * a * w[0],
                         s};
    double M[9], N[9];
    product (C, spin->slope, M);
    product (spin->R1, M, N);
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; ++k)
            T[i + k] =
                N[i] * spin->R0[3 * k] + N[i + 1] * spin->R0[3 * k + 1] + N[i + 2] * spin->R0[3 * k + 2];
}

void rls_cayley_end (const double I[9], const double inverse_inertia[9], const rls_spin *spin, double h,
                     double l1[3])
{
    const double *w = spin->w;
    double L[3], turn[3];
    rls_multiply (I, w, L);
    rls_cross (w, L, turn);
    const double b = 0.25 * h * h * (w[0] * L[0] + w[1] * L[1] + w[2] * L[2]);
    for (int k = 0; k < 3; ++k) L[k] += b * w[k] - 0.5 * h * turn[k];
    rls_multiply (inverse_inertia, L, l1);
}
