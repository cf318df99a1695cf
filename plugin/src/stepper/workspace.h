/*
 * One island on its way through a step: the flat arrays, the ODE objects they came from, and how it went.
 * Workspaces are kept from step to step so that memory, elimination order, rank decisions and warm starts
 * are; what ends what is carried is said in history.c alone.
 */
#ifndef RLS_WORKSPACE_H
#define RLS_WORKSPACE_H

#include "corrections/correct_penalty.h"
#include "corrections/correct_rk4.h"
#include "corrections/correct_simultaneous.h"
#include "island/flat.h"
#include "island/island.h"
#include "island/rotation.h"
#include "ode/ode_seam.h"
#include "integrators/symplectic.h"
#include "tolerances.h"
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <string.h>

/* The choices of a stepper, as the stages of a step read them. */
typedef struct
{
    int integrator, correction, order;
    unsigned long order_seed;
    unsigned long spring_changes; /* how often springs of axes came or went */
    double rank_tolerance, position_tolerance;
    int correction_flags; /* dRLSCorrect... */
    double baumgarte[2];  /* 1/s: alpha and beta; 0, 0: from the world's ERP */
    double penalty;       /* N/m */
    int bounded_iterations;
    int feedback;                /* a dRLSFeedback */
    int friction;                /* a dRLSFriction */
    int report;                  /* dRLSReport flags */
    double world_erp, world_cfm; /* read from the world at the start of each step */
    double gravity[3];
} rls_settings;

/* A hard constraint that follows a function of time; see dRLSStepperSetJointDrive. */
typedef struct
{
    dJointID joint;
    int turn; /* those that were set later give way first */
    dRLSDriveFunction *function;
    void *context;
} rls_drive;

typedef struct
{
    dJointID joint;
    int priority;
} rls_priority;

/* Rows given by the program; see dRLSStepperSetJointRows. */
typedef struct
{
    dJointID joint, of; /* of: the joint whose rows they are part of; NULL: its own */
    int count;
    dRLSRowsFunction *function;
    void *context;
} rls_program_rows;

/* Stiffness (N/m, N m/rad) and damping (N s/m, N m s/rad) of an imperfect joint; see gather.h. */
typedef struct
{
    int given;
    double stiffness, damping;
} rls_row_compliance;

typedef struct
{
    dJointID joint;
    rls_row_compliance
        row[RLS_MAX_ROWS + 1]; /* as ODE numbers them; the last: of those that were given none */
} rls_compliance;

/* Springs with dampers along axes, in the units of their rows; see dRLSStepperSetJointSpring. */
typedef struct
{
    double stiffness, damping, reference; /* the former two are 0 where the axis has none */
} rls_axis_spring;

typedef struct
{
    dJointID joint;
    rls_axis_spring axis[RLS_MOST_AXES];
} rls_joint_springs;

/* What is known of a joint that was read in an earlier step; see joint_cache.c. */
typedef struct
{
    dJointType type;
    int joint; /* which of the joints with rows it is; -1: nothing is known */
    int rows;
    int free;      /* 1: it never has more rows */
    int stops;     /* the most rows that its stops and springs may have, as bounded rows of their own */
    int own;       /* where the copy of its own memory begins */
    int unchanged; /* 1: nothing of it has changed since then */
} rls_joint_cache;

/* A list that grows; RLS_ROOM makes it large enough for a count.  1 done, 0 no memory. */
#define RLS_LIST(type)                                                                                       \
    struct                                                                                                   \
    {                                                                                                        \
        type *of;                                                                                            \
        int count, capacity;                                                                                 \
    }
#define RLS_ROOM(list, wanted) rls_array_reserve (&(list).of, &(list).capacity, (wanted), sizeof (*(list).of))

/* What the program asked for joint by joint: one record for all islands. */
typedef struct
{
    RLS_LIST (rls_drive) drives;
    RLS_LIST (rls_program_rows) programs;
    RLS_LIST (rls_priority) priorities;
    RLS_LIST (rls_compliance) compliances;
    RLS_LIST (rls_joint_springs) springs;
    int last_turn; /* of a drive */
} rls_wishes;

