/*
 * One island as flat arrays: what the numerical stages work on.  Knows no ODE; gather.c fills it and
 * write_back.c empties it.
 *
 *     gather -> order -> factor -> (bounded) -> integrate -> correct -> report -> write back
 *
 * Velocities and forces have six entries a body: linear then angular, world axes, at the centre of mass.
 */
#ifndef RLS_ISLAND_H
#define RLS_ISLAND_H

#include "factor/factor.h"
#include "factor/mass_scaling.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct
{
    double x[3]; /* centre of mass, world */
    double q[4]; /* w, x, y, z: body axes to world */
} rls_pose;

#define RLS_POSE_STRIDE ((int)(sizeof (rls_pose) / sizeof (double)))

/* How ODE turns a body; see dBodySetFiniteRotationMode and dBodySetFiniteRotationAxis. */
enum
{
    RLS_TURN_INFINITESIMAL = 0,
    RLS_TURN_FINITE,
    RLS_TURN_ABOUT_AXIS
};

/* What is known of a row with bounds as the step begins. */
typedef struct
{
    double rest; /* the part of target that takes nothing back: what motors, moving surfaces and rebounds want
                    (m/s or rad/s) */
    double push; /* what is to be taken back of a depth in this step (m or rad) */
    double share;  /* of a depth, what push is: ODE's ERP */
    double gap;    /* how far a stop, or a contact that rebounds, is away (m or rad); less than 0 where it is
                      passed, 0: touching */
    double bounce; /* coefficient of restitution of a rebound, 0: none */
    double start;  /* the coordinate of what a motor drives (m or rad), NAN where it is not known */
    double stiffness, damping; /* of a row that gives way (N/m, N s/m; N m/rad, N m s/rad); both 0: hard */
    double open; /* how far a spring of that stiffness is stretched, less than 0 where it is pressed together
                    (m or rad) */
} rls_bounded_row;

/*
 * Rows with bounds: limits, motors, contacts, friction.  p is an impulse (N s):
 *
 *     w = J v + softness p - target,   lo <= p <= hi,   p = lo or w <= 0 ... as in any LCP with bounds.
 *
 * follow[r] >= 0: row r is friction and its bounds are -hi .. hi times the present impulse of row
 * follow[r] (the normal), never less than 0; hi may be infinite, until the rows are solved.
 */
typedef struct
{
    int rows, joints;
    int *body1, *body2;     /* joints */
    int *row0;              /* joints + 1 */
    double (*J)[12];        /* rows, as in rls_rows */
    double (*Y)[12];        /* rows */
    double *softness;       /* rows: CFM / h */
    double *target;         /* rows: velocity (m/s or rad/s), ODE's right-hand side */
    double *lo, *hi;        /* rows: impulse bounds; for friction the coefficient in hi */
    int *follow;            /* rows: index of the normal row, or -1 */
    double *p;              /* rows: the answer */
    rls_bounded_row *row;   /* rows: what is known of them as the step begins */
    unsigned char *located; /* rows: whether a step is split at the rebound; see impacts.h */
    double *before;         /* rows: their velocity at the beginning of the step */
    double *leave;          /* rows: what motors, moving surfaces and rebounds want at the end of the step */
    double *way; /* rows: by how much their coordinate has changed over the step (m or rad), NAN where only
                    the rows tell */
    double *mobility; /* rows that give way: the velocity that an impulse of 1 makes with the joints closed */
    uint64_t *key;    /* joints: same from step to step for the same limit, motor or pair of bodies */
    double (*arm)[3]; /* joints: contact point relative to body 1, body axes; 0 for other joints */
    unsigned char *points; /* joints: contacts that rebound have bit k where it is known what of body k + 1 */
    double (*centre)[2][4]; /* touches: this point, or what is round about it, by its radius (body axes, m) */
    int *ode_joint, *ode_row;            /* rows: which ODE joint of the island and which of its rows */
    int parts;                           /* of rows over more than two bodies; see bounded_parts.h */
    rls_part *part;                      /* parts: joint is the bounded joint, which has one row */
    double (*part_J)[12], (*part_Y)[12]; /* parts */
} rls_bounded;

/* Keys of contacts are odd. */
static inline int rls_bounded_is_contact (const rls_bounded *b, int j) { return (int)(b->key[j] & 1); }

