/*
 * Asks a joint for its rows with every error reduction at 1, so that right-hand sides are geometry.
 *
 * Some rows ignore the error reduction they are asked with and use a parameter of the joint instead, and
 * a motor that is powered into its stop pushes its bodies when it is asked.  So the joint's parameters
 * are borrowed for the moment of asking and then returned as they were.
 */
#include "ode/degenerate.h"
#include "measure.h"

/* Steps per second at which rows are asked for.  A power of two, so that dividing by it rounds nothing,
 * and so many that a gear's prediction of its phase over one step is negligible. */
#define PROBE_RATE ((dReal)1073741824)

#define MOST_AXES 3

/* The parameters that decide on a joint's rows: those of its limit-motors and its own ERP. */
typedef struct
{
    dReal (**get) (dJointID joint, int parameter); /* entries of the table of ODE's functions */
    void (**set) (dJointID joint, int parameter, dReal value);
    int axes; /* limit-motors */
    int has_erp;
} row_parameters;

static const row_parameters parameters_of[dJointTypeTransmission + 1] = {
    [dJointTypeHinge] = {&dJointGetHingeParam, &dJointSetHingeParam, 1, 0},
    [dJointTypeSlider] = {&dJointGetSliderParam, &dJointSetSliderParam, 1, 0},
    [dJointTypeUniversal] = {&dJointGetUniversalParam, &dJointSetUniversalParam, 2, 0},
    [dJointTypeHinge2] = {&dJointGetHinge2Param, &dJointSetHinge2Param, 2, 0},
    [dJointTypeFixed] = {&dJointGetFixedParam, &dJointSetFixedParam, 0, 1},
    [dJointTypePR] = {&dJointGetPRParam, &dJointSetPRParam, 2, 0},
    [dJointTypePU] = {&dJointGetPUParam, &dJointSetPUParam, 3, 0},
    [dJointTypePiston] = {&dJointGetPistonParam, &dJointSetPistonParam, 2, 0},
    [dJointTypeDHinge] = {&dJointGetDHingeParam, &dJointSetDHingeParam, 0, 1},
    [dJointTypeTransmission] = {&dJointGetTransmissionParam, &dJointSetTransmissionParam, 0, 1},
};

typedef struct
{
    dReal motor_force[MOST_AXES], stop_erp[MOST_AXES], erp;
} borrowed_parameters;

/* Motors off, for one that is powered into its stop would push its bodies; every own ERP to 1. */
static void borrow_parameters (const row_parameters *parameters, dJointID joint, borrowed_parameters *saved)
{
    for (int i = 0; i < parameters->axes; ++i)
    {
        saved->motor_force[i] = (*parameters->get) (joint, dParamFMax + i * dParamGroup);
        saved->stop_erp[i] = (*parameters->get) (joint, dParamStopERP + i * dParamGroup);
        (*parameters->set) (joint, dParamFMax + i * dParamGroup, 0);
        (*parameters->set) (joint, dParamStopERP + i * dParamGroup, 1);
    }
    if (parameters->has_erp)
    {
        saved->erp = (*parameters->get) (joint, dParamERP);
        (*parameters->set) (joint, dParamERP, 1);
    }
}

static void return_parameters (const row_parameters *parameters, dJointID joint,
                               const borrowed_parameters *saved)
{
    for (int i = 0; i < parameters->axes; ++i)
    {
        (*parameters->set) (joint, dParamFMax + i * dParamGroup, saved->motor_force[i]);
        (*parameters->set) (joint, dParamStopERP + i * dParamGroup, saved->stop_erp[i]);
    }
    if (parameters->has_erp) (*parameters->set) (joint, dParamERP, saved->erp);
}

/*
 * ODE turns a joint with the world as its first body round, but its PR and piston then take the lever
 * from the anchor to the body where their rows want that from the body to the anchor.  Returns 1 for
 * such a joint, and the right lever.
 */
static int lever_is_inverted (const rls_measured_joint *m, dVector3 lever)
{
    if (dJointGetBody (m->joint, 0) || m->bodies[1]) return 0;
    switch (dJointGetType (m->joint))
    {
    case dJointTypePR:
        dJointGetPRAnchor (m->joint, lever);
        break;
    case dJointTypePiston:
        dJointGetPistonAnchor (m->joint, lever);
        break;
    default:
        return 0;
    }
    const dReal *position = dBodyGetPosition (m->bodies[0]);
    for (int k = 0; k < 3; ++k) lever[k] -= position[k];
    return 1;
}

static void mend_inverted_lever (rls_measured_joint *m)
{
    dVector3 lever;
    if (!lever_is_inverted (m, lever)) return;
    for (int r = 2; r < 4; ++r) /* the two rows across the sliding axis */
    {
        dReal *row = m->rows.J[r];
        for (int k = 3; k < 6; ++k) row[k] = -row[k];
        m->error[r] += 2 * dot3 (row, lever);
    }
}

/* Rows across what slides keep the lever that they had at the start. */
static void mend_old_lever (rls_measured_joint *m)
{
    dVector3 lever;
    const dJointType type = dJointGetType (m->joint);
    if (!rls_ode_lever_is_old (m->joint, type, 1)) return;
    const dReal *position = dBodyGetPosition (m->bodies[0]);
    rls_ode_lever_end (m->joint, type, lever);
    for (int k = 0; k < 3; ++k) lever[k] -= position[k];
    for (int r = 1; r < 3; ++r) dCalcVectorCross3 (m->rows.J[r] + 3, lever, m->rows.J[r]);
}

int rls_measure_rows (rls_measured_joint *m)
{
    const row_parameters *parameters = &parameters_of[dJointGetType (m->joint)];
    borrowed_parameters saved;
    if (rls_is_degenerate (m->joint, (double)(1 / PROBE_RATE))) return 0;
    borrow_parameters (parameters, m->joint, &saved);
    m->base = rls_ode_base_rows (dJointGetType (m->joint));
    m->count = rls_ode_row_count (m->joint);
    if (m->count >= m->base) rls_ode_get_rows_counted (m->joint, m->count, PROBE_RATE, 1, 0, &m->rows);
    return_parameters (parameters, m->joint, &saved);
    if (m->count < m->base) return 0;
    for (int r = 0; r < m->count; ++r)
        m->error[r] = (double)(m->rows.rhs_cfm[r][0] / PROBE_RATE) /
                      rls_ode_axis_length (m->joint, dJointGetType (m->joint), r);
    mend_inverted_lever (m);
    mend_old_lever (m);
    return 1;
}