/*
 * wishes.c: lists of wishes have the joint as the first member of their records, and are sorted by it.
 * RLS_WISH_OF: the record of a joint, NULL if there is none; RLS_WISH_FOR: the same, new in a list that had
 * none (NULL without memory); RLS_DROP takes a record out.
 */
#define RLS_WISH_OF(list, joint)                                                                             \
    ((list).count > 0 ? rls_wish_of ((list).of, (list).count, sizeof (*(list).of), (joint)) : NULL)
#define RLS_WISH_FOR(list, joint)                                                                            \
    rls_wish_for (&(list).of, &(list).count, &(list).capacity, sizeof (*(list).of), (joint))
#define RLS_DROP(list, record)                                                                               \
    memmove ((record), (record) + 1, (size_t)((char *)((list).of + (list).count--) - (char *)((record) + 1)))
void *rls_wish_of (const void *list, int count, size_t size, dJointID joint);
void *rls_wish_for (void *list_pointer, int *count, int *capacity, size_t size, dJointID joint);

/* States and workspaces of the methods. */
typedef struct
{
    rls_symplectic symplectic; /* of the accurate integrators */
    rls_penalty penalty;       /* of the augmented Lagrangian methods */
    rls_rk4 rk4;
    rls_simultaneous after; /* of the corrections after a step */
} rls_methods;

/* The island as ODE gave it; the arrays are valid during the step. */
typedef struct
{
    dBodyID const *bodies;
    dJointID const *joints;
    int body_count, joint_count;
} rls_given;

/* All of the island in the order in which it is kept, joints without rows included; see arrange.c. */
typedef struct
{
    int bodies, joints;
    int mechanism_joints;        /* how many of them are no contacts: those come first */
    dBodyID *body, *listed_body; /* as they are kept; as ODE listed them */
    dJointID *joint, *listed_joint;
    int (*joint_body)[2];   /* joints: island indices of their bodies, -1 for the world */
    int *joint_rows;        /* joints: rows they have in this step */
    unsigned char *springs; /* joints: 1 if some of their rows without bounds give way and are among the
                               bounded ones */
    int soft_rows, spring_rows, dynamic_bodies;
    int *slot; /* mask + 1: a table of where bodies or joints stand in a list; bodies + joints: taken from it
                */
    size_t mask;
    unsigned char *taken;
    rls_arena block, last; /* of these, and of the lists of the step before */
} rls_objects;

/* Of ODE's bodies, what is put back where a step fails or was only to be looked at. */
typedef struct
{
    double (*force)[6];
    dReal (*turn)[16]; /* quaternion and rotation matrix, bit for bit, from before bodies are moved */
    int forces;        /* 1: force holds them */
    int moved;         /* 1: ODE's bodies hold trial poses */
} rls_saved;

/* What was read of joints, and whether it still holds; see joint_cache.c. */
typedef struct
{
    rls_joint_cache *joint; /* joints of the mechanism */
    int capacity;
    unsigned char *own; /* copies of their memory */
    int own_capacity, own_used;
    int all_unchanged; /* joints, in this step */
    int correction;    /* that they were read with, */
    double cfm;        /* the world's CFM */
    unsigned long spring_changes;
} rls_read_joints;

/* Topology of the last step: while it stays, so do order and decisions. */
typedef struct
{
    int same_objects, same_mechanism; /* all of it; without regard to contacts */
    int bodies, joints, rows, order;
    unsigned long seed;
    unsigned char *movable;
    int *body1, *body2, *row0;
    double *key; /* joints: what priority and random orders sorted by */
    rls_arena block;
} rls_kept_topology;

/* Energy that no force has given, summed over steps; dropped with the topology, and when it has been told. */
typedef struct
{
    double gained, scale; /* J: the sum, and the largest kinetic energy that a step has ended with */
    double paid; /* J: lost while depths were taken back, without what that has lifted; below 0 owed */
} rls_ledger;

