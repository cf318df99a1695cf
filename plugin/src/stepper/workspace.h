/*
 * The workspace of one island: its arrays (rls_island), the ODE objects that they were read from, and the
 * results of its step.
 *
 * Workspaces are kept from step to step, because the next step uses their memory, elimination orders, rank
 * decisions and warm starts.  history.c says what invalidates these.  The functions below are the stages of a
 * step, in the files that are named with them.
 */
#ifndef RLS_WORKSPACE_H
#define RLS_WORKSPACE_H

#include "corrections/correct_penalty.h"
#include "corrections/correct_rk4.h"
#include "corrections/correct_simultaneous.h"
#include "integrators/symplectic.h"
#include "wishes.h"

/* A joint as it was read in an earlier step; see joint_cache.c. */
typedef struct
{
    dJointType type;
    int joint;     /* its index among the joints with rows; -1: nothing is known */
    int rows;      /* how many rows it had */
    int free;      /* 1: no stop or motor can give it more rows */
    int stops;     /* how many bounded rows its stops and springs may have at most */
    int own;       /* where the copy of its memory begins in rls_read_joints.own */
    int unchanged; /* 1: its memory is still the same */
} rls_joint_cache;

/* Memory of the methods that a step may be taken with, and what they keep from step to step. */
typedef struct
{
    rls_symplectic symplectic; /* symplectic integrators */
    rls_penalty penalty;       /* augmented Lagrangian methods */
    rls_rk4 rk4;
    rls_simultaneous after; /* corrections that act after a step */
} rls_methods;

/* The island as ODE lists it; the arrays are ODE's, and valid during the step. */
typedef struct
{
    dBodyID const *bodies;
    dJointID const *joints;
    int body_count, joint_count;
} rls_given;

/* Bodies and joints of the island in the order of its arrays, joints without rows included; see arrange.c. */
typedef struct
{
    int bodies, joints;
    int mechanism_joints;           /* the first so many joints are no contacts, all others are */
    dBodyID *body, *listed_body;    /* bodies: in the order of the arrays; as ODE listed them */
    dJointID *joint, *listed_joint; /* joints: the same */
    int (*joint_body)[2];           /* joints: indices of their bodies, -1 for the world */
    int *joint_rows;                /* joints: how many rows they have in this step */
    unsigned char *springs;     /* joints: 1 if some of their soft rows are solved among the bounded rows */
    unsigned char *shapes;      /* bodies: for expected_contacts.c, where there are contacts */
    int soft_rows, spring_rows; /* soft rows among the bilateral rows, and among the bounded ones */
    int dynamic_bodies;         /* bodies that can be pushed */
    int has_program_rows;       /* 1: the program gives rows of some joint */

    /* scratch of arrange.c: places of handles in a list, and marks of those that have been taken from it
     * (bodies + joints) */
    rls_places places;
    unsigned char *taken;
    rls_arena block, last; /* memory of these arrays; memory of those of the step before */
} rls_objects;

/* One of ODE's bodies as it was, in world axes; who saves it says which members are filled. */
typedef struct
{
    dBodyID body;                               /* NULL once it has been destroyed */
    dReal x[3], turn[16], v[3], w[3], force[6]; /* m; quaternion, then matrix; m/s; rad/s; N, then N m */
    int enabled;
    dJointID joint; /* the joint that was attached last; NULL: none */
    int joints;     /* number of joints attached */
} rls_saved_body;

/* The bodies before the step.  They are set back to that if it fails, and after an analysis. */
typedef struct
{
    rls_saved_body *body; /* bodies: */
    int forces;           /* 1: their forces have been saved */
    int moved;            /* 1: so has their motion, and ODE's bodies are at trial poses */
} rls_saved;

/* A contact as it was read last. */
typedef struct
{
    dContact contact;
    int body[2], rows;
} rls_contact_cache;

/* What the rows of contacts depend on besides the contacts and the poses of their bodies. */
typedef struct
{
    double h, erp, cfm, most_velocity, layer; /* of the step and of the world */
    int correction, in_halves;
} rls_contact_terms;

