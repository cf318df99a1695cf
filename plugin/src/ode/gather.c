/*
 * From ODE to flat arrays: the island's bodies and forces.  The joints follow in gather_joints.c.  This is
 * the first stage of a step.
 */
#include "contact_points.h"
#include "integrators/bounded_halves.h"
#include "integrators/rotation_map.h"
#include "integrators/stiffness.h"

/* ---- bodies ---- */

double rls_read_mass (dBodyID body, double inertia[9])
{
    dMass mass;
    dBodyGetMass (body, &mass);
    for (int i = 0; i < 3; ++i) rls_copy (inertia + 3 * i, mass.I + 4 * i, 3);
    return (double)mass.mass;
}

/* Reads mass and inertia of a body.  What is kept of the last step is ended if they have changed.  Returns 0
 * if they are not those of a rigid body. */
static int take_mass (rls_workspace *workspace, int b, dBodyID body)
{
    rls_island *s = &workspace->island;
    double inertia[9];
    const double per = 1 / (s->model.length_scale * s->model.length_scale),
                 mass = rls_read_mass (body, inertia);
    for (int i = 0; i < 9; ++i) inertia[i] *= per;
    const int known =
        s->valid.end_exact || s->geometric.raised > 0; /* otherwise what is kept is of another body */
    const int same =
        known && s->model.mass[b] == mass && memcmp (s->model.own_inertia[b], inertia, sizeof (inertia)) == 0;

    /* nothing to do for the same mass, unless its inertia has been raised against stiff forces */
    if (same && s->valid.end_exact && (s->geometric.raised == 0 || !workspace->analyse)) return 1;
    if (known && !same) rls_history_end (workspace, RLS_MASSES_CHANGED);
    s->valid.end_exact = 0;
    s->model.mass[b] = mass;
    memcpy (s->model.own_inertia[b], inertia, sizeof (inertia));
    memcpy (s->model.inertia[b], inertia, sizeof (inertia));
    if (!(s->model.mass[b] > 0) || !isfinite (s->model.mass[b])) return 0;
    return rls_invert_spd (s->model.inertia[b], s->model.inverse_inertia[b]);
}

void rls_add_weight (dBodyID body, double mass, const double gravity[3], double force[3])
{
    const int falls = dBodyGetGravityMode (body);
    for (int k = 0; k < 3 && falls; ++k) force[k] += mass * gravity[k];
}

int rls_read_motion (dBodyID body, double per, rls_pose *pose, double v[6], double force[6])
{
    const dReal *x = dBodyGetPosition (body), *q = dBodyGetQuaternion (body);
    const dReal *u = dBodyGetLinearVel (body), *w = dBodyGetAngularVel (body);
    const dReal *f = dBodyGetForce (body), *t = dBodyGetTorque (body);
    const dReal nothing = rls_nothing_of (x, 3) + rls_nothing_of (q, 4) + rls_nothing_of (u, 3) +
                          rls_nothing_of (w, 3) + rls_nothing_of (f, 3) + rls_nothing_of (t, 3);
    rls_copy (pose->x, x, 3), rls_copy (pose->q, q, 4);
    rls_copy (v, u, 3), rls_copy (v + 3, w, 3);
    for (int k = 0; k < 3; ++k) pose->x[k] *= per, v[k] *= per;
    rls_copy (force, f, 3), rls_copy (force + 3, t, 3);
    return nothing == 0 && q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0;
}

/* Reads everything of body b but its forces.  Returns a dRLSStatus. */
static int read_body (rls_workspace *workspace, int b)
{
    rls_island *s = &workspace->island;
    const dBodyID body = workspace->objects.body[b];
    const double per = 1 / s->model.length_scale;
    double force[6];
    rls_get_force (body, workspace->saved.body[b].force);
    if (!rls_read_motion (body, per, &s->state.pose[b], s->state.v[b], force)) return dRLSStatusNotFinite;

    /* what may move it, unless the program holds it, and how it turns */
    int movable = !dBodyIsKinematic (body);
    for (int i = 0; i < workspace->stepper->held_count; ++i) movable &= workspace->stepper->held[i] != body;
    s->valid.end_exact &= s->model.movable[b] == movable;
    s->model.movable[b] = (unsigned char)movable;
    s->model.gyroscopic[b] = dBodyGetGyroscopicMode (body) != 0;
    const int falls = dBodyGetGravityMode (body);
    for (int k = 0; k < 3; ++k) s->applied.gravity[b][k] = falls ? workspace->settings->gravity[k] * per : 0;
    s->model.turn[b] = RLS_TURN_INFINITESIMAL;
    if (dBodyGetFiniteRotationMode (body))
    {
        dVector3 axis;
        dBodyGetFiniteRotationAxis (body, axis);
        rls_copy (s->model.axis[b], axis, 3);
        s->model.turn[b] =
            axis[0] != 0 || axis[1] != 0 || axis[2] != 0 ? RLS_TURN_ABOUT_AXIS : RLS_TURN_FINITE;
    }

    /* the cap of its angular speed, and its mass */
    const dReal cap = dBodyGetMaxAngularSpeed (body);
    s->model.max_turn[b] = cap < dInfinity ? cap : HUGE_VAL;
    return !s->model.movable[b] || take_mass (workspace, b, body) ? dRLSStatusOk : dRLSStatusBadMass;
}

