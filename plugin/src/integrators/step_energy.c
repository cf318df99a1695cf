/* What a step with bounded rows gains; contract in step_energy.h. */
#include "step_energy.h"
#include "accelerate.h"
#include "bounded_halves.h"
#include "tolerances.h"
#include <math.h>

/* The most that motors, moving surfaces and springs can have given; a rebound only gives back. */
static double given (const rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    double sum = 0;
    for (int r = 0; r < b->rows; ++r)
    {
        if (!(b->bounce[r] > 0)) sum += fabs (s->reactions.bounded_total[r] * b->rest[r]);
        sum += 0.5 * b->stiffness[r] * b->open[r] * b->open[r];
    }
    for (int r = 0; r < s->begin.rows.rows; ++r)
        if (s->begin.rows.target[r] != 0)
            return HUGE_VAL; /* drives and motors without bounds may give anything */
    return sum;
}

double rls_step_gain (const rls_symplectic *w, const rls_island *s, double h, const double (*v)[6],
                      double *rounding)
{
    const double (*inertia)[9] = (const double (*)[9])s->model.inertia;
    double work = -w->push_work, scale = 0;
    *rounding = 0;
    if (s->provider.forces || s->elimination.precedence.count > 0) return -HUGE_VAL;

    /* work of the forces on the way; of torques the most that it can be */
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *f = s->applied.force[b], *from = s->state.pose[b].x, *to = s->next.pose[b].x;
        if (!s->model.movable[b] && rls_dot6 (s->state.v[b], s->state.v[b]) > 0) return -HUGE_VAL;
        if (!s->model.movable[b]) continue;
        for (int k = 0; k < 3; ++k)
        {
            work +=
                f[k] * (to[k] - from[k]) + fabs (0.5 * h * f[3 + k] * (s->state.v[b][3 + k] + v[b][3 + k]));
            scale += fabs (f[k] * to[k]);
        }
    }

    /* and what the bodies have of it */
    const double before = rls_kinetic_energy (s, inertia, s->state.pose, (const double (*)[6])s->state.v);
    const double after = rls_kinetic_energy (s, inertia, s->next.pose, v);
    *rounding = RLS_DEPENDENT * (before + scale);
    return after - before - work - given (s);
}

/* The energy (J) of velocities that tell of no motion. */
static double energy_at_rest (const rls_island *s)
{
    const double speed = RLS_AT_REST * fmax (s->account.bounded_rest, 0);
    double mass = 0;
    for (int b = 0; b < s->model.bodies; ++b) mass += s->model.movable[b] ? s->model.mass[b] : 0;
    return 3 * mass * speed * speed;
}

int rls_step_gains_energy (const rls_symplectic *w, const rls_island *s, double h)
{
    double rounding;
    const double gain = rls_step_gain (w, s, h, (const double (*)[6])w->v, &rounding);
    const double before = rls_kinetic_energy (s, (const double (*)[9])s->model.inertia, s->state.pose,
                                              (const double (*)[6])s->state.v);
    return gain > RLS_ENERGY_JUMP * before + energy_at_rest (s) + RLS_SEEN / RLS_DEPENDENT * rounding;
}