/* How the program opens a row between steps (m/s or rad/s); see ode/moved_joints.c. */
typedef struct
{
    double opened; /* the rate at which it was opened before this step, */
    double rate;   /* and that at which this step closes it */
} rls_moved_row;

typedef struct
{
    rls_moved_row *row; /* rows: of the bilateral ones */
    int *times;         /* joints: how often the change was like the one before it, up to a limit */
    int rows;           /* how many rows the last step had, if joints could be moved in it; otherwise 0 */
    int any;            /* 1: this step closes some */
    double end;         /* s: when they are closed */
    rls_arena row_block, times_block;
} rls_moved_joints;

/* All joints as they were read in earlier steps, and under which settings; see joint_cache.c. */
typedef struct
{
    rls_joint_cache *joint; /* joints of the mechanism */
    unsigned char *own;     /* copies of their memory, one after the other */
    int own_used;
    int all_unchanged;                          /* 1: in this step no joint has changed */
    int correction;                             /* the dRLSCorrection that they were read under, */
    double cfm;                                 /* the world's CFM, */
    unsigned long spring_changes;               /* and that number of the settings */
    rls_contact_cache *contact;                 /* the contacts of an island that stands, */
    int contacts, bounded_joints, bounded_rows; /* what was read of them, */
    rls_contact_terms terms;                    /* and under which settings; */
    int rows_of_bounded; /* the most rows of begin.bounded in this step, with the corners expected so far */
    rls_moved_joints moved;
    rls_arena block, own_block, contact_block; /* memory of the arrays */
} rls_read_joints;

/* The topology that the elimination order was computed for; see decide.c. */
typedef struct
{
    int same_objects;   /* 1: the bodies and joints of this step are those of the last one, */
    int same_mechanism; /* and without regard to contacts */
    int same_joints;    /* and without regard to bodies that only touch it */
    int bodies, joints, rows, order;
    unsigned long seed;
    unsigned char *movable; /* bodies; NULL: there is no order yet */
    int (*body)[2], *row0;  /* joints: as of rls_rows */
    double *key;            /* joints: the key by which random and priority orders are sorted */
    rls_arena block;
} rls_kept_topology;

/* Energy that nothing has given, summed over the steps since it was last reported; see check.c.  In the
 * island's unit of length. */
typedef struct
{
    double gained;   /* J: the sum, */
    double scale;    /* J: and the largest kinetic energy at the end of a step, which it is compared with, */
    double rounding; /* J: and the largest rounding of a step, which its forces tell */
    double paid;     /* J: lost by impacts, less what reducing depths has given */
} rls_ledger;

/* Results of the step for the report, besides island.account.  Rank and redundant rows are those of the
 * beginning of the step. */
typedef struct
{
    int integrator, reason; /* the dRLSIntegrator that took the step, and a dRLSReason */
    int rank;
    double rank_gap;    /* least relative pivot of the rows that were kept */
    double opening;     /* rad, or m over the unit of length: largest residual when the step began */
    dRLSRow *redundant; /* redundant_count: the rows that were found redundant */
    int redundant_count, conflicting_count;
    unsigned char *unique; /* joints: answers of dRLSStepperIsReactionUnique; then scratch for row joints */
    int unique_known;      /* 1: these answers are known */
    double seconds[dRLSStageCount];          /* s: time that each stage has taken */
    dRLSWarningNote notes[dRLSWarningCount]; /* the worst of each kind in this step; amount 0: none */
    rls_arena block, unique_block;           /* memory of redundant, and of unique */
} rls_findings;

