/* Stops of ODE's joints; contract in stops.h. */
#include "stops.h"
#include <math.h>

/* Of each axis; may have the other sign where the world comes first.  NULL: unknown. */
static dReal (**const positions[dJointTypeTransmission + 1][RLS_MOST_AXES]) (dJointID) = {
    [dJointTypeHinge] = {&dJointGetHingeAngle},
    [dJointTypeSlider] = {&dJointGetSliderPosition},
    [dJointTypeUniversal] = {&dJointGetUniversalAngle1, &dJointGetUniversalAngle2},
    [dJointTypeHinge2] = {&dJointGetHinge2Angle1},
    [dJointTypePR] = {&dJointGetPRPosition, &dJointGetPRAngle},
    [dJointTypePU] = {&dJointGetPUAngle1, &dJointGetPUAngle2, &dJointGetPUPosition},
    [dJointTypePiston] = {&dJointGetPistonPosition, &dJointGetPistonAngle},
};

static const rls_ode_parameters *type_of (dJointID joint)
{
    return rls_ode_parameters_of (dJointGetType (joint));
}

int rls_stop_axes (dJointID joint) { return type_of (joint)->axes; }

int rls_has_stops (dJointID joint, int axis)
{
    const rls_ode_parameters *t = type_of (joint);
    const dReal lo = (*t->get) (joint, rls_ode_parameter (axis, dParamLoStop));
    const dReal hi = (*t->get) (joint, rls_ode_parameter (axis, dParamHiStop));
    if (!(lo < hi)) return 0; /* locked, or none */
    if (t->ways >> axis & 1 || t->type == dJointTypeAMotor) return lo > -dInfinity || hi < dInfinity;
    return lo >= -M_PI || hi <= M_PI; /* as ODE has it */
}

int rls_stop_is_way (dJointID joint, int axis) { return (int)(type_of (joint)->ways >> axis & 1); }

/* The parameters of all axes that are changed while a joint is asked. */
typedef struct
{
    dReal value[RLS_MOST_AXES][3];
} saved;

static const int changed[3] = {dParamLoStop, dParamHiStop, dParamFMax};

static void save (const rls_ode_parameters *t, dJointID joint, saved *s)
{
    for (int axis = 0; axis < t->motors; ++axis)
        for (int i = 0; i < 3; ++i)
            s->value[axis][i] = (*t->get) (joint, rls_ode_parameter (axis, changed[i]));
}

static void restore (const rls_ode_parameters *t, dJointID joint, const saved *s)
{
    for (int axis = 0; axis < t->motors; ++axis)
        for (int i = 0; i < 3; ++i)
            (*t->set) (joint, rls_ode_parameter (axis, changed[i]), s->value[axis][i]);
}

/* A limit that is never reached; about a hinge ODE looks at none that is infinite, and keeps what it knew. */
static void set_free (const rls_ode_parameters *t, dJointID joint, int axis)
{
    const int angle = !(t->ways >> axis & 1) && t->type != dJointTypeAMotor;
    (*t->set) (joint, rls_ode_parameter (axis, dParamLoStop), -dInfinity);
    (*t->set) (joint, rls_ode_parameter (axis, dParamHiStop), angle ? (dReal)M_PI : dInfinity);
}

/* No axis has a stop within reach or a motor: the joint has the rows of its type alone. */
static void set_passive (const rls_ode_parameters *t, dJointID joint)
{
    for (int axis = 0; axis < t->axes; ++axis) set_free (t, joint, axis);
    for (int axis = 0; axis < t->motors; ++axis) (*t->set) (joint, rls_ode_parameter (axis, dParamFMax), 0);
}

int rls_rows_without_stops (dJointID joint)
{
    const rls_ode_parameters *t = type_of (joint);
    saved s;
    if (t->axes == 0) return rls_ode_row_count (joint);
    save (t, joint, &s);
    for (int axis = 0; axis < t->axes; ++axis)
        if (rls_has_stops (joint, axis)) set_free (t, joint, axis);
    const int rows = rls_ode_row_count (joint);
    restore (t, joint, &s);
    return rows;
}

void rls_follow_angle (dJointID joint, int axis, double J[12])
{
    const dJointType type = dJointGetType (joint);
    double *d = J + 3, rate = 1;
    if (type == dJointTypeHinge2)
    {
        dVector3 axes[2];
        dJointGetHinge2Axis1 (joint, axes[0]), dJointGetHinge2Axis2 (joint, axes[1]);
        const dReal *other = axes[1 - axis];
        double along = 0;
        for (int k = 0; k < 3; ++k) along += d[k] * (double)other[k];
        for (int k = 0; k < 3; ++k) d[k] -= along * (double)other[k];
        rate = 1 - along * along;
    }
    else if (type == dJointTypeAMotor && axis != 1 && dJointGetAMotorMode (joint) == dAMotorEuler)
        rate = fabs (cos ((double)dJointGetAMotorAngle (joint, 1)));
    for (int k = 0; k < 3 && rate != 1; ++k)
    {
        d[k] /= rate;
        if (dJointGetBody (joint, 0) && dJointGetBody (joint, 1)) d[6 + k] = -d[k];
    }
}

