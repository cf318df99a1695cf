/*
 * What the files of the bounded solver share: its workspace, and the functions that one file offers to the
 * others.
 *
 *     bounded.c            the choice among the solvers
 *     bounded_start.c      what a problem starts from
 *     bounded_memory.c     the memory of all this
 *     bounded_warm.c       impulses of the last step, found again by joint and contact point
 *     bounded_wrench.c     and spread over contacts that were not there before
 *     contact_rows.c       rows of contacts at the end of a step
 *     bounded_residual.c   velocities along the rows, the residual, what counts as rounding
 *     bounded_closed.c     the same for few rows, by half a solve
 *     bounded_lemke.c      complementary pivoting where rows are few (lemke.c, lemke_blocks.c)
 *     bounded_sweep.c      projected Gauss-Seidel
 *     bounded_newton.c     what the two kinds of Newton steps share; bilateral impulses beside bounded ones
 *     bounded_sides.c      Newton's method on the sides of the rows
 *     bounded_interior.c   the interior-point method
 *     bounded_barrier.c    its slacks and duals (bounded_barrier.h)
 *     body_*.c             the matrix K = M + sum of weight J' J of both, and its sparse factor
 */
#ifndef RLS_BOUNDED_WORK_H
#define RLS_BOUNDED_WORK_H

#include "bounded.h"
#include "bounded_barrier.h"
#include "contact_rows.h"
#include "lemke_blocks.h"

#define RLS_SIZES 4         /* numbers that the arrays of a problem are laid out for */
#define RLS_STIRRED_LONG 16 /* such an island has been stirred for that many steps */
#define RLS_MOST_LOCAL 6    /* rows of a joint; no joint of ODE has more */

/*
 * The bounded joints of a step in groups of one key, and the impulses that the step ended with.  A limit or
 * motor is a group by itself, all contacts of two bodies are one.  There are two of these, of the last step
 * and of the present one.
 */
typedef struct
{
    int joints, rows, groups;
    size_t slots; /* of the hash table: groups by key */
    int *slot;
    uint64_t *group_key;    /* groups: the key */
    int *first, *last;      /* groups: the first and last joint */
    double (*centre)[3];    /* groups: centre of mass of body 1 of the first joint (m) */
    int *next;              /* joints: the next one of the group, or -1 */
    int *body1;             /* joints: which body of the island body 1 is */
    int *row0;              /* joints + 1 */
    double (*arm)[2][3];    /* joints: the contact point from the centres of both bodies, in their axes (m) */
    double (*lever)[2][3];  /* joints: the same in world axes; both from body 1 where body 2 is the world */
    unsigned char *taken;   /* joints: 1 if a joint of the next step has taken its impulses over */
    unsigned char *held;    /* rows: 1 if at a bound while a wrench is spread */
    rls_row *J;             /* rows */
    double *p;              /* rows: impulses (N s) */
    double *later;          /* joints: as in rls_bounded */
    double *late, *pressed; /* joints: of the depth of compliant contacts what no load has pressed in, and the
                               rest (m); of hard ones pressed is the depth; where a stop is, and the rate at
                               which it was moved */
    rls_arena block;
} rls_warm_start;

/*
 * How far an iterate is from the answer.  The natural map of a row is |p - clamp (p - w / D)|, with the clamp
 * to its bounds: zero exactly where the row's conditions hold.
 */
typedef struct
{
    double velocity; /* m/s: the largest of D times it */
    double drives;   /* m/s: the largest of drives */
    double mean;     /* m/s: the root of the mean square of D times it */
    double impulse;  /* N s: the largest of it */
    double largest;  /* N s: the largest |p| */
} rls_bounded_residual;

/* What is asked of the method on the sides of the rows. */
typedef struct
{
    double tolerance;      /* m/s: residual that is good enough; */
    int factorisations;    /* at most so many; */
    double enough, growth; /* m/s: after the first it need be no better than this, and after each more than
                              that many times as much */
    int pulls;             /* 1: of many answers one with small impulses of contacts and stops */
    int drives;            /* 1: other rows keep their impulses, and only drives are judged */
    double term; /* proximal, of the bounded rows' D, to begin with.  1e-4 finds the sides of thousands of
                    rows soonest after a good start; with 1e-9 right sides leave nothing but rounding */
} rls_sides_demand;

