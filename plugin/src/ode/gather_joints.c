/*
 * Rows of ODE's joints at the beginning of a step, and again at trial poses.
 *
 * Joints that have not changed since the last step are not asked again (joint_cache.c).  Joints with a frame
 * give their rows at other poses without ODE (joint_frame.h).  All others are read (gather_rows.c), for trial
 * poses with their bodies moved there.
 */
#include "gather.h"
#include "island/joint_frame.h"

/* ---- frames ---- */

/* The types of joint that have a frame. */
static const rls_frame_kind kinds[RLS_ODE_JOINT_TYPE_COUNT] = {[dJointTypeBall] = RLS_FRAME_BALL,
                                                               [dJointTypeHinge] = RLS_FRAME_HINGE,
                                                               [dJointTypeUniversal] = RLS_FRAME_UNIVERSAL,
                                                               [dJointTypeSlider] = RLS_FRAME_SLIDER};

/* Reads a vector (times per) of both sides of a joint.  ODE exchanges the sides if the world was named first.
 */
static void get_sides (dJointID joint, vector_getter **const get[2], double per, double out[2][3])
{
    const int reversed = !dJointGetBody (joint, 0);
    for (int side = 0; side < 2; ++side)
    {
        dVector3 x;
        (*get[side ^ reversed]) (joint, x);
        for (int k = 0; k < 3; ++k) out[side][k] = x[k] * per;
    }
}

/* Decides on the frame of joint i: RLS_FRAME_FOREIGN if it has more than plain base rows or soft ones. known:
 * its anchors and axes of the last step may still hold.  Returns 0 if anchors must be read. */
static int find_frame (rls_workspace *workspace, int i, int plain, int known)
{
    rls_island *s = &workspace->island;
    const int r0 = s->mechanism.row0[i];
    const dJointID joint = workspace->objects.joint[s->mechanism.ode_joint[i]];
    const dJointType type = dJointGetType (joint);
    const double (*J)[12] = s->begin.rows.J + r0;
    rls_joint_frame *frame = &s->mechanism.frame[i];
    const rls_frame_kind kind = plain ? kinds[type] : RLS_FRAME_FOREIGN,
                         before = known ? frame->kind : RLS_FRAME_FOREIGN;
    frame->kind = RLS_FRAME_FOREIGN;
    if (kind == RLS_FRAME_FOREIGN) return 1;
    if (rls_count_soft (&s->begin.rows, r0, r0 + rls_ode_base_rows (type)) > 0) return 1;
    if (kind == RLS_FRAME_HINGE &&
        !rls_joint_frame_axes (s, i, before == kind, J, s->begin.rows.residual + r0))
        return 1;
    frame->kind = kind;
    return before == kind && rls_joint_frame_holds (s, i, J, s->begin.rows.residual + r0);
}

/*
 * Reads the frame of slider i.  Its bodies are at the origin.  ODE has no getters of what it stores, but it
 * returns how far the joint is open: at the origin that is the vector part of its quaternion and, to
 * rounding, its offset.  Asked again with the first body at that offset and turned by half a revolution, it
 * returns the scalar part and the rounding.
 */
static void find_slider (rls_workspace *workspace, int i)
{
    rls_island *s = &workspace->island;
    rls_joint_frame *frame = &s->mechanism.frame[i];
    const dJointID joint = workspace->objects.joint[s->mechanism.ode_joint[i]];
    const double per = 1 / s->model.length_scale;
    const int b = s->mechanism.body[i][0], m = rls_ode_base_rows (dJointTypeSlider);
    rls_pose pose = {.q = {1}};
    memset (frame->anchor, 0, sizeof (frame->anchor));
    for (int look = 0; look < 2; ++look)
    {
        /* how far the joint is open, along its axis as well */
        rls_ode_rows rows;
        dVector3 axis;
        double slid[3];
        rls_try_pose (workspace, b, &pose);
        rls_ode_get_rows (joint, m, 1, 1, 0, &rows);
        dJointGetSliderAxis (joint, axis);
        rls_ode_slid (joint, slid);

        /* what that adds to the frame */
        for (int k = 0; k < 3; ++k)
        {
            const double across = rows.J[3][k] * rows.rhs_cfm[3][0] + rows.J[4][k] * rows.rhs_cfm[4][0];
            frame->anchor[1][k] = (dReal)(frame->anchor[1][k] + per * (across + slid[k]));
            if (look == 0) frame->axis[0][k] = axis[k], frame->turn[1 + k] = rows.rhs_cfm[k][0] / 2;
        }
        frame->turn[0] = fabs (rows.rhs_cfm[0][0]) / 2;
        memcpy (pose.x, frame->anchor[1], sizeof (pose.x));
        pose.q[0] = 0, pose.q[1] = 1;
    }
    pose = (rls_pose){.q = {1}};
    rls_try_pose (workspace, b, &pose);
}

