/*
 * One island as flat arrays, without ODE: what the numerical stages work on.  gather.c fills it and
 * write_back.c writes its results to ODE:
 *
 *     gather -> order -> factor -> integrate (with the bounded rows) -> correct -> report -> write back
 *
 * Velocities and forces have six entries for each body, linear and then angular, in world axes at the centre
 * of mass.  Lengths are in the island's unit of length (ode/gather.h); comments give SI units for a unit of
 * 1 m.
 */
#ifndef RLS_ISLAND_H
#define RLS_ISLAND_H

#include "bounded_rows.h"
#include "carried.h"
#include "flat.h"
#include "rotation.h"

/* How the rows of a joint are found at other poses; see joint_frame.h. */
typedef enum
{
    RLS_FRAME_FOREIGN = 0, /* by ODE */
    RLS_FRAME_BALL,
    RLS_FRAME_HINGE,
    RLS_FRAME_UNIVERSAL,
    RLS_FRAME_SLIDER,
    RLS_FRAME_KINDS
} rls_frame_kind;

typedef struct
{
    rls_frame_kind kind;
    double anchor[2][3], axis[2][3]; /* on both bodies, in their axes; in world axes for the world */
    double turn[4];                  /* of a slider: the quaternion from its second body to its first */
} rls_joint_frame;

typedef struct rls_island rls_island;

/* What does not change of the bodies during a step; arrays have an element for each body. */
typedef struct
{
    int bodies;
    double length_scale;           /* the unit of length (m); see ode/gather.h */
    unsigned char *movable;        /* 0: kinematic, or without mass */
    unsigned char *turn;           /* RLS_TURN_* */
    unsigned char *by_exponential; /* 1: turns by the exponential map in a symplectic step; rotation_map.h */
    unsigned char *gyroscopic;     /* 1: has gyroscopic torque */
    double (*axis)[3];             /* finite rotation axis */
    double *max_turn;              /* angular speed cap (rad/s), HUGE_VAL if none */
    double *mass;                  /* kg */
    double (*own_inertia)[9];      /* body axes, about the centre of mass */
    double (*inertia)[9];          /* the same with what is added for geometric stiffness; see stiffness.h */
    double (*inverse_inertia)[9];
} rls_model;

/* Poses and velocities of the bodies at one time. */
typedef struct
{
    rls_pose *pose;
    double (*v)[6];
} rls_motion;

static inline void rls_motion_copy (int bodies, const rls_motion *from, const rls_motion *to)
{
    memcpy (to->pose, from->pose, sizeof (*to->pose) * (size_t)bodies);
    memcpy (to->v, from->v, sizeof (*to->v) * (size_t)bodies);
}

/* Forces on the bodies other than those of joints. */
typedef struct
{
    double (*force)[6];   /* bodies: with gravity; constant over the step */
    double (*gravity)[3]; /* bodies: the part of it that is gravity, as an acceleration */
} rls_applied;

/*
 * Velocity-level rows hold a velocity and have no position: motors of unlimited strength, rotations that
 * plane-2D joints hold, nonholonomic rows of the program.  In a sub-step they require that (H0 + H1) / 2
 * times the motion over h be the target.  ODE does not say which rows these are; their residual is always 0.
 * So only rows that are marked as possible are tested for that (symplectic_close.c).
 */
enum
{
    RLS_VELOCITY_LEVEL_NEVER = 0,
    RLS_VELOCITY_LEVEL_MAYBE,
    RLS_VELOCITY_LEVEL,       /* found to be one */
    RLS_VELOCITY_LEVEL_ALWAYS /* a row of the program, which is known to be one */
};

