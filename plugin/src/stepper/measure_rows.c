/*
 * Asks a joint for its rows with every error reduction at 1, so that right-hand sides are geometry.
 *
 * Some rows ignore the error reduction they are asked with and use a parameter of the joint instead, and
 * a motor that is powered into its stop pushes its bodies when it is asked.  So the joint's parameters
 * are borrowed for the moment of asking and then returned as they were.
 */
#include "measure.h"

/* Steps per second at which rows are asked for.  A power of two, so that dividing by it rounds nothing,
 * and so many that a gear's prediction of its phase over one step is negligible. */
#define PROBE_RATE ((dReal)1073741824)

typedef struct
{
    dReal motor_force[RLS_MOST_AXES], stop_erp[RLS_MOST_AXES], erp;
} borrowed_parameters;

/* Motors off, for one that is powered into its stop would push its bodies; every own ERP to 1. */
static void borrls_ode_parameters (const rls_ode_parameters *parameters, dJointID joint,
                                   borrowed_parameters *saved)
{
    for (int i = 0; i < parameters->motors; ++i)
    {
        saved->motor_force[i] = (*parameters->get) (joint, rls_ode_parameter (i, dParamFMax));
        saved->stop_erp[i] = (*parameters->get) (joint, rls_ode_parameter (i, dParamStopERP));
        (*parameters->set) (joint, rls_ode_parameter (i, dParamFMax), 0);
        (*parameters->set) (joint, rls_ode_parameter (i, dParamStopERP), 1);
    }
    if (parameters->own)
    {
        saved->erp = (*parameters->get) (joint, dParamERP);
        (*parameters->set) (joint, dParamERP, 1);
    }
}

static void return_parameters (const rls_ode_parameters *parameters, dJointID joint,
                               const borrowed_parameters *saved)
{
    for (int i = 0; i < parameters->motors; ++i)
    {
        (*parameters->set) (joint, rls_ode_parameter (i, dParamFMax), saved->motor_force[i]);
        (*parameters->set) (joint, rls_ode_parameter (i, dParamStopERP), saved->stop_erp[i]);
    }
    if (parameters->own) (*parameters->set) (joint, dParamERP, saved->erp);
}

static void mend_row (rls_measured_joint *m, int r)
{
    double J[12];
    rls_copy (J, m->rows.J[r], 12);
    m->error[r] = (double)(m->rows.rhs_cfm[r][0] / PROBE_RATE);
    rls_ode_mend_row (m->joint, dJointGetType (m->joint), r, J, &m->error[r]);
    for (int k = 0; k < 12; ++k) m->rows.J[r][k] = (dReal)J[k];
}

int rls_measure_rows (rls_measured_joint *m)
{
    const rls_ode_parameters *parameters = rls_ode_parameters_of (dJointGetType (m->joint));
    borrowed_parameters saved = {0};
    if (rls_is_degenerate (m->joint, (double)(1 / PROBE_RATE))) return 0;
    borrls_ode_parameters (parameters, m->joint, &saved);
    m->base = rls_ode_base_rows (dJointGetType (m->joint));
    m->count = rls_ode_row_count (m->joint);
    if (m->count >= m->base) rls_ode_get_rows_counted (m->joint, m->count, PROBE_RATE, 1, 0, &m->rows);
    return_parameters (parameters, m->joint, &saved);
    if (m->count < m->base) return 0;
    for (int r = 0; r < m->count; ++r) mend_row (m, r);
    return 1;
}
