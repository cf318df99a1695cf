/*
 * Stops, and springs with dampers, along the axes of joints, as bounded rows of their own.
 *
 * ODE has a row for a stop only while the joint is beyond it, and then none for a motor.  The accurate step
 * needs the stop before it is reached, and both rows.  So a joint with stops is asked for its rows with the
 * stops moved away, and once more for each stop that the step may reach, with that stop moved towards the
 * joint: ODE then gives its row and its distance.  The parameters are restored each time.  Stops of hinges
 * and universal joints follow from axes and angles, for which ODE has functions.
 *
 * A spring (dRLSStepperSetJointSpring) is the row of an axis with a stiffness and a damping.  Stops and
 * springs are such rows where the step has soft rows in both of its halves (method.md, section 9).
 */
#include "gather.h"

static const rls_ode_parameters *type_of (dJointID joint)
{
    return rls_ode_parameters_of (dJointGetType (joint));
}

/* 1 for an axis along which the joint slides. */
static int is_way (dJointID joint, int axis) { return (int)(type_of (joint)->ways >> axis & 1); }

/* ---- questions to ODE ---- */

/* True if the axis has stops between which it may move. */
static int has_stops (dJointID joint, int axis)
{
    const rls_ode_parameters *t = type_of (joint);
    const dReal lo = rls_ode_get (t, joint, axis, dParamLoStop),
                hi = rls_ode_get (t, joint, axis, dParamHiStop);
    if (!(lo < hi)) return 0; /* locked, or none */
    if (t->ways >> axis & 1 || t->type == dJointTypeAMotor) return lo > -dInfinity || hi < dInfinity;
    return lo >= -M_PI || hi <= M_PI; /* ODE's condition for angles */
}

/* 1 for an angle that ODE does not test unless it has finite stops, so that it keeps its last result. */
static int is_tested_sometimes (const rls_ode_parameters *t, int axis)
{
    return !(t->ways >> axis & 1) && t->type != dJointTypeAMotor;
}

/* Moves the stops of an axis to where they are never reached. */
static void set_free (const rls_ode_parameters *t, dJointID joint, int axis)
{
    rls_ode_set (t, joint, axis, dParamLoStop, -dInfinity);
    rls_ode_set (t, joint, axis, dParamHiStop, is_tested_sometimes (t, axis) ? (dReal)M_PI : dInfinity);
}

int rls_rows_without_stops (dJointID joint)
{
    const rls_ode_parameters *t = type_of (joint);
    rls_ode_saved saved;
    int freed = 0;
    for (int axis = 0; axis < t->axes; ++axis)
        if (has_stops (joint, axis) ||
            (is_tested_sometimes (t, axis) && !rls_ode_is_locked (joint, t->type, axis)))
        {
            if (freed++ == 0) rls_ode_save (t, joint, &saved);
            set_free (t, joint, axis);
        }
    const int rows = rls_ode_row_count (joint);
    if (freed > 0) rls_ode_restore (t, joint, &saved);
    return rows;
}

/* Asks for the one row that the joint has behind its base rows with these stops and this motor force for the
 * axis, and with no stops or motors on the others: J, and the right-hand side at an ERP of 1.  All parameters
 * are restored.  Returns 0 if there is none. */
