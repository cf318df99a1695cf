/* Accelerations, power and energy of the bodies; contract in accelerate.h. */
#include "accelerate.h"

void rls_free_accelerations (const rls_island *s, const rls_rows *rows, const rls_pose *pose,
                             const double (*v)[6], double (*a)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double torque[3], R[9], w[3], L[3], turn[3], world[3];
        memset (a[b], 0, sizeof (*a));
        if (!s->model.movable[b]) continue;

        /* torque, with the gyroscopic one, L x w, in world axes */
        memcpy (torque, s->applied.force[b] + 3, sizeof (torque));
        if (s->model.gyroscopic[b])
        {
            rls_body_momentum (s->model.inertia[b], &pose[b], v[b], R, w, L);
            rls_cross (L, w, turn);
            rls_multiply (R, turn, world);
            for (int k = 0; k < 3; ++k) torque[k] += world[k];
        }
        for (int k = 0; k < 3; ++k) a[b][k] = s->applied.force[b][k] / s->model.mass[b];
        rls_multiply (rows->W[b], torque, a[b] + 3);
    }
}

void rls_mass_times (const rls_island *s, const double (*inertia)[9], const rls_pose *pose,
                     const double (*v)[6], double (*out)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double R[9], w[3], L[3];
        rls_body_momentum (inertia[b], &pose[b], v[b], R, w, L);
        for (int k = 0; k < 3; ++k) out[b][k] = s->model.mass[b] * v[b][k];
        rls_multiply (R, L, out[b] + 3);
        if (!s->model.movable[b]) memset (out[b], 0, sizeof (out[b]));
    }
}

double rls_power (const rls_island *s, const double (*v)[6])
{
    double power = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b])
            for (int k = 0; k < 6; ++k)
                power +=
                    (s->applied.force[b][k] - (k < 3 ? s->model.mass[b] * s->applied.gravity[b][k] : 0)) *
                    v[b][k];
    return power;
}

RLS_VECTOR_CLONES double rls_kinetic_energy (const rls_island *s, const double (*inertia)[9],
                                             const rls_pose *pose, const double (*v)[6])
{
    const int bodies = s->model.bodies;
    double energy = 0;
    RLS_FOR_GROUPS (g, bodies)
    {
        const double *const m = s->model.mass;
        const rls_four mass = {m[g.body[0]], m[g.body[1]], m[g.body[2]], m[g.body[3]]};
        rls_four q[4], R[9], I[9], u[6], w[3], L[3], part[3];
        rls_lanes_load (inertia[0], 9, &g, 9, I);
        rls_lanes_momentum (I, pose, v, &g, q, u, R, w, L);

        /* summed up body by body, so that the sum does not depend on how bodies are grouped */
        for (int k = 0; k < 3; ++k) part[k] = 0.5 * (w[k] * L[k] + mass * u[k] * u[k]);
        for (int b = 0; b < RLS_LANES && RLS_LANES * g.number + b < bodies; ++b)
            for (int k = 0; k < 3 && s->model.movable[g.body[b]]; ++k) energy += part[k][b];
    }
    return energy;
}

double rls_work_of_change (const rls_island *s, const rls_pose *pose, const double (*from)[6],
                           const double (*to)[6], const double (*v)[6])
{
    double work = 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double R[9], w[3], L[3], change[3], turned[3];
        if (!s->model.movable[b]) continue;
        rls_body_momentum (s->model.inertia[b], &pose[b], v[b], R, w, L);
        for (int k = 0; k < 3; ++k)
        {
            work += s->model.mass[b] * v[b][k] * (to[b][k] - from[b][k]);
            change[k] = to[b][3 + k] - from[b][3 + k];
        }
        rls_multiply_transposed (R, change, turned);
        for (int k = 0; k < 3; ++k) work += L[k] * turned[k];
    }
    return work;
}

double rls_energy (const rls_island *s, const rls_pose *pose, const double (*v)[6])
{
    double energy = rls_kinetic_energy (s, s->model.inertia, pose, v);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 3 && s->model.movable[b]; ++k)
            energy -= s->model.mass[b] * s->applied.gravity[b][k] * pose[b].x[k];
    return energy;
}

double rls_energy_taken (const rls_island *s, const rls_pose *pose, const double (*v)[6])
{
    const double (*inertia)[9] = s->model.inertia;
    const size_t bodies = (size_t)s->model.bodies;
    if (memcmp (pose, s->state.pose, sizeof (*pose) * bodies) == 0 &&
        memcmp (v, s->state.v, sizeof (*v) * bodies) == 0)
        return 0;
    double taken =
        rls_kinetic_energy (s, inertia, s->state.pose, s->state.v) - rls_kinetic_energy (s, inertia, pose, v);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 3 && s->model.movable[b]; ++k)
            taken += s->applied.force[b][k] * (pose[b].x[k] - s->state.pose[b].x[k]);
    return taken;
}

int rls_energy_jumps (const rls_island *s, double h, double taken, double moved, double most)
{
    const double (*inertia)[9] = s->model.inertia;
    double work = -taken, scale = 0;
    if (s->provider.forces || s->elimination.precedence.count > 0) return 0;

    /* the work of the forces, if they do all of the work */
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *f = s->applied.force[b], *from = s->state.pose[b].x, *to = s->next.pose[b].x;
        if (!s->model.movable[b] && rls_dot6 (s->state.v[b], s->state.v[b]) > 0) return 0;
        if (!s->model.movable[b]) continue;
        if (!s->model.gyroscopic[b] || f[3] != 0 || f[4] != 0 || f[5] != 0) return 0;
        for (int k = 0; k < 3; ++k)
            work += f[k] * (to[k] - from[k]), scale += rls_energy_scale (f[k], to[k], s->model.mass[b], h);
    }

    /* compared with the change of the kinetic energy */
    const double before = rls_kinetic_energy (s, inertia, s->state.pose, s->state.v);
    const double after = rls_kinetic_energy (s, inertia, s->next.pose, s->next.v);
    return fabs (after - before - work) > most * (before + after + moved) + RLS_SEEN * scale;
}
