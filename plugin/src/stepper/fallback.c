/* Euler's method and the damped step as fallbacks; contract, and which follows which, in integrate.h. */
#include "integrate.h"
#include "corrections/correct.h"
#include "integrators/project.h"
#include "integrators/step_energy.h"

#define PRESSED_PIECES 4 /* of Euler's method where joints press against contacts */

/* Takes the damped step from the beginning of the step, and notes whether it left joints open. */
static rls_outcome damp (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_symplectic_forget (&workspace->methods.symplectic);
    const rls_outcome done = rls_damped_step (s, workspace->time, workspace->h);
    s->recovery.left_open = s->account.projection_residual > RLS_CLOSED;
    return done;
}

/* Returns 1 if some rows have precedence over others: there are drives or priorities, or redundant rows
 * contradict the others.  The latter do not count after a damped step that left joints open: it has divided
 * what is open among all rows, so that redundant ones look contradictory. */
static int has_precedence (const rls_island *s)
{
    for (int r = 0; !s->recovery.left_open && r < s->begin.rows.rows; ++r)
        if (s->begin.factor.decision[r] == RLS_REDUNDANT && fabs (s->begin.rows.residual[r]) > RLS_CLOSED)
            return 1;
    return s->elimination.precedence.count > 0 || s->elimination.precedence.ranked;
}

/* Returns 1 if joints are open at the beginning of the step though the last step closed them: the program has
 * moved bodies away from their joints. */
static int is_torn (const rls_island *s)
{
    double open = 0;
    for (int r = 0; !s->recovery.left_open && r < s->begin.rows.rows; ++r)
        open = fmax (open, fabs (s->begin.rows.residual[r]));
    return open > RLS_LEFT_OPEN_BY_A_STEP;
}

int rls_has_undriven_contacts (const rls_island *s)
{
    return !rls_is_driven (s) && rls_bounded_has_contacts (&s->begin.bounded);
}

int rls_is_damped_at_once (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    if (!rls_only_hard_positions (workspace)) return 0;
    return s->mechanism.mesh ||
           (s->recovery.left_open && !has_precedence (s) && !rls_correct_steps (workspace->settings));
}

rls_outcome rls_step_by_euler (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const int final = workspace->settings->correction != dRLSCorrectionProjection ||
                      workspace->objects.soft_rows > 0 || s->begin.rows.rows == 0,
              ordered = has_precedence (s);
    s->reactions.closing = 0;

    /* Euler's step; it is final where nothing is to be closed, or where damping would not be what was
     * asked.  It is taken in pieces at once after a failed accurate step with contacts whose joints were
     * closed before it: a whole step would close them by moving bodies into each other. */
    if (final || ordered || !s->recovery.left_open)
    {
        const int reason = workspace->findings.reason,
                  failed = reason == dRLSReasonFailed || reason == dRLSReasonPause,
                  pieces = !final && failed && rls_has_undriven_contacts (s) && !s->recovery.left_open &&
                           !is_torn (s);
        s->valid.begin_damped = 0; /* the rows of a damped step are overwritten */
        RLS_TRY (pieces ? rls_euler_in_pieces (workspace, PRESSED_PIECES) : rls_euler_step (workspace));
        if (final || !rls_stays_open (workspace)) return RLS_DONE;
    }

    /* joints are open */
    ++s->account.fallbacks;
    if (ordered || is_torn (s))
    {
        RLS_TRY (rls_euler_in_pieces (workspace, 2));
        if (ordered || !rls_stays_open (workspace)) return RLS_DONE;
    }
    return damp (workspace);
}

rls_outcome rls_fall_back (rls_workspace *workspace, int reason)
{
    rls_island *s = &workspace->island;
    rls_record_integrator (workspace, dRLSIntegratorEuler, reason);
    if (s->mechanism.mesh && rls_only_hard_positions (workspace)) return damp (workspace);
    return rls_step_by_euler (workspace);
}