static int ask_alone (dJointID joint, int axis, dReal lo, dReal hi, dReal force, double J[12], double *rhs)
{
    const rls_ode_parameters *t = type_of (joint);
    const int base = rls_ode_base_rows (t->type);
    rls_ode_saved saved;
    rls_ode_rows rows;
    rls_ode_save (t, joint, &saved);
    for (int other = 0; other < t->axes; ++other) set_free (t, joint, other);
    for (int other = 0; other < t->motors; ++other) rls_ode_set (t, joint, other, dParamFMax, 0);
    rls_ode_set (t, joint, axis, dParamLoStop, lo);
    rls_ode_set (t, joint, axis, dParamHiStop, hi);
    if (force > 0) rls_ode_set (t, joint, axis, dParamFMax, force);
    const int m = rls_ode_row_count (joint);
    if (m > base)
    {
        rls_ode_set (t, joint, axis, dParamStopERP, 1);
        rls_ode_set (t, joint, axis, dParamBounce, 0);
        rls_ode_get_rows (joint, m, 1, 1, 0, &rows);
    }
    rls_ode_restore (t, joint, &saved);
    rls_rows_without_stops (joint); /* makes ODE test the restored stops again */
    if (m <= base) return 0;

    /* the row, along which the velocity is the rate of the position */
    rls_copy (J, rows.J[base], 12);
    rls_ode_mend_way (joint, base, J);
    rls_follow_angle (joint, axis, J);
    *rhs = rows.rhs_cfm[base][0];
    return 1;
}

/* ODE gives angles and axes of hinges, and of universal joints between two bodies.  Joints with the world as
 * their first body, whose sides ODE exchanges, are not treated here. */
int rls_look_at_angles (dJointID joint, double angles[2])
{
    const dJointType type = dJointGetType (joint);
    const int two = dJointGetBody (joint, 1) != NULL;
    dReal angle[2] = {0, 0};
    if (!dJointGetBody (joint, 0) || !(type == dJointTypeHinge || (type == dJointTypeUniversal && two)))
        return 0;
    if (type == dJointTypeHinge)
        angle[0] = dJointGetHingeAngle (joint);
    else /* the function for both angles rounds as ODE's rows do */
        dJointGetUniversalAngles (joint, &angle[0], &angle[1]);
    for (int axis = 0; axis < 2; ++axis) angles[axis] = angle[axis];
    return 1;
}

/* Where stop number of a joint is (m or rad). */
static dReal place_of (dJointID joint, int number)
{
    return rls_ode_get (type_of (joint), joint, number / 2, number % 2 == 0 ? dParamLoStop : dParamHiStop);
}

int rls_read_stop (dJointID joint, int number, const double *angles, double reach, double J[12], double *gap)
{
    const int axis = number / 2, low = number % 2 == 0;
    const dReal at = place_of (joint, number), moved = (dReal)reach, shifted = low ? at + moved : at - moved;
    double passed, rhs;                     /* how far it is beyond the moved stop */
    if (!(fabs (at) < dInfinity)) return 0; /* there is no such stop */

    /* from the angles and the axis, or from ODE */
    if (angles)
    {
        passed = (low ? -1 : 1) * (angles[axis] - (double)shifted); /* rounded as ODE rounds it */
        if (!(passed >= 0)) return 0;
        rls_axis_row (joint, axis, J);
    }
    else
    {
        if (!ask_alone (joint, axis, low ? shifted : -dInfinity, low ? dInfinity : shifted, 0, J, &rhs) ||
            !isfinite (rhs))
            return 0;
        passed = low ? rhs : -rhs;
    }
    *gap = (double)moved - passed;
    return 1;
}

static int is_second_of_hinge2 (dJointID joint, int axis)
{
    return axis == 1 && dJointGetType (joint) == dJointTypeHinge2;
}

int rls_has_axis (dJointID joint, int axis, int with_position)
{
    if (is_second_of_hinge2 (joint, axis)) return !with_position;
    return axis >= 0 && axis < type_of (joint)->axes;
}

/* Reads the row of an axis, and its position (m or rad), which stops limit; NAN for the second axis of a
 * hinge-2, which ODE gives no stops.  Returns 0 if ODE gives none, or a number is not finite. */
static int read_axis (dJointID joint, int axis, double J[12], double *position)
{
    const int motor = is_second_of_hinge2 (joint, axis);
    double rhs = 0;

    /* locked at 0, ODE gives the axis and its position; with a motor, only the axis */
    int finite = motor ? ask_alone (joint, axis, -dInfinity, dInfinity, 1, J, &rhs)
                       : ask_alone (joint, axis, 0, 0, 0, J, &rhs) && isfinite (rhs);
    for (int k = 0; k < 12 && finite; ++k) finite = isfinite (J[k]) != 0;
    *position = motor ? NAN : -rhs;
    return finite;
}

