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

#include "cayley.h"
#include "curvature.h"

typedef struct
{
    double penalty;   /* N/m; 0: by row, relative to its mass */
    double tolerance; /* position residual (m or rad) to stop at; 0: rounding level */
    int project;      /* velocities (and accelerations) are projected at the end of the step */

    /* kept from step to step */
    double clearance;    /* largest of the steps' least relative pivots: what the rows have away from
                            singularities */
    int history;         /* 1: multiplier and a are those of the end of the last step */
    double *multiplier;  /* rows: forces (N or N m) */
    double (*a)[6];      /* accelerations at the end: linear in world axes, angular in body axes */
    rls_pose *last_pose; /* where the last step ended */

    /* of one step */
    int bodies, rows;
    rls_spin *spin;
    double (*a0)[6];          /* accelerations at the beginning, as a */
    double (*y)[6];           /* residual of the equations of motion, divided by mass */
    double (*d)[6];           /* scratch: displacements */
    double *x, *wanted;       /* scratch: rows */
    double *first_multiplier; /* rows: of the beginning */
    unsigned char *loose;     /* rows: 1 if left nearly free in this step */
    rls_rows middle;          /* rows between beginning and end */
    rls_factor factor;        /* of the middle */
    rls_curvature curvature;
    rls_block block;
} rls_penalty;

/* Makes room for the island; what was kept is forgotten if its size changed.  1 done, 0 no memory. */
int rls_penalty_prepare (rls_penalty *work, const rls_island *island);
void rls_penalty_free (rls_penalty *work);

/* Makes the work the same as another one.  1 done, 0 no memory (then it can only be freed). */
int rls_penalty_copy (rls_penalty *to, const rls_penalty *from);

/* Forgets multipliers and accelerations if the step does not begin where the last one ended. */
void rls_penalty_begin (rls_penalty *work, const rls_island *island);

/* Keeps where the step ended. */
void rls_penalty_end (rls_penalty *work, const rls_island *island);

/*
 * Makes all rows imperfect with sigma^2 = 1 / (penalty x scale), forms their columns with the present W, and
 * factors them.  scale (s^2): what a unit of acceleration moves under the integration rule.  Without a
 * penalty of its own a row gets one that leaves it the same small imperfection relative to its mass, whatever
 * the step. Rows that a decision (may be NULL) calls redundant are left nearly free.  Returns as
 * rls_factor_rows.
 */
int rls_penalty_factor (const rls_penalty *work, rls_island *island, rls_rows *rows, double scale,
                        const unsigned char *loose, rls_factor *factor);

/* v += M^-1 H' p until H v = wanted holds to rounding or gets no better: the mass-orthogonal projection, by
 * imperfect rows whose multipliers are added up.  x: scratch, rows.  Returns 1, or -1 if not finite. */
int rls_penalty_project (const rls_island *island, const rls_factor *factor, const rls_rows *rows,
                         const double *wanted, double *x, double (*v)[6]);

/* Position residual (m or rad) at which iterations stop. */
double rls_penalty_tolerance (const rls_penalty *work, const rls_island *island);

/* 1 if new_v and new_pose are where rows can be evaluated. */
int rls_penalty_usable (const rls_island *island, double h);

/* The largest |residual| of the rows. */
double rls_largest_residual (const rls_rows *rows);

#endif
