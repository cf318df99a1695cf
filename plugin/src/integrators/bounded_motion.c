/* How far bodies have moved along bounded rows over a sub-step; contract in bounded_halves.h. */
#include "bounded_halves.h"
#include "symplectic_parts.h"

void rls_bounded_find_motion (rls_symplectic *w, const rls_island *s, double h)
{
    memcpy (w->du, w->u, sizeof (*w->du) * (size_t)s->model.bodies);
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b]) rls_spins_mean_velocity (w->spins, s, b, h, w->du[b] + 3);
}

/* Returns by how much (rad) the bodies of row r have turned against each other about it; NAN for rows that
 * tell something else. */
static double turned (const rls_symplectic *w, const rls_island *s, int j, int r)
{
    static const double world[4] = {1, 0, 0, 0};
    const rls_bounded *b = &s->begin.bounded;
    const int *body = b->body[j], one = body[0] < 0 || body[1] < 0, side = body[0] < 0;
    const double *J = b->J[r] + 6 * side;
    double sum = 0;
    for (int k = 0; k < 6; ++k) sum += one ? 0 : fabs (J[k] + J[6 + k]);
    if (sum > RLS_DEPENDENT || rls_have_parts (&b->parts, r, r + 1)) return NAN;
    const double *first[2] = {w->pose[body[side]].q, s->next.pose[body[side]].q}, *second[2] = {world, world},
                 *axis[2] = {J + 3, s->end.bounded.J[r] + 6 * side + 3};
    if (!one) second[0] = w->pose[body[1]].q, second[1] = s->next.pose[body[1]].q;
    return rls_turned_about (first, second, axis);
}

double rls_bounded_mean_velocity (const rls_symplectic *w, const rls_island *s, int j, int r, double h)
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const int angle = !rls_bounded_is_contact (b, j) && rls_is_angular (b->J[r]);
    double way = end->way[r];
    if (!angle && !isnan (way)) return way / h;
    const double by_rates =
        0.5 * (rls_bounded_velocity (b, j, r, w->du) + rls_bounded_velocity (end, j, r, w->du));
    if (angle && isnan (way)) way = turned (w, s, j, r);
    if (isnan (way)) return by_rates;

    /* of the angles that differ by whole turns the one that belongs to the rates */
    return (way + 2 * RLS_PI * rint ((h * by_rates - way) / (2 * RLS_PI))) / h;
}
