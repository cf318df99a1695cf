/*
 * The equations of motion of a world, copied out of it.
 *
 *     equations.c           filled from the world, and listed; efforts of drives for wanted accelerations
 *     equations_products.c  products and solves with them, the recursion row by row
 *     equations_share.c     how redundant reactions share the load
 *
 * All islands are in one workspace of the equations' own, so that nothing of what the stepper carries is
 * touched. Inside, lengths are counted in the workspace's unit (length_scale.h); arrays of the program are in
 * SI units.
 */
#ifndef RLS_EQUATIONS_H
#define RLS_EQUATIONS_H

#include "stepper.h"

struct dxRLSEquations
{
    int filled;
    rls_settings settings; /* those of the stepper, but with hard rows */
    rls_workspace workspace;
    double (*free)[6];      /* bodies: accelerations without the rows */
    double *wanted;         /* rows: what they ask of accelerations */
    unsigned char *angular; /* rows */
    int *entry0;            /* rows + 1 */
    double (*body[2])[6];   /* scratch */
    double *row[2];         /* scratch */
    rls_arena block;

    int *place;             /* rows in the order of the recursion */
    unsigned char *decided; /* rows: the decisions of the rows before one */
    rls_factor leading;     /* of them */
};

typedef enum
{
    RLS_OF_MOTION, /* m/s, rad/s */
    RLS_OF_FORCE   /* N, N m */
} rls_kind;

static inline const rls_island *rls_equations_island (const struct dxRLSEquations *e)
{
    return &e->workspace.island;
}

static inline int rls_equations_ready (const struct dxRLSEquations *e) { return e && e->filled; }

/* equations_products.c: an array of the program, by rows, to row[0] in the workspace's unit, and one of such
 * numbers back.  The former returns row[0], or NULL if nothing was filled, one of the program's arrays, out
 * too, is missing, or a number is not finite; the latter 1. */
double *rls_take_rows (const struct dxRLSEquations *e, rls_kind kind, const dReal *x, const dReal *out);
int rls_give_rows (const struct dxRLSEquations *e, rls_kind kind, const double *v, dReal *out);

#endif
