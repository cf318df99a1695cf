/* Vectors of three and 3 x 3 matrices (row-major). */
#ifndef RLS_MATRIX3_H
#define RLS_MATRIX3_H

#include "kernels.h"

static inline double rls_dot3 (const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double rls_square3 (const double x[3]) { return rls_dot3 (x, x); }
static inline double rls_length3 (const double x[3]) { return sqrt (rls_dot3 (x, x)); }

/* The square of the distance between two points. */
static inline double rls_apart2 (const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return rls_dot3 (d, d);
}

static inline void rls_cross (const double a[3], const double b[3], double out[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y;
}

/* out = A x and out = A' x; out must not be x. */
static inline void rls_multiply (const double A[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}
static inline void rls_multiply_transposed (const double A[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/* inverse := A^-1, by cofactors.  Returns the determinant; if that is 0 the inverse is not finite. */
RLS_INLINE double rls_invert3 (const double A[9], double inverse[9])
{
    const double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8],
                 c2 = A[3] * A[7] - A[4] * A[6];
    const double determinant = A[0] * c0 + A[1] * c1 + A[2] * c2, d = 1 / determinant;
    inverse[0] = d * c0, inverse[1] = d * (A[2] * A[7] - A[1] * A[8]);
    inverse[2] = d * (A[1] * A[5] - A[2] * A[4]), inverse[3] = d * c1;
    inverse[4] = d * (A[0] * A[8] - A[2] * A[6]), inverse[5] = d * (A[2] * A[3] - A[0] * A[5]);
    inverse[6] = d * c2, inverse[7] = d * (A[1] * A[6] - A[0] * A[7]);
    inverse[8] = d * (A[0] * A[4] - A[1] * A[3]);
    return determinant;
}

#endif
