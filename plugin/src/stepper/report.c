/*
 * What a step or an analysis found: redundant and conflicting rows, unique reactions, violations, energy.
 */
#include "cell.h"
#include "corrections/correct.h"
#include "corrections/redistribute.h"
#include "ode/unit.h"
#include <math.h>
#include <string.h>
#include <time.h>

double rls_clock (void)
{
    struct timespec t;
    clock_gettime (CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define NEGLIGIBLE 1e-10 /* m or rad: residuals of joints that are closed need no closer look */
#define OPENED 1e-9      /* m or rad: far above rounding, far below what anybody sees */
#define GROWN 1.1        /* of what the step began with: no more than the turn of rows */

static double largest_residual (const rls_rows *rows)
{
    double largest = 0;
    for (int r = 0; r < rows->rows; ++r) largest = fmax (largest, fabs (rows->residual[r]));
    return largest;
}

/* The same of joints' hard rows: what drives still want opens nothing. */
static double largest_opening (const rls_rows *rows)
{
    double largest = 0;
    for (int r = 0; r < rows->rows; ++r)
        if (rows->sigma2[r] == 0 && !rls_is_drive (rows->yield, r))
            largest = fmax (largest, fabs (rows->residual[r]));
    return largest;
}

/*
 * Whether the step opened joints.  Kept rows are closed or counted by who closes them; redundant ones follow as long as
 * they are redundant all the way, which they are not where a mechanism leaves a singular configuration on a branch that
 * the kept rows alone do not know.  What a step begins with is reported as a conflict where it is too much.
 */
int rls_cell_opened (const rls_cell *cell)
{
    const rls_island *s = &cell->island;
    if (cell->analyse || !s->now_exact || !rls_correct_projects (cell->settings)) return 0;
    const double least = fmax (OPENED, 2 * cell->settings->position_tolerance / s->unit);
    return largest_opening (&s->rows_now) > least + GROWN * cell->opening;
}

/*
 * What is left of the residuals once the kept rows are closed, to first order: residual - H dq with
 * dq = M^-1 H' A^-1 residual.  Into s->scratch_rows.
 */
static void residual_after_closing (rls_island *s, const rls_rows *rows)
{
    double *p = s->scratch_rows, *left = p + rows->rows;
    for (int r = 0; r < rows->rows; ++r) p[r] = rows->residual[r];
    rls_factor_solve (&s->factor, rows, p);
    memset (s->scratch6, 0, sizeof (*s->scratch6) * (size_t)s->bodies);
    rls_rows_apply (rows, p, s->scratch6);
    rls_rows_velocity (rows, (const double (*)[6])s->scratch6, left);
    for (int r = 0; r < rows->rows; ++r) p[r] = rows->residual[r] - left[r];
}

/*
 * A redundant row contradicts the others when it stays open by more than the rank tolerance forgives: an
 * angle of sqrt (tolerance), or that times the row's lever arm (at least the unit of length) for a length.
 */
static int contradicts (const rls_cell *cell, const double J[12], double residual)
{
    const double linear = J[0] * J[0] + J[1] * J[1] + J[2] * J[2];
    const double angular = J[3] * J[3] + J[4] * J[4] + J[5] * J[5];
    const double arm = linear > 0 ? fmax (1, sqrt (angular / linear)) : 1;
    return fabs (residual) > sqrt (cell->settings->rank_tolerance) * arm;
}

/* Drives that have stalled are given up, too: in place of them a joint is held. */
static void list_stalled (rls_cell *cell)
{
    const rls_island *s = &cell->island;
    for (int i = 0; i < s->yield.stalls; ++i)
        for (int k = 0; k < s->rows.joints; ++k)
        {
            const int j = s->ode_joint[k], r = s->row0[k + 1] - 1;
            if (cell->joint[j] != s->yield.stall[i].joint || s->factor.decision[r] == RLS_REDUNDANT) continue;
            cell->redundant[cell->redundant_count++] =
                (dRLSRow){cell->joint[j], s->ode_row[r], dRLSRowConflicting, (dReal)s->factor.relative[r],
                          (dReal)s->yield.stall[i].lag};
            ++cell->conflicting_count;
            --cell->rank;
        }
}

int rls_cell_list_redundant (rls_cell *cell)
{
    rls_island *s = &cell->island;
    const rls_rows *rows = &s->rows;
    cell->redundant_count = cell->conflicting_count = 0;
    cell->rank = s->factor.rank;
    cell->rank_gap = s->factor.gap;
    cell->opening = largest_opening (rows);
    const int count = rows->rows - cell->soft_rows - s->factor.rank + s->yield.stalls;
    if (count <= 0) return 1;
    if (!rls_array_reserve (&cell->redundant, &cell->redundant_capacity, count, sizeof (dRLSRow)))
    {
        cell->status = dRLSStatusNoMemory;
        return 0;
    }
    if (largest_residual (rows) > NEGLIGIBLE)
        residual_after_closing (s, rows);
    else
        memcpy (s->scratch_rows, rows->residual, sizeof (double) * (size_t)rows->rows);
    for (int i = 0; i < rows->joints; ++i)
        for (int r = s->row0[i]; r < s->row0[i + 1]; ++r)
        {
            if (s->factor.decision[r] != RLS_REDUNDANT || rows->sigma2[r] > 0) continue;
            const double residual = s->scratch_rows[r];
            rls_row room[RLS_MAX_ROWS];
            const double *J = rls_joint_rows (rows, i, room)[r - s->row0[i]];
            const int conflict = contradicts (cell, J, residual);
            cell->conflicting_count += conflict;
            cell->redundant[cell->redundant_count++] = (dRLSRow){
                cell->joint[s->ode_joint[i]], s->ode_row[r], conflict ? dRLSRowConflicting : dRLSRowRedundant,
                (dReal)s->factor.relative[r], (dReal)(residual * (rls_unit_is_angular (J) ? 1 : s->unit))};
        }
    list_stalled (cell);
    return 1;
}

static void carve_unique (rls_cell *cell, rls_carver *c)
{
    cell->unique = rls_carve (c, (size_t)cell->joint_count + (size_t)cell->island.rows.joints, 1);
}

/* By ODE joint of the island; joints without bilateral rows have unique reactions. */
static int find_unique (rls_cell *cell)
{
    rls_island *s = &cell->island;
    int done;
    RLS_LAY_OUT (cell, &cell->unique_block, carve_unique, done);
    if (!done) return 0;
    unsigned char *by_row_joint = cell->unique + cell->joint_count;
    const rls_self_stress stress = {&s->factor, &s->rows, s->bodies, s->scratch6, s->scratch_rows};
    if (cell->joint_count > 0) memset (cell->unique, 1, (size_t)cell->joint_count);
    rls_unique_reactions (&stress, by_row_joint);
    for (int i = 0; i < s->rows.joints; ++i) cell->unique[s->ode_joint[i]] = by_row_joint[i];
    return 1;
}

static void measure (rls_cell *cell)
{
    const int flags = cell->analyse ? dRLSReportViolations | dRLSReportEnergy : cell->settings->report;
    memset (cell->violation, 0, sizeof (cell->violation));
    cell->kinetic = cell->potential = 0;
    for (int j = 0; j < cell->joint_count && flags & dRLSReportViolations; ++j)
    {
        dRLSViolation v;
        if (!dRLSMeasureJoint (cell->joint[j], &v)) continue;
        const double part[4] = {v.position_m, v.angle_rad, v.velocity_m_s, v.velocity_rad_s};
        for (int k = 0; k < 4; ++k) cell->violation[k] = fmax (cell->violation[k], part[k]);
    }
    for (int b = 0; b < cell->body_count && flags & dRLSReportEnergy; ++b)
    {
        dReal kinetic, potential;
        if (!dRLSMeasureBody (cell->body[b], &kinetic, &potential)) continue;
        cell->kinetic += kinetic;
        cell->potential += potential;
    }
}

int rls_cell_report (rls_cell *cell)
{
    const double start = rls_clock ();
    const int reactions = cell->analyse || cell->settings->report & dRLSReportReactions;
    measure (cell);
    if (!reactions) cell->unique = NULL;
    const int done = !reactions || find_unique (cell);
    cell->seconds[dRLSStageReport] += rls_clock () - start;
    if (!done) cell->status = dRLSStatusNoMemory;
    return done;
}