int rls_read_force (rls_workspace *workspace, int b)
{
    rls_island *s = &workspace->island;
    const dReal *f = dBodyGetForce (workspace->objects.body[b]),
                *t = dBodyGetTorque (workspace->objects.body[b]);
    const double per = 1 / s->model.length_scale;
    for (int k = 0; k < 3; ++k)
    {
        s->applied.force[b][k] =
            f[k] * per + (s->model.movable[b] ? s->model.mass[b] * s->applied.gravity[b][k] : 0);
        s->applied.force[b][3 + k] = t[k] * (per * per);
    }
    return rls_all_finite (f, 3) && rls_all_finite (t, 3);
}

void rls_gather_masses (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    rls_form_bounded_columns (&s->begin.rows, &s->begin.bounded);
}

/* ---- the whole ---- */

/* The most rows of a contact without rolling friction.  With it, the rows that ODE counts as unbounded are
 * not those that it gives. */
#define SLIDING 3

/* Upper bounds of the numbers of rows and of joints with rows in the island.  Whether a row behind the base
 * rows is bilateral or bounded is only known once it has been read. */
typedef struct
{
    int joints, rows, bounded_rows, bounded_joints;
    int corners; /* more bounded rows for corners that have not been found yet, at most as many joints */
} sizes;

static void add (sizes *room, int joints, int rows, int bounded_rows, int bounded_joints)
{
    room->joints += joints;
    room->rows += rows;
    room->bounded_rows += bounded_rows;
    room->bounded_joints += bounded_joints;
}

/* Adds the rows of joint j to room, and stores how many ODE has.  Returns 0 if ODE's formulas divide by zero
 * in its configuration. */
static int count_joint (rls_workspace *workspace, int j, sizes *room)
{
    const dJointID joint = workspace->objects.joint[j];
    int *rows = &workspace->objects.joint_rows[j];

    /* an unchanged joint */
    if ((*rows = rls_joint_cache_rows (workspace, j)) > 0)
    {
        add (room, 1, *rows, workspace->read.joint[j].stops, workspace->read.joint[j].stops);
        return 1;
    }

    /* any row of the program may have bounds or give way */
    workspace->read.all_unchanged = 0;
    const rls_program_rows *program = rls_program_rows_of (workspace, joint);
    workspace->objects.has_program_rows |= program != NULL;
    if (program && dJointIsEnabled (joint))
    {
        *rows = program->of ? 0 : program->count;
        add (room, 1, *rows, *rows, program->of ? 0 : *rows + 1);
        return 1;
    }

    /* a contact's rows all have bounds, unless ODE says otherwise; others may be expected beside it */
    if (dJointGetType (joint) == dJointTypeContact)
    {
        int unbounded;
        *rows = rls_ode_count_rows (joint, &unbounded);
        const int either = unbounded > 0 || *rows > SLIDING, shapes = rls_shapes_of (workspace, j),
                  others = (shapes & RLS_CYLINDERS ? RLS_MOST_EXPECTED * *rows : 0) +
                           (shapes && rls_may_miss_ends (workspace, j, shapes) ? 2 * *rows : 0);
        add (room, either, either ? *rows : 0, *rows + others, (*rows > 0) + others);
        if (shapes & RLS_CORNERS) room->corners += RLS_MOST_EXPECTED * *rows;
        return 1;
    }

    /* of others, all may have bounds where they give way, otherwise those behind the base rows */
    const int undefined = dJointIsEnabled (joint) && rls_is_degenerate (joint, workspace->h);
    if (!undefined && !rls_springs_in_halves (workspace))
        rls_rows_without_stops (joint); /* ends what ODE's test has found of stops that are gone */
    *rows = undefined ? 0 : rls_count_rows (workspace, joint);
    const int all = dJointGetType (joint) == dJointTypeTransmission || rls_may_give_way (workspace, joint);
    const int extra = all ? *rows : *rows - rls_ode_base_rows (dJointGetType (joint));
    const int stops = undefined ? 0 : rls_most_axis_rows (workspace, joint);
    add (room, 1, *rows, (extra > 0 ? extra : 0) + stops, (extra > 0) + stops);
    return !undefined;
}

