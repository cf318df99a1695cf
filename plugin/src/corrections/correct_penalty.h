/*
 * Penalties and multipliers, as both augmented Lagrangian methods use them (section 10 of method.md).
 *
 * A constraint with penalty alpha (N/m) adds alpha H' e to the forces, where e is minus the violation.  In
 * terms of impulses this is an imperfect row, H x + sigma^2 p = e, with sigma^2 = 1 / (alpha times a factor
 * of the integration rule).  Its factorisation never has a zero pivot, so no rank decisions are made, and
 * redundant rows share the load.  Adding up the multipliers over a few iterations gives the result of a hard
 * constraint, if there is one.
 */
#ifndef RLS_CORRECT_PENALTY_H
#define RLS_CORRECT_PENALTY_H

#include "integrators/cayley.h"
#include "integrators/mixing.h"

/* What the acceleration of a body depends on besides its pose. */
typedef struct
{
    double v[6], force[6], mass, inertia[9], gyroscopic;
} rls_body_motion;

typedef struct
{
    double penalty; /* N/m; 0: chosen for each row relative to its mass */
    int project;    /* 1: velocities (augmented: and accelerations) are projected */

    /* kept from step to step */
    double clearance;    /* the largest of the steps' least relative pivots, which is that of the rows
                            away from singular configurations */
    int history;         /* 1: multiplier and a are those of the end of the last step */
    double *multiplier;  /* rows: forces (N or N m) */
    double (*a)[6];      /* bodies: accelerations at the end, linear in world, angular in body axes */
    rls_pose *last_pose; /* bodies: where the last step ended, */
    rls_body_motion *last_motion; /* and what a depends on there */

    /* of one step */
    int bodies, rows;
    int pass;    /* iterations so far */
    int renew;   /* 1: this iteration needs a new factor */
    int mix;     /* 1: the iteration is slow; Anderson's mixing is to be used */
    double last; /* m or rad: residual of the last iteration */
    rls_mixing mixing;
    double (*a0)[6];        /* bodies: accelerations at the beginning, in the axes of a */
    double (*y)[6];         /* bodies: residual of the equations of motion, divided by mass */
    double (*d)[6];         /* bodies: displacements, or steps of an iteration */
    double *x, *wanted;     /* scratch: rows */
    rls_constraints middle; /* conserving: the discrete derivative of the rows, between beginning and end */
    rls_rows first;         /* conserving, in pieces: rows at the beginning of the step, */
    rls_motion first_state; /* and the state there */
    rls_arena block;
} rls_penalty;

/* Makes room for the island; if its size has changed, what was kept is forgotten.  Returns 1, or 0 without
 * memory. */
int rls_penalty_prepare (rls_penalty *work, const rls_island *island);

/* Begins a step: multipliers and accelerations are forgotten if it does not begin where the last one
 * ended. */
void rls_penalty_begin (rls_penalty *work, const rls_island *island);

/* Ends a step of h (s): sets reactions and where the step ended.  at: the rows that the multipliers act
 * along. */
void rls_penalty_end (rls_penalty *work, rls_island *island, double h, const rls_constraints *at);

/* Resets pass, last and mixing before an iteration. */
void rls_penalty_iterate (rls_penalty *work);

/* Judges the residual (m or rad) of an iterate: returns 1 if the iteration is to end, 0 if another pass is
 * worth it; then renew and mix say how. */
int rls_penalty_judge (rls_penalty *work, const rls_island *island, double residual);

/*
 * Makes all rows imperfect, with sigma^2 = 1 / (penalty x scale), and factors them with the present W.  scale
 * (s^2): the displacement by a unit of acceleration under the integration rule.  If work.penalty is 0, each
 * row gets the same small imperfection relative to its mass, whatever the step.  Rows that decision (NULL:
 * none) calls redundant are left almost free.  Returns as rls_factor_rows.
 */
rls_outcome rls_penalty_factor (const rls_penalty *work, rls_island *island, rls_constraints *at,
                                double scale, const unsigned char *decision);

/* The mass-orthogonal projection of next.v onto H v = y at the end of the step, to rounding or as far as it
 * converges: by imperfect rows (scale as above) whose multipliers are added up.  Returns RLS_DONE,
 * RLS_NO_MEMORY or RLS_FAILED. */
rls_outcome rls_penalty_project (rls_penalty *work, rls_island *island, double scale);

/* ---- the methods (correct_augmented.c, correct_conserving.c) ---- */

/* Take a step of h (s) from state.pose and state.v, with begin.rows and begin.factor of the beginning.  Write
 * next.pose, next.v and the reactions.  Return RLS_DONE, RLS_NO_MEMORY, RLS_FAILED when a value is not
 * finite, or RLS_ANOTHER_WAY if the iterations do not converge: then there is no result. */
rls_outcome rls_augmented_step (rls_penalty *work, rls_island *island, double h);
rls_outcome rls_conserving_step (rls_penalty *work, rls_island *island, double h);

#endif