/* ---- motors ---- */

/* The unit of the axis' coordinate: 1 (rad), or the island's unit of length (m). */
static double unit_of (const rls_workspace *workspace, dJointID joint, int axis)
{
    return is_way (joint, axis) ? workspace->island.model.length_scale : 1;
}

double rls_axis_coordinate (const rls_workspace *workspace, dJointID joint, int axis, double J[12])
{
    const dJointType type = dJointGetType (joint);
    double angles[2] = {0, 0}, x;

    if (type == dJointTypeSlider)
        return (double)(*type_of (joint)->position[0]) (joint) / unit_of (workspace, joint, 0);
    if (type == dJointTypeHinge)
    {
        const double sign = dJointGetBody (joint, 0) ? 1 : -1; /* of the angle, if the world was named first */
        rls_axis_row (joint, 0, J);
        rls_flat_scale (12, sign, J, J);
        return sign * (double)dJointGetHingeAngle (joint);
    }
    if (!rls_has_axis (joint, axis, 1) || type == dJointTypeAMotor) return NAN;
    if (rls_look_at_angles (joint, angles))
        x = angles[axis], rls_axis_row (joint, axis, J);
    else if (type == dJointTypeUniversal || !read_axis (joint, axis, J, &x))
        return NAN; /* ODE's second angle of a universal joint to the world is another one */
    return x / unit_of (workspace, joint, axis);
}

double rls_find_coordinate (const rls_workspace *workspace, dJointID joint, const double J[12], int *found)
{
    double at = NAN;
    for (int axis = 0; axis < type_of (joint)->axes; ++axis)
    {
        double own[12], off = 0;
        const double x = rls_axis_coordinate (workspace, joint, axis, own);
        for (int k = 0; k < 12 && !isnan (x) && type_of (joint)->type != dJointTypeSlider; ++k)
            off = fmax (off, fabs (own[k] - J[k]));
        if (!isnan (x) && off <= RLS_SEEN) at = x, *found = axis;
    }
    return at;
}

/* ---- stops ---- */

int rls_count_rows (const rls_workspace *workspace, dJointID joint)
{
    return rls_springs_in_halves (workspace) ? rls_rows_without_stops (joint) : rls_ode_row_count (joint);
}

