/* How stiff the program's forces are beside the ends of a sub-step; contract in symplectic.h. */
#include "symplectic_parts.h"
#include "tolerances.h"
#include "island/rotation.h"
#include <math.h>
#include <string.h>

void rls_stiff_forces_begin (rls_symplectic *w, const rls_island *s)
{
    if (s->provider.forces)
        memcpy (w->pushed, s->applied.force, sizeof (*w->pushed) * (size_t)s->model.bodies);
}

static double product (const rls_island *s, const double (*f)[6], const double (*d)[6])
{
    double sum = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6 && s->model.movable[b]; ++k) sum += f[b][k] * d[b][k];
    return sum;
}

/* The forces' change along d where the bodies are moved from the end of the sub-step by back times u and
 * then by far times d: less than 0 where springs oppose it; 0 where they cannot be had. */
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

    /* d: what the change of the forces does to the velocities, a second, with the joints closed */
    memcpy (end, s->applied.force, size * sizeof (double));
    rls_flat_blend (size, 1, end[0], -1, w->pushed[0], change[0]);
    memcpy (s->applied.force, change, size * sizeof (double));
    memset (w->best, 0, size * sizeof (double));
    rls_kick (s, &s->end.rows, w->best, 1, w->d);
    memcpy (s->applied.force, end, size * sizeof (double));
    rls_enforce (&s->end.factor, &s->end.rows, NULL, w->x, w->d);

    /* no doubt where that is little beside the way along which they changed */
    const double strength = product (s, change, w->d);
    const double way = h * product (s, change, w->u);
    const double largest = rls_fastest (s->model.bodies, w->d);
    if (!(h * h * strength > fabs (way)) || !(largest > 0)) return 0;

    /* the stiffness along d, from both ends a little way into where the forces rise */
    const double far = RLS_NEARBY_SHORTEST / largest, time = s->provider.time;
    const double after = change_along (w, s, 0, -far, end);
    s->provider.time = time - h;
    const double before = -change_along (w, s, -h, far, w->pushed);
    s->provider.time = time;
    memcpy (s->applied.force, end, size * sizeof (double));
    return h * h * fmax (before, after) > far * strength;
}