/* Stops and the normals of contacts push one way; friction that no normal bounds yet counts as well. */
static inline int rls_bounded_is_one_sided (const rls_bounded *b, int r)
{
    return b->lo[r] == 0 || b->hi[r] == 0;
}

/* The way that such a row pushes: 1 where its velocity opens it, -1 where that closes it. */
static inline int rls_bounded_side (const rls_bounded *b, int r) { return b->lo[r] == 0 ? 1 : -1; }

/* How deep such a row is passed (m or rad); 0 where nothing of that is taken back. */
static inline double rls_bounded_depth (const rls_bounded *b, int r)
{
    return b->row[r].share > 0 ? fabs (b->row[r].push) / b->row[r].share : 0;
}

/* Rows with stiffness or damping give way. */
static inline int rls_bounded_is_soft (const rls_bounded *b, int r)
{
    return b->row[r].stiffness + b->row[r].damping > 0;
}

/* A joint whose rows at other poses follow from the poses alone; see joint_frame.h. */
typedef enum
{
    RLS_FRAME_FOREIGN = 0, /* only ODE knows */
    RLS_FRAME_BALL,
    RLS_FRAME_HINGE,
    RLS_FRAME_UNIVERSAL,
    RLS_FRAME_KINDS
} rls_frame_kind;

typedef struct
{
    rls_frame_kind kind;
    double anchor[2][3], axis[2][3]; /* of both sides, in body axes; in world axes where there is no body */
} rls_joint_frame;

typedef struct rls_island rls_island;

/* The bodies, as they are over the whole of a step. */
typedef struct
{
    int bodies;
    double length_scale;           /* of length (m); see length_scale.h */
    unsigned char *movable;        /* 0: kinematic, or without mass */
    unsigned char *turn;           /* RLS_TURN_* */
    unsigned char *by_exponential; /* 1: turns by the exponential in a symplectic step; rotation_map.h */
    unsigned char *gyroscopic;
    double (*axis)[3];        /* finite rotation axis */
    double *max_turn;         /* angular speed cap (rad/s), HUGE_VAL if none */
    double *mass;             /* kg */
    double (*own_inertia)[9]; /* body axes, about the centre of mass */
    double (*inertia)[9];     /* that, and what geometric stiffness calls for */
    double (*inverse_inertia)[9];
} rls_model;

/* How the bodies move at one time. */
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
    double (*force)[6];   /* external forces, gravity included, constant over the step */
    double (*gravity)[3]; /* that part of force which is gravity, as acceleration */
} rls_applied;

/* The joints without bounds: which bodies they hold, and what of them stays while poses change. */
typedef struct
{
    int *body1, *body2, *row0;   /* topology that the rows of the beginning and of the end share */
    int *attach0, *attach;       /* the same by body; see rows.h */
    int *ode_joint;              /* joints: which ODE joint of the island */
    int *ode_row;                /* rows: which of the joint's rows, as ODE numbers them */
    unsigned char *nonholonomic; /* rows: of the program's rows 1 for those that hold a velocity alone */
    rls_part *part;              /* parts of rows over more than two bodies; see kernels/parts.h */
    int parts_listed;
    rls_joint_frame *frame; /* joints; kept while the mechanism stays */
    int frame_capacity;
    int *fixed; /* joints: rows that keep to the world's axes */
    int *of_kind[RLS_FRAME_KINDS], kind_count[RLS_FRAME_KINDS]; /* joints of each kind of frame */
    int mesh; /* 1: so many loops that singular configurations are not passed one at a time */
} rls_mechanism;

/* All rows at one pose, and the factor of those without bounds. */
typedef struct
{
    rls_rows rows;
    rls_factor factor;
    rls_bounded bounded;
} rls_constraints;

/* Functions that evaluate rows and forces at other poses. */
typedef struct
{
    /*
     * Evaluates the bilateral rows with other poses: J, residual (and target, sigma2) of end.rows; W is
     * left to the caller.  Returns 1, or 0 if the rows cannot be had there (not finite, or another
     * number of rows).
     */
    int (*rows) (rls_island *island, const rls_pose *pose);

    /* The same for the bounded rows: J of end.bounded. */
    int (*bounded) (rls_island *island, const rls_pose *pose);

    /*
     * Evaluates applied.force at other poses, velocities and the time below; NULL where forces are constant
     * over a step.  Returns 1, or 0 if they are not finite.
     */
    int (*forces) (rls_island *island, const rls_pose *pose, const double (*v)[6]);
    double time; /* at which rows and forces are wanted (s) */
} rls_provider;

