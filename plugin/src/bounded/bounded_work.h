/*
 * What the files of the bounded solver share.
 *
 *     bounded.c            the drive: start, solve, keep
 *     bounded_warm.c       impulses of the last step, found again by joint and contact point
 *     contact_rows.c       rows of contacts at the end of a step
 *     bounded_wrench.c     what contacts that are gone leave to those that came
 *     bounded_residual.c   velocities along the rows, the natural-map residual
 *     bounded_sweep.c      projected Gauss-Seidel
 *     bounded_newton.c     what its two kinds of Newton steps share
 *     bounded_sides.c      the rows by their sides,
 *     bounded_sides_step.c and one step of that
 *     bounded_lemke.c      complementary pivoting where rows are few,
 *     lemke.c       and the path that it follows
 *     bounded_interior.c   the interior-point iteration,
 *     bounded_barrier.c    its slacks and duals,
 *     bounded_contact.c    and the share of contacts in it
 *     bounded_bilateral.c  the exact answer of the bilateral rows beside given bounded impulses
 *     body_*.c             K = M + sum of weight J' J, its sparse factor
 */
#ifndef RLS_BOUNDED_WORK_H
#define RLS_BOUNDED_WORK_H

#include "body_space.h"
#include "bounded.h"
#include "bounded_contact.h"
#include "contact_rows.h"
#include "lemke_blocks.h"
#include "bounded_sides.h"

#define RLS_MOST_LOCAL 6 /* rows of a joint; no joint of ODE has more */

/*
 * The joints of a step in groups of one key, and the impulses that they ended with.  Two of these take
 * turns: the last step's and this one's.
 */
typedef struct
{
    int joints, rows, groups;
    size_t slots; /* of the hash table: groups by key */
    int *slot;
    uint64_t *group_key;  /* groups: key, */
    int *first, *last;    /* chain of joints in their order, */
    double (*centre)[3];  /* where body 1 of the first joint was, */
    double (*wrench)[6];  /* and the impulse and its moment there that the group gave to it */
    int *next;            /* joints: the next of the group, or -1 */
    int *row0;            /* joints + 1 */
    double (*arm)[2][3];  /* joints: the point on body 1 and on body 2, body axes */
    unsigned char *taken; /* joints: has a successor in the next step */
    unsigned char *held;  /* rows: at a bound while a wrench is spread */
    double (*J)[6];       /* rows: the part of body 1 */
    double *p;            /* rows */
    rls_arena block;
} rls_warm_start;

/* How far an iterate is from the answer: the natural map |p - clamp (p - w / D)| of the rows. */
typedef struct
{
    double velocity; /* largest of D times it: m/s */
    double mean;     /* the root of the mean square of that */
    double impulse;  /* largest of it: N s */
    double largest;  /* largest |p| */
} rls_bounded_residual;

/* With how many iterations a residual is asked for that is nice to have, and the share of that without
 * impulses that is good enough in the end. */
typedef struct
{
    int patience;
    double worst;
} rls_leniency;

/* What bounds a row has. */
enum
{
    RLS_ROW_LOW = 1,
    RLS_ROW_HIGH = 2,
    RLS_ROW_FRICTION = 4, /* both, at -mu and mu times the impulse of its normal */
    RLS_ROW_DEAD = 8      /* moves nothing */
};

/* What is known of a joint's rows. */
enum
{
    RLS_SHAPE_ANY = 0,
    RLS_SHAPE_SINGLE,
    RLS_SHAPE_CONTACT /* a normal and two rows of friction with it, all of them wrenches */
};

/* One bound: its slack and dual. */
typedef struct
{
    double s, z;
    double ratio; /* z / s */
    double aim;   /* z after the step if the impulses stayed as they are */
} rls_barrier;

typedef struct
{
    unsigned char *shape;        /* joints: RLS_SHAPE_* */
    int *other, others;          /* joints that are not in contact, */
    rls_contacts contact;        /* which has its own copy of all below */
    unsigned char *kind;         /* rows: RLS_ROW_* */
    double *scale;               /* rows: D, 1 for rows that move nothing */
    double *resistance;          /* rows: softness and proximal term */
    rls_barrier (*bound)[2];     /* rows: low, high */
    int bounds;                  /* how many there are */
    double t;                    /* the mean of D s z, (m/s)^2 */
    double *weight, *coupling;   /* rows: the joints' matrices B eliminated */
    double *w;                   /* rows: J v + softness p - target */
    double *rhs, *dp, *dw;       /* rows: right-hand side, changes of p and w in a whole step */
    double *bilateral_weight;    /* bilateral rows: 1 / (sigma^2 + eps), 0 for redundant ones */
    double *bilateral_w;         /* bilateral rows: J v */
    double *bilateral_q;         /* bilateral rows: impulses that would be if the velocities stayed */
    double (*dv)[6], (*base)[6]; /* bodies: the step; the part of its force that no barrier changes */
} rls_interior;

