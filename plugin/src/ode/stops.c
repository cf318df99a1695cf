/* Stops and axes of ODE's joints, found by asking ODE with changed parameters.  The contract is in
 * ode_seam.h. */
#include "ode_seam.h"
#include <math.h>

static const rls_ode_parameters *type_of (dJointID joint)
{
    return rls_ode_parameters_of (dJointGetType (joint));
}

int rls_has_stops (dJointID joint, int axis)
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
    if (t->axes == 0) return rls_ode_row_count (joint);
    rls_ode_save (t, joint, &saved);
    for (int axis = 0; axis < t->axes; ++axis)
        if (rls_has_stops (joint, axis) ||
            (is_tested_sometimes (t, axis) && !rls_ode_is_locked (joint, t->type, axis)))
            set_free (t, joint, axis);
    const int rows = rls_ode_row_count (joint);
    rls_ode_restore (t, joint, &saved);
    return rows;
}

void rls_follow_angle (dJointID joint, int axis, double J[12])
{
    const dJointType type = dJointGetType (joint);
    double *d = J + 3, rate = 1;

    /* take out the other axis of a hinge-2, or find the cosine of an angular motor's middle angle, whose
     * angles ODE measures the other way round where the world comes first */
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
    else if (type == dJointTypeAMotor && dJointGetAMotorMode (joint) == dAMotorEuler)
    {
        rate = axis == 1 ? 1 : fabs (cos ((double)dJointGetAMotorAngle (joint, 1)));
        if (!dJointGetBody (joint, 0)) rate = -rate;
    }

    /* the angle's rate is that of the row divided by rate */
    for (int k = 0; k < 3 && rate != 1; ++k)
    {
        d[k] /= rate;
        if (dJointGetBody (joint, 0) && dJointGetBody (joint, 1)) d[6 + k] = -d[k];
    }
}

/* Reads the one row that the joint has behind its base rows with these stops and this motor force for the
 * axis, and with no stops or motors on the others: J, and the right-hand side at an ERP of 1.  All parameters
 * are restored.  Returns 0 if there is no such row. */
static int ask_alone (const rls_ode_parameters *t, dJointID joint, int axis, dReal lo, dReal hi, dReal force,
                      double J[12], double *rhs)
{
    rls_ode_saved saved;
    rls_ode_save (t, joint, &saved);
    for (int other = 0; other < t->axes; ++other) set_free (t, joint, other);
    for (int other = 0; other < t->motors; ++other) rls_ode_set (t, joint, other, dParamFMax, 0);
    rls_ode_set (t, joint, axis, dParamLoStop, lo);
    rls_ode_set (t, joint, axis, dParamHiStop, hi);
    if (force > 0) rls_ode_set (t, joint, axis, dParamFMax, force);

    /* the row */
    const int base = rls_ode_base_rows (t->type), m = rls_ode_row_count (joint), found = m > base;
    if (found)
    {
        rls_ode_rows rows;
        rls_ode_set (t, joint, axis, dParamStopERP, 1);
        rls_ode_set (t, joint, axis, dParamBounce, 0);
        rls_ode_get_rows (joint, m, 1, 1, 0, &rows);
        for (int k = 0; k < 12; ++k) J[k] = rows.J[base][k];
        rls_ode_mend_way (joint, base, J);
        rls_follow_angle (joint, axis, J);
        *rhs = rows.rhs_cfm[base][0];
    }
    rls_ode_restore (t, joint, &saved);
    rls_rows_without_stops (joint); /* makes ODE test the restored stops again */
    return found;
}

/* ODE gives angles and axes of hinges, and of universal joints between two bodies.  Joints with the world as
 * their first body, whose sides ODE exchanges, are not treated here. */
