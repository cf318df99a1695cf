/*
 * Checks a step after it has been computed: joints that are open, velocities that rows did not get, and
 * energy that nothing has given.  What is found becomes a warning with an amount.  Contract in workspace.h;
 * section 9 of method.md ("When a step fails") says what is done about energy.
 */
#include "ode/gather.h"
#include "bounded/bounded.h"
#include "integrators/step_energy.h"

/* How many times the energy of being carried along kinematic bodies give to a mechanism that they drag beyond
 * its reach: levers of five. */
#define FLUNG 25

/* Records a warning (dRLSWarning) if its amount is the largest of its kind so far; joint: where (NULL:
 * nowhere in particular), row: which of the joint's as ODE numbers them (-1: none). */
static void note_worst (rls_workspace *workspace, int warning, dJointID joint, int row, double amount)
{
    dRLSWarningNote *worst = &workspace->findings.notes[warning];
    if (amount > (double)worst->amount)
        *worst = (dRLSWarningNote){.joint = joint, .row = row, .amount = (dReal)amount};
}

/* The same for an energy, given in the island's unit of length. */
static void note_energy (rls_workspace *workspace, int warning, dJointID joint, double energy)
{
    const double joules = workspace->island.model.length_scale * workspace->island.model.length_scale;
    note_worst (workspace, warning, joint, -1, joules * energy);
}

/* ---- rows ---- */

/* Compares residual and missed velocity of row r (of row joint i) with what is allowed, and records warnings.
 * most: by how much (rad, or m over the unit of length) a row that is kept may be open; missed: |target - H
 * v|; speed: the largest velocity in the island, to which its rounding is relative. */
static void check_row (rls_workspace *workspace, int i, int r, double most, double missed, double speed)
{
    const rls_island *s = &workspace->island;
    const rls_rows *rows = &s->end.rows;

    /* the position of a drive does not count: where drives contradict each other, all but one wait */
    const double open = rls_is_drive (&s->elimination.precedence, r) ? 0 : fabs (rows->residual[r]);
    const int redundant = s->end.factor.decision[r] == RLS_REDUNDANT, row = s->mechanism.ode_row[r];
    const dJointID joint = workspace->objects.joint[s->mechanism.ode_joint[i]];
    double slack = RLS_SEEN;
    if (open <= most && missed <= RLS_SEEN * (1 + speed)) return;
    rls_row room[RLS_MAX_ROWS];
    const double *J = rls_joint_rows (rows, i, room)[r - s->mechanism.row0[i]];

    /* A redundant row may be open by what the rank tolerance allows, since it is not solved for; but a
     * warning is due if that is more than was open when the step began. */
    if (redundant)
    {
        slack = sqrt (workspace->settings->rank_tolerance) * rls_row_arm (J);
        most = fmax (most, fmin (slack, most + RLS_MARGIN * workspace->findings.opening));
    }
    const double metres = rls_is_angular (J) ? 1 : s->model.length_scale;
    if (open > most)
        note_worst (workspace, redundant && open > slack ? dRLSWarningConflict : dRLSWarningProjection, joint,
                    row, open * metres);
    if (missed > slack * (1 + speed)) note_worst (workspace, dRLSWarningRate, joint, row, missed * metres);
}

/* Checks the hard rows at the end of the step, if end.rows are those and the method closes them. */
static void check_rows (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    if (!s->valid.end_exact || workspace->settings->correction != dRLSCorrectionProjection) return;
    const rls_rows *rows = &s->end.rows;
    const size_t n = (size_t)s->begin.rows.rows;
    double *missed = s->scratch.rows;
    const double speed = rls_flat_largest (6 * s->model.bodies, s->next.v[0]),
                 most = fmax (RLS_SEEN, s->position_tolerance);

    /* as a rule all of them are satisfied, which is quickly seen */
    rls_rows_missing (rows, rows->target, s->next.v, missed);
    if (rls_flat_largest (n, rows->residual) <= most &&
        rls_flat_largest (n, missed) <= RLS_SEEN * (1 + speed))
        return;
    RLS_FOR_ROWS (&s->begin.rows, i, r)
        if (rows->sigma2[r] == 0) check_row (workspace, i, r, most, fabs (missed[r]), speed);
}

