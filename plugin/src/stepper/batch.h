/*
 * Islands that need no workspace and are stepped in batches, several of them on a thread at a time: bodies
 * without joints (free_bodies.c), and small trees (small_trees.c, small_trees_step.c).
 */
#ifndef RLS_BATCH_H
#define RLS_BATCH_H

#include "integrators/tree_batch.h"
#include "workspace.h"

/* A part of one of the lists, for one thread. */
typedef struct
{
    rls_ode_task task; /* must be first, as in rls_workspace */
    void *first;       /* the part: count items of the list, beginning with this one */
    int count;
    int status; /* result: a dRLSStatus */
    const rls_settings *settings;
    double h; /* s; 0: only check that the bodies can be read */
} rls_batch;

/*
 * Free bodies: islands of one body without joints.
 *
 * Only the rotation (cayley.h) of their symplectic step is not in closed form.  The step needs nothing of the
 * last one and leaves nothing for the next one, so nothing is kept of a body but the result.  The memory that
 * the step needs is on the stack of the thread.  The result is the same bit for bit whatever other bodies
 * there are.
 */
typedef struct
{
    dBodyID body;
    rls_pose pose; /* at the end of the step, unless refused */
    double v[6];
    int refused; /* 1: it turns too fast for the closed form, and is stepped in a workspace */
} rls_free_body;

typedef RLS_LIST (rls_free_body) rls_free_bodies;

/* Takes the step of a batch, of RLS_FREE_BODIES_A_BATCH bodies at most. */
#define RLS_FREE_BODIES_A_BATCH 256
void rls_free_bodies_run (rls_ode_task *batch);

/* Writes the results to ODE's bodies, except those that were refused. */
void rls_free_bodies_write_back (const rls_free_bodies *list);

/* Adds the bodies that were not refused to the report: counts and, if flags ask for it, energy. */
void rls_free_bodies_report (const rls_free_bodies *list, int flags, dRLSReport *report);

/*
 * Small trees: islands of a few bodies whose joints close no loop.
 *
 * Such an island takes its first steps in a workspace, as all others do.  After a step in which nothing
 * needed more than tree_batch.h can do, what the next step needs is copied out of the workspace (about a
 * kilobyte a body instead of forty) and the workspace is freed; from then on the island is stepped in
 * batches.  In each step its bodies and joints are compared with the copies.  If the program has changed
 * anything (poses, masses, anchors, limits, attachments, feedback), or if the batch refuses the step, the
 * island returns to a workspace, where it begins anew.
 */
#define RLS_SMALL_TREE_BODIES 8 /* at most */

typedef struct
{
    dBodyID body;
    double mass, inertia[9], inverse_inertia[9]; /* kg; kg m^2 and its inverse, body axes */
    int gyroscopic;
    rls_pose pose;                          /* at the end of the last step, before ODE normalised it, */
    double v[6];                            /* and the velocities then */
    double reaction[6], change[6], bend[6]; /* as in rls_symplectic */
} rls_small_body;

typedef struct
{
    dJointID joint;
    dJointType type;
    int body[2], rows; /* indices in the tree, -1 for the world; number of rows */
    int own;           /* where the copy of its memory begins in rls_small_tree.own */
    rls_joint_frame frame;
} rls_small_joint;

typedef struct
{
    int bodies, joints, rows, own_size;
    rls_small_body *body;
    rls_small_joint *joint;
    rls_tree_node *node;  /* bodies: the elimination tree */
    int *listed;          /* bodies, then joints: their indices here, in the order in which ODE lists them */
    unsigned char *own;   /* own_size: copies of the joints' memory */
    double last_h, since; /* as in rls_symplectic */
    rls_ledger ledger;
    double gained;  /* J: energy that nothing has given, to be reported; 0: none */
    int consistent; /* 1: the velocities satisfy the rows to rounding */
    int refused;    /* 1: the step has to be taken in a workspace */
    int iterations; /* of Newton's method, in the last step */
    rls_arena block;
} rls_small_tree;

typedef struct
{
    rls_small_tree **of; /* in the order of ODE's islands */
    int count, known_count;
    rls_small_tree **known; /* scratch of rls_small_trees_match: those of the last step */
    rls_places by_first;    /* and their places there, by the body that ODE listed first */
    rls_arena block, known_block;
    int stages; /* sub-steps of the last step */
} rls_small_trees;

/* Returns the body that ODE lists first, by which the tree is found among the islands. */
static inline dBodyID rls_small_tree_first (const rls_small_tree *tree)
{
    return tree->body[tree->listed[0]].body;
}

/* At the beginning of a step: keeps the trees that are among the world's islands and unchanged, in the order
 * of the islands, and frees the others.  Returns 1, or 0 without memory. */
int rls_small_trees_match (rls_small_trees *list, const rls_ode_islands *islands);

/* Takes the step of a batch, of RLS_SMALL_TREES_A_BATCH trees at most. */
#define RLS_SMALL_TREES_A_BATCH 128
void rls_small_trees_run (rls_ode_task *batch);

/* After a step in a workspace: if its island can be stepped in batches from now on, adds a copy of what that
 * needs to the list.  Returns 1 if so. */
int rls_small_trees_add (rls_small_trees *list, const rls_workspace *workspace);

/* Writes the results to ODE's bodies, and frees the trees that were refused. */
void rls_small_trees_write_back (rls_small_trees *list);

/* Adds the trees to the report.  Returns how many of them have gained energy that nothing has given; note
 * becomes the worst of these. */
unsigned long rls_small_trees_report (const rls_small_trees *list, int flags, dRLSReport *report,
                                      dRLSWarningNote *note);

/* Returns 1 if the joint belongs to one of the trees. */
int rls_small_trees_have (const rls_small_trees *list, dJointID joint);

/* Copies the trees of a list to another one.  Returns 1, or 0 without memory (then to is empty). */
int rls_small_trees_copy (rls_small_trees *to, const rls_small_trees *from);

/* The first frees the trees, the second the memory of the list as well. */
void rls_small_trees_forget (rls_small_trees *list);
void rls_small_trees_free (rls_small_trees *list);

#endif
