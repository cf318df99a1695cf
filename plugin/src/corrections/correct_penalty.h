/*
 * Penalties and multipliers: what the augmented Lagrangian methods share.
 *
 * A constraint with penalty alpha (N/m) adds alpha H' e to the forces, e being what is left to close.
 * Moved by an impulse through a mass this is an imperfect row of the same recursion: H x + sigma^2 p = e with
 * sigma^2 = 1 / (alpha times a factor of the integration rule).  Its factorisation never has a zero pivot,
 * so no decision on the rank is made: redundant rows share the load, and multipliers that are added up
 * over a few iterations make the answer that of a hard constraint wherever there is one.
 */
#ifndef RLS_CORRECT_PENALTY_H
#define RLS_CORRECT_PENALTY_H

#include "integrators/cayley.h"
#include "integrators/mixing.h"
#include "island/curvature.h"

/* What the acceleration of a body belongs to, besides its pose. */
typedef struct
{
    double v[6], force[6], mass, inertia[9], gyroscopic;
} rls_body_motion;

typedef struct
{
    double penalty; /* N/m; 0: by row, relative to its mass */
    int project;    /* velocities are projected at the end of the step, accelerations at the beginning */

    /* kept from step to step */
    double clearance;             /* largest of the steps' least relative pivots: that of the rows away from
                                     singular configurations */
    int history;                  /* 1: multiplier and a are those of the end of the last step */
    double *multiplier;           /* rows: forces (N or N m) */
    double (*a)[6];               /* accelerations at the end: linear in world axes, angular in body axes */
    rls_pose *last_pose;          /* where the last step ended */
    rls_body_motion *last_motion; /* bodies: what a belongs to there */

    /* of one step */
    int bodies, rows;
    int pass;    /* of its iteration; 0: the first one */
    int renew;   /* the factor is to be made anew in this pass */
    int mix;     /* the step is to be mixed with those of earlier passes, which were slow */
    double last; /* residual of the last pass */
    rls_mixing mixing;
    rls_spin *spin;
    double (*a0)[6];        /* accelerations at the beginning, as a */
    double (*y)[6];         /* residual of the equations of motion, divided by mass */
    double (*d)[6];         /* scratch: displacements */
    double *x, *wanted;     /* scratch: rows */
    rls_rows middle;        /* rows between beginning and end */
    rls_rows first;         /* of a step in pieces: rows of its beginning, */
    rls_motion first_state; /* and the state there */
    rls_factor factor;      /* of the middle */
    rls_curvature curvature;
    rls_arena block;
} rls_penalty;

/* Makes room for the island; what was kept is forgotten if its size changed.  1 done, 0 no memory. */
int rls_penalty_prepare (rls_penalty *work, const rls_island *island);

/* Forgets multipliers and accelerations if the step does not begin where the last one ended. */
void rls_penalty_begin (rls_penalty *work, const rls_island *island);

/* Records where the step ended, and along which rows the multipliers acted in it. */
void rls_penalty_end (rls_penalty *work, rls_island *island, double h, const rls_rows *rows,
                      const rls_factor *factor);

/* Begins an iteration for the multipliers with the velocities or accelerations. */
void rls_penalty_iterate (rls_penalty *work);

/*
 * Judges the residual (m or rad) of a pass: 1 if the iteration has come to its end, 0 if another pass is
 * worth it, with renew set if its factor is to be made anew.
 */
int rls_penalty_judge (rls_penalty *work, const rls_island *island, double residual);

/*
 * Makes all rows imperfect with sigma^2 = 1 / (penalty x scale) and factors them with the present W.  scale
 * (s^2): what a unit of acceleration moves under the integration rule.  Without a penalty of its own a row
 * gets one that leaves it the same small imperfection relative to its mass, whatever the step.  Rows that a
 * decision (may be NULL) calls redundant are left nearly free.  Returns as rls_factor_rows.
 */
rls_outcome rls_penalty_factor (const rls_penalty *work, rls_island *island, rls_rows *rows, double scale,
                                const unsigned char *decision, rls_factor *factor);

/* next.v += M^-1 H' p until H v = y holds to rounding or gets no better at the end of the step: the
 * mass-orthogonal projection, by imperfect rows (scale as above) whose multipliers are added up. */
rls_outcome rls_penalty_project (rls_penalty *work, rls_island *island, double scale);

/* 1 if next.v and next.pose are where rows can be evaluated. */
int rls_penalty_usable (const rls_island *island, double h);

/* ---- the methods (correct_augmented.c, correct_conserving.c) ---- */

/* One step of h from state.pose and state.v.  begin.rows and factor are those of the beginning.  Fills
 * next.pose, next.v, p and what the reactions act along.  Returns RLS_DONE, RLS_NO_MEMORY, RLS_FAILED when a
 * value is not finite, or RLS_ANOTHER_WAY if the iterations do not converge: then nothing is done. */
rls_outcome rls_augmented_step (rls_penalty *work, rls_island *island, double h);
rls_outcome rls_conserving_step (rls_penalty *work, rls_island *island, double h);

#endif
