/* Dispatch of an island's step to its integrator, and attempts at the accurate ones; what follows where these
 * fail is in fallback.c. */
#include "fallback.h"
#include "corrections/correct.h"
#include "ode/gather.h"
#include "integrators/accelerate.h"
#include "integrators/compose.h"
#include "integrators/impacts.h"
#include "integrators/reactions.h"
#include "integrators/sink.h"
#include "integrators/step_energy.h"
#include "integrators/stiffness.h"
#include <limits.h>

#define MOST_PIECES 64        /* a step that fails is tried again in 2, 4, ... pieces, */
#define MOST_FOLLOWING 16     /* one with forces too stiff for it in as many as they need, up to this */
#define LONGEST_PAUSE 31      /* steps that are not tried, after many that failed */
#define MESH_FACTORISATIONS 6 /* of an attempt at an accurate step, before a mesh retreats */
#define MESH_PAUSE                                                                                           \
    64 /* the same of meshes, whose attempts cost energy: singular normals take what moves along them */

int rls_integrate_wants_stages (const rls_settings *set)
{
    return rls_correct_steps (set) ||
           (set->integrator != dRLSIntegratorEuler && set->correction == dRLSCorrectionProjection);
}

/* Negative sub-steps forbid compositions of a higher order with friction, and so do events. */
static int choose (rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    const int integrator = set->integrator, projects = set->correction == dRLSCorrectionProjection,
              steps = rls_correct_steps (set), hard = rls_only_hard_positions (workspace);
    int by, other = 0, reason = dRLSReasonChosen;
    if (workspace->island.begin.bounded.rows > 0 && workspace->objects.soft_rows == 0 && !steps && projects &&
        integrator != dRLSIntegratorEuler)
    {
        by = dRLSIntegratorSymplectic;
        other = integrator > dRLSIntegratorSymplectic;
        if (other) reason = dRLSReasonBounded;
    }
    else if (!hard)
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
    rls_take_by (workspace, hard && steps ? integrator : by, reason);
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
    if (!rls_island_push (s, s->state.pose, s->state.v)) return RLS_FAILED;
    return rls_island_factor (s, &s->begin.factor, &s->begin.rows, s->elimination.rank_tolerance, NULL);
}

static void limit_work (rls_island *s)
{
    const int limited = s->mechanism.mesh && s->begin.bounded.rows == 0;
    s->recovery.most_factorisations = limited ? s->account.factorisations + MESH_FACTORISATIONS : INT_MAX;
}

/* What a step leaves for feedback and the next one. */
static void leave (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const rls_symplectic *w = &workspace->methods.symplectic;
    const int euler = w->lead == 1;
    s->valid.end_exact = 1;
    s->reactions.rows = &s->end.rows;
    s->reactions.factor = &s->end.factor;
    s->reactions.change = (euler ? w->force : w->reaction);
    s->reactions.part = euler ? 1 : 1 - w->lead;
}

static int has_program_rows (const rls_workspace *workspace)
{
    for (int j = 0; j < workspace->objects.joints; ++j)
        if (rls_program_rows_of (workspace, workspace->objects.joint[j])) return 1;
    return 0;
}

/* The whole step in equal pieces of one composition each.  Returns as rls_symplectic_substep;
 * RLS_ANOTHER_WAY where more pieces may follow forces that these do not. */
