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

    /* what hangs on masses */
    rls_symplectic_forget (&workspace->methods.symplectic); /* multipliers and how they change, what first halves
                                                       asked of their rows, rows and
                                                       normals of singular configurations */
    s->valid.end_exact = 0;                                 /* rows and factor at the end of the last step */
    s->valid.last_inertia = 0;                              /* and the inertia that it raised */
    if (event < RLS_MOTION_BROKEN) return;

    /* what hangs on the motion */
    s->valid.decisions = 0;                    /* rank decisions, and which drives waited for them */
    s->elimination.precedence.held_drives = 0; /* drives that were out of reach */
    s->valid.stiffness = 0;                    /* geometric stiffness */
    s->recovery.failing = s->recovery.pausing =
        0;                                  /* how often the accurate step failed; steps that do not try it */
    s->recovery.left_open = 0;              /* that the last step was damped, and left joints open */
    workspace->methods.rk4.regular = 0;     /* rank of rk4 away from singular configurations */
    workspace->methods.penalty.history = 0; /* multipliers of the augmented methods */
    workspace->ledger =
        (rls_ledger){0, 0, 0}; /* energy gained without work, as far as it has not been told */
    if (event < RLS_MECHANISM_CHANGED) return;

    /* what hangs on the mechanism */
    s->geometric.wanted = 0;                  /* steps for which geometric stiffness is looked at */
    s->valid.end_damped = 0;                  /* that the factor is one of the damped step */
    workspace->methods.penalty.clearance = 0; /* how far the rows have been from dependence */
    if (event < RLS_ISLAND_CHANGED) return;

    /* and all else */
    rls_bounded_free (s->bounded_work); /* impulses of contacts, stops and motors */
    s->bounded_work = NULL;
    s->geometric.raised = 0;   /* bodies with more inertia than their own */
    s->model.length_scale = 1; /* unit of length */
    s->model.bodies = 0;       /* room in its arrays: where it lacks, the factor is lost */
    workspace->objects.body =
        NULL; /* the order of bodies and joints; without it nothing read of them is kept */
}

void rls_history_check_motion (rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    for (int b = 0; b < s->model.bodies && s->valid.decisions; ++b)
        if (s->model.movable[b] && !rls_poses_same (&s->state.pose[b], &s->next.pose[b], 1))
            rls_history_end (workspace, RLS_MOTION_BROKEN);
}
