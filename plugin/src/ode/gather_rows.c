/*
 * Bilateral rows of one of ODE's joints (getInfo1 and getInfo2), into begin.rows and end.rows.
 *
 * Rows with bounds go to begin.bounded instead (gather_bounded.c).  The world's CFM is regularisation and is
 * left out of bilateral rows.  A CFM of a joint's own is a compliance: sigma^2 = CFM / h, and the row keeps
 * ODE's right-hand side. Hard rows have their position residual beside the target; it is found from the
 * right-hand side at an ERP of 1.
 */
#include "gather.h"
#include "corrections/correct.h"

double rls_own_cfm (const rls_workspace *workspace, double cfm)
{
    const rls_settings *set = workspace->settings;
    if (set->correction == dRLSCorrectionCompliant) return cfm;
    return cfm == set->world_cfm || cfm == RLS_STOCK_CFM ? 0 : cfm;
}

/* sigma^2 of a row with that CFM. */
static double compliance (const rls_workspace *workspace, double cfm)
{
    return rls_own_cfm (workspace, cfm) / workspace->h;
}

int rls_keeps_verbatim (const rls_workspace *workspace)
{
    return workspace->settings->correction == dRLSCorrectionCompliant ||
           rls_correct_takes_erp (workspace->settings);
}

void rls_copy_row (const rls_workspace *workspace, const rls_ode_rows *from, int r, double J[12])
{
    rls_copy (J, from->J[r], 12);
    if (from->type != dJointTypeContact && !rls_keeps_verbatim (workspace))
        rls_ode_mend_levers (workspace->h, from, r, J);
}

/* The ERP at which rows are asked for: 1, with which a hard row's right-hand side is its residual; the
 * world's for contacts and for corrections that use ODE's right-hand sides. */
static dReal row_erp (const rls_workspace *workspace, dJointType type)
{
    return rls_keeps_verbatim (workspace) || type == dJointTypeContact ? (dReal)workspace->settings->world_erp
                                                                       : 1;
}

/* ---- questions ---- */

int rls_ask (const rls_workspace *workspace, dJointID joint, int m, int once, rls_ode_rows *rows)
{
    const dReal erp = row_erp (workspace, dJointGetType (joint)), cfm = (dReal)workspace->settings->world_cfm;
    if (!once && rls_is_degenerate (joint, workspace->h)) return -1;
    (once ? rls_ode_get_rows_counted : rls_ode_get_rows) (joint, m, (dReal)(1 / workspace->h), erp, cfm,
                                                          rows);
    for (int r = 0; r < m; ++r)
        if (!rls_all_finite (rows->J[r], 12) || !isfinite (rows->rhs_cfm[r][0]) ||
            !(rows->rhs_cfm[r][1] >= 0) || !isfinite (rows->rhs_cfm[r][1]) ||
            !(rows->lo_hi[r][0] <= rows->lo_hi[r][1]))
            return -1;
    return m;
}

/* Asks for the rows again at a step rate of 0: their right-hand sides are velocities that are wanted (rest),
 * without a part that takes back position errors.  Only those of rows behind the base rows are wanted. */
static void ask_at_rest (const rls_workspace *workspace, rls_ode_rows *rows)
{
    rls_ode_rows still;
    const int wants_none = rows->count <= rls_ode_base_rows (rows->type) ||
                           rows->type == dJointTypeTransmission || /* gears divide by the rate */
                           (rows->type == dJointTypeContact && rls_ode_contact_is_plain (rows->joint));
    memset (rows->rest, 0, sizeof (rows->rest));
    if (wants_none) return;
    rls_ode_get_rows (rows->joint, rows->count, 0, row_erp (workspace, rows->type),
                      (dReal)workspace->settings->world_cfm, &still);
    for (int r = 0; r < rows->count; ++r) rows->rest[r] = still.rhs_cfm[r][0];
}

/* ---- bilateral rows ---- */

/* Copies ODE's row r, which has no bounds, to row row: target (velocity) and residual (position) as well.
 * The right-hand side of motors and locked stops is the sum of both. */
static void read_row (const rls_workspace *workspace, const rls_ode_rows *from, int r, rls_rows *to, int row)
{
    const double rhs = from->rhs_cfm[r][0],
                 wanted = r < rls_ode_base_rows (from->type) ? 0 : (double)from->rest[r];
    const dReal own = rls_ode_own_erp (from->joint, from->type, r);
    const dReal erp = own > 0 ? own : own < 0 ? row_erp (workspace, from->type) : 1;
    rls_copy_row (workspace, from, r, to->J[row]);
    to->sigma2[row] = compliance (workspace, from->rhs_cfm[r][1]);
    const int verbatim = rls_keeps_verbatim (workspace),
              gives_way = to->sigma2[row] > 0 && !rls_springs_in_halves (workspace);
    to->target[row] = gives_way || verbatim ? rhs : wanted;
    to->residual[row] = gives_way || !(erp > 0) ? 0 : (rhs - wanted) * workspace->h / erp;
    if (!verbatim) rls_ode_mend_row (from->joint, from->type, r, to->J[row], &to->residual[row]);
    if (rls_held_drive_of (workspace, from->joint, r)) to->target[row] = 0;
}

