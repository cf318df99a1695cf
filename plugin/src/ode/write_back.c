/*
 * From flat arrays to ODE, the last stage of a step: velocities, poses, joint feedback.  Or, when a step has
 * failed, everything back as it was.
 *
 * Poses are written where ODE stores them.  Then ODE's dxStepBody is called for a step of zero length, so
 * that normalisation, rotation matrices, angular speed caps, geoms, moved-callbacks and damping are done by
 * ODE.
 */
#include "stepper/workspace.h"
#include "integrators/reactions.h"

void rls_set_pose (const rls_workspace *workspace, int b, const rls_pose *pose)
{
    const dBodyID body = workspace->objects.body[b];
    const double length_scale = workspace->island.model.length_scale, *x = pose->x;
    const dQuaternion q = {(dReal)pose->q[0], (dReal)pose->q[1], (dReal)pose->q[2], (dReal)pose->q[3]};
    dBodySetPosition (body, (dReal)(length_scale * x[0]), (dReal)(length_scale * x[1]),
                      (dReal)(length_scale * x[2]));
    dBodySetQuaternion (body, q);
}

void rls_set_velocity (dBodyID body, double length_scale, const double v[6])
{
    dBodySetLinearVel (body, (dReal)(length_scale * v[0]), (dReal)(length_scale * v[1]),
                       (dReal)(length_scale * v[2]));
    dBodySetAngularVel (body, (dReal)v[3], (dReal)v[4], (dReal)v[5]);
}

/* Writes position and quaternion through the pointers that ODE's getters return.  Neither the rotation matrix
 * nor geoms follow.  Returns the quaternion. */
static dReal *place (dBodyID body, double length_scale, const rls_pose *pose)
{
    dReal *x = (dReal *)dBodyGetPosition (body), *q = (dReal *)dBodyGetQuaternion (body);
    for (int k = 0; k < 3; ++k) x[k] = (dReal)(length_scale * pose->x[k]);
    for (int k = 0; k < 4; ++k) q[k] = (dReal)pose->q[k];
    return q;
}

/* Geoms are not told of trial poses: no one sees these, and islands on other threads would have to wait. */
void rls_try_pose (const rls_workspace *workspace, int b, const rls_pose *pose)
{
    dReal *q = place (workspace->objects.body[b], workspace->island.model.length_scale, pose);
    dNormalize4 (q);
    dRfromQ ((dReal *)dBodyGetRotation (workspace->objects.body[b]), q);
}

/* Adds an impulse on the two bodies of joint j, divided by h, to its feedback if the program has set one. */
static void add_feedback (const rls_workspace *workspace, int j, const double impulse[12])
{
    dJointFeedback *feedback = dJointGetFeedback (workspace->objects.joint[j]);
    if (!feedback) return;
    const double length_scale = workspace->island.model.length_scale, per = 1 / workspace->h;
    for (int k = 0; k < 12; ++k)
        *rls_feedback_number (feedback, k) +=
            (dReal)(impulse[k] * (per * length_scale * (k % 6 < 3 ? 1 : length_scale)));
}

/* Writes the joint feedback of all joints: impulses of the step divided by h. */
static void write_feedback (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    if (!s->reactions.wanted) return;
    for (int j = 0; j < workspace->objects.joints; ++j)
        if (dJointGetFeedback (workspace->objects.joint[j]))
            memset (dJointGetFeedback (workspace->objects.joint[j]), 0, sizeof (dJointFeedback));
    if (!s->reactions.counted) rls_reactions_of_one_pose (s, workspace->h);
    for (int i = 0; i < s->begin.rows.joints; ++i)
        add_feedback (workspace, s->mechanism.ode_joint[i], s->reactions.joint_impulse[i]);

    /* rows over more than two bodies, and rows with bounds */
    for (int p = 0; p < s->begin.rows.parts.count; ++p)
        add_feedback (workspace, s->mechanism.part[p].ode_joint, s->reactions.part_impulse[p]);
    for (int r = 0; r < s->begin.bounded.rows; ++r)
    {
        double impulse[12];
        for (int k = 0; k < 12; ++k) impulse[k] = rls_bounded_impulse (s, r, k);
        add_feedback (workspace, s->begin.bounded.ode_joint[r], impulse);
    }
    for (int p = 0; p < s->begin.bounded.parts.count; ++p)
    {
        double impulse[12];
        for (int k = 0; k < 12; ++k) impulse[k] = rls_bounded_part_impulse (s, p, k);
        add_feedback (workspace, s->begin.bounded.parts.of[p].ode_joint, impulse);
    }
}