/* Reads the island.  Returns a dRLSStatus. */
static int gather (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    int status = dRLSStatusOk;
    workspace->saved.moved = workspace->saved.forces = 0;

    /* bodies and joints in the order of the last step, and those that have not changed */
    if (!rls_arrange (workspace) || !rls_joint_cache_begin (workspace)) return dRLSStatusNoMemory;
    if (!workspace->kept.same_mechanism) rls_history_end (workspace, RLS_MECHANISM_CHANGED);
    const int body_count = workspace->objects.bodies, parts = rls_count_parts (workspace);
    if (parts < 0) return dRLSStatusUnsupported;
    if (parts != s->begin.rows.parts.count) rls_workspace_forget_rows (workspace);

    /* room for all rows */
    sizes room = {.joints = 1, /* a joint is written before it is known to have rows */
                  .rows = workspace->wishes->drives.count};
    int defined = 1;
    rls_moved_joints *moved = &workspace->read.moved;
    rls_find_shapes (workspace);
    workspace->read.all_unchanged =
        workspace->kept.same_objects; /* as far as is known until joints are compared */
    workspace->objects.has_program_rows = s->reactions.wanted = 0;
    for (int j = 0; j < workspace->objects.joints; ++j)
    {
        defined &= count_joint (workspace, j, &room);
        s->reactions.wanted |= dJointGetFeedback (workspace->objects.joint[j]) != NULL;
    }
    workspace->read.rows_of_bounded = room.bounded_rows;
    const int most = RLS_SMALL_ISLAND - room.bounded_rows,
              corners = room.corners < most ? room.corners : most;
    if (corners > 0) add (&room, 0, 0, corners, corners);
    if (!rls_island_lay_out (s, body_count, room.joints, room.rows, parts, room.bounded_joints,
                             room.bounded_rows) ||
        !RLS_GROW (&moved->row_block, moved->row, room.rows) ||
        !RLS_GROW (&moved->times_block, moved->times, room.joints))
        return dRLSStatusNoMemory;
    if (!defined) return dRLSStatusNotFinite;

    /* bodies and joints */
    workspace->objects.dynamic_bodies = 0;
    for (int b = 0; b < body_count && status == dRLSStatusOk; ++b)
    {
        status = read_body (workspace, b);
        workspace->objects.dynamic_bodies += s->model.movable[b];
    }
    if (status != dRLSStatusOk) return status;
    workspace->saved.forces = 1;
    if ((status = rls_gather_joints (workspace)) != dRLSStatusOk) return status;

    /* a new mechanism is read again if another unit of length suits it */
    const double unit =
        workspace->kept.same_mechanism ? s->model.length_scale : rls_length_scale_of (workspace);
    if (unit != s->model.length_scale)
    {
        rls_history_end (workspace, RLS_ISLAND_CHANGED);
        s->model.length_scale = unit;
        return gather (workspace);
    }

    /* forces and masses */
    rls_moved_joints_find (workspace);
    for (int b = 0; b < body_count; ++b) /* after the joints: a motor at its limit pushes its bodies */
        rls_read_force (workspace, b);
    if (!workspace->analyse) rls_stiffness_raise (s, workspace->h);
    if (workspace->settings->friction == dRLSFrictionCone) rls_friction_cone (s, workspace->h);
    s->position_tolerance = workspace->settings->position_tolerance / s->model.length_scale;
    s->provider.rows = rls_evaluate_joints;
    s->provider.bounded = rls_evaluate_bounded;
    if (s->valid.repeats) /* the columns of its rows are those of the last step */
        rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    else
        rls_gather_masses (workspace);
    if (rls_springs_in_halves (workspace) && !s->valid.repeats) rls_divide_depths (s, workspace->h);
    rls_rotation_maps_choose (s, workspace->h);
    return dRLSStatusOk;
}

int rls_gather (rls_workspace *workspace)
{
    workspace->status = gather (workspace);
    if (workspace->status == dRLSStatusNoMemory)
        workspace->objects.body = NULL; /* nothing of the last step can be trusted */
    return workspace->status == dRLSStatusOk;
}