typedef struct rls_workspace
{
    rls_ode_task task; /* must be first: ODE's thread pool passes a pointer to it to run_island */
    rls_island island;
    rls_methods methods;

    /* what the program asked for */
    dRLSStepperID stepper;
    const rls_settings *settings;
    const rls_wishes *wishes;
    double h, time; /* s: length of the step, and the time at its beginning */
    int analyse;    /* 0: take a step; 1: only decide on the rank, for a report; or RLS_ASSEMBLE */

    /* what was read of ODE's objects */
    rls_given given;
    rls_objects objects;
    rls_saved saved;

    /* carried from step to step; history.c says what invalidates it */
    rls_read_joints read;
    rls_kept_topology kept;
    rls_ledger ledger;
    int idle; /* steps since it last held an island that needed a good part of its memory */
    int size; /* bodies and joints of the largest island that it has held */

    /* scratch of match.c */
    int shared;       /* how many bodies of the island at hand it held in the last step */
    int island_place; /* the island that it goes to, -1: none */
    int most_shared;  /* how many bodies of that one it held */

    /* results */
    int status; /* dRLSStatus */
    rls_findings findings;
} rls_workspace;

#define RLS_ASSEMBLE 2 /* rls_workspace.analyse: close the joints */

/* Returns the workspace whose member island is. */
static inline rls_workspace *rls_workspace_of (rls_island *island)
{
    return (rls_workspace *)(void *)((char *)island - offsetof (rls_workspace, island));
}

/* workspace_memory.c: the first frees all memory that a workspace holds and leaves it empty, as if it were
 * new; the second frees the workspace as well. */
void rls_workspace_clear (rls_workspace *workspace);
void rls_workspace_free (rls_workspace *workspace);

/* workspace_memory.c: copies everything that the next step takes over.  Returns 1, or 0 without memory (then
 * to is empty). */
int rls_workspace_copy (rls_workspace *to, const rls_workspace *from);

/* workspace_memory.c: frees the memory of the methods, whose layout depends on the form of the rows, before
 * that form changes. */
void rls_workspace_forget_rows (rls_workspace *workspace);

/* history.c: invalidates what is carried from step to step, as far as an event requires.  Each event
 * invalidates all that those before it in this list do. */
typedef enum
{
    RLS_MASSES_CHANGED,    /* a body has another mass or inertia */
    RLS_MOTION_BROKEN,     /* the program moved a body that can be pushed */
    RLS_MECHANISM_CHANGED, /* other bodies, joints (contacts apart), attachments or numbers of rows, or other
                              bodies that can be pushed */
    RLS_ISLAND_CHANGED     /* another island, another unit of length, or a step that failed */
} rls_event;
void rls_history_end (rls_workspace *workspace, rls_event event);

/* history.c: compares the poses of the bodies that can be pushed with those at the end of the last step, and
 * ends the history (RLS_MOTION_BROKEN) if they differ. */
void rls_history_check_motion (rls_workspace *workspace);

/* ---- gather.c: from ODE into the arrays ---- */

/* Reads the island into workspace->island.  Sets the status; returns 1 if it is dRLSStatusOk. */
int rls_gather (rls_workspace *workspace);

/* Computes again those of the gathered arrays that depend on inertia, after that has been changed. */
void rls_gather_masses (rls_workspace *workspace);

/* Read pose, velocity and force accumulators of a body, with lengths multiplied by per.  Return 1, or 0 if a
 * number is not finite. */
int rls_read_motion (dBodyID body, double per, rls_pose *pose, double v[6], double force[6]);

/* Returns a body's mass (kg) and its inertia about the centre of mass in body axes (kg m^2); the second
 * function adds its weight (N) to a force, unless ODE's gravity is off for the body. */
double rls_read_mass (dBodyID body, double inertia[9]);
void rls_add_weight (dBodyID body, double mass, const double gravity[3], double force[3]);

/* Reads applied.force of a body from ODE's accumulators, and adds its weight.  Returns 1, or 0 if it is not
 * finite. */
int rls_read_force (rls_workspace *workspace, int body);

/* ---- the stages between ---- */

/* Each returns an rls_outcome, as the stages of a step do (integrate.h): other ones than RLS_DONE end it. */

/* decide.c: makes sure that elimination.order is one for these rows, and that the decisions of the last step
 * are at hand if they still apply. */
