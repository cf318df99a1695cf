/*
 * The interior-point method's data, and what bounded_barrier.c, which has slacks and duals of the rows,
 * offers to bounded_interior.c, which has the equations.
 */
#ifndef RLS_BOUNDED_BARRIER_H
#define RLS_BOUNDED_BARRIER_H

#include "body_space.h"

struct rls_bounded_work;

/* Which bounds a row has; RLS_ROW_DEAD ones have no impulse. */
enum
{
    RLS_ROW_LOW = 1,
    RLS_ROW_HIGH = 2,
    RLS_ROW_FRICTION = 4, /* both, at -mu and mu times the impulse of its normal */
    RLS_ROW_DEAD = 8      /* it moves nothing, or has no room between its bounds */
};

/* One bound of a row: see bounded_barrier.c. */
typedef struct
{
    double s, z;   /* slack (N s) and dual (m/s) */
    double ratio;  /* z / s */
    double aim;    /* the dual after the step if the impulses stayed as they are */
    double off;    /* by how much the slack of the present impulses is more than s */
    double ds, dz; /* changes in a whole step */
} rls_barrier;

typedef struct
{
    unsigned char *contact;    /* joints: 1 for a normal and two rows of friction with it, all wrenches */
    unsigned char *kind;       /* rows: RLS_ROW_* */
    double *scale;             /* rows: D, the inverse effective mass; 1 for rows that are dead */
    double *resistance;        /* rows: softness, or the proximal term where that is larger (1/kg) */
    rls_barrier (*bound)[2];   /* rows: of the low bound, of the high one */
    int bounds;                /* how many bounds there are */
    double t;                  /* (m/s)^2: the barrier, the mean of D s z */
    double *weight, *coupling; /* rows: what elimination leaves of the joints' matrices B */
    double *w;                 /* rows: J v + softness p - target */
    double *rhs, *dp, *dw;     /* rows: right-hand side, changes of p and w in a whole step */
    double *bilateral_weight;  /* bilateral rows: 1 / (sigma^2 + eps), 0 for redundant ones */
    double *bilateral_w;       /* bilateral rows: J v */
    double *bilateral_q; /* bilateral rows: impulses that would follow if velocities stayed as they are */
    double (*dv)[6],
        (*base)[6]; /* bodies: change of velocity; part of the step's force that no barrier changes */
} rls_interior;

/* What a Newton step does to slacks and duals. */
typedef struct
{
    double whole;         /* the largest fraction of it, at most 1, that keeps all of them positive */
    double first, second; /* sums over all bounds of D (s dz + z ds) and of D ds dz */
} rls_step;

/* ---- bounded_barrier.c ---- */

/* Finds which bounds the rows have, and which joints are contacts. */
void rls_barrier_classify (const rls_island *island, struct rls_bounded_work *work);

/* Slacks and duals of all bounds on the central path of t, at b->p and in->w. */
void rls_barrier_centre (const rls_bounded *b, rls_interior *in, double t);

/* Eliminates slacks, duals and impulses and adds what is left of the rows to K. */
void rls_barrier_eliminate (const rls_island *island, rls_interior *in, rls_body_space *space);

/* Adds to force (bodies) the share of the bounded rows in the right-hand side of a step to s z = t / D.  t =
 * 0 is the predictor; otherwise the product of its changes, which are there, is the second-order term. */
void rls_barrier_push (struct rls_bounded_work *work, const rls_bounded *b, double t, double (*force)[6]);

/* Finds the changes of impulses and row velocities, in->dp and in->dw, that belong to dv. */
rls_step rls_barrier_pull (struct rls_bounded_work *work, const rls_bounded *b, const double (*dv)[6]);

/* The barrier after the fraction x of a step; and that fraction taken. */
double rls_barrier_mean (const rls_interior *in, const rls_step *step, double x);
void rls_barrier_take (rls_bounded *b, rls_interior *in, const rls_step *step, double x);

/* p (rows) = the impulses, with those of active bounds put exactly there. */
void rls_barrier_round (const rls_bounded *b, const rls_interior *in, double *p);

#endif
