/*
 * Which joints have a frame (joint_frame.h), and the frames themselves, from ODE's rows and getters.
 */
#include "gather.h"
#include "island/joint_frame.h"

/* What ODE's types are asked for, on either side: entries of the table of ODE's functions. */
static const struct
{
    rls_frame_kind kind;
    vector_getter *const *anchor[2], *const *axis[2];
} types[dJointTypeTransmission + 1] = {
    [dJointTypeBall] = {RLS_FRAME_BALL, {&dJointGetBallAnchor, &dJointGetBallAnchor2}, {NULL, NULL}},
    [dJointTypeHinge] = {RLS_FRAME_HINGE, {&dJointGetHingeAnchor, &dJointGetHingeAnchor2}, {NULL, NULL}},
    [dJointTypeUniversal] = {RLS_FRAME_UNIVERSAL,
                             {&dJointGetUniversalAnchor, &dJointGetUniversalAnchor2},
                             {&dJointGetUniversalAxis1, &dJointGetUniversalAxis2}},
};

/* Both sides of a joint.  ODE turns its sides round where the world comes first. */
static void get_sides (dJointID joint, vector_getter *const *const get[2], double per, double out[2][3])
{
    const int reversed = !dJointGetBody (joint, 0);
    for (int side = 0; side < 2; ++side)
    {
        dVector3 x;
        (*get[side ^ reversed]) (joint, x);
        for (int k = 0; k < 3; ++k) out[side][k] = x[k] * per;
    }
}

int rls_find_frame (rls_workspace *workspace, int i, int plain, int known)
{
    rls_island *s = &workspace->island;
    const int r0 = s->mechanism.row0[i];
    const dJointID joint = workspace->objects.joint[s->mechanism.ode_joint[i]];
    const dJointType type = dJointGetType (joint);
    const double (*J)[12] = (const double (*)[12])s->begin.rows.J + r0;
    rls_joint_frame *frame = &s->mechanism.frame[i];
    const rls_frame_kind kind = plain ? types[type].kind : RLS_FRAME_FOREIGN,
                         before = known ? frame->kind : RLS_FRAME_FOREIGN;
    int soft = 0;
    frame->kind = RLS_FRAME_FOREIGN;
    if (kind == RLS_FRAME_FOREIGN) return 1;
    for (int r = r0; r < r0 + rls_ode_base_rows (type); ++r) soft |= s->begin.rows.sigma2[r] > 0;
    if (soft) return 1;
    if (kind == RLS_FRAME_HINGE &&
        !rls_joint_frame_axes (s, i, before == kind, J, s->begin.rows.residual + r0))
        return 1;
    frame->kind = kind;
    return before == kind && rls_joint_frame_holds (s, i, J, s->begin.rows.residual + r0);
}

/* Reads all anchors, with the bodies at the origin for the while. */
static void find_anchors (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const rls_pose origin = {.q = {1}};
    if (s->mechanism.kind_count[RLS_FRAME_FOREIGN] == s->begin.rows.joints) return;
    rls_save_turns (workspace);
    for (int b = 0; b < s->model.bodies; ++b) rls_try_pose (workspace, b, &origin);
    for (int i = 0; i < s->begin.rows.joints; ++i)
    {
        const dJointID joint = workspace->objects.joint[s->mechanism.ode_joint[i]];
        const dJointType type = dJointGetType (joint);
        if (s->mechanism.frame[i].kind == RLS_FRAME_FOREIGN) continue;
        get_sides (joint, types[type].anchor, 1 / s->model.length_scale, s->mechanism.frame[i].anchor);
        if (!types[type].axis[0]) continue;
        get_sides (joint, types[type].axis, 1, s->mechanism.frame[i].axis);
        for (int side = 0; side < 2; ++side) /* in the world it is as long as it was given */
        {
            double *axis = s->mechanism.frame[i].axis[side];
            const double length = rls_ode_length_of_axis (axis);
            for (int k = 0; k < 3; ++k) axis[k] /= length;
        }
    }
    for (int b = 0; b < s->model.bodies; ++b)
    {
        rls_try_pose (workspace, b, &s->state.pose[b]);
        rls_set_turn (workspace->objects.body[b], workspace->saved.turn[b]);
    }
}

void rls_list_frames (rls_workspace *workspace, int known)
{
    rls_island *s = &workspace->island;
    for (int kind = 0; kind < RLS_FRAME_KINDS; ++kind) s->mechanism.kind_count[kind] = 0;
    for (int i = 0; i < s->begin.rows.joints; ++i)
    {
        const rls_frame_kind kind = s->mechanism.frame[i].kind;
        s->mechanism.of_kind[kind][s->mechanism.kind_count[kind]++] = i;
        s->mechanism.fixed[i] = kind == RLS_FRAME_FOREIGN ? 0 : 3;
    }
    if (!known) find_anchors (workspace);
}
