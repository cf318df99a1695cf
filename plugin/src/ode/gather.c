/*
 * ODE -> flat arrays: the island's bodies, and then its joints (gather_joints.c).
 */
#include "gather.h"
#include "arrange.h"
#include "bounded/bounded.h"
#include "degenerate.h"
#include "program_rows.h"
#include "stepper/history.h"
#include "stepper/stepper.h"
#include "island/friction_cone.h"
#include "island/rotation.h"
#include "joint_cache.h"
#include "integrators/rotation_map.h"
#include "integrators/stiffness.h"
#include "length_scale.h"
#include <math.h>
#include <string.h>

int rls_workspace_copy (rls_workspace *to, const rls_workspace *from)
{
    const rls_workspace own = *to;
    *to = *from;
    to->island = own.island, to->symplectic = own.symplectic, to->penalty = own.penalty, to->rk4 = own.rk4;
    to->after = own.after; /* keeps nothing from step to step, as the lists for the report */
    to->objects = own.objects, to->topology = own.topology, to->arranging = own.arranging;
    to->joint_cache = own.joint_cache, to->joint_cache_capacity = own.joint_cache_capacity;
    to->own = own.own, to->own_capacity = own.own_capacity;
    to->unique_block = own.unique_block, to->unique = NULL;
    to->redundant = own.redundant, to->redundant_capacity = own.redundant_capacity, to->redundant_count = 0;
    const int done = rls_objects_copy (to, from) && rls_joint_cache_copy (to, from) &&
                     rls_topology_copy (to, from) && rls_island_copy (&to->island, &from->island) &&
                     rls_bounded_copy (&to->island.bounded_work, from->island.bounded_work) &&
                     rls_symplectic_copy (&to->symplectic, &from->symplectic, &to->island.order) &&
                     rls_penalty_copy (&to->penalty, &from->penalty) && rls_rk4_copy (&to->rk4, &from->rk4);
    if (!done) rls_workspace_clear (to);
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

static int read_mass (rls_workspace *workspace, int b, dBodyID body)
{
    rls_island *s = &workspace->island;
    dMass mass;
    double inertia[9];
    const double per = 1 / (s->length_scale * s->length_scale);
    dBodyGetMass (body, &mass);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) inertia[3 * i + k] = mass.I[4 * i + k] * per;
    const int known = s->now_exact || s->raised > 0; /* otherwise what is kept is not that of this body */
    const int same =
        known && s->mass[b] == mass.mass && memcmp (s->own_inertia[b], inertia, sizeof (inertia)) == 0;
    if (same && s->now_exact && s->raised == 0) return 1;
    if (known && !same) rls_history_end (workspace, RLS_MASSES_CHANGED);
    s->now_exact = 0;
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

static int is_held (dRLSStepperID stepper, dBodyID body)
{
    for (int i = 0; i < stepper->held_count; ++i)
        if (stepper->held[i] == body) return 1;
    return 0;
}

/* Everything of the body but its forces.  Returns a dRLSStatus. */
static int read_body (rls_workspace *workspace, int b)
{
    rls_island *s = &workspace->island;
    const dBodyID body = workspace->body[b];
    const double per = 1 / s->length_scale;
    if (!rls_read_motion (body, per, &s->pose[b], s->v[b], workspace->saved_force[b]))
        return dRLSStatusNotFinite;

    const int movable = !dBodyIsKinematic (body) && !is_held (workspace->stepper, body);
    s->now_exact &= s->movable[b] == movable;
    s->movable[b] = (unsigned char)movable;
    s->gyroscopic[b] = dBodyGetGyroscopicMode (body) != 0;
    const int falls = dBodyGetGravityMode (body);
    for (int k = 0; k < 3; ++k) s->gravity[b][k] = falls ? workspace->settings->gravity[k] * per : 0;
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
    return !s->movable[b] || read_mass (workspace, b, body) ? dRLSStatusOk : dRLSStatusBadMass;
}

int rls_read_force (rls_workspace *workspace, int b)
{
    rls_island *s = &workspace->island;
    const dReal *f = dBodyGetForce (workspace->body[b]), *t = dBodyGetTorque (workspace->body[b]);
    const double per = 1 / s->length_scale;
    for (int k = 0; k < 3; ++k)
    {
        s->force[b][k] = f[k] * per + (s->movable[b] ? s->mass[b] * s->gravity[b][k] : 0);
        s->force[b][3 + k] = t[k] * (per * per);
    }
    return rls_all_finite (f, 3) && rls_all_finite (t, 3);
}

void rls_gather_masses (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_island_inverse_inertia (s, s->pose, &s->rows);
    rls_island_form_bounded_columns (s);
}

/* ---- the whole ---- */

/* Takes another unit of length if the present one does not suit the island; then all has to be read again. */
static int unit_is_far_off (rls_workspace *workspace)
{
    const double length_scale = rls_length_scale_of (workspace);
    if (length_scale == workspace->island.length_scale) return 0;
    rls_history_end (workspace, RLS_ISLAND_CHANGED);
    workspace->island.length_scale = length_scale;
    return 1;
}

/* Rows that an island may have.  Base rows are bilateral, the others may be either: upper bounds. */
typedef struct
{
    int rows, bounded_rows, bounded_joints;
} sizes;

/* Adds the rows of joint j, and notes how many ODE has.  Returns 0 where its formulas divide by zero. */
static int count_joint (rls_workspace *workspace, int j, sizes *room)
{
    const dJointID joint = workspace->joint[j];
    const int standing = rls_joint_cache_rows (workspace, j);
    if (standing > 0)
    {
        workspace->joint_rows[j] = standing;
        room->rows += standing;
        room->bounded_rows += workspace->joint_cache[j].stops;
        room->bounded_joints += workspace->joint_cache[j].stops;
        return 1;
    }

    /* rows of the program are bilateral unless they give way */
    workspace->all_unchanged = 0;
    const rls_program_rows *program = rls_program_rows_of (workspace, joint);
    if (program && dJointIsEnabled (joint))
    {
        room->rows += workspace->joint_rows[j] = program->of ? 0 : program->count;
        if (program->of || !rls_may_give_way (workspace, joint)) return 1;
        room->bounded_rows += program->count;
        ++room->bounded_joints;
        return 1;
    }

    /* of ODE's, all may have bounds where they give way, otherwise those behind the base rows */
    const int undefined = dJointIsEnabled (joint) && rls_is_degenerate (joint, workspace->h);
    const int m = workspace->joint_rows[j] = undefined ? 0 : rls_count_rows (workspace, joint);
    const int all = dJointGetType (joint) == dJointTypeTransmission || rls_may_give_way (workspace, joint);
    const int extra = all ? m : m - rls_ode_base_rows (dJointGetType (joint));
    const int stops = (m > 0 ? rls_most_stops (joint) : 0) + rls_count_axis_springs (workspace, joint);
    room->rows += m;
    room->bounded_rows += (extra > 0 ? extra : 0) + stops;
    room->bounded_joints += (extra > 0) + stops;
    return !undefined;
}

static int count_joints (rls_workspace *workspace, sizes *room)
{
    int defined = 1;
    workspace->all_unchanged = workspace->same_objects; /* others, or none, are not those of the last step */
    for (int j = 0; j < workspace->joint_count; ++j) defined &= count_joint (workspace, j, room);
    return defined;
}

int rls_gather (rls_workspace *workspace)
{
    workspace->status = dRLSStatusNoMemory;
    workspace->moved = workspace->forces_saved = 0;

    /* bodies and joints in the order of the last step, and those that have not changed */
    if (!rls_arrange (workspace) || !rls_joint_cache_begin (workspace)) goto no_memory;
    if (!workspace->same_mechanism) rls_history_end (workspace, RLS_MECHANISM_CHANGED);
    const int body_count = workspace->body_count, joint_count = workspace->joint_count;

    const int parts = rls_count_parts (workspace);
    if (parts < 0)
    {
        workspace->status = dRLSStatusUnsupported;
        return 0;
    }
    if (parts != workspace->island.rows.parts) rls_workspace_forget_rows (workspace);

    /* room for all rows */
    sizes room = {.rows = workspace->drive_count};
    const int defined = count_joints (workspace, &room);
    if (!rls_island_lay_out (&workspace->island, body_count, joint_count, room.rows, parts,
                             room.bounded_joints, room.bounded_rows))
        goto no_memory;

    /* bodies and joints */
    workspace->dynamic_bodies = 0;
    workspace->status = dRLSStatusNotFinite;
    if (!defined) return 0;
    for (int b = 0; b < body_count; ++b)
    {
        if ((workspace->status = read_body (workspace, b)) != dRLSStatusOk) return 0;
        workspace->dynamic_bodies += workspace->island.movable[b];
    }
    workspace->forces_saved = 1;
    if ((workspace->status = rls_gather_joints (workspace)) != dRLSStatusOk) return 0;
    rls_island *s = &workspace->island;
    if (parts > 0 && s->bounded.rows > 0)
    {
        workspace->status = dRLSStatusUnsupported;
        return 0;
    }

    /* in the unit of length that fits the island */
    if (!workspace->same_mechanism && unit_is_far_off (workspace)) return rls_gather (workspace);

    /* forces and masses */
    for (int b = 0; b < body_count; ++b) /* after the joints: a motor at its limit pushes its bodies */
        rls_read_force (workspace, b);
    if (!workspace->analyse) rls_stiffness_raise (s, workspace->h);
    if (workspace->settings->friction == dRLSFrictionCone) rls_friction_cone (s, workspace->h);
    s->evaluate = rls_evaluate_joints;
    s->evaluate_bounded = rls_evaluate_bounded;
    rls_gather_masses (workspace);
    rls_rotation_maps_choose (s);
    return 1;

no_memory:
    workspace->body = NULL; /* nothing of the last step can be trusted */
    return 0;
}
