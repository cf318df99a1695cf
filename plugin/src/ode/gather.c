/*
 * ODE -> flat arrays: the island's bodies, and then its joints (gather_joints.c).
 */
#include "gather.h"
#include "arrange.h"
#include "bounded/bounded.h"
#include "degenerate.h"
#include "program_rows.h"
#include "island/rotation.h"
#include "standing.h"
#include "integrators/stiffness.h"
#include "unit.h"
#include <math.h>
#include <string.h>

int rls_cell_copy (rls_cell *to, const rls_cell *from)
{
    const rls_cell own = *to;
    *to = *from;
    to->island = own.island, to->symplectic = own.symplectic, to->penalty = own.penalty, to->rk4 = own.rk4;
    to->after = own.after; /* keeps nothing from step to step, as the lists for the report */
    to->objects = own.objects, to->topology = own.topology;
    to->standing = own.standing, to->standing_capacity = own.standing_capacity;
    to->own = own.own, to->own_capacity = own.own_capacity;
    to->unique_block = own.unique_block, to->unique = NULL;
    to->redundant = own.redundant, to->redundant_capacity = own.redundant_capacity, to->redundant_count = 0;
    const int done = rls_objects_copy (to, from) && rls_standing_copy (to, from) &&
                     rls_topology_copy (to, from) && rls_island_copy (&to->island, &from->island) &&
                     rls_bounded_copy (&to->island.bounded_work, from->island.bounded_work) &&
                     rls_symplectic_copy (&to->symplectic, &from->symplectic, &to->island.order) &&
                     rls_penalty_copy (&to->penalty, &from->penalty) && rls_rk4_copy (&to->rk4, &from->rk4);
    if (!done) rls_cell_clear (to);
    return done;
}

/* ---- bodies ---- */

/* Zero times anything finite is nothing. */
static dReal nothing_of (const dReal *x, int n)
{
    dReal nothing = 0;
    for (int i = 0; i < n; ++i) nothing += 0 * x[i];
    return nothing;
}

int rls_all_finite (const dReal *x, int n) { return nothing_of (x, n) == 0; }

void rls_copy (double *to, const dReal *from, int n)
{
    for (int i = 0; i < n; ++i) to[i] = from[i];
}

static int read_mass (rls_cell *cell, int b, dBodyID body)
{
    rls_island *s = &cell->island;
    dMass mass;
    double inertia[9];
    const double per = 1 / (s->unit * s->unit);
    dBodyGetMass (body, &mass);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) inertia[3 * i + k] = mass.I[4 * i + k] * per;
    const int known = s->now_exact || s->raised > 0; /* otherwise what is kept is not that of this body */
    const int same =
        known && s->mass[b] == mass.mass && memcmp (s->own_inertia[b], inertia, sizeof (inertia)) == 0;
    if (same && s->now_exact && s->raised == 0) return 1;
    if (known && !same)
        rls_symplectic_forget (&cell->symplectic); /* multipliers of other masses are of no use, */
    s->now_exact = 0;                              /* nor is a factor */
    s->mass[b] = mass.mass;
    memcpy (s->own_inertia[b], inertia, sizeof (inertia));
    memcpy (s->inertia[b], inertia, sizeof (inertia));
    if (!(s->mass[b] > 0) || !isfinite (s->mass[b])) return 0;
    return rls_invert_spd (s->inertia[b], s->inverse_inertia[b]);
}

int rls_read_motion (dBodyID body, double per, rls_pose *pose, double v[6], double force[6])
{
    const dReal *x = dBodyGetPosition (body), *q = dBodyGetQuaternion (body);
    const dReal *u = dBodyGetLinearVel (body), *w = dBodyGetAngularVel (body);
    const dReal *f = dBodyGetForce (body), *t = dBodyGetTorque (body);
    const dReal nothing = nothing_of (x, 3) + nothing_of (q, 4) + nothing_of (u, 3) + nothing_of (w, 3) +
                          nothing_of (f, 3) + nothing_of (t, 3);
    if (nothing != 0 || !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0)) return 0;
    rls_copy (pose->x, x, 3), rls_copy (pose->q, q, 4);
    rls_copy (v, u, 3), rls_copy (v + 3, w, 3);
    for (int k = 0; k < 3; ++k) pose->x[k] *= per, v[k] *= per;
    rls_copy (force, f, 3), rls_copy (force + 3, t, 3);
    return 1;
}

/* Everything of the body but its forces.  Returns a dRLSStatus. */
static int read_body (rls_cell *cell, int b)
{
    rls_island *s = &cell->island;
    const dBodyID body = cell->body[b];
    const double per = 1 / s->unit;
    if (!rls_read_motion (body, per, &s->pose[b], s->v[b], cell->saved_force[b])) return dRLSStatusNotFinite;

    const int movable = !dBodyIsKinematic (body);
    s->now_exact &= s->movable[b] == movable;
    s->movable[b] = (unsigned char)movable;
    s->gyroscopic[b] = dBodyGetGyroscopicMode (body) != 0;
    const int falls = dBodyGetGravityMode (body);
    for (int k = 0; k < 3; ++k) s->gravity[b][k] = falls ? cell->settings->gravity[k] * per : 0;
    s->turn[b] = RLS_TURN_INFINITESIMAL;
    if (dBodyGetFiniteRotationMode (body))
    {
        dVector3 axis;
        dBodyGetFiniteRotationAxis (body, axis);
        rls_copy (s->axis[b], axis, 3);
        s->turn[b] = axis[0] != 0 || axis[1] != 0 || axis[2] != 0 ? RLS_TURN_ABOUT_AXIS : RLS_TURN_FINITE;
    }
    const dReal cap = dBodyGetMaxAngularSpeed (body);
    s->max_turn[b] = cap < dInfinity ? cap : HUGE_VAL;
    return !s->movable[b] || read_mass (cell, b, body) ? dRLSStatusOk : dRLSStatusBadMass;
}

