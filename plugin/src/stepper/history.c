/*
 * What is carried from step to step, and what ends it: this is the one place.
 *
 * Nothing that is carried may be seen in a motion beyond the accuracy of the method.  Each thing that one
 * step leaves for the next has its line in rls_history_end, under the first of the events that ends it; what
 * is added joins them there.
 *
 * Three things are carried beside these and compared where they are used: copies of what was read
 * (joint_cache.c, whether the joint's memory is the same), elimination orders (decide.c, whether the
 * structure is the same), impulses of contacts and stops (bounded_warm.c, whether the joint or the pair of
 * bodies is the same).  Small trees, which have no workspace, keep all of theirs or nothing (batch.h).
 */
#include "workspace.h"
#include "bounded/bounded.h"

void rls_history_end (rls_workspace *workspace, rls_event event)
{
    rls_island *s = &workspace->island;

    /* What depends on masses: multipliers and how they change, rows and normals of singular configurations;
     * rows and factor at the end of the last step; the inertia that it raised. */
    rls_symplectic_forget (&workspace->methods.symplectic);
    s->valid.end_exact = 0;
    s->valid.last_inertia = 0;
    if (event < RLS_MOTION_BROKEN) return;

    /* What depends on the motion: rank decisions, and which drives waited for them; drives that were out of
     * reach; geometric stiffness. */
    s->valid.decisions = 0;
    s->elimination.precedence.held_drives = 0;
    s->valid.stiffness = 0;

    /* How often the accurate step failed; steps that do not try it; that the last one was damped, and left
     * joints open; the rank of rk4 away from singular configurations; multipliers of the augmented methods;
     * energy gained without work, as far as it has not been reported. */
    s->recovery.failing = s->recovery.pausing = s->recovery.left_open = 0;
    workspace->methods.rk4.regular = 0;
    workspace->methods.penalty.history = 0;
    workspace->ledger = (rls_ledger){0, 0, 0};
    if (event < RLS_MECHANISM_CHANGED) return;

    /* What depends on the mechanism: steps for which geometric stiffness is looked at; that the factor is one
     * of the damped step; how far the rows have been from dependence. */
    s->geometric.wanted = 0;
    s->valid.end_damped = 0;
    workspace->methods.penalty.clearance = 0;
    if (event < RLS_ISLAND_CHANGED) return;

    /* All else: impulses of contacts, stops and motors; bodies with more inertia than their own; the unit of
     * length; room in the island's arrays, without which the factor is lost; the order of bodies and joints,
     * without which nothing that was read of them is kept. */
    rls_bounded_free (s->bounded_work);
    s->bounded_work = NULL;
    s->geometric.raised = 0;
    s->model.length_scale = 1;
    s->model.bodies = 0;
    workspace->objects.body = NULL;
}

void rls_history_check_motion (rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    for (int b = 0; b < s->model.bodies && s->valid.decisions; ++b)
        if (s->model.movable[b] && !rls_poses_same (&s->state.pose[b], &s->next.pose[b], 1))
            rls_history_end (workspace, RLS_MOTION_BROKEN);
}
