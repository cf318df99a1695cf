/*
 * Anderson's mixing (Anderson 1965; Walker & Ni 2011), for iterations that forces of the program slow down or
 * make diverge.
 *
 * A kick by forces that depend on velocities is an equation for the velocities.  The augmented Lagrangian
 * methods know the tangents of the constraints but not those of the forces, which a callback does not
 * provide.  In both cases the iteration x <- x + f (x) converges at a rate of h C / M or h^2 K / M, that is,
 * not at all with a stiff damper or stop.  The last steps of the iteration show how f changes with x:
 *
 *     x <- x + f - sum g_j (dx_j + df_j),     g such that |f - sum g_j df_j| is least
 *
 * Here x are velocities or accelerations of the bodies, with multipliers if there are rows; |f| is the
 * kinetic energy of the first part.
 */
#ifndef RLS_MIXING_H
#define RLS_MIXING_H

#include "island/island.h"

#define RLS_MIXED 6 /* steps that are remembered */

typedef struct
{
    int count; /* differences kept, the latest at index (count - 1) % RLS_MIXED; -1 before the first step */
    int bodies, rows;
    double (*df[RLS_MIXED])[6];   /* bodies: differences of f from step to step, */
    double (*dx[RLS_MIXED])[6];   /* of x + f, */
    double *dp[RLS_MIXED];        /* and, rows, of x + f of the multipliers */
    double (*last_f)[6];          /* bodies: f of the last step, */
    double (*last_step)[6];       /* and the step that was made of it */
    double *last_p, *last_change; /* rows: the same for the multipliers */
} rls_mixing;

/* Lays out the arrays for the bodies and rows that are set. */
void rls_mixing_lay_out (rls_mixing *mixing, rls_arena_cursor *cursor);

/* Begins an iteration: forgets all steps. */
void rls_mixing_begin (rls_mixing *mixing);

/* Called in each step of an iteration with f and p, by which x and the multipliers are about to be
 * changed.  Records them, and replaces them by better ones if mix is 1.  Angular parts may be in world or
 * body axes. */
void rls_mixing_step (rls_mixing *mixing, const rls_island *island, int mix, double (*f)[6], double *p);

#endif
