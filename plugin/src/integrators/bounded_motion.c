/* How far bodies have moved along bounded rows over a sub-step; contract in bounded_halves.h. */
#include "bounded_halves.h"
#include "symplectic_parts.h"

void rls_bounded_find_motion (rls_symplectic *w, const rls_island *s, double h)
{
    memcpy (w->du, w->u, sizeof (*w->du) * (size_t)s->model.bodies);
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b]) rls_spins_mean_velocity (w->spins, s, b, h, w->du[b] + 3);
}

double rls_symplectic_turned (const rls_symplectic *w, const rls_island *s, const int body[2],
                              const double J0[12], const double J1[12])
{
    static const double world[4] = {1, 0, 0, 0};
    const int one = body[0] < 0 || body[1] < 0, side = body[0] < 0;
    double sum = 0;
    for (int k = 0; k < 6; ++k) sum += one ? 0 : fabs (J0[k] + J0[6 + k]);
    if (sum > RLS_DEPENDENT || !rls_is_angular (J0)) return NAN;
    const double *first[2] = {w->pose[body[side]].q, s->next.pose[body[side]].q}, *second[2] = {world, world},
                 *axis[2] = {J0 + 6 * side + 3, J1 + 6 * side + 3};
    if (!one) second[0] = w->pose[body[1]].q, second[1] = s->next.pose[body[1]].q;
    return rls_turned_about (first, second, axis);
}

double rls_symplectic_way (double way, double by_rates)
{
    return way + 2 * RLS_PI * rint ((by_rates - way) / (2 * RLS_PI));
}

double rls_bounded_mean_velocity (const rls_symplectic *w, const rls_island *s, int j, int r, double h)
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const int angle = !rls_bounded_is_contact (b, j) && rls_is_angular (b->J[r]);
    double way = end->way[r];
    if (!angle && !isnan (way)) return way / h;
    const double by_rates =
        0.5 * (rls_bounded_velocity (b, j, r, w->du) + rls_bounded_velocity (end, j, r, w->du));
    if (angle && isnan (way) && !rls_have_parts (&b->parts, r, r + 1))
        way = rls_symplectic_turned (w, s, b->body[j], b->J[r], end->J[r]);
    return isnan (way) ? by_rates : rls_symplectic_way (way, h * by_rates) / h;
}