/* Reads the anchors of all joints with a frame.  The bodies are moved to the origin for that, where ODE's
 * getters return exactly what it stores. */
static void find_anchors (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const rls_pose origin = {.q = {1}};
    if (s->mechanism.kind_count[RLS_FRAME_FOREIGN] == s->begin.rows.joints) return;
    rls_save_motions (workspace);
    for (int b = 0; b < s->model.bodies; ++b) rls_try_pose (workspace, b, &origin);
    for (int i = 0; i < s->begin.rows.joints; ++i)
    {
        const dJointID joint = workspace->objects.joint[s->mechanism.ode_joint[i]];
        const rls_ode_parameters *t = rls_ode_parameters_of (dJointGetType (joint));
        rls_joint_frame *frame = &s->mechanism.frame[i];
        if (frame->kind == RLS_FRAME_FOREIGN) continue;
        if (frame->kind == RLS_FRAME_SLIDER)
            find_slider (workspace, i);
        else
            get_sides (joint, t->anchor, 1 / s->model.length_scale, frame->anchor);
        if (frame->kind != RLS_FRAME_UNIVERSAL) continue;

        /* axes; one in the world is as long as it was given */
        get_sides (joint, t->axis, 1, frame->axis);
        for (int side = 0; side < 2; ++side)
        {
            const double length = rls_ode_length_of_axis (frame->axis[side]);
            for (int k = 0; k < 3; ++k) frame->axis[side][k] /= length;
        }
    }
    for (int b = 0; b < s->model.bodies; ++b) rls_restore_pose (&workspace->saved.body[b]);
}

/* ---- at the beginning of a step ---- */

/*
 * Reads joint j as joint i of those with rows, into the rows from r0 on.  The rows of an unchanged joint are
 * formed later, from its frame.  Returns the number of bilateral rows, or -1 if a number is not finite.
 * *known becomes 0 if anchors must be read.
 */
static int read_joint (rls_workspace *workspace, int j, int i, int r0, int *known)
{
    rls_island *s = &workspace->island;
    const dJointID joint = workspace->objects.joint[j];
    const dJointType type = dJointGetType (joint);
    const int m = workspace->objects.joint_rows[j], unchanged = rls_joint_cache_as (workspace, j, i);

    /* the joint's place among the rows */
    workspace->objects.springs[j] = 0;
    s->mechanism.ode_joint[i] = j;
    s->begin.rows.compact_rows[i] = 0; /* unless it has a frame */
    memcpy (s->mechanism.body[i], workspace->objects.joint_body[j], sizeof (s->mechanism.body[i]));
    const int program = rls_program_rows_of (workspace, joint) != NULL;
    int count = m;
    if (unchanged)
        for (int r = r0; r < r0 + m; ++r)
            s->mechanism.ode_row[r] = r - r0, s->begin.rows.sigma2[r] = s->begin.rows.target[r] = 0;
    else
        count = program ? rls_take_program_rows (workspace, j, r0) : rls_read_any (workspace, j, m, r0);
    if (count <= 0) return count;

    /* of ODE's rows, those of motors without bounds may hold a velocity, which come after the joint's own,
     * and the rotations that a plane-2D joint holds */
    const int base = type == dJointTypePlane2D ? 1 : rls_ode_base_rows (type);
    for (int r = r0; r < r0 + count && !program; ++r)
        s->mechanism.velocity_level[r] =
            s->mechanism.ode_row[r] < base ? RLS_VELOCITY_LEVEL_NEVER : RLS_VELOCITY_LEVEL_MAYBE;
    if (unchanged) return m;

    /* soft rows, those of locked stops and of motors without bounds among them: among the bounded ones, or
     * with a softness of their own */
    const int may_give_way =
        rls_may_give_way (workspace, joint) ||
        (rls_springs_in_halves (workspace) && rls_count_soft (&s->begin.rows, r0, r0 + count) > 0);
    const int wide = rls_have_parts (&s->begin.rows.parts, r0, r0 + count); /* such rows cannot be moved */
    if (!wide && may_give_way)
        count = rls_take_springs (workspace, j, r0, count);
    else
        rls_soften (workspace, joint, &s->begin.rows, r0, count);

    /* a driven axis has one row more */
    const rls_drive *drive = rls_drive_of (workspace, joint);
    if (drive && count < RLS_MAX_ROWS)
    {
        s->mechanism.ode_row[r0 + count] = m; /* behind the joint's own rows */
        s->mechanism.velocity_level[r0 + count] = RLS_VELOCITY_LEVEL_NEVER;
        if (!rls_drive_row (workspace, drive, &s->begin.rows, r0 + count++)) return -1;
    }
    if (count == 0) return 0;

    /* rows in the unit of length, and whether they follow from anchors and axes alone */
    rls_length_scale_rows (s->model.length_scale, &s->begin.rows, r0, count);
    workspace->objects.soft_rows += rls_count_soft (&s->begin.rows, r0, r0 + count);
    int plain = !drive && !rls_keeps_verbatim (workspace) && count == rls_ode_base_rows (type);
    for (int r = 0; r < count; ++r)
    {
        plain &= s->mechanism.ode_row[r0 + r] == r; /* base rows and no others */
        s->mechanism.velocity_level_rows += s->mechanism.velocity_level[r0 + r] != RLS_VELOCITY_LEVEL_NEVER;
    }
    *known &= find_frame (workspace, i, plain, *known);
    if (count == m && s->mechanism.frame[i].kind != RLS_FRAME_FOREIGN) rls_joint_cache_note (workspace, j, i);
    return count;
}