/* The joints with bilateral rows: which bodies they hold, and what else does not depend on poses. */
typedef struct
{
    int (*body)[2], *row0;         /* topology, shared by the rows of the beginning and of the end */
    int *attach0, *attach;         /* the joints of each body; see rows.h */
    int *ode_joint;                /* joints: joint of the island */
    int *ode_row;                  /* rows: which of the joint's rows, in ODE's numbers */
    unsigned char *velocity_level; /* rows: RLS_VELOCITY_LEVEL_... */
    int velocity_level_rows;       /* how many of them may be velocity-level */
    rls_part *part;                /* parts of rows over more than two bodies; see kernels/parts.h */
    int parts_listed;
    rls_joint_frame *frame; /* joints; kept as long as the mechanism stays the same */
    rls_arena frame_block;
    int *fixed; /* joints: how many of their first rows have fixed linear directions, the world's axes */
    int *of_kind[RLS_FRAME_KINDS], kind_count[RLS_FRAME_KINDS]; /* joints of each kind of frame */
    int mesh; /* 1: so many loops that singular configurations are not passed one at a time */
} rls_mechanism;

/* All rows at one pose, and the factor of the bilateral ones. */
typedef struct
{
    rls_rows rows;
    rls_factor factor;
    rls_bounded bounded;
} rls_constraints;

/* Functions by which the numerical stages evaluate rows and forces at other poses. */
typedef struct
{
    /*
     * Evaluates the bilateral rows at other poses: J, residual, target and sigma2 of end.rows; W is left to
     * the caller.  Returns 1, or 0 if they cannot be evaluated there: a number is not finite, or the number
     * of rows is another one.
     */
    int (*rows) (rls_island *island, const rls_pose *pose);

    /* The same for the bounded rows: J of end.bounded. */
    int (*bounded) (rls_island *island, const rls_pose *pose);

    /*
     * Evaluates applied.force at other poses, velocities and the time below; NULL where forces are constant
     * over a step.  Returns 1, or 0 if they are not finite.
     */
    int (*forces) (rls_island *island, const rls_pose *pose, const double (*v)[6]);
    double time; /* s: at which rows and forces are evaluated */
} rls_provider;

/* Impulses of the step, and the rows along which reactions act, for the joint feedback. */
typedef struct
{
    double *p;   /* rows: impulses of the bilateral rows over the step */
    int wanted;  /* 1: the program asks for reactions */
    int of_end;  /* 1: those at the end of the step are asked for, and no impulses are counted */
    int counted; /* 1: the step has counted the joints' impulses, in joint_impulse and part_impulse */
    int closing; /* > 0: not so, and besides p impulses along the rows have changed velocities by noted_v */
    double (*noted_v)[6];        /* bodies: velocities before impulses are applied, then their change */
    double (*joint_impulse)[12]; /* joints: impulses on both bodies over the step; see reactions.h */
    double (*part_impulse)[12];  /* parts: the same */
    const rls_constraints *at;   /* the rows along which they act, with their factor */
    const double (*change)[6]; /* bodies: M^-1 H' lambda (m/s^2, rad/s^2); NULL if the multipliers are in p */
    double part;               /* share of the step that change stands for */
    double *bounded_total;     /* bounded rows: impulses of both halves of the step */
    int bounded_in_halves;     /* 1: begin.bounded.p are those of the first half, bounded_total of both */
} rls_reactions;

/* Work and quality of the step, for the report. */
typedef struct
{
    int factorisations, row_evaluations, iterations, fallbacks, singular_events;
    int bounded_iterations;
    int bounded_inexact;     /* 1: the residual of the bounded rows is above the tolerance */
    double bounded_residual; /* the largest error of an impulse, relative to the largest impulse */
    double bounded_rest; /* m/s: residual of the last bounded problem if it was at rest and solved, otherwise
                            -1 */
    double projection_residual; /* m or rad: position residual of kept rows that the projection has left */
    double taken_back;          /* J: energy taken from velocities that would have gained it */
} rls_account;

/* Scratch arrays, whose contents nobody relies on after a call. */
typedef struct
{
    rls_pose *predicted; /* bodies: for the integrators */
    rls_pose *best_pose; /* bodies: for the projection */
    double (*six)[6];    /* bodies */
    double *rows;        /* 5 x rows */
    rls_rows aside; /* rows at another pose than begin and end have, without W; while a symplectic sub-step
                       is closed those of its iterate (rls_symplectic.trial) */
    double (*R)[9]; /* bodies: rotation from body axes to world axes where rls_island_turn was last called */
} rls_scratch;