/* A problem that is solved by its sides; see bounded_sides.h. */
typedef struct
{
    rls_sides_problem problem;
    int rows, bilateral_rows, bodies;
    rls_bounded act, look;        /* the bounded rows as they act and as their velocities count, */
    rls_rows act_rows, look_rows; /* and in the shape that products want */
    const rls_rows *h_look;       /* the bilateral ones */
    double term;                  /* proximal, of the bounded rows */
    double *diagonal;             /* rows: D */
    double *weight, *coupling;    /* rows: of the free ones 1 / R; of friction that slides -mu or mu */
    double *centre, *w;           /* rows: impulses of the centre, and what its velocities are off by */
    double *q, *p, *z, *best;     /* rows: of a step; of the best iterate */
    double *h_weight, *h_centre, *h_w, *h_p, *h_next, *h_best; /* bilateral rows: the same */
    double (*free_v)[6], (*dv)[6];                             /* bodies */
    unsigned char *side, *next, *factored; /* rows: RLS_SIDE_*, after a step, and those of the factor */
    double factored_term;
    long factor; /* the body space's version that is the factor */
    int based;   /* 1: what the body space keeps is M and the bilateral rows of this problem */
    int fresh;   /* 1: the factor is of this problem, not of one before */
    rls_arena block;
} rls_sides;

/* What a Newton step means for the barriers. */
typedef struct
{
    double whole;         /* the fraction of it that keeps slacks and duals positive */
    double first, second; /* sums of D (s dz + z ds) and D ds dz */
} rls_step;

/* A row among those of its joint; see bounded_sweep.c. */
typedef struct
{
    double inverse;                    /* 1 / D, 0 where it moves nothing */
    double before[RLS_MOST_LOCAL - 1]; /* what impulses of 1 along the earlier rows change its velocity by */
} rls_local_row;

/* Impulses and velocities before a sweep, and the direction in which the last ones went. */
typedef struct
{
    double *p, *dp;           /* rows */
    double *q, *dq;           /* bilateral rows */
    double (*v)[6], (*dv)[6]; /* bodies */
} rls_sweeps;

struct rls_bounded_work
{
    rls_arena self; /* the memory of this structure */
    rls_warm_start warm[2];
    rls_contact_history past;
    int turn; /* which of them is this step's */
    int unsettled,
        pause; /* problems for which sides are not tried: most of them were wrong; the last such pause */
    rls_body_space space;
    rls_interior interior;
    rls_lemke path;
    rls_lemke_blocks blocks;
    rls_sides sides;

    rls_rows rows;        /* the bounded rows in the shape that products want */
    double *diagonal;     /* rows: inverse effective mass D = J M^-1 J' + softness */
    rls_local_row *local; /* rows: while there are sweeps */
    rls_sweeps sweeps;
    double *best_p;                              /* rows */
    unsigned char *side;                         /* rows: RLS_SIDE_* */
    double *trial_p;                             /* rows */
    double (*start)[6];                          /* bodies: velocity before any impulse */
    double (*trial)[6];                          /* bodies */
    double *bilateral_scratch, *bilateral_trial; /* bilateral rows */
    double cold, tolerance;    /* m/s: residual without impulses, residual that is good enough */
    int at_rest;               /* nothing moves but what the forces of this step set in motion */
    rls_leniency leniency;     /* towards it */
    rls_bounded_residual best; /* of best_p */
    double began;              /* m/s: residual of the start */
    double vain;     /* m/s: that of a start at rest that iterations did not lower, or 0.  A start that
                        has it belongs to the same problem, and nothing is tried again */
    int standing;    /* v, b->p and island->p are those of best_p */
    int multipliers; /* 0: nobody asks for island->p, and it is not found */
    int factorisations;
    int formed; /* 1: the matrix of few rows is that of these rows; it holds for those that say "again" */
    size_t shape[4]; /* bodies, joints, rows and bilateral rows of the block */
    rls_arena block;
};