/* The one row that the joint has beyond those of its type, with the stop moved by reach towards it. */
static int read_moved (const rls_ode_parameters *t, dJointID joint, int axis, int side, dReal reach,
                       rls_stop *stop)
{
    const int which = rls_ode_parameter (axis, side == RLS_STOP_LOW ? dParamLoStop : dParamHiStop);
    const int erp = rls_ode_parameter (axis, dParamStopERP), bounce = rls_ode_parameter (axis, dParamBounce);
    const int base = rls_ode_base_rows (t->type);
    const dReal kept_erp = (*t->get) (joint, erp), kept_bounce = (*t->get) (joint, bounce),
                at = (*t->get) (joint, which);
    rls_ode_rows rows;

    /* a stop that is none has no row */
    if (side == RLS_STOP_LOW ? !(at > -dInfinity) : !(at < dInfinity)) return 0;

    /* alone, and moved so far into the axis that it is surely passed */
    set_passive (t, joint);
    if (side == RLS_STOP_LOW) (*t->set) (joint, rls_ode_parameter (axis, dParamHiStop), dInfinity);
    (*t->set) (joint, which, side == RLS_STOP_LOW ? at + reach : at - reach);

    /* by how much less than that is the gap */
    const int m = rls_ode_row_count (joint);
    if (m > base)
    {
        (*t->set) (joint, erp, 1), (*t->set) (joint, bounce, 0);
        rls_ode_get_rows (joint, m, 1, 1, 0, &rows);
        (*t->set) (joint, erp, kept_erp), (*t->set) (joint, bounce, kept_bounce);
        for (int k = 0; k < 12; ++k) stop->J[k] = rows.J[base][k];
        rls_ode_mend_way (joint, base, stop->J);
        rls_follow_angle (joint, axis, stop->J);
        const double rhs = rows.rhs_cfm[base][0];
        stop->gap = side == RLS_STOP_LOW ? reach - rhs : reach + rhs;
        stop->erp = kept_erp, stop->bounce = kept_bounce;
        stop->cfm = (*t->get) (joint, rls_ode_parameter (axis, dParamStopCFM));
    }
    return m > base;
}

/* 1 where the angle that stops measure is another than the one that programs read: ODE bisects the axes of a
 * universal joint, of which one in the world is as long as it was given. */
static int measures_another_angle (const rls_ode_parameters *t, dJointID joint)
{
    const int row = t->type == dJointTypeUniversal ? 3 : 0; /* that compares the axes */
    return (t->type == dJointTypeUniversal || t->type == dJointTypePU) &&
           rls_ode_axis_length (joint, t->type, row) != 1;
}

/* 1 if the joint is farther from the stop than reach, whichever sign its position has; costs little. */
static int is_far (const rls_ode_parameters *t, dJointID joint, int axis, int side, double reach)
{
    const double at = (double)(*t->get) (
        joint, rls_ode_parameter (axis, side == RLS_STOP_LOW ? dParamLoStop : dParamHiStop));
    if (!positions[t->type][axis] || measures_another_angle (t, joint)) return 0;
    const double x = fabs ((double)(*positions[t->type][axis]) (joint));
    return side == RLS_STOP_LOW ? -x - at > reach : at - x > reach;
}

int rls_read_stop (dJointID joint, int axis, int side, double reach, rls_stop *stop)
{
    const rls_ode_parameters *t = type_of (joint);
    saved s;
    if (is_far (t, joint, axis, side, reach)) return 0;
    save (t, joint, &s);
    const int found = read_moved (t, joint, axis, side, (dReal)reach, stop);
    restore (t, joint, &s);
    rls_rows_without_stops (joint); /* what ODE knows of them now would be taken for a row */
    return found && isfinite (stop->gap);
}

/* ---- axes as rows ---- */

static int is_second_of_hinge2 (dJointID joint, int axis)
{
    return axis == 1 && dJointGetType (joint) == dJointTypeHinge2;
}

int rls_has_axis (dJointID joint, int axis, int with_position)
{
    if (is_second_of_hinge2 (joint, axis)) return !with_position;
    return axis >= 0 && axis < rls_stop_axes (joint);
}

int rls_read_axis (dJointID joint, int axis, rls_axis *at)
{
    const rls_ode_parameters *t = type_of (joint);
    const int base = rls_ode_base_rows (t->type), motor = is_second_of_hinge2 (joint, axis),
              erp = rls_ode_parameter (axis, dParamStopERP), most = rls_ode_parameter (axis, dParamFMax);
    const dReal kept_erp = (*t->get) (joint, erp), kept_most = (*t->get) (joint, most);
    saved s;
    rls_ode_rows rows;

    /* a stop at 0 with ERP 1 makes ODE tell the axis and the position; a motor, the axis alone */
    save (t, joint, &s);
    set_passive (t, joint);
    if (motor)
        (*t->set) (joint, most, 1);
    else
    {
        (*t->set) (joint, rls_ode_parameter (axis, dParamLoStop), 0),
            (*t->set) (joint, rls_ode_parameter (axis, dParamHiStop), 0);
        (*t->set) (joint, erp, 1);
    }

    /* what it answers */
    const int m = rls_ode_row_count (joint);
    int finite = m > base;
    if (finite)
    {
        rls_ode_get_rows (joint, m, 1, 1, 0, &rows);
        for (int k = 0; k < 12; ++k) at->J[k] = rows.J[base][k];
        rls_ode_mend_way (joint, base, at->J);
        rls_follow_angle (joint, axis, at->J);
        for (int k = 0; k < 12; ++k) finite &= isfinite (at->J[k]) != 0;
        at->position = motor ? NAN : -rows.rhs_cfm[base][0];
        at->angular = motor || !(t->ways >> axis & 1);
        finite &= motor || isfinite (at->position);
    }

    /* the joint as it was */
    (*t->set) (joint, erp, kept_erp), (*t->set) (joint, most, kept_most);
    restore (t, joint, &s);
    rls_rows_without_stops (joint);
    return finite;
}