/* ---- energy ---- */

/*
 * Returns the work (J) of the forces, which are constant over the step.  In a first-order step bodies do not
 * move with the mean of the velocities before and after it, so force times distance and force times mean
 * velocity differ; the larger of the two is returned.  scale: raised by the size of the numbers whose
 * rounding may look like energy.
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

/*
 * Returns the work (J) of limits, motors and contacts on the bodies that can be pushed: impulses times the
 * mean of the velocities before and after them.  stopped, pushed: raised by the energy that stops and
 * contacts have taken, and have given.
 */
static double work_of_bounds (const rls_workspace *workspace, double *stopped, double *pushed)
{
    const rls_island *s = &workspace->island;
    const rls_bounded *bounds = &s->begin.bounded;
    double sum = 0;
    RLS_FOR_ROWS (bounds, j, r)
    {
        double work = 0, by_kinematic = 0;

        /* the work on both bodies; that on a kinematic one is minus what it gives to the other */
        for (int side = 0; side < 2; ++side)
        {
            const int b = bounds->body[j][side];
            double here = 0;
            for (int k = 0; k < 6 && b >= 0; ++k)
                here += 0.5 * rls_bounded_impulse (s, r, 6 * side + k) * (s->state.v[b][k] + s->next.v[b][k]);
            work += here;
            if (b >= 0 && !s->model.movable[b]) by_kinematic -= here;
        }

        /* a row that can only stop something */
        const int stops =
            rls_bounded_is_one_sided (bounds, r) && bounds->follow[r] < 0 && !rls_bounded_is_soft (bounds, r);
        sum += work + by_kinematic;
        *stopped -= stops ? fmin (work + by_kinematic, 0) : 0;
        *pushed += stops ? fmax (work + by_kinematic, 0) : 0;
    }
    return sum;
}

/* Returns 1 if a body turns by more than RLS_SMALL_TURN in a step of h: below that, hard joints keep the
 * energy so well that it need not be checked. */
static int turns_far (const rls_island *s, double h)
{
    const double most = RLS_SMALL_TURN / h;
    int far = 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *w = s->next.v[b] + 3;
        far |= rls_square3 (w) > most * most;
    }
    return far;
}

/* Adds the energy (J) that a step has gained to the ledger, and returns what is to be reported: 0 unless the
 * gain of the step, or of all steps since the last report, is more than a small part (RLS_ENERGY_JUMP) of the
 * kinetic energy. */
static double gain_to_report (const rls_gain *of, rls_ledger *ledger)
{
    /* losses reduce the sum but never below 0, so that an early loss does not hide a later gain */
    ledger->gained = fmax (0, ledger->gained + of->gain);
    ledger->scale = fmax (ledger->scale, of->after);
    ledger->rounding = fmax (ledger->rounding, of->rounding);
    if (of->gain <= RLS_ENERGY_JUMP * (of->before + of->after) + of->rounding &&
        ledger->gained <= RLS_ENERGY_JUMP * ledger->scale + ledger->rounding)
        return 0;
    const double all = fmax (of->gain, ledger->gained);
    ledger->gained = ledger->scale = ledger->rounding = 0;
    return all;
}

/* Returns the energy (J, in the island's unit of length) that a step of h has gained, and neither the forces
 * nor rows (of_rows, J) have given. */
static rls_gain gain_of (const rls_island *s, double h, double of_rows)
{
    const double (*inertia)[9] = s->model.own_inertia;
    const double before = rls_kinetic_energy (s, inertia, s->state.pose, s->state.v);
    const double after = rls_kinetic_energy (s, inertia, s->next.pose, s->next.v);
    double scale = 0;
    const double work = work_of_forces (s, h, &scale) + of_rows;
    return (rls_gain){after - before - work, before, after, RLS_SEEN * (scale + fabs (work))};
}