/* The method on the sides of the rows; see bounded_sides.c. */
typedef struct
{
    int rows, bilateral_rows, bodies;
    double term;               /* proximal term of the bounded rows, a share of their D */
    double *weight, *coupling; /* rows: 1 / resistance of free ones; -mu or mu of friction that slides */
    double *centre, *w;        /* rows: impulses of the proximal centre; J v + softness p - target there */
    double *q, *p, *z, *best;  /* rows: of a step, see find_step; impulses of the best iterate */
    double *h_centre, *h_w, *h_p, *h_next, *h_best; /* bilateral rows: the same */
    double (*dv)[6];                                /* bodies */
    int pulls;       /* 1: the first answer is looked for, for which contacts and stops are drawn to 0 */
    int drives;      /* 1: rows other than drives keep the impulses of the centre */
    double residual; /* m/s: of the best iterate, errors of the bilateral rows included */
    unsigned char *side, *next, *factored; /* rows: RLS_SIDE_* now, after a step, of the factor */
    double factored_term;                  /* the proximal term of the factor */
    long factor; /* the version of the body space (rls_body_space.versions) that is the factor */
    rls_arena block;
} rls_sides;

/* What a Gauss-Seidel sweep needs of a row; see bounded_sweep.c. */
typedef struct
{
    double inverse;                    /* 1 / D, 0 for a row that moves nothing */
    double before[RLS_MOST_LOCAL - 1]; /* change of its velocity by a unit impulse along each earlier row of
                                          its joint */
} rls_local_row;

/* Impulses and velocities before a sweep, and the direction (d...) in which the last ones were changed. */
typedef struct
{
    double *p, *dp;           /* rows */
    double *q, *dq;           /* bilateral rows */
    double (*v)[6], (*dv)[6]; /* bodies */
} rls_sweeps;

/* What the bounded solver keeps of an island from step to step. */
struct rls_bounded_kept
{
    rls_warm_start warm[2]; /* warm[turn] of the present step, warm[1 - turn] of the last one */
    int turn;
    rls_contact_history past;
    rls_body_space space;
    rls_sides sides;
    int answered;         /* 1: the last problem was answered by what it started from; see rls_lemke_solve */
    int failing, pausing; /* how often in a row good impulses could not be improved; problems in which that is
                             not tried */
    int stirred;          /* at most RLS_STIRRED_LONG; grows with each step that stirs the island */
    double not_lowered; /* m/s: residual of a start at rest that iterations did not lower, or 0.  A start with
                           this residual belongs to the same problem, which is not tried again */
};

/* The arrays of a problem.  No problem relies on what an earlier one with other rows has left in them, so
 * they serve one island after the other. */
struct rls_bounded_work
{
    /* the methods */
    rls_interior interior;
    rls_lemke path;
    rls_lemke_blocks blocks;
    rls_sweeps sweeps;

    /* a problem */
    rls_rows rows;        /* the bounded rows as rls_rows, for products with velocities */
    double *diagonal;     /* rows: inverse effective mass D = J M^-1 J' + softness (1/kg); in many
                             rows that of drives and stops that rebound is with the joints closed */
    rls_local_row *local; /* rows: see bounded_sweep.c */
    double *best_p;       /* rows: impulses of the best iterate */
    double *trial_p;      /* rows: impulses that are measured */
    double (*start)[6];   /* bodies: velocity without impulses */
    double (*trial)[6];   /* bodies: velocity with trial_p */
    double *bilateral_scratch, *bilateral_trial; /* bilateral rows */
    double cold, tolerance;    /* m/s: residual without impulses; residual that is good enough */
    double least_cold;         /* m/s: the least residual without impulses of problems with these rows */
    double rounding;           /* m/s: of the rows' velocities, at rest; 0 where it is not known */
    int at_rest;               /* 1: nothing moves but what the forces of this step set in motion */
    rls_bounded_residual best; /* of best_p */
    double start_residual;     /* m/s: of the impulses of the last step */
    int holds_best;            /* 1: v, b->p and island->reactions.p are those of best_p */
    int multipliers;           /* 0: nobody asks for the bilateral impulses, and they are not found */
    int factorisations;
    int started; /* 1: rls_newton_start has been called for this problem */
    int formed;  /* 1: the matrix of few rows is that of these rows; it holds for problems that say "again" */
    size_t room[RLS_SIZES]; /* bodies, joints, rows and bilateral rows that the block has room for */
    rls_arena block;
};

