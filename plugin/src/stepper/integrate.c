/*
 * The step of one island: chooses the integrator, takes the step with it (attempts.c for the symplectic
 * ones), and takes it again where a drive has to be held.
 */
#include "integrate.h"
#include "corrections/correct.h"

int rls_integrate_wants_stages (const rls_settings *set)
{
    return rls_correct_steps (set) ||
           (set->integrator != dRLSIntegratorEuler && set->correction == dRLSCorrectionProjection);
}

/* Returns the dRLSIntegrator that the island's rows allow, records it with the reason, and counts a fallback
 * if it is not the one that the program chose. */
static int choose_integrator (rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    const int integrator = set->integrator, projects = set->correction == dRLSCorrectionProjection,
              steps = rls_correct_steps (set), hard = rls_only_hard_positions (workspace);
    int by, other = 0, reason = dRLSReasonChosen;

    /* Bounded rows are part of the symplectic step.  Its compositions of higher order have negative
     * sub-steps, in which friction would drive the bodies, and events would reduce their order. */
    if (workspace->island.begin.bounded.rows > 0 && workspace->objects.soft_rows == 0 && !steps && projects &&
        integrator != dRLSIntegratorEuler)
    {
        by = dRLSIntegratorSymplectic;
        other = integrator > dRLSIntegratorSymplectic;
        if (other) reason = dRLSReasonBounded;
    }
    else if (!hard) /* soft rows have ODE's coefficients, which are those of its Euler step */
    {
        by = dRLSIntegratorEuler;
        other = integrator > dRLSIntegratorEuler || steps || (integrator == dRLSIntegratorAuto && projects);
        if (other) reason = dRLSReasonSoft;
    }
    else if (!projects)
        by = dRLSIntegratorEuler;
    else
        by = integrator == dRLSIntegratorAuto ? dRLSIntegratorSymplectic : integrator;
    workspace->island.account.fallbacks += other;

    /* corrections that take steps of their own are reported under the program's choice */
    rls_record_integrator (workspace, hard && steps ? integrator : by, reason);
    return by;
}

rls_outcome rls_begin_again (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_symplectic_doubt (&workspace->methods.symplectic, s);
    s->provider.time = workspace->time;
    s->valid.end_exact = 0;
    if (!s->provider.rows (s, s->state.pose)) return RLS_FAILED;
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    rls_rows_copy (&s->end.rows, &s->begin.rows);
    if (s->begin.bounded.rows > 0) rls_form_bounded_columns (&s->begin.rows, &s->begin.bounded);
    if (!rls_island_push (s, s->state.pose, s->state.v)) return RLS_FAILED;
    return rls_island_factor (s, &s->begin.factor, &s->begin.rows, s->elimination.rank_tolerance, NULL);
}

/* Takes a step by symplectic4 (meshes: by symplectic) that rk4 or a correction refused near a singular
 * configuration (dRLSReasonSingular), or whose energy jumped under rk4 (dRLSReasonPieces).  Returns as
 * rls_take_symplectic_step. */
static rls_outcome step_instead (rls_workspace *workspace, int reason)
{
    rls_island *s = &workspace->island;
    s->account.singular_events += reason == dRLSReasonSingular;
    s->account.fallbacks += reason != dRLSReasonSingular;
    s->provider.time = workspace->time;
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    if (!rls_island_push (s, s->state.pose, s->state.v)) return RLS_FAILED;
    const double before = rls_power (s, s->state.v);
    const int integrator = s->mechanism.mesh ? dRLSIntegratorSymplectic : dRLSIntegratorSymplectic4;
    rls_record_integrator (workspace, integrator, reason);
    const int done = rls_take_symplectic_step (workspace, integrator);

    /* corrections that act after a step need the work of the forces, by the trapezoidal rule */
    if (done != RLS_DONE || !rls_correct_waits (workspace)) return done;
    return rls_correct_after (workspace, 0.5 * workspace->h * (before + rls_power (s, s->next.v)));
}

/* Returns 1 if the last step was taken by rk4 and its energy has jumped.  0 under corrections and flags that
 * ask for the step of rk4 as published. */
static int rk4_makes_energy (const rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    return workspace->findings.integrator == dRLSIntegratorRK4 &&
           set->correction == dRLSCorrectionProjection && !(set->correction_flags & dRLSCorrectThrough) &&
           rls_energy_jumps (&workspace->island, workspace->h, workspace->methods.rk4.taken, 0,
                             RLS_ENERGY_JUMP / 3);
}

/* Takes the step with the drives and motors that are in force. */
static rls_outcome attempt (rls_workspace *workspace)
{
    const int integrator = choose_integrator (workspace);

    /* While a mesh makes no accurate attempts its rank has not been decided on, which rk4 and the corrections
     * need. */
    const int waits = workspace->island.mechanism.mesh && workspace->island.recovery.pausing > 0;
    const int correct =
        rls_correct_steps (workspace->settings) && rls_only_hard_positions (workspace) && !waits;

    /* Where Euler's method closes the joints of hard rows it is taken as a symplectic step with the whole
     * kick before the drift: first order, but it passes singular configurations and keeps its energy. */
    const int closes = rls_correct_projects (workspace->settings) && !rls_correct_waits (workspace) &&
                       rls_only_hard_positions (workspace) && workspace->island.begin.rows.rows > 0;
    if (!correct && !rls_is_symplectic (integrator) && !closes) return rls_step_by_euler (workspace);

    /* steps that rk4 or a correction cannot take, or whose energy jumps, are taken by a symplectic
     * integrator */
    const double start = rls_clock (workspace->settings);
    if (correct) workspace->island.valid.begin_damped = 0; /* the rows of a damped step are overwritten */
    const int unknown = workspace->methods.rk4.regular == 0;
    rls_outcome done =
        correct ? rls_correct_step (workspace) : rls_take_symplectic_step (workspace, integrator);
    const int lost =
        correct && done == RLS_FAILED && workspace->settings->correction == dRLSCorrectionProjection;
    if (done == RLS_ANOTHER_WAY || lost)
    {
        done = step_instead (workspace, dRLSReasonSingular);
        if (unknown) workspace->methods.rk4.regular = workspace->methods.symplectic.regular;
    }
    if (correct && done == RLS_DONE && rk4_makes_energy (workspace))
    {
        done = rls_begin_again (workspace);
        if (done == RLS_DONE) done = step_instead (workspace, dRLSReasonPieces);
    }
    workspace->findings.seconds[dRLSStageSolve] += rls_clock (workspace->settings) - start;
    return done;
}

rls_outcome rls_integrate (rls_workspace *workspace)
{
    workspace->island.reactions.of_end = workspace->settings->feedback == dRLSFeedbackEnd;
    workspace->island.reactions.counted = workspace->island.reactions.closing = 0;
    RLS_TRY (attempt (workspace));

    /* as long as a drive cannot be followed, the step is taken again with that drive held */
    for (int row; (row = rls_held_drive_find (workspace)) >= 0;)
    {
        RLS_TRY (rls_begin_again (workspace));
        RLS_TRY (rls_held_drive_begin (workspace, row));
        rls_gather_masses (workspace);
        RLS_TRY (rls_workspace_list_redundant (workspace));
        RLS_TRY (attempt (workspace));
    }
    return rls_held_drive_release (workspace);
}
