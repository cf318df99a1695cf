/* Islands without workspaces, which are stepped in batches: free bodies, small trees. */
#ifndef RLS_BATCH_H
#define RLS_BATCH_H

#include "integrators/tree_batch.h"
#include "workspace.h"

/* A part of a list of them, for one thread. */
typedef struct
{
    rls_ode_task task;
    void *first; /* of so many neighbours in the list */
    int count;
    int status; /* a dRLSStatus */
    const rls_settings *settings;
    double h; /* s; 0: only look whether the bodies can be read */
} rls_batch;

/*
 * Bodies that nothing is attached to: islands of one body without joints.
 *
 * Their symplectic step is in closed form but for the rotation (cayley.h), needs nothing of the last step and
 * leaves nothing for the next one.  So they need no workspace: what is kept of one is where it shall be, and
 * the workspace is a small one on the stack of whichever thread steps a batch of them.  A body's answer is
 * the same, bit for bit, whatever others there are.
 */
typedef struct
{
    dBodyID body;
    rls_pose pose; /* at the end of the step; where refused is 0 */
    double v[6];
    int refused; /* 1: it turns faster than the step can follow, and is to be stepped as other islands are */
} rls_free_body;

typedef RLS_LIST (rls_free_body) rls_free_bodies;

/* 1 if bodies without joints can be stepped here with these choices. */
int rls_free_bodies_supported (const rls_settings *settings);

/* 1 if the island is a free body, which it then adds to the list; -1 without memory. */
int rls_free_bodies_add (rls_free_bodies *list, dBodyID const *bodies, unsigned body_count,
                         unsigned joint_count);

/* Steps a batch of them, of RLS_FREE_BODIES_A_BATCH at most. */
#define RLS_FREE_BODIES_A_BATCH 256
void rls_free_bodies_run (rls_ode_task *batch);

/* Moves the bodies, but for those that were refused. */
void rls_free_bodies_write_back (const rls_free_bodies *list);

/* Adds islands, bodies, degrees of freedom and, if flags say so, energy of those that were not refused. */
void rls_free_bodies_report (const rls_free_bodies *list, int flags, dRLSReport *report);

/*
 * Islands of a few bodies whose joints form a tree: what is kept of them from step to step.
 *
 * Such an island takes its first steps in a workspace, as all others do.  Once it goes on where it ended, and
 * nothing of it asks for more than tree_batch.h knows, what the next step needs of the workspace is noted (a
 * kilobyte a body in place of forty) and the workspace is given back; from then on it is stepped in batches.
 * In each step body by body and joint by joint are compared with what was noted: whatever the program has
 * changed (poses, masses, anchors, limits, who is attached to whom, feedback), and whatever the batch
 * refuses, sends the island back to a workspace, which begins anew.
 */
#define RLS_SMALL_TREE_BODIES 8 /* at most */

typedef struct
{
    dBodyID body;
    double mass, inertia[9], inverse_inertia[9]; /* kg, kg m^2, body axes */
    int gyroscopic;
    rls_pose pose; /* at the end of the last step, before ODE normalised it */
    double v[6];
    double reaction[6], change[6], bend[6]; /* as of rls_symplectic */
} rls_small_body;

typedef struct
{
    dJointID joint;
    dJointType type;
    int body1, body2, rows;
    int own; /* where the copy of its own memory begins */
    rls_joint_frame frame;
} rls_small_joint;

typedef struct
{
    int body, joint, side, up, first, leaf; /* as of rls_tree */
} rls_small_node;

typedef struct
{
    int bodies, joints, rows, own_size;
    rls_small_body *body;
    rls_small_joint *joint;
    rls_small_node *node;
    int *listed; /* bodies, then joints: their places here, in the order in which ODE lists them */
    unsigned char *own;
    double last_h, since; /* as of rls_symplectic */
    rls_ledger ledger;
    double gained;  /* J: energy that appeared, to be told; 0: none */
    int consistent; /* 1: v is that which the rows ask for */
    int refused;    /* 1: the step is to be taken by a workspace */
    int iterations; /* of the step */
    rls_arena block;
} rls_small_tree;

typedef struct
{
    rls_small_tree **of; /* in the order of ODE's islands */
    int count, capacity;
    rls_small_tree **known; /* while they are matched: those of the last step */
    int known_count, known_capacity;
    int stages; /* of the last step */
} rls_small_trees;

/* The body that ODE lists first. */
static inline dBodyID rls_small_tree_first (const rls_small_tree *tree)
{
    return tree->body[tree->listed[0]].body;
}

/* Lists those of the world's islands that are known from the last step and unchanged; forgets the others.
 * 1 done, 0 no memory. */
int rls_small_trees_match (rls_small_trees *list, const rls_ode_islands *islands);

/* Steps a batch of them, of RLS_SMALL_TREES_A_BATCH at most. */
#define RLS_SMALL_TREES_A_BATCH 128
void rls_small_trees_run (rls_ode_task *batch);

/* After a step: notes the workspace's island if it can be stepped in batches, and adds it to the list. 1 if
 * so. */
int rls_small_trees_add (rls_small_trees *list, const rls_workspace *workspace);

/* Moves the bodies of those that were not refused, and forgets the others. */
void rls_small_trees_write_back (rls_small_trees *list);

/* Adds what was done to the report, and energy that appeared to the note, whose times it returns. */
unsigned long rls_small_trees_report (const rls_small_trees *list, int flags, dRLSReport *report,
                                      dRLSWarningNote *note);

/* 1 if the joint is one of theirs. */
int rls_small_trees_have (const rls_small_trees *list, dJointID joint);

/* to := the same.  1 done, 0 no memory (then it is empty). */
int rls_small_trees_copy (rls_small_trees *to, const rls_small_trees *from);
void rls_small_trees_forget (rls_small_trees *list);
void rls_small_trees_free (rls_small_trees *list);

#endif
