/*
 * The equations of motion of a world (section 5 of method.md), copied out of it; contract in ode_rls.h.
 *
 *     equations.c           reading them from the world, listing them; inverse dynamics
 *     equations_products.c  products and solves; the recursion row by row
 *     equations_share.c     elastic shares of redundant reactions
 *
 * All islands are read into one workspace that belongs to the equations, so that the stepper's own are left
 * alone.  Lengths in it are in its unit of length (ode/gather.h); arrays of the program are in SI units.
 */
#ifndef RLS_EQUATIONS_H
#define RLS_EQUATIONS_H

#include "stepper.h"

struct dxRLSEquations
{
    int filled;            /* 1: the members below are those of a world */
    rls_settings settings; /* those of the stepper, but with hard rows */
    rls_workspace workspace;
    double (*free)[6];      /* bodies: accelerations without the rows, M^-1 f */
    double *wanted;         /* rows: the accelerations c along them that they require, H a = c */
    unsigned char *angular; /* rows: 1 if their unit is rad, not m */
    int *entry0;            /* rows + 1: where the entries of a row begin in the list of all entries */
    double (*body[2])[6];   /* scratch: bodies */
    double *row[2];         /* scratch: rows */
    rls_arena block;

    /* the recursion */
    int *place;             /* rows, in the order in which it takes them */
    unsigned char *decided; /* rows: decisions with which the rows before a given one are factored, */
    rls_factor leading;     /* and that factor */
};

/* What an array holds, for the conversion of units: six numbers of each body or one of each row, motions (m/s
 * and rad/s, or accelerations) or forces (N and N m, or impulses). */
typedef enum
{
    RLS_BODIES_MOTION,
    RLS_BODIES_FORCE,
    RLS_ROWS_MOTION,
    RLS_ROWS_FORCE
} rls_kind;

static inline const rls_island *rls_equations_island (const struct dxRLSEquations *e)
{
    return &e->workspace.island;
}

static inline int rls_equations_ready (const struct dxRLSEquations *e) { return e && e->filled; }

/* equations_products.c: convert an array from SI units to the workspace's unit of length, and back.  The
 * first puts the result into body[0] or row[0]; it returns 0 if the equations are not filled, x or out (an
 * array that the caller will write) is NULL, or a number is not finite.  The second takes it from there, and
 * returns 1. */
int rls_equations_take (const struct dxRLSEquations *e, rls_kind kind, const dReal *x, const dReal *out);
int rls_equations_give (const struct dxRLSEquations *e, rls_kind kind, dReal *out);

#endif
