/*
 * Stops, and springs with dampers, along the axes of joints, as bounded rows of their own.
 *
 * stops.c asks ODE for the axes.  A spring (dRLSStepperSetJointSpring) is the row of an axis with a stiffness
 * and a damping.  Both exist where the step has soft rows in both of its halves (method.md, section 9).
 */
#include "gather.h"

/* ---- stops ---- */

int rls_count_rows (const rls_workspace *workspace, dJointID joint)
{
    return rls_springs_in_halves (workspace) ? rls_rows_without_stops (joint) : rls_ode_row_count (joint);
}

/* The number of axes of the joint that may have stops; 0 if it is disabled. */
static int axes_of (dJointID joint)
{
    return dJointIsEnabled (joint) ? rls_ode_parameters_of (dJointGetType (joint))->axes : 0;
}

/* The unit of the axis' coordinate: 1 (rad), or the island's unit of length (m). */
static double unit_of (const rls_workspace *workspace, dJointID joint, int axis)
{
    const int is_way = rls_ode_parameters_of (dJointGetType (joint))->ways >> axis & 1;
    return is_way ? workspace->island.model.length_scale : 1;
}

/* How far joint j may move in the step, at twice the speeds of its bodies (units of length or rad). */
static double reach_of (const rls_workspace *workspace, int j)
{
    const rls_island *s = &workspace->island;
    double speed = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int b = workspace->objects.joint_body[j][side];
        if (b < 0) continue;
        const double *v = s->state.v[b];
        speed += rls_length3 (v) + rls_length3 (v + 3);
    }
    return RLS_STOP_MARGIN + 2 * workspace->h * speed;
}

/* Appends stop number of joint j. */
static void append (rls_workspace *workspace, int j, int number, const rls_stop *stop)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int r = rls_append_row (workspace, j, RLS_STOP_ROWS + number, stop->J), low = number % 2 == 0;

    /* a row that pushes one way */
    to->softness[r] = stop->cfm / workspace->h;
    to->row[r].gap = stop->gap, to->row[r].bounce = stop->bounce, to->row[r].stop = stop->at;
    to->row[r].share = stop->erp;
    to->row[r].push = stop->gap < 0 ? (low ? -1 : 1) * stop->erp * stop->gap : 0;
    to->target[r] = to->row[r].push / workspace->h;
    to->lo[r] = low ? 0 : -HUGE_VAL, to->hi[r] = low ? HUGE_VAL : 0;

    /* a stop with a CFM of its own is a spring and a damper */
    if (stop->cfm > RLS_STOCK_CFM)
    {
        rls_spring_of (workspace, stop->erp, stop->cfm, &to->row[r].stiffness, &to->row[r].damping);
        to->row[r].open = low ? stop->gap : -stop->gap;
    }
    rls_append_joint (workspace, r);
}

/* ---- springs ---- */

static int is_given (const rls_axis_spring *spring) { return spring->stiffness + spring->damping > 0; }

/* The springs of a joint, NULL if it has none in this step. */
static const rls_axis_spring *springs_of (const rls_workspace *workspace, dJointID joint)
{
    const rls_joint_springs *wish = RLS_WISH_OF (workspace->wishes->springs, joint);
    return wish && dJointIsEnabled (joint) ? wish->axis : NULL;
}

/* How far the axis is from the spring's position of rest (m or rad); 0 of an axis without a position, which
 * can only have a damper. */
static double stretch (const rls_axis_spring *spring, const rls_axis *axis)
{
    if (isnan (axis->position)) return 0;
    const double x = axis->position - spring->reference;
    return axis->angular ? remainder (x, 2 * RLS_PI) : x;
}

/* ---- stops and springs ---- */

int rls_most_axis_rows (const rls_workspace *workspace, dJointID joint)
{
    const rls_axis_spring *springs = springs_of (workspace, joint);
    int most = 0;
    for (int axis = 0; axis < axes_of (joint); ++axis) most += 2 * rls_has_stops (joint, axis);
    for (int axis = 0; axis < RLS_MOST_AXES && springs; ++axis) most += is_given (&springs[axis]);
    return most;
}

void rls_take_axis_rows (rls_workspace *workspace, int j)
{
    const dJointID joint = workspace->objects.joint[j];
    const rls_axis_spring *springs = springs_of (workspace, joint);
    const int axes = rls_springs_in_halves (workspace) ? axes_of (joint) : 0;

    /* the stops that it may reach in the step */
    rls_stop_angles now = {0};
    double reach = 0; /* found once, for the first axis with stops */
    for (int axis = 0; axis < axes; ++axis)
    {
        if (!rls_has_stops (joint, axis)) continue;
        if (reach == 0) reach = reach_of (workspace, j), now = rls_look_at_angles (joint);
        const double within = unit_of (workspace, joint, axis) * reach;
        rls_stop stop;
        for (int number = 2 * axis; number < 2 * axis + 2; ++number)
            if (rls_read_stop (joint, number, &now, within, &stop)) append (workspace, j, number, &stop);
    }

    /* its springs */
    for (int number = 0; number < RLS_MOST_AXES && springs; ++number)
    {
        const rls_axis_spring *spring = &springs[number];
        rls_axis axis;
        if (!is_given (spring) || !rls_read_axis (joint, number, &axis)) continue;
        const int r = rls_append_spring (workspace, j, RLS_SPRING_ROWS + number, axis.J, spring->stiffness,
                                         spring->damping, stretch (spring, &axis), 0);
        rls_append_joint (workspace, r);
    }
}

int rls_look_at_axis_row (const rls_workspace *workspace, int i, rls_bounded *end)
{
    const int r = end->row0[i], number = end->ode_row[r];
    const dJointID joint = workspace->objects.joint[end->ode_joint[r]];
    const double unit = workspace->island.model.length_scale;
    const double *J;
    double way = NAN;
    int angular;
    rls_axis axis;
    rls_stop stop;

    /* how far a spring has become longer, or a stop farther away */
    if (number >= RLS_SPRING_ROWS)
    {
        const rls_axis_spring *springs = springs_of (workspace, joint);
        if (!springs || !rls_read_axis (joint, number - RLS_SPRING_ROWS, &axis)) return 0;
        const double now = stretch (&springs[number - RLS_SPRING_ROWS], &axis) / (axis.angular ? 1 : unit);
        J = axis.J, angular = axis.angular;
        if (!isnan (axis.position)) way = now - end->row[r].open;
    }
    else
    {
        const int stop_number = number - RLS_STOP_ROWS;
        const double reach = RLS_STOP_REACH * unit_of (workspace, joint, stop_number / 2);
        const rls_stop_angles now = rls_look_at_angles (joint);
        if (!rls_read_stop (joint, stop_number, &now, reach, &stop)) return 0;
        J = stop.J, angular = rls_is_angular (J);
        const double gap = angular ? stop.gap : stop.gap / unit;
        way = stop_number % 2 == 0 ? gap - end->row[r].gap : end->row[r].gap - gap;
    }

    /* Of an angular motor on axes of the program it is not known: the program tells ODE their angles before
     * the step, and ODE still has those.  A way that is an angle is the one of least size. */
    if (dJointGetType (joint) == dJointTypeAMotor && dJointGetAMotorMode (joint) == dAMotorUser) way = NAN;
    end->way[r] = angular ? remainder (way, 2 * RLS_PI) : way;
    memcpy (end->J[r], J, sizeof (end->J[r]));
    rls_unit_row (unit, end->J[r]);
    return 1;
}
