/* The handle behind dRLSStepperID. */
#ifndef RLS_STEPPER_H
#define RLS_STEPPER_H

#include "batch.h"
#include "integrate.h"
#include <stdlib.h>

/* A body's force accumulators as the user left them before the step, and what was attached to it then. */
typedef struct
{
    dBodyID body;
    dReal force[6]; /* and torque */
    dJointID joint; /* the last one attached */
    int joints;
} rls_loaded_body;

struct dxRLSStepper
{
    dWorldID world;
    rls_settings settings;
    rls_wishes wishes;
    double time; /* s: where the next step begins */

    dRLSMessageFunction *message;
    void *message_context;
    dRLSForceFunction *force;
    void *force_context;

    rls_free_bodies free;
    rls_small_trees trees;
    int trees_stepped; /* 1: in the last call; else they are kept for the next step, but not those of a report
                        */
    rls_workspace **workspaces; /* one an island that is neither a free body nor such a tree; kept for their
                                   memory and decisions */
    int workspace_count, workspace_capacity, used_workspaces;
    struct rls_claim *claims; /* see match.c */
    int claim_capacity;
    RLS_LIST (rls_given) given;   /* islands that get a workspace */
    RLS_LIST (rls_batch) batches; /* of free bodies, then of small trees */
    RLS_LIST (rls_ode_task *) tasks;
    RLS_LIST (unsigned) sizes;
    RLS_LIST (rls_loaded_body) loaded; /* with a force callback: all islands' bodies, in their order */

    int alone;           /* 1: one thread steps the world, as others are stepped by others; see step_many.c */
    dBodyID const *held; /* bodies that stay while joints are closed; see assemble.c */
    int held_count;

    int busy;          /* a call is under way: callbacks must not begin another one or change choices */
    rls_ode_count had; /* objects of the world before the callbacks of this step */
    int world_changed; /* see callbacks.c */

    int status;
    unsigned long warnings[dRLSWarningCount];
    dRLSWarningNote notes[dRLSWarningCount];
    dRLSReport report;
};

/* A structure of the program that begins with its size becomes what was found, as far as it has room. */
static inline void rls_give (void *to, const void *found, size_t whole)
{
    size_t size;
    memcpy (&size, to, sizeof (size));
    memcpy (to, found, size < whole ? size : whole);
    memcpy (to, &size, sizeof (size));
}

/* Gravity and the global ERP and CFM, as they are now. */
void rls_read_world (dRLSStepperID stepper);

/* 1 if a call that sets the status may begin, until which has finished the stepper is busy; 0: there is no
 * stepper, or it is busy already. */
int rls_begin_call (dRLSStepperID stepper);

/* The call ends: sets the status and, for a failure, tells the callback.  Returns 1 for dRLSStatusOk,
 * otherwise 0. */
int rls_finish (dRLSStepperID stepper, int status);

/* The report of the last step is no longer that of the world. */
void rls_forget_report (dRLSStepperID stepper);

/* Counts a warning and tells the callback the first time. */
void rls_warn (dRLSStepperID stepper, int warning, unsigned long times);

/* ---- workspaces.c: the islands of the world at work, one workspace each, on ODE's threads ---- */

/* Sees to it that there are so many workspaces, new ones without a past: in a list, in the stepper.  1 done,
 * 0 no memory. */
int rls_workspaces_room (rls_workspace ***list, int *count, int *capacity, int wanted);
int rls_workspaces_reserve (dRLSStepperID stepper, int count);

/*
 * Finds the world's islands and lets each compute a step of h, or only look at itself (analyse); nothing is
 * written back.  With a force callback and an accurate integrator all islands go through the step as one,
 * because the callback sees the whole world at each stage. Leaves the workspaces in stepper.workspaces,
 * used_workspaces of them.  Returns a dRLSStatus.
 */
int rls_workspaces_run (dRLSStepperID stepper, double h, int analyse);

/* Analyses each island (what: as rls_workspace.analyse) and puts all back.  Returns a dRLSStatus. */
int rls_workspaces_analyse (dRLSStepperID stepper, int what);

/* Poses and forces as they were before a run that came to this status. */
void rls_workspaces_put_back (dRLSStepperID stepper, int status);

/* Gathers all of the world into a workspace that is not the stepper's, and factors it.  ODE's bodies may be
 * left at other poses (rls_put_back), and forces of the callback on them (rls_forces_undo).  Returns a
 * dRLSStatus. */
int rls_workspaces_look (dRLSStepperID stepper, rls_workspace *workspace, const rls_settings *settings);

/* After a step: islands that can be stepped in batches from now on leave their workspaces; see batch.h. */
void rls_workspaces_give_back (dRLSStepperID stepper);

/*
 * match.c: which workspace goes on with which island; what one island remembers must not reach another.
 *
 * Orders stepper.workspaces so that the i-th is the one that had the most bodies of the i-th island in the
 * last step; of the islands that it had bodies of, the one with the most of them gets it.  A heap that a body
 * joins or leaves then goes on with its impulses, and large memory stays with large islands.  An island that
 * gets none of these gets one that has forgotten all, whatever places islands had: so the order in which they
 * are found does not show.  count <= workspace_count.  1 done, 0 no memory (then the order is as before).
 */
int rls_workspaces_match (dRLSStepperID stepper, const rls_given *island, int count);

/* ---- callbacks.c: worlds that a callback changes in the middle of a step ---- */

/* Before the first callback of a step: what the world has now is what it shall have. */
void rls_watch_world (dRLSStepperID stepper);

/* After each callback: 1 if the world has other objects now; then none of those that are known may be
 * touched. */
int rls_world_changed (dRLSStepperID stepper);

/* After such a step: bodies that are gone become NULL in the workspaces, and in another one (or NULL), the
 * others get their velocities back, and can be put back. */
void rls_forget_the_lost (dRLSStepperID stepper, rls_workspace *other);

/*
 * callbacks.c: the force callback, forces evaluated inside the step, at every stage of an accurate
 * integrator.
 *
 * What the user put into ODE's force accumulators before the step stays constant over it; the callback adds
 * to that at each stage, from the poses, velocities and time of the stage.
 */

/* Remembers the accumulators of the islands' bodies, then lets the callback add to them.  1 done, 0 no
 * memory, or the world has changed. */
int rls_forces_begin (dRLSStepperID stepper, const rls_ode_islands *islands);

/* Puts back what rls_forces_begin remembered: after a step that failed. */
void rls_forces_undo (dRLSStepperID stepper);

/* provider.forces for islands of a stepper with a callback; see island.h. */
int rls_forces_load (rls_island *island, const rls_pose *pose, const double (*v)[6]);

/* ---- state.c: what a saved state is made of ---- */

typedef struct
{
    dBodyID body;
    dReal x[3], turn[16], v[3], w[3], force[6]; /* force: and torque */
    int enabled;
} rls_saved_body;

/* Pose and velocities alone, bit for bit. */
void rls_save_motion (rls_saved_body *to, dBodyID body);
void rls_restore_motion (const rls_saved_body *from);

struct dxRLSState
{
    dWorldID world; /* NULL: empty */
    double time;
    rls_saved_body *bodies;
    int body_count, body_capacity;
    rls_small_trees trees;
    rls_workspace **workspaces;
    int used_workspaces, workspace_count, workspace_capacity; /* used: those that the stepper had */
};

#endif