static rls_outcome compose (rls_workspace *workspace, int integrator, int pieces)
{
    rls_island *s = &workspace->island;
    rls_symplectic *w = &workspace->methods.symplectic;
    double fraction[RLS_MOST_STAGES];
    const int euler = integrator == dRLSIntegratorEuler;
    const int stages = rls_composition (euler ? 2 : rls_order_of (integrator), fraction);

    /* a composition of sub-steps, or Euler's with the whole kick before the drift */
    w->lead = euler ? 1 : 0.5;
    w->longest_h = w->missed = 0;
    w->inexact = 0, w->residual = 0;
    for (int i = 0; i < stages; ++i)
        w->longest_h = fmax (w->longest_h, fabs (fraction[i] * workspace->h / pieces));

    /* one after the other, each from where the last one ended */
    rls_reactions_begin (s);
    limit_work (s);
    rls_outcome done = rls_symplectic_begin (w, s);
    for (int i = 0; i < pieces * stages && done == RLS_DONE; ++i)
    {
        if (i > 0) limit_work (s);
        if (i > 0) rls_symplectic_advance (s);
        const int piece = i / stages;
        w->within = stages > 1 && i < pieces * stages - 1;
        if (i % stages == 0) s->provider.time = workspace->time + piece * workspace->h / pieces;
        const double part = fraction[i % stages] * workspace->h / pieces;
        const int bounded = s->begin.bounded.rows > 0,
                  follows = !bounded && !euler && pieces < MOST_FOLLOWING;
        done = bounded ? rls_step_past_impacts (w, s, part) : rls_symplectic_substep (w, s, part);
        const int missed = done == RLS_DONE && (follows || bounded) && rls_stiff_forces_missed (w, s, part);
        w->forces_missed |= missed && bounded;
        if (missed && follows) done = RLS_ANOTHER_WAY;
    }
    if (done != RLS_DONE) return done;
    if (s->begin.bounded.rows > 0 && !has_program_rows (workspace)) rls_sink_by_gain (w, s, workspace->h);
    memcpy (s->next.v, w->v, sizeof (*w->v) * (size_t)s->model.bodies);
    leave (workspace);
    return RLS_DONE;
}

/* Says which rows may hold a velocity instead of a position; see symplectic.h. */
static void find_velocity_level_rows (rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    rls_symplectic *w = &workspace->methods.symplectic;
    w->velocity_level_rows = 0;
    for (int i = 0; i < s->begin.rows.joints; ++i)
    {
        const int j = s->mechanism.ode_joint[i];
        const dJointType type = dJointGetType (workspace->objects.joint[j]);
        const int base = type == dJointTypePlane2D ? 1 : rls_ode_base_rows (type);
        const int given = rls_program_rows_of (workspace, workspace->objects.joint[j]) != NULL;
        for (int r = s->mechanism.row0[i]; r < s->mechanism.row0[i + 1]; ++r)
        {
            const int number = s->mechanism.ode_row[r];
            const int maybe = given ? s->mechanism.nonholonomic[r]
                                    : number >= base && number < workspace->objects.joint_rows[j];
            w->velocity_level[r] = !maybe  ? RLS_VELOCITY_LEVEL_NEVER
                                   : given ? RLS_VELOCITY_LEVEL_ALWAYS
                                           : RLS_VELOCITY_LEVEL_MAYBE;
            w->velocity_level_rows += maybe;
        }
    }
}

/* Islands may stay so close to singular configurations that step after step fails, at many times the cost of
 * one that does not: the longer they have, the longer the next attempt waits.  Trees have no such
 * configurations. */
static void pause (rls_island *s)
{
    if (s->elimination.order.tree.nodes > 0) return;
    s->recovery.failing =
        s->recovery.failing <= LONGEST_PAUSE ? 2 * s->recovery.failing + 1 : s->recovery.failing;
    s->recovery.pausing = s->mechanism.mesh ? MESH_PAUSE : s->recovery.failing / 2;
}

/*
 * A step one of whose nodes was so near a singular configuration that rows are lost with nothing in their
 * place, or hardly known: those of compositions are close together, and the step of second order strides over
 * it.  Where that does not help either, the rows stay lost.  Returns as rls_symplectic_substep.
 */
static rls_outcome stride (rls_workspace *workspace, int integrator, int pieces)
{
    rls_symplectic *w = &workspace->methods.symplectic;
    ++workspace->island.account.fallbacks;
    rls_outcome done = rls_begin_again (workspace);
    if (done == RLS_DONE && integrator > dRLSIntegratorSymplectic)
    {
        rls_take_by (workspace, dRLSIntegratorSymplectic, dRLSReasonSingular);
        done = compose (workspace, dRLSIntegratorSymplectic, pieces);
        if (done != RLS_FAILED || !w->missed) return done;
        done = rls_begin_again (workspace);
    }
    w->strict = 0;
    rls_take_by (workspace, integrator, dRLSReasonSingular);
    return done == RLS_DONE ? compose (workspace, integrator, pieces) : done;
}

