/* Whether the program's forces are too stiff for a sub-step (section 8 of method.md, "Stiff forces of the
 * program"); contract in symplectic.h. */
#include "symplectic_parts.h"

/* Returns the sum of f d over the bodies that can be pushed. */
static double product (const rls_island *s, const double (*f)[6], const double (*d)[6])
{
    double sum = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6 && s->model.movable[b]; ++k) sum += f[b][k] * d[b][k];
    return sum;
}

/* Returns the change of the forces along d, d' (f - there), where the bodies are moved from the end of the
 * sub-step by back x u and then by far x d.  0 if the forces there are not finite.  work.d is d. */
static double change_along (rls_symplectic *w, rls_island *s, double back, double far,
                            const double (*there)[6])
{
    const double (*d)[6] = w->d, (*u)[6] = w->u;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double moved[6] = {0};
        for (int k = 0; k < 6 && s->model.movable[b]; ++k) moved[k] = back * u[b][k] + far * d[b][k];
        s->scratch.predicted[b] = s->next.pose[b];
        rls_pose_displace (&s->scratch.predicted[b], moved);
    }
    if (!s->provider.forces (s, s->scratch.predicted, w->v)) return 0;
    return product (s, s->applied.force, d) - product (s, there, d);
}

int rls_stiff_forces_missed (rls_symplectic *w, rls_island *s, double h)
{
    const size_t size = 6 * (size_t)s->model.bodies;
    double (*change)[6] = w->du, (*end)[6] = w->kicked;
    if (!s->provider.forces) return 0;

    /* d: the acceleration that the change of the forces over the sub-step causes, with the joints closed */
    memcpy (end, s->applied.force, size * sizeof (double));
    rls_flat_blend (size, 1, end[0], -1, w->pushed[0], change[0]);
    memcpy (s->applied.force, change, size * sizeof (double));
    memset (w->best, 0, size * sizeof (double));
    rls_kick (s, &s->end.rows, w->best, 1, w->d);
    memcpy (s->applied.force, end, size * sizeof (double));
    rls_enforce (&s->end.factor, &s->end.rows, NULL, w->x, w->d);

    /* nothing to fear if the displacement of the sub-step explains the change: h^2 df' d <= |df' dq| */
    const double strength = product (s, change, w->d);
    const double way = h * product (s, change, w->u);
    const double largest = rls_fastest (s->model.bodies, w->d);
    if (!(h * h * strength > fabs (way)) || !(largest > 0)) return 0;

    /* Stiffness along d, by differences: a little beyond both ends of the sub-step, in the direction in which
     * the forces grow.  The sub-step is too long if h omega > 1. */
    const double far = RLS_NEARBY_SHORTEST / largest, time = s->provider.time;
    const double after = change_along (w, s, 0, -far, end);
    s->provider.time = time - h;
    const double before = -change_along (w, s, -h, far, w->pushed);
    s->provider.time = time;
    memcpy (s->applied.force, end, size * sizeof (double));
    return h * h * fmax (before, after) > far * strength;
}
