/*
 * Joints that have not changed since the last step, and whose rows need not be asked for in ODE.  The
 * contract is in gather.h.
 *
 * The memory that a joint has in ODE is compared with a copy of it from the step in which the joint was read
 * last. Where both are the same, the rows follow from the joint's frame (island/joint_frame.h) and the poses.
 */
#include "gather.h"
#include <float.h>

/* Values of rls_joint_cache.joint for joints of which nothing is known. */
#define NOT_NOTED (-1)
#define FORGOTTEN (-2) /* there is room for a copy of its memory, from a step before */

int rls_joint_cache_begin (rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    rls_read_joints *read = &workspace->read;
    const int count = workspace->objects.mechanism_joints;
    const int usable = workspace->kept.same_mechanism && workspace->island.valid.decisions &&
                       read->cfm == set->world_cfm && read->correction == set->correction &&
                       read->spring_changes == set->spring_changes &&
                       workspace->wishes->compliances.count == 0;
    read->cfm = set->world_cfm, read->correction = set->correction;
    read->spring_changes = set->spring_changes;
    if (!RLS_GROW (&read->block, read->joint, count)) return 0;
    for (int j = 0; j < count && !usable; ++j) read->joint[j] = (rls_joint_cache){.joint = NOT_NOTED};
    if (!usable) read->own_used = 0;
    return 1;
}

int rls_joint_cache_rows (const rls_workspace *workspace, int j)
{
    if (j >= workspace->objects.mechanism_joints) return 0; /* a contact */
    rls_joint_cache *known = &workspace->read.joint[j];
    const dJointID joint = workspace->objects.joint[j];
    known->unchanged = 0;
    if (known->joint < 0 || dJointGetType (joint) != known->type) return 0;
    if (!known->free && !rls_springs_in_halves (workspace) &&
        rls_count_rows (workspace, joint) != known->rows)
        return 0; /* a stop has been reached (where stops are bounded rows they are not counted here) */
    if (!rls_ode_own_same (joint, known->type, workspace->read.own + known->own) ||
        rls_drive_of (workspace, joint))
        return 0;
    known->unchanged = 1;
    return known->rows;
}

int rls_joint_cache_as (const rls_workspace *workspace, int j, int i)
{
    return j < workspace->objects.mechanism_joints && workspace->read.joint[j].unchanged &&
           workspace->read.joint[j].joint == i;
}

void rls_joint_cache_forget (rls_workspace *workspace, int j)
{
    if (j >= workspace->objects.mechanism_joints || workspace->read.joint[j].joint < 0) return;
    workspace->read.joint[j].joint = FORGOTTEN;

    /* counted, so that ODE tests the joint's stops again before its rows are read */
    rls_count_rows (workspace, workspace->objects.joint[j]);
}

void rls_joint_cache_note (rls_workspace *workspace, int j, int i)
{
    const dJointID joint = workspace->objects.joint[j];
    const dJointType type = dJointGetType (joint);
    const int size = (int)rls_ode_own_size (joint, type);
    if (size == 0 || j >= workspace->objects.mechanism_joints) return;
    rls_read_joints *read = &workspace->read;
    rls_joint_cache *known = &read->joint[j];
    if (known->joint != NOT_NOTED && known->type != type)
        return; /* the copy of another type has this place */
    if (known->joint == NOT_NOTED)
    {
        if (!RLS_GROW (&read->own_block, read->own, read->own_used + size)) return;
        known->own = read->own_used;
        read->own_used += size;
    }
    known->type = type;
    known->joint = i;
    known->rows = workspace->objects.joint_rows[j];
    known->stops = rls_most_axis_rows (workspace, joint);
    rls_ode_own_copy (joint, type, read->own + known->own);

    /* free: no axis has a stop or a motor that could give the joint more rows */
    const rls_ode_parameters *p = rls_ode_parameters_of (type);
    known->free = 1;
    for (int axis = 0; axis < p->axes; ++axis)
    {
        const double reach = p->ways >> axis & 1 ? DBL_MAX : RLS_PI;
        known->free &= rls_ode_get (p, joint, axis, dParamFMax) <= 0 &&
                       rls_ode_get (p, joint, axis, dParamLoStop) < -reach &&
                       rls_ode_get (p, joint, axis, dParamHiStop) > reach;
    }
}
