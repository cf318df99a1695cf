/* What a step has missed, and energy that it has made; contract in workspace.h. */
#include "integrate.h"
#include "ode/length_scale.h"
#include "integrators/accelerate.h"
#include "bounded/bounded.h"
#include "integrators/step_energy.h"

/* Keeps the worst note of each kind of warning: a joint of the workspace (-1: none), one of its rows, and by
 * how much. */
static void note_worst (rls_workspace *workspace, int warning, int joint, int row, double amount)
{
    dRLSWarningNote *worst = &workspace->findings.notes[warning];
    if (!(amount > (double)worst->amount)) return;
    const dJointID which = joint < 0 ? NULL : workspace->objects.joint[joint];
    *worst = (dRLSWarningNote){.joint = which, .row = row, .amount = (dReal)amount};
}

/* The same of energy, in the island's unit of length. */
static void note_energy (rls_workspace *workspace, int warning, int joint, double energy)
{
    const double joules = workspace->island.model.length_scale * workspace->island.model.length_scale;
    note_worst (workspace, warning, joint, -1, joules * energy);
}

/* ---- rows ---- */

/* m or rad over the unit: what a row that is kept may be open by. */
static double most_open (const rls_workspace *workspace)
{
    return fmax (RLS_SEEN, workspace->island.position_tolerance);
}

/* Row r, of row joint i: residual and missed velocity against what is forgiven. */
static void check_row (rls_workspace *workspace, int i, int r, double missed, double speed)
{
    const rls_island *s = &workspace->island;
    const rls_rows *rows = &s->end.rows;
    const double open =
        rls_is_drive (&s->elimination.precedence, r) ? 0 : fabs (rows->residual[r]); /* it may wait */
    const int redundant = s->end.factor.decision[r] == RLS_REDUNDANT, joint = s->mechanism.ode_joint[i],
              row = s->mechanism.ode_row[r];
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
        note_worst (workspace, redundant && open > slack ? dRLSWarningConflict : dRLSWarningProjection, joint,
                    row, open * metres);
    if (missed > slack * (1 + speed)) note_worst (workspace, dRLSWarningRate, joint, row, missed * metres);
}

/* The rows at the end of the step, where the method closes them and has left them there. */
static void check_rows (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    if (!s->valid.end_exact || workspace->settings->correction != dRLSCorrectionProjection) return;
    const rls_rows *rows = &s->end.rows;
    const size_t n = (size_t)s->begin.rows.rows;
    double *missed = s->scratch.rows;
    const double speed = rls_flat_largest (6 * s->model.bodies, s->next.v[0]);
    rls_rows_velocity (rows, s->next.v, missed);
    rls_flat_blend (n, 1, rows->target, -1, missed, missed);
    if (rls_flat_largest (n, rows->residual) <= most_open (workspace) &&
        rls_flat_largest (n, missed) <= RLS_SEEN * (1 + speed))
        return;
    for (int i = 0; i < s->begin.rows.joints; ++i)
        for (int r = s->mechanism.row0[i]; r < s->mechanism.row0[i + 1]; ++r)
            if (rows->sigma2[r] == 0) check_row (workspace, i, r, fabs (missed[r]), speed);
}

/* ---- energy ---- */

/*
 * Work of the forces, constant over the step, and its scale.  A first-order step moves bodies with velocities
 * that are not the mean of those before and after, so that forces times ways and forces times mean velocities
 * differ: of the two the larger.
 */
static double work_of_forces (const rls_island *s, double h, double *scale)
{
    double by_way = 0, by_velocity = 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *f = s->applied.force[b], *from = s->state.pose[b].x, *to = s->next.pose[b].x,
                     *v = s->state.v[b], *w = s->next.v[b];
        for (int k = 0; k < 3 && s->model.movable[b]; ++k)
        {
            by_way += f[k] * (to[k] - from[k]) + 0.5 * h * f[3 + k] * (v[3 + k] + w[3 + k]);
            by_velocity += 0.5 * h * (f[k] * (v[k] + w[k]) + f[3 + k] * (v[3 + k] + w[3 + k]));
            *scale += rls_energy_scale (f[k], to[k], s->model.mass[b], h);
        }
    }
    return fmax (by_way, by_velocity);
}

/* Work of limits, motors and contacts on what can be moved: impulses times the mean of the velocities before
 * and after them.  A step in halves has impulses along the rows of its beginning and along those of its end.
 * strictly: what only stops, and is no spring, gives nothing but what kinematic bodies carry.  stopped,
 * pushed: what that has taken and given all the same is added to them. */