rls_outcome rls_workspace_order (rls_workspace *workspace);

/* decide.c: factors begin.rows and decides on the rank. */
rls_outcome rls_workspace_factor (rls_workspace *workspace);

/* assemble.c: computes poses and velocities (next) that close the joints. */
rls_outcome rls_close_island (rls_workspace *workspace);

/*
 * check.c: checks the step that has been computed, so that no error goes unreported.
 *
 * The rows at its end: hard joints that are open, and rows that did not get their velocity, redundant ones
 * included.  And the energy, if it is known what it should be.  What is found goes into findings.notes. After
 * the last fallback, if nothing drives the island, next.v is reduced by the energy that is too much.
 */
void rls_check_step (rls_workspace *workspace);

/* check.c: records the redundant rows that contradict the others at the beginning of a step or an
 * analysis. */
void rls_check_conflicts (rls_workspace *workspace);

/* check.c: returns the energy (J, in the island's unit of length) to be reported that nothing has given to an
 * island of hard joints alone, in a step of h (s) that ended at next.  0 also if all bodies turn so little
 * that hard joints keep the energy. */
double rls_check_energy (const rls_island *island, double h, rls_ledger *ledger);

/* report.c: lists the redundant rows after rls_workspace_factor, and finds which of them contradict the
 * others. */
rls_outcome rls_workspace_list_redundant (rls_workspace *workspace);

/* report.c: adds the measurements that flags (dRLSReport...) ask for to the report, once ODE's bodies are at
 * the end of the step.  Returns 1, or 0 without memory. */
int rls_workspace_report (rls_workspace *workspace, int flags, dRLSReport *report);

/* report.c: the time (s) of a monotonic clock where the report is asked for times, otherwise 0: reading it
 * takes as long as a small stage. */
double rls_clock (const rls_settings *settings);

/* ---- write_back.c: from the arrays into ODE ---- */

/* Set pose and velocity of one of ODE's bodies.  rls_set_pose moves its geoms with it; since geoms of several
 * islands may share a space, only one thread may call it.  rls_try_pose leaves the geoms where they are. */
void rls_set_pose (const rls_workspace *workspace, int body, const rls_pose *pose);
void rls_set_velocity (dBodyID body, double length_scale, const double v[6]);
void rls_try_pose (const rls_workspace *workspace, int body, const rls_pose *pose);

/* Writes a body's final pose and velocity, given in lengths of length_scale (m), clears its accumulators, and
 * lets ODE do what it does at the end of a step (damping, callbacks, geoms). */
void rls_write_body (dBodyID body, double length_scale, const rls_pose *pose, const double v[6]);

/* Save pose and velocities of a body, and set them again, bit for bit; rls_restore_pose sets the pose alone,
 * and leaves the geoms where they are. */
void rls_save_motion (rls_saved_body *to, dBodyID body);
void rls_restore_motion (const rls_saved_body *from);
void rls_restore_pose (const rls_saved_body *from);

/* Save the motion of all bodies: the first function before the first trial pose of a step, and never twice in
 * a step; the second whenever it is called. */
void rls_begin_moving (rls_workspace *workspace);
void rls_save_motions (rls_workspace *workspace);

/* The first writes poses, velocities and joint feedback of the step to ODE, and clears the accumulators; the
 * second, after a failure or an analysis, gives the bodies back their motion and accumulators. */
void rls_write_back (rls_workspace *workspace);
void rls_put_back (rls_workspace *workspace);

/* ---- small helpers ---- */

/* Returns 1 if poses and velocities may be given to ODE: all are finite, and so are the squares of the
 * speeds, since ODE computes these and ends the program if they overflow. */
static inline int rls_motion_usable (int bodies, const rls_pose *pose, const double (*v)[6])
{
    int usable = rls_poses_usable (pose, bodies);
    for (int b = 0; b < bodies; ++b) usable &= isfinite (rls_dot6 (v[b], v[b]));
    return usable;
}

#endif