/*
 * The arrays of the bounded rows at both ends of a step, and of their impulses.  They are filled anew in each
 * step but where the island stands, so they serve one island after the other (stepper/thread_memory.c).
 */
typedef struct
{
    rls_bounded begin, end;
    double *total;           /* rows: rls_reactions.bounded_total */
    int joints, rows, parts; /* what there is room for */
    rls_arena block;
} rls_bounded_arrays;

void rls_bounded_arrays_free (rls_bounded_arrays *arrays);

/* The memory of all other arrays, and the numbers that it is laid out for. */
typedef struct
{
    int joints, rows;
    int rows_swapped; /* 1: begin.rows and end.rows are exchanged in it */
    rls_arena block;
    rls_arena decisions; /* elimination.previous */
} rls_island_memory;

struct rls_island
{
    /* this step: what is given */
    rls_model model;
    rls_mechanism mechanism;
    rls_motion state; /* at the beginning of the step */
    rls_applied applied;
    rls_provider provider;
    rls_constraints begin;     /* at state.pose */
    double position_tolerance; /* m or rad: residual at which joints count as closed; 0: rounding */

    /* and what is found */
    rls_motion next;     /* the answer */
    rls_constraints end; /* at a trial pose, in the end next.pose: rows in the bases of begin.rows, their
                            factor with the rank decisions of begin.factor, bounded rows with the impulses of
                            both halves (see bounded_halves.h) */
    rls_reactions reactions;
    rls_account account;

    /* carried from step to step, as end is; see carried.h */
    rls_elimination elimination;
    rls_valid valid;
    rls_geometric geometric;
    rls_recovery recovery;
    struct rls_bounded_kept *bounded_kept; /* what the bounded solver keeps of the island */

    rls_scratch scratch;
    struct rls_bounded_work *bounded_work; /* arrays of the bounded solver */
    rls_bounded_arrays *bounded_arrays;    /* made if there are none; begin.bounded and end.bounded are in
                                              them */
    rls_island_memory memory;

    /* if the step was split: impulses of bounded rows and of parts on both bodies over all of it; otherwise
     * NULL */
    double (*bounded_wrench)[12], (*bounded_part_wrench)[12];
};

/* Lays the arrays out for so many bodies, joints and rows.  Their contents are lost unless the number of
 * bodies is the same and there is room for the joints and rows, those of bounded rows unless there is room
 * for these.  Returns 1, or 0 without memory. */
int rls_island_lay_out (rls_island *island, int bodies, int joints, int rows, int parts, int bounded_joints,
                        int bounded_rows);

/* Makes both sets of rows refer to the topology and the masses in mechanism and model. */
void rls_island_share_topology (rls_island *island);

/* Lists the joints of each kind of frame, and which have rows along the world's axes. */
void rls_island_list_frames (rls_island *island);

/* scratch.R := rotations from body axes to world axes at these poses. */
void rls_island_turn (rls_island *island, const rls_pose *pose);

/* W of the rows := inverse inertia in world axes at these poses. */
void rls_island_inverse_inertia (rls_island *island, const rls_pose *pose, const rls_rows *rows);

/* Forms the columns Y of bounded rows with W of rows at the same pose. */
void rls_form_bounded_columns (const rls_rows *rows, const rls_bounded *bounded);

/* end := begin, but with the arrays that end has of its own (J, Y, bounds, targets, impulses). */
void rls_bounded_share (rls_bounded *end, const rls_bounded *begin);

/* What impulses along bounded row r exert over a step that was not split, with these entries of the row at
 * the beginning and at the end. */
static inline double rls_impulse_along (const rls_island *s, int r, double begin, double end)
{
    const double first = s->begin.bounded.p[r], second = s->reactions.bounded_total[r] - first;
    return s->reactions.bounded_in_halves ? first * begin + second * end : first * begin;
}

/* Component k (0 .. 11) of the impulse of bounded row r on its two bodies over the step; and of part p on
 * its own two. */