static double work_of_bounds (const rls_workspace *workspace, int strictly, double *stopped, double *pushed)
{
    const rls_island *s = &workspace->island;
    const rls_bounded *bounds = &s->begin.bounded;
    double sum = 0;
    for (int j = 0; j < bounds->joints; ++j)
        for (int r = bounds->row0[j]; r < bounds->row0[j + 1]; ++r)
        {
            double work = 0, by_kinematic = 0;
            for (int side = 0; side < 2; ++side)
            {
                const int b = side ? bounds->body2[j] : bounds->body1[j];
                double here = 0;
                for (int k = 0; k < 6 && b >= 0; ++k)
                    here +=
                        0.5 * rls_bounded_impulse (s, r, 6 * side + k) * (s->state.v[b][k] + s->next.v[b][k]);
                work += here;
                if (b >= 0 && !s->model.movable[b]) by_kinematic -= here;
            }
            const int stops = rls_bounded_is_one_sided (bounds, r) && bounds->follow[r] < 0 &&
                              !rls_bounded_is_soft (bounds, r);
            sum += (strictly && stops && bounds->row[r].bounce == 0 ? fmin (work, 0) : work) + by_kinematic;
            *stopped -= stops ? fmin (work + by_kinematic, 0) : 0;
            *pushed += stops ? fmax (work + by_kinematic, 0) : 0;
        }
    return sum;
}

static int turns_far (const rls_island *s, double h)
{
    const double most = RLS_SMALL_TURN / h;
    int far = 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *w = s->next.v[b] + 3;
        far |= w[0] * w[0] + w[1] * w[1] + w[2] * w[2] > most * most;
    }
    return far;
}

/* What of a gain is worth reporting, beside the kinetic energies before and after. */
static double told (double gained, double before, double after, double rounding, rls_ledger *ledger)
{
    ledger->gained = fmax (0, ledger->gained + gained); /* a loss excuses no later gain */
    ledger->scale = fmax (ledger->scale, after);
    if (gained <= RLS_ENERGY_JUMP * (before + after) + rounding &&
        ledger->gained <= RLS_ENERGY_JUMP * ledger->scale + rounding)
        return 0;
    const double all = fmax (gained, ledger->gained);
    ledger->gained = ledger->scale = 0;
    return all;
}

/* Energy (J, in the island's unit of length) that neither forces nor bounded rows have given. */
static double energy_gained (const rls_island *s, double h, double of_bounds, rls_ledger *ledger)
{
    const double (*inertia)[9] = s->model.own_inertia;
    const double before = rls_kinetic_energy (s, inertia, s->state.pose, s->state.v);
    const double after = rls_kinetic_energy (s, inertia, s->next.pose, s->next.v);
    double scale = 0;
    const double work = work_of_forces (s, h, &scale) + of_bounds;
    return told (after - before - work, before, after, RLS_SEEN * (scale + fabs (work)), ledger);
}

double rls_check_energy (const rls_island *s, double h, rls_ledger *ledger)
{
    return turns_far (s, h) && !rls_has_kinematic (s) && !rls_turns_without_gyroscopic_terms (s)
               ? energy_gained (s, h, 0, ledger)
               : 0;
}

/* A joint of the body that turns farthest in the step: there the step is too long for the motion. */
static int joint_of_fastest_body (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    double fastest = -1;
    int found = -1;
    for (int j = 0; j < workspace->objects.joints; ++j)
        for (int side = 0; side < 2; ++side)
        {
            const int b = workspace->objects.joint_body[j][side];
            if (b < 0) continue;
            const double *w = s->next.v[b] + 3, speed = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
            if (speed > fastest) fastest = speed, found = j;
        }
    return found;
}

/* The bounded row whose depth is the largest part of what was taken back: its joint. */
static int deepest_joint (const rls_bounded *b)
{
    double deepest = 0;
    int found = -1;
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
            if (fabs (b->row[r].push) > deepest) deepest = fabs (b->row[r].push), found = b->ode_joint[j];
    return found;
}

/* What taking back depths has given (J), above what impacts have lost since depths have been taken back: a
 * body is as deep as it came within a step, and that is paid for.  Less than gravity gives in a step is not
 * worth telling. */
static double given_for_nothing (rls_workspace *workspace, double lost, double given, double moving)
{
    const double kick = rls_bounded_kick (&workspace->island, workspace->h);
    rls_ledger *ledger = &workspace->ledger;
    ledger->paid += lost - given;
    const double owed = -ledger->paid;
    if (owed <=
        RLS_ENERGY_JUMP * moving + RLS_CONTACT_SLOP * rls_movable_mass (&workspace->island) * kick * kick)
        return 0;
    ledger->paid = 0;
    return owed;
}