/* How the rows are eliminated: their order, and which of them were found redundant. */
typedef struct
{
    rls_order order;
    rls_mass_scaling mass_scaling;
    rls_precedence precedence;
    double rank_tolerance;   /* of this step: relative pivot below which a row is redundant */
    unsigned char *previous; /* rows: rank decisions of the last step, for hysteresis */
    double decided_gap;      /* least relative pivot when they were made */
} rls_elimination;

/* Which of the data kept from the last step, or computed earlier in this one, are still valid. */
typedef struct
{
    int decisions;    /* elimination.previous is there: rank decisions of the last step */
    int rows_kept;    /* begin.rows are those of the last step's end, taken over */
    int end_factored; /* end.factor is that of a pose near next.pose */
    int end_exact;    /* it is that of end.rows, which are those of next.pose */
    int end_natural;  /* and they are in the bases that any look there gives */
    int end_damped;   /* end.factor is that of a damped step, and end_exact; see damped.h */
    int begin_held;   /* end_exact held when the step began: end.rows are still those of the last step */
    int begin_damped; /* the rows that this step begins with were those of a damped step */
    int stiffness;    /* geometric.stiffness is that of the last step's end */
    int last_inertia; /* geometric.last_inertia is that of the last step, of bodies with the same masses */
} rls_valid;

/* Geometric stiffness: forces of joints that turn with light bodies; see stiffness.h. */
typedef struct
{
    double (*stiffness)[9];    /* bodies: N m/rad, body axes */
    unsigned char *light;      /* bodies: 1 where it matters */
    double (*last_inertia)[9]; /* bodies: inertia in the last step */
    int wanted;                /* steps for which it is still to be looked at; set where one fails */
    int raised;                /* bodies with more inertia than their own */
    int raised_before;         /* 1 if there were any in the last step */
    int kept;                  /* 1 if all have the inertia of the last step */
} rls_geometric;

/* Counts of failed steps, by which the next attempts are chosen; see attempts.c. */
typedef struct
{
    int failing, pausing;    /* how often the accurate step has failed; steps without any */
    int left_open;           /* 1: the last step was damped, and left joints open */
    int most_factorisations; /* at which an attempt at an accurate step is given up; INT_MAX but for meshes */
} rls_recovery;

/* Impulses of the step, and what the reactions act along, for the joint feedback. */
typedef struct
{
    double *p;                   /* rows: impulses of the bilateral rows over the step */
    int wanted;                  /* 1: somebody asked for reactions */
    int of_end;                  /* 1: they are to be those at the end of the step, and nothing is counted */
    int counted;                 /* 1: the step counted the impulses of the joints: */
    double (*noted_v)[6];        /* bodies: velocities before a push, then how it changed them */
    double (*joint_impulse)[12]; /* joints: on both bodies, over the step; see integrators/reactions.h */
    double (*part_impulse)[12];  /* parts: the same */
    const rls_rows *rows;        /* along which they act */
    const rls_factor *factor;    /* of these */
    const double (*change)[6];   /* bodies: M^-1 H' lambda (m/s^2, rad/s^2), or NULL where p holds them */
    double part;                 /* of the step, for which change stands */
    double *bounded_total;       /* bounded rows: impulses of both halves of the step */
    int bounded_in_halves;       /* 1: the step left those of the first half in begin.bounded.p, and totals */
} rls_reactions;

/* Work and quality of the step, for the report. */
typedef struct
{
    int factorisations, row_evaluations, iterations, fallbacks, singular_events;
    int bounded_iterations;
    int bounded_inexact; /* 1: the bounded rows ended above their tolerance */
    double bounded_residual;
    double bounded_rest;        /* m/s: what the last bounded problem left of a natural map at rest, or -1 */
    double projection_residual; /* what was left of the position residual of kept rows */
    double taken_back;          /* J: taken from velocities that would have made energy */
} rls_account;

/* Scratch arrays: their contents mean nothing from one call to the next. */
typedef struct
{
    rls_pose *predicted; /* bodies: of the integrators */
    rls_pose *best_pose; /* bodies: of the projection */
    double (*six)[6];    /* bodies */
    double *rows;        /* 5 x rows */
    double (*R)[9];      /* bodies: body axes to world at the pose last asked for */
} rls_scratch;

