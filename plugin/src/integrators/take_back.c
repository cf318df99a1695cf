/* Energy that a step has gained is taken from velocities; contract in step_energy.h. */
#include "step_energy.h"
#include "accelerate.h"
#include "kernels/mobility.h"
#include "kernels/symmetric.h"

int rls_is_held (const rls_island *s, int by_contacts)
{
    const rls_rows *rows = &s->begin.rows;
    for (int j = 0; j < rows->joints; ++j)
        if (!rls_is_pushed (rows, rows->body[j][0]) || !rls_is_pushed (rows, rows->body[j][1])) return 1;
    const rls_bounded *b = &s->begin.bounded;
    for (int j = 0; j < b->joints; ++j)
        if ((by_contacts || !rls_bounded_is_contact (b, j)) &&
            (!rls_is_pushed (rows, b->body[j][0]) || !rls_is_pushed (rows, b->body[j][1])))
            return 1;
    return 0;
}

/* The motion of the rigid body into which the island would freeze: velocity of its centre of mass, which is
 * at centre, and angular velocity. */
typedef struct
{
    double centre[3], velocity[3], rate[3];
    double energy; /* J */
} frozen;

/* Finds that motion for next.v at the poses, and takes its energy.  Returns 0 if the island is a line, or is
 * held. */
static int freeze (const rls_island *s, const rls_pose *pose, frozen *f)
{
    double mass = 0, P[6] = {0}, all[9] = {0}, L[3];
    if (rls_is_held (s, 1) || s->begin.rows.parts.count + s->begin.bounded.parts.count > 0) return 0;
    *f = (frozen){{0}, {0}, {0}, 0};

    /* linear momentum, and the angular one about the origin */
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double m = s->model.mass[b], *v = s->next.v[b];
        double I[9], spin[3], orbit[3];
        if (!s->model.movable[b]) return 0;
        rls_rotate_tensor (pose[b].q, s->model.own_inertia[b], I);
        rls_multiply (I, v + 3, spin);
        rls_cross (pose[b].x, v, orbit);
        mass += m;
        for (int k = 0; k < 3; ++k)
            f->centre[k] += m * pose[b].x[k], P[k] += m * v[k], P[3 + k] += spin[k] + m * orbit[k];
    }
    for (int k = 0; k < 3; ++k) f->centre[k] /= mass, f->velocity[k] = P[k] / mass;

    /* the angular momentum and the inertia about the centre */
    rls_cross (f->centre, P, L);
    for (int k = 0; k < 3; ++k) f->rate[k] = L[k] = P[3 + k] - L[k];
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double I[9], arm[3];
        rls_rotate_tensor (pose[b].q, s->model.own_inertia[b], I);
        for (int k = 0; k < 3; ++k) arm[k] = pose[b].x[k] - f->centre[k];
        for (int k = 0; k < 9; ++k)
            all[k] +=
                I[k] + s->model.mass[b] * ((k % 4 == 0 ? rls_square3 (arm) : 0) - arm[k / 3] * arm[k % 3]);
    }
    if (rls_symmetric_factor (3, all) > 0) return 0;
    rls_symmetric_solve (3, all, f->rate);
    f->energy = 0.5 * (rls_dot3 (P, f->velocity) + rls_dot3 (L, f->rate));
    return 1;
}

void rls_take_back (rls_island *s, const rls_pose *pose, double gained)
{
    double has = rls_kinetic_energy (s, s->model.own_inertia, pose, s->next.v);
    frozen f;
    if (!freeze (s, pose, &f) || !(gained < has - f.energy)) f = (frozen){{0}, {0}, {0}, 0};
    has -= f.energy;
    const double left = gained < has ? sqrt (1 - gained / has) : 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double arm[3], rigid[6];
        for (int k = 0; k < 3; ++k) arm[k] = pose[b].x[k] - f.centre[k], rigid[3 + k] = f.rate[k];
        rls_cross (f.rate, arm, rigid);
        for (int k = 0; k < 3; ++k) rigid[k] += f.velocity[k];
        for (int k = 0; k < 6 && s->model.movable[b]; ++k)
            s->next.v[b][k] = rigid[k] + left * (s->next.v[b][k] - rigid[k]);
    }
}

double rls_carried_energy (const rls_island *s)
{
    double most = 0;
    for (int c = 0; c < s->model.bodies; ++c)
    {
        const double *v = s->state.v[c];
        if (s->model.movable[c] || !(rls_dot6 (v, v) > 0)) continue;
        memset (s->scratch.six, 0, sizeof (*s->scratch.six) * (size_t)s->model.bodies);
        for (int b = 0; b < s->model.bodies; ++b)
        {
            double arm[3], *moved = s->scratch.six[b];
            for (int k = 0; k < 3; ++k) arm[k] = s->state.pose[b].x[k] - s->state.pose[c].x[k];
            rls_cross (v + 3, arm, moved);
            for (int k = 0; k < 3; ++k) moved[k] += v[k], moved[3 + k] = v[3 + k];
        }
        most = fmax (most, rls_kinetic_energy (s, s->model.own_inertia, s->state.pose,
                                               (const double (*)[6])s->scratch.six));
    }
    return most;
}
