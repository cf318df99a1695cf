/*
 * The structure behind dRLSStepperID, and what the files of this folder that work on a whole world share:
 * stepper.c (the calls), workspaces.c and match.c (islands and their workspaces), callbacks.c (functions of
 * the program), state.c (saved states), status.c.  What belongs to a single island is in workspace.h.
 */
#ifndef RLS_STEPPER_H
#define RLS_STEPPER_H

#include "batch.h"
#include "integrate.h"
#include <stdlib.h>

typedef RLS_LIST (rls_workspace *) rls_workspace_list;

#define RLS_ROOMY 4       /* memory for so many times what is needed is too large to be kept */
#define RLS_MOST_SPARE 64 /* so many threads at once use arrays that are kept */

/* Arrays of one kind that no island uses at present. */
typedef struct
{
    int count;                /* 0: there are none.  Other numbers may be those of a moment ago */
    void *of[RLS_MOST_SPARE]; /* NULL in empty places */
} rls_spare;

/* See thread_memory.c. */
typedef struct
{
    rls_spare work;   /* struct rls_bounded_work */
    rls_spare arrays; /* rls_bounded_arrays */
} rls_thread_memory;

struct dxRLSStepper
{
    dWorldID world;
    rls_settings settings;
    rls_wishes wishes;
    double time; /* s: where the next step begins */

    /* functions of the program */
    dRLSMessageFunction *message;
    void *message_context;
    dRLSForceFunction *force;
    void *force_context;

    /* islands that are stepped in batches; see batch.h */
    rls_free_bodies free;
    rls_small_trees trees;
    int trees_stepped; /* 1: the last call stepped the trees.  0: it did not (an analysis, for example); they
                          are kept for the next step, but are no part of the report */

    /* all other islands: one workspace each.  Workspaces outlive a step, because the next one uses their
     * memory, elimination orders and rank decisions.  The first used_workspaces are those of the last
     * call. */
    rls_workspace_list workspaces;
    int used_workspaces;
    rls_thread_memory thread_memory;
    rls_places held_by; /* bodies: which workspace held them in the last step; see match.c */

    /* lists that a step fills, kept for their memory */
    RLS_LIST (rls_given) given;      /* islands that get a workspace */
    RLS_LIST (rls_batch) batches;    /* of free bodies, then of small trees */
    RLS_LIST (rls_ode_task *) tasks; /* what is given to ODE's thread pool, */
    RLS_LIST (unsigned) sizes;       /* and room for the sizes that ODE asks for: two numbers a task */

    /* with a force callback: the bodies of all islands, in their order, with their force accumulators as the
     * program left them and the joints they had then.  The accumulators are set back to this before each call
     * of it, and other joints mean that the callback has changed the world. */
    RLS_LIST (rls_saved_body) loaded;

    int alone;           /* 1: the calling thread alone steps this world; see step_many.c */
    dBodyID const *held; /* bodies that do not move while joints are closed; see assemble.c */
    int held_count;

    int busy; /* 1: a call is under way, and callbacks must not begin another one or change settings */
    rls_ode_count had; /* numbers of bodies and joints before the callbacks of this step */
    int world_changed; /* 1: a callback has added, removed or attached some; see callbacks.c */

    int status;                               /* dRLSStatus of the last call */
    unsigned long warnings[dRLSWarningCount]; /* how often each has occurred so far */
    dRLSWarningNote notes[dRLSWarningCount];  /* where each occurred last */
    dRLSReport report;
};

/* Copies a result into a structure of the program, as much as fits: the program may have been compiled with
 * an older header, whose structure is shorter.  Such structures begin with their size (size_t), which stays
 * as it is; whole is the size of the result. */
static inline void rls_give (void *to, const void *found, size_t whole)
{
    size_t size;
    memcpy (&size, to, sizeof (size));
    memcpy (to, found, size < whole ? size : whole);
    memcpy (to, &size, sizeof (size));
}

/* Copies gravity and the global ERP and CFM from the world into the settings. */
void rls_read_world (dRLSStepperID stepper);

/* Every call that sets the status begins with this, and ends with rls_finish; in between the stepper is
 * busy.  Returns 1, or 0 if the call must not begin: there is no stepper, or it is busy already. */
int rls_begin_call (dRLSStepperID stepper);

/* Ends a call: sets the status and, if it is a failure, tells the program's message callback.  Returns 1 for
 * dRLSStatusOk, otherwise 0. */
int rls_finish (dRLSStepperID stepper, int status);

/* Clears the report, for events after which that of the last step no longer describes the world. */
void rls_forget_report (dRLSStepperID stepper);

/* Adds to the count of a warning; the first time the message callback is told. */
void rls_warn (dRLSStepperID stepper, int warning, unsigned long times);

/* thread_memory.c: give an island the arrays that it needs during its step, and take them from it; exchange
 * all that are unused for those of a thread that steps several worlds; free them. */