static inline double rls_clamp (double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* The bounds of a row with the normal impulses p. */
static inline void rls_row_bounds (const rls_bounded *b, const double *p, int r, double *lo, double *hi)
{
    if (b->follow[r] < 0)
    {
        *lo = b->lo[r], *hi = b->hi[r];
        return;
    }
    const double normal = p[b->follow[r]];
    *hi = normal > 0 ? b->hi[r] * normal : 0;
    *lo = -*hi;
}

/* bounded_warm.c: groups the joints of the step (1 done, 0 no memory); takes p of the bounded rows over from
 * the last step; keeps what the step ended with; makes one the same as another (1 done, 0 no memory). */
int rls_warm_group (rls_warm_start *now, const rls_island *island);
void rls_warm_load (rls_warm_start *old, rls_warm_start *now, rls_island *island);
void rls_warm_keep (rls_warm_start *now, const rls_island *island);

/* bounded_wrench.c: the wrench of a group on body 1 of its first joint, about that body's centre of mass; and
 * the smallest impulses on top of p that restore a wrench of the last step. */
void rls_group_wrench (const rls_island *island, const rls_warm_start *w, int group, double wrench[6]);
void rls_spread_wrench (rls_island *island, rls_warm_start *now, int group, const double centre[3],
                        const double wrench[6]);

/* bounded.c: the memory of the solver for an island, made if there is none yet; NULL without memory. */
struct rls_bounded_work *rls_bounded_work_of (rls_island *island);

/* bounded_sides_step.c: diagonals, weights of the bilateral rows; K of the present sides; the step from
 * the centre: p and h_p, and z, where rows would go that are free. */
void rls_sides_weigh_bilateral (struct rls_bounded_work *work);
void rls_sides_factor (const rls_island *island, struct rls_bounded_work *work);
void rls_sides_step (struct rls_bounded_work *work);

/* bounded_residual.c: inverse effective masses, velocities of all rows, impulses within their bounds; the
 * residual of impulses p with their velocities v, or those along the rows. */
void rls_bounded_form_diagonal (const rls_bounded *b, double *diagonal);
void rls_bounded_clamp (const rls_bounded *b, double *p);
void rls_bounded_velocities (const struct rls_bounded_work *work, const rls_bounded *b, const double (*v)[6],
                             double *out);
rls_bounded_residual rls_bounded_measure (const rls_bounded *b, const double *diagonal, const double *p,
                                          const double (*v)[6]);
rls_bounded_residual rls_bounded_measure_rows (const rls_bounded *b, const double *diagonal, const double *p,
                                               const double *velocity);

/* bounded_sweep.c: Gauss-Seidel from b->p and its v, whose residual is now, the bilateral rows satisfied
 * after each sweep: once, with many rows up to so many times for as long as it promises to be enough; it
 * offers where it ends. */
rls_bounded_residual rls_bounded_improve (rls_island *island, struct rls_bounded_work *work,
                                          rls_bounded_residual now, int most, double (*v)[6]);

/*
 * bounded_closed.c: joints closed by halves of solves, beside few rows.  1 if they are, of this island; room
 * for the halves, 1 done, 0 no memory; the residual of the impulses b->p with which a problem begins, whose
 * velocities with the joints closed go to path->origin_w, and v, too, until the matrix is formed; v and
 * island->p of its answer b->p.  The half of a row, and a scratch, for who forms the matrix.
 */
int rls_closed_by_halves (const rls_island *island);
int rls_closed_reserve (const rls_island *island, struct rls_bounded_work *work);
rls_bounded_residual rls_closed_begin (rls_island *island, double (*v)[6]);
void rls_closed_complete (rls_island *island, double (*v)[6]);
double *rls_closed_half (const rls_island *island, const struct rls_bounded_work *work, int row);
double *rls_closed_weighed (const rls_island *island, const struct rls_bounded_work *work);

/* bounded_bilateral.c: makes v satisfy the bilateral rows and counts what that takes into p; the same without
 * a count. */
void rls_bounded_bilateral (const rls_island *island, double *scratch, double *p, double (*v)[6]);
void rls_bounded_close (const rls_island *island, double *scratch, double (*v)[6]);

/* bounded_newton.c: K = M and the bilateral rows, once for the step; w and J v of the bilateral rows at v;
 * the force of a step that no bounded row changes, J_b' q - M (v - start) with q the bilateral impulses that
 * would be if v stayed; island->p after the fraction x of the step dv; v for given bounded impulses, with the
 * bilateral ones completed. */
void rls_newton_start (const rls_island *island, struct rls_bounded_work *work);
void rls_newton_velocities (const rls_island *island, struct rls_bounded_work *work, const double (*v)[6]);
void rls_newton_base (const rls_island *island, struct rls_bounded_work *work, const double (*v)[6]);
void rls_newton_bilateral (rls_island *island, struct rls_bounded_work *work, double x);
void rls_bounded_complete (const rls_island *island, const struct rls_bounded_work *work, const double *p,
                           double *bilateral_p, double (*v)[6]);

/* bounded_lemke.c: the matrix of the rows, the joints closed; complementary pivoting from b->p or from none
 * until rounding is left, in a matrix of the rows; path->origin are impulses of nothing and path->origin_w
 * the velocities along the rows with them.  b->p, island->p and v are its own. */
void rls_lemke_form (const rls_island *island, struct rls_bounded_work *work);
void rls_lemke_solve (rls_island *island, struct rls_bounded_work *work, double (*v)[6]);

/* bounded_interior.c: at most so many iterations from the impulses b->p, island->p and their velocities v,
 * which it overwrites, beginning with the barrier t; its iterates are offered, the last one stays in trial_p.
 * work->tolerance grows when it takes long. */
void rls_interior_solve (rls_island *island, struct rls_bounded_work *work, double t, int iterations,
                         double (*v)[6]);

/* bounded.c: the last digits of b->p, island->p and v, if their sides are right: down to a residual, for one
 * factorisation. */
rls_bounded_residual rls_bounded_last_digits (rls_island *island, double tolerance, double (*v)[6]);

/* bounded.c: keeps impulses p with their residual if they are better than the best so far.  v and
 * island->p are theirs unless they are trial_p. */
void rls_bounded_offer (struct rls_bounded_work *work, const double *p, const rls_bounded_residual *now);

/*
 * bounded_barrier.c: which bounds the rows have; slacks and duals at b->p and in->w for a barrier t; the rows
 * in K; the force of a step towards s z = t / D - second; dp and dw from dv; the mean of D s z after the
 * fraction x of a step; that step taken; the impulses with every row either at a bound or free.
 */
enum
{
    RLS_AIM_STRAIGHT = 0, /* no second-order term: the predictor */
    RLS_AIM_SECOND        /* second is the product of the last step's changes */
};
void rls_barrier_classify (const rls_island *island, struct rls_bounded_work *work);
void rls_centre (double slack, double w, double D, double t, double *s, double *z);
void rls_barrier_start (const rls_bounded *b, rls_interior *in);
void rls_barrier_centre (const rls_bounded *b, rls_interior *in, double t);
void rls_barrier_eliminate (const rls_bounded *b, rls_interior *in, rls_body_space *space);
typedef struct
{
    int aim;
    double t;
} rls_aim;
void rls_barrier_push (const rls_bounded *b, rls_interior *in, const rls_aim *aim, double (*force)[6]);
rls_step rls_barrier_pull (const rls_bounded *b, rls_interior *in, const double (*dv)[6]);
double rls_barrier_mean (const rls_interior *in, const rls_step *step, double x);
void rls_barrier_take (rls_bounded *b, rls_interior *in, const rls_step *step, double x);
void rls_barrier_round (const rls_bounded *b, const rls_interior *in, double *p);

/* bounded_contact.c: the part of contacts in each of these. */
int rls_contact_is_wrench (const rls_island *island, int joint);
void rls_contacts_list (const rls_island *island, rls_interior *in, const rls_body_space *space);
void rls_contacts_start (const rls_bounded *b, rls_interior *in);
void rls_contacts_centre (rls_interior *in, double t);
void rls_contacts_eliminate (rls_interior *in, rls_body_space *space);
void rls_contacts_push (rls_interior *in, const rls_aim *aim, double (*force)[6]);
void rls_contacts_pull (rls_interior *in, const double (*dv)[6], rls_step *step);
void rls_contacts_take (rls_interior *in, double x);
void rls_contacts_round (const rls_interior *in, double *p);

#endif
