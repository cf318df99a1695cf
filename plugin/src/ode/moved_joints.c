/*
 * Joints that the program opens between steps, again and again: it places a carrier with dBodySetPosition, or
 * changes the joint, as a winch that shortens a rope with dJointSetDBallDistance.  The contract is in
 * gather.h.
 *
 * By such a change the joint is open at the beginning of a step.  A single one is closed without a velocity:
 * it is a correction.  If the steps before began with changes like it, they stand for a motion: the error R
 * is closed evenly in the course of the step, by rows that have the target R / h and the residual that is
 * left of R at the time of the evaluation.
 */
#include "gather.h"

/* Changes are alike if their directions are (RLS_SAME_DIRECTION) and none is more than MOST_RATIO times as
 * fast as the other.  After so many like ones in succession (ENOUGH_ALIKE) they are a motion; changes at
 * random are hardly ever alike so often. */
#define MOST_RATIO 2
#define ENOUGH_ALIKE 2

/* Finds how joint i has been opened since the last step.  same: 1 if that had the same rows.  Returns 1 if
 * the joint is moved, as it was in that step. */
static int find_motion (rls_workspace *workspace, int i, int same)
{
    const rls_island *s = &workspace->island;
    rls_moved_joints *moved = &workspace->read.moved;
    const int j = s->mechanism.ode_joint[i], known = same && s->valid.end_exact,
              program = rls_program_rows_of (workspace, workspace->objects.joint[j]) != NULL;
    const double h = workspace->h;
    double size = 0, before = 0, along = 0, left = known ? 0 : HUGE_VAL;

    /* the rows of ODE that hold a position, and that no drive moves; left: the largest residual (m or rad) at
     * the end of the last step */
    for (int r = s->mechanism.row0[i]; r < s->mechanism.row0[i + 1]; ++r)
    {
        const int holds = s->mechanism.ode_row[r] < workspace->objects.joint_rows[j] &&
                          s->begin.rows.sigma2[r] == 0 && !program;
        const double rate = holds ? s->begin.rows.residual[r] / h : 0, last = same ? moved->row[r].opened : 0;
        size += rate * rate, before += last * last, along += rate * last;
        moved->row[r].opened = rate;
        if (known) left = rls_larger (left, fabs (s->end.rows.residual[r]));
    }
    size = sqrt (size), before = sqrt (before);

    /* what the step itself has left open is no change */
    const int closed = left <= RLS_LITTLE * size * h, changed = closed && size * h > RLS_CLOSED;
    const int alike = changed && along >= RLS_SAME_DIRECTION * size * before && size <= MOST_RATIO * before &&
                      before <= MOST_RATIO * size;
    moved->times[i] = alike ? moved->times[i] + (moved->times[i] < ENOUGH_ALIKE) : 0;
    for (int r = s->mechanism.row0[i]; r < s->mechanism.row0[i + 1]; ++r)
    {
        moved->row[r].rate = moved->times[i] == ENOUGH_ALIKE ? moved->row[r].opened : 0;
        if (!changed) moved->row[r].opened = 0;
    }
    return moved->times[i] == ENOUGH_ALIKE;
}

void rls_moved_joints_find (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_moved_joints *moved = &workspace->read.moved;
    const int rows = s->begin.rows.rows, same = workspace->kept.same_mechanism && moved->rows == rows;
    moved->any = 0;
    if (workspace->analyse) return;
    moved->rows =
        s->valid.rows_kept || workspace->settings->correction != dRLSCorrectionProjection ? 0 : rows;
    if (moved->rows == 0) return;
    moved->end = workspace->time + workspace->h;
    for (int i = 0; i < s->begin.rows.joints; ++i) moved->any |= find_motion (workspace, i, same);
    rls_moved_joints_add (workspace, &s->begin.rows, workspace->time);
}

/* Returns by how much (m/s) row r of a slider, J, moves otherwise than its error when the joint's other rows
 * close.  ODE divides the lever of such a row equally between the bodies; that of its error is the way that
 * has been slid on the first body, and the rest on the second. */
static double beside_error (const rls_workspace *workspace, dJointID slider, const double *J,
                            const rls_moved_row *turn)
{
    double slid[3], lever[3], sum = 0;
    rls_ode_slid (slider, slid);
    rls_cross (slid, J, lever);
    for (int k = 0; k < 3; ++k) lever[k] /= workspace->island.model.length_scale;
    for (int k = 0; k < 3; ++k) sum += (J[3 + k] - lever[k]) * turn[k].rate;
    return sum;
}

void rls_moved_joints_add (const rls_workspace *workspace, rls_rows *rows, double time)
{
    const rls_island *s = &workspace->island;
    const rls_moved_joints *moved = &workspace->read.moved;
    const double remaining = moved->end - time;
    for (int i = 0; i < rows->joints && moved->any; ++i)
    {
        const dJointID joint = workspace->objects.joint[s->mechanism.ode_joint[i]];
        const int r0 = s->mechanism.row0[i], slides = dJointGetType (joint) == dJointTypeSlider;
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = slides ? rls_joint_rows (rows, i, room) : NULL;
        for (int r = r0; r < s->mechanism.row0[i + 1]; ++r)
        {
            rows->residual[r] -= moved->row[r].rate * remaining;
            rows->target[r] += moved->row[r].rate;
            if (slides && (r == r0 + 3 || r == r0 + 4))
                rows->target[r] += beside_error (workspace, joint, J[r - r0], moved->row + r0);
        }
    }
}
