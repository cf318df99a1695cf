/*
 * The step of an island by a symplectic integrator: attempts at it, whole, in pieces, or with compliant
 * contacts, until one is good enough.  If none is, fallback.c takes the step.  Contract in integrate.h;
 * sections 7 and 8 of method.md say why steps fail, and section 9 what follows beside contacts.
 */
#include "integrate.h"
#include "integrators/impacts.h"
#include "integrators/reactions.h"
#include "integrators/step_energy.h"
#include "integrators/stiffness.h"

#define MOST_PIECES 64        /* into how many pieces a step that fails is divided at most, */
#define MOST_DRIVEN 8         /* one with motors or stops, */
#define MOST_FOLLOWING 16     /* and one whose forces are too stiff for it */
#define LONGEST_PAUSE 31      /* how many steps without an accurate attempt follow many that failed, */
#define MESH_PAUSE 64         /* and of meshes, whose attempts lose energy along singular normals, one */

/* After a symplectic step: says that end.rows and end.factor are those of its end, where the next step
 * begins, and along which rows and over which part of the step the reactions act (for joint feedback). */
static void set_end_of_step (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const rls_symplectic *w = &workspace->methods.symplectic;
    const int euler = w->lead == 1;
    s->valid.end_exact = 1;
    s->reactions.at = &s->end;
    s->reactions.change = euler ? w->force : w->reaction;
    s->reactions.part = euler ? 1 : 1 - w->lead;
}

/* Takes the step from its beginning to its end in equal pieces, each of them a composition of sub-steps of
 * the integrator's order.  Returns as rls_symplectic_substep; RLS_ANOTHER_WAY also if the forces are too
 * stiff for these pieces and more of them may do. */
static rls_outcome compose (rls_workspace *workspace, int integrator, int pieces)
{
    rls_island *s = &workspace->island;
    rls_symplectic *w = &workspace->methods.symplectic;
    double fraction[RLS_MOST_STAGES];
    const int euler = integrator == dRLSIntegratorEuler, bounded = s->begin.bounded.rows > 0;
    const int stages = rls_composition (euler ? 2 : rls_order_of (integrator), fraction);

    /* the whole kick before the drift makes semi-implicit Euler of the symplectic step */
    w->lead = euler ? 1 : 0.5;
    w->longest_h = w->missed = 0;
    w->inexact = 0, w->residual = 0;
    for (int i = 0; i < stages; ++i)
        w->longest_h = fmax (w->longest_h, fabs (fraction[i] * workspace->h / pieces));

    /* the sub-steps, each from where the last one ended; those with bounded rows are one sub-step here, which
     * is divided further where their impulses are added up */
    const int divided = bounded ? 1 : pieces;
    rls_reactions_begin (s);
    RLS_TRY (rls_symplectic_begin (w, s));
    for (int i = 0; i < divided * stages; ++i)
    {
        if (i > 0) rls_symplectic_advance (s);
        const int piece = i / stages;
        w->within = stages > 1 && i < divided * stages - 1;
        if (i % stages == 0) s->provider.time = workspace->time + piece * workspace->h / divided;
        const double part = fraction[i % stages] * workspace->h / divided;

        /* Forces that are too stiff for the sub-step call for more pieces.  With bounded rows this is only
         * noted, for the energy check. */
        const int follows = !bounded && !euler && pieces < MOST_FOLLOWING;
        RLS_TRY (bounded ? rls_step_past_impacts (w, s, part, pieces) : rls_symplectic_substep (w, s, part));
        const int missed = (follows || bounded) && rls_stiff_forces_missed (w, s, part);
        if (missed && follows) return RLS_ANOTHER_WAY;
        w->forces_missed |= missed;
    }

    /* the end of the step */
    if (s->begin.bounded.rows > 0 && !workspace->objects.has_program_rows)
        rls_sink_by_gain (w, s, workspace->h);
    memcpy (s->next.v, w->v, sizeof (*w->v) * (size_t)s->model.bodies);
    set_end_of_step (workspace);
    return RLS_DONE;
}

/* After a step that failed in every accurate way: says for how many steps no accurate attempt is made.  An
 * island that stays near a singular configuration would fail step after step, at many times the usual cost;
 * the longer it has failed, the longer the pause.  Trees have no singular configurations. */
static void pause (rls_island *s)
{
    if (s->elimination.order.tree.nodes > 0) return;
    s->recovery.failing =
        s->recovery.failing <= LONGEST_PAUSE ? 2 * s->recovery.failing + 1 : s->recovery.failing;
    s->recovery.pausing = s->mechanism.mesh ? MESH_PAUSE : s->recovery.failing / 2;
}

/*
 * Takes a step again that has failed because a sub-step ended too near a singular configuration: a row was
 * lost without a singular normal in its place, or is kept but hardly known (strict and within of
 * rls_symplectic).  The sub-steps of a composition lie close together and go back and forth, so the step of
 * second order, a single long one, is more likely to pass over the configuration.  If it fails in the same
 * way, the step is taken without these rows.  Returns as rls_symplectic_substep.
 */
static rls_outcome pass_in_one_step (rls_workspace *workspace, int integrator, int pieces)
{
    rls_symplectic *w = &workspace->methods.symplectic;
    ++workspace->island.account.fallbacks;
    RLS_TRY (rls_begin_again (workspace));
    if (integrator > dRLSIntegratorSymplectic)
    {
        rls_record_integrator (workspace, dRLSIntegratorSymplectic, dRLSReasonSingular);
        const rls_outcome done = compose (workspace, dRLSIntegratorSymplectic, pieces);
        if (done != RLS_FAILED || !w->missed) return done;
        RLS_TRY (rls_begin_again (workspace));
    }
    w->strict = 0;
    rls_record_integrator (workspace, integrator, dRLSReasonSingular);
    return compose (workspace, integrator, pieces);
}