static inline double rls_bounded_impulse (const rls_island *s, int r, int k)
{
    if (s->bounded_wrench) return s->bounded_wrench[r][k];
    return rls_impulse_along (s, r, s->begin.bounded.J[r][k], s->end.bounded.J[r][k]);
}
static inline double rls_bounded_part_impulse (const rls_island *s, int p, int k)
{
    const rls_parts *begin = &s->begin.bounded.parts, *end = &s->end.bounded.parts;
    if (s->bounded_wrench) return s->bounded_part_wrench[p][k];
    return rls_impulse_along (s, begin->of[p].row, begin->J[p][k], end->J[p][k]);
}

/* Displaces next.pose of the bodies that can be pushed by d (m, rad). */
void rls_island_displace (rls_island *island, const double (*d)[6]);

/* Exchanges begin.rows and end.rows. */
void rls_island_swap_rows (rls_island *island);

/* to := the bilateral rows at a pose and a time later (s), in whatever bases they have there, without W.
 * end.rows and provider.time are left as they are.  Returns as provider.rows does. */
int rls_island_look_aside (rls_island *island, const rls_pose *pose, double later, const rls_rows *to);

/* Evaluates applied.force at a pose with velocities v, at provider.time.  Returns 1, or 0 if it is not
 * finite. */
static inline int rls_island_push (rls_island *s, const rls_pose *pose, const double (*v)[6])
{
    return !s->provider.forces || s->provider.forces (s, pose, v);
}

/* Expresses end.rows in the bases of begin.rows: exactly if some of these are redundant. */
void rls_island_align (rls_island *island);

/* end.rows := the bilateral rows at a pose in the bases of begin.rows, with W there.  Returns 1, or 0 if they
 * cannot be evaluated. */
int rls_island_look (rls_island *island, const rls_pose *pose);

/* Factors rows in the island's elimination order as rls_factor_rows does, and counts the factorisation.  The
 * second factors end.rows into end.factor with the island's rank tolerance. */
rls_outcome rls_island_factor (rls_island *island, rls_factor *factor, const rls_rows *rows, double tolerance,
                               const unsigned char *decided);
rls_outcome rls_island_factor_end (rls_island *island, const unsigned char *decided);

/* out := v + time M^-1 f, with W of the rows; v for bodies that cannot be pushed.  out may be v. */
void rls_kick (const rls_island *island, const rls_rows *rows, const double (*v)[6], double time,
               double (*out)[6]);

/* v += h M^-1 (force + gyroscopic torque) at state.pose, as ODE's steppers do it. */
void rls_island_kick (const rls_island *island, double h, double (*v)[6]);

/* ---- curvature.c ---- */

/*
 * What the bilateral rows require of accelerations.
 *
 * The derivative of H v = y along the motion is H a = dy/dt - dH/dt v.  For joints whose rows follow from the
 * poses (joint_frame.h) the right-hand side is known in closed form; for the others it is found by central
 * differences of fourth order along the motion.  The rows of a joint may be any basis of what they hold; this
 * basis turns with the joint and may jump.  So what is differentiated is first expressed in the basis of the
 * reference rows, by the same least-squares combination at every pose.
 *
 * wanted (rows) := dy/dt - dH/dt v for the reference rows, which are those of pose at provider.time.  Returns
 * 1, or 0 if rows cannot be evaluated at a pose nearby.
 */
int rls_curvature_find (rls_island *island, const rls_rows *reference, const rls_pose *pose,
                        const double (*v)[6], double *wanted);

/* ---- reuse.c ---- */

/*
 * Makes end.factor, which the last step formed at its final pose, begin.factor, if this step begins in that
 * state and no pivot has come so close to the rank tolerance that ranks must be decided again.  Returns 1 if
 * it did.
 */
int rls_reuse_factor (rls_island *island, double rank_tolerance);

/* Stores the rank decisions of begin.factor for the next step.  Returns 1, or 0 without memory. */
int rls_reuse_keep_decisions (rls_island *island);

/* ---- friction_cone.c ---- */

/* Turns the rows of friction in island->begin.bounded for a step of h (s); forces must be known.  Contacts
 * whose two coefficients or slips (softness) differ keep their directions. */
void rls_friction_cone (rls_island *island, double h);

#endif
