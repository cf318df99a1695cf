/*
 * Invalidates what is carried from step to step.
 *
 * A step leaves warm starts, rank decisions, factors and more for the next one.  If masses, poses or joints
 * have changed in between, some of that no longer applies, and using it would show in the motion.  Everything
 * that is carried has a line in rls_history_end, under the first of the events that ends it; whoever lets a
 * step leave something new adds a line here, and one in the table of trust.md.
 *
 * Four things have no line, because they are compared with the present state wherever they are used: copies
 * of joints that were read (joint_cache.c compares the joint's memory), how joints were opened between steps
 * (moved_joints.c compares the mechanism and the number of rows), elimination orders (decide.c compares the
 * topology), and impulses of contacts and stops (bounded_warm.c compares joints and pairs of bodies).
 * Small trees, which have no workspace, keep everything or nothing (batch.h).
 */
#include "workspace.h"
#include "bounded/bounded.h"

void rls_history_end (rls_workspace *workspace, rls_event event)
{
    rls_island *s = &workspace->island;

    /* Depends on masses: multipliers and their changes, singular rows and normals; rows and factor at the end
     * of the last step; the inertia that it used for light bodies.  The rank away from singular
     * configurations stays where bodies without joints have come or gone. */
    rls_symplectic *symplectic = &workspace->methods.symplectic;
    const int regular = symplectic->regular,
              stays = event == RLS_MECHANISM_CHANGED && workspace->kept.same_joints;
    rls_symplectic_forget (symplectic);
    symplectic->regular = stays ? regular : 0;
    s->valid.end_exact = 0;
    s->valid.last_inertia = 0;
    if (event < RLS_MOTION_BROKEN) return;

    /* Depends on the motion: rank decisions, and which drives were decided on late; held drives; geometric
     * stiffness. */
    s->valid.decisions = 0;
    s->elimination.precedence.held_drives.count = 0;
    s->valid.stiffness = 0;

    /* Also on the motion: how often the accurate step failed, and for how long it is not tried; that a damped
     * step left joints open; the rank that rk4 has seen away from singular configurations; multipliers of the
     * augmented methods; unexplained energy that has not been reported yet. */
    s->recovery.failing = s->recovery.pausing = s->recovery.left_open = 0;
    workspace->methods.rk4.regular = 0;
    workspace->methods.penalty.history = 0;
    workspace->ledger = (rls_ledger){0, 0, 0, 0};
    if (event < RLS_MECHANISM_CHANGED) return;

    /* Depends on the mechanism: for how many steps geometric stiffness is still computed; that the factor is
     * that of a damped step; how far the rows have been from dependence. */
    s->geometric.wanted = 0;
    s->valid.end_damped = 0;
    workspace->methods.penalty.clearance = 0;
    if (event < RLS_ISLAND_CHANGED) return;

    /* Everything else: impulses of contacts, stops and motors; the count of bodies with added inertia; the
     * unit of length; the size of the island's arrays (0: they are laid out anew, and the factor in them is
     * lost); the lists of bodies and joints (NULL: nothing that was read of joints is used again). */
    rls_bounded_free (s->bounded_kept);
    s->bounded_kept = NULL;
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
