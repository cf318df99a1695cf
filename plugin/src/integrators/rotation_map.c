/* Which map turns which body; contract in rotation_map.h. */
#include "rotation_map.h"
#include "accelerate.h"

/* A body spins if the energy of its spin is so many times that of the motion of its centre about a joint;
 * less often, chains and rings would change from one map to the other as they move, and lose energy by that.
 */
#define SPINS 50

/* Sets lever to the way from the body's centre to joint j, to the axis of a hinge, and returns its square
 * (m^2).  For rows that are not compact it returns the largest |angular|^2 / |linear|^2; lever is not known.
 */
static double squared_lever (const rls_island *s, int j, int side, double lever[3])
{
    const int first = s->mechanism.row0[j], count = s->mechanism.row0[j + 1] - first;
    double longest = 0;
    if (rls_is_compact (&s->begin.rows, j))
    {
        const rls_compact *compact = s->begin.rows.compact + j;
        memset (lever, 0, 3 * sizeof (*lever));
        for (int i = 0; i < 2 && count == 5; ++i)
        {
            const double along = rls_dot3 (compact->arm[side], compact->across[i]);
            for (int k = 0; k < 3; ++k) lever[k] += along * compact->across[i][k];
        }
        if (count < 5) memcpy (lever, compact->arm[side], 3 * sizeof (*lever));
        return rls_dot3 (lever, lever);
    }
    for (int r = first; r < first + count; ++r)
    {
        const double *l = s->begin.rows.J[r] + 6 * side, *a = l + 3;
        const double linear = rls_dot3 (l, l);
        if (linear > 0) longest = rls_larger (longest, rls_dot3 (a, a) / linear);
    }
    lever[0] = lever[1] = lever[2] = NAN;
    return longest;
}

/* Returns 1 if body b turns visibly in a step of h (s) and mostly about the line through its centre and the
 * joint that holds it there, as a top does: its centre hardly moves. */
static int spins (const rls_island *s, int b, double h, const double lever[3])
{
    double R[9], own[3], momentum[3], across[3];
    rls_body_momentum (s->model.own_inertia[b], &s->state.pose[b], s->state.v[b], R, own, momentum);
    rls_cross (s->state.v[b] + 3, lever, across);
    return h * h * rls_dot3 (own, own) > RLS_LITTLE &&
           rls_dot3 (own, momentum) > SPINS * s->model.mass[b] * rls_dot3 (across, across);
}

void rls_rotation_maps_choose (rls_island *s, double h)
{
    memcpy (s->model.by_exponential, s->model.movable, (size_t)s->model.bodies);
    for (int j = 0; j < s->begin.rows.joints; ++j)
        for (int side = 0; side < 2; ++side)
        {
            const int b = s->mechanism.body[j][side];
            if (b < 0 || !s->model.by_exponential[b]) continue;
            const double *I = s->model.own_inertia[b], inertia = 0.5 * (I[0] + I[4] + I[8]);
            double lever[3];
            if (s->model.mass[b] * squared_lever (s, j, side, lever) > inertia && !spins (s, b, h, lever))
                s->model.by_exponential[b] = 0;
        }
}