static int pulls_both_ways (const rls_bounded *b, int r)
{
    return b->row[r].stiffness > 0 && b->lo[r] != 0 && b->hi[r] != 0 && b->follow[r] < 0;
}

/* J: what springs that pull both ways store when the step of h begins, and when it ends.  Where impacts have
 * split the step, their ways are those of its last part, and are asked for once more. */
static void stored_in_springs (rls_island *s, double h, double stored[2])
{
    const rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    int springs = 0;
    stored[0] = stored[1] = 0;
    for (int r = 0; r < b->rows; ++r) springs |= pulls_both_ways (b, r);
    if (!springs || (s->bounded_wrench && !s->provider.bounded (s, s->next.pose))) return;
    for (int r = 0; r < b->rows; ++r)
    {
        const double from = b->row[r].open, to = from + end->way[r] - h * b->row[r].rest;
        if (!pulls_both_ways (b, r) || isnan (to)) continue;
        stored[0] += 0.5 * b->row[r].stiffness * from * from;
        stored[1] += 0.5 * b->row[r].stiffness * to * to;
    }
}

/* The same of a symplectic step with bounded rows, which knows what they, drives and kinematic bodies can
 * have given; and what it has lifted. */
static void check_halves (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    double stored[2];
    const rls_symplectic *w = &workspace->methods.symplectic;
    const rls_gain of = rls_step_gain (w, s, workspace->h, s->next.v);
    const double gained = of.gain + (w->forces_missed ? w->forced_doubt : 0),
                 unknown = rls_credit_without_momentum (w, s, workspace->h);
    if (w->farthest == 0) workspace->ledger.paid = 0;
    stored_in_springs (s, workspace->h, stored);
    note_energy (workspace, dRLSWarningEnergy, joint_of_fastest_body (workspace),
                 told (gained + unknown + stored[1], of.before + stored[0], of.after + stored[1],
                       of.rounding * (RLS_SEEN / RLS_DEPENDENT), &workspace->ledger));
    note_energy (
        workspace, dRLSWarningDepth, deepest_joint (&s->begin.bounded),
        given_for_nothing (workspace, fmax (0, -gained), fmax (0, -w->push_work), of.before + of.after));
}

static void check_work (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const int reason = workspace->findings.reason,
              last = reason == dRLSReasonFailed || reason == dRLSReasonPause;
    const int by_others =
        (rls_has_kinematic (s) || s->provider.forces) && rls_is_symplectic (workspace->findings.integrator);
    if (s->begin.bounded.rows > 0 ? s->reactions.bounded_in_halves : by_others)
    {
        check_halves (workspace);
        return;
    }

    /* whether all that works on the island is known: no callbacks, drives, springs; kinematic bodies apart */
    const int known = !s->provider.forces && s->elimination.precedence.count == 0 &&
                      workspace->wishes->drives.count == 0 && workspace->objects.soft_rows == 0 &&
                      !rls_turns_without_gyroscopic_terms (s);
    if ((s->begin.bounded.rows == 0 && !turns_far (s, workspace->h)) || !known) return;
    if (!last && rls_has_kinematic (s)) return;

    /* what neither forces nor rows have given */
    int held;
    double stopped = 0, pushed = 0;
    const double work =
        work_of_bounds (workspace, last, &stopped, &pushed) + rls_work_through_joints (s, &held);
    const double gained = energy_gained (s, workspace->h, work, &workspace->ledger);
    note_energy (workspace, dRLSWarningEnergy, joint_of_fastest_body (workspace),
                 fmax (gained, s->account.taken_back));
    if (last && !held && !rls_has_targets (s)) rls_take_back (s, s->next.pose, gained);
    if (last || s->begin.bounded.rows == 0) return;

    /* what stops and contacts of Euler's method have made of depths: they give them back as velocities */
    const double moving = rls_kinetic_energy (s, s->model.own_inertia, s->state.pose, s->state.v) +
                          rls_kinetic_energy (s, s->model.own_inertia, s->next.pose, s->next.v);
    if (stopped + pushed == 0) workspace->ledger.paid = 0;
    note_energy (workspace, dRLSWarningDepth, deepest_joint (&s->begin.bounded),
                 given_for_nothing (workspace, stopped, pushed, moving));
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
                note_worst (workspace, dRLSWarningConflict, j, row->row, fabs ((double)row->residual));
    }
}

void rls_check_step (rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    rls_check_conflicts (workspace);
    check_rows (workspace);
    check_work (workspace);
    if (!rls_is_symplectic (workspace->findings.integrator) || !s->provider.forces) return;

    /* a kick by the program's forces that came nearer to its end, and not there */
    note_energy (workspace, dRLSWarningForces, -1, workspace->methods.symplectic.unsettled);
}