/* Makes the rows at the end of the last step those of the beginning, if no joint has changed and bodies are
 * where that step left them.  Returns 1 if it did. */
static int take_over_rows (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const int same = workspace->read.all_unchanged && s->valid.end_exact && s->valid.end_natural &&
                     rls_poses_same (s->state.pose, s->next.pose, s->model.bodies);
    if (!same) return 0;
    s->begin.rows.joints = s->end.rows.joints = workspace->objects.joints;
    s->begin.rows.rows = s->end.rows.rows = s->mechanism.row0[workspace->objects.joints];
    if (workspace->analyse) /* an analysis leaves end.rows to the next step */
        rls_rows_copy (&s->end.rows, &s->begin.rows);
    else
        rls_island_swap_rows (s);
    return 1;
}

int rls_gather_joints (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    int joints = 0, rows = 0;
    const int stood = s->valid.stood;
    s->valid.stood = 0;
    const int repeated = s->valid.repeats;
    s->valid.repeats = !rls_contacts_stand (workspace, stood) ? 0
                       : repeated                             ? RLS_REPEATS_AGAIN
                                                              : RLS_REPEATS;
    if (s->valid.repeats)
    {
        s->begin.rows.joints = s->end.rows.joints = s->begin.rows.rows = s->end.rows.rows = 0;
        s->valid.rows_kept = s->valid.end_natural = 0;
        return dRLSStatusOk;
    }
    s->begin.bounded.joints = s->begin.bounded.rows = s->begin.bounded.row0[0] =
        s->begin.bounded.parts.count = 0;
    workspace->objects.soft_rows = workspace->objects.spring_rows = 0;

    /* a step that begins where the last one ended has all rows except stops and springs */
    s->valid.rows_kept = take_over_rows (workspace);
    if (!workspace->analyse || !workspace->read.all_unchanged)
        s->valid.end_natural = 0; /* end.rows are not those of these joints */
    for (int j = 0; j < workspace->objects.joints && s->valid.rows_kept; ++j)
        if (workspace->read.joint[j].stops > 0) rls_take_axis_rows (workspace, j);
    if (s->valid.rows_kept) return dRLSStatusOk;

    /* every joint is read */
    s->mechanism.row0[0] = s->mechanism.parts_listed = s->mechanism.velocity_level_rows = 0;
    for (int p = 0; p < s->begin.rows.parts.count; ++p)
        s->mechanism.part[p].row = -1;                                /* none until it is listed */
    int known = workspace->kept.same_mechanism && s->valid.decisions; /* the joints' anchors */
    rls_island_turn (s, s->state.pose);
    for (int j = 0; j < workspace->objects.joints; ++j)
    {
        if (!rls_joint_cache_as (workspace, j, joints)) rls_joint_cache_forget (workspace, j);
        const int count =
            workspace->objects.joint_rows[j] > 0 ? read_joint (workspace, j, joints, rows, &known) : 0;
        if (count < 0) return dRLSStatusNotFinite;
        if (j < workspace->objects.mechanism_joints &&
            !(rls_joint_cache_as (workspace, j, joints) && workspace->read.joint[j].stops == 0))
            rls_take_axis_rows (workspace, j); /* angular motors may have no other rows */
        if (count == 0) continue;
        rows += count;
        s->mechanism.row0[++joints] = rows;
    }

    /* rows that follow from anchors and axes are formed for all joints together */
    s->begin.rows.joints = s->end.rows.joints = joints;
    s->begin.rows.rows = s->end.rows.rows = rows;
    rls_rows_attach (&s->begin.rows, s->model.bodies, s->mechanism.attach0, s->mechanism.attach);
    rls_island_list_frames (s);
    if (!known) find_anchors (workspace);
    rls_contacts_note (workspace, stood);
    return rls_joint_frames_rows (s, s->state.pose, &s->begin.rows) ? dRLSStatusOk : dRLSStatusNotFinite;
}