double rls_check_energy (const rls_island *s, double h, rls_ledger *ledger)
{
    if (!turns_far (s, h) || rls_has_kinematic (s) || rls_turns_without_gyroscopic_terms (s)) return 0;
    const rls_gain of = gain_of (s, h, 0);
    return gain_to_report (&of, ledger);
}

/* Returns a joint of the body that turns fastest, where a step is most likely to be too long for the motion;
 * NULL if there is no joint. */
static dJointID joint_of_fastest_body (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    double fastest = -1;
    dJointID found = NULL;
    for (int j = 0; j < workspace->objects.joints; ++j)
        for (int side = 0; side < 2; ++side)
        {
            const int b = workspace->objects.joint_body[j][side];
            if (b < 0) continue;
            const double *w = s->next.v[b] + 3, speed = rls_square3 (w);
            if (speed > fastest) fastest = speed, found = workspace->objects.joint[j];
        }
    return found;
}

/* Returns the joint of the bounded row whose depth was reduced most in this step; NULL if there is none. */
static dJointID deepest_joint (const rls_workspace *workspace)
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    double deepest = 0;
    dJointID found = NULL;
    for (int r = 0; r < b->rows; ++r)
        if (fabs (b->row[r].push) > deepest)
            deepest = fabs (b->row[r].push), found = workspace->objects.joint[b->ode_joint[r]];
    return found;
}

/*
 * Returns the energy (J) to be reported that reducing depths has given to the bodies.  A body that strikes
 * something loses energy and is as deep as it came within a step; lifting it again gives no more than was
 * lost.  So losses are added to the ledger and gains subtracted (both J), and only a negative balance is
 * reported, if it is more than a small part of the kinetic energies (moving) and than gravity gives in a
 * step.
 */
static double unpaid_lift (rls_workspace *workspace, double lost, double given, double moving)
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

/* Returns 1 for a spring that pulls and pushes; compliant contacts only push. */
static int pulls_both_ways (const rls_bounded *b, int r)
{
    return b->row[r].stiffness > 0 && b->lo[r] != 0 && b->hi[r] != 0 && b->follow[r] < 0;
}

/* Computes the energy (J) that such springs store at the beginning and at the end of the step of h.  If
 * impacts have split the step, their elongations at hand are those of its last part and are evaluated
 * anew. */
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

/* Checks the energy of a symplectic step with bounded rows, kinematic bodies or forces of the program, for
 * which step_energy.h knows what these can have given; and the energy by which reducing depths has lifted
 * bodies. */
static void check_halves (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    double stored[2];
    rls_symplectic *w = &workspace->methods.symplectic;
    const int same = memcmp (w->v, s->next.v, sizeof (*w->v) * (size_t)s->model.bodies) == 0;
    rls_gain of =
        same ? rls_step_gain_at_end (w, s, workspace->h) : rls_step_gain (w, s, workspace->h, s->next.v);
    of.gain = of.gain + s->account.taken_back + (w->forces_missed ? w->forced_doubt : 0);

    /* energy of reduced depths */
    if (w->farthest == 0) workspace->ledger.paid = 0; /* no depth was reduced */
    note_energy (workspace, dRLSWarningDepth, deepest_joint (workspace),
                 unpaid_lift (workspace, fmax (0, -of.gain), fmax (0, -w->push_work), of.before + of.after));

    /* energy that nothing has given; what springs store counts with it */
    stored_in_springs (s, workspace->h, stored);
    of.gain += stored[1], of.before += stored[0], of.after += stored[1];
    of.rounding *= RLS_SEEN / RLS_DEPENDENT;
    note_energy (workspace, dRLSWarningEnergy, joint_of_fastest_body (workspace),
                 gain_to_report (&of, &workspace->ledger));
}

/*
 * After the last fallback: kinematic bodies may have dragged a mechanism beyond its reach, where joints near
 * a singular configuration pass on their velocities enlarged a thousand times.  Energy beyond what the
 * mechanism had, or FLUNG times what it would have if it were carried along rigidly, and what forces, motors
 * and stops have given, is removed from next.v.  Drives and springs may give any.
 */
