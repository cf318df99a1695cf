/* Steps that the accurate integrators cannot take; contract in fallback.h. */
#include "fallback.h"
#include "integrators/damped.h"
#include "integrators/step_energy.h"

#define PRESSED_PIECES 4 /* of Euler's method where joints press against contacts */

/* The damped step, from the beginning of the step, which takes dependent rows for what they are. */
static rls_outcome damp (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_symplectic_forget (&workspace->methods.symplectic);
    const rls_outcome done = rls_damped_step (s, workspace->time, workspace->h);
    s->recovery.left_open = s->account.projection_residual > RLS_CLOSED;
    return done;
}

/* 1 if some rows give way to others: those of drives, of larger priority numbers, or those that were found to
 * contradict the others, unless damped steps share what is open among all of them already. */
static int has_precedence (const rls_island *s)
{
    for (int r = 0; !s->recovery.left_open && r < s->begin.rows.rows; ++r)
        if (s->begin.factor.decision[r] == RLS_REDUNDANT && fabs (s->begin.rows.residual[r]) > RLS_CLOSED)
            return 1;
    return s->elimination.precedence.count > 0 || s->elimination.precedence.ranked;
}

/* 1 if the program has moved bodies away from their joints: the last step did not leave them there. */
static int is_torn (const rls_island *s)
{
    double open = 0;
    for (int r = 0; !s->recovery.left_open && r < s->begin.rows.rows; ++r)
        open = fmax (open, fabs (s->begin.rows.residual[r]));
    return open > RLS_LEFT_OPEN_BY_A_STEP;
}

int rls_leans_on_contacts (const rls_island *s)
{
    if (rls_is_driven (s)) return 0;
    for (int j = 0; j < s->begin.bounded.joints; ++j)
        if (rls_bounded_is_contact (&s->begin.bounded, j)) return 1;
    return 0;
}

/* 1 after an accurate step that failed with contacts, if the joints were closed before it: a whole step of
 * Euler's method closes them into what they press against. */
static int wants_pieces (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const int reason = workspace->findings.reason;
    return (reason == dRLSReasonFailed || reason == dRLSReasonPause) && rls_leans_on_contacts (s) &&
           !s->recovery.left_open && !is_torn (s);
}

int rls_step_by_euler (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const int final = workspace->settings->correction != dRLSCorrectionProjection ||
                      workspace->objects.soft_rows > 0 || s->begin.rows.rows == 0,
              ordered = has_precedence (s);
    if (final || ordered || !s->recovery.left_open)
    {
        const int pieces = !final && wants_pieces (workspace);
        if (!(pieces ? rls_euler_in_pieces (workspace, PRESSED_PIECES) : rls_euler_step (workspace)))
            return 0;
        if (final || !rls_stays_open (workspace)) return 1;
    }
    ++s->account.fallbacks;
    if (ordered || is_torn (s))
    {
        if (!rls_euler_in_pieces (workspace, 2)) return 0;
        if (ordered || !rls_stays_open (workspace)) return 1;
    }
    return rls_workspace_done (workspace, damp (workspace));
}

rls_outcome rls_retreat (rls_workspace *workspace, int reason)
{
    rls_island *s = &workspace->island;
    rls_take_by (workspace, dRLSIntegratorEuler, reason);
    if (!s->mechanism.mesh || !rls_only_hard_positions (workspace))
        return rls_step_by_euler (workspace) ? RLS_DONE : RLS_FAILED;
    return damp (workspace);
}