/* A step that makes energy out of nothing has not followed the motion. */
static int makes_energy (const rls_symplectic *w, const rls_island *s, double h)
{
    return rls_energy_jumps (s, h, w->taken, RLS_SMALL_ENERGY_JUMP) ||
           ((rls_has_kinematic (s) || s->provider.forces) && rls_step_gains_energy (w, s, h));
}

static rls_outcome symplectic_step (rls_workspace *workspace, int integrator)
{
    rls_symplectic *w = &workspace->methods.symplectic;
    rls_island *s = &workspace->island;
    /* what is left open moves contacts from step to step, and costs their solver more than it saves */
    w->tolerance = s->begin.bounded.rows > 0 ? 0 : s->position_tolerance;

    /* an island that stands is not stepped once more */
    if (rls_standing_repeats (&w->standing, s, workspace->h))
    {
        rls_reactions_begin (s);
        leave (workspace);
        return RLS_DONE;
    }

    /* after many failures the next attempt waits */
    if (s->recovery.pausing > 0)
    {
        --s->recovery.pausing;
        ++s->account.fallbacks;
        return rls_retreat (workspace, dRLSReasonPause);
    }
    s->valid.begin_damped = 0; /* an attempt needs the room */

    /* the step whole, then in pieces; bounded rows are known at the beginning alone */
    if (!rls_symplectic_prepare (w, s)) return RLS_NO_MEMORY;
    find_velocity_level_rows (workspace);
    w->yielding = w->diverged = 0;
    int most = s->begin.bounded.rows > 0 ? 1 : MOST_PIECES;
    for (int pieces = 1; pieces <= most; pieces *= 2)
    {
        w->strict = s->begin.bounded.rows == 0 && !s->mechanism.mesh;
        if (pieces > 1) rls_take_by (workspace, integrator, dRLSReasonPieces);
        int done = compose (workspace, integrator, pieces);
        if (done == RLS_FAILED && w->missed) done = stride (workspace, integrator, pieces);
        if (done == RLS_ANOTHER_WAY)
        {
            ++s->account.fallbacks;
            most = MOST_FOLLOWING;
            done = rls_begin_again (workspace);
            if (done != RLS_DONE) return done;
            continue;
        }

        /* bounded rows that cannot all hold, or that make energy, give way a little; not contacts that joints
         * keep from holding: joints are closed after them then, and bodies sink into each other */
        if (s->begin.bounded.rows > 0 && !(w->diverged && rls_leans_on_contacts (s)) &&
            (done == RLS_FAILED || (done == RLS_DONE && rls_step_gains_energy (w, s, workspace->h))))
        {
            ++s->account.fallbacks;
            w->yielding = 1;
            rls_take_by (workspace, integrator, dRLSReasonGivesWay);
            done = rls_begin_again (workspace);
            if (done == RLS_DONE) done = compose (workspace, integrator, pieces);
            if (done == RLS_DONE && rls_step_gains_much (w, s, workspace->h)) done = RLS_FAILED;
        }

        const int last = pieces == most || !rls_is_symplectic (integrator);
        const int accepted = done == RLS_DONE && (last || !makes_energy (w, s, workspace->h));
        if (accepted) s->recovery.failing = s->recovery.left_open = 0;
        if (accepted) rls_standing_keep (&w->standing, w->stays, s, workspace->h);
        if (done == RLS_NO_MEMORY || accepted) return done;
        ++s->account.fallbacks;
        if (s->mechanism.mesh) break;
        /* inertia that is added costs energy: beside loops only what halves do not follow either asks for it;
         * a taut chain goes on failing for hundreds of steps */
        const int tree = s->begin.factor.tree.rows > 0;
        if (done == RLS_FAILED && (pieces > 1 || most == 1 || tree)) s->geometric.wanted = RLS_STIFF_STEPS;
        done = rls_begin_again (workspace);
        if (done != RLS_DONE) return done;
    }

    /* nothing helped */
    pause (s);
    return rls_retreat (workspace, dRLSReasonFailed);
}

