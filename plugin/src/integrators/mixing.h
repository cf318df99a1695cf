/*
 * Anderson's mixing, for iterations that forces of the state slow down or drive apart.
 *
 * A kick by forces that depend on velocities is an equation for these, and the augmented Lagrangian methods
 * know the tangents of the constraints but not those of the forces, which a callback does not give:
 * x <- x + f (x) then converges like h C / M or h^2 K / M, and not at all beside a stiff damper or stop.  The
 * last steps tell how f changes:
 *
 *     x <- x + f - sum g_j (dx_j + df_j),     g such that |f - sum g_j df_j| is least
 *
 * x being velocities or accelerations of the bodies, with the multipliers if there are rows, and |f| the
 * kinetic energy of its first part (Anderson 1965; Walker & Ni 2011).
 */
#ifndef RLS_MIXING_H
#define RLS_MIXING_H

#include "island/island.h"

#define RLS_MIXED 6 /* steps that are remembered */

typedef struct
{
    int count; /* steps remembered, the latest in place (count - 1) % RLS_MIXED; -1 before the first pass */
    int bodies, rows;
    /* by step: differences of f, and of x + f */
    double (*df[RLS_MIXED])[6], (*dx[RLS_MIXED])[6]; /* bodies */
    double *dp[RLS_MIXED];                           /* rows: of the multipliers' x + f */
    double (*last_f)[6], (*last_step)[6]; /* bodies: f before this pass, and what was done with it */
    double *last_p, *last_change;         /* rows: the same of the multipliers */
} rls_mixing;

/* Room for as many bodies and rows as it says. */
void rls_mixing_lay_out (rls_mixing *mixing, rls_arena_cursor *cursor);

/* Forgets all steps. */
void rls_mixing_begin (rls_mixing *mixing);

/* Remembers f and p, the steps that x and the multipliers are about to make, and, if mix is not 0, turns them
 * into better ones.  Angular parts may be in world or in body axes. */
void rls_mixing_step (rls_mixing *mixing, const rls_island *island, int mix, double (*f)[6], double *p);

#endif
