/* Which map turns which body; contract in rotation_map.h. */
#include "rotation_map.h"

/* Returns the squared distance (m^2) from the body's centre at which joint j holds it: for a hinge that of
 * its axis, for rows that are not compact the largest |angular|^2 / |linear|^2. */
static double squared_lever (const rls_island *s, int j, int side)
{
    const int first = s->mechanism.row0[j], count = s->mechanism.row0[j + 1] - first;
    if (rls_is_compact (&s->begin.rows, j))
    {
        const rls_compact *compact = s->begin.rows.compact + j;
        const double *arm = compact->arm[side], *p = compact->across[0], *q = compact->across[1];
        const double along_p = rls_dot3 (arm, p), along_q = rls_dot3 (arm, q);
        return count < 5 ? rls_dot3 (arm, arm) : along_p * along_p + along_q * along_q;
    }
    double longest = 0;
    for (int r = first; r < first + count; ++r)
    {
        const double *l = s->begin.rows.J[r] + 6 * side, *a = l + 3;
        const double linear = rls_dot3 (l, l);
        if (linear > 0) longest = rls_larger (longest, rls_dot3 (a, a) / linear);
    }
    return longest;
}

void rls_rotation_maps_choose (rls_island *s)
{
    memcpy (s->model.by_exponential, s->model.movable, (size_t)s->model.bodies);
    for (int j = 0; j < s->begin.rows.joints; ++j)
        for (int side = 0; side < 2; ++side)
        {
            const int b = s->mechanism.body[j][side];
            if (b < 0 || !s->model.by_exponential[b]) continue;
            const double *I = s->model.own_inertia[b], inertia = 0.5 * (I[0] + I[4] + I[8]);
            if (s->model.mass[b] * squared_lever (s, j, side) > inertia) s->model.by_exponential[b] = 0;
        }
}
