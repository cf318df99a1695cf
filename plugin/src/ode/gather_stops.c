/* Stops as bounded rows of their own; how ODE is asked for them is in ode_seam.h. */
#include "gather.h"

int rls_count_rows (const rls_workspace *workspace, dJointID joint)
{
    return rls_springs_in_halves (workspace) ? rls_rows_without_stops (joint) : rls_ode_row_count (joint);
}

/* The axes of the joint that may have stops now. */
static int axes_of (dJointID joint) { return dJointIsEnabled (joint) ? rls_stop_axes (joint) : 0; }

int rls_most_stops (dJointID joint)
{
    int most = 0;
    for (int axis = 0; axis < axes_of (joint); ++axis) most += 2 * rls_has_stops (joint, axis);
    return most;
}

/* Of the axis: an angle, or a length that is as large as the island (m). */
static double unit_of (const rls_workspace *workspace, dJointID joint, int axis)
{
    return rls_stop_is_way (joint, axis) ? workspace->island.model.length_scale : 1;
}

/* How far a joint of these bodies may move in the step (units of length and rad). */
static double reach_of (const rls_workspace *workspace, int j)
{
    const rls_island *s = &workspace->island;
    double speed = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int b = workspace->objects.joint_body[j][side];
        if (b < 0) continue;
        const double *v = s->state.v[b];
        speed += sqrt (rls_dot3 (v, v)) + sqrt (rls_dot3 (v + 3, v + 3));
    }
    return RLS_STOP_MARGIN + 2 * workspace->h * speed;
}

static void append (rls_workspace *workspace, int j, int number, const rls_stop *stop)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int r = rls_append_row (workspace, j, RLS_STOP_ROWS + number, stop->J),
              low = number % 2 == RLS_STOP_LOW;

    /* a row that pushes one way */
    to->softness[r] = stop->cfm / workspace->h;
    to->gap[r] = stop->gap, to->bounce[r] = stop->bounce;
    to->share[r] = stop->erp;
    to->push[r] = stop->gap < 0 ? (low ? -1 : 1) * stop->erp * stop->gap : 0;
    to->target[r] = to->push[r] / workspace->h;
    to->lo[r] = low ? 0 : -HUGE_VAL, to->hi[r] = low ? HUGE_VAL : 0;

    /* a stop with a CFM of its own is a spring and a damper */
    if (stop->cfm > RLS_STOCK_CFM)
    {
        to->stiffness[r] = stop->erp / (workspace->h * stop->cfm),
        to->damping[r] = (1 - stop->erp) / stop->cfm;
        to->open[r] = low ? stop->gap : -stop->gap;
    }
    rls_append_joint (workspace, r);
}

void rls_take_stops (rls_workspace *workspace, int j)
{
    const dJointID joint = workspace->objects.joint[j];
    const int axes = rls_springs_in_halves (workspace) ? axes_of (joint) : 0;
    for (int axis = 0; axis < axes; ++axis)
    {
        if (!rls_has_stops (joint, axis)) continue;
        const double reach = unit_of (workspace, joint, axis) * reach_of (workspace, j);
        rls_stop stop;
        for (int side = 0; side < 2; ++side)
            if (rls_read_stop (joint, axis, side, reach, &stop))
                append (workspace, j, 2 * axis + side, &stop);
    }
}

int rls_look_at_stop (const rls_workspace *workspace, int i, rls_bounded *end)
{
    const int r = end->row0[i], number = end->ode_row[r] - RLS_STOP_ROWS;
    const dJointID joint = workspace->objects.joint[end->ode_joint[r]];
    const double reach = RLS_STOP_REACH * unit_of (workspace, joint, number / 2);
    rls_stop stop;
    if (!rls_read_stop (joint, number / 2, number % 2, reach, &stop)) return 0;
    memcpy (end->J[r], stop.J, sizeof (end->J[r]));
    const int angular = rls_is_angular (end->J[r]);
    const double now = angular ? stop.gap : stop.gap / workspace->island.model.length_scale;
    const double way = number % 2 == RLS_STOP_LOW ? now - end->gap[r] : end->gap[r] - now;
    end->way[r] = angular ? remainder (way, 2 * RLS_PI) : way;
    rls_unit_row (workspace->island.model.length_scale, end->J[r]);
    return 1;
}
