/*
 * Bilateral and bounded rows together, by the sides of the bounded ones: the solver for what is nearly known.
 *
 * Looks for impulses p (bounded) and lambda (bilateral) with
 *
 *     v = v_free + M^-1 (H' lambda + J' p)
 *     0 = H_look v + sigma^2 lambda - target            bilateral rows that are not redundant
 *     w = J_look v + softness p - target                bounded rows:
 *         lo <= p <= hi,   w = 0 between,  w >= 0 at lo,  w <= 0 at hi
 *
 * where friction has -mu and mu times the present impulse of its normal as its bounds.  H and J are the
 * directions along which impulses act, H_look and J_look those along which velocities count; they are the
 * same unless a problem says otherwise, as Newton's method for positions does.
 *
 * A row is on one of three sides: at its low bound, at its high one, or free between them.  Given sides make
 * the problem linear.  It is solved in body space (body_space.h) with a proximal term on the impulses,
 * centred at those that it begins with, so that of the many answers of redundant contacts the nearest one
 * comes out; rows that it sends beyond a bound or back change sides, and it is solved again.  This is
 * Newton's method for the augmented Lagrangian (the proximal method of multipliers: Rockafellar, Augmented
 * Lagrangians and applications of the proximal point algorithm in convex programming, 1976; in contact, Alart
 * & Curnier, A mixed formulation for frictional contact problems prone to Newton like solution methods,
 * 1991).  Where the sides are right that is one factorisation and one solve or two; where a few hundred of
 * ten thousand are wrong it is three to five.  Where most are wrong it leads nowhere, which it notices.
 */
#ifndef RLS_BOUNDED_SIDES_H
#define RLS_BOUNDED_SIDES_H

#include "island/island.h"

/* On which side of its bounds a row is. */
enum
{
    RLS_SIDE_NONE = 0, /* it moves nothing, has no room between its bounds, or its normal does not push */
    RLS_SIDE_LOW,
    RLS_SIDE_FREE,
    RLS_SIDE_HIGH
};

typedef struct
{
    const rls_pose *pose;          /* bodies: where they turn their inertia; W of rows is taken there too */
    const rls_rows *rows;          /* bilateral: H, sigma2, target */
    const rls_rows *rows_look;     /* bilateral: H_look (the rest is not read), or NULL: rows */
    const unsigned char *decision; /* bilateral: RLS_REDUNDANT ones stay out, see factor.h */
    const rls_bounded
        *bounded; /* J, Y = M^-1 J', softness, target, bounds; topology that of island->bounded */
    const rls_row *bounded_look; /* bounded: J_look, or NULL: J */
    double tolerance;            /* m/s: of the natural map |D p - clamp (D p - w)|, D = J_look M^-1 J' */
    int factorisations;          /* at most so many; */
    double enough, growth; /* m/s: after the first it need be no better than this, and after each more than
                              that many times as much */
    double term;     /* proximal, of the bounded rows' D, to begin with.  1e-4 finds the sides of thousands
                        of rows soonest; with 1e-9 right sides leave nothing but rounding */
    int start_sides; /* 1: answer.side says where the rows are; 0: impulses and velocities do */
} rls_sides_problem;

typedef struct
{
    double (*v)[6];      /* bodies: v_free, then the answer */
    double *p, *lambda;  /* impulses to start with (N s), then the answer */
    unsigned char *side; /* bounded rows: RLS_SIDE_*, then those of the answer */
    double residual;     /* m/s: the largest natural map, and the largest error of a bilateral row */
    int solved;          /* 1: no larger than what was asked for */
    int factorisations, solutions; /* what it took */
} rls_sides_answer;

/*
 * Solves a problem of the island from the impulses in answer.p and answer.lambda.  Where that does not lead
 * to the tolerance the best impulses on the way are the answer.  Returns 1, or 0 when memory is short (the
 * answer then is as it was).
 *
 * The factor stays, and is tried first where as many rows are on the same sides in the next problem of the
 * island: it is exact where only targets or v_free have changed, and good enough where bodies have hardly
 * moved.  What has moved more shows in the residual, and then K is factored anew.
 */
int rls_sides_solve (rls_island *island, const rls_sides_problem *problem, rls_sides_answer *answer);

#endif