/* The memory that all of these arrays lie in, and what it was sized for. */
typedef struct
{
    int joints, rows, bounded_joints, bounded_rows;
    int rows_swapped; /* 1: begin.rows and end.rows have changed places in it */
    rls_arena block;
    rls_arena decisions; /* elimination.previous */
} rls_island_memory;

struct rls_island
{
    /* this step: given, */
    rls_model model;
    rls_mechanism mechanism;
    rls_motion state; /* at the beginning of the step */
    rls_applied applied;
    rls_provider provider;
    rls_constraints begin;     /* at state.pose */
    double position_tolerance; /* residual (m or rad) at which positions count as closed; 0: rounding */

    /* and found */
    rls_motion next;     /* the answer */
    rls_constraints end; /* at a pose on trial, at last next.pose: rows in the bases of begin.rows, the factor
                            with the decisions of begin.factor; the bounded rows with totals of both halves in
                            p, see bounded_halves.h */
    rls_reactions reactions;
    rls_account account;

    /* carried from step to step, end among it; what ends it: stepper/history.c and island/reuse.c */
    rls_elimination elimination;
    rls_valid valid;
    rls_geometric geometric;
    rls_recovery recovery;
    struct rls_bounded_work *bounded_work; /* warm start and workspace of the bounded solver */

    rls_scratch scratch;
    rls_island_memory memory;
    double (*bounded_wrench)[12]; /* rows: impulses on both bodies of a step that was split, else NULL; */
    double (*bounded_part_wrench)[12]; /* and those of parts */
};

/* Sizes the arrays; what they held is lost unless bodies are as many as before and there is room for the
 * joints and rows.  1 done, 0 no memory. */
int rls_island_lay_out (rls_island *island, int bodies, int joints, int rows, int parts, int bounded_joints,
                        int bounded_rows);

/* Both evaluations of the rows are of the same joints and bodies: those of the mechanism and the model. */
void rls_island_share_topology (rls_island *island);

/* R := body axes to world at the given poses. */
void rls_island_turn (rls_island *island, const rls_pose *pose);

/* W of the rows := inverse inertia in world axes at the given poses. */
void rls_island_inverse_inertia (rls_island *island, const rls_pose *pose, const rls_rows *rows);

/* The columns of the bounded rows at pose, with W of rows. */
void rls_island_form_bounded_columns (rls_island *island);

/* end := bounded rows of the same joints, in the memory that end has. */
void rls_bounded_share (rls_bounded *end, const rls_bounded *begin);

/* What bounded row r did over the step: component k of the impulses on its two bodies. */
static inline double rls_bounded_impulse (const rls_island *s, int r, int k)
{
    const double first = s->begin.bounded.p[r] * s->begin.bounded.J[r][k];
    if (s->bounded_wrench) return s->bounded_wrench[r][k];
    return s->reactions.bounded_in_halves
               ? first + (s->reactions.bounded_total[r] - s->begin.bounded.p[r]) * s->end.bounded.J[r][k]
               : first;
}

/* Exchanges rows and end.rows. */
void rls_island_swap_rows (rls_island *island);

/* to := the bilateral rows at a pose and a time later, in whatever bases they have there; end.rows and the
 * time stay.  W is left to the caller.  Returns as provider.rows. */
int rls_island_look_aside (rls_island *island, const rls_pose *pose, double later, const rls_rows *to);

/* applied.force := that of the provider at a pose, with velocities v, at its time.  1, or 0 if not finite. */
static inline int rls_island_push (rls_island *s, const rls_pose *pose, const double (*v)[6])
{
    return !s->provider.forces || s->provider.forces (s, pose, v);
}

/* Expresses end.rows in the bases of rows: exactly where factor leaves rows out. */
void rls_island_align (rls_island *island);

/* end.rows := the bilateral rows at pose in the bases of rows, with W there.  Returns 1, or 0 if they
 * cannot be had. */
int rls_island_look (rls_island *island, const rls_pose *pose);

/* Factors rows in the island's order, as rls_factor_rows, and counts that; and end.rows into end.factor, with
 * the decisions of the beginning. */
rls_outcome rls_island_factor (rls_island *island, rls_factor *factor, const rls_rows *rows, double tolerance,
                               const unsigned char *decided);
rls_outcome rls_island_factor_end (rls_island *island);

/* v += h M^-1 (force + gyroscopic terms), as ODE's steppers do it, at pose. */
void rls_island_kick (const rls_island *island, double h, double (*v)[6]);

#endif