rls_stop_angles rls_look_at_angles (dJointID joint)
{
    const dJointType type = dJointGetType (joint);
    const int two = dJointGetBody (joint, 1) != NULL;
    rls_stop_angles now = {.known = dJointGetBody (joint, 0) &&
                                    (type == dJointTypeHinge || (type == dJointTypeUniversal && two))};
    if (!now.known) return now;
    dReal angle[2] = {0, 0};
    if (type == dJointTypeHinge)
        angle[0] = dJointGetHingeAngle (joint);
    else /* the function for both angles rounds as ODE's rows do */
        dJointGetUniversalAngles (joint, &angle[0], &angle[1]);
    for (int axis = 0; axis < 2; ++axis) now.of[axis] = angle[axis];
    return now;
}

/* J := the row of an axis of such a joint. */
static void read_axis_row (dJointID joint, int axis, double J[12])
{
    dVector3 d;
    if (dJointGetType (joint) == dJointTypeHinge)
        dJointGetHingeAxis (joint, d);
    else if (axis == 0)
        dJointGetUniversalAxis1 (joint, d);
    else
        dJointGetUniversalAxis2 (joint, d);
    memset (J, 0, 12 * sizeof (*J));
    for (int k = 0; k < 3; ++k) J[3 + k] = d[k], J[9 + k] = dJointGetBody (joint, 1) ? -d[k] : 0;
}

int rls_read_stop (dJointID joint, int number, const rls_stop_angles *now, double reach, rls_stop *stop)
{
    const rls_ode_parameters *t = type_of (joint);
    const int axis = number / 2, low = number % 2 == 0;
    const dReal at = rls_ode_get (t, joint, axis, low ? dParamLoStop : dParamHiStop), moved = (dReal)reach,
                to = low ? at + moved : at - moved;
    if (!(fabs (at) < dInfinity)) return 0; /* there is no such stop */

    /* the stop is moved by reach, so that the joint is beyond it if it is within reach; the distance follows
     * from how far it is beyond, rounded as ODE rounds it */
    if (now->known)
    {
        const double passed = (low ? -1 : 1) * (now->of[axis] - (double)to);
        if (!(passed >= 0)) return 0;
        stop->gap = (double)moved - passed;
        read_axis_row (joint, axis, stop->J);
    }
    else
    {
        double rhs;
        if (!ask_alone (t, joint, axis, low ? to : -dInfinity, low ? dInfinity : to, 0, stop->J, &rhs))
            return 0;
        stop->gap = low ? moved - rhs : moved + rhs;
        if (!isfinite (stop->gap)) return 0;
    }
    stop->at = at;
    stop->erp = rls_ode_get (t, joint, axis, dParamStopERP);
    stop->cfm = rls_ode_get (t, joint, axis, dParamStopCFM);
    stop->bounce = rls_ode_get (t, joint, axis, dParamBounce);
    return 1;
}

/* ---- axes as rows ---- */

static int is_second_of_hinge2 (dJointID joint, int axis)
{
    return axis == 1 && dJointGetType (joint) == dJointTypeHinge2;
}

int rls_has_axis (dJointID joint, int axis, int with_position)
{
    if (is_second_of_hinge2 (joint, axis)) return !with_position;
    return axis >= 0 && axis < type_of (joint)->axes;
}

int rls_read_axis (dJointID joint, int axis, rls_axis *at)
{
    const rls_ode_parameters *t = type_of (joint);
    const int motor = is_second_of_hinge2 (joint, axis);
    double rhs = 0;

    /* locked at 0, ODE gives the axis and its position; with a motor, only the axis */
    int finite = motor ? ask_alone (t, joint, axis, -dInfinity, dInfinity, 1, at->J, &rhs)
                       : ask_alone (t, joint, axis, 0, 0, 0, at->J, &rhs);
    at->position = motor ? NAN : -rhs;
    at->angular = motor || !(t->ways >> axis & 1);
    for (int k = 0; k < 12 && finite; ++k) finite = isfinite (at->J[k]) != 0;
    return finite && (motor || isfinite (at->position));
}
