/*
 * Measures how far a joint is open and what energy a body has, in any ODE world, whoever steps it.
 *
 * ODE is asked for the joint's rows with an ERP of 1; the right-hand side of a row then is its geometric
 * error times the step rate.  The result does not depend on ERP and CFM of the world or of the joint.
 *
 * Counted are the joint's own constraints, and axes that are locked by two equal stops.  Not counted are
 * one-sided stops, motors, contacts, disabled joints, and soft constraints: a hinge2's suspension, and equal
 * stops with a CFM.  Angles are true angles, up to a right angle, for sliders and fixed joints up to half a
 * turn.  A plane-2D joint has no reference for its tilt, so its angle is 0.
 */
#include "measure.h"

/* ---- rows ---- */

/* The step rate (1/s) that rows are asked for at.  It is a power of two, so that a division by it is exact,
 * and so large that the phase by which a gear moves on within a step is negligible. */
#define PROBE_RATE ((dReal)1073741824)

/*
 * Reads the rows of a joint, with an ERP of 1, and the geometric error (m or rad) of each.  Some rows ignore
 * the ERP that is passed and use a parameter of the joint; such parameters are set to 1 for the call and then
 * set back.  Returns 0 if the rows are undefined, or fewer than a joint of this type has.
 */
static int read_rows (dJointID joint, rls_ode_rows *rows, double error[RLS_ODE_MAX_ROWS])
{
    const dJointType type = dJointGetType (joint);
    const rls_ode_parameters *t = rls_ode_parameters_of (type);
    rls_ode_saved saved;
    const dReal own = t->erp ? (*t->get) (joint, t->erp) : 0;
    if (rls_is_degenerate (joint, (double)(1 / PROBE_RATE))) return 0;

    /* motors are switched off, because one that is powered into its stop would add forces to its bodies;
     * every ERP of the joint is set to 1 */
    rls_ode_save (t, joint, &saved);
    for (int axis = 0; axis < t->motors; ++axis)
    {
        rls_ode_set (t, joint, axis, dParamFMax, 0);
        rls_ode_set (t, joint, axis, dParamStopERP, 1);
    }
    if (t->erp) (*t->set) (joint, t->erp, 1);

    /* the rows, and the parameters as they were */
    const int base = rls_ode_base_rows (type), count = rls_ode_row_count (joint);
    if (count >= base) rls_ode_get_rows_counted (joint, count, PROBE_RATE, 1, 0, rows);
    rls_ode_restore (t, joint, &saved);
    if (t->erp) (*t->set) (joint, t->erp, own);
    if (count < base) return 0;

    /* some rows of ODE have wrong levers or errors */
    for (int r = 0; r < count; ++r)
    {
        double J[12];
        rls_copy (J, rows->J[r], 12);
        error[r] = (double)(rows->rhs_cfm[r][0] / PROBE_RATE);
        rls_ode_mend_row (joint, type, r, J, &error[r]);
        for (int k = 0; k < 12; ++k) rows->J[r][k] = (dReal)J[k];
    }
    return 1;
}

/* ---- violations ---- */

/* The arc sine of the absolute value, where rounding may have made that more than 1; NaN stays NaN. */
static double angle_of_sine (double sine) { return asin (fabs (sine) > 1 ? 1 : fabs (sine)); }

/*
 * Returns the violations of a joint with these rows and errors.  The directions of its rows are
 * perpendicular, so errors of the same kind are added as vectors.  The kind of an error (ode_names.h) says
 * whether it is a length ('g'), a sine ('s'), twice the sine of half the angle ('h') or an angle ('a').
 */
