/* What a step has missed; contract in workspace.h. */
#include "integrate.h"
#include "ode/length_scale.h"
#include "integrators/accelerate.h"
#include "bounded/bounded.h"
#include "integrators/step_energy.h"

void rls_note_worst (rls_note *to, int joint, int row, double amount)
{
    if (amount > to->amount) *to = (rls_note){joint, row, amount};
}

/* ---- rows ---- */

/* m or rad over the unit: what a row that is kept may be open by. */
static double most_open (const rls_workspace *workspace)
{
    return fmax (RLS_SEEN, workspace->settings->position_tolerance / workspace->island.model.length_scale);
}

/* Row r, of row joint i: residual and missed velocity against what is forgiven. */
static void check_row (rls_workspace *workspace, int i, int r, double missed, double speed)
{
    const rls_island *s = &workspace->island;
    const rls_rows *rows = &s->end.rows;
    const double open =
        rls_is_drive (&s->elimination.precedence, r) ? 0 : fabs (rows->residual[r]); /* it may wait */
    const int redundant = s->end.factor.decision[r] == RLS_REDUNDANT;
    double most = most_open (workspace), slack = RLS_SEEN;
    if (open <= most && missed <= RLS_SEEN * (1 + speed)) return;
    rls_row room[RLS_MAX_ROWS];
    const double *J = rls_joint_rows (rows, i, room)[r - s->mechanism.row0[i]];
    if (redundant)
    {
        slack = sqrt (workspace->settings->rank_tolerance) * rls_row_arm (J);
        most = fmax (
            most, fmin (slack, most + RLS_MARGIN * workspace->findings.opening)); /* no more than there was */
    }
    const double metres = rls_is_angular (J) ? 1 : s->model.length_scale;
    if (open > most)
        rls_note_worst (&workspace->findings
                             .notes[redundant && open > slack ? dRLSWarningConflict : dRLSWarningProjection],
                        s->mechanism.ode_joint[i], s->mechanism.ode_row[r], open * metres);
    if (missed > slack * (1 + speed))
        rls_note_worst (&workspace->findings.notes[dRLSWarningRate], s->mechanism.ode_joint[i],
                        s->mechanism.ode_row[r], missed * metres);
}

/* The rows at the end of the step, where the method closes them and has left them there. */
static void check_rows (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    if (!s->valid.end_exact || workspace->settings->correction != dRLSCorrectionProjection) return;
    const rls_rows *rows = &s->end.rows;
    const size_t n = (size_t)s->begin.rows.rows;
    double *missed = s->scratch.rows;
    const double speed = rls_flat_largest (6 * (size_t)s->model.bodies, s->next.v[0]);
    rls_rows_velocity (rows, (const double (*)[6])s->next.v, missed);
    rls_flat_blend (n, 1, rows->target, -1, missed, missed);
    if (rls_flat_largest (n, rows->residual) <= most_open (workspace) &&
        rls_flat_largest (n, missed) <= RLS_SEEN * (1 + speed))
        return;
    for (int i = 0; i < s->begin.rows.joints; ++i)
        for (int r = s->mechanism.row0[i]; r < s->mechanism.row0[i + 1]; ++r)
            if (rows->sigma2[r] == 0) check_row (workspace, i, r, fabs (missed[r]), speed);
}

/* ---- all ---- */

void rls_check_conflicts (rls_workspace *workspace)
{
    for (int k = 0; k < workspace->findings.redundant_count; ++k)
    {
        const dRLSRow *row = &workspace->findings.redundant[k];
        if (row->status != dRLSRowConflicting) continue;
        for (int j = 0; j < workspace->objects.joints; ++j)
            if (workspace->objects.joint[j] == row->joint)
                rls_note_worst (&workspace->findings.notes[dRLSWarningConflict], j, row->row,
                                fabs ((double)row->residual));
    }
}

void rls_check_step (rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    rls_check_conflicts (workspace);
    check_rows (workspace);
    rls_check_work (workspace);
    if (!rls_is_symplectic (workspace->findings.integrator) || !s->provider.forces) return;

    /* a kick by the program's forces that came nearer to its end, and not there */
    rls_note_worst (&workspace->findings.notes[dRLSWarningForces], -1, -1,
                    workspace->methods.symplectic.unsettled * s->model.length_scale * s->model.length_scale);
}