static inline double rls_clamp (double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* The bounds (N s) of row r beside the impulses p of all rows: those of friction depend on its normal's. */
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

/* ---- bounded_memory.c ---- */

/* What is kept of an island, and the arrays for a problem with its present rows.  Either is made if there is
 * none yet.  NULL without memory. */
struct rls_bounded_kept *rls_bounded_kept_of (rls_island *island);
struct rls_bounded_work *rls_bounded_reserve (rls_island *island);

/* ---- bounded_start.c ---- */

/* Sets up the workspace for a problem with the velocities v before any impulse.  Returns 1, or 0 without
 * memory. */
int rls_bounded_prepare (rls_island *island, const rls_bounded_settings *settings, const double (*v)[6]);

/* Sets b->p to no impulses (zero, clamped to the bounds) and *nothing to their residual.  pivots: the rows
 * are pivoted if that residual is too large, and path->origin and origin_w are set.  v is then overwritten.
 * Returns 1, or 0 without memory. */
int rls_bounded_without (rls_island *island, int pivots, double (*v)[6], rls_bounded_residual *nothing);

/* Sets b->p to the impulses to start from: those of the last answer, those of the settings, or none. */
void rls_bounded_load (rls_island *island, const rls_bounded_settings *settings);

/* The same, replaced by no impulses, whose residual is nothing, where they are far worse, and improved by
 * sweeps where they are not close.  Offers them; returns their residual, and their velocities in v. */
rls_bounded_residual rls_bounded_begin (rls_island *island, const rls_bounded_settings *settings,
                                        const rls_bounded_residual *nothing, double (*v)[6]);

/* ---- bounded_warm.c ---- */

/* The contact point of joint j from the centres of both bodies (m): arm in their axes, from the origin where
 * body 2 is the world; lever in world axes, from body 1 where body 2 is the world. */
void rls_contact_place (const rls_island *island, int j, double arm[2][3], double lever[2][3]);

/* Groups the bounded joints of the present step by key.  Returns 1, or 0 without memory. */
int rls_warm_group (rls_warm_start *now, const rls_island *island);

/* Sets b->p to the impulses of the last step.  Returns 1 if this step stirs the island: many pairs of bodies
 * touch at other points than in the last one, or no more. */
int rls_warm_load (rls_warm_start *old, rls_warm_start *now, rls_island *island);

/* Keeps the rows and b->p for the next step. */
void rls_warm_keep (rls_warm_start *now, const rls_island *island);

/* ---- bounded_wrench.c ---- */

/* Adds to b->p the smallest impulses with which the group has the wrench of its old group again. */
void rls_spread_wrench (rls_island *island, rls_warm_start *now, int group, const rls_warm_start *old,
                        int old_group);

/* ---- bounded_residual.c ---- */

/* Inverse effective masses D of the rows (1/kg); 0 for rows that move nothing. */
void rls_bounded_form_diagonal (const rls_bounded *b, double *diagonal);

/* Clamps the impulses p to their bounds; normals come before the friction that they bound. */
void rls_bounded_clamp (const rls_bounded *b, double *p);

/* out (rows) = J v, the velocities along the rows. */
void rls_bounded_velocities (const struct rls_bounded_work *work, const rls_bounded *b, const double (*v)[6],
                             double *out);

/* The residual of the impulses p with their velocities: v of the bodies, or velocity along the rows. */
rls_bounded_residual rls_bounded_measure (const rls_bounded *b, const double *diagonal, const double *p,
                                          const double (*v)[6]);
rls_bounded_residual rls_bounded_measure_rows (const rls_bounded *b, const double *diagonal, const double *p,
                                               const double *velocity);

/* The largest velocity of a bounded row as the step begins (m/s).  Overwrites trial_p. */
double rls_bounded_fastest_row (const rls_island *island);

/* What rounding leaves of the rows' velocities without impulses, or of a velocity change kick (m/s). */
double rls_bounded_rounding (const rls_island *island, double kick);

/* ---- bounded_sweep.c ---- */

/*
 * Gauss-Seidel from b->p and its velocities v, whose residual is now, with the joints closed after each
 * sweep: eight sweeps of few rows; of many up to most times eight, as long as the rate of convergence
 * promises the tolerance.  Offers what it ends with and returns its residual.
 */
rls_bounded_residual rls_bounded_improve (rls_island *island, struct rls_bounded_work *work,
                                          rls_bounded_residual now, int most, double (*v)[6]);

/* ---- bounded_newton.c: bilateral impulses ---- */

/* Makes v satisfy the bilateral rows beside the bounded impulses it has, and adds the bilateral impulses of
 * that to p (N s).  scratch has an element for each bilateral row. */
void rls_bounded_bilateral (const rls_island *island, double *scratch, double *p, double (*v)[6]);

/* ---- bounded_closed.c ---- */

/* True if the joints of this island are closed by half solves. */
int rls_closed_by_halves (const rls_island *island);

/* Room for the halves.  Returns 1, or 0 without memory. */
int rls_closed_reserve (const rls_island *island, struct rls_bounded_work *work);

/* The residual of the impulses b->p with which a problem begins.  path->origin_w receives their velocities
 * along the rows, with the joints closed; v those of the bodies, closed only if the matrix is not formed. */
rls_bounded_residual rls_closed_begin (rls_island *island, double (*v)[6]);

/* v and the bilateral impulses of the answer b->p. */
void rls_closed_complete (rls_island *island, double (*v)[6]);

/* The half X of a row, or one of these, which are of the same length. */
enum
{
    RLS_HALF_WEIGHED = -2, /* D^-1 times a half, and scratch */
    RLS_HALF_WANTED        /* y */
};
double *rls_closed_half (const rls_island *island, const struct rls_bounded_work *work, int row);

/* ---- bounded_newton.c ---- */

/* Makes the body space fit the island, and finds weights of the bilateral rows (in->bilateral_weight, kg): so
 * large beside their inverse effective mass that the rows are as good as hard; 0 for redundant ones.  Returns
 * 1, or 0 without memory. */
int rls_newton_begin (const rls_island *island, struct rls_bounded_work *work);

/* Forms and keeps K = M + bilateral rows, once for a problem. */
void rls_newton_start (const rls_island *island, struct rls_bounded_work *work);

/* K += the rows of joint j with these weights (rows; kg).  An impulse of a normal takes along coupling (rows)
 * times that of its friction. */
void rls_newton_add (rls_body_space *space, const rls_bounded *b, int j, const double *weight,
                     const double *coupling);

/* Sets in->bilateral_w = H v and in->w = J v + softness p - target. */
void rls_newton_velocities (const rls_island *island, struct rls_bounded_work *work, const double (*v)[6]);

/* Sets in->base = H' q - M (v - start), the force of a step that no bounded row changes.  q are the bilateral
 * impulses that would follow if v stayed as it is (in->bilateral_q). */
void rls_newton_base (const rls_island *island, struct rls_bounded_work *work, const double (*v)[6]);

/* Takes the bilateral impulses and velocities along the fraction x of the step in->dv. */
void rls_newton_bilateral (rls_island *island, struct rls_bounded_work *work, double x);

/* v with the bounded impulses p and the bilateral impulses beside them, which start from bilateral_p. */
void rls_bounded_complete (const rls_island *island, const struct rls_bounded_work *work, const double *p,
                           double *bilateral_p, double (*v)[6]);

/* The same for b->p and island->reactions.p.  Returns their residual. */
rls_bounded_residual rls_bounded_evaluate (rls_island *island, double (*v)[6]);

/* ---- bounded_lemke.c ---- */

/* Forms the matrix of few rows: what a unit impulse along each does to the velocities along all of them, with
 * the joints closed. */
void rls_lemke_form (const rls_island *island, struct rls_bounded_work *work);

/* Complementary pivoting in that matrix, from b->p or from no impulses, until rounding is left.  Needs
 * path->origin, which are no impulses, and path->origin_w, their velocities.  Offers what it finds and
 * overwrites b->p, island->reactions.p and v. */
void rls_lemke_solve (rls_island *island, struct rls_bounded_work *work, double (*v)[6]);

/* ---- bounded_sides.c ---- */

/*
 * Looks for b->p and island->reactions.p, from what they are, by the sides of the bounded rows; v: their
 * velocities.  Where that does not lead to what is asked (*solved) the best impulses on the way are the
 * answer.  Returns 1, or 0 without memory (the impulses then are as they were).
 *
 * The factor stays, and is tried first where as many rows are on the same sides in the next problem of the
 * island: it is exact where only targets or velocities have changed, and good enough where bodies have hardly
 * moved.  What has moved more shows in the residual, and then K is factored anew.
 */
int rls_sides_solve (rls_island *island, const rls_sides_demand *asked, double (*v)[6], int *solved);

/* ---- bounded_interior.c ---- */

/* At most so many interior-point iterations from the barrier t ((m/s)^2) and the impulses b->p and
 * island->reactions.p with their velocities v, which it overwrites.  Offers its iterates; the last one stays
 * in trial_p.  Raises work->tolerance where it takes long. */
void rls_interior_solve (rls_island *island, struct rls_bounded_work *work, double t, int iterations,
                         double (*v)[6]);

/* ---- bounded.c ---- */

/* Keeps the impulses p if their residual now is lower than the best so far.  v and island->reactions.p are
 * taken to be theirs, unless p is trial_p. */
void rls_bounded_offer (struct rls_bounded_work *work, const double *p, const rls_bounded_residual *now);

#endif