int rls_read_force (rls_cell *cell, int b)
{
    rls_island *s = &cell->island;
    const dReal *f = dBodyGetForce (cell->body[b]), *t = dBodyGetTorque (cell->body[b]);
    const double per = 1 / s->unit;
    for (int k = 0; k < 3; ++k)
    {
        s->force[b][k] = f[k] * per + (s->movable[b] ? s->mass[b] * s->gravity[b][k] : 0);
        s->force[b][3 + k] = t[k] * (per * per);
    }
    return rls_all_finite (f, 3) && rls_all_finite (t, 3);
}

void rls_gather_masses (rls_cell *cell)
{
    rls_island *s = &cell->island;
    rls_island_inverse_inertia (s, s->pose, &s->rows);
    rls_island_form_bounded_columns (s);
}

/* ---- the whole ---- */

/* Takes another unit of length if the present one does not suit the island; then all has to be read again. */
static int unit_is_far_off (rls_cell *cell)
{
    const double unit = rls_unit_for (&cell->island);
    if (unit == cell->island.unit) return 0;
    cell->island.unit = unit;
    rls_cell_forget (cell);
    return 1;
}

int rls_gather (rls_cell *cell)
{
    cell->status = dRLSStatusNoMemory;
    cell->moved = cell->forces_saved = 0;
    if (!rls_arrange (cell) || !rls_standing_begin (cell)) goto no_memory;
    if (!cell->same_mechanism) cell->island.stiffness_known = cell->island.stiff = 0;
    const int body_count = cell->body_count, joint_count = cell->joint_count;
    dJointID const *joints = cell->joint;

    /* base rows are bilateral, the others may be either: sizes are upper bounds */
    int rows = 0, bounded_rows = 0, bounded_joints = 0, defined = 1;
    cell->all_stand = cell->same_objects; /* others, or none, are not those of the last step */
    for (int j = 0; j < joint_count; ++j)
    {
        const int standing = rls_standing_rows (cell, j);
        if (standing > 0)
        {
            cell->joint_rows[j] = standing;
            rows += standing;
            bounded_rows += cell->standing[j].stops;
            bounded_joints += cell->standing[j].stops;
            continue;
        }
        cell->all_stand = 0;
        const rls_program_rows *program = rls_program_rows_of (cell, joints[j]);
        if (program && dJointIsEnabled (joints[j]))
        {
            rows += cell->joint_rows[j] = program->count;
            continue;
        }
        const int undefined = dJointIsEnabled (joints[j]) && rls_is_degenerate (joints[j], cell->h);
        const int m = cell->joint_rows[j] = undefined ? 0 : rls_count_rows (cell, joints[j]);
        defined &= !undefined;
        const int base = rls_ode_base_rows (dJointGetType (joints[j]));
        const int all =
            dJointGetType (joints[j]) == dJointTypeTransmission || rls_may_give_way (cell, joints[j]);
        const int extra = all ? m : m - base;
        rows += m;
        const int stops = m > 0 ? rls_most_stops (cell, joints[j]) : 0;
        bounded_rows += (extra > 0 ? extra : 0) + stops;
        bounded_joints += (extra > 0) + stops;
    }
    rows += cell->drive_count;
    if (!rls_island_lay_out (&cell->island, body_count, joint_count, rows, bounded_joints, bounded_rows))
        goto no_memory;

    cell->dynamic_bodies = 0;
    cell->status = dRLSStatusNotFinite;
    if (!defined) return 0;
    for (int b = 0; b < body_count; ++b)
    {
        if ((cell->status = read_body (cell, b)) != dRLSStatusOk) return 0;
        cell->dynamic_bodies += cell->island.movable[b];
    }
    cell->forces_saved = 1;
    if ((cell->status = rls_gather_joints (cell)) != dRLSStatusOk) return 0;
    rls_island *s = &cell->island;
    if (!cell->same_mechanism && unit_is_far_off (cell)) return rls_gather (cell);
    for (int b = 0; b < body_count; ++b) /* after the joints: a motor at its limit pushes its bodies */
        rls_read_force (cell, b);
    if (!cell->analyse) rls_stiffness_raise (s, cell->h);
    s->evaluate = rls_evaluate_joints;
    s->evaluate_bounded = rls_evaluate_bounded;
    rls_gather_masses (cell);
    return 1;

no_memory:
    cell->body = NULL; /* nothing of the last step can be trusted */
    return 0;
}