static void limit_fling (const rls_workspace *workspace, rls_island *s)
{
    if (s->elimination.precedence.count > 0 || workspace->objects.soft_rows > 0) return;
    const double carried = rls_carried_energy (s);
    if (carried == 0) return;
    double scale = 0, stopped = 0, pushed = 0;
    const double given = fmax (0, work_of_forces (s, workspace->h, &scale)) +
                         fmax (0, work_of_bounds (workspace, &stopped, &pushed));
    const double before = rls_kinetic_energy (s, s->model.own_inertia, s->state.pose, s->state.v),
                 after = rls_kinetic_energy (s, s->model.own_inertia, s->next.pose, s->next.v),
                 most = fmax (before, FLUNG * carried) + given;
    if (after > most) rls_take_back (s, s->next.pose, after - most);
}

/* Checks the energy of the step, if it is known what it should be.  After the last fallback, if nothing
 * drives the island, energy that is too much is removed from next.v. */
static void check_work (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const int reason = workspace->findings.reason,
              last = reason == dRLSReasonFailed || reason == dRLSReasonPause;
    if (last) limit_fling (workspace, s);
    const int by_others =
        (rls_has_kinematic (s) || s->provider.forces) && rls_is_symplectic (workspace->findings.integrator);
    if (s->begin.bounded.rows > 0 ? s->reactions.bounded_in_halves : by_others)
    {
        check_halves (workspace);
        return;
    }

    /* Otherwise the energy is known if no callbacks, drives, soft rows or bodies without gyroscopic terms do
     * work.  (Kinematic bodies are considered below.) */
    const int known = !s->provider.forces && s->elimination.precedence.count == 0 &&
                      workspace->wishes->drives.count == 0 && workspace->objects.soft_rows == 0 &&
                      !rls_turns_without_gyroscopic_terms (s);
    if (!known) return;

    /* hard joints keep the energy where the first attempt at the step has followed the motion */
    const int first = s->account.fallbacks == 0 && s->account.singular_events == 0;
    if (s->begin.bounded.rows == 0 && first && !turns_far (s, workspace->h)) return;
    if (!last && rls_has_kinematic (s)) return;

    /* energy that neither forces nor rows have given */
    int held;
    double stopped = 0, pushed = 0;
    const double work = work_of_bounds (workspace, &stopped, &pushed) + rls_work_through_joints (s, &held);
    const rls_gain of = gain_of (s, workspace->h, work);
    const double gained = gain_to_report (&of, &workspace->ledger);
    note_energy (workspace, dRLSWarningEnergy, joint_of_fastest_body (workspace),
                 fmax (gained, s->account.taken_back));
    if (last && !held && !rls_has_targets (s)) rls_take_back (s, s->next.pose, gained);
    if (last || s->begin.bounded.rows == 0) return;

    /* Under Euler's method stops and contacts turn their depth into velocity, as ODE's do; that energy counts
     * as that of reduced depths. */
    if (stopped + pushed == 0) workspace->ledger.paid = 0;
    note_energy (workspace, dRLSWarningDepth, deepest_joint (workspace),
                 unpaid_lift (workspace, stopped, pushed, of.before + of.after));
}

/* ---- all ---- */

void rls_check_conflicts (rls_workspace *workspace)
{
    for (int k = 0; k < workspace->findings.redundant_count; ++k)
    {
        const dRLSRow *row = &workspace->findings.redundant[k];
        if (row->status == dRLSRowConflicting)
            note_worst (workspace, dRLSWarningConflict, row->joint, row->row, fabs ((double)row->residual));
    }
}

void rls_check_step (rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    rls_check_conflicts (workspace);
    if (s->valid.repeats && rls_is_symplectic (workspace->findings.integrator)) return; /* nothing moves */
    check_rows (workspace);
    check_work (workspace);
    if (!rls_is_symplectic (workspace->findings.integrator) || !s->provider.forces) return;

    /* forces of the program that depend on velocities, and whose iteration has not converged */
    note_energy (workspace, dRLSWarningForces, NULL, workspace->methods.symplectic.unsettled);
}