void rls_write_body (dBodyID body, double length_scale, const rls_pose *pose, const double v[6])
{
    place (body, length_scale, pose); /* the rest is done when ODE finishes the body */
    rls_set_velocity (body, length_scale, v);
    rls_set_force (body, (const dReal[6]){0});
    rls_ode_finish_body (body);
}

void rls_save_motion (rls_saved_body *to, dBodyID body)
{
    to->body = body;
    memcpy (to->x, dBodyGetPosition (body), sizeof (to->x));
    memcpy (to->turn, dBodyGetQuaternion (body), 4 * sizeof (dReal));
    memcpy (to->turn + 4, dBodyGetRotation (body), 12 * sizeof (dReal));
    memcpy (to->v, dBodyGetLinearVel (body), sizeof (to->v));
    memcpy (to->w, dBodyGetAngularVel (body), sizeof (to->w));
}

/* ODE's setters compute quaternion and matrix from one another, which rounds.  So both are written through
 * the pointers that its getters return. */
void rls_restore_pose (const rls_saved_body *from)
{
    memcpy ((dReal *)dBodyGetPosition (from->body), from->x, sizeof (from->x));
    memcpy ((dReal *)dBodyGetQuaternion (from->body), from->turn, 4 * sizeof (dReal));
    memcpy ((dReal *)dBodyGetRotation (from->body), from->turn + 4, 12 * sizeof (dReal));
}

void rls_restore_motion (const rls_saved_body *from)
{
    dBodySetPosition (from->body, from->x[0], from->x[1], from->x[2]);
    dBodySetQuaternion (from->body, from->turn); /* moves the geoms, but rounds: */
    rls_restore_pose (from);                     /* so the exact numbers once more */
    dBodySetLinearVel (from->body, from->v[0], from->v[1], from->v[2]);
    dBodySetAngularVel (from->body, from->w[0], from->w[1], from->w[2]);
}

/* Enables a body that moves faster than ODE's threshold for disabling it, although its velocity is lower: a
 * body that is pushed out of an overlap changes its pose without a velocity, and ODE, which looks at
 * velocities, would disable it on the way. */
static void keep_awake (const rls_workspace *workspace, int b)
{
    const rls_island *s = &workspace->island;
    const dBodyID body = workspace->objects.body[b];
    if (!dBodyGetAutoDisableFlag (body)) return;
    const double *from = s->state.pose[b].x, *to = s->next.pose[b].x, *v = s->next.v[b];
    const double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const double speed = s->model.length_scale * rls_length3 (way) / workspace->h,
                 idle = (double)dBodyGetAutoDisableLinearThreshold (body);
    if (speed > idle && s->model.length_scale * rls_length3 (v) <= idle) dBodyEnable (body);
}

void rls_write_back (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    write_feedback (workspace);
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const dBodyID body = workspace->objects.body[b];
        const int stands =
            !workspace->saved.moved && memcmp (&s->next.pose[b], &s->state.pose[b], sizeof (rls_pose)) == 0;
        rls_saved_body was;
        if (stands) rls_save_motion (&was, body);
        keep_awake (workspace, b);
        rls_write_body (body, s->model.length_scale, &s->next.pose[b], s->next.v[b]);

        /* The pose of a body that has not moved stays to the last bit.  Normalised again in each step, a
         * quaternion may alternate between two that are equally near, and bodies that stand on each other
         * would not be recognised as standing. */
        if (stands) rls_restore_pose (&was);
    }
}

void rls_begin_moving (rls_workspace *workspace)
{
    if (!workspace->saved.moved) rls_save_motions (workspace);
    workspace->saved.moved = 1;
}

void rls_save_motions (rls_workspace *workspace)
{
    for (int b = 0; b < workspace->island.model.bodies; ++b)
        rls_save_motion (&workspace->saved.body[b], workspace->objects.body[b]);
}

void rls_put_back (rls_workspace *workspace)
{
    for (int b = 0; b < workspace->objects.bodies && workspace->saved.forces; ++b)
    {
        if (!workspace->objects.body[b]) continue; /* lost in a callback */
        if (workspace->saved.moved) rls_restore_motion (&workspace->saved.body[b]);
        rls_set_force (workspace->objects.body[b], workspace->saved.body[b].force);
    }
}