/* A step that another integrator would not take, close by a singular configuration, or has not followed. */
static rls_outcome carry_over (rls_workspace *workspace, int reason)
{
    rls_island *s = &workspace->island;
    s->account.singular_events += reason == dRLSReasonSingular;
    s->account.fallbacks += reason != dRLSReasonSingular;
    s->provider.time = workspace->time;
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    if (!rls_island_push (s, s->state.pose, s->state.v)) return RLS_FAILED;
    const double before = rls_power (s, s->state.v);
    const int integrator = s->mechanism.mesh ? dRLSIntegratorSymplectic : dRLSIntegratorSymplectic4;
    rls_take_by (workspace, integrator, reason);
    const int done = symplectic_step (workspace, integrator);
    if (done != RLS_DONE || !rls_correct_waits (workspace)) return done;
    return rls_correct_after (workspace, 0.5 * workspace->h * (before + rls_power (s, s->next.v)));
}

/* 1 after a step of rk4 that closes joints and may be taken by others, if it has not followed the motion. */
static int rk4_makes_energy (const rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    return workspace->findings.integrator == dRLSIntegratorRK4 &&
           set->correction == dRLSCorrectionProjection && !(set->correction_flags & dRLSCorrectThrough) &&
           rls_energy_jumps (&workspace->island, workspace->h, workspace->methods.rk4.taken,
                             RLS_ENERGY_JUMP / 3);
}

static int attempt (rls_workspace *workspace)
{
    const int integrator = choose (workspace);
    const int waits = workspace->island.mechanism.mesh &&
                      workspace->island.recovery.pausing > 0; /* its rank has not been decided on */
    const int correct =
        rls_correct_steps (workspace->settings) && rls_only_hard_positions (workspace) && !waits;

    /* A symplectic step with all of the forces' kick before the drift is ODE's semi-implicit Euler with the
     * constraints at position level: first order, but it passes singular configurations and keeps its energy.
     */
    const int closes = rls_correct_projects (workspace->settings) && !rls_correct_waits (workspace) &&
                       rls_only_hard_positions (workspace) && workspace->island.begin.rows.rows > 0;
    if (!correct && !rls_is_symplectic (integrator) && !closes) return rls_step_by_euler (workspace);
    const double start = rls_clock ();
    const int unknown = workspace->methods.rk4.regular == 0;
    rls_outcome done = correct ? rls_correct_step (workspace) : symplectic_step (workspace, integrator);
    const int lost =
        correct && done == RLS_FAILED && workspace->settings->correction == dRLSCorrectionProjection;
    if (done == RLS_ANOTHER_WAY || lost)
    {
        done = carry_over (workspace, dRLSReasonSingular);
        if (unknown) workspace->methods.rk4.regular = workspace->methods.symplectic.regular;
    }
    if (correct && done == RLS_DONE && rk4_makes_energy (workspace))
    {
        done = rls_begin_again (workspace);
        if (done == RLS_DONE) done = carry_over (workspace, dRLSReasonPieces);
    }
    workspace->findings.seconds[dRLSStageSolve] += rls_clock () - start;
    if (done != RLS_DONE && workspace->status != dRLSStatusOk) return 0; /* said already */
    return rls_workspace_done (workspace, done);
}

int rls_integrate (rls_workspace *workspace)
{
    workspace->island.reactions.wanted = rls_wants_feedback (workspace);
    workspace->island.reactions.of_end = workspace->settings->feedback == dRLSFeedbackEnd;
    workspace->island.reactions.counted = 0;
    int done = attempt (workspace), row;

    /* where a drive cannot be followed, from the beginning again, with one drive less */
    while (done && (row = rls_held_drive_find (workspace)) >= 0)
    {
        if (!rls_workspace_done (workspace, rls_begin_again (workspace))) return 0;
        if ((workspace->status = rls_held_drive_begin (workspace, row)) != dRLSStatusOk) return 0;
        rls_gather_masses (workspace);
        done = rls_workspace_list_redundant (workspace) && attempt (workspace);
    }
    if (done && workspace->island.elimination.precedence.held_drives > 0)
        done = (workspace->status = rls_held_drive_release (workspace)) == dRLSStatusOk;
    return done;
}