/* What the report needs besides the island's account; rank and rows are those that the step began with. */
typedef struct
{
    int integrator, reason; /* the dRLSIntegrator of the last step, and the dRLSReason why */
    int rank;
    double rank_gap;
    double opening; /* m or rad over the unit: the largest residual when the step began */
    dRLSRow *redundant;
    int redundant_count, redundant_capacity, conflicting_count;
    unsigned char
        *unique; /* joints: dRLSStepperIsReactionUnique, where known is 1; then room for row joints */
    int unique_capacity, unique_known;
    double seconds[dRLSStageCount];
    dRLSWarningNote notes[dRLSWarningCount]; /* of this step: the worst of each kind; amount 0: none */
} rls_findings;

typedef struct rls_workspace
{
    rls_ode_task task; /* first: what travels through ODE's thread pool */
    rls_island island;
    rls_methods methods;

    /* what the program asked for */
    dRLSStepperID stepper;
    const rls_settings *settings;
    const rls_wishes *wishes;
    double h, time; /* step, and the time at its beginning (s) */
    int analyse;    /* only look: nothing is moved; RLS_ASSEMBLE: find out how the joints close */

    /* what was read of ODE's objects */
    rls_given given;
    rls_objects objects;
    rls_saved saved;

    /* carried from step to step: history.c says what ends it */
    rls_read_joints read;
    rls_kept_topology kept;
    rls_ledger ledger;
    int idle; /* steps since an island needed a good part of its memory */
    int size; /* bodies and joints of the largest island that it has had */

    /* while islands are matched: bodies of the one at hand that it had; which one it goes to, and how many */
    int shared, island_place, most_shared;

    /* how the step went */
    int status; /* dRLSStatus */
    rls_findings findings;
} rls_workspace;

#define RLS_ASSEMBLE 2

/* The workspace that an island is part of. */
static inline rls_workspace *rls_workspace_of (rls_island *island)
{
    return (rls_workspace *)(void *)((char *)island - offsetof (rls_workspace, island));
}

/* workspace_memory.c: frees what a workspace holds and makes it as good as new; and frees all of it. */
void rls_workspace_clear (rls_workspace *workspace);
void rls_workspace_free (rls_workspace *workspace);

/* workspace_memory.c: makes a workspace the same as another one, as far as the next step looks at what was
 * before it. 1 done, 0 no memory (then it is as good as new). */
int rls_workspace_copy (rls_workspace *to, const rls_workspace *from);

/* workspace_memory.c: the rows are to be of another form; room for them is made anew. */
void rls_workspace_forget_rows (rls_workspace *workspace);

/* history.c: ends what is carried from step to step, as far as an event asks for it.  An event also ends
 * whatever the earlier ones do. */
typedef enum
{
    RLS_MASSES_CHANGED,    /* a body has another mass or inertia */
    RLS_MOTION_BROKEN,     /* the program moved a body that can be pushed */
    RLS_MECHANISM_CHANGED, /* other bodies, joints but contacts, attachments, rows, or bodies that can be
                              pushed */
    RLS_ISLAND_CHANGED     /* another island, another unit of length, a refused step */
} rls_event;
void rls_history_end (rls_workspace *workspace, rls_event event);

/* history.c: breaks the motion if the step does not begin where the last one ended.  (Kinematic bodies are
 * the program's to move.) */
void rls_history_check_motion (rls_workspace *workspace);

/* gather.c: reads the island from ODE into workspace->island.  Sets the status; returns 1 if it is Ok. */
int rls_gather (rls_workspace *workspace);

/* gather.c: what of the gathered arrays depends on the bodies' inertia. */
void rls_gather_masses (rls_workspace *workspace);

/* gather.c: how a body moves, in lengths of 1 / per, and its force accumulators as they are.  1, or 0 if not
 * finite. */
int rls_read_motion (dBodyID body, double per, rls_pose *pose, double v[6], double force[6]);

/* gather.c: a body's mass, and its inertia about the centre of mass in body axes; and adds its weight to a
 * force, unless ODE's gravity is off for it. */
double rls_read_mass (dBodyID body, double inertia[9]);
void rls_add_weight (dBodyID body, double mass, const double gravity[3], double force[3]);

