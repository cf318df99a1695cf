/* Stalled drives; contract in stall.h. */
#include "stall.h"
#include "stepper/changed.h"
#include "ode/drives.h"
#include "pieces.h"
#include "ode/unit.h"
#include <math.h>
#include <string.h>

#define TURN 6.283185307179586
#define RIGID 1e-8  /* relative pivot of a stop that the joints leave nothing to move */
#define MOVES 1e-6  /* coefficient of a drive in it, of rows in units of their lengths */
#define DEEPER 1e-9 /* m/s or rad/s */

const rls_stall *rls_stall_of (const rls_cell *cell, dJointID joint)
{
    const rls_yield *y = &cell->island.yield;
    for (int i = 0; i < y->stalls; ++i)
        if (y->stall[i].joint == joint) return &y->stall[i];
    return NULL;
}

static dJointID ode_joint (const rls_cell *cell, int row)
{
    return cell->joint[cell->island.ode_joint[rls_joint_of_row (&cell->island.rows, row)]];
}

/* A drive's row, in force and not stalled; where the user would have joints torn open rather, none. */
static int can_stall (const rls_cell *cell, int row)
{
    const rls_island *s = &cell->island;
    const int turn = s->yield.turn[row];
    for (int r = 0; r < s->rows.rows; ++r)
        if (s->factor.decision[r] == RLS_REDUNDANT && s->yield.priority[r] > s->yield.priority[row] &&
            s->yield.turn[r] == 0)
            return 0;
    return turn > 0 && turn <= cell->drive_count && s->factor.decision[row] != RLS_REDUNDANT &&
           !rls_stall_of (cell, ode_joint (cell, row));
}

/* The drive whose row is nearest to depending on the others: 1 / (h' M^-1 h (A^-1)_rr) is its pivot if it
 * comes last. */
static int weakest_drive (const rls_cell *cell)
{
    const rls_island *s = &cell->island;
    int weakest = -1;
    double most = 0;
    for (int r = 0; r < s->rows.rows; ++r)
    {
        if (!can_stall (cell, r)) continue;
        double *x = s->scratch_rows;
        memset (x, 0, sizeof (double) * (size_t)s->rows.rows);
        x[r] = 1;
        rls_factor_solve (&s->factor, &s->rows, x);
        if (x[r] * s->factor.diagonal[r] > most) most = x[r] * s->factor.diagonal[r], weakest = r;
    }
    return weakest;
}

/* Whether the step drives bounded row r, a stop, deeper into it. */
static int is_overrun (const rls_island *s, const rls_bounded *b, int j, int r)
{
    double speed = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int body = side ? b->body2[j] : b->body1[j];
        if (body >= 0) speed += rls_dot6 (b->J[r] + 6 * side, s->new_v[body]);
    }
    return (b->lo[r] >= 0 && b->hi[r] > 0 && speed < -DEEPER) ||
           (b->hi[r] <= 0 && b->lo[r] < 0 && speed > DEEPER);
}

/* Into scratch_rows: what rows that are kept have of bounded row r.  Returns the part of it that they leave,
 * of its mobility. */
static double left_of_stop (const rls_island *s, const rls_bounded *b, int j, int r)
{
    double *x = s->scratch_rows, (*v)[6] = s->scratch6, whole = 0, left = 0;
    const int body[2] = {b->body1[j], b->body2[j]};
    memset (v, 0, sizeof (*v) * (size_t)s->bodies);
    for (int side = 0; side < 2; ++side)
        if (body[side] >= 0) memcpy (v[body[side]], b->Y[r] + 6 * side, sizeof (*v));
    rls_rows_velocity (&s->rows, (const double (*)[6])v, x);
    rls_factor_solve (&s->factor, &s->rows, x);
    for (int k = 0; k < s->rows.rows; ++k) x[k] = -x[k];
    rls_rows_apply (&s->rows, x, v);
    for (int side = 0; side < 2; ++side)
    {
        if (body[side] < 0) continue;
        whole += rls_dot6 (b->J[r] + 6 * side, b->Y[r] + 6 * side);
        left += rls_dot6 (b->J[r] + 6 * side, v[body[side]]);
    }
    return whole > 0 ? left / whole : 1;
}

/* Of the drives that move a stop which has nothing else to move, the one that gives way first. */
static int drive_into_stop (const rls_cell *cell)
{
    const rls_island *s = &cell->island;
    const rls_bounded *b = &s->bounded;
    int found = -1;
    for (int j = 0; j < b->joints && found < 0; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            if (dJointGetType (cell->joint[b->ode_joint[r]]) == dJointTypeContact) break;
            if (b->follow[r] >= 0 || !is_overrun (s, b, j, r) || left_of_stop (s, b, j, r) > RIGID) continue;
            for (int k = 0; k < s->rows.rows; ++k)
                if (can_stall (cell, k) && fabs (s->scratch_rows[k]) * sqrt (s->factor.diagonal[k]) > MOVES &&
                    (found < 0 || rls_yields (&s->yield, k, found)))
                    found = k;
        }
    return found;
}

int rls_stall_find (const rls_cell *cell)
{
    if (cell->island.yield.count == 0 || cell->settings->correction != dRLSCorrectionProjection) return -1;
    return rls_left_open (&cell->island) > RLS_OPEN ? weakest_drive (cell) : drive_into_stop (cell);
}

/* The present wish of a drive.  Returns 0 if it is of no use. */
static int wish (const rls_cell *cell, const rls_drive *drive, double time, double *position)
{
    dReal rate = 0, acceleration = 0;
    *position = (double)drive->function (drive->context, (dReal)time, &rate, &acceleration);
    return !rls_world_changed (cell->stepper) && isfinite (*position);
}

int rls_stall_begin (rls_cell *cell, int row)
{
    rls_island *s = &cell->island;
    rls_yield *y = &s->yield;
    const dJointID joint = ode_joint (cell, row);
    const int angular = dJointGetType (joint) == dJointTypeHinge;
    const double per = angular ? 1 : s->unit;
    double now, then;
    if (!rls_array_reserve (&y->stall, &y->stall_capacity, y->stalls + 1, sizeof (*y->stall)))
        return dRLSStatusNoMemory;
    if (!wish (cell, rls_drive_of (cell, joint), cell->time, &now) ||
        !wish (cell, rls_drive_of (cell, joint), cell->time + cell->h, &then))
        return dRLSStatusNotFinite;
    const double held = now - s->rows.residual[row] * per;
    y->stall[y->stalls++] = (rls_stall){joint, held, then - held, then > held ? 1 : -1};
    s->rows.residual[row] = s->rows.target[row] = 0;
    s->rows_now.residual[row] = s->rows_now.target[row] = 0;
    return dRLSStatusOk;
}

int rls_stall_release (rls_cell *cell)
{
    rls_yield *y = &cell->island.yield;
    int kept = 0;
    for (int i = 0; i < y->stalls; ++i)
    {
        rls_stall stall = y->stall[i];
        const rls_drive *drive = NULL;
        for (int j = 0; j < cell->joint_count && !drive; ++j)
            if (cell->joint[j] == stall.joint) drive = rls_drive_of (cell, stall.joint);
        if (!drive) continue;
        double now;
        if (!wish (cell, drive, cell->time + cell->h, &now)) return dRLSStatusNotFinite;
        const double change = now - stall.held - stall.lag;
        stall.lag += dJointGetType (stall.joint) == dJointTypeHinge ? remainder (change, TURN) : change;
        if (stall.lag * stall.side > 0) y->stall[kept++] = stall;
    }
    y->stalls = kept;
    return dRLSStatusOk;
}
