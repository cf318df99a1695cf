/*
 * ODE's joints -> rows: those of all joints at the beginning of a step, and again at trial poses.
 *
 * Joints that stand are not asked again (joint_cache.h), joints with a frame give their rows without ODE
 * (joint_frame.h), and the others are read (gather_rows.c), their bodies moved to the trial poses where need
 * be.
 */
#include "compliance.h"
#include "degenerate.h"
#include "drives.h"
#include "gather.h"
#include "island/joint_frame.h"
#include "kernels/parts.h"
#include "island/rotation.h"
#include "program_rows.h"
#include "joint_cache.h"
#include "stepper/stepper.h"
#include "length_scale.h"
#include <string.h>

/* 1 if the count rows from r0 on are the base rows of the joint and no others. */
static int has_base_rows (const rls_workspace *workspace, dJointID joint, int r0, int count)
{
    int base = count == rls_ode_base_rows (dJointGetType (joint));
    for (int r = 0; r < count; ++r) base &= workspace->island.ode_row[r0 + r] == r;
    return base;
}

/*
 * Joint j, which becomes joint i of those with rows, into the rows from r0 on; of one that stands the frame
 * will tell the rows.  Returns how many there are, or -1 if a number is not finite.  known: becomes 0 if its
 * anchors are not known yet.
 */
static int read_joint (rls_workspace *workspace, int j, int i, int r0, int *known)
{
    rls_island *s = &workspace->island;
    const dJointID joint = workspace->joint[j];
    const int m = workspace->joint_rows[j], stands = rls_joint_cache_as (workspace, j, i);
    const int base = stands || (!rls_may_give_way (workspace, joint) &&
                                rls_read_base (workspace, joint, dJointGetType (joint), m, &s->rows, r0));
    int count = m;

    /* the joint's place among the rows */
    workspace->springs[j] = 0;
    s->ode_joint[i] = j;
    s->rows.compact_rows[i] = 0; /* so far */
    s->body1[i] = workspace->joint_body[j][0];
    s->body2[i] = workspace->joint_body[j][1];
    for (int r = 0; r < m && base; ++r) s->ode_row[r0 + r] = r;

    /* a joint that has not changed since the last step is not asked */
    if (stands)
    {
        for (int r = 0; r < m; ++r) s->rows.sigma2[r0 + r] = s->rows.target[r0 + r] = 0;
        return m;
    }

    /* rows of the program, or those that ODE has in a plainer or a longer way */
    const rls_program_rows *program = rls_program_rows_of (workspace, joint);
    if (program)
    {
        for (int r = 0; r < m; ++r) s->ode_row[r0 + r] = r;
        rls_list_parts (workspace, j, i);
        if (!rls_read_program_rows (workspace, program, &s->rows, i, r0, s->nonholonomic + r0)) return -1;
    }
    else if (!base)
        count = rls_read_any (workspace, j, m, r0);
    if (count < 0) return -1;

    /* rows that give way leave for the bounded ones */
    const int wide = rls_is_wide (&s->rows, i); /* rows that give way have two bodies */
    if (count > 0 && !wide && rls_may_give_way (workspace, joint))
        count = rls_take_springs (workspace, j, i, r0, count);
    else
        rls_soften (workspace, joint, &s->rows, r0, count);

    /* a driven axis has one row more */
    const rls_drive *drive = rls_drive_of (workspace, joint);
    if (drive && count < RLS_MAX_ROWS)
    {
        s->ode_row[r0 + count] = m; /* behind the joint's own rows */
        if (!rls_drive_row (workspace, drive, &s->rows, r0 + count++)) return -1;
    }
    if (count == 0) return 0;

    /* rows in the unit of length, and whether they follow from anchors and axes alone */
    rls_length_scale_rows (s->length_scale, &s->rows, i, r0, count);
    for (int r = r0; r < r0 + count; ++r) workspace->soft_rows += s->rows.sigma2[r] > 0;
    const int plain = base || (!workspace->springs[j] && !rls_keeps_verbatim (workspace) &&
                               has_base_rows (workspace, joint, r0, count));
    *known &= rls_find_frame (workspace, i, plain && !drive, *known);
    if (base && s->frame[i].kind != RLS_FRAME_FOREIGN) rls_joint_cache_note (workspace, j, i);
    return count;
}

/* The island is as the last step left it: the rows that it ended with are those that this one begins with. */
static int take_over_rows (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const int same = workspace->all_unchanged && s->now_exact && s->now_natural &&
                     rls_poses_same (s->pose, s->new_pose, s->bodies);
    if (!same) return 0;
    s->rows.joints = s->rows_now.joints = workspace->joint_count;
    s->rows.rows = s->rows_now.rows = s->row0[workspace->joint_count];
    if (workspace->analyse) /* rows_now is the next step's */
        rls_rows_copy (&s->rows_now, &s->rows);
    else
        rls_island_swap_rows (s);
    return 1;
}