void rls_thread_memory_take (dRLSStepperID stepper, rls_workspace *workspace);
void rls_thread_memory_put_back (dRLSStepperID stepper, rls_workspace *workspace);
void rls_thread_memory_swap (dRLSStepperID stepper, rls_thread_memory *other);
void rls_thread_memory_free (rls_thread_memory *memory);

/* ---- workspaces.c: the islands of the world, one workspace each, computed on ODE's threads ---- */

/* Makes sure that there are as many workspaces in a list as wanted.  New ones are empty.  Returns 1, or 0
 * without memory. */
int rls_workspaces_room (rls_workspace_list *list, int wanted);

/*
 * Finds the world's islands and computes a step of h (s) for each, or only analyses each (analyse: as in
 * rls_workspace).  ODE's bodies are not moved for good: the results stay in stepper.workspaces, in the first
 * used_workspaces of them, and in stepper.free and stepper.trees.  With a force callback and an accurate
 * integrator all islands are computed as one, because the callback sees the whole world at each stage.
 * Returns a dRLSStatus.
 */
int rls_workspaces_run (dRLSStepperID stepper, double h, int analyse);

/* Analyses each island (what: as rls_workspace.analyse) and sets ODE's bodies back to where they were.
 * Returns a dRLSStatus. */
int rls_workspaces_analyse (dRLSStepperID stepper, int what);

/* After rls_workspaces_run, which returned this status: sets ODE's bodies back to the poses and forces that
 * they had before it. */
void rls_workspaces_put_back (dRLSStepperID stepper, int status);

/* Analyses the whole world in one workspace that does not belong to the stepper.  Afterwards ODE's bodies may
 * be at trial poses and carry forces of the callback; rls_put_back and rls_forces_undo undo this.  Returns a
 * dRLSStatus. */
int rls_workspaces_read_world (dRLSStepperID stepper, rls_workspace *workspace, const rls_settings *settings);

/* After a step: frees the workspaces of islands that can be stepped in batches from now on; see batch.h. */
void rls_workspaces_give_back (dRLSStepperID stepper);

/*
 * match.c: decides which workspace is used for which island.
 *
 * A workspace holds what one step leaves for the next (impulses, rank decisions), and that must not reach
 * another island.  So stepper.workspaces is sorted: the i-th becomes the one that held most bodies of the
 * i-th island in the last step.  If it held bodies of several islands, the island with most of them gets it.
 * A heap that a body joins or leaves thus keeps its impulses, and large memory stays with large islands.
 * All other islands get a workspace that has been emptied, so that the order in which ODE lists the islands
 * has no influence on the motion.  count: islands, at most workspaces.count.  Returns 1, or 0 without memory
 * (then the workspaces are as before).
 */
int rls_workspaces_match (dRLSStepperID stepper, const rls_given *island, int count);

/* ---- callbacks.c: callbacks that change the world in the middle of a step ---- */

/* Called at the beginning of a step: counts the objects of the world, for rls_world_changed. */
void rls_watch_world (dRLSStepperID stepper);

/* Called after each callback.  Returns 1 if bodies or joints have been added, removed or attached since
 * rls_watch_world; the stepper then uses none of the handles that it holds. */
int rls_world_changed (dRLSStepperID stepper);

/* Called when a step has ended for that reason: sets the handles of destroyed bodies to NULL, in the
 * stepper's workspaces and in another one (or NULL).  After that the workspaces can be put back as usual. */
void rls_forget_destroyed_bodies (dRLSStepperID stepper, rls_workspace *other);

/*
 * callbacks.c: the force callback.  The accurate integrators evaluate forces at every stage of a step.
 *
 * What the program has put into ODE's force accumulators before the step stays constant over it.  At each
 * stage the callback adds to that, for the poses, velocities and time of the stage.
 */

/* Keeps the accumulators of all bodies in stepper.loaded, then calls the callback for the beginning of the
 * step.  Returns 1, or 0 without memory or if the callback has changed the world. */
int rls_forces_begin (dRLSStepperID stepper, const rls_ode_islands *islands);

/* After a step that failed: sets the accumulators back to what rls_forces_begin kept. */
void rls_forces_undo (dRLSStepperID stepper);

/* provider.forces of islands whose stepper has a callback; contract in island.h. */
int rls_forces_load (rls_island *island, const rls_pose *pose, const double (*v)[6]);

/* True for a number that may be a tolerance, a stiffness or the like. */
static inline int rls_is_size (dReal x) { return x >= 0 && isfinite (x); }

/* ---- state.c: saved states ---- */

/* What dRLSStepperSaveState copies: the bodies, and all that the stepper carries to the next step. */
struct dxRLSState
{
    dWorldID world; /* NULL: the state is empty */
    double time;    /* s */
    RLS_LIST (rls_saved_body) bodies;
    rls_small_trees trees;
    rls_workspace_list workspaces;
    int used_workspaces; /* the first so many hold a copy */
};

#endif
