/*
 * Results of a step or an analysis for the report: redundant and conflicting rows (section 4 of method.md,
 * "Contradictions"), unique reactions (section 5), violations and energy.  Contract in workspace.h.
 */
#include "measure.h"
#include "island/redistribute.h"
#include <time.h>

double rls_clock (const rls_settings *settings)
{
    struct timespec t;
    if (!(settings->report & dRLSReportTimes)) return 0;
    clock_gettime (CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1000000000;
}

/* Lists held drives as conflicting rows, with the distance to where they are sent as their residual.  The row
 * in the factor is one that holds the joint, and so does not count for the rank. */
static void list_held (rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    rls_findings *found = &workspace->findings;
    RLS_FOR_ROWS (&s->begin.rows, k, r)
    {
        const dJointID joint = workspace->objects.joint[s->mechanism.ode_joint[k]];
        const rls_held_drive *held = rls_held_drive_of (workspace, joint, s->mechanism.ode_row[r]);
        if (!held || s->begin.factor.decision[r] == RLS_REDUNDANT) continue;
        found->redundant[found->redundant_count++] = (dRLSRow){
            joint, held->row, dRLSRowConflicting, (dReal)s->begin.factor.relative[r], (dReal)held->lag};
        ++found->conflicting_count;
        --found->rank;
    }
}

rls_outcome rls_workspace_list_redundant (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_findings *found = &workspace->findings;
    const rls_rows *rows = &s->begin.rows;

    /* a relative pivot at the tolerance is the square of this angle (rad); times the arm of a row it is a
     * length */
    const double forgiven = sqrt (workspace->settings->rank_tolerance);
    found->redundant_count = found->conflicting_count = 0;
    found->rank = s->begin.factor.rank;
    found->rank_gap = s->begin.factor.gap;
    found->opening = rls_flat_largest (rows->rows, rows->residual);
    const int count = rows->rows - workspace->objects.soft_rows - s->begin.factor.rank +
                      s->elimination.precedence.held_drives.count;
    if (count <= 0) return RLS_DONE;

    /* room for them */
    if (!RLS_GROW (&found->block, found->redundant, count)) return RLS_NO_MEMORY;

    /* their residuals once the kept rows are closed, to first order: residual - H dq with dq = M^-1 H' A^-1
     * residual */
    if (found->opening > RLS_CLOSED)
    {
        memset (s->scratch.six, 0, sizeof (*s->scratch.six) * (size_t)s->model.bodies);
        rls_enforce (&s->begin.factor, rows, rows->residual, s->scratch.rows, s->scratch.six);
        rls_rows_missing (rows, rows->residual, s->scratch.six, s->scratch.rows);
    }
    else
        memcpy (s->scratch.rows, rows->residual, sizeof (double) * (size_t)rows->rows);

    /* list them; one whose residual is more than the tolerance explains contradicts the other rows */
    RLS_FOR_ROWS (rows, i, r)
    {
        if (s->begin.factor.decision[r] != RLS_REDUNDANT || rows->sigma2[r] > 0) continue;
        const double residual = s->scratch.rows[r];
        dRLSRow *row = &found->redundant[found->redundant_count++];
        *row = (dRLSRow){workspace->objects.joint[s->mechanism.ode_joint[i]], s->mechanism.ode_row[r],
                         dRLSRowRedundant, (dReal)s->begin.factor.relative[r], (dReal)residual};
        if (fabs (residual) <= forgiven && s->model.length_scale == 1) continue;
        rls_row room[RLS_MAX_ROWS];
        const double *J = rls_joint_rows (rows, i, room)[r - s->mechanism.row0[i]];
        if (!rls_is_angular (J)) row->residual = (dReal)(residual * s->model.length_scale);
        if (fabs (residual) <= forgiven * rls_row_arm (J)) continue;
        row->status = dRLSRowConflicting;
        ++found->conflicting_count;
    }
    list_held (workspace);
    return RLS_DONE;
}

/* Finds for each joint whether its reaction is unique (findings.unique); joints without bilateral rows count
 * as unique.  Returns 1, or 0 without memory. */
static int find_unique (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_findings *found = &workspace->findings;
    const int joints = workspace->objects.joints;
    if (!RLS_GROW (&found->unique_block, found->unique, joints + s->begin.rows.joints)) return 0;
    const rls_self_stress stress = {&s->begin.factor, &s->begin.rows, s->scratch.six, s->scratch.rows};
    if (joints > 0) memset (found->unique, 1, (size_t)joints);
    if (joints + s->begin.rows.joints == 0) return 1;
    unsigned char *by_row_joint = found->unique + joints;
    rls_unique_reactions (&stress, by_row_joint);
    for (int i = 0; i < s->begin.rows.joints; ++i) found->unique[s->mechanism.ode_joint[i]] = by_row_joint[i];
    return 1;
}

int rls_workspace_report (rls_workspace *workspace, int flags, dRLSReport *report)
{
    const double start = rls_clock (workspace->settings);
    const int reactions = workspace->analyse || flags & dRLSReportReactions;
    for (int j = 0; j < workspace->objects.joints && flags & dRLSReportViolations; ++j)
        rls_report_joint (report, workspace->objects.joint[j]);
    for (int b = 0; b < workspace->objects.bodies && flags & dRLSReportEnergy; ++b)
        rls_report_body (report, workspace->objects.body[b]);
    const int done = !reactions || find_unique (workspace);
    workspace->findings.unique_known = reactions && done;
    workspace->findings.seconds[dRLSStageReport] += rls_clock (workspace->settings) - start;
    return done;
}