/* gather.c: applied.force of a body, from ODE's accumulators and gravity.  1, or 0 if not finite. */
int rls_read_force (rls_workspace *workspace, int body);

/* decide.c: sees to it that elimination.order fits the rows and brings the decisions of the last step. */
int rls_workspace_order (rls_workspace *workspace);

/* decide.c: factors begin.rows and decides on the rank.  Sets the status; returns 1 if it went well. */
int rls_workspace_factor (rls_workspace *workspace);

/* assemble.c: next.pose and next.v of the island become those that close its joints.  Sets the status where
 * they cannot be had. */
void rls_close_island (rls_workspace *workspace);

/*
 * check.c: what a step has missed, so that nothing is missed silently.
 *
 * After each step the rows at its end are looked at: hard joints that stand open, rows whose velocity is
 * missed, redundant ones included; and the energy, as far as it is known what it should be.  Both go into
 * findings.notes.  Where the last way back has ended the step and nothing drives the island, next.v is
 * reduced by the energy that is noted.
 */
void rls_check_step (rls_workspace *workspace);

/* The rows that contradict each other as a step or an analysis begins. */
void rls_check_conflicts (rls_workspace *workspace);

/* Energy (J) that no force has given to an island of hard joints alone, in a step of h that ended at
 * next.pose and next.v; 0 if there is none to tell, or bodies turn so little that hard joints keep it. */
double rls_check_energy (const rls_island *island, double h, rls_ledger *ledger);

/* report.c: after rls_workspace_factor, which rows are redundant and which of them contradict the others. */
int rls_workspace_list_redundant (rls_workspace *workspace);

/* report.c: after the world is as it shall be, the measurements that were asked for. */
int rls_workspace_report (rls_workspace *workspace, int flags, dRLSReport *report);

/* report.c: seconds on a monotonic clock, for the report's timings. */
double rls_clock (void);

/* write_back.c: a body's pose and velocity in ODE.  Poses are set by one thread: geoms of several islands may
 * share a space.  They do not follow a pose that is only tried. */
void rls_set_pose (const rls_workspace *workspace, int body, const rls_pose *pose);
void rls_set_velocity (const rls_workspace *workspace, int body, const double v[6]);
void rls_try_pose (const rls_workspace *workspace, int body, const rls_pose *pose);

/* write_back.c: pose and velocity for good, in lengths of length_scale; clears the force accumulators, and
 * ODE does what it does at the end of a step. */
void rls_write_body (dBodyID body, double length_scale, const rls_pose *pose, const double v[6]);

/* write_back.c: quaternion and rotation matrix, bit for bit; and back. */
void rls_get_turn (dBodyID body, dReal turn[16]);
void rls_set_turn (dBodyID body, const dReal turn[16]);

/* write_back.c: notes how all bodies are turned: once a step, before its first trial pose; and always. */
void rls_begin_moving (rls_workspace *workspace);
void rls_save_turns (rls_workspace *workspace);

/* write_back.c: poses, velocities and feedback into ODE, accumulators cleared; or, after a failure or an
 * analysis, poses and forces as they were. */
void rls_write_back (rls_workspace *workspace);
void rls_put_back (rls_workspace *workspace);

/* write_back.c: 1 if a joint has feedback. */
int rls_wants_feedback (const rls_workspace *workspace);

/* 1 if ODE can take over where bodies have come: it squares speeds, and ends the program if that overflows.
 */
static inline int rls_motion_usable (int bodies, const rls_pose *pose, const double (*v)[6])
{
    int usable = rls_poses_usable (pose, bodies);
    for (int b = 0; b < bodies; ++b) usable &= isfinite (rls_dot6 (v[b], v[b]));
    return usable;
}

/* What a stage came to, RLS_DONE, RLS_NO_MEMORY, RLS_FAILED a value that is not finite: the latter two go
 * into the status.  Returns 1 or 0. */
static inline int rls_workspace_done (rls_workspace *workspace, rls_outcome done)
{
    if (done != RLS_DONE)
        workspace->status = done == RLS_NO_MEMORY ? dRLSStatusNoMemory : dRLSStatusNotFinite;
    return done == RLS_DONE;
}

#endif