static dRLSViolation violation_of (const rls_ode_rows *rows, const double *error, const dBodyID bodies[2])
{
    const char *kinds = rls_ode_row_kinds (rows->type);
    const int base = rls_ode_base_rows (rows->type);
    const dReal world_cfm = dWorldGetCFM (dBodyGetWorld (bodies[0])), regular = (dReal)RLS_STOCK_CFM;
    double gap = 0, sine = 0, half = 0, locked = 0, rate = 0, turning = 0;
    for (int r = 0; r < rows->count; ++r)
    {
        const dReal *row = rows->J[r];

        /* rows after those of the type are of locked axes, whose errors are lengths or angles; gears beyond
         * their backlash have a one-sided row, which is open but has no velocity to hold */
        const int linear = row[0] != 0 || row[1] != 0 || row[2] != 0, kind = r < base ? kinds[r]
                                                                             : linear ? 'g'
                                                                                      : 'a';
        const int holds = rls_is_bilateral (rows, r);

        /* no springs: the suspension of a hinge2, which is its first row, and equal stops, with a CFM larger
         * than that by which ODE regularises any row */
        const int may_give_way = r >= base || (r == 0 && rows->type == dJointTypeHinge2),
                  spring = may_give_way && rows->rhs_cfm[r][1] > (world_cfm > regular ? world_cfm : regular);
        if ((r >= base && !holds) || spring) continue;
        double *sum = kind == 'g' ? &gap : kind == 's' ? &sine : kind == 'h' ? &half : &locked;
        *sum = hypot (*sum, kind == 'a' ? remainder (error[r], 2 * RLS_PI) : error[r]);
        const double direction = length3 (linear ? row : row + 3);
        sum = linear ? &rate : &turning;
        if (direction > 0 && holds) *sum = hypot (*sum, rls_row_velocity (row, bodies) / direction);
    }
    const double angle = hypot (hypot (angle_of_sine (sine), 2 * angle_of_sine (half / 2)), locked);
    return (dRLSViolation){(dReal)gap, (dReal)angle, (dReal)rate, (dReal)turning};
}

/* ---- the public functions ---- */

int dRLSMeasureJoint (dJointID joint, dRLSViolation *violation)
{
    if (!joint || !violation || rls_ode_prepare (NULL) != dRLSStatusOk) return 0;
    *violation = (dRLSViolation){0, 0, 0, 0};

    dBodyID bodies[2]; /* as in the rows: the first one is never NULL */
    rls_ode_joint_bodies (joint, bodies);

    /* nothing can be violated if the joint has no constraints, or not the bodies that they need */
    const dJointType type = dJointGetType (joint);
    const int needs_two = type == dJointTypeHinge2 || type == dJointTypeTransmission;
    if (!bodies[0] || !dJointIsEnabled (joint) || rls_ode_base_rows (type) == 0 || (needs_two && !bodies[1]))
        return 1;
    for (int side = 0; side < 2 && bodies[side]; ++side)
    {
        const dBodyID body = bodies[side];
        if (!rls_all_finite (dBodyGetPosition (body), 3) || !rls_all_finite (dBodyGetQuaternion (body), 4) ||
            !rls_all_finite (dBodyGetLinearVel (body), 3) || !rls_all_finite (dBodyGetAngularVel (body), 3))
            return 0;
    }
    rls_ode_rows rows;
    double error[RLS_ODE_MAX_ROWS];
    if (!read_rows (joint, &rows, error)) return 0;
    const dRLSViolation found = violation_of (&rows, error, bodies);
    if (!isfinite (found.position_m + found.angle_rad + found.velocity_m_s + found.velocity_rad_s)) return 0;
    *violation = found;
    return 1;
}

void rls_report_joint (dRLSReport *report, dJointID joint)
{
    dRLSViolation v;
    if (!dRLSMeasureJoint (joint, &v)) return;
    report->violation_m = (dReal)fmax (report->violation_m, v.position_m);
    report->violation_rad = (dReal)fmax (report->violation_rad, v.angle_rad);
    report->violation_m_s = (dReal)fmax (report->violation_m_s, v.velocity_m_s);
    report->violation_rad_s = (dReal)fmax (report->violation_rad_s, v.velocity_rad_s);
}

int dRLSMeasureBody (dBodyID body, dReal *kinetic, dReal *potential)
{
    if (!body || !kinetic || !potential || rls_ode_prepare (NULL) != dRLSStatusOk) return 0;
    *kinetic = *potential = 0;
    if (dBodyIsKinematic (body)) return 1;

    dMass mass;
    dVector3 gravity, spin, momentum;
    const dReal *velocity = dBodyGetLinearVel (body), *turning = dBodyGetAngularVel (body);
    dBodyGetMass (body, &mass);
    dBodyVectorFromWorld (body, turning[0], turning[1], turning[2], spin);
    for (int k = 0; k < 3; ++k) momentum[k] = (dReal)dot3 (mass.I + 4 * k, spin);
    *kinetic = (dReal)((double)mass.mass * dot3 (velocity, velocity) / 2 + dot3 (spin, momentum) / 2);
    if (dBodyGetGravityMode (body))
    {
        dWorldGetGravity (dBodyGetWorld (body), gravity);
        *potential = (dReal)(-(double)mass.mass * dot3 (gravity, dBodyGetPosition (body)));
    }
    return 1;
}

void rls_report_body (dRLSReport *report, dBodyID body)
{
    dReal kinetic, potential;
    if (!dRLSMeasureBody (body, &kinetic, &potential)) return;
    report->kinetic += kinetic;
    report->potential += potential;
}