/* ---- at trial poses ---- */

/* Evaluates joint i, which has no frame, in ODE or by the program; the bodies have been moved to the pose.
 * Returns 0 if that is not possible. */
static int evaluate_foreign (rls_workspace *workspace, int i)
{
    rls_island *s = &workspace->island;
    rls_rows *rows = &s->end.rows;
    const int j = s->mechanism.ode_joint[i], r0 = s->mechanism.row0[i], count = s->mechanism.row0[i + 1] - r0;
    const dJointID joint = workspace->objects.joint[j];
    int numbers[RLS_MAX_ROWS];
    for (int r = r0; r < r0 + count; ++r) rows->coordinate[r] = NAN; /* unless they are read below */
    memcpy (numbers, s->mechanism.ode_row + r0, sizeof (int) * (size_t)count);
    rows->compact_rows[i] = 0;

    /* the joint's own rows; that of a drive is the last one */
    const int driven = numbers[count - 1] == workspace->objects.joint_rows[j], own = count - driven,
              beside_springs = workspace->objects.springs[j] && !rls_is_wide (rows, i);
    if (beside_springs)
    {
        memcpy (rows->target + r0, s->begin.rows.target + r0, sizeof (double) * (size_t)own);
        if (!rls_read_in_bases (workspace, j, numbers, own, s->begin.rows.J + r0, rows->J + r0,
                                rows->residual + r0, rows->target + r0))
            return 0;
    }
    else if (rls_read_here (workspace, j, rows, r0, numbers, own) != own)
        return 0;
    else
        rls_soften (workspace, joint, rows, r0, own);
    if (driven && !rls_drive_row (workspace, rls_drive_of (workspace, joint), rows, r0 + own)) return 0;

    /* in the unit of length, in which rows beside soft ones are already */
    const int first = beside_springs ? own : 0;
    rls_length_scale_rows (s->model.length_scale, rows, r0 + first, count - first);
    return 1;
}

int rls_evaluate_joints (rls_island *s, const rls_pose *pose)
{
    rls_workspace *workspace = rls_workspace_of (s);
    ++s->account.row_evaluations;
    if (workspace->stepper->world_changed || !rls_poses_usable (pose, s->model.bodies)) return 0;
    rls_island_turn (s, pose);
    const int *foreign = s->mechanism.of_kind[RLS_FRAME_FOREIGN],
              count = s->mechanism.kind_count[RLS_FRAME_FOREIGN];
    if (count > 0)
    {
        rls_begin_moving (workspace);
        for (int b = 0; b < s->model.bodies; ++b) rls_try_pose (workspace, b, &pose[b]);
    }
    if (s->begin.rows.rows == 0) return 1;
    memset (s->end.rows.sigma2, 0, sizeof (double) * (size_t)s->begin.rows.rows);
    memset (s->end.rows.target, 0, sizeof (double) * (size_t)s->begin.rows.rows);
    for (int i = 0; i < count; ++i)
        if (!evaluate_foreign (workspace, foreign[i])) return 0;
    if (!rls_joint_frames_rows (s, pose, &s->end.rows)) return 0;
    rls_moved_joints_add (workspace, &s->end.rows, s->provider.time);
    return 1;
}