/* The number of axes of the joint that may have stops; 0 if it is disabled. */
static int axes_of (dJointID joint) { return dJointIsEnabled (joint) ? type_of (joint)->axes : 0; }

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
static void append (rls_workspace *workspace, int j, int number, const double J[12], double gap)
{
    const dJointID joint = workspace->objects.joint[j];
    const rls_ode_parameters *t = type_of (joint);
    rls_bounded *to = &workspace->island.begin.bounded;
    const int axis = number / 2, low = number % 2 == 0,
              r = rls_append_row (workspace, j, RLS_STOP_ROWS + number, J);
    const double erp = rls_ode_get (t, joint, axis, dParamStopERP),
                 cfm = rls_ode_get (t, joint, axis, dParamStopCFM);

    /* a row that pushes one way */
    to->softness[r] = cfm / workspace->h;
    to->row[r].gap = gap, to->row[r].stop = place_of (joint, number);
    to->row[r].bounce = rls_ode_get (t, joint, axis, dParamBounce);
    to->row[r].share = erp;
    to->row[r].push = gap < 0 ? (low ? -1 : 1) * erp * gap : 0;
    to->target[r] = to->row[r].push / workspace->h;
    to->lo[r] = low ? 0 : -HUGE_VAL, to->hi[r] = low ? HUGE_VAL : 0;

    /* a stop with a CFM of its own is a spring and a damper */
    if (cfm > RLS_STOCK_CFM)
    {
        rls_spring_of (workspace, erp, cfm, &to->row[r].stiffness, &to->row[r].damping);
        to->row[r].open = low ? gap : -gap;
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

/* Reads the axis of a spring, and how far it is from the spring's position of rest (m or rad); NAN if ODE
 * does not tell.  Returns 0 if ODE does not give the axis. */
static int read_spring (dJointID joint, int axis, const rls_axis_spring *spring, double J[12], double *open)
{
    double position;
    if (!read_axis (joint, axis, J, &position)) return 0;
    *open = position - spring->reference;
    if (!is_way (joint, axis)) *open = remainder (*open, 2 * RLS_PI);
    return 1;
}

/* ---- both ---- */

int rls_most_axis_rows (const rls_workspace *workspace, dJointID joint)
{
    const rls_axis_spring *springs = springs_of (workspace, joint);
    int most = 0;
    for (int axis = 0; axis < axes_of (joint); ++axis) most += 2 * has_stops (joint, axis);
    for (int axis = 0; axis < RLS_MOST_AXES && springs; ++axis) most += is_given (&springs[axis]);
    return most;
}

void rls_take_axis_rows (rls_workspace *workspace, int j)
{
    const dJointID joint = workspace->objects.joint[j];
    const rls_axis_spring *spring = springs_of (workspace, joint);
    const int axes = rls_springs_in_halves (workspace) ? axes_of (joint) : 0;
    double angles[2], J[12], reach = 0, gap, open;
    int known = 0;

    /* stops that it may reach; reach and angles are found once, for the first axis that has some */
    for (int axis = 0; axis < axes; ++axis)
    {
        if (!has_stops (joint, axis)) continue;
        if (reach == 0) reach = reach_of (workspace, j), known = rls_look_at_angles (joint, angles);
        const double within = unit_of (workspace, joint, axis) * reach;
        for (int number = 2 * axis; number < 2 * axis + 2; ++number)
            if (rls_read_stop (joint, number, known ? angles : NULL, within, J, &gap))
                append (workspace, j, number, J, gap);
    }

    /* springs */
    for (int axis = 0; axis < RLS_MOST_AXES && spring; ++axis, ++spring)
    {
        if (!is_given (spring) || !read_spring (joint, axis, spring, J, &open)) continue;
        if (isnan (open)) open = 0; /* it can only have a damper */
        const int r = rls_append_spring (workspace, j, RLS_SPRING_ROWS + axis, J, spring->stiffness,
                                         spring->damping, open, 0);
        rls_append_joint (workspace, r);
    }
}

int rls_look_at_axis_row (const rls_workspace *workspace, int i, rls_bounded *end)
{
    const int r = end->row0[i], number = end->ode_row[r] - RLS_STOP_ROWS,
              spring = end->ode_row[r] - RLS_SPRING_ROWS, axis = spring >= 0 ? spring : number / 2;
    const dJointID joint = workspace->objects.joint[end->ode_joint[r]];
    const double unit = unit_of (workspace, joint, axis);
    double angles[2], way;

    /* how far a spring has become longer, or a stop farther away */
    if (spring >= 0)
    {
        const rls_axis_spring *springs = springs_of (workspace, joint);
        if (!springs || !read_spring (joint, axis, &springs[axis], end->J[r], &way)) return 0;
        way = way / unit - end->row[r].open;
    }
    else
    {
        const int known = rls_look_at_angles (joint, angles);
        if (!rls_read_stop (joint, number, known ? angles : NULL, RLS_STOP_REACH * unit, end->J[r], &way))
            return 0;
        way = number % 2 == 0 ? way / unit - end->row[r].gap : end->row[r].gap - way / unit;
    }

    /* an angular motor on axes of the program, which tells ODE their angles before the step, still has those
     * at trial poses; the way of other angles is the one of least size */
    if (dJointGetType (joint) == dJointTypeAMotor && dJointGetAMotorMode (joint) == dAMotorUser) way = NAN;
    end->way[r] = is_way (joint, axis) ? way : remainder (way, 2 * RLS_PI);
    rls_unit_row (workspace->island.model.length_scale, &end->parts, r, end->J[r]);
    return 1;
}
