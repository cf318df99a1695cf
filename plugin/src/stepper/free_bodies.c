/* The symplectic step of bodies without joints; contract in batch.h, equations in cayley.h. */
#include "measure.h"

#define BODIES_AT_ONCE 16 /* so many bodies of a batch go through the step together */
#define GROUPS_AT_ONCE (BODIES_AT_ONCE / RLS_LANES)

/* The arrays of the bodies that go through the step together, as those of an rls_island. */
typedef struct
{
    rls_pose pose[BODIES_AT_ONCE], start[BODIES_AT_ONCE], end[BODIES_AT_ONCE];
    double start_v[BODIES_AT_ONCE][6], v[BODIES_AT_ONCE][6], force[BODIES_AT_ONCE][6];
    double mass[BODIES_AT_ONCE], inertia[BODIES_AT_ONCE][9], inverse_inertia[BODIES_AT_ONCE][9];
    double W[BODIES_AT_ONCE][9];
    unsigned char movable[BODIES_AT_ONCE], by_exponential[BODIES_AT_ONCE], gyroscopic[BODIES_AT_ONCE];
    rls_spins spins[GROUPS_AT_ONCE];
} body_group;

/* Returns count of these bodies, from body b on, as an island without rows. */
static rls_island island_of (body_group *w, int b, int count)
{
    return (rls_island){.model.bodies = count,
                        .model.movable = w->movable + b,
                        .model.by_exponential = w->by_exponential + b,
                        .model.gyroscopic = w->gyroscopic + b,
                        .model.mass = w->mass + b,
                        .model.inertia = w->inertia + b,
                        .model.inverse_inertia = w->inverse_inertia + b,
                        .state.pose = w->start + b,
                        .state.v = w->start_v + b,
                        .applied.force = w->force + b,
                        .next.pose = w->pose + b,
                        .next.v = w->v + b,
                        .begin.rows = {.W = w->W + b}};
}

/* ---- from ODE ---- */

/* Reads one of ODE's bodies into place b.  Returns a dRLSStatus. */
static int read_body (body_group *w, int b, dBodyID body, const rls_settings *set)
{
    if (!rls_read_motion (body, 1, &w->start[b], w->start_v[b], w->force[b])) return dRLSStatusNotFinite;
    w->mass[b] = rls_read_mass (body, w->inertia[b]);
    if (!(w->mass[b] > 0) || !isfinite (w->mass[b]) || !rls_invert_spd (w->inertia[b], w->inverse_inertia[b]))
        return dRLSStatusBadMass;
    w->movable[b] = 1;
    w->by_exponential[b] = 1;
    w->gyroscopic[b] = dBodyGetGyroscopicMode (body) != 0;
    rls_add_weight (body, w->mass[b], set->gravity, w->force[b]);
    return dRLSStatusOk;
}

/* ---- the step ---- */

/* v := v + time M^-1 f at the poses.  The inverse inertia in world axes is only computed if there are
 * torques. */
static void kick (rls_island *s, const rls_pose *pose, double time, double (*v)[6])
{
    int torques = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 3; k < 6; ++k) torques |= s->applied.force[b][k] != 0;
    if (torques) rls_island_inverse_inertia (s, pose, &s->begin.rows);
    rls_kick (s, &s->begin.rows, v, time, v);
}

/* Takes the step of bodies b to b + count - 1: as rls_symplectic_substep does it, without rows.  Returns 0 if
 * a body turns too fast for Newton's method in rls_spins_drift to converge. */
static int step_bodies (body_group *w, int b, int count, const rls_batch *batch)
{
    rls_island s = island_of (w, b, count);
    rls_pose *pose = w->pose + b;
    double (*v)[6] = w->v + b, fraction[RLS_MOST_STAGES];
    const int stages = rls_composition (rls_order_of (batch->settings->integrator), fraction);
    memcpy (pose, w->start + b, sizeof (*pose) * (size_t)count);
    memcpy (v, w->start_v + b, sizeof (*v) * (size_t)count);

    /* sub-steps: half a kick, drift, half a kick */
    for (int i = 0; i < stages; ++i)
    {
        const double h = fraction[i] * batch->h;
        kick (&s, pose, 0.5 * h, v);
        rls_spins_begin (w->spins, &s, pose);
        if (!rls_spins_drift (w->spins, &s, pose, v, h, 1, NULL, w->end)) return 0;
        rls_spins_end (w->spins, &s, h, v);
        memcpy (pose, w->end, sizeof (*pose) * (size_t)count);
        kick (&s, pose, 0.5 * h, v);
    }
    rls_polhode_return (&s);
    return 1;
}

/* Takes the step of count bodies, at most BODIES_AT_ONCE.  Returns a dRLSStatus. */
static int step_some (body_group *w, rls_free_body *bodies, int count, const rls_batch *batch)
{
    for (int b = 0; b < count; ++b)
    {
        const int status = read_body (w, b, bodies[b].body, batch->settings);
        if (status != dRLSStatusOk) return status;
    }
    if (batch->h == 0) return dRLSStatusOk;

    /* If one of them turns too fast, each takes the step by itself, so that the result of a body does not
     * depend on the others. */
    const int together = step_bodies (w, 0, count, batch);
    for (int b = 0; b < count; ++b)
    {
        bodies[b].refused = !together && !step_bodies (w, b, 1, batch);
        if (bodies[b].refused) continue;
        bodies[b].pose = w->pose[b];
        memcpy (bodies[b].v, w->v[b], sizeof (bodies[b].v));
        if (!rls_motion_usable (1, &w->pose[b], w->v + b)) return dRLSStatusNotFinite;
    }
    return dRLSStatusOk;
}

void rls_free_bodies_run (rls_ode_task *task)
{
    rls_batch *batch = (rls_batch *)(void *)task;
    body_group w;
    memset (w.W, 0, sizeof (w.W)); /* kick uses it without having computed it if there are no torques */
    batch->status = dRLSStatusOk;
    for (int i = 0; i < batch->count && batch->status == dRLSStatusOk; i += BODIES_AT_ONCE)
    {
        const int left = batch->count - i;
        batch->status = step_some (&w, (rls_free_body *)batch->first + i,
                                   left < BODIES_AT_ONCE ? left : BODIES_AT_ONCE, batch);
    }
}

/* ---- afterwards ---- */

void rls_free_bodies_write_back (const rls_free_bodies *list)
{
    for (int i = 0; i < list->count; ++i)
        if (!list->of[i].refused) rls_write_body (list->of[i].body, 1, &list->of[i].pose, list->of[i].v);
}

void rls_free_bodies_report (const rls_free_bodies *list, int flags, dRLSReport *report)
{
    for (int i = 0; i < list->count; ++i)
    {
        if (list->of[i].refused) continue;
        ++report->islands;
        ++report->bodies;
        report->dof += 6;
        if (flags & dRLSReportEnergy) rls_report_body (report, list->of[i].body);
    }
}