int rls_gather_joints (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    int joints = 0, rows = 0;
    s->bounded.joints = s->bounded.rows = s->bounded.row0[0] = 0;
    workspace->soft_rows = workspace->spring_rows = 0;

    /* a step that begins where the last one ended has its rows already, but for stops and springs */
    s->rows_unchanged = take_over_rows (workspace);
    if (!workspace->analyse || !workspace->all_unchanged)
        s->now_natural = 0; /* rows_now are not those of these joints */
    for (int j = 0; j < workspace->joint_count && s->rows_unchanged; ++j)
        if (workspace->joint_cache[j].stops > 0)
            rls_take_stops (workspace, j), rls_take_axis_springs (workspace, j);
    if (s->rows_unchanged) return dRLSStatusOk;

    /* every joint is read */
    s->row0[0] = s->parts_listed = 0;
    for (int p = 0; p < s->rows.parts; ++p) s->part[p].joint = -1; /* of none, until it is listed */
    int known = workspace->same_mechanism && s->reusable;          /* the joints' anchors */
    rls_island_turn (s, s->pose);
    for (int j = 0; j < workspace->joint_count; ++j)
    {
        if (!rls_joint_cache_as (workspace, j, joints)) rls_joint_cache_forget (workspace, j);
        const int count = workspace->joint_rows[j] > 0 ? read_joint (workspace, j, joints, rows, &known) : 0;
        if (count < 0) return dRLSStatusNotFinite;
        if (!(rls_joint_cache_as (workspace, j, joints) && workspace->joint_cache[j].stops == 0))
        {
            if (workspace->joint_rows[j] > 0) rls_take_stops (workspace, j);
            rls_take_axis_springs (workspace, j);
        }
        if (count == 0) continue;
        rows += count;
        s->row0[++joints] = rows;
    }

    /* rows that follow from anchors and axes are formed for all joints together */
    s->rows.joints = s->rows_now.joints = joints;
    s->rows.rows = s->rows_now.rows = rows;
    rls_rows_attach (&s->rows, s->bodies, s->attach0, s->attach);
    rls_list_frames (s);
    if (!known) rls_find_anchors (workspace);
    return rls_joint_frames_rows (s, s->pose, &s->rows) ? dRLSStatusOk : dRLSStatusNotFinite;
}

/* Joint i as ODE sees it; its bodies have been moved. */
static int evaluate_foreign (rls_workspace *workspace, const rls_pose *pose, int i)
{
    rls_island *s = &workspace->island;
    const int j = s->ode_joint[i], last = s->row0[i + 1] - 1;
    const dJointID joint = workspace->joint[j];
    const rls_program_rows *program = rls_program_rows_of (workspace, joint);
    if (program && !workspace->springs[j])
    {
        s->rows_now.compact_rows[i] = 0;
        if (!rls_read_program_rows (workspace, program, &s->rows_now, i, s->row0[i], NULL)) return 0;
        rls_soften (workspace, joint, &s->rows_now, s->row0[i], program->count);
        rls_length_scale_rows (s->length_scale, &s->rows_now, i, s->row0[i], program->count);
        return 1;
    }
    const int driven = s->ode_row[last] == workspace->joint_rows[j]; /* the row behind the joint's own */
    if (rls_is_degenerate (joint, workspace->h)) return 0;
    s->rows_now.compact_rows[i] = 0;
    if ((workspace->springs[j] || !rls_read_base (workspace, joint, dJointGetType (joint),
                                                  workspace->joint_rows[j], &s->rows_now, s->row0[i])) &&
        !rls_read_again (workspace, pose, i, last + 1 - driven - s->row0[i]))
        return 0;
    if (driven && !rls_drive_row (workspace, rls_drive_of (workspace, joint), &s->rows_now, last)) return 0;
    if (!workspace->springs[j])
        rls_soften (workspace, joint, &s->rows_now, s->row0[i], last + 1 - driven - s->row0[i]);
    rls_length_scale_rows (s->length_scale, &s->rows_now, i, s->row0[i], last + 1 - s->row0[i]);
    return 1;
}

int rls_evaluate_joints (rls_island *s, const rls_pose *pose)
{
    rls_workspace *workspace = (rls_workspace *)(void *)((char *)s - offsetof (rls_workspace, island));
    ++s->row_evaluations;
    if (workspace->stepper->world_changed || !rls_poses_usable (pose, s->bodies)) return 0;
    rls_island_turn (s, pose);
    const int *foreign = s->of_kind[RLS_FRAME_FOREIGN], count = s->kind_count[RLS_FRAME_FOREIGN];
    if (count > 0)
    {
        rls_begin_moving (workspace);
        for (int b = 0; b < s->bodies; ++b) rls_try_pose (workspace, b, &pose[b]);
    }
    if (s->rows.rows == 0) return 1;
    memset (s->rows_now.sigma2, 0, sizeof (double) * (size_t)s->rows.rows);
    memset (s->rows_now.target, 0, sizeof (double) * (size_t)s->rows.rows);
    for (int i = 0; i < count; ++i)
        if (!evaluate_foreign (workspace, pose, foreign[i])) return 0;
    return rls_joint_frames_rows (s, pose, &s->rows_now);
}
