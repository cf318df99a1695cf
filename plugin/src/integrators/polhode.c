/*
 * Makes bodies that turn freely keep their energy.
 *
 * The step of cayley.h keeps the angular momentum of a free body to rounding, but its energy only to second
 * order.  In body axes the momentum m moves on a sphere, and exactly along the polhode, the curve of constant
 * energy on it.  A step leaves the polhode by a distance of third order.  The shortest way back is along (m x
 * w) x m, so the body is turned about m x w, by the angle
 *
 *     -(m'w - m0'w0) / (2 |m x w|)        w = I^-1 m; m0, w0: at the beginning of the step
 *
 * twice, since the energy is quadratic in the angle.  Momentum and energy are the only invariants of a free
 * rotation, so the remaining error is one of the phase, of the order of the step.
 */
#include "accelerate.h"
#include "cayley.h"
#include <float.h>

#define PASSES 2                /* each squares the relative error of the energy: 1e-5, 1e-10, rounding */
#define LEAST (4 * DBL_EPSILON) /* relative error of the energy below which it is rounding */
#define FARTHEST 3 /* to turn by more than 1 / FARTHEST of the angle between m and w: no polhode is near */

/* q := q turned by the small rotation -t (body axes), normalised. */
RLS_INLINE void turn_back (const rls_four t[3], rls_four q[4])
{
    const rls_four turn[4] = {q[0] * 0 + 1, -0.5 * t[0], -0.5 * t[1], -0.5 * t[2]},
                   before[4] = {q[0], q[1], q[2], q[3]};
    rls_lanes_quaternion_product (before, turn, q);
    rls_lanes_normalise (q);
}

RLS_VECTOR_CLONES void rls_polhode_return (rls_island *s)
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        const rls_four none = {0};
        rls_four I[9], J[9], R[9], q[4], u[6], v[3], w[3], m[3], L[3], axis[3], t[3];
        rls_mask free;
        for (int k = 0; k < RLS_LANES; ++k)
        {
            const double *torque = s->applied.force[g.body[k]] + 3;
            free[k] = -(s->model.gyroscopic[g.body[k]] && torque[0] == 0 && torque[1] == 0 && torque[2] == 0);
        }
        rls_lanes_load (s->model.inertia[0], 9, &g, 9, I);
        rls_lanes_load (s->model.inverse_inertia[0], 9, &g, 9, J);

        /* twice the energy at the beginning, and the momentum L at the end in world axes */
        rls_lanes_momentum (I, s->state.pose, s->state.v, &g, q, u, R, w, m);
        const rls_four energy = RLS_LANES_DOT (m, w);
        rls_lanes_momentum (I, s->next.pose, s->next.v, &g, q, u, R, w, m);
        rls_lanes_multiply (R, m, L);

        /* turn the body to that energy, with L constant */
        for (int pass = 0; pass < PASSES; ++pass)
        {
            rls_lanes_cross (m, w, axis);
            const rls_four d = RLS_LANES_DOT (m, w) - energy, far = -0.5 * d / RLS_LANES_DOT (axis, axis);
            const rls_mask leads =
                free & (rls_mask)(d * d > LEAST * LEAST * energy * energy) &
                (rls_mask)(far * far * RLS_LANES_DOT (m, m) * RLS_LANES_DOT (w, w) * (FARTHEST * FARTHEST) <
                           1);
            for (int k = 0; k < 3; ++k) t[k] = RLS_SELECT (leads, far * axis[k], none);
            turn_back (t, q);
            rls_lanes_matrix (q, R);
            rls_lanes_multiply_transposed (R, L, m);
            rls_lanes_multiply (J, m, w);
        }
        rls_lanes_multiply (R, w, v);
        for (int k = 0; k < RLS_LANES; ++k)
            for (int c = 0; c < 4 && free[k]; ++c)
            {
                s->next.pose[g.body[k]].q[c] = q[c][k];
                if (c < 3) s->next.v[g.body[k]][3 + c] = v[c][k];
            }
    }
}