/* Takes a step again with compliant contacts and stops.  Returns as rls_symplectic_substep; RLS_FAILED also
 * if that gains energy as well. */
static rls_outcome give_way (rls_workspace *workspace, int integrator)
{
    rls_symplectic *w = &workspace->methods.symplectic;
    ++workspace->island.account.fallbacks;
    w->yielding = 1;
    rls_record_integrator (workspace, integrator, dRLSReasonGivesWay);
    RLS_TRY (rls_begin_again (workspace));
    RLS_TRY (compose (workspace, integrator, 1));
    return rls_step_gains_much (w, &workspace->island, workspace->h) ? RLS_FAILED : RLS_DONE;
}

/* Returns 1 if the energy at the end of the step is not explained by its forces, or if its bounded rows are
 * not solved: then the step has not followed the motion. */
static int makes_energy (rls_symplectic *w, const rls_island *s, double h)
{
    if (s->begin.bounded.rows > 0) return w->inexact || rls_step_misses_energy (w, s, h);
    return rls_energy_jumps (s, h, w->taken, 0, RLS_SMALL_ENERGY_JUMP) ||
           ((rls_has_kinematic (s) || s->provider.forces) && rls_step_gains_energy (w, s, h));
}

rls_outcome rls_take_symplectic_step (rls_workspace *workspace, int integrator)
{
    rls_symplectic *w = &workspace->methods.symplectic;
    rls_island *s = &workspace->island;

    /* Beside contacts, joints are closed to rounding whatever the tolerance: gaps that change from step to
     * step would move the contacts, which costs their solver more than is saved. */
    w->tolerance = s->begin.bounded.rows > 0 ? 0 : s->position_tolerance;
    w->gain_known = 0;

    /* an island at rest whose step would be the same as the last one, to the last bit, is not computed
     * again */
    if (s->valid.repeats)
    {
        rls_standing_repeat (&w->standing, s);
        rls_reactions_begin (s);
        set_end_of_step (workspace);
        return RLS_DONE;
    }

    /* after many failures no accurate step is tried for a while */
    if (s->recovery.pausing > 0)
    {
        --s->recovery.pausing;
        ++s->account.fallbacks;
        return rls_fall_back (workspace, dRLSReasonPause);
    }
    s->valid.begin_damped = 0; /* the rows of a damped step are overwritten by the attempt */

    /* The whole step first, then in 2, 4, 8, ... pieces.  With contacts only the whole step: collision
     * detection gives them at its beginning alone. */
    if (!rls_symplectic_prepare (w, s)) return RLS_NO_MEMORY;
    w->yielding = 0, w->diverged = 0;
    const int bounded = s->begin.bounded.rows > 0;
    int most = !bounded ? MOST_PIECES : rls_bounded_has_contacts (&s->begin.bounded) ? 1 : MOST_DRIVEN;
    for (int pieces = 1; pieces <= most; pieces *= 2)
    {
        w->strict = s->begin.bounded.rows == 0 && !s->mechanism.mesh;
        if (pieces > 1) rls_record_integrator (workspace, integrator, dRLSReasonPieces);
        int done = compose (workspace, integrator, pieces);
        if (done == RLS_FAILED && w->missed) done = pass_in_one_step (workspace, integrator, pieces);

        /* forces too stiff for these pieces */
        if (done == RLS_ANOTHER_WAY)
        {
            ++s->account.fallbacks;
            most = MOST_FOLLOWING;
            RLS_TRY (rls_begin_again (workspace));
            continue;
        }

        /* If bounded rows contradict each other, or their impulses have made energy, contacts and stops give
         * way.  Not if contacts and joints contradicted each other: the joints would be closed after that,
         * and bodies would sink into each other. */
        const int last = pieces == most || !rls_is_symplectic (integrator);
        if (bounded && last && !(w->diverged > 0 && rls_has_undriven_contacts (s)) &&
            (done == RLS_FAILED || (done == RLS_DONE && rls_step_gains_energy (w, s, workspace->h))))
            done = give_way (workspace, integrator);

        /* the last attempt is accepted even if its energy is off: what is too much is taken back, and check.c
         * tells it */
        const int accepted = done == RLS_DONE && (last || !makes_energy (w, s, workspace->h));
        if (accepted) s->recovery.failing = s->recovery.left_open = 0;
        if (accepted && last && bounded) rls_take_gain_of_step (w, s, workspace->h);
        if (accepted) rls_standing_keep (&w->standing, w->stays, s);
        if (done == RLS_NO_MEMORY || accepted) return done;
        ++s->account.fallbacks;
        if (s->mechanism.mesh) break;

        /* A light body under tension may be the cause; then inertia is added in the next steps
         * (stiffness.h).  That costs energy, so loops get it only if half steps have failed as well.  Taut
         * chains, which are trees, get it at once, since they would fail for hundreds of steps. */
        const int tree = s->begin.factor.tree.rows > 0;
        if (done == RLS_FAILED && (pieces > 1 || most == 1 || tree)) s->geometric.wanted = RLS_STIFF_STEPS;
        RLS_TRY (rls_begin_again (workspace));
    }

    /* every attempt has failed */
    pause (s);
    return rls_fall_back (workspace, dRLSReasonFailed);
}
