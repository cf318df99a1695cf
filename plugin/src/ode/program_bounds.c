/*
 * Rows of the program with bounds: one side, as a rope or a floor, or a velocity with the force that may hold
 * it, as dry friction or a motor.  They are rows of the step's two halves like stops and motors of ODE's
 * joints.
 */
#include "gather.h"
#include "island/bounded_parts.h"

static int is_bounded (const dRLSProgramRow *row) { return row->lo != 0 || row->hi != 0; }

static int is_one_sided (const dRLSProgramRow *row)
{
    return row->kind == dRLSRowHolonomic && is_bounded (row);
}

/* How far a row of one side is from touching (m or rad). */
static double gap_of (const dRLSProgramRow *row)
{
    return row->lo == 0 ? (double)row->value : -(double)row->value;
}

/* The velocity that row k wants in the mean of the step. */
static double mean_rate (rls_workspace *workspace, const rls_program_rows *program, int k, double now)
{
    dRLSProgramRow given[RLS_MAX_ROWS];
    double *const time = &workspace->island.provider.time, begin = *time;
    *time += 0.5 * workspace->h;
    const int had = rls_ask_whole_program (workspace, program, given);
    *time = begin;
    return had ? (double)given[k].rate : now;
}

/* The parts of row r, which is row r0 + k of row joint i, as those of the bounded joint that is the next. */
static void append_parts (rls_island *s, int i, int k)
{
    for (int p = 0; p < s->begin.rows.parts; ++p)
    {
        rls_part part = s->mechanism.part[p];
        if (part.joint != i) continue;
        part.joint = s->begin.bounded.joints;
        rls_bounded_add_part (&s->begin.bounded, &part, s->begin.rows.part_J[p * RLS_MAX_ROWS + k]);
    }
}

/* Row k of joint j, the i-th of those with rows, as a joint of one row, found again in the next step by both.
 */
static void append (rls_workspace *workspace, int j, int i, int k, const dRLSProgramRow *row, double rate)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const double h = workspace->h, erp = workspace->settings->world_erp;
    const int sided = is_one_sided (row);
    double J[12];
    rls_copy_program_row (J, row);
    const int r = rls_append_row (workspace, j, RLS_PROGRAM_ROWS + k, J);
    to->softness[r] = workspace->settings->world_cfm / h;
    to->rest[r] = rate;
    if (sided) to->gap[r] = gap_of (row), to->share[r] = erp;
    to->push[r] = to->gap[r] < 0 ? (row->lo == 0 ? -erp : erp) * to->gap[r] : 0;
    to->target[r] = to->rest[r] + to->push[r] / h;
    to->lo[r] = rls_impulse_bound (row->lo, h), to->hi[r] = rls_impulse_bound (row->hi, h);
    append_parts (&workspace->island, i, k);
    rls_append_joint (workspace, r);
}

int rls_take_program_bounds (rls_workspace *workspace, int j, int i, int r0, int count)
{
    rls_island *s = &workspace->island;
    rls_rows *rows = &s->begin.rows;
    const rls_program_rows *program = rls_program_rows_of (workspace, workspace->objects.joint[j]);
    dRLSProgramRow given[RLS_MAX_ROWS];
    int kept = 0;
    if (!rls_ask_whole_program (workspace, program, given)) return -1;

    /* Euler's method, which takes rows as they are at its beginning, has those that touch */
    for (int k = 0; k < count; ++k)
    {
        const int apart =
            !rls_springs_in_halves (workspace) && is_one_sided (&given[k]) && gap_of (&given[k]) > 0;
        if (is_bounded (&given[k]) && !apart)
            append (workspace, j, i, k, &given[k], mean_rate (workspace, program, k, given[k].rate));
        if (is_bounded (&given[k])) continue;
        rls_keep_row (s, r0 + kept, r0 + k);
        for (int p = 0; p < rows->parts; ++p)
            if (s->mechanism.part[p].joint == i)
                memmove (rows->part_J[p * RLS_MAX_ROWS + kept], rows->part_J[p * RLS_MAX_ROWS + k],
                         sizeof (*rows->part_J));
        ++kept;
    }
    for (int p = 0; p < rows->parts && kept == 0; ++p)
        if (s->mechanism.part[p].joint == i) s->mechanism.part[p].joint = -1;
    workspace->objects.springs[j] = kept < count; /* the others are read again one by one */
    return kept;
}

int rls_look_at_program_bound (const rls_workspace *workspace, int i, rls_bounded *end)
{
    const int r = end->row0[i], k = end->ode_row[r] - RLS_PROGRAM_ROWS;
    const rls_program_rows *program =
        rls_program_rows_of (workspace, workspace->objects.joint[end->ode_joint[r]]);
    dRLSProgramRow given[RLS_MAX_ROWS], part[RLS_MAX_ROWS];
    if (!rls_ask_whole_program (workspace, program, given)) return 0;
    rls_copy_program_row (end->J[r], &given[k]);
    for (int p = 0; p < end->parts; ++p)
    {
        if (end->part[p].joint != i) continue;
        if (!rls_ask_program (workspace, program, workspace->objects.joint[end->part[p].ode_joint], part))
            return 0;
        rls_copy_program_row (end->part_J[p], &part[k]);
    }

    /* how far a row of one side has moved, with what its rate moves it by; of a velocity only the rows tell
     */
    const rls_bounded *begin = &workspace->island.begin.bounded;
    const double unit = rls_bounded_is_angular (end, i, r) ? 1 : workspace->island.model.length_scale;
    const double now = gap_of (&given[k]) / unit;
    if (is_one_sided (&given[k]))
        end->way[r] =
            (given[k].lo == 0 ? now - end->gap[r] : end->gap[r] - now) + workspace->h * begin->rest[r];
    begin->leave[r] = (double)given[k].rate / unit;
    rls_unit_bounded (workspace->island.model.length_scale, end, i, r);
    return 1;
}