/* Copies the bilateral ones of the rows of a joint to row r0 and the following, and their numbers in ODE.
 * Returns how many there are. */
static int read_bilateral (const rls_workspace *workspace, rls_ode_rows *from, rls_rows *to, int r0,
                           int *ode_row)
{
    int count = 0;

    /* base rows with an ERP of 0 are asked for at an ERP of 1: their right-hand sides do not contain the
     * error otherwise */
    if (rls_ode_own_erp (from->joint, from->type, 0) == 0 && rls_ode_base_rows (from->type) > 0 &&
        !rls_keeps_verbatim (workspace) && !(compliance (workspace, from->rhs_cfm[0][1]) > 0))
    {
        const rls_ode_parameters *t = rls_ode_parameters_of (from->type);
        (*t->set) (from->joint, t->erp, 1);
        rls_ask (workspace, from->joint, from->count, 0, from);
        (*t->set) (from->joint, t->erp, 0);
    }
    for (int r = 0; r < from->count; ++r)
        if (rls_is_bilateral (from, r))
        {
            int axis;
            read_row (workspace, from, r, to, r0 + count);
            const int motor = r >= rls_ode_base_rows (from->type) && from->type != dJointTypeContact;
            if (to->coordinate)
                to->coordinate[r0 + count] =
                    motor ? rls_find_coordinate (workspace, from->joint, to->J[r0 + count], &axis) : NAN;
            ode_row[count++] = r;
        }
    return count;
}

/* In the steps in halves unlimited friction of a contact follows its normal, as with dContactApprox1.  As a
 * bilateral row, which ODE makes of it, it would hold before and after an impact, too, and where the contact
 * was found, also of what rolls. */
static void follow_normal (const rls_workspace *workspace, rls_ode_rows *from)
{
    const int follows = from->type == dJointTypeContact && rls_springs_in_halves (workspace);
    for (int r = 1; r < from->count && follows; ++r)
        if (rls_is_bilateral (from, r)) from->findex[r] = 0;
}

int rls_read_any (rls_workspace *workspace, int j, int m, int r0)
{
    rls_island *s = &workspace->island;
    const dJointID joint = workspace->objects.joint[j];
    const int gears = dJointGetType (joint) == dJointTypeTransmission;
    rls_ode_rows from;
    if (rls_ask (workspace, joint, m, !gears || !workspace->analyse, &from) < 0) return -1;

    /* gears within their backlash do not fill their row: it would be read as one without bounds, but is none
     */
    int empty = gears;
    for (int k = 0; k < 12; ++k) empty &= from.J[0][k] == 0;
    if (empty) return 0;
    ask_at_rest (workspace, &from);
    follow_normal (workspace, &from);
    const int left = m - rls_read_bounded (workspace, j, &from);
    if (left == 0) return 0;
    if (r0 + left > s->memory.rows) return -1; /* other rows than ODE has counted */
    return read_bilateral (workspace, &from, &s->begin.rows, r0, s->mechanism.ode_row + r0);
}

int rls_read_here (const rls_workspace *workspace, int j, rls_rows *to, int r0, int *ode_row, int count)
{
    const dJointID joint = workspace->objects.joint[j];
    const rls_program_rows *program = rls_program_rows_of (workspace, joint);
    dRLSProgramRow given[RLS_MAX_ROWS];
    rls_ode_rows from;
    if (program)
        return rls_read_program_rows (workspace, program, to, r0, ode_row, count, given) ? count : -1;

    /* ODE finds the error of a stop or a locked axis when it counts the rows, so these are counted again if
     * there are any behind the base rows */
    const int base = rls_ode_base_rows (dJointGetType (joint));
    int m = workspace->objects.joint_rows[j], bilateral = 0;
    if (m > base) m = rls_count_rows (workspace, joint);
    if (rls_ask (workspace, joint, m, 0, &from) < 0) return -1;
    for (int r = 0; r < m; ++r) bilateral += rls_is_bilateral (&from, r);
    if (bilateral > count) return -1;
    if (bilateral > base) ask_at_rest (workspace, &from);
    return read_bilateral (workspace, &from, to, r0, ode_row);
}
