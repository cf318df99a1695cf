/* Which map turns which body; contract in rotation_map.h. */
#include "rotation_map.h"

/* Returns the squared distance (m^2) from the body's centre at which joint j holds it: for rows that are not
 * compact the largest |angular|^2 / |linear|^2. */
static double squared_lever (const rls_island *s, int j, int side)
{
    if (rls_is_compact (&s->begin.rows, j))
    {
        const double *arm = s->begin.rows.compact[j].arm[side];
        return rls_dot3 (arm, arm);
    }
    double longest = 0;
    for (int r = s->mechanism.row0[j]; r < s->mechanism.row0[j + 1]; ++r)
    {
        const double *l = s->begin.rows.J[r] + 6 * side, *a = l + 3;
        const double linear = rls_dot3 (l, l);
        if (linear > 0) longest = rls_larger (longest, rls_dot3 (a, a) / linear);
    }
    return longest;
}

void rls_rotation_maps_choose (rls_island *s)
{
    int left = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        left += s->model.by_exponential[b] =
            s->model.movable[b] && s->model.turn[b] != RLS_TURN_INFINITESIMAL;
    for (int j = 0; j < s->begin.rows.joints && left > 0; ++j)
        for (int side = 0; side < 2; ++side)
        {
            const int b = s->mechanism.body[j][side];
            if (b < 0 || !s->model.by_exponential[b]) continue;
            const double *I = s->model.own_inertia[b], inertia = 0.5 * (I[0] + I[4] + I[8]);
            if (s->model.mass[b] * squared_lever (s, j, side) <= inertia) continue;
            s->model.by_exponential[b] = 0;
            --left;
        }
}
